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
	/*
	 * Qword of ATA Device Statistics: size is 8, flags stand in the top byte (absent unless
	 * supported and valid), `bits` is the width of the value below it (0 stands for 56).
	 */
	FIELD_DEVSTAT,
	FIELD_GROUP,	/* bytes that another table decodes (entries, descriptors); kept raw here */
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
	FIELD_SIGNED = 1 << 6,	   /* the value of a FIELD_DEVSTAT is two's complement */
	FIELD_DERIVED = 1 << 5,	   /* facts from it are derived, whatever the layout's quality */
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
	uint64_t absent_value; /* stored value that means "not reported"; 0: none */
	uint64_t valid_max;    /* a stored value above it is impossible and absent; 0: none */
	uint8_t absent;	       /* enum field_absent */
	uint8_t flags;	       /* enum field_flag */
	enum fact_id fact;     /* set with FACT(...) below; see fact_plus_one */
	uint16_t since;	       /* first version of the layout that has it (layout->version_off) */
};

/*
 * Rows are written with designated initialisers. Because an omitted member is 0 and 0 is a valid
 * enum fact_id, `fact` holds the id plus one: use .fact = FACT_FIELD(FACT_X).
 *
 * Of several fields that give the same fact the collector follows standard logs before vendors'
 * (layout->quality), and of equals the one that stands first in the reading.
 */
#define FACT_FIELD(id) ((enum fact_id)((id) + 1))
static inline enum fact_id field_fact(const struct field *f)
{
	return (enum fact_id)((int)f->fact - 1);
}

/* Rows: FIELD("available_spare", "Available spare", 3, 1, FIELD_UINT, .unit = ...). */
#define FIELD(n, l, o, s, t, ...)                                                    \
	{                                                                            \
		.name = n, .label = l, .off = o, .size = s, .type = t, ##__VA_ARGS__ \
	}
/* Part of the bytes [o, o + s), from bit b on, n bits wide. */
#define FIELD_BITS(nm, l, o, s, b, n, ...) \
	FIELD(nm, l, o, s, FIELD_UINT, .bit = b, .bits = n, ##__VA_ARGS__)
#define FIELD_BITS_RSVD(nm, o, s, b, n) \
	FIELD(nm, "Reserved", o, s, FIELD_RESERVED, .bit = b, .bits = n)
#define FIELD_RSVD(o, s) FIELD("reserved_" #o, "Reserved", o, s, FIELD_RESERVED)
#define FIELD_UNKN(o, s) FIELD("unknown_" #o, "Not known", o, s, FIELD_UNKNOWN)

/* What most rows say of their numbers. */
#define IN_COUNT    .unit = UNIT_COUNT
#define IN_BYTES    .unit = UNIT_BYTES
#define IN_PERCENT  .unit = UNIT_PERCENT, .factor = 1000
#define IN_KELVIN   .unit = UNIT_CELSIUS, .flags = FIELD_KELVIN
#define IN_FLAGS    .unit = UNIT_FLAGS
#define IN_UNITS(f) .unit = UNIT_BYTES, .factor = (f)
#define IN_FACT(id) .fact = FACT_FIELD(id)

/* A record of a log that is a list of records found by key (Intel's CAh, Seagate's C4h, ...). */
#define KEYED_FIELDS_MAX 4
struct keyed_entry {
	uint32_t key;
	struct field fields[KEYED_FIELDS_MAX]; /* offsets within the record; name NULL ends them */
};

struct keyed_table {
	uint32_t first, stride, count; /* bytes of the log that the records fill */
	uint32_t key_off, key_size;
	const struct keyed_entry *entries;
	size_t nentries;
	bool ends_at_zero; /* a record with key 0 or all ones ends the list */
};

/*
 * A log that is a list of equal records (error log, self-test results, descriptors). Its fields
 * are decoded once a record, with decoded.key = the record's index. Offsets are within the record,
 * whose every byte stands in a row.
 */
struct record_table {
	uint32_t first, stride;
	uint32_t count; /* at most so many; records behind the log's end are absent */
	bool (*used)(struct bytes record); /* NULL: a record of zeros only is empty */
	const struct field *fields;
	size_t nfields;
};

/*
 * A number made of several fields of the same log, which covers no bytes itself (size 0):
 *   DERIVED_SUM    parts[0] x weight + parts[1] x weight + ... (low and high halves, TLC + SLC)
 *   DERIVED_RATIO  parts[0] / parts[1], in thousandths (UNIT_RATIO)
 *   DERIVED_SHARE  `whole` of another, already decoded layout x parts[0] / parts[1]: turns a ratio
 *                  of two counters whose common unit is not known into the whole's unit
 *   DERIVED_CODE   added by the protocol's decoder (over several logs of this layout); no parts
 * Absent where a part is absent or a divisor is 0. Parts are looked up by name in the log: plain
 * rows, those of keyed records, derived ones that stand before. `off` may name the first part's
 * place, for the source text.
 */
enum derived_type { DERIVED_SUM, DERIVED_RATIO, DERIVED_SHARE, DERIVED_CODE };

#define DERIVED_PARTS_MAX 3
struct derived_part {
	const char *name;
	uint64_t weight; /* 0 stands for 1 */
};

struct derived_field {
	enum derived_type type;
	struct field field; /* name, label, unit, fact; off 0, size 0 */
	struct derived_part parts[DERIVED_PARTS_MAX];
	const char *whole_layout, *whole_field;
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
	const struct keyed_table *keyed;    /* NULL where there is none */
	const struct record_table *records; /* NULL where there is none */
	const struct derived_field *derived;
	size_t nderived;
	/*
	 * How far its facts can be trusted. Zero (measured, proven) for logs of a specification or
	 * of a consortium's that is known by its GUID; QUALITY_VENDOR for vendors' own.
	 */
	enum fact_quality quality;
	enum confidence confidence;
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
extern const struct log_layout *const dump_layouts[]; /* what only other programs' dumps say */

/* A layout by name; NULL where there is none. */
const struct log_layout *layout_by_name(const char *name);

/* A row of it by name: plain, keyed, of a record or derived; NULL where there is none. */
const struct field *layout_field(const struct log_layout *layout, const char *name);

/*
 * Prove that the rows of a layout cover [0, size) without gap or overlap, that names are unique and
 * that sizes fit types. Rows of bits either divide a group of bytes completely, from bit 0 up, or
 * name parts of the whole row that stands before them. Rows of records cover the record likewise;
 * fields of keyed entries stay within theirs; derived fields name parts that exist. -EINVAL with
 * the row in d.
 */
int layout_check(const struct log_layout *layout, struct diag *d) MUST_USE;

#endif
