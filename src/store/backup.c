/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "store/database.h"
#include "store/place.h"

#define STEP_PAGES 1024

/* The read transaction around it keeps others' writes from starting the copy over. */
static int copy(struct store *s, sqlite3 *to, const char *path,
		void (*progress)(void *arg, uint64_t done, uint64_t total), void *progress_arg,
		struct diag *d)
{
	sqlite3_backup *backup = sqlite3_backup_init(to, "main", s->db, "main");
	int rc;

	if (!backup)
		return store_fail_at(path, to, d, sqlite3_errcode(to));
	do {
		rc = sqlite3_backup_step(backup, STEP_PAGES);
		if (progress)
			progress(progress_arg,
				 (uint64_t)(sqlite3_backup_pagecount(backup) -
					    sqlite3_backup_remaining(backup)),
				 (uint64_t)sqlite3_backup_pagecount(backup));
	} while (rc == SQLITE_OK);
	if (rc == SQLITE_DONE)
		rc = sqlite3_backup_finish(backup);
	else
		sqlite3_backup_finish(backup);
	return rc == SQLITE_OK ? 0 : store_fail_at(path, to, d, rc);
}

static int copy_to(struct store *s, const char *part, const char *path,
		   void (*progress)(void *arg, uint64_t done, uint64_t total), void *progress_arg,
		   struct diag *d)
{
	sqlite3 *to = NULL;
	int fd = open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644), rc;
	int err = fd < 0 ? -errno : 0;

	/* SQLite takes every reason for a file that is not there */
	if (err)
		return diag_fail(d, err, "%s: cannot be created: %s", path, strerror(-err));
	close(fd);
	rc = sqlite3_open_v2(part, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
	if (!to)
		return store_no_memory(d);
	sqlite3_extended_result_codes(to, 1);
	if (rc != SQLITE_OK)
		err = store_fail_at(path, to, d, rc);
	else
		err = copy(s, to, path, progress, progress_arg, d);
	rc = sqlite3_close(to);
	return !err && rc != SQLITE_OK ? store_fail_at(path, NULL, d, rc) : err;
}

/* Without replacing what may be there by now, where the file system can do that. */
static int take_name(const char *part, const char *path, struct diag *d)
{
	int err = 0;

	if (renameat2(AT_FDCWD, part, AT_FDCWD, path, RENAME_NOREPLACE) != 0)
		err = -errno;
	if ((err == -EINVAL || err == -ENOSYS) && access(path, F_OK) != 0)
		err = rename(part, path) == 0 ? 0 : -errno;
	if (!err)
		err = place_sync_folder(path);
	return err ? diag_fail(d, err, "%s: %s", path, strerror(-err)) : 0;
}

int store_backup(struct store *s, const char *path,
		 void (*progress)(void *arg, uint64_t done, uint64_t total), void *progress_arg,
		 struct diag *d)
{
	CLEANUP(cleanup_free) char *part = NULL;
	int err;

	if (access(path, F_OK) == 0)
		return diag_fail(d, -EEXIST, "%s: is there already; a backup replaces nothing",
				 path);
	if (asprintf(&part, "%s.part", path) < 0) {
		part = NULL;
		return store_no_memory(d);
	}
	unlink(part); /* of one that was cut short */
	err = read_begin(s, d);
	/* the copy of a corrupt one would take the place of better copies */
	if (!err)
		err = store_check(s, d);
	if (!err)
		err = copy_to(s, part, path, progress, progress_arg, d);
	err = read_end(s, err);
	if (!err)
		err = take_name(part, path, d);
	if (err)
		unlink(part);
	return err;
}
