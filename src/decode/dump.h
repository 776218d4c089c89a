/* SPDX-License-Identifier: MIT */
#ifndef DECODE_DUMP_H
#define DECODE_DUMP_H

#include "base/json.h"
#include "decode/reading.h"

/*
 * What the readers of foreign dumps share. A number that a dump names becomes a decoded field of
 * the raw log it came from, so that nothing behind the decoders knows the difference. Only what no
 * log holds stands in a layout of its own, smartctl.summary.
 */

extern const struct log_layout layout_smartctl_summary;

/*
 * A log being put back together from the numbers of a dump. It is then decoded as the log itself
 * would be, with all bits and derived rows; rows whose numbers the dump does not give are absent.
 */
#define DUMP_LOG_MAX 512
struct dump_log {
	const struct log_layout *layout; /* of at most DUMP_LOG_MAX bytes */
	bool any;
	bool given[DUMP_LOG_MAX];
	uint8_t data[DUMP_LOG_MAX];
};

void dump_log_init(struct dump_log *log, const struct log_layout *layout);

/*
 * Put a number as the log stores it (data units, percent, degrees Celsius also where the log has
 * kelvins). What the field cannot hold is left out.
 */
void dump_log_put(struct dump_log *log, const struct field *f, i128 number);
void dump_log_put_named(struct dump_log *log, const char *field, i128 number);

/* Decode it into the reading; nothing where no number was put. */
int dump_log_add(const struct dump_log *log, struct reading *r) MUST_USE;

/* As above for the health log of NVMe: all zeros are no answer, not a drive without spare. */
int dump_health_add(const struct dump_log *log, struct reading *r) MUST_USE;

/* Add one number, as its log stores it, where the rest of the log does not matter. */
int dump_add(struct reading *r, const char *layout, const char *field, i128 number) MUST_USE;

/* The pages of ATA Device Statistics, put together likewise. */
#define DUMP_DEVSTAT_PAGES 6
struct dump_devstat {
	struct dump_log pages[DUMP_DEVSTAT_PAGES];
};

void dump_devstat_init(struct dump_devstat *dump);

/* Pages and offsets that no layout names are passed over. */
void dump_devstat_put(struct dump_devstat *dump, i128 page, i128 off, i128 number);
int dump_devstat_add(const struct dump_devstat *dump, struct reading *r) MUST_USE;

/* A field under its names in smartctl's JSON, smartctl's text and nvme-cli's JSON. */
struct dump_row {
	const char *json, *text, *nvme_cli;
	const char *field;
};

/* The SMART / Health Information log of NVMe (layout nvme.smart); a NULL field ends them. */
extern const struct dump_row dump_nvme_health_rows[];

/* "1234.567" x scale (a power of ten), further digits dropped; false where no digit stands. */
bool dump_decimal(const char *s, uint32_t scale, i128 *ret);

/*
 * An identity string out of a dump: unpadded, and empty for what stands for "not told" ("--",
 * "[No Information Found]").
 */
void dump_copy_string(char *dst, size_t size, const char *src);

/* Is this a blob that skdump saved? */
bool skdump_accepts(struct bytes blob);

/* Is this an object that smartctl -j or nvme smart-log -o json made? */
bool smartctl_json_accepts(const cJSON *root);
bool nvme_cli_accepts(const cJSON *root);

/*
 * `nvme list -o json`: take is called for each drive with an object of its own; what it returns
 * ends the walk where it is not 0.
 */
bool nvme_cli_list_accepts(const cJSON *root);
int nvme_cli_list_each(const cJSON *root, int (*take)(void *ctx, const cJSON *drive), void *ctx);

/* Such an object: its node and its identity. */
bool nvme_cli_list_accepts_drive(const cJSON *drive);
void nvme_cli_list_path(const cJSON *drive, char *path, size_t size);
void nvme_cli_list_decode(const cJSON *drive, struct reading *r);

/* What smartctl's words about a failure mean for the state of the drive; false: nothing. */
bool smartctl_state_from_text(const char *text, enum drive_state *ret);

/* Exit status of smartctl: only the two low bits mean that the drive could not be read. */
void smartctl_apply_exit_status(struct reading *r, unsigned status);

/* SMART status in words: "PASSED", "OK", "FAILED!", ... */
enum smart_status smartctl_status_from_text(const char *text);

/* Result and kind from the codes of NVMe self-test logs. */
enum selftest_result smartctl_nvme_selftest_result(unsigned code);
const char *smartctl_nvme_selftest_kind(unsigned code);

/* Result code of an ATA self-test from smartctl's words for it; 0xff where not known. */
unsigned smartctl_selftest_code(const char *text);

/* Room for one more self-test, zeroed; NULL where there are enough. */
struct selftest *reading_new_selftest(struct reading *r);

/*
 * Last step of a reader: -EINVAL where the dump told nothing of any drive, neither who it is nor
 * why it could not be read.
 */
int dump_finish(struct reading *r, struct diag *d) MUST_USE;

/* The time in a dump, TIME_UNKNOWN where it says none. */
int64_t smartctl_json_time(const cJSON *root);
int64_t smartctl_text_time(struct bytes text);

#endif
