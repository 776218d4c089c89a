/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "lib/fake_drive.h"
#include "lib/tree.h"
#include "transport/decorators.h"
#include "transport/nvme.h"
#include "transport/scsi.h"

static void registers_come_in_a_descriptor(void **state)
{
	/* 48-bit: every upper half is used */
	const uint8_t b[22] = { 0x72, 0x01, 0x00, 0x1d, 0,    0,    0,	  14,	0x09, 12,   1,
				0x04, 0x12, 0x34, 0xaa, 0x11, 0xbb, 0x22, 0xcc, 0x33, 0x40, 0x51 };
	struct sense s = sense_decode(bytes_of(b, sizeof(b)));

	(void)state;
	assert_true(s.valid && s.has_registers && !s.deferred);
	assert_int_equal(s.key, SENSE_RECOVERED);
	assert_int_equal(s.ata.error, 0x04);
	assert_int_equal(s.ata.status, 0x51);
	assert_int_equal(s.ata.device, 0x40);
	assert_int_equal(s.ata.count, 0x1234);
	assert_true(s.ata.lba == 0xccbbaa332211);
}

static void registers_come_in_fixed_format(void **state)
{
	const uint8_t b[18] = { 0x70, 0,    0x01, 0x00, 0x50, 0x40, 0xff, 10, 0,
				0x00, 0x4f, 0xc2, 0x00, 0x1d, 0,    0,	  0,  0 };
	struct sense s = sense_decode(bytes_of(b, sizeof(b)));

	(void)state;
	assert_true(s.has_registers);
	assert_int_equal(s.ata.status, 0x50);
	assert_int_equal(s.ata.count, 0xff);
	assert_true(s.ata.lba == 0xc24f00);
}

static void registers_come_as_linux_6_1_puts_them_after_an_error(void **state)
{
	const uint8_t b[20] = { 0x70, 0,    0x0b, 0,	0,    0, 0, 10, 0x04, 0x51,
				0x40, 0x01, 0x00, 0x00, 0x00, 0, 0, 1,	0x4f, 0xc2 };
	struct sense s = sense_decode(bytes_of(b, sizeof(b)));

	(void)state;
	assert_int_equal(s.key, SENSE_ABORTED);
	assert_true(s.has_registers);
	assert_int_equal(s.ata.error, 0x04);
	assert_int_equal(s.ata.status, 0x51);
	assert_int_equal(s.ata.device, 0x40);
	assert_int_equal(s.ata.count, 0x01);
	assert_true(s.ata.lba == 0xc24f01);
}

static void plain_sense_has_no_registers(void **state)
{
	const uint8_t b[18] = { 0x70, 0, 0x02, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x04, 0x01, 0, 0, 0, 0 };
	const uint8_t deferred[18] = { 0x71, 0, 0x03 };
	struct sense s = sense_decode(bytes_of(b, sizeof(b)));

	(void)state;
	assert_true(s.valid && !s.has_registers);
	assert_int_equal(s.key, SENSE_NOT_READY);
	assert_int_equal(s.asc, 0x04);
	assert_int_equal(s.ascq, 0x01);
	assert_true(sense_decode(bytes_of(deferred, sizeof(deferred))).deferred);
	assert_false(sense_decode(bytes_of("", 0)).valid);
	assert_false(sense_decode(bytes_of("\0\0\0\0\0\0\0\0", 8)).valid);
}

static void sense_of_any_length_is_read(void **state)
{
	uint8_t b[SENSE_MAX];
	uint32_t seed = 12345;

	(void)state;
	for (unsigned round = 0; round < 20000; round++) {
		for (size_t i = 0; i < sizeof(b); i++) {
			seed = seed * 1664525 + 1013904223;
			b[i] = (uint8_t)(seed >> 24);
		}
		b[0] = (uint8_t)(0x70 + round % 4);
		(void)sense_decode(bytes_of(b, round % sizeof(b)));
	}
}

/* A transport that answers from a list of errors and counts. */
struct scripted {
	struct transport base;
	const int *errors;
	unsigned calls, closed;
};

static int scripted_exec(struct transport *t, const struct request *req, struct reply *ret,
			 struct diag *d)
{
	struct scripted *s = (struct scripted *)t;
	int err = s->errors[s->calls++];

	(void)ret;
	return err < 0 ? diag_fail(d, err, "%s failed", req->what) : 0;
}

static void scripted_close(struct transport *t)
{
	((struct scripted *)t)->closed++;
}

