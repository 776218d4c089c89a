/* SPDX-License-Identifier: MIT */
/* The drives that reviews measured, by the protocols of the reviews. */
#include <stdio.h>

#include "reviews/preset_run.h"
#include "reviews/reviews.h"
#include "reviews/verdict.h"

#define SECOND NS_PER_SECOND
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define SCALE  16

/* New drive, 4 KiB random writes, 10 hours at queue depth 4, a value a minute. */
static struct stage ten_hours(uint32_t request_bytes)
{
	struct stage s = stage_default(STAGE_MEASURE);

	s.queue_depth = 4;
	s.request_bytes = request_bytes;
	s.duration_ns = 10 * HOUR;
	s.interval_ns = MINUTE;
	return s;
}

static double hours(const struct preset_run *r, double from, double to)
{
	return preset_run_speed(r, 0, from * 3600, to * 3600);
}

/* --- PNY -------------------------------------------------------------------------------------- */

void review_pny(void)
{
	static const char p[] = "pny-sf2281-120";
	struct stage small = ten_hours(4096), large = ten_hours(1 << 20);
	CLEANUP(preset_run_release) struct preset_run a = { 0 }, b = { 0 };

	section("PNY 120 GB: 10 hours of random writes at queue depth 4, from new");
	preset_run_start(&a, p, 0, SCALE, &small, 1);
	figure(p, "4 KiB, new", 47, hours(&a, 0, 0.5), "MB/s");
	figure(p, "4 KiB, after 3 hours", 30, hours(&a, 3, 3.5), "MB/s");
	figure(p, "4 KiB, hour 10", 30, hours(&a, 9, 10), "MB/s");
	statement(p, "flat from hour 3 to hour 10",
		  hours(&a, 9, 10) > 0.85 * hours(&a, 3, 3.5) &&
			  hours(&a, 9, 10) < 1.15 * hours(&a, 3, 3.5),
		  "%.3g, then %.3g MB/s", hours(&a, 3, 3.5), hours(&a, 9, 10));
	preset_run_start(&b, p, 0, SCALE, &large, 1);
	/* the drive is filled for the first time in about 5 minutes */
	figure(p, "1 MiB, new", 380, hours(&b, 0, 4 / 60.0), "MB/s");
	figure(p, "1 MiB, used", 190, hours(&b, 9, 10), "MB/s");
}

/* What the other parts are worth: they model a 16th of a drive. */
void review_scale(void)
{
	static const char p[] = "pny-sf2281-120";
	struct stage s = ten_hours(4096);
	CLEANUP(preset_run_release) struct preset_run a = { 0 }, whole = { 0 };

	section("The whole PNY drive (as measured) and a 16th of it (as modelled)");
	preset_run_start(&a, p, 0, SCALE, &s, 1);
	preset_run_start(&whole, p, 0, 1, &s, 1);
	figure(NULL, "new", hours(&whole, 0, 0.5), hours(&a, 0, 0.5), "MB/s");
	figure(NULL, "after 3 hours", hours(&whole, 3, 3.5), hours(&a, 3, 3.5), "MB/s");
	figure(NULL, "hour 10", hours(&whole, 9, 10), hours(&a, 9, 10), "MB/s");
}

/* --- 540s ------------------------------------------------------------------------------------- */

