/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ftl/request_writer.h"
#include "ftl/simulation.h"
#include "ftl/trace_map.h"

/* --- tables of accesses ------------------------------------------------------------------------
 */

static int parse(const char *text, struct access_table *ret, struct diag *d)
{
	return access_table_parse(bytes_of(text, strlen(text)), "t", ret, d);
}

static void test_table(void **state)
{
	struct access_table t = { 0 };

	(void)state;
	assert_int_equal(parse("# as IOmeter's: 2 sizes\r\nsize,share,read,random,align\r\n"
			       "4KiB,50%,0.25,100%,512\r\n64KiB,0.5,0,0.5,\r\n",
			       &t, NULL),
			 0);
	assert_int_equal(t.n, 4);
	assert_int_equal(t.rows[0].op, REQUEST_WRITE);
	assert_false(t.rows[0].sequential);
	assert_int_equal(t.rows[0].bytes, 4096);
	assert_int_equal(t.rows[0].align, 512);
	assert_true(fabs(t.rows[0].share - (0.375)) < 1e-12);
	assert_int_equal(t.rows[1].op, REQUEST_READ);
	assert_true(fabs(t.rows[1].share - (0.125)) < 1e-12);
	assert_true(t.rows[2].sequential);
	assert_int_equal(t.rows[2].align, 65536);
	assert_true(fabs(t.rows[2].share + t.rows[3].share - (0.5)) < 1e-12);
	access_table_release(&t);
}

static void test_table_mistakes(void **state)
{
	static const struct {
		const char *text, *error;
	} rows[] = {
		{ "", "t: nothing in this table of accesses" },
		{ "bytes,share,op\n4096,1,read\n", "t: no writes in this table of accesses" },
		{ "bytes,share,orde\n", "t:1: there is no column 'orde'; did you mean order; the "
					"first line has the titles "
					"bytes, op, order, requests or share, align" },
		{ "bytes,op\n", "t:1: the columns bytes, and share or requests, are needed" },
		{ "bytes,share,bytes\n", "t:1: a second column 'bytes'" },
		{ "bytes,share,op,read\n",
		  "t:1: op and read say the same, and order and random: one of each" },
		{ "bytes,share\n\n-1,1\n",
		  "t:3: the size '-1' is no size from 1 to 1TiB, as 4KiB" },
		{ "bytes,share\n0,1\n", "t:2: the size '0' is no size from 1 to 1TiB, as 4KiB" },
		{ "bytes,share\n1,1.5\n",
		  "t:2: the share '1.5' is none from 0 to 1, as 0.67 or 67%" },
		{ "bytes,share,op\n1,1,erase\n",
		  "t:2: there is no op 'erase'; there are read, write and trim" },
		{ "bytes,share\n1,1,1\n", "t:2: 3 values for 2 columns" },
		{ "bytes,requests\n1,x\n", "t:2: the number of requests 'x' is no whole number" },
	};
	struct access_table t = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct diag d = { 0 };

		assert_int_equal(parse(rows[i].text, &t, &d), -EINVAL);
		assert_string_equal(d.text, rows[i].error);
		assert_null(t.rows);
	}
}

