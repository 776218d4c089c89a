/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "ftl/trace.h"

#define REQUESTS_MAX 64

struct taken {
	struct request requests[REQUESTS_MAX];
	size_t n;
	int end; /* of trace_next */
	struct diag d;
};

static struct trace trace;

/* All requests of a text that is pushed in pieces of `piece` bytes. */
static void take(const char *text, size_t len, size_t piece, const struct trace_options *o,
		 struct taken *ret)
{
	size_t at = 0;
	int r;

	memset(ret, 0, sizeof(*ret));
	trace_start(&trace, "t", o);
	for (;;) {
		struct request x;

		r = trace_next(&trace, &x, &ret->d);
		if (r == 1) {
			assert_true(ret->n < REQUESTS_MAX);
			assert_true(x.bytes > 0 && x.offset <= UINT64_MAX - x.bytes);
			ret->requests[ret->n++] = x;
		} else if (r == -EAGAIN) {
			size_t n = len - at < piece ? len - at : piece;

			if (!n)
				trace_end(&trace);
			at += trace_push(&trace, text + at, n);
		} else {
			break;
		}
	}
	ret->end = r;
}

static void assert_same(const struct taken *a, const struct taken *b)
{
	assert_int_equal(a->end, b->end);
	assert_int_equal(a->n, b->n);
	assert_string_equal(a->d.text, b->d.text);
	for (size_t i = 0; i < a->n; i++) {
		assert_int_equal(a->requests[i].op, b->requests[i].op);
		assert_int_equal(a->requests[i].offset, b->requests[i].offset);
		assert_int_equal(a->requests[i].bytes, b->requests[i].bytes);
		assert_int_equal(a->requests[i].time_ns, b->requests[i].time_ns);
	}
}

static void take_text(const char *text, const struct trace_options *o, struct taken *ret)
{
	struct taken other;

	take(text, strlen(text), SIZE_MAX, o, ret);
	for (size_t piece = 1; piece < 40; piece += 3) {
		take(text, strlen(text), piece, o, &other);
		assert_same(&other, ret);
	}
}

/* --- the formats -------------------------------------------------------------------------------
 */

struct expected {
	enum request_op op;
	uint64_t offset, bytes, time_ns;
};

