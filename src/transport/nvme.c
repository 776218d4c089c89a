/* SPDX-License-Identifier: MIT */
#include "transport/nvme.h"

#include <errno.h>
#include <fcntl.h>
#include <libnvme.h>
#include <string.h>

#include "base/text.h"

struct nvme_node {
	struct transport base;
	struct sys *sys;
	int fd;
	char path[128];
};

struct status_row {
	uint16_t status;
	int err;
	const char *text;
};

static const struct status_row statuses[] = {
	{ 0x001, -EOPNOTSUPP, "invalid command opcode" },
	{ 0x002, -EOPNOTSUPP, "invalid field in command" },
	{ 0x004, -EIO, "data transfer error" },
	{ 0x005, -EIO, "aborted because of power loss" },
	{ 0x006, -EIO, "internal error" },
	{ 0x007, -EAGAIN, "aborted by request" },
	{ 0x00b, -EOPNOTSUPP, "invalid namespace or format" },
	{ 0x00c, -EBUSY, "command sequence error" },
	{ 0x013, -EIO, "PRP offset invalid" },
	{ 0x01c, -EIO, "the last sanitize operation failed" },
	{ 0x01d, -EBUSY, "sanitize in progress" },
	{ 0x021, -EAGAIN, "command interrupted" },
	{ 0x022, -EAGAIN, "transient transport error" },
	{ 0x024, -EAGAIN, "admin command media not ready" },
	{ 0x082, -EAGAIN, "namespace not ready" },
	{ 0x084, -EBUSY, "format in progress" },
	{ 0x109, -EOPNOTSUPP, "invalid log page" },
	{ 0x11d, -EBUSY, "self-test in progress" },
	{ 0x286, -EACCES, "access denied" },
	{ 0x301, -EAGAIN, "path: access persistently lost" },
	{ 0x302, -EAGAIN, "path: inaccessible" },
	{ 0x303, -EAGAIN, "path: in transition" },
	{ 0x370, -EIO, "path: host pathing error" },
	{ 0x371, -EIO, "path: aborted by host" },
};

static const struct status_row *find_status(uint16_t status)
{
	for (size_t i = 0; i < ARRAY_SIZE(statuses); i++)
		if (statuses[i].status == status)
			return &statuses[i];
	return NULL;
}

const char *nvme_status_text(uint16_t status)
{
	const struct status_row *row = find_status(status);

	return row ? row->text : status >> 8 == 7 ? "vendor specific status" : "unknown status";
}

static int status_error(uint16_t status)
{
	const struct status_row *row = find_status(status);

	return row ? row->err : -EIO;
}

/*
 * What the kernel says where no answer of the controller is there (drivers/nvme/host/ioctl.c):
 * EINTR for a command that a reset cut off, EAGAIN while the controller is not live.
 */
static int kernel_error(const struct nvme_node *n, const struct request *req, int err,
			struct diag *d)
{
	switch (err) {
	case -EACCES:
	case -EPERM:
		return diag_fail(d, -EACCES,
				 "%s: the kernel refuses admin commands: the capability "
				 "CAP_SYS_ADMIN is needed (run as root)",
				 n->path);
	case -EINTR:
	case -EAGAIN:
		return diag_fail(d, -EAGAIN, "%s: %s: the controller is being reset", n->path,
				 req->what);
	case -ENODEV:
	case -ENXIO:
		return diag_fail(d, -ENODEV, "%s: the controller is gone", n->path);
	default:
		return diag_fail(d, err, "%s: %s: %s", n->path, req->what, strerror(-err));
	}
}

static int send_log(const struct nvme_node *n, const struct request *req, uint32_t *result)
{
	const struct nvme_command *c = &req->nvme;
	struct nvme_get_log_args args = {
		.args_size = sizeof(args),
		.fd = n->fd,
		.timeout = req->timeout_seconds * 1000,
		.result = result,
		.lid = (enum nvme_cmd_get_log_lid)c->lid,
		.lsp = c->lsp,
		.lsi = c->lsi,
		.lpo = c->offset,
		.nsid = c->nsid,
		.csi = NVME_CSI_NVM,
		.uuidx = NVME_UUID_NONE,
		.rae = !c->clears_events,
		.log = req->data,
		.len = (uint32_t)req->len,
	};

	return nvme_get_log(&args);
}

