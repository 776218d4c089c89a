/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "lib/nvme_logs.h"
#include "lib/nvme_reading.h"

#define MIB32 (INT64_C(32) << 20)
#define TB    INT64_C(1000000000000)

static struct {
	struct snapshot s;
	struct reading r;
	struct log_page p;
} t;

static int setup(void **state)
{
	(void)state;
	memset(&t, 0, sizeof(t));
	build_drive(&t.s); /* 512 GB written by the host, by log 02h */
	reading_init(&t.r);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	snapshot_release(&t.s);
	reading_release(&t.r);
	return 0;
}

/* Decode with the page as that log; rule names the layout that a drive rule asks for, or NULL. */
static void decode(uint32_t lid, const char *rule)
{
	const struct log_layout *layouts[] = { rule ? layout_by_name(rule) : NULL, NULL };
	struct diag d = { 0 };

	if (rule)
		assert_non_null(layouts[0]);
	add_page(&t.s, SPACE_NVME_LOG, lid, 0, &t.p);
	assert_int_equal(reading_decode(&t.s, layouts, &d, &t.r), 0);
}

/* --- OCP ------------------------------------------------------------------------------------- */

static void ocp_of_version_4_has_an_average(void **state)
{
	(void)state;
	build_ocp(&t.p, 4);
	put(&t.p, 224, 8, 357);
	put(&t.p, 222, 1, 71);
	put(&t.p, 208, 8, 0x3147464c55464157);
	put(&t.p, 32, 6, 5);
	put(&t.p, 38, 2, 100);
	put(&t.p, 56, 8, 2);
	put(&t.p, 96, 1, 9);
	decode(0xc0, NULL);
	check_fact(&t.r, FACT_NAND_BYTES_WRITTEN, 655 * TB);
	check_fact(&t.r, FACT_ERASE_COUNT_MAX, 421);
	check_fact(&t.r, FACT_ERASE_COUNT_MIN, 300);
	check_fact(&t.r, FACT_ERASE_COUNT_AVG, 357);
	check_fact(&t.r, FACT_REALLOCATED_BLOCKS, 5);
	check_fact(&t.r, FACT_UNCORRECTABLE_ERRORS, 2);
	check_fact(&t.r, FACT_FREE_BLOCKS, 87000);
	check_fact(&t.r, FACT_CAPACITOR_HEALTH, 99000);
	check_fact(&t.r, FACT_ENDURANCE_ESTIMATE, 7000 * TB);
	check_fact(&t.r, FACT_TEMPERATURE_MAX, 71000);
	check_number(&t.r, "ocp.smart", "log_version", 4);
	check_number(&t.r, "ocp.smart", "bad_user_blocks_normalized", 100000);
	check_absent(&t.r, "ocp.smart", "in_use_bad_blocks"); /* since 5 */
}

/* Before version 4 these bytes are reserved and zero: no average erase count of 0. */
static void ocp_before_version_4_has_no_average(void **state)
{
	(void)state;
	build_ocp(&t.p, 3);
	put(&t.p, 224, 8, 5); /* whatever a drive puts there */
	decode(0xc0, NULL);
	check_absent(&t.r, "ocp.smart", "erase_count_avg");
	check_absent(&t.r, "ocp.smart", "temperature_max");
	assert_null(find_fact(&t.r, FACT_ERASE_COUNT_AVG));
	check_fact(&t.r, FACT_ERASE_COUNT_MAX, 421);
	check_number(&t.r, "ocp.smart", "pcie_retrains", 0); /* since 3 */
}

static void ocp_average_of_0_is_absent(void **state)
{
	(void)state;
	build_ocp(&t.p, 5);
	decode(0xc0, NULL);
	check_absent(&t.r, "ocp.smart", "erase_count_avg");
	check_number(&t.r, "ocp.smart", "in_use_bad_blocks", 0);
}

