/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "lib/dumps.h"

#define BANNER "smartctl 7.4 2023-08-01 r5530 [x86_64-linux-6.1.0] (local build)\n\n"
#define INFO   "=== START OF INFORMATION SECTION ===\n"
#define DATA   "=== START OF READ SMART DATA SECTION ===\n"

static const char sata[] = BANNER INFO
	"Model Family:     Example SSDs\n"
	"Device Model:     EXAMPLE SSD 480\n"
	"Serial Number:    EX0001\n"
	"LU WWN Device Id: 5 002538 e40a22954\n"
	"Firmware Version: EX10\n"
	"User Capacity:    480,103,981,056 bytes [480 GB]\n"
	"Sector Sizes:     512 bytes logical, 4096 bytes physical\n"
	"Rotation Rate:    Solid State Device\n"
	"Local Time is:    Fri May  1 12:00:00 2026 CEST\n"
	"SMART support is: Available - device has SMART capability.\n"
	"SMART support is: Enabled\n\n" DATA
	"SMART overall-health self-assessment test result: PASSED\n\n"
	"General SMART Values:\n"
	"Self-test execution status:      ( 247)\tSelf-test routine in progress...\n"
	"\t\t\t\t\t70% of test remaining.\n\n"
	"SMART Attributes Data Structure revision number: 1\n"
	"Vendor Specific SMART Attributes with Thresholds:\n"
	"ID# ATTRIBUTE_NAME          FLAGS    VALUE WORST THRESH FAIL RAW_VALUE\n"
	"  9 Power_On_Hours          -O--CK   100   100   000    -    66234\n"
	"173 Wear_Leveling_Count     PO--C-   090   090   010    NOW  415 (Average 31345)\n"
	"194 Temperature_Celsius     -O---K   061   051   ---    -    39 (Min/Max 22/49)\n"
	"233 Media_Wearout           -O--CK   ---   ---   ---    -    0x01020304ff00\n"
	"                            ||||||_ K auto-keep\n\n"
	"SMART Extended Comprehensive Error Log Version: 1 (20 sectors)\n"
	"Device Error Count: 7 (device log contains only the most recent 4 errors)\n"
	"\tCR     = Command Register\n\n"
	"SMART Extended Self-test Log Version: 1 (1 sectors)\n"
	"Num  Test_Description    Status                  Remaining  LifeTime(hours)  "
	"LBA_of_first_error\n"
	"# 1  Short offline       Completed without error       00%       650         -\n"
	"# 2  Extended offline    Completed: read failure       90%     65515         12345678\n"
	"# 3  Short offline       Aborted by host               40%     65011         -\n\n"
	"SCT Status Version:                  3\n"
	"Device State:                        Active (0)\n"
	"Current Temperature:                    39 Celsius\n"
	"Power Cycle Min/Max Temperature:      ?/45 Celsius\n"
	"Lifetime    Min/Max Temperature:     -2/49 Celsius\n"
	"Under/Over Temperature Limit Count:   0/3\n\n"
	"Device Statistics (GP Log 0x04)\n"
	"Page  Offset Size        Value Flags Description\n"
	"0x01  =====  =               =  ===  == General Statistics (rev 1) ==\n"
	"0x01  0x010  4           66234  ---  Power-on Hours\n"
	"0x01  0x018  6     53629469162  ---  Logical Sectors Written\n"
	"0x01  0x020  6               -  ---  Number of Write Commands\n"
	"0x01  0x028  6 281474976710655  ---  Logical Sectors Read\n\n"
	"0x05  0x008  1             -93  ---  Current Temperature\n"
	"0x07  =====  =               =  ===  == Solid State Device Statistics (rev 1) ==\n"
	"0x07  0x008  1             255  N--  Percentage Used Endurance Indicator\n";

