/* SPDX-License-Identifier: MIT */
#include "device/kinds.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"

/* Beginnings of kernel names (Documentation/admin-guide/devices.txt of the kernel). */
static const struct {
	const char *prefix, *what;
} names[] = {
	{ "loop", "a loop device" },
	{ "zram", "compressed memory" },
	{ "ram", "a RAM disk" },
	{ "brd", "a RAM disk" },
	{ "dm-", "a device mapper volume" },
	{ "md", "a software RAID array" },
	{ "zd", "a ZFS volume" },
	{ "vd", "a virtual disk" },
	{ "xvd", "a virtual disk" },
	{ "nbd", "a network block device" },
	{ "rbd", "a Ceph volume" },
	{ "drbd", "a replicated volume" },
	{ "bcache", "a bcache volume" },
	{ "nullb", "a null block device" },
	{ "pmem", "persistent memory" },
	{ "mmcblk", "an eMMC or SD card" },
	{ "mtdblock", "raw flash" },
	{ "ublkb", "a user-space block device" },
	{ "sr", "an optical drive" },
	{ "fd", "a floppy drive" },
	{ "st", "a tape drive" },
};

const char *kind_of_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (text_starts_with(name, names[i].prefix))
			return names[i].what;
	return NULL;
}

static const struct pseudo_disk pseudo_disks[] = {
	/* RAID controllers; smartctl's -d types are documented in smartctl(8) */
	{ "AVAGO", "", "a RAID volume", "megaraid,N" },
	{ "BROADCOM", "", "a RAID volume", "megaraid,N" },
	{ "LSI", "MR", "a RAID volume", "megaraid,N" },
	{ "LSI", "MegaRAID", "a RAID volume", "megaraid,N" },
	{ "LSI", "Logical Volume", "a RAID volume", NULL },
	{ "MegaRAID", "", "a RAID volume", "megaraid,N" },
	{ "MEGARAID", "", "a RAID volume", "megaraid,N" },
	{ "DELL", "PERC", "a RAID volume", "megaraid,N" },
	{ "DELL", "BOSS", "a RAID volume", NULL },
	{ "Lenovo", "RAID", "a RAID volume", "megaraid,N" },
	{ "IBM", "ServeRAID", "a RAID volume", "megaraid,N" },
	{ "FTS", "PRAID", "a RAID volume", "megaraid,N" },
	{ "Intel", "RS", "a RAID volume", "megaraid,N" },
	{ "Cisco", "UCSC-", "a RAID volume", "megaraid,N" },
	{ "SMC", "SMC", "a RAID volume", "megaraid,N" },
	{ "HP", "LOGICAL VOLUME", "a RAID volume", "cciss,N" },
	{ "HPE", "LOGICAL VOLUME", "a RAID volume", "cciss,N" },
	{ "COMPAQ", "", "a RAID volume", "cciss,N" },
	{ "Adaptec", "", "a RAID volume", "aacraid,H,L,ID" },
	{ "ASR", "", "a RAID volume", "aacraid,H,L,ID" },
	{ "Areca", "", "a RAID volume", "areca,N" },
	{ "AMCC", "", "a RAID volume", "3ware,N" },
	{ "3ware", "", "a RAID volume", "3ware,N" },
	{ "HPT", "", "a RAID volume", "hpt,L/M/N" },
	/* machines that are not there */
	{ "QEMU", "QEMU", "a virtual disk of QEMU", NULL },
	{ "ATA", "VBOX", "a virtual disk of VirtualBox", NULL },
	{ "VBOX", "", "a virtual disk of VirtualBox", NULL },
	{ "ATA", "VMware", "a virtual disk of VMware", NULL },
	{ "VMware", "", "a virtual disk of VMware", NULL },
	{ "Msft", "", "a virtual disk of Hyper-V", NULL },
	{ "Google", "", "a virtual disk of Google's cloud", NULL },
	{ "Amazon", "", "a virtual disk of Amazon's cloud", NULL },
	{ "XENSRC", "", "a virtual disk of Xen", NULL },
	{ "Xen", "", "a virtual disk of Xen", NULL },
	{ "NUTANIX", "", "a virtual disk of Nutanix", NULL },
	{ "Linux", "scsi_debug", "a simulated disk", NULL },
	/* disks of storage arrays */
	{ "IET", "VIRTUAL-DISK", "an iSCSI virtual disk", NULL },
	{ "IET", "", "an iSCSI virtual disk", NULL },
	{ "LIO-ORG", "", "a disk of a Linux SCSI target", NULL },
	{ "SCST_", "", "a disk of a Linux SCSI target", NULL },
	{ "FreeNAS", "", "an iSCSI virtual disk", NULL },
	{ "TrueNAS", "", "an iSCSI virtual disk", NULL },
	{ "SYNOLOGY", "", "an iSCSI virtual disk", NULL },
	{ "QNAP", "iSCSI", "an iSCSI virtual disk", NULL },
	{ "OPNFILER", "", "an iSCSI virtual disk", NULL },
	{ "NETAPP", "LUN", "a volume of a storage array", NULL },
	{ "PURE", "", "a volume of a storage array", NULL },
	{ "EMC", "", "a volume of a storage array", NULL },
	{ "DGC", "", "a volume of a storage array", NULL },
	{ "3PARdata", "", "a volume of a storage array", NULL },
	{ "HITACHI", "OPEN-", "a volume of a storage array", NULL },
	{ "IBM", "2145", "a volume of a storage array", NULL },
	{ "Nimble", "", "a volume of a storage array", NULL },
	{ "DELL", "MD3", "a volume of a storage array", NULL },
	{ "HUAWEI", "XSG", "a volume of a storage array", NULL },
	/* not disks but what stands before them */
	{ "Generic-", "", "a card reader", NULL },
	{ "iDRAC", "", "a virtual disk of the management controller", NULL },
	{ "Linux", "File-Stor Gadget", "a USB gadget", NULL },
};

