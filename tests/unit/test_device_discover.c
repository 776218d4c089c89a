/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "device/discover.h"
#include "lib/fake_drive.h"
#include "lib/tree.h"

#define PCI "/sys/devices/pci0000:00"

static struct tree tree;
static struct device_list list;

static int set_up(void **state)
{
	(void)state;
	tree_init(&tree);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	device_list_release(&list);
	tree_remove(&tree);
	return 0;
}

static const struct device *discover(const char *name)
{
	struct diag d = { 0 };

	device_list_release(&list);
	assert_int_equal(devices_discover(&tree.sys, &d, &list), 0);
	for (size_t i = 0; i < list.n; i++)
		if (!strcmp(list.items[i].name, name))
			return &list.items[i];
	return NULL;
}

static const struct snapshot_path *path_of(const struct device *device, const char *node)
{
	for (size_t i = 0; i < device->npaths; i++)
		if (!strcmp(device->paths[i].node, node))
			return &device->paths[i];
	return NULL;
}

static void a_machine_without_drives_has_none(void **state)
{
	(void)state;
	assert_null(discover("nvme0"));
	assert_int_equal(list.n, 0);
}

static void an_nvme_drive_is_known_by_its_controller(void **state)
{
	const char *folder = PCI "/0000:00:01.0/0000:01:00.0/nvme/nvme0";
	const struct device *device;

	(void)state;
	tree_nvme(&tree, folder, "SAMSUNG MZQL21T9HCJR-00A07", "S64GNE0R123456");
	tree_nvme_namespace(&tree, folder, "nvme0n2", 2);
	tree_link(&tree, "/dev/disk/by-id/nvme-eui.36344730523123450025384100000001",
		  "/dev/nvme0n1");
	tree_link(&tree, "/dev/disk/by-id/nvme-SAMSUNG_MZQL21T9HCJR-00A07_S64GNE0R123456_1",
		  "/dev/nvme0n1");
	tree_link(&tree, "/dev/disk/by-id/nvme-SAMSUNG_MZQL21T9HCJR-00A07_S64GNE0R123456",
		  "/dev/nvme0n1");
	tree_text(&tree, "0000:01:00", "/sys/bus/pci/slots/3/address");
	tree_text(&tree, "0000:02:00", "/sys/bus/pci/slots/4/address");
	device = discover("nvme0");
	assert_non_null(device);
	assert_int_equal(list.n, 1);
	assert_string_equal(device->path, "/dev/nvme0");
	assert_int_equal(device->access, ACCESS_NVME);
	assert_string_equal(device->model, "SAMSUNG MZQL21T9HCJR-00A07");
	assert_string_equal(device->serial, "S64GNE0R123456");
	assert_string_equal(device->by_id,
			    "/dev/disk/by-id/nvme-SAMSUNG_MZQL21T9HCJR-00A07_S64GNE0R123456");
	assert_string_equal(device->location, "PCI 0000:01:00.0, slot 3");
	assert_string_equal(device->transport, "pcie");
	assert_string_equal(device->skip, "");
	assert_int_equal(device->rotational, 0);
	assert_true(device->bytes == 2 * UINT64_C(512110190592));
	assert_int_equal(device->block_bytes, 512);
	assert_int_equal(device->nnamespaces, 2);
	assert_int_equal(device->namespaces[1], 2);
	assert_non_null(path_of(device, "/dev/nvme0n2"));
}

static void make_multipath(void)
{
	const char *a = PCI "/0000:01:00.0/nvme/nvme0", *b = PCI "/0000:02:00.0/nvme/nvme1";
	const char *s = "/sys/devices/virtual/nvme-subsystem/nvme-subsys0";

	tree_nvme_controller(&tree, a, "DUAL PORT", "DP1");
	tree_nvme_controller(&tree, b, "DUAL PORT", "DP1");
	tree_text(&tree, "1", PCI "/0000:01:00.0/nvme/nvme0/nvme0c0n1/hidden");
	tree_text(&tree, "1", PCI "/0000:02:00.0/nvme/nvme1/nvme0c1n1/hidden");
	tree_nvme_namespace(&tree, s, "nvme0n1", 1);
	tree_link(&tree, "/sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0", a);
	tree_link(&tree, "/sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme1", b);
	tree_link(&tree, "/sys/class/nvme-subsystem/nvme-subsys0", s);
}