static void a_sata_drive(void **state)
{
	const struct attribute *a;
	struct reading r;

	(void)state;
	read_dump(sata, &r);
	assert_int_equal(r.identity.protocol, PROTOCOL_ATA);
	assert_string_equal(r.identity.model, "EXAMPLE SSD 480");
	assert_string_equal(r.identity.serial, "EX0001");
	assert_string_equal(r.identity.firmware, "EX10");
	assert_string_equal(r.identity.wwn, "0x5002538e40a22954");
	assert_string_equal(r.identity.smartctl_family, "Example SSDs");
	assert_true(r.identity.capacity_bytes == 480103981056);
	assert_int_equal(r.identity.logical_block_bytes, 512);
	assert_int_equal(r.identity.rotational, 0);
	assert_int_equal(r.state, DRIVE_READ);
	assert_int_equal(r.smart_status, SMART_STATUS_PASSED);
	assert_true(r.time == 1777629600 && !r.time_is_file);
	assert_int_equal(r.selftest_progress, 30);
	assert_true(r.has_error_log_entries && r.error_log_entries == 7);
	assert_int_equal(r.nattributes, 4);
	a = reading_attribute(&r, 173);
	assert_int_equal(a->flags, 0x13);
	assert_true(a->value == 90 && a->worst == 90 && a->has_threshold && a->threshold == 10);
	assert_true(a->raw_bytes == 4 && a->raw == 0x7a71019f);
	assert_string_equal(a->name, "Wear_Leveling_Count");
	a = reading_attribute(&r, 194);
	assert_false(a->has_threshold);
	assert_int_equal(a->raw_bytes, 1);
	a = reading_attribute(&r, 233);
	assert_false(a->has_value || a->has_worst || a->has_threshold);
	assert_true(a->raw == 0x01020304ff00 && a->raw_bytes == 6);
	reading_release(&r);
}

static void logs_of_a_sata_drive(void **state)
{
	struct reading r;

	(void)state;
	read_dump(sata, &r);
	assert_true(field_number(&r, "ata.devstat.general", "sectors_written") ==
		    (i128)53629469162 * 512);
	assert_true(field_is_absent(&r, "ata.devstat.general", "write_commands"));
	/* all ones: the drive does not keep it */
	assert_true(field_is_absent(&r, "ata.devstat.general", "sectors_read"));
	/* no drive works at -93 C */
	assert_true(field_is_absent(&r, "ata.devstat.temperature", "temperature"));
	assert_true(field_number(&r, "ata.devstat.ssd", "percentage_used") == 255000);
	assert_int_equal(reading_find(&r, "ata.devstat.ssd", "percentage_used")->value.bound,
			 BOUND_AT_LEAST);
	assert_true(field_number(&r, "ata.sct_status", "temperature") == 39000);
	assert_true(field_is_absent(&r, "ata.sct_status", "temperature_cycle_min"));
	assert_true(field_number(&r, "ata.sct_status", "temperature_min") == -2000);
	assert_true(field_number(&r, "ata.sct_status", "over_limit_count") == 3);
	reading_release(&r);
}

static void selftests_of_a_sata_drive(void **state)
{
	struct reading r;

	(void)state;
	read_dump(sata, &r);
	assert_true(r.selftest_log_read);
	assert_int_equal(r.nselftests, 3);
	/* 650 is 66,186: the log has 16 bits */
	assert_true(r.selftests[0].hours == 66186 && !r.selftests[0].hours_unreliable);
	assert_int_equal(r.selftests[0].result, SELFTEST_PASSED);
	assert_string_equal(r.selftests[0].kind, "short");
	assert_int_equal(r.selftests[1].result, SELFTEST_FAILED);
	assert_int_equal(r.selftests[1].code, 7);
	assert_true(r.selftests[1].hours == 65515);
	assert_true(r.selftests[1].has_lba && r.selftests[1].lba == 12345678);
	assert_string_equal(r.selftests[1].kind, "extended");
	assert_int_equal(r.selftests[2].result, SELFTEST_ABORTED);
	assert_int_equal(r.selftests[2].remaining_percent, 40);
	assert_false(r.selftests[2].has_lba);
	reading_release(&r);
}

