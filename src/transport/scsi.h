/* SPDX-License-Identifier: MIT */
#ifndef TRANSPORT_SCSI_H
#define TRANSPORT_SCSI_H

#include "sys/sys.h"
#include "transport/transport.h"

/*
 * SCSI commands to a disk node ("/dev/sda", "/dev/sg0") through libsgutils2. -EACCES with the
 * privilege that is missing, -ENODEV, -ENOENT.
 */
int scsi_transport(struct sys *sys, const char *path, struct diag *d,
		   struct transport **ret) MUST_USE;

/*
 * ATA commands as ATA PASS-THROUGH (SAT-4, 12.2) of 16 or 12 bytes, as the request says, over a
 * transport for SCSI commands, which it takes over, also on failure. SCSI requests are passed on.
 * Data that come short are -EIO: a bridge that truncates must not be believed. Registers that were
 * wanted and did not come back are -ENODATA; 48-bit commands in 12 bytes are -EOPNOTSUPP.
 */
int sat_transport(struct transport *inner, struct transport **ret) MUST_USE;

#endif
