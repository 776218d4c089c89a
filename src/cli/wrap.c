/* SPDX-License-Identifier: MIT */
#include "cli/wrap.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"

/* Columns of the first `bytes` bytes. */
static size_t columns_of(const char *s, size_t bytes)
{
	char word[256];

	if (bytes >= sizeof(word))
		return bytes;
	memcpy(word, s, bytes);
	word[bytes] = '\0';
	return text_columns(word);
}

void add_wrapped(struct str *out, const char *text, size_t column, size_t indent, size_t columns)
{
	size_t limit = columns > indent + 20 ? columns : indent + 20;
	bool line_has_word = false;

	while (*text) {
		size_t bytes = strcspn(text, " \n");
		size_t width = columns_of(text, bytes);

		if (bytes && line_has_word && column + 1 + width > limit) {
			str_add_char(out, '\n');
			str_add_repeat(out, ' ', indent);
			column = indent;
		} else if (bytes && line_has_word) {
			str_add_char(out, ' ');
			column++;
		}
		str_add_bytes(out, text, bytes);
		column += width;
		line_has_word = line_has_word || bytes;
		text += bytes;
		if (*text == '\n') {
			str_add_char(out, '\n');
			if (text[1] && text[1] != '\n')
				str_add_repeat(out, ' ', indent);
			column = indent;
			line_has_word = false;
		}
		if (*text)
			text++;
	}
	str_add_char(out, '\n');
}
