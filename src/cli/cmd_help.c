/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/help.h"

int cmd_help(struct context *ctx)
{
	const struct command *command;
	const char *const *words;
	size_t n;

	words = context_words(ctx, &n);
	if (!n)
		return help_overview(ctx);
	if (n > 1)
		return context_usage(ctx, "nandlife help takes one word");
	command = command_by_name(words[0]);
	if (command)
		return help_command(ctx, command);
	for (size_t i = 0; i < help_topics_n; i++) {
		if (!strcmp(help_topics[i].name, words[0])) {
			help_topics[i].add(ctx);
			return str_error(&ctx->out.text);
		}
	}
	ctx->fail_code = EX_USAGE;
	return command_unknown(words[0], &ctx->diag);
}
