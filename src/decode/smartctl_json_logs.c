/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/text.h"
#include "decode/ata.h"
#include "decode/smartctl_json.h"

/* Device Statistics: pages of rows with their offsets. */
static int read_devstat(const cJSON *root, struct reading *r)
{
	const cJSON *page, *row, *pages = json_path(root, "ata_device_statistics.pages");
	struct dump_devstat dump;

	if (!pages)
		return 0;
	dump_devstat_init(&dump);
	cJSON_ArrayForEach(page, pages)
	{
		i128 number, offset, value;
		bool valid;

		if (!json_integer(json_member(page, "number"), &number))
			continue;
		cJSON_ArrayForEach(row, json_member(page, "table"))
		{
			if (json_boolean(json_path(row, "flags.valid"), &valid) && !valid)
				continue;
			if (json_integer(json_member(row, "offset"), &offset) &&
			    smartctl_json_number(row, "value", &value))
				dump_devstat_put(&dump, number, offset, value);
		}
	}
	return dump_devstat_add(&dump, r);
}

static int read_sct(const cJSON *root, struct reading *r)
{
	static const struct {
		const char *path, *field;
	} rows[] = {
		{ "device_state.value", "device_state" },
		{ "temperature.current", "temperature" },
		{ "temperature.power_cycle_min", "temperature_cycle_min" },
		{ "temperature.power_cycle_max", "temperature_cycle_max" },
		{ "temperature.lifetime_min", "temperature_min" },
		{ "temperature.lifetime_max", "temperature_max" },
		{ "temperature.op_limit_max", "temperature_limit" },
		{ "temperature.under_limit_count", "under_limit_count" },
		{ "temperature.over_limit_count", "over_limit_count" },
	};
	const cJSON *sct = json_member(root, "ata_sct_status");
	struct dump_log log;
	i128 v;

	if (!sct)
		return 0;
	dump_log_init(&log, &layout_ata_sct_status);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (json_integer(json_path(sct, rows[i].path), &v))
			dump_log_put_named(&log, rows[i].field, v);
	return dump_log_add(&log, r);
}

/* Parts that the self-test tables of all three protocols have in common. */
static void read_place(const cJSON *row, const char *hours_path, struct selftest *t)
{
	i128 v;

	if (json_integer(json_path(row, hours_path), &v) && v >= 0 && v <= UINT64_MAX) {
		t->has_hours = true;
		t->hours = (uint64_t)v;
	}
	if (smartctl_json_number(row, "lba", &v) && v >= 0 && v <= UINT64_MAX) {
		t->has_lba = true;
		t->lba = (uint64_t)v;
	}
	if (json_integer(json_member(row, "segment"), &v) && v >= 0 && v <= UINT8_MAX) {
		t->has_segment = true;
		t->segment = (uint8_t)v;
	}
}

static void read_ata_selftests(const cJSON *root, struct reading *r)
{
	const cJSON *log = json_path(root, "ata_smart_self_test_log.extended");
	const cJSON *row;
	i128 v;

	if (!log)
		log = json_path(root, "ata_smart_self_test_log.standard");
	r->selftest_log_read = r->selftest_log_read || log;
	cJSON_ArrayForEach(row, json_member(log, "table"))
	{
		struct selftest *t = reading_new_selftest(r);
		unsigned status = 0xff;

		if (!t)
			return;
		if (json_integer(json_path(row, "status.value"), &v) && v >= 0 && v <= 0xff)
			status = (unsigned)v;
		t->code = (uint8_t)(status >> 4);
		t->result = ata_selftest_result(t->code);
		if (t->result == SELFTEST_RUNNING || t->result == SELFTEST_ABORTED)
			t->remaining_percent = (int8_t)((status & 15) * 10);
		if (json_integer(json_path(row, "type.value"), &v) && v >= 0 && v <= 0xff)
			text_copy(t->kind, sizeof(t->kind), ata_selftest_kind((unsigned)v));
		read_place(row, "lifetime_hours", t);
	}
}

/* The test that runs now, in the SMART data. */
static void read_ata_progress(const cJSON *root, struct reading *r)
{
	i128 status, remaining;

	if (!json_integer(json_path(root, "ata_smart_data.self_test.status.value"), &status) ||
	    status >> 4 != 15)
		return;
	if (!json_integer(json_path(root, "ata_smart_data.self_test.status.remaining_percent"),
			  &remaining))
		remaining = (status & 15) * 10;
	if (remaining >= 0 && remaining <= 100)
		r->selftest_progress = (int8_t)(100 - remaining);
}

