/* SPDX-License-Identifier: MIT */
/*
 * Every allocation fails in turn, those inside SQLite and zstd too: the answer is right or says
 * that memory ran out, nothing is left over, and the database is as it was or as it should be.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/failing_memory.h"
#include "lib/made_history.h"
#include "lib/made_series.h"

#ifdef MEMORY_CANNOT_FAIL

int main(void)
{
	puts("1..0 # SKIP the sanitizer has its own allocator");
	return 0;
}

#else

#define BEFORE 40

static const struct made_drive drive_a = { .model = "MODEL A", .serial = "SN0001" };
static struct made_folder folder;
static char copy_path[128];
static char *image;
static size_t image_len;
static struct made_append *appended[3];

static struct store *open_it(enum store_mode mode, struct diag *d, int *ret_err)
{
	struct store *s = NULL;

	*ret_err = store_open(folder.db, mode, T0, d, &s, NULL);
	return s;
}

static int append(struct diag *d)
{
	enum append_result result;
	int err;
	struct store *s = open_it(STORE_WRITE, d, &err);

	for (size_t i = 0; i < ARRAY_SIZE(appended) && !err; i++)
		err = store_append(s, &appended[i]->append, d, &result, NULL);
	store_close(&s);
	return err;
}

static int read_all(struct diag *d)
{
	struct stored_drive *drives = NULL;
	struct snapshot snapshot;
	struct series series;
	int err;
	struct store *s = open_it(STORE_READ, d, &err);
	size_t n = 0;

	series_init(&series);
	snapshot_init(&snapshot);
	if (!err)
		err = store_find(s, "sn0001", d, &drives, &n);
	if (!err)
		err = store_series(s, drives[0].id, TIME_UNKNOWN, TIME_UNKNOWN, d, &series);
	if (!err)
		err = store_snapshot(s, drives[0].id, TIME_UNKNOWN, d, &snapshot);
	if (!err)
		assert_true(series.nsamples >= BEFORE && snapshot.nlogs == 1);
	free(drives);
	series_release(&series);
	snapshot_release(&snapshot);
	store_close(&s);
	return err;
}

static int prune(struct diag *d)
{
	const struct retention r = { .full_days = 1 };
	uint64_t samples, bytes;
	int err;
	struct store *s = open_it(STORE_WRITE, d, &err);

	if (!err)
		err = store_prune(s, &r, T0 + BEFORE * HOUR, false, d, &samples, &bytes);
	store_close(&s);
	return err;
}

static int back_up(struct diag *d)
{
	int err;
	struct store *s = open_it(STORE_READ, d, &err);

	if (!err)
		err = store_backup(s, copy_path, NULL, NULL, d);
	store_close(&s);
	return err;
}

static int check(struct diag *d)
{
	int err;
	struct store *s = open_it(STORE_WRITE, d, &err);

	if (!err)
		err = store_check(s, d);
	store_close(&s);
	return err;
}

static void put_back(void)
{
	char path[160];

	unlink(copy_path);
	snprintf(path, sizeof(path), "%s-wal", folder.db);
	unlink(path);
	snprintf(path, sizeof(path), "%s-shm", folder.db);
	unlink(path);
	made_file_write(folder.db, image, image_len);
}

static int run(unsigned long n, bool for_good, int (*task)(struct diag *d))
{
	struct diag d = { 0 };
	int err;

	put_back();
	memory.calls = 0;
	memory.live = 0;
	memory.fail_at = n;
	memory.for_good = for_good;
	memory.armed = true;
	err = task(&d);
	memory.armed = false;
	if (memory.live)
		fail_msg("allocation %lu fails: %ld are left over", n, memory.live);
	if (err && err != -ENOMEM)
		fail_msg("allocation %lu fails: error %d, \"%s\"", n, err, d.text);
	if (err && !d.text[0])
		fail_msg("allocation %lu fails without a word", n);
	memset(&d, 0, sizeof(d));
	if (check(&d))
		fail_msg("allocation %lu fails: %s", n, d.text);
	return err;
}

static void torture(int (*task)(struct diag *d))
{
	struct diag d = { 0 };
	unsigned long calls, failed = 0;

	put_back();
	assert_int_equal(task(&d), 0); /* what libraries keep for ever */
	put_back();
	memory.calls = memory.fail_at = 0;
	memory.live = 0;
	memory.armed = true;
	assert_int_equal(task(&d), 0);
	memory.armed = false;
	assert_int_equal(memory.live, 0);
	calls = memory.calls;
	for (unsigned long n = 1; n <= calls; n++)
		failed += run(n, false, task) != 0;
	/* most failures are told; SQLite does without what it only wanted for speed */
	assert_true(failed * 2 > calls);
	for (unsigned long n = 1; n <= calls; n += 7)
		run(n, true, task);
	print_message("# %lu allocations, %lu failures told\n", calls, failed);
}

static void appending(void **state)
{
	(void)state;
	torture(append);
}

static void reading(void **state)
{
	(void)state;
	torture(read_all);
}

static void pruning(void **state)
{
	(void)state;
	torture(prune);
}

static void backing_up(void **state)
{
	(void)state;
	torture(back_up);
}

static int set_up(void **state)
{
	struct store *s;

	(void)state;
	made_folder_init(&folder);
	snprintf(copy_path, sizeof(copy_path), "%s/copy.db", folder.path);
	s = made_store(folder.db, STORE_WRITE);
	for (int i = 0; i < BEFORE; i++)
		made_append(s, &drive_a, T0 + i * HOUR, 1000 + (uint64_t)i, (uint64_t)i, NULL);
	store_close(&s);
	image = made_file_read(folder.db, &image_len);
	for (size_t i = 0; i < ARRAY_SIZE(appended); i++)
		appended[i] = made_append_new(&drive_a, T0 + (BEFORE + (int64_t)i) * HOUR, 2000 + i,
					      BEFORE + i);
	return image ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(appended); i++)
		made_append_free(appended[i]);
	free(image);
	made_folder_release(&folder);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(appending),
		cmocka_unit_test(reading),
		cmocka_unit_test(pruning),
		cmocka_unit_test(backing_up),
	};

	return cmocka_run_group_tests_name("store: memory", tests, set_up, tear_down);
}

#endif