void review_540s(void)
{
	static const char p[] = "540s-480";
	struct stage load = stage_default(STAGE_MEASURE), idle = stage_default(STAGE_IDLE), look;
	struct stage pause = idle;
	CLEANUP(preset_run_release) struct preset_run r = { 0 };
	const double iops = 1e6 / 4096 / 1e3; /* k IOPS of a MB/s */
	double end, after, knee, folded;

	section("Intel 540s 480 GB: trimmed, 2 hours of 4 KiB random writes at queue depth 32");
	load.duration_ns = 2 * HOUR;
	load.interval_ns = SECOND;
	idle.duration_ns = 15 * MINUTE;
	pause.duration_ns = MINUTE; /* the cache forgets what was trimmed */
	look = load;
	look.duration_ns = 60 * SECOND;
	preset_run_start(&r, p, 0, SCALE,
			 (struct stage[]){ stage_default(STAGE_TRIM), load, idle, look,
					   stage_default(STAGE_TRIM), pause, look },
			 7);
	figure(p, "in the cache", 80, iops * preset_run_speed(&r, 1, 0, 20), "k IOPS");
	figure(p, "past it", 30, iops * preset_run_speed(&r, 1, 600, 1800), "k IOPS");
	/* where the second hour's fall begins: 10 % below the speed past the cache */
	knee = 0;
	for (double s = 600; s < 7200; s += 30)
		if (preset_run_speed(&r, 1, s, s + 30) < 0.9 * preset_run_speed(&r, 1, 600, 1800)) {
			knee = s;
			break;
		}
	end = 0;
	for (double gb = 300; gb < 800; gb += 1)
		if (preset_run_written_at(&r, 1, gb * 1e9) <= knee)
			end = gb;
	figure(p, "written until it falls", 480, end, "GB");
	after = iops * preset_run_speed(&r, 1, 6600, 7200);
	statement(p, "then under 20 k IOPS", after < 20, "%.3g k IOPS", after);
	folded = (double)r.result.stages[2].cache.folded * 4096 * SCALE / 1e9;
	figure(p, "folded in 15 minutes of idle", 2, folded, "GB");
	figure(p, "after that, without TRIM", 80, iops * preset_run_speed(&r, 3, 0, 3), "k IOPS");
	figure(p, "after TRIM and a minute", 80, iops * preset_run_speed(&r, 6, 0, 3), "k IOPS");
}

/* --- ioXtreme --------------------------------------------------------------------------------- */

struct mode {
	double least, most, sustained, read_mostly, again;
};

static struct mode measure_mode(double user_bytes)
{
	static const char p[] = "ioxtreme-pro-80";
	struct stage load = stage_default(STAGE_MEASURE), idle = stage_default(STAGE_IDLE), mostly;
	CLEANUP(preset_run_release) struct preset_run r = { 0 }, q = { 0 };
	struct mode m;

	load.duration_ns = HOUR;
	load.interval_ns = 30 * SECOND;
	idle.duration_ns = 30 * MINUTE;
	preset_run_start(&r, p, user_bytes, SCALE, (struct stage[]){ load, idle, load }, 3);
	m.least = r.result.stages[0].least_mb_per_s;
	m.most = r.result.stages[0].most_mb_per_s;
	m.sustained = preset_run_speed(&r, 0, 1800, 3600);
	m.again = preset_run_speed(&r, 2, 0, 300);
	mostly = load;
	mostly.read_ppm = 950000;
	mostly.duration_ns = HOUR / 2;
	preset_run_start(&q, p, user_bytes, SCALE,
			 (struct stage[]){ stage_default(STAGE_FILL), mostly }, 2);
	m.read_mostly = preset_run_speed(&q, 1, 600, 1800);
	return m;
}

void review_ioxtreme(void)
{
	static const char p[] = "ioxtreme-pro-80";
	struct mode m80, m56, m40;
	char text[64];

	section("ioXtreme Pro: an hour of 4 KiB random writes, 30 idle minutes, the same again");
	m80 = measure_mode(80e9);
	m56 = measure_mode(56e9);
	m40 = measure_mode(40e9);
	figure(p, "40 GB mode sustains", 270, m40.sustained, "MB/s");
	statement(p, "highest minimum in the 40 GB mode",
		  m40.least > m56.least && m56.least > m80.least, "%.3g, 56 GB %.3g, 80 GB %.3g",
		  m40.least, m56.least, m80.least);
	statement(p, "95 % reads gain nothing from spare (15 %)",
		  m40.read_mostly < 1.15 * m80.read_mostly, "%.4g, 80 GB %.4g MB/s",
		  m40.read_mostly, m80.read_mostly);
	statement(p, "80 GB: 30 idle minutes do not restore it", m80.again < 0.7 * m80.most,
		  "%.3g of %.3g MB/s", m80.again, m80.most);
	snprintf(text, sizeof(text), "%.4g, 56 GB %.4g, 80 GB %.4g", m40.most, m56.most, m80.most);
	not_met("highest peak in the 56 GB mode", text,
		"a new drive writes as fast in all modes: nothing in the model is best at 56 GB");
}

