/* SPDX-License-Identifier: MIT */
/* Files of dumps of any length, and what import and record do about a database that fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "base/text.h"
#include "cli/dump_stream.h"
#include "cli/import_files.h"
#include "cli/run.h"
#include "store/store.h"

static char folder[] = "/tmp/nandlife-import-XXXXXX";

/* Good until 63 more were asked for. */
static const char *in_folder(const char *name)
{
	static char paths[64][256];
	static unsigned next;
	char *path = paths[next++ % ARRAY_SIZE(paths)];

	snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

static void write_file(const char *path, const struct str *text)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(str_text(text), 1, text->len, f), text->len);
	assert_int_equal(fclose(f), 0);
}

/* What a stream gave: every line's number must be the one that its serial number says. */
struct seen {
	size_t drives, bad, last_bad;
	uint64_t bytes;
	bool stop;
};

static int take(void *arg, struct snapshot *s, size_t line)
{
	struct seen *seen = arg;
	char expected[64];

	snprintf(expected, sizeof(expected), "\"serial_number\":\"L%zu\"", line);
	assert_non_null(strstr((const char *)s->logs[0].data, expected));
	assert_int_equal(s->time, 1700000000 + (int64_t)line);
	snapshot_release(s);
	seen->drives++;
	return seen->stop ? -ECANCELED : 0;
}

static void bad(void *arg, size_t line, const struct diag *why)
{
	struct seen *seen = arg;

	assert_true(why->err == -EINVAL);
	seen->bad++;
	seen->last_bad = line;
}

static int passed(void *arg, uint64_t bytes)
{
	struct seen *seen = arg;

	assert_true(bytes >= seen->bytes);
	seen->bytes = bytes;
	return 0;
}

static int stream(const char *path, struct seen *seen, struct diag *d)
{
	const struct dump_stream s = {
		.taker = { .take = take, .bad = bad, .arg = seen, .stop = -ECANCELED },
		.passed = passed,
	};

	return dump_stream_read(&s, path, d);
}

static void add_drive(struct str *text, size_t line, const char *space, size_t padding)
{
	str_addf(text,
		 "{\"smartctl\":{\"exit_status\":0},%s\"serial_number\":\"L%zu\",%s\"padding\":\"",
		 space, line, space);
	str_add_repeat(text, 'x', padding);
	str_addf(text, "\",%s\"local_time\":{\"time_t\":%zu}%s}\n", space, 1700000000 + line,
		 *space ? "\n" : "");
}

/* Five megabytes in many parts, with broken lines among them: nothing is lost or counted wrongly.
 */
static void lines_of_any_number(void **state)
{
	struct str text = { 0 };
	struct seen seen = { 0 };
	struct diag d = { 0 };
	size_t line = 1, broken = 0;

	(void)state;
	for (; line <= 3000; line++) {
		if (line % 500 == 250) {
			str_add(&text, "{\"smartctl\":{\"exit_sta\n");
			broken++;
		} else {
			add_drive(&text, line, "", line % 7 * 600);
		}
	}
	write_file(in_folder("lines"), &text);
	assert_int_equal(stream(in_folder("lines"), &seen, &d), 0);
	assert_int_equal(seen.drives, 3000 - broken);
	assert_int_equal(seen.bad, broken);
	assert_int_equal(seen.last_bad, 2750);
	assert_int_equal(seen.bytes, text.len);
	seen = (struct seen){ .stop = true };
	assert_int_equal(stream(in_folder("lines"), &seen, &d), -ECANCELED);
	assert_int_equal(seen.drives, 1);
	str_release(&text);
}

