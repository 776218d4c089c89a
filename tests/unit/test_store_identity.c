/* SPDX-License-Identifier: MIT */
/* Which drive a sample belongs to, and where that drive is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "lib/made_history.h"
#include "lib/made_series.h"

#define TB1 UINT64_C(1000204886016)
#define TB2 UINT64_C(2000398934016)

static struct made_folder folder;
static struct store *s;

static int set_up(void **state)
{
	(void)state;
	made_folder_init(&folder);
	s = made_store(folder.db, STORE_WRITE);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	store_close(&s);
	made_folder_release(&folder);
	return 0;
}

/* Append a sample of this drive an hour after the one before; returns the drive's number. */
static int64_t add(const struct made_drive *drive)
{
	static int64_t time = T0;
	int64_t id = 0;

	time += HOUR;
	assert_int_equal(made_append(s, drive, time, 1, 1, &id), APPEND_NEW);
	return id;
}

static struct stored_drive get(int64_t id)
{
	struct stored_drive *drives, found = { 0 };
	struct diag d = { 0 };
	size_t n;

	assert_int_equal(store_drives(s, &d, &drives, &n), 0);
	for (size_t i = 0; i < n; i++)
		if (drives[i].id == id)
			found = drives[i];
	free(drives);
	assert_int_equal(found.id, id);
	return found;
}

static size_t events_of(int64_t id, enum event_kind kind, char text[240])
{
	struct series series;
	struct diag d = { 0 };
	size_t n;

	series_init(&series);
	if (store_series(s, id, TIME_UNKNOWN, TIME_UNKNOWN, &d, &series))
		fail_msg("%s", d.text);
	n = made_events(&series, kind);
	text_copy(text, 240, made_event_text(&series, kind));
	series_release(&series);
	return n;
}

/* --- the same drive or another --------------------------------------------------------------- */

static void model_and_serial_make_a_drive(void **state)
{
	const struct made_drive a = { .model = "M", .serial = "1", .capacity = TB1 };
	const struct made_drive other_model = { .model = "N", .serial = "1", .capacity = TB1 };
	const struct made_drive other_serial = { .model = "M", .serial = "2", .capacity = TB1 };
	const struct made_drive elsewhere = {
		.model = "M", .serial = "1", .capacity = TB1, .path = "/dev/sdx", .live = true
	};
	int64_t id = add(&a);

	(void)state;
	assert_int_not_equal(add(&other_model), id);
	assert_int_not_equal(add(&other_serial), id);
	assert_int_equal(add(&elsewhere), id);
}

static void another_capacity_is_another_drive(void **state)
{
	const struct made_drive one = { .model = "Bridge",
					.serial = "000000000033",
					.capacity = TB1 };
	const struct made_drive two = { .model = "Bridge",
					.serial = "000000000033",
					.capacity = TB2 };
	const struct made_drive unknown = { .model = "Bridge", .serial = "000000000033" };
	int64_t first = add(&one), second = add(&two), third = add(&unknown);

	(void)state;
	assert_int_not_equal(first, second);
	/* it could be either */
	assert_int_not_equal(third, first);
	assert_int_not_equal(third, second);
	assert_int_equal(add(&unknown), third);
	assert_int_equal(add(&one), first);
	assert_int_equal(add(&two), second);
}

static void a_capacity_learned_later_splits_nothing(void **state)
{
	const struct made_drive unknown = { .model = "M", .serial = "1" };
	const struct made_drive known = { .model = "M", .serial = "1", .capacity = TB1 };
	const struct made_drive other = { .model = "M", .serial = "1", .capacity = TB2 };
	int64_t id = add(&unknown);

	(void)state;
	assert_int_equal(add(&known), id);
	assert_int_equal(add(&unknown), id);
	assert_int_not_equal(add(&other), id);
	assert_int_equal(get(id).identity.capacity_bytes, TB1);
	assert_int_equal(get(id).nsamples, 3);
}

static void a_dump_that_names_no_model_joins_the_only_drive(void **state)
{
	const struct made_drive bare = { .serial = "SN77" };
	const struct made_drive named = { .model = "M", .serial = "SN77", .capacity = TB1 };
	int64_t id = add(&bare);

	(void)state;
	assert_int_equal(add(&named), id);
	assert_int_equal(add(&bare), id);
	assert_string_equal(get(id).identity.model, "M");
}

