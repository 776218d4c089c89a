/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "db/parse.h"

int capacity_read(const struct place *at, const cJSON *v, struct capacity_range *ret)
{
	double low, high;

	if (cJSON_IsNumber(v) && json_real(v, &low) && low > 0) {
		*ret = (struct capacity_range){ low * 0.97, low * 1.03 };
		return 0;
	}
	if (cJSON_GetArraySize(v) != 2 || !json_real(v->child, &low) ||
	    !json_real(v->child->next, &high) || low < 0 || high < low)
		return place_fail(at, -EINVAL, "\"capacity_gb\" is neither a number nor a range");
	*ret = (struct capacity_range){ low, high };
	return 0;
}

static int match_capacity(const struct place *at, const cJSON *v, void *object)
{
	return capacity_read(at, v, &((struct family_match *)object)->capacity);
}

static int match_protocol(const struct place *at, const cJSON *v, void *object)
{
	static const enum protocol all[] = { PROTOCOL_NVME, PROTOCOL_ATA, PROTOCOL_SCSI };
	struct family_match *m = object;

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (cJSON_IsString(v) && strcmp(v->valuestring, protocol_name(all[i])) == 0) {
			m->protocol = all[i];
			return 0;
		}
	return place_fail(at, -EINVAL, "\"protocol\" is none of nvme, ata, scsi");
}

#define MATCH(member) KEY_AT(struct family_match, member)

static const struct key match_keys[] = {
	{ "protocol", KEY_CUSTOM, 0, 0, 0, KEY_NO_HAS, match_protocol },
	{ "model", KEY_TEXT, 0, MATCH(model.text), KEY_NO_HAS, NULL },
	{ "firmware", KEY_TEXT, 0, MATCH(firmware.text), KEY_NO_HAS, NULL },
	{ "capacity_gb", KEY_CUSTOM, 0, 0, 0, KEY_NO_HAS, match_capacity },
	{ "has", KEY_IDS, 0, MATCH(has), KEY_HAS(struct family_match, nhas), NULL },
	{ "lacks", KEY_IDS, 0, MATCH(lacks), KEY_HAS(struct family_match, nlacks), NULL },
};

/* Shipped rules pass lint before they are shipped; an administrator's are tested when read. */
static int prepare(const struct place *at, const char *key, struct pattern *p)
{
	char why[120] = "";
	int err = pattern_prepare(p, why, sizeof(why));

	if (!err && at->test_patterns)
		err = pattern_check(p, why, sizeof(why));
	return err ? place_fail(at, err, "\"%s\" is no regular expression: %s", key, why) : 0;
}

int family_read_match(const struct place *at, const cJSON *v, void *object)
{
	struct family_match *m = &((struct family *)object)->match;
	int err = object_read(at, "match", v, match_keys, ARRAY_SIZE(match_keys), m);

	if (!err)
		err = prepare(at, "model", &m->model);
	if (!err)
		err = prepare(at, "firmware", &m->firmware);
	return err;
}

static int rating_capacity(const struct place *at, const cJSON *v, void *object)
{
	return capacity_read(at, v, &((struct rating *)object)->capacity);
}

static int rating_raw_nand(const struct place *at, const cJSON *v, void *object)
{
	double gib;

	if (!cJSON_IsNumber(v) || !json_real(v, &gib) || gib <= 0 || gib > 1e7)
		return place_fail(at, -EINVAL, "\"raw_nand_gib\" is no capacity");
	((struct rating *)object)->raw_nand_bytes = (uint64_t)(gib * (double)(1 << 30));
	return 0;
}

#define RATING(member)	   KEY_AT(struct rating, member)
#define RATING_HAS(member) KEY_HAS(struct rating, member)

static const struct key rating_keys[] = {
	{ "model", KEY_TEXT, 0, RATING(model.text), KEY_NO_HAS, NULL },
	{ "capacity_gb", KEY_CUSTOM, 0, 0, 0, KEY_NO_HAS, rating_capacity },
	{ "tbw_tb", KEY_REAL, 0, RATING(tbw_tb), RATING_HAS(has_tbw), NULL },
	{ "no_write_limit", KEY_BOOL, 0, RATING(no_write_limit), RATING_HAS(has_no_limit), NULL },
	{ "warranty_years", KEY_REAL, 0, RATING(warranty_years), RATING_HAS(has_warranty), NULL },
	{ "nand", KEY_TEXT, 0, RATING(nand), KEY_NO_HAS, NULL },
	{ "rated_pe", KEY_UNSIGNED, 0, RATING(pe), RATING_HAS(has_pe), NULL },
	{ "rated_pe_confidence", KEY_CONFIDENCE, 0, RATING(pe_confidence),
	  RATING_HAS(has_pe_confidence), NULL },
	{ "rated_pe_slc", KEY_UNSIGNED, 0, RATING(pe_slc), RATING_HAS(has_pe_slc), NULL },
	{ "raw_nand_gib", KEY_CUSTOM, 0, 0, 0, RATING_HAS(has_raw_nand), rating_raw_nand },
	{ "mtbf_hours", KEY_UNSIGNED, 0, RATING(mtbf_hours), RATING_HAS(has_mtbf), NULL },
	{ "confidence", KEY_CONFIDENCE, 0, RATING(confidence), RATING_HAS(has_confidence), NULL },
	{ "source", KEY_TEXT, 0, RATING(source), KEY_NO_HAS, NULL },
};

