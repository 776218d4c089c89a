/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "cli/command.h"
#include "cli/suggest.h"

#define LINES(...) ((const char *const[]){ __VA_ARGS__, NULL })

const struct command commands[] = {
	{
		.name = "help",
		.summary = "explain a command",
		.usage = LINES("[COMMAND]"),
		.about = "Without a word, lists the commands.",
		.words = WORDS_TOPICS,
		.run = cmd_help,
	},
	{
		.name = "generate",
		.summary =
			"print what is made from the option rows: completions, parts of man pages",
		.usage = LINES("bash", "zsh", "fish", "man COMMAND", "exit-status"),
		.words = WORDS_CHOICE,
		.choices = LINES("bash", "zsh", "fish", "man", "exit-status"),
		.hidden = true,
		.run = cmd_generate,
	},
};
const size_t commands_n = ARRAY_SIZE(commands);

const struct command *command_by_name(const char *name)
{
	for (size_t i = 0; i < commands_n; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

int command_unknown(const char *name, struct diag *d)
{
	struct suggestion s = { .word = name };

	for (size_t i = 0; i < commands_n; i++)
		if (!commands[i].hidden)
			suggestion_offer(&s, commands[i].name);
	if (s.best)
		return diag_fail(d, -EINVAL, "there is no command '%s'; did you mean %s?", name,
				 s.best);
	return diag_fail(d, -EINVAL, "there is no command '%s'; nandlife help lists them", name);
}
