/* SPDX-License-Identifier: MIT */
#include "cli/presets.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "cli/answer.h"
#include "cli/rule_files.h"
#include "report/preset.h"

void presets_release(struct presets *p)
{
	for (size_t i = 0; i < p->n; i++)
		preset_release(&p->items[i]);
	free(p->items);
	*p = (struct presets){ 0 };
}

static int load_one(struct context *ctx, const char *path, struct preset *ret)
{
	CLEANUP(file_release) struct file file = { 0 };
	const char *slash = strrchr(path, '/');
	char name[PRESET_NAME_MAX + 8];
	int r = file_read(path, &ctx->diag, &file);

	if (r < 0)
		return r;
	snprintf(name, sizeof(name), "%s", slash ? slash + 1 : path);
	name[strcspn(name, ".")] = '\0';
	return preset_parse(file_bytes(&file), name, &ctx->diag, ret);
}

int presets_load(struct context *ctx, struct presets *ret)
{
	CLEANUP(file_names_release) struct file_names names = { 0 };
	CLEANUP(presets_release) struct presets p = { 0 };
	char rules[PATH_MAX], folder[PATH_MAX + 16];
	const char *base = ctx->options.drive_db ? ctx->options.drive_db
						 : rule_folder(rules, sizeof(rules));
	int r;

	snprintf(folder, sizeof(folder), "%s/presets", base ? base : "");
	r = base ? folder_list(folder, ".json", &ctx->diag, &names) : -ENOENT;
	if (r == -ENOENT)
		return context_fail(ctx, EX_CONFIG, r, "%s: the presets are missing", folder);
	if (!r && names.n) {
		p.items = calloc(names.n, sizeof(*p.items));
		r = p.items ? 0 : -ENOMEM;
	}
	for (size_t i = 0; !r && i < names.n; i++) {
		r = load_one(ctx, names.items[i], &p.items[p.n]);
		p.n += !r;
	}
	if (r < 0 && r != -ENOMEM)
		ctx->fail_code = EX_CONFIG;
	if (r < 0)
		return r;
	*ret = (struct presets){ p.items, p.n };
	p.items = NULL;
	p.n = 0;
	return 0;
}

int presets_find(struct context *ctx, const struct presets *p, const char *name,
		 const struct preset **ret)
{
	struct suggestion s = { .word = name };

	for (size_t i = 0; i < p->n; i++) {
		if (!strcmp(p->items[i].name, name)) {
			*ret = &p->items[i];
			return 0;
		}
		suggestion_offer(&s, p->items[i].name);
	}
	if (s.best)
		return context_usage(ctx, "there is no preset '%s'; did you mean %s?", name,
				     s.best);
	return context_usage(ctx, "there is no preset '%s'; nandlife db presets lists them", name);
}

int presets_print(struct context *ctx, const char *name)
{
	CLEANUP(presets_release) struct presets p = { 0 };
	CLEANUP(view_release) struct view view = { 0 };
	CLEANUP(doc_release) struct doc *doc = NULL;
	const struct preset *one = NULL;
	int r = presets_load(ctx, &p);

	if (!r && name)
		r = presets_find(ctx, &p, name, &one);
	if (r < 0)
		return r;
	doc = one ? report_preset(one, ctx->now) : report_presets(p.items, p.n, ctx->now);
	if (one)
		report_preset_view(one, &view);
	else
		report_presets_view(p.items, p.n, &view);
	return answer_print(
		ctx, doc, one ? doc_get(doc_get(doc, "preset"), "values") : doc_get(doc, "presets"),
		&view);
}

/* --- options ---------------------------------------------------------------------------------- */

/* Keys and the options that say the same. */
static const struct {
	enum preset_key key;
	const char *option;
} same[] = {
	{ PRESET_USER, "capacity" },
	{ PRESET_MAP_UNIT, "page-size" },
	{ PRESET_BLOCK, "pages-per-block" },
	{ PRESET_POLICY, "policy" },
	{ PRESET_FRONTIERS, "frontiers" },
	{ PRESET_LEVELING, "wear-leveling" },
	{ PRESET_PE, "pe" },
	{ PRESET_GC_STOP, "gc-stop" },
	{ PRESET_QUEUE_DEPTH, "queue-depth" },
	{ PRESET_HOST, "host-time" },
	{ PRESET_CONTROLLER, "command-time" },
	{ PRESET_SEARCH, "search-time" },
	{ PRESET_LINK, "link-speed" },
	{ PRESET_COMPRESSED, "compressed" },
	{ PRESET_CELL, "cell" },
	{ PRESET_CHANNELS, "channels" },
	{ PRESET_DIES, "dies" },
	{ PRESET_FLASH_PAGE, "flash-page" },
	{ PRESET_PROGRAM, "program-size" },
	{ PRESET_ERASE, "erase-size" },
	{ PRESET_READ_US, "read-time" },
	{ PRESET_PROGRAM_US, "program-time" },
	{ PRESET_ERASE_US, "erase-time" },
	{ PRESET_CHANNEL, "channel-speed" },
	{ PRESET_QUEUED, "write-queue" },
	{ PRESET_CACHE, "cache" },
	{ PRESET_CACHE_MODE, "cache-mode" },
	{ PRESET_CACHE_OVERFLOW, "cache-overflow" },
	{ PRESET_CACHE_FOLD, "cache-fold" },
	{ PRESET_CACHE_HOLD, "cache-hold" },
};

static void fill(struct options *o, const struct option_row *row, const struct preset_value *x)
{
	void *at = (char *)o + row->offset;

	if (option_is_given(o, row))
		return;
	if (row->type == OPTION_TEXT)
		*(const char **)at = x->text;
	else
		*(struct option_number *)at = (struct option_number){ .set = true,
								      .value = x->number };
}

void presets_fill_options(const struct preset *p, struct options *o, bool timed)
{
	for (size_t i = 0; i < ARRAY_SIZE(same); i++) {
		const struct preset_value *x = &p->values[same[i].key];
		const struct option_row *row = option_by_name(same[i].option);
		bool none = same[i].key == PRESET_CACHE && x->number <= 0;

		if (x->given && !none && (timed || row->group != GROUP_TIMING) &&
		    !(same[i].key == PRESET_USER && o->logical_pages.set))
			fill(o, row, x);
	}
	if (!o->spare.set && !o->overprovision.set)
		o->overprovision = (struct option_number){
			.set = true,
			.value = preset_overprovisioning(p, o->logical_pages.set
								    ? o->logical_pages.value *
									      o->page_size.value
								    : o->capacity.value),
		};
	if (!timed)
		return;
	if (!option_is_given(o, option_by_name("gc")))
		o->gc = p->gc;
	if (!o->gc_at_once)
		o->gc_at_once = preset_number(p, PRESET_AT_ONCE) > 0;
}
