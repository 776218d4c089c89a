/* SPDX-License-Identifier: MIT */
#ifndef REVIEWS_REVIEWS_H
#define REVIEWS_REVIEWS_H

/* The parts of the reviews, each by its own protocols. */
void review_endurance(void);
void review_theory(void);
void review_pny(void);
void review_scale(void);
void review_540s(void);
void review_ioxtreme(void);
void review_six_drives(void);

#endif
