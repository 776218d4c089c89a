/* SPDX-License-Identifier: MIT */
#include "transport/atasmart.h"

#include <atasmart.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define PAGE_LEN 512

/* Sections of the library's blob: a tag and a length, both big-endian, and the bytes. */
enum {
	TAG_STATUS = 0x534d5354,     /* "SMST": 1 good, 0 failing */
	TAG_DATA = 0x534d4454,	     /* "SMDT" */
	TAG_THRESHOLDS = 0x534d5448, /* "SMTH" */
};

static void release_disk(SkDisk **disk)
{
	if (*disk)
		sk_disk_free(*disk);
}

static int add_page(struct snapshot *s, enum log_space space, struct bytes page)
{
	if (page.len != PAGE_LEN || bytes_all(page, 0))
		return 0;
	/* the library checks no checksum, and some firmware gets it wrong: the decoder says so */
	return snapshot_add(s, space, 0, 0, page);
}

/* As LBA mid and LBA high of SMART RETURN STATUS, which the library has boiled down. */
static int add_status(struct snapshot *s, struct bytes section)
{
	static const uint8_t good[2] = { 0x4f, 0xc2 }, failing[2] = { 0xf4, 0x2c };

	return snapshot_add(s, SPACE_ATA_SMART_STATUS, 0, 0,
			    bytes_of(bytes_be_or0(section, 0, 4) ? good : failing, 2));
}

static int add_sections(struct snapshot *s, struct bytes blob)
{
	for (size_t at = 0; bytes_has(blob, at, 8);) {
		uint64_t tag = bytes_be_or0(blob, at, 4), len = bytes_be_or0(blob, at + 4, 4);
		struct bytes section = bytes_slice(blob, at + 8, len);
		int err = 0;

		if (section.len != len)
			return -EIO;
		if (tag == TAG_DATA)
			err = add_page(s, SPACE_ATA_SMART_DATA, section);
		else if (tag == TAG_THRESHOLDS)
			err = add_page(s, SPACE_ATA_SMART_THRESHOLDS, section);
		else if (tag == TAG_STATUS && len == 4)
			err = add_status(s, section);
		if (err < 0)
			return err;
		at += 8 + len;
	}
	return 0;
}

int atasmart_read(struct sys *sys, const char *path, unsigned cdb_len, struct diag *d,
		  struct snapshot *s)
{
	CLEANUP(release_disk) SkDisk *disk = NULL;
	char host[PATH_MAX], name[PATH_MAX + 8];
	const void *blob;
	size_t size;
	int err = sys_host_path(sys, path, host, sizeof(host));

	if (err < 0)
		return diag_fail(d, err, "%s: the path is too long", path);
	snprintf(name, sizeof(name), "sat%u:%s", cdb_len, host);
	if (sk_disk_open(name, &disk) < 0 || sk_disk_smart_read_data(disk) < 0 ||
	    sk_disk_get_blob(disk, &blob, &size) < 0) {
		err = errno ? -errno : -EIO;
		return diag_fail(d, err, "%s: libatasmart: %s", path, strerror(-err));
	}
	err = add_sections(s, bytes_of(blob, size));
	return err < 0 ? diag_fail(d, err, "%s: libatasmart: %s", path, strerror(-err)) : 0;
}
