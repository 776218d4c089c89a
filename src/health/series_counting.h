/* SPDX-License-Identifier: MIT */
#ifndef HEALTH_SERIES_COUNTING_H
#define HEALTH_SERIES_COUNTING_H

#include "health/series.h"

/*
 * The parts of series_finish. Counting makes counters continuous: it is fed samples in the order of
 * time and says what each fact stands at, wraps and restarts made good.
 *
 * A fact can come from another source in another sample (the log through one bridge, an attribute
 * through the other), in other steps or from another start: each source has a track of its own, and
 * all of them drive one position that only rises.
 */
#define TRACKS_MAX 4

struct track {
	char source[FACT_SOURCE_MAX]; /* its beginning, without names; empty: not in use */
	i128 raw, top; /* as the drive showed it last, and at most since it restarted */
	i128 offset;   /* position of raw 0 */
	i128 added;    /* by wraps and restarts */
	int64_t time;  /* of raw */
	uint64_t used; /* for finding the one that was not seen for longest */
};

/* What a sample may have been misread by: only the next one tells. */
enum odd {
	ODD_NONE,
	ODD_JUMPED, /* it rose beyond reason */
	ODD_FELL,   /* it wrapped or restarted */
};

struct counter {
	struct track tracks[TRACKS_MAX];
	struct track *last;
	i128 position;
	struct sample *sample; /* that gave the position; NULL: none yet */
	i128 first;	       /* position of the first sample */
	int64_t first_time;
	enum odd odd;	   /* the last sample, */
	struct track kept; /* and its track and the position without it */
	i128 before;
};

struct change {
	enum fact_id id;
	i128 from, to; /* as the drive showed them */
	i128 modulus;  /* of a wrap */
};

/* What a sample shows against those before it. */
struct changes {
	int64_t time;
	struct change resets[FACT_COUNT], wraps[FACT_COUNT];
	size_t nresets, nwraps;
};

struct counting {
	const struct drive_rule *rule;
	struct counter counters[FACT_COUNT];
	uint64_t uses;		    /* of tracks so far */
	struct changes before, now; /* of the last sample but one, final; of the last one */
};

void counting_init(struct counting *c, const struct drive_rule *rule);

/* Replaces the values of the sample's counters by their positions. */
void counting_add(struct counting *c, struct sample *s);

/* Move all positions so that the last one is what the drive showed, and what was added. */
void counting_end(struct counting *c, struct series *s);

/* The events of resets and wraps; returns how many (at most 2). */
size_t changes_events(const struct changes *c, struct event ret[2]);

/* Another firmware, another node or place; returns how many (at most 2). */
size_t place_events(const struct sample *before, const struct sample *after, struct event ret[2]);

/*
 * Set aside samples whose time cannot be right: later than now by more than five minutes, before
 * any such drive was made, or against the power-on hours, which cannot count faster than a clock.
 * Adds the events. The samples must be in order. -ENOMEM.
 */
int series_check_clock(struct series *s, int64_t now) MUST_USE;

/* Did the hours go on as time did, or wrap at 2^16? Lost hours of a power cut are allowed for. */
bool hours_fit(const struct sample *before, const struct sample *after);

/* Adds an event unless one of its kind and time is there. -ENOMEM. */
int series_note(struct series *s, const struct event *event) MUST_USE;

#endif
