/* SPDX-License-Identifier: MIT */
#ifndef DECODE_SMARTCTL_TEXT_H
#define DECODE_SMARTCTL_TEXT_H

#include "decode/dump.h"

/* The parts of the reader of smartctl -a and -x text: lines go by the part they stand in. */

#define TEXT_LINE_MAX 512 /* longer lines are cut: nothing wanted stands so far right */

/* Tables and blocks whose lines mean something only there. */
enum text_part {
	PART_OTHER, /* "Label: value" lines that are known by their label */
	PART_ATTRIBUTES,
	PART_NVME_HEALTH,
	PART_DEVSTAT,
	PART_SCT,
	PART_ATA_SELFTESTS,
	PART_NVME_SELFTESTS,
	PART_SCSI_SELFTESTS,
	PART_SCSI_COUNTERS,
	PART_IGNORED, /* until a blank line */
	PART_COUNT,
};

struct text_reader {
	struct reading *r;
	enum text_part part;
	bool ata_selftests_done; /* the first of two tables that tell of the same tests */
	struct dump_devstat devstat;
	struct dump_log health, sct;
	int err;
};

/* Cut the line into words at blanks; at most max, the last one being the rest. Writes into line. */
size_t text_words(char *line, char **words, size_t max);

/* A number as smartctl prints it: any digit grouping, hexadecimal, a unit or "%" behind it. */
bool text_number(const char *s, i128 *ret);

/* Lines of one part each. They may write into the line. */
void text_attribute(struct text_reader *t, char *line);
void text_devstat(struct text_reader *t, char *line);
void text_sct(struct text_reader *t, char *line);
void text_ata_selftest(struct text_reader *t, char *line);
void text_nvme_selftest(struct text_reader *t, char *line);
void text_scsi_selftest(struct text_reader *t, char *line);
void text_scsi_counters(struct text_reader *t, char *line);

/* A "Label: value" line outside of tables. */
void text_label(struct text_reader *t, const char *label, const char *value);

/* A line outside of tables that is none: what smartctl says of failures. */
void text_message(struct text_reader *t, const char *line);

#endif
