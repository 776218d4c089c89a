/* SPDX-License-Identifier: MIT */
#include "bench/wear_reading.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

/* How an attribute holds a counter. */
enum stored {
	STORED_RAW,	   /* in the product's unit */
	STORED_PERCENT,	   /* raw value: whole percent used */
	STORED_LEFT,	   /* raw value: whole percent left */
	STORED_LEFT_VALUE, /* the same as the normalised value */
	STORED_HUNDREDTHS, /* raw bytes 2 and 3: hundredths, then whole percent */
	STORED_RATED,	   /* the rated cycles */
};

struct attribute_row {
	const char *product;
	uint8_t id;
	enum wear_counter counter;
	enum stored stored;
};

static const struct attribute_row rows[] = {
	{ "micron", 202, WEAR_USED, STORED_PERCENT },
	{ "micron", 202, WEAR_USED, STORED_LEFT_VALUE },
	{ "micron", 173, WEAR_AVG, STORED_RAW },
	{ "micron", 246, WEAR_HOST, STORED_RAW },
	{ "pm883", 177, WEAR_USED, STORED_LEFT_VALUE },
	{ "pm883", 177, WEAR_AVG, STORED_RAW },
	{ "pm883", 241, WEAR_HOST, STORED_RAW },
	{ "pm883", 251, WEAR_NAND, STORED_RAW },
	{ "intel", 233, WEAR_USED, STORED_LEFT_VALUE },
	{ "intel", 241, WEAR_HOST, STORED_RAW },
	{ "intel", 243, WEAR_NAND, STORED_RAW },
	{ "wd", 230, WEAR_USED, STORED_HUNDREDTHS },
	{ "wd", 241, WEAR_HOST, STORED_RAW },
	{ "wd", 233, WEAR_NAND, STORED_RAW },
	{ "wd", 173, WEAR_AVG, STORED_RAW },
	{ "smi", 169, WEAR_USED, STORED_LEFT },
	{ "smi", 167, WEAR_AVG, STORED_RAW },
	{ "smi", 168, WEAR_AVG, STORED_RATED },
	{ "smi", 241, WEAR_HOST, STORED_RAW },
	{ "smi", 245, WEAR_NAND, STORED_RAW },
	{ "smi-avg", 167, WEAR_AVG, STORED_RAW },
	{ "smi-avg", 168, WEAR_AVG, STORED_RATED },
	{ "smi-avg", 241, WEAR_HOST, STORED_RAW },
	{ "smi-max", 165, WEAR_MAX, STORED_RAW },
	{ "smi-max", 167, WEAR_AVG, STORED_RAW },
	{ "smi-max", 168, WEAR_AVG, STORED_RATED },
	{ "smi-max", 241, WEAR_HOST, STORED_RAW },
	{ "mx500-avg", 173, WEAR_AVG, STORED_RAW },
	{ "mx500-avg", 246, WEAR_HOST, STORED_RAW },
	{ "smi-pslc", 169, WEAR_USED, STORED_LEFT },
	{ "smi-pslc", 167, WEAR_AVG, STORED_RAW },
	{ "smi-pslc", 168, WEAR_AVG, STORED_RATED },
	{ "smi-pslc", 241, WEAR_HOST, STORED_RAW },
	{ "smi-pslc", 245, WEAR_NAND, STORED_RAW },
	{ "smi-pslc", 246, WEAR_NAND_SLC, STORED_RAW },
	{ "smi-pslc", 151, WEAR_SLC_AVG, STORED_RAW },
};

static bool shows(const struct wear_drive *d, enum wear_counter counter)
{
	return d->counters & WEAR_BIT(counter);
}

/* --- SATA --- */

static struct attribute *attribute(struct reading *r, uint8_t id)
{
	struct attribute *a;

	for (size_t i = 0; i < r->nattributes; i++)
		if (r->attributes[i].id == id)
			return &r->attributes[i];
	a = &r->attributes[r->nattributes++];
	*a = (struct attribute){
		.id = id,
		.has_flags = true,
		.flags = 0x32,
		.has_value = true,
		.has_worst = true,
		.has_threshold = true,
		.value = 100,
		.worst = 100,
		.has_raw = true,
		.raw_bytes = 6,
	};
	return a;
}

static void store(struct attribute *a, const struct wear_drive *d, enum stored stored,
		  int64_t shown, int64_t unit)
{
	uint64_t percent = (uint64_t)shown / 1000;

	switch (stored) {
	case STORED_RAW:
		a->raw = (uint64_t)(shown / unit);
		break;
	case STORED_PERCENT:
		a->raw = percent;
		break;
	case STORED_LEFT:
		a->raw = percent < 100 ? 100 - percent : 0;
		break;
	case STORED_LEFT_VALUE:
		a->value = a->worst = percent < 100 ? (uint8_t)(100 - percent) : 1;
		break;
	case STORED_HUNDREDTHS:
		a->raw = percent << 24 | (uint64_t)(shown % 1000 / 10) << 16;
		break;
	case STORED_RATED:
		a->raw = d->rated;
		break;
	}
}

static void take_attributes(const struct wear_drive *d, const struct wear_sample *s,
			    struct reading *r)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (strcmp(rows[i].product, d->product->name) == 0 && shows(d, rows[i].counter))
			store(attribute(r, rows[i].id), d, rows[i].stored,
			      s->shown[rows[i].counter], d->product->unit[rows[i].counter]);
	if (shows(d, WEAR_HOURS))
		attribute(r, 9)->raw = (uint64_t)s->shown[WEAR_HOURS];
	attribute(r, 12)->raw = 40;
}