static const struct {
	const char *what, *text;
	enum trace_format format;
	const char *device;
	struct expected requests[5];
	size_t n;
} samples[] = {
	{ "MSR",
	  "128166372003061629,hm,0,Write,7014912,4096,26\n"
	  "128166372003061639,hm,0,Read,512,24576,1331\n",
	  TRACE_MSR,
	  "hm_0",
	  { { REQUEST_WRITE, 7014912, 4096, 0 }, { REQUEST_READ, 512, 24576, 1000 } },
	  2 },
	{ "Alibaba",
	  "419,W,8792731648,16384,1577808144360767\n"
	  "419,R,4096,512,1577808144360868\n",
	  TRACE_ALIBABA,
	  "419",
	  { { REQUEST_WRITE, 8792731648, 16384, 0 }, { REQUEST_READ, 4096, 512, 101000 } },
	  2 },
	{ "Tencent",
	  "1538323200,12910952,128,0,1063\n"
	  "1538323202,6338688,8,1,1063\n",
	  TRACE_TENCENT,
	  "1063",
	  { { REQUEST_READ, UINT64_C(12910952) * 512, 65536, 0 },
	    { REQUEST_WRITE, UINT64_C(6338688) * 512, 4096, 2000000000 } },
	  2 },
	{ "MQSim",
	  "1000 0 24 8 1\n"
	  "1500 0 32 16 0\n",
	  TRACE_MQSIM,
	  "0",
	  { { REQUEST_READ, 24 * 512, 4096, 0 }, { REQUEST_WRITE, 32 * 512, 8192, 500 } },
	  2 },
	{ "DiskSim, milliseconds with a fraction",
	  "0.000000 0 24 8 1\n"
	  "1.000200 0 32 16 0\n",
	  TRACE_MQSIM,
	  "0",
	  { { REQUEST_READ, 24 * 512, 4096, 0 }, { REQUEST_WRITE, 32 * 512, 8192, 1000200 } },
	  2 },
	{ "fio 2",
	  "fio version 2 iolog\n"
	  "/dev/sdb add\n"
	  "/dev/sdb open\n"
	  "/dev/sdb read 0 4096\n"
	  "/dev/sdb wait 500 0\n"
	  "/dev/sdb wait 99 0\n" /* too short for fio */
	  "/dev/sdb write 8192 16384\n"
	  "/dev/sdb wait 500 0\n"
	  "/dev/sdb trim 65536 32768\n"
	  "/dev/sdb datasync 0 0\n"
	  "/dev/sdb close\n",
	  TRACE_FIO2,
	  "/dev/sdb",
	  { { REQUEST_READ, 0, 4096, 0 },
	    { REQUEST_WRITE, 8192, 16384, 500000 },
	    { REQUEST_TRIM, 65536, 32768, 1000000 } },
	  3 },
	{ "fio 3",
	  "fio version 3 iolog\n"
	  "10 /dev/sdb add\n"
	  "20 /dev/sdb open\n"
	  "100 /dev/sdb write 8192 16384\n"
	  "350 /dev/sdb sync\n"
	  "400 /dev/sdb trim 65536 32768\n"
	  "500 /dev/sdb close\n",
	  TRACE_FIO3,
	  "/dev/sdb",
	  { { REQUEST_WRITE, 8192, 16384, 0 }, { REQUEST_TRIM, 65536, 32768, 300000 } },
	  2 },
	{ "blkparse: what is issued counts, not what is queued or done too",
	  "Input file sda.blktrace.0 added\n"
	  "  8,0    1        1     0.000000000  4162  Q   W 100 + 8 [kworker]\n"
	  "  8,0    1        2     0.000001000  4162  D   W 100 + 8 [kworker]\n"
	  "  8,0    1        3     0.000100000     0  C   W 100 + 8 [0]\n"
	  "  8,0    1        4     0.000200000  4162  D  RA 200 + 16 [cat]\n"
	  "  8,0    1        5     0.000300000  4162  D  DS 4096 + 1024 [fstrim]\n"
	  "  8,0    1        6     0.000400000  4162  D  FN [kworker]\n"
	  "  8,0    1        7     1.000002000  4162  D  FWFSM 300 + 8 [jbd2]\n"
	  "  8,0    1        8     1.000003000  4162  m   N cfq workload slice\n"
	  "CPU0 (8,0):\n"
	  " Reads Queued:           1,       4KiB\n"
	  "Total (8,0):\n",
	  TRACE_BLKPARSE,
	  "8,0",
	  { { REQUEST_WRITE, 51200, 4096, 0 },
	    { REQUEST_READ, 102400, 8192, 199000 },
	    { REQUEST_TRIM, 2097152, 524288, 299000 },
	    { REQUEST_WRITE, 153600, 4096, 1000001000 } },
	  4 },
	{ "blkparse of a device without a queue",
	  "253,0 1 1 0.5 4162 Q R 8 + 8 [x]\n"
	  "253,0 1 2 0.6 4162 C R 8 + 8 [0]\n",
	  TRACE_BLKPARSE,
	  "253,0",
	  { { REQUEST_READ, 4096, 4096, 0 } },
	  1 },
	{ "a title, CRLF, blank lines, remarks, no newline at the end, a mark of the byte order",
	  "\xef\xbb\xbf"
	  "device_id,opcode,offset,length,timestamp\r\n"
	  "\r\n"
	  "# from somewhere\r\n"
	  " 3 , w , 0 , 4096 , 5 \r\n"
	  "3,R,4096,4096,6",
	  TRACE_ALIBABA,
	  "3",
	  { { REQUEST_WRITE, 0, 4096, 0 }, { REQUEST_READ, 4096, 4096, 1000 } },
	  2 },
	{ "times that go backwards come at once",
	  "5,W,0,1,1000\n5,W,0,1,1010\n5,W,0,1,900\n5,W,0,1,1005\n5,W,0,1,1011\n",
	  TRACE_ALIBABA,
	  "5",
	  { { REQUEST_WRITE, 0, 1, 0 },
	    { REQUEST_WRITE, 0, 1, 10000 },
	    { REQUEST_WRITE, 0, 1, 10000 },
	    { REQUEST_WRITE, 0, 1, 10000 },
	    { REQUEST_WRITE, 0, 1, 11000 } },
	  5 },
	{ "the last byte of 64 bits",
	  "1,R,18446744073709551614,1,0\n",
	  TRACE_ALIBABA,
	  "1",
	  { { REQUEST_READ, UINT64_MAX - 1, 1, 0 } },
	  1 },
};

static void test_formats(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
		struct taken t;

		print_message("# %s\n", samples[i].what);
		take_text(samples[i].text, &(struct trace_options){ 0 }, &t);
		assert_string_equal(t.d.text, "");
		assert_int_equal(t.end, 0);
		assert_int_equal(trace.format, samples[i].format);
		assert_string_equal(trace.device, samples[i].device);
		assert_int_equal(t.n, samples[i].n);
		for (size_t k = 0; k < t.n; k++) {
			assert_int_equal(t.requests[k].op, samples[i].requests[k].op);
			assert_int_equal(t.requests[k].offset, samples[i].requests[k].offset);
			assert_int_equal(t.requests[k].bytes, samples[i].requests[k].bytes);
			assert_int_equal(t.requests[k].time_ns, samples[i].requests[k].time_ns);
			assert_true(t.requests[k].has_time);
		}
	}
}

