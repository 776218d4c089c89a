/* SPDX-License-Identifier: MIT */
#include "cli/sample_decoder.h"

#include <errno.h>

#include "db/rules.h"

int sample_decoder_init(struct sample_decoder *d, struct context *ctx)
{
	int err = context_rules(ctx);

	if (err)
		return err;
	reading_init(&d->reading);
	d->rules = ctx->rules;
	d->rule = NULL;
	d->cache = rule_cache_new(d->rules);
	return d->cache ? 0 : -ENOMEM;
}

void sample_decoder_release(struct sample_decoder *d)
{
	rule_cache_free(&d->cache);
	reading_release(&d->reading);
}

/* Vendor logs without a signature need the rule, and the rule needs a first look at the drive. */
static bool needs_second_look(const struct snapshot *s, const struct drive_rule *rule)
{
	for (size_t i = 0; rule->layouts[0] && i < s->nlogs; i++)
		if (s->logs[i].space < SPACE_SKDUMP)
			return true;
	return false;
}

int sample_decode(struct sample_decoder *d, const struct snapshot *s, struct diag *diag)
{
	int err;

	reading_release(&d->reading);
	err = reading_decode(s, NULL, diag, &d->reading);
	if (err)
		return err;
	d->rule = rule_cache_match(d->cache, &d->reading);
	if (!d->rule)
		return -ENOMEM;
	if (needs_second_look(s, d->rule)) {
		reading_release(&d->reading);
		err = reading_decode(s, d->rule->layouts, diag, &d->reading);
		if (err)
			return err;
	}
	facts_collect(&d->reading, d->rule, &d->facts);
	return 0;
}

int sample_check(const struct sample_decoder *d, struct diag *diag)
{
	const struct reading *r = &d->reading;

	if (r->state != DRIVE_READ)
		return diag_fail(diag, -ENODATA, "the drive gave no health data: %s",
				 r->nproblems ? r->problems[0].text : drive_state_name(r->state));
	if (!*r->identity.serial)
		return diag_fail(diag, -ENODATA,
				 "it names no serial number; say whose it is with --drive SERIAL");
	if (!r->nattributes && !r->nfields)
		return diag_fail(diag, -ENODATA, "it has no health data");
	return 0;
}
