/* SPDX-License-Identifier: MIT */
#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H

/* The known word that a mistyped one most likely meant. All-zero with the word set is a start. */
struct suggestion {
	const char *word; /* as typed */
	const char *best; /* the nearest known word so far that is near enough, or NULL */
	unsigned distance;
};

/* Offer one known word. Equally near ones: the first offered stays. */
void suggestion_offer(struct suggestion *s, const char *known);

#endif
