/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "decode/scsi.h"
#include "decode/smartctl_json.h"

/* SCSI drives in smartctl -j. */

#define SELFTESTS_LISTED 20
#define GIGA		 1000000000

/* Counters of one direction; "gigabytes_processed" is a decimal fraction in a string. */
static int read_counters(const cJSON *counters, const char *layout, const char *again,
			 struct reading *r)
{
	const struct {
		const char *json, *field;
	} rows[] = {
		{ "errors_corrected_by_eccfast", "corrected_fast" },
		{ "errors_corrected_by_eccdelayed", "corrected_delayed" },
		{ "errors_corrected_by_rereads_rewrites", again },
		{ "total_errors_corrected", "corrected" },
		{ "correction_algorithm_invocations", "correction_runs" },
		{ "total_uncorrected_errors", "uncorrected" },
	};
	const cJSON *processed = json_member(counters, "gigabytes_processed");
	int err = 0;
	i128 v;

	for (size_t i = 0; i < ARRAY_SIZE(rows) && !err; i++)
		if (json_integer(json_member(counters, rows[i].json), &v))
			err = dump_add(r, layout, rows[i].field, v);
	if (!err && (dump_decimal(json_string(processed), GIGA, &v) ||
		     (json_integer(processed, &v) && !__builtin_mul_overflow(v, (i128)GIGA, &v))))
		err = dump_add(r, layout, "bytes_processed", v);
	return err;
}

/* Why the drive says that it fails: {"smart_status": {"scsi": {"asc": 93, "ascq": 16}}}. */
static int read_exceptions(const cJSON *root, struct reading *r)
{
	const cJSON *status = json_path(root, "smart_status.scsi");
	i128 asc, ascq;
	int err;

	if (!json_integer(json_member(status, "asc"), &asc) ||
	    !json_integer(json_member(status, "ascq"), &ascq) || asc < 0 || asc > 0xff ||
	    ascq < 0 || ascq > 0xff)
		return 0;
	err = dump_add(r, "scsi.exceptions", "asc", asc);
	return err ? err : dump_add(r, "scsi.exceptions", "ascq", ascq);
}

static int read_temperature(const cJSON *root, struct reading *r)
{
	int err = 0;
	i128 v;

	if (json_integer(json_path(root, "temperature.current"), &v) && v != 0)
		err = dump_add(r, "scsi.temperature", "temperature", v);
	if (!err && json_integer(json_path(root, "temperature.drive_trip"), &v) && v != 0)
		err = dump_add(r, "scsi.temperature", "reference", v);
	return err;
}

static int read_power_on(const cJSON *root, struct reading *r)
{
	i128 hours, minutes = 0;

	if (!json_integer(json_path(root, "power_on_time.hours"), &hours) || hours < 0 ||
	    hours > UINT32_MAX / 60)
		return 0;
	if (!json_integer(json_path(root, "power_on_time.minutes"), &minutes) || minutes < 0 ||
	    minutes > 59)
		minutes = 0;
	return dump_add(r, "scsi.background_scan", "power_on_time", hours * 60 + minutes);
}

static void read_selftests(const cJSON *root, struct reading *r)
{
	for (unsigned i = 0; i < SELFTESTS_LISTED; i++) {
		char name[32];
		const cJSON *row;
		struct selftest *t;
		i128 v;

		snprintf(name, sizeof(name), "scsi_self_test_%u", i);
		row = json_member(root, name);
		if (!json_integer(json_path(row, "result.value"), &v) || v < 0 || v > 15)
			continue;
		t = reading_new_selftest(r);
		if (!t)
			return;
		r->selftest_log_read = true;
		t->code = (uint8_t)v;
		t->result = scsi_selftest_result(t->code);
		if (json_integer(json_path(row, "code.value"), &v) && v >= 0 && v <= 7)
			text_copy(t->kind, sizeof(t->kind), scsi_selftest_kind((unsigned)v));
		if (json_integer(json_path(row, "power_on_time.hours"), &v) && v >= 0 &&
		    v <= UINT32_MAX) {
			t->has_hours = true;
			t->hours = (uint64_t)v;
		}
	}
}

int smartctl_json_scsi(const cJSON *root, struct reading *r)
{
	const cJSON *counters = json_member(root, "scsi_error_counter_log");
	int err = 0;
	i128 v;

	if (r->identity.protocol != PROTOCOL_SCSI)
		return 0;
	if (json_integer(json_member(root, "scsi_percentage_used_endurance_indicator"), &v))
		err = dump_add(r, "scsi.ssd", "percentage_used", v);
	if (!err)
		err = read_counters(json_member(counters, "write"), "scsi.write_errors", "rewrites",
				    r);
	if (!err)
		err = read_counters(json_member(counters, "read"), "scsi.read_errors", "rereads",
				    r);
	if (!err && json_integer(json_member(root, "scsi_grown_defect_list"), &v))
		err = dump_add(r, "scsi.grown_defects", "grown_defects", v);
	if (!err)
		err = read_exceptions(root, r);
	if (!err)
		err = read_temperature(root, r);
	if (!err)
		err = read_power_on(root, r);
	read_selftests(root, r);
	return err;
}
