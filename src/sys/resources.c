/* SPDX-License-Identifier: MIT */
#include "sys/resources.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/units.h"

#define HUGE_PAGE ((size_t)2 << 20)

/* Small arrays share pages; from here on they get their own. */
#define MAPPED_LEAST HUGE_PAGE

void *resources_get(void *owner, size_t bytes)
{
	void *memory;

	(void)owner;
	if (bytes < MAPPED_LEAST)
		return calloc(bytes ? bytes : 1, 1);
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return NULL;
	/* advice: slower without */
	(void)!madvise(memory, bytes, MADV_HUGEPAGE);
	return memory;
}

void resources_put(void *owner, void *memory, size_t bytes)
{
	(void)owner;
	if (bytes < MAPPED_LEAST)
		free(memory);
	else
		munmap(memory, bytes);
}

uint64_t resources_available(struct sys *sys)
{
	static const char name[] = "MemAvailable:";
	CLEANUP(cleanup_free) char *text = NULL;
	u128 kib = 0;
	const char *at;
	size_t n;

	if (sys_read_file(sys, "/proc/meminfo", SYS_FILE_MAX, &text, &n) < 0)
		return 0;
	at = strstr(text, name);
	if (!at)
		return 0;
	at += sizeof(name) - 1;
	at += strspn(at, " \t");
	if (parse_grouped(at, &kib, NULL) < 0 || kib > UINT64_MAX / 1024)
		return 0;
	return (uint64_t)kib * 1024;
}

unsigned resources_processors(void)
{
	cpu_set_t set;
	int n = 0;

	if (!sched_getaffinity(0, sizeof(set), &set))
		n = CPU_COUNT(&set);
	return n > 0 ? (unsigned)n : 1;
}

double resources_cpu_seconds(void)
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
