/* SPDX-License-Identifier: MIT */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdarg.h>
#include <stddef.h>

#include "base/cleanup.h"

/*
 * A growing string with a hard limit. Errors stick: after the first failure (-ENOMEM, or -E2BIG
 * at the limit) further additions do nothing, and str_error says what happened. All-zero is an
 * empty string with the default limit.
 */
struct str {
	char *s; /* NUL-terminated once anything was added, else NULL */
	size_t len, cap;
	size_t max; /* 0: STR_MAX_DEFAULT */
	int err;
};

#define STR_MAX_DEFAULT ((size_t)64 << 20)

void str_release(struct str *b);
void str_add(struct str *b, const char *s);
void str_add_bytes(struct str *b, const void *s, size_t n);
void str_add_char(struct str *b, char c);
void str_addf(struct str *b, const char *fmt, ...) PRINTF(2, 3);
void str_add_repeat(struct str *b, char c, size_t n);

/* 0, or the sticky negative errno. */
static inline int str_error(const struct str *b)
{
	return b->err;
}

/* A text that is a part of b failed: so has b. */
static inline void str_take_error(struct str *b, const struct str *part)
{
	if (!b->err)
		b->err = part->err;
}

/* The text so far; "" where nothing was added. */
static inline const char *str_text(const struct str *b)
{
	return b->s ? b->s : "";
}

/* Hand the text over to the caller, who frees it; NULL after an error. The string is empty then. */
char *str_steal(struct str *b);

#endif