static void the_old_attribute_format(void **state)
{
	struct reading r;
	const struct attribute *a;

	(void)state;
	read_dump("smartctl version 5.38 [i686] Copyright (C) 2002-8 Bruce Allen\n\n" INFO
		  "Device Model:     EXAMPLE OLD\n\n" DATA
		  "SMART overall-health self-assessment test result: FAILED!\n"
		  "Drive failure expected in less than 24 hours. SAVE ALL DATA.\n\n"
		  "ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  "
		  "WHEN_FAILED RAW_VALUE\n"
		  "  5 Reallocated_Sector_Ct   0x0033   001   001   010    Pre-fail  Always   "
		  "FAILING_NOW 2047\n"
		  "190 Airflow_Temperature     0x0022   061   042   045    Old_age   Always   "
		  "In_the_past 39 (0 3 45 21)\n"
		  "  9 Power_On_Hours          0x0032   100   100   ---    Old_age   Always       "
		  "-       8h+23m+07s\n",
		  &r);
	assert_int_equal(r.smart_status, SMART_STATUS_FAILED);
	assert_int_equal(r.nattributes, 3);
	a = reading_attribute(&r, 5);
	assert_true(a->flags == 0x33 && a->value == 1 && a->threshold == 10 && a->raw == 2047);
	a = reading_attribute(&r, 190);
	assert_true(a->raw == 39 && a->raw_is_decoded);
	assert_string_equal(a->raw_text, "39 (0 3 45 21)");
	a = reading_attribute(&r, 9);
	assert_true(a->raw == 8 && a->raw_is_decoded && !a->has_threshold);
	reading_release(&r);
}

/* Version 6.2: no flags column, and a mark behind normalized values. */
static void the_old_statistics_format(void **state)
{
	struct reading r;

	(void)state;
	read_dump(BANNER INFO
		  "Device Model:     EXAMPLE OLD\n"
		  "Sector Size:      4096 bytes logical/physical\n\n" DATA
		  "Device Statistics (GP Log 0x04)\n"
		  "Page Offset Size         Value  Description\n"
		  "  1  =====  =                =  == General Statistics (rev 2) ==\n"
		  "  1  0x010  4             9009  Power-on Hours\n"
		  "  1  0x018  6         10000000  Logical Sectors Written\n"
		  "  7  =====  =                =  == Solid State Device Statistics ==\n"
		  "  7  0x008  1               18~ Percentage Used Endurance Indicator\n"
		  "                              |_ ~ normalized value\n",
		  &r);
	assert_true(field_number(&r, "ata.devstat.general", "power_on_hours") == 9009);
	assert_true(field_number(&r, "ata.devstat.general", "sectors_written") == 40960000000);
	assert_true(field_number(&r, "ata.devstat.ssd", "percentage_used") == 18000);
	reading_release(&r);
}

/* smartctl -f hex: numbers, attribute IDs included, in hexadecimal. */
static void attributes_in_hexadecimal(void **state)
{
	const struct attribute *a;
	struct reading r;

	(void)state;
	read_dump(BANNER INFO
		  "Device Model:     EXAMPLE\n\n" DATA
		  "ID#  ATTRIBUTE_NAME          FLAGS    VALUE WORST THRESH FAIL RAW_VALUE\n"
		  "0x09 Power_On_Hours          -O--CK   0x64  0x63  0x0a    -    4242\n",
		  &r);
	a = reading_attribute(&r, 9);
	assert_non_null(a);
	assert_true(a->value == 100 && a->worst == 99 && a->threshold == 10 && a->raw == 4242);
	reading_release(&r);
}

