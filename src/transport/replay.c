/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "transport/codes.h"
#include "transport/decorators.h"

/* A transport that answers from a snapshot, as the drive did when it was read. */
struct replay {
	struct transport base;
	const struct snapshot *s;
};

static int unknown(const struct request *req, struct diag *d)
{
	return diag_fail(d, -EOPNOTSUPP, "%s: not in the capture", req->what);
}

static int give(const struct request *req, struct bytes log, size_t from, struct reply *ret,
		struct diag *d)
{
	struct bytes part = bytes_slice(log, from, req->len);

	if (!log.data)
		return unknown(req, d);
	if (part.len)
		memcpy(req->data, part.data, part.len);
	ret->len = part.len;
	return 0;
}

static int replay_nvme(const struct replay *r, const struct request *req, struct reply *ret,
		       struct diag *d)
{
	const struct nvme_command *c = &req->nvme;

	if (c->opcode == NVME_IDENTIFY)
		return give(req, snapshot_find(r->s, SPACE_NVME_IDENTIFY, c->cns, c->nsid), 0, ret,
			    d);
	if (c->opcode != NVME_GET_LOG_PAGE)
		return unknown(req, d);
	if (c->lid == NVME_LOG_EVENTS && c->lsp == NVME_EVENTS_RELEASE)
		return 0;
	return give(req, snapshot_find(r->s, SPACE_NVME_LOG, c->lid, c->lsi), c->offset, ret, d);
}

/* The registers of a drive that is awake, or of SMART RETURN STATUS. */
static int replay_registers(const struct replay *r, const struct request *req, struct reply *ret,
			    struct diag *d)
{
	struct bytes status = snapshot_find(r->s, SPACE_ATA_SMART_STATUS, 0, 0);

	ret->sense = (struct sense){ .valid = true, .key = SENSE_RECOVERED, .has_registers = true };
	ret->sense.ata.status = ATA_STATUS_DRDY;
	if (req->ata.command == ATA_CHECK_POWER_MODE) {
		ret->sense.ata.count = 0xff;
		return 0;
	}
	if (!status.data)
		return unknown(req, d);
	ret->sense.ata.lba = bytes_le_or0(status, 0, 2) << 8;
	return 0;
}

static int replay_smart(const struct replay *r, const struct request *req, struct reply *ret,
			struct diag *d)
{
	switch (req->ata.features) {
	case SMART_READ_DATA:
		return give(req, snapshot_find(r->s, SPACE_ATA_SMART_DATA, 0, 0), 0, ret, d);
	case SMART_READ_THRESHOLDS:
		return give(req, snapshot_find(r->s, SPACE_ATA_SMART_THRESHOLDS, 0, 0), 0, ret, d);
	case SMART_READ_LOG:
		return give(req, snapshot_find(r->s, SPACE_ATA_LOG, req->ata.lba & 0xff, 0), 0, ret,
			    d);
	case SMART_RETURN_STATUS:
		return replay_registers(r, req, ret, d);
	default:
		return unknown(req, d);
	}
}

static int replay_ata(const struct replay *r, const struct request *req, struct reply *ret,
		      struct diag *d)
{
	uint64_t lba = req->ata.lba;
	uint32_t page = (uint32_t)(lba >> 8 & 0xff) | (uint32_t)(lba >> 32 & 0xff) << 8;

	switch (req->ata.command) {
	case ATA_IDENTIFY_DEVICE:
		return give(req, snapshot_find(r->s, SPACE_ATA_IDENTIFY, 0, 0), 0, ret, d);
	case ATA_CHECK_POWER_MODE:
		return replay_registers(r, req, ret, d);
	case ATA_READ_LOG_EXT:
		return give(req, snapshot_find(r->s, SPACE_ATA_LOG, lba & 0xff, page), 0, ret, d);
	case ATA_SMART:
		return replay_smart(r, req, ret, d);
	default:
		return unknown(req, d);
	}
}

static int replay_scsi(const struct replay *r, const struct request *req, struct reply *ret,
		       struct diag *d)
{
	const uint8_t *cdb = req->scsi.cdb;
	struct bytes log = { 0 };

	switch (cdb[0]) {
	case SCSI_TEST_UNIT_READY:
		return 0;
	case SCSI_REQUEST_SENSE:
		log = snapshot_find(r->s, SPACE_SCSI_SENSE, 0, 0);
		break;
	case SCSI_INQUIRY:
		log = cdb[1] & 1 ? snapshot_find(r->s, SPACE_SCSI_VPD, cdb[2], 0)
				 : snapshot_find(r->s, SPACE_SCSI_INQUIRY, 0, 0);
		break;
	case SCSI_LOG_SENSE:
		log = snapshot_find(r->s, SPACE_SCSI_LOG, cdb[2] & 0x3f, cdb[3]);
		break;
	case SCSI_SERVICE_ACTION_IN:
		log = snapshot_find(r->s, SPACE_SCSI_CAPACITY, 0, 0);
		break;
	}
	return give(req, log, 0, ret, d);
}

static int replay_exec(struct transport *t, const struct request *req, struct reply *ret,
		       struct diag *d)
{
	const struct replay *r = (const struct replay *)t; /* base is the first member */

	switch (req->set) {
	case REQUEST_NVME:
		return replay_nvme(r, req, ret, d);
	case REQUEST_ATA:
		return replay_ata(r, req, ret, d);
	case REQUEST_SCSI:
		return replay_scsi(r, req, ret, d);
	}
	return unknown(req, d);
}

static void replay_close(struct transport *t)
{
	free(t);
}

static const struct transport_ops replay_ops = { replay_exec, replay_close };

int replay_transport(const struct snapshot *snapshot, struct transport **ret)
{
	struct replay *r = malloc(sizeof(*r));

	if (!r)
		return -ENOMEM;
	*r = (struct replay){ .base.ops = &replay_ops, .s = snapshot };
	*ret = &r->base;
	return 0;
}
