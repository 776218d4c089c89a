/* SPDX-License-Identifier: MIT */
#ifndef STORE_FRAME_H
#define STORE_FRAME_H

#include "store/database.h"

/*
 * How facts are kept. A frame has, for each fact of its samples, the source, a base value, and the
 * step that the counter moves in; a sample is a bitmap of the facts that differ from the base, and
 * for these the difference in steps. A sample needs nothing but its frame.
 */
struct frame_fact {
	enum fact_id id;
	int64_t base;
	uint64_t step; /* at least 1 */
};

struct stored_frame {
	int64_t number; /* within its drive */
	struct frame frame;
	struct frame_fact facts[FACT_COUNT]; /* in the order of the samples' bits */
	unsigned nfacts;
	uint64_t has, at_least, at_most; /* FACT_BIT()s of the base values */
};

/* Read one. -EUCLEAN where it is not there or makes no sense. */
int stored_frame_read(struct store *s, int64_t drive, int64_t number, struct diag *d,
		      struct stored_frame *ret) MUST_USE;

/* Add one with this number to the database, with the sample's values as its base. */
int stored_frame_add(struct store *s, int64_t drive, int64_t number, const struct frame *frame,
		     const struct sample *sample, struct diag *d,
		     struct stored_frame *ret) MUST_USE;

/* Can the sample, whose frame is `frame`, be kept by this one? */
bool stored_frame_fits(const struct stored_frame *f, const struct frame *frame,
		       const struct sample *sample);

/* "nvme", "ata", "scsi", or empty: as it stands in the database. */
const char *stored_protocol(enum protocol protocol);
enum protocol protocol_of(const char *stored);

/* Facts and bounds of a sample that fits, in place of what p held. */
void facts_pack(const struct stored_frame *f, const struct sample *sample, struct pack *p);

/* Back, with ret->frame the frame's; its time and flags stay. -EUCLEAN. */
int facts_unpack(const struct stored_frame *f, struct bytes b, struct sample *ret) MUST_USE;

#endif
