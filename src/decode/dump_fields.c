/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "decode/ata.h"
#include "decode/dump.h"

/* No drive works outside these; -128 is how logs of signed bytes say "not valid". */
#define CELSIUS_MIN  (-60)
#define CELSIUS_MAX  150
#define CELSIUS_ZERO 273 /* kelvins, as NVMe tools and drives round it */

/*
 * What smartctl computed and no log in the dump holds: its own reading of attributes. The rows
 * stand for no bytes of a drive; each takes eight of an imaginary log.
 */
static const struct field summary_fields[] = {
	FIELD("power_on_hours", "Power-on hours", 0, 8, FIELD_UINT, .unit = UNIT_HOURS,
	      IN_FACT(FACT_POWER_ON_HOURS)),
	FIELD("power_cycles", "Power cycles", 8, 8, FIELD_UINT, IN_COUNT,
	      IN_FACT(FACT_POWER_CYCLES)),
	FIELD("temperature", "Temperature", 16, 8, FIELD_SINT, .unit = UNIT_CELSIUS, .factor = 1000,
	      IN_FACT(FACT_TEMPERATURE)),
};

const struct log_layout layout_smartctl_summary = {
	.name = "smartctl.summary",
	.title = "What smartctl made of the attributes",
	.source = "smartctl's JSON: power_on_time, power_cycle_count, temperature",
	.space = SPACE_SMARTCTL_JSON,
	.size = 24,
	.fields = summary_fields,
	.nfields = ARRAY_SIZE(summary_fields),
	.quality = QUALITY_VENDOR,
	.confidence = CONFIDENCE_MEDIUM,
};

/* The answer to READ DEFECT DATA, which is no log; smartctl counts its elements. */
static const struct field grown_defects_fields[] = {
	FIELD("grown_defects", "Grown defects", 0, 8, FIELD_UINT, .unit = UNIT_BLOCKS,
	      IN_FACT(FACT_REALLOCATED_BLOCKS)),
};

static const struct log_layout layout_grown_defects = {
	.name = "scsi.grown_defects",
	.title = "Grown defect list",
	.source = "SBC-4 5.18",
	.space = SPACE_SMARTCTL_JSON,
	.size = 8,
	.fields = grown_defects_fields,
	.nfields = ARRAY_SIZE(grown_defects_fields),
};

const struct log_layout *const dump_layouts[] = { &layout_smartctl_summary, &layout_grown_defects,
						  NULL };

const struct dump_row dump_nvme_health_rows[] = {
	{ "critical_warning", "Critical Warning", "critical_warning", "critical_warning" },
	{ "temperature", "Temperature", "temperature", "temperature" },
	{ "available_spare", "Available Spare", "avail_spare", "available_spare" },
	{ "available_spare_threshold", "Available Spare Threshold", "spare_thresh",
	  "spare_threshold" },
	{ "percentage_used", "Percentage Used", "percent_used", "percentage_used" },
	{ NULL, NULL, "endurance_grp_critical_warning_summary", "endurance_group_warning" },
	{ "data_units_read", "Data Units Read", "data_units_read", "data_units_read" },
	{ "data_units_written", "Data Units Written", "data_units_written", "data_units_written" },
	{ "host_reads", "Host Read Commands", "host_read_commands", "host_read_commands" },
	{ "host_writes", "Host Write Commands", "host_write_commands", "host_write_commands" },
	{ "controller_busy_time", "Controller Busy Time", "controller_busy_time",
	  "controller_busy" },
	{ "power_cycles", "Power Cycles", "power_cycles", "power_cycles" },
	{ "power_on_hours", "Power On Hours", "power_on_hours", "power_on_hours" },
	{ "unsafe_shutdowns", "Unsafe Shutdowns", "unsafe_shutdowns", "unsafe_shutdowns" },
	{ "media_errors", "Media and Data Integrity Errors", "media_errors", "media_errors" },
	{ "num_err_log_entries", "Error Information Log Entries", "num_err_log_entries",
	  "error_log_entries" },
	{ "warning_temp_time", "Warning  Comp. Temperature Time", "warning_temp_time",
	  "warning_temperature_time" },
	{ "critical_comp_time", "Critical Comp. Temperature Time", "critical_comp_time",
	  "critical_temperature_time" },
	{ NULL, "Temperature Sensor 1", "temperature_sensor_1", "temperature_sensor_1" },
	{ NULL, "Temperature Sensor 2", "temperature_sensor_2", "temperature_sensor_2" },
	{ NULL, "Temperature Sensor 3", "temperature_sensor_3", "temperature_sensor_3" },
	{ NULL, "Temperature Sensor 4", "temperature_sensor_4", "temperature_sensor_4" },
	{ NULL, "Temperature Sensor 5", "temperature_sensor_5", "temperature_sensor_5" },
	{ NULL, "Temperature Sensor 6", "temperature_sensor_6", "temperature_sensor_6" },
	{ NULL, "Temperature Sensor 7", "temperature_sensor_7", "temperature_sensor_7" },
	{ NULL, "Temperature Sensor 8", "temperature_sensor_8", "temperature_sensor_8" },
	{ "thm_temp1_trans_count", "Thermal Temp. 1 Transition Count", "thm_temp1_trans_count",
	  "thermal_1_transitions" },
	{ "thm_temp2_trans_count", "Thermal Temp. 2 Transition Count", "thm_temp2_trans_count",
	  "thermal_2_transitions" },
	{ "thm_temp1_total_time", "Thermal Temp. 1 Total Time", "thm_temp1_total_time",
	  "thermal_1_time" },
	{ "thm_temp2_total_time", "Thermal Temp. 2 Total Time", "thm_temp2_total_time",
	  "thermal_2_time" },
	{ 0 },
};

