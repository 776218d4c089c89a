/* SPDX-License-Identifier: MIT */
#include "lib/power_cut_vfs.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

#define SECTOR 512

struct power power;
static bool power_is_off;
static int last_errno;

/* One write or truncation that was not synced: what stood there before. */
struct unsynced {
	struct unsynced *next; /* the one before it */
	char path[PATH_MAX];
	int64_t offset, size_before;
	bool truncation;
	size_t n, had; /* bytes written; of them before the old end of the file */
	uint8_t *old;
};
static struct unsynced *unsynced;

struct power_file {
	sqlite3_file base;
	sqlite3_file *real;
	const char *path;
};

static sqlite3_vfs *real_vfs;

static sqlite3_file *real_of(sqlite3_file *f)
{
	return ((struct power_file *)f)->real;
}

/* --- failing --------------------------------------------------------------------------------- */

static bool fails(void)
{
	if (power_is_off) {
		last_errno = EIO;
		return true;
	}
	power.calls++;
	if (!power.fail_at || power.calls < power.fail_at ||
	    (power.calls > power.fail_at && !power.for_good && power.cut == CUT_NONE))
		return false;
	power.hit = true;
	power_is_off = power.cut != CUT_NONE;
	last_errno = power_is_off ? EIO : power.err;
	return true;
}

/* --- what was not synced --------------------------------------------------------------------- */

static void remember(const char *path, int64_t offset, size_t n, bool truncation)
{
	struct unsynced *u = calloc(1, sizeof(*u));
	int fd = open(path, O_RDONLY);
	struct stat st;
	ssize_t had;

	assert(u && fd >= 0 && fstat(fd, &st) == 0);
	text_copy(u->path, sizeof(u->path), path);
	u->offset = offset;
	u->size_before = st.st_size;
	u->truncation = truncation;
	if (truncation)
		n = st.st_size > offset ? (size_t)(st.st_size - offset) : 0;
	u->n = n;
	u->old = calloc(1, n + 1);
	assert(u->old);
	had = pread(fd, u->old, n, offset);
	u->had = had > 0 ? (size_t)had : 0;
	close(fd);
	u->next = unsynced;
	unsynced = u;
}

/* NULL: of all files. */
static void forget(const char *path)
{
	struct unsynced **at = &unsynced;

	while (*at) {
		struct unsynced *u = *at;

		if (path && strcmp(u->path, path) != 0) {
			at = &u->next;
			continue;
		}
		*at = u->next;
		free(u->old);
		free(u);
	}
}

static bool sector_is_lost(void)
{
	if (power.cut != CUT_TORN)
		return true;
	power.seed ^= power.seed << 13;
	power.seed ^= power.seed >> 7;
	power.seed ^= power.seed << 17;
	return power.seed >> 32 & 1;
}

/* A sector behind the old end reads as zeros where it was lost and a later one was not. */
static void take_back(const struct unsynced *u)
{
	int fd = open(u->path, O_RDWR);
	bool any_kept = false;
	struct stat st;

	if (fd < 0)
		return; /* deleted since */
	for (size_t at = 0; at < u->n; at += SECTOR) {
		size_t n = u->n - at < SECTOR ? u->n - at : SECTOR;

		if (sector_is_lost())
			assert(pwrite(fd, u->old + at, n, u->offset + (off_t)at) == (ssize_t)n);
		else
			any_kept = true;
	}
	assert(fstat(fd, &st) == 0);
	if (!any_kept && st.st_size != u->size_before)
		assert(ftruncate(fd, u->size_before) == 0);
	close(fd);
}

void power_return(void)
{
	if (power_is_off && power.cut != CUT_KEPT)
		for (const struct unsynced *u = unsynced; u; u = u->next)
			take_back(u);
	forget(NULL);
	power_is_off = false;
	last_errno = 0;
	power = (struct power){ 0 };
}

/* --- files ----------------------------------------------------------------------------------- */

static int file_close(sqlite3_file *f)
{
	struct power_file *p = (struct power_file *)f;
	int rc = p->real->pMethods ? p->real->pMethods->xClose(p->real) : SQLITE_OK;

	return rc;
}

static int file_read(sqlite3_file *f, void *buf, int n, sqlite3_int64 at)
{
	if (power_is_off) {
		last_errno = EIO;
		return SQLITE_IOERR_READ;
	}
	return real_of(f)->pMethods->xRead(real_of(f), buf, n, at);
}

