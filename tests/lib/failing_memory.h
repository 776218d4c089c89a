/* SPDX-License-Identifier: MIT */
#ifndef LIB_FAILING_MEMORY_H
#define LIB_FAILING_MEMORY_H

#include <stdbool.h>
#include <stdlib.h>

/*
 * An allocator that fails on demand, for one test program that includes this once: from
 * `memory.armed = true` on, allocation number `fail_at` fails (with all later ones, if for_good is
 * set; 0 only counts), and `live` tells how many allocations are left over. A sanitizer has an
 * allocator of its own: MEMORY_CANNOT_FAIL is defined then, and nothing else.
 */
#if defined(__SANITIZE_ADDRESS__)
#define MEMORY_CANNOT_FAIL 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MEMORY_CANNOT_FAIL 1
#endif
#endif

#ifndef MEMORY_CANNOT_FAIL

/* This program's allocator stands before the C library's in every call of every library. */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void __libc_free(void *p);

static struct {
	bool armed, for_good;
	unsigned long calls, fail_at;
	long live;
} memory;

static bool fails(void)
{
	if (!memory.armed)
		return false;
	memory.calls++;
	if (!memory.fail_at)
		return false;
	return memory.for_good ? memory.calls >= memory.fail_at : memory.calls == memory.fail_at;
}

static void *counted(void *p)
{
	memory.live += memory.armed && p;
	return p;
}

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
void *malloc(size_t n)
{
	return fails() ? NULL : counted(__libc_malloc(n));
}

void *calloc(size_t n, size_t size)
{
	return fails() ? NULL : counted(__libc_calloc(n, size));
}

void *realloc(void *p, size_t n)
{
	if (!p)
		return malloc(n);
	return fails() ? NULL : __libc_realloc(p, n);
}

void free(void *p)
{
	memory.live -= memory.armed && p;
	__libc_free(p);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

#endif
#endif
