/* SPDX-License-Identifier: MIT */
/*
 * The closed loop of the FTL fit: simulated drives with hidden parameters emit logs, and what
 * `project` makes of them is held against what they do under another condition.
 *   bench_project [--seed N] [--drives N] [--verbose]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/hidden_drive.h"

#define PAGES	    16384
#define ERROR_MOST  0.15
#define COVER_LEAST 0.80
#define COVER_MOST  0.97

static bool verbose;
static unsigned half_within[2], half_n[2];
static double half_width[2];

static void tell(const struct hidden_drive *h, const struct hidden_result *r)
{
	bool within = r->waf.low <= r->truth && r->truth <= r->waf.high;

	half_n[h->outside]++;
	half_within[h->outside] += within;
	half_width[h->outside] += r->waf.high / r->waf.low;
	if (verbose)
		printf("%s now %6.3f then %6.3f: %6.3f (%.3f to %.3f) %+5.1f %% spare %.3f "
		       "(%.3f-%.3f) ess %.0f | %s%s\n",
		       within ? " " : "x", r->now, r->truth, r->waf.median, r->waf.low, r->waf.high,
		       100 * (r->waf.median / r->truth - 1), r->spare.median, r->spare.low,
		       r->spare.high, r->effective, h->text, h->outside ? " [outside]" : "");
}

static unsigned long number_of(const char *name, int argc, char **argv, unsigned long fallback)
{
	for (int i = 1; i + 1 < argc; i++)
		if (!strcmp(argv[i], name))
			return strtoul(argv[i + 1], NULL, 10);
	return fallback;
}

int main(int argc, char **argv)
{
	unsigned long seed = number_of("--seed", argc, argv, 1);
	unsigned long n = number_of("--drives", argc, argv, 200);
	struct hidden_score score;
	bool met;
	int err;

	for (int i = 1; i < argc; i++)
		verbose |= !strcmp(argv[i], "--verbose");
	if (n < 2 || n > 100000) {
		fprintf(stderr, "--drives: from 2 to 100000\n");
		return 64;
	}
	err = hidden_drives_score(seed, (unsigned)n, PAGES, tell, &score);
	if (err) {
		fprintf(stderr, "the loop failed: %s\n", strerror(-err));
		return 70;
	}
	met = score.median_error <= ERROR_MOST && score.coverage >= COVER_LEAST &&
	      score.coverage <= COVER_MOST;
	printf("%u simulated drives, seed %lu\n", score.n, seed);
	printf("median error of the write amplification under a changed condition: %.1f %% (at "
	       "most %.0f %%)\n",
	       score.median_error * 100, ERROR_MOST * 100);
	printf("the 90 %% interval covers the truth for %.1f %% (%.0f to %.0f %%)\n",
	       score.coverage * 100, COVER_LEAST * 100, COVER_MOST * 100);
	for (int outside = 0; outside < 2; outside++)
		printf("  %s the fitted family: %.1f %% of %u, interval high / low %.2f on "
		       "average\n",
		       outside ? "outside" : "within",
		       100.0 * half_within[outside] / half_n[outside], half_n[outside],
		       half_width[outside] / half_n[outside]);
	printf("%s\n", met ? "met" : "MISSED");
	return !met;
}
