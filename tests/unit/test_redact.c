/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "decode/reading.h"
#include "decode/redact.h"
#include "lib/nvme_logs.h"

#define SERIAL	   "S64GNE0R512345"
#define WWN_TEXT   "5002538e40a1b2c3"
#define EUI_TEXT   "0025385b01c2d3e4"
#define NGUID_TEXT "36344730525123450025384500000001"
#define SUBNQN	   "nqn.1994-11.com.samsung:nvme:PM9A3:2.5-inch:S64GNE0R512345"
#define KEY	   UINT64_C(0x0123456789abcdef)

static const uint8_t wwn[8] = { 0x50, 0x02, 0x53, 0x8e, 0x40, 0xa1, 0xb2, 0xc3 };
static const uint8_t eui[8] = { 0x00, 0x25, 0x38, 0x5b, 0x01, 0xc2, 0xd3, 0xe4 };
static const uint8_t nguid[16] = { 0x36, 0x34, 0x47, 0x30, 0x52, 0x51, 0x23, 0x45,
				   0x00, 0x25, 0x38, 0x45, 0,	 0,    0,    1 };

static void copy_swapped(uint8_t *dst, const void *src, size_t n)
{
	for (size_t i = 0; i < n; i++)
		dst[i ^ 1] = ((const uint8_t *)src)[i];
}

/* IDENTIFY DEVICE data with a serial number, a WWN and a right checksum. */
static void build_identify(struct log_page *p)
{
	uint8_t sum = 0;

	memset(p, 0, sizeof(*p));
	p->len = 512;
	copy_swapped(p->bytes + 20, "      " SERIAL, 20);
	copy_swapped(p->bytes + 54, "EXAMPLE SATA SSD                        ", 40);
	copy_swapped(p->bytes + 216, wwn, 8);
	p->bytes[510] = 0xa5;
	for (size_t i = 0; i < 511; i++)
		sum = (uint8_t)(sum + p->bytes[i]);
	p->bytes[511] = (uint8_t)-sum;
}

static uint8_t sum_of(const uint8_t *p)
{
	uint8_t sum = 0;

	for (size_t i = 0; i < 512; i++)
		sum = (uint8_t)(sum + p[i]);
	return sum;
}

static void add_text(struct snapshot *s, enum log_space space, const char *text)
{
	assert_int_equal(snapshot_add(s, space, 0, 0, bytes_of(text, strlen(text))), 0);
}

static const char json_dump[] =
	"{\n  \"model_name\": \"EXAMPLE SATA SSD\",\n  \"serial_number\": \"" SERIAL "\",\n"
	"  \"wwn\": {\n    \"naa\": 5,\n    \"oui\": 9528,\n    \"id\": 61213881027\n  },\n"
	"  \"nvme_namespaces\": [{\"id\": 1, \"eui64\": {\"oui\": 9528, \"ext_id\": "
	"390871569380}}],\n"
	"  \"hostname\": \"db7.example.org\", \"smartctl\": {\"argv\": "
	"[\"smartctl\", \"/dev/disk/by-id/ata-EXAMPLE_" SERIAL "\"]},\n"
	"  \"user_capacity\": {\"bytes\": 1000204886016}\n}\n";

static const char text_dump[] = "Device Model:     EXAMPLE SATA SSD\n"
				"Serial Number:    " SERIAL "\n"
				"LU WWN Device Id: 5 002538 e40a1b2c3\n"
				"Namespace 1 IEEE EUI-64:  002538 5b01c2d3e4\n"
				"User Capacity:    1,000,204,886,016 bytes [1.00 TB]\n";

