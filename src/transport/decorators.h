/* SPDX-License-Identifier: MIT */
#ifndef TRANSPORT_DECORATORS_H
#define TRANSPORT_DECORATORS_H

#include "base/str.h"
#include "decode/snapshot.h"
#include "sys/sys.h"
#include "transport/transport.h"

/*
 * Each takes over the inner transport, also on failure: -ENOMEM closes it. *ret is the decorator.
 */

/*
 * Refuses with -EPERM, before anything is sent, what has a greater effect than allowed: by the
 * request's own word or by its code, whichever is greater.
 */
int guard_transport(struct transport *inner, enum effect allowed, struct transport **ret) MUST_USE;

/*
 * Repeats requests that end with -EAGAIN, a second and then three seconds later. The pauses are
 * spent once for the drive, not once for every log, so that a drive that never gets ready is
 * given up within 10 s.
 */
int retry_transport(struct transport *inner, struct sys *sys, struct transport **ret) MUST_USE;

/* Tells `tell` what is about to be sent, each time. */
typedef void tell_fn(void *arg, const struct request *req);
int tell_transport(struct transport *inner, tell_fn *tell, void *arg,
		   struct transport **ret) MUST_USE;

/*
 * For tests: fails request number fail_at (counted from 1) with err instead of sending it, and all
 * later ones if for_good is set.
 */
int fault_transport(struct transport *inner, unsigned fail_at, int err, bool for_good,
		    struct transport **ret) MUST_USE;

/*
 * No drive at all: answers reads from the logs of a snapshot, and -EOPNOTSUPP for those that are
 * not in it. The snapshot has to outlive it.
 */
int replay_transport(const struct snapshot *snapshot, struct transport **ret) MUST_USE;

#endif
