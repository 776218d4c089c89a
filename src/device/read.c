/* SPDX-License-Identifier: MIT */
#include "device/read.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "device/capture.h"
#include "device/child.h"

#define CHILDREN_MAX 128 /* at a time */
#define TERM_MS	     500 /* from SIGTERM to SIGKILL */
#define KILL_MS	     200 /* from SIGKILL until it is given up */
#define GIVE_UP_MS   1000

enum phase {
	PHASE_WAITING,
	PHASE_RUNNING,
	PHASE_ENDING, /* SIGTERM was sent */
	PHASE_KILLED, /* SIGKILL was sent */
	PHASE_DONE,
};

struct job {
	enum phase phase;
	int64_t deadline; /* ms, of the phase */
	struct child child;
};

struct reading_run {
	struct sys *sys;
	const struct device *devices;
	size_t n;
	const struct read_options *options;
	struct snapshot *snapshots;
	struct job *jobs;
	struct pollfd *fds; /* of the signals, then of each job */
	struct sys_hold hold;
	unsigned timeout_seconds;
	size_t active;
	bool interrupted;
};

static bool is_active(const struct job *job)
{
	return job->phase > PHASE_WAITING && job->phase < PHASE_DONE;
}

static void set_done(struct reading_run *run, size_t i)
{
	if (is_active(&run->jobs[i]))
		run->active--;
	run->jobs[i].phase = PHASE_DONE;
	child_release(run->sys, &run->jobs[i].child);
}

static void set_state(struct reading_run *run, size_t i, enum drive_state state, int err,
		      const char *text)
{
	run->snapshots[i].state = state;
	snapshot_add_problem(&run->snapshots[i], err, "%s", text);
}

/* Drives that need no child: those without SMART, and those whose last child still hangs. */
static bool settle_without_child(struct reading_run *run, size_t i)
{
	const struct device *device = &run->devices[i];
	char text[SKIP_MAX + 32];

	if (device->access == ACCESS_NONE) {
		snprintf(text, sizeof(text), "no SMART: %s", device->skip);
		set_state(run, i, DRIVE_NO_SMART, -EOPNOTSUPP, text);
		capture_kept(run->sys, device, &run->snapshots[i]);
		return true;
	}
	pid_t pid = hung_find(run->sys, device);
	if (pid == 0)
		return false;
	snprintf(text, sizeof(text), "skipped: process %d still waits for an answer of this drive",
		 pid);
	set_state(run, i, DRIVE_HUNG, -ETIMEDOUT, text);
	capture_kept(run->sys, device, &run->snapshots[i]);
	return true;
}

static void start(struct reading_run *run, size_t i)
{
	struct job *job = &run->jobs[i];
	char text[160];

	if (settle_without_child(run, i)) {
		set_done(run, i);
		return;
	}
	int err = child_start(run->sys, &run->devices[i], run->options, &run->hold, &job->child);
	if (err < 0) {
		if (run->active > 0 && (err == -EAGAIN || err == -EMFILE))
			return; /* when another one has ended */
		snprintf(text, sizeof(text), "cannot start a process to read it: %s",
			 strerror(-err));
		set_state(run, i, DRIVE_UNREADABLE, err, text);
		capture_kept(run->sys, &run->devices[i], &run->snapshots[i]);
		set_done(run, i);
		return;
	}
	job->phase = PHASE_RUNNING;
	job->deadline = sys_ms(run->sys) + (int64_t)run->timeout_seconds * 1000;
	run->active++;
}

static void start_some(struct reading_run *run)
{
	for (size_t i = 0; i < run->n; i++) {
		if (run->jobs[i].phase != PHASE_WAITING)
			continue;
		if (run->active >= CHILDREN_MAX)
			return;
		start(run, i);
		if (run->jobs[i].phase == PHASE_WAITING)
			return;
	}
}

/* The drive gave no answer in time; pid is that of a child that cannot be ended, or 0. */
static void set_hung(struct reading_run *run, size_t i, pid_t pid)
{
	char what[REQUEST_WHAT_MAX], text[240];

	child_last_command(&run->jobs[i].child, what, sizeof(what));
	int n = snprintf(text, sizeof(text), "no answer within %u s%s%s", run->timeout_seconds,
			 what[0] ? " to " : "", what);
	if (pid > 0)
		snprintf(text + n, sizeof(text) - (size_t)n,
			 "; process %d is left waiting in the kernel", pid);
	set_state(run, i, DRIVE_HUNG, -ETIMEDOUT, text);
	capture_kept(run->sys, &run->devices[i], &run->snapshots[i]);
}

/* The child has closed its pipe, or it cannot be read any more. */
static int finish(struct reading_run *run, size_t i)
{
	struct job *job = &run->jobs[i];
	struct snapshot *s = &run->snapshots[i];
	int err = child_result(run->sys, &job->child, &run->devices[i], s);

	if (err == 0 && s->state == DRIVE_UNREADABLE)
		capture_kept(run->sys, &run->devices[i], s);
	set_done(run, i);
	return err;
}

static int finish_late(struct reading_run *run, size_t i)
{
	struct snapshot unused;

	set_hung(run, i, 0);
	snapshot_init(&unused);
	int err = child_result(run->sys, &run->jobs[i].child, &run->devices[i], &unused);
	snapshot_release(&unused);
	set_done(run, i);
	return err;
}

static int take(struct reading_run *run, size_t i)
{
	struct job *job = &run->jobs[i];
	int more = child_take(run->sys, &job->child);

	if (more > 0)
		return 0;
	if (more < 0)
		run->sys->ops->kill(run->sys, job->child.pid, SIGKILL);
	return job->phase == PHASE_RUNNING ? finish(run, i) : finish_late(run, i);
}

