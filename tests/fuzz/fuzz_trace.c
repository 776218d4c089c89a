/* SPDX-License-Identifier: MIT */
/* Any bytes as a trace and as a table of accesses: the pieces make no difference, requests lie
 * within 64 bits, times never go back, and a compact map keeps within its numbers. */
#include <errno.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "ftl/access.h"
#include "ftl/trace.h"
#include "ftl/trace_map.h"

#define PAGES 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct sum {
	uint64_t n, hash, bad, last_ns;
	int end;
};

static void map_request(struct trace_map *map, const struct request *r)
{
	struct request part;
	int got = trace_map_take(map, r);

	while (!got && (got = trace_map_next(map, &part)) == 1) {
		if (!part.bytes || part.offset >= map->capacity ||
		    part.bytes > map->capacity - part.offset)
			abort();
		got = 0;
	}
}

static struct sum read_all(const uint8_t *data, size_t size, size_t piece, struct trace_map *map)
{
	static struct trace t;
	const struct trace_options o = { .skip_bad = true };
	struct sum s = { 0 };
	struct diag d = { 0 };
	size_t at = 0;

	trace_start(&t, "fuzz", &o);
	for (;;) {
		struct request r;

		s.end = trace_next(&t, &r, &d);
		if (s.end == 1) {
			if (!r.bytes || r.offset > UINT64_MAX - r.bytes || r.time_ns < s.last_ns)
				abort();
			s.last_ns = r.time_ns;
			s.n++;
			s.hash = (s.hash ^ r.offset ^ r.bytes << 7 ^ (uint64_t)r.op << 3) *
				 UINT64_C(0x9e3779b97f4a7c15);
			map_request(map, &r);
		} else if (s.end == -EAGAIN) {
			size_t n = size - at < piece ? size - at : piece;

			if (!n)
				trace_end(&t);
			at += trace_push(&t, data + at, n);
		} else {
			s.bad = t.counts.bad;
			return s;
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct access_table table = { 0 };
	struct trace_map compact, fold;
	struct diag d = { 0 };
	struct sum a, b;

	trace_map_start(&compact, TRACE_MAP_COMPACT, PAGES * 4096, 4096, PAGES);
	trace_map_start(&fold, TRACE_MAP_FOLD, PAGES * 4096, 4096, PAGES);
	a = read_all(data, size, SIZE_MAX, &compact);
	b = read_all(data, size, 7, &fold);
	if (a.n != b.n || a.hash != b.hash || a.bad != b.bad || a.end != b.end)
		abort();
	trace_map_release(&compact);
	trace_map_release(&fold);
	if (!access_table_parse(bytes_of(data, size), "fuzz", &table, &d) &&
	    (!table.n || table.n > ACCESS_ROWS_MAX))
		abort();
	access_table_release(&table);
	return 0;
}
