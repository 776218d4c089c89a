/* SPDX-License-Identifier: MIT */
#ifndef TESTS_LIB_LOG_STREAM_H
#define TESTS_LIB_LOG_STREAM_H

#include "decode/snapshot.h"

/*
 * Makes a snapshot of logs out of any bytes, for fuzzing: a record is the number of a log space
 * counted from first (modulo the spaces up to last), identifier, sub-identifier, a big-endian
 * length of two bytes, and so many bytes of log.
 */
void snapshot_from_stream(struct bytes stream, enum log_space first, enum log_space last,
			  struct snapshot *ret);

#endif
