/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/answer.h"
#include "cli/drives.h"
#include "cli/files.h"
#include "report/drive_charts.h"
#include "report/fleet_text.h"
#include "report/html.h"
#include "report/mail.h"
#include "sys/sys.h"

#define HTML_MAX ((size_t)1 << 30)
#define HOST_MAX 65

static bool wants_mail(const struct options *o)
{
	return o->mail || o->mail_to;
}

static int check_usage(struct context *ctx)
{
	const struct options *o = &ctx->options;

	if ((o->html != NULL) + wants_mail(o) + o->format.set > 1)
		return context_usage(ctx, "--html, --mail and --format exclude each other");
	if (o->mail_to && !mail_address_is_plain(o->mail_to))
		return context_usage(ctx, "--mail-to: '%s' is no plain mail address", o->mail_to);
	return 0;
}

/* Drives of files, and of a history that was made anywhere, are not of this machine. */
static bool any_here(const struct drives *drives)
{
	for (size_t i = 0; i < drives->n; i++)
		if (!drives->from_files && !drives->reports[i].is_gone)
			return true;
	return false;
}

/* The machine that the drives are of, where that is this one. A machine may have no name. */
static void host_name(const struct drives *drives, char host[HOST_MAX])
{
	struct sys sys;

	*host = '\0';
	if (any_here(drives) && sys_real(&sys, "/") == 0)
		sys_read_line(&sys, host, HOST_MAX, "/proc/sys/kernel/hostname");
}

/* Of each drive, in the order of the reports. */
struct charts {
	struct str *items;
	size_t n;
};

static void charts_release(struct charts *c)
{
	for (size_t i = 0; i < c->n; i++)
		str_release(&c->items[i]);
	free(c->items);
}

/* Drawn while the history of a drive is at hand. */
static int draw(void *arg, size_t number, const struct drive_report *r)
{
	struct charts *c = arg;
	struct str *items = reallocarray(c->items, number + 1, sizeof(*items));

	if (!items)
		return -ENOMEM;
	c->items = items;
	c->items[number] = (struct str){ 0 };
	c->n = number + 1;
	drive_charts_add(r, number, &c->items[number]);
	return str_error(&c->items[number]);
}

static int write_page(struct context *ctx, const struct fleet *f, const struct charts *charts,
		      const char *host)
{
	CLEANUP(str_release) struct str page = { .max = HTML_MAX };

	report_page(f, charts->items, host, ctx->now, &page);
	return answer_page(ctx, &page);
}

/* "nandlife: CRITICAL on HOST: 1 CRITICAL, 2 OK; /dev/sda worn out" */
static void mail_subject(const struct fleet *f, const char *host, char *buf, size_t size)
{
	const struct fleet_drive *first = f->drives;
	char verdicts[REPORT_TEXT_MAX], name[REPORT_NAME_MAX], end[REPORT_TEXT_MAX];
	char clean[HOST_MAX * 4];
	int n;

	text_escape(clean, sizeof(clean), host);
	n = snprintf(buf, size, "nandlife: %s%s%s: %s", severity_label(fleet_verdict(f)),
		     *clean ? " on " : "", clean, fleet_verdicts(f, verdicts));
	if (!f->n || !first->ends)
		return;
	snprintf(buf + n, size - (size_t)n, "; %s %s", report_name(first->r, name),
		 report_ends(first->r, first->binding, end));
}

static int print_mail(struct context *ctx, const struct fleet *f, const char *host)
{
	static const struct terminal plain = { 0 };
	CLEANUP(view_release) struct view view = { 0 };
	CLEANUP(str_release) struct str body = { 0 };
	char subject[2 * REPORT_TEXT_MAX + REPORT_NAME_MAX + HOST_MAX * 4];
	struct mail mail = { .to = ctx->options.mail_to, .subject = subject, .date = ctx->now };
	int err;

	report_fleet_view(f, &view);
	err = view_to_text(&view, &plain, &body);
	if (err)
		return err;
	mail_subject(f, host, subject, sizeof(subject));
	mail.body = str_text(&body);
	mail_compose(&mail, &ctx->out.text);
	return str_error(&ctx->out.text);
}

static int print(struct context *ctx, const struct fleet *f)
{
	CLEANUP(view_release) struct view view = { 0 };
	CLEANUP(doc_release) struct doc *doc = report_fleet(f, ctx->now);
	CLEANUP(doc_release) struct doc *rows = report_fleet_rows(f);

	report_fleet_view(f, &view);
	return answer_print(ctx, doc, doc_get(rows, "rows"), &view);
}

int cmd_report(struct context *ctx)
{
	CLEANUP(drives_release)
	struct drives drives = { .with_history = true, .by_history = true, .with_model = true };
	CLEANUP(fleet_release) struct fleet fleet = { 0 };
	CLEANUP(charts_release) struct charts charts = { 0 };
	const struct options *o = &ctx->options;
	const struct fleet_terms terms = { o->window.value, o->lead.value };
	char host[HOST_MAX];
	int err = check_usage(ctx);

	if (o->html) {
		drives.judged = draw;
		drives.judged_arg = &charts;
	}
	if (!err)
		err = drives_load(ctx, &drives);
	if (!err)
		err = fleet_make(drives.reports, drives.n, &terms, ctx->now, &fleet);
	if (err)
		return err;
	host_name(&drives, host);
	if (o->html)
		err = write_page(ctx, &fleet, &charts, host);
	else if (wants_mail(o))
		err = print_mail(ctx, &fleet, host);
	else
		err = print(ctx, &fleet);
	return err ? err : drives.code;
}
