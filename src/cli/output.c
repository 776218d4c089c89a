/* SPDX-License-Identifier: MIT */
#include "cli/output.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"

static bool wants_colour(void)
{
	const char *no_colour = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	return !(no_colour && *no_colour) && term && strcmp(term, "dumb") != 0;
}

void output_init(struct output *o, int fd)
{
	struct winsize size = { 0 };

	*o = (struct output){ .fd = fd };
	if (!isatty(fd))
		return;
	o->terminal.colour = wants_colour();
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col)
		o->terminal.columns = size.ws_col;
	else
		o->terminal.columns = 80;
}

void output_release(struct output *o)
{
	str_release(&o->text);
}

int output_flush(struct output *o)
{
	const char *at = str_text(&o->text);
	size_t left = o->text.len;

	if (!o->err)
		o->err = str_error(&o->text);
	while (left && !o->err) {
		ssize_t n = write(o->fd, at, left);
		int err = -errno;

		if (n < 0 && err != -EINTR)
			o->err = err;
		if (n <= 0)
			continue;
		at += n;
		left -= (size_t)n;
	}
	str_release(&o->text);
	return o->err;
}

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
