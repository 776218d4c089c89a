/* SPDX-License-Identifier: MIT */
#ifndef BENCH_WEAR_PATH_H
#define BENCH_WEAR_PATH_H

#include "bench/draw.h"
#include "bench/wear_drive.h"

/* What is written to a drive on each day of its life, and what that costs the flash. */
struct wear_path {
	double life; /* days until the rated cycles are used */
	size_t ndays;
	double *volume; /* host bytes of each day: relative, until path_finish */
	double *waf;	/* of each day */
	/* set by path_finish: sums from the first day up to the start of each */
	double *host, *nand, *hours;
	double hours_a_day;
	double by_hour[25];	   /* share of a day's writes done by each hour of it */
	double slc_share;	   /* bytes of pSLC for each host byte; 0: no such area */
	double unevenness, spread; /* maximum = average x unevenness + spread x root of average */
};

/* Stretches without samples, with the drive on or off. */
struct gap {
	double start, end;
	bool off;
};

struct restart {
	double age;
	unsigned counters;
};

struct clock_error {
	double start, end;
	int64_t seconds;
};

#define GAPS_MAX	 64
#define RESTARTS_MAX	 2
#define CLOCK_ERRORS_MAX 3

/* When a drive is sampled, and what goes wrong with that. Ages in days. */
struct schedule {
	double first, interval;
	double jitter; /* share of the interval */
	double missed; /* probability of each */
	bool wraps;
	struct gap gaps[GAPS_MAX];
	size_t ngaps;
	struct restart restarts[RESTARTS_MAX];
	size_t nrestarts;
	struct clock_error clock_errors[CLOCK_ERRORS_MAX];
	size_t nclock_errors;
};

void path_init(struct wear_path *p, double life);
void path_release(struct wear_path *p);

/* Shapes of the daily writes. */
void path_constant(struct draw *r, struct wear_path *p);
void path_weekly(struct draw *r, struct wear_path *p);
void path_growing_linear(struct draw *r, struct wear_path *p);
void path_growing_exponential(struct draw *r, struct wear_path *p);
void path_decaying(struct draw *r, struct wear_path *p);
void path_stepped(struct draw *r, struct wear_path *p);
void path_bursty(struct draw *r, struct wear_path *p);
void path_seasonal(struct draw *r, struct wear_path *p);

/* Write amplification over time: that of a file system in balance, or one of its changes. */
void path_waf_flat(struct draw *r, struct wear_path *p);
void path_waf_filling(struct draw *r, struct wear_path *p);
void path_waf_trim(struct draw *r, struct wear_path *p);
void path_waf_workload(struct draw *r, struct wear_path *p);

/* Scale the writes so that the drive's rated cycles last for the path's life; set its life. */
void path_finish(struct draw *r, struct wear_path *p, const struct schedule *s,
		 struct wear_drive *d);

/* Sample it by the schedule. */
void path_record(struct draw *r, const struct wear_path *p, const struct schedule *s,
		 struct wear_drive *d);

#endif
