/* SPDX-License-Identifier: MIT */
#ifndef REPORT_FLEET_TEXT_H
#define REPORT_FLEET_TEXT_H

#include "report/fleet.h"
#include "report/text.h"

/* Phrases of the report, for its text and its page alike. Each writes into buf and returns it. */

/* "1 CRITICAL, 2 OK" in the order of alarm; "no SSD found". */
const char *fleet_verdicts(const struct fleet *f, char buf[REPORT_TEXT_MAX]);

/* "1.41 / 1.59": recent, lifetime; "-" for what is unknown. */
const char *fleet_waf(const struct fleet_drive *d, char buf[REPORT_TEXT_MAX]);

/* "41 GB"; "-". */
const char *fleet_writes(const struct fleet_drive *d, char buf[REPORT_TEXT_MAX]);

/* What that number is of: "last 30 days", "lifetime average"; "". */
const char *fleet_writes_basis(const struct fleet_drive *d, char buf[REPORT_TEXT_MAX]);

/* The ids of findings that count, joined by ", "; may be empty. */
const char *fleet_findings(const struct fleet_drive *d, char buf[REPORT_TEXT_MAX]);

/* Why a drive is to be replaced: "worn out", "wear.life-low", "may end 2027-02 or later". */
const char *fleet_reason(const struct fleet_drive *d, char buf[REPORT_TEXT_MAX]);

/* "now", or a date. */
const char *fleet_date(const struct fleet *f, int64_t t, char buf[REPORT_TEXT_MAX]);

/* The sums, and what is in none of them: "96 GB a day (1 drive unknown)". */
const char *fleet_capacity(const struct fleet *f, char buf[REPORT_TEXT_MAX]);
const char *fleet_host_writes(const struct fleet *f, char buf[REPORT_TEXT_MAX]);

#endif
