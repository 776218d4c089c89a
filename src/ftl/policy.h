/* SPDX-License-Identifier: MIT */
#ifndef FTL_POLICY_H
#define FTL_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"

/*
 * Which block garbage collection takes next, by name. Only full blocks are candidates.
 *
 *   greedy          the fewest valid pages
 *   windowed:W      the fewest valid pages among the W blocks that were filled longest ago
 *   fifo            the block that was filled longest ago
 *   random          any
 *   choices:D       the fewest valid pages among D blocks drawn at random, with replacement
 *   cost-benefit    the greatest age x (1 - u) / 2u (Kawaguchi, Nishioka and Motoda, USENIX 1995),
 *                   u the valid share, age in host writes since the block was filled
 *
 * X(enumerator, name, name of its argument or "", its highest value, one line for people)
 */
#define VICTIM_POLICIES(X)                                                                    \
	X(VICTIM_GREEDY, "greedy", "", 0, "fewest valid pages")                               \
	X(VICTIM_WINDOWED, "windowed", "W", UINT32_MAX, "fewest valid pages of the W oldest") \
	X(VICTIM_FIFO, "fifo", "", 0, "oldest")                                               \
	X(VICTIM_RANDOM, "random", "", 0, "any")                                              \
	X(VICTIM_CHOICES, "choices", "D", 1000, "fewest valid pages of D drawn at random")    \
	X(VICTIM_COST_BENEFIT, "cost-benefit", "", 0, "best gain for its price, weighted by age")

enum victim_policy {
#define X(e, name, argument, most, help) e,
	VICTIM_POLICIES(X)
#undef X
		VICTIM_POLICY_COUNT
};

/* Which of several blocks with equally few valid pages: the one that came to that count ... */
#define VICTIM_TIES(X)                    \
	X(TIES_NEWEST, "newest", "last")  \
	X(TIES_OLDEST, "oldest", "first") \
	X(TIES_RANDOM, "random", "whichever")

enum victim_ties {
#define X(e, name, help) e,
	VICTIM_TIES(X)
#undef X
		VICTIM_TIES_COUNT
};

struct victim_choice {
	enum victim_policy policy;
	uint32_t argument; /* W or D; 0 of policies without one */
	enum victim_ties ties;
};

/*
 * The policy named by text as users write it ("windowed:64"); ties stay as they are. -EINVAL with
 * the reason and the near name in d.
 */
int victim_parse(const char *text, struct victim_choice *ret, struct diag *d) MUST_USE;
int victim_ties_parse(const char *text, enum victim_ties *ret, struct diag *d) MUST_USE;

#define VICTIM_TEXT_MAX 32

/* The policy as victim_parse reads it. Returns buf. */
const char *victim_text(const struct victim_choice *v, char buf[VICTIM_TEXT_MAX]);
const char *victim_ties_text(enum victim_ties rule);

/* Do ties occur, and does their rule matter, under this policy? */
bool victim_has_ties(enum victim_policy policy);

#endif
