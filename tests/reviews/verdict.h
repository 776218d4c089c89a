/* SPDX-License-Identifier: MIT */
#ifndef REVIEWS_VERDICT_H
#define REVIEWS_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * What reviews measured or state against what the model gives, a line each. A figure is met within
 * 15 %; a statement is met or not. What the model cannot know is listed with its reason and is no
 * failure.
 */
void section(const char *title);

/* A figure; preset is whose (NULL: of none): figures are counted against its fitted values. */
void figure(const char *preset, const char *what, double measured, double modelled,
	    const char *unit);

/* A statement, and the numbers behind it as printf prints them. */
void statement(const char *preset, const char *what, bool met, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* What is not met, with the number that the model gives, and why. */
void not_met(const char *what, const char *modelled, const char *reason);

/* Figures and statements counted for a preset. */
unsigned checked(const char *preset);

/* The sums; 0 where nothing failed, else 1. */
int verdict(void);

#endif
