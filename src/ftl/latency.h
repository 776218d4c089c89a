/* SPDX-License-Identifier: MIT */
#ifndef FTL_LATENCY_H
#define FTL_LATENCY_H

#include <stdint.h>

/*
 * A histogram of durations: values below 64 ns each for themselves, above in 64 steps an octave, so
 * that a value read from it is within 0.8 % of the true one.
 */
#define LATENCY_STEPS	64
#define LATENCY_OCTAVES 59
#define LATENCY_BUCKETS (LATENCY_STEPS * LATENCY_OCTAVES)

struct latency {
	uint64_t n, sum_ns, least_ns, most_ns;
	uint64_t buckets[LATENCY_BUCKETS];
};

static inline unsigned latency_bucket(uint64_t ns)
{
	unsigned octave;

	if (ns < LATENCY_STEPS)
		return (unsigned)ns;
	octave = 63u - (unsigned)__builtin_clzll(ns) - 6;
	return (octave + 1) * LATENCY_STEPS + (unsigned)(ns >> octave) - LATENCY_STEPS;
}

static inline void latency_add(struct latency *l, uint64_t ns)
{
	l->least_ns = l->n && l->least_ns < ns ? l->least_ns : ns;
	l->most_ns = ns > l->most_ns ? ns : l->most_ns;
	l->n++;
	l->sum_ns += ns;
	l->buckets[latency_bucket(ns)]++;
}

/*
 * The least duration that a share of ppm millionths of all does not exceed (500,000: the median);
 * 0 where there are none.
 */
uint64_t latency_percentile(const struct latency *l, uint32_t ppm);

struct latency_summary {
	uint64_t n;
	uint64_t mean_ns, least_ns, most_ns;
	uint64_t p50_ns, p90_ns, p99_ns, p999_ns, p9999_ns;
};

struct latency_summary latency_summarise(const struct latency *l);

#endif
