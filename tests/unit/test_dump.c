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

#include "base/str.h"
#include "base/text.h"
#include "decode/dump.h"
#include "lib/ata_logs.h"
#include "lib/dumps.h"

#define DRIVE(serial)                                                                          \
	"{\"smartctl\":{\"exit_status\":0},\"local_time\":{\"time_t\":1700000000},"            \
	"\"device\":{\"name\":\"/dev/" serial "\",\"protocol\":\"ATA\"},\"model_name\":\"M\"," \
	"\"serial_number\":\"" serial "\"}"

static size_t count(const char *text)
{
	struct snapshot *drives = NULL;
	struct diag d = { 0 };
	size_t n = 0;

	if (snapshots_from_dump(bytes_of(text, strlen(text)), "dump", 1, &d, &drives, &n))
		fail_msg("%s", d.text);
	for (size_t i = 0; i < n; i++)
		snapshot_release(&drives[i]);
	free(drives);
	return n;
}

static void json_in_all_its_wrappings(void **state)
{
	(void)state;
	assert_int_equal(count(DRIVE("A")), 1);
	assert_int_equal(count("\xef\xbb\xbf" DRIVE("A") "\r\n"), 1);
	assert_int_equal(
		count("smartctl 7.4 2023-08-01 [x86_64-linux]\nWarning: {x}\n\n" DRIVE("A")), 1);
	assert_int_equal(count(DRIVE("A") "\n" DRIVE("B") "\n" DRIVE("C") "\n"), 3);
	assert_int_equal(count("[" DRIVE("A") ",\n " DRIVE("B") "]"), 2);
	assert_int_equal(count("[\n  " DRIVE("A") ",\n  " DRIVE("B") "\n]\n"), 2);
	assert_int_equal(count("{\n  \"smartctl\": {\n    \"exit_status\": 0\n  },\n"
			       "  \"model_name\": \"{\\\"}\"\n}\n{\n  \"smartctl\": {}\n}\n"),
			 2);
}

static void a_snapshot_of_a_dump(void **state)
{
	struct snapshot *drives;
	struct diag d = { 0 };
	size_t n;
	const char *text = DRIVE("sdq");

	(void)state;
	assert_int_equal(snapshots_from_dump(bytes_of(text, strlen(text)), "x", 5, &d, &drives, &n),
			 0);
	assert_int_equal(n, 1);
	assert_true(drives[0].time == 1700000000 && !drives[0].time_is_file);
	assert_string_equal(drives[0].path, "/dev/sdq");
	assert_int_equal(drives[0].nlogs, 1);
	assert_int_equal(drives[0].logs[0].space, SPACE_SMARTCTL_JSON);
	assert_int_equal(drives[0].logs[0].len, strlen(text));
	snapshot_release(&drives[0]);
	free(drives);
}

/* One bad line does not spoil the others; the first one is named. */
static void json_lines_with_a_broken_one(void **state)
{
	static const char *const broken[] = { "{\"smartctl\":{\"exit_status\":0},\"model_na",
					      "{\"smartctl\":}",
					      "{\"smartctl\":{\"x\":\"y",
					      "{\"other\":1}",
					      "{\"smartctl\":{\"x\":1\nlost connection",
					      "{\n  \"smartctl\": {\n    \"x\": 1," };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(broken); i++) {
		struct snapshot *drives;
		struct diag d = { 0 };
		char text[1024];
		size_t n;

		snprintf(text, sizeof(text), "%s\n%s\n%s\n", DRIVE("A"), broken[i], DRIVE("B"));
		assert_int_equal(snapshots_from_dump(bytes_of(text, strlen(text)), "log", 1, &d,
						     &drives, &n),
				 0);
		assert_int_equal(n, 2);
		assert_int_equal(d.err, -EINVAL);
		assert_true(text_starts_with(d.text, "log: the object at line 2: "));
		/* each has its own text and nothing of its neighbours' */
		assert_string_equal(drives[0].logs[0].data, DRIVE("A"));
		assert_string_equal(drives[1].logs[0].data, DRIVE("B"));
		for (size_t k = 0; k < n; k++)
			snapshot_release(&drives[k]);
		free(drives);
	}
}

