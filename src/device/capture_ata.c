/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "device/capture.h"
#include "device/kinds.h"
#include "transport/atasmart.h"

/*
 * What a SATA drive is asked, by its own word in IDENTIFY DEVICE (ACS-4, 7.12) and in its log
 * directory. A command that the drive aborts may stand in its error log ever after, so nothing is
 * asked on suspicion, and SMART is never enabled.
 */

#define SECTOR	  512
#define PAGES_MAX 8

enum {
	LOG_DIRECTORY = 0x00,
	LOG_SUMMARY_ERRORS = 0x01,
	LOG_EXT_ERRORS = 0x03,
	LOG_DEVSTAT = 0x04,
	LOG_SELFTEST = 0x06,
	LOG_EXT_SELFTEST = 0x07,
	LOG_SCT_STATUS = 0xe0,
};

/* Count register after CHECK POWER MODE (ACS-4, 7.3). */
enum {
	POWER_STANDBY = 0x00,
	POWER_STANDBY_Y = 0x01,
};

struct plan {
	struct capture *c;
	bool short_form;	   /* pass-through of 12 bytes, not 16 */
	struct bytes identify;	   /* in the snapshot */
	bool quick;		   /* answers fast enough for libatasmart */
	uint8_t directory[SECTOR]; /* of logs, by READ LOG EXT; zero where there is none */
	bool has_smart_directory;  /* the same by SMART READ LOG */
	uint8_t smart_directory[SECTOR];
};

static uint16_t word(const struct plan *p, unsigned n)
{
	return (uint16_t)bytes_le_or0(p->identify, (size_t)n * 2, 2);
}

/* A bit of words 84 and 87, each valid only with 01b in its top bits. */
static bool supports(const struct plan *p, unsigned bit)
{
	for (unsigned n = 84; n <= 87; n += 3)
		if (word(p, n) >> 14 == 1 && (word(p, n) & 1 << bit))
			return true;
	return false;
}

/* Is this what an ATA drive says to IDENTIFY, and not a bridge's own invention? */
static bool is_identify(struct bytes b)
{
	if (b.len < SECTOR || bytes_all(b, 0) || bytes_all(b, 0xff))
		return false;
	return !(bytes_le_or0(b, 0, 2) & 1 << 15); /* word 0, bit 15: not an ATA device */
}

static int exec(struct plan *p, struct request req, struct reply *ret, struct diag *d)
{
	req.ata.short_form = p->short_form;
	return transport_exec(p->c->t, &req, ret, d);
}

static int keep(struct plan *p, struct request req, enum log_space space, uint32_t id, uint32_t sub)
{
	req.ata.short_form = p->short_form;
	return capture_optional(capture_log(p->c, &req, space, id, sub));
}

/* 1 asleep, 0 awake or not known, or the error of a pass-through that cannot work. */
static int check_power(struct plan *p)
{
	struct diag d = { 0 };
	struct reply reply;
	int err = exec(p, request_ata_power_mode(), &reply, &d);

	if (capture_stop(p->c, err, &d) < 0)
		return err;
	if (err < 0)
		return 0; /* many bridges lose the registers */
	uint8_t mode = (uint8_t)reply.sense.ata.count;
	return mode == POWER_STANDBY || mode == POWER_STANDBY_Y;
}

static int read_identify(struct plan *p, struct diag *d)
{
	CLEANUP(cleanup_free) void *data = transport_buffer(SECTOR);

	if (!data)
		return -ENOMEM;
	struct reply reply;
	int64_t before = sys_ms(p->c->sys);
	int err = exec(p, request_ata_identify(data), &reply, d);
	p->quick = sys_ms(p->c->sys) - before <= ATASMART_QUICK_MS;
	if (err == 0 && !is_identify(bytes_of(data, reply.len)))
		err = diag_fail(d, -EIO, "IDENTIFY DEVICE: the answer is no ATA drive's");
	if (err < 0)
		return err;
	err = snapshot_add(p->c->s, SPACE_ATA_IDENTIFY, 0, 0, bytes_of(data, SECTOR));
	p->identify = snapshot_find(p->c->s, SPACE_ATA_IDENTIFY, 0, 0);
	return err;
}

static int read_sector(struct plan *p, struct request (*make)(void *data), enum log_space space)
{
	CLEANUP(cleanup_free) void *data = transport_buffer(SECTOR);

	if (!data)
		return -ENOMEM;
	return keep(p, make(data), space, 0, 0);
}