/* As `smartctl -j >>log` writes them. */
static void objects_of_many_lines(void **state)
{
	struct str text = { 0 };
	struct seen seen = { 0 };
	struct diag d = { 0 };

	(void)state;
	/* five line ends each */
	for (size_t i = 0; i < 1000; i++)
		add_drive(&text, 1 + 5 * i, "\n  ", 3000);
	write_file(in_folder("objects"), &text);
	assert_int_equal(stream(in_folder("objects"), &seen, &d), 0);
	assert_int_equal(seen.drives, 1000);
	assert_int_equal(seen.bad, 0);
	str_release(&text);
}

/* An object longer than a part of the file, and one line without its end. */
static void objects_of_any_length(void **state)
{
	struct str text = { 0 };
	struct seen seen = { 0 };
	struct diag d = { 0 };

	(void)state;
	add_drive(&text, 1, "", 10);
	add_drive(&text, 2, "", (size_t)5 << 20);
	add_drive(&text, 3, "", 10);
	text.len--;
	write_file(in_folder("long"), &text);
	assert_int_equal(stream(in_folder("long"), &seen, &d), 0);
	assert_int_equal(seen.drives, 3);
	str_release(&text);
	assert_int_equal(stream(in_folder("none"), &seen, &d), -ENOENT);
	assert_non_null(strstr(d.text, "none: "));
}

static void folders_are_walked_without_circles(void **state)
{
	const char *names[2];
	struct file_names files = { 0 };
	struct diag d = { 0 };
	struct str text = { 0 };

	(void)state;
	str_add(&text, "x");
	assert_int_equal(mkdir(in_folder("tree"), 0700), 0);
	assert_int_equal(mkdir(in_folder("tree/b"), 0700), 0);
	write_file(in_folder("tree/c"), &text);
	write_file(in_folder("tree/b/z"), &text);
	write_file(in_folder("tree/a"), &text);
	write_file(in_folder("tree/.hidden"), &text);
	assert_int_equal(symlink("..", in_folder("tree/b/circle")), 0);
	assert_int_equal(symlink("../c", in_folder("tree/b/link")), 0);
	assert_int_equal(mkfifo(in_folder("tree/b/pipe"), 0600), 0);
	names[0] = in_folder("tree");
	names[1] = "-";
	assert_int_equal(import_files(names, 2, &d, &files), 0);
	assert_int_equal(files.n, 5);
	assert_string_equal(files.items[0], in_folder("tree/a"));
	assert_string_equal(files.items[1], in_folder("tree/b/link"));
	assert_string_equal(files.items[2], in_folder("tree/b/z"));
	assert_string_equal(files.items[3], in_folder("tree/c"));
	assert_string_equal(files.items[4], "-");
	file_names_release(&files);
	str_release(&text);
}

/* A command line with standard output and error going to files of the folder. */
static int command(const char *const *words)
{
	char copies[8][256], *argv[8];
	struct context ctx;
	int n = 0, out, err, code;

	for (; words[n]; n++) {
		snprintf(copies[n], sizeof(copies[n]), "%s", words[n]);
		argv[n] = copies[n];
	}
	out = dup(STDOUT_FILENO);
	err = dup(STDERR_FILENO);
	assert_true(freopen(in_folder("out"), "w", stdout) != NULL);
	assert_true(freopen(in_folder("err"), "w", stderr) != NULL);
	context_init(&ctx);
	code = run_command_line(&ctx, n, argv);
	context_release(&ctx);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	close(out);
	close(err);
	return code;
}

static bool file_has(const char *path, const char *words)
{
	char text[4096] = "";
	FILE *f = fopen(path, "rb");
	size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;

	if (f)
		fclose(f);
	text[n] = '\0';
	return strstr(text, words) != NULL;
}

/* The samples of a database, -1 where it cannot be read. */
static int64_t samples_in(const char *path)
{
	struct stored_drive *drives = NULL;
	struct store *store = NULL;
	struct diag d = { 0 };
	int64_t sum = 0;
	size_t n = 0;

	if (store_open(path, STORE_READ, 0, &d, &store, NULL))
		return -1;
	assert_int_equal(store_drives(store, &d, &drives, &n), 0);
	assert_int_equal(store_check(store, &d), 0);
	for (size_t i = 0; i < n; i++)
		sum += (int64_t)drives[i].nsamples;
	free(drives);
	store_close(&store);
	return sum;
}