/* --- NVMe --- */

static void take_field(struct reading *r, const char *layout, const char *field, i128 stored)
{
	const struct log_layout *l = layout_by_name(layout);
	const struct field *f = layout_field(l, field);
	struct value value = field_value(f, stored);

	if (reading_add(r, l, f, l->id, 0xffffffff, 0, &value) < 0)
		abort();
}

static void take_logs(const struct wear_drive *d, const struct wear_sample *s, struct reading *r)
{
	take_field(r, "nvme.smart", "critical_warning", 0);
	take_field(r, "nvme.smart", "available_spare", 100);
	take_field(r, "nvme.smart", "spare_threshold", 10);
	if (shows(d, WEAR_USED))
		take_field(r, "nvme.smart", "percentage_used", s->shown[WEAR_USED] / 1000);
	if (shows(d, WEAR_HOST))
		take_field(r, "nvme.smart", "data_units_written",
			   s->shown[WEAR_HOST] / d->product->unit[WEAR_HOST]);
	if (shows(d, WEAR_HOURS))
		take_field(r, "nvme.smart", "power_on_hours", s->shown[WEAR_HOURS]);
	if (shows(d, WEAR_NAND))
		take_field(r, "ocp.smart", "media_bytes_written", s->shown[WEAR_NAND]);
}

/* --- both --- */

static void start(const struct wear_drive *d, struct reading *r)
{
	const struct wear_product *p = d->product;

	reading_init(r);
	r->state = DRIVE_READ;
	r->smart_status = SMART_STATUS_PASSED;
	r->identity.protocol = p->protocol;
	r->identity.has_capacity = true;
	r->identity.capacity_bytes = p->capacity;
	r->identity.logical_block_bytes = 512;
	snprintf(r->identity.model, sizeof(r->identity.model), "%s", p->model);
	snprintf(r->identity.firmware, sizeof(r->identity.firmware), "%s", p->firmware);
	snprintf(r->identity.serial, sizeof(r->identity.serial), "WEAR%06u", d->number);
}

void wear_reading_start(const struct wear_drive *d, struct reading *ret)
{
	const struct wear_sample nothing = { 0 };

	start(d, ret);
	wear_reading_take(d, d->nsamples ? &d->samples[0] : &nothing, ret);
}

void wear_reading_take(const struct wear_drive *d, const struct wear_sample *sample,
		       struct reading *r)
{
	reading_release(r);
	start(d, r);
	r->time = sample->time;
	if (d->product->protocol == PROTOCOL_ATA)
		take_attributes(d, sample, r);
	else
		take_logs(d, sample, r);
}

/* --- a line of smartctl's --- */

static void print_attributes(const struct reading *r, FILE *f)
{
	fprintf(f, "\"ata_smart_attributes\":{\"revision\":1,\"table\":[");
	for (size_t i = 0; i < r->nattributes; i++) {
		const struct attribute *a = &r->attributes[i];

		fprintf(f,
			"%s{\"id\":%u,\"value\":%u,\"worst\":%u,\"thresh\":0,"
			"\"flags\":{\"value\":%u},\"raw\":{\"value\":%" PRIu64
			",\"string\":\"%" PRIu64 "\"}}",
			i ? "," : "", a->id, a->value, a->worst, a->flags, a->raw, a->raw);
	}
	fprintf(f, "]}");
}

static void print_health_log(const struct wear_drive *d, const struct wear_sample *s, FILE *f)
{
	fprintf(f, "\"nvme_smart_health_information_log\":{\"critical_warning\":0,"
		   "\"temperature\":40,\"available_spare\":100,\"available_spare_threshold\":10");
	if (shows(d, WEAR_USED))
		fprintf(f, ",\"percentage_used\":%" PRId64, s->shown[WEAR_USED] / 1000);
	if (shows(d, WEAR_HOST))
		fprintf(f, ",\"data_units_written\":%" PRId64,
			s->shown[WEAR_HOST] / d->product->unit[WEAR_HOST]);
	if (shows(d, WEAR_HOURS))
		fprintf(f, ",\"power_on_hours\":%" PRId64, s->shown[WEAR_HOURS]);
	fprintf(f, "}");
}

void wear_reading_print(const struct wear_drive *d, const struct wear_sample *sample, FILE *f)
{
	bool ata = d->product->protocol == PROTOCOL_ATA;
	struct reading r = { 0 };

	start(d, &r);
	fprintf(f,
		"{\"json_format_version\":[1,0],\"smartctl\":{\"version\":[7,3],\"exit_status\":0},"
		"\"device\":{\"name\":\"/dev/%s\",\"type\":\"%s\",\"protocol\":\"%s\"},"
		"\"model_name\":\"%s\",\"serial_number\":\"%s\",\"firmware_version\":\"%s\","
		"\"%s\":%" PRIu64 "%s,\"logical_block_size\":512,"
		"\"local_time\":{\"time_t\":%" PRId64 "},\"smart_status\":{\"passed\":true},",
		ata ? "sda" : "nvme0", ata ? "sat" : "nvme", ata ? "ATA" : "NVMe",
		d->product->model, r.identity.serial, d->product->firmware,
		ata ? "user_capacity\":{\"bytes" : "nvme_total_capacity", d->product->capacity,
		ata ? "},\"rotation_rate\":0" : "", sample->time);
	if (ata) {
		take_attributes(d, sample, &r);
		print_attributes(&r, f);
	} else {
		print_health_log(d, sample, f);
	}
	fprintf(f, "}\n");
	reading_release(&r);
}