static void ocp_marks_what_it_does_not_have(void **state)
{
	(void)state;
	build_ocp(&t.p, 4);
	put(&t.p, 128, 2, 0xffff);
	put(&t.p, 176, 16, 0);
	put(&t.p, 32, 6, UINT64_C(0xffffffffffff));
	put(&t.p, 96, 1, 255);
	decode(0xc0, NULL);
	check_absent(&t.r, "ocp.smart", "capacitor_health");
	check_absent(&t.r, "ocp.smart", "endurance_estimate");
	check_absent(&t.r, "ocp.smart", "bad_user_blocks");
	assert_int_equal(find_fact(&t.r, FACT_THERMAL_THROTTLE_EVENTS)->value.bound, BOUND_EXACT);
	assert_int_equal(reading_find(&t.r, "ocp.smart", "throttle_events")->value.bound,
			 BOUND_AT_LEAST);
}

static void a_log_c0_without_the_guid_stays_raw(void **state)
{
	(void)state;
	build_ocp(&t.p, 4);
	put(&t.p, 500, 1, 0x11);
	decode(0xc0, NULL);
	assert_null(reading_find(&t.r, "ocp.smart", "media_bytes_written"));
	assert_null(find_fact(&t.r, FACT_NAND_BYTES_WRITTEN));
	assert_int_equal(strlen(reading_find(&t.r, "nvme.other", "data")->value.text), 1024);
}

static void a_short_ocp_log_is_no_ocp_log(void **state)
{
	(void)state;
	build_ocp(&t.p, 4);
	t.p.len = 256;
	decode(0xc0, NULL);
	assert_null(find_fact(&t.r, FACT_NAND_BYTES_WRITTEN));
}

static void the_guid_beats_the_rule(void **state)
{
	(void)state;
	build_ocp(&t.p, 4);
	decode(0xc0, "wdc.eol");
	assert_non_null(reading_find(&t.r, "ocp.smart", "media_bytes_written"));
	assert_null(reading_find(&t.r, "wdc.eol", "life_remaining"));
}

static void hyperscale_adds_tlc_and_slc(void **state)
{
	static const uint8_t guid[16] = { 0x65, 0x43, 0x88, 0x78, 0xac, 0xd8, 0x78, 0xa1,
					  0x66, 0x42, 0x1e, 0x0f, 0x92, 0xd7, 0x6d, 0xc4 };

	(void)state;
	put(&t.p, 0, 16, 70 * TB);
	put(&t.p, 16, 16, 5 * TB);
	put(&t.p, 34, 6, 3);
	put(&t.p, 84, 8, 100);
	put(&t.p, 92, 8, 140);
	put(&t.p, 100, 8, 120);
	put(&t.p, 116, 8, 2000);
	put(&t.p, 124, 8, 1800);
	put(&t.p, 134, 6, 1);
	put(&t.p, 226, 16, 900 * TB); /* not aligned to anything */
	put(&t.p, 494, 2, 1);
	put_bytes(&t.p, 496, guid, 16);
	decode(0xc0, NULL);
	check_number(&t.r, "hyperscale.smart", "media_bytes_written_tlc", 70 * TB);
	check_fact(&t.r, FACT_NAND_BYTES_WRITTEN, 75 * TB);
	check_fact(&t.r, FACT_NAND_BYTES_WRITTEN_SLC, 5 * TB);
	check_fact(&t.r, FACT_ERASE_COUNT_MIN, 100);
	check_fact(&t.r, FACT_ERASE_COUNT_MAX, 140);
	check_fact(&t.r, FACT_ERASE_COUNT_AVG, 120);
	check_fact(&t.r, FACT_ERASE_COUNT_SLC_MAX, 2000);
	check_fact(&t.r, FACT_ERASE_COUNT_SLC_AVG, 1800);
	check_fact(&t.r, FACT_PROGRAM_FAIL_COUNT, 1);
	check_fact(&t.r, FACT_ENDURANCE_ESTIMATE, 900 * TB);
	check_fact(&t.r, FACT_REALLOCATED_BLOCKS, 3);
}

/* --- Intel and its family -------------------------------------------------------------------- */

