/* SPDX-License-Identifier: MIT */
#include "store/place.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

/*
 * The header of a database file (sqlite.org/fileformat2.html, section 1.3) and of a -wal (section
 * 4): all numbers are big-endian.
 */
#define HEADER_BYTES	   100
#define HEADER_MAGIC	   "SQLite format 3"
#define AT_USER_VERSION	   60
#define AT_APPLICATION_ID  68
#define WAL_HEADER_BYTES   32
#define WAL_AT_PAGE_SIZE   8
#define WAL_AT_SALT	   16
#define FRAME_HEADER_BYTES 24
#define FRAME_AT_PAGE	   0
#define FRAME_AT_COMMIT	   4
#define FRAME_AT_SALT	   8
#define SALT_BYTES	   8
#define FOLDER_MODE	   0755
#define FILE_MODE	   0644
#define LINKS_MAX	   8

static int no_database(const char *path, struct diag *d)
{
	return diag_fail(
		d, -EINVAL,
		"%s: not a history database of nandlife; it is left as it is. Name another "
		"one with --db",
		path);
}

/* Through SQLite's own layer: closing a second descriptor would drop locks that this process has.
 */
struct opened {
	sqlite3_vfs *vfs;
	sqlite3_file *file;
};

static void opened_release(struct opened *o)
{
	if (o->file && o->file->pMethods)
		o->file->pMethods->xClose(o->file);
	free(o->file);
}

static int opened_open(struct opened *o, const char *path, int type)
{
	int flags;

	o->file = calloc(1, (size_t)o->vfs->szOsFile);
	if (!o->file)
		return SQLITE_NOMEM;
	return o->vfs->xOpen(o->vfs, path, o->file, SQLITE_OPEN_READONLY | type, &flags);
}

static int opened_read(struct opened *o, sqlite3_int64 at, void *ret, int n)
{
	return o->file->pMethods->xRead(o->file, ret, n, at);
}

static bool is_ours(const uint8_t header[HEADER_BYTES])
{
	struct bytes b = bytes_of(header, HEADER_BYTES);

	return memcmp(header, HEADER_MAGIC, sizeof(HEADER_MAGIC)) == 0 &&
	       bytes_be_or0(b, AT_APPLICATION_ID, 4) == STORE_APPLICATION_ID;
}

/*
 * The last committed page 1 in the -wal is the header that counts. What does not look like a -wal
 * leaves the header as it is: SQLite will say what is wrong with it.
 */
static int look_at_wal(sqlite3_vfs *vfs, const char *wal_path, uint8_t header[HEADER_BYTES])
{
	CLEANUP(opened_release) struct opened o = { .vfs = vfs };
	uint8_t wal[WAL_HEADER_BYTES], frame[FRAME_HEADER_BYTES], page[HEADER_BYTES];
	sqlite3_int64 size = 0, at = WAL_HEADER_BYTES, page_bytes;
	bool pending = false;
	int rc = opened_open(&o, wal_path, SQLITE_OPEN_WAL);

	if (rc == SQLITE_OK)
		rc = o.file->pMethods->xFileSize(o.file, &size);
	if (rc != SQLITE_OK || size < WAL_HEADER_BYTES)
		return rc;
	rc = opened_read(&o, 0, wal, sizeof(wal));
	page_bytes = (sqlite3_int64)bytes_be_or0(bytes_of(wal, sizeof(wal)), WAL_AT_PAGE_SIZE, 4);
	if (rc != SQLITE_OK || page_bytes < 512 || page_bytes > 65536)
		return rc;
	while (rc == SQLITE_OK && size - at >= FRAME_HEADER_BYTES + page_bytes) {
		struct bytes b = bytes_of(frame, sizeof(frame));

		rc = opened_read(&o, at, frame, sizeof(frame));
		if (rc != SQLITE_OK || memcmp(frame + FRAME_AT_SALT, wal + WAL_AT_SALT, SALT_BYTES))
			break;
		if (bytes_be_or0(b, FRAME_AT_PAGE, 4) == 1) {
			rc = opened_read(&o, at + FRAME_HEADER_BYTES, page, sizeof(page));
			pending = rc == SQLITE_OK;
		}
		if (pending && bytes_be_or0(b, FRAME_AT_COMMIT, 4)) {
			memcpy(header, page, sizeof(page));
			pending = false;
		}
		at += FRAME_HEADER_BYTES + page_bytes;
	}
	return rc;
}

