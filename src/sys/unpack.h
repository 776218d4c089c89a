/* SPDX-License-Identifier: MIT */
#ifndef SYS_UNPACK_H
#define SYS_UNPACK_H

#include "base/diag.h"
#include "sys/sys.h"

/*
 * A file read from front to end, unpacked on the way where it is gzip (RFC 1952, several members
 * too) or zstd (RFC 8878, several frames too); which it is, its first bytes tell.
 */
struct unpack;

/* Takes over nothing: fd stays the caller's, and is read from where it stands. name is of the file,
 * for messages, and must stay. -ENOMEM. */
int unpack_new(struct sys *sys, int fd, const char *name, struct unpack **ret) MUST_USE;
void unpack_free(struct unpack *u);
void unpack_release(struct unpack **u); /* for CLEANUP */

/*
 * Up to n unpacked bytes; 0 at the end. Errors of read; -EBADMSG where packed data are damaged or
 * end too early, with the reason in d.
 */
ssize_t unpack_read(struct unpack *u, void *buf, size_t n, struct diag *d) MUST_USE;

/* Bytes of the file that were read so far. */
uint64_t unpack_taken(const struct unpack *u);

#endif
