/* SPDX-License-Identifier: MIT */
#ifndef LIB_MADE_HISTORY_H
#define LIB_MADE_HISTORY_H

#include "store/store.h"

/* Drives that are written to a history database in a folder of its own. */

/* A drive as a smartctl JSON dump tells it; NULL, 0 and false are not told. */
struct made_drive {
	const char *model, *serial, *firmware, *path, *location, *via;
	uint64_t capacity;
	bool live;
	bool spare;   /* tells its available spare too */
	bool undated; /* the file's time stands in for the dump's */
};

struct made_append {
	struct snapshot snapshot;
	struct reading reading;
	struct facts facts;
	struct drive_rule rule;
	struct append append; /* points to the others */
};

/* units: data units written, 512,000 bytes each. About 130 KiB: heap. */
struct made_append *made_append_new(const struct made_drive *drive, int64_t time, uint64_t units,
				    uint64_t hours);
void made_append_free(struct made_append *m);

/* Append and assert that it succeeds. */
enum append_result made_append(struct store *s, const struct made_drive *drive, int64_t time,
			       uint64_t units, uint64_t hours, int64_t *ret_drive);

/* An empty folder below /tmp, and the path of a database in it. */
struct made_folder {
	char path[64], db[96];
};
void made_folder_init(struct made_folder *f);
void made_folder_release(struct made_folder *f); /* removes all of it */

/* Open and assert that it succeeds. */
struct store *made_store(const char *path, enum store_mode mode);

/* Open and close at T0; asserts that a failure says why. */
int made_try_open(const char *path, enum store_mode mode, struct diag *d);

/* All samples and events of a drive, and SQLite's check of the whole; assert that they succeed. */
void made_series_of(struct store *s, int64_t drive, struct series *ret);
void made_store_check(struct store *s);

/* All of a file; the caller frees. NULL where there is none. */
char *made_file_read(const char *path, size_t *ret_len);
void made_file_write(const char *path, const void *data, size_t n);

#endif
