/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "base/str.h"

#define BAR_WIDTH   30 /* columns between the brackets */
#define CLEAR_LINE  "\r\033[K"
#define COLUMNS_MIN 60 /* a narrower terminal gets no bar, only the numbers */

/* One write a line; that standard error fails is nobody's concern here. */
static void put(const struct progress *p, const struct str *text)
{
	if (write(p->fd, str_text(text), text->len) < 0)
		return;
}

void progress_start(struct progress *p, int fd, bool silent, const char *what, int64_t now_ms)
{
	struct winsize size = { 0 };

	*p = (struct progress){
		.fd = fd,
		.silent = silent,
		.bar = isatty(fd) == 1,
		.what = what,
		.start_ms = now_ms,
	};
	if (p->bar && ioctl(fd, TIOCGWINSZ, &size) == 0)
		p->columns = size.ws_col;
}

static void add_bar(struct str *text, size_t done, size_t total)
{
	size_t filled = total ? BAR_WIDTH * done / total : 0;

	str_add(text, " [");
	str_add_repeat(text, '=', filled);
	str_add_repeat(text, ' ', BAR_WIDTH - filled);
	str_add_char(text, ']');
}

void progress_step(struct progress *p, size_t done, size_t total, int64_t now_ms)
{
	CLEANUP(str_release) struct str text = { 0 };

	if (p->silent || now_ms - p->start_ms < PROGRESS_PATIENCE_MS ||
	    (done == p->shown && (p->drawn || !p->bar)))
		return;
	p->shown = done;
	str_addf(&text, "%s%s: %zu of %zu", p->bar ? CLEAR_LINE : "", p->what, done, total);
	if (p->bar && p->columns >= COLUMNS_MIN)
		add_bar(&text, done, total);
	if (!p->bar)
		str_add_char(&text, '\n');
	p->drawn = p->bar;
	put(p, &text);
}

void progress_end(struct progress *p)
{
	CLEANUP(str_release) struct str text = { 0 };

	if (!p->drawn)
		return;
	str_add(&text, CLEAR_LINE);
	put(p, &text);
	p->drawn = false;
}
