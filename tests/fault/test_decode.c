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

#include "base/json.h"
#include "base/str.h"
#include "decode/layout_nvme.h"
#include "lib/failing_memory.h"
#include "lib/nvme_logs.h"
#include "lib/nvme_reading.h"

/*
 * Memory runs out at allocation 1, 2, 3 ... of decoding, redacting, writing and reading a capture,
 * once and for good, until a run passes. Each failure is told as -ENOMEM and leaks nothing.
 */

#ifdef MEMORY_CANNOT_FAIL

int main(void)
{
	puts("1..0 # SKIP the sanitizer has an allocator of its own");
	return 0;
}

#else

/* One job on fresh inputs; releases all that it makes. Inputs are built before the faults begin. */
struct job {
	struct snapshot s;
	cJSON *json;
};

static int do_decode(struct job *j)
{
	struct diag d = { 0 };
	struct reading r;
	int err = reading_decode(&j->s, nvme_vendor_layouts, &d, &r);

	if (!err)
		reading_release(&r);
	return err;
}

static int do_redact(struct job *j)
{
	struct diag d = { 0 };

	return snapshot_redact(&j->s, 1, &d);
}

static int do_write(struct job *j)
{
	struct str out = { 0 };
	int err = snapshot_write_json(&j->s, &out);

	str_release(&out);
	return err;
}

static int do_read(struct job *j)
{
	struct diag d = { 0 };
	struct snapshot back;
	int err = snapshot_read_json(j->json, &d, &back);

	if (!err)
		snapshot_release(&back);
	return err;
}

static void build(struct job *j)
{
	static const char dump[] = "{\"serial_number\": \"S64GNE0R512345\"}";
	static struct log_page p;
	struct str text = { 0 };
	struct diag d = { 0 };

	build_drive(&j->s);
	build_ocp(&p, 4);
	add_page(&j->s, SPACE_NVME_LOG, 0xc0, 0, &p);
	memset(&p, 0, sizeof(p));
	put_record(&p, 0, 0x33, 7);
	put_record(&p, 1, 0xf4, 3000);
	p.len = 512;
	add_page(&j->s, SPACE_NVME_LOG, 0xca, 0, &p);
	memset(&p, 0, sizeof(p));
	put(&p, 0, 2, 0x0801);
	put(&p, 4, 8, 0x1234567890);
	p.len = 64;
	add_page(&j->s, SPACE_NVME_IDENTIFY, 3, 1, &p);
	assert_int_equal(snapshot_add(&j->s, SPACE_SCSI_VPD, 0, 0, bytes_of(dump, 34)), 0);
	assert_int_equal(snapshot_add_error(&j->s, SPACE_NVME_LOG, 6, 0, -EIO, "no answer"), 0);
	assert_int_equal(snapshot_write_json(&j->s, &text), 0);
	assert_int_equal(json_parse(bytes_of(text.s, text.len), JSON_STRICT, &d, &j->json, NULL),
			 0);
	str_release(&text);
}

static bool run(int (*work)(struct job *j), unsigned long fail_at, bool for_good)
{
	struct job j = { 0 };
	bool reached;
	long leaked;
	int err;

	build(&j);
	memset(&memory, 0, sizeof(memory));
	memory.for_good = for_good;
	memory.fail_at = fail_at;
	memory.armed = true;
	err = work(&j);
	memory.armed = false;
	reached = memory.calls >= fail_at;
	leaked = memory.live;
	snapshot_release(&j.s);
	json_release(&j.json);
	assert_int_equal(err, reached ? -ENOMEM : 0);
	assert_int_equal(leaked, 0);
	return reached;
}

static void every_allocation_may_fail(int (*work)(struct job *j))
{
	unsigned long n = 1;

	while (run(work, n, false))
		n++;
	assert_true(n > 3);
	for (n = 1; run(work, n, true);)
		n++;
}

static void decoding(void **state)
{
	(void)state;
	every_allocation_may_fail(do_decode);
}

static void redacting(void **state)
{
	(void)state;
	every_allocation_may_fail(do_redact);
}

static void writing(void **state)
{
	(void)state;
	every_allocation_may_fail(do_write);
}

static void reading(void **state)
{
	(void)state;
	every_allocation_may_fail(do_read);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decoding),
		cmocka_unit_test(redacting),
		cmocka_unit_test(writing),
		cmocka_unit_test(reading),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