static const struct transport_ops scripted_ops = { scripted_exec, scripted_close };

static void the_guard_refuses_what_is_no_read(void **state)
{
	static const int fine[32] = { 0 };
	struct scripted inner = { .base.ops = &scripted_ops, .errors = fine };
	struct transport *guard;
	struct reply reply;
	struct diag d = { 0 };
	uint8_t data[512];
	struct request reads[] = {
		request_nvme_identify(1, 0, data),
		request_nvme_log(2, 0, 0, 0, data, 512),
		request_ata_identify(data),
		request_ata_power_mode(),
		request_ata_smart_data(data),
		request_ata_smart_thresholds(data),
		request_ata_smart_status(),
		request_ata_log_ext(4, 1, data, 512),
		request_ata_smart_log(6, data, 512),
		request_scsi_test_unit_ready(),
		request_scsi_request_sense(data, 252),
		request_scsi_inquiry(data, 96),
		request_scsi_vpd(0x80, data, 255),
		request_scsi_capacity(data),
		request_scsi_log_sense(0x11, 0, data, 512),
	};
	struct request lies[] = {
		{ .set = REQUEST_NVME, .nvme.opcode = 0x80 }, /* Format NVM */
		{ .set = REQUEST_NVME, .nvme.opcode = 0x84 }, /* Sanitize */
		{ .set = REQUEST_NVME, .nvme.opcode = 0x09 }, /* Set Features */
		{ .set = REQUEST_NVME, .nvme.opcode = 0xc1 }, /* a vendor's */
		{ .set = REQUEST_NVME, .nvme = { .opcode = 2, .clears_events = true } },
		{ .set = REQUEST_ATA, .ata = { .command = 0xb0, .features = 0xd8 } }, /* enable */
		{ .set = REQUEST_ATA, .ata = { .command = 0xb0, .features = 0xd4 } }, /* test */
		{ .set = REQUEST_ATA, .ata.command = 0xf4 },	      /* SECURITY ERASE UNIT */
		{ .set = REQUEST_ATA, .ata.command = 0x3f },	      /* WRITE LOG EXT */
		{ .set = REQUEST_SCSI, .scsi = { { 0x2a }, 10 } },    /* WRITE (10) */
		{ .set = REQUEST_SCSI, .scsi = { { 0x4d, 1 }, 10 } }, /* LOG SENSE, saving */
		{ .set = REQUEST_SCSI, .scsi = { { 0x85 }, 16 } },    /* ATA in disguise */
	};

	(void)state;
	assert_int_equal(guard_transport(&inner.base, EFFECT_READ, &guard), 0);
	for (size_t i = 0; i < ARRAY_SIZE(reads); i++)
		assert_int_equal(transport_exec(guard, &reads[i], &reply, &d), 0);
	assert_int_equal(inner.calls, ARRAY_SIZE(reads));
	for (size_t i = 0; i < ARRAY_SIZE(lies); i++)
		assert_int_equal(transport_exec(guard, &lies[i], &reply, &d), -EPERM);
	assert_int_equal(inner.calls, ARRAY_SIZE(reads));
	reads[0].effect = EFFECT_DESTROY; /* the request's own word counts too */
	assert_int_equal(transport_exec(guard, &reads[0], &reply, &d), -EPERM);
	transport_close(&guard);
	assert_int_equal(inner.closed, 1);
	assert_null(guard);
}

static unsigned slept_ms;

static void count_sleep(struct sys *s, unsigned ms)
{
	(void)s;
	slept_ms += ms;
}

static void not_ready_is_tried_three_times_in_all(void **state)
{
	static const int errors[] = { -EAGAIN, -EAGAIN, -EAGAIN, 0, -EAGAIN, -EIO };
	struct scripted inner = { .base.ops = &scripted_ops, .errors = errors };
	const struct sys_ops ops = { .sleep = count_sleep };
	struct sys sys = { .ops = &ops };
	struct request req = request_scsi_test_unit_ready();
	struct transport *retry;
	struct reply reply;
	struct diag d = { 0 };

	(void)state;
	slept_ms = 0;
	assert_int_equal(retry_transport(&inner.base, &sys, &retry), 0);
	assert_int_equal(transport_exec(retry, &req, &reply, &d), -EAGAIN);
	assert_int_equal(inner.calls, 3);
	assert_int_equal(slept_ms, 4000);
	assert_string_equal(d.text, "TEST UNIT READY failed");
	/* the patience with this drive is used up */
	assert_int_equal(transport_exec(retry, &req, &reply, &d), 0);
	assert_int_equal(transport_exec(retry, &req, &reply, &d), -EAGAIN);
	assert_int_equal(inner.calls, 5);
	assert_int_equal(slept_ms, 4000);
	transport_close(&retry);
}