/* A workload that follows a table is summarised to the same table. */
static void test_summary_of_a_table(void **state)
{
	static const char text[] = "bytes,op,order,share,align\n"
				   "512,write,random,0.1,512\n"
				   "4096,read,random,0.3,4096\n"
				   "4096,write,sequential,0.2,4096\n"
				   "65536,write,random,0.25,8192\n"
				   "65536,read,sequential,0.05,512\n"
				   "1048576,trim,random,0.1,1048576\n";
	struct access_counter *counter = calloc(1, sizeof(*counter));
	struct request_mix mix = { 0 };
	struct workload w = { .kind = WORKLOAD_SIZES };
	struct access_table got = { 0 };
	struct source s;
	const int n = 200000;

	(void)state;
	assert_int_equal(parse(text, &mix.table, NULL), 0);
	assert_int_equal(source_start(&s, &w, &mix, UINT64_C(1) << 40, 3, NULL), 0);
	for (int i = 0; i < n; i++) {
		struct request r;

		assert_int_equal(source_next(&s, &r), 1);
		access_count(counter, &r);
	}
	assert_int_equal(access_counted(counter, &got), 0);
	assert_true(got.n >= mix.table.n);
	for (size_t i = 0; i < got.n; i++) {
		double p = 0;

		/* the first of an operation, and one at the drive's end, cannot go on */
		if (got.rows[i].requests < 5)
			continue;

		for (size_t k = 0; k < mix.table.n; k++)
			if (mix.table.rows[k].bytes == got.rows[i].bytes &&
			    mix.table.rows[k].op == got.rows[i].op &&
			    mix.table.rows[k].sequential == got.rows[i].sequential)
				p = mix.table.rows[k].share;
		/* within four deviations */
		assert_true(fabs(got.rows[i].share - p) < 4 * sqrt(p * (1 - p) / n));
		if (!got.rows[i].sequential)
			assert_true(got.rows[i].align >= 512);
	}
	free(counter);
	access_table_release(&mix.table);
	access_table_release(&got);
}

/* More sizes than there is room for count as powers of two; none is lost. */
static void test_summary_of_many_sizes(void **state)
{
	struct access_counter *counter = calloc(1, sizeof(*counter));
	struct access_table t = { 0 };
	uint64_t sum = 0;

	(void)state;
	for (uint64_t i = 1; i <= 5000; i++)
		access_count(counter, &(struct request){ .op = REQUEST_READ, .bytes = i * 3 });
	access_count(counter, &(struct request){ .op = REQUEST_TRIM, .bytes = UINT64_MAX });
	assert_int_equal(access_counted(counter, &t), 0);
	assert_true(t.n <= ACCESS_SIZES_MAX + 64);
	for (size_t i = 0; i < t.n; i++) {
		sum += t.rows[i].requests;
		assert_true(!i || t.rows[i].bytes > t.rows[i - 1].bytes);
	}
	assert_int_equal(sum, 5001);
	assert_true(counter->rounded > 3900);
	free(counter);
	access_table_release(&t);
}

/* --- places of a trace -------------------------------------------------------------------------
 */

#define PAGE 4096u

static struct trace_map map;

static void assert_parts(uint64_t offset, uint64_t bytes, enum request_op op, size_t n,
			 const uint64_t (*parts)[2])
{
	struct request part;

	assert_int_equal(trace_map_take(&map, &(struct request){ op, offset, bytes, true, 77 }), 0);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(trace_map_next(&map, &part), 1);
		assert_int_equal(part.offset, parts[i][0]);
		assert_int_equal(part.bytes, parts[i][1]);
		assert_int_equal(part.op, op);
		assert_int_equal(part.time_ns, 77);
	}
	assert_int_equal(trace_map_next(&map, &part), 0);
}

#define PARTS(offset, bytes, op, ...)                                                      \
	do {                                                                               \
		static const uint64_t parts_[][2] = { __VA_ARGS__ };                       \
		assert_parts(offset, bytes, op, sizeof(parts_) / sizeof(*parts_), parts_); \
	} while (0)

static void test_fold(void **state)
{
	(void)state;
	trace_map_start(&map, TRACE_MAP_FOLD, 10 * PAGE, PAGE, 10);
	PARTS(12 * PAGE + 5, 100, REQUEST_WRITE, { 2 * PAGE + 5, 100 });
	PARTS(19 * PAGE, 2 * PAGE, REQUEST_WRITE, { 9 * PAGE, PAGE }, { 0, PAGE });
	/* more than all of it is all of it */
	PARTS(15 * PAGE, 500 * PAGE, REQUEST_TRIM, { 5 * PAGE, 5 * PAGE }, { 0, 5 * PAGE });
	trace_map_release(&map);
}