static int read_status(struct plan *p)
{
	struct diag d = { 0 };
	struct reply reply;
	int err = exec(p, request_ata_smart_status(), &reply, &d);

	if (capture_stop(p->c, err, &d) < 0)
		return err;
	if (err < 0)
		return snapshot_add_error(p->c->s, SPACE_ATA_SMART_STATUS, 0, 0, err, d.text);
	const uint8_t registers[2] = { (uint8_t)(reply.sense.ata.lba >> 8),
				       (uint8_t)(reply.sense.ata.lba >> 16) };
	return snapshot_add(p->c->s, SPACE_ATA_SMART_STATUS, 0, 0, bytes_of(registers, 2));
}

/*
 * libatasmart first; what it does not get is asked for directly, with the kernel's patience. Its
 * failure is no news in itself: it knows one layout of sense data and gives up after 2 s.
 */
static int read_smart(struct plan *p)
{
	struct snapshot *s = p->c->s;
	struct diag d = { 0 };
	int err = p->quick ? atasmart_read(p->c->sys, p->c->device->path, p->short_form ? 12 : 16,
					   &d, s)
			   : -EIO;
	bool read = err == 0 && snapshot_find(s, SPACE_ATA_SMART_DATA, 0, 0).data;

	if (err == -ENOMEM)
		return err;
	err = read ? 0 : read_sector(p, request_ata_smart_data, SPACE_ATA_SMART_DATA);
	if (err == 0 && !read)
		err = read_sector(p, request_ata_smart_thresholds, SPACE_ATA_SMART_THRESHOLDS);
	if (err == 0 && !snapshot_find(s, SPACE_ATA_SMART_STATUS, 0, 0).data)
		err = read_status(p);
	return err;
}

/* Pages of a log, by a directory: one word each (ACS-4, 9.2). */
static unsigned pages_in(const uint8_t *directory, uint8_t address)
{
	return (unsigned)bytes_le_or0(bytes_of(directory, SECTOR), (size_t)address * 2, 2);
}

static unsigned pages_of(const struct plan *p, uint8_t address)
{
	return pages_in(p->directory, address);
}

static int read_page(struct plan *p, uint8_t address, uint16_t page)
{
	CLEANUP(cleanup_free) void *data = transport_buffer(SECTOR);

	if (!data)
		return -ENOMEM;
	return keep(p, request_ata_log_ext(address, page, data, SECTOR), SPACE_ATA_LOG, address,
		    page);
}

static int read_smart_log(struct plan *p, uint8_t address)
{
	CLEANUP(cleanup_free) void *data = transport_buffer(SECTOR);

	if (!data)
		return -ENOMEM;
	return keep(p, request_ata_smart_log(address, data, SECTOR), SPACE_ATA_LOG, address, 0);
}

/* Page 0 lists the pages: from byte 8 on their count, then their numbers (ACS-4, 9.5.2). */
static bool devstat_listed(struct bytes list, unsigned page)
{
	unsigned n = (unsigned)bytes_le_or0(list, 8, 1);

	for (unsigned i = 0; i < n; i++)
		if (bytes_has(list, 9 + i, 1) && list.data[9 + i] == page)
			return true;
	return false;
}

static const uint8_t devstat_pages[] = { 1, 4, 5, 6, 7 };

static int read_devstat(struct plan *p)
{
	unsigned pages = pages_of(p, LOG_DEVSTAT);
	int err = pages ? read_page(p, LOG_DEVSTAT, 0) : 0;
	struct bytes list = snapshot_find(p->c->s, SPACE_ATA_LOG, LOG_DEVSTAT, 0);

	for (size_t i = 0; i < ARRAY_SIZE(devstat_pages) && err == 0; i++)
		if (devstat_pages[i] < pages && devstat_listed(list, devstat_pages[i]))
			err = read_page(p, LOG_DEVSTAT, devstat_pages[i]);
	return err;
}

/*
 * Without 48-bit commands the statistics come as a SMART log, whose pages can only be read from
 * the first on.
 */
static int read_devstat_28(struct plan *p)
{
	CLEANUP(cleanup_free) uint8_t *data = transport_buffer((size_t)PAGES_MAX * SECTOR);
	struct diag d = { 0 };
	struct reply reply;

	if (!data)
		return -ENOMEM;
	int err = exec(p, request_ata_smart_log(LOG_DIRECTORY, data, SECTOR), &reply, &d);
	if (err < 0)
		return capture_stop(p->c, err, &d);
	memcpy(p->smart_directory, data, SECTOR);
	p->has_smart_directory = true;
	size_t pages = pages_in(p->smart_directory, LOG_DEVSTAT);
	if (pages == 0)
		return 0;
	pages = pages < PAGES_MAX ? pages : PAGES_MAX;
	err = exec(p, request_ata_smart_log(LOG_DEVSTAT, data, pages * SECTOR), &reply, &d);
	if (err < 0)
		return capture_stop(p->c, err, &d);
	struct bytes list = bytes_of(data, SECTOR);
	err = snapshot_add(p->c->s, SPACE_ATA_LOG, LOG_DEVSTAT, 0, list);
	for (size_t i = 0; i < ARRAY_SIZE(devstat_pages) && err == 0; i++) {
		unsigned page = devstat_pages[i];
		if (page < pages && devstat_listed(list, page))
			err = snapshot_add(p->c->s, SPACE_ATA_LOG, LOG_DEVSTAT, page,
					   bytes_of(data + page * SECTOR, SECTOR));
	}
	return err;
}

