/* SPDX-License-Identifier: MIT */
/*
 * Presets against what reviews of the drives measured, by the reviews' own protocols: measured,
 * modelled, their ratio and a verdict, a line each. Every figure of a drive is met by the same
 * preset. Exits 1 where one is missed.
 *
 *   reviews                all; "scale" takes half of the time
 *   reviews pny six ...    some
 */
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "reviews/preset_run.h"
#include "reviews/reviews.h"
#include "reviews/verdict.h"

static const char *const drives[] = {
	"pny-sf2281-120", "540s-480",	 "ioxtreme-pro-80", "v20-120",	"c300-128", "x25-m-g2-160",
	"510-250",	  "px-64m2s-64", "vplus-256",	    "x25-m-80", "x25-e-32",
};

/* Where a full page map does not fit the DRAM, page mapping is an assumption. */
static void review_maps(void)
{
	char map[UNIT_TEXT_MAX], dram[UNIT_TEXT_MAX];

	section("Memory: a map of 4 bytes a unit against the DRAM");
	for (size_t i = 0; i < ARRAY_SIZE(drives); i++) {
		CLEANUP(preset_release) struct preset p = { 0 };

		preset_read(drives[i], &p);
		printf("  %-20s map of %8.0f-byte units %8s, DRAM %8s: %s\n", p.name,
		       preset_number(&p, PRESET_MAP_UNIT),
		       format_bytes((u128)preset_map_bytes(&p), map),
		       format_bytes((u128)preset_number(&p, PRESET_DRAM), dram),
		       preset_map_fits(&p) ? "it fits" : "page mapping is an assumption");
	}
}

/* A preset with as many fitted values as figures would prove nothing. */
static void review_fits(void)
{
	section("Fitted values of each drive, fewer than what they are held against");
	for (size_t i = 0; i < ARRAY_SIZE(drives); i++) {
		CLEANUP(preset_release) struct preset p = { 0 };
		unsigned n = checked(drives[i]);

		preset_read(drives[i], &p);
		if (n)
			statement(NULL, p.name, preset_fitted(&p) < n, "%u values, %u checks",
				  preset_fitted(&p), n);
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} parts[] = {
		{ "endurance", review_endurance },
		{ "theory", review_theory },
		{ "pny", review_pny },
		{ "540s", review_540s },
		{ "ioxtreme", review_ioxtreme },
		{ "six", review_six_drives },
		{ "memory", review_maps },
		{ "fits", review_fits },
		{ "scale", review_scale },
	};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		bool asked = argc < 2;

		for (int k = 1; k < argc; k++)
			asked = asked || !strcmp(argv[k], parts[i].name);
		if (asked)
			parts[i].run();
	}
	return verdict();
}
