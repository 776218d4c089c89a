/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "lib/made_report.h"
#include "report/drive_charts.h"
#include "report/html.h"
#include "report/markup.h"

/* What the page of these drives says; the caller frees it. */
static char *page(struct made_report *const *made, size_t n)
{
	CLEANUP(fleet_release) struct fleet f = { 0 };
	CLEANUP(cleanup_free) struct drive_report *reports = calloc(n + 1, sizeof(*reports));
	CLEANUP(cleanup_free) struct str *charts = calloc(n + 1, sizeof(*charts));
	const struct fleet_terms terms = { FLEET_WINDOW_DAYS, FLEET_LEAD_DAYS };
	struct str out = { 0 };

	assert_non_null(reports);
	assert_non_null(charts);
	for (size_t i = 0; i < n; i++) {
		reports[i] = made[i]->report;
		drive_charts_add(&reports[i], i, &charts[i]);
	}
	assert_int_equal(fleet_make(reports, n, &terms, MADE_NOW, &f), 0);
	report_page(&f, charts, "host", MADE_NOW, &out);
	assert_int_equal(str_error(&out), 0);
	for (size_t i = 0; i < n; i++)
		str_release(&charts[i]);
	return str_steal(&out);
}

static size_t count(const char *text, const char *what)
{
	size_t n = 0;

	while ((text = strstr(text, what)) != NULL) {
		n++;
		text += strlen(what);
	}
	return n;
}

static struct made_report *healthy(unsigned days, unsigned hours)
{
	struct made_report *m = made_report_new("MODEL", "1S", 9, days, hours);

	made_report_end(m, 2900, 2300, 3900);
	made_report_event(m, 30, EVENT_FIRMWARE_CHANGED, "1.0 to 1.1");
	return m;
}

static void every_chart_is_there_with_its_words(void **state)
{
	static const char *const titles[] = { "Life left",	     "Host writes a day",
					      "Write amplification", "Erase counts of the blocks",
					      "Temperature",	     "Replacement calendar" };
	struct made_report *m = healthy(365, 24);
	char *text = page(&m, 1);

	(void)state;
	assert_int_equal(count(text, "role=\"img\""), ARRAY_SIZE(titles));
	assert_int_equal(count(text, "<desc id="), ARRAY_SIZE(titles));
	for (size_t i = 0; i < ARRAY_SIZE(titles); i++) {
		char title[96];

		snprintf(title, sizeof(title), ">%s</title>", titles[i]);
		assert_int_equal(count(text, title), 1);
	}
	assert_non_null(strstr(text, "It ends 2034-05; 90\u00a0% interval 2032-09 to 2037-02"));
	assert_non_null(strstr(text, "rated 3,500 cycles"));
	assert_non_null(strstr(text, "OCP log C0h, offset 0 (media_units)"));
	assert_non_null(strstr(text, "firmware-changed: 1.0 to 1.1"));
	free(text);
	made_report_free(m);
}

static void a_page_needs_nothing_else(void **state)
{
	static const char *const foreign[] = {
		"<script", "javascript:", "http:",    "https:",	 "src=",    "@import",
		"url(",	   " on",	  "style=\"", "<iframe", "<object", "<link rel=\"s"
	};
	struct made_report *m = healthy(90, 24);
	char *text = page(&m, 1);

	(void)state;
	assert_non_null(strstr(text, "content=\"default-src 'none'; style-src 'sha256-"));
	for (size_t i = 0; i < ARRAY_SIZE(foreign); i++) {
		/* " on" is an event handler where a "=" follows the word */
		const char *at = strstr(text, foreign[i]);

		while (at && strcmp(foreign[i], " on") == 0 &&
		       at[1 + strspn(at + 1, "abcdefghijklmnopqrstuvwxyz")] != '=')
			at = strstr(at + 1, foreign[i]);
		assert_null(at);
	}
	free(text);
	made_report_free(m);
}

