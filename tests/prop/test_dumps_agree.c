/* SPDX-License-Identifier: MIT */
/*
 * A drive says the same whether its bytes are read or what smartctl printed of them: random Device
 * Statistics as a sector, in text and in JSON, and random raw values through smartctl's formatters.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "decode/ata.h"
#include "lib/ata_logs.h"
#include "lib/dumps.h"

#define RUNS 400

/* xorshift64*: the seed is in every message, so that a failure can be run again. */
static uint64_t roll(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

/* The same statistics in three forms. */
struct forms {
	struct snapshot raw;
	struct str text, json;
};

static void start(struct forms *f, unsigned sector_size)
{
	struct sector identify;

	*f = (struct forms){ .text = { 0 } };
	snapshot_init(&f->raw);
	build_identify(&identify, "M", "S", "F", 1000000);
	if (sector_size == 4096) {
		sector_put(&identify, 212, 2, 0x5000);
		sector_put(&identify, 234, 4, 2048);
		sector_close(&identify);
	}
	assert_int_equal(
		snapshot_add(&f->raw, SPACE_ATA_IDENTIFY, 0, 0, bytes_of(identify.bytes, 512)), 0);
	str_addf(&f->text,
		 "=== START OF INFORMATION SECTION ===\nDevice Model: M\n"
		 "Sector Size: %u bytes logical/physical\n\nDevice Statistics (GP Log 0x04)\n",
		 sector_size);
	str_addf(&f->json,
		 "{\"smartctl\":{},\"device\":{\"protocol\":\"ATA\"},\"model_name\":\"M\","
		 "\"logical_block_size\":%u,\"ata_device_statistics\":{\"pages\":[",
		 sector_size);
}

/* As smartctl takes it out of the log: by its size, signed where it is a temperature. */
static long long printed(const struct field *row, uint64_t value)
{
	if (row->flags & FIELD_SIGNED && value >> 7)
		return (long long)value - 256;
	return (long long)value;
}

static void add_page(struct forms *f, const struct log_layout *layout, uint64_t *state)
{
	struct sector page;

	build_devstat(&page, layout->sub);
	str_addf(&f->json, "%s{\"number\":%u,\"table\":[null",
		 f->json.s[f->json.len - 1] == '[' ? "" : ",", layout->sub);
	for (size_t i = 0; i < layout->nfields; i++) {
		const struct field *row = &layout->fields[i];
		uint64_t value;

		if (row->type != FIELD_DEVSTAT || roll(state) % 4 == 0)
			continue;
		value = roll(state) >> (64 - row->bits) >> roll(state) % 8;
		if (row->unit == UNIT_CELSIUS && value >= 100 && value < 216)
			value = 40; /* nonsense has tests of its own */
		if (roll(state) % 16 == 0)
			value = ((uint64_t)1 << row->bits) - 1;
		put_statistic(&page, row->off, value);
		str_addf(&f->text, "0x%02x  0x%03x  %u %15lld  ---  A statistic\n", layout->sub,
			 row->off, row->bits / 8u, printed(row, value));
		str_addf(&f->json, ",{\"offset\":%u,\"value\":%lld,\"flags\":{\"valid\":true}}",
			 row->off, printed(row, value));
	}
	str_add(&f->json, "]}");
	assert_int_equal(
		snapshot_add(&f->raw, SPACE_ATA_LOG, 4, layout->sub, bytes_of(page.bytes, 512)), 0);
}

static void compare(unsigned seed, const char *form, const struct reading *raw,
		    const struct reading *other)
{
	for (size_t i = 0; i < raw->nfields; i++) {
		const struct decoded *a = &raw->fields[i], *b;

		if (a->field->type != FIELD_DEVSTAT)
			continue;
		b = reading_find(other, a->layout->name, a->field->name);
		if (a->value.kind == VALUE_ABSENT ? !b || b->value.kind == VALUE_ABSENT
						  : b && a->value.number == b->value.number &&
							    a->value.bound == b->value.bound)
			continue;
		fail_msg("seed %u: %s.%s differs in %s", seed, a->layout->name, a->field->name,
			 form);
	}
}

static void statistics_agree(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= RUNS; seed++) {
		uint64_t dice = seed * UINT64_C(0x9e3779b97f4a7c15);
		struct reading raw, text, json;
		struct diag d = { 0 };
		struct forms f;

		start(&f, roll(&dice) % 2 ? 4096 : 512);
		for (const struct log_layout *const *l = ata_devstat_layouts; *l; l++)
			if ((*l)->sub)
				add_page(&f, *l, &dice);
		str_add(&f.json, "]}}");
		assert_int_equal(reading_decode(&f.raw, NULL, &d, &raw), 0);
		read_dump(str_text(&f.text), &text);
		read_dump(str_text(&f.json), &json);
		compare(seed, "text", &raw, &text);
		compare(seed, "JSON", &raw, &json);
		reading_release(&raw);
		reading_release(&text);
		reading_release(&json);
		snapshot_release(&f.raw);
		str_release(&f.text);
		str_release(&f.json);
	}
}

/* smartctl's formatters that print every byte which is not zero. */
static void format_raw(unsigned formatter, uint64_t raw, char buf[64])
{
	unsigned w[3] = { raw & 0xffff, raw >> 16 & 0xffff, raw >> 32 & 0xffff };
	unsigned b[6], ms = (unsigned)(raw >> 32);

	for (unsigned i = 0; i < 6; i++)
		b[i] = raw >> 8 * i & 0xff;
	switch (formatter) {
	case 0:
		snprintf(buf, 64, "%llu", (unsigned long long)raw);
		break;
	case 1:
		snprintf(buf, 64, "0x%012llx", (unsigned long long)raw);
		break;
	case 2:
		snprintf(buf, 64, "%u %u %u", w[2], w[1], w[0]);
		break;
	case 3:
		snprintf(buf, 64, w[1] || w[2] ? "%u (%u %u)" : "%u", w[0], w[2], w[1]);
		break;
	case 4:
		snprintf(buf, 64, raw >> 24 ? "%u (%u %u %u)" : "%u", (unsigned)(raw & 0xffffff),
			 b[5], b[4], b[3]);
		break;
	case 5:
		snprintf(buf, 64, "%u %u %u %u %u %u", b[5], b[4], b[3], b[2], b[1], b[0]);
		break;
	case 6:
		snprintf(buf, 64, "%u (%u %u %u %u %u)", b[0], b[5], b[4], b[3], b[2], b[1]);
		break;
	default:
		snprintf(buf, 64, "%uh+%02um+%02u.%03us", (unsigned)(raw & UINT32_MAX), ms / 60000,
			 ms / 1000 % 60, ms % 1000);
	}
}

static void formatted_raw_values_come_back(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= RUNS * 8; seed++) {
		uint64_t dice = seed * UINT64_C(0x9e3779b97f4a7c15);
		uint64_t raw = roll(&dice) >> (16 + roll(&dice) % 48);
		struct attribute a = { 0 };
		char text[64];

		format_raw(seed % 8, raw, text);
		attribute_raw_from_text(&a, text);
		if (!a.has_raw || a.raw_is_decoded || a.raw_bytes < 6 || a.raw != raw)
			fail_msg("seed %u: \"%s\" gives %llx, %u bytes, for %llx", seed, text,
				 (unsigned long long)a.raw, a.raw_bytes, (unsigned long long)raw);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(statistics_agree),
		cmocka_unit_test(formatted_raw_values_come_back),
	};

	return cmocka_run_group_tests_name("dumps agree with bytes", tests, NULL, NULL);
}
