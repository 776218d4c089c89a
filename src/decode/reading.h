/* SPDX-License-Identifier: MIT */
#ifndef DECODE_READING_H
#define DECODE_READING_H

#include "decode/field.h"

/*
 * A reading is a snapshot decoded: identity, every field of every log, SMART attributes,
 * self-tests, in standard terms but not yet judged; what an attribute means is up to the drive
 * rules. Foreign dumps are decoded into the same form, so nothing behind this point knows where a
 * number came from except by its source text.
 */

enum protocol {
	PROTOCOL_UNKNOWN,
	PROTOCOL_NVME,
	PROTOCOL_ATA,
	PROTOCOL_SCSI,
};

const char *protocol_name(enum protocol protocol); /* "nvme", "ata", "scsi"; NULL for unknown */

#define MODEL_MAX 80
#define FW_MAX	  32
#define WWN_MAX	  48

struct identity {
	enum protocol protocol;
	char model[MODEL_MAX];	 /* bytes as the drive gave them, unpadded; empty: not named */
	char serial[SERIAL_MAX]; /* NVMe: of the subsystem's controller */
	char firmware[FW_MAX];
	char wwn[WWN_MAX]; /* "0x5002538e40..." lower case, or "eui.0025385...", "uuid...." */
	char vendor[32];   /* SCSI vendor, or the family name of a dump; or empty */
	bool has_capacity;
	uint64_t capacity_bytes;
	uint32_t logical_block_bytes; /* 0: not known */
	int8_t rotational;	      /* 1, 0, -1 not known */
	bool incomplete;	      /* a bridge hides parts of it: alarms by limits are off */
	char smartctl_family[80];     /* what smartmontools' database called it in the dump */
	/* as the place of the reading, copied from the snapshot */
	char path[NODE_MAX], by_id[BY_ID_MAX], location[LOCATION_MAX], array[ARRAY_MAX];
};

enum value_kind {
	VALUE_ABSENT, /* the field is there and says "not reported" */
	VALUE_NUMBER, /* in the field's unit */
	VALUE_TEXT,
	VALUE_RAW, /* bytes, as hexadecimal text */
};

struct value {
	enum value_kind kind;
	enum fact_bound bound;
	i128 number;
	char *text; /* VALUE_TEXT as the drive gave it, VALUE_RAW as hexadecimal */
};

struct decoded {
	const struct log_layout *layout;
	const struct field *field;
	uint32_t id, sub; /* of the log it came from (namespace, endurance group, page) */
	uint32_t key;	  /* of the record in a keyed log */
	struct value value;
};

/*
 * One row of the SMART attribute table. What is known of its raw bytes depends on the source:
 *   raw logs, skdump   all 7 bytes of the slot (6 of raw value and the vendor byte above them)
 *   smartctl JSON      raw.value, which is whole; raw_text is raw.string
 *   smartctl text      what a formatter made of them (raw_text), turned back where that is
 *                      possible
 * and stands in three states:
 *   raw_bytes 6 or 7   raw is whole: all bytes as the drive stores them, little-endian
 *   raw_bytes 1 to 4   only so many low bytes of raw are known (1 of "28 (Min/Max 17/51)", 4 of
 *                      "415 (Average 31345)"); those above read 0
 *   raw_is_decoded     raw_bytes is 0; raw is the leading number of the text in the formatter's own
 *                      unit: hours of "8h+23m+07s", the first count of "2/46"
 * So an encoding that takes bytes below N applies where raw_bytes >= N; a plain counter of 6 bytes
 * is raw & 0xffffffffffff where whole, and raw as it stands where decoded.
 */
struct attribute {
	uint8_t id;
	uint16_t flags;
	bool has_flags, has_value, has_worst, has_threshold, has_raw;
	uint8_t value, worst, threshold;
	uint64_t raw;
	uint8_t raw_bytes;
	bool raw_is_decoded;
	char raw_text[64]; /* the formatter's text in a foreign dump, else empty */
	char name[48];	   /* the dump's name for it, else empty */
};

enum smart_status {
	SMART_STATUS_UNKNOWN, /* not asked, or registers that say neither */
	SMART_STATUS_PASSED,
	SMART_STATUS_FAILED,
};