static void intel_records_are_found_by_key_in_any_order(void **state)
{
	(void)state;
	put_record(&t.p, 0, 0xf5, 1000);
	put_record(&t.p, 1, 0xad, UINT64_C(0x04ec051504b1)); /* min 1201, max 1301, avg 1260 */
	put_record(&t.p, 2, 0xf4, 1500);
	put_record(&t.p, 3, 0xab, 3);
	put_record(&t.p, 4, 0xea, 0x0000000700 | 12);
	t.p.len = 512;
	decode(0xca, "intel.smart");
	check_number(&t.r, "intel.smart", "host_bytes_written", 1000 * MIB32);
	check_fact(&t.r, FACT_NAND_BYTES_WRITTEN, 1500 * MIB32);
	check_fact(&t.r, FACT_ERASE_COUNT_MIN, 1201);
	check_fact(&t.r, FACT_ERASE_COUNT_MAX, 1301);
	check_fact(&t.r, FACT_ERASE_COUNT_AVG, 1260);
	check_fact(&t.r, FACT_PROGRAM_FAIL_COUNT, 3);
	check_number(&t.r, "intel.smart", "program_fails_normalized", 100);
	check_number(&t.r, "intel.smart", "throttle_percent", 12000);
	check_number(&t.r, "intel.smart", "throttle_events", 7);
	assert_int_equal(find_fact(&t.r, FACT_NAND_BYTES_WRITTEN)->key, 0xf4);
}

/* 4295098369 read as one number is min 1, max 2, avg 1. */
static void intel_packed_wear_is_three_counts(void **state)
{
	(void)state;
	put_record(&t.p, 0, 0xad, UINT64_C(4295098369));
	t.p.len = 512;
	decode(0xca, "intel.smart");
	check_fact(&t.r, FACT_ERASE_COUNT_MIN, 1);
	check_fact(&t.r, FACT_ERASE_COUNT_MAX, 2);
	check_fact(&t.r, FACT_ERASE_COUNT_AVG, 1);
}

static void intel_workload_timer_not_run_is_absent(void **state)
{
	(void)state;
	put_record(&t.p, 0, 0xe2, 0xffff);
	put_record(&t.p, 1, 0xe3, 0xffff);
	put_record(&t.p, 2, 0xe4, 0xffff);
	put_record(&t.p, 3, 0xf4, 0); /* old firmware */
	t.p.len = 512;
	decode(0xca, "intel.smart");
	check_absent(&t.r, "intel.smart", "workload_wear");
	check_absent(&t.r, "intel.smart", "workload_reads");
	check_absent(&t.r, "intel.smart", "workload_minutes");
	check_absent(&t.r, "intel.smart", "nand_bytes_written");
	assert_false(has_problem(&t.r, "impossible"));
}

static void intel_impossible_wear_is_absent_with_a_reason(void **state)
{
	(void)state;
	put_record(&t.p, 0, 0xe2, 20054324); /* 19584.301 % */
	put_record(&t.p, 1, 0xe4, 60);
	t.p.len = 512;
	decode(0xca, "intel.smart");
	check_absent(&t.r, "intel.smart", "workload_wear");
	assert_true(has_problem(&t.r, "media wear: 20054324 is impossible"));
	check_number(&t.r, "intel.smart", "workload_minutes", 60);
}

static void intel_wear_is_in_1024ths_of_a_percent(void **state)
{
	(void)state;
	put_record(&t.p, 0, 0xe2, 1536);
	t.p.len = 512;
	decode(0xca, "intel.smart");
	check_number(&t.r, "intel.smart", "workload_wear", 1500); /* 1.5 % */
}

static void intel_list_ends_at_key_0_and_keeps_strange_keys(void **state)
{
	(void)state;
	put_record(&t.p, 0, 0x33, 7);
	put_record(&t.p, 2, 0xf4, 1500); /* behind an empty record */
	t.p.len = 512;
	decode(0xca, "intel.smart");
	assert_null(find_fact(&t.r, FACT_NAND_BYTES_WRITTEN));
	assert_string_equal(reading_find(&t.r, "intel.smart", "record")->value.text,
			    "330000640007000000000000");
	assert_int_equal(reading_find(&t.r, "intel.smart", "record")->key, 0x33);
}

