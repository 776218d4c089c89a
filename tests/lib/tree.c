/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/tree.h"

void tree_init(struct tree *t)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(t->root, sizeof(t->root), "%s/nandlife-XXXXXX", tmp ? tmp : "/tmp");
	assert_non_null(mkdtemp(t->root));
	assert_int_equal(sys_real(&t->sys, t->root), 0);
}

static int remove_entry(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

void tree_remove(struct tree *t)
{
	nftw(t->root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* The folders of a path of this machine, up to its last slash. */
static void make_folders(const char *path)
{
	char part[PATH_MAX];

	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(slash - path), path);
		assert_true(mkdir(part, 0755) == 0 || errno == EEXIST);
	}
}

static void write_file(const struct tree *t, const char *path, const void *data, size_t n)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s%s", t->root, path);
	make_folders(full);
	FILE *f = fopen(full, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

void tree_text(struct tree *t, const char *text, const char *fmt, ...)
{
	char path[PATH_MAX], line[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	snprintf(line, sizeof(line), "%s\n", text);
	write_file(t, path, line, strlen(line));
}

void tree_bytes(struct tree *t, const void *data, size_t n, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	write_file(t, path, data, n);
}

void tree_link(struct tree *t, const char *path, const char *target)
{
	char full[PATH_MAX], relative[PATH_MAX] = "";
	size_t used = 0;

	snprintf(full, sizeof(full), "%s%s", t->root, path);
	make_folders(full);
	for (const char *c = path + 1; (c = strchr(c, '/')); c++)
		used += (size_t)snprintf(relative + used, sizeof(relative) - used, "../");
	snprintf(relative + used, sizeof(relative) - used, "%s", target + 1);
	assert_int_equal(symlink(relative, full), 0);
}

void tree_folder(struct tree *t, const char *path)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s%s/", t->root, path);
	make_folders(full);
}

static const char *last(const char *path)
{
	return strrchr(path, '/') + 1;
}

static void add_block(struct tree *t, const char *folder, const char *name, const char *rotational)
{
	char link[PATH_MAX], target[PATH_MAX];

	tree_text(t, "1000215216", "%s/%s/size", folder, name);
	tree_text(t, "512", "%s/%s/queue/logical_block_size", folder, name);
	tree_text(t, rotational, "%s/%s/queue/rotational", folder, name);
	tree_text(t, "", "/dev/%s", name);
	snprintf(target, sizeof(target), "%s/%s", folder, name);
	snprintf(link, sizeof(link), "/sys/block/%s", name);
	tree_link(t, link, target);
	snprintf(link, sizeof(link), "/sys/class/block/%s", name);
	tree_link(t, link, target);
}

void tree_nvme_namespace(struct tree *t, const char *folder, const char *name, unsigned nsid)
{
	char number[16];

	add_block(t, folder, name, "0");
	snprintf(number, sizeof(number), "%u", nsid);
	tree_text(t, number, "%s/%s/nsid", folder, name);
}

void tree_nvme_controller(struct tree *t, const char *device, const char *model, const char *serial)
{
	char link[PATH_MAX];

	tree_text(t, model, "%s/model", device);
	tree_text(t, serial, "%s/serial", device);
	tree_text(t, "FW01", "%s/firmware_rev", device);
	tree_text(t, "pcie", "%s/transport", device);
	tree_text(t, "live", "%s/state", device);
	snprintf(link, sizeof(link), "nqn.2014.08.org.nvmexpress:%s", serial);
	tree_text(t, link, "%s/subsysnqn", device);
	tree_text(t, "", "/dev/%s", last(device));
	snprintf(link, sizeof(link), "/sys/class/nvme/%s", last(device));
	tree_link(t, link, device);
}

void tree_nvme(struct tree *t, const char *device, const char *model, const char *serial)
{
	char name[32];

	tree_nvme_controller(t, device, model, serial);
	snprintf(name, sizeof(name), "%sn1", last(device));
	tree_nvme_namespace(t, device, name, 1);
}

void tree_disk(struct tree *t, const char *device, const char *name, const char *vendor,
	       const char *model)
{
	char folder[PATH_MAX], link[PATH_MAX];

	snprintf(folder, sizeof(folder), "%s/block", device);
	add_block(t, folder, name, "0");
	tree_text(t, vendor, "%s/vendor", device);
	tree_text(t, model, "%s/model", device);
	tree_text(t, "1.0", "%s/rev", device);
	tree_text(t, "0", "%s/type", device);
	tree_text(t, "running", "%s/state", device);
	tree_text(t, "0", "%s/%s/removable", folder, name);
	snprintf(link, sizeof(link), "%s/%s/device", folder, name);
	tree_link(t, link, device);
}
