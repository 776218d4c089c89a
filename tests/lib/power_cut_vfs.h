/* SPDX-License-Identifier: MIT */
#ifndef LIB_POWER_CUT_VFS_H
#define LIB_POWER_CUT_VFS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A layer under SQLite whose calls fail, or with which the power goes off. Opening, writing,
 * syncing, truncating and deleting count from 1; call number fail_at fails, with all later ones
 * where for_good is set. A failing write has written its first half. Nothing is synced for real:
 * what was written since a file's last sync is remembered, so that a cut can take it back.
 */
enum power_cut {
	CUT_NONE,
	CUT_LOST, /* nothing that was not synced has reached the disk */
	CUT_KEPT, /* all of it has */
	CUT_TORN, /* some sectors of it have, as the seed says */
};

struct power {
	unsigned calls, fail_at;
	int err; /* errno of the failing call */
	bool for_good;
	enum power_cut cut; /* at call fail_at; all calls fail after it */
	uint64_t seed;
	bool hit; /* call fail_at was reached */
};
extern struct power power;

/* Make it SQLite's default. */
void power_vfs_register(void);

/* What a cut leaves, once all connections are closed; then all calls succeed and are not counted.
 */
void power_return(void);

#endif
