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

/* One drive in the making; every test starts with a fresh one. */
static struct {
	struct snapshot s;
	struct reading r;
	struct log_page p;
} t;

static int setup(void **state)
{
	(void)state;
	memset(&t, 0, sizeof(t));
	snapshot_init(&t.s);
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

static void decode(void)
{
	struct diag d = { 0 };

	assert_int_equal(reading_decode(&t.s, NULL, &d, &t.r), 0);
}

/* The field that gives this fact. */
static const struct decoded *fact(enum fact_id id)
{
	return find_fact(&t.r, id);
}

static void identity_comes_from_identify(void **state)
{
	(void)state;
	build_drive(&t.s);
	decode();
	assert_int_equal(t.r.identity.protocol, PROTOCOL_NVME);
	assert_string_equal(t.r.identity.model, "EXAMPLE SSD 1");
	assert_string_equal(t.r.identity.serial, "S1");
	assert_string_equal(t.r.identity.firmware, "FW1");
	assert_true(t.r.identity.has_capacity);
	assert_int_equal(t.r.identity.capacity_bytes, UINT64_C(4096000000));
	assert_int_equal(t.r.identity.logical_block_bytes, 4096);
	assert_int_equal(t.r.identity.rotational, 0);
	assert_false(t.r.identity.incomplete);
	check_number(&t.r, "nvme.controller", "wctemp", 70000);
	check_number(&t.r, "nvme.controller", "cctemp", 85000);
	check_number(&t.r, "nvme.controller", "version_major", 1);
	check_number(&t.r, "nvme.controller", "version_minor", 4);
	check_number(&t.r, "nvme.controller", "has_selftest", 1);
	check_number(&t.r, "nvme.controller", "has_endurance_groups", 0);
}

static void strange_bytes_in_strings_are_kept(void **state)
{
	static const char model[40] = "  EVIL \x1b[31m \"quoted\" <b>\xff\xc3(          ";

	(void)state;
	build_controller(&t.p, "", "", "");
	put_bytes(&t.p, 24, model, 40);
	add_page(&t.s, SPACE_NVME_IDENTIFY, 1, 0, &t.p);
	decode();
	assert_string_equal(t.r.identity.model, "EVIL \x1b[31m \"quoted\" <b>\xff\xc3(");
	assert_string_equal(t.r.identity.serial, "");
}

static void large_numbers_keep_their_sign_and_digits(void **state)
{
	(void)state;
	build_controller(&t.p, "M", "S", "F");
	put(&t.p, 280, 16, UINT64_C(960197124096));
	put(&t.p, 328, 4, 0xa0000003);
	put(&t.p, 516, 4, 0xffffefff);
	add_page(&t.s, SPACE_NVME_IDENTIFY, 1, 0, &t.p);
	decode();
	check_number(&t.r, "nvme.controller", "tnvmcap", INT64_C(960197124096));
	check_number(&t.r, "nvme.controller", "sanicap", INT64_C(2684354563));
	check_number(&t.r, "nvme.controller", "nn", INT64_C(4294963199));
	assert_int_equal(t.r.identity.capacity_bytes, UINT64_C(960197124096));
}

static void capacity_is_blocks_times_data_size(void **state)
{
	(void)state;
	build_controller(&t.p, "M", "S", "F");
	add_page(&t.s, SPACE_NVME_IDENTIFY, 1, 0, &t.p);
	build_namespace(&t.p, UINT64_C(0x1000000000), 12, 0);
	add_page(&t.s, SPACE_NVME_IDENTIFY, 0, 1, &t.p);
	decode();
	assert_int_equal(t.r.identity.capacity_bytes, UINT64_C(281474976710656));
}

static void metadata_does_not_count_and_is_noted(void **state)
{
	(void)state;
	build_controller(&t.p, "M", "S", "F");
	add_page(&t.s, SPACE_NVME_IDENTIFY, 1, 0, &t.p);
	build_namespace(&t.p, 937684566, 12, 16);
	add_page(&t.s, SPACE_NVME_IDENTIFY, 0, 1, &t.p);
	decode();
	assert_int_equal(t.r.identity.capacity_bytes, UINT64_C(3840755982336));
	assert_int_equal(t.r.identity.logical_block_bytes, 4096);
	assert_true(has_problem(&t.r, "16 bytes of metadata"));
}

static void several_namespaces_add_up_or_are_the_total(void **state)
{
	(void)state;
	build_controller(&t.p, "M", "S", "F");
	add_page(&t.s, SPACE_NVME_IDENTIFY, 1, 0, &t.p);
	for (uint32_t nsid = 1; nsid <= 4; nsid++) {
		build_namespace(&t.p, 1000 * nsid, nsid % 2 ? 9 : 12, 0);
		add_page(&t.s, SPACE_NVME_IDENTIFY, 0, nsid, &t.p);
	}
	decode();
	assert_int_equal(t.r.identity.capacity_bytes, 4000 * 512 + 6000 * 4096);
	assert_int_equal(t.r.identity.logical_block_bytes, 512);
	reading_release(&t.r);

	build_controller(&t.p, "M", "S", "F");
	put(&t.p, 280, 16, 100000000);
	memcpy(t.s.logs[0].data, t.p.bytes, 4096);
	decode();
	assert_int_equal(t.r.identity.capacity_bytes, 100000000);
}

static void a_namespace_that_leaves_room_does_not_shrink_the_drive(void **state)
{
	(void)state;
	build_controller(&t.p, "M", "S", "F");
	put(&t.p, 280, 16, 1000 * 4096);
	add_page(&t.s, SPACE_NVME_IDENTIFY, 1, 0, &t.p);
	build_namespace(&t.p, 800, 12, 0);
	add_page(&t.s, SPACE_NVME_IDENTIFY, 0, 1, &t.p);
	decode();
	assert_int_equal(t.r.identity.capacity_bytes, 1000 * 4096);
	assert_int_equal(t.r.identity.logical_block_bytes, 4096);
}

static void a_format_number_above_15_needs_as_many_formats(void **state)
{
	(void)state;
	build_controller(&t.p, "M", "S", "F");
	add_page(&t.s, SPACE_NVME_IDENTIFY, 1, 0, &t.p);
	build_namespace(&t.p, 1000, 12, 0);
	put(&t.p, 25, 1, 17);		      /* 18 formats */
	put(&t.p, 26, 1, 1 | 1 << 5);	      /* number 17 */
	put(&t.p, 128 + 17 * 4, 4, 13 << 16); /* 8 KiB */
	add_page(&t.s, SPACE_NVME_IDENTIFY, 0, 1, &t.p);
	decode();
	assert_int_equal(t.r.identity.capacity_bytes, 1000 * 8192);
}

static void names_of_the_namespace_follow_the_kernel(void **state)
{
	static const uint8_t eui[8] = { 0x00, 0x25, 0x38, 0x5b, 1, 2, 3, 4 };
	static const uint8_t uuid[16] = { 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0,
					  1,	2,    3,    4,	  5,	6,    7,    8 };

	(void)state;
	build_controller(&t.p, "M", "S", "F");
	add_page(&t.s, SPACE_NVME_IDENTIFY, 1, 0, &t.p);
	build_namespace(&t.p, 1000, 12, 0);
	put_bytes(&t.p, 120, eui, 8);
	add_page(&t.s, SPACE_NVME_IDENTIFY, 0, 1, &t.p);
	decode();
	assert_string_equal(t.r.identity.wwn, "eui.0025385b01020304");
	reading_release(&t.r);

	memset(&t.p, 0, sizeof(t.p));
	put(&t.p, 0, 2, 0x0801); /* EUI-64, 8 bytes */
	put_bytes(&t.p, 4, eui, 8);
	put(&t.p, 12, 2, 0x1003); /* UUID, 16 bytes */
	put_bytes(&t.p, 16, uuid, 16);
	t.p.len = 4096;
	add_page(&t.s, SPACE_NVME_IDENTIFY, 3, 1, &t.p);
	decode();
	assert_string_equal(t.r.identity.wwn, "uuid.12345678-9abc-def0-0102-030405060708");
}

static void a_bridge_that_hides_identify_is_incomplete(void **state)
{
	(void)state;
	build_controller(&t.p, "Crucial X10", "S", "F");
	put(&t.p, 0, 2, 0);
	put(&t.p, 516, 4, 0);
	add_page(&t.s, SPACE_NVME_IDENTIFY, 1, 0, &t.p);
	build_smart(&t.p);
	put(&t.p, 1, 2, 273 + 32);
	put(&t.p, 48, 16, 1635721);
	add_page(&t.s, SPACE_NVME_LOG, 2, 0, &t.p);
	decode();
	assert_true(t.r.identity.incomplete);
	assert_false(t.r.identity.has_capacity);
	check_number(&t.r, "nvme.smart", "temperature", 32000);
	check_number(&t.r, "nvme.smart", "data_units_written", (i128)1635721 * 512000);
}

static void health_log_gives_the_facts(void **state)
{
	(void)state;
	build_drive(&t.s);
	decode();
	assert_true(fact(FACT_TEMPERATURE)->value.number == 41000);
	assert_true(fact(FACT_AVAILABLE_SPARE)->value.number == 100000);
	assert_true(fact(FACT_SPARE_THRESHOLD)->value.number == 10000);
	assert_true(fact(FACT_PERCENTAGE_USED)->value.number == 3000);
	assert_true(fact(FACT_HOST_BYTES_READ)->value.number == INT64_C(1024000000000));
	assert_true(fact(FACT_HOST_BYTES_WRITTEN)->value.number == INT64_C(512000000000));
	assert_int_equal(fact(FACT_HOST_BYTES_WRITTEN)->value.bound, BOUND_EXACT);
	assert_true(fact(FACT_POWER_CYCLES)->value.number == 42);
	assert_true(fact(FACT_POWER_ON_HOURS)->value.number == 8760);
	assert_true(fact(FACT_UNSAFE_SHUTDOWNS)->value.number == 7);
	assert_true(fact(FACT_MEDIA_ERRORS)->value.number == 0);
	assert_true(fact(FACT_CRITICAL_WARNING)->value.number == 0);
	assert_true(fact(FACT_WRITE_PROTECTED)->value.number == 0);
	assert_true(fact(FACT_MINUTES_OVER_TEMPERATURE)->value.number == 0);
	assert_null(fact(FACT_NAND_BYTES_WRITTEN));
}

static void percentage_used_passes_100_and_saturates(void **state)
{
	(void)state;
	build_smart(&t.p);
	put(&t.p, 5, 1, 170);
	add_page(&t.s, SPACE_NVME_LOG, 2, 0, &t.p);
	decode();
	assert_true(fact(FACT_PERCENTAGE_USED)->value.number == 170000);
	assert_int_equal(fact(FACT_PERCENTAGE_USED)->value.bound, BOUND_EXACT);
	t.s.logs[0].data[5] = 255;
	reading_release(&t.r);
	decode();
	assert_true(fact(FACT_PERCENTAGE_USED)->value.number == 255000);
	assert_int_equal(fact(FACT_PERCENTAGE_USED)->value.bound, BOUND_AT_LEAST);
}

static void a_counter_of_128_bits_saturates(void **state)
{
	(void)state;
	build_smart(&t.p);
	put(&t.p, 48, 16, U128_MAX);
	put(&t.p, 32, 16, (u128)1 << 64);
	add_page(&t.s, SPACE_NVME_LOG, 2, 0, &t.p);
	decode();
	assert_true(fact(FACT_HOST_BYTES_WRITTEN)->value.number == I128_MAX);
	assert_int_equal(fact(FACT_HOST_BYTES_WRITTEN)->value.bound, BOUND_AT_LEAST);
	assert_true(fact(FACT_HOST_BYTES_READ)->value.number == ((i128)1 << 64) * 512000);
}

static void sensors_of_0_kelvin_are_absent(void **state)
{
	(void)state;
	build_smart(&t.p);
	put(&t.p, 1, 2, 0); /* QEMU's composite temperature */
	put(&t.p, 200, 2, 273 + 62);
	put(&t.p, 202, 2, 273 - 5);
	add_page(&t.s, SPACE_NVME_LOG, 2, 0, &t.p);
	decode();
	check_absent(&t.r, "nvme.smart", "temperature");
	check_number(&t.r, "nvme.smart", "temperature_sensor_1", 62000);
	check_number(&t.r, "nvme.smart", "temperature_sensor_2", -5000);
	check_absent(&t.r, "nvme.smart", "temperature_sensor_3");
}

static void critical_warning_is_kept_and_split(void **state)
{
	(void)state;
	build_smart(&t.p);
	put(&t.p, 0, 1, 0x0c);
	add_page(&t.s, SPACE_NVME_LOG, 2, 0, &t.p);
	decode();
	assert_true(fact(FACT_CRITICAL_WARNING)->value.number == 0x0c);
	assert_true(fact(FACT_WRITE_PROTECTED)->value.number == 1);
	check_number(&t.r, "nvme.smart", "warning_reliability", 1);
	check_number(&t.r, "nvme.smart", "warning_spare", 0);
}

static void a_page_of_zeros_is_an_error(void **state)
{
	(void)state;
	t.p.len = 512;
	add_page(&t.s, SPACE_NVME_LOG, 2, 0, &t.p);
	decode();
	assert_null(reading_find(&t.r, "nvme.smart", "available_spare"));
	assert_null(fact(FACT_AVAILABLE_SPARE));
	assert_true(has_problem(&t.r, "all zeros"));
}

static void a_short_log_gives_what_is_there(void **state)
{
	(void)state;
	build_smart(&t.p);
	t.p.len = 200;
	add_page(&t.s, SPACE_NVME_LOG, 2, 0, &t.p);
	decode();
	check_number(&t.r, "nvme.smart", "critical_temperature_time", 0);
	check_absent(&t.r, "nvme.smart", "temperature_sensor_1");
	reading_release(&t.r);
	t.s.logs[0].len = 100;
	decode();
	assert_null(reading_find(&t.r, "nvme.smart", "available_spare"));
	assert_true(has_problem(&t.r, "100 of at least 192 bytes"));
}

static void reserved_bytes_are_kept_raw(void **state)
{
	const struct decoded *v;

	(void)state;
	build_smart(&t.p);
	put(&t.p, 8, 2, 0xbeef);
	add_page(&t.s, SPACE_NVME_LOG, 2, 0, &t.p);
	decode();
	v = reading_find(&t.r, "nvme.smart", "reserved_7");
	assert_int_equal(v->value.kind, VALUE_RAW);
	assert_string_equal(v->value.text, "00efbe00000000000000000000000000000000000000000000");
	check_absent(&t.r, "nvme.smart", "reserved_244");
}

static void limits_of_0_are_absent(void **state)
{
	(void)state;
	build_controller(&t.p, "M", "S", "F");
	put(&t.p, 266, 4, 0);
	add_page(&t.s, SPACE_NVME_IDENTIFY, 1, 0, &t.p);
	decode();
	check_absent(&t.r, "nvme.controller", "wctemp");
	check_absent(&t.r, "nvme.controller", "cctemp");
}

/* The counters are the controller's: namespaces do not multiply them. */
static void four_namespaces_have_one_set_of_counters(void **state)
{
	size_t hours = 0;

	(void)state;
	build_drive(&t.s);
	for (uint32_t nsid = 2; nsid <= 4; nsid++) {
		build_namespace(&t.p, 1000000, 12, 0);
		add_page(&t.s, SPACE_NVME_IDENTIFY, 0, nsid, &t.p);
	}
	decode();
	for (size_t i = 0; i < t.r.nfields; i++)
		hours += field_fact(t.r.fields[i].field) == FACT_POWER_ON_HOURS;
	assert_int_equal(hours, 1);
	assert_int_equal(t.r.identity.capacity_bytes, UINT64_C(16384000000));
}

/* Data units are 512,000 bytes whatever the format of the namespace. */
static void data_units_do_not_depend_on_the_format(void **state)
{
	(void)state;
	for (unsigned shift = 9; shift <= 12; shift += 3) {
		build_namespace(&t.p, 1000, shift, 0);
		snapshot_release(&t.s);
		add_page(&t.s, SPACE_NVME_IDENTIFY, 0, 1, &t.p);
		build_smart(&t.p);
		add_page(&t.s, SPACE_NVME_LOG, 2, 0, &t.p);
		reading_release(&t.r);
		decode();
		check_fact(&t.r, FACT_HOST_BYTES_WRITTEN, INT64_C(512000000000));
	}
}

static void blanks_within_names_stay(void **state)
{
	(void)state;
	build_controller(&t.p, "SAMSUNG MZVPV256HDGL-00000", "S1 2", "F W");
	add_page(&t.s, SPACE_NVME_IDENTIFY, 1, 0, &t.p);
	decode();
	assert_string_equal(t.r.identity.model, "SAMSUNG MZVPV256HDGL-00000");
	assert_string_equal(t.r.identity.serial, "S1 2");
	assert_string_equal(t.r.identity.firmware, "F W");
}

static void a_drive_without_any_log_is_incomplete(void **state)
{
	(void)state;
	assert_int_equal(snapshot_add_error(&t.s, SPACE_NVME_IDENTIFY, 1, 0, -EIO, "gone"), 0);
	t.s.node_bytes = 1000;
	decode();
	assert_true(t.r.identity.incomplete);
	assert_int_equal(t.r.identity.protocol, PROTOCOL_NVME);
	assert_int_equal(t.r.identity.capacity_bytes, 1000);
	assert_true(has_problem(&t.r, "nvme-identify 01h: gone"));
}

static void errors_not_in_use_are_left_out(void **state)
{
	(void)state;
	t.p.len = 256;
	put(&t.p, 0, 8, 1548554);
	put(&t.p, 8, 2, 0);
	put(&t.p, 10, 2, 0xffff);
	put(&t.p, 12, 2, 0x4004 | 1); /* invalid field, with phase tag and "do not retry" */
	put(&t.p, 64 + 63, 1, 1);     /* a version alone makes no error */
	put(&t.p, 128, 8, 1548553);
	add_page(&t.s, SPACE_NVME_LOG, 1, 0, &t.p);
	decode();
	check_number(&t.r, "nvme.errors", "error_count", 1548554);
	check_number(&t.r, "nvme.errors", "error_status_code", 2);
	check_absent(&t.r, "nvme.errors", "error_command");
	assert_true(reading_find_nth(&t.r, "nvme.errors", "error_count", 1)->value.number ==
		    1548553);
	assert_int_equal(reading_find_nth(&t.r, "nvme.errors", "error_count", 1)->key, 2);
	assert_null(reading_find_nth(&t.r, "nvme.errors", "error_count", 2));
}

static void firmware_slots_and_effects(void **state)
{
	(void)state;
	t.p.len = 512;
	put(&t.p, 0, 1, 0x21);
	put_text(&t.p, 8, 8, "FW1");
	put_text(&t.p, 16, 8, "FW2");
	add_page(&t.s, SPACE_NVME_LOG, 3, 0, &t.p);
	memset(&t.p, 0, sizeof(t.p));
	t.p.len = 4096;
	put(&t.p, 0x80 * 4, 4, 0x00030003); /* Format NVM */
	put(&t.p, 1024 + 0x02 * 4, 4, 1);   /* Read */
	add_page(&t.s, SPACE_NVME_LOG, 5, 0, &t.p);
	decode();
	check_number(&t.r, "nvme.firmware", "active_slot", 1);
	check_number(&t.r, "nvme.firmware", "next_slot", 2);
	assert_string_equal(reading_find_nth(&t.r, "nvme.firmware", "slot_revision", 1)->value.text,
			    "FW2");
	assert_null(reading_find_nth(&t.r, "nvme.firmware", "slot_revision", 2));
	assert_int_equal(reading_find(&t.r, "nvme.effects", "command_supported")->key, 0x80);
	check_number(&t.r, "nvme.effects", "exclusive", 3);
	assert_int_equal(reading_find_nth(&t.r, "nvme.effects", "command_supported", 1)->key,
			 256 + 2);
}

static void supported_logs_and_namespaces_are_lists(void **state)
{
	(void)state;
	t.p.len = 1024;
	put(&t.p, 2 * 4, 4, 1);
	put(&t.p, 0xc0 * 4, 4, 1);
	add_page(&t.s, SPACE_NVME_LOG, 0, 0, &t.p);
	memset(&t.p, 0, sizeof(t.p));
	t.p.len = 4096;
	put(&t.p, 0, 4, 1);
	put(&t.p, 4, 4, 7);
	add_page(&t.s, SPACE_NVME_IDENTIFY, 2, 0, &t.p);
	decode();
	assert_int_equal(reading_find_nth(&t.r, "nvme.supported_logs", "log_supported", 1)->key,
			 0xc0);
	assert_true(reading_find_nth(&t.r, "nvme.namespaces", "nsid", 1)->value.number == 7);
	assert_null(reading_find_nth(&t.r, "nvme.namespaces", "nsid", 2));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(identity_comes_from_identify),
		TEST(strange_bytes_in_strings_are_kept),
		TEST(large_numbers_keep_their_sign_and_digits),
		TEST(capacity_is_blocks_times_data_size),
		TEST(metadata_does_not_count_and_is_noted),
		TEST(several_namespaces_add_up_or_are_the_total),
		TEST(a_namespace_that_leaves_room_does_not_shrink_the_drive),
		TEST(a_format_number_above_15_needs_as_many_formats),
		TEST(names_of_the_namespace_follow_the_kernel),
		TEST(a_bridge_that_hides_identify_is_incomplete),
		TEST(health_log_gives_the_facts),
		TEST(percentage_used_passes_100_and_saturates),
		TEST(a_counter_of_128_bits_saturates),
		TEST(sensors_of_0_kelvin_are_absent),
		TEST(critical_warning_is_kept_and_split),
		TEST(a_page_of_zeros_is_an_error),
		TEST(a_short_log_gives_what_is_there),
		TEST(reserved_bytes_are_kept_raw),
		TEST(limits_of_0_are_absent),
		TEST(four_namespaces_have_one_set_of_counters),
		TEST(data_units_do_not_depend_on_the_format),
		TEST(blanks_within_names_stay),
		TEST(a_drive_without_any_log_is_incomplete),
		TEST(errors_not_in_use_are_left_out),
		TEST(firmware_slots_and_effects),
		TEST(supported_logs_and_namespaces_are_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
