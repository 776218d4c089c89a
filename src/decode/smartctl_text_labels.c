/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "decode/smartctl_text.h"

/* "Label: value" lines: who the drive is, and single numbers that stand in no table. */

static void model(struct text_reader *t, const char *value)
{
	dump_copy_string(t->r->identity.model, sizeof(t->r->identity.model), value);
}

static void ata_model(struct text_reader *t, const char *value)
{
	t->r->identity.protocol = PROTOCOL_ATA;
	model(t, value);
}

static void nvme_model(struct text_reader *t, const char *value)
{
	t->r->identity.protocol = PROTOCOL_NVME;
	t->r->identity.rotational = 0;
	model(t, value);
}

static void scsi_model(struct text_reader *t, const char *value)
{
	t->r->identity.protocol = PROTOCOL_SCSI;
	model(t, value);
}

/* Version 5: "Device: SEAGATE  ST373207LC       Version: 0003" in one line. */
static void scsi_device(struct text_reader *t, const char *value)
{
	static const char mark[] = "Version:";
	const char *version = strstr(value, mark), *product = value + strcspn(value, " ");
	struct identity *id = &t->r->identity;

	if (!version)
		return;
	id->protocol = PROTOCOL_SCSI;
	text_from_field(id->vendor, sizeof(id->vendor), value, (size_t)(product - value));
	if (product < version)
		text_from_field(id->model, sizeof(id->model), product, (size_t)(version - product));
	version += sizeof(mark) - 1;
	text_from_field(id->firmware, sizeof(id->firmware), version, strlen(version));
}

static void vendor(struct text_reader *t, const char *value)
{
	dump_copy_string(t->r->identity.vendor, sizeof(t->r->identity.vendor), value);
}

static void serial(struct text_reader *t, const char *value)
{
	dump_copy_string(t->r->identity.serial, sizeof(t->r->identity.serial), value);
}

static void firmware(struct text_reader *t, const char *value)
{
	dump_copy_string(t->r->identity.firmware, sizeof(t->r->identity.firmware), value);
}

static void family(struct text_reader *t, const char *value)
{
	dump_copy_string(t->r->identity.smartctl_family, sizeof(t->r->identity.smartctl_family),
			 value);
}

/* Hexadecimal digits of exactly these lengths with blanks between; anything else is elided. */
static bool hex_parts(const char *s, const size_t *lengths, size_t n, char *dst)
{
	for (size_t i = 0; i < n; i++) {
		size_t len = strspn(s, "0123456789abcdef");

		if (!len || len > lengths[i])
			return false;
		memset(dst, '0', lengths[i] - len);
		memcpy(dst + lengths[i] - len, s, len);
		dst += lengths[i];
		s += len;
		s += strspn(s, " ");
	}
	*dst = '\0';
	return !*s;
}

static void wwn(struct text_reader *t, const char *value)
{
	static const size_t lengths[] = { 1, 6, 9 };
	char digits[17];

	if (hex_parts(value, lengths, ARRAY_SIZE(lengths), digits))
		snprintf(t->r->identity.wwn, sizeof(t->r->identity.wwn), "0x%s", digits);
}

static void eui64(struct text_reader *t, const char *value)
{
	static const size_t lengths[] = { 6, 10 };
	char digits[17];

	if (hex_parts(value, lengths, ARRAY_SIZE(lengths), digits))
		snprintf(t->r->identity.wwn, sizeof(t->r->identity.wwn), "eui.%s", digits);
}

static void unit_id(struct text_reader *t, const char *value)
{
	dump_copy_string(t->r->identity.wwn, sizeof(t->r->identity.wwn), value);
}

/* The first label that gives one counts: the whole drive stands before its namespaces. */
static void capacity(struct text_reader *t, const char *value)
{
	struct identity *id = &t->r->identity;
	i128 v;

	if (id->has_capacity || !text_number(value, &v) || v <= 0 || v > INT64_MAX)
		return;
	id->has_capacity = true;
	id->capacity_bytes = (uint64_t)v;
}

/* Vendor 0 and no namespaces: a USB bridge that hides them, though the health log is real. */
static void may_be_hidden(struct text_reader *t, const char *value)
{
	i128 v;

	if (text_number(value, &v) && v == 0)
		t->r->identity.incomplete = true;
}

static void block_size(struct text_reader *t, const char *value)
{
	i128 v;

	if (text_number(value, &v) && v > 0 && v <= UINT32_MAX)
		t->r->identity.logical_block_bytes = (uint32_t)v;
}

static void rotation(struct text_reader *t, const char *value)
{
	i128 v;

	if (text_starts_with(value, "Solid State"))
		t->r->identity.rotational = 0;
	else if (text_number(value, &v) && v > 1)
		t->r->identity.rotational = 1;
}

