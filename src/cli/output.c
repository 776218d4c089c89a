/* SPDX-License-Identifier: MIT */
#include "cli/output.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

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
