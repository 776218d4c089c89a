/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <string.h>

#include "decode/layout_nvme.h"
#include "lib/nvme_logs.h"
#include "lib/nvme_reading.h"

/* Decoding is total: logs of any bytes and any length give a reading, and its values make sense. */

#define RUNS 3000

static uint64_t next(uint64_t *state) /* xorshift64*, Vigna 2016 */
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

/* Bytes at random, but often zeros, ones or small, as real logs have them. */
static void scramble(struct log_page *p, uint64_t *state)
{
	unsigned changes = (unsigned)(next(state) % 64);

	if (next(state) % 4 == 0)
		for (size_t i = 0; i < p->len; i++)
			p->bytes[i] = (uint8_t)next(state);
	while (p->len && changes--) {
		static const uint8_t liked[] = { 0, 1, 2, 0x7f, 0x80, 0xff };

		p->bytes[next(state) % p->len] = next(state) % 2
							 ? liked[next(state) % sizeof(liked)]
							 : (uint8_t)next(state);
	}
	if (next(state) % 8 == 0)
		p->len = (size_t)(next(state) % (p->len + 1));
}

static void check_value(const struct decoded *v)
{
	const struct field *f = v->field;

	switch (v->value.kind) {
	case VALUE_NUMBER:
		assert_null(v->value.text);
		if (f->type == FIELD_UINT && !(f->flags & FIELD_KELVIN))
			assert_true(v->value.number >= 0);
		if (f->flags & FIELD_KELVIN)
			assert_true(v->value.number > -273000);
		break;
	case VALUE_TEXT:
		assert_true(v->value.text[0] != '\0' && strlen(v->value.text) <= f->size);
		break;
	case VALUE_RAW:
		assert_true(strlen(v->value.text) % 2 == 0);
		break;
	case VALUE_ABSENT:
		assert_null(v->value.text);
		break;
	}
}

static void check_reading(const struct reading *r)
{
	for (size_t i = 0; i < r->nfields; i++)
		check_value(&r->fields[i]);
	assert_true(r->nselftests <= SELFTESTS_MAX && r->nproblems <= SNAPSHOT_PROBLEMS_MAX);
	assert_in_range(r->selftest_progress + 1, 0, 101);
	if (r->identity.has_capacity)
		assert_true(r->identity.capacity_bytes > 0);
}

/* A page for each layout, at its own size, as a builder or as noise. */
static void add_log(struct snapshot *s, const struct log_layout *l, uint64_t *state)
{
	static struct log_page p;

	memset(&p, 0, sizeof(p));
	if (l == &layout_nvme_controller)
		build_controller(&p, "EXAMPLE", "SERIAL", "FW");
	else if (l == &layout_nvme_namespace)
		build_namespace(&p, next(state) >> next(state) % 64, 12, 0);
	else if (l == &layout_nvme_smart)
		build_smart(&p);
	else if (l == &layout_ocp_smart)
		build_ocp(&p, (unsigned)(next(state) % 7));
	else
		p.len = l->size < LOG_MAX ? l->size : LOG_MAX;
	scramble(&p, state);
	add_page(s, l->space, l->id == LAYOUT_ANY ? 0xee : l->id, (uint32_t)(next(state) % 3), &p);
}

static void any_bytes_give_a_reading(void **unused)
{
	uint64_t state = 20261130;

	(void)unused;
	for (unsigned run = 0; run < RUNS; run++) {
		struct diag d = { 0 };
		struct snapshot s;
		struct reading r;

		snapshot_init(&s);
		for (const struct log_layout *const *l = nvme_layouts; *l; l++)
			if (next(&state) % 4 == 0)
				add_log(&s, *l, &state);
		for (const struct log_layout *const *l = nvme_vendor_layouts; *l; l++)
			if (next(&state) % 8 == 0)
				add_log(&s, *l, &state);
		if (reading_decode(&s, nvme_vendor_layouts, &d, &r))
			fail_msg("run %u: %s", run, d.text);
		check_reading(&r);
		reading_release(&r);
		snapshot_release(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(any_bytes_give_a_reading) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