#define DATA "tests/data/history.jsonl"

/* Another process writes for longer than one waits: 75, and what was there stays. */
static void a_locked_database(void **state)
{
	const char *db = in_folder("locked.db");
	const char *const import[] = { "import", DATA, "--db", db, NULL };
	struct store *other = NULL;
	struct diag d = { 0 };
	int code;

	(void)state;
	assert_int_equal(command(import), 0);
	assert_int_equal(samples_in(db), 24);
	assert_int_equal(store_open(db, STORE_WRITE, 0, &d, &other, NULL), 0);
	assert_int_equal(store_begin(other, &d), 0);
	code = command(import);
	store_rollback(other);
	store_close(&other);
	assert_int_equal(code, 75);
	assert_true(file_has(in_folder("err"), "locked.db"));
	assert_int_equal(samples_in(db), 24);
	assert_int_equal(command(import), 0);
}

/* import and history refuse what record alone moves aside. */
static void a_corrupt_database(void **state)
{
	const char *db = in_folder("corrupt.db");
	const char *const import[] = { "import", DATA, "--db", db, NULL };
	const char *const history[] = { "history", "--db", db, NULL };
	const char *const record[] = { "record", "/dev/no-such-drive", "--db", db, NULL };
	int fd;

	(void)state;
	assert_int_equal(command(import), 0);
	fd = open(db, O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	for (off_t at = 4096 + 1; at < 40000; at += 512)
		assert_int_equal(pwrite(fd, "\xff\xff\xff\xff\xff\xff\xff\xff", 8, at), 8);
	close(fd);
	assert_int_equal(command(history), 65);
	assert_true(file_has(in_folder("err"), "corrupt.db"));
	assert_int_equal(command(import), 65);
	assert_int_equal(command(record), 66);
	assert_true(file_has(in_folder("err"), "was corrupt"));
	assert_int_equal(command(history), 0);
	assert_int_equal(samples_in(db), 0);
}

/* Drives that were never met before, of which each takes some hundred bytes. */
static void write_drives(const char *path, size_t n)
{
	struct str text = { 0 };

	for (size_t i = 1; i <= n; i++)
		str_addf(&text,
			 "{\"smartctl\":{\"exit_status\":0},\"local_time\":{\"time_t\":%zu},"
			 "\"device\":{\"protocol\":\"NVMe\"},\"model_name\":\"MODEL\","
			 "\"serial_number\":\"F%08zu\",\"nvme_smart_health_information_log\":"
			 "{\"percentage_used\":%zu,\"data_units_written\":%zu}}\n",
			 1700000000 + i, i, i % 100, i * i);
	write_file(path, &text);
	str_release(&text);
}

/* The disk fills up in the middle of an import: 74, what was there stays, and room is all it needs.
 */
static void a_full_disk(void **state)
{
	const char *disk = in_folder("small"), *db = in_folder("small/full.db");
	const char *many = in_folder("many");
	const char *const import[] = { "import", DATA, "--db", db, NULL };
	const char *const more[] = { "import", many, "--db", db, NULL };

	(void)state;
	assert_int_equal(mkdir(disk, 0700), 0);
	if (geteuid() != 0 || mount("tmpfs", disk, "tmpfs", 0, "size=512k") != 0)
		return; /* needs root */
	write_drives(many, 2000);
	assert_int_equal(command(import), 0);
	assert_int_equal(samples_in(db), 24);
	assert_int_equal(command(more), 74);
	assert_true(file_has(in_folder("err"), "full.db: no space is left on its file system"));
	assert_false(file_has(in_folder("err"), "samples are in the history"));
	assert_int_equal(samples_in(db), 24);
	/* again, with as little room as there was: it can be told as often as one likes */
	assert_int_equal(command(more), 74);
	assert_int_equal(mount("tmpfs", disk, "tmpfs", MS_REMOUNT, "size=16m"), 0);
	assert_int_equal(samples_in(db), 24);
	assert_int_equal(command(more), 0);
	assert_int_equal(samples_in(db), 24 + 2000);
	assert_int_equal(umount(disk), 0);
}

/* An export that is imported into an empty database makes the same history. */
static void what_export_makes_is_the_same(void **state)
{
	const char *db = in_folder("one.db"), *again = in_folder("two.db");
	const char *lines = in_folder("export.jsonl");
	const char *const import[] = { "import", DATA, "--db", db, NULL };
	const char *const export[] = { "history", "export", "--db", db, "-o", lines, NULL };
	const char *const back[] = { "import", lines, "--db", again, NULL };
	struct stored_drive *ones = NULL, *twos = NULL;
	struct store *one = NULL, *two = NULL;
	struct diag d = { 0 };
	size_t n = 0, m = 0;

	(void)state;
	assert_int_equal(command(import), 0);
	assert_int_equal(command(export), 0);
	assert_int_equal(command(back), 0);
	assert_int_equal(store_open(db, STORE_READ, 0, &d, &one, NULL), 0);
	assert_int_equal(store_open(again, STORE_READ, 0, &d, &two, NULL), 0);
	assert_int_equal(store_drives(one, &d, &ones, &n), 0);
	assert_int_equal(store_drives(two, &d, &twos, &m), 0);
	assert_int_equal(n, 2);
	assert_int_equal(m, n);
	for (size_t i = 0; i < n; i++) {
		struct series a, b;

		series_init(&a);
		series_init(&b);
		assert_int_equal(store_series(one, ones[i].id, TIME_UNKNOWN, TIME_UNKNOWN, &d, &a),
				 0);
		assert_int_equal(store_series(two, twos[i].id, TIME_UNKNOWN, TIME_UNKNOWN, &d, &b),
				 0);
		assert_string_equal(ones[i].identity.serial, twos[i].identity.serial);
		assert_string_equal(ones[i].identity.path, twos[i].identity.path);
		assert_int_equal(a.nsamples, b.nsamples);
		assert_int_equal(a.nevents, b.nevents);
		for (size_t k = 0; k < a.nsamples; k++) {
			assert_int_equal(a.samples[k].time, b.samples[k].time);
			assert_int_equal(a.samples[k].has, b.samples[k].has);
			assert_int_equal(a.samples[k].live, b.samples[k].live);
			assert_memory_equal(a.samples[k].values, b.samples[k].values,
					    sizeof(a.samples[k].values));
		}
		for (size_t k = 0; k < a.nevents; k++) {
			assert_int_equal(a.events[k].time, b.events[k].time);
			assert_int_equal(a.events[k].kind, b.events[k].kind);
			assert_string_equal(a.events[k].text, b.events[k].text);
		}
		series_release(&a);
		series_release(&b);
	}
	free(ones);
	free(twos);
	store_close(&one);
	store_close(&two);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int drop_folder(void **state)
{
	char *const argv[] = { "rm", "-rf", folder, NULL };
	pid_t pid = fork();
	int status = 0;

	(void)state;
	if (!pid) {
		execvp(argv[0], argv);
		_exit(127);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0 ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_any_number),
		cmocka_unit_test(objects_of_many_lines),
		cmocka_unit_test(objects_of_any_length),
		cmocka_unit_test(folders_are_walked_without_circles),
		cmocka_unit_test(a_locked_database),
		cmocka_unit_test(a_corrupt_database),
		cmocka_unit_test(a_full_disk),
		cmocka_unit_test(what_export_makes_is_the_same),
	};

	return cmocka_run_group_tests_name("import", tests, make_folder, drop_folder);
}
