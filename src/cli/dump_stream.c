/* SPDX-License-Identifier: MIT */
#include "cli/dump_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/files.h"

#define PART_BYTES ((size_t)1 << 20) /* enough for many lines, and to keep in a cache */

/* The bytes of the file that were read and not yet given. */
struct window {
	uint8_t *data;
	size_t len, cap;
	struct dump_source source;
	bool ended; /* nothing follows in the file */
};

static void window_release(struct window *w)
{
	free(w->data);
}

static int make_room(struct window *w, const char *path, struct diag *d)
{
	size_t cap = w->cap ? w->cap * 2 : PART_BYTES;
	uint8_t *data;

	if (w->len < w->cap)
		return 0;
	if (w->cap >= FILE_BYTES_MAX)
		return diag_fail(d, -EFBIG, "%s:%zu: no object ends within %zu bytes from here",
				 path, w->source.line, FILE_BYTES_MAX);
	data = realloc(w->data, cap);
	if (!data)
		return -ENOMEM;
	w->data = data;
	w->cap = cap;
	return 0;
}

static int fill(struct window *w, int fd, const char *path, uint64_t *read, struct diag *d)
{
	while (!w->ended && w->len < w->cap) {
		ssize_t n = file_read_some(fd, w->data + w->len, w->cap - w->len, path, d);

		if (n < 0)
			return (int)n;
		w->ended = n == 0;
		w->len += (size_t)n;
		*read += (uint64_t)n;
	}
	return 0;
}

/* Objects of JSON stand one after the other in it? Else it must be seen as a whole. */
static bool is_json(const struct window *w)
{
	size_t at = 0;

	while (at < w->len && strchr(" \t\r\n\xef\xbb\xbf", w->data[at]) && w->data[at])
		at++;
	return at < w->len && (w->data[at] == '{' || w->data[at] == '[');
}

/*
 * Where an object that starts a line follows one that ended: up to there the text can be given. 0
 * where there is no such place.
 */
static size_t find_cut(const struct window *w)
{
	size_t at = w->len;

	while (at > 1) {
		const uint8_t *end = memrchr(w->data, '\n', at - 1);
		size_t before;

		if (!end || end == w->data)
			return 0;
		before = (size_t)(end - w->data) - 1;
		if (w->data[before] == '\r' && before)
			before--;
		if (end[1] == '{' && w->data[before] == '}')
			return (size_t)(end - w->data) + 1;
		at = (size_t)(end - w->data);
	}
	return 0;
}

static size_t count_lines(const uint8_t *s, size_t n)
{
	const uint8_t *end = s + n;
	size_t lines = 0;

	while ((s = memchr(s, '\n', (size_t)(end - s))) != NULL) {
		lines++;
		s++;
	}
	return lines;
}

/* Give the first n bytes of the window and drop them. */
static int give(const struct dump_stream *stream, struct window *w, size_t n, const char *path,
		struct diag *d)
{
	struct diag why = { 0 };
	int err = dump_each(bytes_of(w->data, n), &w->source, &stream->taker, &why);

	if (err == -EINVAL)
		return diag_fail(d, err, "%s: %s", path, why.text);
	if (err)
		return err;
	w->source.line += count_lines(w->data, n);
	memmove(w->data, w->data + n, w->len - n);
	w->len -= n;
	return 0;
}

/* The next part to give: 0 where more must be read first. */
static size_t next_part(const struct window *w, bool json)
{
	if (w->ended)
		return w->len;
	return json && w->len == w->cap ? find_cut(w) : 0;
}

int dump_stream_read(const struct dump_stream *stream, const char *path, struct diag *d)
{
	CLEANUP(window_release) struct window w = { .source.line = 1 };
	CLEANUP(file_close) int fd = file_open(path, d, &w.source.time);
	bool json = false, any = false;
	uint64_t read = 0;
	int err = fd < 0 ? fd : 0;

	while (!err && !(w.ended && any && !w.len)) {
		size_t n = next_part(&w, json);

		if (n || w.ended) {
			err = give(stream, &w, n, path, d);
			any = true;
			if (!err && stream->passed)
				err = stream->passed(stream->taker.arg, read);
			continue;
		}
		err = make_room(&w, path, d);
		if (!err)
			err = fill(&w, fd, path, &read, d);
		json = any ? json : is_json(&w);
	}
	return err;
}
