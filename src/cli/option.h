/* SPDX-License-Identifier: MIT */
#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "cli/format.h"

/*
 * Every option is one row; the rows drive the parser, the help, the man pages and the completions.
 *
 * Options may stand before or after the command. `--name value`, `--name=value`, `-n value` and
 * `-nvalue` are the same; flags of one letter may be joined (`-qv`); `--` ends the options. Names
 * are never completed or guessed: a near one is suggested. Of a single-valued option given twice
 * the last counts.
 */

enum option_type {
	OPTION_FLAG,   /* bool */
	OPTION_JSON,   /* a flag that stands for --format json */
	OPTION_CSV,    /* the same for csv */
	OPTION_FORMAT, /* struct option_format */
	OPTION_TEXT,   /* const char * */
	OPTION_FILE,   /* const char *, completed as a file name */
	OPTION_FOLDER, /* const char *, completed as a folder name */
	OPTION_BYTES,  /* struct option_number; a size with its unit */
	OPTION_NUMBER, /* struct option_number within low..high */
	OPTION_SHARE,  /* the same, written as 0.07 or 7% */
	OPTION_TIME,   /* struct option_time */
	OPTION_PAST,   /* struct option_past */
	OPTION_TEXTS,  /* struct option_list; may be repeated */
	OPTION_FILES,  /* struct option_list; may be repeated */
};

/* Options come in groups, and a command takes whole groups. The order is that of the help. */
enum option_group {
	GROUP_EQUATION = 1 << 0, /* the wear equation without a drive */
	GROUP_CAPTURE = 1 << 1,
	GROUP_IMPORT = 1 << 2,
	GROUP_QUERY = 1 << 3,	/* what to show of a history */
	GROUP_UPKEEP = 1 << 4,	/* work on the history itself */
	GROUP_TARGET = 1 << 5,	/* a file to write */
	GROUP_LOOKUP = 1 << 6,	/* what narrows a look-up in the drive rules */
	GROUP_READ = 1 << 7,	/* how drives are read */
	GROUP_DUMP = 1 << 8,	/* files instead of drives */
	GROUP_HISTORY = 1 << 9, /* where the history is */
	GROUP_JUDGE = 1 << 10,	/* limits of findings */
	GROUP_RULES = 1 << 11,	/* drive rules */
	GROUP_OUTPUT = 1 << 12,
	GROUP_GENERAL = 1 << 13, /* every command takes these */
	GROUP_REPORT = 1 << 14,	 /* forms of the report, and its plan */
	GROUP_RATING = 1 << 15,	 /* capacity and cycles of a drive that is not read */
	GROUP_MODEL = 1 << 16,	 /* the flash translation layer */
	GROUP_WORKLOAD = 1 << 17,
	GROUP_SIMULATION = 1 << 18, /* one run of the model */
	GROUP_SPARE = 1 << 20,
	GROUP_WRITES = 1 << 21,
	GROUP_FILL = 1 << 23,
	GROUP_WHAT_IF = 1 << 22, /* other conditions of a drive */
	GROUP_PAGE = 1 << 24,	 /* the answer as a page */
	GROUP_TIMING = 1 << 19,	 /* the model in time */
};

struct option_number {
	bool set;   /* given on the command line; value may be a default otherwise */
	bool times; /* written as x2 */
	double value;
};

struct option_time {
	bool set;
	int64_t value; /* seconds since the epoch */
};

/* A time, or how long ago ("30d"). */
struct option_past {
	bool set;
	bool ago;
	int64_t value; /* seconds since the epoch; with ago: before now */
};

struct option_format {
	bool set;
	enum format value;
};

struct option_list {
	const char **items;
	size_t n;
};

/* The values of all options; texts point into argv. */
struct options {
	bool help, version, quiet, verbose, no_progress, wake, events, redact, mail, plot, all,
		dry_run, redecode;
	struct option_format format;
	const char *config, *drive_db, *db, *via, *output, *firmware, *html, *mail_to, *drive,
		*show;
	struct option_list from, limits;
	struct option_number timeout, size, capacity, pe, waf, unevenness, daily, years, window,
		lead;
	/* of simulate */
	bool until_death, analytic;
	const char *preset, *policy, *ties, *separate, *wear_leveling, *workload, *engine, *reuse;
	struct option_number logical_pages, page_size, pages_per_block, spare, overprovision,
		superblock, parity, bad_blocks, held_back, read_limit, refresh_age, reads_per_write,
		frontiers, gc_start, gc_stop, wear_leveling_spread, pe_cv, trim_probability, writes,
		warmup, precision, seed, warranty_years;
	/* of its requests and traces */
	bool skip_bad;
	const char *trace_format, *trace_device, *trace_map, *summarise, *partial;
	struct option_number request_size, reads, trims, align, partition_start, fill;
	/* of many runs */
	struct option_list sweep;
	struct option_number replicates, jobs;
	/* of simulate in time */
	bool gc_at_once;
	const char *cell, *phases, *duration, *interval, *gc, *cache_mode, *cache_overflow;
	struct option_number queue_depth, channels, dies, flash_page, program_size, erase_size,
		read_time, program_time, erase_time, channel_speed, link_speed, host_time,
		command_time, search_time, write_queue, coalesce, compressed, cache, cache_fold,
		cache_hold, scale;
	/* of project */
	const char *trim, *trim_now, *instead_of;
	struct option_number fill_now;
	struct option_time at;
	struct option_past since, until, over;
	/* the words that are no options: the command's name first */
	struct option_list words;
};

struct option_row {
	const char *name; /* without the dashes */
	char letter;	  /* 0: none */
	enum option_type type;
	enum option_group group;
	size_t offset;	      /* of the value in struct options */
	const char *argument; /* its name in the help: "FILE"; NULL for flags */
	const char *fallback; /* the default, as it would be typed; NULL: none */
	double low, high;     /* of numbers, both allowed */
	bool whole;	      /* of numbers: no fraction */
	bool times;	      /* of numbers: x2 and 2x are allowed too, of any size */
	const char *help;     /* what it does, without the default; no capital, no full stop */
};

extern const struct option_row option_rows[];
extern const size_t option_rows_n;

/* NULL where no option has this name. */
const struct option_row *option_by_name(const char *name);

/* True for options that need a value. */
bool option_takes_value(const struct option_row *row);

/* May it be given more than once, each time adding a value? */
bool option_is_list(const struct option_row *row);

/* Sets the defaults of the rows. */
void options_init(struct options *o);
void options_release(struct options *o);

/*
 * Parse the words of a command line (without the program's name) into o, which was initialised.
 * Whether the command takes an option is checked afterwards, by options_check. On a mistake
 * -EINVAL with one line in d; what was understood so far stays in o, so that the caller can see
 * the format asked for. -ENOMEM.
 */
int options_parse(struct options *o, int argc, char **argv, struct diag *d) MUST_USE;

/* Set one option to a value, as if it stood on the command line. -EINVAL with the reason in d. */
int options_set(struct options *o, const struct option_row *row, const char *value,
		struct diag *d) MUST_USE;

/*
 * Complain (-EINVAL) about the first option on the command line of a group that is not in
 * `groups`, naming the command. Call after options_parse with the same words.
 */
int options_check(int argc, char **argv, const char *command, unsigned groups,
		  struct diag *d) MUST_USE;

/* Was this option given, and not left at its default? */
bool option_is_given(const struct options *o, const struct option_row *row);

/* Was an option of these groups given, and not left at its default? */
bool options_given(const struct options *o, unsigned groups);

#endif