static int look_failed(sqlite3_vfs *vfs, const char *path, int rc, struct diag *d)
{
	int err = vfs->xGetLastError ? -vfs->xGetLastError(vfs, 0, NULL) : 0;

	if (rc == SQLITE_NOMEM || rc == SQLITE_IOERR_NOMEM)
		return diag_fail(d, -ENOMEM, "out of memory");
	if (faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) != 0 && errno == EACCES)
		return diag_fail(d, -EACCES, "%s: no permission to read it", path);
	if (err >= 0)
		err = -EIO;
	return diag_fail(d, err, "%s: cannot be read: %s", path, strerror(-err));
}

static int look_at_file(sqlite3_vfs *vfs, const char *path, uint8_t header[HEADER_BYTES],
			struct diag *d, sqlite3_int64 *ret_size)
{
	CLEANUP(opened_release) struct opened o = { .vfs = vfs };
	int rc = opened_open(&o, path, SQLITE_OPEN_MAIN_DB);

	if (rc == SQLITE_OK)
		rc = o.file->pMethods->xFileSize(o.file, ret_size);
	if (rc == SQLITE_OK && *ret_size >= HEADER_BYTES)
		rc = opened_read(&o, 0, header, HEADER_BYTES);
	return rc == SQLITE_OK ? 0 : look_failed(vfs, path, rc, d);
}

int place_look(sqlite3_vfs *vfs, const char *path, int64_t version, struct diag *d,
	       enum place_state *ret)
{
	CLEANUP(cleanup_free) char *wal_path = NULL;
	uint8_t header[HEADER_BYTES];
	sqlite3_int64 size = 0;
	struct stat st;
	int64_t found;
	int err, rc;

	if (stat(path, &st) != 0) {
		err = -errno;
		if (err != -ENOENT)
			return diag_fail(d, err, "%s: %s", path, strerror(-err));
		*ret = PLACE_NONE;
		return 0;
	}
	if (!S_ISREG(st.st_mode))
		return diag_fail(d, -EINVAL, "%s: %s, not a history database of nandlife", path,
				 S_ISDIR(st.st_mode) ? "a folder" : "no regular file");
	err = look_at_file(vfs, path, header, d, &size);
	if (err)
		return err;
	if (size == 0) {
		*ret = PLACE_EMPTY;
		return 0;
	}
	if (size < HEADER_BYTES || !is_ours(header))
		return no_database(path, d);
	if (asprintf(&wal_path, "%s-wal", path) < 0) {
		wal_path = NULL;
		return diag_fail(d, -ENOMEM, "out of memory");
	}
	if (stat(wal_path, &st) == 0 && st.st_size > 0) {
		rc = look_at_wal(vfs, wal_path, header);
		if (rc != SQLITE_OK)
			return look_failed(vfs, wal_path, rc, d);
	}
	found = (int64_t)bytes_be_or0(bytes_of(header, HEADER_BYTES), AT_USER_VERSION, 4);
	if (found > version)
		return diag_fail(d, -EINVAL,
				 "%s: written by a newer nandlife (version %lld, this one knows "
				 "%lld); it is left as it is. Update nandlife",
				 path, (long long)found, (long long)version);
	*ret = PLACE_OURS;
	return 0;
}

/* --- paths and files ------------------------------------------------------------------------- */

