/* SPDX-License-Identifier: MIT */
#include "cli/trace_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/times.h"
#include "cli/files.h"
#include "sys/unpack.h"

#define PART_BYTES ((size_t)64 << 10)

struct trace_file {
	const char *path, *name; /* name is for messages */
	struct trace_options options;
	struct sys sys;
	int fd;
	bool rewinds;
	uint64_t size;
	struct unpack *unpack;
	struct trace trace;
	uint8_t part[PART_BYTES]; /* unpacked, not pushed yet */
	size_t at, len;

	struct trace_map map;
	struct diag failure;
	uint64_t base_ns, last_ns; /* of the repetition that goes on; of the last request */
};

static void close_file(struct trace_file *f)
{
	unpack_free(f->unpack);
	f->unpack = NULL;
	file_close(&f->fd);
	f->fd = -1;
}

static int open_file(struct trace_file *f, struct diag *d)
{
	int64_t time;
	struct stat st;

	f->fd = file_open(f->path, d, &time);
	if (f->fd < 0)
		return f->fd;
	f->rewinds = time != TIME_UNKNOWN;
	f->size = f->rewinds && !fstat(f->fd, &st) ? (uint64_t)st.st_size : 0;
	f->at = f->len = 0;
	trace_start(&f->trace, f->name, &f->options);
	return unpack_new(&f->sys, f->fd, f->name, &f->unpack);
}

int trace_file_new(const char *path, const struct trace_options *options, struct diag *d,
		   struct trace_file **ret)
{
	CLEANUP(trace_file_release) struct trace_file *f = calloc(1, sizeof(*f));
	int r;

	if (!f)
		return -ENOMEM;
	f->path = path;
	f->name = strcmp(path, "-") ? path : "standard input";
	f->options = *options;
	f->fd = -1;
	r = sys_real(&f->sys, "");
	if (!r)
		r = open_file(f, d);
	if (r < 0)
		return r;
	*ret = f;
	f = NULL;
	return 0;
}

void trace_file_free(struct trace_file *f)
{
	if (!f)
		return;
	close_file(f);
	trace_map_release(&f->map);
	free(f);
}

void trace_file_release(struct trace_file **f)
{
	trace_file_free(*f);
}

bool trace_file_rewinds(const struct trace_file *f)
{
	return f->rewinds;
}

int trace_file_rewind(struct trace_file *f, struct diag *d)
{
	close_file(f);
	return open_file(f, d);
}

/* Push what is unpacked, and unpack more where nothing is left. */
static int feed(struct trace_file *f, struct diag *d)
{
	ssize_t n;

	if (f->at == f->len) {
		n = unpack_read(f->unpack, f->part, sizeof(f->part), d);
		if (n < 0)
			return (int)n;
		if (!n)
			trace_end(&f->trace);
		f->at = 0;
		f->len = (size_t)n;
	}
	f->at += trace_push(&f->trace, f->part + f->at, f->len - f->at);
	return 0;
}

int trace_file_next(struct trace_file *f, struct request *ret, struct diag *d)
{
	int r;

	for (;;) {
		r = trace_next(&f->trace, ret, d);
		if (r != -EAGAIN)
			return r;
		r = feed(f, d);
		if (r < 0)
			return r;
	}
}

/* --- in the model's places ---------------------------------------------------------------------
 */

void trace_file_map(struct trace_file *f, enum trace_mapping mapping, uint64_t capacity,
		    uint32_t page_bytes, uint32_t most)
{
	trace_map_release(&f->map);
	trace_map_start(&f->map, mapping, capacity, page_bytes, most);
}

int trace_file_touch(struct trace_file *f, const struct request *r)
{
	struct request part;
	int got = trace_map_take(&f->map, r);

	while (!got || got == 1)
		if ((got = trace_map_next(&f->map, &part)) == 0)
			return 0;
	return got;
}

uint32_t trace_file_touched(const struct trace_file *f)
{
	return f->map.n;
}

static int fail_mapping(struct trace_file *f, int err)
{
	if (err == -ENOMEM)
		return err;
	return diag_fail(&f->failure, -EINVAL, "%s:%llu: the file changed while it was read",
			 f->name, (unsigned long long)f->trace.counts.lines);
}

int trace_file_repeat(void *trace_file, struct request *ret)
{
	struct trace_file *f = trace_file;
	struct request raw;
	int r;

	for (;;) {
		r = trace_map_next(&f->map, ret);
		if (r < 0)
			return fail_mapping(f, r);
		if (r == 1)
			return 1;
		r = trace_file_next(f, &raw, &f->failure);
		if (!r) {
			if (!f->trace.counts.requests)
				return fail_mapping(f, -ENODATA);
			f->base_ns = f->last_ns;
			r = trace_file_rewind(f, &f->failure);
			if (r < 0)
				return r;
			continue;
		}
		if (r < 0)
			return r;
		raw.time_ns += f->base_ns;
		f->last_ns = raw.time_ns;
		r = trace_map_take(&f->map, &raw);
		if (r < 0)
			return fail_mapping(f, r);
	}
}

const struct diag *trace_file_failure(const struct trace_file *f)
{
	return &f->failure;
}

const struct trace *trace_file_trace(const struct trace_file *f)
{
	return &f->trace;
}

uint64_t trace_file_size(const struct trace_file *f)
{
	return f->size;
}

uint64_t trace_file_taken(const struct trace_file *f)
{
	return unpack_taken(f->unpack);
}
