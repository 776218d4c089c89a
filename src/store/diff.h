/* SPDX-License-Identifier: MIT */
#ifndef STORE_DIFF_H
#define STORE_DIFF_H

#include "store/pack.h"

/*
 * The difference of two texts or logs in which only some numbers changed, in a hundredth of the
 * time and fewer bytes than a compressor takes: parts that are the same are counted, parts that
 * are not are written down, decimal digits two a byte.
 *
 * Each step is a count of equal bytes, then a number, of whose bits 0 says that the old part is not
 * as long as the new one (and by how much follows, signed), 1 that the new part is digits, and the
 * others how long it is, then the new part. Counts and numbers as pack.h has them.
 */

/*
 * Appends it to ret. False where a part differs for longer than a number does, or it has grown
 * past max bytes; what was appended is of no use then.
 */
bool diff_encode(struct bytes old, struct bytes now, size_t max, struct pack *ret);

/* Appends the new bytes to ret, at most max of them; false where the difference is none. */
bool diff_decode(struct bytes old, struct bytes diff, size_t max, struct pack *ret);

#endif
