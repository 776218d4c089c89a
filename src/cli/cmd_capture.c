/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "cli/drives.h"
#include "cli/files.h"

static int write_capture(const struct drives *d, int64_t now, struct str *out)
{
	CLEANUP(doc_release) struct doc *root = report_new("capture", now);
	struct doc *list = doc_array(root, "drives");
	int err = doc_error(root);

	for (size_t i = 0; !err && i < d->n; i++)
		err = snapshot_to_doc(&d->items[i]->snapshot, doc_object(list, NULL));
	if (!err)
		err = doc_error(root);
	if (err)
		return err;
	doc_render_json(root, out);
	return str_error(out);
}

/* One key for all drives of a run, so that equal serials stay equal and nothing else is told. */
static int redact(struct context *ctx, struct drives *d)
{
	uint64_t key;
	int err = 0;

	if (getrandom(&key, sizeof(key), 0) != (ssize_t)sizeof(key))
		return context_fail(ctx, EX_OSERR, -errno, "no random numbers: %s",
				    strerror(errno));
	for (size_t i = 0; !err && i < d->n; i++)
		err = snapshot_redact(&d->items[i]->snapshot, key, &ctx->diag);
	return err;
}

static int deliver(struct context *ctx, struct str *text)
{
	const char *path = ctx->options.output;
	int err;

	if (!path) {
		str_add_bytes(&ctx->out.text, str_text(text), text->len);
		return str_error(&ctx->out.text);
	}
	err = file_write(path, bytes_of(str_text(text), text->len), &ctx->diag);
	ctx->fail_code = err && exit_code_of(err) == EX_OSERR ? EX_IOERR : 0;
	return err;
}

/* A drive that does not answer is worth a file; a name behind which nothing stands is not. */
static bool is_anything(const struct drives *d)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->items[i]->snapshot.state != DRIVE_ABSENT)
			return true;
	return false;
}

int cmd_capture(struct context *ctx)
{
	CLEANUP(drives_release) struct drives drives = { 0 };
	CLEANUP(str_release) struct str text = { .max = (size_t)1 << 30 };
	size_t nwords;
	int err;

	context_words(ctx, &nwords);
	if (!nwords && !ctx->options.from.n)
		return context_usage(ctx, "capture needs a drive, or --from FILE");
	err = drives_read(ctx, &drives);
	if (!err && ctx->options.output && !is_anything(&drives))
		return drives.code;
	if (!err && ctx->options.redact)
		err = redact(ctx, &drives);
	if (!err)
		err = write_capture(&drives, ctx->now, &text);
	if (!err)
		err = deliver(ctx, &text);
	return err ? err : drives.code;
}
