/* SPDX-License-Identifier: MIT */
#ifndef DECODE_FIELD_H
#define DECODE_FIELD_H

#include "base/bytes.h"
#include "base/units.h"
#include "decode/fact.h"
#include "decode/snapshot.h"

/*
 * A log is described by a const table of its fields: every byte of it stands in exactly one row,
 * reserved and unknown bytes included, so that a lint proves that there is no gap and no overlap.
 * One decoder reads all tables.
 */

enum field_type {
	FIELD_UINT,	 /* unsigned integer of 1..16 bytes */
	FIELD_SINT,	 /* two's complement integer of 1..8 bytes */
	FIELD_ASCII,	 /* padded string */
	FIELD_ATA_ASCII, /* padded string, bytes of each word swapped */
	FIELD_HEX,	 /* bytes whose meaning is an identifier: shown in hexadecimal */
	FIELD_DEVSTAT, /* qword of ATA Device Statistics: flags in the top byte, size bytes of value
			*/
	FIELD_GROUP,   /* bytes that another table decodes (entries, descriptors); kept raw here */
	FIELD_RESERVED, /* reserved by the specification; kept raw */
	FIELD_UNKNOWN,	/* vendor's, meaning not known; kept raw */
};

/* Values that stand for "not reported" in this field. */
enum field_absent {
	ABSENT_NEVER = 0,
	ABSENT_ZERO = 1 << 0,
	ABSENT_ONES = 1 << 1, /* all bits set */
};

enum field_flag {
	FIELD_BIG_ENDIAN = 1 << 0,
	FIELD_IDENTITY = 1 << 1,   /* a serial, WWN, EUI...: removed by redaction */
	FIELD_SATURATES = 1 << 2,  /* all bits set means "this or more" (percentage used: 255) */
	FIELD_KELVIN = 1 << 3,	   /* stored in kelvins, shown in Celsius; 0 K is absent */
	FIELD_ROUNDED_UP = 1 << 4, /* the drive rounds up to the unit: at most this */
};

struct field {
	const char *name;  /* snake_case, unique in its layout */
	const char *label; /* for people */
	uint32_t off;
	uint32_t size;	   /* bytes */
	uint8_t bit, bits; /* a part of the bytes where bits is not 0 (rows may then share bytes) */
	enum field_type type;
	enum unit unit;
	uint64_t factor; /* stored x factor / divisor = number in `unit`; 0 stands for 1 */
	uint64_t divisor;
	uint8_t absent;	   /* enum field_absent */
	uint8_t flags;	   /* enum field_flag */
	enum fact_id fact; /* set with FACT(...) below; see fact_plus_one */
	uint16_t since;	   /* first version of the layout that has it (layout->version_off) */
};

/*
 * Rows are written with designated initialisers. Because an omitted member is 0 and 0 is a valid
 * enum fact_id, `fact` holds the id plus one: use .fact = FACT_FIELD(FACT_X).
 */
#define FACT_FIELD(id) ((enum fact_id)((id) + 1))
static inline enum fact_id field_fact(const struct field *f)
{
	return (enum fact_id)((int)f->fact - 1);
}

/* An entry of a log that is a list of records found by key (Intel's CAh, Seagate's C4h, ...). */
struct keyed_entry {
	uint32_t key;
	struct field fields[4]; /* offsets within the record; name NULL ends them */
};

struct keyed_table {
	uint32_t first, stride, count; /* bytes of the log that the records fill */
	uint32_t key_off, key_size;
	const struct keyed_entry *entries;
	size_t nentries;
	bool ends_at_zero; /* a record with key 0 or all ones ends the list */
};

struct log_layout {
	const char *name;   /* "nvme.smart": unique, stable, used by rules and in JSON */
	const char *title;  /* "SMART / Health Information (log 02h)" */
	const char *source; /* specification and section */
	enum log_space space;
	uint32_t id, sub;  /* sub is UINT32_MAX where any */
	uint32_t size;	   /* bytes that the rows cover */
	uint32_t min_size; /* a shorter log is refused; fields behind its end are absent */
	uint32_t version_off, version_size; /* where the layout's version stands; size 0: none */
	/* Does this log have this layout? By GUID or signature; NULL: always. */
	bool (*accepts)(struct bytes log);
	const struct field *fields;
	size_t nfields;
	const struct keyed_table *keyed; /* NULL where there is none */
	/*
	 * Needs a drive rule that names this layout ("layouts"): vendors use one log id for many
	 * layouts that carry no signature.
	 */
	bool by_rule;
};

/* All layouts, in a fixed order; a NULL ends them. Each file of layouts has such an array. */
extern const struct log_layout *const nvme_layouts[];
extern const struct log_layout *const nvme_vendor_layouts[];
extern const struct log_layout *const ata_layouts[];
extern const struct log_layout *const scsi_layouts[];

/* A layout by name; NULL where there is none. */
const struct log_layout *layout_by_name(const char *name);

/*
 * Prove that the rows of a layout cover [0, size) without gap or overlap (bit rows of one group of
 * bytes may share them), that names are unique and that sizes fit types. -EINVAL with the row.
 */
int layout_check(const struct log_layout *layout, struct diag *d) MUST_USE;

#endif
