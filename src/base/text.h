/* SPDX-License-Identifier: MIT */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Strings that come from a drive or a dump may hold anything: control bytes, quotes, markup,
 * invalid UTF-8. They are kept as they came (less the padding) and made safe where shown.
 */

/*
 * Copy a device's fixed-width string field: n bytes at src, ended early by a NUL, leading and
 * trailing spaces dropped. dst gets at most size - 1 bytes and a NUL. Returns the length.
 */
size_t text_from_field(char *dst, size_t size, const void *src, size_t n);

/* As text_from_field, for ATA strings: each pair of bytes is swapped first. n must be even. */
size_t text_from_ata_field(char *dst, size_t size, const void *src, size_t n);

/*
 * Copy src so that a terminal shows it harmlessly: control bytes, DEL, C1 controls, bidirectional
 * overrides and bytes that are not UTF-8 become \xNN. Truncates at a whole character. Returns the
 * length. dst may not overlap src.
 */
size_t text_escape(char *dst, size_t size, const char *src);

/*
 * Length of the valid UTF-8 sequence at s (1..4), or 0 where the bytes are not UTF-8 (overlong,
 * surrogate, above U+10FFFF or cut short). s is NUL-terminated.
 */
unsigned text_utf8_length(const char *s);

/*
 * Is this character, n bytes of valid UTF-8, one that a terminal obeys instead of showing, or that
 * hides or reorders what stands around it: controls, C1 controls, DEL, bidirectional overrides?
 */
bool text_is_harmful(const char *s, unsigned n);

/* True where every byte belongs to valid UTF-8 and no byte is a control character. */
bool text_is_clean(const char *s);

/* Columns that a clean UTF-8 string takes on a terminal (one a character, 0 for combining). */
size_t text_columns(const char *s);

/* Copy at most size - 1 bytes; returns false when the source did not fit. */
bool text_copy(char *dst, size_t size, const char *src);

/* ASCII-only, independent of the locale. */
bool text_equal_nocase(const char *a, const char *b);
bool text_starts_with(const char *s, const char *prefix);

/*
 * Edit distance (insertions, deletions, substitutions, swaps of neighbours), capped at 32
 * characters a side; used to suggest the near word for a mistyped one.
 */
unsigned text_distance(const char *a, const char *b);

#endif
