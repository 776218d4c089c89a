/* SPDX-License-Identifier: MIT */
/*
 * Speed of the simulator's device as ratios against a yardstick, taken in turns in one run. The
 * yardstick is a page-mapped greedy simulator that can do nothing else: arrays, bucket lists,
 * prefetching, every size a power of two but the number of blocks.
 *
 *   bench_ftl         a device of 4 GiB; exits 1 where a bound is broken
 *   bench_ftl large   and one of 1 TiB, which takes 2.3 GB of memory
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/rng.h"
#include "ftl/ftl.h"

#define B     256u /* pages a block */
#define BITS  8
#define BATCH 64
#define NONE  UINT32_MAX

/* --- memory in huge pages, for all alike ------------------------------------------------------ */

static void *huge_get(void *owner, size_t bytes)
{
	void *p = mmap(NULL, bytes + (2 << 20), PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	(void)owner;
	if (p == MAP_FAILED)
		return NULL;
	madvise(p, bytes + (2 << 20), MADV_HUGEPAGE);
	return p;
}

static void huge_put(void *owner, void *p, size_t bytes)
{
	(void)owner;
	munmap(p, bytes + (2 << 20));
}

static const struct ftl_memory huge = { huge_get, huge_put, NULL };

/* --- the yardstick -----------------------------------------------------------------------------
 */

struct link {
	uint32_t prev, next, valid;
};

struct yardstick {
	uint32_t pages, blocks;
	uint32_t *map, *back;
	uint64_t *live;
	struct link *links; /* blocks, then a list head a count */
	uint32_t open, next, spare, least;
	uint64_t host, moved;
	struct rng random;
};

static void unlink_block(struct link *l, uint32_t x)
{
	l[l[x].prev].next = l[x].next;
	l[l[x].next].prev = l[x].prev;
}

static void push_block(struct link *l, uint32_t head, uint32_t x)
{
	uint32_t first = l[head].next;

	l[x].prev = head;
	l[x].next = first;
	l[head].next = x;
	l[first].prev = x;
}

static void yardstick_collect(struct yardstick *y)
{
	struct link *l = y->links;
	uint32_t pages[B], n = 0, victim, open = y->spare;
	uint32_t *from, *to = y->back + (size_t)open * B;

	while (l[y->blocks + y->least].next == y->blocks + y->least)
		y->least++;
	victim = l[y->blocks + y->least].next;
	unlink_block(l, victim);
	from = y->back + (size_t)victim * B;
	for (unsigned w = 0; w < B / 64; w++) {
		for (uint64_t bits = y->live[victim * (B / 64) + w]; bits; bits &= bits - 1) {
			uint32_t page = from[w * 64 + (unsigned)__builtin_ctzll(bits)];

			__builtin_prefetch(&y->map[page], 1);
			pages[n++] = page;
		}
	}
	for (uint32_t i = 0; i < n; i++) {
		to[i] = pages[i];
		y->map[pages[i]] = open * B + i;
	}
	memset(y->live + (size_t)open * (B / 64), 0xff, B / 8);
	l[open].valid = n;
	y->moved += n;
	y->open = open;
	y->next = n;
	y->spare = victim;
}

static void yardstick_write(struct yardstick *y, const uint32_t *pages, uint32_t n)
{
	struct link *l = y->links;
	uint32_t *map = y->map;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t old = map[pages[i]];

		__builtin_prefetch(&l[old / B], 1);
		__builtin_prefetch(&y->live[old / 64], 1);
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t page = pages[i], old, block;

		if (y->next == B) {
			push_block(l, y->blocks + l[y->open].valid, y->open);
			y->least = l[y->open].valid < y->least ? l[y->open].valid : y->least;
			yardstick_collect(y);
		}
		old = map[page];
		block = old / B;
		map[page] = y->open * B + y->next;
		y->back[y->open * B + y->next++] = page;
		l[y->open].valid++;
		y->live[old / 64] &= ~((uint64_t)1 << old % 64);
		l[block].valid--;
		if (block == y->open)
			continue;
		unlink_block(l, block);
		push_block(l, y->blocks + l[block].valid, block);
		y->least = l[block].valid < y->least ? l[block].valid : y->least;
	}
	y->host += n;
}