static void an_nvme_drive_in_any_grouping(void **state)
{
	static const char *const written[] = { "18,502,053",
					       "18.502.053",
					       "18'502'053",
					       "18\xe2\x80\xaf"
					       "502\xe2\x80\xaf"
					       "053",
					       "18\xa0"
					       "502\xa0"
					       "053",
					       "18 502 053",
					       "1,85,02,053",
					       "18502053" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(written); i++) {
		char text[2048];
		struct reading r;

		snprintf(text, sizeof(text),
			 BANNER INFO
			 "Model Number:                       EXAMPLE NVMe\n"
			 "Serial Number:                      --\n"
			 "Total NVM Capacity:                 1.600.321.314.816 [1,60 TB]\n"
			 "Namespace 1 Size/Capacity:          800.166.076.416 [800 GB]\n"
			 "Namespace 1 Formatted LBA Size:     4096\n"
			 "Namespace 1 IEEE EUI-64:            6479a7 1234567890\n"
			 "Critical Comp. Temp. Threshold:     85 Celsius\n\n" DATA
			 "SMART overall-health self-assessment test result: PASSED\n\n"
			 "SMART/Health Information (NVMe Log 0x02)\n"
			 "Critical Warning:                   0x0a\n"
			 "Temperature:                        29 Celsius\n"
			 "Available Spare:                    98%%\n"
			 "Percentage Used:                    255%%\n"
			 "Data Units Written:                 %s [9,47 TB]\n"
			 "Error Information Log Entries:      1.102\n"
			 "Temperature Sensor 2:               45 Celsius\n\n"
			 "Error Information (NVMe Log 0x01, 16 of 64 entries)\n"
			 "Num   ErrCount  SQId   CmdId  Status  PELoc          LBA  NSID    VS\n"
			 "  0   77777  0  0x0000  0x0004  0x028  0  0  -  Invalid Field\n"
			 "Percentage Used:                    1%%\n\n",
			 written[i]);
		read_dump(text, &r);
		assert_int_equal(r.identity.protocol, PROTOCOL_NVME);
		assert_string_equal(r.identity.serial, "");
		assert_string_equal(r.identity.wwn, "eui.6479a71234567890");
		assert_true(r.identity.capacity_bytes == 1600321314816);
		assert_int_equal(r.identity.logical_block_bytes, 4096);
		assert_true(field_number(&r, "nvme.smart", "data_units_written") ==
			    (i128)18502053 * 512000);
		assert_true(field_number(&r, "nvme.smart", "critical_warning") == 0x0a);
		assert_true(field_number(&r, "nvme.smart", "warning_read_only") == 1);
		assert_true(field_number(&r, "nvme.smart", "warning_spare") == 0);
		assert_true(field_number(&r, "nvme.smart", "temperature") == 29000);
		assert_true(field_number(&r, "nvme.smart", "percentage_used") == 255000);
		assert_true(field_number(&r, "nvme.smart", "error_log_entries") == 1102);
		assert_true(field_number(&r, "nvme.smart", "temperature_sensor_2") == 45000);
		assert_true(field_is_absent(&r, "nvme.smart", "temperature_sensor_1"));
		assert_true(field_is_absent(&r, "nvme.smart", "power_on_hours"));
		assert_true(field_number(&r, "nvme.controller", "cctemp") == 85000);
		assert_true(r.time_is_file && r.time == 1000000000);
		reading_release(&r);
	}
}

static void self_tests_of_an_nvme_drive(void **state)
{
	struct reading r;

	(void)state;
	read_dump(BANNER INFO
		  "Model Number: EXAMPLE NVMe\n\n" DATA
		  "Self-test Log (NVMe Log 0x06, NSID 0xffffffff)\n"
		  "Self-test status: Extended self-test in progress (28% completed)\n"
		  "Num  Test_Description  Status                       Power_on_Hours  "
		  "Failing_LBA  NSID Seg SCT Code\n"
		  " 0   Short             Completed without error               1772            "
		  "-     -   -   -    -\n"
		  " 1   Extended          Completed: failed segments            1.700    "
		  "123456     1   7 0x2 0x81\n",
		  &r);
	assert_int_equal(r.selftest_progress, 28);
	assert_int_equal(r.nselftests, 2);
	assert_true(r.selftests[0].hours == 1772 && r.selftests[0].result == SELFTEST_PASSED);
	assert_false(r.selftests[0].has_lba || r.selftests[0].has_segment);
	assert_true(r.selftests[1].hours == 1700 && r.selftests[1].result == SELFTEST_FAILED);
	assert_true(r.selftests[1].lba == 123456 && r.selftests[1].segment == 7);
	assert_string_equal(r.selftests[1].kind, "extended");
	reading_release(&r);
}