static void test_none(void **state)
{
	struct request r = { REQUEST_WRITE, 9 * PAGE, PAGE + 1, false, 0 };

	(void)state;
	trace_map_start(&map, TRACE_MAP_NONE, 10 * PAGE, PAGE, 10);
	PARTS(9 * PAGE, PAGE, REQUEST_WRITE, { 9 * PAGE, PAGE });
	assert_int_equal(trace_map_take(&map, &r), -ERANGE);
	r.offset = UINT64_MAX - 10;
	r.bytes = 5;
	assert_int_equal(trace_map_take(&map, &r), -ERANGE);
	trace_map_release(&map);
}

static void test_compact(void **state)
{
	const uint64_t far = UINT64_C(1) << 50;
	struct request part;

	(void)state;
	trace_map_start(&map, TRACE_MAP_COMPACT, 6 * PAGE, PAGE, 6);
	PARTS(far + 100, 2 * PAGE, REQUEST_WRITE, { 100, 2 * PAGE }); /* 0, 1, 2 */
	PARTS(0, 1, REQUEST_READ, { 3 * PAGE, 1 });		      /* 3 */
	PARTS(far - PAGE, 3 * PAGE, REQUEST_WRITE, { 4 * PAGE, PAGE }, { 0, 2 * PAGE }); /* 4 */
	PARTS(far + 1, 10, REQUEST_READ, { 1, 10 });
	/* of a trim, whole pages that were touched */
	PARTS(far - 5 * PAGE + 1, 6 * PAGE, REQUEST_TRIM, { 4 * PAGE, PAGE }, { 0, PAGE });
	assert_parts(far + 1, PAGE, REQUEST_TRIM, 0, NULL);
	assert_parts(5, UINT64_C(1) << 49, REQUEST_TRIM, 0, NULL);
	PARTS(0, UINT64_MAX, REQUEST_TRIM, { 0, 5 * PAGE });
	/* one number is left */
	assert_int_equal(trace_map_take(&map, &(struct request){ REQUEST_WRITE, far + 100 * PAGE,
								 2 * PAGE, false, 0 }),
			 0);
	assert_int_equal(trace_map_next(&map, &part), -ENOSPC);
	assert_int_equal(map.n, 6);
	trace_map_release(&map);
}

/* Compact is one to one, against an array of what was seen. */
static void test_compact_is_one_to_one(void **state)
{
	enum { TRACE_PAGES = 5000, REQUESTS = 4000 };
	uint32_t *number = malloc(TRACE_PAGES * sizeof(*number)), next = 0;
	struct rng rng;

	(void)state;
	memset(number, 0xff, TRACE_PAGES * sizeof(*number));
	rng_seed(&rng, 5, 0);
	trace_map_start(&map, TRACE_MAP_COMPACT, (uint64_t)TRACE_PAGES * PAGE, PAGE, TRACE_PAGES);
	for (int i = 0; i < REQUESTS; i++) {
		uint64_t first = rng_below(&rng, TRACE_PAGES - 8), n = 1 + rng_below(&rng, 8);
		struct request part;
		uint64_t at = first;

		assert_int_equal(
			trace_map_take(&map, &(struct request){ REQUEST_WRITE, first * PAGE,
								n * PAGE, false, 0 }),
			0);
		while (trace_map_next(&map, &part) == 1) {
			for (uint64_t k = 0; k < part.bytes / PAGE; k++, at++) {
				number[at] = number[at] == UINT32_MAX ? next++ : number[at];
				assert_int_equal(part.offset / PAGE + k, number[at]);
			}
		}
		assert_int_equal(at, first + n);
	}
	assert_int_equal(map.n, next);
	trace_map_release(&map);
	free(number);
}

/* --- requests on a device ----------------------------------------------------------------------
 */

struct list {
	const struct request *requests;
	size_t n, at;
};

static int next_of_list(void *state, struct request *ret)
{
	struct list *l = state;

	if (l->at == l->n)
		return 0;
	*ret = l->requests[l->at++];
	return 1;
}

