/* SPDX-License-Identifier: MIT */
/*
 * Reports of real drives, where ../shared/corpus is present: each must be read, and say what an
 * index made by another program says. The index leaves out repeated attributes, and took the
 * capacity of two reports from the letters of a model's name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/dumps.h"

#define CORPUS "../shared/corpus"

enum column {
	FILE_NAME,
	KIND,
	MODEL,
	FIRMWARE,
	CAPACITY,
	FAMILY,
	SECTORS_WRITTEN,
	PERCENT,
	NVME_PERCENT,
	NVME_UNITS_WRITTEN,
	ATTRIBUTES,
	COLUMNS
};

static void read_file(const char *name, struct reading *ret)
{
	static char bytes[1 << 20];
	char path[512];
	size_t len;
	FILE *f;

	snprintf(path, sizeof(path), CORPUS "/%s", name);
	f = fopen(path, "rb");
	if (!f)
		fail_msg("%s", path);
	len = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	read_dump_bytes(bytes, len, ret);
}

/* A number of the index against a field in shown units; an empty one is not to be found. */
static void compare(const char *file, const char *want, const struct reading *r, const char *layout,
		    const char *field, uint64_t unit)
{
	char got[48] = "";
	i128 v;

	if (reading_number(r, layout, field, &v))
		snprintf(got, sizeof(got), "%lld", (long long)(v / (i128)unit));
	if (strcmp(got, want))
		fail_msg("%s: %s.%s is %s, the index says %s", file, layout, field, got, want);
}

static void compare_attributes(const char *file, const char *ids, const struct reading *r)
{
	size_t n = 0;
	char *end;

	while (*ids) {
		unsigned long id = strtoul(ids, &end, 10);

		if (!reading_attribute(r, (uint8_t)id))
			fail_msg("%s: no attribute %lu", file, id);
		ids = *end == ',' ? end + 1 : end;
		n++;
	}
	if (r->nattributes < n)
		fail_msg("%s: %zu attributes of %zu", file, r->nattributes, n);
}

static void compare_row(char *line)
{
	char *w[COLUMNS] = { NULL }, capacity[32];
	struct reading r;
	uint64_t block;

	line[strcspn(line, "\n")] = '\0';
	for (int i = 0; i < COLUMNS; i++) {
		w[i] = strsep(&line, "\t");
		assert_non_null(w[i]);
	}
	read_file(w[FILE_NAME], &r);
	assert_string_equal(r.identity.model, w[MODEL]);
	assert_string_equal(r.identity.firmware, w[FIRMWARE]);
	assert_string_equal(r.identity.smartctl_family, w[FAMILY]);
	snprintf(capacity, sizeof(capacity), "%llu", (unsigned long long)r.identity.capacity_bytes);
	if (strlen(w[CAPACITY]) > 1)
		assert_string_equal(capacity, w[CAPACITY]);
	block = r.identity.logical_block_bytes ? r.identity.logical_block_bytes : 512;
	compare(w[FILE_NAME], w[SECTORS_WRITTEN], &r, "ata.devstat.general", "sectors_written",
		block);
	compare(w[FILE_NAME], w[PERCENT], &r, "ata.devstat.ssd", "percentage_used", 1000);
	compare(w[FILE_NAME], w[NVME_PERCENT], &r, "nvme.smart", "percentage_used", 1000);
	compare(w[FILE_NAME], w[NVME_UNITS_WRITTEN], &r, "nvme.smart", "data_units_written",
		512000);
	compare_attributes(w[FILE_NAME], w[ATTRIBUTES], &r);
	assert_int_equal(r.state, DRIVE_READ);
	reading_release(&r);
}

static void reports_say_what_the_index_says(void **state)
{
	FILE *f = fopen(CORPUS "/index.tsv", "r");
	char line[4096];
	size_t n = 0;

	(void)state;
	assert_non_null(f);
	assert_non_null(fgets(line, sizeof(line), f)); /* the names of the columns */
	for (; fgets(line, sizeof(line), f); n++)
		compare_row(line);
	fclose(f);
	assert_true(n > 0);
}

static void other_dumps_are_read(void **state)
{
	static const char *const folders[] = { "smartctl-json", "skdump" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		char name[512];
		struct dirent *e;
		DIR *dir;

		snprintf(name, sizeof(name), CORPUS "/%s", folders[i]);
		dir = opendir(name);
		assert_non_null(dir);
		while ((e = readdir(dir))) {
			struct reading r;

			if (e->d_name[0] == '.')
				continue;
			snprintf(name, sizeof(name), "%s/%s", folders[i], e->d_name);
			read_file(name, &r);
			if (!*r.identity.model || !r.identity.has_capacity ||
			    (!r.nattributes &&
			     field_is_absent(&r, "nvme.smart", "percentage_used")))
				fail_msg("%s: not read", name);
			reading_release(&r);
		}
		closedir(dir);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reports_say_what_the_index_says),
		cmocka_unit_test(other_dumps_are_read),
	};
	FILE *f = fopen(CORPUS "/index.tsv", "r");

	if (!f) {
		puts("1..0 # SKIP no " CORPUS);
		return 0;
	}
	fclose(f);
	return cmocka_run_group_tests_name("corpus", tests, NULL, NULL);
}
