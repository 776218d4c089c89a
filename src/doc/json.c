/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "doc/render.h"

#define EXACT_IN_DOUBLE ((i128)1 << 53)

bool doc_is_beyond_double(const struct doc *node)
{
	return node->kind == DOC_INTEGER && unit_scale(node->unit) == 1 &&
	       (node->integer > EXACT_IN_DOUBLE || node->integer < -EXACT_IN_DOUBLE);
}

const char *doc_number_text(const struct doc *node, char buf[NUMBER_TEXT_MAX])
{
	char *e;

	if (node->kind == DOC_INTEGER)
		return format_exact(node->integer, node->unit, buf);
	/* significant digits without an exponent where the number is of a usual size */
	if (node->real != 0 && (fabs(node->real) >= 1e15 || fabs(node->real) < 1e-6)) {
		snprintf(buf, NUMBER_TEXT_MAX, "%.*e", node->digits - 1, node->real);
		return buf;
	}
	snprintf(buf, NUMBER_TEXT_MAX, "%.*g", node->digits, node->real);
	if (strchr(buf, 'e')) { /* %g changes to an exponent early */
		snprintf(buf, NUMBER_TEXT_MAX, "%.0f", node->real);
		return buf;
	}
	e = strchr(buf, '.');
	if (!e)
		return buf;
	for (e = buf + strlen(buf); e[-1] == '0'; e--)
		e[-1] = '\0';
	if (e[-1] == '.')
		e[-1] = '\0';
	return buf;
}

/* The code point of a character of one to three bytes. */
static unsigned code_of(const char *s, unsigned n)
{
	const unsigned char *u = (const unsigned char *)s;

	if (n == 1)
		return u[0];
	if (n == 2)
		return (u[0] & 0x1Fu) << 6 | (u[1] & 0x3Fu);
	return (u[0] & 0x0Fu) << 12 | (u[1] & 0x3Fu) << 6 | (u[2] & 0x3Fu);
}

/* JSON may end on a terminal: what a terminal would obey is escaped. */
static void add_string(struct str *out, const char *s)
{
	str_add_char(out, '"');
	while (*s) {
		unsigned n = text_utf8_length(s);

		if (!n) {
			str_add(out, "\xEF\xBF\xBD"); /* U+FFFD */
			s++;
		} else if (n == 1 && (*s == '"' || *s == '\\')) {
			str_addf(out, "\\%c", *s++);
		} else if (text_is_harmful(s, n)) {
			str_addf(out, "\\u%04x", code_of(s, n));
			s += n;
		} else {
			str_add_bytes(out, s, n);
			s += n;
		}
	}
	str_add_char(out, '"');
}

static void add_key(struct str *out, const char *key, const char *suffix)
{
	str_addf(out, "\"%s%s\": ", key, suffix);
}

/* Nothing where all stands in one line. */
static void add_indent(struct str *out, bool line, unsigned depth)
{
	if (line)
		return;
	str_add_char(out, '\n');
	str_add_repeat(out, ' ', (size_t)depth * 2);
}

/* The members that stand beside a value to keep what it loses. */
static void add_companion(struct str *out, const struct doc *node, bool line, unsigned depth)
{
	char digits[U128_TEXT + 1];

	if (!node->key)
		return;
	if (doc_is_beyond_double(node)) {
		str_add_char(out, ',');
		add_indent(out, line, depth);
		add_key(out, node->key, "_str");
		str_addf(out, "\"%s\"", i128_format(node->integer, digits));
	}
	if (node->kind == DOC_STRING && !text_is_clean(node->string)) {
		str_add_char(out, ',');
		add_indent(out, line, depth);
		add_key(out, node->key, "_hex");
		str_add_char(out, '"');
		for (const char *s = node->string; *s; s++)
			str_addf(out, "%02x", (unsigned char)*s);
		str_add_char(out, '"');
	}
}

static void add_scalar(struct str *out, const struct doc *node)
{
	char number[NUMBER_TEXT_MAX];

	switch (node->kind) {
	case DOC_BOOL:
		str_add(out, node->boolean ? "true" : "false");
		break;
	case DOC_INTEGER:
		if (doc_is_beyond_double(node)) /* rounded, as a double keeps it */
			str_addf(out, "%.0f", (double)node->integer);
		else
			str_add(out, doc_number_text(node, number));
		break;
	case DOC_REAL:
		str_add(out, doc_number_text(node, number));
		break;
	case DOC_STRING:
		add_string(out, node->string);
		break;
	default:
		str_add(out, "null");
	}
}

static void render(const struct doc *root, bool line, struct str *out)
{
	const struct doc *node = root;
	unsigned depth = 0;

	for (;;) {
		bool container = node->kind == DOC_OBJECT || node->kind == DOC_ARRAY;

		if (node != root && node->key)
			add_key(out, node->key, "");
		if (container && node->first) {
			str_add_char(out, node->kind == DOC_OBJECT ? '{' : '[');
			add_indent(out, line, ++depth);
			node = node->first;
			continue;
		}
		if (container)
			str_add(out, node->kind == DOC_OBJECT ? "{}" : "[]");
		else
			add_scalar(out, node);
		if (node != root)
			add_companion(out, node, line, depth);
		while (node != root && !node->next) {
			node = node->parent;
			add_indent(out, line, --depth);
			str_add_char(out, node->kind == DOC_OBJECT ? '}' : ']');
		}
		if (node == root)
			break;
		str_add_char(out, ',');
		add_indent(out, line, depth);
		node = node->next;
	}
	str_add_char(out, '\n');
}

void doc_render_json(const struct doc *root, struct str *out)
{
	render(root, false, out);
}

void doc_render_json_line(const struct doc *root, struct str *out)
{
	render(root, true, out);
}
