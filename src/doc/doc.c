/* SPDX-License-Identifier: MIT */
#include "doc/doc.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The sticky error of the tree lives in the root, which has no key of its own. */
static const char out_of_memory[] = "out of memory";

static struct doc *root_of(struct doc *node)
{
	while (node->parent)
		node = node->parent;
	return node;
}

static struct doc *add(struct doc *parent, const char *key, enum doc_kind kind)
{
	struct doc *node;

	if (!parent)
		return NULL;
	node = calloc(1, sizeof(*node));
	if (!node) {
		root_of(parent)->key = out_of_memory;
		return NULL;
	}
	node->kind = kind;
	node->key = key;
	node->parent = parent;
	if (parent->last)
		parent->last->next = node;
	else
		parent->first = node;
	parent->last = node;
	return node;
}

struct doc *doc_new(void)
{
	struct doc *root = calloc(1, sizeof(*root));

	if (root)
		root->kind = DOC_OBJECT;
	return root;
}

void doc_free(struct doc *root)
{
	struct doc *node = root;

	/* depth first without recursion: the leaves go, their parents become leaves */
	while (node) {
		struct doc *parent = node == root ? NULL : node->parent;

		if (node->first) {
			node = node->first;
			continue;
		}
		if (parent)
			parent->first = node->next;
		free(node->string);
		free(node);
		node = parent;
	}
}

void doc_release(struct doc **root)
{
	doc_free(*root);
}

struct doc *doc_object(struct doc *parent, const char *key)
{
	return add(parent, key, DOC_OBJECT);
}

struct doc *doc_array(struct doc *parent, const char *key)
{
	return add(parent, key, DOC_ARRAY);
}

void doc_null(struct doc *parent, const char *key)
{
	add(parent, key, DOC_NULL);
}

void doc_bool(struct doc *parent, const char *key, bool v)
{
	struct doc *node = add(parent, key, DOC_BOOL);

	if (node)
		node->boolean = v;
}

void doc_integer(struct doc *parent, const char *key, i128 v, enum unit unit)
{
	struct doc *node = add(parent, key, DOC_INTEGER);

	if (!node)
		return;
	node->integer = v;
	node->unit = unit;
}

void doc_real(struct doc *parent, const char *key, double v, unsigned digits)
{
	struct doc *node = add(parent, key, isfinite(v) ? DOC_REAL : DOC_NULL);

	if (!node)
		return;
	node->real = v;
	node->digits = (uint8_t)digits;
}

void doc_integer_if(struct doc *parent, const char *key, bool known, i128 v, enum unit unit)
{
	if (known)
		doc_integer(parent, key, v, unit);
	else
		doc_null(parent, key);
}

void doc_real_if(struct doc *parent, const char *key, bool known, double v, unsigned digits)
{
	if (known)
		doc_real(parent, key, v, digits);
	else
		doc_null(parent, key);
}

void doc_string(struct doc *parent, const char *key, const char *v)
{
	struct doc *node;

	if (!v || !*v) {
		doc_null(parent, key);
		return;
	}
	node = add(parent, key, DOC_STRING);
	if (!node)
		return;
	node->string = strdup(v);
	if (!node->string) {
		node->kind = DOC_NULL;
		root_of(parent)->key = out_of_memory;
	}
}

void doc_stringf(struct doc *parent, const char *key, const char *fmt, ...)
{
	char buf[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	doc_string(parent, key, buf);
}

int doc_error(const struct doc *root)
{
	return !root || root->key ? -ENOMEM : 0;
}

const struct doc *doc_get(const struct doc *object, const char *key)
{
	if (!object || object->kind != DOC_OBJECT)
		return NULL;
	for (const struct doc *m = object->first; m; m = m->next)
		if (m->key && strcmp(m->key, key) == 0)
			return m;
	return NULL;
}
