/* SPDX-License-Identifier: MIT */
#ifndef STORE_SAMPLE_H
#define STORE_SAMPLE_H

#include "store/drives.h"

/* A row of table sample, and the raw logs behind it. */

enum sample_flag {
	SAMPLE_LIVE = 1 << 0,
	SAMPLE_TIME_IS_FILE = 1 << 1,
};

struct sample_row {
	struct sample sample; /* without facts and frame until facts_unpack */
	int64_t frame, raw_number;
	struct bytes facts;
	bool has_raw;
	struct bytes raw; /* both live until the statement moves on */
};

/* The columns of SAMPLE_COLUMNS. */
void sample_row_read(sqlite3_stmt *st, struct sample_row *ret);

/* A row of table raw, with its bytes made whole. */
int raw_key_read(struct store *s, int64_t drive, int64_t number, struct diag *d,
		 struct raw_key *ret) MUST_USE;

void raw_key_release(struct raw_key *k);

/* The snapshot's bytes (logs.h) of a row, by its key. */
int sample_logs(struct store *s, const struct raw_key *key, const struct sample_row *row,
		struct diag *d, struct pack *ret) MUST_USE;

/*
 * The snapshot itself. key is the one of the sample before, and is read again only where this
 * sample has another.
 */
int sample_snapshot(struct store *s, int64_t drive, const struct sample_row *row,
		    struct raw_key *key, struct diag *d, struct snapshot *ret) MUST_USE;

#endif
