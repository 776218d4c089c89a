/* SPDX-License-Identifier: MIT */
#ifndef DEVICE_READ_H
#define DEVICE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "decode/snapshot.h"
#include "device/discover.h"
#include "sys/sys.h"

#define READ_TIMEOUT_DEFAULT 30 /* seconds a drive */
#define EXTRA_LOGS_MAX	     16

/* A vendor log that a drive rule knows this drive to have. */
struct extra_log {
	uint8_t id;
	uint32_t bytes;
};

/*
 * Which vendor logs does this drive have? so_far holds what was read until now: Identify, and log
 * 00h where the drive has it. Fills ret with up to max rows and returns how many.
 */
typedef size_t extra_logs_fn(void *arg, const struct snapshot *so_far, struct extra_log *ret,
			     size_t max);

struct read_options {
	bool wake; /* read drives in standby too */
	/*
	 * The NVMe persistent event log too (0Dh). It is the one log that cannot be read without
	 * changing state in the controller: a reporting context, which is released again.
	 */
	bool events;
	unsigned timeout_seconds;  /* for each drive; 0: READ_TIMEOUT_DEFAULT */
	extra_logs_fn *extra_logs; /* may be NULL; called in a child process */
	void *extra_logs_arg;
	/* Told about once a second, and when a drive is done, how many of the drives are; may be
	 * NULL. */
	void (*progress)(void *arg, size_t done, size_t total);
	void *progress_arg;
};

/*
 * Read n drives at the same time, each in a child process, because a pass-through command in the
 * kernel cannot be interrupted: a drive that gives no answer is abandoned at the time limit
 * (DRIVE_HUNG) and does not hold up the others, and the next run skips it while that child is
 * still there. Only commands that change nothing are sent; what a drive does not say or is not
 * known to have is not asked of it.
 *
 * ret has room for n snapshots and is filled for every drive, also for those that could not be
 * read: state and problems say why. The caller releases each. On failure (-EINTR after SIGINT,
 * SIGTERM or SIGHUP; -ENOMEM) nothing is left to release and all children are ended.
 */
int devices_read(struct sys *sys, const struct device *devices, size_t n,
		 const struct read_options *options, struct diag *d, struct snapshot *ret) MUST_USE;

#endif
