/* SPDX-License-Identifier: MIT */
#include "lib/ata_logs.h"

#include <string.h>

void sector_put(struct sector *s, size_t off, unsigned width, uint64_t v)
{
	for (unsigned i = 0; i < width; i++)
		s->bytes[off + i] = (uint8_t)(v >> 8 * i);
}

void sector_close(struct sector *s)
{
	uint8_t sum = 0;

	for (size_t i = 0; i < 511; i++)
		sum = (uint8_t)(sum + s->bytes[i]);
	s->bytes[511] = (uint8_t)-sum;
}

/* Padded with blanks, the bytes of each word swapped. */
static void put_string(struct sector *s, size_t off, size_t n, const char *text)
{
	size_t len = strlen(text);

	for (size_t i = 0; i < n; i++)
		s->bytes[off + (i ^ 1)] = i < len ? (uint8_t)text[i] : ' ';
}

void build_identify(struct sector *s, const char *model, const char *serial, const char *firmware,
		    uint64_t sectors)
{
	*s = (struct sector){ { 0 } };
	sector_put(s, 0, 2, 0x0040);
	put_string(s, 20, 20, serial);
	put_string(s, 46, 8, firmware);
	put_string(s, 54, 40, model);
	sector_put(s, 120, 4, sectors < 0x0fffffff ? sectors : 0x0fffffff);
	sector_put(s, 164, 2, 0x0001); /* SMART supported */
	sector_put(s, 166, 2, 0x4400); /* 48-bit addresses */
	sector_put(s, 170, 2, 0x0001); /* SMART enabled */
	sector_put(s, 174, 2, 0x4100); /* has a WWN */
	sector_put(s, 200, 8, sectors);
	sector_put(s, 212, 2, 0x4000);
	sector_put(s, 216, 2, 0x5002);
	sector_put(s, 218, 2, 0x538e);
	sector_put(s, 220, 2, 0x40a2);
	sector_put(s, 222, 2, 0x2954);
	sector_put(s, 434, 2, 1);
	s->bytes[510] = 0xa5;
	sector_close(s);
}

void put_attribute(struct sector *s, unsigned slot, uint8_t id, uint16_t flags, uint8_t value,
		   uint8_t worst, uint64_t raw)
{
	size_t at = 2 + 12 * (size_t)slot;

	s->bytes[at] = id;
	sector_put(s, at + 1, 2, flags);
	s->bytes[at + 3] = value;
	s->bytes[at + 4] = worst;
	sector_put(s, at + 5, 7, raw);
	sector_close(s);
}

void put_threshold(struct sector *s, unsigned slot, uint8_t id, uint8_t threshold)
{
	size_t at = 2 + 12 * (size_t)slot;

	s->bytes[at] = id;
	s->bytes[at + 1] = threshold;
	sector_close(s);
}

void build_devstat(struct sector *s, unsigned page)
{
	*s = (struct sector){ { 0 } };
	sector_put(s, 0, 2, 1);
	s->bytes[2] = (uint8_t)page;
}

void put_statistic(struct sector *s, size_t off, uint64_t value)
{
	sector_put(s, off, 8, value | 3ULL << 62);
}

void put_selftest(struct sector *s, bool extended, unsigned n, uint8_t kind, uint8_t status,
		  uint16_t hours, uint64_t lba)
{
	size_t at = extended ? 4 + 26 * (size_t)n : 2 + 24 * (size_t)n;

	s->bytes[at] = kind;
	s->bytes[at + 1] = status;
	sector_put(s, at + 2, 2, hours);
	sector_put(s, at + 5, extended ? 6 : 4, lba);
	sector_close(s);
}
