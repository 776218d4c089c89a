/* SPDX-License-Identifier: MIT */
#ifndef CLI_IMPORT_FILES_H
#define CLI_IMPORT_FILES_H

#include "cli/files.h"

/*
 * Turn names of files and folders into files: those of a folder and of all folders in it, by name,
 * down to FOLDER_DEPTH_MAX. Hidden ones are left out, and links to folders are not followed. A name
 * of a file stays as it is, be it there or not. -E2BIG above IMPORT_FILES_MAX or deeper; errors of
 * reading a folder; -ENOMEM.
 */
#define FOLDER_DEPTH_MAX 16
#define IMPORT_FILES_MAX 1000000
int import_files(const char *const *names, size_t n, struct diag *d,
		 struct file_names *ret) MUST_USE;

/* Bytes of those that are there and are no pipes. */
uint64_t import_bytes(const struct file_names *files);

#endif
