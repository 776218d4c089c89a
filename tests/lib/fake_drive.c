/* SPDX-License-Identifier: MIT */
#include "lib/fake_drive.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/nvme_ioctl.h>
#include <scsi/sg.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "lib/fake_ioctl.h"

/* In memory that child processes share, so that a test sees what its children sent. */
static struct {
	struct fake_drive drives[FAKE_DRIVES_MAX];
	size_t n;
} * all;

void fake_reset(void)
{
	if (!all) {
		all = mmap(NULL, sizeof(*all), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			   -1, 0);
		assert(all != MAP_FAILED);
	}
	for (size_t i = 0; i < all->n; i++)
		memset(&all->drives[i], 0, sizeof(all->drives[i]));
	all->n = 0;
}

struct fake_drive *fake_add(enum fake_kind kind, const char *node)
{
	assert(all && all->n < FAKE_DRIVES_MAX);
	struct fake_drive *drive = &all->drives[all->n++];
	drive->kind = kind;
	drive->takes_16 = drive->takes_12 = true;
	snprintf(drive->node, sizeof(drive->node), "%s", node);
	return drive;
}

uint8_t *fake_page(struct fake_drive *drive, enum fake_space space, uint32_t id, uint32_t sub,
		   size_t len)
{
	assert(drive->npages < FAKE_PAGES_MAX && len <= FAKE_BYTES_MAX);
	struct fake_page *page = &drive->pages[drive->npages++];
	page->space = space;
	page->id = id;
	page->sub = sub;
	page->len = len;
	memset(page->bytes, 0, sizeof(page->bytes));
	return page->bytes;
}

const struct fake_page *fake_find(const struct fake_drive *drive, enum fake_space space,
				  uint32_t id, uint32_t sub)
{
	for (size_t i = drive->npages; i > 0; i--) {
		const struct fake_page *page = &drive->pages[i - 1];
		if (page->space == space && page->id == id && page->sub == sub)
			return page;
	}
	return NULL;
}

void fake_put(uint8_t *page, size_t off, unsigned width, uint64_t value)
{
	for (unsigned i = 0; i < width; i++)
		page[off + i] = (uint8_t)(value >> (8 * i));
}

void fake_text(uint8_t *to, const char *text, size_t n)
{
	size_t len = strlen(text);

	memset(to, ' ', n);
	memcpy(to, text, len < n ? len : n);
}

unsigned fake_asked(const struct fake_drive *drive, uint8_t code)
{
	unsigned n = 0;

	for (unsigned i = 0; i < drive->ncommands && i < FAKE_TRACE_MAX; i++)
		n += drive->trace[i].code == code;
	return n;
}

unsigned fake_asked_log(const struct fake_drive *drive, uint8_t id)
{
	unsigned n = 0;

	for (unsigned i = 0; i < drive->ncommands && i < FAKE_TRACE_MAX; i++) {
		const struct fake_command *c = &drive->trace[i];
		if (drive->kind == FAKE_NVME)
			n += c->code == 0x02 && (c->cdw10 & 0xff) == id;
		else if (drive->kind == FAKE_ATA)
			n += (c->code == 0x2f || (c->code == 0xb0 && c->features == 0xd5)) &&
			     (c->lba & 0xff) == id;
		else
			n += c->code == 0x4d && (c->cdb[2] & 0x3f) == id;
	}
	return n;
}

/* The drive whose node this descriptor has open. */
static struct fake_drive *drive_of(int fd)
{
	char link[64], path[512];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t n = readlink(link, path, sizeof(path) - 1);
	if (n < 0 || !all)
		return NULL;
	path[n] = '\0';
	for (size_t i = 0; i < all->n; i++) {
		size_t len = strlen(all->drives[i].node);
		if ((size_t)n >= len && !strcmp(path + (size_t)n - len, all->drives[i].node))
			return &all->drives[i];
	}
	return NULL;
}

static void pause_ms(unsigned ms)
{
	struct timespec ts = { .tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000 };

	nanosleep(&ts, NULL);
}

struct fake_command *fake_note(struct fake_drive *drive)
{
	unsigned n = drive->ncommands++;
	struct fake_command *c = &drive->trace[n < FAKE_TRACE_MAX ? n : FAKE_TRACE_MAX - 1];

	memset(c, 0, sizeof(*c));
	return c;
}

/* What may go wrong with any command. */
static int trouble(struct fake_drive *drive)
{
	if (drive->delay_ms)
		pause_ms(drive->delay_ms);
	if (drive->dies_at_command)
		raise(SIGKILL);
	if (drive->hang_at && drive->ncommands + 1 >= (unsigned)drive->hang_at) {
		/* as in the kernel: no signal but the last one ends this */
		sigset_t every;
		sigfillset(&every);
		sigprocmask(SIG_BLOCK, &every, NULL);
		for (;;)
			pause_ms(1000);
	}
	if (drive->errno_of_all) {
		drive->ncommands++;
		errno = drive->errno_of_all;
		return -1;
	}
	return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	struct fake_drive *drive = drive_of(fd);
	va_list ap;

	va_start(ap, request);
	void *arg = va_arg(ap, void *);
	va_end(ap);
	if (!drive)
		return (int)syscall(SYS_ioctl, fd, request, arg);
	if (request == BLKGETSIZE64) {
		*(uint64_t *)arg = 512110190592;
		return 0;
	}
	if (request == NVME_IOCTL_ADMIN_CMD && drive->kind == FAKE_NVME)
		return trouble(drive) < 0 ? -1 : fake_nvme_admin(drive, arg);
	if (request == SG_IO && drive->kind != FAKE_NVME)
		return trouble(drive) < 0 ? -1 : fake_sg_io(drive, arg);
	errno = ENOTTY;
	return -1;
}

/* libatasmart and libsgutils2 look whether the node is a block device. */
static int fake_stat(int fd, struct stat *st)
{
	struct fake_drive *drive = drive_of(fd);

	if (fstatat(fd, "", st, AT_EMPTY_PATH) < 0)
		return -1;
	if (drive) {
		st->st_mode = (st->st_mode & 0777) | S_IFBLK;
		st->st_rdev = makedev(8, 0);
	}
	return 0;
}

/* The names under which the libraries know fstat(), depending on the C library's age. */
int fstat64(int __fd, struct stat64 *__buf)
{
	static_assert(sizeof(struct stat64) == sizeof(struct stat), "one layout of struct stat");
	return fake_stat(__fd, (struct stat *)__buf);
}

int __fxstat(int version, int fd, struct stat *st)
{
	(void)version;
	return fake_stat(fd, st);
}