void dump_log_init(struct dump_log *log, const struct log_layout *layout)
{
	assert(layout && layout->size <= DUMP_LOG_MAX);
	*log = (struct dump_log){ .layout = layout };
}

/* Bytes of a row that hold its number: the flags of a statistic are not part of it. */
static bool holds(const struct field *f, i128 number)
{
	unsigned bits = f->bits ? f->bits : f->size * 8;
	bool is_signed = f->type == FIELD_SINT || f->flags & FIELD_SIGNED;
	u128 magnitude = number < 0 ? ~(u128)number : (u128)number;

	if (bits >= 128)
		return number >= 0;
	return (is_signed || number >= 0) && magnitude >> (is_signed ? bits - 1 : bits) == 0;
}

void dump_log_put(struct dump_log *log, const struct field *f, i128 number)
{
	u128 stored;

	/* of a statistic, ata_finish() says so */
	if (f->unit == UNIT_CELSIUS && f->type != FIELD_DEVSTAT &&
	    (number < CELSIUS_MIN || number > CELSIUS_MAX))
		return;
	if (f->flags & FIELD_KELVIN)
		number += CELSIUS_ZERO;
	/* some tools count on where the drive's byte stops */
	if (f->unit == UNIT_PERCENT && f->flags & FIELD_SATURATES && number > UINT8_MAX)
		number = UINT8_MAX;
	if (!holds(f, number))
		return;
	stored = (u128)number;
	if (f->type == FIELD_DEVSTAT)
		stored = (stored & (((u128)1 << f->bits) - 1)) | (u128)3 << 62;
	for (uint32_t i = 0; i < f->size; i++) {
		log->data[f->off + i] = (uint8_t)(stored >> 8 * i);
		log->given[f->off + i] = true;
	}
	log->any = true;
}

void dump_log_put_named(struct dump_log *log, const char *field, i128 number)
{
	const struct field *f = layout_field(log->layout, field);

	assert(f);
	dump_log_put(log, f, number);
}

static bool is_given(const struct dump_log *log, const struct field *f)
{
	for (uint32_t i = 0; i < f->size; i++)
		if (!log->given[f->off + i])
			return false;
	return true;
}

/* A derived row is given where all its parts are. */
static bool is_derived_given(const struct dump_log *log, const struct field *f)
{
	for (size_t i = 0; i < log->layout->nderived; i++) {
		const struct derived_field *df = &log->layout->derived[i];

		if (&df->field != f)
			continue;
		for (unsigned n = 0; n < DERIVED_PARTS_MAX && df->parts[n].name; n++)
			if (!is_given(log, layout_field(log->layout, df->parts[n].name)))
				return false;
	}
	return true;
}

int dump_log_add(const struct dump_log *log, struct reading *r)
{
	const struct log_layout *l = log->layout;
	size_t kept = r->nfields;
	int err;

	if (!log->any)
		return 0;
	err = decode_log(l, l->id, l->sub == UINT32_MAX ? 0 : l->sub, bytes_of(log->data, l->size),
			 r);
	for (size_t i = kept; i < r->nfields; i++) {
		struct decoded *v = &r->fields[i];

		if (v->field->size ? is_given(log, v->field) : is_derived_given(log, v->field))
			r->fields[kept++] = *v;
		else
			free(v->value.text);
	}
	r->nfields = kept;
	return err;
}

