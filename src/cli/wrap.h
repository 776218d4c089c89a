/* SPDX-License-Identifier: MIT */
#ifndef CLI_WRAP_H
#define CLI_WRAP_H

#include "base/str.h"

/*
 * Add text wrapped at word boundaries to `columns` (at least 20 behind the indent), every line but
 * the first indented by `indent`; the first starts at column `column`. A newline in the text
 * starts a new line. Ends with a newline.
 */
void add_wrapped(struct str *out, const char *text, size_t column, size_t indent, size_t columns);

#endif