static void build_all(struct snapshot *s)
{
	static struct log_page p;
	static struct log_page blob;

	snapshot_init(s);
	build_controller(&p, "EXAMPLE SSD", SERIAL, "FW1");
	put_bytes(&p, 768, SUBNQN, strlen(SUBNQN));
	put_bytes(&p, 3072, SERIAL, strlen(SERIAL)); /* vendors repeat it in their own area */
	add_page(s, SPACE_NVME_IDENTIFY, 1, 0, &p);
	build_namespace(&p, 1000, 12, 0);
	put_bytes(&p, 104, nguid, 16);
	put_bytes(&p, 120, eui, 8);
	add_page(s, SPACE_NVME_IDENTIFY, 0, 1, &p);
	memset(&p, 0, sizeof(p));
	put(&p, 0, 2, 0x0801);
	put_bytes(&p, 4, eui, 8);
	put(&p, 12, 2, 0x1002);
	put_bytes(&p, 16, nguid, 16);
	p.len = 64;
	add_page(s, SPACE_NVME_IDENTIFY, 3, 1, &p);
	memset(&p, 0, sizeof(p));
	p.len = 512;
	put_text(&p, 56, 20, SERIAL);
	add_page(s, SPACE_NVME_LOG, 0x0d, 0, &p);
	build_identify(&p);
	add_page(s, SPACE_ATA_IDENTIFY, 0, 0, &p);
	put_bytes(&blob, 0, "IDFY\0\0\2\0", 8);
	put_bytes(&blob, 8, p.bytes, 512);
	put_bytes(&blob, 520, "SMST\0\0\0\4\0\0\0\1", 12);
	add_page(s, SPACE_SKDUMP, 0, 0, &blob);
	memset(&p, 0, sizeof(p));
	p.bytes[1] = 0x80;
	put_text(&p, 4, 20, SERIAL);
	add_page(s, SPACE_SCSI_VPD, 0x80, 0, &p);
	memset(&p, 0, sizeof(p));
	put_bytes(&p, 4, "\1\3\0\10", 4); /* binary NAA, 8 bytes */
	put_bytes(&p, 8, wwn, 8);
	put_bytes(&p, 16, "\2\1\0\64ATA     EXAMPLE SATA SSD                        ", 52);
	put_text(&p, 16 + 4 + 32, 20, SERIAL);
	add_page(s, SPACE_SCSI_VPD, 0x83, 0, &p);
	add_text(s, SPACE_SMARTCTL_JSON, json_dump);
	add_text(s, SPACE_SMARTCTL_TEXT, text_dump);
	assert_int_equal(snapshot_add_error(s, SPACE_NVME_LOG, 6, 0, -5,
					    "/dev/disk/by-id/nvme-EXAMPLE_SSD_" SERIAL ": no"),
			 0);
	text_copy(s->by_id, sizeof(s->by_id), "/dev/disk/by-id/nvme-EXAMPLE_SSD_" SERIAL "_1");
	text_copy(s->path, sizeof(s->path), "/dev/disk/by-id/wwn-0x" WWN_TEXT);
	snapshot_add_problem(s, -5, "drive %s fails", SERIAL);
}

static bool found(const void *data, size_t len, const void *what, size_t n)
{
	for (size_t at = 0; at + n <= len; at++)
		if (memcmp((const uint8_t *)data + at, what, n) == 0)
			return true;
	return false;
}

static bool found_in_bytes(const void *data, size_t len)
{
	static const char *const texts[] = { SERIAL,	    "S64GNE0R5",    WWN_TEXT,
					     EUI_TEXT,	    NGUID_TEXT,	    "db7.example",
					     "61213881027", "390871569380", "002538 e40a1b2c3",
					     "5b01c2d3e4" };
	uint8_t swapped[14];

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (found(data, len, texts[i], strlen(texts[i])))
			return true;
	copy_swapped(swapped, SERIAL, 14);
	if (found(data, len, swapped, 14) || found(data, len, wwn, 8) || found(data, len, eui, 8) ||
	    found(data, len, nguid, 16))
		return true;
	copy_swapped(swapped, wwn, 8);
	return found(data, len, swapped, 8);
}

static bool found_anywhere(const struct snapshot *s)
{
	for (size_t i = 0; i < s->nlogs; i++) {
		if (s->logs[i].data && found_in_bytes(s->logs[i].data, s->logs[i].len))
			return true;
		if (s->logs[i].error && found_in_bytes(s->logs[i].error, strlen(s->logs[i].error)))
			return true;
	}
	for (size_t i = 0; i < s->nproblems; i++)
		if (found_in_bytes(s->problems[i].text, strlen(s->problems[i].text)))
			return true;
	return found_in_bytes(s->by_id, strlen(s->by_id)) ||
	       found_in_bytes(s->path, strlen(s->path));
}

