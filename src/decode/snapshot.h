/* SPDX-License-Identifier: MIT */
#ifndef DECODE_SNAPSHOT_H
#define DECODE_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/diag.h"
#include "base/times.h"

struct cJSON;

/*
 * A snapshot is everything that was read from one drive at one time, as raw bytes, with where the
 * drive sat and what went wrong. It is what `capture` saves and `--from` loads; all else is
 * computed from it. A foreign dump becomes a snapshot with one log: the dump's own text.
 */

/*
 * What a log is. X(enumerator, name in captures, what id and sub are)
 */
#define LOG_SPACES(X)                                                                        \
	X(SPACE_NVME_IDENTIFY, "nvme-identify", "CNS, namespace")                            \
	X(SPACE_NVME_LOG, "nvme-log", "log page identifier, log specific identifier")        \
	X(SPACE_ATA_IDENTIFY, "ata-identify", "0, 0")                                        \
	X(SPACE_ATA_SMART_DATA, "ata-smart-data", "0, 0")                                    \
	X(SPACE_ATA_SMART_THRESHOLDS, "ata-smart-thresholds", "0, 0")                        \
	X(SPACE_ATA_SMART_STATUS, "ata-smart-status", "0, 0: LBA mid and LBA high, 2 bytes") \
	X(SPACE_ATA_LOG, "ata-log", "log address, page (general purpose or SMART logging)")  \
	X(SPACE_SCSI_INQUIRY, "scsi-inquiry", "0, 0")                                        \
	X(SPACE_SCSI_VPD, "scsi-vpd", "page, 0")                                             \
	X(SPACE_SCSI_CAPACITY, "scsi-capacity", "0, 0: READ CAPACITY (16) data")             \
	X(SPACE_SCSI_LOG, "scsi-log", "page, subpage")                                       \
	X(SPACE_SCSI_SENSE, "scsi-sense", "0, 0: REQUEST SENSE data")                        \
	X(SPACE_SKDUMP, "skdump", "0, 0: a libatasmart blob")                                \
	X(SPACE_SMARTCTL_JSON, "smartctl-json", "0, 0: one JSON object")                     \
	X(SPACE_SMARTCTL_TEXT, "smartctl-text", "0, 0: the text for one drive")              \
	X(SPACE_NVME_CLI_JSON, "nvme-cli-json", "0, 0: smart-log as one JSON object")

enum log_space {
#define X(e, name, ids) e,
	LOG_SPACES(X)
#undef X
		LOG_SPACE_COUNT
};

const char *log_space_name(enum log_space space);

/* How much of the drive could be read. */
enum drive_state {
	DRIVE_READ,	  /* at least an identity */
	DRIVE_STANDBY,	  /* asleep, and left so */
	DRIVE_NO_SMART,	  /* answers, but gives no health data: virtual, RAID volume, bare bridge */
	DRIVE_UNREADABLE, /* I/O errors, or no answer that makes sense */
	DRIVE_ABSENT,	  /* named, but there is no such drive or dump; the problem text says so */
	DRIVE_HUNG,	  /* gave no answer within the time limit */
	DRIVE_NO_ACCESS,  /* missing privilege; the problem text names it */
	DRIVE_STATE_COUNT,
};

const char *drive_state_name(enum drive_state state);

struct snapshot_log {
	enum log_space space;
	uint32_t id, sub;
	int err;       /* 0, or the negative errno of a read that was tried and failed */
	char *error;   /* why, or NULL */
	uint8_t *data; /* NULL after an error */
	size_t len;
	/*
	 * A dump in JSON whose finder has just parsed it: spares the decoder to do so again. NULL
	 * where nobody has; whoever changes data releases it.
	 */
	struct cJSON *json;
};

/* Something the reader of the drive has to tell about the drive as a whole or one of its logs. */
struct snapshot_problem {
	int err; /* negative errno */
	char text[240];
};

/* A further path to the same drive, or a namespace of it; for information. */
struct snapshot_path {
	char node[128]; /* "/dev/nvme0n1" */
	char state[32]; /* "live", "hidden", ... ; empty where not known */
};