static void a_drive_with_two_controllers_is_one_drive(void **state)
{
	const struct device *device;

	(void)state;
	make_multipath();
	device = discover("nvme0");
	assert_int_equal(list.n, 1);
	assert_int_equal(device->nnamespaces, 1);
	assert_true(device->bytes == UINT64_C(512110190592));
	assert_string_equal(path_of(device, "/dev/nvme0c0n1")->state, "hidden");
	assert_string_equal(path_of(device, "/dev/nvme0c1n1")->state, "hidden");
	assert_string_equal(path_of(device, "/dev/nvme1")->state, "live");
	assert_string_equal(path_of(device, "/dev/nvme0n1")->state, "");
}

static void commands_go_to_the_controller_that_lives(void **state)
{
	const struct device *device;

	(void)state;
	make_multipath();
	tree_text(&tree, "connecting", PCI "/0000:01:00.0/nvme/nvme0/state");
	device = discover("nvme1");
	assert_non_null(device);
	assert_int_equal(list.n, 1);
	assert_string_equal(device->path, "/dev/nvme1");
	assert_string_equal(path_of(device, "/dev/nvme0")->state, "connecting");
}

static void drives_that_share_an_nqn_but_no_serial_are_two(void **state)
{
	(void)state;
	tree_nvme(&tree, PCI "/0000:01:00.0/nvme/nvme0", "CHEAP SSD", "A1");
	tree_nvme(&tree, PCI "/0000:02:00.0/nvme/nvme1", "CHEAP SSD", "A2");
	tree_text(&tree, "nqn.same", PCI "/0000:01:00.0/nvme/nvme0/subsysnqn");
	tree_text(&tree, "nqn.same", PCI "/0000:02:00.0/nvme/nvme1/subsysnqn");
	assert_non_null(discover("nvme1"));
	assert_int_equal(list.n, 2);
}

static void fabrics_say_where_they_connect_to(void **state)
{
	const char *folder = "/sys/devices/virtual/nvme-fabrics/ctl/nvme2";
	const struct device *device;

	(void)state;
	tree_nvme(&tree, folder, "Linux", "abcdef");
	tree_text(&tree, "tcp", "%s/transport", folder);
	tree_text(&tree, "traddr=10.0.2.2,trsvcid=4420", "%s/address", folder);
	tree_nvme_controller(&tree, "/sys/devices/virtual/nvme-fabrics/ctl/nvme3", "Linux", "");
	tree_text(&tree, "discovery", "/sys/devices/virtual/nvme-fabrics/ctl/nvme3/cntrltype");
	device = discover("nvme2");
	assert_string_equal(device->location, "tcp traddr=10.0.2.2,trsvcid=4420");
	assert_string_equal(device->skip, "");
	device = discover("nvme3");
	assert_int_equal(device->access, ACCESS_NONE);
	assert_non_null(strstr(device->skip, "discovery"));
}

/* VPD page 89h with IDENTIFY in it; names in ATA's order of bytes. */
static void put_ata_information(const char *device)
{
	uint8_t page[572] = { 0, 0x89, 0x02, 0x38 };

	fake_text(page + 60 + 20, "02154E2B", 20);
	fake_text(page + 60 + 46, "3MRC232 ", 8);
	fake_text(page + 60 + 54, "TC0100XM05S0DS 1", 40);
	tree_bytes(&tree, page, sizeof(page), "%s/vpd_pg89", device);
	tree_bytes(&tree, "\0\x80\0\x08SHORT001", 12, "%s/vpd_pg80", device);
}

