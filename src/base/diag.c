/* SPDX-License-Identifier: MIT */
#include "base/diag.h"

#include <stdio.h>

#include "base/text.h"

int diag_fail(struct diag *d, int err, const char *fmt, ...)
{
	char raw[sizeof(d->text)];
	va_list ap;

	if (!d || d->err)
		return err;
	va_start(ap, fmt);
	vsnprintf(raw, sizeof(raw), fmt, ap);
	va_end(ap);
	text_escape(d->text, sizeof(d->text), raw);
	d->err = err;
	return err;
}

void diag_clear(struct diag *d)
{
	d->err = 0;
	d->text[0] = '\0';
}
