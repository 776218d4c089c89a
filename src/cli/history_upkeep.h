/* SPDX-License-Identifier: MIT */
#ifndef CLI_HISTORY_UPKEEP_H
#define CLI_HISTORY_UPKEEP_H

#include "cli/context.h"

/*
 * The subcommands of history that are about the database itself; words are those behind the
 * subcommand's name. Each returns as a command does.
 */
int history_backup(struct context *ctx, const char *const *words, size_t n);
int history_export(struct context *ctx, const char *const *words, size_t n);
int history_prune(struct context *ctx, const char *const *words, size_t n);
int history_redecode(struct context *ctx, const char *const *words, size_t n);

/* Of the words, the drive that is meant; wrong usage where a word names several. */
struct store;
struct stored_drive;
int history_find(struct context *ctx, struct store *store, const char *word,
		 struct stored_drive *ret);

#endif
