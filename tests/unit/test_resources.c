/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <string.h>

#include "lib/tree.h"
#include "sys/resources.h"

static void memory_is_zeroed_and_can_be_written(void **state)
{
	static const size_t sizes[] = {
		0, 1, 4096, ((size_t)2 << 20) - 1, (size_t)2 << 20, (size_t)5 << 20
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		uint8_t *memory = resources_get(NULL, sizes[i]);

		assert_non_null(memory);
		for (size_t k = 0; k < sizes[i]; k++)
			assert_int_equal(memory[k], 0);
		memset(memory, 0xa5, sizes[i]);
		resources_put(NULL, memory, sizes[i]);
	}
	assert_null(resources_get(NULL, SIZE_MAX / 2));
}

static void available_memory_is_what_the_kernel_says_or_unknown(void **state)
{
	struct tree tree;

	(void)state;
	tree_init(&tree);
	assert_int_equal(resources_available(&tree.sys), 0);
	tree_text(&tree, "MemTotal:       24689264 kB", "/proc/meminfo");
	assert_int_equal(resources_available(&tree.sys), 0);
	tree_text(&tree, "MemTotal:       24689264 kB\nMemAvailable:   many kB", "/proc/meminfo");
	assert_int_equal(resources_available(&tree.sys), 0);
	tree_text(&tree, "MemTotal:       24689264 kB\nMemAvailable:   23456789 kB",
		  "/proc/meminfo");
	assert_int_equal(resources_available(&tree.sys), UINT64_C(23456789) * 1024);
	tree_remove(&tree);
}

static void cpu_time_rises(void **state)
{
	double before = resources_cpu_seconds();
	volatile unsigned work = 0;

	(void)state;
	while (work < 20000000)
		work++;
	assert_true(resources_cpu_seconds() > before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_zeroed_and_can_be_written),
		cmocka_unit_test(available_memory_is_what_the_kernel_says_or_unknown),
		cmocka_unit_test(cpu_time_rises),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
