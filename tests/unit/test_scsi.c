/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "decode/scsi.h"
#include "lib/ata_logs.h"
#include "lib/dumps.h"

/* A log page being built: parameters are appended, and the length kept right. */
struct page {
	uint8_t bytes[1024];
	size_t len;
};

static void start_page(struct page *p, uint8_t code)
{
	*p = (struct page){ .len = 4 };
	p->bytes[0] = code;
}

static void big_endian(uint8_t *to, unsigned width, uint64_t v)
{
	for (unsigned i = width; i-- > 0; v >>= 8)
		to[i] = (uint8_t)v;
}

/* Returns the parameter's bytes behind its header, all zeros. */
static uint8_t *add_parameter(struct page *p, uint16_t code, uint8_t len)
{
	uint8_t *parameter = p->bytes + p->len;

	big_endian(parameter, 2, code);
	parameter[2] = 3;
	parameter[3] = len;
	p->len += 4 + (size_t)len;
	big_endian(p->bytes + 2, 2, p->len - 4);
	return parameter + 4;
}

static void add(struct snapshot *s, enum log_space space, uint32_t id, const void *data, size_t len)
{
	assert_int_equal(snapshot_add(s, space, id, 0, bytes_of(data, len)), 0);
}

static void decode(struct snapshot *s, struct reading *r)
{
	struct diag d = { 0 };

	if (reading_decode(s, NULL, &d, r))
		fail_msg("%s", d.text);
	snapshot_release(s);
}

static void identity_of_a_sas_drive(void **state)
{
	uint8_t inquiry[96] = { 0, 0, 7, 2, 91 }, capacity[32] = { 0 }, rotation[64] = { 0, 0xb1 };
	uint8_t serial[4 + 12] = { 0, 0x80, 0, 12 };
	/* a name of the port, a T10 vendor text, then the NAA name of the unit */
	static const uint8_t designators[] = {
		0,    0x83, 0,	  36,	0x61, 0x93, 0,	  8,	0x58, 0xce, 0x38, 0xee, 1, 1,
		1,    1,    0x02, 0x01, 0,    4,    'A',  'B',	'C',  'D',  0x01, 0x03, 0, 8,
		0x58, 0xce, 0x38, 0xee, 0x20, 0xaa, 0xbb, 0xcc, 0x01, 0x03, 0,	  8,
	};
	struct snapshot s;
	struct reading r;

	(void)state;
	memcpy(inquiry + 8, "KIOXIA  KPM6XRUG3T84    0105", 28);
	memcpy(serial + 4, "  SAS0001   ", 12);
	big_endian(capacity, 8, 937684565);
	big_endian(capacity + 8, 4, 4096);
	big_endian(rotation + 4, 2, 1);
	snapshot_init(&s);
	add(&s, SPACE_SCSI_INQUIRY, 0, inquiry, sizeof(inquiry));
	add(&s, SPACE_SCSI_CAPACITY, 0, capacity, sizeof(capacity));
	add(&s, SPACE_SCSI_VPD, 0xb1, rotation, sizeof(rotation));
	add(&s, SPACE_SCSI_VPD, 0x80, serial, sizeof(serial));
	add(&s, SPACE_SCSI_VPD, 0x83, designators, sizeof(designators));
	decode(&s, &r);
	assert_int_equal(r.identity.protocol, PROTOCOL_SCSI);
	assert_string_equal(r.identity.vendor, "KIOXIA");
	assert_string_equal(r.identity.model, "KPM6XRUG3T84");
	assert_string_equal(r.identity.firmware, "0105");
	assert_string_equal(r.identity.serial, "SAS0001");
	assert_string_equal(r.identity.wwn, "0x58ce38ee20aabbcc");
	assert_true(r.identity.capacity_bytes == 937684566ULL * 4096);
	assert_int_equal(r.identity.logical_block_bytes, 4096);
	assert_int_equal(r.identity.rotational, 0);
	reading_release(&r);
}

