/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "report/answers.h"

/* OpenMetrics 1.0: all samples of a family stand together behind its TYPE and HELP. */
static void add_family(struct str *out, const char *name, const char *type, const char *help)
{
	str_addf(out, "# TYPE nandlife_%s %s\n# HELP nandlife_%s %s\n", name, type, name, help);
}

/* Label values may hold any UTF-8; quote, backslash and newline are escaped. */
static void add_label(struct str *out, const char *name, const char *value)
{
	str_addf(out, "%s=\"", name);
	while (*value) {
		unsigned n = text_utf8_length(value);

		if (!n || (*value != '\n' && text_is_harmful(value, n)))
			str_add(out, "\xEF\xBF\xBD");
		else if (*value == '\n')
			str_add(out, "\\n");
		else if (*value == '"' || *value == '\\')
			str_addf(out, "\\%c", *value);
		else
			str_add_bytes(out, value, n);
		value += n ? n : 1;
	}
	str_add_char(out, '"');
}

/* What tells the drive apart. Dumps without a serial take their place as one. */
struct who {
	const struct drive_report *r;
	char serial[SERIAL_MAX + 32];
};

static void name_drives(const struct drive_report *drives, size_t n, struct who *ret)
{
	for (size_t i = 0; i < n; i++) {
		const struct identity *id = &drives[i].reading->identity;
		unsigned twins = 0;

		for (size_t k = 0; k < i; k++) {
			const struct identity *other = &drives[k].reading->identity;

			twins += strcmp(id->serial, other->serial) == 0 &&
				 strcmp(id->model, other->model) == 0;
		}
		ret[i].r = &drives[i];
		if (twins)
			snprintf(ret[i].serial, sizeof(ret[i].serial), "%s#%u", id->serial,
				 twins + 1);
		else
			snprintf(ret[i].serial, sizeof(ret[i].serial), "%s", id->serial);
	}
}

static void begin_sample(struct str *out, const char *name, const struct who *w)
{
	str_addf(out, "nandlife_%s{", name);
	add_label(out, "serial", w->serial);
	str_add_char(out, ',');
	add_label(out, "model", w->r->reading->identity.model);
}

static void end_sample(struct str *out, const char *value)
{
	str_addf(out, "} %s\n", value);
}

static void add_info(struct str *out, const struct who *who, size_t n)
{
	add_family(out, "drive", "info", "Identity of the drive.");
	for (size_t i = 0; i < n; i++) {
		const struct identity *id = &who[i].r->reading->identity;
		const char *protocol = protocol_name(id->protocol);

		begin_sample(out, "drive_info", &who[i]);
		str_add_char(out, ',');
		add_label(out, "firmware", id->firmware);
		str_add_char(out, ',');
		add_label(out, "protocol", protocol ? protocol : "");
		str_add_char(out, ',');
		add_label(out, "path", who[i].r->is_gone ? "" : id->path);
		str_add_char(out, ',');
		add_label(out, "location", id->location);
		str_add_char(out, ',');
		add_label(out, "wwn", id->wwn);
		end_sample(out, "1");
	}
}

/* Now, that is: what the history tells of a drive does not make it answer. */
static bool is_read(const struct drive_report *r)
{
	return r->reading->state == DRIVE_READ && !r->from_history;
}

static void add_states(struct str *out, const struct who *who, size_t n)
{
	char number[UNIT_TEXT_MAX];

	add_family(out, "drive_up", "gauge", "1 where the drive could be read.");
	for (size_t i = 0; i < n; i++) {
		begin_sample(out, "drive_up", &who[i]);
		end_sample(out, is_read(who[i].r) ? "1" : "0");
	}
	add_family(out, "drive_verdict", "gauge", "0 ok, 1 warning, 2 critical, 3 unknown.");
	for (size_t i = 0; i < n; i++) {
		static const char *const codes[] = { [SEVERITY_OK] = "0",
						     [SEVERITY_WARNING] = "1",
						     [SEVERITY_CRITICAL] = "2",
						     [SEVERITY_UNKNOWN] = "3" };

		begin_sample(out, "drive_verdict", &who[i]);
		end_sample(out, codes[who[i].r->assessment->verdict]);
	}
	add_family(out, "capacity_bytes", "gauge", "User capacity.");
	for (size_t i = 0; i < n; i++) {
		const struct identity *id = &who[i].r->reading->identity;

		if (!id->has_capacity)
			continue;
		begin_sample(out, "capacity_bytes", &who[i]);
		end_sample(out, format_exact(id->capacity_bytes, UNIT_BYTES, number));
	}
}

/* A percentage as a ratio: thousandths of a percent are 1e-5. */
static const char *ratio_text(i128 v, char buf[UNIT_TEXT_MAX])
{
	snprintf(buf, UNIT_TEXT_MAX, "%.5f", (double)v / 1e5);
	return buf;
}

