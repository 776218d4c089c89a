/* SPDX-License-Identifier: MIT */
#ifndef TESTS_LIB_DUMPS_H
#define TESTS_LIB_DUMPS_H

#include "decode/reading.h"

/* Decodes the only drive of a dump held in a string; fails the test where there is another number.
 */
void read_dump(const char *text, struct reading *ret);

/* As above for len bytes. */
void read_dump_bytes(const void *data, size_t len, struct reading *ret);

/* A field's number in its unit; fails the test where it is absent. */
i128 field_number(const struct reading *r, const char *layout, const char *field);

/* True where the field was not read or says nothing. */
bool field_is_absent(const struct reading *r, const char *layout, const char *field);

#endif
