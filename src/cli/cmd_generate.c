/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/context.h"
#include "cli/generate.h"

static int generate_man(struct context *ctx, const char *name)
{
	const struct command *command = command_by_name(name);

	if (!command)
		return command_unknown(name, &ctx->diag);
	generate_man_options(&ctx->out.text, command);
	return str_error(&ctx->out.text);
}

int cmd_generate(struct context *ctx)
{
	static const struct {
		const char *name;
		void (*generate)(struct str *out);
	} rows[] = {
		{ "bash", generate_bash },	     { "zsh", generate_zsh },
		{ "fish", generate_fish },	     { "exit-status", generate_man_exit_status },
		{ "limits", generate_man_limits },   { "findings", generate_man_findings },
		{ "metrics", generate_man_metrics }, { "commands", generate_man_commands },
	};
	const char *const *words;
	size_t n;

	words = context_words(ctx, &n);
	if (n == 2 && !strcmp(words[0], "man"))
		return generate_man(ctx, words[1]);
	for (size_t i = 0; n == 1 && i < ARRAY_SIZE(rows); i++) {
		if (!strcmp(words[0], rows[i].name)) {
			rows[i].generate(&ctx->out.text);
			return str_error(&ctx->out.text);
		}
	}
	return context_usage(ctx, "generate what? nandlife help generate lists it");
}
