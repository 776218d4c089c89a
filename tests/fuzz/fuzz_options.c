/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/option.h"

#define WORDS_MAX 64

/* A command line of any words, one a line, is parsed or refused with a reason. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *argv[WORDS_MAX], *text = malloc(size + 1), *rest = text;
	struct options o;
	struct diag d = { 0 };
	int argc = 0;

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	while (rest && argc < WORDS_MAX) {
		argv[argc++] = rest;
		rest = strchr(rest, '\n');
		if (rest)
			*rest++ = '\0';
	}
	options_init(&o);
	if (options_parse(&o, argc, argv, &d) < 0 && !d.err)
		abort();
	diag_clear(&d);
	if (options_check(argc, argv, "health", GROUP_GENERAL | GROUP_DUMP, &d) < 0 && !d.err)
		abort();
	options_release(&o);
	free(text);
	return 0;
}