static void a_drive_that_gets_ready_is_read(void **state)
{
	static const int errors[] = { -EAGAIN, 0 };
	struct scripted inner = { .base.ops = &scripted_ops, .errors = errors };
	const struct sys_ops ops = { .sleep = count_sleep };
	struct sys sys = { .ops = &ops };
	struct request req = request_scsi_test_unit_ready();
	struct transport *retry;
	struct reply reply;
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(retry_transport(&inner.base, &sys, &retry), 0);
	assert_int_equal(transport_exec(retry, &req, &reply, &d), 0);
	assert_int_equal(d.err, 0);
	transport_close(&retry);
}

/* --- the real libraries, against fake drives --- */

static struct tree tree;

static int set_up(void **state)
{
	(void)state;
	fake_reset();
	tree_init(&tree);
	tree_text(&tree, "", "/dev/nvme0");
	tree_text(&tree, "", "/dev/sda");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	tree_remove(&tree);
	return 0;
}

static void nvme_logs_keep_events(void **state)
{
	struct fake_drive *drive = fake_nvme("/dev/nvme0", 0x010400);
	CLEANUP(transport_close) struct transport *t = NULL;
	CLEANUP(cleanup_free) uint8_t *data = transport_buffer(512);
	struct diag d = { 0 };
	struct reply reply;

	(void)state;
	assert_int_equal(nvme_transport(&tree.sys, "/dev/nvme0", &d, &t), 0);
	struct request req = request_nvme_log(2, 0, 0, 0, data, 512);
	assert_int_equal(transport_exec(t, &req, &reply, &d), 0);
	assert_int_equal(reply.len, 512);
	assert_int_equal(data[5], 7);
	/* number of double words less one, RAE, log; for all namespaces */
	assert_int_equal(drive->trace[0].cdw10, 0x007f8002);
	assert_int_equal(drive->trace[0].nsid, 0xffffffff);
	/* the data of a transfer begin at a page */
	assert_int_equal((uintptr_t)data % 4096, 0);
}

static void nvme_statuses_become_errors(void **state)
{
	struct fake_drive *drive = fake_nvme("/dev/nvme0", 0x010400);
	CLEANUP(transport_close) struct transport *t = NULL;
	CLEANUP(cleanup_free) uint8_t *data = transport_buffer(512);
	struct diag d = { 0 };
	struct reply reply;

	(void)state;
	assert_int_equal(nvme_transport(&tree.sys, "/dev/nvme0", &d, &t), 0);
	struct request req = request_nvme_log(0xc0, 0, 0, 0, data, 512);
	assert_int_equal(transport_exec(t, &req, &reply, &d), -EOPNOTSUPP);
	assert_int_equal(reply.nvme_status, 0x109); /* "do not retry" is not part of it */
	assert_string_equal(d.text, "/dev/nvme0: log C0h: invalid log page (status 109h)");
	drive->busy_commands = 1;
	assert_int_equal(transport_exec(t, &req, &reply, NULL), -EAGAIN);
	drive->errno_of_all = EACCES;
	diag_clear(&d);
	assert_int_equal(transport_exec(t, &req, &reply, &d), -EACCES);
	assert_non_null(strstr(d.text, "CAP_SYS_ADMIN"));
	drive->errno_of_all = EINTR;
	assert_int_equal(transport_exec(t, &req, &reply, NULL), -EAGAIN);
	drive->errno_of_all = ENODEV;
	assert_int_equal(transport_exec(t, &req, &reply, NULL), -ENODEV);
}

static int ata_exec(struct request req, struct reply *reply, struct diag *d)
{
	CLEANUP(transport_close) struct transport *t = NULL;

	assert_int_equal(scsi_transport(&tree.sys, "/dev/sda", d, &t), 0);
	assert_int_equal(sat_transport(t, &t), 0);
	return transport_exec(t, &req, reply, d);
}