#define SNAPSHOT_LOGS_MAX     512
#define SNAPSHOT_PROBLEMS_MAX 16
#define SNAPSHOT_PATHS_MAX    64
#define SNAPSHOT_BYTES_MAX    ((size_t)16 << 20)
#define SERIAL_MAX	      64
#define NODE_MAX	      128
#define BY_ID_MAX	      256
#define LOCATION_MAX	      160
#define ARRAY_MAX	      64

struct snapshot {
	int64_t time;		     /* of the reading; TIME_UNKNOWN where a dump has none */
	bool time_is_file;	     /* the dump had no time of its own: the file's stands here */
	bool live;		     /* `record` took it, by the clock of that machine */
	char serial[SERIAL_MAX];     /* given by hand for a dump that names none; or empty */
	char path[NODE_MAX];	     /* "/dev/nvme0"; what the dump calls it; may be empty */
	char by_id[BY_ID_MAX];	     /* the stable link, or empty */
	char location[LOCATION_MAX]; /* "PCI 0000:01:00.0, slot 3", "enclosure 2 bay 11"; or empty
				      */
	char array[ARRAY_MAX]; /* what it is a member of: "md0", "LVM vg0", "ZFS tank", "Ceph"; or
				  empty */
	char transport[32];    /* "pcie", "tcp", "sata", "sas", "usb", ...; or empty */
	char via[64];	       /* how it was read where not directly: "smartctl:megaraid,5" */
	uint64_t node_bytes;   /* size of the block device, 0 where not known */
	uint32_t node_block_bytes; /* its logical block size, 0 where not known */
	int8_t node_rotational;	   /* the kernel's word: 1, 0, or -1 where not known */
	enum drive_state state;
	struct snapshot_log *logs;
	size_t nlogs;
	size_t nproblems, npaths;
	/* from here on snapshot_init clears nothing: the counts say what is there */
	struct snapshot_problem problems[SNAPSHOT_PROBLEMS_MAX];
	struct snapshot_path paths[SNAPSHOT_PATHS_MAX];
};

void snapshot_init(struct snapshot *s);
void snapshot_release(struct snapshot *s);

/* Adds a copy of the bytes. -ENOMEM, -E2BIG at the limits above. */
int snapshot_add(struct snapshot *s, enum log_space space, uint32_t id, uint32_t sub,
		 struct bytes data) MUST_USE;

/* Adds a log that could not be read. err is negative. */
int snapshot_add_error(struct snapshot *s, enum log_space space, uint32_t id, uint32_t sub, int err,
		       const char *why) MUST_USE;

/* Adds a problem of the drive; the oldest ones stay when there are too many. */
void snapshot_add_problem(struct snapshot *s, int err, const char *fmt, ...) PRINTF(3, 4);

/* The log's bytes; an empty view where it was not read. */
struct bytes snapshot_find(const struct snapshot *s, enum log_space space, uint32_t id,
			   uint32_t sub);

/*
 * Captures: JSON with one object a drive, every log in hexadecimal. A capture that is read back
 * and written again is the same to the byte. Reading is strict: -EINVAL, -E2BIG with the member in
 * d, -ENOMEM; members that it does not know are left to later versions.
 */
struct str;
struct doc;
int snapshot_write_json(const struct snapshot *s, struct str *out) MUST_USE;
int snapshot_read_json(const struct cJSON *drive, struct diag *d, struct snapshot *ret) MUST_USE;

/* Fill the object `drive` of a larger answer (errors of the tree itself stick in its root). */
int snapshot_to_doc(const struct snapshot *s, struct doc *drive) MUST_USE;

/*
 * Replace serial numbers, WWNs, EUIs, NGUIDs and host names, in binary logs by their field tables
 * and in foreign text wherever they stand, by others of the same length made from a keyed digest
 * of the old one: the same serial gets the same replacement in one run with the same key.
 * Checksums are made right again.
 */
int snapshot_redact(struct snapshot *s, uint64_t key, struct diag *d) MUST_USE;

#endif
