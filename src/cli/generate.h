/* SPDX-License-Identifier: MIT */
#ifndef CLI_GENERATE_H
#define CLI_GENERATE_H

#include "base/str.h"
#include "cli/command.h"

/*
 * What is made from the option and command rows and kept with the sources: the shells' completions
 * and the parts of the man pages that list options and exit codes. tests/lint/interface holds the
 * kept ones against these.
 */
void generate_bash(struct str *out);
void generate_zsh(struct str *out);
void generate_fish(struct str *out);

/* The options of one command as mdoc(7). */
void generate_man_options(struct str *out, const struct command *command);
/* The commands, each with its page, as mdoc(7). */
void generate_man_commands(struct str *out);
/* The exit codes, as mdoc(7). */
void generate_man_exit_status(struct str *out);
/* The limits and the ids of the findings as mdoc(7). */
void generate_man_limits(struct str *out);
void generate_man_findings(struct str *out);
/* What history can show as mdoc(7). */
void generate_man_metrics(struct str *out);

/* Add s with a backslash before each character of `special`; a quote mark of sh as '\''. */
void add_shell_escaped(struct str *out, const char *s, const char *special);

#endif
