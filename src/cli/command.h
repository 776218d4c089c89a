/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/option.h"

struct context;

/* What the words after a command's name are, for completion. */
enum command_words {
	WORDS_NONE,
	WORDS_DRIVES,
	WORDS_FILES,
	WORDS_TOPICS, /* of `help`: the commands and further topics */
	WORDS_CHOICE, /* one of the subcommands, then files or text */
};

/* Every command is one row; the rows drive the call, the help, the man pages and completion. */
struct command {
	const char *name;
	const char *summary;	  /* one line; no capital, no full stop */
	const char *const *usage; /* what follows the name, one form a line; NULL ends it */
	const char *about;	  /* a paragraph or more for the help, wrapped where shown */
	enum command_words words;
	const char *const *choices; /* of WORDS_CHOICE; NULL ends it */
	unsigned groups;	    /* of options, GROUP_GENERAL aside, which all take */
	unsigned formats;   /* FORMAT_BIT()s; 0: the command prints text and takes no --format */
	bool hidden;	    /* for the build, not for users */
	bool gives_verdict; /* exits 3 whenever it fails to reach one */
	/*
	 * Runs the command: an exit code, or a negative errno with the reason in ctx->diag, which
	 * the caller reports.
	 */
	int (*run)(struct context *ctx);
};

extern const struct command commands[];
extern const size_t commands_n;

/* NULL where no command has this name. */
const struct command *command_by_name(const char *name);

/* Complain (-EINVAL) that there is no such command, with the near one in d. */
int command_unknown(const char *name, struct diag *d) MUST_USE;

/* One a command, each in cmd_<name>.c. */
int cmd_list(struct context *ctx);
int cmd_show(struct context *ctx);
int cmd_health(struct context *ctx);
int cmd_life(struct context *ctx);
int cmd_capture(struct context *ctx);
int cmd_report(struct context *ctx);
int cmd_record(struct context *ctx);
int cmd_import(struct context *ctx);
int cmd_history(struct context *ctx);
int cmd_simulate(struct context *ctx);
int cmd_project(struct context *ctx);
int cmd_db(struct context *ctx);
int cmd_help(struct context *ctx);
int cmd_generate(struct context *ctx);

#endif
