/* SPDX-License-Identifier: MIT */
#include "cli/option.h"

#include <string.h>

#include "cli/build_config.h"
#include "device/read.h"
#include "report/fleet.h"

/* The digits of a macro that stands for a number. */
#define DIGITS_OF(number) #number
#define DIGITS(macro)	  DIGITS_OF(macro)

#define OPTION(name_, type_, group_, member, argument_, help_, ...)                  \
	{                                                                            \
		.name = (name_), .type = (type_), .group = (group_),                 \
		.offset = offsetof(struct options, member), .argument = (argument_), \
		.help = (help_), ##__VA_ARGS__                                       \
	}

const struct option_row option_rows[] = {
	OPTION("capacity", OPTION_BYTES, GROUP_EQUATION, capacity, "SIZE",
	       "capacity that the rated cycles apply to (80GB, 1.92TB, 256GiB)"),
	OPTION("pe", OPTION_NUMBER, GROUP_EQUATION, pe, "N", "rated program/erase cycles", .low = 1,
	       .high = 1e9),
	OPTION("waf", OPTION_NUMBER, GROUP_EQUATION, waf, "F",
	       "write amplification: NAND bytes written for each host byte", .low = 0.001,
	       .high = 1e6),
	OPTION("unevenness", OPTION_NUMBER, GROUP_EQUATION, unevenness, "F",
	       "wear unevenness: highest erase count of a block over the average", .low = 1,
	       .high = 1e6),
	OPTION("daily", OPTION_BYTES, GROUP_EQUATION, daily, "SIZE", "host writes a day"),
	OPTION("years", OPTION_NUMBER, GROUP_EQUATION, years, "N",
	       "years that the drive has to last; the answer is then the product of write "
	       "amplification and unevenness that allows it",
	       .low = 0.001, .high = 1000),

	OPTION("redact", OPTION_FLAG, GROUP_CAPTURE, redact, NULL,
	       "replace serial numbers, world wide names and host names by made-up ones"),

	OPTION("html", OPTION_FILE, GROUP_REPORT, html, "FILE",
	       "write one HTML page with charts to FILE; - is standard output"),
	OPTION("csv", OPTION_CSV, GROUP_REPORT, format, NULL, "the same as --format csv"),
	OPTION("mail", OPTION_FLAG, GROUP_REPORT, mail, NULL,
	       "print a complete message, for sendmail -t"),
	OPTION("mail-to", OPTION_TEXT, GROUP_REPORT, mail_to, "ADDRESS",
	       "the same, with the recipient in its header"),
	OPTION("window", OPTION_NUMBER, GROUP_REPORT, window, "DAYS",
	       "plan replacements so far ahead", .fallback = DIGITS(FLEET_WINDOW_DAYS), .low = 1,
	       .high = 36500),
	OPTION("lead-time", OPTION_NUMBER, GROUP_REPORT, lead, "DAYS",
	       "order drives so long before they are needed", .fallback = DIGITS(FLEET_LEAD_DAYS),
	       .low = 0, .high = 3650),

	OPTION("drive", OPTION_TEXT, GROUP_IMPORT, drive, "SERIAL",
	       "the serial number of the drive that dumps without one are of"),

	OPTION("since", OPTION_PAST, GROUP_QUERY, since, "TIME",
	       "from this time on (2026-05-01, 2026-05-01T10:00:00Z), or so long back (36h, 30d, "
	       "8w, 1y)"),
	OPTION("until", OPTION_PAST, GROUP_QUERY, until, "TIME", "up to this time, likewise"),
	OPTION("show", OPTION_TEXT, GROUP_QUERY, show, "NAME,...",
	       "facts and rates to show, by their JSON or short names; nandlife help metrics lists "
	       "them"),
	OPTION("over", OPTION_PAST, GROUP_QUERY, over, "DURATION",
	       "take rates over so long before each sample", .fallback = "1d"),
	OPTION("plot", OPTION_FLAG, GROUP_QUERY, plot, NULL,
	       "draw curves over time instead of a table"),
	OPTION("all", OPTION_FLAG, GROUP_QUERY, all, NULL,
	       "show every sample in the table, however many there are"),

	OPTION("redecode", OPTION_FLAG, GROUP_UPKEEP, redecode, NULL,
	       "the same as the subcommand redecode"),
	OPTION("dry-run", OPTION_FLAG, GROUP_UPKEEP, dry_run, NULL,
	       "with prune: only say what would go"),

	OPTION("output", OPTION_FILE, GROUP_TARGET, output, "FILE",
	       "write to FILE, not to standard output", .letter = 'o'),

	OPTION("firmware", OPTION_TEXT, GROUP_LOOKUP, firmware, "VERSION",
	       "look up the model with this firmware"),
	OPTION("size", OPTION_BYTES, GROUP_LOOKUP, size, "SIZE",
	       "look up the model in this size, where its name does not tell"),

	OPTION("via", OPTION_TEXT, GROUP_READ, via, "smartctl:TYPE",
	       "read the drive through an installed smartctl with this device type, as behind "
	       "RAID controllers (smartctl:megaraid,5)"),
	OPTION("wake", OPTION_FLAG, GROUP_READ, wake, NULL,
	       "read drives in standby too, which wakes them"),
	OPTION("events", OPTION_FLAG, GROUP_READ, events, NULL,
	       "read the NVMe persistent event log too; the controller holds a reporting context "
	       "meanwhile"),
	OPTION("timeout", OPTION_NUMBER, GROUP_READ, timeout, "SECONDS",
	       "give up on a drive that has not answered by then",
	       .fallback = DIGITS(READ_TIMEOUT_DEFAULT), .low = 1, .high = 86400),

	OPTION("from", OPTION_FILES, GROUP_DUMP, from, "FILE",
	       "read a capture or another tool's report instead of a drive; - is standard input"),
	OPTION("at", OPTION_TIME, GROUP_DUMP, at, "TIME",
	       "judge as if this were now (2026-05-01 or 2026-05-01T10:00:00Z, UTC)"),

	OPTION("db", OPTION_FILE, GROUP_HISTORY, db, "FILE", "the history database",
	       .fallback = build_history_file),

	OPTION("limit", OPTION_TEXTS, GROUP_JUDGE, limits, "NAME=VALUE",
	       "change a limit of the findings; nandlife help limits lists them"),

	OPTION("drive-db", OPTION_FOLDER, GROUP_RULES, drive_db, "DIR",
	       "use the drive rules in DIR instead of the installed ones"),

	OPTION("format", OPTION_FORMAT, GROUP_OUTPUT, format, "FORMAT", "how to print the answer",
	       .fallback = "text"),
	OPTION("json", OPTION_JSON, GROUP_OUTPUT, format, NULL, "the same as --format json"),
	OPTION("no-progress", OPTION_FLAG, GROUP_OUTPUT, no_progress, NULL,
	       "do not show how far long work has come"),

	OPTION("config", OPTION_FILE, GROUP_GENERAL, config, "FILE",
	       "read FILE instead of the system's nandlife.conf"),
	OPTION("quiet", OPTION_FLAG, GROUP_GENERAL, quiet, NULL, "say only what needs attention",
	       .letter = 'q'),
	OPTION("verbose", OPTION_FLAG, GROUP_GENERAL, verbose, NULL,
	       "say more: evidence and remarks too", .letter = 'v'),
	OPTION("help", OPTION_FLAG, GROUP_GENERAL, help, NULL, "explain the command",
	       .letter = 'h'),
	OPTION("version", OPTION_FLAG, GROUP_GENERAL, version, NULL, "print the version",
	       .letter = 'V'),
};
const size_t option_rows_n = ARRAY_SIZE(option_rows);

const struct option_row *option_by_name(const char *name)
{
	for (size_t i = 0; i < option_rows_n; i++)
		if (!strcmp(option_rows[i].name, name))
			return &option_rows[i];
	return NULL;
}

bool option_takes_value(const struct option_row *row)
{
	return row->type != OPTION_FLAG && row->type != OPTION_JSON && row->type != OPTION_CSV;
}

bool option_is_list(const struct option_row *row)
{
	return row->type == OPTION_TEXTS || row->type == OPTION_FILES;
}
