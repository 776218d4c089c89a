/* SPDX-License-Identifier: MIT */
#include "bench/fleet.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "bench/draw.h"
#include "cli/files.h"
#include "decode/reading.h"

#define UNIT 512000 /* bytes of a data unit in NVMe log 02h */

/* Everything that moves, as sums up to an hour. */
struct counters {
	uint64_t hours, host_written, host_read, nand_written, writes, reads, busy_minutes;
	unsigned celsius;
};

static int load(const char *path, struct diag *d, struct snapshot *ret)
{
	CLEANUP(file_release) struct file file = { 0 };
	struct snapshot *drives;
	size_t n;
	int r = file_read(path, d, &file);

	if (!r)
		r = snapshots_from_dump(file_bytes(&file), path, FLEET_START, d, &drives, &n);
	if (r)
		return r;
	*ret = drives[0];
	for (size_t i = 1; i < n; i++)
		snapshot_release(&drives[i]);
	free(drives);
	return 0;
}

int fleet_init(struct fleet *f, struct diag *d)
{
	int r;

	for (int i = 0; i < FLEET_DUMP; i++)
		snapshot_init(&f->captures[i]);
	r = load("examples/datacenter-nvme.json", d, &f->captures[FLEET_NVME]);
	return r ? r : load("examples/worn-sata.json", d, &f->captures[FLEET_SATA]);
}

void fleet_release(struct fleet *f)
{
	for (int i = 0; i < FLEET_DUMP; i++)
		snapshot_release(&f->captures[i]);
}

/* Sums that do not need the hours before: a rate, and noise below one hour's worth. */
static struct counters count(unsigned drive, unsigned hour)
{
	struct draw of_drive, of_hour;
	double rate, h = hour + 1000;
	struct counters c;

	draw_seed(&of_drive, 1, drive);
	draw_seed(&of_hour, 2 + drive, hour);
	rate = draw_log_between(&of_drive, 2e9, 60e9); /* bytes an hour */
	c.hours = (uint64_t)h;
	c.host_written = (uint64_t)(rate * (h + 0.9 * draw_unit(&of_hour)));
	c.host_read = (uint64_t)(rate * (2 * h + 1.8 * draw_unit(&of_hour)));
	c.nand_written = (uint64_t)(1.7 * (double)c.host_written +
				    0.1 * rate * draw_unit(&of_hour));
	c.writes = (uint64_t)(rate / 15000 * (h + 0.9 * draw_unit(&of_hour)));
	c.reads = (uint64_t)(rate / 9000 * (h + 0.9 * draw_unit(&of_hour)));
	c.busy_minutes = (uint64_t)(5 * h + 4 * draw_unit(&of_hour));
	c.celsius = 38 + draw_below(&of_hour, 8);
	return c;
}

/* --- raw logs --- */

static uint8_t *bytes_in(struct snapshot *s, enum log_space space, uint32_t id, uint32_t sub)
{
	for (size_t i = 0; i < s->nlogs; i++)
		if (s->logs[i].space == space && s->logs[i].id == id && s->logs[i].sub == sub)
			return s->logs[i].data;
	abort(); /* the capture is part of the project */
}

static void put(uint8_t *bytes, size_t off, unsigned width, uint64_t v)
{
	for (unsigned i = 0; i < width; i++, v >>= 8)
		bytes[off + i] = (uint8_t)v;
}

/* The last byte of a sector makes the sum of all 0. */
static void close_sector(uint8_t *bytes)
{
	unsigned sum = 0;

	for (int i = 0; i < 511; i++)
		sum += bytes[i];
	bytes[511] = (uint8_t)-sum;
}

static void put_nvme(struct snapshot *s, unsigned drive, const struct counters *c)
{
	uint8_t *health = bytes_in(s, SPACE_NVME_LOG, 2, 0);
	uint8_t *ocp = bytes_in(s, SPACE_NVME_LOG, 0xc0, 0);
	char serial[21];

	snprintf(serial, sizeof(serial), "FLEET%06u         ", drive);
	memcpy(bytes_in(s, SPACE_NVME_IDENTIFY, 1, 0) + 4, serial, 20);
	put(health, 1, 2, 273 + c->celsius);
	put(health, 32, 8, c->host_read / UNIT);
	put(health, 48, 8, c->host_written / UNIT);
	put(health, 64, 8, c->reads);
	put(health, 80, 8, c->writes);
	put(health, 96, 8, c->busy_minutes);
	put(health, 128, 8, c->hours);
	put(health, 200, 2, 273 + c->celsius);
	put(health, 202, 2, 276 + c->celsius);
	put(ocp, 0, 8, c->nand_written);
	put(ocp, 16, 8, c->host_read + c->nand_written / 4);
	put(ocp, 64, 8, c->reads / 1000);
}

