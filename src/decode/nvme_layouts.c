/* SPDX-License-Identifier: MIT */
#include "decode/layout_nvme.h"

/* Of several layouts for one log the first that accepts it is taken. */

const struct log_layout *const nvme_layouts[] = {
	&layout_nvme_controller,     &layout_nvme_namespace,
	&layout_nvme_namespace_list, &layout_nvme_namespace_ids,
	&layout_nvme_supported_logs, &layout_nvme_errors,
	&layout_nvme_smart,	     &layout_nvme_firmware,
	&layout_nvme_effects,	     &layout_nvme_selftest,
	&layout_nvme_endurance,	     &layout_nvme_persistent,
	&layout_nvme_event,	     &layout_nvme_sanitize,
	&layout_nvme_other,	     NULL,
};

const struct log_layout *const nvme_vendor_layouts[] = {
	&layout_ocp_smart,     &layout_hyperscale_smart,
	&layout_intel_smart,   &layout_intel_clone_smart,
	&layout_samsung_smart, &layout_micron_d0,
	&layout_micron_fb,     &layout_micron_e1,
	&layout_nitro_d0,      &layout_nitro_c6,
	&layout_wdc_fb,	       &layout_wdc_bd,
	&layout_wdc_d0,	       &layout_wdc_eol,
	&layout_seagate_c4,    NULL,
};
