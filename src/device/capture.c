/* SPDX-License-Identifier: MIT */
#include "device/capture.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "transport/decorators.h"
#include "transport/nvme.h"
#include "transport/scsi.h"

#define KEPT_MAX      4096
#define KEPT_IDENTIFY 60 /* of VPD page 89h (SAT-4, 12.4.2) */

void capture_header(struct sys *sys, const struct device *device, struct snapshot *s)
{
	snapshot_init(s);
	if (sys_now(sys, &s->time) < 0)
		s->time = TIME_UNKNOWN;
	memcpy(s->path, device->path, sizeof(s->path));
	memcpy(s->by_id, device->by_id, sizeof(s->by_id));
	memcpy(s->array, device->array, sizeof(s->array));
	memcpy(s->location, device->location, sizeof(s->location));
	memcpy(s->transport, device->transport, sizeof(s->transport));
	memcpy(s->via, device->via, sizeof(s->via));
	s->node_bytes = device->bytes;
	s->node_block_bytes = device->block_bytes;
	s->node_rotational = device->rotational;
	memcpy(s->paths, device->paths, sizeof(s->paths));
	s->npaths = device->npaths;
}

bool capture_is_over(int err)
{
	switch (err) {
	case -ENODEV:
	case -EACCES:
	case -ENOMEM:
	case -E2BIG:
	case -ETIMEDOUT:
		return true;
	default:
		return false;
	}
}

int capture_optional(int err)
{
	return capture_is_over(err) ? err : 0;
}

void capture_failed(struct capture *c, int err, const struct diag *d)
{
	c->s->state = err == -EACCES ? DRIVE_NO_ACCESS : DRIVE_UNREADABLE;
	capture_kept(c->sys, c->device, c->s);
	if (err == -EAGAIN && c->device->state[0])
		snapshot_add_problem(c->s, err, "%s (the kernel calls its state \"%s\")", d->text,
				     c->device->state);
	else
		snapshot_add_problem(c->s, err, "%s", d->text);
}

int capture_stop(struct capture *c, int err, const struct diag *d)
{
	if (!capture_is_over(err))
		return 0;
	capture_failed(c, err, d);
	return err;
}

int capture_log(struct capture *c, const struct request *req, enum log_space space, uint32_t id,
		uint32_t sub)
{
	struct diag d = { 0 };
	struct reply reply;
	int err = transport_exec(c->t, req, &reply, &d);

	if (err == 0)
		return snapshot_add(c->s, space, id, sub, bytes_of(req->data, reply.len));
	if (capture_stop(c, err, &d) < 0)
		return err;
	int full = snapshot_add_error(c->s, space, id, sub, err, d.text);
	return full < 0 ? full : err;
}

static void keep(struct snapshot *s, enum log_space space, uint32_t id, struct bytes bytes)
{
	if (snapshot_find(s, space, id, 0).data)
		return;
	if (snapshot_add(s, space, id, 0, bytes) < 0)
		return; /* the drive has its problem text; who it is comes on top */
}

static void keep_page(struct sys *sys, const struct device *device, struct snapshot *s,
		      const char *file, enum log_space space, uint32_t id)
{
	CLEANUP(cleanup_free) char *page = NULL;
	char path[PATH_MAX];
	size_t n;

	snprintf(path, sizeof(path), "%s/device/%s", device->sysfs, file);
	if (sys_read_file(sys, path, KEPT_MAX, &page, &n) < 0)
		return;
	struct bytes bytes = bytes_of(page, n);
	if (space == SPACE_ATA_IDENTIFY)
		bytes = bytes_slice(bytes, KEPT_IDENTIFY, 512);
	if (bytes.len > 0 && (space != SPACE_ATA_IDENTIFY || bytes.len == 512))
		keep(s, space, id, bytes);
}

static void put_padded(uint8_t *field, size_t size, const char *text)
{
	size_t n = strlen(text);

	memset(field, ' ', size);
	memcpy(field, text, n < size ? n : size);
}