static void put_raw(uint8_t *smart, uint8_t id, uint64_t raw)
{
	for (size_t at = 2; at < 2 + 30 * 12; at += 12)
		if (smart[at] == id)
			put(smart, at + 5, 6, raw);
}

static void put_sata(struct snapshot *s, unsigned drive, const struct counters *c)
{
	uint8_t *identify = bytes_in(s, SPACE_ATA_IDENTIFY, 0, 0);
	uint8_t *smart = bytes_in(s, SPACE_ATA_SMART_DATA, 0, 0);
	uint8_t *general = bytes_in(s, SPACE_ATA_LOG, 4, 1);
	char serial[21];

	snprintf(serial, sizeof(serial), "FLEET%06u         ", drive);
	for (int i = 0; i < 20; i++)
		identify[20 + i] = (uint8_t)serial[i ^ 1];
	close_sector(identify);
	put_raw(smart, 9, c->hours);
	put_raw(smart, 194, c->celsius | UINT64_C(22) << 16 | UINT64_C(58) << 32);
	put_raw(smart, 246, c->host_written / 512);
	put_raw(smart, 247, c->host_written / 32768);
	put_raw(smart, 248, (c->nand_written - c->host_written) / 32768);
	put_raw(smart, 173, 100 + c->nand_written / UINT64_C(1000000000000));
	close_sector(smart);
	/* values of 48 bits below flags that say valid */
	put(general, 16, 4, c->hours);
	put(general, 24, 6, c->host_written / 512);
	put(general, 40, 6, c->host_read / 512);
	put(bytes_in(s, SPACE_ATA_LOG, 4, 5), 8, 1, c->celsius);
}

static void copy_capture(const struct snapshot *capture, struct snapshot *ret)
{
	snapshot_init(ret);
	snprintf(ret->transport, sizeof(ret->transport), "%s", capture->transport);
	ret->state = capture->state;
	ret->node_bytes = capture->node_bytes;
	ret->node_block_bytes = capture->node_block_bytes;
	ret->node_rotational = capture->node_rotational;
	for (size_t i = 0; i < capture->nlogs; i++) {
		const struct snapshot_log *l = &capture->logs[i];

		if (snapshot_add(ret, l->space, l->id, l->sub, bytes_of(l->data, l->len)) < 0)
			abort();
	}
}

/* --- a dump --- */

