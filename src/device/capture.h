/* SPDX-License-Identifier: MIT */
#ifndef DEVICE_CAPTURE_H
#define DEVICE_CAPTURE_H

#include "device/read.h"
#include "transport/transport.h"

/*
 * The capture plan: which commands are sent to a drive, in which order, and what gates each. It
 * runs in the calling process; devices_read runs it in a child. Used by src/device only.
 */

struct capture {
	struct sys *sys;
	const struct device *device;
	const struct read_options *options;
	struct transport *t;
	struct snapshot *s;
};

/* The snapshot's header: where the drive is and how it is attached, and the time. */
void capture_header(struct sys *sys, const struct device *device, struct snapshot *s);

/*
 * Read everything that the drive has into s, which has its header already. `tell` hears of each
 * command before it is sent (may be NULL). Failures are in the snapshot: state, problems, and one
 * error a log. -ENOMEM.
 */
int capture_drive(struct sys *sys, const struct device *device, const struct read_options *options,
		  void (*tell)(void *arg, const struct request *req), void *arg,
		  struct snapshot *s) MUST_USE;

/* As capture_drive, over a transport that is there already and stays with the caller. */
int capture_over(struct capture *c) MUST_USE;

/* --- for the plans of the command sets --- */

int capture_nvme(struct capture *c) MUST_USE;
int capture_ata(struct capture *c) MUST_USE;
int capture_scsi(struct capture *c) MUST_USE;

/*
 * Run a request and keep its data (ret->len bytes) or its failure as one log of the snapshot.
 * Returns what the request returned; -ENOMEM and -E2BIG of the snapshot too.
 */
int capture_log(struct capture *c, const struct request *req, enum log_space space, uint32_t id,
		uint32_t sub) MUST_USE;

/* Is there no point in asking this drive for anything more? Gone, no privilege, no memory. */
bool capture_is_over(int err);

/* err, or 0 where the drive just does not give this one thing and the rest can be read. */
int capture_optional(int err) MUST_USE;

/*
 * As capture_optional, for a command that was not run by capture_log: where there is no point in
 * going on, state and problem of the drive are set from d.
 */
int capture_stop(struct capture *c, int err, const struct diag *d) MUST_USE;

/* Set state and problem of a drive that could not be read, as err (of a command) says. */
void capture_failed(struct capture *c, int err, const struct diag *d);

/*
 * Who the drive is, as the kernel keeps it since it found the drive, for one that must not be
 * disturbed or does not answer: pages of INQUIRY and IDENTIFY DEVICE as they came, or the first 72
 * bytes of Identify Controller (vendor, serial number, model, firmware) put together again. What
 * is in the snapshot already, or not kept, is left out.
 */
void capture_kept(struct sys *sys, const struct device *device, struct snapshot *s);

#endif
