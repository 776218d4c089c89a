/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "transport/codes.h"
#include "transport/transport.h"

struct known {
	uint8_t code;
	int sub; /* -1: whatever it is */
	enum effect effect;
};

/* NVMe base specification 2.0, figure 138; anything that is not here may destroy data. */
static const struct known nvme_known[] = {
	{ NVME_GET_LOG_PAGE, -1, EFFECT_READ },
	{ NVME_IDENTIFY, -1, EFFECT_READ },
	{ 0x0a, -1, EFFECT_READ },   /* Get Features */
	{ 0x09, -1, EFFECT_CONFIG }, /* Set Features */
	{ 0x10, -1, EFFECT_CONFIG }, /* Firmware Commit */
	{ 0x11, -1, EFFECT_CONFIG }, /* Firmware Image Download */
	{ 0x14, -1, EFFECT_CONFIG }, /* Device Self-test */
};

/* ACS-4 and, for the subcommands that it dropped, ACS-3. */
static const struct known ata_known[] = {
	{ ATA_READ_LOG_EXT, -1, EFFECT_READ },
	{ 0x47, -1, EFFECT_READ }, /* READ LOG DMA EXT */
	{ ATA_CHECK_POWER_MODE, -1, EFFECT_READ },
	{ ATA_IDENTIFY_DEVICE, -1, EFFECT_READ },
	{ ATA_SMART, SMART_READ_DATA, EFFECT_READ },
	{ ATA_SMART, SMART_READ_THRESHOLDS, EFFECT_READ },
	{ ATA_SMART, SMART_READ_LOG, EFFECT_READ },
	{ ATA_SMART, SMART_RETURN_STATUS, EFFECT_READ },
	{ ATA_SMART, -1, EFFECT_CONFIG },
	{ 0xe0, -1, EFFECT_CONFIG }, /* STANDBY IMMEDIATE */
	{ 0xe1, -1, EFFECT_CONFIG }, /* IDLE IMMEDIATE */
	{ 0xef, -1, EFFECT_CONFIG }, /* SET FEATURES */
	{ 0x92, -1, EFFECT_CONFIG }, /* DOWNLOAD MICROCODE */
};

/* SPC-5 and SBC-4. ATA pass-through as such is not here: the ATA command is what counts. */
static const struct known scsi_known[] = {
	{ SCSI_TEST_UNIT_READY, -1, EFFECT_READ },
	{ SCSI_REQUEST_SENSE, -1, EFFECT_READ },
	{ SCSI_INQUIRY, -1, EFFECT_READ },
	{ SCSI_LOG_SENSE, 0, EFFECT_READ },
	{ SCSI_LOG_SENSE, 1, EFFECT_CONFIG }, /* SP: saves the parameters */
	{ SCSI_SERVICE_ACTION_IN, 0x10, EFFECT_READ },
	{ SCSI_SERVICE_ACTION_IN, 0x12, EFFECT_READ },
	{ 0x1a, -1, EFFECT_READ },   /* MODE SENSE (6) */
	{ 0x5a, -1, EFFECT_READ },   /* MODE SENSE (10) */
	{ 0x25, -1, EFFECT_READ },   /* READ CAPACITY (10) */
	{ 0x15, -1, EFFECT_CONFIG }, /* MODE SELECT (6) */
	{ 0x55, -1, EFFECT_CONFIG }, /* MODE SELECT (10) */
	{ 0x1d, -1, EFFECT_CONFIG }, /* SEND DIAGNOSTIC */
	{ 0x1b, -1, EFFECT_CONFIG }, /* START STOP UNIT */
	{ 0x4c, -1, EFFECT_CONFIG }, /* LOG SELECT */
};

static enum effect look_up(const struct known *rows, size_t n, uint8_t code, int sub)
{
	for (size_t i = 0; i < n; i++)
		if (rows[i].code == code && (rows[i].sub < 0 || rows[i].sub == sub))
			return rows[i].effect;
	return EFFECT_DESTROY;
}

enum effect request_effect(const struct request *req)
{
	switch (req->set) {
	case REQUEST_NVME:
		if (req->nvme.opcode == NVME_GET_LOG_PAGE && req->nvme.clears_events)
			return EFFECT_CONFIG;
		return look_up(nvme_known, ARRAY_SIZE(nvme_known), req->nvme.opcode, 0);
	case REQUEST_ATA:
		return look_up(ata_known, ARRAY_SIZE(ata_known), req->ata.command,
			       req->ata.features & 0xff);
	case REQUEST_SCSI: {
		/* byte 1: the service action of 9Eh, and bit 0 (SP) of LOG SENSE */
		int sub = req->scsi.cdb[1] & (req->scsi.cdb[0] == SCSI_LOG_SENSE ? 0x01 : 0x1f);
		return look_up(scsi_known, ARRAY_SIZE(scsi_known), req->scsi.cdb[0], sub);
	}
	}
	return EFFECT_DESTROY;
}

static struct request reading(enum request_set set, void *data, size_t len)
{
	return (struct request){
		.set = set,
		.effect = EFFECT_READ,
		.direction = len ? DATA_IN : DATA_NONE,
		.data = data,
		.len = len,
	};
}

struct request request_nvme_identify(uint8_t cns, uint32_t nsid, void *data)
{
	struct request r = reading(REQUEST_NVME, data, 4096);

	r.nvme = (struct nvme_command){ .opcode = NVME_IDENTIFY, .cns = cns, .nsid = nsid };
	if (nsid)
		snprintf(r.what, sizeof(r.what), "Identify CNS %02Xh namespace %u", cns, nsid);
	else
		snprintf(r.what, sizeof(r.what), "Identify CNS %02Xh", cns);
	return r;
}

