/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "device/capture.h"

/* What a SAS drive is asked: pages that it lists (SPC-5, 6.8 and 7.7; SBC-4). */

#define PAGE_MAX  4096
#define LIST_MAX  256
#define SENSE_LEN 252

enum {
	VPD_LIST = 0x00,
	LOG_LIST = 0x00,
	ASC_LOW_POWER = 0x5e,
};

static const uint8_t vpd_pages[] = { 0x80, 0x83, 0x89, 0xb0, 0xb1 };
static const uint8_t log_pages[] = { 0x02, 0x03, 0x0d, 0x10, 0x11, 0x15, 0x19, 0x2f };

/*
 * Both kinds of page have a 16-bit length at byte 2. The whole page is asked for at once; a drive
 * that has less sends less, and what lies behind the page's own end is cut off.
 */
static int read_page(struct capture *c, const struct request *req, enum log_space space, uint8_t id)
{
	struct diag d = { 0 };
	struct reply reply;
	int err = transport_exec(c->t, req, &reply, &d);

	if (capture_stop(c, err, &d) < 0)
		return err;
	struct bytes page = bytes_of(req->data, reply.len);
	size_t want = 4 + (size_t)bytes_be_or0(page, 2, 2);
	if (err == 0 && page.len < 4)
		err = diag_fail(&d, -EIO, "%s: truncated: %zu bytes came", req->what, page.len);
	else if (err == 0 && want > page.len && page.len < req->len)
		err = diag_fail(&d, -EIO, "%s: truncated: %zu of %zu bytes came", req->what,
				page.len, want);
	/* VPD pages tell their number in byte 1, log pages in bits 5 to 0 of byte 0 */
	uint8_t number = space == SPACE_SCSI_VPD ? (uint8_t)bytes_be_or0(page, 1, 1)
						 : bytes_be_or0(page, 0, 1) & 0x3f;
	if (err == 0 && number != id)
		err = diag_fail(&d, -EIO, "%s: page %02Xh came instead", req->what, number);
	if (err < 0)
		return snapshot_add_error(c->s, space, id, 0, err, d.text);
	return snapshot_add(c->s, space, id, 0, bytes_slice(page, 0, want));
}

static int read_vpd(struct capture *c, uint8_t page, size_t len)
{
	CLEANUP(cleanup_free) void *data = transport_buffer(len);

	if (!data)
		return -ENOMEM;
	struct request req = request_scsi_vpd(page, data, len);
	return read_page(c, &req, SPACE_SCSI_VPD, page);
}

static int read_log(struct capture *c, uint8_t page)
{
	CLEANUP(cleanup_free) void *data = transport_buffer(PAGE_MAX);

	if (!data)
		return -ENOMEM;
	struct request req = request_scsi_log_sense(page, 0, data, PAGE_MAX);
	return read_page(c, &req, SPACE_SCSI_LOG, page);
}

/* Both lists of pages: one number a byte from byte 4 on. */
static bool is_listed(const struct capture *c, enum log_space space, uint8_t page)
{
	struct bytes list = snapshot_find(c->s, space, 0, 0);

	for (size_t i = 4; i < list.len; i++) {
		uint8_t number = space == SPACE_SCSI_LOG ? list.data[i] & 0x3f : list.data[i];
		if (number == page)
			return true;
	}
	return false;
}

/*
 * TEST UNIT READY takes what the drive has pending (a unit attention goes to the kernel this way,
 * not to us); REQUEST SENSE then tells nothing but the power condition. Neither wakes a drive.
 * 1: asleep.
 */
