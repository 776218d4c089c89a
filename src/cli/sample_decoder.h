/* SPDX-License-Identifier: MIT */
#ifndef CLI_SAMPLE_DECODER_H
#define CLI_SAMPLE_DECODER_H

#include "cli/context.h"
#include "db/rule_cache.h"
#include "store/store.h"

/*
 * From snapshots to what the history keeps of them, one after the other: millions of an import as
 * well as the drives of one machine.
 */
struct sample_decoder {
	const struct rules *rules;
	struct rule_cache *cache;
	struct reading reading; /* of the last snapshot */
	struct facts facts;
	const struct drive_rule *rule;
};

/* Loads the rules. Fails as context_rules. */
int sample_decoder_init(struct sample_decoder *d, struct context *ctx) MUST_USE;
void sample_decoder_release(struct sample_decoder *d);

/* Decode one. -EINVAL where a dump is not of its kind, the reason in diag; -ENOMEM. */
int sample_decode(struct sample_decoder *d, const struct snapshot *s, struct diag *diag) MUST_USE;

/*
 * Is that a sample: does it name its drive, and tell more of it than that? -ENODATA with the
 * reason in diag where not.
 */
int sample_check(const struct sample_decoder *d, struct diag *diag) MUST_USE;

#endif
