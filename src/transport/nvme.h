/* SPDX-License-Identifier: MIT */
#ifndef TRANSPORT_NVME_H
#define TRANSPORT_NVME_H

#include "sys/sys.h"
#include "transport/transport.h"

/*
 * Admin commands to an NVMe controller through libnvme. path is the controller's node
 * ("/dev/nvme0"). -EACCES with the privilege that is missing, -EAGAIN (the controller is
 * resetting or connecting), -ENODEV, -ENOENT.
 */
int nvme_transport(struct sys *sys, const char *path, struct diag *d,
		   struct transport **ret) MUST_USE;

/* The name of a status (type << 8 | code), NVMe base specification 2.0, figures 94 to 97. */
const char *nvme_status_text(uint16_t status);

#endif
