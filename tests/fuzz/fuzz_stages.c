/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ftl/stages.h"

/* Whatever a file of phases holds: stages that can be run, or one reason that names the line. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stages stages = { 0 };
	struct diag d = { 0 };
	char *text = malloc(size + 1);

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	if (stages_parse(text, "phases", NULL, &stages, &d) < 0) {
		assert(d.err && strncmp(d.text, "phases:", 7) == 0 && !stages.list);
	} else {
		assert(stages.n && stages.n <= STAGES_MAX);
		for (size_t i = 0; i < stages.n; i++)
			assert(stages.list[i].queue_depth && stages.list[i].request_bytes >= 512 &&
			       stages.list[i].kind < STAGE_KIND_COUNT);
	}
	stages_release(&stages);
	free(text);
	return 0;
}