static int check_power(struct capture *c)
{
	CLEANUP(cleanup_free) uint8_t *data = transport_buffer(SENSE_LEN);
	struct request ready = request_scsi_test_unit_ready();
	struct diag d = { 0 };
	struct reply reply;

	if (!data)
		return -ENOMEM;
	int err = transport_exec(c->t, &ready, &reply, &d);
	if (capture_is_over(err) || err == -EAGAIN) {
		capture_failed(c, err, &d);
		return err;
	}
	diag_clear(&d);
	struct request req = request_scsi_request_sense(data, SENSE_LEN);
	err = transport_exec(c->t, &req, &reply, &d);
	if (capture_stop(c, err, &d) < 0)
		return err;
	if (err < 0)
		return 0;
	struct bytes bytes = bytes_of(data, reply.len);
	struct sense sense = sense_decode(bytes);
	if (!sense.valid)
		return 0;
	err = snapshot_add(c->s, SPACE_SCSI_SENSE, 0, 0, bytes);
	/* SPC-5, table F.1: 5Eh with 02h, 04h, 09h, 0Ah: standby by timer or command */
	bool standby = sense.asc == ASC_LOW_POWER && (sense.ascq == 0x02 || sense.ascq == 0x04 ||
						      sense.ascq == 0x09 || sense.ascq == 0x0a);
	return err < 0 ? err : standby;
}

static int read_inquiry(struct capture *c)
{
	CLEANUP(cleanup_free) uint8_t *data = transport_buffer(LIST_MAX);
	struct diag d = { 0 };
	struct reply reply;

	if (!data)
		return -ENOMEM;
	struct request req = request_scsi_inquiry(data, 96);
	int err = transport_exec(c->t, &req, &reply, &d);
	if (err == 0 && reply.len < 36)
		err = diag_fail(&d, -EIO, "%s: INQUIRY: truncated: %zu bytes came", c->device->path,
				reply.len);
	if (err < 0) {
		capture_failed(c, err, &d);
		return err;
	}
	c->s->state = DRIVE_READ;
	/* byte 4: length of what follows */
	return snapshot_add(c->s, SPACE_SCSI_INQUIRY, 0, 0,
			    bytes_slice(bytes_of(data, reply.len), 0, 5 + (size_t)data[4]));
}

static int read_capacity(struct capture *c)
{
	CLEANUP(cleanup_free) void *data = transport_buffer(32);

	if (!data)
		return -ENOMEM;
	struct request req = request_scsi_capacity(data);
	return capture_optional(capture_log(c, &req, SPACE_SCSI_CAPACITY, 0, 0));
}

/* The drive does not know LOG SENSE at all, other than that it failed this once. */
static bool has_no_log_pages(const struct snapshot *s)
{
	for (size_t i = 0; i < s->nlogs; i++)
		if (s->logs[i].space == SPACE_SCSI_LOG && s->logs[i].id == LOG_LIST)
			return s->logs[i].err == -EOPNOTSUPP;
	return false;
}

int capture_scsi(struct capture *c)
{
	int asleep = check_power(c);

	if (asleep < 0)
		return asleep;
	if (asleep && !c->options->wake) {
		c->s->state = DRIVE_STANDBY;
		capture_kept(c->sys, c->device, c->s);
		return 0;
	}
	int err = read_inquiry(c);
	if (err == 0)
		err = read_vpd(c, VPD_LIST, LIST_MAX);
	for (size_t i = 0; i < ARRAY_SIZE(vpd_pages) && err == 0; i++)
		if (is_listed(c, SPACE_SCSI_VPD, vpd_pages[i]))
			err = read_vpd(c, vpd_pages[i], PAGE_MAX);
	if (err == 0)
		err = read_capacity(c);
	if (err == 0)
		err = read_log(c, LOG_LIST);
	if (err == 0 && has_no_log_pages(c->s)) {
		c->s->state = DRIVE_NO_SMART;
		snapshot_add_problem(c->s, -EOPNOTSUPP, "the disk offers no log pages");
	}
	for (size_t i = 0; i < ARRAY_SIZE(log_pages) && err == 0; i++)
		if (is_listed(c, SPACE_SCSI_LOG, log_pages[i]))
			err = read_log(c, log_pages[i]);
	return err;
}
