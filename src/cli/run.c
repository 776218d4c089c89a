/* SPDX-License-Identifier: MIT */
#include "cli/run.h"

#include <errno.h>
#include <string.h>

#include "cli/build_config.h"
#include "cli/help.h"

static int no_format(struct context *ctx, enum format format)
{
	CLEANUP(str_release) struct str offered = { 0 };

	for (unsigned i = 0; i < FORMAT_COUNT; i++)
		if (ctx->command->formats & FORMAT_BIT(i))
			str_addf(&offered, "%s%s", offered.len ? ", " : "",
				 format_word((enum format)i));
	return context_usage(ctx, "nandlife %s offers no format %s; it offers %s",
			     ctx->command->name, format_word(format), str_text(&offered));
}

static int check_usage(struct context *ctx, int argc, char **argv)
{
	const struct command *c = ctx->command;
	const enum format format = ctx->options.format.value;
	int r;

	r = options_check(argc, argv, c->name, c->groups | GROUP_GENERAL, &ctx->diag);
	if (r < 0)
		return r;
	if (ctx->options.format.set && !(c->formats & FORMAT_BIT(format)))
		return no_format(ctx, format);
	return 0;
}

/* As the contract of struct command's run. */
static int run(struct context *ctx, int argc, char **argv)
{
	struct options *o = &ctx->options;
	int r;

	r = options_parse(o, argc, argv, &ctx->diag);
	ctx->command = o->words.n ? command_by_name(o->words.items[0]) : NULL;
	ctx->fail_code = r == -EINVAL ? EX_USAGE : 0;
	if (r < 0)
		return r;
	if (o->version) {
		str_addf(&ctx->out.text, "nandlife %s\n", build_version);
		return EX_OK;
	}
	if (!o->words.n && o->help)
		return help_overview(ctx);
	if (!o->words.n)
		return context_usage(ctx, "a command is missing; nandlife help lists them");
	if (ctx->command && o->help)
		return help_command(ctx, ctx->command);
	ctx->fail_code = EX_USAGE;
	if (!ctx->command)
		return command_unknown(o->words.items[0], &ctx->diag);
	r = check_usage(ctx, argc, argv);
	if (r < 0)
		return r;
	ctx->fail_code = 0;
	return ctx->command->run(ctx);
}

int run_command_line(struct context *ctx, int argc, char **argv)
{
	int code = run(ctx, argc, argv);
	int err;

	if (code < 0)
		code = context_report(ctx, code);
	err = output_flush(&ctx->out);
	if (err < 0 && err != -EPIPE) {
		diag_clear(&ctx->diag);
		ctx->fail_code = err == -ENOMEM ? 0 : EX_IOERR;
		diag_fail(&ctx->diag, err, "cannot write to standard output: %s", strerror(-err));
		code = context_report(ctx, err);
	}
	return code;
}
