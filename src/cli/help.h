/* SPDX-License-Identifier: MIT */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/context.h"

/* Group headings in the order of the help. */
struct group_row {
	enum option_group group;
	const char *heading;
};
extern const struct group_row group_rows[];
extern const size_t group_rows_n;

/*
 * What an option does for this command, with its default: "how to print the answer: text (the
 * default), json". For help and man pages alike.
 */
void add_option_help(struct str *out, const struct option_row *row, const struct command *command);

/* Does the command take the option? */
bool command_takes(const struct command *command, const struct option_row *row);

/* Add the list of commands, or the help of one, to ctx->out. 0, or -ENOMEM. */
int help_overview(struct context *ctx);
int help_command(struct context *ctx, const struct command *command);

#endif
