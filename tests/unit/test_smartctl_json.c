/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/dumps.h"

static const char sata[] =
	"{\"json_format_version\":[1,0],\"smartctl\":{\"version\":[7,3],\"exit_status\":64},"
	"\"local_time\":{\"time_t\":1777629600,\"asctime\":\"...\"},"
	"\"device\":{\"name\":\"/dev/sda\",\"type\":\"sat\",\"protocol\":\"ATA\"},"
	"\"model_family\":\"Example SSDs\",\"model_name\":\"EXAMPLE SSD 480\","
	"\"serial_number\":\"EX0001\",\"wwn\":{\"naa\":5,\"oui\":9528,\"id\":15300012372},"
	"\"firmware_version\":\"EX10\",\"user_capacity\":{\"blocks\":117212,\"bytes\":480103981056}"
	","
	"\"logical_block_size\":4096,\"rotation_rate\":0,"
	"\"smart_support\":{\"available\":true,\"enabled\":true},"
	"\"smart_status\":{\"passed\":true},"
	"\"ata_smart_data\":{\"self_test\":{\"status\":{\"value\":249,\"remaining_percent\":90}}},"
	"\"ata_smart_attributes\":{\"table\":["
	"{\"id\":9,\"name\":\"Power_On_Hours\",\"value\":\"59\",\"worst\":59,\"thresh\":0,"
	"\"flags\":{\"value\":50},\"raw\":{\"value\":57951993765239,\"string\":\"40311 (52 181 "
	"0)\"}},"
	"{\"id\":240,\"value\":100,\"worst\":100,"
	"\"raw\":{\"value\":10024844510888116,\"string\":\"180h+38m+54.091s\"}},"
	"{\"id\":194,\"value\":69,\"worst\":60,\"thresh\":0,"
	"\"raw\":{\"value\":\"163210199071\",\"string\":\"31 (Min/Max 22/38)\"}},"
	"{\"id\":234,\"value\":100,\"worst\":100,\"raw\":{\"string\":\"28 (Min/Max 1/2)\"}},"
	"{\"id\":0},{\"id\":300},7,null]},"
	"\"power_on_time\":{\"hours\":40311},\"power_cycle_count\":530,"
	"\"temperature\":{\"current\":31},"
	"\"ata_smart_error_log\":{\"summary\":{\"count\":3},\"extended\":{\"count\":12}},"
	"\"ata_smart_self_test_log\":{\"extended\":{\"table\":["
	"{\"type\":{\"value\":1,\"string\":\"Short offline\"},"
	"\"status\":{\"value\":0,\"passed\":true},\"lifetime_hours\":40000},"
	"{\"type\":{\"value\":2},\"status\":{\"value\":121},\"lifetime_hours\":39000,\"lba\":777}]}"
	","
	"\"standard\":{\"table\":[{\"type\":{\"value\":1},\"status\":{\"value\":0},"
	"\"lifetime_hours\":1}]}},"
	"\"ata_sct_status\":{\"device_state\":{\"value\":0},"
	"\"temperature\":{\"current\":32,\"power_cycle_min\":null,\"lifetime_max\":70}},"
	"\"ata_device_statistics\":{\"pages\":[{\"number\":1,\"table\":["
	"{\"offset\":16,\"value\":40311,\"flags\":{\"valid\":true}},"
	"{\"offset\":24,\"value\":20000000000,\"flags\":{\"valid\":true}},"
	"{\"offset\":40,\"value\":7,\"flags\":{\"valid\":false}},"
	"{\"offset\":9999,\"value\":7}]},"
	"{\"number\":7,\"table\":[{\"offset\":8,\"value\":103,\"flags\":{\"valid\":true}}]},"
	"{\"number\":255,\"table\":[{\"offset\":8,\"value\":1}]}]}}";

