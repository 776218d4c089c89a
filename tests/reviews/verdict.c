/* SPDX-License-Identifier: MIT */
#include "reviews/verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define TOLERANCE   0.15
#define PRESETS_MAX 32

static unsigned nmet, nmissed, nlisted, npresets;
static struct {
	const char *name;
	unsigned n;
} counts[PRESETS_MAX];

void section(const char *title)
{
	printf("\n%s\n", title);
	printf("  %-58s %10s %10s %7s  %s\n", "", "MEASURED", "MODELLED", "RATIO", "");
	fflush(stdout);
}

static void count(const char *preset, bool met)
{
	unsigned i = 0;

	nmet += met;
	nmissed += !met;
	if (!preset)
		return;
	while (i < npresets && strcmp(counts[i].name, preset) != 0)
		i++;
	if (i == npresets && npresets < PRESETS_MAX)
		counts[npresets++].name = preset;
	counts[i].n++;
}

void figure(const char *preset, const char *what, double measured, double modelled,
	    const char *unit)
{
	double ratio = modelled / measured;
	bool met = fabs(ratio - 1) <= TOLERANCE;
	char label[96];

	snprintf(label, sizeof(label), "%s%s%s, %s", preset ? preset : "", preset ? ": " : "", what,
		 unit);
	printf("  %-58s %10.4g %10.4g %7.3f  %s\n", label, measured, modelled, ratio,
	       met ? "met" : "MISSED");
	fflush(stdout);
	count(preset, met);
}

void statement(const char *preset, const char *what, bool met, const char *fmt, ...)
{
	char label[96], numbers[96];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(numbers, sizeof(numbers), fmt, ap);
	va_end(ap);
	snprintf(label, sizeof(label), "%s%s%s", preset ? preset : "", preset ? ": " : "", what);
	printf("  %-58s %-29s  %s\n", label, numbers, met ? "met" : "MISSED");
	fflush(stdout);
	count(preset, met);
}

void not_met(const char *what, const char *modelled, const char *reason)
{
	printf("  %-58s %-29s  not met\n      %s\n", what, modelled, reason);
	fflush(stdout);
	nlisted++;
}

unsigned checked(const char *preset)
{
	for (unsigned i = 0; i < npresets; i++)
		if (!strcmp(counts[i].name, preset))
			return counts[i].n;
	return 0;
}

int verdict(void)
{
	printf("\n%u met, %u missed, %u not met for a reason that is listed\n", nmet, nmissed,
	       nlisted);
	return nmissed ? 1 : 0;
}
