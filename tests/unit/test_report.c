/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "report/answers.h"

/* A drive with a hostile name, judged by hand. */
struct fixture {
	struct reading reading;
	struct drive_rule rule;
	struct assessment assessment;
	struct limits limits;
	struct drive_report report;
};

static void set_fact(struct fixture *f, enum fact_id id, i128 v, const char *source)
{
	struct fact_set *set = &f->assessment.facts.sets[id];

	set->n = 1;
	set->candidates[0].value = v;
	snprintf(set->candidates[0].source, FACT_SOURCE_MAX, "%s", source);
}

static void set_estimate(struct fixture *f)
{
	struct estimate *e = &f->assessment.estimates.by_method[METHOD_PERCENTAGE_USED];

	e->has_left = e->has_days = e->has_interval = e->trustworthy = true;
	e->left_percent = 91;
	e->days_left = 3650;
	e->days_low = 3300;
	e->days_high = 4000;
	e->inputs[0] = (struct estimate_input){ "percentage_used", UNIT_PERCENT, 9000 };
	e->ninputs = 1;
	snprintf(e->rests_on, sizeof(e->rests_on), "9 %% used");
	f->assessment.estimates.binding = METHOD_PERCENTAGE_USED;
}

static struct fixture *new_fixture(const char *model, const char *serial)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	reading_init(&f->reading);
	f->reading.time = 1767225600; /* 2026-01-01 */
	f->reading.state = DRIVE_READ;
	f->reading.identity.protocol = PROTOCOL_NVME;
	snprintf(f->reading.identity.model, MODEL_MAX, "%s", model);
	snprintf(f->reading.identity.serial, SERIAL_MAX, "%s", serial);
	snprintf(f->reading.identity.path, NODE_MAX, "/dev/nvme0");
	f->reading.identity.has_capacity = true;
	f->reading.identity.capacity_bytes = 1920383410176;
	for (int m = 0; m < METHOD_COUNT; m++) {
		f->assessment.estimates.by_method[m].method = (enum estimate_method)m;
		snprintf(f->assessment.estimates.by_method[m].reason, 200, "not reported");
	}
	f->assessment.estimates.binding = -1;
	set_fact(f, FACT_PERCENTAGE_USED, 9000, "NVMe log 02h, offset 5");
	set_fact(f, FACT_TEMPERATURE, 41000, "NVMe log 02h, offset 1");
	set_fact(f, FACT_HOST_BYTES_WRITTEN, ((i128)1 << 53) + 1, "NVMe log 02h, offset 48");
	f->assessment.wear.has_used = f->assessment.wear.has_left = true;
	f->assessment.wear.used = 9000;
	f->assessment.wear.left = 91000;
	f->assessment.wear.has_waf_lifetime = true;
	f->assessment.wear.waf_lifetime = 1.59;
	set_estimate(f);
	f->assessment.verdict = SEVERITY_WARNING;
	snprintf(f->assessment.reason, sizeof(f->assessment.reason), "41 C | warm");
	f->assessment.findings[0] = (struct finding){ .id = "temperature.over-warning",
						      .severity = SEVERITY_WARNING };
	snprintf(f->assessment.findings[0].text, 240, "warm");
	f->assessment.nfindings = 1;
	f->limits = (struct limits){ .used_warning = 90, .used_critical = 99 };
	f->report = (struct drive_report){ .reading = &f->reading,
					   .rule = &f->rule,
					   .assessment = &f->assessment,
					   .limits = &f->limits,
					   .now = f->reading.time };
	return f;
}

static cJSON *parse(struct doc *doc)
{
	struct str out = { 0 };
	struct diag d = { 0 };
	cJSON *json = NULL;

	assert_int_equal(doc_error(doc), 0);
	doc_render_json(doc, &out);
	doc_free(doc);
	assert_int_equal(
		json_parse(bytes_of(str_text(&out), out.len), JSON_STRICT, &d, &json, NULL), 0);
	str_release(&out);
	return json;
}

