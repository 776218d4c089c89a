/* SPDX-License-Identifier: MIT */
#ifndef HEALTH_BINDING_H
#define HEALTH_BINDING_H

#include "health/estimate.h"

/* Decide which estimates may bind and which one does: trustworthy, binding, binding_reason. */
void estimates_bind(const struct facts *facts, struct estimates *ret);

/* Does the drive report wear in any form: a percentage or erase counts? */
bool facts_report_wear(const struct facts *facts);

#endif
