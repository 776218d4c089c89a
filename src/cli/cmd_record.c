/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "cli/answer.h"
#include "cli/recording.h"

static void add_drive(struct doc *drives, const struct recorded *r)
{
	struct doc *o = doc_object(drives, NULL), *errors;

	report_add_identity_of(doc_object(o, "identity"), &r->identity);
	doc_string(o, "result", record_result_name(r->result));
	errors = doc_array(o, "errors");
	if (*r->why.text)
		doc_string(errors, NULL, r->why.text);
}

static struct doc *answer(const struct recording *rec)
{
	struct doc *root = report_new("record", rec->ctx->now);
	struct doc *drives = doc_array(root, "drives");

	for (size_t i = 0; i < rec->n; i++)
		add_drive(drives, &rec->recorded[i]);
	doc_string(root, "database", rec->ctx->options.db);
	doc_string(root, "corrupt_moved_to", rec->moved);
	doc_integer(root, "recorded", rec->counts[RECORD_NEW], UNIT_COUNT);
	doc_integer(root, "pruned_samples", rec->pruned, UNIT_COUNT);
	return root;
}

static void tell(const struct recording *rec, bool discovered, struct view *v)
{
	const size_t *n = rec->counts;
	char text[UNIT_TEXT_MAX];

	if (discovered && !rec->n) {
		view_line(v, STYLE_PLAIN, 0, "no SSD found");
		return;
	}
	view_line(v, STYLE_PLAIN, 0, "%zu drive%s recorded", n[RECORD_NEW],
		  n[RECORD_NEW] == 1 ? "" : "s");
	if (n[RECORD_SAME])
		view_line(v, STYLE_PLAIN, 0, "%zu recorded already, by another path",
			  n[RECORD_SAME]);
	if (n[RECORD_STANDBY])
		view_line(v, STYLE_PLAIN, 0, "%zu in standby, left asleep", n[RECORD_STANDBY]);
	if (n[RECORD_NO_DATA])
		view_line(v, STYLE_WARNING, 0, "%zu gave no health data", n[RECORD_NO_DATA]);
	if (rec->pruned)
		view_line(v, STYLE_PLAIN, 0, "%s old samples thinned out",
			  format_grouped((i128)rec->pruned, text));
}

static int finish(const struct recording *rec, const struct drives *drives)
{
	CLEANUP(doc_release) struct doc *doc = answer(rec);
	CLEANUP(view_release) struct view view = { 0 };
	int err;

	tell(rec, drives->discovered, &view);
	if (rec->ctx->options.quiet && rec->ctx->options.format.value == FORMAT_TEXT)
		err = view_error(&view);
	else
		err = answer_print(rec->ctx, doc, NULL, &view);
	if (err || drives->code)
		return err ? err : drives->code;
	/* nobody named a drive, and none could be read */
	return rec->no_access && !rec->counts[RECORD_NEW] ? EX_NOPERM : 0;
}

int cmd_record(struct context *ctx)
{
	CLEANUP(cleanup_free) struct recording *rec = calloc(1, sizeof(*rec));
	CLEANUP(drives_release) struct drives drives = { 0 };
	int err;

	if (!rec)
		return -ENOMEM;
	/* before any drive is bothered */
	err = recording_open(ctx, rec);
	/* a sample is of the time when the drives have answered, not of when the program began */
	if (!err)
		err = drives_read(ctx, &drives);
	if (!err)
		err = recording_add(rec, &drives);
	if (!err)
		err = finish(rec, &drives);
	recording_release(rec);
	return err;
}
