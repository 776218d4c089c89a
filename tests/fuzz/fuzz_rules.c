/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "db/rules.h"
#include "health/facts.h"

static void add(struct reading *r, uint8_t id, uint64_t raw)
{
	r->attributes[r->nattributes++] = (struct attribute){
		.id = id,
		.has_value = true,
		.has_worst = true,
		.has_raw = true,
		.value = (uint8_t)raw,
		.worst = 100,
		.raw = raw,
		.raw_bytes = 6,
	};
}

/* A rule file is read or refused with a reason; what was read can be linted, matched and applied.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct rules_problem problems[4];
	static struct drive_rule rule;
	static struct facts facts;
	struct rules_file file = { .name = "fuzz.json", .text = bytes_of(data, size) };
	struct rules *rules = NULL;
	struct diag d = { 0 };
	struct reading r;

	if (rules_parse(&file, 1, &d, &rules) < 0) {
		if (!d.err || !*d.text)
			abort();
		return 0;
	}
	rules_lint(rules, problems, ARRAY_SIZE(problems));
	reading_init(&r);
	r.identity.protocol = PROTOCOL_ATA;
	r.identity.has_capacity = true;
	r.identity.capacity_bytes = 500000000000;
	text_copy(r.identity.model, sizeof(r.identity.model), "ACME 500");
	text_copy(r.identity.firmware, sizeof(r.identity.firmware), "X1");
	for (unsigned id = 160; id < 200; id++)
		add(&r, (uint8_t)id, id * UINT64_C(0x10203040506));
	rules_match(rules, &r, &rule);
	facts_collect(&r, &rule, &facts);
	reading_release(&r);
	rules_free(rules);
	return 0;
}