static int file_write(sqlite3_file *f, const void *buf, int n, sqlite3_int64 at)
{
	struct power_file *p = (struct power_file *)f;
	bool was_off = power_is_off;
	bool failing = fails();

	if (was_off)
		return SQLITE_IOERR_WRITE;
	if (p->path)
		remember(p->path, at, (size_t)n, false);
	if (!failing)
		return p->real->pMethods->xWrite(p->real, buf, n, at);
	(void)p->real->pMethods->xWrite(p->real, buf, n / 2, at);
	return last_errno == ENOSPC ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

static int file_truncate(sqlite3_file *f, sqlite3_int64 size)
{
	struct power_file *p = (struct power_file *)f;

	if (fails())
		return SQLITE_IOERR_TRUNCATE;
	if (p->path)
		remember(p->path, size, 0, true);
	return p->real->pMethods->xTruncate(p->real, size);
}

static int file_sync(sqlite3_file *f, int flags)
{
	struct power_file *p = (struct power_file *)f;

	(void)flags;
	if (fails())
		return SQLITE_IOERR_FSYNC;
	if (p->path)
		forget(p->path);
	return SQLITE_OK;
}

static int file_size(sqlite3_file *f, sqlite3_int64 *size)
{
	return real_of(f)->pMethods->xFileSize(real_of(f), size);
}

static int file_lock(sqlite3_file *f, int lock)
{
	return real_of(f)->pMethods->xLock(real_of(f), lock);
}

static int file_unlock(sqlite3_file *f, int lock)
{
	return real_of(f)->pMethods->xUnlock(real_of(f), lock);
}

static int file_check_reserved(sqlite3_file *f, int *ret)
{
	return real_of(f)->pMethods->xCheckReservedLock(real_of(f), ret);
}

static int file_control(sqlite3_file *f, int op, void *arg)
{
	return real_of(f)->pMethods->xFileControl(real_of(f), op, arg);
}

static int file_sector_size(sqlite3_file *f)
{
	return real_of(f)->pMethods->xSectorSize(real_of(f));
}

static int file_characteristics(sqlite3_file *f)
{
	return real_of(f)->pMethods->xDeviceCharacteristics(real_of(f));
}

static int file_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **ret)
{
	return real_of(f)->pMethods->xShmMap(real_of(f), page, size, extend, ret);
}

static int file_shm_lock(sqlite3_file *f, int offset, int n, int flags)
{
	return real_of(f)->pMethods->xShmLock(real_of(f), offset, n, flags);
}

static void file_shm_barrier(sqlite3_file *f)
{
	real_of(f)->pMethods->xShmBarrier(real_of(f));
}

static int file_shm_unmap(sqlite3_file *f, int drop)
{
	return real_of(f)->pMethods->xShmUnmap(real_of(f), drop);
}

static const sqlite3_io_methods methods = {
	.iVersion = 2,
	.xClose = file_close,
	.xRead = file_read,
	.xWrite = file_write,
	.xTruncate = file_truncate,
	.xSync = file_sync,
	.xFileSize = file_size,
	.xLock = file_lock,
	.xUnlock = file_unlock,
	.xCheckReservedLock = file_check_reserved,
	.xFileControl = file_control,
	.xSectorSize = file_sector_size,
	.xDeviceCharacteristics = file_characteristics,
	.xShmMap = file_shm_map,
	.xShmLock = file_shm_lock,
	.xShmBarrier = file_shm_barrier,
	.xShmUnmap = file_shm_unmap,
};

/* --- the layer ------------------------------------------------------------------------------- */

static int vfs_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *f, int flags, int *ret)
{
	struct power_file *p = (struct power_file *)f;
	int rc;

	(void)vfs;
	p->base.pMethods = NULL;
	if (fails())
		return SQLITE_CANTOPEN;
	p->real = (sqlite3_file *)(p + 1);
	p->path = name;
	rc = real_vfs->xOpen(real_vfs, name, p->real, flags, ret);
	if (p->real->pMethods)
		p->base.pMethods = &methods;
	return rc;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
	(void)vfs;
	(void)sync;
	if (fails())
		return SQLITE_IOERR_DELETE;
	forget(name);
	return real_vfs->xDelete(real_vfs, name, 0);
}

static int vfs_last_error(sqlite3_vfs *vfs, int n, char *buf)
{
	(void)vfs;
	return last_errno ? last_errno : real_vfs->xGetLastError(real_vfs, n, buf);
}

void power_vfs_register(void)
{
	static sqlite3_vfs vfs;

	if (real_vfs)
		return;
	real_vfs = sqlite3_vfs_find(NULL);
	vfs = *real_vfs;
	vfs.zName = "power-cut";
	vfs.szOsFile = (int)sizeof(struct power_file) + real_vfs->szOsFile;
	vfs.xOpen = vfs_open;
	vfs.xDelete = vfs_delete;
	vfs.xGetLastError = vfs_last_error;
	sqlite3_vfs_register(&vfs, 1);
}
