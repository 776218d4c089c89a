/* SPDX-License-Identifier: MIT */
#include "cli/settings.h"

/* A configuration file of any bytes is taken or refused with one clean line. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct settings s;
	struct diag d = { 0 };

	settings_init(&s);
	if (settings_parse(&s, bytes_of(data, size), "fuzz.conf", &d) < 0 && !d.err)
		abort();
	settings_release(&s);
	return 0;
}