/* --- bad lines ---------------------------------------------------------------------------------
 */

#define GOOD "7,W,0,4096,10\n"

static const struct {
	const char *text, *error;
} mistakes[] = {
	{ GOOD "7,W,0,-4096,10\n", "t:2: the size '-4096' is negative" },
	{ GOOD "7,W,-1,4096,10\n", "t:2: the offset '-1' is negative" },
	{ GOOD "7,W,0,0,10\n", "t:2: the size is 0: a request needs at least 1 byte" },
	{ GOOD "7,W,,4096,10\n", "t:2: the offset is missing" },
	{ GOOD "7,W,1e3,4096,10\n", "t:2: the offset '1e3' is no whole number" },
	{ GOOD "\n7,W,0,18446744073709551616,10\n",
	  "t:3: the size '18446744073709551616' is beyond 64 bits" },
	{ GOOD "7,W,18446744073709551615,1,10\n",
	  "t:2: the offset '18446744073709551615' and the size '1' together are beyond 64 bits" },
	{ GOOD "7,X,0,4096,10\n", "t:2: the opcode 'X' is neither R nor W" },
	{ GOOD "7,W,0,4096\n", "t:2: 4 fields instead of 5" },
	{ GOOD "7,W,0,4096,99999999999999999\n",
	  "t:2: the time is more than 292 years after the first" },
	{ GOOD "128166372003061629,hm,0,Write,7014912,4096,26\n",
	  "t:2: a line of MSR Cambridge CSV in a trace of Alibaba block trace CSV" },
	{ GOOD "100 0 8 8 1\n",
	  "t:2: a line of MQSim/DiskSim ASCII in a trace of Alibaba block trace CSV" },
	{ "1,36028797018963968,8,1,3\n",
	  "t:1: the offset '36028797018963968' in sectors of 512 bytes is beyond 64 bits" },
	{ "1 0 8 8 1\n1 0 8 8 2\n", "t:2: the type '2' is neither 0 (write) nor 1 (read)" },
	{ "8,0 1 1 0.1 2 D W 8 + x [y]\n", "t:1: the size 'x' is no whole number" },
	{ "8,0 1 1 0.1 2 D W 8 [y]\n", "t:1: no sector and size, as '+ 8', behind the action D" },
	{ "fio version 2 iolog\nf write 0\n", "t:2: 3 fields instead of 4" },
	{ "fio version 2 iolog\nf grow 0 1\n", "t:2: fio iolog version 2 has no action 'grow'" },
	{ "fio version 3 iolog\n1 f wait 100\n", "t:2: fio iolog version 3 has no action 'wait'" },
	{ "fio version 4 iolog\n1 f read 0 1\n",
	  "t:1: fio iolog version 4; versions 2 and 3 are known" },
	{ "what is this\n", "t:1: no known trace format; --trace-format takes msr, alibaba, "
			    "tencent, mqsim, fio2, fio3 or blkparse" },
};

static void test_bad_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(*mistakes); i++) {
		struct taken t;

		take_text(mistakes[i].text, &(struct trace_options){ 0 }, &t);
		assert_string_equal(t.d.text, mistakes[i].error);
		assert_int_equal(t.end, -EINVAL);
		/* it is over */
		assert_int_equal(trace_next(&trace, &t.requests[0], NULL), 0);
	}
}

static void test_bad_lines_are_left_out(void **state)
{
	static const char text[] = GOOD "7,W,0,-1,11\n"
					"7,W,4096,4096,12\n"
					"nonsense\n" GOOD;
	struct taken t;

	(void)state;
	take_text(text, &(struct trace_options){ .skip_bad = true }, &t);
	assert_int_equal(t.end, 0);
	assert_int_equal(t.n, 3);
	assert_int_equal(trace.counts.bad, 2);
	assert_int_equal(trace.counts.lines, 5);
	assert_int_equal(trace.counts.requests, 3);
	assert_string_equal(trace.first_bad.text, "t:2: the size '-1' is negative");
	take_text("nonsense\nmore\n", &(struct trace_options){ .skip_bad = true }, &t);
	assert_int_equal(t.end, 0);
	assert_int_equal(t.n, 0);
	assert_int_equal(trace.counts.bad, 2);
}

static void test_nothing(void **state)
{
	struct taken t;

	(void)state;
	take_text("", &(struct trace_options){ 0 }, &t);
	assert_int_equal(t.end, 0);
	assert_int_equal(t.n, 0);
	take_text("\n\n# nothing\n", &(struct trace_options){ 0 }, &t);
	assert_int_equal(t.end, 0);
	take("7,W,0,1\0,4\n", 11, 3, &(struct trace_options){ .format = TRACE_ALIBABA }, &t);
	assert_int_equal(t.end, -EINVAL);
}

