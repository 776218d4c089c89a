/* SPDX-License-Identifier: MIT */
#include "cli/drives.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/drive_history.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "cli/settings.h"
#include "db/rules.h"
#include "device/discover.h"
#include "device/read.h"
#include "sys/sys.h"

static void free_drive(struct drive *drive)
{
	snapshot_release(&drive->snapshot);
	reading_release(&drive->reading);
	series_release(&drive->series);
	drive_fit_release(&drive->model);
	free(drive);
}

void drives_release(struct drives *d)
{
	for (size_t i = 0; i < d->n; i++)
		free_drive(d->items[i]);
	free(d->items);
	free(d->reports);
	free(d->tables);
	history_close(d);
	*d = (struct drives){ 0 };
}

int drives_add(struct drives *d, struct snapshot *s, struct drive **ret)
{
	struct drive *drive = calloc(1, sizeof(*drive));

	if (drive && d->n == d->cap) {
		size_t cap = d->cap ? d->cap * 2 : 8;
		struct drive **items = reallocarray(d->items, cap, sizeof(*items));

		if (items) {
			d->items = items;
			d->cap = cap;
		} else {
			free(drive);
			drive = NULL;
		}
	}
	if (!drive) {
		snapshot_release(s);
		return -ENOMEM;
	}
	drive->snapshot = *s;
	reading_init(&drive->reading);
	series_init(&drive->series);
	d->items[d->n++] = drive;
	*ret = drive;
	return 0;
}

static int add_drive(struct drives *d, struct snapshot *s)
{
	struct drive *drive;

	return drives_add(d, s, &drive);
}

/* What was named and is not there keeps its place in the answer. Tells the user, clears the diag.
 */
static int add_missing(struct context *ctx, struct drives *d, const char *name, int err)
{
	struct snapshot s;
	int code;

	if (err == -ENOMEM)
		return err;
	code = ctx->fail_code ? ctx->fail_code : exit_code_of(err);
	if (!d->code)
		d->code = code;
	context_error(ctx, "%s", ctx->diag.err ? ctx->diag.text : strerror(-err));
	snapshot_init(&s);
	s.state = DRIVE_ABSENT;
	snprintf(s.path, sizeof(s.path), "%s", name);
	snapshot_add_problem(&s, err, "%s", ctx->diag.err ? ctx->diag.text : strerror(-err));
	diag_clear(&ctx->diag);
	ctx->fail_code = 0;
	return add_drive(d, &s);
}

static int read_dump(struct context *ctx, const char *path, struct drives *d)
{
	CLEANUP(file_release) struct file file = { 0 };
	CLEANUP(cleanup_free) struct snapshot *found = NULL;
	size_t n = 0;
	int err;

	err = file_read(path, &ctx->diag, &file);
	if (err) {
		ctx->fail_code = err == -EINVAL || err == -EFBIG ? EX_DATAERR : 0;
		return err;
	}
	err = snapshots_from_dump(file_bytes(&file), path, file.time, &ctx->diag, &found, &n);
	if (err) {
		ctx->fail_code = err == -ENOMEM ? 0 : EX_DATAERR;
		return err;
	}
	for (size_t i = 0; i < n; i++) {
		if (!err)
			err = add_drive(d, &found[i]);
		else
			snapshot_release(&found[i]);
	}
	/* the good ones are in; what could not be read of the file keeps a place beside them */
	if (!err && ctx->diag.err) {
		ctx->fail_code = EX_DATAERR;
		return ctx->diag.err;
	}
	return err;
}

static int read_dumps(struct context *ctx, struct drives *d)
{
	const struct option_list *from = &ctx->options.from;

	d->from_files = true;
	for (size_t i = 0; i < from->n; i++) {
		int err = read_dump(ctx, from->items[i], d);

		if (err)
			err = add_missing(ctx, d, from->items[i], err);
		if (err)
			return err;
	}
	return 0;
}

static void release_devices(struct device **devices)
{
	free(*devices);
}

/* Exit code for a drive that was named and gave no answer; 0 where it did. */
static int state_code(enum drive_state state)
{
	static const int codes[DRIVE_STATE_COUNT] = {
		[DRIVE_NO_SMART] = EX_UNAVAILABLE,
		[DRIVE_UNREADABLE] = EX_IOERR,
		[DRIVE_HUNG] = EX_TEMPFAIL,
		[DRIVE_NO_ACCESS] = EX_NOPERM,
	};

	return codes[state];
}

