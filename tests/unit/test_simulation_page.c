/* SPDX-License-Identifier: MIT */
/* The answer of simulate as a page: what stands on it is what came out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ftl/stages_summary.h"
#include "report/simulation_html.h"

#define PAGE 4096u
#define NOW  1767225600 /* 2026-01-01 */

static struct simulation_config config_of(double spare)
{
	struct simulation_config c = {
		.device = { .logical_pages = 8192, .pages_per_block = 64, .pe_cycles = 1000 },
		.page_bytes = PAGE,
		.spare = spare,
		.seed = 1,
		.engine = ENGINE_PAGES,
		.end = END_WRITES,
		.writes = 200000,
	};

	assert_int_equal(simulation_plan(&c, NULL), 0);
	return c;
}

static char *page_of(const struct simulation_report *r)
{
	CLEANUP(doc_release) struct doc *doc = report_simulation(r, NOW);
	struct str out = { 0 };

	assert_int_equal(doc_error(doc), 0);
	report_simulation_page(r, doc, NOW, &out);
	assert_int_equal(str_error(&out), 0);
	return str_steal(&out);
}

static void assert_has(const char *page, const char *what)
{
	if (!strstr(page, what))
		fail_msg("the page does not say '%s'", what);
}

static void assert_lacks(const char *page, const char *what)
{
	if (strstr(page, what))
		fail_msg("the page says '%s'", what);
}

static size_t count(const char *text, const char *what)
{
	size_t n = 0;

	for (; (text = strstr(text, what)) != NULL; text += strlen(what))
		n++;
	return n;
}

/* All pages: whole, without script or request, with the parameters as used. */
static void check_frame(const char *page)
{
	assert_true(strncmp(page, "<!DOCTYPE html>", 15) == 0);
	assert_true(strcmp(page + strlen(page) - 15, "</body></html>\n") == 0);
	assert_has(page, "<h1>Simulation of a 33.6 MB drive</h1>");
	assert_has(page, "<time>2026-01-01T00:00:00Z</time>");
	assert_lacks(page, "<script");
	assert_lacks(page, "src=");
	assert_lacks(page, "nan");
	assert_has(page, "<dt>pages per block</dt><dd>64");
	assert_has(page, "Memory of the mapping table");
}

static void without_time(void **state)
{
	struct simulation_config c = config_of(.1);
	struct analytic_answer analytic;
	struct simulation_result result;
	struct simulation_report r = {
		.config = &c,
		.result = &result,
		.analytic = &analytic,
		.daily_bytes = 1e9,
		.warranty_years = 5,
		.stopped = "stopped <by> hand",
	};
	CLEANUP(simulation_release) struct simulation *s = NULL;
	CLEANUP(cleanup_free) char *page = NULL;
	char waf[64];

	(void)state;
	assert_int_equal(analytic_answer(&c, &analytic, NULL), 0);
	assert_int_equal(simulation_new(&c, NULL, NULL, &s), 0);
	while (simulation_step(s, 1 << 20))
		;
	simulation_result_of(s, &result);
	r.device = simulation_device(s);
	page = page_of(&r);
	check_frame(page);
	snprintf(waf, sizeof(waf), "<dt>Write amplification</dt><dd>%.4g", result.waf.mean);
	assert_has(page, waf);
	assert_has(page, "stopped &lt;by&gt; hand");
	assert_has(page, "for 5 years");
	assert_has(page, "at 1.00 GB a day");
	assert_has(page, "garbage collection");
	assert_has(page, "analytic model");
	assert_int_equal(count(page, "<figure"), 3);
	assert_has(page, "Extents of a variable-length map");
	assert_has(page, "Erase counts of the blocks");
}

static void by_the_model_alone(void **state)
{
	struct simulation_config c = config_of(.2);
	struct analytic_answer analytic;
	struct simulation_report r = { .config = &c, .analytic = &analytic };
	CLEANUP(cleanup_free) char *page = NULL;
	char waf[64];

	(void)state;
	assert_int_equal(analytic_answer(&c, &analytic, NULL), 0);
	page = page_of(&r);
	check_frame(page);
	snprintf(waf, sizeof(waf), "<dt>Write amplification</dt><dd>%.4g", analytic.waf);
	assert_has(page, waf);
	assert_has(page, analytic.model);
	assert_int_equal(count(page, "<figure"), 0);
}

static void in_time(void **state)
{
	struct simulation_config c = config_of(.1);
	struct stage stages[] = { stage_default(STAGE_FILL), stage_default(STAGE_MEASURE) };
	struct stages_config s = {
		.drive = { .device = c.device, .page_bytes = PAGE },
		.stages = stages,
		.n = 2,
		.seed = 1,
	};
	struct stages_result x;
	struct timed_report timed = { .config = &s, .result = &x, .columns = 80 };
	struct simulation_result result;
	struct simulation_report r = { .config = &c, .result = &result, .timed = &timed };
	CLEANUP(stages_run_release) struct stages_run *run = NULL;
	CLEANUP(cleanup_free) char *page = NULL;

	(void)state;
	drive_model_default(CELL_TLC, &s.drive.model);
	stages[1].duration_ns = 2000000000;
	assert_int_equal(stages_run_new(&s, NULL, NULL, &run), 0);
	while (stages_run_step(run, 1 << 16) == 1)
		;
	stages_run_result(run, &x);
	stages_summarise(run, &x, &result);
	r.device = timed_drive_device(stages_run_drive(run));
	page = page_of(&r);
	check_frame(page);
	assert_int_equal(count(page, "<figure"), 2);
	assert_has(page, "Throughput");
	assert_has(page, "MB a second");
	assert_lacks(page, "Extents of a variable-length map");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_time),
		cmocka_unit_test(by_the_model_alone),
		cmocka_unit_test(in_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