static const char hostile[] = "A\"B\\'=|\n\x1b[31m\xff<b>{}";

static void life_has_every_key_of_the_contract(void **state)
{
	static const char *const paths[] = {
		"identity.path",
		"identity.by_id",
		"identity.location",
		"identity.protocol",
		"identity.model",
		"identity.serial",
		"identity.firmware",
		"identity.wwn",
		"identity.capacity_bytes",
		"identity.rotational",
		"identity.logical_block_bytes",
		"wear.waf_lifetime",
		"wear.waf_recent",
		"wear.waf_recent_days",
		"wear.unevenness",
		"wear.life_used_percent",
		"wear.life_left_percent",
		"wear.bound",
		"facts.host_bytes_written",
		"facts.nand_bytes_written_slc",
		"facts.endurance_estimate_bytes",
		"conflicts",
		"estimates",
		"binding",
		"errors",
	};
	struct fixture *f = new_fixture(hostile, "S1");
	cJSON *json = parse(report_life(&f->report, 1, 0));
	const cJSON *drive = json_member(json, "drives")->child, *e;
	i128 v;

	(void)state;
	assert_string_equal(json_string(json_member(json, "schema")), "nandlife.life/1");
	assert_string_equal(json_string(json_member(json, "generated_at")), "1970-01-01T00:00:00Z");
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		assert_non_null(json_path(drive, paths[i]));
	for (int i = 0; i < FACT_COUNT; i++)
		assert_non_null(
			json_member(json_member(drive, "facts"), fact_name((enum fact_id)i)));
	assert_true(json_integer(json_path(drive, "facts.host_bytes_written.value_str"), &v));
	assert_true(v == ((i128)1 << 53) + 1);
	assert_string_equal(json_string(json_member(drive, "binding")), "percentage-used");
	e = json_member(drive, "estimates")->child;
	assert_string_equal(json_string(json_member(e, "end_date")), "2035-12-30T00:00:00Z");
	assert_true(json_integer(json_path(e, "inputs.percentage_used"), &v));
	assert_true(v == 9);
	assert_non_null(json_string(json_path(drive, "identity.model_hex")));
	json_release(&json);
	free(f);
}

static void show_list_and_health_are_valid_json(void **state)
{
	struct fixture *f = new_fixture(hostile, hostile);
	cJSON *json;

	(void)state;
	f->reading.attributes[0] = (struct attribute){ .id = 9, .has_raw = true, .raw = 42 };
	f->reading.nattributes = 1;
	json = parse(report_show(&f->report, 1, 0));
	assert_non_null(json_path(json_member(json, "drives")->child, "attributes"));
	json_release(&json);
	json = parse(report_list(&f->report, 1, 0));
	assert_string_equal(json_string(json_path(json_member(json, "drives")->child, "verdict")),
			    "warning");
	json_release(&json);
	json = parse(report_health(&f->report, 1, 0));
	assert_string_equal(json_string(json_member(json, "verdict")), "warning");
	json_release(&json);
	json = parse(report_health(NULL, 0, 0));
	assert_string_equal(json_string(json_member(json, "verdict")), "unknown");
	json_release(&json);
	free(f);
}

static bool matches(const char *pattern, const char *text)
{
	regex_t regex;
	bool hit;

	assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
	hit = regexec(&regex, text, 0, NULL, 0) == 0;
	regfree(&regex);
	return hit;
}

static void nagios_performance_data_parse_whatever_the_drive_says(void **state)
{
	struct fixture *f = new_fixture(hostile, "S1");
	struct str out = { 0 };

	(void)state;
	snprintf(f->reading.identity.path, NODE_MAX, "/dev/x'=|y");
	report_health_nagios(&f->report, 1, &out);
	assert_string_equal(str_text(&out), "NANDLIFE WARNING - /dev/x'=/y: 41 C / warm |"
					    " '/dev/x___y_life_used_percent'=9%;90;99;0"
					    " '/dev/x___y_write_amplification'=1.5900"
					    " '/dev/x___y_host_bytes_written'=9007199254740993B"
					    " '/dev/x___y_temperature_celsius'=41\n");
	str_release(&out);
	report_health_nagios(NULL, 0, &out);
	assert_string_equal(str_text(&out), "NANDLIFE UNKNOWN - no SSD found\n");
	str_release(&out);
	free(f);
}

