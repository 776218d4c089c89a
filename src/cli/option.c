/* SPDX-License-Identifier: MIT */
#include "cli/option.h"

#include <string.h>

#include "cli/build_config.h"
#include "device/read.h"
#include "ftl/drive_model.h"
#include "ftl/ftl.h"
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
	OPTION("capacity", OPTION_BYTES, GROUP_RATING, capacity, "SIZE",
	       "its capacity (80GB, 1.92TB, 256GiB)"),
	OPTION("pe", OPTION_NUMBER, GROUP_RATING, pe, "N",
	       "program/erase cycles that its blocks are rated for", .low = 1, .high = 1e9),
	OPTION("daily", OPTION_BYTES, GROUP_RATING, daily, "SIZE", "host writes a day"),

	OPTION("waf", OPTION_NUMBER, GROUP_EQUATION, waf, "F",
	       "write amplification: NAND bytes written for each host byte", .low = 0.001,
	       .high = 1e6),
	OPTION("unevenness", OPTION_NUMBER, GROUP_EQUATION, unevenness, "F",
	       "wear unevenness: highest erase count of a block over the average", .low = 1,
	       .high = 1e6),
	OPTION("years", OPTION_NUMBER, GROUP_EQUATION, years, "N",
	       "years that the drive has to last; the answer is then the product of write "
	       "amplification and unevenness that allows it",
	       .low = 0.001, .high = 1000),

	OPTION("logical-pages", OPTION_NUMBER, GROUP_MODEL, logical_pages, "N",
	       "size of the drive in pages, in the place of its capacity", .fallback = "1048576",
	       .low = 1, .high = UINT32_MAX - 1, .whole = true),
	OPTION("preset", OPTION_TEXT, GROUP_MODEL, preset, "NAME",
	       "a drive by name, whose values other options override; help lists all"),
	OPTION("page-size", OPTION_BYTES, GROUP_MODEL, page_size, "SIZE", "size of a page",
	       .fallback = "4KiB"),
	OPTION("pages-per-block", OPTION_NUMBER, GROUP_MODEL, pages_per_block, "N",
	       "pages that are erased together: of a block, or of a superblock over all dies",
	       .fallback = "256", .low = 2, .high = FTL_PAGES_PER_BLOCK_MAX, .whole = true),
	OPTION("spare", OPTION_SHARE, GROUP_MODEL, spare, "F",
	       "share of the flash pages that holds no data of the host", .low = 0, .high = 0.99),
	OPTION("superblock", OPTION_NUMBER, GROUP_MODEL, superblock, "N",
	       "blocks that are opened and erased together: dies times planes", .fallback = "1",
	       .low = 1, .high = 65536, .whole = true),
	OPTION("parity", OPTION_NUMBER, GROUP_MODEL, parity, "K",
	       "for each K data pages of a block one page of parity, taken from the spare",
	       .low = 1, .high = 65535, .whole = true),
	OPTION("bad-blocks", OPTION_SHARE, GROUP_MODEL, bad_blocks, "F",
	       "share of the blocks that is bad from the start, taken from the spare",
	       .fallback = "0", .low = 0, .high = 0.5),
	OPTION("held-back", OPTION_NUMBER, GROUP_MODEL, held_back, "N",
	       "blocks, taken from the spare, that only take the place of worn ones",
	       .fallback = "0", .low = 0, .high = 1e9, .whole = true),
	OPTION("compressed", OPTION_SHARE, GROUP_MODEL, compressed, "F",
	       "what the controller's compression leaves of the host's data", .fallback = "1",
	       .low = 0.01, .high = 2),
	OPTION("policy", OPTION_TEXT, GROUP_MODEL, policy, "NAME",
	       "which block is collected: greedy, windowed:W, fifo, random, choices:D or "
	       "cost-benefit",
	       .fallback = "greedy"),
	OPTION("ties", OPTION_TEXT, GROUP_MODEL, ties, "RULE",
	       "which of equally good blocks: newest (that came to its number of valid pages "
	       "last), "
	       "oldest or random",
	       .fallback = "newest"),
	OPTION("frontiers", OPTION_NUMBER, GROUP_MODEL, frontiers, "N",
	       "blocks that are written at a time: 1, or 2 with one for the pages that collection "
	       "moves",
	       .fallback = "1", .low = 1, .high = 2, .whole = true),
	OPTION("separate", OPTION_TEXT, GROUP_MODEL, separate, "HOW",
	       "keep hot and cold pages in blocks of their own: none, or by an oracle",
	       .fallback = "none"),
	OPTION("gc-start", OPTION_NUMBER, GROUP_MODEL, gc_start, "N",
	       "collect when so few blocks are free, the reserve not counted", .fallback = "0",
	       .low = 0, .high = 1e9, .whole = true),
	OPTION("gc-stop", OPTION_NUMBER, GROUP_MODEL, gc_stop, "N",
	       "collect until more than so many are free; without it as gc-start", .low = 0,
	       .high = 1e9, .whole = true),
	OPTION("wear-leveling", OPTION_TEXT, GROUP_MODEL, wear_leveling, "HOW",
	       "none, dynamic (the least worn free block is used next) or static (and blocks that "
	       "lag behind are collected)",
	       .fallback = "none"),
	OPTION("wear-leveling-spread", OPTION_NUMBER, GROUP_MODEL, wear_leveling_spread, "N",
	       "erases that the least worn block may lag behind, of static levelling",
	       .fallback = "20", .low = 1, .high = 1e9, .whole = true),
	OPTION("reuse", OPTION_TEXT, GROUP_MODEL, reuse, "WHICH",
	       "which free block is used next without wear levelling: own (of those in reserve, "
	       "one "
	       "that held pages of the same kind), last or first (erased); matters for the wear of "
	       "hot and cold blocks",
	       .fallback = "own"),
	OPTION("read-limit", OPTION_NUMBER, GROUP_MODEL, read_limit, "N",
	       "reads of a block after which it is refreshed; without it, none is", .low = 1,
	       .high = UINT32_MAX, .whole = true),
	OPTION("refresh-age", OPTION_NUMBER, GROUP_MODEL, refresh_age, "N",
	       "host pages written after which a block is refreshed; without it, none is", .low = 1,
	       .high = 1e15, .whole = true),
	OPTION("pe-cv", OPTION_SHARE, GROUP_MODEL, pe_cv, "F",
	       "deviation of the blocks' cycle limits over their mean, the rated cycles",
	       .fallback = "0", .low = 0, .high = 1),

	OPTION("workload", OPTION_TEXT, GROUP_WORKLOAD, workload, "NAME",
	       "what the host writes: uniform, sequential, hotcold:F,R (a share F of the pages "
	       "gets "
	       "a share R of the writes), zipf:S, jesd219, sizes:FILE (a table) or trace:FILE",
	       .fallback = "uniform"),
	OPTION("reads-per-write", OPTION_NUMBER, GROUP_WORKLOAD, reads_per_write, "F",
	       "pages in use that are read for each page written, any of them", .fallback = "0",
	       .low = 0, .high = 1e6),
	OPTION("request-size", OPTION_BYTES, GROUP_WORKLOAD, request_size, "SIZE",
	       "size of a request; without it of a page, and 4KiB in time", .fallback = "4KiB"),
	OPTION("align", OPTION_BYTES, GROUP_WORKLOAD, align, "SIZE",
	       "requests begin at multiples of it; without it, of their size"),
	OPTION("partition-start", OPTION_BYTES, GROUP_WORKLOAD, partition_start, "SIZE",
	       "so much later than that (31.5KiB for a partition that begins at sector 63)"),
	OPTION("partial", OPTION_TEXT, GROUP_WORKLOAD, partial, "HOW",
	       "pages that are written in part: modify (read, changed and written at once) or "
	       "coalesce (the last one of a request waits whether the next goes on in it)",
	       .fallback = "modify"),
	OPTION("reads", OPTION_SHARE, GROUP_WORKLOAD, reads, "F", "share of the requests that read",
	       .fallback = "0", .low = 0, .high = 1),
	OPTION("trims", OPTION_SHARE, GROUP_WORKLOAD, trims, "F",
	       "share of the requests that trim what they touch", .fallback = "0", .low = 0,
	       .high = 0.999),
	OPTION("trace-format", OPTION_TEXT, GROUP_WORKLOAD, trace_format, "NAME",
	       "format of a trace: msr, alibaba, tencent, mqsim, fio2, fio3, blkparse, or auto by "
	       "its content",
	       .fallback = "auto"),
	OPTION("trace-device", OPTION_TEXT, GROUP_WORKLOAD, trace_device, "NAME",
	       "which device of a trace that has several (hm_0, 3, 8,0)"),
	OPTION("trace-map", OPTION_TEXT, GROUP_WORKLOAD, trace_map, "HOW",
	       "places of a trace in the drive: none (as they are), fold (modulo its size) or "
	       "compact (the touched pages one after the other)",
	       .fallback = "none"),
	OPTION("skip-bad", OPTION_FLAG, GROUP_WORKLOAD, skip_bad, NULL,
	       "leave bad lines of a trace out, and say how many"),
	OPTION("trim-probability", OPTION_SHARE, GROUP_WORKLOAD, trim_probability, "Q",
	       "before each write, with this probability and then again, trim a page in use",
	       .fallback = "0", .low = 0, .high = 0.49),

	OPTION("precision", OPTION_SHARE, GROUP_SIMULATION, precision, "P",
	       "run until the 95 % interval of the write amplification is so narrow to either side",
	       .fallback = "0.5%", .low = 0.0001, .high = 0.5),
	OPTION("warmup", OPTION_NUMBER, GROUP_SIMULATION, warmup, "N",
	       "write so many pages before, the first fill included; without it, until the write "
	       "amplification is steady",
	       .low = 0, .high = 1e15, .whole = true),
	OPTION("until-death", OPTION_FLAG, GROUP_SIMULATION, until_death, NULL,
	       "run until so many blocks have worn out that nothing can be collected"),
	OPTION("engine", OPTION_TEXT, GROUP_SIMULATION, engine, "NAME",
	       "pages (a full map), counts (valid pages a block, exact for uniform writes) or auto",
	       .fallback = "auto"),
	OPTION("sweep", OPTION_TEXTS, GROUP_SIMULATION, sweep, "OPTION=V,...",
	       "a run for each of these values of an option (spare=0.07,0.1,0.28), and for each "
	       "combination where it is given again; a table of all"),
	OPTION("replicates", OPTION_NUMBER, GROUP_SIMULATION, replicates, "N",
	       "run N times with seeds that follow each other, and give the interval over all",
	       .fallback = "1", .low = 1, .high = 10000, .whole = true),
	OPTION("jobs", OPTION_NUMBER, GROUP_SIMULATION, jobs, "N",
	       "runs at a time; without it, as many as there are processors", .low = 1,
	       .high = 1024, .whole = true),
	OPTION("summarise", OPTION_FILE, GROUP_SIMULATION, summarise, "TRACE",
	       "no run: what a trace asks, as a table that sizes:FILE takes"),
	OPTION("warranty-years", OPTION_NUMBER, GROUP_SIMULATION, warranty_years, "N",
	       "years over which the drive writes a day are counted", .fallback = "5", .low = 0.1,
	       .high = 100),
	OPTION("analytic", OPTION_FLAG, GROUP_SIMULATION, analytic, NULL,
	       "answer by a formula, without a run, where one applies"),
	OPTION("seed", OPTION_NUMBER, GROUP_SIMULATION, seed, "N",
	       "seed of the random numbers: the same one gives the same result", .fallback = "1",
	       .low = 0, .high = 0x1p53, .whole = true),

	OPTION("cell", OPTION_TEXT, GROUP_TIMING, cell, "TYPE",
	       "cells of the flash, which say how long it takes: slc, mlc, tlc or qlc; any option "
	       "of "
	       "this group makes the run one in time",
	       .fallback = "tlc"),
	OPTION("phases", OPTION_FILE, GROUP_TIMING, phases, "FILE",
	       "what is done to the drive, a stage a line: trim, fill, write, read, idle, measure"),
	OPTION("duration", OPTION_TEXT, GROUP_TIMING, duration, "TIME",
	       "measure for so long (90s, 15min, 10h) from new"),
	OPTION("interval", OPTION_TEXT, GROUP_TIMING, interval, "TIME",
	       "give a value so often (1s, 1min); without it, as often as the curve needs"),
	OPTION("queue-depth", OPTION_NUMBER, GROUP_TIMING, queue_depth, "N",
	       "requests that the host keeps going", .fallback = "32", .low = 1,
	       .high = QUEUE_DEPTH_MAX, .whole = true),
	OPTION("channels", OPTION_NUMBER, GROUP_TIMING, channels, "N",
	       "channels between controller and flash", .fallback = "8", .low = 1,
	       .high = DRIVE_CHANNELS_MAX, .whole = true),
	OPTION("dies", OPTION_NUMBER, GROUP_TIMING, dies, "N", "dies on all channels",
	       .fallback = "32", .low = 1, .high = DRIVE_DIES_MAX, .whole = true),
	OPTION("flash-page", OPTION_BYTES, GROUP_TIMING, flash_page, "SIZE",
	       "what a die reads at once", .fallback = "16KiB"),
	OPTION("program-size", OPTION_BYTES, GROUP_TIMING, program_size, "SIZE",
	       "what a die programs at once: a page of each of its planes", .fallback = "32KiB"),
	OPTION("erase-size", OPTION_BYTES, GROUP_TIMING, erase_size, "SIZE",
	       "what a die erases at once: a block of each of its planes", .fallback = "8MiB"),
	OPTION("read-time", OPTION_NUMBER, GROUP_TIMING, read_time, "US",
	       "microseconds of one such read; without it as the cells need", .low = 0.001,
	       .high = 1e6),
	OPTION("program-time", OPTION_NUMBER, GROUP_TIMING, program_time, "US",
	       "microseconds of one such program", .low = 0.001, .high = 1e6),
	OPTION("erase-time", OPTION_NUMBER, GROUP_TIMING, erase_time, "US",
	       "microseconds of one such erase", .low = 0.001, .high = 1e7),
	OPTION("channel-speed", OPTION_BYTES, GROUP_TIMING, channel_speed, "SIZE",
	       "what one channel moves in a second", .fallback = "400MB"),
	OPTION("link-speed", OPTION_BYTES, GROUP_TIMING, link_speed, "SIZE",
	       "what the link to the host moves in a second", .fallback = "550MB"),
	OPTION("host-time", OPTION_NUMBER, GROUP_TIMING, host_time, "US",
	       "microseconds of the host for each command", .fallback = "5", .low = 0, .high = 1e6),
	OPTION("command-time", OPTION_NUMBER, GROUP_TIMING, command_time, "US",
	       "microseconds of the controller for it; it takes one command after the other",
	       .fallback = "2", .low = 0, .high = 1e6),
	OPTION("search-time", OPTION_NUMBER, GROUP_TIMING, search_time, "NS",
	       "nanoseconds of the controller for each block that it looks at to choose a victim",
	       .fallback = "0", .low = 0, .high = 1e9),
	OPTION("write-queue", OPTION_NUMBER, GROUP_TIMING, write_queue, "N",
	       "programs that the write buffer holds for each die; 0: a write ends when it is "
	       "programmed",
	       .fallback = "2", .low = 0, .high = 1024, .whole = true),
	OPTION("coalesce", OPTION_BYTES, GROUP_TIMING, coalesce, "SIZE",
	       "written data that the controller holds back, to program once what is written again "
	       "and whole pages of small writes",
	       .fallback = "0"),
	OPTION("gc", OPTION_TEXT, GROUP_TIMING, gc, "WHEN",
	       "when garbage is collected: demand, idle, or continuous:K, which copies K pages for "
	       "each one written",
	       .fallback = "demand"),
	OPTION("gc-at-once", OPTION_FLAG, GROUP_TIMING, gc_at_once, NULL,
	       "a write waits for the whole victim; else its pages are moved between the writes"),
	OPTION("cache", OPTION_BYTES, GROUP_TIMING, cache, "SIZE",
	       "a write cache of cells that hold one bit"),
	OPTION("cache-mode", OPTION_TEXT, GROUP_TIMING, cache_mode, "MODE",
	       "static (flash of its own) or dynamic (of what is free)", .fallback = "static"),
	OPTION("cache-overflow", OPTION_TEXT, GROUP_TIMING, cache_overflow, "HOW",
	       "when the cache is full: fold its oldest data into the main area first, or write "
	       "past it",
	       .fallback = "past"),
	OPTION("cache-fold", OPTION_BYTES, GROUP_TIMING, cache_fold, "SIZE",
	       "fold so much in an idle period; without it all"),
	OPTION("cache-hold", OPTION_BYTES, GROUP_TIMING, cache_hold, "SIZE",
	       "leave so much in the cache", .fallback = "0"),
	OPTION("scale", OPTION_NUMBER, GROUP_TIMING, scale, "N",
	       "model one Nth of the drive in one Nth of the time, and show the whole",
	       .fallback = "1", .low = 1, .high = 100000, .whole = true),

	OPTION("overprovision", OPTION_SHARE, GROUP_SPARE, overprovision, "F",
	       "flash beyond the size of the drive, as a share of that size; simulate takes 7% "
	       "where no spare is given",
	       .low = 0, .high = 99),
	OPTION("writes", OPTION_NUMBER, GROUP_WRITES, writes, "N",
	       "of simulate: measure over so many pages written by the host; of project: xN, the "
	       "host writes N times as much",
	       .low = 1, .high = 1e15, .whole = true, .times = true),
	OPTION("fill", OPTION_SHARE, GROUP_FILL, fill, "F",
	       "share of the drive that holds data; in simulate the rest is never written, or by a "
	       "trace only, and all of it holds data where this is not given",
	       .low = 0, .high = 99),
	OPTION("trim", OPTION_TEXT, GROUP_WHAT_IF, trim, "WHEN",
	       "when the drive is told of deleted files: daily, weekly, never or at-once"),
	OPTION("instead-of", OPTION_TEXT, GROUP_WHAT_IF, instead_of, "PRESET",
	       "this drive's data and writes on a drive like the preset"),
	OPTION("fill-now", OPTION_SHARE, GROUP_WHAT_IF, fill_now, "F",
	       "share of the capacity that holds files today, where the drive does not say",
	       .low = 0.01, .high = 1),
	OPTION("trim-now", OPTION_TEXT, GROUP_WHAT_IF, trim_now, "WHEN",
	       "when it is told of deleted files today, likewise"),

	OPTION("redact", OPTION_FLAG, GROUP_CAPTURE, redact, NULL,
	       "replace serial numbers, world wide names and host names by made-up ones"),

	OPTION("html", OPTION_FILE, GROUP_PAGE, html, "FILE",
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

bool option_is_given(const struct options *o, const struct option_row *row)
{
	const void *value = (const char *)o + row->offset;

	switch (row->type) {
	case OPTION_FLAG:
		return *(const bool *)value;
	case OPTION_BYTES:
	case OPTION_NUMBER:
	case OPTION_SHARE:
		return ((const struct option_number *)value)->set;
	case OPTION_TEXT:
	case OPTION_FILE:
	case OPTION_FOLDER:
		return *(const char *const *)value && *(const char *const *)value != row->fallback;
	default:
		return false;
	}
}

bool options_given(const struct options *o, unsigned groups)
{
	for (size_t i = 0; i < option_rows_n; i++)
		if (option_rows[i].group & groups && option_is_given(o, &option_rows[i]))
			return true;
	return false;
}
