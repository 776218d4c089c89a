/* SPDX-License-Identifier: MIT */
#include "transport/transport.h"

#include <stdlib.h>
#include <string.h>

#define PAGE 4096

int transport_exec(struct transport *t, const struct request *req, struct reply *ret,
		   struct diag *d)
{
	*ret = (struct reply){ 0 };
	return t->ops->exec(t, req, ret, d);
}

void transport_close(struct transport **t)
{
	if (*t)
		(*t)->ops->close(*t);
	*t = NULL;
}

void *transport_buffer(size_t len)
{
	size_t size = (len + PAGE - 1) / PAGE * PAGE;
	void *buf = aligned_alloc(PAGE, size ? size : PAGE);

	if (buf)
		memset(buf, 0, size);
	return buf;
}