static void read_error_count(const cJSON *root, struct reading *r)
{
	static const char *const paths[] = { "ata_smart_error_log.extended.count",
					     "ata_smart_error_log.summary.count" };
	i128 v;

	for (size_t i = 0; i < ARRAY_SIZE(paths) && !r->has_error_log_entries; i++) {
		if (json_integer(json_path(root, paths[i]), &v) && v >= 0 && v <= UINT32_MAX) {
			r->has_error_log_entries = true;
			r->error_log_entries = (uint64_t)v;
		}
	}
}

static int read_nvme_health(const cJSON *root, struct reading *r)
{
	const cJSON *health = json_member(root, "nvme_smart_health_information_log");
	const cJSON *sensor, *limits = json_member(root, "nvme_composite_temperature_threshold");
	static const char *const sensors[] = {
		"temperature_sensor_1", "temperature_sensor_2", "temperature_sensor_3",
		"temperature_sensor_4", "temperature_sensor_5", "temperature_sensor_6",
		"temperature_sensor_7", "temperature_sensor_8",
	};
	struct dump_log log;
	size_t n = 0;
	int err = 0;
	i128 v;

	dump_log_init(&log, layout_by_name("nvme.smart"));
	for (const struct dump_row *row = dump_nvme_health_rows; row->field; row++)
		if (row->json && smartctl_json_number(health, row->json, &v))
			dump_log_put_named(&log, row->field, v);
	cJSON_ArrayForEach(sensor, json_member(health, "temperature_sensors"))
	{
		if (n == ARRAY_SIZE(sensors))
			break;
		/* 0 kelvins, "no sensor", prints as null or as 0 */
		if (json_integer(sensor, &v) && v != 0)
			dump_log_put_named(&log, sensors[n], v);
		n++;
	}
	/* 0 kelvins: no limit */
	if (json_integer(json_member(limits, "warning"), &v) && v > 0)
		err = dump_add(r, "nvme.controller", "wctemp", v);
	if (!err && json_integer(json_member(limits, "critical"), &v) && v > 0)
		err = dump_add(r, "nvme.controller", "cctemp", v);
	return err ? err : dump_health_add(&log, r);
}

static void read_nvme_selftests(const cJSON *root, struct reading *r)
{
	const cJSON *log = json_member(root, "nvme_self_test_log");
	const cJSON *row;
	i128 v;

	r->selftest_log_read = r->selftest_log_read || log;
	if (json_integer(json_path(log, "current_self_test_operation.value"), &v) && v != 0 &&
	    json_integer(json_member(log, "current_self_test_completion_percent"), &v) && v >= 0 &&
	    v <= 100)
		r->selftest_progress = (int8_t)v;
	cJSON_ArrayForEach(row, json_member(log, "table"))
	{
		struct selftest *t;

		if (!json_integer(json_path(row, "self_test_result.value"), &v) || v < 0 || v >= 15)
			continue;
		t = reading_new_selftest(r);
		if (!t)
			return;
		t->code = (uint8_t)v;
		t->result = smartctl_nvme_selftest_result(t->code);
		if (json_integer(json_path(row, "self_test_code.value"), &v) && v >= 0 && v <= 15)
			text_copy(t->kind, sizeof(t->kind),
				  smartctl_nvme_selftest_kind((unsigned)v));
		read_place(row, "power_on_hours", t);
	}
}

/* What smartctl made of the attributes; for the other protocols it copies the logs. */
static int read_summary(const cJSON *root, struct reading *r)
{
	static const struct {
		const char *path, *field;
	} rows[] = {
		{ "power_on_time.hours", "power_on_hours" },
		{ "power_cycle_count", "power_cycles" },
		{ "temperature.current", "temperature" },
	};
	struct dump_log log;
	i128 v;

	if (r->identity.protocol != PROTOCOL_ATA)
		return 0;
	dump_log_init(&log, &layout_smartctl_summary);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (json_integer(json_path(root, rows[i].path), &v))
			dump_log_put_named(&log, rows[i].field, v);
	return dump_log_add(&log, r);
}

int smartctl_json_logs(const cJSON *root, struct reading *r)
{
	static int (*const readers[])(const cJSON *, struct reading *) = {
		read_devstat, read_sct, read_nvme_health, smartctl_json_scsi, read_summary,
	};
	int err = 0;

	read_ata_selftests(root, r);
	read_ata_progress(root, r);
	read_error_count(root, r);
	read_nvme_selftests(root, r);
	for (size_t i = 0; i < ARRAY_SIZE(readers) && !err; i++)
		err = readers[i](root, r);
	return err;
}