enum selftest_result {
	SELFTEST_PASSED,
	SELFTEST_ABORTED,
	SELFTEST_FAILED,
	SELFTEST_RUNNING,
	SELFTEST_UNKNOWN,
};

/* A past self-test; number 0 is the newest, by its place in the log and never by its hours. */
struct selftest {
	enum selftest_result result;
	uint8_t code;  /* the log's own result code */
	char kind[24]; /* "short", "extended", "conveyance", "vendor" */
	bool has_hours, has_lba, has_segment;
	uint64_t hours;	       /* unwrapped against the power-on hours where 16 bits wrapped */
	bool hours_unreliable; /* out of order or after the power-on hours */
	uint64_t lba;
	uint8_t segment;
	int8_t remaining_percent; /* of a running or aborted test; -1 not said */
};

#define ATTRIBUTES_MAX 64
#define SELFTESTS_MAX  32
#define DECODED_MAX    16384

struct reading {
	struct identity identity;
	int64_t time;
	bool time_is_file;
	enum drive_state state;
	char origin[32]; /* "" for raw logs, else "smartctl JSON", "smartctl text", "nvme-cli JSON"
			  */
	struct decoded *fields;
	size_t nfields, cap;
	size_t nattributes;
	bool attributes_checksum_bad;
	enum smart_status smart_status;
	bool smart_status_by_attributes; /* derived here, not the drive's own word */
	bool selftest_log_read;		 /* the drive has the log and it was read */
	size_t nselftests;
	int8_t selftest_progress;   /* percent done of the one running now; -1 none */
	uint64_t error_log_entries; /* of the ATA error log */
	bool has_error_log_entries;
	size_t nproblems;
	/* from here on reading_init clears nothing: the counts say what is there */
	struct attribute attributes[ATTRIBUTES_MAX];
	struct selftest selftests[SELFTESTS_MAX];
	/* what could not be read or made no sense, one line each: log, reason */
	struct snapshot_problem problems[SNAPSHOT_PROBLEMS_MAX];
};

void reading_init(struct reading *r);
void reading_release(struct reading *r);

/*
 * Decode a snapshot of raw logs or of one foreign dump. Succeeds on any bytes: what makes no
 * sense becomes a problem in the reading. -ENOMEM; -EINVAL where a dump is not of its kind at all.
 * Layouts that need a rule (by_rule) are decoded where listed in layouts (NULL-ended, may be NULL).
 */
int reading_decode(const struct snapshot *s, const struct log_layout *const *layouts,
		   struct diag *d, struct reading *ret) MUST_USE;

/*
 * The parts of reading_decode, each for one kind of log; see the .c files of their names.
 *
 * decode_log adds every row of one log. A log that is too short is a problem in the reading, not
 * an error; -ENOMEM, -E2BIG. Reserved and unknown bytes become VALUE_RAW, or VALUE_ABSENT where
 * they are all zero; bytes of a FIELD_GROUP are left to the keyed and record tables, which keep
 * records of unknown key raw.
 */
int decode_log(const struct log_layout *layout, uint32_t id, uint32_t sub, struct bytes log,
	       struct reading *r) MUST_USE;
int decode_nvme(const struct snapshot *s, const struct log_layout *const *layouts,
		struct reading *r) MUST_USE;
int decode_ata(const struct snapshot *s, struct reading *r) MUST_USE;
int decode_scsi(const struct snapshot *s, struct reading *r) MUST_USE;
int decode_skdump(struct bytes blob, struct diag *d, struct reading *r) MUST_USE;
int decode_smartctl_text(struct bytes text, struct diag *d, struct reading *r) MUST_USE;

/* json: the parsed text where the caller has it, else NULL. */
int decode_smartctl_json(struct bytes text, const struct cJSON *json, struct diag *d,
			 struct reading *r) MUST_USE;
int decode_nvme_cli_json(struct bytes text, const struct cJSON *json, struct diag *d,
			 struct reading *r) MUST_USE;

