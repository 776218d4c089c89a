/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "device/capture.h"
#include "transport/codes.h"

/*
 * What an NVMe drive is asked, by its own word in Identify Controller (NVMe base specification
 * 2.0, figure 275). A log that the drive lacks would be refused, and many drives count every
 * refusal in their error log; so nothing is asked on suspicion.
 */

#define IDENTIFY_LEN	4096
#define TRANSFER_MIN	4096
#define TRANSFER_MAX	(64u << 10) /* also where the drive has no limit */
#define LOG_MAX		(1u << 20)
#define EVENTS_MAX	(256u << 10)
#define NAMESPACES_MAX	32
#define GROUPS_MAX	16
#define VERSION(ma, mi) ((uint32_t)(ma) << 16 | (uint32_t)(mi) << 8)

enum {
	CNS_NAMESPACE = 0x00,
	CNS_CONTROLLER = 0x01,
	CNS_ACTIVE_NAMESPACES = 0x02,
	CNS_NAMESPACE_DESCRIPTORS = 0x03,
};

struct plan {
	struct capture *c;
	struct bytes controller; /* Identify Controller, in the snapshot */
	struct bytes supported;	 /* log 00h; empty where the drive has none */
	size_t transfer;	 /* bytes of one command */
	bool offsets;		 /* logs can be read in parts */
	uint32_t version;
	uint16_t groups[GROUPS_MAX];
	size_t ngroups;
};

static int identify(struct plan *p, uint8_t cns, uint32_t nsid)
{
	CLEANUP(cleanup_free) void *data = transport_buffer(IDENTIFY_LEN);

	if (!data)
		return -ENOMEM;
	struct request req = request_nvme_identify(cns, nsid, data);
	return capture_log(p->c, &req, SPACE_NVME_IDENTIFY, cns, nsid);
}

/* The whole log in one command where it fits, else in parts where the drive can do that. */
static int read_parts(struct plan *p, uint8_t lid, uint8_t lsp, uint16_t lsi, size_t from,
		      uint8_t *data, size_t len, struct diag *d)
{
	for (size_t at = from; at < len;) {
		size_t n = len - at < p->transfer ? len - at : p->transfer;
		struct request req = request_nvme_log(lid, lsp, lsi, at, data + at, n);
		struct reply reply;
		int err = transport_exec(p->c->t, &req, &reply, d);
		if (err < 0)
			return err;
		at += n;
	}
	return 0;
}

static int keep_log(struct plan *p, uint8_t lid, uint16_t lsi, const uint8_t *data, size_t len,
		    int err, const struct diag *d)
{
	struct capture *c = p->c;

	if (err == 0)
		return snapshot_add(c->s, SPACE_NVME_LOG, lid, lsi, bytes_of(data, len));
	if (capture_stop(c, err, d) < 0)
		return err;
	return snapshot_add_error(c->s, SPACE_NVME_LOG, lid, lsi, err, d->text);
}

static int read_log(struct plan *p, uint8_t lid, uint16_t lsi, size_t len)
{
	struct diag d = { 0 };

	if (len > LOG_MAX)
		len = LOG_MAX;
	if (len > p->transfer && !p->offsets)
		len = p->transfer;
	CLEANUP(cleanup_free) uint8_t *data = transport_buffer(len);
	if (!data)
		return -ENOMEM;
	int err = read_parts(p, lid, 0, lsi, 0, data, len, &d);
	return keep_log(p, lid, lsi, data, len, err, &d);
}

/*
 * May this log be asked for? Log 00h lists them all (one double word each, bit 0 "supported");
 * without it the drive's capability bit, given by the caller, decides.
 */
static bool has_log(const struct plan *p, uint8_t lid, bool otherwise)
{
	if (p->supported.len < 1024)
		return otherwise;
	return bytes_le_or0(p->supported, (size_t)lid * 4, 4) & 1;
}

static void read_capabilities(struct plan *p)
{
	struct bytes id = p->controller;
	uint8_t mdts = (uint8_t)bytes_le_or0(id, 77, 1);

	p->version = (uint32_t)bytes_le_or0(id, 80, 4);
	p->offsets = bytes_le_or0(id, 261, 1) & 1 << 2;
	/* MDTS counts in the controller's smallest page, which is 4 KiB or more */
	p->transfer = mdts == 0 || mdts > 4 ? TRANSFER_MAX : (size_t)TRANSFER_MIN << mdts;
}

