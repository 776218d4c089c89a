/* SPDX-License-Identifier: MIT */
#include "cli/import_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int push(struct file_names *list, size_t *cap, const char *name)
{
	char *copy;

	if (list->n == *cap) {
		size_t more = *cap ? *cap * 2 : 64;
		char **items = reallocarray(list->items, more, sizeof(*items));

		if (!items)
			return -ENOMEM;
		list->items = items;
		*cap = more;
	}
	copy = strdup(name);
	if (!copy)
		return -ENOMEM;
	list->items[list->n++] = copy;
	return 0;
}

static size_t depth_of(const char *path, const char *top)
{
	size_t depth = 0;

	for (path += strlen(top); *path; path++)
		depth += *path == '/';
	return depth;
}

/* A link to a file is a file; one to a folder may lead in a circle. */
static bool is_folder(const char *path, bool follow)
{
	struct stat st;

	return (follow ? stat(path, &st) : lstat(path, &st)) == 0 && S_ISDIR(st.st_mode);
}

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* The files below one folder. What waits is a stack: the last name of a folder is put first. */
static int add_folder(const char *top, struct diag *d, struct file_names *ret, size_t *cap)
{
	CLEANUP(file_names_release) struct file_names waiting = { 0 };
	size_t waiting_cap = 0;
	int err = push(&waiting, &waiting_cap, top);

	while (!err && waiting.n) {
		CLEANUP(cleanup_free) char *path = waiting.items[--waiting.n];
		CLEANUP(file_names_release) struct file_names inside = { 0 };

		if (path != NULL && !is_folder(path, strcmp(path, top) == 0)) {
			if (ret->n >= IMPORT_FILES_MAX)
				return diag_fail(d, -E2BIG, "%s: more than %d files", top,
						 IMPORT_FILES_MAX);
			err = is_file(path) ? push(ret, cap, path) : 0;
			continue;
		}
		if (depth_of(path, top) > FOLDER_DEPTH_MAX)
			return diag_fail(d, -E2BIG, "%s: more than %d folders within each other",
					 path, FOLDER_DEPTH_MAX);
		err = folder_list(path, "", d, &inside);
		for (size_t i = inside.n; !err && i > 0; i--)
			err = push(&waiting, &waiting_cap, inside.items[i - 1]);
	}
	return err;
}

int import_files(const char *const *names, size_t n, struct diag *d, struct file_names *ret)
{
	CLEANUP(file_names_release) struct file_names files = { 0 };
	size_t cap = 0;
	int err = 0;

	for (size_t i = 0; !err && i < n; i++) {
		if (strcmp(names[i], "-") != 0 && is_folder(names[i], true))
			err = add_folder(names[i], d, &files, &cap);
		else
			err = push(&files, &cap, names[i]);
	}
	if (err)
		return err;
	*ret = files;
	files = (struct file_names){ 0 };
	return 0;
}

uint64_t import_bytes(const struct file_names *files)
{
	uint64_t bytes = 0;
	struct stat st;

	for (size_t i = 0; i < files->n; i++)
		if (stat(files->items[i], &st) == 0 && S_ISREG(st.st_mode))
			bytes += (uint64_t)st.st_size;
	return bytes;
}
