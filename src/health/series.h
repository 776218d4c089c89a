/* SPDX-License-Identifier: MIT */
#ifndef HEALTH_SERIES_H
#define HEALTH_SERIES_H

#include "health/facts.h"

/*
 * The history of one drive: what was known of it at many times, put in order and made continuous.
 * Counters that wrapped or restarted are counted on, samples from a clock that was wrong are set
 * aside, and all that happened between two samples is an event. Nothing here asks a clock or a
 * database; src/store fills it.
 */

/*
 * What happened to a drive or its record. The names are part of the JSON contract.
 * X(enumerator, name, what it means)
 */
#define EVENT_KINDS(X)                                                                         \
	X(EVENT_COUNTER_RESET, "counter-reset", "a counter restarted below what it had shown") \
	X(EVENT_COUNTER_WRAP, "counter-wrap", "a counter passed the end of its range")         \
	X(EVENT_CLOCK_JUMP, "clock-jump", "the clock of the machine was set")                  \
	X(EVENT_FIRMWARE_CHANGED, "firmware-changed", "the drive runs another firmware")       \
	X(EVENT_NODE_CHANGED, "node-changed", "the drive has another device node or place")    \
	X(EVENT_REPLACED, "replaced", "another drive sits in this place")                      \
	X(EVENT_GAP, "gap", "no sample for much longer than usual")                            \
	X(EVENT_TRIM, "trim", "TRIM was sent")                                                 \
	X(EVENT_ERASE, "erase", "the drive was erased")                                        \
	X(EVENT_SELFTEST, "selftest", "a self-test ended")

enum event_kind {
#define X(e, name, meaning) e,
	EVENT_KINDS(X)
#undef X
		EVENT_KIND_COUNT
};

const char *event_kind_name(enum event_kind kind);

/* EVENT_KIND_COUNT where no kind has this name. */
enum event_kind event_kind_by_name(const char *name);

struct event {
	int64_t time; /* of the later of the two samples that show it */
	enum event_kind kind;
	char text[240]; /* one line with the numbers; clean */
};

/*
 * What seldom changes from sample to sample: where each fact comes from, and where the drive sat.
 * Shared by all samples that have it in common.
 */
struct frame {
	struct {
		enum fact_quality quality;
		enum confidence confidence;
		char source[FACT_SOURCE_MAX]; /* empty: this fact is in none of the samples */
	} facts[FACT_COUNT];
	enum protocol protocol;
	char firmware[FW_MAX];
	char path[NODE_MAX], by_id[BY_ID_MAX], location[LOCATION_MAX], array[ARRAY_MAX];
};

#define FACT_BIT(id) (UINT64_C(1) << (id))

/* All canonical facts at one time. */
struct sample {
	int64_t time;
	const struct frame *frame;
	uint64_t has, at_least, at_most; /* FACT_BIT()s: known; bound of the value, else exact */
	int64_t values[FACT_COUNT];	 /* in the fact's unit, saturated; 0 where not known */
	bool live;	   /* read from the drive itself at that time, by this machine's clock */
	bool time_is_file; /* a dump without a time of its own: the file's stands here */
	bool aside;	   /* set by series_finish: its time cannot be right; take it for nothing */
};

struct series {
	struct identity identity; /* as of the last sample */
	struct sample *samples;	  /* by time, oldest first */
	size_t nsamples;
	struct frame **frames; /* owned; samples point to them */
	size_t nframes;
	struct event *events; /* by time */
	size_t nevents;
	/*
	 * Set by series_finish: what stands in the last sample's values beyond what the drive
	 * showed, for counters that wrapped or restarted; 0 for all others.
	 */
	int64_t added[FACT_COUNT];
};

void series_init(struct series *s);
void series_release(struct series *s);

/* Take the followed facts and the place of a reading into a sample and a frame. */
void sample_take(const struct reading *r, const struct facts *facts, struct sample *ret,
		 struct frame *ret_frame);

/* Same sources, same place: can two samples share it? */
bool frame_equal(const struct frame *a, const struct frame *b);

/* Each copies. The frame of the sample must be one that series_add_frame returned. */
int series_add_frame(struct series *s, const struct frame *frame,
		     const struct frame **ret) MUST_USE;
int series_add_sample(struct series *s, const struct sample *sample) MUST_USE;
int series_add_event(struct series *s, const struct event *event) MUST_USE;

/*
 * Add what was read now: its facts and its place as a sample, unless there is one of that time. The
 * time of the reading must be known. -ENOMEM.
 */
int series_add_reading(struct series *s, const struct reading *r, const struct facts *facts,
		       bool live) MUST_USE;

/*
 * Put it in order: sort, set aside samples later than `now` by more than five minutes or against
 * the power-on hours, find wraps (2^32 of the counter's own unit, 2^16 hours) and restarts and make
 * those counters continuous, and add the events that the samples show. Afterwards no counter falls
 * from a sample to the next; over a step with EVENT_COUNTER_RESET it rises by what it shows since,
 * or not at all where that cannot be told. A percentage that firmware corrected moves the past, and
 * is no reset of what the drive says. Events of the same kind and time that are there already are
 * not doubled. -ENOMEM.
 */
int series_finish(struct series *s, const struct drive_rule *rule, int64_t now) MUST_USE;

/*
 * What happened between two samples of one drive that follow each other, as far as two samples
 * show it: wraps, restarts, firmware, place. Gaps and clocks need more of them, and series_finish.
 * At most max; returns how many. For the store, which keeps them for ever.
 */
size_t series_events_between(const struct sample *before, const struct sample *after,
			     const struct drive_rule *rule, struct event *ret, size_t max);
#define EVENTS_BETWEEN_MAX 16

/*
 * A fact of a finished series for people to read, in its base unit. A past that was moved to join a
 * number that the drive corrected may begin below 0, which no counter shows: it is 0 then.
 */
int64_t sample_shown(const struct sample *s, enum fact_id id);

/* What a finished series holds. */
struct series_summary {
	size_t nsamples, naside; /* that count, and that were set aside */
	int64_t first, last;	 /* times of those that count; not set where there are none */
};
void series_summarize(const struct series *s, struct series_summary *ret);

/* Free the samples, which are most of it; the events stay. */
void series_drop_samples(struct series *s);

/*
 * What a counter counts in: the greatest common divisor of all that it rose by. step: of the rises
 * before, 0: none yet.
 */
int64_t counter_step(int64_t step, int64_t rise);

/* How a counter moves through a history. */
struct counter_pace {
	int64_t step;		/* counter_step of it all; 0: it did not rise */
	int64_t seconds, risen; /* from the first to the last sample */
};

/* Of the samples that count and have all the facts of the FACT_BIT()s in `needed`, id's among them.
 */
void series_pace(const struct series *s, enum fact_id id, uint64_t needed,
		 struct counter_pace *ret);

/* The last sample that counts, or NULL. */
const struct sample *series_last(const struct series *s);

/* The last one not later than t that counts and has the fact, or NULL. */
const struct sample *series_at(const struct series *s, int64_t t, enum fact_id id);

/*
 * Bring facts up to what the history shows: a counter that wrapped or restarted gets what it
 * counted before, with a source that says so. For a reading at least as new as the last sample.
 */
void series_correct(const struct series *s, const struct reading *r, struct facts *facts);

#endif
