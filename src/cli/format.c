/* SPDX-License-Identifier: MIT */
#include "cli/format.h"

#include <string.h>

static const struct {
	const char *word, *help;
} rows[] = {
#define X(e, word, help) [e] = { word, help },
	FORMATS(X)
#undef X
};

const char *format_word(enum format format)
{
	return rows[format].word;
}

const char *format_help(enum format format)
{
	return rows[format].help;
}

bool format_by_word(const char *word, enum format *ret)
{
	for (unsigned i = 0; i < FORMAT_COUNT; i++) {
		if (!strcmp(rows[i].word, word)) {
			*ret = (enum format)i;
			return true;
		}
	}
	return false;
}
