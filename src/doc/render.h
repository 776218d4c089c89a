/* SPDX-License-Identifier: MIT */
#ifndef DOC_RENDER_H
#define DOC_RENDER_H

#include "doc/doc.h"

/* Parts that more than one renderer needs. */

/* The digits of an integer or real as every machine format writes them. */
#define NUMBER_TEXT_MAX 400
const char *doc_number_text(const struct doc *node, char buf[NUMBER_TEXT_MAX]);

/* Is the shown number a whole one beyond 2^53, which a double cannot hold? */
bool doc_is_beyond_double(const struct doc *node);

#endif
