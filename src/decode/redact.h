/* SPDX-License-Identifier: MIT */
#ifndef DECODE_REDACT_H
#define DECODE_REDACT_H

#include <stdbool.h>

#include "base/bytes.h"

/*
 * Secrets found in a snapshot and what stands for each of them: parts of snapshot_redact.
 *
 * A text (serial number, host name, qualified name) is replaced letter by letter: a digit by a
 * digit, a letter by one of its case; spaces and punctuation stay. An identifier of 8 bytes (WWN,
 * EUI-64) keeps its naming authority and its maker's OUI, and its own part keeps its number of
 * decimal digits, because dumps write that too; longer ones (NGUID, UUID) keep bytes of zero.
 */

#define SECRET_MAX  256
#define SECRETS_MAX 512

struct secret {
	bool is_id;   /* bytes of an identifier, most significant first; else text */
	bool is_eui;  /* of 8 bytes: an EUI-64 and no WWN, though its first digit may be a 5 */
	bool is_name; /* of a host: a word that may have no digit */
	size_t len;
	uint8_t old[SECRET_MAX], new[SECRET_MAX];
};

struct secrets {
	uint64_t key;
	struct secret *list;
	size_t n;
};

void secrets_release(struct secrets *set);

/*
 * Learn a secret (once) and return it; NULL where it is none (empty, no letter or digit, all
 * zeros or ones, too long) or with *ret_err set to -ENOMEM or -E2BIG.
 */
const struct secret *secrets_add_text(struct secrets *set, const void *text, size_t len,
				      int *ret_err);
const struct secret *secrets_add_id(struct secrets *set, const uint8_t *id, size_t len, bool is_eui,
				    int *ret_err);
const struct secret *secrets_add_name(struct secrets *set, const char *host, size_t len,
				      int *ret_err);

/* Text that may be an identifier in hexadecimal ("0x5000...", "5 002538 e40...", "eui.0025..."). */
const struct secret *secrets_add_any(struct secrets *set, const char *text, size_t len,
				     int *ret_err);

/* The part of an identifier of 8 bytes below its OUI, as old or new number. */
uint64_t secret_own_part(const struct secret *s, bool new_one);

/* Write a text's replacement over its first occurrence in these bytes. s may be NULL. */
void secret_overwrite(const struct secret *s, uint8_t *data, size_t len);

/*
 * Replace every secret wherever it stands in these bytes, in all forms of text and bytes. A text
 * that is long and varied is replaced anywhere, a shorter one as a whole word; one so plain that
 * other numbers will look the same ("0000") only where it was found, by secret_overwrite.
 */
void secrets_replace(const struct secrets *set, uint8_t *data, size_t len);

/*
 * Learn the secrets of a dump's text by its keys and labels. Texts and the numbers of WWN objects
 * are replaced there and then. -ENOMEM, -E2BIG.
 */
int redact_learn_text(struct secrets *set, uint8_t *text, size_t len) MUST_USE;

#endif