static void wear_and_counters(void **state)
{
	struct page ssd, writes, reads, temperature, scan, statistics, exceptions;
	uint8_t capacity[32] = { 0 }, *p;
	struct snapshot s;
	struct reading r;

	(void)state;
	start_page(&ssd, 0x11);
	add_parameter(&ssd, 1, 4)[3] = 103;
	start_page(&writes, 0x02);
	big_endian(add_parameter(&writes, 0, 4), 4, 17);
	big_endian(add_parameter(&writes, 5, 8), 8, 23456789012345);
	big_endian(add_parameter(&writes, 0x8000, 8), 8, 1);
	big_endian(add_parameter(&writes, 6, 2), 2, 3);
	start_page(&reads, 0x03);
	add_parameter(&reads, 5, 8); /* SSDs may answer with zeros: not kept */
	memset(add_parameter(&reads, 6, 4), 0xff, 4);
	start_page(&temperature, 0x0d);
	add_parameter(&temperature, 0, 2)[1] = 36;
	add_parameter(&temperature, 1, 2)[1] = 0xff;
	start_page(&scan, 0x15);
	p = add_parameter(&scan, 0, 12);
	big_endian(p, 4, 24755 * 60 + 57);
	start_page(&statistics, 0x19);
	p = add_parameter(&statistics, 1, 64);
	big_endian(p + 8, 8, 5000);
	big_endian(p + 16, 8, 1000000);
	big_endian(p + 24, 8, 2000000);
	start_page(&exceptions, 0x2f);
	p = add_parameter(&exceptions, 0, 4);
	p[2] = 37;
	big_endian(capacity, 8, 1000);
	big_endian(capacity + 8, 4, 4096);
	snapshot_init(&s);
	add(&s, SPACE_SCSI_CAPACITY, 0, capacity, sizeof(capacity));
	add(&s, SPACE_SCSI_LOG, 0x11, ssd.bytes, ssd.len);
	add(&s, SPACE_SCSI_LOG, 0x02, writes.bytes, writes.len);
	add(&s, SPACE_SCSI_LOG, 0x03, reads.bytes, reads.len);
	add(&s, SPACE_SCSI_LOG, 0x0d, temperature.bytes, temperature.len);
	add(&s, SPACE_SCSI_LOG, 0x15, scan.bytes, scan.len);
	add(&s, SPACE_SCSI_LOG, 0x19, statistics.bytes, statistics.len);
	add(&s, SPACE_SCSI_LOG, 0x2f, exceptions.bytes, exceptions.len);
	decode(&s, &r);
	assert_true(field_number(&r, "scsi.ssd", "percentage_used") == 103000);
	assert_true(field_number(&r, "scsi.write_errors", "corrected_fast") == 17);
	assert_true(field_number(&r, "scsi.write_errors", "bytes_processed") == 23456789012345);
	assert_true(field_number(&r, "scsi.write_errors", "uncorrected") == 3);
	assert_true(field_is_absent(&r, "scsi.read_errors", "bytes_processed"));
	assert_true(field_is_absent(&r, "scsi.read_errors", "uncorrected"));
	assert_true(field_number(&r, "scsi.temperature", "temperature") == 36000);
	assert_true(field_is_absent(&r, "scsi.temperature", "reference"));
	assert_true(field_number(&r, "scsi.background_scan", "power_on_time") == 24755);
	assert_true(field_number(&r, "scsi.statistics", "write_commands") == 5000);
	assert_true(field_number(&r, "scsi.statistics", "blocks_received") == 4096000000);
	assert_true(field_number(&r, "scsi.statistics", "blocks_transmitted") == 8192000000);
	assert_true(field_number(&r, "scsi.exceptions", "exceptions_temperature") == 37000);
	assert_int_equal(r.smart_status, SMART_STATUS_PASSED);
	assert_int_equal(r.nproblems, 0);
	reading_release(&r);
}

static void a_predicted_failure(void **state)
{
	static const struct {
		uint8_t asc;
		enum smart_status status;
	} cases[] = { { 0x5d, SMART_STATUS_FAILED },
		      { 0x0b, SMART_STATUS_PASSED },
		      { 0x00, SMART_STATUS_PASSED } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct page page;
		struct snapshot s;
		struct reading r;

		start_page(&page, 0x2f);
		add_parameter(&page, 0, 4)[0] = cases[i].asc;
		snapshot_init(&s);
		add(&s, SPACE_SCSI_LOG, 0x2f, page.bytes, page.len);
		decode(&s, &r);
		assert_int_equal(r.smart_status, cases[i].status);
		reading_release(&r);
	}
}

static void a_failure_predicted_as_sense_data(void **state)
{
	uint8_t fixed[18] = { 0x70, 0, 1, [7] = 10, [12] = 0x5d, [13] = 0x10 };
	uint8_t descriptors[8] = { 0x72, 1, 0x5d, 0x10 };
	uint8_t standby[18] = { 0x70, 0, 0, [7] = 10, [12] = 0x5e, [13] = 0x02 };
	static const enum smart_status want[] = { SMART_STATUS_FAILED, SMART_STATUS_FAILED,
						  SMART_STATUS_UNKNOWN };

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct snapshot s;
		struct reading r;

		snapshot_init(&s);
		if (i == 1)
			add(&s, SPACE_SCSI_SENSE, 0, descriptors, sizeof(descriptors));
		else
			add(&s, SPACE_SCSI_SENSE, 0, i ? standby : fixed, sizeof(fixed));
		decode(&s, &r);
		assert_int_equal(r.smart_status, want[i]);
		reading_release(&r);
	}
}

