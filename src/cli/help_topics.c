/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "cli/help.h"
#include "health/finding.h"
#include "report/metric.h"

static void add_limits(struct context *ctx)
{
	CLEANUP(str_release) struct str text = { 0 };

	str_add(&ctx->out.text,
		"Limits of the findings: --limit NAME=VALUE, or NAME = VALUE under [limits] in\n"
		"nandlife.conf.\n\n");
	for (size_t i = 0; i < limit_rows_n; i++) {
		const struct limit_row *row = &limit_rows[i];

		str_release(&text);
		add_limit_help(&text, row);
		str_take_error(&ctx->out.text, &text);
		help_entry(ctx, row->name, str_text(&text), 26);
	}
}

static void add_findings(struct context *ctx)
{
	str_add(&ctx->out.text,
		"Findings that health can report. One can be accepted for a drive in\n"
		"nandlife.conf: under [accept SERIAL] or [accept *], FINDING = REASON.\n\n");
	for (const char *const *id = finding_ids; *id; id++)
		str_addf(&ctx->out.text, "  %s\n", *id);
}

static void add_metrics(struct context *ctx)
{
	CLEANUP(str_release) struct str text = { 0 };

	str_add(&ctx->out.text,
		"What nandlife history --show can show, by this name or that of JSON:\n\n");
	for (size_t i = 0; i < metrics_n; i++) {
		str_release(&text);
		add_metric_help(&text, &metrics[i]);
		str_take_error(&ctx->out.text, &text);
		help_entry(ctx, metrics[i].name, str_text(&text), 22);
	}
}

static void add_exit_codes(struct context *ctx)
{
	char number[16];

	str_add(&ctx->out.text, "Exit codes:\n\n");
	for (size_t i = 0; i < exit_rows_n; i++) {
		snprintf(number, sizeof(number), "%2d", exit_rows[i].code);
		help_entry(ctx, number, exit_rows[i].meaning, 6);
	}
	str_add(&ctx->out.text, "\nnandlife health exits with its verdict instead, and with 64 for "
				"wrong usage:\n\n");
	for (size_t i = 0; i < verdict_rows_n; i++) {
		snprintf(number, sizeof(number), "%2d", verdict_rows[i].code);
		help_entry(ctx, number, verdict_rows[i].meaning, 6);
	}
	str_addf(&ctx->out.text, "\nWith --format nagios every failure is %d.\n", EXIT_UNKNOWN);
}

const struct help_topic help_topics[] = {
	{ "limits", add_limits },
	{ "findings", add_findings },
	{ "metrics", add_metrics },
	{ "exit-codes", add_exit_codes },
};
const size_t help_topics_n = ARRAY_SIZE(help_topics);

void add_limit_help(struct str *out, const struct limit_row *row)
{
	const char *unit = unit_text(row->unit);

	str_addf(out, "%s: %.10g%s%s unless set, %.10g to %.10g", row->help, row->standard,
		 *unit ? " " : "", unit, row->low, row->high);
}

void add_metric_help(struct str *out, const struct metric *metric)
{
	str_addf(out, "%s (%s)", metric_help(metric), metric_key(metric));
}
