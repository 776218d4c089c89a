/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transport/codes.h"
#include "transport/scsi.h"

struct sat {
	struct transport base;
	struct transport *inner;
};

enum {
	/* byte 1: protocol << 1 */
	PROTOCOL_NON_DATA = 3 << 1,
	PROTOCOL_PIO_IN = 4 << 1,
	PROTOCOL_PIO_OUT = 5 << 1,
	EXTEND = 1,
	/* byte 2 */
	CK_COND = 1 << 5,
	T_DIR_IN = 1 << 3,
	BYT_BLOK = 1 << 2,
	T_LENGTH_COUNT = 2,
};

static uint8_t protocol_byte(const struct ata_command *c)
{
	switch (c->protocol) {
	case ATA_PIO_IN:
		return PROTOCOL_PIO_IN;
	case ATA_PIO_OUT:
		return PROTOCOL_PIO_OUT;
	default:
		return PROTOCOL_NON_DATA;
	}
}

/*
 * CK_COND only where the answer is in the registers: with data, several drivers turn it into an
 * error.
 */
static uint8_t flags_byte(const struct request *req)
{
	uint8_t flags = req->ata.want_registers ? CK_COND : 0;

	if (req->direction != DATA_NONE)
		flags |= BYT_BLOK | T_LENGTH_COUNT;
	if (req->direction == DATA_IN)
		flags |= T_DIR_IN;
	return flags;
}

static void fill_16(const struct request *req, uint8_t *cdb)
{
	const struct ata_command *c = &req->ata;

	cdb[0] = SCSI_ATA_PASS_THROUGH_16;
	cdb[1] = protocol_byte(c) | (c->ext ? EXTEND : 0);
	cdb[2] = flags_byte(req);
	if (c->ext) {
		cdb[3] = (uint8_t)(c->features >> 8);
		cdb[5] = (uint8_t)(c->count >> 8);
		cdb[7] = (uint8_t)(c->lba >> 24);
		cdb[9] = (uint8_t)(c->lba >> 32);
		cdb[11] = (uint8_t)(c->lba >> 40);
	}
	cdb[4] = (uint8_t)c->features;
	cdb[6] = (uint8_t)c->count;
	cdb[8] = (uint8_t)c->lba;
	cdb[10] = (uint8_t)(c->lba >> 8);
	cdb[12] = (uint8_t)(c->lba >> 16);
	cdb[13] = c->device;
	cdb[14] = c->command;
}

static void fill_12(const struct request *req, uint8_t *cdb)
{
	const struct ata_command *c = &req->ata;

	cdb[0] = SCSI_ATA_PASS_THROUGH_12;
	cdb[1] = protocol_byte(c);
	cdb[2] = flags_byte(req);
	cdb[3] = (uint8_t)c->features;
	cdb[4] = (uint8_t)c->count;
	cdb[5] = (uint8_t)c->lba;
	cdb[6] = (uint8_t)(c->lba >> 8);
	cdb[7] = (uint8_t)(c->lba >> 16);
	cdb[8] = c->device;
	cdb[9] = c->command;
}

/* What the drive itself said, where the registers came: more exact than the translation. */
static int registers_error(const struct request *req, const struct ata_registers *r, struct diag *d)
{
	if (!(r->status & (ATA_STATUS_ERR | ATA_STATUS_DF)))
		return 0;
	if (r->status & ATA_STATUS_DF)
		return diag_fail(d, -EIO, "%s: device fault", req->what);
	if (r->error & ATA_ERROR_ABRT)
		return diag_fail(d, -EOPNOTSUPP, "%s: aborted by the drive (status %02Xh)",
				 req->what, r->status);
	return diag_fail(d, -EIO, "%s: error %02Xh, status %02Xh", req->what, r->error, r->status);
}

static int sat_exec(struct transport *t, const struct request *req, struct reply *ret,
		    struct diag *d)
{
	const struct sat *s = (const struct sat *)t; /* base is the first member */
	struct diag inner = { 0 };

	if (req->set != REQUEST_ATA)
		return transport_exec(s->inner, req, ret, d);
	if (req->ata.short_form && req->ata.ext)
		return diag_fail(d, -EOPNOTSUPP, "%s: the bridge takes no 48-bit commands",
				 req->what);

	struct request through = *req;
	through.set = REQUEST_SCSI;
	through.scsi = (struct scsi_command){ .len = req->ata.short_form ? 12 : 16 };
	if (req->ata.short_form)
		fill_12(req, through.scsi.cdb);
	else
		fill_16(req, through.scsi.cdb);

	int err = transport_exec(s->inner, &through, ret, &inner);
	if (ret->sense.has_registers && err != -EAGAIN)
		err = registers_error(req, &ret->sense.ata, &inner);
	if (err < 0)
		return diag_fail(d, err, "%s", inner.text);
	if (req->ata.want_registers && !ret->sense.has_registers)
		return diag_fail(d, -ENODATA, "%s: the registers with the answer did not come back",
				 req->what);
	if (ret->len < req->len)
		return diag_fail(d, -EIO, "%s: truncated: %zu of %zu bytes came", req->what,
				 ret->len, req->len);
	return 0;
}

static void sat_close(struct transport *t)
{
	transport_close(&((struct sat *)t)->inner);
	free(t);
}

static const struct transport_ops sat_ops = { sat_exec, sat_close };

int sat_transport(struct transport *inner, struct transport **ret)
{
	struct sat *s = calloc(1, sizeof(*s));

	if (!s) {
		transport_close(&inner);
		return -ENOMEM;
	}
	*s = (struct sat){ .base.ops = &sat_ops, .inner = inner };
	*ret = &s->base;
	return 0;
}
