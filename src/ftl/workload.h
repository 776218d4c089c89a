/* SPDX-License-Identifier: MIT */
#ifndef FTL_WORKLOAD_H
#define FTL_WORKLOAD_H

#include <stdint.h>

#include "base/diag.h"
#include "base/rng.h"

/*
 * Which logical pages the host writes, by name:
 *
 *   uniform        any page
 *   sequential     all pages in order, again and again
 *   hotcold:F,R    a share F of the pages gets a share R of the writes, uniformly within each
 *   zipf:S         page k is written in proportion to 1 / k^S
 *   jesd219        the enterprise mix of JESD219 (2010): 50, 30 and 20 % of the requests go to the
 *                  first 5, next 15 and last 80 % of the pages, in sizes of 512 bytes to 64 KiB
 *   sizes:FILE     requests as a table says: sizes, operations, order (access.h)
 *   trace:FILE     requests of a trace (trace.h), again and again
 *
 * X(enumerator, name, its arguments or "", one line for people)
 */
#define WORKLOADS(X)                                                                             \
	X(WORKLOAD_UNIFORM, "uniform", "", "any page")                                           \
	X(WORKLOAD_SEQUENTIAL, "sequential", "", "all pages in order")                           \
	X(WORKLOAD_HOTCOLD, "hotcold", "F,R", "share F of the pages gets share R of the writes") \
	X(WORKLOAD_ZIPF, "zipf", "S", "page k in proportion to 1 / k^S")                         \
	X(WORKLOAD_JESD219, "jesd219", "", "the JESD219 enterprise mix")                         \
	X(WORKLOAD_SIZES, "sizes", "FILE", "as a table of sizes says")                           \
	X(WORKLOAD_TRACE, "trace", "FILE", "as a trace says")

enum workload_kind {
#define X(e, name, arguments, help) e,
	WORKLOADS(X)
#undef X
		WORKLOAD_COUNT
};

#define WORKLOAD_GROUPS_MAX 3

struct workload {
	enum workload_kind kind;
	double hot_pages, hot_writes; /* shares, of hotcold */
	double exponent;	      /* of zipf */
	const char *file;	      /* of sizes and trace; the text's own */
};

/* -EINVAL with the reason and the near name in d. */
int workload_parse(const char *text, struct workload *ret, struct diag *d) MUST_USE;

#define WORKLOAD_TEXT_MAX 512
const char *workload_text(const struct workload *w, char buf[WORKLOAD_TEXT_MAX]);

/*
 * Groups of logical pages, each written uniformly (of zipf: the pages that get one half of the
 * writes, and the rest). ret_end gets the first page behind each group. 1 where there is no telling
 * apart.
 */
unsigned workload_groups(const struct workload *w, uint32_t pages,
			 uint32_t ret_end[WORKLOAD_GROUPS_MAX],
			 double ret_share[WORKLOAD_GROUPS_MAX]);

/* A source of writes. The same seed gives the same pages on every machine. */
struct writer {
	struct workload workload;
	uint32_t pages, page_bytes;
	struct rng random;
	uint32_t next, left; /* of a request, or of the sequence */
	uint64_t bytes;	     /* that the host asked to write, of the pages given so far */
	uint32_t end[WORKLOAD_GROUPS_MAX];
	double share[WORKLOAD_GROUPS_MAX];
	unsigned groups;
	double zipf_first, zipf_last, zipf_skip; /* see workload_zipf.c */
};

void writer_start(struct writer *w, const struct workload *workload, uint32_t pages,
		  uint32_t page_bytes, uint64_t seed);

/* The next n pages. */
void writer_next(struct writer *w, uint32_t *ret_pages, uint32_t n);

/*
 * One place of the workload, as one page of writer_next but in groups of jesd219 too; not of sizes
 * and trace.
 */
uint32_t writer_place(struct writer *w);

/* Bytes of a request of JESD219. */
#define JESD219_BYTES_MAX 65536
uint32_t jesd219_size(struct rng *random);

/* zipf.c */
void zipf_start(struct writer *w);
uint32_t zipf_next(struct writer *w);
/* The sum of 1 / k^exponent of n pages; page `first` is k = first + 1. */
double zipf_weight(double exponent, uint32_t first, uint32_t n);
/* The share of the writes that pages 0..n-1 get. */
double zipf_share(double exponent, uint32_t pages, uint32_t n);

#endif
