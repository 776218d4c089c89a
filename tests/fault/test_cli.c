/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <locale.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/json.h"
#include "cli/run.h"
#include "lib/failing_memory.h"

/*
 * Memory runs out somewhere in a whole run of a command, once or for good: the run fails with exit
 * code 71 (3 for a verdict) and says why, or it prints the same answer, to the byte, as without the
 * failure. It never crashes, leaks, or succeeds with half an answer.
 */

#ifdef MEMORY_CANNOT_FAIL

int main(void)
{
	puts("1..0 # SKIP the sanitizer has an allocator of its own");
	return 0;
}

#else

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
/*
 * The C library's own regular expressions leak when their memory runs out, so here they run out as
 * a whole, and what they allocate is not counted.
 */
int regcomp(regex_t *regex, const char *pattern, int flags)
{
	static int (*real)(regex_t *, const char *, int);
	bool armed = memory.armed;
	int err;

	if (fails())
		return REG_ESPACE;
	memory.armed = false;
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "regcomp");
	err = real(regex, pattern, flags);
	memory.armed = armed;
	return err;
}

/* Under another name here, because the header's has a variable length array. */
int run_regex(const regex_t *regex, const char *s, size_t n, void *matches,
	      int flags) __asm__("regexec");

int run_regex(const regex_t *regex, const char *s, size_t n, void *matches, int flags)
{
	static int (*real)(const regex_t *, const char *, size_t, void *, int);
	bool armed = memory.armed;
	int err;

	if (fails())
		return REG_ESPACE;
	memory.armed = false;
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "regexec");
	err = real(regex, s, n, matches, flags);
	memory.armed = armed;
	return err;
}

void regfree(regex_t *regex)
{
	static void (*real)(regex_t *);
	bool armed = memory.armed;

	memory.armed = false;
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "regfree");
	real(regex);
	memory.armed = armed;
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

#define WORDS_MAX  12
#define ANSWER_MAX ((size_t)1 << 20)
#define RUNS	   60 /* failures tried a command and kind: they are spread over the whole run */

struct answer {
	int code;
	size_t len;
	char text[ANSWER_MAX];
	unsigned long calls;
	long left; /* allocations that were not freed */
};

static int out_fd, quiet_fd, loud_fd;

/* An answer's time differs between runs. */
static void forget_time(struct answer *a)
{
	static const char *const before[] = { "\"generated_at\"", "\"cpu_seconds\"",
					      "Date: ", "<time>" };

	for (size_t i = 0; i < ARRAY_SIZE(before); i++) {
		char *at = strstr(a->text, before[i]);

		if (at) {
			char *rest = at + strcspn(at + 1, "\n<") + 1;

			memmove(at, rest, strlen(rest) + 1);
		}
	}
}

static void run_once(const char *const *words, unsigned long fail_at, bool for_good,
		     struct answer *ret)
{
	char copies[WORDS_MAX][64], *argv[WORDS_MAX];
	struct context ctx;
	ssize_t n;
	int argc = 0;

	for (; words[argc]; argc++) {
		snprintf(copies[argc], sizeof(copies[argc]), "%s", words[argc]);
		argv[argc] = copies[argc];
	}
	assert_int_equal(ftruncate(out_fd, 0), 0);
	assert_int_equal(lseek(out_fd, 0, SEEK_SET), 0);
	memory.fail_at = fail_at;
	memory.for_good = for_good;
	memory.calls = 0;
	memory.live = 0;
	memory.armed = true;
	dup2(quiet_fd, STDERR_FILENO); /* what the runs complain about is not looked at */
	context_init(&ctx);
	ctx.out.fd = out_fd;
	ret->code = run_command_line(&ctx, argc, argv);
	context_release(&ctx);
	dup2(loud_fd, STDERR_FILENO);
	memory.armed = false;
	ret->calls = memory.calls;
	ret->left = memory.live;
	n = pread(out_fd, ret->text, ANSWER_MAX - 1, 0);
	ret->len = n > 0 ? (size_t)n : 0;
	ret->text[ret->len] = '\0';
}

/* Tell what went wrong, by a run whose complaints are shown. */
static void explain(const char *const *words, unsigned long at, bool for_good,
		    const struct answer *got)
{
	static struct answer again;
	int quiet = quiet_fd;

	print_error("%s: allocation %lu fails%s: exit code %d, %ld not freed\n", words[0], at,
		    for_good ? " for good" : "", got->code, got->left);
	quiet_fd = loud_fd;
	run_once(words, at, for_good, &again);
	quiet_fd = quiet;
}