static void without_a_rule_log_ca_stays_raw(void **state)
{
	(void)state;
	put_record(&t.p, 0, 0xf4, 1500);
	t.p.len = 512;
	decode(0xca, NULL);
	assert_null(find_fact(&t.r, FACT_NAND_BYTES_WRITTEN));
	assert_non_null(reading_find(&t.r, "nvme.other", "data"));
}

/* The unit of the copies is not proven: NAND bytes are log 02h's host bytes x the ratio. */
static void clones_give_a_ratio(void **state)
{
	(void)state;
	put_record(&t.p, 0, 0xf4, 3000);
	put_record(&t.p, 1, 0xf5, 2000);
	t.p.len = 512;
	decode(0xca, "intel-clone.smart");
	check_number(&t.r, "intel-clone.smart", "nand_written", 3000);
	check_number(&t.r, "intel-clone.smart", "write_amplification", 1500);
	check_fact(&t.r, FACT_NAND_BYTES_WRITTEN, INT64_C(768000000000));
	assert_true(find_fact(&t.r, FACT_NAND_BYTES_WRITTEN)->field->flags & FIELD_DERIVED);
}

static void a_ratio_without_host_writes_is_absent(void **state)
{
	(void)state;
	put_record(&t.p, 0, 0xf4, 3000);
	t.p.len = 512;
	decode(0xca, "intel-clone.smart");
	check_absent(&t.r, "intel-clone.smart", "write_amplification");
	check_absent(&t.r, "intel-clone.smart", "nand_bytes_by_ratio");
}

static void samsung_has_records_and_fixed_numbers(void **state)
{
	(void)state;
	put_record(&t.p, 0, 0xab, 1);
	put_record(&t.p, 1, 0xad, UINT64_C(0x000500090003));
	put(&t.p, 264, 16, (u128)1 << 70);
	put(&t.p, 280, 16, (u128)3 << 70);
	put(&t.p, 312, 4, 4);
	t.p.len = 512;
	decode(0xca, "samsung.smart");
	check_number(&t.r, "samsung.smart", "write_amplification", 3000);
	check_fact(&t.r, FACT_NAND_BYTES_WRITTEN, INT64_C(1536000000000));
	check_fact(&t.r, FACT_ERASE_COUNT_MIN, 3);
	check_fact(&t.r, FACT_ERASE_COUNT_MAX, 9);
	check_fact(&t.r, FACT_ERASE_COUNT_AVG, 5);
	check_fact(&t.r, FACT_REALLOCATED_BLOCKS, 4);
}

static void wdc_bd_numbers_its_records(void **state)
{
	(void)state;
	for (uint8_t key = 0; key <= 12; key++)
		put_record(&t.p, key, key, key == 2 ? UINT64_C(0x000700090005) : key);
	t.p.len = 160;
	decode(0xca, "wdc.smart-bd");
	check_number(&t.r, "wdc.smart-bd", "program_fails", 0);
	check_number(&t.r, "wdc.smart-bd", "erase_fails", 1);
	check_fact(&t.r, FACT_ERASE_COUNT_AVG, 7);
	check_number(&t.r, "wdc.smart-bd", "nand_written", 11);
	check_number(&t.r, "wdc.smart-bd", "write_amplification", 916);
}

/* --- others ---------------------------------------------------------------------------------- */

static void wdc_fb_has_fields_at_odd_places(void **state)
{
	(void)state;
	put(&t.p, 0, 16, 33 * TB);
	put(&t.p, 32, 8, 6);
	put(&t.p, 65, 4, 1234);
	put(&t.p, 69, 4, 1000);
	put(&t.p, 106, 1, 2);
	put(&t.p, 119, 1, 55);
	t.p.len = 128;
	decode(0xca, "wdc.smart-fb");
	check_fact(&t.r, FACT_NAND_BYTES_WRITTEN, 33 * TB);
	check_fact(&t.r, FACT_REALLOCATED_BLOCKS, 6);
	check_fact(&t.r, FACT_ERASE_COUNT_MAX, 1234);
	check_fact(&t.r, FACT_ERASE_COUNT_MIN, 1000);
	check_fact(&t.r, FACT_FREE_BLOCKS, 55000);
	check_number(&t.r, "wdc.smart-fb", "throttle_events", 2);
}

