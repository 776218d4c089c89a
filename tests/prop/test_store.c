/* SPDX-License-Identifier: MIT */
/*
 * Any samples in any order, some of them twice, with counters that restart: what the database
 * answers is what a list of them in memory does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "lib/made_history.h"
#include "lib/made_series.h"

#define RUNS	25
#define APPENDS 120
#define DRIVES	3
#define SLOTS	90 /* hours that samples fall on, so that many fall on the same */

/* xorshift64*: the seed is in every message, so that a failure can be run again. */
struct dice {
	uint64_t state;
};

static uint64_t below(struct dice *d, uint64_t n)
{
	d->state ^= d->state >> 12;
	d->state ^= d->state << 25;
	d->state ^= d->state >> 27;
	return d->state * UINT64_C(2685821657736338717) % n;
}

/* What the list knows of one sample. */
struct told {
	bool there, spare;
	const char *firmware;
	uint64_t units, hours;
};

struct model {
	struct told samples[DRIVES][SLOTS];
	int64_t ids[DRIVES];
};

static const char *const serials[DRIVES] = { "ONE", "TWO", "THREE" };
static const char *const firmwares[] = { "1.0", "1.1", "2.0" };

static struct made_drive drive_of(size_t i, const struct told *t)
{
	return (struct made_drive){
		.model = "M", .serial = serials[i], .firmware = t->firmware, .spare = t->spare
	};
}

static bool same(const struct told *a, const struct told *b)
{
	return a->spare == b->spare && a->units == b->units && a->hours == b->hours &&
	       strcmp(a->firmware, b->firmware) == 0;
}

/* A counter that mostly rises with time, and restarts at odd hours. */
static struct told roll(struct dice *dice, unsigned slot)
{
	uint64_t units = below(dice, 4) ? 1000 + slot * 13 + below(dice, 3) : below(dice, 1 << 20);

	return (struct told){ .there = true,
			      .spare = below(dice, 3) == 0,
			      .firmware = firmwares[below(dice, 12) ? slot / 40 : below(dice, 3)],
			      .units = units,
			      .hours = below(dice, 10) ? slot : below(dice, 70000) };
}

static enum append_result expected(struct told *known, const struct told *now)
{
	if (known->there && same(known, now))
		return APPEND_SAME;
	if (known->there && !(now->spare && !known->spare))
		return APPEND_LESS;
	*known = *now;
	return APPEND_NEW;
}

static void append_all(struct store *s, struct dice *dice, struct model *m)
{
	for (unsigned i = 0; i < APPENDS; i++) {
		size_t drive = below(dice, DRIVES);
		unsigned slot = (unsigned)below(dice, SLOTS);
		struct told *known = &m->samples[drive][slot];
		struct told now = known->there && below(dice, 2) ? *known : roll(dice, slot);
		struct made_drive made = drive_of(drive, &now);
		enum append_result want = expected(known, &now);

		assert_int_equal(made_append(s, &made, T0 + slot * HOUR, now.units, now.hours,
					     &m->ids[drive]),
				 want);
	}
}

static void check_snapshot(struct store *s, const struct model *m, size_t drive, unsigned slot)
{
	const struct told *t = &m->samples[drive][slot];
	struct made_drive made = drive_of(drive, t);
	struct made_append *want = made_append_new(&made, T0 + slot * HOUR, t->units, t->hours);
	struct str a = { 0 }, b = { 0 };
	struct snapshot got;
	struct diag d = { 0 };

	if (store_snapshot(s, m->ids[drive], T0 + slot * HOUR, &d, &got))
		fail_msg("%s", d.text);
	assert_int_equal(snapshot_write_json(&want->snapshot, &a), 0);
	assert_int_equal(snapshot_write_json(&got, &b), 0);
	assert_string_equal(str_text(&a), str_text(&b));
	snapshot_release(&got);
	made_append_free(want);
	str_release(&a);
	str_release(&b);
}

/* The events that the list shows: of every pair of samples that follow each other. */
static void check_events(const struct series *series)
{
	struct drive_rule *rule = calloc(1, sizeof(*rule));
	struct event events[EVENTS_BETWEEN_MAX];
	size_t want = 0, n;

	assert_non_null(rule);
	for (size_t i = 1; i < series->nsamples; i++) {
		n = series_events_between(&series->samples[i - 1], &series->samples[i], rule,
					  events, EVENTS_BETWEEN_MAX);
		for (size_t k = 0; k < n; k++) {
			bool found = false;

			for (size_t e = 0; e < series->nevents; e++)
				found = found ||
					(series->events[e].time == events[k].time &&
					 series->events[e].kind == events[k].kind &&
					 strcmp(series->events[e].text, events[k].text) == 0);
			if (!found)
				fail_msg("not kept: %s", events[k].text);
		}
		want += n;
	}
	assert_int_equal(series->nevents, want);
	free(rule);
}

static void check_drive(struct store *s, const struct model *m, size_t drive)
{
	struct series series;
	struct diag d = { 0 };
	size_t at = 0;

	series_init(&series);
	if (store_series(s, m->ids[drive], TIME_UNKNOWN, TIME_UNKNOWN, &d, &series))
		fail_msg("%s", d.text);
	for (unsigned slot = 0; slot < SLOTS; slot++) {
		const struct told *t = &m->samples[drive][slot];
		const struct sample *sample = &series.samples[at];

		if (!t->there)
			continue;
		assert_true(at < series.nsamples);
		assert_int_equal(sample->time, T0 + slot * HOUR);
		assert_int_equal(sample->values[FACT_HOST_BYTES_WRITTEN],
				 (int64_t)t->units * 512000);
		assert_int_equal(sample->values[FACT_POWER_ON_HOURS], (int64_t)t->hours);
		assert_int_equal(!!(sample->has & FACT_BIT(FACT_AVAILABLE_SPARE)), t->spare);
		assert_string_equal(sample->frame->firmware, t->firmware);
		check_snapshot(s, m, drive, slot);
		at++;
	}
	assert_int_equal(series.nsamples, at);
	check_events(&series);
	series_release(&series);
}

/* Transactions of any length, and other processes' eyes: the database is opened anew in between. */
static void one_run(uint64_t seed)
{
	struct dice dice = { .state = seed };
	struct model *m = calloc(1, sizeof(*m));
	struct made_folder folder;
	struct diag d = { 0 };
	struct store *s;

	assert_non_null(m);
	print_message("# seed %llu\n", (unsigned long long)seed);
	made_folder_init(&folder);
	for (unsigned part = 0; part < 3; part++) {
		s = made_store(folder.db, STORE_WRITE);
		if (part == 1)
			assert_int_equal(store_begin(s, &d), 0);
		append_all(s, &dice, m);
		if (part == 1)
			assert_int_equal(store_commit(s, &d), 0);
		if (store_check(s, &d))
			fail_msg("%s", d.text);
		for (size_t i = 0; i < DRIVES; i++)
			check_drive(s, m, i);
		store_close(&s);
	}
	made_folder_release(&folder);
	free(m);
}

static void the_database_answers_as_a_list_would(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= RUNS; seed++)
		one_run(seed * 1000003);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_database_answers_as_a_list_would),
	};

	return cmocka_run_group_tests_name("store: properties", tests, NULL, NULL);
}