/* The folder with its links resolved, if it is there, and the name in it. */
static int join_resolved(const char *path, const char *name, struct diag *d, char **ret)
{
	CLEANUP(cleanup_free) char *copy = strdup(path);
	char folder[PATH_MAX];
	const char *parent;

	if (!copy)
		return diag_fail(d, -ENOMEM, "out of memory");
	parent = dirname(copy);
	if (!realpath(parent, folder))
		text_copy(folder, sizeof(folder), parent);
	if (asprintf(ret, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, name) < 0) {
		*ret = NULL;
		return diag_fail(d, -ENOMEM, "out of memory");
	}
	return 0;
}

/* realpath() does not follow a link to what is not there yet; one step of it. */
static int follow_link(const char *path, struct diag *d, char **ret, bool *ret_link)
{
	CLEANUP(cleanup_free) char *copy = strdup(path);
	char target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof(target) - 1);

	if (!copy)
		return diag_fail(d, -ENOMEM, "out of memory");
	*ret_link = n > 0;
	if (n <= 0)
		return join_resolved(path, basename(copy), d, ret);
	target[n] = '\0';
	if (target[0] != '/')
		return join_resolved(path, target, d, ret);
	*ret = strdup(target);
	return *ret ? 0 : diag_fail(d, -ENOMEM, "out of memory");
}

int place_resolve(const char *path, struct diag *d, char **ret)
{
	CLEANUP(cleanup_free) char *at = strdup(path);
	bool is_link = true;
	int err;

	if (!at)
		return diag_fail(d, -ENOMEM, "out of memory");
	for (unsigned links = 0; is_link && links < LINKS_MAX; links++) {
		char resolved[PATH_MAX], *next = NULL;

		/* into a buffer: without one it takes lack of memory for an invalid argument */
		if (realpath(at, resolved)) {
			*ret = strdup(resolved);
			return *ret ? 0 : diag_fail(d, -ENOMEM, "out of memory");
		}
		err = errno == ENOENT ? 0 : -errno;
		if (err)
			return diag_fail(d, err, "%s: %s", path, strerror(-err));
		err = follow_link(at, d, &next, &is_link);
		if (err || !next)
			return err;
		free(at);
		at = next;
	}
	if (is_link)
		return diag_fail(d, -ELOOP, "%s: %s", path, strerror(ELOOP));
	*ret = at;
	at = NULL;
	return 0;
}

static int create_failed(const char *path, int err, struct diag *d)
{
	if (err == -EROFS)
		return diag_fail(d, err,
				 "%s: its file system is read-only; remount it, or name another "
				 "database with --db",
				 path);
	if (err == -EACCES || err == -EPERM)
		return diag_fail(d, -EACCES,
				 "%s: no permission to create it; run as root, or name another "
				 "database with --db",
				 path);
	return diag_fail(d, err, "%s: cannot be created: %s", path, strerror(-err));
}

/* Every folder above the file that is not there yet. */
static int create_folders(const char *path, struct diag *d)
{
	CLEANUP(cleanup_free) char *folder = strdup(path);

	if (!folder)
		return diag_fail(d, -ENOMEM, "out of memory");
	for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(folder, FOLDER_MODE) != 0 && errno != EEXIST) {
			int err = -errno;

			/* what is there already may be on a file system that says otherwise */
			if (access(folder, F_OK) != 0)
				return create_failed(folder, err, d);
		}
		*slash = '/';
	}
	return 0;
}

int place_sync_folder(const char *path)
{
	CLEANUP(cleanup_free) char *copy = strdup(path);
	int fd = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	int err = 0;

	if (fd < 0)
		return copy ? -errno : -ENOMEM;
	if (fsync(fd) != 0)
		err = -errno;
	close(fd);
	return err;
}

/* Under the lock of the empty file. */
static int fill_and_rename(const char *path, const char *fresh, place_fill_fn *fill, void *arg,
			   struct diag *d)
{
	int fd, err = 0;

