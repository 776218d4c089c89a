/* SPDX-License-Identifier: MIT */
#ifndef BENCH_WEAR_READING_H
#define BENCH_WEAR_READING_H

#include <stdio.h>

#include "bench/wear_drive.h"
#include "db/rules.h"

/* What a drive showed, as the logs and attributes of its model. Out of memory ends the program. */

/* Who it is, with the attributes that its rule is matched by; ret is for wear_reading_take. */
void wear_reading_start(const struct wear_drive *d, struct reading *ret);

/* Replace the numbers by those of one sample. */
void wear_reading_take(const struct wear_drive *d, const struct wear_sample *sample,
		       struct reading *r);

/* One line, as `smartctl --json=c --all` prints it. A vendor's log is not in it. */
void wear_reading_print(const struct wear_drive *d, const struct wear_sample *sample, FILE *f);

#endif
