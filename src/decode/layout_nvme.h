/* SPDX-License-Identifier: MIT */
#ifndef DECODE_LAYOUT_NVME_H
#define DECODE_LAYOUT_NVME_H

#include "decode/field.h"

/* Layouts of NVM Express structures and logs, as decode_nvme uses them by address. */

extern const struct log_layout layout_nvme_controller;
extern const struct log_layout layout_nvme_namespace;
extern const struct log_layout layout_nvme_namespace_list;
extern const struct log_layout layout_nvme_namespace_ids;
extern const struct log_layout layout_nvme_supported_logs;
extern const struct log_layout layout_nvme_errors;
extern const struct log_layout layout_nvme_smart;
extern const struct log_layout layout_nvme_firmware;
extern const struct log_layout layout_nvme_effects;
extern const struct log_layout layout_nvme_selftest;
extern const struct log_layout layout_nvme_endurance;
extern const struct log_layout layout_nvme_persistent;
extern const struct log_layout layout_nvme_event;
extern const struct log_layout layout_nvme_sanitize;

/* A structure or log that no layout fits, kept as it is. */
extern const struct log_layout layout_nvme_other;

/* Vendors'. */
extern const struct log_layout layout_ocp_smart;
extern const struct log_layout layout_hyperscale_smart;
extern const struct log_layout layout_intel_smart;
extern const struct log_layout layout_intel_clone_smart;
extern const struct log_layout layout_samsung_smart;
extern const struct log_layout layout_micron_d0;
extern const struct log_layout layout_micron_fb;
extern const struct log_layout layout_micron_e1;
extern const struct log_layout layout_nitro_d0;
extern const struct log_layout layout_nitro_c6;
extern const struct log_layout layout_wdc_fb;
extern const struct log_layout layout_wdc_bd;
extern const struct log_layout layout_wdc_d0;
extern const struct log_layout layout_wdc_eol;
extern const struct log_layout layout_seagate_c4;

#define LAYOUT_ANY UINT32_MAX /* log_layout.sub: of any namespace, group or page */

#endif
