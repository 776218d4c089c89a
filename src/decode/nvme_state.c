/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "decode/nvme.h"

/* --- endurance groups ------------------------------------------------------------------------ */

#define GROUPS_MAX 128

/* What one group's log says; a number that is absent has its has_ flag false. */
struct group {
	u128 used, spare, threshold, media, estimate;
	bool has_used, has_spare, has_threshold, has_media, has_estimate, used_saturated;
};

static size_t find_groups(const struct reading *r, struct group groups[GROUPS_MAX])
{
	const struct log_layout *l = &layout_nvme_endurance;
	const struct decoded *v;
	size_t n = 0;

	for (; n < GROUPS_MAX && (v = reading_find_nth(r, l->name, "group_percentage_used", n));
	     n++) {
		struct group *g = &groups[n];

		*g = (struct group){ .used_saturated = v->value.bound == BOUND_AT_LEAST };
		g->has_used = nvme_number(r, l, v->sub, 0, "group_percentage_used", &g->used);
		g->has_spare = nvme_number(r, l, v->sub, 0, "group_spare", &g->spare);
		g->has_threshold = nvme_number(r, l, v->sub, 0, "group_spare_threshold",
					       &g->threshold);
		g->has_media = nvme_number(r, l, v->sub, 0, "media_units_written", &g->media);
		g->has_estimate = nvme_number(r, l, v->sub, 0, "endurance_estimate", &g->estimate);
	}
	return n;
}

static int add_derived(struct reading *r, const char *name, bool known, u128 v,
		       enum fact_bound bound)
{
	const struct log_layout *l = &layout_nvme_endurance;
	const struct value value = { .kind = known ? VALUE_NUMBER : VALUE_ABSENT,
				     .bound = bound,
				     .number = v > (u128)I128_MAX ? I128_MAX : (i128)v };

	return reading_add(r, l, layout_field(l, name), l->id, LAYOUT_ANY, 0, &value);
}

/* Media written by all groups; known only where every group reports it. */
static bool sum_media(const struct group *groups, size_t n, u128 *ret)
{
	u128 sum = 0;

	for (size_t i = 0; i < n; i++) {
		if (!groups[i].has_media || groups[i].media > (u128)I128_MAX - sum)
			return false;
		sum += groups[i].media;
	}
	*ret = sum;
	return true;
}

/*
 * The group that its estimate says is most worn: the highest media / estimate. With one group the
 * drive's estimate is that group's own.
 */
static bool binding_estimate(const struct group *groups, size_t n, u128 total, u128 *ret)
{
	const struct group *worst = NULL;
	bool saturated = false;
	u128 media, estimate;

	for (size_t i = 0; i < n; i++) {
		const struct group *g = &groups[i];

		if (g->has_estimate && g->has_media &&
		    (!worst || u128_double(g->media) / u128_double(g->estimate) >
				       u128_double(worst->media) / u128_double(worst->estimate)))
			worst = g;
	}
	if (n == 1 && groups[0].has_estimate) {
		*ret = groups[0].estimate;
		return true;
	}
	if (!worst || !total)
		return false;
	for (media = worst->media, estimate = worst->estimate;
	     media > UINT64_MAX || estimate > UINT64_MAX; media >>= 1)
		estimate >>= 1;
	if (!media)
		return false;
	*ret = u128_scale(total, (uint64_t)estimate, (uint64_t)media, &saturated);
	return !saturated;
}

int nvme_add_endurance(struct reading *r)
{
	struct group groups[GROUPS_MAX];
	size_t n = find_groups(r, groups);
	const struct group *used = NULL, *spare = NULL;
	u128 media = 0, estimate = 0;
	bool has_media, has_estimate;
	int err;

	if (n == 0)
		return 0;
	for (size_t i = 0; i < n; i++) {
		const struct group *g = &groups[i];

		if (g->has_used && (!used || g->used > used->used))
			used = g;
		/* the spare that stands lowest above (or below) its own threshold */
		if (g->has_spare && g->has_threshold &&
		    (!spare || (i128)g->spare - (i128)g->threshold <
				       (i128)spare->spare - (i128)spare->threshold))
			spare = g;
	}
	has_media = sum_media(groups, n, &media);
	has_estimate = binding_estimate(groups, n, media, &estimate);
	err = add_derived(r, "all_media_written", has_media, media, BOUND_AT_MOST);
	if (!err)
		err = add_derived(r, "worst_percentage_used", used, used ? used->used : 0,
				  used && used->used_saturated ? BOUND_AT_LEAST : BOUND_EXACT);
	if (!err)
		err = add_derived(r, "worst_spare", spare, spare ? spare->spare : 0, BOUND_EXACT);
	if (!err)
		err = add_derived(r, "worst_spare_threshold", spare, spare ? spare->threshold : 0,
				  BOUND_EXACT);
	if (!err)
		err = add_derived(r, "binding_estimate", has_estimate, estimate, BOUND_EXACT);
	return err;
}

