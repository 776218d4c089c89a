/* SPDX-License-Identifier: MIT */
#ifndef CLI_PRESETS_H
#define CLI_PRESETS_H

#include "cli/context.h"
#include "ftl/preset.h"

/* The drives by name that came with nandlife: presets/ beside the drive rules. */
struct presets {
	struct preset *items; /* sorted by name */
	size_t n;
};

void presets_release(struct presets *p);

/* Fails as a command does: 78 for a mistake in a file or a missing folder. */
int presets_load(struct context *ctx, struct presets *ret) MUST_USE;

/* Wrong usage, with the near name, where there is none. */
int presets_find(struct context *ctx, const struct presets *p, const char *name,
		 const struct preset **ret) MUST_USE;

/* Print all of them, or one with every value. */
int presets_print(struct context *ctx, const char *name);

/*
 * Give the options of simulate that were not given the values of a preset. The options of a drive
 * in time are left alone where the run has none.
 */
void presets_fill_options(const struct preset *p, struct options *o, bool timed);

#endif
