/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "base/text.h"
#include "decode/ata.h"
#include "decode/dump.h"

/* ATA self-test logs (ACS-4, 9.8 and ATA8-ACS, A.14) and what is checked when all is read. */

/* How the two logs lay out their entries. */
struct selftest_log {
	unsigned first, stride, count; /* descriptors */
	unsigned index, index_size;    /* where the newest one's number stands */
	unsigned lba, lba_size;
};

static const struct selftest_log smart_log = {
	.first = 2,
	.stride = 24,
	.count = 21,
	.index = 508,
	.index_size = 1,
	.lba = 5,
	.lba_size = 4,
};
static const struct selftest_log extended_log = {
	.first = 4,
	.stride = 26,
	.count = 19,
	.index = 2,
	.index_size = 2,
	.lba = 5,
	.lba_size = 6,
};

enum selftest_result ata_selftest_result(unsigned code)
{
	if (code == 0)
		return SELFTEST_PASSED;
	if (code <= 2)
		return SELFTEST_ABORTED;
	if (code <= 8)
		return SELFTEST_FAILED;
	return code == 15 ? SELFTEST_RUNNING : SELFTEST_UNKNOWN;
}

const char *ata_selftest_kind(unsigned subcommand)
{
	/* bit 7: the same test in captive mode */
	static const char *const kinds[] = { "offline", "short", "extended", "conveyance",
					     "selective" };

	if ((subcommand & 0x7f) < ARRAY_SIZE(kinds))
		return kinds[subcommand & 0x7f];
	return subcommand == 0x7f ? "abort" : "vendor";
}

static void decode_entry(const struct selftest_log *layout, struct bytes e, struct selftest *t)
{
	uint64_t ones = layout->lba_size == 4 ? UINT32_MAX : 0xffffffffffff;
	unsigned status = (unsigned)bytes_le_or0(e, 1, 1);

	text_copy(t->kind, sizeof(t->kind), ata_selftest_kind((unsigned)bytes_le_or0(e, 0, 1)));
	t->code = (uint8_t)(status >> 4);
	t->result = ata_selftest_result(t->code);
	if (t->result == SELFTEST_RUNNING || t->result == SELFTEST_ABORTED)
		t->remaining_percent = (int8_t)((status & 15) * 10);
	t->has_hours = true;
	t->hours = bytes_le_or0(e, 2, 2);
	t->lba = bytes_le_or0(e, layout->lba, layout->lba_size);
	t->has_lba = t->result == SELFTEST_FAILED && t->lba != ones;
}

void ata_decode_selftests(struct bytes log, bool extended, struct reading *r)
{
	const struct selftest_log *layout = extended ? &extended_log : &smart_log;
	unsigned index = (unsigned)bytes_le_or0(log, layout->index, layout->index_size);
	/* the extended log goes on in further sectors, each with its own header */
	unsigned count = layout->count * (extended ? (unsigned)(log.len / ATA_SECTOR) : 1);

	if (log.len < ATA_SECTOR)
		return;
	r->selftest_log_read = true;
	if (index > count)
		reading_add_problem(r, -ENODATA,
				    "self-test log: the newest entry is %u, of %u read", index,
				    count);
	if (!index || index > count)
		return;
	for (unsigned i = 0; i < count; i++) {
		unsigned at = (index - 1 + count - i) % count;
		size_t sector = (size_t)(at / layout->count) * ATA_SECTOR;
		struct bytes e = bytes_slice(
			log, sector + layout->first + at % layout->count * layout->stride,
			layout->stride);
		struct selftest *t;

		if (bytes_all(e, 0))
			continue;
		t = reading_new_selftest(r);
		if (!t)
			return;
		decode_entry(layout, e, t);
	}
}