static const char dump[] =
	"{\n  \"json_format_version\": [\n    1,\n    0\n  ],\n  \"smartctl\": {\n"
	"    \"version\": [\n      7,\n      3\n    ],\n    \"svn_revision\": \"5338\",\n"
	"    \"platform_info\": \"x86_64-linux-6.1.0-18-amd64\",\n"
	"    \"build_info\": \"(local build)\",\n"
	"    \"argv\": [\n      \"smartctl\",\n      \"-x\",\n      \"-j\",\n      \"/dev/nvme0\"\n"
	"    ],\n    \"exit_status\": 0\n  },\n  \"local_time\": {\n    \"time_t\": %" PRId64 ",\n"
	"    \"asctime\": \"%s UTC\"\n  },\n"
	"  \"device\": {\n    \"name\": \"/dev/nvme0\",\n    \"info_name\": \"/dev/nvme0\",\n"
	"    \"type\": \"nvme\",\n    \"protocol\": \"NVMe\"\n  },\n"
	"  \"model_name\": \"EXAMPLE NVME 1.92TB\",\n  \"serial_number\": \"FLEET%06u\",\n"
	"  \"firmware_version\": \"EX100\",\n"
	"  \"nvme_pci_vendor\": {\n    \"id\": 5197,\n    \"subsystem_id\": 5197\n  },\n"
	"  \"nvme_ieee_oui_identifier\": 9528,\n  \"nvme_total_capacity\": 1920383410176,\n"
	"  \"nvme_unallocated_capacity\": 0,\n  \"nvme_controller_id\": 6,\n"
	"  \"nvme_version\": {\n    \"string\": \"1.4\",\n    \"value\": 66560\n  },\n"
	"  \"nvme_number_of_namespaces\": 1,\n"
	"  \"user_capacity\": {\n    \"blocks\": 3750748848,\n    \"bytes\": 1920383410176\n  },\n"
	"  \"logical_block_size\": 512,\n"
	"  \"smart_support\": {\n    \"available\": true,\n    \"enabled\": true\n  },\n"
	"  \"smart_status\": {\n    \"passed\": true,\n    \"nvme\": {\n      \"value\": 0\n    }\n"
	"  },\n  \"nvme_smart_health_information_log\": {\n    \"critical_warning\": 0,\n"
	"    \"temperature\": %u,\n    \"available_spare\": 100,\n"
	"    \"available_spare_threshold\": 10,\n    \"percentage_used\": %" PRIu64 ",\n"
	"    \"data_units_read\": %" PRIu64 ",\n    \"data_units_written\": %" PRIu64 ",\n"
	"    \"host_reads\": %" PRIu64 ",\n    \"host_writes\": %" PRIu64 ",\n"
	"    \"controller_busy_time\": %" PRIu64 ",\n    \"power_cycles\": 12,\n"
	"    \"power_on_hours\": %" PRIu64 ",\n    \"unsafe_shutdowns\": 5,\n"
	"    \"media_errors\": 0,\n    \"num_err_log_entries\": 0,\n"
	"    \"warning_temp_time\": 0,\n    \"critical_comp_time\": 0,\n"
	"    \"temperature_sensors\": [\n      %u,\n      %u\n    ]\n  },\n"
	"  \"temperature\": {\n    \"current\": %u\n  },\n  \"power_cycle_count\": 12,\n"
	"  \"power_on_time\": {\n    \"hours\": %" PRIu64 "\n  },\n"
	"  \"nvme_error_information_log\": {\n    \"size\": 64,\n    \"read\": 16,\n"
	"    \"unread\": 0\n  },\n  \"nvme_self_test_log\": {\n"
	"    \"current_self_test_operation\": {\n      \"value\": 0,\n"
	"      \"string\": \"No self-test in progress\"\n    }\n  }\n}\n";

static void add_dump(unsigned drive, int64_t now, const struct counters *c, struct snapshot *ret)
{
	char text[4096], date[64];
	time_t t = (time_t)now;
	struct tm tm;
	int n;

	gmtime_r(&t, &tm);
	strftime(date, sizeof(date), "%a %b %e %H:%M:%S %Y", &tm);
	n = snprintf(text, sizeof(text), dump, now, date, drive, c->celsius,
		     c->nand_written / UINT64_C(60000000000000), c->host_read / UNIT,
		     c->host_written / UNIT, c->reads, c->writes, c->busy_minutes, c->hours,
		     c->celsius, c->celsius + 3, c->celsius, c->hours);
	snapshot_init(ret);
	if (snapshot_add(ret, SPACE_SMARTCTL_JSON, 0, 0, bytes_of(text, (size_t)n)) < 0)
		abort();
}

void fleet_read(const struct fleet *f, enum fleet_kind kind, unsigned drive, unsigned hour,
		struct snapshot *ret)
{
	const struct counters c = count(drive, hour);
	int64_t now = FLEET_START + (int64_t)hour * 3600 + drive % 60;

	if (kind == FLEET_DUMP) {
		add_dump(drive, now, &c, ret);
	} else {
		copy_capture(&f->captures[kind], ret);
		if (kind == FLEET_NVME)
			put_nvme(ret, drive, &c);
		else
			put_sata(ret, drive, &c);
		snprintf(ret->path, sizeof(ret->path), "/dev/%s%u",
			 kind == FLEET_NVME ? "nvme" : "sd", drive);
		snprintf(ret->location, sizeof(ret->location), "enclosure %u bay %u", drive / 24,
			 drive % 24);
	}
	ret->time = now;
}
