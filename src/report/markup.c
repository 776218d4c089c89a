/* SPDX-License-Identifier: MIT */
#include "report/markup.h"

#include <stdio.h>

#include "base/text.h"

static const char *entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void markup_add(struct str *out, const char *text)
{
	while (*text) {
		unsigned n = text_utf8_length(text);
		const char *name = n == 1 ? entity(*text) : NULL;

		if (!n || text_is_harmful(text, n)) {
			n = n ? n : 1;
			for (unsigned i = 0; i < n; i++)
				str_addf(out, "\\x%02x", (unsigned char)text[i]);
		} else if (name) {
			str_add(out, name);
		} else {
			str_add_bytes(out, text, n);
		}
		text += n;
	}
}

void markup_addv(struct str *out, const char *fmt, va_list ap)
{
	char text[MARKUP_TEXT_MAX];

	vsnprintf(text, sizeof(text), fmt, ap);
	markup_add(out, text);
}

void markup_addf(struct str *out, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	markup_addv(out, fmt, ap);
	va_end(ap);
}