static struct ftl *device_of(uint32_t pages)
{
	const struct ftl_config c = {
		.logical_pages = pages, .pages_per_block = 8, .blocks = pages / 8 + 8, .classes = 1
	};
	struct ftl *f = NULL;

	assert_int_equal(ftl_new(&c, NULL, NULL, &f), 0);
	return f;
}

static struct request_totals do_requests(const struct request *requests, size_t n, bool coalesce,
					 struct ftl *f)
{
	struct list l = { requests, n, 0 };
	struct request_writer w = { .from = { next_of_list, &l },
				    .page_bytes = PAGE,
				    .coalesce = coalesce };

	while (!w.failed)
		request_writer_run(&w, f, 1);
	assert_int_equal(w.failed, -ENODATA);
	return w.totals;
}

static void test_partial_pages(void **state)
{
	static const struct request requests[] = {
		{ REQUEST_WRITE, 0, 2 * PAGE, false, 0 },      /* whole pages 0, 1 */
		{ REQUEST_WRITE, 512, 512, false, 0 },	       /* within 0, in use */
		{ REQUEST_WRITE, PAGE + 512, PAGE, false, 0 }, /* the end of 1, the start of 2 */
		{ REQUEST_WRITE, 5 * PAGE - 1, PAGE + 2, false, 0 }, /* 4, all of 5, 6 */
		{ REQUEST_READ, PAGE - 1, 2, false, 0 },	     /* 0 and 1 */
		{ REQUEST_TRIM, 1, 2 * PAGE, false, 0 },	     /* all of 1 */
		{ REQUEST_TRIM, 2 * PAGE, PAGE - 1, false, 0 },	     /* no whole page */
	};
	struct ftl *f = device_of(64);
	struct request_totals t = do_requests(requests, sizeof(requests) / sizeof(*requests), false,
					      f);

	(void)state;
	assert_int_equal(t.writes, 4);
	assert_int_equal(t.written_bytes, 2 * PAGE + 512 + PAGE + PAGE + 2);
	assert_int_equal(ftl_totals_of(f)->host_writes, 2 + 1 + 2 + 3);
	assert_int_equal(t.partial_pages, 1 + 2 + 2);
	assert_int_equal(t.modified_pages, 2);
	assert_int_equal(t.reads, 1);
	assert_int_equal(t.trims, 2);
	assert_int_equal(ftl_totals_of(f)->trims, 1);
	assert_int_equal(ftl_pages_in_use(f), 5);
	ftl_free(f);
}

static void test_coalesced_pages(void **state)
{
	struct request requests[9];
	struct ftl *f = device_of(64);
	struct request_totals t;

	(void)state;
	/* eight parts of a page one after the other, then one elsewhere that ends within a page */
	for (unsigned i = 0; i < 8; i++)
		requests[i] = (struct request){ REQUEST_WRITE, i * 512, 512, false, 0 };
	requests[8] = (struct request){ REQUEST_WRITE, 10 * PAGE, PAGE + 512, false, 0 };
	t = do_requests(requests, 9, true, f);
	assert_int_equal(ftl_totals_of(f)->host_writes, 2);
	assert_int_equal(t.partial_pages, 0);
	assert_int_equal(t.coalesced_pages, 1);
	ftl_free(f);

	f = device_of(64);
	requests[8].offset = 20 * PAGE;
	t = do_requests(requests, 7, true, f); /* not full: it waits */
	assert_int_equal(ftl_totals_of(f)->host_writes, 0);
	requests[7] = requests[8];
	t = do_requests(requests, 8, true, f); /* and is written when another comes */
	assert_int_equal(ftl_totals_of(f)->host_writes, 2);
	assert_int_equal(t.partial_pages, 1);
	ftl_free(f);
}