static void redact(struct snapshot *s, uint64_t key)
{
	struct diag d = { 0 };

	build_all(s);
	assert_true(found_anywhere(s));
	if (snapshot_redact(s, key, &d))
		fail_msg("%s", d.text);
}

static void nothing_of_an_identity_is_left(void **state)
{
	struct snapshot s, was;

	(void)state;
	build_all(&was);
	for (uint64_t key = 1; key <= 100; key++) {
		redact(&s, key * KEY);
		assert_false(found_anywhere(&s));
		assert_int_equal(s.nlogs, was.nlogs);
		for (size_t i = 0; i < s.nlogs; i++)
			assert_int_equal(s.logs[i].len, was.logs[i].len);
		assert_int_equal(strlen(s.by_id), strlen(was.by_id));
		snapshot_release(&s);
	}
	snapshot_release(&was);
}

/* The new serial number, from the Identify Controller structure. */
static void new_serial(const struct snapshot *s, char ret[21])
{
	text_from_field(ret, 21, s->logs[0].data + 4, 20);
}

static void one_serial_is_replaced_the_same_everywhere(void **state)
{
	struct snapshot s;
	char serial[21], swapped[20];

	(void)state;
	redact(&s, KEY);
	new_serial(&s, serial);
	assert_int_equal(strlen(serial), 14);
	assert_int_equal(strspn(serial, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
			 1); /* S64G: its shape stays */
	assert_non_null(strstr(s.by_id, serial));
	assert_non_null(strstr(s.problems[0].text, serial));
	copy_swapped((uint8_t *)swapped, serial, 14);
	for (size_t i = 0; i < s.nlogs; i++) {
		const struct snapshot_log *log = &s.logs[i];
		bool ata = log->space == SPACE_ATA_IDENTIFY || log->space == SPACE_SKDUMP;

		if (!log->data || (log->space == SPACE_NVME_IDENTIFY && log->id != 1))
			continue;
		if (!found(log->data, log->len, ata ? swapped : serial, 14))
			fail_msg("%s %x", log_space_name(log->space), log->id);
	}
	snapshot_release(&s);
}

static void the_key_decides(void **state)
{
	struct snapshot a, b, c;
	char x[21], y[21], z[21];

	(void)state;
	redact(&a, KEY);
	redact(&b, KEY);
	redact(&c, KEY + 1);
	new_serial(&a, x);
	new_serial(&b, y);
	new_serial(&c, z);
	assert_string_equal(x, y);
	assert_string_not_equal(x, z);
	snapshot_release(&a);
	snapshot_release(&b);
	snapshot_release(&c);
}

static void the_rest_stays(void **state)
{
	struct snapshot s;
	struct diag d = { 0 };
	struct bytes dump;
	cJSON *json;
	i128 v;

	(void)state;
	redact(&s, KEY);
	dump = snapshot_find(&s, SPACE_SMARTCTL_JSON, 0, 0);
	assert_int_equal(json_parse(dump, JSON_STRICT, &d, &json, NULL), 0);
	assert_string_equal(json_string(json_member(json, "model_name")), "EXAMPLE SATA SSD");
	assert_true(json_integer(json_path(json, "user_capacity.bytes"), &v));
	assert_true(v == INT64_C(1000204886016));
	assert_true(json_integer(json_path(json, "wwn.oui"), &v) && v == 9528);
	json_release(&json);
	dump = snapshot_find(&s, SPACE_SMARTCTL_TEXT, 0, 0);
	assert_non_null(memmem(dump.data, dump.len, "Device Model:     EXAMPLE SATA SSD\n", 35));
	assert_non_null(memmem(dump.data, dump.len, "LU WWN Device Id: 5 002538 ", 27));
	assert_memory_equal(snapshot_find(&s, SPACE_NVME_IDENTIFY, 1, 0).data + 24, "EXAMPLE SSD ",
			    12);
	snapshot_release(&s);
}

static void checksums_are_right_again(void **state)
{
	struct snapshot s;

	(void)state;
	redact(&s, KEY);
	assert_int_equal(sum_of(snapshot_find(&s, SPACE_ATA_IDENTIFY, 0, 0).data), 0);
	assert_int_equal(sum_of(snapshot_find(&s, SPACE_SKDUMP, 0, 0).data + 8), 0);
	assert_int_equal(snapshot_find(&s, SPACE_ATA_IDENTIFY, 0, 0).data[510], 0xa5);
	snapshot_release(&s);
}

/* The WWN in bytes, in text and in a dump's numbers is one and stays one. */
static void forms_of_an_identifier_agree(void **state)
{
	char text[17] = "", spaced[18], decimal[16];
	uint64_t id = 0;
	struct snapshot s;
	struct bytes b;

	(void)state;
	redact(&s, KEY);
	b = snapshot_find(&s, SPACE_SCSI_VPD, 0x83, 0);
	for (unsigned i = 0; i < 8; i++) {
		snprintf(text + 2 * i, 3, "%02x", b.data[8 + i]);
		id = id << 8 | b.data[8 + i];
	}
	assert_memory_equal(text, "5002538", 7);
	assert_non_null(strstr(s.path, text));
	snprintf(spaced, sizeof(spaced), "002538 %s", text + 7);
	b = snapshot_find(&s, SPACE_SMARTCTL_TEXT, 0, 0);
	assert_non_null(memmem(b.data, b.len, spaced, strlen(spaced)));
	snprintf(decimal, sizeof(decimal), "%llu", (unsigned long long)(id & 0xfffffffff));
	b = snapshot_find(&s, SPACE_SMARTCTL_JSON, 0, 0);
	assert_non_null(memmem(b.data, b.len, decimal, strlen(decimal)));
	snapshot_release(&s);
}

static void plain_serials_go_only_where_they_stand(void **state)
{
	static const char dump[] = "{\"serial_number\": \"0000\", \"raw\": \"0000\", \"n\": 100}";
	struct snapshot s;
	struct diag d = { 0 };
	struct bytes b;

	(void)state;
	snapshot_init(&s);
	add_text(&s, SPACE_SMARTCTL_JSON, dump);
	text_copy(s.location, sizeof(s.location), "PCI 0000:01:00.0");
	assert_int_equal(snapshot_redact(&s, KEY, &d), 0);
	b = snapshot_find(&s, SPACE_SMARTCTL_JSON, 0, 0);
	assert_null(memmem(b.data, b.len, "\"serial_number\": \"0000\"", 23));
	assert_non_null(memmem(b.data, b.len, "\"raw\": \"0000\", \"n\": 100}", 24));
	assert_string_equal(s.location, "PCI 0000:01:00.0");
	snapshot_release(&s);
}

/* Intel's OUI begins with the digit that in a WWN says "registered". */
static void an_eui_that_begins_like_a_wwn(void **state)
{
	static const char dump[] = "{\"eui64\": {\"oui\": 6083300, \"ext_id\": 276145439536}}";
	struct snapshot s;
	struct diag d = { 0 };
	struct bytes b;
	cJSON *json;
	i128 oui, ext;

	(void)state;
	for (uint64_t key = 0; key < 50; key++) {
		snapshot_init(&s);
		add_text(&s, SPACE_SMARTCTL_JSON, dump);
		assert_int_equal(snapshot_redact(&s, key, &d), 0);
		b = snapshot_find(&s, SPACE_SMARTCTL_JSON, 0, 0);
		assert_int_equal(json_parse(b, JSON_STRICT, &d, &json, NULL), 0);
		assert_true(json_integer(json_path(json, "eui64.oui"), &oui) && oui == 6083300);
		assert_true(json_integer(json_path(json, "eui64.ext_id"), &ext));
		assert_true(ext != INT64_C(276145439536) && ext < (i128)1 << 40);
		json_release(&json);
		snapshot_release(&s);
	}
}

/* A placeholder is no serial number: the firmware's is another one. A host's name is a word. */
static void plain_words_go_only_where_they_stand(void **state)
{
	static const char dump[] = "{\"serial_number\": \"REDACTED\", \"firmware\": \"REDACTED\", "
				   "\"hostname\": \"hermes\", \"argv\": \"on hermes\"}";
	struct snapshot s;
	struct diag d = { 0 };
	struct bytes b;

	(void)state;
	snapshot_init(&s);
	add_text(&s, SPACE_SMARTCTL_JSON, dump);
	assert_int_equal(snapshot_redact(&s, KEY, &d), 0);
	b = snapshot_find(&s, SPACE_SMARTCTL_JSON, 0, 0);
	assert_null(memmem(b.data, b.len, "\"serial_number\": \"REDACTED\"", 27));
	assert_non_null(memmem(b.data, b.len, "\"firmware\": \"REDACTED\"", 22));
	assert_null(memmem(b.data, b.len, "hermes", 6));
	snapshot_release(&s);
}

/* What was pasted from a terminal names the host in the shell's prompt, before and after. */
static void prompts_of_shells(void **state)
{
	static const char *const prompts[] = { "root@vault-7:~# smartctl -x /dev/sda",
					       "[root@vault-7.example.org ~]# smartctl -x /dev/sda",
					       "me@vault-7:/srv$ sudo smartctl -x /dev/sda",
					       "root@vault-7# smartctl" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(prompts); i++) {
		struct snapshot s;
		struct diag d = { 0 };
		struct bytes b;
		char text[512];

		snprintf(text, sizeof(text),
			 "%s\nsmartctl 7.4 2023-08-01 r5530\nModel: a@b of c\n%s\n", prompts[i],
			 prompts[i]);
		snapshot_init(&s);
		add_text(&s, SPACE_SMARTCTL_TEXT, text);
		assert_int_equal(snapshot_redact(&s, KEY, &d), 0);
		b = snapshot_find(&s, SPACE_SMARTCTL_TEXT, 0, 0);
		assert_int_equal(b.len, strlen(text));
		assert_null(memmem(b.data, b.len, "vault", 5));
		assert_non_null(memmem(b.data, b.len, "Model: a@b of c", 15));
		snapshot_release(&s);
	}
}

static void a_short_serial_goes_from_the_link(void **state)
{
	struct snapshot s;
	struct diag d = { 0 };
	struct log_page p;

	(void)state;
	snapshot_init(&s);
	build_controller(&p, "EXAMPLE SSD", "S1A", "FW1");
	add_page(&s, SPACE_NVME_IDENTIFY, 1, 0, &p);
	text_copy(s.by_id, sizeof(s.by_id), "/dev/disk/by-id/nvme-EXAMPLE_SSD_S1A_1");
	assert_int_equal(snapshot_redact(&s, KEY, &d), 0);
	assert_null(strstr(s.by_id, "S1A"));
	assert_memory_equal(s.by_id + 33, s.logs[0].data + 4, 3);
	assert_string_equal(s.by_id + 36, "_1");
	snapshot_release(&s);
}

static void a_volume_group_named_after_its_host_goes(void **state)
{
	struct snapshot s;
	struct diag d = { 0 };

	(void)state;
	snapshot_init(&s);
	text_copy(s.array, sizeof(s.array), "LVM db7-vg Qe8kfl");
	assert_int_equal(snapshot_redact(&s, KEY, &d), 0);
	assert_null(strstr(s.array, "db7"));
	assert_null(strstr(s.array, "Qe8kfl"));
	assert_memory_equal(s.array, "LVM ", 4);
	assert_int_equal(strlen(s.array), strlen("LVM db7-vg Qe8kfl"));
	text_copy(s.array, sizeof(s.array), "md0");
	assert_int_equal(snapshot_redact(&s, KEY, &d), 0);
	assert_string_equal(s.array, "md0");
	snapshot_release(&s);
}

static void a_bridge_s_serial_in_the_link_goes(void **state)
{
	struct snapshot s;
	struct diag d = { 0 };

	(void)state;
	snapshot_init(&s);
	text_copy(s.by_id, sizeof(s.by_id), "/dev/disk/by-id/usb-JMicron_Generic_DD56419884A1-0:0");
	assert_int_equal(snapshot_redact(&s, KEY, &d), 0);
	assert_null(strstr(s.by_id, "DD56419884A1"));
	assert_memory_equal(s.by_id, "/dev/disk/by-id/usb-JMicron_Generic_", 36);
	assert_string_equal(s.by_id + 48, "-0:0");
	snapshot_release(&s);
}

static void escapes_in_json_stay_valid(void **state)
{
	static const char dump[] = "{\"serial_number\": \"A1\\u001bB2\\\"C3\\\\D4\xc3\xa9\"}";
	struct snapshot s;
	struct diag d = { 0 };
	cJSON *json;

	(void)state;
	for (uint64_t key = 0; key < 50; key++) {
		snapshot_init(&s);
		add_text(&s, SPACE_SMARTCTL_JSON, dump);
		assert_int_equal(snapshot_redact(&s, key, &d), 0);
		assert_int_equal(json_parse(snapshot_find(&s, SPACE_SMARTCTL_JSON, 0, 0),
					    JSON_STRICT, &d, &json, NULL),
				 0);
		json_release(&json);
		snapshot_release(&s);
	}
}

static void addresses_of_ports_go_too(void **state)
{
	static const char dump[] = "Logical Unit id:      0x5000c500a0b1c2d3\n"
				   "Serial number:        ZA1234567890\n"
				   "    SAS address = 0x5000c500a0b1c2d1\n"
				   "    attached SAS address = 0x500605b00a1b2c3d\n";
	struct snapshot s;
	struct diag d = { 0 };
	struct bytes b;

	(void)state;
	snapshot_init(&s);
	add_text(&s, SPACE_SMARTCTL_TEXT, dump);
	assert_int_equal(snapshot_redact(&s, KEY, &d), 0);
	b = snapshot_find(&s, SPACE_SMARTCTL_TEXT, 0, 0);
	assert_null(memmem(b.data, b.len, "a0b1c2d3", 8));
	assert_null(memmem(b.data, b.len, "a0b1c2d1", 8));
	assert_null(memmem(b.data, b.len, "00a1b2c3d", 9));
	assert_null(memmem(b.data, b.len, "ZA1234567890", 12));
	assert_non_null(memmem(b.data, b.len, "SAS address = 0x5000c50", 23));
	snapshot_release(&s);
}

static void identifiers_that_are_none_stay(void **state)
{
	struct secrets set = { .key = 1 };
	static const uint8_t zeros[16], ones[8] = { 255, 255, 255, 255, 255, 255, 255, 255 };
	int err = 0;

	(void)state;
	assert_null(secrets_add_id(&set, zeros, 16, false, &err));
	assert_null(secrets_add_id(&set, ones, 8, false, &err));
	assert_null(secrets_add_text(&set, "  -- ", 5, &err));
	assert_null(secrets_add_text(&set, "", 0, &err));
	assert_int_equal(err, 0);
	assert_int_equal(set.n, 0);
	assert_true(secrets_add_any(&set, "0x5002538e40a1b2c3", 18, &err)->is_id);
	assert_ptr_equal(secrets_add_any(&set, "5 002538 e40a1b2c3", 18, &err), &set.list[0]);
	assert_false(secrets_add_any(&set, "5002538e40a1b2cX", 16, &err)->is_id);
	secrets_release(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_of_an_identity_is_left),
		cmocka_unit_test(one_serial_is_replaced_the_same_everywhere),
		cmocka_unit_test(the_key_decides),
		cmocka_unit_test(the_rest_stays),
		cmocka_unit_test(checksums_are_right_again),
		cmocka_unit_test(forms_of_an_identifier_agree),
		cmocka_unit_test(plain_serials_go_only_where_they_stand),
		cmocka_unit_test(an_eui_that_begins_like_a_wwn),
		cmocka_unit_test(plain_words_go_only_where_they_stand),
		cmocka_unit_test(prompts_of_shells),
		cmocka_unit_test(a_short_serial_goes_from_the_link),
		cmocka_unit_test(a_bridge_s_serial_in_the_link_goes),
		cmocka_unit_test(a_volume_group_named_after_its_host_goes),
		cmocka_unit_test(escapes_in_json_stay_valid),
		cmocka_unit_test(addresses_of_ports_go_too),
		cmocka_unit_test(identifiers_that_are_none_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