static void a_drive_without_a_serial_number_is_not_kept(void **state)
{
	const struct made_drive nameless = { .model = "M", .capacity = TB1 };
	struct made_append *m = made_append_new(&nameless, T0, 1, 1);
	enum append_result result;
	struct stored_drive *drives;
	struct diag d = { 0 };
	size_t n;

	(void)state;
	assert_int_equal(store_begin(s, &d), 0);
	assert_int_equal(store_append(s, &m->append, &d, &result, NULL), -ENODATA);
	assert_non_null(strstr(d.text, "serial number"));
	/* and it spoils nothing of the transaction */
	diag_clear(&d);
	assert_int_equal(store_commit(s, &d), 0);
	assert_int_equal(store_drives(s, &d, &drives, &n), 0);
	assert_int_equal(n, 0);
	free(drives);
	made_append_free(m);
}

static void what_a_poorer_dump_does_not_tell_stays_known(void **state)
{
	const struct made_drive full = {
		.model = "M", .serial = "1", .firmware = "F1", .capacity = TB1
	};
	const struct made_drive poor = { .serial = "1" };
	int64_t id = add(&full);

	(void)state;
	assert_int_equal(add(&poor), id);
	assert_string_equal(get(id).identity.firmware, "F1");
	assert_string_equal(get(id).identity.model, "M");
	assert_int_equal(get(id).identity.protocol, PROTOCOL_NVME);
}

/* --- places ---------------------------------------------------------------------------------- */

static void a_new_drive_in_the_slot_replaces_the_old_one(void **state)
{
	const struct made_drive old = { .model = "OLD",
					.serial = "O1",
					.path = "/dev/nvme0",
					.location = "slot 3",
					.live = true };
	const struct made_drive fresh = { .model = "NEW",
					  .serial = "N1",
					  .path = "/dev/nvme1",
					  .location = "slot 3",
					  .live = true };
	int64_t old_id = add(&old), new_id;
	char text[240];

	(void)state;
	add(&old);
	new_id = add(&fresh);
	add(&fresh);
	assert_int_equal(events_of(old_id, EVENT_REPLACED, text), 1);
	assert_string_equal(text, "replaced by NEW serial N1 in slot 3");
	assert_int_equal(events_of(new_id, EVENT_REPLACED, text), 1);
	assert_string_equal(text, "replaces OLD serial O1 in slot 3");
	/* and back */
	add(&old);
	assert_int_equal(events_of(old_id, EVENT_REPLACED, text), 2);
	assert_int_equal(events_of(new_id, EVENT_REPLACED, text), 2);
}

static void without_a_slot_the_node_is_the_place(void **state)
{
	const struct made_drive old = {
		.model = "M", .serial = "1", .path = "/dev/sda", .live = true
	};
	const struct made_drive fresh = {
		.model = "M", .serial = "2", .path = "/dev/sda", .live = true
	};
	int64_t old_id = add(&old), new_id = add(&fresh);
	char text[240];

	(void)state;
	assert_int_equal(events_of(old_id, EVENT_REPLACED, text), 1);
	assert_int_equal(events_of(new_id, EVENT_REPLACED, text), 1);
	assert_false(get(old_id).owns_path);
	assert_true(get(new_id).owns_path);
	assert_true(get(old_id).last_seen_here < get(new_id).last_seen_here);
}

/* After a boot the kernel may name the same drives the other way round. */
static void nodes_that_change_places_replace_nothing(void **state)
{
	struct made_drive a = { .model = "M", .serial = "1", .path = "/dev/sda", .live = true };
	struct made_drive b = { .model = "M", .serial = "2", .path = "/dev/sdb", .live = true };
	int64_t a_id = add(&a), b_id = add(&b);
	char text[240];

	(void)state;
	a.path = "/dev/sdb";
	b.path = "/dev/sda";
	add(&a);
	add(&b);
	assert_int_equal(events_of(a_id, EVENT_REPLACED, text), 0);
	assert_int_equal(events_of(b_id, EVENT_REPLACED, text), 0);
	assert_int_equal(events_of(a_id, EVENT_NODE_CHANGED, text), 1);
	assert_string_equal(get(a_id).identity.path, "/dev/sdb");
	assert_true(get(a_id).owns_path);
	assert_true(get(b_id).owns_path);
	/* the same with slots that stay */
	a.location = "slot 1";
	b.location = "slot 2";
	add(&a);
	add(&b);
	a.path = "/dev/sda";
	b.path = "/dev/sdb";
	add(&a);
	add(&b);
	assert_int_equal(events_of(a_id, EVENT_REPLACED, text), 0);
	assert_int_equal(events_of(b_id, EVENT_REPLACED, text), 0);
}