static void check_command(const char *const *words, int fail_code)
{
	static struct answer whole, got;

	run_once(words, 0, false, &whole); /* libraries fill their caches */
	run_once(words, 0, false, &whole);
	assert_int_equal(whole.left, 0);
	assert_true(whole.len > 0 && whole.len < ANSWER_MAX - 1);
	forget_time(&whole);
	for (int for_good = 0; for_good < 2; for_good++) {
		unsigned long step = whole.calls / RUNS + 1;

		for (unsigned long at = 1; at <= whole.calls; at += step) {
			run_once(words, at, for_good != 0, &got);
			forget_time(&got);
			if (!got.left && (got.code == fail_code || got.code == EX_OSERR))
				continue;
			if (got.left || got.code != whole.code || strcmp(got.text, whole.text) != 0)
				explain(words, at, for_good != 0, &got);
			assert_int_equal(got.left, 0);
			assert_int_equal(got.code, whole.code);
			assert_string_equal(got.text, whole.text);
		}
	}
}

#define NVME	   "examples/datacenter-nvme.json"
#define SATA	   "examples/usb-sata.json"

static void a_command_fails_whole_or_answers_whole(void **state)
{
	static const char *const lines[][WORDS_MAX] = {
		{ "list", "--from", NVME, "--from", SATA },
		{ "show", "--from", SATA, "--json" },
		{ "life", "--from", SATA },
		{ "life", "--from", NVME, "--format", "csv" },
		{ "report", "--from", NVME, "--from", SATA },
		{ "report", "--from", NVME, "--html", "-" },
		{ "report", "--from", SATA, "--mail" },
		{ "capture", "--from", SATA },
		{ "db", "show", "Samsung SSD 860 EVO 500GB" },
		{ "help", "life" },
		{ "help", "limits" },
		{ "simulate", "--logical-pages", "4000", "--writes", "9000", "--json" },
		{ "simulate", "--logical-pages", "4000", "--policy", "cost-benefit", "--workload",
		  "zipf:1", "--writes", "9000", "--format", "csv" },
		{ "simulate", "--logical-pages", "4000", "--ties", "random", "--pe", "9",
		  "--until-death", "--json" },
		{ "simulate", "--logical-pages", "4000", "--engine", "pages", "--refresh-age",
		  "5000", "--writes", "9000", "--json" },
		{ "simulate", "--analytic", "--policy", "choices:3", "--json" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		check_command(lines[i], EX_OSERR);
}

/* An import that fails has taken nothing halfway: the next one says the same as before. */
static void a_history_survives(void **state)
{
	char folder[] = "/tmp/nandlife-cli-XXXXXX", db[64], wal[80], shm[80];
	const char *const lines[][WORDS_MAX] = {
		{ "import", "tests/data/history.jsonl", "--db", db },
		{ "history", "EXAMPLE-ATA-1", "--db", db },
		{ "history", "EXAMPLE-NVME-1", "--db", db, "--json" },
		{ "history", "EXAMPLE-NVME-1", "--db", db, "--plot" },
		{ "history", "--db", db, "--format", "csv" },
		{ "life", "--db", db, "--at", "2024-01-20" },
		{ "life", "--db", db, "--at", "2024-01-20", "--json" },
		{ "history", "redecode", "--db", db },
		{ "history", "prune", "--dry-run", "--db", db },
	};

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(db, sizeof(db), "%s/h.db", folder);
	snprintf(wal, sizeof(wal), "%s-wal", db);
	snprintf(shm, sizeof(shm), "%s-shm", db);
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		check_command(lines[i], EX_OSERR);
	unlink(db);
	unlink(wal);
	unlink(shm);
	rmdir(folder);
}

/* A signal that came before the first step: what is known is a whole answer that says so. */
static void a_signal_stops_a_simulation(void **state)
{
	static const char *const lines[][WORDS_MAX] = {
		{ "simulate", "--json" },
		{ "simulate", "--until-death", "--pe", "100000", "--json" },
	};
	static struct answer got;
	sigset_t set, old;

	(void)state;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		cJSON *json;

		sigprocmask(SIG_BLOCK, &set, &old);
		raise(SIGINT);
		run_once(lines[i], 0, false, &got);
		sigprocmask(SIG_SETMASK, &old, NULL); /* it was taken, or this ends the test */
		assert_int_equal(got.code, 0);
		assert_int_equal(got.left, 0);
		json = cJSON_ParseWithOpts(got.text, NULL, true);
		assert_non_null(json);
		assert_non_null(strstr(cJSON_GetStringValue(cJSON_GetObjectItem(json, "stopped")),
				       "signal"));
		cJSON_Delete(json);
	}
}

static void no_verdict_is_unknown(void **state)
{
	static const char *const words[] = { "health", "--from", NVME, NULL };

	(void)state;
	check_command(words, EXIT_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_fails_whole_or_answers_whole),
		cmocka_unit_test(a_history_survives),
		cmocka_unit_test(no_verdict_is_unknown),
		cmocka_unit_test(a_signal_stops_a_simulation),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	out_fd = memfd_create("answer", MFD_CLOEXEC);
	quiet_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	loud_fd = dup(STDERR_FILENO);
	if (out_fd < 0 || quiet_fd < 0 || loud_fd < 0)
		return 1;
	return cmocka_run_group_tests_name("cli", tests, NULL, NULL);
}

#endif