static void a_sas_drive(void **state)
{
	struct reading r;

	(void)state;
	read_dump(
		BANNER INFO
		"Vendor:               KIOXIA\n"
		"Product:              EXAMPLE3T84\n"
		"Revision:             0105\n"
		"User Capacity:        3,840,755,982,336 bytes [3.84 TB]\n"
		"Logical block size:   4096 bytes\n"
		"Rotation Rate:        Solid State Device\n"
		"Logical Unit id:      0x58ce38ee20aabbcc\n"
		"Serial number:        SAS0001\n\n" DATA "SMART Health Status: OK\n\n"
		"Percentage used endurance indicator: 3%\n"
		"Current Drive Temperature:     36 C\n"
		"Drive Trip Temperature:        70 C\n\n"
		"Accumulated power on time, hours:minutes 24755:57\n"
		"Elements in grown defect list: 2\n\n"
		"Error counter log:\n"
		"           Errors Corrected by           Total   Correction     Gigabytes    "
		"Total\n"
		"               ECC          rereads/    errors   algorithm      processed    "
		"uncorrected\n"
		"           fast | delayed   rewrites  corrected  invocations   [10^9 bytes]  "
		"errors\n"
		"read:          1        2         3         4          5      12345.678           "
		"6\n"
		"write:         0        0         0         0          0      23456.789           "
		"0\n\n"
		"SMART Self-test log\n"
		"Num  Test              Status                 segment  LifeTime  LBA_first_err "
		"[SK ASC ASQ]\n"
		"     Description                              number   (hours)\n"
		"# 1  Background long   Completed                   -   12345                 - "
		"[-   -    -]\n"
		"# 2  Background short  Failed in segment -->       3   12000           9988776 "
		"[0x3 0x11 0x0]\n",
		&r);
	assert_int_equal(r.identity.protocol, PROTOCOL_SCSI);
	assert_string_equal(r.identity.vendor, "KIOXIA");
	assert_string_equal(r.identity.model, "EXAMPLE3T84");
	assert_string_equal(r.identity.wwn, "0x58ce38ee20aabbcc");
	assert_int_equal(r.smart_status, SMART_STATUS_PASSED);
	assert_true(field_number(&r, "scsi.ssd", "percentage_used") == 3000);
	assert_true(field_number(&r, "scsi.temperature", "temperature") == 36000);
	assert_true(field_number(&r, "scsi.temperature", "reference") == 70000);
	assert_true(field_number(&r, "scsi.background_scan", "power_on_time") == 24755);
	assert_true(field_number(&r, "scsi.write_errors", "bytes_processed") == 23456789000000);
	assert_true(field_number(&r, "scsi.read_errors", "bytes_processed") == 12345678000000);
	assert_true(field_number(&r, "scsi.read_errors", "rereads") == 3);
	assert_true(field_number(&r, "scsi.read_errors", "uncorrected") == 6);
	assert_true(field_number(&r, "scsi.grown_defects", "grown_defects") == 2);
	assert_int_equal(r.nselftests, 2);
	assert_true(r.selftests[0].hours == 12345 && r.selftests[0].result == SELFTEST_PASSED);
	assert_true(r.selftests[1].hours == 12000 && r.selftests[1].result == SELFTEST_FAILED);
	assert_true(r.selftests[1].lba == 9988776);
	reading_release(&r);
}

static void capacity_of_nvme_drives(void **state)
{
	static const struct {
		const char *namespaces, *vendor;
		uint64_t bytes;
		bool incomplete;
	} cases[] = { { "1", "0x144d", 1000, false },
		      { "32", "0x144d", 1000, false },
		      { "0", "0x0000", 1000, true } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char text[512];
		struct reading r;

		snprintf(text, sizeof(text),
			 BANNER INFO "Model Number: EXAMPLE NVMe\n"
				     "PCI Vendor/Subsystem ID:            %s\n"
				     "Total NVM Capacity:                 1,000 [1.00 KB]\n"
				     "Number of Namespaces:               %s\n"
				     "Namespace 1 Size/Capacity:          800 [800 B]\n",
			 cases[i].vendor, cases[i].namespaces);
		read_dump(text, &r);
		assert_true(r.identity.capacity_bytes == cases[i].bytes);
		assert_int_equal(r.identity.incomplete, cases[i].incomplete);
		reading_release(&r);
	}
}