static void smart_support(struct text_reader *t, const char *value)
{
	if (text_starts_with(value, "Unavailable"))
		t->r->state = DRIVE_NO_SMART;
	else if (text_starts_with(value, "Disabled"))
		reading_add_problem(t->r, -ENODATA, "SMART is switched off in the drive");
}

static void status(struct text_reader *t, const char *value)
{
	t->r->smart_status = smartctl_status_from_text(value);
}

/* "[asc=5d, ascq=10]": the part behind the name, in hexadecimal. */
static void sense_code(struct text_reader *t, const char *value, const char *name,
		       const char *field)
{
	const char *at = strstr(value, name);
	unsigned long code;
	char *end;

	if (t->err || !at)
		return;
	at += strlen(name);
	code = strtoul(at, &end, 16);
	if (end != at && code <= 0xff)
		t->err = dump_add(t->r, "scsi.exceptions", field, (i128)code);
}

/* "OK", "HARDWARE IMPENDING FAILURE GENERAL HARD DRIVE FAILURE [asc=5d, ascq=10]" */
static void scsi_status(struct text_reader *t, const char *value)
{
	status(t, value);
	sense_code(t, value, "[asc=", "asc");
	sense_code(t, value, ", ascq=", "ascq");
}

/* "( 249)  Self-test routine in progress..." */
static void selftest_status(struct text_reader *t, const char *value)
{
	i128 v;

	value += strspn(value, "( ");
	if (text_number(value, &v) && v >> 4 == 15)
		t->r->selftest_progress = (int8_t)(100 - 10 * ((v & 15) < 10 ? (v & 15) : 10));
}

/* "Short self-test in progress (28% completed)" */
static void nvme_selftest_status(struct text_reader *t, const char *value)
{
	const char *open = strchr(value, '(');
	i128 v;

	t->r->selftest_log_read = true;
	if (strstr(value, "in progress") && open && text_number(open + 1, &v) && v >= 0 && v <= 100)
		t->r->selftest_progress = (int8_t)v;
}

static void error_count(struct text_reader *t, const char *value)
{
	i128 v;

	if (!text_number(value, &v) || v < 0 || v > UINT32_MAX)
		return;
	t->r->has_error_log_entries = true;
	t->r->error_log_entries = (uint64_t)v;
}

static void add(struct text_reader *t, const char *layout, const char *field, const char *value)
{
	i128 v;

	if (!t->err && text_number(value, &v))
		t->err = dump_add(t->r, layout, field, v);
}

static void warning_limit(struct text_reader *t, const char *value)
{
	add(t, "nvme.controller", "wctemp", value);
}

static void critical_limit(struct text_reader *t, const char *value)
{
	add(t, "nvme.controller", "cctemp", value);
}

static void scsi_percentage(struct text_reader *t, const char *value)
{
	add(t, "scsi.ssd", "percentage_used", value);
}

/* 0 stands for "not told" in both. */
static void scsi_temperature(struct text_reader *t, const char *value)
{
	if (*value != '0')
		add(t, "scsi.temperature", "temperature", value);
}

static void scsi_trip(struct text_reader *t, const char *value)
{
	if (*value != '0')
		add(t, "scsi.temperature", "reference", value);
}

static void grown_defects(struct text_reader *t, const char *value)
{
	add(t, "scsi.grown_defects", "grown_defects", value);
}

static void sct_temperature(struct text_reader *t, const char *value)
{
	i128 v;

	if (t->r->identity.protocol == PROTOCOL_ATA && text_number(value, &v))
		dump_log_put_named(&t->sct, "temperature", v);
}

static void blocks_received(struct text_reader *t, const char *value)
{
	add(t, "scsi.statistics", "blocks_received", value);
}

static void blocks_transmitted(struct text_reader *t, const char *value)
{
	add(t, "scsi.statistics", "blocks_transmitted", value);
}