static void ata_commands_become_pass_through(void **state)
{
	struct fake_drive *drive = fake_ata("/dev/sda");
	static const uint8_t want[16] = { 0x85, 0x09, 0x0e, 0, 0, 0, 1,	  0,
					  0x04, 0x01, 7,    0, 0, 0, 0x2f };
	static const uint8_t want_12[12] = { 0xa1, 0x08, 0x0e, 0xd5, 1, 6, 0x4f, 0xc2, 0, 0xb0 };
	CLEANUP(cleanup_free) uint8_t *data = transport_buffer(512);
	struct diag d = { 0 };
	struct reply reply;

	(void)state;
	(void)ata_exec(request_ata_log_ext(4, 0x107, data, 512), &reply, &d);
	assert_memory_equal(drive->trace[0].cdb, want, 16);
	struct request brief = request_ata_smart_log(6, data, 512);
	brief.ata.short_form = true;
	(void)ata_exec(brief, &reply, &d);
	assert_memory_equal(drive->trace[1].cdb, want_12, 12);
	/* 48-bit commands do not fit 12 bytes, and are not sent in them */
	struct request ext = request_ata_log_ext(4, 0, data, 512);
	ext.ata.short_form = true;
	assert_int_equal(ata_exec(ext, &reply, &d), -EOPNOTSUPP);
	assert_int_equal(drive->ncommands, 2);
}

static void registers_are_asked_for_and_read(void **state)
{
	struct fake_drive *drive = fake_ata("/dev/sda");
	struct diag d = { 0 };
	struct reply reply;

	(void)state;
	for (int layout = FAKE_SENSE_DESCRIPTOR; layout <= FAKE_SENSE_FIXED; layout++) {
		drive->sense = (enum fake_sense)layout;
		assert_int_equal(ata_exec(request_ata_smart_status(), &reply, &d), 0);
		assert_int_equal(reply.sense.ata.lba >> 8, 0xc24f);
		assert_int_equal(ata_exec(request_ata_power_mode(), &reply, &d), 0);
		assert_int_equal(reply.sense.ata.count, 0xff);
	}
	drive->sense = FAKE_SENSE_NONE;
	assert_int_equal(ata_exec(request_ata_smart_status(), &reply, &d), -ENODATA);
	assert_non_null(strstr(d.text, "did not come back"));
}

static void truncated_data_are_an_error(void **state)
{
	struct fake_drive *drive = fake_ata("/dev/sda");
	CLEANUP(cleanup_free) uint8_t *data = transport_buffer(512);
	struct diag d = { 0 };
	struct reply reply;

	(void)state;
	drive->truncate = 36;
	assert_int_equal(ata_exec(request_ata_identify(data), &reply, &d), -EIO);
	assert_string_equal(d.text, "IDENTIFY DEVICE: truncated: 36 of 512 bytes came");
}

static void scsi_errors_are_named(void **state)
{
	struct fake_drive *drive = fake_sas("/dev/sda");
	CLEANUP(cleanup_free) uint8_t *data = transport_buffer(512);
	struct diag d = { 0 };
	struct reply reply;

	(void)state;
	assert_int_equal(ata_exec(request_scsi_log_sense(0x3e, 0, data, 512), &reply, &d),
			 -EOPNOTSUPP);
	assert_string_equal(d.text, "/dev/sda: log page 3Eh: not supported (sense 5/24/00)");
	drive->busy_commands = 1;
	diag_clear(&d);
	assert_int_equal(ata_exec(request_scsi_test_unit_ready(), &reply, &d), -EAGAIN);
	assert_non_null(strstr(d.text, "becoming ready"));
	drive->errno_of_all = EPERM;
	diag_clear(&d);
	assert_int_equal(ata_exec(request_scsi_test_unit_ready(), &reply, &d), -EACCES);
	assert_non_null(strstr(d.text, "CAP_SYS_RAWIO"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_come_in_a_descriptor),
		cmocka_unit_test(registers_come_in_fixed_format),
		cmocka_unit_test(registers_come_as_linux_6_1_puts_them_after_an_error),
		cmocka_unit_test(plain_sense_has_no_registers),
		cmocka_unit_test(sense_of_any_length_is_read),
		cmocka_unit_test(the_guard_refuses_what_is_no_read),
		cmocka_unit_test(not_ready_is_tried_three_times_in_all),
		cmocka_unit_test(a_drive_that_gets_ready_is_read),
		cmocka_unit_test_setup_teardown(nvme_logs_keep_events, set_up, tear_down),
		cmocka_unit_test_setup_teardown(nvme_statuses_become_errors, set_up, tear_down),
		cmocka_unit_test_setup_teardown(ata_commands_become_pass_through, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(registers_are_asked_for_and_read, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(truncated_data_are_an_error, set_up, tear_down),
		cmocka_unit_test_setup_teardown(scsi_errors_are_named, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("transport", tests, NULL, NULL);
}
