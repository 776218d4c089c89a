/* SPDX-License-Identifier: MIT */
#include "device/child.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/json.h"
#include "device/capture.h"

#define OUTPUT_MAX    ((size_t)40 << 20) /* a full snapshot in hexadecimal, and some */
#define REAP_MS	      2000
#define REAP_PAUSE_MS 2
#define EXIT_FAILED   70

struct teller {
	struct sys *sys;
	int fd;
};

/* Losing such a line does no harm. */
static void tell(void *arg, const struct request *req)
{
	const struct teller *t = arg;
	char line[REQUEST_WHAT_MAX + 2];
	int n = snprintf(line, sizeof(line), ".%s\n", req->what);

	if (n > 0 && sys_write_all(t->sys, t->fd, line, (size_t)n) < 0)
		return;
}

/* All of the child's life. Returns its exit status. */
static int read_drive(struct sys *sys, const struct device *device,
		      const struct read_options *options, int fd)
{
	CLEANUP(snapshot_release) struct snapshot s;
	CLEANUP(str_release) struct str json = { .max = OUTPUT_MAX };
	struct teller teller = { .sys = sys, .fd = fd };

	capture_header(sys, device, &s);
	if (capture_drive(sys, device, options, tell, &teller, &s) < 0 ||
	    snapshot_write_json(&s, &json) < 0 || str_error(&json) < 0)
		return EXIT_FAILED;
	return sys_write_all(sys, fd, str_text(&json), json.len) < 0 ? EXIT_FAILED : 0;
}

int child_start(struct sys *sys, const struct device *device, const struct read_options *options,
		struct sys_hold *hold, struct child *ret)
{
	int ends[2];
	int err = sys->ops->pipe(sys, ends);

	if (err < 0)
		return err;
	pid_t pid = sys->ops->fork(sys);
	if (pid == 0) {
		int status = EXIT_FAILED;
		sys_close(sys, &ends[0]);
		sys->ops->let_signals(sys, hold);
		if (device->access == ACCESS_SMARTCTL)
			smartctl_exec(sys, device, ends[1]);
		else
			status = read_drive(sys, device, options, ends[1]);
		_exit(status); /* nothing of the parent's is to be flushed or cleaned up here */
	}
	sys_close(sys, &ends[1]);
	if (pid < 0) {
		sys_close(sys, &ends[0]);
		return pid;
	}
	*ret = (struct child){ .pid = pid, .fd = ends[0], .out.max = OUTPUT_MAX };
	return 0;
}

int child_take(struct sys *sys, struct child *child)
{
	char buf[16384];
	ssize_t n = sys->ops->read(sys, child->fd, buf, sizeof(buf));

	if (n == -EINTR || n == -EAGAIN)
		return 1;
	if (n <= 0)
		return (int)n;
	str_add_bytes(&child->out, buf, (size_t)n);
	int err = str_error(&child->out);
	return err < 0 ? err : 1;
}

/* The end of the lines that tell of commands. */
static size_t skip_lines(const struct child *child)
{
	const char *text = str_text(&child->out);
	size_t at = 0;

	while (text[at] == '.') {
		const char *end = memchr(text + at, '\n', child->out.len - at);
		if (!end)
			return child->out.len;
		at = (size_t)(end - text) + 1;
	}
	return at;
}

void child_last_command(const struct child *child, char *ret, size_t size)
{
	const char *text = str_text(&child->out);
	size_t end = skip_lines(child), start;

	ret[0] = '\0';
	if (end == 0)
		return;
	end--; /* the newline */
	for (start = end; start > 0 && text[start - 1] != '\n';)
		start--;
	snprintf(ret, size, "%.*s", (int)(end - start) - 1, text + start + 1);
}

bool child_reap(struct sys *sys, struct child *child, unsigned ms, int *ret_status)
{
	int64_t end = sys_ms(sys) + ms;

	while (child->pid > 0) {
		if (sys->ops->wait(sys, child->pid, ret_status) != -EAGAIN)
			child->pid = 0;
		else if (ms == 0 || sys_ms(sys) >= end)
			return false;
		else
			sys->ops->sleep(sys, REAP_PAUSE_MS);
	}
	return true;
}

static int read_snapshot(struct bytes text, struct diag *d, struct snapshot *ret)
{
	CLEANUP(json_release) cJSON *json = NULL;
	int err = json_parse(text, JSON_STRICT, d, &json, NULL);

	return err < 0 ? err : snapshot_read_json(json, d, ret);
}

int child_result(struct sys *sys, struct child *child, const struct device *device,
		 struct snapshot *s)
{
	struct diag d = { 0 };
	int status = 0;
	size_t skip = skip_lines(child);
	struct bytes out = bytes_of(str_text(&child->out) + skip, child->out.len - skip);

	/* its pipe is closed, so that it has ended or is about to */
	if (!child_reap(sys, child, REAP_MS, &status)) {
		sys->ops->kill(sys, child->pid, SIGKILL);
		child_reap(sys, child, REAP_MS, &status);
	}
	if (device->access == ACCESS_SMARTCTL && WIFEXITED(status))
		return smartctl_result(out, WEXITSTATUS(status), s);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
		struct snapshot read;
		int err = read_snapshot(out, &d, &read);
		if (err == 0) {
			snapshot_release(s);
			*s = read;
			return 0;
		}
		if (err == -ENOMEM)
			return err;
	}
	s->state = DRIVE_UNREADABLE;
	if (WIFSIGNALED(status))
		snapshot_add_problem(s, -EIO, "the reading process was ended by signal %d",
				     WTERMSIG(status));
	else
		snapshot_add_problem(s, -EIO, "the reading process failed%s%s",
				     d.text[0] ? ": " : "", d.text);
	return 0;
}

void child_release(struct sys *sys, struct child *child)
{
	sys_close(sys, &child->fd);
	str_release(&child->out);
	child->pid = 0;
}
