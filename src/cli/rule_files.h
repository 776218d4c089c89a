/* SPDX-License-Identifier: MIT */
#ifndef CLI_RULE_FILES_H
#define CLI_RULE_FILES_H

#include "cli/context.h"
#include "cli/files.h"
#include "db/rules.h"

/* The texts of rule files, in the order in which they count. */
struct rule_files {
	struct rules_file *items;
	struct file *texts; /* what items point to */
	size_t n;
	struct file_names names;
};

void rule_files_release(struct rule_files *files);

/* Add one file. Errors of file_read. */
int rule_files_add(struct rule_files *files, const char *path, bool override,
		   struct diag *d) MUST_USE;

/* Add every *.json of a folder, by name. Errors of folder_list and file_read. */
int rule_files_add_folder(struct rule_files *files, const char *folder, bool override,
			  struct diag *d) MUST_USE;

/*
 * The folder of the rules that came with this binary: where the build put them, else beside a
 * binary that was moved with its tree. Writes a path into buf and returns it; NULL where there is
 * none.
 */
const char *rule_folder(char *buf, size_t size);

/* The files that context_rules would parse; fails as it does. */
int context_rule_files(struct context *ctx, struct rule_files *files) MUST_USE;

#endif
