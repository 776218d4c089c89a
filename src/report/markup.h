/* SPDX-License-Identifier: MIT */
#ifndef REPORT_MARKUP_H
#define REPORT_MARKUP_H

#include "base/str.h"

/*
 * Text into HTML and SVG. Whatever a drive calls itself comes out as text: markup and quotes are
 * escaped, bytes that are no text or that would hide or reorder what stands around them become
 * \xNN. Good inside elements and inside quoted attributes, not in scripts or styles (there are
 * none).
 */
void markup_add(struct str *out, const char *text);

/* Formatted first, then escaped; cut at MARKUP_TEXT_MAX bytes. */
#define MARKUP_TEXT_MAX 1024
void markup_addf(struct str *out, const char *fmt, ...) PRINTF(2, 3);
void markup_addv(struct str *out, const char *fmt, va_list ap) PRINTF(2, 0);

#endif
