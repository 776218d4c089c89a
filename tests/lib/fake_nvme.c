/* SPDX-License-Identifier: MIT */
#include <linux/nvme_ioctl.h>
#include <string.h>

#include "lib/fake_ioctl.h"

enum {
	STATUS_INVALID_OPCODE = 0x4001,
	STATUS_INVALID_FIELD = 0x4002,
	STATUS_SEQUENCE_ERROR = 0x400c,
	STATUS_NOT_READY = 0x0082,
	STATUS_INVALID_LOG = 0x4109,
};

static int refuse(struct fake_drive *drive, struct fake_command *c, int status)
{
	drive->refusals++;
	c->refused = true;
	return status;
}

static int give(struct fake_drive *drive, struct fake_command *c, const struct fake_page *page,
		uint64_t offset, void *to, size_t len, int otherwise)
{
	if (!page)
		return refuse(drive, c, otherwise);
	if (offset > page->len)
		return refuse(drive, c, STATUS_INVALID_FIELD);
	memset(to, 0, len);
	memcpy(to, page->bytes + offset, len < page->len - offset ? len : page->len - offset);
	return 0;
}

/* Log 0Dh outside a reporting context, or a second context: command sequence error. */
static int events_context(struct fake_drive *drive, struct fake_command *c)
{
	unsigned action = c->cdw10 >> 8 & 3;
	bool held = drive->events_context;

	if ((action == 0 && !held) || (action == 1 && held))
		return refuse(drive, c, STATUS_SEQUENCE_ERROR);
	drive->events_context = action == 1 || (action == 0 && held);
	return 0;
}

int fake_nvme_admin(struct fake_drive *drive, void *command)
{
	struct nvme_admin_cmd *cmd = command;
	struct fake_command *c = fake_note(drive);
	void *to = (void *)(uintptr_t)cmd->addr; /* NOLINT(performance-no-int-to-ptr): the ABI */

	*c = (struct fake_command){ .code = cmd->opcode,
				    .nsid = cmd->nsid,
				    .cdw10 = cmd->cdw10,
				    .cdw11 = cmd->cdw11,
				    .len = cmd->data_len };
	if (drive->busy_commands) {
		drive->busy_commands--;
		return STATUS_NOT_READY;
	}
	if (cmd->opcode == 0x06)
		return give(drive, c, fake_find(drive, FAKE_IDENTIFY, cmd->cdw10 & 0xff, cmd->nsid),
			    0, to, cmd->data_len, STATUS_INVALID_FIELD);
	if (cmd->opcode != 0x02)
		return refuse(drive, c, STATUS_INVALID_OPCODE);
	if ((cmd->cdw10 & 0xff) == 0x0d) {
		int status = events_context(drive, c);
		if (status)
			return status;
	}
	uint64_t offset = cmd->cdw12 | (uint64_t)cmd->cdw13 << 32;
	return give(drive, c, fake_find(drive, FAKE_LOG, cmd->cdw10 & 0xff, cmd->cdw11 >> 16),
		    offset, to, cmd->data_len, STATUS_INVALID_LOG);
}

struct fake_drive *fake_nvme(const char *node, uint32_t version)
{
	struct fake_drive *drive = fake_add(FAKE_NVME, node);
	uint8_t *id = fake_page(drive, FAKE_IDENTIFY, 1, 0, 4096);

	fake_text(id + 4, "SERIAL1", 20);
	fake_text(id + 24, "FAKE NVME SSD", 40);
	fake_text(id + 64, "FW01", 8);
	fake_put(id, 80, 4, version);
	id[261] = 1 << 2; /* logs in parts */
	id[262] = 63;	  /* 64 error entries */
	fake_put(id, 516, 4, 1);
	fake_put(fake_page(drive, FAKE_IDENTIFY, 0, 1, 4096), 0, 8, 1000215216);
	fake_put(fake_page(drive, FAKE_IDENTIFY, 2, 0, 4096), 0, 4, 1);
	if (version >= 0x010300)
		fake_page(drive, FAKE_IDENTIFY, 3, 1, 4096);
	fake_page(drive, FAKE_LOG, 1, 0, 4096);
	uint8_t *smart = fake_page(drive, FAKE_LOG, 2, 0, 512);
	fake_put(smart, 1, 2, 310);
	smart[3] = 100;
	smart[4] = 10;
	smart[5] = 7;
	fake_page(drive, FAKE_LOG, 3, 0, 512);
	return drive;
}
