/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "db/family.h"

struct lint {
	const struct rules *rules;
	struct rules_problem *ret;
	size_t max, n;
};

static void complain(struct lint *l, const struct family *f, const char *fmt, ...) PRINTF(3, 4);

static void complain(struct lint *l, const struct family *f, const char *fmt, ...)
{
	va_list ap;

	if (l->n++ >= l->max)
		return;
	snprintf(l->ret[l->n - 1].where, sizeof(l->ret->where), "%s: %s", f->file, f->name);
	va_start(ap, fmt);
	vsnprintf(l->ret[l->n - 1].text, sizeof(l->ret->text), fmt, ap);
	va_end(ap);
}

static void add_attribute(struct reading *r, uint8_t id)
{
	if (reading_attribute(r, id) || r->nattributes == ATTRIBUTES_MAX)
		return;
	r->attributes[r->nattributes++] = (struct attribute){ .id = id, .has_raw = true };
}

/* The drive that an example describes: it has the attributes that the match asks for. */
static void build_example(const struct family *f, const struct example *e, struct reading *r)
{
	reading_init(r);
	r->identity.protocol = f->match.protocol;
	text_copy(r->identity.model, sizeof(r->identity.model), e->model);
	text_copy(r->identity.firmware, sizeof(r->identity.firmware), e->firmware);
	r->identity.has_capacity = e->capacity_gb > 0 || f->match.capacity.high_gb > 0;
	r->identity.capacity_bytes = (uint64_t)((e->capacity_gb > 0 ? e->capacity_gb
								    : f->match.capacity.low_gb) *
						1e9);
	for (size_t i = 0; i < f->match.nhas; i++)
		add_attribute(r, f->match.has[i]);
	for (size_t i = 0; i < e->nhas; i++)
		add_attribute(r, e->has[i]);
}

static void check_example(struct lint *l, const struct family *f, const struct example *e)
{
	CLEANUP(reading_release) struct reading r;
	struct drive_rule rule;

	build_example(f, e, &r);
	rules_match(l->rules, &r, &rule);
	if (family_fits(f, &r) != 1)
		complain(l, f, "does not match its example \"%s\" %s", e->model, e->firmware);
	else if (strcmp(rule.family, f->name) != 0)
		complain(l, f, "its example \"%s\" %s is won by \"%s\"", e->model, e->firmware,
			 rule.family);
}

static bool is_extended(const struct rules *rules, size_t index)
{
	for (size_t i = 0; i < rules->n; i++)
		if (rules->families[i].base == (ssize_t)index)
			return true;
	return false;
}

static void check_reach(struct lint *l, size_t index)
{
	const struct family *f = &l->rules->families[index];

	if (f->abstract && !is_extended(l->rules, index))
		complain(l, f, "abstract, but no family extends it");
	if (!f->abstract && !f->every && f->nexamples == 0)
		complain(l, f, "has no examples");
	for (size_t i = 0; i < index; i++)
		if (strcmp(l->rules->families[i].name, f->name) == 0 &&
		    l->rules->families[i].override == f->override)
			complain(l, f, "the name stands twice");
}

static void check_pattern(struct lint *l, const struct family *f, const char *text)
{
	struct pattern p = { .nneedles = 0 };
	char why[120] = "";

	text_copy(p.text, sizeof(p.text), text);
	if (pattern_check(&p, why, sizeof(why)) < 0)
		complain(l, f, "\"%s\" is no regular expression: %s", text, why);
}

static void check_patterns(struct lint *l, const struct family *f)
{
	check_pattern(l, f, f->match.model.text);
	check_pattern(l, f, f->match.firmware.text);
	for (size_t i = 0; i < f->nratings; i++)
		check_pattern(l, f, f->ratings[i].model.text);
	for (size_t i = 0; i < f->nhazards; i++)
		check_pattern(l, f, f->hazards[i].firmware);
}

static void check_meanings(struct lint *l, const struct family *f)
{
	for (size_t i = 0; i < f->nmeanings; i++) {
		const struct attribute_meaning *m = &f->meanings[i];

		if (!*m->source)
			complain(l, f, "attribute %u: no evidence", m->id);
		for (size_t j = 0; j < i; j++)
			if (f->meanings[j].id == m->id && f->meanings[j].fact == m->fact &&
			    f->meanings[j].part == m->part && f->meanings[j].bit == m->bit &&
			    f->meanings[j].plus_id == m->plus_id)
				complain(l, f, "attribute %u: said twice", m->id);
	}
}

static void check_ratings(struct lint *l, const struct family *f)
{
	for (size_t i = 0; i < f->nratings; i++) {
		const struct rating *row = &f->ratings[i];

		if (row->has_tbw && row->no_write_limit)
			complain(l, f, "rating %zu has a write limit and none", i + 1);
		if (i > 0 && !*row->model.text && row->capacity.high_gb <= 0)
			complain(l, f, "rating %zu fits every drive: it belongs to the front",
				 i + 1);
	}
}

size_t rules_lint(const struct rules *rules, struct rules_problem *ret, size_t max)
{
	struct lint l = { .rules = rules, .ret = ret, .max = max };

	for (size_t i = 0; i < rules->n; i++) {
		const struct family *f = &rules->families[i];

		check_reach(&l, i);
		check_patterns(&l, f);
		check_meanings(&l, f);
		check_ratings(&l, f);
		for (size_t e = 0; e < f->nexamples; e++)
			check_example(&l, f, &f->examples[e]);
	}
	return l.n;
}