/* Add a decoded value; text is copied. -ENOMEM, -E2BIG. */
int reading_add(struct reading *r, const struct log_layout *layout, const struct field *field,
		uint32_t id, uint32_t sub, uint32_t key, const struct value *value) MUST_USE;

/* Add bytes as they are, in hexadecimal. -ENOMEM, -E2BIG. */
int reading_add_raw(struct reading *r, const struct log_layout *layout, const struct field *field,
		    uint32_t id, uint32_t sub, uint32_t key, struct bytes b) MUST_USE;

/*
 * The value of a number that this field stores: factor, kelvins, absent and saturated values are
 * applied as decode_log does. Absent for numbers that its bytes cannot hold.
 */
struct value field_value(const struct field *f, i128 number);

/* Add a number for a field by its layout's and its own name (asserts that both exist). */
int reading_add_number(struct reading *r, const char *layout, const char *field, uint32_t id,
		       uint32_t sub, i128 number, enum fact_bound bound) MUST_USE;

/* The first decoded field of that name; NULL where it was not read. VALUE_ABSENT is returned. */
const struct decoded *reading_find(const struct reading *r, const char *layout, const char *field);

/*
 * The n-th (from 0) decoded field of that name, in order of the logs and of their records; NULL
 * behind the last. For namespaces, endurance groups, list entries.
 */
const struct decoded *reading_find_nth(const struct reading *r, const char *layout,
				       const char *field, size_t n);

/* The number of the first; false where not read, absent or no number. */
bool reading_number(const struct reading *r, const char *layout, const char *field, i128 *ret);

/* Where a value stood, for fact.source: "NVMe log 02h, offset 48 (data_units_written)". */
void decoded_source(const struct decoded *v, char buf[FACT_SOURCE_MAX]);

const struct attribute *reading_attribute(const struct reading *r, uint8_t id);

void reading_add_problem(struct reading *r, int err, const char *fmt, ...) PRINTF(3, 4);

/*
 * What kind of file is this, and the drives in it: nandlife capture ({"schema":
 * "nandlife.capture/1", "drives": [...]}), smartctl JSON, smartctl text, nvme-cli JSON, skdump
 * blob, JSON Lines or arrays of the JSON kinds. Text in front of a JSON object is skipped. Each
 * drive becomes a snapshot; file_time is used where a dump has no time of its own. name is for
 * messages. The caller releases each snapshot and frees the array.
 *
 * -EINVAL (not a known kind, empty, cut short), -E2BIG (above DUMP_DRIVES_MAX), -ENOMEM. Where some
 * objects of a file are good and some bad, it succeeds with the good ones, and d holds what is
 * wrong with the first bad one.
 */
#define DUMP_DRIVES_MAX 10000
int snapshots_from_dump(struct bytes file, const char *name, int64_t file_time, struct diag *d,
			struct snapshot **ret, size_t *ret_n) MUST_USE;

/* A file, or a part of a longer one that starts with an object, of such drives. */
struct dump_source {
	int64_t time; /* of the file */
	size_t line;  /* number of the text's first line in the file, from 1 */
};

struct dump_taker {
	/* Gets each drive with the line where it starts; takes the snapshot over, always. */
	int (*take)(void *arg, struct snapshot *s, size_t line);
	/* Is told of each object that cannot be taken: why->err is -EINVAL or -E2BIG. */
	void (*bad)(void *arg, size_t line, const struct diag *why);
	/*
	 * Is shown each object that is no dump: 0 where it knows what to do with it, -EINVAL where
	 * not, other errors as take. May be NULL.
	 */
	int (*other)(void *arg, const struct cJSON *object, size_t line, struct diag *d);
	void *arg;
	int stop; /* an error of take that ends the reading, beside -ENOMEM */
};

/*
 * The drives of a text as snapshots_from_dump finds them, one after the other: no number of drives
 * is too many, and their trees of JSON come with them (snapshot_log.json). 0 where any object was
 * taken or told as bad; -EINVAL with the reason in d, which does not name the file, where there is
 * none; -ENOMEM; `stop`.
 */
int dump_each(struct bytes text, const struct dump_source *source, const struct dump_taker *taker,
	      struct diag *d) MUST_USE;

#endif