/* A fact's family: its name, with base units and OpenMetrics' endings. */
static void fact_family(enum fact_id id, char *buf, size_t size)
{
	const char *name = fact_name(id);
	size_t n = strlen(name);

	if (fact_unit(id) == UNIT_PERCENT) {
		static const char suffix[] = "_percent";
		size_t cut = sizeof(suffix) - 1;

		if (n > cut && strcmp(name + n - cut, suffix) == 0)
			n -= cut;
		snprintf(buf, size, "%.*s_ratio", (int)n, name);
	} else {
		snprintf(buf, size, "%s", name);
	}
}

static void add_fact(struct str *out, enum fact_id id, const struct who *who, size_t n)
{
	bool percent = fact_unit(id) == UNIT_PERCENT;
	bool counter = fact_is_counter(id) && !percent;
	char family[64], sample[80], number[UNIT_TEXT_MAX], help[96];
	bool begun = false;
	i128 v;

	fact_family(id, family, sizeof(family));
	snprintf(sample, sizeof(sample), "%s%s", family, counter ? "_total" : "");
	snprintf(help, sizeof(help), "The drive's %s.", fact_label(id));
	for (size_t i = 0; i < n; i++) {
		if (!facts_number(&who[i].r->assessment->facts, id, &v))
			continue;
		if (!begun)
			add_family(out, family, counter ? "counter" : "gauge", help);
		begun = true;
		begin_sample(out, sample, &who[i]);
		end_sample(out, percent ? ratio_text(v, number)
					: format_exact(v, fact_unit(id), number));
	}
}

static void add_wear(struct str *out, const struct who *who, size_t n)
{
	char number[UNIT_TEXT_MAX];

	add_family(out, "life_left_ratio", "gauge", "Rated life left, 0 to 1.");
	for (size_t i = 0; i < n; i++) {
		const struct wear *w = &who[i].r->assessment->wear;

		if (!w->has_left)
			continue;
		begin_sample(out, "life_left_ratio", &who[i]);
		end_sample(out, ratio_text(w->left, number));
	}
	add_family(out, "write_amplification_ratio", "gauge", "NAND bytes per host byte written.");
	for (size_t i = 0; i < n; i++) {
		const struct wear *w = &who[i].r->assessment->wear;

		if (w->has_waf_lifetime) {
			begin_sample(out, "write_amplification_ratio", &who[i]);
			str_add(out, ",window=\"lifetime\"");
			snprintf(number, sizeof(number), "%.5f", w->waf_lifetime);
			end_sample(out, number);
		}
		if (w->has_waf_recent) {
			begin_sample(out, "write_amplification_ratio", &who[i]);
			str_add(out, ",window=\"recent\"");
			snprintf(number, sizeof(number), "%.5f", w->waf_recent);
			end_sample(out, number);
		}
	}
	add_family(out, "wear_unevenness_ratio", "gauge", "Maximum by average block erase count.");
	for (size_t i = 0; i < n; i++) {
		const struct wear *w = &who[i].r->assessment->wear;

		if (!w->has_unevenness)
			continue;
		begin_sample(out, "wear_unevenness_ratio", &who[i]);
		snprintf(number, sizeof(number), "%.5f", w->unevenness);
		end_sample(out, number);
	}
}

/* A gauge of the recent past and of all history, where they are known. */
static void add_rate(struct str *out, const char *name, const char *help, const struct who *who,
		     size_t n, void (*rates)(const struct forecast *f, double *recent, double *all))
{
	bool begun = false;

	for (size_t i = 0; i < n; i++) {
		static const char *const windows[] = { "recent", "history" };
		double values[2];

		rates(&who[i].r->assessment->forecast, &values[0], &values[1]);
		for (size_t k = 0; k < ARRAY_SIZE(values); k++) {
			char number[UNIT_TEXT_MAX];

			if (values[k] < 0)
				continue;
			if (!begun)
				add_family(out, name, "gauge", help);
			begun = true;
			begin_sample(out, name, &who[i]);
			str_addf(out, ",window=\"%s\"", windows[k]);
			snprintf(number, sizeof(number), "%.6g", values[k]);
			end_sample(out, number);
		}
	}
}

static void write_rates(const struct forecast *f, double *recent, double *all)
{
	*recent = f->has_writes_recent ? f->writes_per_day_recent / SECONDS_PER_DAY : -1;
	*all = f->has_writes_all ? f->writes_per_day_all / SECONDS_PER_DAY : -1;
}

static void wear_rates(const struct forecast *f, double *recent, double *all)
{
	*recent = f->has_wear_recent ? f->wear_per_day_recent / 100 / SECONDS_PER_DAY : -1;
	*all = f->has_wear_all ? f->wear_per_day_all / 100 / SECONDS_PER_DAY : -1;
}