/* The same model and serial with another capacity has a name of its own. */
static void twins_have_names(void **state)
{
	const struct made_drive small = { .model = "M 5", .serial = "T1", .capacity = TB1 };
	const struct made_drive large = { .model = "M 5", .serial = "T1", .capacity = TB2 };
	int64_t a = add(&small), b = add(&large);
	char name[STORE_DRIVE_NAME_MAX];
	struct stored_drive *found;
	struct diag d = { 0 };
	size_t n;

	(void)state;
	assert_int_not_equal(a, b);
	assert_int_equal(store_find(s, "M_5_T1", &d, &found, &n), 0);
	assert_int_equal(n, 2);
	free(found);
	assert_int_equal(store_find(s, "M_5_T1@2000398934016", &d, &found, &n), 0);
	assert_int_equal(n, 1);
	assert_int_equal(found->id, b);
	assert_string_equal(store_drive_name(&found->identity, true, name), "M_5_T1@2000398934016");
	free(found);
	assert_int_equal(store_find(s, "M_5_T1@5", &d, &found, &n), -ENOENT);
}

static void imported_drives_replace_nothing(void **state)
{
	const struct made_drive a = { .model = "M", .serial = "1", .path = "/dev/sda" };
	const struct made_drive b = { .model = "M", .serial = "2", .path = "/dev/sda" };
	int64_t a_id = add(&a), b_id = add(&b);
	char text[240];

	(void)state;
	assert_int_equal(events_of(a_id, EVENT_REPLACED, text), 0);
	assert_int_equal(events_of(b_id, EVENT_REPLACED, text), 0);
}

static void drives_behind_one_controller_share_its_node(void **state)
{
	const struct made_drive a = { .model = "M",
				      .serial = "1",
				      .path = "/dev/sda",
				      .via = "smartctl:megaraid,0",
				      .live = true };
	const struct made_drive b = { .model = "M",
				      .serial = "2",
				      .path = "/dev/sda",
				      .via = "smartctl:megaraid,1",
				      .live = true };
	struct stored_drive *drives;
	struct diag d = { 0 };
	int64_t a_id = add(&a), b_id = add(&b);
	char text[240];
	size_t n;

	(void)state;
	assert_int_equal(events_of(a_id, EVENT_REPLACED, text), 0);
	assert_true(get(a_id).owns_path);
	assert_true(get(b_id).owns_path);
	assert_int_equal(store_find(s, "/dev/sda", &d, &drives, &n), 0);
	assert_int_equal(n, 2);
	free(drives);
}

static void an_import_does_not_move_a_drive_that_is_here(void **state)
{
	const struct made_drive here = {
		.model = "M", .serial = "1", .path = "/dev/sda", .live = true
	};
	const struct made_drive dump = { .model = "M", .serial = "1", .path = "/dev/sdq" };
	int64_t id = add(&here);

	(void)state;
	add(&dump);
	assert_string_equal(get(id).identity.path, "/dev/sda");
}

/* --- by a word ------------------------------------------------------------------------------- */

static void expect_found(const char *word, int64_t id)
{
	struct stored_drive *drives;
	struct diag d = { 0 };
	size_t n;

	if (store_find(s, word, &d, &drives, &n))
		fail_msg("%s: %s", word, d.text);
	assert_int_equal(n, 1);
	assert_int_equal(drives[0].id, id);
	free(drives);
}

