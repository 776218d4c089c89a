/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "base/str.h"
#include "base/units.h"

#define BAR_MS	    100 /* of long work */
#define LINE_MS	    5000
#define BAR_WIDTH   30 /* columns between the brackets */
#define CLEAR_LINE  "\r\033[K"
#define LOG_PERCENT 10 /* a log gets a line for so much more */
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

void progress_start_long(struct progress *p, int fd, bool silent, const char *what, int64_t now_ms)
{
	progress_start(p, fd, silent, what, now_ms);
	p->every_ms = p->bar ? BAR_MS : LINE_MS;
}

static void add_bar(struct str *text, size_t done, size_t total)
{
	/* a file may have grown meanwhile */
	size_t filled = done < total ? BAR_WIDTH * done / total : BAR_WIDTH;

	str_add(text, " [");
	str_add_repeat(text, '=', filled);
	str_add_repeat(text, ' ', BAR_WIDTH - filled);
	str_add_char(text, ']');
}

static void add_count(const struct progress *p, struct str *text, size_t n)
{
	char size[UNIT_TEXT_MAX];

	if (p->bytes)
		str_add(text, format_bytes(n, size));
	else
		str_addf(text, "%zu", n);
}

void progress_step(struct progress *p, size_t done, size_t total, int64_t now_ms)
{
	CLEANUP(str_release) struct str text = { 0 };

	if (p->silent || now_ms - p->start_ms < PROGRESS_PATIENCE_MS ||
	    (done == p->shown && (p->drawn || !p->bar)) || now_ms - p->shown_ms < p->every_ms)
		return;
	p->shown = done;
	p->shown_ms = now_ms;
	str_addf(&text, "%s%s: ", p->bar ? CLEAR_LINE : "", p->what);
	add_count(p, &text, done);
	if (total || !p->bytes) {
		str_add(&text, " of ");
		add_count(p, &text, total);
	}
	if (p->bar && total && p->columns >= COLUMNS_MIN)
		add_bar(&text, done, total);
	if (!p->bar)
		str_add_char(&text, '\n');
	p->drawn = p->bar;
	put(p, &text);
}

void progress_share(struct progress *p, double share, int64_t now_ms)
{
	CLEANUP(str_release) struct str text = { 0 };
	size_t percent = share > 0 ? (size_t)(share < 1 ? share * 100 : 100) : 0;
	double elapsed = (double)(now_ms - p->start_ms) / 1000;

	if (p->silent || now_ms - p->start_ms < PROGRESS_PATIENCE_MS ||
	    percent < p->shown + (p->bar ? 1 : LOG_PERCENT))
		return;
	p->shown = percent;
	str_addf(&text, "%s%s: %zu %%, %.0f s left", p->bar ? CLEAR_LINE : "", p->what, percent,
		 elapsed * (1 - share) / share);
	if (p->bar && p->columns >= COLUMNS_MIN)
		add_bar(&text, percent, 100);
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
