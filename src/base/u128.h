/* SPDX-License-Identifier: MIT */
#ifndef BASE_U128_H
#define BASE_U128_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

/* NVMe counters are 128 bits wide; all arithmetic on them saturates and says so. */
typedef unsigned __int128 u128;
typedef __int128 i128;

#define U128_MAX  (~(u128)0)
#define I128_MAX  ((i128)(U128_MAX >> 1))
#define U128_TEXT 40 /* digits of the largest value, and a NUL */

/* a x b; saturates at U128_MAX and then sets *saturated (which may be NULL). */
u128 u128_mul(u128 a, u128 b, bool *saturated);

/* a x num / den, rounded down, exact where the product fits 128 bits; den is not 0. */
u128 u128_scale(u128 a, uint64_t num, uint64_t den, bool *saturated);

/* Decimal digits of v; buf has U128_TEXT bytes. Returns buf. */
const char *u128_format(u128 v, char buf[U128_TEXT]);

/* As u128_format with a sign; buf has U128_TEXT + 1 bytes. */
const char *i128_format(i128 v, char buf[U128_TEXT + 1]);

/*
 * Parse decimal digits, all of s. -EINVAL where there is none or something else stands there,
 * -ERANGE where it does not fit.
 */
int u128_parse(const char *s, u128 *ret) MUST_USE;

/* Rounded to the nearest double. */
double u128_double(u128 v);

#endif
