/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "ftl/trace.h"

#define SECTOR	    512
#define FIELDS_MAX  12
#define SHOWN	    40	/* characters of a field that a message shows */
#define FIO_WAIT_US 100 /* fio drops shorter waits */

struct fields {
	struct trace_line f[FIELDS_MAX];
	unsigned n; /* FIELDS_MAX: or more */
};

/* --- fields ------------------------------------------------------------------------------------
 */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct trace_line trimmed(const char *s, const char *end)
{
	while (s < end && is_blank(*s))
		s++;
	while (s < end && is_blank(end[-1]))
		end--;
	return (struct trace_line){ s, (size_t)(end - s) };
}

static void split_commas(const struct trace_line *l, struct fields *ret)
{
	const char *s = l->s, *end = l->s + l->n;

	ret->n = 0;
	while (ret->n < FIELDS_MAX) {
		const char *comma = s < end ? memchr(s, ',', (size_t)(end - s)) : NULL;

		ret->f[ret->n++] = trimmed(s, comma ? comma : end);
		if (!comma)
			break;
		s = comma + 1;
	}
}

static void split_blanks(const struct trace_line *l, struct fields *ret)
{
	const char *s = l->s, *end = l->s + l->n;

	ret->n = 0;
	for (;;) {
		const char *from;

		while (s < end && is_blank(*s))
			s++;
		if (s == end || ret->n == FIELDS_MAX)
			return;
		for (from = s; s < end && !is_blank(*s); s++)
			;
		ret->f[ret->n++] = (struct trace_line){ from, (size_t)(s - from) };
	}
}

static bool is(const struct trace_line *f, const char *word)
{
	return f->n == strlen(word) && !strncasecmp(f->s, word, f->n);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Does it look like a number, a wrong one perhaps? */
static bool numeric(const struct trace_line *f)
{
	size_t signs = f->n && f->s[0] == '-';

	return f->n > signs && is_digit(f->s[signs]);
}

static bool is_bit(const struct trace_line *f)
{
	return f->n == 1 && (f->s[0] == '0' || f->s[0] == '1');
}

static int shown(const struct trace_line *f)
{
	return f->n < SHOWN ? (int)f->n : SHOWN;
}

static int bad_number(const struct trace_line *f, const char *what, struct diag *d)
{
	if (!f->n)
		return diag_fail(d, -EINVAL, "the %s is missing", what);
	if (f->s[0] == '-' && numeric(f))
		return diag_fail(d, -EINVAL, "the %s '%.*s' is negative", what, shown(f), f->s);
	return diag_fail(d, -EINVAL, "the %s '%.*s' is no whole number", what, shown(f), f->s);
}

/* A whole number, in units of which the field has `unit`. */
static int number(const struct trace_line *f, const char *what, uint64_t unit, uint64_t *ret,
		  struct diag *d)
{
	uint64_t v = 0;

	for (size_t i = 0; i < f->n; i++)
		if (!is_digit(f->s[i]))
			return bad_number(f, what, d);
	if (!f->n)
		return bad_number(f, what, d);
	for (size_t i = 0; i < f->n; i++)
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(f->s[i] - '0'), &v))
			return diag_fail(d, -EINVAL, "the %s '%.*s' is beyond 64 bits", what,
					 shown(f), f->s);
	if (__builtin_mul_overflow(v, unit, &v))
		return diag_fail(d, -EINVAL,
				 "the %s '%.*s' in sectors of %u bytes is beyond 64 bits", what,
				 shown(f), f->s, SECTOR);
	*ret = v;
	return 0;
}

/* "12.000345678", of which one has `digits` decimals: in units of the last of them. */
static int decimal(const struct trace_line *f, const char *what, unsigned digits, uint64_t *ret,
		   struct diag *d)
{
	const char *point = f->n ? memchr(f->s, '.', f->n) : NULL;
	struct trace_line whole = { f->s, point ? (size_t)(point - f->s) : f->n };
	uint64_t v = 0, scale = 1, fraction = 0;
	int r = number(&whole, what, 1, &v, d);

	if (r < 0)
		return r;
	for (unsigned i = 0; i < digits; i++)
		scale *= 10;
	for (uint64_t left = scale; point && ++point < f->s + f->n;) {
		if (!is_digit(*point))
			return bad_number(f, what, d);
		left /= 10;
		fraction += (uint64_t)(*point - '0') * left;
	}
	if (__builtin_mul_overflow(v, scale, &v) || __builtin_add_overflow(v, fraction, &v))
		return diag_fail(d, -EINVAL, "the %s '%.*s' is too large", what, shown(f), f->s);
	*ret = v;
	return 0;
}

