/* SPDX-License-Identifier: MIT */
/* What the reviews say of flash in general: the endurance equation, write amplification, ageing. */
#include <stdio.h>
#include <stdlib.h>

#include "ftl/analytic.h"
#include "health/wear.h"
#include "reviews/preset_run.h"
#include "reviews/reviews.h"
#include "reviews/verdict.h"

#define HOUR  (3600 * NS_PER_SECOND)
#define DRIVE "x25-m-80"
#define SCALE 16

static double equation(double pe, double waf, double unevenness)
{
	return wear_equation_host_bytes(&(struct wear_equation){ 80e9, pe, waf, unevenness });
}

void review_endurance(void)
{
	CLEANUP(preset_release) struct preset m = { 0 }, e = { 0 };

	preset_read("x25-m-80", &m);
	preset_read("x25-e-32", &e);
	section("Endurance: capacity x cycles / (write amplification x unevenness)");
	figure(NULL, "80 GB x 10,000 cycles", 800,
	       equation(preset_number(&m, PRESET_PE), 1, 1) / 1e12, "TB");
	figure(NULL, "with factors of 1.1 and 1.1", 661, equation(10000, 1.1, 1.1) / 1e12, "TB");
	figure(NULL, "with factors of 20 and 3", 13.3, equation(10000, 20, 3) / 1e12, "TB");
	figure(NULL, "5 years at 100 GB a day", 182.6, 5 * 365.25 * 100e9 / 1e12, "TB");
	figure(NULL, "they allow WAF x unevenness up to", 4.38,
	       wear_equation_allowed_product(80e9, 10000, 100e9, 5 * 365.25), "");
	figure(NULL, "X25-E, rated cycles", 100000, preset_number(&e, PRESET_PE), "cycles");
}

/* --- write amplification ---------------------------------------------------------------------- */

static double simulated(const char *policy, double spare)
{
	struct simulation_config c = {
		.device = { .logical_pages = 1u << 19, .pages_per_block = 128 },
		.page_bytes = 4096,
		.spare = spare,
		.engine = ENGINE_AUTO,
		.precision = 0.005,
		.seed = 1,
	};
	CLEANUP(simulation_release) struct simulation *s = NULL;
	struct simulation_result r;

	if (victim_parse(policy, &c.device.victim, NULL) < 0 || simulation_plan(&c, NULL) < 0 ||
	    simulation_new(&c, NULL, NULL, &s) < 0)
		exit(1);
	while (simulation_step(s, 1u << 20))
		;
	simulation_result_of(s, &r);
	return r.waf.mean;
}

/* Every victim has one stale page: pages programmed for each one that is gained. */
static double price_of_a_page(void)
{
	enum { PAGES = 128, BLOCKS = 256 };
	struct ftl_config c = { .logical_pages = PAGES * BLOCKS,
				.pages_per_block = PAGES,
				.classes = 1 };
	CLEANUP(ftl_release) struct ftl *f = NULL;
	uint64_t gained = 0, moved;

	c.blocks = (uint32_t)ftl_least_blocks(&c);
	if (ftl_new(&c, NULL, NULL, &f) < 0)
		exit(1);
	for (uint32_t p = 0; p < c.logical_pages; p++)
		(void)!ftl_write(f, &p, 1);
	/* one page of each block that was filled in order, as far as there is room without moving
	 */
	for (uint32_t b = 0; !ftl_totals_of(f)->programs[FTL_GC]; b = (b + 1) % BLOCKS) {
		uint32_t p = b * PAGES;

		(void)!ftl_write(f, &p, 1);
	}
	moved = ftl_totals_of(f)->programs[FTL_GC];
	gained = ftl_totals_of(f)->victims[FTL_GC] * PAGES - moved;
	return (double)(moved + gained) / (double)gained;
}

static void amplification(void)
{
	struct stage s[2] = { stage_default(STAGE_FILL), stage_default(STAGE_MEASURE) };
	CLEANUP(preset_run_release) struct preset_run a = { 0 }, b = { 0 }, c = { 0 };
	double greedy, windowed;

	s[1].workload.kind = WORKLOAD_SEQUENTIAL;
	s[1].request_bytes = 128 << 10;
	s[1].drive_ppm = 3 * PPM;
	preset_run_start(&a, DRIVE, 0, SCALE, s, 2);
	figure(NULL, "sequential writes on a full drive: WAF", 1, preset_run_waf(&a, 1), "");
	s[1] = stage_default(STAGE_MEASURE);
	s[1].drive_ppm = PPM;
	preset_run_start(&b, DRIVE, 0, SCALE, s + 1, 1);
	figure(NULL, "random writes on an empty drive, as much as it holds: WAF", 1,
	       preset_run_waf(&b, 0), "");
	s[1].drive_ppm = 4 * PPM;
	preset_run_start(&c, DRIVE, 0, SCALE, (struct stage[]){ s[0], s[1], s[1] }, 3);
	statement(NULL, "random writes on a full drive: WAF of 2 to 25",
		  preset_run_waf(&c, 2) >= 2 && preset_run_waf(&c, 2) <= 25, "%.2f",
		  preset_run_waf(&c, 2));
	statement(NULL, "2 to 25 are a spare of 27 to 2 % of the flash",
		  analytic_greedy(0.27, 128) < 2.15 && analytic_greedy(0.018, 128) > 21.25,
		  "%.2f, %.1f", analytic_greedy(0.27, 128), analytic_greedy(0.018, 128));
	figure(NULL, "one stale page of 128: page writes to gain one", 128, price_of_a_page(), "");
	greedy = simulated("greedy", 0.07);
	windowed = simulated("windowed:256", 0.07);
	statement(NULL, "windowed greedy is dearer than greedy", windowed > 1.01 * greedy,
		  "WAF %.2f, greedy %.2f", windowed, greedy);
}

/* --- ageing ----------------------------------------------------------------------------------- */

static void ageing(void)
{
	struct stage random = stage_default(STAGE_WRITE), order = stage_default(STAGE_FILL);
	struct stage read = stage_default(STAGE_READ), look = stage_default(STAGE_MEASURE);
	const struct stage fill = stage_default(STAGE_FILL);
	CLEANUP(preset_run_release) struct preset_run r = { 0 }, q = { 0 };
	double new, used, restored, first, last;

	random.drive_ppm = 4 * PPM;
	order.drive_ppm = 8 * PPM;
	look.duration_ns = 20 * NS_PER_SECOND;
	look.interval_ns = NS_PER_SECOND;
	preset_run_start(&r, DRIVE, 0, SCALE,
			 (struct stage[]){ fill, look, random, look, order, look }, 6);
	new = preset_run_speed(&r, 1, 0, 20);
	used = preset_run_speed(&r, 3, 0, 20);
	restored = preset_run_speed(&r, 5, 0, 20);
	statement(NULL, "long sequential writing restores a used drive",
		  used < 0.5 * new &&restored > 0.85 * new, "%.3g -> %.2g -> %.3g MB/s", new, used,
		  restored);
	read.duration_ns = 2 * HOUR;
	read.interval_ns = 60 * NS_PER_SECOND;
	preset_run_start(&q, DRIVE, 0, SCALE, (struct stage[]){ fill, read }, 2);
	first = preset_run_speed(&q, 1, 0, 600);
	last = preset_run_speed(&q, 1, 6600, 7200);
	statement(NULL, "reads do not age",
		  last > 0.99 * first && last < 1.01 * first && !q.result.stages[1].programs,
		  "%.4g, 2 hours later %.4g MB/s", first, last);
}

void review_theory(void)
{
	section("Theory, on " DRIVE);
	amplification();
	ageing();
}
