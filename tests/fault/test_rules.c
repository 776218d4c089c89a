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

#include "db/rules.h"
#include "lib/failing_memory.h"

/*
 * Memory runs out at allocation 1, 2, 3 ... of loading rule files, once and for good, until a load
 * passes. Each failure is told with a reason and leaks nothing; a retry works.
 */

#ifdef MEMORY_CANNOT_FAIL

int main(void)
{
	puts("1..0 # SKIP the sanitizer has an allocator of its own");
	return 0;
}

#else

static const char text[] =
	"{\"vendor\":\"Acme\",\"families\":["
	"{\"family\":\"base\",\"abstract\":true,\"attributes\":["
	"{\"id\":241,\"fact\":\"host_bytes_written\",\"unit\":\"512 B\",\"confidence\":\"high\","
	"\"evidence\":\"e\"}]},"
	"{\"family\":\"one\",\"extends\":\"base\",\"match\":{\"model\":\"^ACME (1|2)[0-9]{2}\"},"
	"\"examples\":[{\"model\":\"ACME 100\"}],"
	"\"ratings\":[{\"tbw_tb\":1,\"confidence\":\"high\",\"source\":\"s\"}],"
	"\"hazards\":[{\"id\":\"h\",\"text\":\"t\",\"advice\":\"a\",\"source\":\"s\"}],"
	"\"claims\":[{\"text\":\"t\",\"source\":\"s\"}]}]}";

/* True when the load passed. */
static bool load_with_fault(unsigned long at, bool for_good)
{
	const struct rules_file files[] = {
		{ .name = "a.json", .text = bytes_of(text, strlen(text)) },
		{ .name = "b.json", .text = bytes_of(text, strlen(text)), .override = true },
	};
	struct rules *rules = NULL;
	struct diag d = { .err = 0 };
	int err;

	memory.calls = 0;
	memory.live = 0;
	memory.fail_at = at;
	memory.for_good = for_good;
	memory.armed = true;
	err = rules_parse(files, ARRAY_SIZE(files), &d, &rules);
	rules_free(rules);
	memory.armed = false;
	/* glibc 2.36 keeps a block where regcomp itself runs out of memory */
	if (memory.live != 0 && !strstr(d.text, "regular expression"))
		fail_msg("fault %lu%s: %ld blocks leak (%s)", at, for_good ? " for good" : "",
			 memory.live, d.text);
	if (err) {
		/* cJSON does not tell lack of memory from text that is no JSON */
		if (err != -ENOMEM && !strstr(d.text, "not valid JSON"))
			fail_msg("fault %lu: %s", at, d.text);
		assert_int_equal(d.err, err);
		assert_true(*d.text != '\0');
	}
	return err == 0;
}

static void loading_rules_survives_every_fault(void **state)
{
	unsigned long at = 1;

	(void)state;
	/* once for all that the libraries allocate a first time and keep */
	assert_true(load_with_fault(0, false));
	while (!load_with_fault(at, true) && at < 10000)
		at++;
	assert_in_range(at, 50, 9999);
	for (unsigned long i = 1; i < at; i++)
		load_with_fault(i, false);
	assert_true(load_with_fault(0, false));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loading_rules_survives_every_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