static int read_supported(struct plan *p)
{
	if (!(bytes_le_or0(p->controller, 261, 1) & 1 << 5))
		return 0;
	int err = read_log(p, NVME_LOG_SUPPORTED, 0, 1024);
	struct bytes log = snapshot_find(p->c->s, SPACE_NVME_LOG, NVME_LOG_SUPPORTED, 0);
	/* a list without the log that every drive must have is no list */
	if (log.len >= 1024 && (bytes_le_or0(log, NVME_LOG_SMART * 4, 4) & 1))
		p->supported = log;
	return err;
}

static void add_group(struct plan *p, uint16_t group)
{
	for (size_t i = 0; i < p->ngroups; i++)
		if (p->groups[i] == group)
			return;
	if (group && p->ngroups < GROUPS_MAX)
		p->groups[p->ngroups++] = group;
}

static int read_namespace(struct plan *p, uint32_t nsid)
{
	int err = capture_optional(identify(p, CNS_NAMESPACE, nsid));
	struct bytes ns = snapshot_find(p->c->s, SPACE_NVME_IDENTIFY, CNS_NAMESPACE, nsid);

	add_group(p, (uint16_t)bytes_le_or0(ns, 102, 2));
	/* the command exists since 1.3; older drives refuse it and count an error */
	if (err == 0 && p->version >= VERSION(1, 3))
		err = capture_optional(identify(p, CNS_NAMESPACE_DESCRIPTORS, nsid));
	return err;
}

/*
 * Only active namespaces are identified. Drives before 1.2 do not tell their version, and some of
 * them do not know the list of namespaces (new in 1.1): there the kernel's list serves.
 */
static int read_namespaces(struct plan *p)
{
	const struct device *device = p->c->device;
	int err = 0;

	if (p->version < VERSION(1, 2)) {
		for (size_t i = 0; i < device->nnamespaces && i < NAMESPACES_MAX && !err; i++)
			err = read_namespace(p, device->namespaces[i]);
		return err;
	}
	err = capture_optional(identify(p, CNS_ACTIVE_NAMESPACES, 0));
	struct bytes list = snapshot_find(p->c->s, SPACE_NVME_IDENTIFY, CNS_ACTIVE_NAMESPACES, 0);
	for (size_t i = 0; i < NAMESPACES_MAX && err == 0; i++) {
		/* adding logs moves the snapshot's array, not the bytes of a log */
		uint32_t nsid = (uint32_t)bytes_le_or0(list, i * 4, 4);
		if (nsid == 0)
			break;
		err = read_namespace(p, nsid);
	}
	return err;
}

/*
 * Endurance groups are those that an active namespace belongs to. Where none says so, and only
 * one group can exist (ENDGIDMAX 1), it is group 1.
 */
static int read_endurance(struct plan *p)
{
	bool groups = bytes_le_or0(p->controller, 96, 4) & 1 << 4;
	int err = 0;

	if (!groups || !has_log(p, NVME_LOG_ENDURANCE, true))
		return 0;
	if (p->ngroups == 0 && bytes_le_or0(p->controller, 340, 2) == 1)
		add_group(p, 1);
	for (size_t i = 0; i < p->ngroups && err == 0; i++)
		err = read_log(p, NVME_LOG_ENDURANCE, p->groups[i], 512);
	return err;
}

/*
 * The error log is read in its full size, ELPE + 1 entries: some drives refuse a part of it, and
 * all refuse more than they have.
 */
static int read_standard(struct plan *p)
{
	struct bytes id = p->controller;
	size_t entries = (size_t)bytes_le_or0(id, 262, 1) + 1;
	uint8_t lpa = (uint8_t)bytes_le_or0(id, 261, 1);
	bool selftest = bytes_le_or0(id, 256, 2) & 1 << 4;
	bool sanitize = bytes_le_or0(id, 328, 4) != 0;
	int err = read_log(p, NVME_LOG_SMART, 0, 512);

	if (err == 0 && has_log(p, NVME_LOG_ERRORS, true))
		err = read_log(p, NVME_LOG_ERRORS, 0, entries * 64);
	if (err == 0 && has_log(p, NVME_LOG_FIRMWARE, true))
		err = read_log(p, NVME_LOG_FIRMWARE, 0, 512);
	if (err == 0 && (lpa & 1 << 1) && has_log(p, NVME_LOG_EFFECTS, true))
		err = read_log(p, NVME_LOG_EFFECTS, 0, 4096);
	if (err == 0 && selftest && has_log(p, NVME_LOG_SELFTEST, true))
		err = read_log(p, NVME_LOG_SELFTEST, 0, 564);
	if (err == 0)
		err = read_endurance(p);
	if (err == 0 && sanitize && has_log(p, NVME_LOG_SANITIZE, true))
		err = read_log(p, NVME_LOG_SANITIZE, 0, 512);
	return err;
}

