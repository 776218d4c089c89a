/* SPDX-License-Identifier: MIT */
#include "transport/scsi.h"

#include <errno.h>
#include <fcntl.h>
#include <scsi/sg_lib.h>
#include <scsi/sg_pt.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define TIMEOUT_SECONDS 60

/* Host byte of the Linux SCSI layer (include/scsi/scsi_status.h of the kernel). */
enum {
	DID_NO_CONNECT = 0x01,
	DID_BUS_BUSY = 0x02,
	DID_TIME_OUT = 0x03,
	DID_BAD_TARGET = 0x04,
	DID_ABORT = 0x05,
	DID_RESET = 0x08,
	DID_SOFT_ERROR = 0x0b,
	DID_IMM_RETRY = 0x0c,
	DID_REQUEUE = 0x0d,
};

struct scsi_node {
	struct transport base;
	struct sys *sys;
	int fd;
	char path[128];
};

static int kernel_error(const struct scsi_node *n, const struct request *req, int err,
			struct diag *d)
{
	switch (err) {
	case -EACCES:
	case -EPERM:
		return diag_fail(d, -EACCES,
				 "%s: the kernel refuses pass-through commands: the capability "
				 "CAP_SYS_RAWIO is needed (run as root)",
				 n->path);
	case -ENODEV:
	case -ENXIO:
		return diag_fail(d, -ENODEV, "%s: the disk is gone", n->path);
	case -EBUSY:
	case -EINTR:
		return diag_fail(d, -EAGAIN, "%s: %s: busy", n->path, req->what);
	case -EINVAL:
	case -ENOTTY:
		return diag_fail(d, -EOPNOTSUPP, "%s: takes no SCSI commands", n->path);
	default:
		return diag_fail(d, err, "%s: %s: %s", n->path, req->what, strerror(-err));
	}
}

static int host_error(const struct scsi_node *n, const struct request *req, int host,
		      struct diag *d)
{
	switch (host & 0xff) {
	case DID_NO_CONNECT:
	case DID_BAD_TARGET:
		return diag_fail(d, -ENODEV, "%s: %s: the disk does not answer any more", n->path,
				 req->what);
	case DID_TIME_OUT:
		return diag_fail(d, -ETIMEDOUT, "%s: %s: no answer in time", n->path, req->what);
	case DID_BUS_BUSY:
	case DID_ABORT:
	case DID_RESET:
	case DID_SOFT_ERROR:
	case DID_IMM_RETRY:
	case DID_REQUEUE:
		return diag_fail(d, -EAGAIN, "%s: %s: disturbed by a bus reset", n->path,
				 req->what);
	default:
		return diag_fail(d, -EIO, "%s: %s: transport error %02Xh", n->path, req->what,
				 host & 0xff);
	}
}

/* SPC-4, 4.5.6 and annex F. */
static int sense_error(const struct sense *s, const char **ret_text)
{
	switch (s->key) {
	case SENSE_NONE:
	case SENSE_RECOVERED:
		return 0;
	case SENSE_NOT_READY:
		if (s->asc == 0x04 && (s->ascq == 0x01 || s->ascq == 0x0a)) {
			*ret_text = "becoming ready";
			return -EAGAIN;
		}
		*ret_text = s->asc == 0x3a ? "no medium" : "not ready";
		return s->asc == 0x3a ? -ENOMEDIUM : -EIO;
	case SENSE_ILLEGAL_REQUEST:
		*ret_text = "not supported";
		return -EOPNOTSUPP;
	case SENSE_UNIT_ATTENTION:
		*ret_text = "unit attention";
		return -EAGAIN;
	case SENSE_ABORTED:
		*ret_text = "aborted";
		return -EIO;
	case SENSE_MEDIUM_ERROR:
		*ret_text = "medium error";
		return -EIO;
	case SENSE_HARDWARE_ERROR:
		*ret_text = "hardware error";
		return -EIO;
	default:
		*ret_text = "failed";
		return -EIO;
	}
}

static int status_error(const struct scsi_node *n, const struct request *req,
			const struct reply *reply, struct diag *d)
{
	const char *text = "";

	switch (reply->scsi_status) {
	case SAM_STAT_GOOD:
	case SAM_STAT_CONDITION_MET:
		return 0;
	case SAM_STAT_BUSY:
	case SAM_STAT_TASK_SET_FULL:
		return diag_fail(d, -EAGAIN, "%s: %s: busy", n->path, req->what);
	case SAM_STAT_RESERVATION_CONFLICT:
		return diag_fail(d, -EBUSY, "%s: %s: reserved by another host", n->path, req->what);
	case SAM_STAT_CHECK_CONDITION:
		if (!reply->sense.valid)
			return diag_fail(d, -EIO, "%s: %s: failed without sense data", n->path,
					 req->what);
		int err = sense_error(&reply->sense, &text);
		if (err < 0)
			return diag_fail(d, err, "%s: %s: %s (sense %X/%02X/%02X)", n->path,
					 req->what, text, reply->sense.key, reply->sense.asc,
					 reply->sense.ascq);
		return 0;
	default:
		return diag_fail(d, -EIO, "%s: %s: SCSI status %02Xh", n->path, req->what,
				 reply->scsi_status);
	}
}