/* Called between the standard logs and the vendors': which of them does this model have? */
static size_t extra_logs(void *arg, const struct snapshot *so_far, struct extra_log *ret,
			 size_t max)
{
	CLEANUP(reading_release) struct reading r;
	CLEANUP(cleanup_free) struct drive_rule *rule = calloc(1, sizeof(*rule));
	struct context *ctx = arg;
	size_t n = 0;

	reading_init(&r);
	if (!rule || reading_decode(so_far, NULL, NULL, &r))
		return 0;
	rules_match(ctx->rules, &r, rule);
	if (rule->out_of_memory)
		return 0; /* what the rules really say is not known: ask for nothing */
	for (size_t i = 0; n < max && rule->layouts[i]; i++)
		if (rule->layouts[i]->space == SPACE_NVME_LOG)
			ret[n++] = (struct extra_log){ .id = (uint8_t)rule->layouts[i]->id,
						       .bytes = rule->layouts[i]->size };
	return n;
}

struct reading_progress {
	struct progress progress;
	struct sys *sys;
};

static void show_progress(void *arg, size_t done, size_t total)
{
	struct reading_progress *p = arg;

	progress_step(&p->progress, done, total, sys_ms(p->sys));
}

static int read_devices(struct context *ctx, struct sys *sys, const struct device *devices,
			size_t n, bool named, struct drives *d)
{
	struct reading_progress progress = { .sys = sys };
	struct read_options options = {
		.progress = show_progress,
		.progress_arg = &progress,
		.wake = ctx->options.wake,
		.events = ctx->options.events,
		.timeout_seconds = (unsigned)ctx->options.timeout.value,
		.extra_logs = extra_logs,
		.extra_logs_arg = ctx,
	};
	CLEANUP(cleanup_free) struct snapshot *snapshots = calloc(n ? n : 1, sizeof(*snapshots));
	int err;

	if (!snapshots)
		return -ENOMEM;
	progress_start(&progress.progress, STDERR_FILENO,
		       ctx->options.no_progress || ctx->options.quiet, "reading drives",
		       sys_ms(sys));
	err = devices_read(sys, devices, n, &options, &ctx->diag, snapshots);
	progress_end(&progress.progress);
	if (err)
		return err;
	for (size_t i = 0; i < n; i++) {
		enum drive_state state = snapshots[i].state;
		bool replaced = false;

		if (!err)
			err = history_replace(ctx, d, &snapshots[i], &replaced);
		if (replaced)
			continue;
		if (named && !d->code && state_code(state)) {
			d->code = state_code(state);
			context_error(ctx, "%s: %s", devices[i].path,
				      snapshots[i].nproblems ? snapshots[i].problems[0].text
							     : drive_state_name(state));
		}
		if (!err)
			err = add_drive(d, &snapshots[i]);
		else
			snapshot_release(&snapshots[i]);
	}
	return err;
}

static bool is_listed(const struct device *devices, size_t n, const struct device *device)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(devices[i].path, device->path) == 0 &&
		    strcmp(devices[i].via, device->via) == 0)
			return true;
	return false;
}

/* No drive of this machine has that name: the history may know it, else it is missing. */
static int add_unfound(struct context *ctx, struct drives *d, const char *word, int err)
{
	struct diag why = ctx->diag;
	bool open;
	int r;

	if (err != -ENOENT)
		return add_missing(ctx, d, word, err);
	diag_clear(&ctx->diag);
	r = history_open(ctx, d, &open);
	if (r)
		return r;
	r = open ? history_add_named(ctx, d, word) : -ENOENT;
	if (r != -ENOENT)
		return r;
	if (!open || !context_names_db(ctx))
		ctx->diag = why;
	return add_missing(ctx, d, word, r);
}

static int read_named(struct context *ctx, struct sys *sys, const char *const *words, size_t n,
		      struct drives *d)
{
	CLEANUP(release_devices) struct device *devices = calloc(n, sizeof(*devices));
	CLEANUP(device_list_release) struct device_list list = { 0 };
	size_t found = 0;

	if (!devices)
		return -ENOMEM;
	if (!ctx->options.via) {
		int err = devices_discover(sys, &ctx->diag, &list);
		if (err)
			return err;
	}
	for (size_t i = 0; i < n; i++) {
		struct device *device = &devices[found];
		int err = ctx->options.via
				  ? device_via(sys, ctx->options.via, words[i], &ctx->diag, device)
				  : device_find(sys, &list, words[i], &ctx->diag, device);

		if (err == -EINVAL && ctx->options.via) { /* a type or a name that cannot be */
			ctx->fail_code = EX_USAGE;
			return err;
		}
		if (err)
			err = add_unfound(ctx, d, words[i], err);
		else if (!is_listed(devices, found, device)) /* named twice is one drive */
			found++;
		if (err)
			return err;
	}
	return read_devices(ctx, sys, devices, found, true, d);
}

