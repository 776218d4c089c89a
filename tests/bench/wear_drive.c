/* SPDX-License-Identifier: MIT */
#include "bench/wear_drive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define GB	  INT64_C(1000000000)
#define MIB	  (INT64_C(1) << 20)
#define GIB	  (INT64_C(1) << 30)

#define BITS_NVME (WEAR_BIT(WEAR_HOST) | WEAR_BIT(WEAR_USED) | WEAR_BIT(WEAR_HOURS))
#define BITS_AVG  (WEAR_BIT(WEAR_HOST) | WEAR_BIT(WEAR_AVG) | WEAR_BIT(WEAR_HOURS))
#define BITS_ALL  (BITS_NVME | WEAR_BIT(WEAR_NAND) | WEAR_BIT(WEAR_AVG))

/* used: the step of the percentage in thousandths of a percent */
#define STEPS(host, nand, used)                                                       \
	.unit = {                                                                     \
		[WEAR_HOST] = (host), [WEAR_NAND] = (nand), [WEAR_NAND_SLC] = (nand), \
		[WEAR_USED] = (used), [WEAR_AVG] = 1,	    [WEAR_MAX] = 1,           \
		[WEAR_SLC_AVG] = 1,   [WEAR_HOURS] = 1,                               \
	}

/* Where the drive rules or the drive itself rate a model, this is the rating; else it is secret. */
const struct wear_product wear_products[] = {
	{ "nvme", "SAMSUNG MZQL21T9HCJR-00A07", "GDC5902Q", PROTOCOL_NVME, 1920 * GB,
	  .rated = { 1500, 3000, 5000, 7000, 10000 }, .counters = BITS_NVME, .limit = WEAR_USED,
	  STEPS(512000, 1, 1000) },
	{ "nvme-ocp", "SAMSUNG MZQL23T8HCLS-00A07", "GDC5902Q", PROTOCOL_NVME, 3840 * GB,
	  .rated = { 1500, 3000, 5000, 7000, 10000 }, .counters = BITS_NVME | WEAR_BIT(WEAR_NAND),
	  .limit = WEAR_USED, STEPS(512000, 1, 1000) },
	{ "micron", "Micron_5300_MTFDDAK960TDS", "D3MU001", PROTOCOL_ATA, 960 * GB,
	  .rated = { 7200 }, .counters = BITS_NVME | WEAR_BIT(WEAR_AVG), .limit = WEAR_USED,
	  STEPS(512, 512, 1000) },
	{ "pm883", "SAMSUNG MZ7LH960HAJR-00005", "HXT7404Q", PROTOCOL_ATA, 960 * GB,
	  .rated = { 7400 }, .counters = BITS_ALL, .limit = WEAR_USED, STEPS(512, 512, 1000) },
	{ "intel", "INTEL SSDSC2BB480G4", "D2010370", PROTOCOL_ATA, 480 * GB,
	  .rated = { 3000, 5000 }, .counters = BITS_NVME | WEAR_BIT(WEAR_NAND), .limit = WEAR_USED,
	  STEPS(32 * MIB, 32 * MIB, 1000) },
	{ "wd", "WDC  WDS100T2B0A-00SM50", "X61190WD", PROTOCOL_ATA, 1000 * GB, .rated = { 1000 },
	  .counters = BITS_ALL, .limit = WEAR_USED, STEPS(GIB, GIB, 10) },
	{ "smi", "ADATA SU750", "Q0922FS", PROTOCOL_ATA, 512 * GB,
	  .rated = { 500, 1000, 1500, 3000 }, .counters = BITS_ALL, .limit = WEAR_USED,
	  STEPS(32 * MIB, 32 * MIB, 1000) },
	{ "smi-avg", "ADATA SU750", "Q0922FS", PROTOCOL_ATA, 512 * GB,
	  .rated = { 300, 600, 1000, 1500, 3000 }, .counters = BITS_AVG, .limit = WEAR_AVG,
	  STEPS(32 * MIB, 32 * MIB, 1000) },
	{ "smi-max", "ADATA SU750", "Q0922FS", PROTOCOL_ATA, 512 * GB,
	  .rated = { 300, 600, 1000, 1500, 3000 }, .counters = BITS_AVG | WEAR_BIT(WEAR_MAX),
	  .limit = WEAR_MAX, STEPS(32 * MIB, 32 * MIB, 1000) },
	{ "mx500-avg", "CT1000MX500SSD1", "M3CR023", PROTOCOL_ATA, 1000 * GB, .rated = { 1500 },
	  .counters = BITS_AVG, .limit = WEAR_AVG, STEPS(512, 512, 1000) },
	{ "smi-pslc", "ADATA SU750", "Q0922FS", PROTOCOL_ATA, 512 * GB,
	  .rated = { 500, 1000, 1500 },
	  .counters = BITS_ALL | WEAR_BIT(WEAR_NAND_SLC) | WEAR_BIT(WEAR_SLC_AVG),
	  .limit = WEAR_USED, STEPS(32 * MIB, 32 * MIB, 1000) },
};
const size_t wear_products_count = ARRAY_SIZE(wear_products);

