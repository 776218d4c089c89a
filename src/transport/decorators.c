/* SPDX-License-Identifier: MIT */
#include "transport/decorators.h"

#include <errno.h>
#include <stdlib.h>

/* What all decorators are made of; each kind uses the members that it needs. */
struct decorator {
	struct transport base;
	struct transport *inner;
	enum effect allowed;
	struct sys *sys;
	unsigned pauses;
	tell_fn *tell;
	void *arg;
	unsigned count, fail_at;
	int err;
	bool for_good;
};

static struct decorator *decorator(struct transport *t)
{
	return (struct decorator *)t; /* base is the first member */
}

static void decorator_close(struct transport *t)
{
	transport_close(&decorator(t)->inner);
	free(t);
}

static int decorate(struct decorator made, const struct transport_ops *ops, struct transport **ret)
{
	struct decorator *d = malloc(sizeof(*d));

	if (!d) {
		transport_close(&made.inner);
		return -ENOMEM;
	}
	*d = made;
	d->base.ops = ops;
	*ret = &d->base;
	return 0;
}

static int guard_exec(struct transport *t, const struct request *req, struct reply *ret,
		      struct diag *d)
{
	enum effect effect = request_effect(req);

	if (effect < req->effect)
		effect = req->effect;
	if (effect > decorator(t)->allowed)
		return diag_fail(d, -EPERM, "%s was refused: it is no read command", req->what);
	return transport_exec(decorator(t)->inner, req, ret, d);
}

static const struct transport_ops guard_ops = { guard_exec, decorator_close };

int guard_transport(struct transport *inner, enum effect allowed, struct transport **ret)
{
	return decorate((struct decorator){ .inner = inner, .allowed = allowed }, &guard_ops, ret);
}

static int retry_exec(struct transport *t, const struct request *req, struct reply *ret,
		      struct diag *d)
{
	static const unsigned pauses_ms[] = { 1000, 3000 };
	struct decorator *self = decorator(t);

	for (;;) {
		struct diag attempt = { 0 };
		int err = transport_exec(self->inner, req, ret, &attempt);
		if (err == -EAGAIN && self->pauses < ARRAY_SIZE(pauses_ms)) {
			struct sys *sys = self->sys;
			sys->ops->sleep(sys, pauses_ms[self->pauses++]);
			continue;
		}
		return err < 0 ? diag_fail(d, err, "%s", attempt.text) : 0;
	}
}

static const struct transport_ops retry_ops = { retry_exec, decorator_close };

int retry_transport(struct transport *inner, struct sys *sys, struct transport **ret)
{
	return decorate((struct decorator){ .inner = inner, .sys = sys }, &retry_ops, ret);
}

static int tell_exec(struct transport *t, const struct request *req, struct reply *ret,
		     struct diag *d)
{
	decorator(t)->tell(decorator(t)->arg, req);
	return transport_exec(decorator(t)->inner, req, ret, d);
}

static const struct transport_ops tell_ops = { tell_exec, decorator_close };

int tell_transport(struct transport *inner, tell_fn *tell, void *arg, struct transport **ret)
{
	return decorate((struct decorator){ .inner = inner, .tell = tell, .arg = arg }, &tell_ops,
			ret);
}

static int fault_exec(struct transport *t, const struct request *req, struct reply *ret,
		      struct diag *d)
{
	struct decorator *self = decorator(t);

	self->count++;
	if (self->count == self->fail_at || (self->for_good && self->count > self->fail_at))
		return diag_fail(d, self->err, "%s: fault number %u", req->what, self->fail_at);
	return transport_exec(self->inner, req, ret, d);
}

static const struct transport_ops fault_ops = { fault_exec, decorator_close };

int fault_transport(struct transport *inner, unsigned fail_at, int err, bool for_good,
		    struct transport **ret)
{
	return decorate(
		(struct decorator){
			.inner = inner, .fail_at = fail_at, .err = err, .for_good = for_good },
		&fault_ops, ret);
}
