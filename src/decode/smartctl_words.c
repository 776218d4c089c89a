/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "decode/ata.h"
#include "decode/dump.h"

/* smartctl's words, as its JSON messages and its text have them alike. */

static const struct {
	const char *words;
	enum drive_state state;
} state_words[] = {
	{ "Permission denied", DRIVE_NO_ACCESS },
	{ "Operation not permitted", DRIVE_NO_ACCESS },
	{ "Device is in STANDBY", DRIVE_STANDBY },
	{ "Device is in SLEEP", DRIVE_STANDBY },
	{ "Device is in IDLE", DRIVE_STANDBY },
	{ "Unable to detect device type", DRIVE_NO_SMART },
	{ "Unknown USB bridge", DRIVE_NO_SMART },
	{ "specify device type with the -d option", DRIVE_NO_SMART },
	{ "Unavailable - device lacks SMART capability", DRIVE_NO_SMART },
	{ "Smartctl open device:", DRIVE_UNREADABLE },
	{ "Read Device Identity failed", DRIVE_UNREADABLE },
	{ "Read NVMe Identify Controller failed", DRIVE_UNREADABLE },
	{ "INQUIRY failed", DRIVE_UNREADABLE },
	{ "A mandatory SMART command failed", DRIVE_UNREADABLE },
};

bool smartctl_state_from_text(const char *text, enum drive_state *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(state_words); i++) {
		if (strstr(text, state_words[i].words)) {
			*ret = state_words[i].state;
			return true;
		}
	}
	return false;
}

#define EXIT_COMMAND_LINE  (1u << 0)
#define EXIT_DEVICE_OPEN   (1u << 1)
#define EXIT_SMART_COMMAND (1u << 2)
#define EXIT_FAILING	   (1u << 3)

void smartctl_apply_exit_status(struct reading *r, unsigned status)
{
	if (status & EXIT_COMMAND_LINE)
		reading_add_problem(r, -EINVAL, "smartctl: its command line was not understood");
	if (status & EXIT_DEVICE_OPEN && r->state == DRIVE_READ)
		reading_add_problem(r, -EIO,
				    "smartctl: the drive could not be opened or identified");
	if (status & EXIT_SMART_COMMAND)
		reading_add_problem(r, -EIO, "smartctl: a command to the drive failed");
	if (status & (EXIT_COMMAND_LINE | EXIT_DEVICE_OPEN) && r->state == DRIVE_READ)
		r->state = DRIVE_UNREADABLE;
	if (status & EXIT_FAILING && r->smart_status == SMART_STATUS_UNKNOWN)
		r->smart_status = SMART_STATUS_FAILED;
}

enum smart_status smartctl_status_from_text(const char *text)
{
	if (text_starts_with(text, "PASSED") || strcmp(text, "OK") == 0)
		return SMART_STATUS_PASSED;
	if (!*text || text_starts_with(text, "UNKNOWN"))
		return SMART_STATUS_UNKNOWN;
	/* "FAILED!"; SCSI names the failure that is predicted: "FIRMWARE IMPENDING FAILURE ..." */
	return SMART_STATUS_FAILED;
}

static const struct {
	const char *words;
	unsigned code;
} selftest_words[] = {
	{ "Completed without error", 0 },	{ "Aborted by host", 1 },
	{ "Interrupted (host reset)", 2 },	{ "Fatal or unknown error", 3 },
	{ "Completed: unknown failure", 4 },	{ "Completed: electrical failure", 5 },
	{ "Completed: servo/seek failure", 6 }, { "Completed: read failure", 7 },
	{ "Completed: handling damage", 8 },	{ "Self-test routine in progress", 15 },
};

unsigned smartctl_selftest_code(const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(selftest_words); i++)
		if (strstr(text, selftest_words[i].words))
			return selftest_words[i].code;
	return 0xff;
}

/* NVM Express 1.4, 5.14.1.6, figure 206. */
enum selftest_result smartctl_nvme_selftest_result(unsigned code)
{
	if (code == 0)
		return SELFTEST_PASSED;
	if (code >= 5 && code <= 7)
		return SELFTEST_FAILED;
	return code <= 9 ? SELFTEST_ABORTED : SELFTEST_UNKNOWN;
}

const char *smartctl_nvme_selftest_kind(unsigned code)
{
	return code == 1 ? "short" : code == 2 ? "extended" : "vendor";
}

struct selftest *reading_new_selftest(struct reading *r)
{
	struct selftest *t;

	if (r->nselftests >= SELFTESTS_MAX)
		return NULL;
	t = &r->selftests[r->nselftests++];
	*t = (struct selftest){ .remaining_percent = -1, .result = SELFTEST_UNKNOWN };
	return t;
}