static void the_old_scsi_identity(void **state)
{
	struct reading r;

	(void)state;
	read_dump("smartctl version 5.38 [i686] Copyright (C) 2002-8 Bruce Allen\n\n"
		  "Device: EXAMPLE  SAS SSD 73       Version: 0003\n"
		  "Serial number: SAS0002\n"
		  "SS Media used endurance indicator: 7%\n"
		  "Vendor (Seagate) factory information\n"
		  "  number of hours powered up = 24755.95\n"
		  "SMART Health Status: FIRMWARE IMPENDING FAILURE GENERAL [asc=5d, ascq=60]\n",
		  &r);
	assert_string_equal(r.identity.vendor, "EXAMPLE");
	assert_string_equal(r.identity.model, "SAS SSD 73");
	assert_string_equal(r.identity.firmware, "0003");
	assert_string_equal(r.identity.serial, "SAS0002");
	assert_true(field_number(&r, "scsi.ssd", "percentage_used") == 7000);
	assert_true(field_number(&r, "scsi.background_scan", "power_on_time") == 24755);
	assert_int_equal(r.smart_status, SMART_STATUS_FAILED);
	assert_true(field_number(&r, "scsi.exceptions", "asc") == 0x5d);
	assert_true(field_number(&r, "scsi.exceptions", "ascq") == 0x60);
	reading_release(&r);
}

static void drives_that_cannot_be_read(void **state)
{
	static const struct {
		const char *text;
		enum drive_state state;
	} cases[] = {
		{ BANNER "Smartctl open device: /dev/sdb failed: Permission denied\n",
		  DRIVE_NO_ACCESS },
		{ BANNER
		  "Smartctl open device: /dev/sdb failed: Resource temporarily unavailable\n",
		  DRIVE_UNREADABLE },
		{ BANNER "Device is in STANDBY mode, exit(2)\n", DRIVE_STANDBY },
		{ BANNER "/dev/sdb: Unable to detect device type\n"
			 "Please specify device type with the -d option.\n",
		  DRIVE_NO_SMART },
		{ BANNER "/dev/sdb: Unknown USB bridge [0x1234:0x5678 (0x100)]\n", DRIVE_NO_SMART },
		{ BANNER INFO
		  "Vendor: AVAGO\nProduct: MR9361-8i\n"
		  "SMART support is:     Unavailable - device lacks SMART capability.\n",
		  DRIVE_NO_SMART },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct reading r;

		read_dump(cases[i].text, &r);
		if (r.state != cases[i].state)
			fail_msg("%s: %s", cases[i].text, drive_state_name(r.state));
		assert_string_equal(r.identity.serial, "");
		if (i < 2)
			assert_string_equal(r.identity.path, "/dev/sdb");
		reading_release(&r);
	}
}

static void a_smart_status_from_attributes_is_marked(void **state)
{
	struct reading r;

	(void)state;
	read_dump(BANNER INFO "Device Model:     EXAMPLE USB\n\n" DATA
			      "SMART overall-health self-assessment test result: PASSED\n"
			      "Warning: This result is based on an Attribute check.\n",
		  &r);
	assert_true(r.smart_status == SMART_STATUS_PASSED && r.smart_status_by_attributes);
	reading_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sata_drive),
		cmocka_unit_test(logs_of_a_sata_drive),
		cmocka_unit_test(selftests_of_a_sata_drive),
		cmocka_unit_test(the_old_attribute_format),
		cmocka_unit_test(the_old_statistics_format),
		cmocka_unit_test(attributes_in_hexadecimal),
		cmocka_unit_test(an_nvme_drive_in_any_grouping),
		cmocka_unit_test(self_tests_of_an_nvme_drive),
		cmocka_unit_test(a_sas_drive),
		cmocka_unit_test(capacity_of_nvme_drives),
		cmocka_unit_test(the_old_scsi_identity),
		cmocka_unit_test(drives_that_cannot_be_read),
		cmocka_unit_test(a_smart_status_from_attributes_is_marked),
	};

	return cmocka_run_group_tests_name("smartctl text", tests, NULL, NULL);
}
