/* SPDX-License-Identifier: MIT */
#include "cli/rule_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/build_config.h"

void rule_files_release(struct rule_files *files)
{
	for (size_t i = 0; i < files->n; i++)
		file_release(&files->texts[i]);
	free(files->texts);
	free(files->items);
	file_names_release(&files->names);
	*files = (struct rule_files){ 0 };
}

/* Room for one more in all three arrays. */
static int grow(struct rule_files *files)
{
	struct rules_file *items = reallocarray(files->items, files->n + 1, sizeof(*items));
	struct file *texts;
	char **names;

	if (!items)
		return -ENOMEM;
	files->items = items;
	texts = reallocarray(files->texts, files->n + 1, sizeof(*texts));
	if (!texts)
		return -ENOMEM;
	files->texts = texts;
	names = reallocarray(files->names.items, files->n + 1, sizeof(*names));
	if (!names)
		return -ENOMEM;
	files->names.items = names;
	return 0;
}

/* The rules that came with nandlife are told by file, wherever they are installed. */
static const char *name_of(const char *path, bool override)
{
	const char *slash = override ? NULL : strrchr(path, '/');

	return slash ? slash + 1 : path;
}

int rule_files_add(struct rule_files *files, const char *path, bool override, struct diag *d)
{
	CLEANUP(file_release) struct file text = { 0 };
	char *name;
	int r;

	r = file_read(path, d, &text);
	if (!r)
		r = grow(files);
	name = r ? NULL : strdup(name_of(path, override));
	if (!name)
		return r ? r : -ENOMEM;
	files->names.items[files->names.n++] = name;
	files->items[files->n] = (struct rules_file){
		.name = name,
		.text = file_bytes(&text),
		.override = override,
	};
	files->texts[files->n++] = text;
	text = (struct file){ 0 };
	return 0;
}

int rule_files_add_folder(struct rule_files *files, const char *folder, bool override,
			  struct diag *d)
{
	CLEANUP(file_names_release) struct file_names names = { 0 };
	int r;

	r = folder_list(folder, ".json", d, &names);
	for (size_t i = 0; !r && i < names.n; i++)
		r = rule_files_add(files, names.items[i], override, d);
	return r;
}

const char *rule_folder(char *buf, size_t size)
{
	static const char *const beside[] = { "../db", "../share/nandlife/db" };
	char self[PATH_MAX];
	ssize_t n;
	char *slash;

	if (access(build_drive_db_dir, X_OK) == 0)
		return text_copy(buf, size, build_drive_db_dir) ? buf : NULL;
	n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (n < 0)
		return NULL;
	self[n] = '\0';
	slash = strrchr(self, '/');
	if (!slash)
		return NULL;
	*slash = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(beside); i++) {
		int written = snprintf(buf, size, "%s/%s", self, beside[i]);

		if (written > 0 && (size_t)written < size && access(buf, X_OK) == 0)
			return buf;
	}
	return NULL;
}