static void a_sata_drive_has_its_full_names(void **state)
{
	const char *folder = PCI "/0000:00:17.0/ata3/host2/target2:0:0/2:0:0:0";
	const struct device *device;

	(void)state;
	tree_disk(&tree, folder, "sda", "ATA", "CT1000MX500SSD1");
	put_ata_information(folder);
	tree_text(&tree, "3", "/sys/class/ata_port/ata3/port_no");
	tree_link(&tree, "/dev/disk/by-id/wwn-0x500a0751e1234567", "/dev/sda");
	tree_link(&tree, "/dev/disk/by-id/ata-CT1000MX500SSD1_2051E4B2", "/dev/sda");
	tree_link(&tree, "/dev/disk/by-id/ata-CT1000MX500SSD1_2051E4B2-part1", "/dev/sda");
	device = discover("sda");
	assert_int_equal(device->access, ACCESS_ATA);
	assert_int_equal(device->protocol, PROTOCOL_ATA);
	assert_string_equal(device->model, "CT1000MX500SSD1");
	assert_string_equal(device->serial, "2051E4B2");
	assert_string_equal(device->transport, "sata");
	assert_string_equal(device->location, "SATA port 3 (ata3), PCI 0000:00:17.0");
	assert_string_equal(device->by_id, "/dev/disk/by-id/ata-CT1000MX500SSD1_2051E4B2");
}

static void a_sas_drive_sits_in_a_bay(void **state)
{
	const char *folder = PCI "/0000:03:00.0/host0/port-0:0/expander-0:0/port-0:0:4/"
				 "end_device-0:0:4/target0:0:4/0:0:4:0";
	const struct device *device;

	(void)state;
	tree_disk(&tree, folder, "sdb", "KIOXIA", "KPM6XRUG3T84");
	tree_bytes(&tree, "\0\x80\0\x0c  1234ABCD  ", 16, "%s/vpd_pg80", folder);
	tree_text(&tree, "11", "/sys/class/enclosure/0:0:24:0/Slot 11/slot");
	tree_link(&tree, "/sys/class/enclosure/0:0:24:0/Slot 11/device", folder);
	tree_folder(&tree, "/sys/class/enclosure/0:0:24:0/Slot 12");
	tree_text(&tree, "4", "/sys/class/sas_device/end_device-0:0:4/phy_identifier");
	device = discover("sdb");
	assert_int_equal(device->access, ACCESS_SCSI);
	assert_string_equal(device->transport, "sas");
	assert_string_equal(device->serial, "1234ABCD");
	assert_string_equal(device->location, "enclosure 0:0:24:0 bay 11, "
					      "SAS phy 4 (end_device-0:0:4), PCI 0000:03:00.0");
}

static void two_paths_to_a_sas_drive_are_one(void **state)
{
	const char *a = PCI "/0000:03:00.0/host0/end_device-0:0/target0:0:0/0:0:0:0";
	const char *b = PCI "/0000:04:00.0/host1/end_device-1:0/target1:0:0/1:0:0:0";
	const char *c = PCI "/0000:04:00.0/host1/end_device-1:1/target1:0:1/1:0:1:0";
	const struct device *device;

	(void)state;
	tree_disk(&tree, a, "sda", "SEAGATE", "XS1920SE70094");
	tree_disk(&tree, b, "sdb", "SEAGATE", "XS1920SE70094");
	tree_disk(&tree, c, "sdc", "SEAGATE", "XS1920SE70094");
	tree_text(&tree, "naa.5000c500a1b2c3d0", "%s/wwid", a);
	tree_text(&tree, "naa.5000c500a1b2c3d0", "%s/wwid", b);
	/* a clone: the same WWN in another drive */
	tree_text(&tree, "naa.5000c500a1b2c3d0", "%s/wwid", c);
	tree_bytes(&tree, "\0\x80\0\x04HJ01", 8, "%s/vpd_pg80", a);
	tree_bytes(&tree, "\0\x80\0\x04HJ01", 8, "%s/vpd_pg80", b);
	tree_bytes(&tree, "\0\x80\0\x04HJ02", 8, "%s/vpd_pg80", c);
	device = discover("sda");
	assert_int_equal(list.n, 2);
	assert_string_equal(path_of(device, "/dev/sdb")->state, "running");
	assert_non_null(discover("sdc"));
}