static bool yardstick_new(struct yardstick *y, uint32_t pages, uint32_t blocks)
{
	*y = (struct yardstick){ .pages = pages, .blocks = blocks };
	y->map = huge_get(NULL, pages * sizeof(uint32_t));
	y->back = huge_get(NULL, (size_t)blocks * B * sizeof(uint32_t));
	y->live = huge_get(NULL, (size_t)blocks * B / 8);
	y->links = huge_get(NULL, ((size_t)blocks + B + 1) * sizeof(struct link));
	if (!y->map || !y->back || !y->live || !y->links)
		return false;
	rng_seed(&y->random, 1, 0);
	for (uint32_t i = blocks; i <= blocks + B; i++)
		y->links[i].prev = y->links[i].next = i;
	/* written once in order, then blocks without a valid page, one open and one spare */
	memset(y->live, 0xff, pages / 8);
	for (uint32_t p = 0; p < pages; p++)
		y->map[p] = y->back[p] = p;
	for (uint32_t block = 0; block < blocks - 2; block++) {
		y->links[block].valid = block < pages / B ? B : 0;
		push_block(y->links, blocks + y->links[block].valid, block);
	}
	y->open = blocks - 2;
	y->spare = blocks - 1;
	memset(y->live + (size_t)y->open * (B / 64), 0xff, B / 8);
	return true;
}

static void yardstick_free(struct yardstick *y)
{
	huge_put(NULL, y->map, y->pages * sizeof(uint32_t));
	huge_put(NULL, y->back, (size_t)y->blocks * B * sizeof(uint32_t));
	huge_put(NULL, y->live, (size_t)y->blocks * B / 8);
	huge_put(NULL, y->links, ((size_t)y->blocks + B + 1) * sizeof(struct link));
}

static void yardstick_run(struct yardstick *y, uint64_t n)
{
	uint32_t pages[2][BATCH];
	unsigned turn = 0;

	for (uint64_t done = 0; done < n + BATCH; done += BATCH, turn ^= 1) {
		for (unsigned i = 0; i < BATCH; i++) {
			pages[turn][i] = (uint32_t)rng_below(&y->random, y->pages);
			__builtin_prefetch(&y->map[pages[turn][i]], 1);
		}
		if (done)
			yardstick_write(y, pages[turn ^ 1], BATCH);
	}
}

/* --- the device
 * ----------------------------------------------------------------------------------- */

static struct ftl *device_new(uint32_t pages, uint32_t blocks, bool counts)
{
	struct ftl_config c = {
		.logical_pages = pages,
		.pages_per_block = B,
		.blocks = blocks,
		.classes = 1,
		.counts = counts,
		.seed = 1,
	};
	struct ftl *f = NULL;

	if (ftl_new(&c, &huge, NULL, &f) < 0)
		return NULL;
	if (counts)
		(void)!ftl_write_unused(f, pages);
	for (uint32_t p = 0; !counts && p < pages; p += BATCH) {
		uint32_t batch[BATCH];

		for (unsigned i = 0; i < BATCH; i++)
			batch[i] = p + i;
		(void)!ftl_write(f, batch, BATCH);
	}
	return f;
}

static void device_run(struct ftl *f, struct rng *rng, uint64_t n)
{
	const struct ftl_config *c = ftl_config_of(f);
	const uint32_t *map = ftl_map_of(f);
	uint32_t pages[2][BATCH];
	unsigned turn = 0;

	if (c->counts) {
		(void)!ftl_write_uniform(f, n);
		return;
	}
	for (uint64_t done = 0; done < n + BATCH; done += BATCH, turn ^= 1) {
		for (unsigned i = 0; i < BATCH; i++) {
			pages[turn][i] = (uint32_t)rng_below(rng, c->logical_pages);
			ftl_expect(map, pages[turn][i]);
		}
		if (done)
			(void)!ftl_write(f, pages[turn ^ 1], BATCH);
	}
}

/* --- measuring
 * ------------------------------------------------------------------------------------- */

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint32_t blocks_for(uint32_t pages, double op)
{
	return (uint32_t)(pages * (1 + op) / B + 0.5) + 1;
}

#define ROUNDS 9

/* Runs in turns, so that what slows the machine down slows all: seconds of each in each round. */
struct runs {
	struct yardstick *yardstick;
	struct ftl *devices[2]; /* NULL: none */
	struct rng random[2];
	double seconds[3][ROUNDS]; /* yardstick, devices */
};

