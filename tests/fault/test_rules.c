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

/*
 * Memory runs out at allocation 1, 2, 3 ... of loading rule files, once and for good, until a load
 * passes. Each failure is told with a reason and leaks nothing; a retry works.
 */

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifdef SANITIZED

int main(void)
{
	puts("1..0 # SKIP the sanitizer has an allocator of its own");
	return 0;
}

#else

/* This program's allocator stands before the C library's, also for cJSON and regcomp. */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void __libc_free(void *p);

static struct {
	bool armed, for_good;
	unsigned long calls, fail_at;
	long live;
} memory;

static bool fails(void)
{
	if (!memory.armed)
		return false;
	memory.calls++;
	return memory.for_good ? memory.calls >= memory.fail_at : memory.calls == memory.fail_at;
}

static void *counted(void *p)
{
	memory.live += memory.armed && p;
	return p;
}

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
void *malloc(size_t n)
{
	return fails() ? NULL : counted(__libc_malloc(n));
}

void *calloc(size_t n, size_t size)
{
	return fails() ? NULL : counted(__libc_calloc(n, size));
}

void *realloc(void *p, size_t n)
{
	if (!p)
		return malloc(n);
	return fails() ? NULL : __libc_realloc(p, n);
}

void free(void *p)
{
	memory.live -= memory.armed && p;
	__libc_free(p);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

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
