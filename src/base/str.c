/* SPDX-License-Identifier: MIT */
#include "base/str.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void str_release(struct str *b)
{
	if (!b)
		return;
	free(b->s);
	*b = (struct str){ .max = b->max };
}

/* Room for n more bytes and a NUL. */
static char *reserve(struct str *b, size_t n)
{
	size_t max = b->max ? b->max : STR_MAX_DEFAULT;
	size_t cap = b->cap ? b->cap : 64;
	char *s;

	if (b->err)
		return NULL;
	if (n >= max || b->len >= max - n) {
		b->err = -E2BIG;
		return NULL;
	}
	while (cap < b->len + n + 1)
		cap *= 2;
	if (cap != b->cap) {
		s = realloc(b->s, cap);
		if (!s) {
			b->err = -ENOMEM;
			return NULL;
		}
		b->s = s;
		b->cap = cap;
	}
	return b->s + b->len;
}

void str_add_bytes(struct str *b, const void *s, size_t n)
{
	char *p = reserve(b, n);

	if (!p)
		return;
	if (n)
		memcpy(p, s, n);
	p[n] = '\0';
	b->len += n;
}

void str_add(struct str *b, const char *s)
{
	str_add_bytes(b, s, strlen(s));
}

void str_add_char(struct str *b, char c)
{
	str_add_bytes(b, &c, 1);
}

void str_add_repeat(struct str *b, char c, size_t n)
{
	char *p = reserve(b, n);

	if (!p)
		return;
	memset(p, c, n);
	p[n] = '\0';
	b->len += n;
}

void str_addf(struct str *b, const char *fmt, ...)
{
	va_list ap;
	char *p;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0) {
		b->err = b->err ? b->err : -EINVAL;
		return;
	}
	p = reserve(b, (size_t)n);
	if (!p)
		return;
	va_start(ap, fmt);
	vsnprintf(p, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->len += (size_t)n;
}

char *str_steal(struct str *b)
{
	char *s = NULL;

	if (!b->err)
		s = b->s ? b->s : calloc(1, 1);
	else
		free(b->s);
	b->s = NULL;
	b->len = b->cap = 0;
	return s;
}