/* NVMe base specification 2.0, figure 275: VID, SSVID, SN, MN, FR. */
static void keep_controller(struct sys *sys, const struct device *device, struct snapshot *s)
{
	uint8_t id[72] = { 0 };
	char vendor[16];

	if (!device->model[0] && !device->serial[0])
		return;
	sys_read_line(sys, vendor, sizeof(vendor), "%s/device/vendor", device->sysfs);
	unsigned long number = strtoul(vendor, NULL, 16);
	id[0] = (uint8_t)number;
	id[1] = (uint8_t)(number >> 8);
	put_padded(id + 4, 20, device->serial);
	put_padded(id + 24, 40, device->model);
	put_padded(id + 64, 8, device->firmware);
	keep(s, SPACE_NVME_IDENTIFY, 1, bytes_of(id, sizeof(id)));
}

void capture_kept(struct sys *sys, const struct device *device, struct snapshot *s)
{
	if (device->access == ACCESS_NVME)
		keep_controller(sys, device, s);
	if (device->access == ACCESS_NVME || device->access == ACCESS_SMARTCTL)
		return;
	keep_page(sys, device, s, "vpd_pg89", SPACE_ATA_IDENTIFY, 0);
	keep_page(sys, device, s, "inquiry", SPACE_SCSI_INQUIRY, 0);
	keep_page(sys, device, s, "vpd_pg80", SPACE_SCSI_VPD, 0x80);
	keep_page(sys, device, s, "vpd_pg83", SPACE_SCSI_VPD, 0x83);
}

int capture_over(struct capture *c)
{
	switch (c->device->access) {
	case ACCESS_NVME:
		return capture_nvme(c);
	case ACCESS_ATA:
	case ACCESS_USB:
		return capture_ata(c);
	case ACCESS_SCSI:
		return capture_scsi(c);
	default:
		return -EOPNOTSUPP;
	}
}

/* Open the drive's node, with everything that has to stand in front of it. */
static int open_drive(struct capture *c, tell_fn *tell, void *arg, struct diag *d,
		      struct transport **ret)
{
	CLEANUP(transport_close) struct transport *t = NULL;
	bool nvme = c->device->access == ACCESS_NVME;
	int err = nvme ? nvme_transport(c->sys, c->device->path, d, &t)
		       : scsi_transport(c->sys, c->device->path, d, &t);

	if (err == 0 && !nvme)
		err = sat_transport(t, &t);
	if (err == 0 && tell)
		err = tell_transport(t, tell, arg, &t);
	if (err == 0)
		err = retry_transport(t, c->sys, &t);
	if (err == 0)
		err = guard_transport(t, EFFECT_READ, &t);
	if (err < 0) {
		t = NULL; /* a decorator that fails has closed what it got */
		return err;
	}
	*ret = t;
	t = NULL;
	return 0;
}

int capture_drive(struct sys *sys, const struct device *device, const struct read_options *options,
		  tell_fn *tell, void *arg, struct snapshot *s)
{
	CLEANUP(transport_close) struct transport *t = NULL;
	struct capture c = { .sys = sys, .device = device, .options = options, .s = s };
	static const unsigned pauses_ms[] = { 500, 1000, 2000 };
	struct diag d = { 0 };
	int err = open_drive(&c, tell, arg, &d, &t);

	/* a controller that is being reset or reconnected cannot even be opened */
	for (size_t i = 0; err == -EAGAIN && i < ARRAY_SIZE(pauses_ms); i++) {
		sys->ops->sleep(sys, pauses_ms[i]);
		diag_clear(&d);
		err = open_drive(&c, tell, arg, &d, &t);
	}
	if (err < 0) {
		capture_failed(&c, err, &d);
		return err == -ENOMEM ? err : 0;
	}
	c.t = t;
	err = capture_over(&c);
	return err == -ENOMEM ? err : 0;
}