/* One of the two old SMART logs: IDENTIFY has a bit for each, a directory may know better. */
static bool has_smart_log(const struct plan *p, uint8_t address, unsigned bit)
{
	if (!supports(p, bit))
		return false;
	return !p->has_smart_directory || pages_in(p->smart_directory, address);
}

static int read_logs(struct plan *p, bool smart)
{
	bool gpl = supports(p, 5);
	int err = 0;

	if (gpl && !p->short_form) {
		err = read_page(p, LOG_DIRECTORY, 0);
		struct bytes log = snapshot_find(p->c->s, SPACE_ATA_LOG, LOG_DIRECTORY, 0);
		if (log.len >= SECTOR)
			memcpy(p->directory, log.data, SECTOR);
		if (err == 0)
			err = read_devstat(p);
	} else if (gpl && smart) {
		err = read_devstat_28(p);
	}
	if (err == 0 && pages_of(p, LOG_EXT_SELFTEST))
		err = read_page(p, LOG_EXT_SELFTEST, 0);
	else if (err == 0 && smart && has_smart_log(p, LOG_SELFTEST, 1))
		err = read_smart_log(p, LOG_SELFTEST);
	if (err == 0 && pages_of(p, LOG_EXT_ERRORS))
		err = read_page(p, LOG_EXT_ERRORS, 0);
	else if (err == 0 && smart && has_smart_log(p, LOG_SUMMARY_ERRORS, 0))
		err = read_smart_log(p, LOG_SUMMARY_ERRORS);
	if (err == 0 && pages_of(p, LOG_SCT_STATUS) && (word(p, 206) & 1))
		err = read_page(p, LOG_SCT_STATUS, 0);
	return err;
}

static int read_drive(struct plan *p)
{
	bool supported = word(p, 82) & 1, enabled = word(p, 85) & 1;
	int err = 0;

	p->c->s->state = DRIVE_READ;
	if (supported && enabled)
		err = read_smart(p);
	else if (supported)
		snapshot_add_problem(p->c->s, -EOPNOTSUPP,
				     "SMART is switched off in this drive, and nandlife does not "
				     "switch it on: smartctl -s on %s does",
				     p->c->device->path);
	else
		snapshot_add_problem(p->c->s, -EOPNOTSUPP, "this drive has no SMART");
	return err < 0 ? err : read_logs(p, supported && enabled);
}

/* 1: asleep, and left so. -EIO and others where the bridge does not take this pass-through. */
static int try_form(struct plan *p, struct diag *d)
{
	int asleep = check_power(p);

	if (asleep < 0)
		return asleep;
	if (asleep && !p->c->options->wake) {
		p->c->s->state = DRIVE_STANDBY;
		capture_kept(p->c->sys, p->c->device, p->c->s);
		return 1;
	}
	return read_identify(p, d);
}

static void no_pass_through(struct capture *c, int err, const struct diag *d)
{
	const struct device *device = c->device;
	const struct bridge *bridge = bridge_find(device->usb_vendor, device->usb_product);

	if (device->access != ACCESS_USB || err == -EAGAIN || capture_is_over(err)) {
		capture_failed(c, err, d);
		return;
	}
	c->s->state = DRIVE_NO_SMART;
	capture_kept(c->sys, device, c->s);
	snapshot_add_problem(c->s, err,
			     "the USB bridge (%04x:%04x%s%s) passes no ATA commands through: %s",
			     device->usb_vendor, device->usb_product, bridge ? ", " : "",
			     bridge ? bridge->name : "", d->text);
}

int capture_ata(struct capture *c)
{
	struct plan p = { .c = c };
	struct diag d = { 0 };
	int err = try_form(&p, &d);

	/* not every translation layer knows the long form */
	if (err < 0 && !capture_is_over(err) && err != -EAGAIN) {
		diag_clear(&d);
		p.short_form = true;
		err = try_form(&p, &d);
	}
	if (err == 0)
		return read_drive(&p);
	if (err < 0 && c->s->nproblems == 0)
		no_pass_through(c, err, &d);
	return err < 0 ? err : 0;
}
