/* SPDX-License-Identifier: MIT */
#ifndef REPORT_PRESET_H
#define REPORT_PRESET_H

#include "doc/doc.h"
#include "doc/view.h"
#include "ftl/preset.h"

/* All presets, a row each. report_presets is {schema, "presets": [...]}; the caller frees. */
struct doc *report_presets(const struct preset *presets, size_t n, int64_t generated_at);
void report_presets_view(const struct preset *presets, size_t n, struct view *v);

/* One preset with every value, and where it is known from. */
struct doc *report_preset(const struct preset *p, int64_t generated_at);
void report_preset_view(const struct preset *p, struct view *v);

#endif
