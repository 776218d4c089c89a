/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cmocka.h>

#include "sys/unpack.h"

#define TEXT_BYTES 300000u

static char text[TEXT_BYTES];

static int make_text(void **state)
{
	(void)state;
	for (unsigned i = 0; i < TEXT_BYTES; i++)
		text[i] = (char)('a' + (i * i / 7) % 26);
	return 0;
}

static size_t gzip(uint8_t *to, size_t room, char *from, size_t n)
{
	z_stream z = { 0 };

	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY),
			 Z_OK);
	z.next_in = (uint8_t *)from;
	z.avail_in = (uInt)n;
	z.next_out = to;
	z.avail_out = (uInt)room;
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	n = room - z.avail_out;
	deflateEnd(&z);
	return n;
}

/* What comes out, read in pieces; the result of the last read. */
static ssize_t unpack(const uint8_t *data, size_t n, size_t piece, char **ret, size_t *ret_n,
		      struct diag *d)
{
	int fd = memfd_create("packed", MFD_CLOEXEC);
	char *out = malloc(2 * TEXT_BYTES + piece);
	struct unpack *u = NULL;
	struct sys sys;
	ssize_t got;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, n), n);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	assert_int_equal(sys_real(&sys, ""), 0);
	assert_int_equal(unpack_new(&sys, fd, "f", &u), 0);
	for (*ret_n = 0; (got = unpack_read(u, out + *ret_n, piece, d)) > 0;)
		*ret_n += (size_t)got;
	assert_int_equal(unpack_taken(u), n);
	unpack_free(u);
	close(fd);
	*ret = out;
	return got;
}

static void assert_text(const uint8_t *data, size_t n, const char *want, size_t want_n)
{
	static const size_t pieces[] = { 1000, 65536 };

	for (size_t i = 0; i < 2; i++) {
		struct diag d = { 0 };
		char *out;
		size_t out_n;

		assert_int_equal(unpack(data, n, pieces[i], &out, &out_n, &d), 0);
		assert_int_equal(out_n, want_n);
		assert_memory_equal(out, want, want_n);
		free(out);
	}
}

static void test_packed(void **state)
{
	uint8_t *packed = malloc(2 * TEXT_BYTES);
	size_t half = TEXT_BYTES / 2, n;

	(void)state;
	assert_text((const uint8_t *)text, TEXT_BYTES, text, TEXT_BYTES);
	assert_text((const uint8_t *)"", 0, "", 0);
	assert_text((const uint8_t *)"\x1f", 1, "\x1f", 1);
	n = gzip(packed, 2 * TEXT_BYTES, text, TEXT_BYTES);
	assert_text(packed, n, text, TEXT_BYTES);
	/* an empty member, two more, and padding */
	n = gzip(packed, 2 * TEXT_BYTES, "", 0);
	n += gzip(packed + n, TEXT_BYTES, text, half);
	n += gzip(packed + n, TEXT_BYTES, text + half, TEXT_BYTES - half);
	memset(packed + n, 0, 512);
	assert_text(packed, n + 512, text, TEXT_BYTES);
	n = ZSTD_compress(packed, 2 * TEXT_BYTES, text, TEXT_BYTES, 3);
	assert_text(packed, n, text, TEXT_BYTES);
	n = ZSTD_compress(packed, TEXT_BYTES, text, half, 3);
	n += ZSTD_compress(packed + n, TEXT_BYTES, text + half, TEXT_BYTES - half, 3);
	assert_text(packed, n, text, TEXT_BYTES);
	free(packed);
}

/* Cut anywhere, and damaged anywhere: told, or what came out is right so far. */
static void test_damaged(void **state)
{
	uint8_t *packed = malloc(2 * TEXT_BYTES);

	(void)state;
	for (int zstd = 0; zstd < 2; zstd++) {
		size_t n = zstd ? ZSTD_compress(packed, TEXT_BYTES, text, 20000, 3)
				: gzip(packed, TEXT_BYTES, text, 20000);

		for (size_t cut = 4; cut < n; cut += 1 + n / 50) {
			struct diag d = { 0 };
			char *out;
			size_t out_n;

			assert_int_equal(unpack(packed, cut, 4096, &out, &out_n, &d), -EBADMSG);
			assert_non_null(strstr(d.text, zstd ? "f: damaged zstd data after "
							    : "f: damaged gzip data after "));
			assert_non_null(strstr(d.text, "it ends too early"));
			assert_true(out_n < 20000 || cut + 8 >= n);
			assert_memory_equal(out, text, out_n);
			free(out);
		}
	}
	free(packed);
}

static void test_garbage_behind(void **state)
{
	uint8_t packed[4096];
	size_t n = gzip(packed, sizeof(packed), "abc", 3), out_n;
	struct diag d = { 0 };
	char *out;

	(void)state;
	memcpy(packed + n, "garbage", 7);
	assert_int_equal(unpack(packed, n + 7, 4096, &out, &out_n, &d), -EBADMSG);
	assert_int_equal(out_n, 3);
	free(out);
	packed[n - 5] ^= 1; /* the check sum */
	d = (struct diag){ 0 };
	assert_int_equal(unpack(packed, n, 4096, &out, &out_n, &d), -EBADMSG);
	free(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_packed),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_garbage_behind),
	};

	return cmocka_run_group_tests(tests, make_text, NULL);
}
