/* SPDX-License-Identifier: MIT */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "base/bytes.h"
#include "base/diag.h"

/*
 * Reading JSON into cJSON's tree, without the traps of its parser: integers that a double cannot
 * hold are kept to the last digit, trailing garbage and duplicate keys are errors, and a value that
 * should be a number but came as a string (or a float) is still understood. A tree is one piece:
 * it can be read and copied by cJSON's functions, and only json_release frees it.
 */

enum json_flags {
	JSON_LENIENT = 0,     /* duplicate keys: the first one counts; nan and inf are no numbers */
	JSON_STRICT = 1 << 0, /* both are errors */
};

/*
 * Parse one JSON value from text (any bytes, NUL included). *ret_used (may be NULL) is where the
 * value ended; with NULL nothing but white space may follow. Integers of 16 digits and more come
 * out as strings of digits: read numbers only through json_integer and json_real.
 * -EINVAL (with line and column in d), -ENOMEM.
 */
int json_parse(struct bytes text, enum json_flags flags, struct diag *d, cJSON **ret,
	       size_t *ret_used) MUST_USE;
void json_release(cJSON **json); /* for CLEANUP */

/* Member by exact name; NULL where o is no object or has none. */
const cJSON *json_member(const cJSON *o, const char *name);

/* Member by a path of names with dots between them ("raw.value"). */
const cJSON *json_path(const cJSON *o, const char *path);

/*
 * An integer, also where it was written as a string of digits (with any grouping: "1,234",
 * "1.234.567", "1 234"), in hexadecimal ("0x1f") or as a float without a fraction (1.0e+18).
 * False, output untouched, for anything else and for magnitudes of 2^127 and more.
 */
bool json_integer(const cJSON *v, i128 *ret);

/* A finite number, also as a string. */
bool json_real(const cJSON *v, double *ret);

/* The string, or NULL where it is none. A string of digits from json_parse counts as a string. */
const char *json_string(const cJSON *v);

/* true and false, 0 and 1, "true" and "false". */
bool json_boolean(const cJSON *v, bool *ret);

#endif
