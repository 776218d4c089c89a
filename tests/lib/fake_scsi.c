/* SPDX-License-Identifier: MIT */
#include <scsi/sg.h>
#include <string.h>

#include "lib/fake_ioctl.h"

enum {
	GOOD = 0,
	CHECK_CONDITION = 2,
	NOT_READY = 2,
	ILLEGAL_REQUEST = 5,
	ABORTED_COMMAND = 0xb,
};

static void set_sense(struct sg_io_hdr *h, const uint8_t *sense, uint8_t n)
{
	h->status = CHECK_CONDITION;
	h->driver_status = 8; /* sense data are there */
	h->info |= SG_INFO_CHECK;
	h->sb_len_wr = n < h->mx_sb_len ? n : h->mx_sb_len;
	memcpy(h->sbp, sense, h->sb_len_wr);
}

static void fail_with(struct sg_io_hdr *h, uint8_t key, uint8_t asc, uint8_t ascq)
{
	const uint8_t sense[18] = { 0x70, 0, key, [7] = 10, [12] = asc, [13] = ascq };

	h->resid = (int)h->dxfer_len;
	set_sense(h, sense, sizeof(sense));
}

static void refuse(struct fake_drive *drive, struct fake_command *c, struct sg_io_hdr *h)
{
	drive->refusals++;
	c->refused = true;
	fail_with(h, ILLEGAL_REQUEST, 0x24, 0);
}

static void give(struct fake_drive *drive, struct sg_io_hdr *h, const uint8_t *bytes, size_t n)
{
	if (n > h->dxfer_len)
		n = h->dxfer_len;
	if (drive->truncate && n > drive->truncate)
		n = drive->truncate;
	memcpy(h->dxferp, bytes, n);
	h->resid = (int)(h->dxfer_len - n);
}

/* Registers after a command that went well, as CK_COND asks for them. */
static void give_registers(struct fake_drive *drive, struct sg_io_hdr *h, uint8_t count,
			   uint32_t lba)
{
	uint8_t d[22] = { 0x72, 1, 0, 0x1d, [7] = 14, [8] = 9, [9] = 12 };
	uint8_t f[18] = { 0x70, 0, 1, [7] = 10, [12] = 0, [13] = 0x1d };

	d[13] = count;
	d[15] = (uint8_t)lba;
	d[17] = (uint8_t)(lba >> 8);
	d[19] = (uint8_t)(lba >> 16);
	d[21] = 0x50;
	f[4] = 0x50;
	f[6] = count;
	f[9] = (uint8_t)lba;
	f[10] = (uint8_t)(lba >> 8);
	f[11] = (uint8_t)(lba >> 16);
	if (drive->sense == FAKE_SENSE_DESCRIPTOR)
		set_sense(h, d, sizeof(d));
	else if (drive->sense == FAKE_SENSE_FIXED)
		set_sense(h, f, sizeof(f));
}

/* The drive aborts: status 51h, error 04h, in the layout of this translation layer. */
static void abort_ata(struct fake_drive *drive, struct fake_command *c, struct sg_io_hdr *h)
{
	uint8_t d[22] = { 0x72, ABORTED_COMMAND, 0, 0, [7] = 14, [8] = 9, [9] = 12 };

	drive->refusals++;
	c->refused = true;
	if (drive->sense != FAKE_SENSE_DESCRIPTOR) {
		fail_with(h, ABORTED_COMMAND, 0, 0);
		return;
	}
	d[11] = 4;
	d[21] = 0x51;
	h->resid = (int)h->dxfer_len;
	set_sense(h, d, sizeof(d));
}

static void give_ata(struct fake_drive *drive, struct fake_command *c, struct sg_io_hdr *h,
		     const struct fake_page *page, bool registers)
{
	if (!page) {
		abort_ata(drive, c, h);
		return;
	}
	give(drive, h, page->bytes, page->len);
	if (registers)
		give_registers(drive, h, 0, 0);
}

static void ata(struct fake_drive *drive, struct fake_command *c, struct sg_io_hdr *h,
		bool registers)
{
	uint32_t page = (uint32_t)(c->lba >> 8 & 0xff);

	switch (c->code) {
	case 0xe5:
		give_registers(drive, h, drive->asleep ? 0 : 0xff, 0);
		return;
	case 0xec:
		give_ata(drive, c, h, fake_find(drive, FAKE_IDENTIFY, 0, 0), registers);
		return;
	case 0x2f:
		give_ata(drive, c, h, fake_find(drive, FAKE_LOG, c->lba & 0xff, page), registers);
		return;
	case 0xb0:
		if (c->features == 0xda) {
			give_registers(drive, h, 0, drive->smart_failing ? 0x2cf400 : 0xc24f00);
			return;
		}
		if (c->features == 0xd5)
			give_ata(drive, c, h, fake_find(drive, FAKE_SMART_LOG, c->lba & 0xff, 0),
				 registers);
		else
			give_ata(drive, c, h, fake_find(drive, FAKE_SMART, c->features, 0),
				 registers);
		return;
	default:
		abort_ata(drive, c, h);
	}
}

static void pass_through(struct fake_drive *drive, struct fake_command *c, struct sg_io_hdr *h)
{
	const uint8_t *b = c->cdb;
	bool ext = b[0] == 0x85 && (b[1] & 1), registers = b[2] & 0x20;

	if ((b[0] == 0x85 && !drive->takes_16) || (b[0] == 0xa1 && !drive->takes_12)) {
		fail_with(h, ILLEGAL_REQUEST, 0x20, 0);
		return;
	}
	if (b[0] == 0xa1) {
		c->features = b[3];
		c->lba = b[5] | (uint64_t)b[6] << 8 | (uint64_t)b[7] << 16;
		c->code = b[9];
	} else {
		c->features = b[4];
		c->lba = b[8] | (uint64_t)b[10] << 8 | (uint64_t)b[12] << 16;
		if (ext)
			c->lba |= (uint64_t)b[7] << 24 | (uint64_t)b[9] << 32;
		c->code = b[14];
	}
	ata(drive, c, h, registers);
}