/* Where it is and how large, in the order in which they are looked at. */
static int extent(struct trace_record *r, const struct trace_line *offset,
		  const struct trace_line *size, uint64_t unit, struct diag *d)
{
	int err = number(offset, "offset", unit, &r->offset, d);

	if (!err)
		err = number(size, "size", unit, &r->bytes, d);
	if (err < 0)
		return err;
	if (!r->bytes)
		return diag_fail(d, -EINVAL, "the size is 0: a request needs at least 1 byte");
	if (r->offset > UINT64_MAX - r->bytes)
		return diag_fail(
			d, -EINVAL,
			"the offset '%.*s' and the size '%.*s' together are beyond 64 bits",
			shown(offset), offset->s, shown(size), size->s);
	return 0;
}

static int expect_fields(const struct fields *f, unsigned n, struct diag *d)
{
	if (f->n == n)
		return 0;
	return diag_fail(d, -EINVAL, "%u field%s instead of %u", f->n, f->n == 1 ? "" : "s", n);
}

/* --- comma separated ---------------------------------------------------------------------------
 */

/* Timestamp (100 ns), Hostname, DiskNumber, Type, Offset, Size, ResponseTime */
static int read_msr(const struct trace_line *l, struct trace_record *r, struct diag *d)
{
	struct fields f;
	int err;

	split_commas(l, &f);
	err = expect_fields(&f, 7, d);
	if (!err)
		err = number(&f.f[0], "time", 1, &r->time, d);
	if (err < 0)
		return err;
	if (is(&f.f[3], "write"))
		r->op = REQUEST_WRITE;
	else if (is(&f.f[3], "read"))
		r->op = REQUEST_READ;
	else
		return diag_fail(d, -EINVAL, "the type '%.*s' is neither Read nor Write",
				 shown(&f.f[3]), f.f[3].s);
	r->unit_ns = 100;
	r->device[0] = f.f[1];
	r->device[1] = f.f[2];
	err = extent(r, &f.f[4], &f.f[5], 1, d);
	return err < 0 ? err : 1;
}

/* device_id, opcode, offset, length, timestamp (us) */
static int read_alibaba(const struct trace_line *l, struct trace_record *r, struct diag *d)
{
	struct fields f;
	int err;

	split_commas(l, &f);
	err = expect_fields(&f, 5, d);
	if (!err)
		err = number(&f.f[4], "time", 1, &r->time, d);
	if (err < 0)
		return err;
	if (is(&f.f[1], "w"))
		r->op = REQUEST_WRITE;
	else if (is(&f.f[1], "r"))
		r->op = REQUEST_READ;
	else
		return diag_fail(d, -EINVAL, "the opcode '%.*s' is neither R nor W", shown(&f.f[1]),
				 f.f[1].s);
	r->unit_ns = 1000;
	r->device[0] = f.f[0];
	err = extent(r, &f.f[2], &f.f[3], 1, d);
	return err < 0 ? err : 1;
}

/* Timestamp (s), Offset, Size (sectors), IOType (1: write), VolumeID */
static int read_tencent(const struct trace_line *l, struct trace_record *r, struct diag *d)
{
	struct fields f;
	int err;

	split_commas(l, &f);
	err = expect_fields(&f, 5, d);
	if (!err)
		err = number(&f.f[0], "time", 1, &r->time, d);
	if (err < 0)
		return err;
	if (!is_bit(&f.f[3]))
		return diag_fail(d, -EINVAL, "the type '%.*s' is neither 0 (read) nor 1 (write)",
				 shown(&f.f[3]), f.f[3].s);
	r->op = f.f[3].s[0] == '1' ? REQUEST_WRITE : REQUEST_READ;
	r->unit_ns = 1000000000;
	r->device[0] = f.f[4];
	err = extent(r, &f.f[1], &f.f[2], SECTOR, d);
	return err < 0 ? err : 1;
}

/* --- separated by blanks ------------------------------------------------------------------------
 */

/*
 * ArrivalTime DeviceNo StartLBA SizeSectors Type (1: read). MQSim's times are whole nanoseconds,
 * DiskSim's are milliseconds with a fraction.
 */
