/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "base/text.h"
#include "cli/answer.h"
#include "cli/foreign_names.h"
#include "cli/presets.h"
#include "cli/rule_files.h"
#include "report/rule.h"

#define PROBLEMS_MAX 100

static int db_list(struct context *ctx, const char *const *words, size_t n)
{
	CLEANUP(view_release) struct view view = { 0 };
	CLEANUP(doc_release) struct doc *doc = NULL;
	int r;

	if (n)
		return context_usage(ctx, "db list takes no %s", words[0]);
	r = context_rules(ctx);
	if (r < 0)
		return r;
	doc = report_families(ctx->rules, ctx->now);
	report_families_view(ctx->rules, &view);
	return answer_print(ctx, doc, doc_get(doc, "families"), &view);
}

/*
 * The size that a model's name ends in or holds as a word: "860 EVO 500GB", "CT1000MX500SSD1" has
 * none. False where there is none.
 */
static bool size_in_name(const char *model, uint64_t *ret)
{
	for (const char *s = model; *s; s++) {
		size_t digits = strspn(s, "0123456789."), length;
		char word[16];

		if (!digits || (s > model && isalnum((unsigned char)s[-1])))
			continue;
		length = digits + strspn(s + digits, " ");
		length += strcspn(s + length, " _-/");
		if (length < sizeof(word)) {
			snprintf(word, sizeof(word), "%.*s", (int)length, s);
			if (word[length - 1] == 'B' && parse_bytes(word, ret) == 0)
				return true;
		}
		s += digits - 1;
	}
	return false;
}

/* A name alone does not tell the protocol: the rule that names the model decides. */
static int match_any_protocol(const struct rules *rules, struct reading *r, struct drive_rule *ret)
{
	static const enum protocol protocols[] = { PROTOCOL_NVME, PROTOCOL_ATA, PROTOCOL_SCSI };

	for (size_t i = 0; i < ARRAY_SIZE(protocols); i++) {
		r->identity.protocol = protocols[i];
		rules_match(rules, r, ret);
		if (ret->out_of_memory)
			return -ENOMEM;
		if (ret->matched)
			return 0;
	}
	r->identity.protocol = PROTOCOL_UNKNOWN;
	return 0;
}

static bool fill_identity(struct context *ctx, const char *model, struct identity *id)
{
	uint64_t bytes = 0;
	bool guess = false;

	text_copy(id->model, sizeof(id->model), model);
	if (ctx->options.firmware)
		text_copy(id->firmware, sizeof(id->firmware), ctx->options.firmware);
	if (ctx->options.size.set)
		bytes = (uint64_t)ctx->options.size.value;
	else
		guess = size_in_name(model, &bytes);
	id->has_capacity = bytes != 0;
	id->capacity_bytes = bytes;
	return guess;
}

/* What smartmontools calls the attributes of a model that no rule names. */
static int add_foreign_names(const struct identity *id, struct doc *doc, struct view *view)
{
	CLEANUP(cleanup_free) struct drivedb_names *names = malloc(sizeof(*names));

	if (!names)
		return -ENOMEM;
	if (foreign_names_find(id, names) && names->model_found)
		report_foreign_names(names, doc, view);
	return 0;
}

static int db_show(struct context *ctx, const char *const *words, size_t n)
{
	CLEANUP(cleanup_free) struct drive_rule *rule = calloc(1, sizeof(*rule));
	CLEANUP(view_release) struct view view = { 0 };
	CLEANUP(doc_release) struct doc *doc = NULL;
	CLEANUP(reading_release) struct reading reading;
	bool guess;
	int r;

	reading_init(&reading);
	if (n != 1)
		return context_usage(ctx, "db show needs one MODEL%s",
				     n ? "; put it in quotes" : "");
	if (ctx->options.format.value == FORMAT_CSV)
		return context_usage(ctx, "db show offers no format csv");
	if (!rule)
		return -ENOMEM;
	r = context_rules(ctx);
	if (r < 0)
		return r;
	guess = fill_identity(ctx, words[0], &reading.identity);
	r = match_any_protocol(ctx->rules, &reading, rule);
	if (r < 0)
		return r;
	doc = report_rule(&reading.identity, rule, ctx->now);
	report_rule_view(&reading.identity, guess, rule, &view);
	if (!rule->matched && add_foreign_names(&reading.identity, doc, &view) < 0)
		return -ENOMEM;
	r = answer_print(ctx, doc, NULL, &view);
	return r < 0 || rule->matched ? r : EX_NOINPUT;
}

