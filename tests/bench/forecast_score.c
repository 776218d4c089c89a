/* SPDX-License-Identifier: MIT */
#include "bench/forecast_score.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a table line is about. */
struct selection {
	const char *class_name; /* NULL: all */
	bool steady;		/* only the steady classes */
	double share;		/* 0: all */
};

struct summary {
	size_t n, unanswered;
	double error, bias;		   /* medians, in % of the days left */
	double line_error;		   /* the straight line's */
	double covered, line_covered;	   /* % */
	double width;			   /* mean, in days left */
	double score_days, score_relative; /* means, ours / the line's */
};

/*
 * Winkler's score of a 90 % interval: its width, and for a miss 2 / 0.1 times the distance
 * (Gneiting and Raftery 2007, equation 43). The less the better.
 */
static double winkler(const struct interval_forecast *f, double truth)
{
	double miss = fmax(0, fmax(f->low - truth, truth - f->high));

	return f->high - f->low + 2 / 0.1 * miss;
}

static bool covers(const struct interval_forecast *f, double truth)
{
	return f->low <= truth && truth <= f->high;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, size_t n)
{
	if (n == 0)
		return NAN;
	qsort(values, n, sizeof(*values), compare);
	return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

static bool selects(const struct selection *s, const struct forecast_result *r)
{
	return (!s->class_name || strcmp(s->class_name, r->class_name) == 0) &&
	       (!s->steady || r->steady) && (s->share == 0 || s->share == r->share);
}

static struct summary summarize(const struct forecast_result *results, size_t n,
				const struct selection *selection)
{
	double *memory = calloc(3 * n + 1, sizeof(double));
	double *errors = memory, *signs = memory + n, *line_errors = memory + 2 * n;
	double ours = 0, line = 0, ours_relative = 0, line_relative = 0;
	struct summary s = { 0 };
	size_t answered = 0;

	if (!memory)
		abort();
	for (size_t i = 0; i < n; i++) {
		const struct forecast_result *r = &results[i];
		const struct interval_forecast widest = { 0, 0, FORECAST_HORIZON };
		const struct interval_forecast *f = r->answered ? &r->ours : &widest;

		if (!selects(selection, r))
			continue;
		line_errors[s.n++] = 100 * fabs(r->line.middle - r->left) / r->left;
		ours += winkler(f, r->left);
		ours_relative += winkler(f, r->left) / r->left;
		line += winkler(&r->line, r->left);
		line_relative += winkler(&r->line, r->left) / r->left;
		s.line_covered += covers(&r->line, r->left);
		if (!r->answered)
			continue;
		signs[answered] = 100 * (f->middle - r->left) / r->left;
		errors[answered] = fabs(signs[answered]);
		s.covered += covers(f, r->left);
		s.width += (f->high - f->low) / r->left;
		answered++;
	}
	s.unanswered = s.n - answered;
	s.error = median(errors, answered);
	s.bias = median(signs, answered);
	s.line_error = median(line_errors, s.n);
	s.covered *= 100 / (double)s.n;
	s.line_covered *= 100 / (double)s.n;
	s.width /= (double)answered;
	s.score_days = ours / line;
	s.score_relative = ours_relative / line_relative;
	free(memory);
	return s;
}

static void print_line(const char *name, const char *share, const struct summary *s)
{
	printf("%-20s %5s %5zu %5zu %7.1f %+7.1f %7.1f %7.2f %7.2f %7.2f %9.1f %7.1f\n", name,
	       share, s->n, s->unanswered, s->error, s->bias, s->covered, s->width,
	       s->score_relative, s->score_days, s->line_error, s->line_covered);
}

static const double shares[] = { 0.10, 0.25, 0.50, 0.75 };

static void print_lines(const struct forecast_result *results, size_t n, const char *class_name)
{
	struct selection selection = { .class_name = class_name };
	const char *name = class_name ? class_name : "all";
	struct summary s;
	char share[16];

	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		selection.share = shares[i];
		s = summarize(results, n, &selection);
		snprintf(share, sizeof(share), "%.0f %%", 100 * shares[i]);
		if (s.n)
			print_line(i ? "" : name, share, &s);
	}
	selection.share = 0;
	s = summarize(results, n, &selection);
	print_line("", "all", &s);
}

static bool target(const char *what, double value, double low, double high, const char *unit)
{
	bool good = value >= low && value <= high;

	printf("%-6s %-46s %8.2f%s", good ? "ok" : "MISSED", what, value, unit);
	if (low > 0)
		printf("  (%g to %g)\n", low, high);
	else
		printf("  (at most %g)\n", high);
	return good;
}

static bool is_first_of_class(const struct forecast_result *results, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (strcmp(results[j].class_name, results[i].class_name) == 0)
			return false;
	return true;
}

static bool check_targets(const struct forecast_result *results, size_t n)
{
	const struct selection everything = { 0 }, half = { .share = 0.50 };
	const struct selection steady = { .steady = true, .share = 0.50 };
	struct summary s = summarize(results, n, &everything);
	bool good = true;

	good &= target("covered over all", s.covered, 85, 95, " %");
	for (size_t i = 0; i < n; i++) {
		struct selection class = { .class_name = results[i].class_name };
		char what[64];

		if (!is_first_of_class(results, i))
			continue;
		snprintf(what, sizeof(what), "covered in class %s", class.class_name);
		good &= target(what, summarize(results, n, &class).covered, 80, 100, " %");
	}
	good &= target("interval score / straight line's, relative", s.score_relative, 0, 0.8, "");
	good &= target("interval score / straight line's, in days", s.score_days, 0, 0.8, "");
	good &= target("median error at half-life, over all", summarize(results, n, &half).error, 0,
		       20, " %");
	s = summarize(results, n, &steady);
	if (s.n)
		good &= target("median error at half-life, constant and weekly", s.error, 0, 10,
			       " %");
	return good;
}

bool forecast_score_print(const struct forecast_result *results, size_t n)
{
	printf("error, bias: median, %% of the days left; covered: %% of 90 %% intervals with the "
	       "truth inside;\nwidth: mean, in days left; score: Winkler's, ours / the straight "
	       "line's, of scores relative to the days\nleft and of scores in days. A forecast "
	       "not given (none) is not covered, and scored as 0 to 50 years.\n\n");
	printf("%-20s %5s %5s %5s %7s %7s %7s %7s %7s %7s %9s %7s\n", "class", "life", "n", "none",
	       "error", "bias", "covered", "width", "score", "in days", "line: err", "covered");
	for (size_t i = 0; i < n; i++)
		if (is_first_of_class(results, i))
			print_lines(results, n, results[i].class_name);
	print_lines(results, n, NULL);
	printf("\n");
	return check_targets(results, n);
}