static void make_usb(const char *vendor, const char *product)
{
	const char *folder = PCI "/0000:00:14.0/usb2/2-1/2-1.4/2-1.4:1.0/host6/target6:0:0/6:0:0:0";

	tree_disk(&tree, folder, "sde", "Samsung", "Portable SSD");
	tree_text(&tree, "1", "%s/block/sde/queue/rotational", folder);
	tree_text(&tree, vendor, PCI "/0000:00:14.0/usb2/2-1/2-1.4/idVendor");
	tree_text(&tree, product, PCI "/0000:00:14.0/usb2/2-1/2-1.4/idProduct");
	tree_text(&tree, "1d6b", PCI "/0000:00:14.0/usb2/idVendor");
}

static void a_usb_disk_may_be_an_ssd(void **state)
{
	const struct device *device;

	(void)state;
	make_usb("152d", "0578");
	device = discover("sde");
	assert_int_equal(device->access, ACCESS_USB);
	assert_int_equal(device->usb_vendor, 0x152d);
	assert_int_equal(device->usb_product, 0x0578);
	assert_int_equal(device->rotational, -1);
	assert_string_equal(device->skip, "");
	assert_string_equal(device->location, "USB port 2-1.4, PCI 0000:00:14.0");
}

static void an_nvme_bridge_needs_smartctl(void **state)
{
	const struct device *device;

	(void)state;
	make_usb("174c", "2362");
	device = discover("sde");
	assert_int_equal(device->access, ACCESS_NONE);
	assert_non_null(strstr(device->skip, "--via smartctl:sntasmedia"));
}

static void what_is_no_ssd_is_skipped_and_says_why(void **state)
{
	static const struct {
		const char *vendor, *model, *skip;
	} rows[] = {
		{ "AVAGO", "MR9361-8i",
		  "a RAID volume (AVAGO MR9361-8i): its drives can be read with "
		  "--via smartctl:megaraid,N" },
		{ "HP", "LOGICAL VOLUME",
		  "a RAID volume (HP LOGICAL VOLUME): its drives can be read with "
		  "--via smartctl:cciss,N" },
		{ "IET", "VIRTUAL-DISK", "an iSCSI virtual disk (IET VIRTUAL-DISK)" },
		{ "QEMU", "QEMU HARDDISK", "a virtual disk of QEMU (QEMU QEMU HARDDISK)" },
		{ "VMware", "Virtual disk", "a virtual disk of VMware (VMware Virtual disk)" },
	};
	char folder[128], name[8];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		snprintf(folder, sizeof(folder), PCI "/host%zu/target%zu:0:0/%zu:0:0:0", i, i, i);
		snprintf(name, sizeof(name), "sd%c", (char)('a' + i));
		tree_disk(&tree, folder, name, rows[i].vendor, rows[i].model);
	}
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		snprintf(name, sizeof(name), "sd%c", (char)('a' + i));
		const struct device *device = discover(name);
		assert_int_equal(device->access, ACCESS_NONE);
		assert_string_equal(device->skip, rows[i].skip);
	}
}

static void rotating_disks_are_skipped_but_readable(void **state)
{
	const char *folder = PCI "/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0";
	const struct device *device;

	(void)state;
	tree_disk(&tree, folder, "sda", "ATA", "ST4000VN008");
	tree_text(&tree, "1", "%s/block/sda/queue/rotational", folder);
	device = discover("sda");
	assert_string_equal(device->skip, "a rotating disk");
	assert_int_equal(device->access, ACCESS_ATA);
}

