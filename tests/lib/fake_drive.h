/* SPDX-License-Identifier: MIT */
#ifndef TESTS_LIB_FAKE_DRIVE_H
#define TESTS_LIB_FAKE_DRIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Drives behind ioctl(): a test program that uses this has its own ioctl() and fstat(), which
 * pre-empt those of the C library also inside libnvme, libatasmart and libsgutils2. Commands to a
 * node that a fake drive has are answered by it, without any privilege.
 *
 * A fake drive knows the pages it was given and refuses all else, counting each refusal as a drive
 * would in its error log. It notes every command. All of it is in memory that child processes
 * share.
 */

#define FAKE_DRIVES_MAX 40
#define FAKE_PAGES_MAX	32
#define FAKE_TRACE_MAX	128
#define FAKE_BYTES_MAX	16384

enum fake_kind {
	FAKE_NVME,
	FAKE_ATA,
	FAKE_SCSI,
};

enum fake_space {
	FAKE_IDENTIFY,	/* NVMe: id CNS, sub namespace. ATA: IDENTIFY DEVICE */
	FAKE_LOG,	/* id log, sub endurance group, page; SCSI: LOG SENSE page */
	FAKE_SMART,	/* ATA: id subcommand D0h, D1h */
	FAKE_SMART_LOG, /* ATA: SMART READ LOG, several pages */
	FAKE_VPD,
	FAKE_INQUIRY,
	FAKE_SENSE,
	FAKE_CAPACITY,
};

/* Layouts of the sense data that carry ATA registers. */
enum fake_sense {
	FAKE_SENSE_DESCRIPTOR,
	FAKE_SENSE_FIXED,
	FAKE_SENSE_NONE, /* a bridge that loses the registers */
};

struct fake_page {
	enum fake_space space;
	uint32_t id, sub;
	size_t len;
	uint8_t bytes[FAKE_BYTES_MAX];
};

/* One command as it came: NVMe opcode, ATA command or SCSI operation code. */
struct fake_command {
	uint8_t code;
	uint32_t nsid;
	uint32_t cdw10, cdw11;
	uint32_t len;
	uint16_t features;
	uint64_t lba;
	uint8_t cdb[16];
	bool refused;
};

struct fake_drive {
	enum fake_kind kind;
	char node[64]; /* end of its path: "/dev/nvme0" */
	struct fake_page pages[FAKE_PAGES_MAX];
	size_t npages;
	struct fake_command trace[FAKE_TRACE_MAX];
	unsigned ncommands; /* also those that did not fit */
	unsigned refusals;
	/* faults */
	int errno_of_all;	 /* every ioctl fails with it */
	unsigned busy_commands;	 /* the first n commands find the drive not ready */
	unsigned delay_ms;	 /* of every command */
	int hang_at;		 /* command number that never returns; 0 none */
	bool events_context;	 /* log 0Dh: a reporting context is held */
	size_t truncate;	 /* bytes of data that pass at most; 0: all */
	bool takes_16, takes_12; /* ATA pass-through */
	bool asleep;
	bool dies_at_command; /* the process is ended by SIGKILL */
	enum fake_sense sense;
	bool smart_failing;
};

/* Forget all drives. */
void fake_reset(void);

/* A new drive at this node. */
struct fake_drive *fake_add(enum fake_kind kind, const char *node);

/* Give it a page of len bytes, all zero at first; returns the bytes. */
uint8_t *fake_page(struct fake_drive *drive, enum fake_space space, uint32_t id, uint32_t sub,
		   size_t len);

/* Put a little-endian integer. */
void fake_put(uint8_t *page, size_t off, unsigned width, uint64_t value);

/* Put a string, padded with blanks to n bytes. */
void fake_text(uint8_t *to, const char *text, size_t n);

/* How often was it asked for this NVMe log, ATA log or SCSI log page? */
unsigned fake_asked_log(const struct fake_drive *drive, uint8_t id);

/* How many commands of this code came? */
unsigned fake_asked(const struct fake_drive *drive, uint8_t code);

/* --- drives of a usual shape --- */

/* NVMe of this version (0x010400): one namespace, logs 01h (64 entries), 02h, 03h. */
struct fake_drive *fake_nvme(const char *node, uint32_t version);

/* SATA with SMART, statistics pages 1, 4, 5, 7, logs 03h and 07h, SCT. */
struct fake_drive *fake_ata(const char *node);

/* SAS with log pages 00h, 02h, 0Dh, 11h. */
struct fake_drive *fake_sas(const char *node);

#endif
