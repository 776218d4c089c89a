/* SPDX-License-Identifier: MIT */
#ifndef CLI_VIEW_TEXT_H
#define CLI_VIEW_TEXT_H

#include <stdbool.h>

#include "doc/view.h"

/* Where text goes: how wide it is and whether it shows colours. */
struct terminal {
	unsigned columns; /* 0: no terminal, lines may be of any length */
	bool colour;
};

/* Lay a view out with libsmartcols. -ENOMEM. The locale's LC_CTYPE must be set. */
int view_to_text(const struct view *v, const struct terminal *t, struct str *out) MUST_USE;

#endif