static void a_sata_drive(void **state)
{
	struct reading r;
	const struct attribute *a;

	(void)state;
	read_dump(sata, &r);
	assert_int_equal(r.identity.protocol, PROTOCOL_ATA);
	assert_string_equal(r.identity.model, "EXAMPLE SSD 480");
	assert_string_equal(r.identity.serial, "EX0001");
	assert_string_equal(r.identity.firmware, "EX10");
	assert_string_equal(r.identity.wwn, "0x500253838ff3a954");
	assert_string_equal(r.identity.path, "/dev/sda");
	assert_true(r.identity.capacity_bytes == 480103981056);
	assert_int_equal(r.identity.logical_block_bytes, 4096);
	assert_int_equal(r.identity.rotational, 0);
	assert_true(r.time == 1777629600 && !r.time_is_file);
	assert_true(r.state == DRIVE_READ && r.smart_status == SMART_STATUS_PASSED);
	assert_int_equal(r.nattributes, 4);
	a = reading_attribute(&r, 9);
	assert_true(a->value == 59 && a->raw == 57951993765239 && a->raw_bytes == 6);
	assert_true(a->has_flags && a->flags == 50);
	a = reading_attribute(&r, 240);
	assert_true(a->raw == 10024844510888116 && a->raw_bytes == 7 && !a->has_threshold);
	assert_string_equal(a->raw_text, "180h+38m+54.091s");
	a = reading_attribute(&r, 194);
	assert_true(a->raw == 0x260016001f && a->raw_bytes == 6);
	a = reading_attribute(&r, 234);
	assert_true(a->raw == 28 && a->raw_bytes == 1);
	reading_release(&r);
}

static void logs_of_a_sata_drive(void **state)
{
	struct reading r;

	(void)state;
	read_dump(sata, &r);
	/* logical sectors of 4096 bytes */
	assert_true(field_number(&r, "ata.devstat.general", "sectors_written") == 81920000000000);
	assert_true(field_is_absent(&r, "ata.devstat.general", "sectors_read"));
	assert_true(field_number(&r, "ata.devstat.ssd", "percentage_used") == 103000);
	assert_true(field_number(&r, "ata.sct_status", "temperature") == 32000);
	assert_true(field_number(&r, "ata.sct_status", "temperature_max") == 70000);
	assert_true(field_is_absent(&r, "ata.sct_status", "temperature_cycle_min"));
	assert_true(field_number(&r, "smartctl.summary", "power_on_hours") == 40311);
	assert_true(field_number(&r, "smartctl.summary", "power_cycles") == 530);
	assert_true(field_number(&r, "smartctl.summary", "temperature") == 31000);
	assert_true(r.has_error_log_entries && r.error_log_entries == 12);
	assert_int_equal(r.selftest_progress, 10);
	/* the extended log; the standard one tells of the same tests */
	assert_int_equal(r.nselftests, 2);
	assert_true(r.selftests[0].result == SELFTEST_PASSED && r.selftests[0].hours == 40000);
	assert_true(r.selftests[1].result == SELFTEST_FAILED && r.selftests[1].code == 7);
	assert_true(r.selftests[1].has_lba && r.selftests[1].lba == 777);
	assert_string_equal(r.selftests[1].kind, "extended");
	reading_release(&r);
}

/* A data unit is 512,000 bytes, however the drive is formatted, and where nobody says how. */
static void data_units_know_no_format(void **state)
{
	static const char *const formats[] = {
		"",
		"\"logical_block_size\":4096,",
		"\"logical_block_size\":null,",
		"\"nvme_namespaces\":[{\"id\":1,\"formatted_lba_size\":512}],",
		"\"nvme_namespaces\":[{\"id\":1,\"formatted_lba_size\":4096}],",
		"\"nvme_namespaces\":[{\"id\":1,\"formatted_lba_size\":0}],",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		char text[512];
		struct reading r;

		snprintf(text, sizeof(text),
			 "{\"smartctl\":{},\"device\":{\"protocol\":\"NVMe\"},"
			 "\"serial_number\":\"N\",%s\"nvme_smart_health_information_log\":{"
			 "\"data_units_read\":7,\"data_units_written\":123456789}}",
			 formats[i]);
		read_dump(text, &r);
		assert_true(field_number(&r, "nvme.smart", "data_units_written") ==
			    (i128)123456789 * 512000);
		assert_true(field_number(&r, "nvme.smart", "data_units_read") == 7 * 512000);
		reading_release(&r);
	}
}