/* Nothing but zeros, of which a tool may have made a temperature of 0 C. */
static bool is_all_zeros(const struct dump_log *log)
{
	const struct field *t = layout_field(log->layout, "temperature");
	struct bytes all = bytes_of(log->data, log->layout->size);
	uint64_t kelvin = bytes_le_or0(all, t->off, t->size);

	return bytes_all(bytes_slice(all, 0, t->off), 0) &&
	       (kelvin == 0 || kelvin == CELSIUS_ZERO) &&
	       bytes_all(bytes_slice(all, t->off + t->size, all.len), 0);
}

int dump_health_add(const struct dump_log *log, struct reading *r)
{
	if (!log->any || !is_all_zeros(log))
		return dump_log_add(log, r);
	reading_add_problem(r, -ENODATA, "%s: all zeros", log->layout->title);
	r->state = DRIVE_UNREADABLE;
	return 0;
}

void dump_devstat_init(struct dump_devstat *dump)
{
	for (size_t i = 0; i < DUMP_DEVSTAT_PAGES; i++)
		dump_log_init(&dump->pages[i], ata_devstat_layouts[i]);
}

void dump_devstat_put(struct dump_devstat *dump, i128 page, i128 off, i128 number)
{
	for (size_t i = 0; i < DUMP_DEVSTAT_PAGES; i++) {
		const struct log_layout *l = dump->pages[i].layout;

		for (size_t n = 0; l->sub == page && n < l->nfields; n++)
			if (l->fields[n].type == FIELD_DEVSTAT && l->fields[n].off == off)
				dump_log_put(&dump->pages[i], &l->fields[n], number);
	}
}

int dump_devstat_add(const struct dump_devstat *dump, struct reading *r)
{
	size_t first = r->nfields;
	int err = 0;

	for (size_t i = 0; i < DUMP_DEVSTAT_PAGES && !err; i++)
		err = dump_log_add(&dump->pages[i], r);
	ata_scale_sectors(r, first);
	return err;
}

/* The key of the record that has this field; 0 where the layout has no records by key. */
static uint32_t key_of(const struct log_layout *l, const struct field *f)
{
	for (size_t i = 0; l->keyed && i < l->keyed->nentries; i++)
		for (unsigned n = 0; n < KEYED_FIELDS_MAX; n++)
			if (&l->keyed->entries[i].fields[n] == f)
				return l->keyed->entries[i].key;
	return 0;
}

int dump_add(struct reading *r, const char *layout, const char *field, i128 number)
{
	const struct log_layout *l = layout_by_name(layout);
	const struct field *f = l ? layout_field(l, field) : NULL;
	struct value value;

	assert(f);
	if (f->flags & FIELD_KELVIN)
		number += CELSIUS_ZERO;
	value = field_value(f, number);
	return reading_add(r, l, f, l->id, l->sub == UINT32_MAX ? 0 : l->sub, key_of(l, f), &value);
}

bool dump_decimal(const char *s, uint32_t scale, i128 *ret)
{
	size_t n = s ? strspn(s, "0123456789") : 0;
	i128 v = 0;

	if (!n || n > 24)
		return false;
	for (size_t i = 0; i < n; i++)
		v = v * 10 + (s[i] - '0');
	v *= scale;
	if (s[n] == '.' || s[n] == ',')
		for (n++; s[n] >= '0' && s[n] <= '9' && scale >= 10; n++)
			v += (s[n] - '0') * (i128)(scale /= 10);
	*ret = v;
	return true;
}

void dump_copy_string(char *dst, size_t size, const char *src)
{
	size_t n = strlen(src);

	if (strcmp(src, "--") == 0 || strcmp(src, "[No Information Found]") == 0)
		n = 0;
	text_from_field(dst, size, src, n);
}

int dump_finish(struct reading *r, struct diag *d)
{
	const struct identity *id = &r->identity;

	if (id->protocol == PROTOCOL_ATA)
		ata_finish(r);
	if (r->state == DRIVE_READ && !*id->model && !*id->serial && !r->nattributes &&
	    !r->nfields && r->smart_status == SMART_STATUS_UNKNOWN)
		return diag_fail(d, -EINVAL, "%s: it tells nothing of any drive", r->origin);
	return 0;
}