static int send_identify(const struct nvme_node *n, const struct request *req, uint32_t *result)
{
	struct nvme_identify_args args = {
		.args_size = sizeof(args),
		.fd = n->fd,
		.timeout = req->timeout_seconds * 1000,
		.result = result,
		.cns = (enum nvme_identify_cns)req->nvme.cns,
		.nsid = req->nvme.nsid,
		.csi = NVME_CSI_NVM,
		.cntid = NVME_CNTLID_NONE,
		.uuidx = NVME_UUID_NONE,
		.data = req->data,
	};

	return nvme_identify(&args);
}

static int send_other(const struct nvme_node *n, const struct request *req, uint32_t *result)
{
	const struct nvme_command *c = &req->nvme;

	return nvme_admin_passthru(n->fd, c->opcode, 0, 0, c->nsid, 0, 0, c->cdw[0], c->cdw[1],
				   c->cdw[2], c->cdw[3], c->cdw[4], c->cdw[5], (uint32_t)req->len,
				   req->data, 0, NULL, req->timeout_seconds * 1000, result);
}

static int node_exec(struct transport *t, const struct request *req, struct reply *ret,
		     struct diag *d)
{
	const struct nvme_node *n = (const struct nvme_node *)t; /* base is the first member */
	uint32_t result = 0;
	int status;

	if (req->set != REQUEST_NVME)
		return diag_fail(d, -EOPNOTSUPP, "%s: %s is no NVMe command", n->path, req->what);

	errno = 0;
	if (req->nvme.opcode == nvme_admin_get_log_page)
		status = send_log(n, req, &result);
	else if (req->nvme.opcode == nvme_admin_identify)
		status = send_identify(n, req, &result);
	else
		status = send_other(n, req, &result);
	if (status < 0)
		return kernel_error(n, req, errno ? -errno : -EIO, d);

	ret->nvme_result = result;
	ret->nvme_status = (uint16_t)(status & 0x7ff); /* without "more" and "do not retry" */
	if (ret->nvme_status)
		return diag_fail(d, status_error(ret->nvme_status), "%s: %s: %s (status %03Xh)",
				 n->path, req->what, nvme_status_text(ret->nvme_status),
				 ret->nvme_status);
	ret->len = req->len;
	return 0;
}

static void node_close(struct transport *t)
{
	struct nvme_node *n = (struct nvme_node *)t;

	sys_close(n->sys, &n->fd);
	free(n);
}

static const struct transport_ops nvme_ops = { node_exec, node_close };

static int open_error(const char *path, int err, struct diag *d)
{
	switch (err) {
	case -EACCES:
	case -EPERM:
		return diag_fail(d, -EACCES,
				 "%s: permission denied: NVMe admin commands need root "
				 "(the capability CAP_SYS_ADMIN)",
				 path);
	case -EAGAIN:
		return diag_fail(d, err, "%s: the controller is not live (reset or reconnecting)",
				 path);
	case -ENODEV:
	case -ENXIO:
		return diag_fail(d, -ENODEV, "%s: the controller is gone", path);
	default:
		return diag_fail(d, err, "%s: %s", path, strerror(-err));
	}
}

int nvme_transport(struct sys *sys, const char *path, struct diag *d, struct transport **ret)
{
	int fd = sys_open(sys, path, O_RDONLY);

	if (fd < 0)
		return open_error(path, fd, d);
	struct nvme_node *n = calloc(1, sizeof(*n));
	if (!n) {
		sys_close(sys, &fd);
		return diag_fail(d, -ENOMEM, "out of memory");
	}
	*n = (struct nvme_node){ .base.ops = &nvme_ops, .sys = sys, .fd = fd };
	text_copy(n->path, sizeof(n->path), path);
	*ret = &n->base;
	return 0;
}
