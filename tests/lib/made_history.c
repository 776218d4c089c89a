/* SPDX-License-Identifier: MIT */
#include "lib/made_history.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "base/text.h"
#include "lib/made_series.h"

static void dump_text(const struct made_drive *drive, int64_t time, uint64_t units, uint64_t hours,
		      struct str *b)
{
	str_add(b, "{\"json_format_version\":[1,0],\"smartctl\":{\"version\":[7,3]},");
	if (!drive->undated)
		str_addf(b, "\"local_time\":{\"time_t\":%" PRId64 "},", time);
	str_add(b, "\"device\":{\"name\":\"/dev/nvme0\",\"type\":\"nvme\",\"protocol\":\"NVMe\"},");
	if (drive->model)
		str_addf(b, "\"model_name\":\"%s\",", drive->model);
	if (drive->serial)
		str_addf(b, "\"serial_number\":\"%s\",", drive->serial);
	if (drive->firmware)
		str_addf(b, "\"firmware_version\":\"%s\",", drive->firmware);
	if (drive->capacity)
		str_addf(b,
			 "\"user_capacity\":{\"blocks\":%" PRIu64 ",\"bytes\":%" PRIu64
			 "},\"logical_block_size\":512,",
			 drive->capacity / 512, drive->capacity);
	str_add(b, "\"nvme_smart_health_information_log\":{\"critical_warning\":0,");
	if (drive->spare)
		str_add(b, "\"available_spare\":100,\"available_spare_threshold\":10,");
	str_addf(b,
		 "\"temperature\":35,\"percentage_used\":3,\"data_units_written\":%" PRIu64
		 ",\"power_on_hours\":%" PRIu64 "}}",
		 units, hours);
}

struct made_append *made_append_new(const struct made_drive *drive, int64_t time, uint64_t units,
				    uint64_t hours)
{
	struct made_append *m = calloc(1, sizeof(*m));
	struct str text = { 0 };

	assert_non_null(m);
	dump_text(drive, time, units, hours, &text);
	snapshot_init(&m->snapshot);
	m->snapshot.time = time;
	m->snapshot.time_is_file = drive->undated;
	text_copy(m->snapshot.path, sizeof(m->snapshot.path), drive->path ? drive->path : "");
	text_copy(m->snapshot.location, sizeof(m->snapshot.location),
		  drive->location ? drive->location : "");
	text_copy(m->snapshot.via, sizeof(m->snapshot.via), drive->via ? drive->via : "");
	assert_int_equal(
		snapshot_add(&m->snapshot, SPACE_SMARTCTL_JSON, 0, 0, bytes_of(text.s, text.len)),
		0);
	reading_init(&m->reading);
	assert_int_equal(reading_decode(&m->snapshot, NULL, NULL, &m->reading), 0);
	facts_collect(&m->reading, &m->rule, &m->facts);
	m->append = (struct append){ .snapshot = &m->snapshot,
				     .reading = &m->reading,
				     .facts = &m->facts,
				     .rule = &m->rule,
				     .live = drive->live };
	str_release(&text);
	return m;
}

void made_append_free(struct made_append *m)
{
	snapshot_release(&m->snapshot);
	reading_release(&m->reading);
	free(m);
}

enum append_result made_append(struct store *s, const struct made_drive *drive, int64_t time,
			       uint64_t units, uint64_t hours, int64_t *ret_drive)
{
	struct made_append *m = made_append_new(drive, time, units, hours);
	enum append_result result = APPEND_LESS;
	struct diag d = { 0 };

	if (store_append(s, &m->append, &d, &result, ret_drive))
		fail_msg("%s", d.text);
	made_append_free(m);
	return result;
}

void made_folder_init(struct made_folder *f)
{
	text_copy(f->path, sizeof(f->path), "/tmp/nandlife-history-XXXXXX");
	assert_non_null(mkdtemp(f->path));
	snprintf(f->db, sizeof(f->db), "%s/history.db", f->path);
}

void made_folder_release(struct made_folder *f)
{
	DIR *folder = opendir(f->path);
	char path[512];

	assert_non_null(folder);
	for (struct dirent *e = readdir(folder); e; e = readdir(folder)) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", f->path, e->d_name);
		if (unlink(path) != 0)
			rmdir(path);
	}
	closedir(folder);
	rmdir(f->path);
}

struct store *made_store(const char *path, enum store_mode mode)
{
	struct store *s = NULL;
	struct diag d = { 0 };

	if (store_open(path, mode, T0, &d, &s, NULL))
		fail_msg("%s", d.text);
	return s;
}

int made_try_open(const char *path, enum store_mode mode, struct diag *d)
{
	struct store *s = NULL;
	int err;

	diag_clear(d);
	err = store_open(path, mode, T0, d, &s, NULL);
	store_close(&s);
	if (err)
		assert_true(d->text[0]);
	return err;
}

void made_series_of(struct store *s, int64_t drive, struct series *ret)
{
	struct diag d = { 0 };

	series_init(ret);
	if (store_series(s, drive, TIME_UNKNOWN, TIME_UNKNOWN, &d, ret))
		fail_msg("%s", d.text);
}

void made_store_check(struct store *s)
{
	struct diag d = { 0 };

	if (store_check(s, &d))
		fail_msg("%s", d.text);
}

char *made_file_read(const char *path, size_t *ret_len)
{
	FILE *f = fopen(path, "rb");
	struct stat st;
	char *data;

	if (!f)
		return NULL;
	assert_int_equal(fstat(fileno(f), &st), 0);
	data = malloc((size_t)st.st_size + 1);
	assert_non_null(data);
	*ret_len = fread(data, 1, (size_t)st.st_size, f);
	fclose(f);
	return data;
}

void made_file_write(const char *path, const void *data, size_t n)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}