/* Every string of a drive, its events and its judgement, as an enemy would choose them. */
static void no_string_of_a_drive_is_markup(void **state)
{
	static const char evil[] = "<b \"'>&\x1b[31m\xff\xe2\x80\xae";
	struct made_report *m = made_report_new(evil, "9<b", 50, 90, 24);
	struct identity *id = &m->reading.identity;
	struct estimate *e = &m->assessment.estimates.by_method[METHOD_RATED_TBW];
	char *text;

	(void)state;
	snprintf(id->path, sizeof(id->path), "/dev/%s", evil);
	snprintf(id->by_id, sizeof(id->by_id), "%s", evil);
	snprintf(id->firmware, sizeof(id->firmware), "%s", evil);
	snprintf(id->array, sizeof(id->array), "%s", evil);
	snprintf(id->location, sizeof(id->location), "%s", evil);
	snprintf(id->wwn, sizeof(id->wwn), "%s", evil);
	snprintf(e->reason, sizeof(e->reason), "%s", evil);
	snprintf(m->assessment.forecast.trend, 80, "%s", evil);
	made_report_end(m, 300, 200, INFINITY);
	made_report_event(m, 30, EVENT_REPLACED, evil);
	made_report_finding(m, "smart.failing", SEVERITY_CRITICAL, evil);
	reading_add_problem(&m->reading, -EIO, "%s", evil);
	facts_add_conflict(&m->assessment.facts, FACT_MEDIA_ERRORS, FACT_NONE, "%s", evil);
	text = page(&m, 1);
	assert_null(strstr(text, "<b "));
	assert_null(strstr(text, "9<b"));
	assert_null(strchr(text, '\x1b'));
	assert_null(strstr(text, "\xff"));
	assert_null(strstr(text, "\xe2\x80\xae"));
	assert_true(count(text, "&lt;b &quot;&#39;&gt;&amp;\\x1b[31m\\xff\\xe2\\x80\\xae") >= 9);
	free(text);
	made_report_free(m);
}

/* Elements close in the order in which they were opened; void ones and doctype aside. */
static void tags_are_balanced(void **state)
{
	struct made_report *m[3] = { healthy(365, 24), made_report_new("X", "2", 170, 0, 24),
				     made_report_new("Y", "3", 0, 10, 1) };
	char *text = page(m, 3), open[64][16];
	size_t depth = 0;

	(void)state;
	for (const char *s = strchr(text, '<'); s; s = strchr(s + 1, '<')) {
		size_t n = strspn(s + 1, "/abcdefghijklmnopqrstuvwxyz0123456789");
		const char *end = strchr(s, '>');
		char name[16];

		if (s[1] == '!' || end[-1] == '/')
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)n, s + 1);
		if (strcmp(name, "meta") == 0 || strcmp(name, "link") == 0)
			continue;
		if (*name == '/') {
			assert_true(depth > 0);
			assert_string_equal(open[--depth], name + 1);
		} else {
			assert_true(depth < 64);
			memcpy(open[depth++], name, sizeof(name));
		}
	}
	assert_int_equal(depth, 0);
	free(text);
	for (size_t i = 0; i < 3; i++)
		made_report_free(m[i]);
}

/* Ten years by the hour, with events every day, take no more room than the header promises. */
static void a_drive_takes_bounded_room(void **state)
{
	struct made_report *m = healthy(3650, 1);
	char *one, *none;

	(void)state;
	for (unsigned i = 0; i < 3000; i++)
		made_report_event(m, 3000 - i, EVENT_GAP, "no sample for 6 days, as usual here");
	one = page(&m, 1);
	none = page(NULL, 0);
	assert_in_range(strlen(one) - strlen(none), 10000, HTML_DRIVE_BYTES);
	free(one);
	free(none);
	made_report_free(m);
}

static void without_history_it_says_what_is_missing(void **state)
{
	struct made_report *m = made_report_new("MODEL", "4", 30, 0, 24);
	char *text;

	(void)state;
	made_report_end(m, 2000, 1900, 2100);
	text = page(&m, 1);
	assert_int_equal(count(text, ">Life left</title>"), 1);
	assert_int_equal(count(text, "role=\"img\""), 2);
	assert_non_null(strstr(text, "need a history of two samples or more"));
	assert_non_null(strstr(text, "Not reported: host read"));
	free(text);
	made_report_free(m);
}

static void an_empty_fleet_is_a_page(void **state)
{
	char *text = page(NULL, 0);

	(void)state;
	assert_non_null(strstr(text, "no SSD found"));
	assert_non_null(strstr(text, "</html>"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_chart_is_there_with_its_words),
		cmocka_unit_test(a_page_needs_nothing_else),
		cmocka_unit_test(no_string_of_a_drive_is_markup),
		cmocka_unit_test(tags_are_balanced),
		cmocka_unit_test(a_drive_takes_bounded_room),
		cmocka_unit_test(without_history_it_says_what_is_missing),
		cmocka_unit_test(an_empty_fleet_is_a_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
