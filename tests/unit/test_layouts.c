/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "decode/field.h"

static const struct log_layout *const *const sets[] = { nvme_layouts, nvme_vendor_layouts,
							ata_layouts, scsi_layouts, dump_layouts };

static void every_layout_covers_every_byte_once(void **state)
{
	struct diag d = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sets); i++)
		for (const struct log_layout *const *l = sets[i]; *l; l++)
			if (layout_check(*l, &d))
				fail_msg("%s", d.text);
}

static void every_layout_is_found_by_its_name(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sets); i++)
		for (const struct log_layout *const *l = sets[i]; *l; l++)
			assert_ptr_equal(layout_by_name((*l)->name), *l);
	assert_null(layout_by_name("no.such.layout"));
}

/* A vendor's log without a signature is read only where a rule says that the drive has it. */
static void vendor_layouts_are_signed_or_by_rule(void **state)
{
	(void)state;
	for (const struct log_layout *const *l = nvme_vendor_layouts; *l; l++)
		assert_true((*l)->accepts || (*l)->by_rule);
}

static struct log_layout layout_of(const struct field *rows, size_t n, uint32_t size)
{
	return (struct log_layout){ .name = "test",
				    .title = "Test",
				    .source = "test",
				    .size = size,
				    .fields = rows,
				    .nfields = n };
}

#define assert_refused(rows, bytes, why)                                        \
	do {                                                                    \
		struct log_layout l = layout_of(rows, ARRAY_SIZE(rows), bytes); \
		struct diag d = { 0 };                                          \
		assert_int_equal(layout_check(&l, &d), -EINVAL);                \
		if (!strstr(d.text, why))                                       \
			fail_msg("\"%s\" does not say \"%s\"", d.text, why);    \
	} while (0)

static void mistakes_in_rows_are_named(void **state)
{
	static const struct field gap[] = { FIELD("a", "A", 0, 2, FIELD_UINT),
					    FIELD("b", "B", 3, 1, FIELD_UINT) };
	static const struct field overlap[] = { FIELD("a", "A", 0, 2, FIELD_UINT),
						FIELD("b", "B", 1, 3, FIELD_UINT) };
	static const struct field twice[] = { FIELD("a", "A", 0, 2, FIELD_UINT),
					      FIELD("a", "A", 2, 2, FIELD_UINT) };
	static const struct field wide[] = { FIELD("a", "A", 0, 17, FIELD_UINT) };
	static const struct field unit[] = { FIELD("a", "A", 0, 4, FIELD_UINT, IN_COUNT,
						   IN_FACT(FACT_POWER_ON_HOURS)) };
	static const struct field bits[] = { FIELD_BITS("a", "A", 0, 1, 0, 3),
					     FIELD_BITS("b", "B", 0, 1, 4, 4) };
	static const struct field some_bits[] = { FIELD_BITS("a", "A", 0, 1, 0, 3),
						  FIELD("b", "B", 1, 3, FIELD_UINT) };
	static const struct field outside[] = { FIELD("a", "A", 0, 1, FIELD_UINT),
						FIELD_BITS("b", "B", 0, 1, 6, 3),
						FIELD_RSVD(1, 3) };
	static const struct field since[] = { FIELD("a", "A", 0, 4, FIELD_UINT, .since = 2) };

	(void)state;
	assert_refused(gap, 4, "gap");
	assert_refused(overlap, 4, "overlaps");
	assert_refused(twice, 4, "twice");
	assert_refused(wide, 17, "size");
	assert_refused(unit, 4, "unit");
	assert_refused(bits, 1, "continue");
	assert_refused(some_bits, 4, "missing");
	assert_refused(outside, 4, "bits do not fit");
	assert_refused(since, 4, "version");
}

static void rows_of_bits_may_refine_or_divide(void **state)
{
	static const struct field rows[] = {
		FIELD("whole", "Whole", 0, 2, FIELD_UINT), FIELD_BITS("part", "Part", 0, 2, 3, 5),
		FIELD_BITS("other", "Other", 1, 1, 0, 1),  FIELD_BITS("low", "Low", 2, 1, 0, 4),
		FIELD_BITS("high", "High", 2, 1, 4, 4),	   FIELD_RSVD(3, 1),
	};
	struct log_layout l = layout_of(rows, ARRAY_SIZE(rows), 4);
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(layout_check(&l, &d), 0);
}

static void keyed_and_derived_rows_are_checked(void **state)
{
	static const struct field rows[] = { FIELD("records", "Records", 0, 24, FIELD_GROUP) };
	static const struct keyed_entry beyond[] = {
		{ 1, { FIELD("a", "A", 8, 6, FIELD_UINT) } },
	};
	static const struct keyed_entry same_key[] = {
		{ 1, { FIELD("a", "A", 5, 6, FIELD_UINT) } },
		{ 1, { FIELD("b", "B", 5, 6, FIELD_UINT) } },
	};
	static const struct derived_field parts[] = {
		{ DERIVED_SUM,
		  FIELD("s", "S", 0, 0, FIELD_UINT),
		  { { "a", 1 }, { "z", 1 } },
		  NULL,
		  NULL },
	};
	struct keyed_table t = { 0, 12, 2, 0, 1, beyond, 1, true };
	struct log_layout l = layout_of(rows, 1, 24);
	struct diag d = { 0 };

	(void)state;
	l.keyed = &t;
	assert_int_equal(layout_check(&l, &d), -EINVAL);
	assert_non_null(strstr(d.text, "leaves its record"));
	t.entries = same_key;
	t.nentries = 2;
	diag_clear(&d);
	assert_int_equal(layout_check(&l, &d), -EINVAL);
	assert_non_null(strstr(d.text, "key stands twice"));
	t.nentries = 1;
	l.derived = parts;
	l.nderived = 1;
	diag_clear(&d);
	assert_int_equal(layout_check(&l, &d), -EINVAL);
	assert_non_null(strstr(d.text, "part does not exist"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_layout_covers_every_byte_once),
		cmocka_unit_test(every_layout_is_found_by_its_name),
		cmocka_unit_test(vendor_layouts_are_signed_or_by_rule),
		cmocka_unit_test(mistakes_in_rows_are_named),
		cmocka_unit_test(rows_of_bits_may_refine_or_divide),
		cmocka_unit_test(keyed_and_derived_rows_are_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
