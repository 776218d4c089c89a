/* SPDX-License-Identifier: MIT */
#ifndef TRANSPORT_CODES_H
#define TRANSPORT_CODES_H

/* Command codes that are used in more than one place. */

/* NVMe admin commands (NVMe base specification 2.0, figure 138). */
enum {
	NVME_GET_LOG_PAGE = 0x02,
	NVME_IDENTIFY = 0x06,
};

/* Log pages (figure 202), and the first of the vendors'. */
enum {
	NVME_LOG_SUPPORTED = 0x00,
	NVME_LOG_ERRORS = 0x01,
	NVME_LOG_SMART = 0x02,
	NVME_LOG_FIRMWARE = 0x03,
	NVME_LOG_EFFECTS = 0x05,
	NVME_LOG_SELFTEST = 0x06,
	NVME_LOG_ENDURANCE = 0x09,
	NVME_LOG_EVENTS = 0x0d,
	NVME_LOG_SANITIZE = 0x81,
	NVME_LOG_OCP = 0xc0,
};

/* Actions on the persistent event log, in the log specific parameter (figure 224). */
enum {
	NVME_EVENTS_READ = 0,
	NVME_EVENTS_ESTABLISH = 1,
	NVME_EVENTS_RELEASE = 2,
};

/* ATA commands (ACS-4, annex B). */
enum {
	ATA_READ_LOG_EXT = 0x2f,
	ATA_SMART = 0xb0,
	ATA_CHECK_POWER_MODE = 0xe5,
	ATA_IDENTIFY_DEVICE = 0xec,
};

/* Subcommands of SMART, in the features register; all want C24Fh in the LBA (ACS-3, 7.46). */
enum {
	SMART_READ_DATA = 0xd0,
	SMART_READ_THRESHOLDS = 0xd1,
	SMART_READ_LOG = 0xd5,
	SMART_RETURN_STATUS = 0xda,
	SMART_SIGNATURE = 0xc24f00,
};

/* SCSI commands (SPC-5, annex E). */
enum {
	SCSI_TEST_UNIT_READY = 0x00,
	SCSI_REQUEST_SENSE = 0x03,
	SCSI_INQUIRY = 0x12,
	SCSI_LOG_SENSE = 0x4d,
	SCSI_SERVICE_ACTION_IN = 0x9e,
	SCSI_ATA_PASS_THROUGH_16 = 0x85,
	SCSI_ATA_PASS_THROUGH_12 = 0xa1,
};

#endif
