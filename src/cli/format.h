/* SPDX-License-Identifier: MIT */
#ifndef CLI_FORMAT_H
#define CLI_FORMAT_H

#include <stdbool.h>

/*
 * How an answer can be printed. X(enumerator, word of --format, help)
 */
#define FORMATS(X)                                                                         \
	X(FORMAT_TEXT, "text", "for people")                                               \
	X(FORMAT_JSON, "json", "one JSON object, its keys kept stable")                    \
	X(FORMAT_CSV, "csv", "a table for a spreadsheet")                                  \
	X(FORMAT_NAGIOS, "nagios", "one line and performance data of a monitoring plugin") \
	X(FORMAT_OPENMETRICS, "openmetrics", "metrics for a textfile collector")

enum format {
#define X(e, word, help) e,
	FORMATS(X)
#undef X
		FORMAT_COUNT
};

/* A set of formats: which ones a command offers. */
#define FORMAT_BIT(format) (1u << (format))

const char *format_word(enum format format);
const char *format_help(enum format format);

/* False, output untouched, where no format has this word. */
bool format_by_word(const char *word, enum format *ret);

#endif