/* Each line is a comment or a sample whose labels are quoted and escaped; no series twice. */
static void openmetrics_follow_their_grammar(void **state)
{
	struct fixture *f[2] = { new_fixture(hostile, hostile), new_fixture(hostile, hostile) };
	struct drive_report reports[2] = { f[0]->report, f[1]->report };
	struct str out = { 0 };
	char *lines[512];
	size_t n = 0;

	(void)state;
	report_openmetrics(reports, 2, &out);
	assert_int_equal(str_error(&out), 0);
	for (char *save, *line = strtok_r(out.s, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		assert_true(n < ARRAY_SIZE(lines));
		lines[n++] = line;
		assert_true(matches("^# (TYPE|HELP) nandlife_[a-z_]+ .+$", line) ||
			    matches("^# EOF$", line) ||
			    matches("^nandlife_[a-z_]+\\{([a-z_]+=\"([^\"\\\\]|\\\\[n\"\\\\])*\",?)"
				    "+\\} "
				    "-?[0-9.]+$",
				    line));
	}
	assert_string_equal(lines[n - 1], "# EOF");
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(lines[i], lines[k]);
	str_release(&out);
	free(f[0]);
	free(f[1]);
}

static void openmetrics_keep_the_names_of_the_facts(void **state)
{
	struct fixture *f = new_fixture("M", "S1");
	struct str out = { 0 };

	(void)state;
	report_openmetrics(&f->report, 1, &out);
	assert_non_null(strstr(str_text(&out), "nandlife_drive_up{serial=\"S1\",model=\"M\"} 1\n"));
	assert_non_null(strstr(str_text(&out), "nandlife_host_bytes_written_total{serial=\"S1\","
					       "model=\"M\"} 9007199254740993\n"));
	assert_non_null(strstr(str_text(&out),
			       "nandlife_life_left_ratio{serial=\"S1\",model=\"M\"} 0.91000\n"));
	assert_non_null(strstr(str_text(&out), "nandlife_percentage_used_ratio{serial=\"S1\","
					       "model=\"M\"} 0.09000\n"));
	assert_non_null(strstr(str_text(&out), "nandlife_write_amplification_ratio{serial=\"S1\","
					       "model=\"M\",window=\"lifetime\"} 1.59000\n"));
	str_release(&out);
	free(f);
}

/* A drive that is gone keeps its series of being up, and shows no value of before. */
static void a_drive_that_is_gone_is_down_in_the_metrics(void **state)
{
	struct fixture *f[2] = { new_fixture("M", "S1"), new_fixture("M", "S2") };
	struct drive_report reports[2] = { f[0]->report, f[1]->report };
	struct str out = { 0 };

	(void)state;
	f[1]->reading.state = DRIVE_ABSENT;
	f[1]->assessment.facts = (struct facts){ 0 };
	f[1]->assessment.wear = (struct wear){ 0 };
	f[1]->assessment.estimates = (struct estimates){ .binding = -1 };
	f[1]->assessment.verdict = SEVERITY_UNKNOWN;
	report_openmetrics(reports, 2, &out);
	assert_non_null(strstr(str_text(&out), "nandlife_drive_up{serial=\"S1\",model=\"M\"} 1\n"));
	assert_non_null(strstr(str_text(&out), "nandlife_drive_up{serial=\"S2\",model=\"M\"} 0\n"));
	assert_non_null(strstr(str_text(&out), "nandlife_host_bytes_written_total{serial=\"S1\""));
	assert_null(strstr(str_text(&out), "nandlife_host_bytes_written_total{serial=\"S2\""));
	assert_null(strstr(str_text(&out), "nandlife_temperature_celsius{serial=\"S2\""));
	assert_null(strstr(str_text(&out), "nandlife_life_left_ratio{serial=\"S2\""));
	str_release(&out);
	free(f[0]);
	free(f[1]);
}

static void views_name_the_binding_method_and_the_reason(void **state)
{
	struct fixture *f = new_fixture("M\x1b", "S1");
	struct view v = { 0 };
	bool starred = false, reason = false;

	(void)state;
	report_life_view(&f->report, 1, false, &v);
	report_health_view(&f->report, 1, 0, &v);
	report_list_view(&f->report, 1, &v);
	report_show_view(&f->report, 1, &v);
	assert_int_equal(view_error(&v), 0);
	for (size_t i = 0; i < v.n; i++) {
		for (size_t k = 0; k < v.blocks[i].ncells; k++) {
			const char *text = v.blocks[i].cells[k].text;

			assert_null(strchr(text, '\x1b'));
			starred |= strcmp(text, "*") == 0;
			reason |= strcmp(text, "41 C | warm") == 0;
		}
		if (v.blocks[i].kind == VIEW_TABLE) /* whole rows only */
			assert_int_equal(v.blocks[i].ncells % v.blocks[i].ncolumns, 0);
	}
	assert_true(starred);
	assert_true(reason);
	view_release(&v);
	free(f);
}

static void the_wear_equation_is_answered_both_ways(void **state)
{
	struct wear_question q = { .equation = { 80e9, 10000, 1.1, 1.1 }, .bytes_per_day = 100e9 };
	cJSON *json = parse(report_equation(&q, 0));
	double v = 0;

	(void)state;
	assert_true(json_real(json_path(json, "equation.host_bytes"), &v));
	assert_true(v > 661.1e12 && v < 661.2e12);
	assert_true(json_real(json_path(json, "equation.years"), &v));
	assert_true(v > 18.09 && v < 18.11);
	json_release(&json);
	q.years = 5;
	json = parse(report_equation(&q, 0));
	assert_true(json_real(json_path(json, "equation.allowed_product"), &v));
	assert_true(v > 4.375 && v < 4.385);
	json_release(&json);
}

static void csv_rows_are_flat_and_complete(void **state)
{
	struct fixture *f = new_fixture("M", "S1");
	struct doc *doc = report_list_rows(&f->report, 1);
	struct str out = { 0 };

	(void)state;
	doc_render_csv(doc_get(doc, "rows"), &out);
	assert_string_equal(
		str_text(&out),
		"path,by_id,model,serial,firmware,capacity_bytes,life_left_percent,end_date,"
		"verdict,temperature_celsius,reason\r\n"
		"/dev/nvme0,,M,S1,,1920383410176,91,2035-12-30T00:00:00Z,warning,41,41 C | "
		"warm\r\n");
	str_release(&out);
	doc_free(doc);
	doc = report_life_rows(&f->report, 1);
	doc_render_csv(doc_get(doc, "rows"), &out);
	assert_non_null(strstr(str_text(&out), ",percentage-used,true,91,3650,3300,4000,"));
	str_release(&out);
	doc_free(doc);
	free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(life_has_every_key_of_the_contract),
		cmocka_unit_test(show_list_and_health_are_valid_json),
		cmocka_unit_test(nagios_performance_data_parse_whatever_the_drive_says),
		cmocka_unit_test(openmetrics_follow_their_grammar),
		cmocka_unit_test(openmetrics_keep_the_names_of_the_facts),
		cmocka_unit_test(a_drive_that_is_gone_is_down_in_the_metrics),
		cmocka_unit_test(views_name_the_binding_method_and_the_reason),
		cmocka_unit_test(the_wear_equation_is_answered_both_ways),
		cmocka_unit_test(csv_rows_are_flat_and_complete),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
