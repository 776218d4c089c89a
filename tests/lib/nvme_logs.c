/* SPDX-License-Identifier: MIT */
#include "lib/nvme_logs.h"

#include <assert.h>
#include <string.h>

void put(struct log_page *p, size_t off, unsigned width, u128 v)
{
	for (unsigned i = 0; i < width; i++, v >>= 8)
		p->bytes[off + i] = (uint8_t)v;
	if (p->len < off + width)
		p->len = off + width;
}

void put_bytes(struct log_page *p, size_t off, const void *src, size_t n)
{
	memcpy(p->bytes + off, src, n);
	if (p->len < off + n)
		p->len = off + n;
}

void put_text(struct log_page *p, size_t off, size_t n, const char *s)
{
	size_t len = strlen(s);

	memset(p->bytes + off, ' ', n);
	put_bytes(p, off, s, len < n ? len : n);
	if (p->len < off + n)
		p->len = off + n;
}

static void start(struct log_page *p, size_t len)
{
	memset(p, 0, sizeof(*p));
	p->len = len;
}

void build_controller(struct log_page *p, const char *model, const char *serial, const char *fw)
{
	start(p, 4096);
	put(p, 0, 2, 0x144d);
	put_text(p, 4, 20, serial);
	put_text(p, 24, 40, model);
	put_text(p, 64, 8, fw);
	put(p, 80, 4, 0x00010400);
	put(p, 256, 2, 0x17); /* format, firmware, self-test */
	put(p, 266, 2, 343);  /* 70 C */
	put(p, 268, 2, 358);  /* 85 C */
	put(p, 516, 4, 1);
	put(p, 520, 2, 0x5f);
}

void build_namespace(struct log_page *p, uint64_t blocks, unsigned shift, unsigned ms)
{
	start(p, 4096);
	put(p, 0, 8, blocks);
	put(p, 8, 8, blocks);
	put(p, 25, 1, 1);
	put(p, 26, 1, 1);
	put(p, 128, 4, 9u << 16);
	put(p, 132, 4, (u128)shift << 16 | ms);
}

void build_smart(struct log_page *p)
{
	start(p, 512);
	put(p, 1, 2, 273 + 41);
	put(p, 3, 1, 100);
	put(p, 4, 1, 10);
	put(p, 5, 1, 3);
	put(p, 32, 16, 2000000);
	put(p, 48, 16, 1000000);
	put(p, 112, 16, 42);
	put(p, 128, 16, 8760);
	put(p, 144, 16, 7);
}

void build_ocp(struct log_page *p, unsigned version)
{
	static const uint8_t guid[16] = { 0xc5, 0xaf, 0x10, 0x28, 0xea, 0xbf, 0xf2, 0xa4,
					  0x9c, 0x4f, 0x6f, 0x7c, 0xc9, 0x14, 0xd5, 0xaf };

	start(p, 512);
	put(p, 0, 16, (u128)655 * 1000000000000);
	put(p, 88, 4, 421);
	put(p, 92, 4, 300);
	put(p, 120, 1, 87);
	put(p, 128, 2, 99);
	put(p, 176, 16, (u128)7000 * 1000000000000);
	put(p, 494, 2, version);
	put_bytes(p, 496, guid, sizeof(guid));
}

void put_record(struct log_page *p, unsigned index, uint8_t key, uint64_t raw)
{
	put(p, index * 12, 1, key);
	put(p, index * 12 + 3, 1, 100);
	put(p, index * 12 + 5, 6, raw);
}

void add_page(struct snapshot *s, enum log_space space, uint32_t id, uint32_t sub,
	      const struct log_page *p)
{
	int err = snapshot_add(s, space, id, sub, bytes_of(p->bytes, p->len));

	assert(err == 0);
	(void)err;
}

void build_drive(struct snapshot *s)
{
	static struct log_page p;

	snapshot_init(s);
	build_controller(&p, "EXAMPLE SSD 1", "S1", "FW1");
	add_page(s, SPACE_NVME_IDENTIFY, 1, 0, &p);
	build_namespace(&p, 1000000, 12, 0);
	add_page(s, SPACE_NVME_IDENTIFY, 0, 1, &p);
	build_smart(&p);
	add_page(s, SPACE_NVME_LOG, 2, 0, &p);
}
