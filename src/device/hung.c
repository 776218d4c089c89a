/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "device/child.h"

#define NOTES_DIR "/run/nandlife"
#define STAT_MAX  4096

/*
 * A process that waits for a command in the kernel cannot be ended. A note with its number and
 * start time (numbers are used again) tells the next run to leave the drive alone.
 */

static void note_path(const struct device *device, char *ret, size_t size)
{
	snprintf(ret, size, NOTES_DIR "/%s.hung", device->name);
}

/* State and start time of a process (proc(5), /proc/PID/stat, fields 3 and 22). */
static int process_stat(struct sys *sys, pid_t pid, char *ret_state, uint64_t *ret_start)
{
	char line[STAT_MAX];

	if (sys_read_line(sys, line, sizeof(line), "/proc/%d/stat", pid) < 0)
		return -ESRCH;
	/* the name in field 2 may hold anything, also blanks and parentheses */
	char *at = strrchr(line, ')');
	if (!at || at[1] != ' ' || !at[2])
		return -ESRCH;
	*ret_state = at[2];
	for (unsigned field = 3; field <= 22; field++) {
		at = strchr(at, ' ');
		if (!at)
			return -ESRCH;
		at++;
	}
	at[strcspn(at, " ")] = '\0';
	return parse_u64(at, UINT64_MAX, ret_start);
}

pid_t hung_find(struct sys *sys, const struct device *device)
{
	char path[PATH_MAX], line[64], state;
	uint64_t pid, start, now_start;

	note_path(device, path, sizeof(path));
	if (sys_read_line(sys, line, sizeof(line), "%s", path) < 0)
		return 0;
	char *blank = strchr(line, ' ');
	if (blank) {
		*blank = '\0';
		if (parse_u64(line, INT32_MAX, &pid) == 0 &&
		    parse_u64(blank + 1, UINT64_MAX, &start) == 0 &&
		    process_stat(sys, (pid_t)pid, &state, &now_start) == 0 && state != 'Z' &&
		    start == now_start)
			return (pid_t)pid;
	}
	sys->ops->unlink(sys, path);
	return 0;
}

void hung_note(struct sys *sys, const struct device *device, pid_t pid)
{
	char path[PATH_MAX], line[64], state;
	uint64_t start;

	if (process_stat(sys, pid, &state, &start) < 0)
		return;
	sys->ops->mkdir(sys, NOTES_DIR, 0755);
	note_path(device, path, sizeof(path));
	snprintf(line, sizeof(line), "%d %llu\n", pid, (unsigned long long)start);
	/* without the right to write there, the next run just tries the drive again */
	if (sys_write_file(sys, path, line) < 0)
		sys->ops->unlink(sys, path);
}
