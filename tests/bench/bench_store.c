/* SPDX-License-Identifier: MIT */
/*
 * Fill a history database with a fleet that is read every hour, and tell how large it became.
 *
 *     bench_store --db FILE [--drives N] [--hours N] [--dumps] [--keep-days N]
 *
 * Half of the drives are NVMe, half SATA; with --dumps all of them are dumps of smartctl. With
 * --keep-days the samples older than that are then thinned out to daily ones. Prints one JSON
 * object: bytes by what they are for, of the pages in use, so with all indexes and half-filled
 * pages.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/fleet.h"
#include "cli/rule_files.h"
#include "store/store.h"

struct bench_options {
	const char *db;
	uint64_t drives, hours, keep_days;
	bool dumps;
};

struct sizes {
	int64_t samples, facts, raw;
};

static int parse_options(int argc, char **argv, struct bench_options *ret)
{
	static const struct option rows[] = {
		{ "db", required_argument, NULL, 'f' },
		{ "drives", required_argument, NULL, 'd' },
		{ "hours", required_argument, NULL, 'h' },
		{ "dumps", no_argument, NULL, 'j' },
		{ "keep-days", required_argument, NULL, 'k' },
		{ 0 },
	};
	int c, r = 0;

	*ret = (struct bench_options){ .drives = 1000, .hours = 168 };
	while (!r && (c = getopt_long(argc, argv, "", rows, NULL)) != -1) {
		switch (c) {
		case 'f':
			ret->db = optarg;
			break;
		case 'd':
			r = parse_u64(optarg, 100000, &ret->drives);
			break;
		case 'h':
			r = parse_u64(optarg, 100000, &ret->hours);
			break;
		case 'j':
			ret->dumps = true;
			break;
		case 'k':
			r = parse_u64(optarg, 10000, &ret->keep_days);
			break;
		default:
			r = -EINVAL;
		}
	}
	return !r && (!ret->db || optind < argc) ? -EINVAL : r;
}

/* --- filling --- */

/* What one append needs; facts are large. */
struct desk {
	struct fleet fleet;
	struct rules *rules;
	struct drive_rule rule;
	struct facts facts;
};

static int append(struct desk *desk, struct store *store, enum fleet_kind kind, unsigned drive,
		  unsigned hour, struct diag *d)
{
	CLEANUP(snapshot_release) struct snapshot snapshot;
	CLEANUP(reading_release) struct reading r = { 0 };
	enum append_result result;
	int64_t id;
	int err;

	fleet_read(&desk->fleet, kind, drive, hour, &snapshot);
	err = reading_decode(&snapshot, NULL, d, &r);
	if (err)
		return err;
	rules_match(desk->rules, &r, &desk->rule);
	if (desk->rule.layouts[0]) {
		reading_release(&r);
		err = reading_decode(&snapshot, desk->rule.layouts, d, &r);
		if (err)
			return err;
	}
	facts_collect(&r, &desk->rule, &desk->facts);
	return store_append(
		store,
		&(struct append){ &snapshot, &r, &desk->facts, &desk->rule, kind != FLEET_DUMP }, d,
		&result, &id);
}

/* As `record` does: all drives of an hour in one transaction. */
static int fill(const struct bench_options *o, struct desk *desk, struct store *store,
		struct diag *d)
{
	int r = 0;

	for (unsigned hour = 0; !r && hour < o->hours; hour++) {
		r = store_begin(store, d);
		for (unsigned drive = 0; !r && drive < o->drives; drive++) {
			enum fleet_kind kind = drive % 2 ? FLEET_SATA : FLEET_NVME;

			r = append(desk, store, o->dumps ? FLEET_DUMP : kind, drive, hour, d);
		}
		if (!r)
			r = store_commit(store, d);
	}
	return r;
}

static int load_rules(struct rules **ret, struct diag *d)
{
	CLEANUP(rule_files_release) struct rule_files files = { 0 };
	int r = rule_files_add_folder(&files, "db", false, d);

	return r ? r : rules_parse(files.items, files.n, d, ret);
}

static int fill_database(const struct bench_options *o, struct diag *d)
{
	struct desk *desk = calloc(1, sizeof(*desk));
	struct store *store = NULL;
	int r = desk ? fleet_init(&desk->fleet, d) : -ENOMEM;

	if (!r)
		r = load_rules(&desk->rules, d);
	if (!r)
		r = store_open(o->db, STORE_WRITE, FLEET_START, d, &store, NULL);
	if (!r)
		r = fill(o, desk, store, d);
	store_close(&store);
	if (desk) {
		fleet_release(&desk->fleet);
		rules_free(desk->rules);
	}
	free(desk);
	return r;
}

static int thin_out(const struct bench_options *o, struct diag *d)
{
	const struct retention keep = { .full_days = (unsigned)o->keep_days };
	int64_t now = FLEET_START + (int64_t)o->hours * 3600;
	struct store *store = NULL;
	uint64_t samples, bytes;
	int r = store_open(o->db, STORE_WRITE, now, d, &store, NULL);

	if (!r)
		r = store_prune(store, &keep, now, false, d, &samples, &bytes);
	store_close(&store);
	return r;
}

/* --- measuring --- */

static int64_t ask(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *statement = NULL;
	int64_t n;

	if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK ||
	    sqlite3_step(statement) != SQLITE_ROW) {
		fprintf(stderr, "bench_store: %s: %s\n", sql, sqlite3_errmsg(db));
		exit(2);
	}
	n = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return n;
}

/*
 * Raw logs: their own table, and the part of each sample's row. All else, free pages excepted, is
 * counted as facts.
 */
static struct sizes measure(const char *path)
{
	sqlite3 *db = NULL;
	struct sizes s;

	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
		fprintf(stderr, "bench_store: %s: %s\n", path, sqlite3_errmsg(db));
		exit(2);
	}
	s.samples = ask(db, "SELECT count(*) FROM sample");
	s.raw = ask(db, "SELECT pgsize FROM dbstat WHERE aggregate = 1 AND name = 'raw'") +
		ask(db, "SELECT total(length(raw)) FROM sample");
	s.facts = ask(db, "SELECT sum(pgsize) FROM dbstat WHERE aggregate = 1") - s.raw;
	sqlite3_close(db);
	return s;
}

static void print_sizes(const char *name, const struct sizes *s)
{
	printf("\"%s\": {\"samples\": %" PRId64 ", \"facts_bytes\": %" PRId64
	       ", \"raw_bytes\": %" PRId64 "}",
	       name, s->samples, s->facts, s->raw);
}

int main(int argc, char **argv)
{
	struct bench_options o;
	struct diag d = { 0 };
	struct sizes sizes;
	clock_t start = clock();
	int r = parse_options(argc, argv, &o);

	if (!r)
		r = fill_database(&o, &d);
	if (r) {
		fprintf(stderr, "bench_store: %s\n", *d.text ? d.text : "wrong usage");
		return 2;
	}
	sizes = measure(o.db);
	printf("{\"cpu_seconds\": %.1f, ", (double)(clock() - start) / CLOCKS_PER_SEC);
	print_sizes("filled", &sizes);
	if (o.keep_days && thin_out(&o, &d) < 0) {
		fprintf(stderr, "bench_store: %s\n", d.text);
		return 2;
	}
	if (o.keep_days) {
		sizes = measure(o.db);
		printf(", ");
		print_sizes("thinned", &sizes);
	}
	printf("}\n");
	return 0;
}