/* What needs a history; families without a sample are left out. */
static void add_history(struct str *out, const struct who *who, size_t n)
{
	bool begun = false;

	add_rate(out, "host_write_rate_bytes_per_second", "Host bytes written per second.", who, n,
		 write_rates);
	add_rate(out, "wear_rate_ratio_per_second", "Rated life used per second.", who, n,
		 wear_rates);
	for (size_t i = 0; i < n; i++) {
		const struct drive_report *r = who[i].r;
		char number[UNIT_TEXT_MAX];

		if (!r->history.nsamples)
			continue;
		if (!begun)
			add_family(out, "history_seconds", "gauge",
				   "Time from the first to the last sample.");
		begun = true;
		begin_sample(out, "history_seconds", &who[i]);
		snprintf(number, sizeof(number), "%.0f",
			 r->assessment->forecast.data_days * SECONDS_PER_DAY);
		end_sample(out, number);
	}
}

/* The interval of a forecast; an upper end that is open is not told. */
static void add_bound(struct str *out, const char *name, const char *help, const struct who *who,
		      size_t n, double (*bound)(const struct estimate *e))
{
	bool begun = false;

	for (size_t i = 0; i < n; i++)
		for (int m = 0; m < METHOD_COUNT; m++) {
			const struct estimate *e = &who[i].r->assessment->estimates.by_method[m];
			char number[UNIT_TEXT_MAX];

			if (!e->by_history || !isfinite(bound(e)))
				continue;
			if (!begun)
				add_family(out, name, "gauge", help);
			begun = true;
			begin_sample(out, name, &who[i]);
			str_addf(out, ",method=\"%s\"", method_name(e->method));
			snprintf(number, sizeof(number), "%.0f", bound(e) * SECONDS_PER_DAY);
			end_sample(out, number);
		}
}

static double low_of(const struct estimate *e)
{
	return e->days_low;
}

static double high_of(const struct estimate *e)
{
	return e->days_high;
}

static void add_estimates(struct str *out, const struct who *who, size_t n)
{
	char number[UNIT_TEXT_MAX];

	add_family(out, "remaining_life_seconds", "gauge",
		   "Time until the method's limit, by history or the lifetime's average rate.");
	for (size_t i = 0; i < n; i++) {
		const struct estimates *all = &who[i].r->assessment->estimates;

		for (int m = 0; m < METHOD_COUNT; m++) {
			const struct estimate *e = &all->by_method[m];

			if (!e->has_days)
				continue;
			begin_sample(out, "remaining_life_seconds", &who[i]);
			str_addf(out, ",method=\"%s\",binding=\"%s\"", method_name(e->method),
				 all->binding == m ? "true" : "false");
			snprintf(number, sizeof(number), "%.0f", e->days_left * SECONDS_PER_DAY);
			end_sample(out, number);
		}
	}
	add_bound(out, "remaining_life_low_seconds", "Lower end of its 90 % interval by history.",
		  who, n, low_of);
	add_bound(out, "remaining_life_high_seconds", "Upper end of its 90 % interval by history.",
		  who, n, high_of);
}

static void add_findings(struct str *out, const struct who *who, size_t n)
{
	add_family(out, "finding", "gauge", "1 for each finding that is present.");
	for (size_t i = 0; i < n; i++) {
		const struct assessment *a = who[i].r->assessment;

		for (size_t f = 0; f < a->nfindings; f++) {
			bool twin = false;

			for (size_t k = 0; k < f; k++)
				twin |= strcmp(a->findings[k].id, a->findings[f].id) == 0;
			if (twin) /* a series may stand only once; the worst comes first */
				continue;
			begin_sample(out, "finding", &who[i]);
			str_addf(out, ",id=\"%s\",severity=\"%s\",suppressed=\"%s\"",
				 a->findings[f].id, severity_name(a->findings[f].severity),
				 a->findings[f].suppressed ? "true" : "false");
			end_sample(out, "1");
		}
	}
}

void report_openmetrics(const struct drive_report *drives, size_t n, struct str *out)
{
	CLEANUP(cleanup_free) struct who *who = calloc(n ? n : 1, sizeof(*who));

	if (!who) {
		out->err = -ENOMEM;
		return;
	}
	name_drives(drives, n, who);
	add_info(out, who, n);
	add_states(out, who, n);
	for (int i = 0; i < FACT_COUNT; i++)
		add_fact(out, (enum fact_id)i, who, n);
	add_wear(out, who, n);
	add_history(out, who, n);
	add_estimates(out, who, n);
	add_findings(out, who, n);
	str_add(out, "# EOF\n");
}
