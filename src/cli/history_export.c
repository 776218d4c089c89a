/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/files.h"
#include "cli/history_event.h"
#include "cli/history_upkeep.h"
#include "report/drive.h"

/*
 * The whole history, or one drive's, as JSON Lines: every sample a capture, then the drive's
 * events. Imported into an empty database they make the same history.
 */

#define FLUSH_BYTES ((size_t)1 << 20)

struct export
{
	struct context *ctx;
	struct store *store;
	int fd;
	const char *name; /* of what is written to */
	struct str text;  /* not yet written */
	const struct stored_drive *drive;
};

static int flush(struct export *e)
{
	struct bytes rest = bytes_of(str_text(&e->text), e->text.len);
	int err = str_error(&e->text);

	while (!err && rest.len) {
		ssize_t n = write(e->fd, rest.data, rest.len);

		if (n < 0 && errno != EINTR) {
			err = -errno;
			return diag_fail(&e->ctx->diag, err, "%s: %s", e->name, strerror(-err));
		}
		if (n > 0)
			rest = bytes_slice(rest, (size_t)n, rest.len);
	}
	str_release(&e->text);
	return err;
}

static bool is_dump(const struct snapshot *s)
{
	return s->nlogs && s->logs[0].space >= SPACE_SKDUMP;
}

static int add_sample(void *arg, int64_t drive, bool live, const struct snapshot *s)
{
	CLEANUP(doc_release) struct doc *root = doc_new();
	struct export *e = arg;
	struct snapshot marked = *s; /* shares the logs */
	int err;

	(void)drive;
	marked.live = live;
	/* whose it is, a dump may not say */
	if (is_dump(s) && !*marked.serial)
		text_copy(marked.serial, sizeof(marked.serial), e->drive->identity.serial);
	doc_stringf(root, "schema", "nandlife.capture/1");
	err = snapshot_to_doc(&marked, doc_object(doc_array(root, "drives"), NULL));
	if (!err)
		err = doc_error(root);
	if (err)
		return err;
	doc_render_json_line(root, &e->text);
	return e->text.len >= FLUSH_BYTES ? flush(e) : str_error(&e->text);
}

static int add_drive(struct export *e, const struct stored_drive *drive)
{
	CLEANUP(series_release) struct series s;
	int err;

	e->drive = drive;
	series_init(&s);
	err = store_each_snapshot(e->store, drive->id, &e->ctx->diag, add_sample, e);
	if (!err)
		err = store_series(e->store, drive->id, TIME_UNKNOWN, TIME_UNKNOWN, &e->ctx->diag,
				   &s);
	for (size_t i = 0; !err && i < s.nevents; i++)
		history_event_export(&drive->identity, &s.events[i], &e->text);
	return err ? err : flush(e);
}

static int add_all(struct export *e, const char *word)
{
	CLEANUP(cleanup_free) struct stored_drive *drives = NULL;
	struct stored_drive one;
	size_t n = 0;
	int err;

	if (word) {
		err = history_find(e->ctx, e->store, word, &one);
		return err ? err : add_drive(e, &one);
	}
	err = store_drives(e->store, &e->ctx->diag, &drives, &n);
	for (size_t i = 0; !err && i < n; i++)
		err = add_drive(e, &drives[i]);
	return err;
}

/* To a file that takes the target's place when all is in it, so that a failure leaves that. */
static int write_file(struct export *e, const char *path, const char *word)
{
	char temporary[PATH_MAX];
	int err;

	if (snprintf(temporary, sizeof(temporary), "%s.new", path) >= PATH_MAX)
		return -ENAMETOOLONG;
	e->name = path;
	e->fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0600);
	if (e->fd < 0) {
		err = -errno;
		return diag_fail(&e->ctx->diag, err, "%s: %s", temporary, strerror(-err));
	}
	err = add_all(e, word);
	if (!err && fsync(e->fd) < 0)
		err = -errno;
	if (close(e->fd) < 0 && !err)
		err = -errno;
	if (!err && rename(temporary, path) < 0)
		err = -errno;
	if (err) {
		unlink(temporary);
		return diag_fail(&e->ctx->diag, err, "%s: %s", path, strerror(-err));
	}
	return 0;
}

int history_export(struct context *ctx, const char *const *words, size_t n)
{
	struct export e = { .ctx = ctx, .fd = STDOUT_FILENO, .name = "standard output" };
	const char *word = n ? words[0] : NULL, *path = ctx->options.output;
	int err;

	if (n > 1)
		return context_usage(ctx, "history export takes one drive, or none for all");
	err = store_open(ctx->options.db, STORE_READ, ctx->now, &ctx->diag, &e.store, NULL);
	if (!err)
		err = path ? write_file(&e, path, word) : add_all(&e, word);
	str_release(&e.text);
	store_close(&e.store);
	if (err == -EPIPE && !path) { /* nobody reads on: no failure of ours */
		diag_clear(&ctx->diag);
		return 0;
	}
	return err;
}
