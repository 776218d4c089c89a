/* SPDX-License-Identifier: MIT */
/*
 * What an import of JSON Lines cannot do without: cJSON_Parse of every line, and a bare prepared
 * insert of the very rows that the import made of them, in its order, schema and transactions.
 *
 *     bench_import LINES FILLED.db NEW.db
 *
 * Prints one JSON object: lines, and seconds of parsing and of inserting, of CPU time and by the
 * clock.
 */
#include <cjson/cJSON.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define BATCH	    10000 /* rows of samples in a transaction */
#define COLUMNS_MAX 16

struct spent {
	double cpu, clock;
};

static struct spent now(void)
{
	struct timespec t;
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (struct spent){
		.cpu = (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
		       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6,
		.clock = (double)t.tv_sec + (double)t.tv_nsec * 1e-9,
	};
}

static struct spent since(struct spent start)
{
	struct spent t = now();

	return (struct spent){ t.cpu - start.cpu, t.clock - start.clock };
}

static void fail(sqlite3 *db, const char *what)
{
	fprintf(stderr, "bench_import: %s: %s\n", what, db ? sqlite3_errmsg(db) : "cannot");
	exit(1);
}

static char *read_file(const char *path, size_t *ret_len)
{
	FILE *f = fopen(path, "rb");
	char *text = NULL;
	long n = 0;

	if (!f || fseek(f, 0, SEEK_END) < 0 || (n = ftell(f)) < 0 || fseek(f, 0, SEEK_SET) < 0)
		fail(NULL, path);
	text = malloc((size_t)n + 1);
	if (!text || fread(text, 1, (size_t)n, f) != (size_t)n)
		fail(NULL, path);
	fclose(f);
	text[n] = '\0';
	*ret_len = (size_t)n;
	return text;
}

static size_t parse_lines(char *text, size_t len)
{
	size_t lines = 0;

	for (char *line = text, *end; line < text + len; line = end + 1) {
		cJSON *json;

		end = memchr(line, '\n', (size_t)(text + len - line));
		if (!end)
			end = text + len;
		*end = '\0';
		json = cJSON_Parse(line);
		if (!json)
			fail(NULL, "a line is no JSON");
		cJSON_Delete(json);
		lines++;
	}
	return lines;
}

static void run_sql(sqlite3 *db, const char *sql)
{
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail(db, sql);
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *st = NULL;

	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
		fail(db, sql);
	return st;
}

/* All rows of a query, to be bound again. */
struct rows {
	sqlite3_value **values;
	size_t n;
	int columns;
};

static struct rows read_rows(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *st = prepare(db, sql);
	struct rows rows = { .columns = sqlite3_column_count(st) };
	size_t cap = 0, columns = (size_t)rows.columns;

	while (sqlite3_step(st) == SQLITE_ROW) {
		if (rows.n == cap) {
			cap = cap ? cap * 2 : 1024;
			rows.values = realloc(rows.values, cap * columns * sizeof(sqlite3_value *));
			if (!rows.values)
				fail(NULL, "out of memory");
		}
		for (size_t i = 0; i < columns; i++)
			rows.values[rows.n * columns + i] = sqlite3_value_dup(
				sqlite3_column_value(st, (int)i));
		rows.n++;
	}
	sqlite3_finalize(st);
	return rows;
}

static void rows_release(struct rows *rows)
{
	for (size_t i = 0; i < rows->n * (size_t)rows->columns; i++)
		sqlite3_value_free(rows->values[i]);
	free(rows->values);
}

static void insert(sqlite3 *db, sqlite3_stmt *st, const struct rows *rows, size_t at)
{
	for (int i = 0; i < rows->columns; i++)
		sqlite3_bind_value(st, i + 1, rows->values[at * (size_t)rows->columns + (size_t)i]);
	if (sqlite3_step(st) != SQLITE_DONE)
		fail(db, "insert");
	sqlite3_reset(st);
}

/* Same tables and indexes. */
static void copy_schema(sqlite3 *from, sqlite3 *to)
{
	sqlite3_stmt *st = prepare(from, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL "
					 "AND name NOT LIKE 'sqlite_%' ORDER BY type DESC");

	while (sqlite3_step(st) == SQLITE_ROW)
		run_sql(to, (const char *)sqlite3_column_text(st, 0));
	sqlite3_finalize(st);
}

static struct spent insert_all(const char *filled, const char *fresh)
{
	sqlite3 *from = NULL, *to = NULL;
	struct rows raws, samples;
	sqlite3_stmt *add_raw, *add_sample;
	struct spent start;

	if (sqlite3_open_v2(filled, &from, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK ||
	    sqlite3_open(fresh, &to) != SQLITE_OK)
		fail(from, "open");
	run_sql(to, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
	copy_schema(from, to);
	samples = read_rows(from, "SELECT * FROM sample ORDER BY time, drive");
	raws = read_rows(from, "SELECT raw.* FROM raw ORDER BY number, drive");
	add_sample = prepare(to, "INSERT INTO sample VALUES (?, ?, ?, ?, ?, ?, ?)");
	add_raw = prepare(to, "INSERT INTO raw VALUES (?, ?, ?, ?)");
	start = now();
	for (size_t i = 0; i < samples.n; i++) {
		if (i % BATCH == 0)
			run_sql(to, i ? "COMMIT; BEGIN" : "BEGIN");
		if (i < raws.n)
			insert(to, add_raw, &raws, i);
		insert(to, add_sample, &samples, i);
	}
	run_sql(to, "COMMIT");
	start = since(start);
	sqlite3_finalize(add_raw);
	sqlite3_finalize(add_sample);
	rows_release(&raws);
	rows_release(&samples);
	sqlite3_close(from);
	sqlite3_close(to);
	return start;
}

int main(int argc, char **argv)
{
	struct spent parsing, inserting;
	size_t len, lines;
	char *text;

	if (argc != 4) {
		fprintf(stderr, "usage: bench_import LINES FILLED.db NEW.db\n");
		return 64;
	}
	text = read_file(argv[1], &len);
	parsing = now();
	lines = parse_lines(text, len);
	parsing = since(parsing);
	free(text);
	inserting = insert_all(argv[2], argv[3]);
	printf("{\"lines\": %zu, \"bytes\": %zu, \"parse_cpu\": %.3f, \"parse_clock\": %.3f, "
	       "\"insert_cpu\": %.3f, \"insert_clock\": %.3f}\n",
	       lines, len, parsing.cpu, parsing.clock, inserting.cpu, inserting.clock);
	return 0;
}