struct request request_nvme_log(uint8_t lid, uint8_t lsp, uint16_t lsi, uint64_t offset, void *data,
				size_t len)
{
	struct request r = reading(REQUEST_NVME, data, len);

	r.nvme = (struct nvme_command){
		.opcode = NVME_GET_LOG_PAGE,
		.nsid = NSID_ALL,
		.lid = lid,
		.lsp = lsp,
		.lsi = lsi,
		.offset = offset,
	};
	snprintf(r.what, sizeof(r.what), "log %02Xh", lid);
	return r;
}

static struct request ata(uint8_t command, uint16_t features, uint64_t lba, void *data, size_t len)
{
	struct request r = reading(REQUEST_ATA, data, len);

	r.ata = (struct ata_command){
		.command = command,
		.features = features,
		.count = (uint16_t)(len / 512),
		.lba = lba,
		.protocol = len ? ATA_PIO_IN : ATA_NON_DATA,
		.want_registers = len == 0,
	};
	return r;
}

static struct request named(struct request r, const char *what)
{
	snprintf(r.what, sizeof(r.what), "%s", what);
	return r;
}

struct request request_ata_identify(void *data)
{
	return named(ata(ATA_IDENTIFY_DEVICE, 0, 0, data, 512), "IDENTIFY DEVICE");
}

struct request request_ata_power_mode(void)
{
	return named(ata(ATA_CHECK_POWER_MODE, 0, 0, NULL, 0), "CHECK POWER MODE");
}

struct request request_ata_smart_data(void *data)
{
	return named(ata(ATA_SMART, SMART_READ_DATA, SMART_SIGNATURE, data, 512),
		     "SMART READ DATA");
}

struct request request_ata_smart_thresholds(void *data)
{
	return named(ata(ATA_SMART, SMART_READ_THRESHOLDS, SMART_SIGNATURE | 1, data, 512),
		     "SMART READ THRESHOLDS");
}

struct request request_ata_smart_status(void)
{
	return named(ata(ATA_SMART, SMART_RETURN_STATUS, SMART_SIGNATURE, NULL, 0),
		     "SMART RETURN STATUS");
}

struct request request_ata_log_ext(uint8_t address, uint16_t page, void *data, size_t len)
{
	/* ACS-4, 7.24: LBA 7:0 log address, 15:8 and 39:32 the page */
	uint64_t lba = address | (uint64_t)(page & 0xff) << 8 | (uint64_t)(page >> 8) << 32;
	struct request r = ata(ATA_READ_LOG_EXT, 0, lba, data, len);

	r.ata.ext = true;
	snprintf(r.what, sizeof(r.what), "log %02Xh page %u", address, page);
	return r;
}

struct request request_ata_smart_log(uint8_t address, void *data, size_t len)
{
	struct request r = ata(ATA_SMART, SMART_READ_LOG, SMART_SIGNATURE | address, data, len);

	snprintf(r.what, sizeof(r.what), "SMART log %02Xh", address);
	return r;
}

static struct request scsi(const char *what, const uint8_t *cdb, size_t n, void *data, size_t len)
{
	struct request r = named(reading(REQUEST_SCSI, data, len), what);

	memcpy(r.scsi.cdb, cdb, n);
	r.scsi.len = (uint8_t)n;
	return r;
}

struct request request_scsi_test_unit_ready(void)
{
	const uint8_t cdb[6] = { SCSI_TEST_UNIT_READY };

	return scsi("TEST UNIT READY", cdb, sizeof(cdb), NULL, 0);
}

struct request request_scsi_request_sense(void *data, size_t len)
{
	const uint8_t cdb[6] = { SCSI_REQUEST_SENSE, [4] = (uint8_t)len };

	return scsi("REQUEST SENSE", cdb, sizeof(cdb), data, len);
}

struct request request_scsi_inquiry(void *data, size_t len)
{
	const uint8_t cdb[6] = { SCSI_INQUIRY, [3] = (uint8_t)(len >> 8), [4] = (uint8_t)len };

	return scsi("INQUIRY", cdb, sizeof(cdb), data, len);
}

struct request request_scsi_vpd(uint8_t page, void *data, size_t len)
{
	const uint8_t cdb[6] = { SCSI_INQUIRY, 1, page, (uint8_t)(len >> 8), (uint8_t)len };
	struct request r = scsi("", cdb, sizeof(cdb), data, len);

	snprintf(r.what, sizeof(r.what), "INQUIRY page %02Xh", page);
	return r;
}

struct request request_scsi_capacity(void *data)
{
	const uint8_t cdb[16] = { SCSI_SERVICE_ACTION_IN, 0x10, [13] = 32 };

	return scsi("READ CAPACITY (16)", cdb, sizeof(cdb), data, 32);
}

struct request request_scsi_log_sense(uint8_t page, uint8_t subpage, void *data, size_t len)
{
	/* PC 01b: cumulative values (SPC-5, 6.8) */
	const uint8_t cdb[10] = {
		SCSI_LOG_SENSE,	   0, (uint8_t)(0x40 | page), subpage, [7] = (uint8_t)(len >> 8),
		[8] = (uint8_t)len
	};
	struct request r = scsi("", cdb, sizeof(cdb), data, len);

	if (subpage)
		snprintf(r.what, sizeof(r.what), "log page %02Xh subpage %02Xh", page, subpage);
	else
		snprintf(r.what, sizeof(r.what), "log page %02Xh", page);
	return r;
}