static int read_mqsim(const struct trace_line *l, struct trace_record *r, struct diag *d)
{
	struct fields f;
	int err;

	split_blanks(l, &f);
	err = expect_fields(&f, 5, d);
	if (!err && memchr(f.f[0].s, '.', f.f[0].n))
		err = decimal(&f.f[0], "time", 6, &r->time, d);
	else if (!err)
		err = number(&f.f[0], "time", 1, &r->time, d);
	if (err < 0)
		return err;
	if (!is_bit(&f.f[4]))
		return diag_fail(d, -EINVAL, "the type '%.*s' is neither 0 (write) nor 1 (read)",
				 shown(&f.f[4]), f.f[4].s);
	r->op = f.f[4].s[0] == '0' ? REQUEST_WRITE : REQUEST_READ;
	r->unit_ns = 1;
	r->device[0] = f.f[1];
	err = extent(r, &f.f[2], &f.f[3], SECTOR, d);
	return err < 0 ? err : 1;
}

enum {
	FIO_READ = REQUEST_READ,
	FIO_WRITE = REQUEST_WRITE,
	FIO_TRIM = REQUEST_TRIM,
	FIO_NOTHING,
	FIO_WAIT,
	FIO_FILE,
	FIO_UNKNOWN
};

static int fio_action(const struct trace_line *f)
{
	static const struct {
		const char *word;
		int action;
	} rows[] = {
		{ "read", FIO_READ },	     { "write", FIO_WRITE },
		{ "trim", FIO_TRIM },	     { "sync", FIO_NOTHING },
		{ "datasync", FIO_NOTHING }, { "wait", FIO_WAIT },
		{ "add", FIO_FILE },	     { "open", FIO_FILE },
		{ "close", FIO_FILE },	     { "sync_file_range", FIO_NOTHING },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (is(f, rows[i].word))
			return rows[i].action;
	return FIO_UNKNOWN;
}

/*
 * Version 2: "file action [offset length]", a wait counting from the one before. Version 3 has the
 * microseconds since the start before it, and no waits.
 */
static int read_fio(struct trace *t, const struct trace_line *l, struct trace_record *r,
		    struct diag *d)
{
	const unsigned shift = t->format == TRACE_FIO3;
	struct fields f;
	int action, err = 0;
	uint64_t us = 0;

	split_blanks(l, &f);
	if (f.n < 2 + shift)
		return diag_fail(d, -EINVAL, "%u field%s instead of at least %u", f.n,
				 f.n == 1 ? "" : "s", 2 + shift);
	action = fio_action(&f.f[1 + shift]);
	if (action == FIO_UNKNOWN || (action == FIO_WAIT && shift))
		return diag_fail(d, -EINVAL, "%s has no action '%.*s'",
				 trace_format_name(t->format), shown(&f.f[1 + shift]),
				 f.f[1 + shift].s);
	r->time = t->waited;
	if (shift)
		err = number(&f.f[0], "time", 1, &r->time, d);
	if (err < 0 || action == FIO_FILE || action == FIO_NOTHING)
		return err;
	if (action == FIO_WAIT) {
		err = f.n > 2 ? number(&f.f[2], "wait", 1, &us, d) : expect_fields(&f, 3, d);
		if (!err && us >= FIO_WAIT_US && __builtin_add_overflow(t->waited, us, &t->waited))
			err = diag_fail(d, -EINVAL, "the waits together are beyond 64 bits");
		return err;
	}
	err = expect_fields(&f, 4 + shift, d);
	if (err < 0)
		return err;
	r->op = (enum request_op)action;
	r->unit_ns = 1000;
	r->device[0] = f.f[shift];
	err = extent(r, &f.f[2 + shift], &f.f[3 + shift], 1, d);
	return err < 0 ? err : 1;
}

/* The first letter of RWBS that tells what is done; F before it is a flush that comes first. */
static bool blkparse_op(const struct trace_line *rwbs, enum request_op *ret)
{
	size_t i = rwbs->n && rwbs->s[0] == 'F';

	if (i >= rwbs->n || !memchr("RWD", rwbs->s[i], 3))
		return false;
	*ret = rwbs->s[i] == 'R' ? REQUEST_READ : rwbs->s[i] == 'W' ? REQUEST_WRITE : REQUEST_TRIM;
	return true;
}

/* maj,min cpu sequence time pid action RWBS sector + sectors [process] */
static int read_blkparse(const struct trace *t, const struct trace_line *l, struct trace_record *r,
			 struct diag *d)
{
	struct fields f;
	int err;

	split_blanks(l, &f);
	if (f.n < 6)
		return diag_fail(d, -EINVAL, "%u field%s instead of at least 6", f.n,
				 f.n == 1 ? "" : "s");
	if (f.f[5].n != 1 || f.f[5].s[0] != t->action)
		return 0;
	if (f.n < 10 || !is(&f.f[8], "+")) {
		/* flushes have no extent */
		if (f.n >= 7 && !(blkparse_op(&f.f[6], &r->op) && f.f[6].s[0] != 'F'))
			return 0;
		return diag_fail(d, -EINVAL, "no sector and size, as '+ 8', behind the action %c",
				 t->action);
	}
	if (!blkparse_op(&f.f[6], &r->op))
		return 0;
	err = decimal(&f.f[3], "time", 9, &r->time, d);
	if (err < 0)
		return err;
	r->unit_ns = 1;
	r->device[0] = f.f[0];
	if (f.f[6].s[0] == 'F' && is(&f.f[9], "0"))
		return 0;
	err = extent(r, &f.f[7], &f.f[9], SECTOR, d);
	return err < 0 ? err : 1;
}

int trace_line_read(struct trace *t, const struct trace_line *l, struct trace_record *ret,
		    struct diag *d)
{
	*ret = (struct trace_record){ 0 };
	switch (t->format) {
	case TRACE_MSR:
		return read_msr(l, ret, d);
	case TRACE_ALIBABA:
		return read_alibaba(l, ret, d);
	case TRACE_TENCENT:
		return read_tencent(l, ret, d);
	case TRACE_MQSIM:
		return read_mqsim(l, ret, d);
	case TRACE_FIO2:
	case TRACE_FIO3:
		return read_fio(t, l, ret, d);
	default:
		return read_blkparse(t, l, ret, d);
	}
}

/* --- shapes ------------------------------------------------------------------------------------
 */

unsigned trace_fio_version(const struct trace_line *l)
{
	struct fields f;

	split_blanks(l, &f);
	if (f.n != 4 || !is(&f.f[0], "fio") || !is(&f.f[1], "version") || !is(&f.f[3], "iolog") ||
	    f.f[2].n != 1 || !is_digit(f.f[2].s[0]))
		return 0;
	return (unsigned)(f.f[2].s[0] - '0');
}

/* "8,0" */
static bool is_device(const struct trace_line *f)
{
	const char *comma = memchr(f->s, ',', f->n);
	struct trace_line a, b;

	if (!comma)
		return false;
	a = (struct trace_line){ f->s, (size_t)(comma - f->s) };
	b = (struct trace_line){ comma + 1, f->n - a.n - 1 };
	for (size_t i = 0; i < b.n; i++)
		if (!is_digit(b.s[i]))
			return false;
	return numeric(&a) && b.n;
}

char trace_blkparse_action(const struct trace_line *l)
{
	struct fields f;

	split_blanks(l, &f);
	return f.n >= 6 && is_device(&f.f[0]) && f.f[5].n == 1 ? f.f[5].s[0] : 0;
}

static enum trace_format comma_format(const struct fields *f)
{
	if (f->n == 7 && numeric(&f->f[0]) && (is(&f->f[3], "read") || is(&f->f[3], "write")))
		return TRACE_MSR;
	if (f->n != 5)
		return TRACE_UNKNOWN;
	if (is(&f->f[1], "r") || is(&f->f[1], "w"))
		return TRACE_ALIBABA;
	if (numeric(&f->f[0]) && numeric(&f->f[1]) && is_bit(&f->f[3]))
		return TRACE_TENCENT;
	return TRACE_UNKNOWN;
}

enum trace_format trace_line_format(const struct trace_line *l)
{
	unsigned version = trace_fio_version(l);
	enum trace_format format;
	struct fields f;

	if (version)
		return version == 2 ? TRACE_FIO2 : version == 3 ? TRACE_FIO3 : TRACE_UNKNOWN;
	split_commas(l, &f);
	format = comma_format(&f);
	if (format)
		return format;
	split_blanks(l, &f);
	if (f.n >= 6 && is_device(&f.f[0]) && numeric(&f.f[3]))
		return TRACE_BLKPARSE;
	if (f.n == 5 && numeric(&f.f[0]) && numeric(&f.f[1]) && numeric(&f.f[2]) && is_bit(&f.f[4]))
		return TRACE_MQSIM;
	return TRACE_UNKNOWN;
}
