/* SPDX-License-Identifier: MIT */
#ifndef TRANSPORT_TRANSPORT_H
#define TRANSPORT_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "transport/sense.h"

/*
 * One command to one drive. A transport carries requests of its command set; decorators stand in
 * front of another transport and pass on, refuse, repeat, note or answer requests.
 */

/* What a command may do to the drive; each includes those before it. */
enum effect {
	EFFECT_READ,	/* nothing */
	EFFECT_CONFIG,	/* settings, events, self-tests, firmware */
	EFFECT_DESTROY, /* data */
};

enum request_set {
	REQUEST_NVME,
	REQUEST_ATA,
	REQUEST_SCSI,
};

enum direction {
	DATA_NONE,
	DATA_IN,
	DATA_OUT,
};

/* An NVMe admin command (NVMe base specification 2.0, section 5). */
struct nvme_command {
	uint8_t opcode;
	uint32_t nsid;
	uint8_t cns;	  /* Identify */
	uint8_t lid, lsp; /* Get Log Page */
	uint16_t lsi;
	uint64_t offset;
	bool clears_events; /* Get Log Page without "retain asynchronous event" */
	uint32_t cdw[6];    /* command words 10 to 15 of any other command */
};

enum ata_protocol {
	ATA_NON_DATA,
	ATA_PIO_IN,
	ATA_PIO_OUT,
};

/* An ATA command as its registers (ACS-4); 48 bits of LBA and 16 of the rest where ext is set. */
struct ata_command {
	uint8_t command;
	uint16_t features, count;
	uint64_t lba;
	uint8_t device;
	enum ata_protocol protocol;
	bool ext;
	bool want_registers; /* the answer is in the registers (CK_COND) */
	bool short_form;     /* carry it in 12 bytes, for bridges that know no other way */
};

#define CDB_MAX 16

struct scsi_command {
	uint8_t cdb[CDB_MAX];
	uint8_t len;
};

#define REQUEST_WHAT_MAX 64

struct request {
	enum request_set set;
	enum effect effect;	     /* as declared by who built it */
	char what[REQUEST_WHAT_MAX]; /* "log 02h", for messages */
	union {
		struct nvme_command nvme;
		struct ata_command ata;
		struct scsi_command scsi;
	};
	enum direction direction;
	void *data; /* from transport_buffer */
	size_t len;
	unsigned timeout_seconds; /* 0: the kernel's default, or 60 where it has none */
};

struct reply {
	size_t len;	      /* bytes of data that really came */
	uint16_t nvme_status; /* status code type and code; 0 for success */
	uint32_t nvme_result; /* completion dword 0 */
	uint8_t scsi_status;
	struct sense sense; /* sense.valid is false where there was none */
};

struct transport;

struct transport_ops {
	int (*exec)(struct transport *t, const struct request *req, struct reply *ret,
		    struct diag *d);
	void (*close)(struct transport *t); /* also frees t, and the transport behind it */
};

struct transport {
	const struct transport_ops *ops;
};

/*
 * Run one request. 0 where the drive said that it succeeded; data may still be short: look at
 * ret->len. Otherwise a negative errno, and what the drive answered in *ret:
 * -EOPNOTSUPP  the drive does not know the command or log
 * -EAGAIN      not ready yet, or disturbed: the same again may succeed
 * -EACCES      missing privilege, which d names
 * -ENODEV      the drive is gone
 * -ETIMEDOUT, -EIO, -EBUSY, and others from the kernel
 * -EPERM       refused by the guard: a bug of the caller
 */
int transport_exec(struct transport *t, const struct request *req, struct reply *ret,
		   struct diag *d) MUST_USE;

void transport_close(struct transport **t); /* for CLEANUP */

/*
 * Memory for the data of a request, zeroed: begins at a page, as some controllers refuse transfers
 * that do not (status "PRP offset invalid"). The caller frees. NULL without memory.
 */
void *transport_buffer(size_t len) MUST_USE;

/* --- requests that change nothing (request.c) --- */

#define NSID_ALL UINT32_MAX

/* Identify (NVMe 2.0, 5.17); data has 4096 bytes. */
struct request request_nvme_identify(uint8_t cns, uint32_t nsid, void *data);

/*
 * Get Log Page for the whole controller, events retained (NVMe 2.0, 5.16); len is a multiple of 4.
 */
struct request request_nvme_log(uint8_t lid, uint8_t lsp, uint16_t lsi, uint64_t offset, void *data,
				size_t len);

struct request request_ata_identify(void *data); /* 512 bytes */
struct request request_ata_power_mode(void);	 /* the answer is in the count register */
struct request request_ata_smart_data(void *data);
struct request request_ata_smart_thresholds(void *data);
struct request request_ata_smart_status(void); /* the answer is in the LBA registers */

/* READ LOG EXT: general purpose log, from a page on. */
struct request request_ata_log_ext(uint8_t address, uint16_t page, void *data, size_t len);

/* SMART READ LOG: the first len / 512 pages of a SMART log. */
struct request request_ata_smart_log(uint8_t address, void *data, size_t len);

struct request request_scsi_test_unit_ready(void);
struct request request_scsi_request_sense(void *data, size_t len);
struct request request_scsi_inquiry(void *data, size_t len);
struct request request_scsi_vpd(uint8_t page, void *data, size_t len);
struct request request_scsi_capacity(void *data); /* 32 bytes */
struct request request_scsi_log_sense(uint8_t page, uint8_t subpage, void *data, size_t len);

/*
 * The effect that a command has by its code, whatever was declared. Codes that no table here
 * knows count as EFFECT_DESTROY; Get Log Page that clears events as EFFECT_CONFIG.
 */
enum effect request_effect(const struct request *req);

#endif