/* --- self-tests ------------------------------------------------------------------------------ */

#define RESULT_SEGMENT_KNOWN 7

static enum selftest_result result_of(u128 code)
{
	switch ((unsigned)code) {
	case 0:
		return SELFTEST_PASSED;
	case 5: /* fatal error or unknown test error */
	case 6: /* a segment failed, not known which */
	case RESULT_SEGMENT_KNOWN:
		return SELFTEST_FAILED;
	case 1: /* by command, reset, namespace removal, format; unknown; sanitize */
	case 2:
	case 3:
	case 4:
	case 8:
	case 9:
		return SELFTEST_ABORTED;
	default:
		return SELFTEST_UNKNOWN;
	}
}

static const char *kind_of(u128 code)
{
	switch ((unsigned)code) {
	case 1:
		return "short";
	case 2:
		return "extended";
	case 3:
		return "host refresh";
	case 0xe:
		return "vendor";
	default:
		return "unknown";
	}
}

static struct selftest selftest_of(const struct reading *r, uint32_t sub, uint32_t key)
{
	const struct log_layout *l = &layout_nvme_selftest;
	struct selftest t = { .remaining_percent = -1 };
	u128 v = 0;

	if (nvme_number(r, l, sub, key, "selftest_result", &v)) {
		t.result = result_of(v);
		t.code = (uint8_t)v;
	}
	if (t.code == RESULT_SEGMENT_KNOWN && nvme_number(r, l, sub, key, "selftest_segment", &v)) {
		t.has_segment = true;
		t.segment = (uint8_t)v;
	}
	if (nvme_number(r, l, sub, key, "selftest_code", &v))
		text_copy(t.kind, sizeof(t.kind), kind_of(v));
	if (nvme_number(r, l, sub, key, "selftest_hours", &v)) {
		t.has_hours = true;
		t.hours = (uint64_t)v;
	}
	if (nvme_number(r, l, sub, key, "selftest_lba_valid", &v) && v)
		t.has_lba = nvme_number(r, l, sub, key, "selftest_lba", &v);
	if (t.has_lba)
		t.lba = (uint64_t)v;
	return t;
}

/* Hours that lie in the future or that rise towards older tests are not to be trusted. */
static void mark_unreliable_hours(struct reading *r)
{
	i128 now;
	bool known = reading_number(r, layout_nvme_smart.name, "power_on_hours", &now);

	for (size_t i = 0; i < r->nselftests; i++) {
		struct selftest *t = &r->selftests[i];

		t->hours_unreliable = (known && (i128)t->hours > now) ||
				      (i > 0 && t->hours > r->selftests[i - 1].hours);
	}
}

void nvme_find_selftests(const struct snapshot *s, struct reading *r)
{
	const struct log_layout *l = &layout_nvme_selftest;
	u128 operation = 0, completion = 0, v;

	for (size_t i = 0; i < s->nlogs; i++) {
		const struct snapshot_log *log = &s->logs[i];

		if (log->space != l->space || log->id != l->id || log->len < l->min_size)
			continue;
		r->selftest_log_read = true;
		/* operation 0: none runs, whatever the completion byte holds */
		if (nvme_number(r, l, log->sub, 0, "operation", &operation) && operation &&
		    nvme_number(r, l, log->sub, 0, "completion", &completion)) {
			completion /= unit_scale(UNIT_PERCENT);
			r->selftest_progress = (int8_t)(completion > 100 ? 100 : completion);
		}
		for (uint32_t key = 0; key < l->records->count; key++)
			if (r->nselftests < SELFTESTS_MAX &&
			    nvme_number(r, l, log->sub, key, "selftest_result", &v))
				r->selftests[r->nselftests++] = selftest_of(r, log->sub, key);
		break; /* the log is the controller's: one is enough */
	}
	mark_unreliable_hours(r);
}

/* --- sanitize -------------------------------------------------------------------------------- */

#define EVENT_SANITIZE_START 0x09
#define EVENT_SANITIZE_END   0x0a

void nvme_check_sanitize(const struct snapshot *s, struct reading *r)
{
	struct bytes log = snapshot_find(s, SPACE_NVME_LOG, layout_nvme_sanitize.id, 0);
	const struct decoded *v;

	if (!bytes_all(log, 0))
		return;
	for (size_t n = 0; (v = reading_find_nth(r, layout_nvme_event.name, "event_type", n)); n++)
		if (v->value.number == EVENT_SANITIZE_START ||
		    v->value.number == EVENT_SANITIZE_END) {
			reading_add_problem(r, -ENODATA,
					    "%s: all zeros, though the persistent events "
					    "tell of a sanitize operation",
					    layout_nvme_sanitize.title);
			return;
		}
}