/* Flash beyond what the user sees. */
#define FLASH_SHARE 1.09

const struct wear_product *wear_product_by_name(const char *name)
{
	for (size_t i = 0; i < wear_products_count; i++)
		if (strcmp(wear_products[i].name, name) == 0)
			return &wear_products[i];
	return NULL;
}

void wear_drive_release(struct wear_drive *d)
{
	free(d->samples);
	*d = (struct wear_drive){ 0 };
}

double wear_drive_flash_bytes(const struct wear_drive *d)
{
	return FLASH_SHARE * (double)d->product->capacity;
}

double wear_drive_end(const struct wear_drive *d)
{
	double step = (double)d->product->unit[WEAR_USED] / 100000;

	if (d->product->limit != WEAR_USED || d->rounding == WEAR_ROUNDS_DOWN)
		return 1;
	return d->rounding == WEAR_ROUNDS_UP ? 1 - step : 1 - step / 2;
}

static double used(const struct wear_drive *d, const struct wear_state *s)
{
	return (d->product->limit == WEAR_MAX ? s->max : s->avg) / d->rated;
}

static int64_t in_steps(double value, int64_t step)
{
	return (int64_t)floor(value / (double)step) * step;
}

static int64_t shown_used(const struct wear_drive *d, double share)
{
	int64_t unit = d->product->unit[WEAR_USED];
	double steps = share * 100000 / (double)unit;

	if (d->rounding == WEAR_ROUNDS_DOWN)
		return (int64_t)floor(steps) * unit;
	return (int64_t)(d->rounding == WEAR_ROUNDS_UP ? ceil(steps) : floor(steps + 0.5)) * unit;
}

static void show_bytes(const struct wear_drive *d, const struct wear_state *s, int64_t *shown)
{
	const int64_t *unit = d->product->unit;
	int64_t host = in_steps(s->host - d->gone.host, d->host_step);

	shown[WEAR_HOST] = host / unit[WEAR_HOST] * unit[WEAR_HOST];
	if (d->wraps)
		shown[WEAR_HOST] %= (INT64_C(1) << 32) * unit[WEAR_HOST];
	shown[WEAR_NAND] = in_steps(s->nand - d->gone.nand, unit[WEAR_NAND]);
	shown[WEAR_NAND_SLC] = in_steps(s->nand_slc - d->gone.nand_slc, unit[WEAR_NAND_SLC]);
}

void wear_drive_show(struct wear_drive *d, double age, int64_t clock_error,
		     const struct wear_state *s)
{
	struct wear_sample *sample;

	if (d->nsamples == d->cap) {
		d->cap = d->cap ? 2 * d->cap : 1024;
		d->samples = realloc(d->samples, d->cap * sizeof(*d->samples));
		if (!d->samples)
			abort();
	}
	sample = &d->samples[d->nsamples++];
	*sample = (struct wear_sample){
		.age = age,
		.time = d->birth + (int64_t)(age * 86400) + clock_error,
	};
	show_bytes(d, s, sample->shown);
	sample->shown[WEAR_USED] = shown_used(d, used(d, s) - d->used_gone);
	sample->shown[WEAR_AVG] = in_steps(s->avg - d->gone.avg, 1);
	sample->shown[WEAR_MAX] = in_steps(s->max - d->gone.max, 1);
	sample->shown[WEAR_SLC_AVG] = in_steps(s->slc_avg - d->gone.slc_avg, 1);
	sample->shown[WEAR_HOURS] = in_steps(s->hours - d->gone.hours, 1);
	if (d->wraps)
		sample->shown[WEAR_HOURS] %= 65536;
}

void wear_drive_restart(struct wear_drive *d, unsigned counters, const struct wear_state *s)
{
	const struct {
		enum wear_counter counter;
		double *gone, now;
	} rows[] = {
		{ WEAR_HOST, &d->gone.host, s->host },
		{ WEAR_NAND, &d->gone.nand, s->nand },
		{ WEAR_NAND_SLC, &d->gone.nand_slc, s->nand_slc },
		{ WEAR_USED, &d->used_gone, used(d, s) },
		{ WEAR_AVG, &d->gone.avg, s->avg },
		{ WEAR_MAX, &d->gone.max, s->max },
		{ WEAR_SLC_AVG, &d->gone.slc_avg, s->slc_avg },
		{ WEAR_HOURS, &d->gone.hours, s->hours },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (counters & WEAR_BIT(rows[i].counter))
			*rows[i].gone = rows[i].now;
}

size_t wear_drive_samples_by(const struct wear_drive *d, double age)
{
	size_t low = 0, high = d->nsamples;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (d->samples[middle].age <= age)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