/* Source and confidence of the first row hold for all that do not say theirs. */
static int finish_rating(const struct place *at, const struct rating *first, struct rating *row)
{
	if (!*row->source)
		memcpy(row->source, first->source, sizeof(row->source));
	if (!row->has_confidence)
		row->confidence = first->confidence;
	if (!row->has_pe_confidence)
		row->pe_confidence = row->confidence;
	if (!*row->source || !first->has_confidence)
		return place_fail(at, -EINVAL,
				  "ratings: the first one says neither source nor confidence");
	return prepare(at, "model", &row->model);
}

int family_read_ratings(const struct place *at, const cJSON *v, void *object)
{
	struct family *f = object;
	void *list = NULL;
	int err = objects_read(at, "ratings", v, rating_keys, ARRAY_SIZE(rating_keys),
			       sizeof(struct rating), 128, &list, &f->nratings);

	f->ratings = list;
	for (size_t i = 0; !err && i < f->nratings; i++)
		err = finish_rating(at, &f->ratings[0], &f->ratings[i]);
	return err;
}

#define HAZARD(member) KEY_AT(struct firmware_hazard, member)

static const struct key hazard_keys[] = {
	{ "id", KEY_TEXT, KEY_REQUIRED, HAZARD(id), KEY_NO_HAS, NULL },
	{ "firmware", KEY_TEXT, 0, HAZARD(firmware), KEY_NO_HAS, NULL },
	{ "hours", KEY_UNSIGNED, 0, HAZARD(hours), KEY_HAS(struct firmware_hazard, has_hours),
	  NULL },
	{ "fixed_in", KEY_TEXT, 0, HAZARD(fixed_in), KEY_NO_HAS, NULL },
	{ "text", KEY_TEXT, KEY_REQUIRED, HAZARD(text), KEY_NO_HAS, NULL },
	{ "advice", KEY_TEXT, KEY_REQUIRED, HAZARD(advice), KEY_NO_HAS, NULL },
	{ "source", KEY_TEXT, KEY_REQUIRED, HAZARD(source), KEY_NO_HAS, NULL },
};

int family_read_hazards(const struct place *at, const cJSON *v, void *object)
{
	struct family *f = object;
	void *list = NULL;
	int err = objects_read(at, "hazards", v, hazard_keys, ARRAY_SIZE(hazard_keys),
			       sizeof(struct firmware_hazard), RULE_HAZARDS_MAX, &list,
			       &f->nhazards);

	f->hazards = list;
	for (size_t i = 0; !err && i < f->nhazards; i++) {
		struct pattern p = { .nneedles = 0 };

		memcpy(p.text, f->hazards[i].firmware, sizeof(f->hazards[i].firmware));
		err = prepare(at, "firmware", &p);
	}
	return err;
}

static const struct key claim_keys[] = {
	{ "text", KEY_TEXT, KEY_REQUIRED, KEY_AT(struct maker_claim, text), KEY_NO_HAS, NULL },
	{ "source", KEY_TEXT, KEY_REQUIRED, KEY_AT(struct maker_claim, source), KEY_NO_HAS, NULL },
};

int family_read_claims(const struct place *at, const cJSON *v, void *object)
{
	struct family *f = object;
	void *list = NULL;
	int err = objects_read(at, "claims", v, claim_keys, ARRAY_SIZE(claim_keys),
			       sizeof(struct maker_claim), RULE_CLAIMS_MAX, &list, &f->nclaims);

	f->claims = list;
	return err;
}

#define EXAMPLE(member) KEY_AT(struct example, member)

static const struct key example_keys[] = {
	{ "model", KEY_TEXT, 0, EXAMPLE(model), KEY_NO_HAS, NULL },
	{ "firmware", KEY_TEXT, 0, EXAMPLE(firmware), KEY_NO_HAS, NULL },
	{ "capacity_gb", KEY_REAL, 0, EXAMPLE(capacity_gb), KEY_NO_HAS, NULL },
	{ "has", KEY_IDS, 0, EXAMPLE(has), KEY_HAS(struct example, nhas), NULL },
};

int family_read_examples(const struct place *at, const cJSON *v, void *object)
{
	struct family *f = object;
	void *list = NULL;
	int err = objects_read(at, "examples", v, example_keys, ARRAY_SIZE(example_keys),
			       sizeof(struct example), EXAMPLES_MAX, &list, &f->nexamples);

	f->examples = list;
	return err;
}
