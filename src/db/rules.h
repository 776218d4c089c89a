/* SPDX-License-Identifier: MIT */
#ifndef DB_RULES_H
#define DB_RULES_H

#include "decode/reading.h"

/*
 * Drive rules say what the vendors' attributes and logs of a family of drives mean, how much its
 * makers rate it for, and what is dangerous about its firmware. They are JSON files, one a vendor,
 * under db/; files of the same form in the override directory come after them and win.
 *
 * A drive is matched by protocol, model and firmware (extended regular expressions), capacity and,
 * where a model name is shared by many controllers, by the set of attributes it has. Of several
 * matching rules the later and more specific wins, as db/README.md explains. What attributes mean
 * on every ATA drive (hours, power cycles, temperature) is a rule too and comes even where no
 * other matches.
 */

/* Which part of an attribute a meaning reads. */
enum attribute_part {
	PART_RAW,	      /* the raw bytes, or some bits of them */
	PART_NORMALIZED,      /* the "value" column */
	PART_LARGER_WORD,     /* the larger of the two low 16-bit words: their order varies */
	PART_SMALLER_WORD,    /* the smaller of them */
	PART_TEMPERATURE_MAX, /* the highest of current, lowest and highest, packed as words */
};

/* What an attribute (or a sum of attributes) tells, as one row of a rule. */
struct attribute_meaning {
	uint8_t id;
	uint8_t plus_id; /* a second attribute added before scaling; 0: none */
	enum attribute_part part;
	uint8_t bit, bits;	     /* of the raw bytes; bits 0: all of them */
	bool fixed_point_hundredths; /* high byte whole, low byte hundredths (0..99) */
	uint16_t inverted_from;	     /* shown = inverted_from - stored (100 or 200); 0: as stored */
	bool modulo_256;	     /* shown = that modulo 256: counts on below 0 */
	uint64_t factor, divisor;    /* into the fact's unit; at least 1 */
	uint8_t scale;	/* percent of what is shown, from the middle of its step; 0: as shown */
	bool has_floor; /* the counter stops there: what is shown means "at least" */
	uint8_t floor;
	bool has_ceiling; /* the same for a counter that rises: exactly this stored value */
	uint64_t ceiling;
	bool lower_bound;	       /* lags behind or moves in large steps: always "at least" */
	bool absent_ones, absent_zero; /* all bits set or zero: not reported */
	enum fact_id fact;	       /* FACT_NONE: only the name is known */
	enum confidence confidence;
	char name[96];	  /* "NAND bytes written, 1 GiB units" */
	char source[160]; /* evidence */
};

/* Why a firmware is dangerous: a row under "hazards". */
struct firmware_hazard {
	char id[48];	   /* stable word within the rules */
	char firmware[96]; /* regular expression of the affected versions; empty: all */
	bool has_hours;
	uint64_t hours;	   /* power-on hours at which it strikes */
	char fixed_in[48]; /* version without it, or empty */
	char text[240], advice[240], source[160];
};

enum trim_quirk {
	TRIM_CORRUPTS = 1 << 0,	       /* never send TRIM */
	TRIM_QUEUED_CORRUPTS = 1 << 1, /* only queued TRIM: the kernel's business */
	TRIM_NO_SPEED_GAIN = 1 << 2,   /* does not restore the write speed */
	TRIM_ZEROES = 1 << 3,	       /* reads zeroes after TRIM, dependably */
};

enum over_temperature {
	OVER_TEMPERATURE_UNKNOWN,
	OVER_TEMPERATURE_THROTTLES,
	OVER_TEMPERATURE_SWITCHES_OFF, /* vanishes until the next power cycle */
};

/* A figure of the maker: a rating where it is a warranty term, a claim where it is advertising. */
struct maker_claim {
	char text[200], source[160];
};

#define RULE_MEANINGS_MAX 64
#define RULE_HAZARDS_MAX  8
#define RULE_LAYOUTS_MAX  8
#define RULE_CLAIMS_MAX	  4

