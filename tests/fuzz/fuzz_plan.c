/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a drive's answers to what it is asked: the plan ends after a bounded number of
 * commands, sends only what reads, and leaves a state and, where it read nothing, a reason.
 */
#include <errno.h>
#include <string.h>

#include "device/capture.h"
#include "transport/decorators.h"

#define COMMANDS_MAX 400

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct liar {
	struct transport base;
	struct bytes input;
	size_t at;
	unsigned commands;
};

static uint8_t next(struct liar *l)
{
	return l->at < l->input.len ? l->input.data[l->at++] : 0;
}

/* One byte of input says how a command ends; data and registers follow. */
static int liar_exec(struct transport *t, const struct request *req, struct reply *ret,
		     struct diag *d)
{
	static const int errors[] = { -EIO,    -EOPNOTSUPP, -EAGAIN, -ENODATA,
				      -ENODEV, -EACCES,	    -EBUSY,  -ETIMEDOUT };
	struct liar *l = (struct liar *)t;
	uint8_t how = next(l);

	if (++l->commands > COMMANDS_MAX || request_effect(req) != EFFECT_READ)
		__builtin_trap();
	if (how >= 0xf0)
		return diag_fail(d, errors[how & 7], "%s failed", req->what);
	ret->len = how < 0x20 ? req->len * how / 0x20 : req->len;
	size_t have = l->input.len - l->at, n = ret->len < have ? ret->len : have;
	if (n && req->data)
		memcpy(req->data, l->input.data + l->at, n);
	l->at += n;
	ret->sense = (struct sense){ .valid = true, .has_registers = true };
	ret->sense.ata.count = how;
	ret->sense.ata.lba = (uint64_t)how << 8;
	return 0;
}

static void liar_close(struct transport *t)
{
	(void)t;
}

static const struct transport_ops liar_ops = { liar_exec, liar_close };

static void no_sleep(struct sys *s, unsigned ms)
{
	(void)s;
	(void)ms;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum access accesses[] = { ACCESS_NVME, ACCESS_ATA, ACCESS_USB, ACCESS_SCSI };
	struct liar liar = { .base.ops = &liar_ops, .input = bytes_of(data, size) };
	struct read_options options = { 0 };
	struct device device = { .name = "none", .path = "/dev/none", .sysfs = "/none" };
	struct sys_ops ops;
	struct snapshot s;
	struct sys sys;

	if (size == 0 || sys_real(&sys, "/") < 0)
		return 0;
	ops = *sys.ops;
	ops.sleep = no_sleep;
	sys.ops = &ops;
	uint8_t flags = next(&liar);
	device.access = accesses[flags & 3];
	options.events = flags & 4;
	options.wake = flags & 8;
	snapshot_init(&s);
	struct capture c = {
		.sys = &sys, .device = &device, .options = &options, .t = &liar.base, .s = &s
	};
	int err = capture_over(&c);
	if (err < 0 && s.nproblems == 0 && err != -E2BIG)
		__builtin_trap();
	if (s.state != DRIVE_READ && s.state != DRIVE_STANDBY && s.nproblems == 0)
		__builtin_trap();
	snapshot_release(&s);
	return 0;
}
