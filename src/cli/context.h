/* SPDX-License-Identifier: MIT */
#ifndef CLI_CONTEXT_H
#define CLI_CONTEXT_H

#include "cli/command.h"
#include "cli/exit.h"
#include "cli/output.h"

struct rules;
struct settings;

/* Everything that one run of a command needs. */
struct context {
	const struct command *command;
	struct options options;
	struct output out;
	int64_t now;			     /* by the clock, once a run */
	struct settings *settings;	     /* see context_settings */
	struct rules *rules;		     /* see context_rules */
	void (*unload)(struct context *ctx); /* frees these two */
	struct diag diag;		     /* why the command failed */
	int fail_code; /* exit code of that failure where the errno does not tell; 0: it does */
};

void context_init(struct context *ctx);
void context_release(struct context *ctx);

/* The words after the command's name, and how many. */
const char *const *context_words(const struct context *ctx, size_t *ret_n);

/* Record wrong usage (exit code 64) and return it: `return context_usage(ctx, "...");` */
int context_usage(struct context *ctx, const char *fmt, ...) PRINTF(2, 3);

/* Record a failure that has an exit code of its own. err is negative and is returned. */
int context_fail(struct context *ctx, int exit_code, int err, const char *fmt, ...) PRINTF(4, 5);

/* Was --db given? The default database may be missing; one that was named may not. */
bool context_names_db(const struct context *ctx);

/*
 * Fill ctx->settings: defaults, then the configuration file (--config, or the system's where there
 * is one), then --limit. Fails as a command does, with exit code 78 for the file, 64 for --limit.
 */
int context_settings(struct context *ctx) MUST_USE;

/*
 * Fill ctx->rules: the rules of --drive-db or those that came with nandlife, then the system's own
 * overrides. Fails as a command does: 66 where the folder of --drive-db is not there, 78 for a
 * mistake in a file or a missing installation.
 */
int context_rules(struct context *ctx) MUST_USE;

/* One clean line on standard error, "nandlife: ..."; a remark is left out with --quiet. */
void context_error(const struct context *ctx, const char *fmt, ...) PRINTF(2, 3);
void context_remark(const struct context *ctx, const char *fmt, ...) PRINTF(2, 3);

/*
 * Tell why the command failed (r negative, ctx->diag) and return the exit code: 3 with --format
 * nagios, whose line goes to standard output, and for commands that give a verdict but for wrong
 * usage; else by sysexits(3).
 */
int context_report(struct context *ctx, int r);

#endif
