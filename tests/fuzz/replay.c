/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target without libFuzzer: every seed of tests/fuzz/seeds/<target>/ as it is, then a
 * bounded number of mutations of each, always the same ones. Prints TAP.
 *
 *   fuzz_target                 the run; REPLAY_MUTATIONS=N mutations in all (default 3000)
 *   fuzz_target FILE...         just these inputs
 *   fuzz_target -d SEED N       write the N-th mutation of a seed to standard output
 *
 * When the target dies, the last line on standard error is the command that writes the fatal input.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INPUT_MAX	  (1u << 20)
#define SECONDS_PER_INPUT 20 /* more is a hang, under a sanitizer and on a busy machine too */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

/* A report ends in SIGABRT, so that the handler below can name the input. */
const char *__asan_default_options(void)
{
	return "abort_on_error=1:detect_leaks=1";
}

const char *__ubsan_default_options(void)
{
	return "abort_on_error=1:print_stacktrace=1";
}

struct input {
	uint8_t bytes[INPUT_MAX];
	size_t len;
};

static struct input seed, mutant;
static char culprit[2 * PATH_MAX];

static const int fatal_signals[] = { SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGALRM };

static void name_culprit(int signal_number)
{
	(void)!write(STDERR_FILENO, culprit, strlen(culprit));
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

/* xorshift64*: Vigna, "An experimental exploration of Marsaglia's xorshift generators", 2016 */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

static size_t below(uint64_t *state, size_t bound)
{
	return bound ? (size_t)(next_random(state) % bound) : 0;
}

static void remove_bytes(struct input *in, size_t at, size_t n)
{
	memmove(in->bytes + at, in->bytes + at + n, in->len - at - n);
	in->len -= n;
}

static void repeat_bytes(struct input *in, size_t at, size_t n)
{
	if (n > INPUT_MAX - in->len)
		return;
	memmove(in->bytes + at + n, in->bytes + at, in->len - at);
	in->len += n;
}

static void insert_byte(struct input *in, size_t at, uint8_t value)
{
	if (in->len == INPUT_MAX)
		return;
	memmove(in->bytes + at + 1, in->bytes + at, in->len - at);
	in->bytes[at] = value;
	in->len++;
}

/* Bytes at which parsers turn: limits of integers, ends of strings, marks of JSON and of numbers.
 */
static const uint8_t telling_bytes[] = { 0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff, '"', '\\', '{', '[',
					 ']',  '}',  ',',  ':',	 '-',  '.',  'e', '0',	'9', '\n' };

static void mutate_once(struct input *in, uint64_t *state)
{
	size_t at = below(state, in->len);
	size_t run = in->len - at ? 1 + below(state, in->len - at > 64 ? 64 : in->len - at) : 0;

	switch (below(state, 7)) {
	case 0:
		if (in->len)
			in->bytes[at] ^= (uint8_t)(1u << below(state, 8));
		break;
	case 1:
		if (in->len)
			in->bytes[at] = telling_bytes[below(state, sizeof(telling_bytes))];
		break;
	case 2:
		in->len = at;
		break;
	case 3:
		if (in->len)
			remove_bytes(in, at, run > in->len - at ? in->len - at : run);
		break;
	case 4:
		if (in->len)
			repeat_bytes(in, at, run > in->len - at ? in->len - at : run);
		break;
	case 5:
		insert_byte(in, at, telling_bytes[below(state, sizeof(telling_bytes))]);
		break;
	default:
		memset(in->bytes + at, below(state, 2) ? 0xff : 0x00, run);
		break;
	}
}

static void mutate(const struct input *from, unsigned long number)
{
	uint64_t state = (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
	size_t times = 1 + below(&state, 4);

	memcpy(mutant.bytes, from->bytes, from->len);
	mutant.len = from->len;
	for (size_t i = 0; i < times; i++)
		mutate_once(&mutant, &state);
}

static int read_seed(const char *path)
{
	FILE *f = fopen(path, "rb");

	if (!f)
		return -errno;
	seed.len = fread(seed.bytes, 1, sizeof(seed.bytes), f);
	int err = ferror(f) ? -EIO : 0;
	fclose(f);
	return err;
}

/* A copy of exactly the input's size, so that the sanitizer sees a read past its end. */
static bool run_target(const struct input *in)
{
	uint8_t *copy = malloc(in->len ? in->len : 1);

	if (!copy)
		return false;
	memcpy(copy, in->bytes, in->len);
	alarm(SECONDS_PER_INPUT);
	LLVMFuzzerTestOneInput(copy, in->len);
	alarm(0);
	free(copy);
	return true;
}

static bool replay_seed(const char *program, const char *path, unsigned long mutations)
{
	if (read_seed(path) < 0)
		return false;
	snprintf(culprit, sizeof(culprit), "# the input: %s\n", path);
	if (!run_target(&seed))
		return false;
	for (unsigned long i = 0; i < mutations; i++) {
		snprintf(culprit, sizeof(culprit), "# the input: %s -d %s %lu\n", program, path, i);
		mutate(&seed, i);
		if (!run_target(&mutant))
			return false;
	}
	return true;
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int replay_all(const char *program, const char *target, unsigned long mutations)
{
	char dir[PATH_MAX], path[2 * PATH_MAX];
	struct dirent **entries = NULL;
	bool ok = true;

	snprintf(dir, sizeof(dir), "tests/fuzz/seeds/%s", target);
	int n = scandir(dir, &entries, visible, alphasort);
	if (n <= 0) {
		printf("1..1\nnot ok 1 - no seeds in %s\n", dir);
		return EXIT_FAILURE;
	}
	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, entries[i]->d_name);
		ok = ok && replay_seed(program, path, mutations / (unsigned long)n);
		free(entries[i]);
	}
	free(entries);
	printf("1..1\n%s 1 - %d seeds, %lu mutations\n", ok ? "ok" : "not ok", n, mutations);
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int dump_mutation(const char *path, unsigned long number)
{
	if (read_seed(path) < 0)
		return EXIT_FAILURE;
	mutate(&seed, number);
	return fwrite(mutant.bytes, 1, mutant.len, stdout) == mutant.len ? EXIT_SUCCESS
									 : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/');
	const char *target = slash ? slash + 1 : argv[0];
	const char *wanted = getenv("REPLAY_MUTATIONS");

	if (argc == 4 && strcmp(argv[1], "-d") == 0)
		return dump_mutation(argv[2], strtoul(argv[3], NULL, 10));

	for (size_t i = 0; i < sizeof(fatal_signals) / sizeof(fatal_signals[0]); i++)
		signal(fatal_signals[i], name_culprit);
	if (argc == 1)
		return replay_all(argv[0], target, wanted ? strtoul(wanted, NULL, 10) : 3000);

	for (int i = 1; i < argc; i++)
		if (!replay_seed(argv[0], argv[i], 0))
			return EXIT_FAILURE;
	return EXIT_SUCCESS;
}
