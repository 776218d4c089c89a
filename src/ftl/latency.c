/* SPDX-License-Identifier: MIT */
#include "ftl/latency.h"

/* The middle of a bucket. */
static uint64_t bucket_ns(unsigned bucket)
{
	unsigned octave;
	uint64_t low;

	if (bucket < LATENCY_STEPS)
		return bucket;
	octave = bucket / LATENCY_STEPS - 1;
	low = (uint64_t)(bucket % LATENCY_STEPS + LATENCY_STEPS) << octave;
	return low + ((uint64_t)1 << octave) / 2;
}

static uint64_t within(const struct latency *l, uint64_t ns)
{
	return ns < l->least_ns ? l->least_ns : ns > l->most_ns ? l->most_ns : ns;
}

uint64_t latency_percentile(const struct latency *l, uint32_t ppm)
{
	uint64_t rank = (uint64_t)(((unsigned __int128)l->n * ppm + 999999) / 1000000), sum = 0;

	if (!l->n)
		return 0;
	rank = rank ? rank : 1;
	for (unsigned i = 0; i < LATENCY_BUCKETS; i++) {
		sum += l->buckets[i];
		if (sum >= rank)
			return within(l, bucket_ns(i));
	}
	return l->most_ns;
}

struct latency_summary latency_summarise(const struct latency *l)
{
	return (struct latency_summary){
		.n = l->n,
		.mean_ns = l->n ? l->sum_ns / l->n : 0,
		.least_ns = l->least_ns,
		.most_ns = l->most_ns,
		.p50_ns = latency_percentile(l, 500000),
		.p90_ns = latency_percentile(l, 900000),
		.p99_ns = latency_percentile(l, 990000),
		.p999_ns = latency_percentile(l, 999000),
		.p9999_ns = latency_percentile(l, 999900),
	};
}
