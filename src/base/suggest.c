/* SPDX-License-Identifier: MIT */
#include "base/suggest.h"

#include <string.h>

#include "base/text.h"

/* More than a third of the letters wrong, or more than three, is another word. */
static unsigned near_enough(size_t length)
{
	return length < 4 ? 1 : length < 10 ? (unsigned)(length + 2) / 3 : 3;
}

void suggestion_offer(struct suggestion *s, const char *known)
{
	size_t length = strlen(s->word);
	unsigned distance = text_distance(s->word, known);

	/* an abbreviation is nearer than any slip */
	if (length >= 2 && text_starts_with(known, s->word))
		distance = 0;
	if (distance > near_enough(length) || (s->best && distance >= s->distance))
		return;
	s->best = known;
	s->distance = distance;
}