static void words_that_name_a_drive(void **state)
{
	const struct made_drive a = { .model = "SAMSUNG MZQL2",
				      .serial = "S64GNE0R1",
				      .path = "/dev/nvme0",
				      .location = "slot 3",
				      .live = true };
	const struct made_drive b = {
		.model = "CT1000MX500SSD1", .serial = "2017E2A", .path = "/dev/sda", .live = true
	};
	struct stored_drive *drives, found;
	struct identity identity = { .model = "SAMSUNG MZQL2", .serial = "S64GNE0R1" };
	struct diag d = { 0 };
	int64_t a_id = add(&a), b_id = add(&b);
	size_t n;

	(void)state;
	expect_found("S64GNE0R1", a_id);
	expect_found("s64gne0r1", a_id);
	expect_found("/dev/nvme0", a_id);
	expect_found("/dev/nvme0n1", a_id);
	expect_found("nvme0", a_id);
	expect_found("slot 3", a_id);
	expect_found("SAMSUNG_MZQL2_S64GNE0R1", a_id);
	expect_found("nvme-SAMSUNG_MZQL2_S64GNE0R1", a_id);
	expect_found("/dev/disk/by-id/nvme-SAMSUNG_MZQL2_S64GNE0R1", a_id);
	expect_found("ata-CT1000MX500SSD1_2017E2A", b_id);
	assert_int_equal(store_find(s, "2017E2B", &d, &drives, &n), -ENOENT);
	assert_non_null(strstr(d.text, "near: 2017E2A"));
	diag_clear(&d);
	assert_int_equal(store_find(s, "", &d, &drives, &n), -ENOENT);
	assert_int_equal(store_find(s, "/dev/sdb", &d, &drives, &n), -ENOENT);
	assert_int_equal(store_find_identity(s, &identity, &d, &found), 0);
	assert_int_equal(found.id, a_id);
	assert_true(found.owns_path);
	identity.serial[0] = 'X';
	assert_int_equal(store_find_identity(s, &identity, &d, &found), -ENOENT);
}

static void a_node_is_the_drive_seen_there_last(void **state)
{
	struct stored_drive *drives;
	struct diag d = { 0 };
	size_t n;
	const struct made_drive old = {
		.model = "M", .serial = "1", .path = "/dev/sda", .live = true
	};
	const struct made_drive fresh = {
		.model = "M", .serial = "2", .path = "/dev/sda", .live = true
	};

	(void)state;
	add(&old);
	expect_found("/dev/sda", add(&fresh));
	expect_found("/dev/sda", add(&old));
	assert_int_equal(store_find(s, "1", &d, &drives, &n), 0);
	assert_true(drives[0].owns_path);
	free(drives);
	assert_int_equal(store_find(s, "2", &d, &drives, &n), 0);
	assert_false(drives[0].owns_path);
	free(drives);
}

/* A serial that several bridges invent: all drives that have it. */
static void one_serial_can_name_several_drives(void **state)
{
	const struct made_drive one = { .model = "B", .serial = "0033", .capacity = TB1 };
	const struct made_drive two = { .model = "B", .serial = "0033", .capacity = TB2 };
	struct stored_drive *drives;
	struct diag d = { 0 };
	size_t n;

	(void)state;
	add(&one);
	add(&two);
	assert_int_equal(store_find(s, "0033", &d, &drives, &n), 0);
	assert_int_equal(n, 2);
	free(drives);
}

/* Bytes that are not UTF-8, quotes, and SQL stay what they are. */
static void strange_strings_come_back(void **state)
{
	const struct made_drive odd = { .model = "M' OR 1=1 --",
					.serial = "\xc3\xa9'); DROP TABLE drive; --" };
	int64_t id = add(&odd);

	(void)state;
	assert_string_equal(get(id).identity.model, odd.model);
	assert_string_equal(get(id).identity.serial, odd.serial);
	expect_found(odd.serial, id);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(model_and_serial_make_a_drive),
		TEST(another_capacity_is_another_drive),
		TEST(a_capacity_learned_later_splits_nothing),
		TEST(a_dump_that_names_no_model_joins_the_only_drive),
		TEST(a_drive_without_a_serial_number_is_not_kept),
		TEST(what_a_poorer_dump_does_not_tell_stays_known),
		TEST(a_new_drive_in_the_slot_replaces_the_old_one),
		TEST(without_a_slot_the_node_is_the_place),
		TEST(nodes_that_change_places_replace_nothing),
		TEST(imported_drives_replace_nothing),
		TEST(twins_have_names),
		TEST(drives_behind_one_controller_share_its_node),
		TEST(an_import_does_not_move_a_drive_that_is_here),
		TEST(words_that_name_a_drive),
		TEST(a_node_is_the_drive_seen_there_last),
		TEST(one_serial_can_name_several_drives),
		TEST(strange_strings_come_back),
	};
#undef TEST

	return cmocka_run_group_tests_name("store: identity", tests, NULL, NULL);
}