/* The time of this phase is over. */
static void press(struct reading_run *run, size_t i, int64_t now)
{
	struct job *job = &run->jobs[i];
	struct sys *sys = run->sys;

	switch (job->phase) {
	case PHASE_RUNNING:
		sys->ops->kill(sys, job->child.pid, SIGTERM);
		job->phase = PHASE_ENDING;
		job->deadline = now + TERM_MS;
		break;
	case PHASE_ENDING:
		sys->ops->kill(sys, job->child.pid, SIGKILL);
		job->phase = PHASE_KILLED;
		job->deadline = now + KILL_MS;
		break;
	default:
		set_hung(run, i, job->child.pid);
		hung_note(sys, &run->devices[i], job->child.pid);
		set_done(run, i);
	}
}

static void interrupt(struct reading_run *run)
{
	int64_t now = sys_ms(run->sys);
	char taken[SYS_SIGNAL_BYTES];

	/* taken, or it would hit us once it is no longer held */
	if (run->sys->ops->read(run->sys, run->hold.fd, taken, sizeof(taken)) < 0)
		return;
	run->interrupted = true;
	for (size_t i = 0; i < run->n; i++) {
		if (run->jobs[i].phase == PHASE_WAITING)
			set_done(run, i);
		else if (run->jobs[i].phase == PHASE_RUNNING)
			press(run, i, now);
	}
}

/* Until something comes, or the time of some job's phase is over. */
static int wait_for_news(struct reading_run *run)
{
	int64_t now = sys_ms(run->sys), next = now + 1000;

	run->fds[0] = (struct pollfd){ .fd = run->interrupted ? -1 : run->hold.fd,
				       .events = POLLIN };
	for (size_t i = 0; i < run->n; i++) {
		const struct job *job = &run->jobs[i];
		run->fds[1 + i] = (struct pollfd){ .fd = is_active(job) ? job->child.fd : -1,
						   .events = POLLIN };
		if (is_active(job) && job->deadline < next)
			next = job->deadline;
	}
	int64_t left = next > now ? next - now : 0;
	int err = run->sys->ops->poll(run->sys, run->fds, run->n + 1, (int)left);
	return err == -EINTR ? 0 : err;
}

static int step(struct reading_run *run)
{
	int err = wait_for_news(run);

	if (err < 0)
		return err;
	if (!run->interrupted && run->fds[0].revents)
		interrupt(run);
	int64_t now = sys_ms(run->sys);
	for (size_t i = 0; i < run->n; i++) {
		struct job *job = &run->jobs[i];
		if (is_active(job) && run->fds[1 + i].revents) {
			err = take(run, i);
			if (err < 0)
				return err;
		}
		if (is_active(job) && now >= job->deadline)
			press(run, i, now);
	}
	return 0;
}

static void tell_progress(const struct reading_run *run)
{
	size_t done = 0;

	if (!run->options->progress)
		return;
	for (size_t i = 0; i < run->n; i++)
		done += run->jobs[i].phase == PHASE_DONE;
	run->options->progress(run->options->progress_arg, done, run->n);
}

static int run_all(struct reading_run *run)
{
	int err = 0;

	start_some(run);
	while (run->active > 0 && err == 0) {
		err = step(run);
		if (err == 0 && !run->interrupted)
			start_some(run);
		tell_progress(run);
	}
	return err < 0 ? err : run->interrupted ? -EINTR : 0;
}

/* Whatever went wrong, no child is left that can be ended, and nothing to release. */
static void give_up(struct reading_run *run)
{
	int status;

	for (size_t i = 0; i < run->n; i++)
		if (is_active(&run->jobs[i]))
			run->sys->ops->kill(run->sys, run->jobs[i].child.pid, SIGKILL);
	for (size_t i = 0; i < run->n; i++) {
		if (is_active(&run->jobs[i]))
			child_reap(run->sys, &run->jobs[i].child, GIVE_UP_MS, &status);
		set_done(run, i);
		snapshot_release(&run->snapshots[i]);
	}
}

int devices_read(struct sys *sys, const struct device *devices, size_t n,
		 const struct read_options *options, struct diag *d, struct snapshot *ret)
{
	CLEANUP(cleanup_free) struct job *jobs = calloc(n + 1, sizeof(*jobs));
	CLEANUP(cleanup_free) struct pollfd *fds = calloc(n + 1, sizeof(*fds));
	struct reading_run run = {
		.sys = sys,
		.devices = devices,
		.n = n,
		.options = options,
		.snapshots = ret,
		.jobs = jobs,
		.fds = fds,
		.timeout_seconds = options->timeout_seconds ? options->timeout_seconds
							    : READ_TIMEOUT_DEFAULT,
	};

	if (!jobs || !fds)
		return diag_fail(d, -ENOMEM, "out of memory");
	int err = sys->ops->hold_signals(sys, &run.hold);
	if (err < 0)
		return diag_fail(d, err, "cannot watch for signals: %s", strerror(-err));
	for (size_t i = 0; i < n; i++) {
		jobs[i].child.fd = -1;
		capture_header(sys, &devices[i], &ret[i]);
	}
	err = run_all(&run);
	if (err < 0)
		give_up(&run);
	sys->ops->let_signals(sys, &run.hold);
	if (err == -EINTR)
		return diag_fail(d, err, "interrupted");
	return err < 0 ? diag_fail(d, err, "cannot read the drives: %s", strerror(-err)) : 0;
}
