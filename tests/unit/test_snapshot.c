/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "base/text.h"
#include "decode/snapshot.h"
#include "lib/nvme_logs.h"

static void write_twice(const struct snapshot *s, struct str *ret)
{
	struct str first = { 0 };
	struct snapshot back;
	struct diag d = { 0 };
	cJSON *json;

	assert_int_equal(snapshot_write_json(s, &first), 0);
	assert_int_equal(json_parse(bytes_of(first.s, first.len), JSON_STRICT, &d, &json, NULL), 0);
	if (snapshot_read_json(json, &d, &back))
		fail_msg("%s", d.text);
	assert_int_equal(snapshot_write_json(&back, ret), 0);
	assert_string_equal(str_text(&first), str_text(ret));
	json_release(&json);
	snapshot_release(&back);
	str_release(&first);
}

static void a_capture_comes_back_the_same(void **state)
{
	struct snapshot s;
	struct str text = { 0 };

	(void)state;
	build_drive(&s);
	s.time = 1777629600;
	text_copy(s.path, sizeof(s.path), "/dev/nvme0");
	text_copy(s.location, sizeof(s.location), "PCI 0000:01:00.0, slot 3");
	s.node_bytes = UINT64_MAX;
	s.node_rotational = 0;
	s.state = DRIVE_STANDBY;
	assert_int_equal(snapshot_add_error(&s, SPACE_NVME_LOG, 6, 0, -EIO, "no answer"), 0);
	assert_int_equal(snapshot_add_error(&s, SPACE_NVME_LOG, 7, UINT32_MAX, -3000, NULL), 0);
	assert_int_equal(snapshot_add(&s, SPACE_NVME_LOG, 9, 1, bytes_of(NULL, 0)), 0);
	snapshot_add_problem(&s, -EACCES, "needs %s", "CAP_SYS_ADMIN");
	snapshot_add_problem(&s, 0, "a remark");
	text_copy(s.paths[0].node, sizeof(s.paths[0].node), "/dev/nvme0n1");
	s.npaths = 1;
	write_twice(&s, &text);
	assert_non_null(strstr(str_text(&text), "\"time\": \"2026-05-01T10:00:00Z\""));
	assert_non_null(strstr(str_text(&text), "\"node_bytes_str\": \"18446744073709551615\""));
	assert_non_null(strstr(str_text(&text), "\"error\": \"EIO\""));
	assert_non_null(strstr(str_text(&text), "\"error\": \"E3000\""));
	assert_non_null(strstr(str_text(&text), "\"error\": \"EACCES\""));
	str_release(&text);
	snapshot_release(&s);
}

static void an_empty_snapshot_comes_back_the_same(void **state)
{
	struct snapshot s;
	struct str text = { 0 };

	(void)state;
	snapshot_init(&s);
	write_twice(&s, &text);
	assert_non_null(strstr(str_text(&text), "\"time\": null"));
	assert_non_null(strstr(str_text(&text), "\"node_rotational\": null"));
	str_release(&text);
	snapshot_release(&s);
}

static void strange_strings_come_back_the_same(void **state)
{
	struct snapshot s;
	struct str text = { 0 };

	(void)state;
	snapshot_init(&s);
	text_copy(s.path, sizeof(s.path), "/dev/\"x\\\n\x1b[2J\x7f\xff\xfe\xc3(");
	memset(s.by_id, 0xff, BY_ID_MAX - 1);
	text_copy(s.location, sizeof(s.location), "\xe2\x80\xae sdrawkcab");
	write_twice(&s, &text);
	str_release(&text);
	snapshot_release(&s);
}

/* Reading this text fails with this error, and says this. */
static void check_refused(const char *text, int want, const char *why)
{
	struct snapshot s;
	struct diag d = { 0 };
	cJSON *json;

	assert_int_equal(json_parse(bytes_of(text, strlen(text)), JSON_STRICT, &d, &json, NULL), 0);
	assert_int_equal(snapshot_read_json(json, &d, &s), want);
	if (!strstr(d.text, why))
		fail_msg("\"%s\" does not say \"%s\"", d.text, why);
	json_release(&json);
}

static void mistakes_are_named(void **state)
{
	char long_path[400] = "{\"state\":\"read\",\"path\":\"";

	(void)state;
	check_refused("[]", -EINVAL, "no JSON object");
	check_refused("{}", -EINVAL, "\"state\"");
	check_refused("{\"state\":\"awake\"}", -EINVAL, "names no state");
	check_refused("{\"time\":\"yesterday\",\"state\":\"read\"}", -EINVAL, "RFC 3339");
	check_refused("{\"path\":7,\"state\":\"read\"}", -EINVAL, "\"path\" is no string");
	check_refused("{\"node_bytes\":-1,\"state\":\"read\"}", -EINVAL, "\"node_bytes\"");
	check_refused("{\"state\":\"read\",\"logs\":7}", -EINVAL, "\"logs\" is no list");
	check_refused("{\"state\":\"read\",\"logs\":[7]}", -EINVAL, "element 0: no object");
	check_refused("{\"state\":\"read\",\"logs\":[{\"space\":\"x\"}]}", -EINVAL,
		      "names no kind of log");
	check_refused("{\"state\":\"read\",\"logs\":[{\"space\":\"nvme-log\",\"id\":4294967296}]}",
		      -EINVAL, "\"id\"");
	check_refused("{\"state\":\"read\",\"logs\":[{\"space\":\"nvme-log\",\"id\":2,"
		      "\"data\":\"0\"}]}",
		      -EINVAL, "odd number");
	check_refused("{\"state\":\"read\",\"logs\":[{\"space\":\"nvme-log\",\"id\":2,"
		      "\"data\":\"0x\"}]}",
		      -EINVAL, "no hexadecimal digits at 0");
	check_refused(
		"{\"state\":\"read\",\"logs\":[{\"space\":\"nvme-log\",\"error\":\"EWHAT\"}]}",
		-EINVAL, "names no error");
	check_refused("{\"state\":\"read\",\"problems\":[{\"error\":7}]}", -EINVAL,
		      "\"problems\", element 0");
	memset(long_path + strlen(long_path), 'x', 200);
	memcpy(long_path + strlen(long_path), "\"}", 3);
	check_refused(long_path, -E2BIG, "longer than 127");
}

static void limits_hold(void **state)
{
	static uint8_t large[1 << 20];
	struct snapshot s;
	size_t n = 0;

	(void)state;
	snapshot_init(&s);
	while (snapshot_add(&s, SPACE_NVME_LOG, 1, (uint32_t)n, bytes_of(large, sizeof(large))) ==
	       0)
		n++;
	assert_int_equal(n, 16);
	snapshot_release(&s);
	for (n = 0; snapshot_add(&s, SPACE_NVME_LOG, 1, (uint32_t)n, bytes_of(large, 1)) == 0;)
		n++;
	assert_int_equal(n, SNAPSHOT_LOGS_MAX);
	for (n = 0; n < SNAPSHOT_PROBLEMS_MAX + 5; n++)
		snapshot_add_problem(&s, -EIO, "problem %zu", n);
	assert_int_equal(s.nproblems, SNAPSHOT_PROBLEMS_MAX);
	assert_string_equal(s.problems[0].text, "problem 0");
	assert_int_equal(snapshot_find(&s, SPACE_NVME_LOG, 1, 3).len, 1);
	assert_null(snapshot_find(&s, SPACE_NVME_LOG, 2, 3).data);
	snapshot_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_capture_comes_back_the_same),
		cmocka_unit_test(an_empty_snapshot_comes_back_the_same),
		cmocka_unit_test(strange_strings_come_back_the_same),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(limits_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