static int release_context(struct plan *p, uint8_t *data)
{
	struct request req = request_nvme_log(NVME_LOG_EVENTS, NVME_EVENTS_RELEASE, 0, 0, data,
					      512);
	struct diag d = { 0 };
	struct reply reply;
	int err = transport_exec(p->c->t, &req, &reply, &d);

	if (capture_stop(p->c, err, &d) < 0)
		return err;
	if (err < 0)
		snapshot_add_problem(p->c->s, err, "the reporting context of log 0Dh: %s", d.text);
	return 0;
}

/*
 * The persistent event log can be read only within a reporting context (5.16.1.14), which is
 * state of the controller, though no setting and no event: a read outside one is refused and may
 * be counted as an error. So it is taken with the first read and given back after the last, and
 * only if the caller asked for this log. Where another program holds the context ("command
 * sequence error") the log is left alone.
 */
static int read_events(struct plan *p)
{
	struct diag d = { 0 };
	struct reply reply;
	CLEANUP(cleanup_free) uint8_t *data = transport_buffer(EVENTS_MAX);

	if (!data)
		return -ENOMEM;
	struct request first = request_nvme_log(NVME_LOG_EVENTS, NVME_EVENTS_ESTABLISH, 0, 0, data,
						512);
	int err = transport_exec(p->c->t, &first, &reply, &d);
	if (err < 0)
		return keep_log(p, NVME_LOG_EVENTS, 0, NULL, 0, err, &d);

	/* total log length, in the header */
	uint64_t total = bytes_le_or0(bytes_of(data, 512), 8, 8);
	size_t len = total > EVENTS_MAX ? EVENTS_MAX : total < 512 ? 512 : (size_t)total;
	len &= ~(size_t)3;
	if (p->offsets)
		err = read_parts(p, NVME_LOG_EVENTS, NVME_EVENTS_READ, 0, 512, data, len, &d);
	else
		len = 512;
	int kept = keep_log(p, NVME_LOG_EVENTS, 0, data, len, err, &d);
	int released = release_context(p, data);
	return kept < 0 ? kept : released;
}

/* As read_events; a signal that would end this process waits until the context is given back. */
static int read_events_held(struct plan *p)
{
	struct sys *sys = p->c->sys;
	struct sys_hold hold;
	int held = sys->ops->hold_signals(sys, &hold);

	if (held < 0)
		return 0;
	int err = read_events(p);
	sys->ops->let_signals(sys, &hold);
	return err;
}

/*
 * Vendor logs: those that a rule knows for this model, and C0h, whose layout a GUID in it tells,
 * where log 00h has it.
 */
static int read_vendor(struct plan *p)
{
	const struct read_options *o = p->c->options;
	struct extra_log extra[EXTRA_LOGS_MAX];
	bool ocp_read = false;
	size_t n = 0;
	int err = 0;

	if (o->extra_logs)
		n = o->extra_logs(o->extra_logs_arg, p->c->s, extra, EXTRA_LOGS_MAX);
	for (size_t i = 0; i < n && err == 0; i++) {
		if (extra[i].id < 0xc0 || extra[i].bytes == 0 || !has_log(p, extra[i].id, true))
			continue;
		ocp_read |= extra[i].id == NVME_LOG_OCP;
		err = read_log(p, extra[i].id, 0, (extra[i].bytes + 3) & ~3u);
	}
	if (err == 0 && !ocp_read && has_log(p, NVME_LOG_OCP, false))
		err = read_log(p, NVME_LOG_OCP, 0, 512);
	return err;
}

int capture_nvme(struct capture *c)
{
	struct plan p = { .c = c };
	CLEANUP(cleanup_free) void *data = transport_buffer(IDENTIFY_LEN);
	struct diag d = { 0 };
	struct reply reply;

	if (!data)
		return -ENOMEM;
	struct request req = request_nvme_identify(CNS_CONTROLLER, 0, data);
	int err = transport_exec(c->t, &req, &reply, &d);
	if (err < 0) {
		capture_failed(c, err, &d);
		return err;
	}
	err = snapshot_add(c->s, SPACE_NVME_IDENTIFY, CNS_CONTROLLER, 0,
			   bytes_of(data, IDENTIFY_LEN));
	if (err < 0)
		return err;
	c->s->state = DRIVE_READ;
	p.controller = bytes_of(data, IDENTIFY_LEN);
	read_capabilities(&p);

	err = read_namespaces(&p);
	if (err == 0)
		err = read_supported(&p);
	if (err == 0)
		err = read_standard(&p);
	if (err == 0)
		err = read_vendor(&p);
	bool events = bytes_le_or0(p.controller, 261, 1) & 1 << 4;
	if (err == 0 && c->options->events && events && has_log(&p, NVME_LOG_EVENTS, true))
		err = read_events_held(&p);
	return err;
}
