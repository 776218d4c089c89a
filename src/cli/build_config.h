/* SPDX-License-Identifier: MIT */
/*
 * What the build decided: the version and the folders of this binary. The binary in the build tree
 * and the installed one differ in this file alone.
 */
#ifndef CLI_BUILD_CONFIG_H
#define CLI_BUILD_CONFIG_H

extern const char build_version[];
extern const char build_drive_db_dir[]; /* the drive rules, *.json */
extern const char build_override_dir[]; /* the admin's own drive rules */
extern const char build_config_file[];	/* nandlife.conf */
extern const char build_history_file[]; /* the default of --db */

#endif