static void run_all(struct runs *x, uint64_t n, int round)
{
	for (unsigned i = 0; i < 3; i++) {
		double t = cpu_seconds();

		if (i && x->devices[i - 1])
			device_run(x->devices[i - 1], &x->random[i - 1], n);
		else if (!i && x->yardstick)
			yardstick_run(x->yardstick, n);
		if (round >= 0)
			x->seconds[i][round] = cpu_seconds() - t;
	}
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double median(const double *values)
{
	double sorted[ROUNDS];

	memcpy(sorted, values, sizeof(sorted));
	qsort(sorted, ROUNDS, sizeof(*sorted), compare);
	return sorted[ROUNDS / 2];
}

static double best(const double *values)
{
	double least = values[0];

	for (unsigned i = 1; i < ROUNDS; i++)
		least = values[i] < least ? values[i] : least;
	return least;
}

/* The median over the rounds of how many times as long a took as b. */
static double times_as_long(const struct runs *x, unsigned a, unsigned b)
{
	double ratios[ROUNDS];

	for (unsigned i = 0; i < ROUNDS; i++)
		ratios[i] = x->seconds[a][i] / x->seconds[b][i];
	return median(ratios);
}

static double waf_of(const struct ftl *f)
{
	const struct ftl_totals *t = ftl_totals_of(f);

	return 1 + (double)t->programs[FTL_GC] / (double)t->host_writes;
}

static bool verdict(const char *name, double value, double bound, bool least)
{
	bool good = least ? value >= bound : value <= bound;

	printf("%-9s %-44s %7.3f  (bound %s %g)\n", good ? "ok" : "TOO SLOW", name, value,
	       least ? ">=" : "<=", bound);
	return good;
}

static bool bench_small(double op, bool first)
{
	const uint32_t pages = 1 << 20, n = 4 << 20;
	struct yardstick y;
	struct runs x = { .yardstick = &y,
			  .devices = { device_new(pages, blocks_for(pages, op), false),
				       device_new(pages, blocks_for(pages, op), true) } };
	double million = n / 1e6;
	bool good = x.devices[0] && x.devices[1] && yardstick_new(&y, pages, blocks_for(pages, op));
	char name[80];

	if (!good)
		return false;
	rng_seed(&x.random[0], 1, 0);
	run_all(&x, 2 * n, -1);
	for (int round = 0; round < ROUNDS; round++)
		run_all(&x, n, round);
	printf("4 GiB, OP %g: yardstick %.1f, pages %.1f, counts %.1f M host writes/s at best "
	       "(WAF %.3f, %.3f, %.3f)\n",
	       op, million / best(x.seconds[0]), million / best(x.seconds[1]),
	       million / best(x.seconds[2]), 1 + (double)y.moved / (double)y.host,
	       waf_of(x.devices[0]), waf_of(x.devices[1]));
	if (first)
		good &= verdict("yardstick, M host writes/s", million / best(x.seconds[0]), 25,
				true);
	snprintf(name, sizeof(name), "pages / yardstick, OP %g", op);
	good &= verdict(name, times_as_long(&x, 0, 1), 0.8, true);
	snprintf(name, sizeof(name), "counts / yardstick, OP %g", op);
	good &= verdict(name, times_as_long(&x, 0, 2), 2, true);
	yardstick_free(&y);
	ftl_free(x.devices[0]);
	ftl_free(x.devices[1]);
	return good;
}

static bool bench_large(double op)
{
	const uint32_t small = 1 << 20, large = 1 << 28, n = 4 << 20;
	struct runs x = { .devices = { device_new(small, blocks_for(small, op), false),
				       device_new(large, blocks_for(large, op), false) } };
	double million = n / 1e6;
	bool good;

	if (!x.devices[0] || !x.devices[1])
		return false;
	rng_seed(&x.random[0], 1, 0);
	rng_seed(&x.random[1], 2, 0);
	device_run(x.devices[0], &x.random[0], 2 * n);
	device_run(x.devices[1], &x.random[1], large / 4);
	for (int round = 0; round < ROUNDS; round++)
		run_all(&x, n, round);
	printf("1 TiB, OP %g: %.1f M host writes/s at best, 4 GiB %.1f (WAF %.3f, %.3f)\n", op,
	       million / best(x.seconds[2]), million / best(x.seconds[1]), waf_of(x.devices[1]),
	       waf_of(x.devices[0]));
	good = verdict("cost of a write, 1 TiB / 4 GiB", times_as_long(&x, 2, 1), 3, false);
	ftl_free(x.devices[0]);
	ftl_free(x.devices[1]);
	return good;
}

int main(int argc, char **argv)
{
	bool good = bench_small(0.07, true);

	good &= bench_small(0.28, false);
	if (argc > 1 && !strcmp(argv[1], "large")) {
		good &= bench_large(0.07);
		good &= bench_large(0.28);
	}
	return good ? 0 : 1;
}