static void selftests(void **state)
{
	struct page page;
	struct snapshot s;
	struct reading r;
	uint8_t *p;

	(void)state;
	start_page(&page, 0x10);
	p = add_parameter(&page, 1, 16);
	p[0] = 2 << 5 | 7;
	p[1] = 3;
	big_endian(p + 2, 2, 12345);
	big_endian(p + 4, 8, 9988776);
	p = add_parameter(&page, 2, 16);
	p[0] = 1 << 5;
	big_endian(p + 2, 2, 12000);
	big_endian(p + 4, 8, UINT64_MAX);
	add_parameter(&page, 3, 16);
	snapshot_init(&s);
	add(&s, SPACE_SCSI_LOG, 0x10, page.bytes, page.len);
	decode(&s, &r);
	assert_true(r.selftest_log_read);
	assert_int_equal(r.nselftests, 2);
	assert_int_equal(r.selftests[0].result, SELFTEST_FAILED);
	assert_string_equal(r.selftests[0].kind, "extended");
	assert_true(r.selftests[0].hours == 12345 && r.selftests[0].segment == 3);
	assert_true(r.selftests[0].has_lba && r.selftests[0].lba == 9988776);
	assert_int_equal(r.selftests[1].result, SELFTEST_PASSED);
	assert_false(r.selftests[1].has_lba || r.selftests[1].has_segment);
	reading_release(&r);
}

static void a_sata_drive_behind_a_translator(void **state)
{
	uint8_t inquiry[36] = { 0 }, information[60 + 512] = { 0, 0x89, 2, 0x38 };
	struct sector identify;
	struct snapshot s;
	struct reading r;

	(void)state;
	memcpy(inquiry + 8, "ATA     EXAMPLE SSD 480 EX10", 28);
	build_identify(&identify, "EXAMPLE SSD 480GB M.2", "EX0001", "EX10", 937703088);
	information[56] = 0xec;
	memcpy(information + 60, identify.bytes, 512);
	for (int with = 0; with < 2; with++) {
		snapshot_init(&s);
		add(&s, SPACE_SCSI_INQUIRY, 0, inquiry, sizeof(inquiry));
		if (with)
			add(&s, SPACE_SCSI_VPD, 0x89, information, sizeof(information));
		decode(&s, &r);
		assert_int_equal(r.identity.protocol, with ? PROTOCOL_ATA : PROTOCOL_SCSI);
		assert_string_equal(r.identity.model,
				    with ? "EXAMPLE SSD 480GB M.2" : "EXAMPLE SSD 480");
		assert_int_equal(r.identity.incomplete, !with);
		reading_release(&r);
	}
}

/* The serial number stands in the page of the translator only; its checksum is made right. */
static void the_identity_behind_a_translator_is_redacted(void **state)
{
	uint8_t information[60 + 512] = { 0, 0x89, 2, 0x38 };
	struct diag d = { 0 };
	struct sector identify;
	struct snapshot s;
	struct reading r;

	(void)state;
	build_identify(&identify, "EXAMPLE SSD 480", "S3CR3TSER1AL", "EX10", 937703088);
	information[56] = 0xec;
	memcpy(information + 60, identify.bytes, 512);
	for (int copy = 0; copy < 2; copy++) {
		snapshot_init(&s);
		if (copy)
			assert_int_equal(snapshot_add(&s, SPACE_ATA_LOG, 0x30, 1,
						      bytes_of(identify.bytes, 512)),
					 0);
		else
			add(&s, SPACE_SCSI_VPD, 0x89, information, sizeof(information));
		assert_int_equal(snapshot_redact(&s, 1, &d), 0);
		decode(&s, &r);
		assert_string_equal(r.identity.model, "EXAMPLE SSD 480");
		assert_int_equal(strlen(r.identity.serial), strlen("S3CR3TSER1AL"));
		assert_string_not_equal(r.identity.serial, "S3CR3TSER1AL");
		assert_string_not_equal(r.identity.wwn, "0x5002538e40a22954");
		assert_int_equal(r.nproblems, 0);
		reading_release(&r);
	}
}

static void spoiled_pages(void **state)
{
	struct page page;
	struct snapshot s;
	struct reading r;

	(void)state;
	/* another page than the one asked for */
	start_page(&page, 0x0d);
	add_parameter(&page, 1, 4)[3] = 50;
	snapshot_init(&s);
	add(&s, SPACE_SCSI_LOG, 0x11, page.bytes, page.len);
	decode(&s, &r);
	assert_true(field_is_absent(&r, "scsi.ssd", "percentage_used"));
	assert_int_equal(r.nproblems, 1);
	reading_release(&r);
	/* cut inside the parameter, and a length that reaches farther than the bytes */
	start_page(&page, 0x11);
	add_parameter(&page, 1, 4)[3] = 50;
	for (size_t len = 0; len <= page.len; len++) {
		snapshot_init(&s);
		add(&s, SPACE_SCSI_LOG, 0x11, page.bytes, len);
		decode(&s, &r);
		assert_int_equal(field_is_absent(&r, "scsi.ssd", "percentage_used"),
				 len < page.len);
		reading_release(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identity_of_a_sas_drive),
		cmocka_unit_test(wear_and_counters),
		cmocka_unit_test(a_predicted_failure),
		cmocka_unit_test(a_failure_predicted_as_sense_data),
		cmocka_unit_test(selftests),
		cmocka_unit_test(a_sata_drive_behind_a_translator),
		cmocka_unit_test(the_identity_behind_a_translator_is_redacted),
		cmocka_unit_test(spoiled_pages),
	};

	return cmocka_run_group_tests_name("SCSI", tests, NULL, NULL);
}
