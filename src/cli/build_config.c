/* SPDX-License-Identifier: MIT */
#include "cli/build_config.h"

const char build_version[] = NANDLIFE_VERSION;
const char build_drive_db_dir[] = NANDLIFE_DRIVE_DB_DIR;
const char build_override_dir[] = NANDLIFE_SYSCONF_DIR "/drives.d";
const char build_config_file[] = NANDLIFE_SYSCONF_DIR "/nandlife.conf";
const char build_history_file[] = NANDLIFE_STATE_DIR "/history.db";