static void prepare(struct sg_pt_base *pt, const struct request *req, uint8_t sense[SENSE_MAX])
{
	set_scsi_pt_cdb(pt, req->scsi.cdb, req->scsi.len);
	set_scsi_pt_sense(pt, sense, SENSE_MAX);
	if (req->direction == DATA_IN)
		set_scsi_pt_data_in(pt, req->data, (int)req->len);
	else if (req->direction == DATA_OUT)
		set_scsi_pt_data_out(pt, req->data, (int)req->len);
}

static int finish(const struct scsi_node *n, const struct request *req, struct sg_pt_base *pt,
		  const uint8_t *sense, struct reply *ret, struct diag *d)
{
	int resid = get_scsi_pt_resid(pt);
	int category = get_scsi_pt_result_category(pt);
	int sense_len = get_scsi_pt_sense_len(pt);

	if (category == SCSI_PT_RESULT_OS_ERR)
		return kernel_error(n, req, -get_scsi_pt_os_err(pt), d);
	if (category == SCSI_PT_RESULT_TRANSPORT_ERR)
		return host_error(n, req, get_scsi_pt_transport_err(pt), d);

	ret->len = resid <= 0 ? req->len : (size_t)resid >= req->len ? 0 : req->len - (size_t)resid;
	ret->scsi_status = (uint8_t)(get_scsi_pt_status_response(pt) & 0x7e);
	if (category == SCSI_PT_RESULT_SENSE && sense_len > 0)
		ret->sense = sense_decode(bytes_of(sense, (size_t)sense_len));
	return status_error(n, req, ret, d);
}

static int node_exec(struct transport *t, const struct request *req, struct reply *ret,
		     struct diag *d)
{
	const struct scsi_node *n = (const struct scsi_node *)t; /* base is the first member */
	uint8_t sense[SENSE_MAX] = { 0 };

	if (req->set != REQUEST_SCSI)
		return diag_fail(d, -EOPNOTSUPP, "%s: %s is no SCSI command", n->path, req->what);
	struct sg_pt_base *pt = construct_scsi_pt_obj_with_fd(n->fd, 0);
	if (!pt)
		return diag_fail(d, -ENOMEM, "out of memory");

	prepare(pt, req, sense);
	int seconds = req->timeout_seconds ? (int)req->timeout_seconds : TIMEOUT_SECONDS;
	int err = do_scsi_pt(pt, n->fd, seconds, 0);
	if (err < 0)
		err = kernel_error(n, req, err, d);
	else if (err > 0)
		err = diag_fail(d, err == SCSI_PT_DO_TIMEOUT ? -ETIMEDOUT : -EOPNOTSUPP,
				"%s: %s: could not be sent", n->path, req->what);
	else
		err = finish(n, req, pt, sense, ret, d);
	destruct_scsi_pt_obj(pt);
	return err;
}

static void node_close(struct transport *t)
{
	struct scsi_node *n = (struct scsi_node *)t;

	sys_close(n->sys, &n->fd);
	free(n);
}

static const struct transport_ops scsi_ops = { node_exec, node_close };

static int open_error(const char *path, int err, struct diag *d)
{
	switch (err) {
	case -EACCES:
	case -EPERM:
		return diag_fail(d, -EACCES,
				 "%s: permission denied: run as root (the group \"disk\" may open "
				 "it, but pass-through needs the capability CAP_SYS_RAWIO)",
				 path);
	case -ENODEV:
	case -ENXIO:
		return diag_fail(d, -ENODEV, "%s: the disk is gone", path);
	default:
		return diag_fail(d, err, "%s: %s", path, strerror(-err));
	}
}

int scsi_transport(struct sys *sys, const char *path, struct diag *d, struct transport **ret)
{
	/* non-blocking: opening must not wait for a medium or spin anything up */
	int fd = sys_open(sys, path, O_RDONLY | O_NONBLOCK);

	if (fd < 0)
		return open_error(path, fd, d);
	struct scsi_node *n = calloc(1, sizeof(*n));
	if (!n) {
		sys_close(sys, &fd);
		return diag_fail(d, -ENOMEM, "out of memory");
	}
	*n = (struct scsi_node){ .base.ops = &scsi_ops, .sys = sys, .fd = fd };
	text_copy(n->path, sizeof(n->path), path);
	*ret = &n->base;
	return 0;
}