static const struct fake_page *scsi_page(const struct fake_drive *drive, const uint8_t *cdb)
{
	switch (cdb[0]) {
	case 0x03:
		return fake_find(drive, FAKE_SENSE, 0, 0);
	case 0x12:
		return cdb[1] & 1 ? fake_find(drive, FAKE_VPD, cdb[2], 0)
				  : fake_find(drive, FAKE_INQUIRY, 0, 0);
	case 0x4d:
		return fake_find(drive, FAKE_LOG, cdb[2] & 0x3f, cdb[3]);
	case 0x9e:
		return fake_find(drive, FAKE_CAPACITY, 0, 0);
	default:
		return NULL;
	}
}

int fake_sg_io(struct fake_drive *drive, void *header)
{
	struct sg_io_hdr *h = header;
	struct fake_command *c = fake_note(drive);

	memcpy(c->cdb, h->cmdp, h->cmd_len < 16 ? h->cmd_len : 16);
	c->code = c->cdb[0];
	c->len = h->dxfer_len;
	h->status = GOOD;
	h->resid = 0;
	h->info = 0;
	if (drive->busy_commands) {
		drive->busy_commands--;
		fail_with(h, NOT_READY, 0x04, 0x01);
		return 0;
	}
	if (c->code == 0x85 || c->code == 0xa1) {
		pass_through(drive, c, h);
		return 0;
	}
	if (c->code == 0x00)
		return 0;
	const struct fake_page *page = scsi_page(drive, c->cdb);
	if (page)
		give(drive, h, page->bytes, page->len);
	else
		refuse(drive, c, h);
	return 0;
}

static void put_word(uint8_t *page, unsigned word, uint16_t value)
{
	fake_put(page, (size_t)word * 2, 2, value);
}

struct fake_drive *fake_ata(const char *node)
{
	struct fake_drive *drive = fake_add(FAKE_ATA, node);
	uint8_t *id = fake_page(drive, FAKE_IDENTIFY, 0, 0, 512);
	static const uint8_t listed[] = { 5, 0, 1, 4, 5, 7 };

	fake_text(id + 20, "ESIRLA1", 20); /* bytes of each word are swapped */
	fake_text(id + 54, "AFEKS TA ASSD", 40);
	put_word(id, 0, 0x0040);
	put_word(id, 82, 1); /* SMART is supported */
	put_word(id, 83, 0x4400);
	put_word(id, 84, 0x4023); /* error and self-test logs, general purpose logs */
	put_word(id, 85, 1);	  /* ... and enabled */
	put_word(id, 87, 0x4023);
	put_word(id, 206, 1); /* SCT */
	put_word(id, 217, 1); /* does not rotate */
	fake_page(drive, FAKE_SMART, 0xd0, 0, 512)[0] = 1;
	fake_page(drive, FAKE_SMART, 0xd1, 0, 512)[0] = 1;
	uint8_t *directory = fake_page(drive, FAKE_LOG, 0, 0, 512);
	put_word(directory, 0, 1);
	put_word(directory, 3, 1);
	put_word(directory, 4, 8);
	put_word(directory, 7, 1);
	put_word(directory, 0xe0, 1);
	memcpy(fake_page(drive, FAKE_LOG, 4, 0, 512) + 8, listed, sizeof(listed));
	for (size_t i = 2; i < sizeof(listed); i++)
		fake_page(drive, FAKE_LOG, 4, listed[i], 512)[2] = listed[i];
	fake_page(drive, FAKE_LOG, 3, 0, 512);
	fake_page(drive, FAKE_LOG, 7, 0, 512);
	fake_page(drive, FAKE_LOG, 0xe0, 0, 512);
	return drive;
}

static void add_list(struct fake_drive *drive, enum fake_space space, const uint8_t *pages,
		     size_t n)
{
	uint8_t *list = fake_page(drive, space, 0, 0, 4 + n);

	list[3] = (uint8_t)n;
	memcpy(list + 4, pages, n);
}

struct fake_drive *fake_sas(const char *node)
{
	struct fake_drive *drive = fake_add(FAKE_SCSI, node);
	static const uint8_t vpd[] = { 0x00, 0x80, 0xb1 }, logs[] = { 0x00, 0x02, 0x0d, 0x11 };
	uint8_t *inquiry = fake_page(drive, FAKE_INQUIRY, 0, 0, 96);

	inquiry[4] = 91;
	fake_text(inquiry + 8, "FAKE    SAS SSD         0001", 28);
	add_list(drive, FAKE_VPD, vpd, sizeof(vpd));
	memcpy(fake_page(drive, FAKE_VPD, 0x80, 0, 12), "\0\x80\0\x08SERIALS1", 12);
	memcpy(fake_page(drive, FAKE_VPD, 0xb1, 0, 64), "\0\xb1\0\x3c\0\x01", 6);
	fake_page(drive, FAKE_CAPACITY, 0, 0, 32)[4] = 1;
	fake_page(drive, FAKE_SENSE, 0, 0, 18)[0] = 0x70;
	add_list(drive, FAKE_LOG, logs, sizeof(logs));
	for (size_t i = 1; i < sizeof(logs); i++) {
		uint8_t *page = fake_page(drive, FAKE_LOG, logs[i], 0, 12);
		page[0] = logs[i];
		page[3] = 8;
	}
	return drive;
}