static void make_virtual(const char *name, const char *size)
{
	char link[64], folder[64];

	snprintf(folder, sizeof(folder), "/sys/devices/virtual/block/%s", name);
	snprintf(link, sizeof(link), "/sys/block/%s", name);
	tree_text(&tree, size, "%s/size", folder);
	tree_text(&tree, "", "/dev/%s", name);
	tree_link(&tree, link, folder);
}

static void kernel_devices_are_no_drives(void **state)
{
	(void)state;
	make_virtual("loop0", "0");
	make_virtual("loop1", "8192");
	make_virtual("zram0", "4096");
	make_virtual("md0", "4096");
	make_virtual("dm-0", "4096");
	tree_folder(&tree, "/sys/devices/virtual/block/md0/slaves/sda1");
	tree_folder(&tree, "/sys/devices/virtual/block/md0/slaves/sdb1");
	assert_null(discover("loop0")); /* idle */
	assert_string_equal(discover("loop1")->skip, "a loop device");
	assert_string_equal(discover("zram0")->skip, "compressed memory");
	assert_string_equal(discover("dm-0")->skip, "a device mapper volume");
	assert_string_equal(discover("md0")->skip, "a software RAID array on sda1, sdb1");
	assert_int_equal(discover("md0")->access, ACCESS_NONE);
}

static void check_resolves(const char *name, const char *path)
{
	struct device device;
	struct diag d = { 0 };
	int err = device_resolve(&tree.sys, name, &d, &device);

	if (err < 0)
		fail_msg("%s: %s", name, d.text);
	assert_string_equal(device.path, path);
}

static void check_unknown(const char *name, int want, const char *text)
{
	struct device device;
	struct diag d = { 0 };

	assert_int_equal(device_resolve(&tree.sys, name, &d, &device), want);
	assert_string_equal(d.text, text);
}

static void a_drive_has_many_names(void **state)
{
	const char *folder = PCI "/0000:00:17.0/ata3/host2/target2:0:0/2:0:0:0";

	(void)state;
	tree_nvme(&tree, PCI "/0000:01:00.0/nvme/nvme0", "SAMSUNG MZVPV256HDGL", "S1 23");
	tree_disk(&tree, folder, "sda", "ATA", "CT1000MX500SSD1");
	tree_text(&tree, "1", "%s/block/sda/sda1/partition", folder);
	tree_text(&tree, "", "/dev/sda1");
	tree_link(&tree, "/sys/class/block/sda1",
		  PCI "/0000:00:17.0/ata3/host2/target2:0:0/2:0:0:0/block/sda/sda1");
	tree_text(&tree, "", "/dev/sg1");
	tree_text(&tree, "", "/dev/ng0n1");
	tree_folder(&tree, "/sys/class/nvme-generic/ng0n1");
	tree_link(&tree, "/sys/class/scsi_generic/sg1/device", folder);
	tree_link(&tree, "/dev/disk/by-id/ata-CT1000MX500SSD1_2051E4B2", "/dev/sda");
	tree_link(&tree, "/dev/disk/by-id/nvme-SAMSUNG_MZVPV256HDGL\\x20_S1", "/dev/nvme0n1");
	check_resolves("/dev/nvme0", "/dev/nvme0");
	check_resolves("/dev/nvme0n1", "/dev/nvme0");
	check_resolves("nvme0n1", "/dev/nvme0");
	check_resolves("/dev/ng0n1", "/dev/nvme0");
	check_resolves("/dev/sg1", "/dev/sda");
	check_resolves("S1 23", "/dev/nvme0");
	check_resolves("/dev/disk/by-id/nvme-SAMSUNG_MZVPV256HDGL_S1", "/dev/nvme0");
	check_resolves("/dev/disk/by-id/nvme-SAMSUNG MZVPV256HDGL  S1", "/dev/nvme0");
	check_resolves("/dev/sda", "/dev/sda");
	check_resolves("/dev/sda1", "/dev/sda");
	check_resolves("sda1", "/dev/sda");
	check_resolves("ata-CT1000MX500SSD1_2051E4B2", "/dev/sda");
	check_resolves("/dev/disk/by-id/ata-CT1000MX500SSD1_2051E4B2", "/dev/sda");
	check_resolves("2051E4B2", "/dev/sda"); /* sysfs has no serial number here */
	check_unknown("/dev/sdz", -ENOENT, "/dev/sdz: no such device");
	check_unknown("XYZ", -ENOENT,
		      "XYZ: no such drive (no node, by-id link or serial number of that name)");
	check_unknown("", -ENOENT,
		      ": no such drive (no node, by-id link or serial number of that name)");
	tree_text(&tree, "", "/dev/null");
	check_unknown("/dev/null", -ENOENT, "/dev/null: not a drive of this machine");
}