static void wdc_d0_gives_a_ratio(void **state)
{
	(void)state;
	put(&t.p, 4, 4, 2);
	put(&t.p, 16, 4, 150);
	put(&t.p, 68, 8, 500);
	put(&t.p, 80, 8, 400);
	put(&t.p, 100, 4, 93);
	t.p.len = 512;
	decode(0xd0, "wdc.d0");
	check_number(&t.r, "wdc.d0", "write_amplification", 1250);
	check_number(&t.r, "wdc.d0", "waf_lifetime", 150);
	check_number(&t.r, "wdc.d0", "pe_remaining", 93000);
	check_fact(&t.r, FACT_NAND_BYTES_WRITTEN, INT64_C(640000000000));
	check_fact(&t.r, FACT_REALLOCATED_BLOCKS, 2);
}

static void wdc_end_of_life_page(void **state)
{
	(void)state;
	put(&t.p, 76, 4, 8);
	put(&t.p, 84, 4, 3);
	put(&t.p, 88, 4, 91);
	put(&t.p, 96, 4, 1);
	t.p.len = 512;
	decode(0xc0, "wdc.eol");
	check_number(&t.r, "wdc.eol", "life_remaining", 91000);
	check_number(&t.r, "wdc.eol", "waf_lifetime", 3);
	check_fact(&t.r, FACT_REALLOCATED_BLOCKS, 8);
	check_fact(&t.r, FACT_PROGRAM_FAIL_COUNT, 1);
}

static void micron_logs(void **state)
{
	(void)state;
	put(&t.p, 12, 4, 9);
	put(&t.p, 176, 8, 44 * TB);
	t.p.len = 512;
	decode(0xd0, "micron.d0");
	check_fact(&t.r, FACT_NAND_BYTES_WRITTEN, 44 * TB);
	check_fact(&t.r, FACT_REALLOCATED_BLOCKS, 9);
	reading_release(&t.r);

	memset(&t.p, 0, sizeof(t.p));
	put(&t.p, 0, 16, 40 * TB);
	put(&t.p, 16, 16, 2 * TB);
	t.p.len = 4096;
	decode(0xfb, "micron.fb");
	check_number(&t.r, "micron.fb", "nand_bytes_written", 42 * TB);
	reading_release(&t.r);

	memset(&t.p, 0, sizeof(t.p));
	put(&t.p, 244, 4, 10);
	put(&t.p, 248, 4, 20);
	put(&t.p, 252, 4, 30);
	t.p.len = 512;
	decode(0xe1, "micron.e1");
	check_fact(&t.r, FACT_ERASE_COUNT_MIN, 10);
	check_fact(&t.r, FACT_ERASE_COUNT_AVG, 20);
	check_fact(&t.r, FACT_ERASE_COUNT_MAX, 30);
}

static void nitro_logs(void **state)
{
	(void)state;
	put(&t.p, 100, 4, 1);
	put(&t.p, 104, 4, 2);
	put(&t.p, 108, 4, 3);
	put(&t.p, 124, 4, 200);
	put(&t.p, 128, 4, 300);
	put(&t.p, 134, 2, 17);
	t.p.len = 512;
	decode(0xd0, "nitro.d0");
	check_fact(&t.r, FACT_ERASE_COUNT_AVG, 2);
	check_fact(&t.r, FACT_ERASE_COUNT_MAX, 3);
	check_fact(&t.r, FACT_ERASE_COUNT_SLC_AVG, 200);
	check_fact(&t.r, FACT_ERASE_COUNT_SLC_MAX, 300);
	check_number(&t.r, "nitro.d0", "life_used_tlc", 17000);
	reading_release(&t.r);
	memset(&t.p, 0, sizeof(t.p));
	put(&t.p, 240, 8, 5);
	t.p.len = 512;
	decode(0xc6, "nitro.c6");
	check_number(&t.r, "nitro.c6", "nand_writes_tlc", 5);
}