static void an_nvme_drive(void **state)
{
	struct reading r;

	(void)state;
	read_dump("{\"smartctl\":{\"version\":[7,4],\"exit_status\":0},"
		  "\"device\":{\"name\":\"/dev/nvme0\",\"protocol\":\"NVMe\"},"
		  "\"model_name\":\"EXAMPLE NVMe\",\"serial_number\":\"NV1\","
		  "\"firmware_version\":\"F1\",\"nvme_total_capacity\":1920383410176,"
		  "\"nvme_namespaces\":[{\"id\":1,\"size\":{\"bytes\":960197124096},"
		  "\"formatted_lba_size\":4096,\"eui64\":{\"oui\":9528,\"ext_id\":21483710645}}],"
		  "\"nvme_composite_temperature_threshold\":{\"warning\":80,\"critical\":85},"
		  "\"smart_status\":{\"passed\":false,\"nvme\":{\"value\":4}},"
		  "\"nvme_smart_health_information_log\":{\"critical_warning\":4,"
		  "\"temperature\":41.0,\"available_spare\":\"100\",\"percentage_used\":12,"
		  "\"data_units_written\":18446744073709551615,"
		  "\"data_units_written_s\":\"36893488147419103232\","
		  "\"data_units_read\":\"1.0e+18\",\"temperature_sensors\":[41,0,62]},"
		  "\"nvme_self_test_log\":{\"current_self_test_operation\":{\"value\":1},"
		  "\"current_self_test_completion_percent\":30,\"table\":["
		  "{\"self_test_code\":{\"value\":2},\"self_test_result\":{\"value\":7},"
		  "\"segment\":7,\"power_on_hours\":1772},"
		  "{\"self_test_result\":{\"value\":15}}]},"
		  "\"power_on_time\":{\"hours\":5},\"temperature\":{\"current\":41}}",
		  &r);
	assert_int_equal(r.identity.protocol, PROTOCOL_NVME);
	assert_string_equal(r.identity.wwn, "eui.00253805008768b5");
	assert_true(r.identity.capacity_bytes == 1920383410176);
	assert_int_equal(r.identity.logical_block_bytes, 4096);
	assert_int_equal(r.identity.rotational, 0);
	assert_int_equal(r.smart_status, SMART_STATUS_FAILED);
	assert_true(field_number(&r, "nvme.smart", "warning_reliability") == 1);
	assert_true(field_number(&r, "nvme.smart", "temperature") == 41000);
	assert_true(field_number(&r, "nvme.smart", "available_spare") == 100000);
	/* the digits beside the rounded number count: 2^65 data units */
	assert_true(field_number(&r, "nvme.smart", "data_units_written") ==
		    ((i128)1 << 65) * 512000);
	assert_true(field_number(&r, "nvme.smart", "data_units_read") ==
		    (i128)1000000000000000000 * 512000);
	assert_true(field_is_absent(&r, "nvme.smart", "temperature_sensor_2"));
	assert_true(field_number(&r, "nvme.smart", "temperature_sensor_3") == 62000);
	assert_true(field_number(&r, "nvme.controller", "wctemp") == 80000);
	assert_int_equal(r.selftest_progress, 30);
	assert_int_equal(r.nselftests, 1);
	assert_true(r.selftests[0].result == SELFTEST_FAILED && r.selftests[0].hours == 1772 &&
		    r.selftests[0].segment == 7);
	assert_true(field_is_absent(&r, "smartctl.summary", "power_on_hours"));
	reading_release(&r);
}