/* The rules in use, and the named files as overrides of them. */
static int add_lint_files(struct context *ctx, const char *const *words, size_t n,
			  struct rule_files *files)
{
	int r = context_rule_files(ctx, files);

	for (size_t i = 0; !r && i < n; i++)
		r = rule_files_add(files, words[i], true, &ctx->diag);
	return r;
}

/* What lint finds; a mistake that parsing already finds is the only one. */
static int find_problems(struct context *ctx, const struct rule_files *files,
			 struct rules_problem *ret, size_t *ret_n)
{
	struct rules *rules = NULL;
	struct diag d = { 0 };
	int r;

	r = rules_parse(files->items, files->n, &d, &rules);
	if (r == -ENOMEM)
		return r;
	if (r < 0) {
		ret[0] = (struct rules_problem){ 0 };
		text_copy(ret[0].text, sizeof(ret[0].text), d.text);
		*ret_n = 1;
		return 0;
	}
	*ret_n = rules_lint(rules, ret, PROBLEMS_MAX);
	rules_free(rules);
	if (*ret_n > PROBLEMS_MAX) {
		context_remark(ctx, "%zu more mistakes are not shown", *ret_n - PROBLEMS_MAX);
		*ret_n = PROBLEMS_MAX;
	}
	return 0;
}

static int db_presets(struct context *ctx, const char *const *words, size_t n)
{
	if (n > 1)
		return context_usage(ctx, "db presets takes one name");
	return presets_print(ctx, n ? words[0] : NULL);
}

static int db_lint(struct context *ctx, const char *const *words, size_t n)
{
	CLEANUP(cleanup_free)
	struct rules_problem *problems = calloc(PROBLEMS_MAX, sizeof(*problems));
	CLEANUP(rule_files_release) struct rule_files files = { 0 };
	CLEANUP(view_release) struct view view = { 0 };
	CLEANUP(doc_release) struct doc *doc = NULL;
	size_t found = 0;
	int r;

	if (!problems)
		return -ENOMEM;
	r = add_lint_files(ctx, words, n, &files);
	if (!r)
		r = find_problems(ctx, &files, problems, &found);
	if (r < 0)
		return r;
	doc = report_rule_problems(problems, found, ctx->now);
	for (size_t i = 0; i < found; i++)
		view_line(&view, STYLE_PLAIN, 0, "%s%s%s", problems[i].where,
			  *problems[i].where ? ": " : "", problems[i].text);
	if (!found && !ctx->options.quiet)
		view_line(&view, STYLE_GOOD, 0, "%zu file%s of drive rules, no mistake", files.n,
			  files.n == 1 ? "" : "s");
	r = answer_print(ctx, doc, doc_get(doc, "problems"), &view);
	return r < 0 || !found ? r : EX_DATAERR;
}

int cmd_db(struct context *ctx)
{
	static const struct {
		const char *name;
		int (*run)(struct context *ctx, const char *const *words, size_t n);
	} rows[] = {
		{ "list", db_list },
		{ "show", db_show },
		{ "lint", db_lint },
		{ "presets", db_presets },
	};
	struct suggestion s = { 0 };
	const char *const *words;
	size_t n;

	words = context_words(ctx, &n);
	if (!n)
		return context_usage(ctx, "db needs one of list, show, lint and presets");
	s.word = words[0];
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!strcmp(rows[i].name, words[0]))
			return rows[i].run(ctx, words + 1, n - 1);
		suggestion_offer(&s, rows[i].name);
	}
	if (s.best)
		return context_usage(ctx, "db does not know '%s'; did you mean %s?", words[0],
				     s.best);
	return context_usage(ctx, "db does not know '%s'; it has list, show, lint and presets",
			     words[0]);
}