const struct pseudo_disk *pseudo_disk_find(const char *vendor, const char *model)
{
	for (size_t i = 0; i < ARRAY_SIZE(pseudo_disks); i++)
		if (text_starts_with(vendor, pseudo_disks[i].vendor) &&
		    text_starts_with(model, pseudo_disks[i].model))
			return &pseudo_disks[i];
	return NULL;
}

static const struct bridge bridges[] = {
	{ 0x174c, 0x1153, BRIDGE_SAT, "ASMedia ASM1153", NULL },
	{ 0x174c, 0x55aa, BRIDGE_SAT, "ASMedia ASM1051 family", NULL },
	{ 0x174c, 0x235c, BRIDGE_SAT, "ASMedia ASM235CM", NULL },
	{ 0x174c, 0x2362, BRIDGE_NVME, "ASMedia ASM2362", "sntasmedia" },
	{ 0x174c, 0x2364, BRIDGE_NVME, "ASMedia ASM2364", "sntasmedia" },
	{ 0x152d, 0x0562, BRIDGE_SAT, "JMicron JMS567", NULL },
	{ 0x152d, 0x0578, BRIDGE_SAT, "JMicron JMS578", NULL },
	{ 0x152d, 0x1561, BRIDGE_SAT, "JMicron JMS561", NULL },
	{ 0x152d, 0x0583, BRIDGE_NVME, "JMicron JMS583", "sntjmicron" },
	{ 0x152d, 0x0586, BRIDGE_NVME, "JMicron JMS586", "sntjmicron" },
	{ 0x152d, 0x2329, BRIDGE_OTHER, "JMicron JM20329", "usbjmicron" },
	{ 0x152d, 0x2336, BRIDGE_OTHER, "JMicron JM20336", "usbjmicron" },
	{ 0x152d, 0x2338, BRIDGE_OTHER, "JMicron JM20337/8", "usbjmicron" },
	{ 0x04b4, 0x6830, BRIDGE_OTHER, "Cypress CY7C68300", "usbcypress" },
	{ 0x0bda, 0x9210, BRIDGE_NVME, "Realtek RTL9210", "sntrealtek" },
	{ 0x0bda, 0x9211, BRIDGE_NVME, "Realtek RTL9211", "sntrealtek" },
	{ 0x2109, 0x0711, BRIDGE_SAT, "VIA VL711", NULL },
	{ 0x2109, 0x0715, BRIDGE_SAT, "VIA VL715", NULL },
	{ 0x2109, 0x0716, BRIDGE_SAT, "VIA VL716", NULL },
	{ 0x04e8, 0x61f3, BRIDGE_SAT, "Samsung T3", NULL },
	{ 0x04e8, 0x61f5, BRIDGE_SAT, "Samsung T5", NULL },
	{ 0x04e8, 0x4001, BRIDGE_NVME, "Samsung T7", "sntasmedia" },
};

const struct bridge *bridge_find(uint16_t vendor, uint16_t product)
{
	for (size_t i = 0; i < ARRAY_SIZE(bridges); i++)
		if (bridges[i].vendor == vendor && bridges[i].product == product)
			return &bridges[i];
	return NULL;
}