/* Namespaces, whole drive, and a bridge that hides both. */
static void capacity_of_nvme_drives(void **state)
{
	static const struct {
		const char *members;
		uint64_t bytes;
		bool incomplete;
	} cases[] = {
		{ "\"nvme_number_of_namespaces\":1,\"nvme_total_capacity\":1000,"
		  "\"user_capacity\":{\"bytes\":800}",
		  1000, false },
		{ "\"nvme_number_of_namespaces\":32,\"nvme_total_capacity\":1000,"
		  "\"nvme_namespaces\":[{\"size\":{\"bytes\":800}}]",
		  1000, false },
		{ "\"nvme_number_of_namespaces\":32,\"nvme_total_capacity\":0,"
		  "\"nvme_namespaces\":[{\"size\":{\"bytes\":800}}]",
		  800, false },
		{ "\"nvme_number_of_namespaces\":0,\"nvme_pci_vendor\":{\"id\":0}", 0, true },
		{ "\"nvme_number_of_namespaces\":1,\"nvme_pci_vendor\":{\"id\":0}", 0, true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char text[512];
		struct reading r;

		snprintf(text, sizeof(text),
			 "{\"smartctl\":{},\"device\":{\"protocol\":\"NVMe\"},\"model_name\":\"M\","
			 "\"nvme_composite_temperature_threshold\":{\"warning\":0},%s}",
			 cases[i].members);
		read_dump(text, &r);
		assert_true(r.identity.capacity_bytes == cases[i].bytes);
		assert_int_equal(r.identity.has_capacity, cases[i].bytes > 0);
		assert_int_equal(r.identity.incomplete, cases[i].incomplete);
		assert_true(field_is_absent(&r, "nvme.controller", "wctemp"));
		reading_release(&r);
	}
}

static void a_sas_drive(void **state)
{
	struct reading r;

	(void)state;
	read_dump("{\"smartctl\":{\"exit_status\":0},\"device\":{\"protocol\":\"SCSI\"},"
		  "\"scsi_vendor\":\"KIOXIA\",\"scsi_product\":\"EXAMPLE3T84\","
		  "\"scsi_model_name\":\"KIOXIA EXAMPLE3T84\",\"scsi_revision\":\"0105\","
		  "\"serial_number\":\"SAS1\",\"logical_unit_id\":\"0x58ce38ee20aabbcc\","
		  "\"logical_block_size\":512,\"rotation_rate\":0,"
		  "\"smart_status\":{\"passed\":false,\"scsi\":{\"asc\":93,\"ascq\":16}},"
		  "\"temperature\":{\"current\":36,\"drive_trip\":70},"
		  "\"power_on_time\":{\"hours\":24755,\"minutes\":57},"
		  "\"scsi_percentage_used_endurance_indicator\":3,\"scsi_grown_defect_list\":2,"
		  "\"scsi_error_counter_log\":{\"write\":{\"gigabytes_processed\":\"23456.789\","
		  "\"total_uncorrected_errors\":0},\"read\":{\"gigabytes_processed\":\"12.5\","
		  "\"errors_corrected_by_rereads_rewrites\":4,\"total_uncorrected_errors\":6}},"
		  "\"scsi_self_test_0\":{\"code\":{\"value\":2},\"result\":{\"value\":7},"
		  "\"power_on_time\":{\"hours\":12345}}}",
		  &r);
	assert_int_equal(r.identity.protocol, PROTOCOL_SCSI);
	assert_string_equal(r.identity.model, "EXAMPLE3T84");
	assert_string_equal(r.identity.vendor, "KIOXIA");
	assert_string_equal(r.identity.firmware, "0105");
	assert_string_equal(r.identity.wwn, "0x58ce38ee20aabbcc");
	assert_true(field_number(&r, "scsi.ssd", "percentage_used") == 3000);
	assert_true(field_number(&r, "scsi.write_errors", "bytes_processed") == 23456789000000);
	assert_true(field_number(&r, "scsi.read_errors", "bytes_processed") == 12500000000);
	assert_true(field_number(&r, "scsi.read_errors", "rereads") == 4);
	assert_true(field_number(&r, "scsi.background_scan", "power_on_time") == 24755);
	assert_true(field_number(&r, "scsi.temperature", "reference") == 70000);
	assert_int_equal(r.smart_status, SMART_STATUS_FAILED);
	assert_true(field_number(&r, "scsi.exceptions", "asc") == 0x5d);
	assert_true(field_number(&r, "scsi.exceptions", "ascq") == 0x10);
	assert_int_equal(r.nselftests, 1);
	assert_true(r.selftests[0].result == SELFTEST_FAILED && r.selftests[0].hours == 12345);
	assert_string_equal(r.selftests[0].kind, "extended");
	reading_release(&r);
}

/* Only the two low bits of the exit status mean that the drive could not be read. */
static void every_exit_status(void **state)
{
	(void)state;
	for (unsigned status = 0; status < 256; status++) {
		char text[256];
		struct reading r;

		snprintf(text, sizeof(text),
			 "{\"smartctl\":{\"exit_status\":%u},\"device\":{\"protocol\":\"ATA\"},"
			 "\"model_name\":\"M\",\"serial_number\":\"S\"}",
			 status);
		read_dump(text, &r);
		assert_int_equal(r.state, status & 3 ? DRIVE_UNREADABLE : DRIVE_READ);
		assert_int_equal(r.smart_status,
				 status & 8 ? SMART_STATUS_FAILED : SMART_STATUS_UNKNOWN);
		assert_int_equal(r.nproblems > 0, (status & 7) != 0);
		reading_release(&r);
	}
}

static void drives_that_cannot_be_read(void **state)
{
	static const struct {
		const char *message;
		enum drive_state state;
	} cases[] = {
		{ "Smartctl open device: /dev/sda failed: Permission denied", DRIVE_NO_ACCESS },
		{ "Device is in STANDBY mode, exit(2)", DRIVE_STANDBY },
		{ "Smartctl open device: /dev/sda failed: No such device", DRIVE_UNREADABLE },
		{ "/dev/sda: Unable to detect device type", DRIVE_NO_SMART },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char text[512];
		struct reading r;

		snprintf(text, sizeof(text),
			 "{\"json_format_version\":[1,0],\"smartctl\":{\"messages\":[{\"string\":"
			 "\"%s\",\"severity\":\"error\"}],\"exit_status\":2},"
			 "\"device\":{\"name\":\"/dev/sda\",\"protocol\":\"ATA\"}}",
			 cases[i].message);
		read_dump(text, &r);
		assert_int_equal(r.state, cases[i].state);
		assert_string_equal(r.identity.serial, "");
		assert_string_equal(r.identity.path, "/dev/sda");
		assert_non_null(strstr(r.problems[0].text, cases[i].message));
		reading_release(&r);
	}
}

static void a_log_of_zeros_is_no_log(void **state)
{
	struct reading r;

	(void)state;
	read_dump("{\"smartctl\":{\"exit_status\":0},\"model_name\":\"M\","
		  "\"nvme_smart_health_information_log\":{\"critical_warning\":0,"
		  "\"temperature\":-273,\"available_spare\":0,\"available_spare_threshold\":0,"
		  "\"percentage_used\":0,\"data_units_written\":0}}",
		  &r);
	assert_int_equal(r.state, DRIVE_UNREADABLE);
	assert_true(field_is_absent(&r, "nvme.smart", "available_spare"));
	reading_release(&r);

	/* 0 K shown as 0 C */
	read_dump("{\"smartctl\":{\"exit_status\":0},\"model_name\":\"M\","
		  "\"nvme_smart_health_information_log\":{\"critical_warning\":0,"
		  "\"temperature\":0,\"available_spare\":0,\"percentage_used\":0}}",
		  &r);
	assert_int_equal(r.state, DRIVE_UNREADABLE);
	assert_true(field_is_absent(&r, "nvme.smart", "percentage_used"));
	reading_release(&r);
}

/* As in the log itself: an impossible temperature is absent, and told of. */
static void a_statistic_that_makes_no_sense_is_told(void **state)
{
	struct reading r;

	(void)state;
	read_dump("{\"smartctl\":{\"exit_status\":0},\"device\":{\"protocol\":\"ATA\"},"
		  "\"ata_device_statistics\":{\"pages\":[{\"number\":5,\"table\":[{\"offset\":8,"
		  "\"size\":1,\"value\":-93,\"flags\":{\"valid\":true}}]}]}}",
		  &r);
	assert_true(field_is_absent(&r, "ata.devstat.temperature", "temperature"));
	assert_int_equal(r.nproblems, 1);
	assert_non_null(strstr(r.problems[0].text, "-93 C makes no sense"));
	reading_release(&r);
}

/* No less is used where a number is too large for the drive's byte. */
static void a_percentage_beyond_the_byte_saturates(void **state)
{
	struct reading r;

	(void)state;
	read_dump("{\"smartctl\":{\"exit_status\":0},\"model_name\":\"M\","
		  "\"nvme_smart_health_information_log\":{\"critical_warning\":0,"
		  "\"temperature\":30,\"available_spare\":100,\"percentage_used\":329}}",
		  &r);
	assert_true(field_number(&r, "nvme.smart", "percentage_used") == 255000);
	assert_int_equal(reading_find(&r, "nvme.smart", "percentage_used")->value.bound,
			 BOUND_AT_LEAST);
	reading_release(&r);
}

/* Volumes of RAID controllers and of virtual machines have no health, whatever a tool makes up. */
static void a_disk_without_smart_does_not_fail(void **state)
{
	struct reading r;

	(void)state;
	read_dump("{\"smartctl\":{\"exit_status\":8},\"device\":{\"protocol\":\"SCSI\"},"
		  "\"scsi_vendor\":\"VMware\",\"scsi_product\":\"Virtual disk\","
		  "\"smart_support\":{\"available\":false},"
		  "\"smart_status\":{\"passed\":false},\"temperature\":{\"current\":0}}",
		  &r);
	assert_int_equal(r.state, DRIVE_NO_SMART);
	assert_int_equal(r.smart_status, SMART_STATUS_UNKNOWN);
	reading_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sata_drive),
		cmocka_unit_test(logs_of_a_sata_drive),
		cmocka_unit_test(an_nvme_drive),
		cmocka_unit_test(data_units_know_no_format),
		cmocka_unit_test(capacity_of_nvme_drives),
		cmocka_unit_test(a_sas_drive),
		cmocka_unit_test(every_exit_status),
		cmocka_unit_test(drives_that_cannot_be_read),
		cmocka_unit_test(a_log_of_zeros_is_no_log),
		cmocka_unit_test(a_statistic_that_makes_no_sense_is_told),
		cmocka_unit_test(a_percentage_beyond_the_byte_saturates),
		cmocka_unit_test(a_disk_without_smart_does_not_fail),
	};

	return cmocka_run_group_tests_name("smartctl JSON", tests, NULL, NULL);
}