static void what_is_no_dump(void **state)
{
	static const char *const cases[] = { "",
					     " \n",
					     "hello\n",
					     "{}",
					     "[]",
					     "{\"a\":1}",
					     "{\"smartctl\":",
					     "{\"critical_warning\":0}",
					     "\"smartctl\"",
					     "\177ELF",
					     "IDF",
					     "<html>smartctl 7.4</html>" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct snapshot *drives = NULL;
		struct diag d = { 0 };
		size_t n = 0;

		if (snapshots_from_dump(bytes_of(cases[i], strlen(cases[i])), "it", 1, &d, &drives,
					&n) != -EINVAL)
			fail_msg("%s", cases[i]);
		assert_true(strncmp(d.text, "it: ", 4) == 0);
	}
}

/* Text that is cut before it names a drive is known for what it is only when it is decoded. */
static void text_without_a_drive(void **state)
{
	static const char text[] = "smartctl 7.4 2023-08-01 [x86_64-linux] (local build)\nCopyr";
	struct snapshot *drives;
	struct diag d = { 0 };
	struct reading r;
	size_t n;

	(void)state;
	assert_int_equal(snapshots_from_dump(bytes_of(text, strlen(text)), "x", 1, &d, &drives, &n),
			 0);
	assert_int_equal(n, 1);
	assert_int_equal(reading_decode(&drives[0], NULL, &d, &r), -EINVAL);
	snapshot_release(&drives[0]);
	free(drives);
}

static void several_drives_in_a_text(void **state)
{
	static const char text[] = "smartctl 7.1 2020-06-20 r5066 [x86_64-linux]\n\n"
				   "=== START OF INFORMATION SECTION ===\nDevice Model: A\n"
				   "Local Time is:    Thu Jan  1 00:00:10 1970 UTC\n\n"
				   "smartctl 7.1 2020-06-20 r5066 [x86_64-linux]\n\n"
				   "Smartctl open device: /dev/sdb failed: Permission denied\n"
				   "=== START OF INFORMATION SECTION ===\nDevice Model: C\n"
				   "=== START OF INFORMATION SECTION ===\nDevice Model: D\n"
				   "smartctl 7.1 2020-06-20 r5066 [x86_64-linux]\n\n"
				   "=== START OF INFORMATION SECTION ===\nModel Number: E\n";
	static const char *const models[] = { "A", "C", "D", "E" };
	struct snapshot *drives;
	struct diag d = { 0 };
	size_t n;

	(void)state;
	assert_int_equal(
		snapshots_from_dump(bytes_of(text, strlen(text)), "x", 77, &d, &drives, &n), 0);
	assert_int_equal(n, ARRAY_SIZE(models));
	for (size_t i = 0; i < n; i++) {
		struct reading r;

		assert_int_equal(reading_decode(&drives[i], NULL, &d, &r), 0);
		assert_string_equal(r.identity.model, models[i]);
		assert_int_equal(r.time, i ? 77 : 10);
		assert_int_equal(r.time_is_file, i > 0);
		reading_release(&r);
		snapshot_release(&drives[i]);
	}
	free(drives);
}