/* Everything the rules say of one drive, put together from all rules that match it. */
struct drive_rule {
	bool matched;	    /* false: no rule names this drive */
	bool out_of_memory; /* while matching: what stands here is not all that the rules say */
	char vendor[48], family[96];
	char origin[160];	    /* file and family of the most specific rule, for sources */
	enum confidence confidence; /* of the match itself: medium for generic names */
	struct attribute_meaning
		meanings[RULE_MEANINGS_MAX]; /* best first where a fact has several */
	size_t nmeanings;
	/*
	 * Attributes that count flash pages written for the host and by the controller itself, in
	 * a unit that varies: NAND bytes = host bytes x (host + ftl) / host. 0: none.
	 */
	uint8_t host_pages_id, ftl_pages_id;
	const struct log_layout *layouts[RULE_LAYOUTS_MAX + 1]; /* vendor logs; NULL-ended */
	/* ratings; has_ says whether known */
	bool has_rated_pe, has_rated_pe_slc, has_tbw, has_warranty_years, has_raw_nand_bytes,
		has_mtbf_hours, has_shutdown_celsius, has_limit_celsius;
	uint32_t rated_pe, rated_pe_slc;
	enum confidence rated_pe_confidence, tbw_confidence;
	uint64_t tbw_bytes;
	bool no_write_limit; /* the warranty says so: not the same as an unknown TBW */
	double warranty_years;
	uint64_t raw_nand_bytes;
	uint64_t mtbf_hours;
	char nand[32]; /* "3D TLC" */
	char ratings_source[160];
	bool compresses; /* the controller compresses: a WAF below 1 is real */
	bool hot_plug_unsafe;
	bool host_counter_wraps_32;    /* Device Statistics' sectors written wrap at 2^32 */
	bool statistics_percent_stuck; /* Device Statistics' percentage is not maintained */
	bool transient_pending;	       /* attribute 197 comes and goes without harm */
	unsigned trim_quirks;	       /* enum trim_quirk */
	enum over_temperature over_temperature;
	int32_t shutdown_celsius, limit_celsius;
	struct firmware_hazard hazards[RULE_HAZARDS_MAX];
	size_t nhazards;
	char newest_firmware[48]; /* where the maker's newest is known, else empty */
	struct maker_claim claims[RULE_CLAIMS_MAX];
	size_t nclaims;
};

struct rules; /* a loaded, immutable set */

struct rules_file {
	const char *name; /* for messages */
	struct bytes text;
	/* the administrator's: wins over every file that is not, and is tested more strictly */
	bool override;
};

/*
 * Parse rule files in the order given (later ones win). Any mistake fails with file, family and
 * key in d: -EINVAL; -ENOMEM. Only whether the patterns of a file that is no override compile is
 * left to rules_lint: that would be most of the work.
 */
int rules_parse(const struct rules_file *files, size_t n, struct diag *d,
		struct rules **ret) MUST_USE;
void rules_free(struct rules *rules);

/* What the rules say of this drive. Always fills ret; ret->matched is false where nothing fits. */
void rules_match(const struct rules *rules, const struct reading *r, struct drive_rule *ret);

/*
 * The facts that a rule's attribute meanings give for this reading, best first a fact; vendor log
 * fields come from the layouts' own rows. At most max entries.
 */
struct rule_fact {
	enum fact_id id;
	struct fact fact;
};
size_t rule_facts(const struct drive_rule *rule, const struct reading *r, struct rule_fact *ret,
		  size_t max);

/* The meaning of one attribute, or NULL; for `show`. The first where it has several. */
const struct attribute_meaning *rule_meaning(const struct drive_rule *rule, uint8_t id);

/*
 * The number that a meaning reads from an attribute, in the fact's unit. False where the attribute
 * does not say: unset, saturated to "not reported", packed parts lost in a foreign dump.
 */
bool meaning_read(const struct attribute_meaning *m, const struct reading *r, i128 *ret,
		  enum fact_bound *ret_bound);

/* One mistake that lint found. */
struct rules_problem {
	char where[200]; /* file: family */
	char text[280];
};

/*
 * Test the rules beyond what parsing checks: every example of a family is won by that family, no
 * family is beyond reach, ratings pick their rows. Returns how many problems there are; the first
 * max of them are in ret.
 */
size_t rules_lint(const struct rules *rules, struct rules_problem *ret, size_t max);

/* For `db list`: the n-th family; false behind the last one. Pointers live as long as rules. */
struct rules_family {
	const char *file, *vendor, *family, *model, *firmware;
	enum confidence confidence;
	bool abstract; /* only extended by others */
	size_t nmeanings, nratings, nhazards;
};
bool rules_family_at(const struct rules *rules, size_t n, struct rules_family *ret);

/* The name of a way to go on after TRIM or heat, as rule files and JSON spell it. */
const char *trim_quirk_name(enum trim_quirk quirk);
const char *over_temperature_name(enum over_temperature over);

#endif
