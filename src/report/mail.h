/* SPDX-License-Identifier: MIT */
#ifndef REPORT_MAIL_H
#define REPORT_MAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/*
 * A mail message (RFC 5322, MIME) with lines that end in LF, as sendmail -t takes it from a pipe.
 * Whatever stands in the subject and the body, it ends no header and starts none: a subject that is
 * not plain becomes encoded words (RFC 2047), a body that is not becomes quoted-printable.
 */
struct mail {
	const char *to; /* an address that mail_address_is_plain accepts; NULL: no header */
	const char *subject;
	int64_t date;
	const char *body;
};

void mail_compose(const struct mail *m, struct str *out);

/*
 * Is it one address that can stand in a header as it is: NAME or NAME@DOMAIN of letters, digits and
 * what RFC 5322 allows in an atom, at most 254 characters?
 */
bool mail_address_is_plain(const char *address);

#endif
