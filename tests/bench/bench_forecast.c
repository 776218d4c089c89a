/* SPDX-License-Identifier: MIT */
/*
 * Backtest of the forecast: synthetic drives whose end is known, asked at several shares of their
 * life when that will be. Exits 1 where a target is missed.
 *
 *     bench_forecast [--seed N] [--drives N] [--class NAME] [--generator by-day|by-event]
 *                    [--json-lines FOLDER]
 *
 * With --json-lines it makes no forecast but writes each drive's samples into FOLDER/SERIAL.jsonl
 * as smartctl would print them, and FOLDER/truth.tsv: serial number, class, model, birth and end in
 * seconds since the epoch.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/forecast_score.h"
#include "bench/wear_generator.h"
#include "bench/wear_history.h"
#include "bench/wear_reading.h"
#include "cli/rule_files.h"

#define DRIVES_DEFAULT 600
#define DRIVES_MAX     100000

static const double shares[] = { 0.10, 0.25, 0.50, 0.75 };

struct bench_options {
	uint64_t seed, drives;
	const char *class_name, *folder;
	const struct wear_generator *generator;
};

static const struct wear_generator *const generators[] = { &wear_by_day, &wear_by_event };

static int wrong_usage(const char *what)
{
	fprintf(stderr, "bench_forecast: %s\n", what);
	return -EINVAL;
}

static int take_generator(const char *name, struct bench_options *o)
{
	for (size_t i = 0; i < ARRAY_SIZE(generators); i++)
		if (strcmp(generators[i]->name, name) == 0) {
			o->generator = generators[i];
			return 0;
		}
	return wrong_usage("--generator is by-day or by-event");
}

static int parse_options(int argc, char **argv, struct bench_options *ret)
{
	static const struct option rows[] = {
		{ "seed", required_argument, NULL, 's' },
		{ "drives", required_argument, NULL, 'd' },
		{ "class", required_argument, NULL, 'c' },
		{ "generator", required_argument, NULL, 'g' },
		{ "json-lines", required_argument, NULL, 'j' },
		{ 0 },
	};
	int c, r = 0;

	*ret = (struct bench_options){ 1, DRIVES_DEFAULT, NULL, NULL, &wear_by_day };
	while (!r && (c = getopt_long(argc, argv, "", rows, NULL)) != -1) {
		switch (c) {
		case 's':
			r = parse_u64(optarg, UINT64_MAX, &ret->seed);
			break;
		case 'd':
			r = parse_u64(optarg, DRIVES_MAX, &ret->drives);
			break;
		case 'c':
			ret->class_name = optarg;
			break;
		case 'g':
			r = take_generator(optarg, ret);
			break;
		case 'j':
			ret->folder = optarg;
			break;
		default:
			r = -EINVAL;
		}
	}
	return r ? r : optind < argc ? wrong_usage("too many arguments") : 0;
}

static size_t count_classes(const struct wear_generator *g)
{
	size_t n = 0;

	while (g->class_name(n))
		n++;
	return n;
}

/* The next drive of the classes asked for; false behind the last. */
static bool next_drive(const struct bench_options *o, unsigned *number, struct wear_drive *ret)
{
	size_t n = count_classes(o->generator);

	for (; *number < o->drives; (*number)++) {
		size_t class = *number % n;

		if (o->class_name && strcmp(o->class_name, o->generator->class_name(class)) != 0)
			continue;
		o->generator->make(class, o->seed, *number, ret);
		(*number)++;
		return true;
	}
	return false;
}

/* --- forecasts --- */

static size_t forecast_drive(const struct rules *rules, const struct wear_drive *d,
			     struct forecast_result *ret)
{
	struct wear_history h;
	size_t n = 0;

	wear_history_init(&h, rules, d);
	for (size_t i = 0; i < ARRAY_SIZE(shares); i++) {
		struct forecast_result *result = &ret[n];
		double age = shares[i] * d->life;
		enum estimate_method binding;

		if (wear_drive_samples_by(d, age) == 0)
			continue;
		*result = (struct forecast_result){
			.class_name = d->class_name,
			.steady = d->steady,
			.share = shares[i],
			.left = d->life - age,
		};
		wear_history_forecast(&h, age, FORECAST_HORIZON, &binding, &result->ours,
				      &result->line);
		result->answered = binding != METHOD_COUNT;
		n++;
	}
	wear_history_release(&h);
	return n;
}

static int load_rules(struct rules **ret)
{
	CLEANUP(rule_files_release) struct rule_files files = { 0 };
	struct diag d = { 0 };
	int r = rule_files_add_folder(&files, "db", false, &d);

	if (!r)
		r = rules_parse(files.items, files.n, &d, ret);
	if (r)
		fprintf(stderr, "bench_forecast: %s\n", d.text);
	return r;
}

static int forecast_all(const struct bench_options *o)
{
	struct forecast_result *results = calloc(o->drives * ARRAY_SIZE(shares) + 1,
						 sizeof(*results));
	size_t n = 0, ndrives = 0, nsamples = 0;
	struct rules *rules = NULL;
	struct wear_drive d;
	unsigned number = 0;
	bool good;

	if (!results || load_rules(&rules) < 0) {
		free(results);
		return 2;
	}
	while (next_drive(o, &number, &d)) {
		n += forecast_drive(rules, &d, &results[n]);
		nsamples += d.nsamples;
		ndrives++;
		wear_drive_release(&d);
	}
	printf("generator %s, seed %" PRIu64 ": %zu drives, %zu samples, %zu forecasts\n",
	       o->generator->name, o->seed, ndrives, nsamples, n);
	good = n > 0 && forecast_score_print(results, n);
	free(results);
	rules_free(rules);
	return good ? 0 : 1;
}

/* --- lines of JSON --- */

static int write_drive(const struct bench_options *o, const struct wear_drive *d, FILE *truth)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/WEAR%06u.jsonl", o->folder, d->number);
	f = fopen(path, "w");
	if (!f)
		return -errno;
	for (size_t i = 0; i < d->nsamples; i++)
		wear_reading_print(d, &d->samples[i], f);
	fprintf(truth, "WEAR%06u\t%s\t%s\t%" PRId64 "\t%.0f\n", d->number, d->class_name,
		d->product->name, d->birth, (double)d->birth + d->life * 86400);
	return fclose(f) ? -errno : 0;
}

static int write_all(const struct bench_options *o)
{
	char path[4096];
	struct wear_drive d;
	unsigned number = 0;
	FILE *truth;
	int r = 0;

	snprintf(path, sizeof(path), "%s/truth.tsv", o->folder);
	truth = fopen(path, "w");
	if (!truth)
		r = -errno;
	while (!r && next_drive(o, &number, &d)) {
		r = write_drive(o, &d, truth);
		wear_drive_release(&d);
	}
	if (truth && fclose(truth) && !r)
		r = -errno;
	if (r)
		fprintf(stderr, "bench_forecast: %s: %s\n", o->folder, strerror(-r));
	return r ? 2 : 0;
}

int main(int argc, char **argv)
{
	struct bench_options o;

	if (parse_options(argc, argv, &o))
		return 2;
	return o.folder ? write_all(&o) : forecast_all(&o);
}
