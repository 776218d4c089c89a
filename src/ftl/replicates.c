/* SPDX-License-Identifier: MIT */
#include "ftl/replicates.h"

#include <math.h>

/* The 97.5 % point of Student's distribution; beyond the table an expansion, within 0.1 %. */
static double student(unsigned freedom)
{
	static const double table[] = { 12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469,
					2.3646,	 2.3060, 2.2622, 2.2281, 2.2010, 2.1788,
					2.1604,	 2.1448, 2.1314, 2.1199, 2.1098, 2.1009 };
	const double z = 1.959964;

	if (freedom <= ARRAY_SIZE(table))
		return table[freedom - 1];
	return z + (z * z * z + z) / (4.0 * freedom);
}

struct interval replicates_interval(const double *means, unsigned n)
{
	struct interval v = { 0 };
	double squares = 0, half;

	for (unsigned i = 0; i < n; i++)
		v.mean += means[i] / n;
	if (n < 2)
		return v;
	for (unsigned i = 0; i < n; i++)
		squares += (means[i] - v.mean) * (means[i] - v.mean);
	half = student(n - 1) * sqrt(squares / (n - 1) / n);
	v.low = v.mean - half;
	v.high = v.mean + half;
	v.known = true;
	return v;
}

static void add_totals(struct ftl_totals *sum, const struct ftl_totals *t)
{
	sum->host_writes += t->host_writes;
	sum->trims += t->trims;
	sum->reads += t->reads;
	sum->erases += t->erases;
	for (unsigned i = 0; i < FTL_CAUSES; i++) {
		sum->programs[i] += t->programs[i];
		sum->victims[i] += t->victims[i];
	}
}

static void add_requests(struct request_totals *sum, const struct request_totals *t)
{
	sum->reads += t->reads;
	sum->writes += t->writes;
	sum->trims += t->trims;
	sum->read_bytes += t->read_bytes;
	sum->written_bytes += t->written_bytes;
	sum->trimmed_bytes += t->trimmed_bytes;
	sum->partial_pages += t->partial_pages;
	sum->modified_pages += t->modified_pages;
	sum->coalesced_pages += t->coalesced_pages;
}

static void add_wear(struct ftl_wear *all, const struct ftl_wear *w, unsigned n)
{
	all->least = w->least < all->least ? w->least : all->least;
	all->most = w->most > all->most ? w->most : all->most;
	all->mean += w->mean / n;
	all->deviation += w->deviation / n;
}

void replicates_pool(const struct simulation_result *runs, unsigned n, bool to_death,
		     struct simulation_result *ret)
{
	struct simulation_result r = { .phase = PHASE_DONE, .reached = true };
	double retired = 0, free = 0;

	r.wear.least = UINT32_MAX;
	for (unsigned i = 0; i < n; i++) {
		const struct simulation_result *x = &runs[i];

		r.reached = r.reached && x->reached;
		add_totals(&r.measured, &x->measured);
		add_totals(&r.total, &x->total);
		add_requests(&r.requests, &x->requests);
		add_wear(&r.wear, &x->wear, n);
		r.folded += x->folded;
		r.warmup += x->warmup / n;
		r.host_bytes += to_death ? x->host_bytes / n : x->host_bytes;
		r.host_bytes_total += to_death ? x->host_bytes_total / n : x->host_bytes_total;
		r.in_use += x->in_use / n;
		retired += (double)x->retired_blocks / n;
		free += (double)x->free_blocks / n;
	}
	if (to_death && n)
		r.total.host_writes /= n;
	r.retired_blocks = (uint32_t)lround(retired);
	r.free_blocks = (uint32_t)lround(free);
	*ret = r;
}