static void put_seagate(unsigned index, uint8_t key, uint32_t raw)
{
	put(&t.p, 2 + index * 12, 1, key);
	put(&t.p, 2 + index * 12 + 5, 4, raw);
}

static void seagate_joins_halves(void **state)
{
	(void)state;
	put(&t.p, 0, 2, 1);
	put_seagate(0, 0xe9, 0);
	put_seagate(1, 0xea, 3);
	put_seagate(2, 0xf1, 0);
	put_seagate(3, 0xf2, 2);
	put_seagate(4, 0xad, 77);
	t.p.len = 512;
	decode(0xc4, "seagate.c4");
	check_number(&t.r, "seagate.c4", "nand_written", INT64_C(3) << 32);
	check_number(&t.r, "seagate.c4", "host_written", INT64_C(2) << 32);
	check_number(&t.r, "seagate.c4", "write_amplification", 1500);
	check_fact(&t.r, FACT_NAND_BYTES_WRITTEN, INT64_C(768000000000));
	check_fact(&t.r, FACT_ERASE_COUNT_AVG, 77);
	check_absent(&t.r, "seagate.c4", "gb_erased");
}

static void sources_name_log_and_place(void **state)
{
	char source[FACT_SOURCE_MAX];

	(void)state;
	build_ocp(&t.p, 4);
	decode(0xc0, NULL);
	decoded_source(find_fact(&t.r, FACT_ERASE_COUNT_MAX), source);
	assert_string_equal(source, "NVMe log C0h, offset 88 (erase_count_max)");
	decoded_source(find_fact(&t.r, FACT_HOST_BYTES_WRITTEN), source);
	assert_string_equal(source, "NVMe log 02h, offset 48 (data_units_written)");
	reading_release(&t.r);
	memset(&t.p, 0, sizeof(t.p));
	put_record(&t.p, 0, 0xf4, 1500);
	t.p.len = 512;
	snapshot_release(&t.s);
	build_drive(&t.s);
	decode(0xca, "intel.smart");
	decoded_source(find_fact(&t.r, FACT_NAND_BYTES_WRITTEN), source);
	assert_string_equal(source, "NVMe log CAh, key F4h (nand_bytes_written)");
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(ocp_of_version_4_has_an_average),
		TEST(ocp_before_version_4_has_no_average),
		TEST(ocp_average_of_0_is_absent),
		TEST(ocp_marks_what_it_does_not_have),
		TEST(a_log_c0_without_the_guid_stays_raw),
		TEST(a_short_ocp_log_is_no_ocp_log),
		TEST(the_guid_beats_the_rule),
		TEST(hyperscale_adds_tlc_and_slc),
		TEST(intel_records_are_found_by_key_in_any_order),
		TEST(intel_packed_wear_is_three_counts),
		TEST(intel_workload_timer_not_run_is_absent),
		TEST(intel_impossible_wear_is_absent_with_a_reason),
		TEST(intel_wear_is_in_1024ths_of_a_percent),
		TEST(intel_list_ends_at_key_0_and_keeps_strange_keys),
		TEST(without_a_rule_log_ca_stays_raw),
		TEST(clones_give_a_ratio),
		TEST(a_ratio_without_host_writes_is_absent),
		TEST(samsung_has_records_and_fixed_numbers),
		TEST(wdc_bd_numbers_its_records),
		TEST(wdc_fb_has_fields_at_odd_places),
		TEST(wdc_d0_gives_a_ratio),
		TEST(wdc_end_of_life_page),
		TEST(micron_logs),
		TEST(nitro_logs),
		TEST(seagate_joins_halves),
		TEST(sources_name_log_and_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
