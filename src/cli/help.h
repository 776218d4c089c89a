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

/* "what it is: 90 % unless set, 1 to 1000". For help and man pages alike. */
struct limit_row;
void add_limit_help(struct str *out, const struct limit_row *row);

/* "NAND writes a day (nand_bytes_written_per_day)", likewise. */
struct metric;
void add_metric_help(struct str *out, const struct metric *metric);

/* What nandlife help explains besides commands. */
struct help_topic {
	const char *name;
	void (*add)(struct context *ctx);
};
extern const struct help_topic help_topics[];
extern const size_t help_topics_n;

/* Add "  name   explanation" to ctx->out, the explanation wrapped from `column` on. */
void help_entry(struct context *ctx, const char *name, const char *text, size_t column);

/* Does the command take the option? */
bool command_takes(const struct command *command, const struct option_row *row);

/* Add the list of commands, or the help of one, to ctx->out. 0, or -ENOMEM. */
int help_overview(struct context *ctx);
int help_command(struct context *ctx, const struct command *command);

#endif