/* --- six drives ------------------------------------------------------------------------------- */

static double used(const char *preset, unsigned scale, double *ret_new)
{
	struct stage s = ten_hours(4096);
	CLEANUP(preset_run_release) struct preset_run r = { 0 };

	preset_run_start(&r, preset, 0, scale, &s, 1);
	*ret_new = hours(&r, 0, 1 / 60.0);
	return hours(&r, 9, 10);
}

/* What its maker rates the C300 for, so that one fitted value is held against more than one. */
static void ratings_of_c300(void)
{
	struct stage s = stage_default(STAGE_MEASURE);
	CLEANUP(preset_run_release) struct preset_run a = { 0 }, b = { 0 };

	s.duration_ns = 10 * MINUTE;
	preset_run_start(&a, "c300-128", 0, SCALE, &s, 1);
	figure("c300-128", "rated 4 KiB random writes, 117 MiB/s", 122.7,
	       preset_run_speed(&a, 0, 0, 600), "MB/s");
	s.request_bytes = 128 << 10;
	s.workload.kind = WORKLOAD_SEQUENTIAL;
	preset_run_start(&b, "c300-128", 0, SCALE, &s, 1);
	figure("c300-128", "rated sequential writes", 140, preset_run_speed(&b, 0, 0, 600), "MB/s");
}

static void order(const char *faster, double a, const char *slower, double b)
{
	char label[64];

	snprintf(label, sizeof(label), "used, faster than %s", slower);
	statement(faster, label, a > b, "%.3g, %.3g MB/s", a, b);
}

void review_six_drives(void)
{
	double n[6], v20, c300, g2, i510, plextor, vplus;
	struct stage two = ten_hours(4096);
	CLEANUP(preset_run_release) struct preset_run r = { 0 };
	bool all = true;
	static const char *const names[] = { "v20-120", "c300-128",    "x25-m-g2-160",
					     "510-250", "px-64m2s-64", "vplus-256" };
	double u[6];

	section("Six drives: 10 hours of 4 KiB random writes at queue depth 4, from new");
	for (unsigned i = 0; i < 6; i++) {
		u[i] = used(names[i], i >= 4 ? 4 : SCALE, &n[i]);
		all = all && u[i] < n[i];
	}
	v20 = u[0], c300 = u[1], g2 = u[2], i510 = u[3], plextor = u[4];
	two.duration_ns = 150 * SECOND;
	two.interval_ns = SECOND;
	preset_run_start(&r, "vplus-256", 0, 1, &two, 1);
	vplus = preset_run_speed(&r, 0, 110, 150);
	statement(NULL, "all age", all, "used of new %.2f %.2f %.2f %.2f %.2f %.2f", u[0] / n[0],
		  u[1] / n[1], u[2] / n[2], u[3] / n[3], u[4] / n[4], u[5] / n[5]);
	figure("v20-120", "used", 10, v20, "MB/s");
	figure("c300-128", "used", 4.5, c300, "MB/s");
	figure("vplus-256", "after 2 minutes", 0.15, vplus, "MB/s");
	order("v20-120", v20, "c300-128", c300);
	order("v20-120", v20, "x25-m-g2-160", g2);
	order("c300-128", c300, "510-250", i510);
	order("c300-128", c300, "px-64m2s-64", plextor);
	order("x25-m-g2-160", g2, "510-250", i510);
	order("x25-m-g2-160", g2, "px-64m2s-64", plextor);
	ratings_of_c300();
}
