/* SPDX-License-Identifier: MIT */
#ifndef REPORT_DRIVE_CHARTS_H
#define REPORT_DRIVE_CHARTS_H

#include "report/drive.h"

/*
 * The charts of one drive: life left with the forecast, host writes a day, write amplification,
 * erase counts, temperature. What the history cannot show is left out and named in a line. `number`
 * tells the drives of a page apart.
 */
void drive_charts_add(const struct drive_report *r, size_t number, struct str *out);

#endif
