/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <limits.h>

#include "cli/build_config.h"
#include "cli/context.h"
#include "cli/rule_files.h"
#include "cli/settings.h"

/* What a run loads only when its command asks for it: settings and drive rules. */

static void unload(struct context *ctx)
{
	if (ctx->settings)
		settings_release(ctx->settings);
	free(ctx->settings);
	rules_free(ctx->rules);
	ctx->settings = NULL;
	ctx->rules = NULL;
}

bool context_names_db(const struct context *ctx)
{
	return ctx->options.db != build_history_file;
}

static int load_config(struct context *ctx, struct settings *settings)
{
	CLEANUP(file_release) struct file file = { 0 };
	const char *path = ctx->options.config ? ctx->options.config : build_config_file;
	int r;

	r = file_read(path, &ctx->diag, &file);
	if (r == -ENOENT && !ctx->options.config) {
		diag_clear(&ctx->diag);
		return 0;
	}
	if (!r)
		r = settings_parse(settings, file_bytes(&file), path, &ctx->diag);
	if (r < 0 && r != -ENOMEM)
		ctx->fail_code = EX_CONFIG;
	return r;
}

int context_settings(struct context *ctx)
{
	const struct option_list *limits = &ctx->options.limits;
	int r;

	if (ctx->settings)
		return 0;
	ctx->settings = calloc(1, sizeof(*ctx->settings));
	if (!ctx->settings)
		return -ENOMEM;
	ctx->unload = unload;
	settings_init(ctx->settings);
	r = load_config(ctx, ctx->settings);
	for (size_t i = 0; !r && i < limits->n; i++) {
		r = settings_limit(ctx->settings, limits->items[i], &ctx->diag);
		if (r < 0)
			ctx->fail_code = EX_USAGE;
	}
	return r;
}

static int add_rules(struct context *ctx, struct rule_files *files)
{
	char buf[PATH_MAX];
	const char *folder = ctx->options.drive_db ? ctx->options.drive_db
						   : rule_folder(buf, sizeof(buf));
	int r;

	if (!folder)
		return context_fail(ctx, EX_CONFIG, -ENOENT,
				    "the drive rules are missing: %s is not there",
				    build_drive_db_dir);
	r = rule_files_add_folder(files, folder, false, &ctx->diag);
	if (!r && !files->n)
		return context_fail(ctx, ctx->options.drive_db ? EX_NOINPUT : EX_CONFIG, -ENOENT,
				    "%s: there are no drive rules (*.json)", folder);
	return r;
}

static int add_overrides(struct context *ctx, struct rule_files *files)
{
	int r = rule_files_add_folder(files, build_override_dir, true, &ctx->diag);

	if (r != -ENOENT)
		return r;
	diag_clear(&ctx->diag);
	return 0;
}

int context_rule_files(struct context *ctx, struct rule_files *files)
{
	int r = add_rules(ctx, files);

	return r ? r : add_overrides(ctx, files);
}

int context_rules(struct context *ctx)
{
	CLEANUP(rule_files_release) struct rule_files files = { 0 };
	int r;

	if (ctx->rules)
		return 0;
	r = context_rule_files(ctx, &files);
	if (r < 0)
		return r;
	ctx->unload = unload;
	r = rules_parse(files.items, files.n, &ctx->diag, &ctx->rules);
	if (r < 0 && r != -ENOMEM)
		ctx->fail_code = EX_CONFIG;
	return r;
}