/* Lines up to the limit are read, longer ones are one bad line each. */
static void test_long_lines(void **state)
{
	static char text[3 * TRACE_BUFFER];
	static const size_t lengths[] = { TRACE_LINE_MAX - 1, TRACE_LINE_MAX, TRACE_LINE_MAX + 1,
					  TRACE_LINE_MAX + 2, TRACE_BUFFER,   2 * TRACE_BUFFER };
	static const size_t pieces[] = { 1, 4096, TRACE_LINE_MAX + 1, SIZE_MAX };

	(void)state;
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths) * 4; i++) {
		const size_t length = lengths[i / 4];
		const bool fits = length <= TRACE_LINE_MAX;
		struct taken t;
		size_t n = (size_t)snprintf(text, sizeof(text), GOOD "7,W,4096,1,20");

		memset(text + n, ' ', length - 13);
		n += length - 13;
		n += (size_t)snprintf(text + n, sizeof(text) - n, "\n" GOOD);
		take(text, n, pieces[i % 4], &(struct trace_options){ .skip_bad = true }, &t);
		assert_int_equal(t.end, 0);
		assert_int_equal(t.n, fits ? 3 : 2);
		assert_int_equal(trace.counts.bad, fits ? 0 : 1);
		assert_int_equal(trace.counts.lines, 3);
	}
}

/* --- devices and formats that are chosen -------------------------------------------------------
 */

static void test_devices(void **state)
{
	static const char text[] = "128166372003061629,hm,0,Write,0,4096,26\n"
				   "128166372003061629,hm,1,Write,4096,4096,26\n"
				   "128166372003061629,hm,0,Write,8192,4096,26\n";
	struct taken t;

	(void)state;
	take_text(text, &(struct trace_options){ .skip_bad = true }, &t);
	assert_int_equal(t.end, -EXDEV);
	assert_string_equal(t.d.text, "t:2: a second device 'hm_1' beside 'hm_0'; --trace-device "
				      "says which to take");
	take_text(text, &(struct trace_options){ .device = "hm_1" }, &t);
	assert_int_equal(t.end, 0);
	assert_int_equal(t.n, 1);
	assert_int_equal(t.requests[0].offset, 4096);
	assert_int_equal(trace.counts.elsewhere, 2);
}

static void test_chosen_format(void **state)
{
	/* the shape of Tencent's too: of an Alibaba trace it is a bad line */
	struct taken t;
	enum trace_format format;
	struct diag d = { 0 };

	(void)state;
	take_text("1,8,8,1,3\n", &(struct trace_options){ .format = TRACE_ALIBABA }, &t);
	assert_int_equal(t.end, -EINVAL);
	assert_string_equal(t.d.text,
			    "t:1: a line of Tencent CBS CSV in a trace of Alibaba block trace CSV");
	assert_int_equal(trace_format_parse("blkparse", &format, &d), 0);
	assert_int_equal(format, TRACE_BLKPARSE);
	assert_int_equal(trace_format_parse("auto", &format, &d), 0);
	assert_int_equal(format, TRACE_UNKNOWN);
	assert_int_equal(trace_format_parse("alibba", &format, &d), -EINVAL);
	assert_string_equal(d.text, "there is no trace format 'alibba'; did you mean alibaba?");
}

/* Any mutation of the samples: it ends, and how it is cut makes no difference. */
static void test_mutations(void **state)
{
	struct rng r;

	(void)state;
	rng_seed(&r, 7, 0);
	for (int i = 0; i < 3000; i++) {
		const char *from = samples[rng_below(&r, sizeof(samples) / sizeof(*samples))].text;
		const struct trace_options o = { .skip_bad = rng_below(&r, 2) };
		char text[2048];
		struct taken a, b;
		size_t n = strlen(from);

		memcpy(text, from, n);
		for (uint64_t k = rng_below(&r, 6); k; k--)
			text[rng_below(&r, n)] = (char)("0-,9 \nRW\r\0.+"[rng_below(&r, 12)]);
		take(text, n, SIZE_MAX, &o, &a);
		take(text, n, 1 + rng_below(&r, 50), &o, &b);
		assert_same(&a, &b);
		for (size_t k = 1; k < a.n; k++)
			assert_true(a.requests[k].time_ns >= a.requests[k - 1].time_ns);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_bad_lines),
		cmocka_unit_test(test_bad_lines_are_left_out),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_long_lines),
		cmocka_unit_test(test_devices),
		cmocka_unit_test(test_chosen_format),
		cmocka_unit_test(test_mutations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