static const struct {
	const char *label;
	void (*take)(struct text_reader *t, const char *value);
} labels[] = {
	{ "Device Model", ata_model },
	{ "Model Number", nvme_model },
	{ "Product", scsi_model },
	{ "Device", scsi_device },
	{ "Vendor", vendor },
	{ "Model Family", family },
	{ "Serial Number", serial },
	{ "Serial number", serial },
	{ "Firmware Version", firmware },
	{ "Revision", firmware },
	{ "LU WWN Device Id", wwn },
	{ "Namespace 1 IEEE EUI-64", eui64 },
	{ "Logical Unit id", unit_id },
	{ "Total NVM Capacity", capacity },
	{ "User Capacity", capacity },
	{ "Number of Namespaces", may_be_hidden },
	{ "PCI Vendor/Subsystem ID", may_be_hidden },
	{ "PCI Vendor ID", may_be_hidden },
	{ "Namespace 1 Size/Capacity", capacity },
	{ "Sector Size", block_size },
	{ "Sector Sizes", block_size },
	{ "Logical block size", block_size },
	{ "Namespace 1 Formatted LBA Size", block_size },
	{ "Rotation Rate", rotation },
	{ "SMART support is", smart_support },
	{ "SMART overall-health self-assessment test result", status },
	{ "SMART Health Status", scsi_status },
	{ "Self-test execution status", selftest_status },
	{ "Self-test status", nvme_selftest_status },
	{ "Device Error Count", error_count },
	{ "ATA Error Count", error_count },
	{ "Warning  Comp. Temp. Threshold", warning_limit },
	{ "Critical Comp. Temp. Threshold", critical_limit },
	{ "Percentage used endurance indicator", scsi_percentage },
	{ "SS Media used endurance indicator", scsi_percentage }, /* before version 7 */
	{ "Current Drive Temperature", scsi_temperature },
	{ "Drive Trip Temperature", scsi_trip },
	{ "Elements in grown defect list", grown_defects },
	{ "Current Temperature", sct_temperature },
	{ "number of logical blocks received", blocks_received },
	{ "Number of logical blocks received", blocks_received },
	{ "number of logical blocks transmitted", blocks_transmitted },
	{ "Number of logical blocks transmitted", blocks_transmitted },
};

void text_label(struct text_reader *t, const char *label, const char *value)
{
	for (size_t i = 0; i < ARRAY_SIZE(labels); i++) {
		if (strcmp(label, labels[i].label) == 0) {
			labels[i].take(t, value);
			return;
		}
	}
}

/* It is told up to three times; the first counts. */
static void add_power_on(struct text_reader *t, i128 minutes)
{
	i128 v;

	if (!t->err && !reading_number(t->r, "scsi.background_scan", "power_on_time", &v))
		t->err = dump_add(t->r, "scsi.background_scan", "power_on_time", minutes);
}

/* "Accumulated power on time, hours:minutes 24755:57 [1485357 minutes]" */
static void scsi_power_on(struct text_reader *t, const char *line)
{
	static const char words[] = "power on time, hours:minutes ";
	const char *s = strstr(line, words), *end;
	u128 hours, minutes;

	if (!s)
		return;
	s += sizeof(words) - 1;
	if (parse_grouped(s + strspn(s, " "), &hours, &end) || *end != ':' ||
	    parse_grouped(end + 1, &minutes, NULL) || hours > UINT32_MAX / 60 || minutes > 59)
		return;
	add_power_on(t, (i128)(hours * 60 + minutes));
}

/* "number of hours powered up = 24755.95", in Seagate's factory page */
static void scsi_powered_up(struct text_reader *t, const char *line)
{
	const char *s = strchr(line, '=');
	i128 hundredths;

	if (s && dump_decimal(s + 1 + strspn(s + 1, " "), 100, &hundredths) &&
	    hundredths <= UINT32_MAX)
		add_power_on(t, hundredths * 60 / 100);
}

/* "Smartctl open device: /dev/sda failed: Permission denied" names the node. */
static void failed_node(struct text_reader *t, const char *line)
{
	static const char start[] = "Smartctl open device: ";
	const char *end = strstr(line, " failed:");
	char *path = t->r->identity.path;
	size_t n;

	if (!text_starts_with(line, start) || !end || *path)
		return;
	n = (size_t)(end - line) - (sizeof(start) - 1);
	if (n < sizeof(t->r->identity.path)) {
		memcpy(path, line + sizeof(start) - 1, n);
		path[n] = '\0';
	}
}

void text_message(struct text_reader *t, const char *line)
{
	struct reading *r = t->r;
	enum drive_state state;

	if (text_starts_with(line, "No self-tests have been logged") ||
	    text_starts_with(line, "No Self-tests Logged"))
		r->selftest_log_read = true;
	else if (text_starts_with(line, "No Errors Logged") && r->identity.protocol == PROTOCOL_ATA)
		r->has_error_log_entries = true;
	else if (strstr(line, "based on an Attribute check"))
		r->smart_status_by_attributes = true;
	else if (text_starts_with(line, "Accumulated power on time"))
		scsi_power_on(t, line);
	else if (text_starts_with(line, "number of hours powered up"))
		scsi_powered_up(t, line);
	else if (r->state == DRIVE_READ && smartctl_state_from_text(line, &state)) {
		r->state = state;
		failed_node(t, line);
		reading_add_problem(r, state == DRIVE_NO_ACCESS ? -EACCES : -EIO, "smartctl: %s",
				    line);
	}
}