static int read_all(struct context *ctx, struct sys *sys, struct drives *d)
{
	CLEANUP(device_list_release) struct device_list list = { 0 };
	size_t kept = 0;
	int err = devices_discover(sys, &ctx->diag, &list);

	if (err)
		return err;
	d->discovered = true;
	for (size_t i = 0; i < list.n; i++)
		if (!*list.items[i].skip)
			list.items[kept++] = list.items[i];
	return read_devices(ctx, sys, list.items, kept, false, d);
}

/* Nothing is read from a drive. */
static int read_history(struct context *ctx, const char *const *words, size_t n, struct drives *d)
{
	bool open;
	int err = history_open(ctx, d, &open);

	if (!err && !n)
		err = history_add_all(ctx, d);
	for (size_t i = 0; !err && i < n; i++) {
		err = history_add_named(ctx, d, words[i]);
		if (err == -ENOENT)
			err = add_missing(ctx, d, words[i], err);
	}
	return err;
}

int drives_read(struct context *ctx, struct drives *ret)
{
	const char *const *words;
	struct sys sys;
	size_t n;
	int err;

	words = context_words(ctx, &n);
	if (ctx->options.from.n && n)
		return context_usage(ctx, "--from and a drive exclude each other: %s", words[0]);
	if (ctx->options.via && !n)
		return context_usage(ctx, "--via needs the drive that smartctl is to read");
	err = context_rules(ctx);
	if (err)
		return err;
	err = sys_real(&sys, "/");
	if (err)
		return err;
	if (ctx->options.from.n)
		return read_dumps(ctx, ret);
	if (history_answers_alone(ctx, ret))
		return read_history(ctx, words, n, ret);
	if (n)
		return read_named(ctx, &sys, words, n, ret);
	return read_all(ctx, &sys, ret);
}

/* Vendor logs without a signature need the rule, and the rule needs a first look at the drive. */
static int decode(struct context *ctx, struct drives *d, struct drive *drive)
{
	int err = drive->from_history ? history_read_record(ctx, d, drive) : 0;

	if (!err)
		err = reading_decode(&drive->snapshot, NULL, &ctx->diag, &drive->reading);
	if (err)
		return err;
	rules_match(ctx->rules, &drive->reading, &drive->rule);
	if (drive->rule.out_of_memory)
		return -ENOMEM;
	if (!drive->rule.layouts[0])
		return 0;
	reading_release(&drive->reading);
	return reading_decode(&drive->snapshot, drive->rule.layouts, &ctx->diag, &drive->reading);
}

/* A dump that turns out not to be one counts like a file that is not there. */
static void mark_undecodable(struct context *ctx, struct drives *d, struct drive *drive, int err)
{
	const char *path = drive->snapshot.path;

	if (!d->code)
		d->code = exit_code_of(err);
	context_error(ctx, "%s%s%s", path, *path ? ": " : "", ctx->diag.text);
	reading_release(&drive->reading);
	drive->reading.state = DRIVE_ABSENT;
	reading_add_problem(&drive->reading, err, "%s", ctx->diag.text);
	diag_clear(&ctx->diag);
	text_copy(drive->reading.identity.path, sizeof(drive->reading.identity.path), path);
	drive->from_history = false;
	rules_match(ctx->rules, &drive->reading, &drive->rule);
}

static int64_t now_for(const struct context *ctx, const struct drives *d, const struct drive *drive)
{
	if (ctx->options.at.set)
		return ctx->options.at.value;
	if (d->from_files && drive->reading.time != TIME_UNKNOWN)
		return drive->reading.time;
	return ctx->now;
}

/* Findings that come from looking at several drives. */
static int judge_together(struct context *ctx, struct drives *d)
{
	CLEANUP(cleanup_free) const struct reading **readings = NULL;
	CLEANUP(cleanup_free) struct assessment **assessments = NULL;

	readings = calloc(d->n ? d->n : 1, sizeof(*readings));
	assessments = calloc(d->n ? d->n : 1, sizeof(*assessments));
	if (!readings || !assessments)
		return -ENOMEM;
	int64_t now = TIME_UNKNOWN;
	for (size_t i = 0; i < d->n; i++) {
		readings[i] = &d->items[i]->reading;
		assessments[i] = &d->items[i]->assessment;
		if (d->reports[i].now > now)
			now = d->reports[i].now;
	}
	int err = assess_arrays(readings, assessments, d->n, &ctx->settings->limits,
				ctx->settings->suppressions, ctx->settings->nsuppressions, now);
	if (err)
		return err;
	assess_identities(readings, assessments, d->n, ctx->settings->suppressions,
			  ctx->settings->nsuppressions);
	return 0;
}

