/* SPDX-License-Identifier: MIT */
#include "decode/scsi.h"

/*
 * SCSI log pages (SPC-5, 7.3; SBC-4, 6.4) are lists of parameters: a two-byte code, control byte,
 * length, and that many bytes. A layout's rows describe the page header; its keyed table has the
 * fields of each parameter, with offsets from the parameter's own start. All integers are
 * big-endian. VPD pages and INQUIRY data are plain tables.
 */
#define BE(n, l, o, s, ...) FIELD(n, l, o, s, FIELD_UINT, .flags = FIELD_BIG_ENDIAN, ##__VA_ARGS__)

#define PAGE_HEADER                                            \
	FIELD("page_code", "Page code", 0, 1, FIELD_UINT),     \
		FIELD("subpage", "Subpage", 1, 1, FIELD_UINT), \
		BE("page_length", "Page length", 2, 2)

static const struct field page_header[] = { PAGE_HEADER };

/* Counters are as long as the drive likes; the row stands for the last eight bytes. */
#define COUNTER(k, n, l, ...)                                           \
	{                                                               \
		.key = (k), .fields = { BE(n, l, 4, 8, ##__VA_ARGS__) } \
	}

static const struct keyed_entry write_errors[] = {
	COUNTER(0, "corrected_fast", "Corrected without delay", IN_COUNT),
	COUNTER(1, "corrected_delayed", "Corrected with possible delay", IN_COUNT),
	COUNTER(2, "rewrites", "Rewrites", IN_COUNT),
	COUNTER(3, "corrected", "Errors corrected", IN_COUNT),
	COUNTER(4, "correction_runs", "Correction algorithm runs", IN_COUNT),
	COUNTER(5, "bytes_processed", "Bytes written", IN_BYTES, .absent = ABSENT_ZERO,
		IN_FACT(FACT_HOST_BYTES_WRITTEN)),
	COUNTER(6, "uncorrected", "Errors not corrected", IN_COUNT),
};

static const struct keyed_entry read_errors[] = {
	COUNTER(0, "corrected_fast", "Corrected without delay", IN_COUNT),
	COUNTER(1, "corrected_delayed", "Corrected with possible delay", IN_COUNT),
	COUNTER(2, "rereads", "Rereads", IN_COUNT),
	COUNTER(3, "corrected", "Errors corrected", IN_COUNT),
	COUNTER(4, "correction_runs", "Correction algorithm runs", IN_COUNT),
	COUNTER(5, "bytes_processed", "Bytes read", IN_BYTES, .absent = ABSENT_ZERO,
		IN_FACT(FACT_HOST_BYTES_READ)),
	COUNTER(6, "uncorrected", "Errors not corrected", IN_COUNT,
		IN_FACT(FACT_UNCORRECTABLE_ERRORS)),
};

#define DEGREES(n, l, o, ...)                                                                      \
	FIELD(n, l, o, 1, FIELD_UINT, .unit = UNIT_CELSIUS, .factor = 1000, .absent = ABSENT_ONES, \
	      ##__VA_ARGS__)

static const struct keyed_entry temperature[] = {
	{ .key = 0,
	  .fields = { DEGREES("temperature", "Temperature", 5, IN_FACT(FACT_TEMPERATURE)) } },
	{ .key = 1, .fields = { DEGREES("reference", "Reference temperature", 5) } },
};

static const struct keyed_entry ssd[] = {
	{ .key = 1,
	  .fields = { FIELD("percentage_used", "Percentage used endurance indicator", 7, 1,
			    FIELD_UINT, IN_PERCENT, .flags = FIELD_SATURATES,
			    IN_FACT(FACT_PERCENTAGE_USED)) } },
};

static const struct keyed_entry background_scan[] = {
	{ .key = 0,
	  .fields = { BE("power_on_time", "Power-on time", 4, 4, .unit = UNIT_HOURS, .divisor = 60,
			 IN_FACT(FACT_POWER_ON_HOURS)),
		      FIELD("scan_status", "Background scan status", 9, 1, FIELD_UINT),
		      BE("scans", "Background scans performed", 10, 2, IN_COUNT),
		      BE("medium_scans", "Background medium scans performed", 14, 2, IN_COUNT) } },
};

/* Blocks are logical ones: the decoder multiplies by their size. */
static const struct keyed_entry statistics[] = {
	{ .key = 1,
	  .fields = { BE("read_commands", "Read commands", 4, 8, IN_COUNT),
		      BE("write_commands", "Write commands", 12, 8, IN_COUNT),
		      BE("blocks_received", "Written by the host", 20, 8, IN_UNITS(512),
			 .absent = ABSENT_ZERO, IN_FACT(FACT_HOST_BYTES_WRITTEN)),
		      BE("blocks_transmitted", "Read by the host", 28, 8, IN_UNITS(512),
			 .absent = ABSENT_ZERO, IN_FACT(FACT_HOST_BYTES_READ)) } },
};

static const struct keyed_entry exceptions[] = {
	{ .key = 0,
	  .fields = { FIELD("asc", "Additional sense code", 4, 1, FIELD_UINT, IN_FLAGS),
		      FIELD("ascq", "Additional sense code qualifier", 5, 1, FIELD_UINT, IN_FLAGS),
		      DEGREES("exceptions_temperature", "Most recent temperature", 6,
			      IN_FACT(FACT_TEMPERATURE)) } },
};

/* The longest parameter of a page, for the lint. */
#define PARAMETERS(t, n)                                                                           \
	{                                                                                          \
		.first = 4, .stride = (n), .count = 64, .key_off = 0, .key_size = 2, .entries = t, \
		.nentries = ARRAY_SIZE(t)                                                          \
	}

static const struct keyed_table write_errors_table = PARAMETERS(write_errors, 12);
static const struct keyed_table read_errors_table = PARAMETERS(read_errors, 12);
static const struct keyed_table temperature_table = PARAMETERS(temperature, 6);
static const struct keyed_table ssd_table = PARAMETERS(ssd, 8);
static const struct keyed_table background_scan_table = PARAMETERS(background_scan, 16);
static const struct keyed_table statistics_table = PARAMETERS(statistics, 68);
static const struct keyed_table exceptions_table = PARAMETERS(exceptions, 12);

#define LOG_PAGE(i, n, t, src, k)                                                                 \
	{                                                                                         \
		.name = "scsi." n, .title = t, .source = src, .space = SPACE_SCSI_LOG, .id = (i), \
		.size = 4, .min_size = 4, .fields = page_header,                                  \
		.nfields = ARRAY_SIZE(page_header), .keyed = (k)                                  \
	}

static const struct log_layout pages[] = {
	LOG_PAGE(0x02, "write_errors", "Write error counters (page 02h)", "SPC-5 7.3.7",
		 &write_errors_table),
	LOG_PAGE(0x03, "read_errors", "Read error counters (page 03h)", "SPC-5 7.3.7",
		 &read_errors_table),
	LOG_PAGE(0x0d, "temperature", "Temperature (page 0Dh)", "SPC-5 7.3.21", &temperature_table),
	LOG_PAGE(0x10, "selftest", "Self-test results (page 10h)", "SPC-5 7.3.19", NULL),
	LOG_PAGE(0x11, "ssd", "Solid state media (page 11h)", "SBC-4 6.4.9", &ssd_table),
	LOG_PAGE(0x15, "background_scan", "Background scan (page 15h)", "SBC-4 6.4.2",
		 &background_scan_table),
	LOG_PAGE(0x19, "statistics", "General statistics and performance (page 19h)",
		 "SPC-5 7.3.10", &statistics_table),
	LOG_PAGE(0x2f, "exceptions", "Informational exceptions (page 2Fh)", "SPC-5 7.3.12",
		 &exceptions_table),
};

static const struct field inquiry_fields[] = {
	FIELD("device_type", "Peripheral qualifier and device type", 0, 1, FIELD_UINT, IN_FLAGS),
	FIELD("medium_flags", "Removable medium", 1, 1, FIELD_UINT, IN_FLAGS),
	FIELD("version", "Version", 2, 1, FIELD_UINT),
	FIELD("response_format", "Response data format", 3, 1, FIELD_UINT, IN_FLAGS),
	FIELD("additional_length", "Additional length", 4, 1, FIELD_UINT),
	FIELD("flags", "Flags", 5, 3, FIELD_HEX),
	FIELD("vendor", "Vendor", 8, 8, FIELD_ASCII),
	FIELD("product", "Product", 16, 16, FIELD_ASCII),
	FIELD("revision", "Product revision", 32, 4, FIELD_ASCII),
	FIELD_UNKN(36, 20),
};

const struct log_layout layout_scsi_inquiry = {
	.name = "scsi.inquiry",
	.title = "INQUIRY data",
	.source = "SPC-5 6.7.2",
	.space = SPACE_SCSI_INQUIRY,
	.size = 56,
	.min_size = 36,
	.fields = inquiry_fields,
	.nfields = ARRAY_SIZE(inquiry_fields),
};

static const struct field characteristics_fields[] = {
	FIELD("device_type", "Peripheral qualifier and device type", 0, 1, FIELD_UINT, IN_FLAGS),
	FIELD("page_code", "Page code", 1, 1, FIELD_UINT),
	BE("page_length", "Page length", 2, 2),
	BE("rotation_rate", "Medium rotation rate; 1: no rotating medium", 4, 2,
	   .absent = ABSENT_ZERO | ABSENT_ONES),
	FIELD("product_type", "Product type", 6, 1, FIELD_UINT),
	FIELD("form_factor", "Form factor and more", 7, 1, FIELD_UINT, IN_FLAGS),
	FIELD("characteristics_flags", "Flags", 8, 1, FIELD_UINT, IN_FLAGS),
	FIELD_RSVD(9, 55),
};

const struct log_layout layout_scsi_characteristics = {
	.name = "scsi.characteristics",
	.title = "Block device characteristics (VPD page B1h)",
	.source = "SBC-4 6.6.2",
	.space = SPACE_SCSI_VPD,
	.id = 0xb1,
	.size = 64,
	.min_size = 6,
	.fields = characteristics_fields,
	.nfields = ARRAY_SIZE(characteristics_fields),
};

static const struct field capacity_fields[] = {
	BE("last_lba", "Last logical block", 0, 8, .unit = UNIT_COUNT),
	BE("block_length", "Logical block length", 8, 4, IN_BYTES),
	FIELD("protection", "Protection", 12, 1, FIELD_UINT, IN_FLAGS),
	FIELD("exponents", "Logical blocks per physical block", 13, 1, FIELD_UINT, IN_FLAGS),
	BE("provisioning", "Thin provisioning and alignment", 14, 2, IN_FLAGS),
	FIELD_RSVD(16, 16),
};

const struct log_layout layout_scsi_capacity = {
	.name = "scsi.capacity",
	.title = "READ CAPACITY (16) data",
	.source = "SBC-4 5.21.2",
	.space = SPACE_SCSI_CAPACITY,
	.size = 32,
	.min_size = 12,
	.fields = capacity_fields,
	.nfields = ARRAY_SIZE(capacity_fields),
};

const struct log_layout *const scsi_log_layouts[] = {
	&pages[0], &pages[1], &pages[2], &pages[3], &pages[4],
	&pages[5], &pages[6], &pages[7], NULL,
};

const struct log_layout *const scsi_layouts[] = {
	&layout_scsi_inquiry,
	&layout_scsi_characteristics,
	&layout_scsi_capacity,
	&pages[0],
	&pages[1],
	&pages[2],
	&pages[3],
	&pages[4],
	&pages[5],
	&pages[6],
	&pages[7],
	NULL,
};
