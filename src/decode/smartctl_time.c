/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/text.h"
#include "decode/dump.h"

/* "Local Time is:    Fri Feb 13 23:31:30 2009 CET" */

#define MINUTE 60
#define HOUR   3600

/*
 * Zone abbreviations that mean one thing everywhere. CST, IST and AST do not; those and unknown
 * ones are taken as UTC.
 */
static const struct {
	const char *name;
	int minutes; /* east of Greenwich */
} zones[] = {
	{ "EST", -300 }, { "EDT", -240 }, { "CDT", -300 },  { "MST", -420 },  { "MDT", -360 },
	{ "PST", -480 }, { "PDT", -420 }, { "AKST", -540 }, { "AKDT", -480 }, { "HST", -600 },
	{ "WEST", 60 },	 { "BST", 60 },	  { "CET", 60 },    { "CEST", 120 },  { "EET", 120 },
	{ "EEST", 180 }, { "MSK", 180 },  { "SAST", 120 },  { "CAT", 120 },   { "EAT", 180 },
	{ "WIB", 420 },	 { "HKT", 480 },  { "JST", 540 },   { "KST", 540 },   { "ACST", 570 },
	{ "ACDT", 630 }, { "AEST", 600 }, { "AEDT", 660 },  { "NZST", 720 },  { "NZDT", 780 },
};

/* Seconds to subtract: "+08", "-0330", "+05:30", "CET". */
static int64_t zone_offset(const char *s)
{
	int sign = *s == '-' ? -1 : 1, digits[4] = { 0 };
	size_t n = 0;

	if (*s != '+' && *s != '-') {
		for (size_t i = 0; i < ARRAY_SIZE(zones); i++)
			if (strcmp(zones[i].name, s) == 0)
				return (int64_t)zones[i].minutes * MINUTE;
		return 0;
	}
	for (s++; *s && n < 4; s++)
		if (*s >= '0' && *s <= '9')
			digits[n++] = *s - '0';
	return sign * ((digits[0] * 10 + digits[1]) * HOUR + (digits[2] * 10 + digits[3]) * MINUTE);
}

/* Exactly so many digits, or one less behind a blank. */
static bool read_digits(const char **s, size_t max, int *ret)
{
	size_t n;
	int v = 0;

	*s += strspn(*s, " ");
	for (n = 0; n < max && **s >= '0' && **s <= '9'; n++, (*s)++)
		v = v * 10 + (**s - '0');
	*ret = v;
	return n > 0;
}

static int64_t parse_asctime(const char *s)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	const char *found = NULL;
	int month, day, hour, minute, second, year;

	if (strlen(s) < 20)
		return TIME_UNKNOWN;
	for (month = 1; month <= 12 && !found; month++)
		if (strncmp(s + 4, months + 3 * (month - 1), 3) == 0)
			found = s + 7;
	month--;
	if (!found || !read_digits(&found, 2, &day) || !read_digits(&found, 2, &hour) ||
	    *found++ != ':' || !read_digits(&found, 2, &minute) || *found++ != ':' ||
	    !read_digits(&found, 2, &second) || !read_digits(&found, 4, &year))
		return TIME_UNKNOWN;
	if (day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60 || year < 1970)
		return TIME_UNKNOWN;
	found += strspn(found, " ");
	return time_from_civil(year, month, day, hour, minute, second) - zone_offset(found);
}

int64_t smartctl_text_time(struct bytes text)
{
	static const char label[] = "Local Time is:";
	const uint8_t *at = memmem(text.data, text.len, label, sizeof(label) - 1);
	char line[64] = "";
	size_t n = 0;

	if (!at)
		return TIME_UNKNOWN;
	at += sizeof(label) - 1;
	while (at < text.data + text.len && (*at == ' ' || *at == '\t'))
		at++;
	for (; at < text.data + text.len && *at && *at != '\n' && *at != '\r'; at++)
		if (n < sizeof(line) - 1)
			line[n++] = (char)*at;
	while (n && line[n - 1] == ' ')
		n--;
	line[n] = '\0';
	return parse_asctime(line);
}
