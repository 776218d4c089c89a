/* SPDX-License-Identifier: MIT */
#ifndef BASE_CLEANUP_H
#define BASE_CLEANUP_H

#include <stdlib.h>

/*
 * An owner is declared with CLEANUP(release_function); the function gets the address of the
 * variable when it goes out of scope. Ownership is handed over by clearing the variable.
 */
#define CLEANUP(fn)   __attribute__((cleanup(fn)))
#define MUST_USE      __attribute__((warn_unused_result))
#define PRINTF(f, a)  __attribute__((format(printf, f, a)))

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* For any pointer from malloc: CLEANUP(cleanup_free) char *s = NULL; */
static inline void cleanup_free(void *p)
{
	free(*(void **)p);
}

#endif
