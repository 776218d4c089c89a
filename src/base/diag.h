/* SPDX-License-Identifier: MIT */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdarg.h>

#include "base/cleanup.h"

/*
 * Why something failed, said once by the function that knows. Everybody above passes the
 * negative errno on; the first text stays, later ones are dropped.
 */
struct diag {
	int err;	/* negative errno of the first failure, 0 for none */
	char text[480]; /* one line, no newline, clean for a terminal */
};

/*
 * Record a failure and return it: `return diag_fail(d, -ENODATA, "%s: ...", dev);`
 * d may be NULL. err must be negative. The text is made safe for a terminal.
 */
int diag_fail(struct diag *d, int err, const char *fmt, ...) PRINTF(3, 4);

/* Forget what was recorded. */
void diag_clear(struct diag *d);

#endif