	unlink(fresh); /* of one that was cut short */
	fd = open(fresh, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, FILE_MODE);
	if (fd < 0)
		return create_failed(path, -errno, d);
	if (fchmod(fd, FILE_MODE) != 0)
		err = create_failed(path, -errno, d);
	close(fd);
	if (!err)
		err = fill(arg, fresh, d);
	if (!err && rename(fresh, path) != 0)
		err = create_failed(path, -errno, d);
	if (!err && place_sync_folder(path) != 0)
		err = create_failed(path, -EIO, d);
	if (err)
		unlink(fresh);
	return err;
}

/* True where the file behind fd is still the empty one of this name. */
static bool is_still_empty(int fd, const char *path)
{
	struct stat here, there;

	return fstat(fd, &here) == 0 && stat(path, &there) == 0 && here.st_ino == there.st_ino &&
	       here.st_dev == there.st_dev && here.st_size == 0;
}

int place_create(const char *path, place_fill_fn *fill, void *arg, struct diag *d)
{
	CLEANUP(cleanup_free) char *fresh = NULL;
	int err = create_folders(path, d), fd;

	if (err)
		return err;
	if (asprintf(&fresh, "%s.new", path) < 0) {
		fresh = NULL;
		return diag_fail(d, -ENOMEM, "out of memory");
	}
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, FILE_MODE);
	if (fd < 0)
		return create_failed(path, -errno, d);
	/* another process may be at it: then it is there when the lock is ours */
	if (flock(fd, LOCK_EX) != 0)
		err = create_failed(path, -errno, d);
	else if (is_still_empty(fd, path))
		err = fill_and_rename(path, fresh, fill, arg, d);
	close(fd);
	return err;
}

int place_check_writable(const char *path, struct diag *d)
{
	/* opening and closing it here would drop locks that SQLite holds in this process */
	if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0)
		return 0;
	if (errno == EROFS)
		return create_failed(path, -EROFS, d);
	if (errno == EACCES)
		return diag_fail(d, -EACCES,
				 "%s: no permission to write to it; run as root, or name another "
				 "database with --db",
				 path);
	return create_failed(path, -errno, d);
}

/* Names made by the second; a number behind where that is taken. */
static int free_name(const char *path, int64_t now, struct diag *d, char ret[PATH_MAX])
{
	char when[TIME_TEXT];

	for (unsigned n = 0; n < 1000; n++) {
		int len = n ? snprintf(ret, PATH_MAX, "%s.corrupt-%s-%u", path,
				       time_format(now, when), n)
			    : snprintf(ret, PATH_MAX, "%s.corrupt-%s", path,
				       time_format(now, when));

		if (len >= PATH_MAX)
			return diag_fail(d, -ENAMETOOLONG, "%s: its name is too long", path);
		if (access(ret, F_OK) != 0 && errno == ENOENT)
			return 0;
	}
	return diag_fail(d, -EEXIST, "%s: too many corrupt databases beside it", path);
}

int place_move_aside(const char *path, int64_t now, struct diag *d, char ret[PATH_MAX])
{
	char to[PATH_MAX], from[PATH_MAX + 8], beside[PATH_MAX + 8];
	int err = free_name(path, now, d, to);

	if (err)
		return err;
	/* the -wal first: a database without it is older, one with another's is worse */
	snprintf(from, sizeof(from), "%s-wal", path);
	snprintf(beside, sizeof(beside), "%s-wal", to);
	if (rename(from, beside) != 0 && errno != ENOENT)
		err = -errno;
	if (!err && rename(path, to) != 0)
		err = -errno;
	if (err)
		return diag_fail(d, err, "%s: corrupt, and cannot be moved aside: %s", path,
				 strerror(-err));
	snprintf(from, sizeof(from), "%s-shm", path);
	unlink(from);
	memcpy(ret, to, PATH_MAX);
	return 0;
}
