/* SPDX-License-Identifier: MIT */
#ifndef DEVICE_CHILD_H
#define DEVICE_CHILD_H

#include "base/str.h"
#include "device/read.h"

/*
 * One child process that reads one drive. What it writes into its pipe is one line for each
 * command that it is about to send (".log 02h"), and then the snapshot as a capture; a child that
 * is smartctl writes its JSON. Used by src/device only.
 */

struct child {
	pid_t pid;
	int fd;		/* read end of its pipe */
	struct str out; /* what came out of it so far */
};

/*
 * Start it. hold is what the parent holds its signals with; the child lets them go. -EAGAIN,
 * -EMFILE, -ENOMEM.
 */
int child_start(struct sys *sys, const struct device *device, const struct read_options *options,
		struct sys_hold *hold, struct child *ret) MUST_USE;

/* Take what has come. 1 there may be more, 0 the child has closed its end, -errno. */
int child_take(struct sys *sys, struct child *child) MUST_USE;

/* Turn what came, and how the child ended, into the snapshot (which has its header). -ENOMEM. */
int child_result(struct sys *sys, struct child *child, const struct device *device,
		 struct snapshot *s) MUST_USE;

/*
 * Wait up to ms for its end, which *ret_status then tells as waitpid(2) does. False where it is
 * still there.
 */
bool child_reap(struct sys *sys, struct child *child, unsigned ms, int *ret_status);

/* The command that the child was about to send when it fell silent; "" where it told none. */
void child_last_command(const struct child *child, char *ret, size_t size);

void child_release(struct sys *sys, struct child *child);

/* --- smartctl (smartctl.c) --- */

/* Become smartctl -j -x -d TYPE; returns only on failure. */
int smartctl_exec(struct sys *sys, const struct device *device, int out_fd);

/* Its answer into the snapshot. exit_status as smartctl(8) says. -ENOMEM. */
int smartctl_result(struct bytes out, int exit_status, struct snapshot *s) MUST_USE;

/* --- notes about hung children (hung.c) --- */

/* The process that an earlier run had to leave behind with this drive; 0 where there is none. */
pid_t hung_find(struct sys *sys, const struct device *device);

/* Leave a note for the next run, where /run can be written. */
void hung_note(struct sys *sys, const struct device *device, pid_t pid);

#endif