static void times_of_texts(void **state)
{
	static const struct {
		const char *text;
		int64_t time;
	} cases[] = {
		{ "Local Time is:    Fri Feb 13 23:31:30 2009 UTC\n", 1234567890 },
		{ "Local Time is:    Fri Feb 13 23:31:30 2009\n", 1234567890 },
		{ "x\nLocal Time is: Sat Feb 14 00:31:30 2009 CET\r\n", 1234567890 },
		{ "Local Time is:    Fri Feb 13 18:31:30 2009 EST", 1234567890 },
		{ "Local Time is:    Sat Feb 14 07:31:30 2009 +08\n", 1234567890 },
		{ "Local Time is:    Fri Feb 13 20:31:30 2009 -03\n", 1234567890 },
		{ "Local Time is:    Sat Feb 14 05:01:30 2009 +0530\n", 1234567890 },
		{ "Local Time is:    Fri Feb 13 23:31:30 2009 XYZT\n", 1234567890 },
		{ "Local Time is:    Thu Jan  1 00:00:00 1970 UTC\n", 0 },
		{ "Local Time is:    Tue Jan ... 2021 -03\n", TIME_UNKNOWN },
		{ "Local Time is:    --\n", TIME_UNKNOWN },
		{ "Local Time is:    Fri Foo 13 23:31:30 2009 UTC\n", TIME_UNKNOWN },
		{ "Local Time is:    Fri Feb 13 25:31:30 2009 UTC\n", TIME_UNKNOWN },
		{ "Local Time is:", TIME_UNKNOWN },
		{ "", TIME_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct bytes text = bytes_of(cases[i].text, strlen(cases[i].text));

		if (smartctl_text_time(text) != cases[i].time)
			fail_msg("%s", cases[i].text);
	}
}

static void nvme_cli_in_all_its_kinds(void **state)
{
	static const char *const cases[] = {
		/* numbers; version 1 */
		"{\"critical_warning\":8,\"temperature\":314,\"avail_spare\":100,\"spare_thresh\":"
		"10,"
		"\"percent_used\":12,\"data_units_written\":18502053,\"host_write_commands\":5,"
		"\"warning_temp_time\":7,\"temperature_sensor_1\":314,\"temperature_sensor_2\":0}",
		/* strings */
		"{\"critical_warning\":\"0x08\",\"temperature\":\"314\",\"avail_spare\":\"100\","
		"\"spare_thresh\":\"10\",\"percent_used\":\"12\",\"data_units_written\":"
		"\"18502053\",\"host_write_commands\":\"5\",\"warning_temp_time\":\"7\","
		"\"temperature_sensor_1\":\"314\"}",
		/* floats */
		"{\"critical_warning\":8.0,\"temperature\":314.0,\"avail_spare\":1.0e+02,"
		"\"spare_thresh\":10.0,\"percent_used\":1.2e+01,\"data_units_written\":"
		"1.8502053e+07,\"host_write_commands\":5.0,\"warning_temp_time\":7.0,"
		"\"temperature_sensor_1\":314.0}",
		/* version 2: the bits of the warning beside its value, under the name of the drive
		 */
		"{\"/dev/nvme0\":{\"critical_warning\":{\"value\":8,\"ro\":1},\"temperature\":314,"
		"\"avail_spare\":100,\"spare_thresh\":10,\"percent_used\":12,"
		"\"endurance_grp_critical_warning_summary\":0,\"data_units_written\":18502053,"
		"\"host_write_commands\":5,\"warning_temp_time\":7,\"temperature_sensor_1\":314}}",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct reading r;

		read_dump(cases[i], &r);
		assert_int_equal(r.identity.protocol, PROTOCOL_NVME);
		assert_string_equal(r.identity.path, i == 3 ? "/dev/nvme0" : "");
		assert_true(field_number(&r, "nvme.smart", "critical_warning") == 8);
		assert_true(field_number(&r, "nvme.smart", "warning_read_only") == 1);
		assert_true(field_number(&r, "nvme.smart", "temperature") == 41000);
		assert_true(field_number(&r, "nvme.smart", "available_spare") == 100000);
		assert_true(field_number(&r, "nvme.smart", "percentage_used") == 12000);
		assert_true(field_number(&r, "nvme.smart", "data_units_written") ==
			    (i128)18502053 * 512000);
		assert_true(field_number(&r, "nvme.smart", "warning_temperature_time") == 7);
		assert_true(field_number(&r, "nvme.smart", "temperature_sensor_1") == 41000);
		assert_true(field_is_absent(&r, "nvme.smart", "temperature_sensor_2"));
		assert_true(field_is_absent(&r, "nvme.smart", "power_on_hours"));
		assert_true(r.time_is_file);
		reading_release(&r);
	}
}

/* Both layouts of the list: flat namespaces, and controllers in subsystems. */
static void nvme_lists(void **state)
{
	static const char *const cases[] = {
		"{\"Devices\":[{\"NameSpace\":1,\"DevicePath\":\"/dev/"
		"nvme0n1\",\"Firmware\":\"F1\","
		"\"ModelNumber\":\"EXAMPLE A\",\"SerialNumber\":\"S1\",\"UsedBytes\":-2147483648,"
		"\"MaximumLBA\":937684566,\"PhysicalSize\":-2147483648,\"SectorSize\":4096},"
		"{\"NameSpace\":2,\"DevicePath\":\"/dev/nvme0n2\",\"ModelNumber\":\"EXAMPLE A\","
		"\"SerialNumber\":\"S1\",\"PhysicalSize\":1},"
		"{\"DevicePath\":\"/dev/nvme1n1\",\"Firmware\":\"F2\",\"ModelNumber\":\"B\","
		"\"SerialNumber\":\"S2\",\"PhysicalSize\":512}]}",
		"{\"Devices\":[{\"HostNQN\":\"x\",\"Subsystems\":[{\"Subsystem\":\"nvme-subsys0\","
		"\"Controllers\":[{\"Controller\":\"nvme0\",\"SerialNumber\":\"S1\","
		"\"ModelNumber\":\"EXAMPLE A\",\"Firmware\":\"F1\",\"Namespaces\":[],"
		"\"Paths\":[{\"Path\":\"nvme0c0n1\"}]}],\"Namespaces\":[{\"NameSpace\":\"nvme0n1\","
		"\"NSID\":1,\"MaximumLBA\":937684566,\"PhysicalSize\":3840755982336,"
		"\"SectorSize\":4096}]},{\"Controllers\":[{\"Controller\":\"nvme1\","
		"\"SerialNumber\":\"S2\",\"ModelNumber\":\"B\"}]}]}]}",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct snapshot *drives;
		struct diag d = { 0 };
		struct reading r;
		size_t n;

		if (snapshots_from_dump(bytes_of(cases[i], strlen(cases[i])), "x", 1, &d, &drives,
					&n))
			fail_msg("%s", d.text);
		assert_int_equal(n, 2);
		assert_string_equal(drives[0].path, i ? "/dev/nvme0" : "/dev/nvme0n1");
		assert_int_equal(reading_decode(&drives[0], NULL, &d, &r), 0);
		assert_string_equal(r.identity.model, "EXAMPLE A");
		assert_string_equal(r.identity.serial, "S1");
		assert_string_equal(r.identity.firmware, "F1");
		assert_true(r.identity.capacity_bytes == 3840755982336);
		assert_int_equal(r.identity.logical_block_bytes, 4096);
		assert_true(field_is_absent(&r, "nvme.smart", "percentage_used"));
		reading_release(&r);
		for (size_t k = 0; k < n; k++)
			snapshot_release(&drives[k]);
		free(drives);
	}
}

static void zeros_of_nvme_cli(void **state)
{
	struct reading r;

	(void)state;
	read_dump("{\"critical_warning\":0,\"temperature\":0,\"avail_spare\":0,\"spare_thresh\":0,"
		  "\"percent_used\":0,\"data_units_written\":0}",
		  &r);
	assert_int_equal(r.state, DRIVE_UNREADABLE);
	assert_true(field_is_absent(&r, "nvme.smart", "available_spare"));
	reading_release(&r);
}

static void add_chunk(struct str *blob, const char *tag, const void *data, uint8_t high,
		      uint8_t low, size_t len)
{
	str_add_bytes(blob, tag, 4);
	str_add_bytes(blob, "\0", 1);
	str_add_bytes(blob, "\0", 1);
	str_add_bytes(blob, &high, 1);
	str_add_bytes(blob, &low, 1);
	str_add_bytes(blob, data, len);
}

static void a_blob_of_skdump(void **state)
{
	struct sector identify, data = { { 0 } }, thresholds = { { 0 } };
	struct str blob = { 0 };
	struct reading r;

	(void)state;
	build_identify(&identify, "EXAMPLE SSD 480", "EX0001", "EX10", 937703088);
	put_attribute(&data, 0, 9, 0x32, 100, 100, 9010);
	put_threshold(&thresholds, 0, 9, 5);
	add_chunk(&blob, "IDFY", identify.bytes, 2, 0, 512);
	add_chunk(&blob, "SMST", "\0\0\0\0", 0, 4, 4);
	add_chunk(&blob, "XXXX", "abc", 0, 3, 3);
	add_chunk(&blob, "SMDT", data.bytes, 2, 0, 512);
	add_chunk(&blob, "SMTH", thresholds.bytes, 2, 0, 512);
	read_dump_bytes(blob.s, blob.len, &r);
	assert_string_equal(r.origin, "skdump");
	assert_string_equal(r.identity.model, "EXAMPLE SSD 480");
	assert_int_equal(r.smart_status, SMART_STATUS_FAILED);
	assert_int_equal(r.nattributes, 1);
	assert_true(r.attributes[0].raw == 9010 && r.attributes[0].threshold == 5);
	assert_true(r.time_is_file);
	reading_release(&r);
	/* cut anywhere: what is there is read */
	for (size_t len = 8; len < blob.len; len += 61) {
		struct snapshot *drives;
		struct diag d = { 0 };
		size_t n;

		assert_int_equal(
			snapshots_from_dump(bytes_of(blob.s, len), "x", 1, &d, &drives, &n), 0);
		if (reading_decode(&drives[0], NULL, &d, &r) == 0)
			reading_release(&r);
		snapshot_release(&drives[0]);
		free(drives);
	}
	str_release(&blob);
}

static void a_capture_is_read(void **state)
{
	struct snapshot s, *drives;
	struct str text = { 0 };
	struct diag d = { 0 };
	struct sector identify;
	struct reading r;
	size_t n;

	(void)state;
	build_identify(&identify, "EXAMPLE SSD 480", "EX0001", "EX10", 937703088);
	snapshot_init(&s);
	s.time = 1700000000;
	assert_int_equal(snapshot_add(&s, SPACE_ATA_IDENTIFY, 0, 0, bytes_of(identify.bytes, 512)),
			 0);
	str_add(&text, "{\"schema\":\"nandlife.capture/1\",\"drives\":[");
	assert_int_equal(snapshot_write_json(&s, &text), 0);
	str_add(&text, ",");
	assert_int_equal(snapshot_write_json(&s, &text), 0);
	str_add(&text, "]}\n");
	if (snapshots_from_dump(bytes_of(text.s, text.len), "x", 1, &d, &drives, &n))
		fail_msg("%s", d.text);
	assert_int_equal(n, 2);
	assert_true(drives[1].time == 1700000000);
	assert_int_equal(reading_decode(&drives[1], NULL, &d, &r), 0);
	assert_string_equal(r.identity.serial, "EX0001");
	reading_release(&r);
	for (size_t i = 0; i < n; i++)
		snapshot_release(&drives[i]);
	free(drives);
	snapshot_release(&s);
	str_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_in_all_its_wrappings),
		cmocka_unit_test(a_snapshot_of_a_dump),
		cmocka_unit_test(json_lines_with_a_broken_one),
		cmocka_unit_test(what_is_no_dump),
		cmocka_unit_test(text_without_a_drive),
		cmocka_unit_test(several_drives_in_a_text),
		cmocka_unit_test(times_of_texts),
		cmocka_unit_test(nvme_cli_in_all_its_kinds),
		cmocka_unit_test(nvme_lists),
		cmocka_unit_test(zeros_of_nvme_cli),
		cmocka_unit_test(a_blob_of_skdump),
		cmocka_unit_test(a_capture_is_read),
	};

	return cmocka_run_group_tests_name("dumps", tests, NULL, NULL);
}