/*
 * Decode the drives from number `from` on. Behind a USB bridge only the drive itself knows whether
 * it rotates; a drive of the history may have no record yet at the time that is asked for.
 */
static int decode_all(struct context *ctx, struct drives *d, size_t from)
{
	size_t kept = from;
	int err = 0;

	for (size_t i = from; i < d->n; i++) {
		struct drive *drive = d->items[i];
		bool unborn;

		if (!err && drive->reading.state != DRIVE_ABSENT)
			err = decode(ctx, d, drive);
		unborn = err == -ENOENT && drive->from_history;
		if (unborn && !drive->is_named)
			diag_clear(&ctx->diag);
		else if (unborn || err == -EINVAL)
			mark_undecodable(ctx, d, drive, err);
		if (unborn || err == -EINVAL)
			err = 0;
		unborn = unborn && !drive->is_named;
		if (unborn || (d->discovered && drive->reading.identity.rotational == 1))
			free_drive(drive);
		else
			d->items[kept++] = drive;
	}
	d->n = kept;
	return err;
}

static int fit_model(struct drives *d, struct drive *drive)
{
	int err;

	if (!d->with_model || drive->reading.state != DRIVE_READ)
		return 0;
	if (!d->tables) {
		d->tables = calloc(1, sizeof(*d->tables));
		if (!d->tables)
			return -ENOMEM;
	}
	err = drive_fit_make(d->tables, &drive->reading, &drive->rule,
			     drive->has_history ? &drive->series : NULL, &d->says, d->keep_models,
			     &drive->assessment, &drive->model);
	if (!d->keep_models)
		drive_fit_release(&drive->model);
	return err;
}

static int judge(struct context *ctx, struct drives *d, size_t number)
{
	struct drive *drive = d->items[number];
	struct drive_report *ret = &d->reports[number];
	int64_t now = now_for(ctx, d, drive);
	struct criteria criteria = {
		.limits = &ctx->settings->limits,
		.suppressions = ctx->settings->suppressions,
		.nsuppressions = ctx->settings->nsuppressions,
		.now = now,
	};
	int err;

	facts_collect(&drive->reading, &drive->rule, &drive->assessment.facts);
	err = history_join(ctx, d, drive, now);
	if (err)
		return err;
	if (drive->has_history)
		criteria.series = &drive->series;
	assess_facts(&drive->reading, &drive->rule, &criteria, &drive->assessment);
	if (drive->assessment.forecast.out_of_memory)
		return -ENOMEM;
	err = fit_model(d, drive);
	if (err)
		return err;
	*ret = (struct drive_report){
		.reading = &drive->reading,
		.rule = &drive->rule,
		.assessment = &drive->assessment,
		.limits = &ctx->settings->limits,
		.now = now,
		.from_history = drive->from_history,
		.is_gone = drive->from_history && !drive->is_here,
	};
	if (drive->has_history)
		series_summarize(&drive->series, &ret->history);
	if (drive->has_history)
		ret->series = &drive->series;
	if (d->judged)
		err = d->judged(d->judged_arg, number, ret);
	series_drop_samples(&drive->series);
	return err;
}

int drives_judge(struct context *ctx, struct drives *d)
{
	size_t live;
	int err = context_settings(ctx);

	if (!err)
		err = decode_all(ctx, d, 0);
	live = d->n;
	if (!err)
		err = history_add_absent(ctx, d);
	if (!err)
		err = decode_all(ctx, d, live);
	if (err)
		return err;
	d->reports = calloc(d->n ? d->n : 1, sizeof(*d->reports));
	if (!d->reports)
		return -ENOMEM;
	for (size_t i = 0; !err && i < d->n; i++)
		err = judge(ctx, d, i);
	return err ? err : judge_together(ctx, d);
}

int drives_load(struct context *ctx, struct drives *ret)
{
	/* a mistake in the configuration is told before any drive is bothered */
	int err = context_settings(ctx);

	if (!err)
		err = drives_read(ctx, ret);
	return err ? err : drives_judge(ctx, ret);
}