/* Requests of whole pages, one each, are what the workload by pages is. */
static void test_same_as_by_pages(void **state)
{
	static const char *const workloads[] = { "uniform", "hotcold:0.1,0.9", "zipf:0.9" };
	double waf[2];

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		struct simulation_config c = {
			.device = { .logical_pages = 20000, .pages_per_block = 32 },
			.page_bytes = PAGE,
			.spare = .1,
			.engine = ENGINE_PAGES,
			.end = END_WRITES,
			.writes = 200000,
			.has_warmup = true,
			.warmup = 100000,
			.seed = 1,
			.mix.reads = i % 2 ? 0.5 : 0,
		};
		struct simulation_result result;
		struct simulation *s = NULL;

		assert_int_equal(workload_parse(workloads[i / 2], &c.workload, NULL), 0);
		assert_int_equal(simulation_plan(&c, NULL), 0);
		assert_int_equal(c.by_requests, i % 2);
		assert_int_equal(simulation_new(&c, NULL, NULL, &s), 0);
		while (simulation_step(s, 4096))
			;
		simulation_result_of(s, &result);
		assert_int_equal(result.measured.host_writes, 200000);
		waf[i % 2] = result.waf.mean;
		if (i % 2) {
			assert_true(fabs(waf[1] / waf[0] - 1) < 0.01);
			assert_true(fabs((double)result.requests.reads / 200000 - 1) < 0.02);
			assert_int_equal(result.requests.partial_pages, 0);
		}
		simulation_free(s);
	}
}

/* What holds no data is spare: the same drive without it. */
static void test_fill(void **state)
{
	double waf[2];

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct simulation_config c = {
			.device = { .logical_pages = i ? 32000 : 25600, .pages_per_block = 64 },
			.page_bytes = PAGE,
			.spare = i ? 0.1 : 0.28,
			.fill = i ? 0.8 : 1,
			.precision = 0.005,
			.seed = 1,
		};
		struct simulation_result result;
		struct simulation *s = NULL;

		assert_int_equal(simulation_plan(&c, NULL), 0);
		assert_int_equal(c.device.logical_pages, 25600);
		assert_int_equal(c.capacity_pages, i ? 32000 : 25600);
		assert_int_equal(simulation_new(&c, NULL, NULL, &s), 0);
		while (simulation_step(s, 1 << 20))
			;
		simulation_result_of(s, &result);
		waf[i] = result.waf.mean;
		simulation_free(s);
	}
	assert_true(fabs(waf[1] / waf[0] - 1) < 0.015);
}

static void test_impossible(void **state)
{
	static const struct {
		struct request_mix mix;
		double fill;
		const char *error;
	} rows[] = {
		{ { .reads = 0.9, .trims = 0.1 },
		  1,
		  "a share of 0.9 reads and 0.1 trims leaves no writes: 0.999 together is "
		  "possible" },
		{ { .bytes = 1 << 20 },
		  1,
		  "a request of 1048576 bytes from byte 0 on is beyond the 409600 bytes that hold "
		  "data; a drive of 1048576 bytes at least is needed" },
		{ { .start = 409600 },
		  1,
		  "a request of 4096 bytes from byte 409600 on is beyond the 409600 bytes that "
		  "hold "
		  "data; a drive of 413696 bytes at least is needed" },
		{ { 0 }, 0.001, "0.001 of 100 pages is none; 0.01 is possible" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct simulation_config c = {
			.device = { .logical_pages = 100, .pages_per_block = 8 },
			.page_bytes = PAGE,
			.spare = .3,
			.mix = rows[i].mix,
			.fill = rows[i].fill,
		};
		struct diag d = { 0 };

		assert_int_equal(simulation_plan(&c, &d), -EINVAL);
		assert_string_equal(d.text, rows[i].error);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_table_mistakes),
		cmocka_unit_test(test_summary_of_a_table),
		cmocka_unit_test(test_summary_of_many_sizes),
		cmocka_unit_test(test_fold),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_compact),
		cmocka_unit_test(test_compact_is_one_to_one),
		cmocka_unit_test(test_partial_pages),
		cmocka_unit_test(test_coalesced_pages),
		cmocka_unit_test(test_same_as_by_pages),
		cmocka_unit_test(test_fill),
		cmocka_unit_test(test_impossible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
