/* SPDX-License-Identifier: MIT */
#ifndef STORE_PLACE_H
#define STORE_PLACE_H

#include <sqlite3.h>

#include "store/store.h"

/* The database as a file, before and beside SQLite. */

#define STORE_APPLICATION_ID 0x4e4c4852 /* "NLHR" in the header of every history database */

enum place_state {
	PLACE_NONE,  /* there is no such file */
	PLACE_EMPTY, /* 0 bytes: as good as new */
	PLACE_OURS,  /* of this version or an older one */
};

/*
 * Look at the file's header, and at the newest one in its -wal, without changing anything or
 * taking a lock that others hold. -EINVAL for what is not a database of nandlife, or newer than
 * `version`; -EACCES, -EIO, ...
 */
int place_look(sqlite3_vfs *vfs, const char *path, int64_t version, struct diag *d,
	       enum place_state *ret) MUST_USE;

/* The path with all links resolved, also where the file is not there yet. The caller frees it. */
int place_resolve(const char *path, struct diag *d, char **ret) MUST_USE;

/*
 * Make the file where there is none or an empty one: `fill` makes a whole database at the path it
 * is given, which then takes the name at once, so that a cut leaves none or all of it. Of several
 * processes one does it. Folders are made too; everybody may read it.
 */
typedef int place_fill_fn(void *arg, const char *path, struct diag *d);
int place_create(const char *path, place_fill_fn *fill, void *arg, struct diag *d) MUST_USE;

/* So that a new name in the folder of this file outlasts a power cut. 0 or -errno. */
int place_sync_folder(const char *path) MUST_USE;

/* Is it there for writing? -EACCES, -EROFS, ... */
int place_check_writable(const char *path, struct diag *d) MUST_USE;

/* Rename the file and its -wal to FILE.corrupt-TIME, drop its -shm. */
int place_move_aside(const char *path, int64_t now, struct diag *d, char ret[PATH_MAX]) MUST_USE;

#endif