static void a_serial_of_two_drives_is_refused(void **state)
{
	(void)state;
	tree_nvme(&tree, PCI "/0000:01:00.0/nvme/nvme0", "CHEAP SSD", "0000000001");
	tree_nvme(&tree, PCI "/0000:02:00.0/nvme/nvme1", "OTHER SSD", "0000000001");
	check_unknown("0000000001", -ENOTUNIQ,
		      "0000000001: both /dev/nvme0 and /dev/nvme1 bear this serial number");
}

static void via_wants_an_installed_smartctl(void **state)
{
	struct device device;
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(device_via(&tree.sys, "smartctl:megaraid,5", "/dev/sda", &d, &device),
			 -EOPNOTSUPP);
	assert_string_equal(d.text, "--via smartctl:megaraid,5: smartctl is not installed "
				    "(package smartmontools)");
	tree_text(&tree, "", "/usr/sbin/smartctl");
	assert_int_equal(device_via(&tree.sys, "smartctl:megaraid,5", "/dev/bus/0", NULL, &device),
			 0);
	assert_int_equal(device.access, ACCESS_SMARTCTL);
	assert_string_equal(device.path, "/dev/bus/0");
	assert_string_equal(device.via, "smartctl:megaraid,5");
	assert_int_equal(device_via(&tree.sys, "smartctl:", "/dev/sda", NULL, &device), -EINVAL);
	assert_int_equal(device_via(&tree.sys, "hdparm:x", "/dev/sda", NULL, &device), -EINVAL);
	assert_int_equal(device_via(&tree.sys, "smartctl:sat -s on", "/dev/sda", NULL, &device),
			 -EINVAL);
	assert_int_equal(device_via(&tree.sys, "smartctl:sat", "--all", NULL, &device), -EINVAL);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_machine_without_drives_has_none),
		TEST(an_nvme_drive_is_known_by_its_controller),
		TEST(a_drive_with_two_controllers_is_one_drive),
		TEST(commands_go_to_the_controller_that_lives),
		TEST(drives_that_share_an_nqn_but_no_serial_are_two),
		TEST(fabrics_say_where_they_connect_to),
		TEST(a_sata_drive_has_its_full_names),
		TEST(a_sas_drive_sits_in_a_bay),
		TEST(two_paths_to_a_sas_drive_are_one),
		TEST(a_usb_disk_may_be_an_ssd),
		TEST(an_nvme_bridge_needs_smartctl),
		TEST(what_is_no_ssd_is_skipped_and_says_why),
		TEST(rotating_disks_are_skipped_but_readable),
		TEST(kernel_devices_are_no_drives),
		TEST(a_drive_has_many_names),
		TEST(a_serial_of_two_drives_is_refused),
		TEST(via_wants_an_installed_smartctl),
	};

	return cmocka_run_group_tests_name("device discovery", tests, NULL, NULL);
}
