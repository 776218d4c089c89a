/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "device/discover.h"
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

/* The array of a drive of this machine. */
static const char *array_of(const char *name)
{
	struct diag d = { 0 };

	device_list_release(&list);
	assert_int_equal(devices_discover(&tree.sys, &d, &list), 0);
	for (size_t i = 0; i < list.n; i++)
		if (!strcmp(list.items[i].name, name))
			return list.items[i].array;
	fail_msg("no drive %s", name);
	return NULL;
}

static void members_of_an_array_name_it(void **state)
{
	const char *disk = PCI "/0000:00:17.0/ata3/host2/target2:0:0/2:0:0:0";
	const char *nvme = PCI "/0000:01:00.0/nvme/nvme0";

	(void)state;
	tree_disk(&tree, disk, "sda", "ATA", "CT1000MX500SSD1");
	tree_text(&tree, "1", "%s/block/sda/sda1/partition", disk);
	tree_text(&tree, "", "%s/block/sda/sda1/holders/dm-0", disk);
	tree_text(&tree, "1", "%s/block/sda/sda2/partition", disk);
	tree_text(&tree, "", "%s/block/sda/sda2/holders/md127", disk);
	tree_nvme(&tree, nvme, "SAMSUNG MZQL21T9HCJR-00A07", "S64GNE0R123456");
	tree_text(&tree, "", "%s/nvme0n1/holders/md0", nvme);
	tree_text(&tree, "5e6f7a8b-0000-1111-2222-333344445555", "/sys/class/block/md127/md/uuid");
	assert_string_equal(array_of("sda"), "md127 5e6f7a8b");
	tree_text(&tree, "259:0", "%s/nvme0n1/dev", nvme);
	tree_text(&tree, "E:ID_FS_TYPE=linux_raid_member\nE:ID_FS_UUID=01234567-89ab",
		  "/run/udev/data/b259:0");
	assert_string_equal(array_of("nvme0"), "md0 01234567");
}

/* A SATA disk sdX with one partition sdX1, device number 8:N. */
static void make_partitioned(char letter, unsigned number)
{
	char folder[160], name[8];

	snprintf(folder, sizeof(folder), PCI "/0000:00:17.0/ata%u/host%u/target%u:0:0/%u:0:0:0",
		 number, number, number, number);
	snprintf(name, sizeof(name), "sd%c", letter);
	tree_disk(&tree, folder, name, "ATA", "CT1000MX500SSD1");
	tree_text(&tree, "1", "%s/block/%s/%s1/partition", folder, name, name);
	snprintf(folder + strlen(folder), 32, "/block/%s/%s1/dev", name, name);
	char text[16];
	snprintf(text, sizeof(text), "8:%u", number);
	tree_text(&tree, text, "%s", folder);
}

static void signature(unsigned number, const char *properties)
{
	char text[256];

	snprintf(text, sizeof(text), "S:disk/by-path/x\nE:ID_FS_VERSION=5000\n%s\nG:systemd",
		 properties);
	tree_text(&tree, text, "/run/udev/data/b8:%u", number);
}

static void pools_and_file_systems_are_told_by_their_signatures(void **state)
{
	static const char zfs[] = "E:ID_FS_LABEL=tank\nE:ID_FS_UUID=10382938475610293847\n"
				  "E:ID_FS_TYPE=zfs_member";
	static const char btrfs[] = "E:ID_FS_UUID=1a2b3c4d-0000-1111-2222-333344445555\n"
				    "E:ID_FS_UUID_SUB=77777777-0000-1111-2222-333344445555\n"
				    "E:ID_FS_TYPE=btrfs";

	(void)state;
	for (unsigned i = 1; i <= 7; i++)
		make_partitioned((char)('a' + i), i);
	signature(1, zfs);
	signature(2, zfs);
	signature(3, btrfs);
	signature(4, btrfs);
	signature(5, "E:ID_FS_TYPE=ceph_bluestore");
	signature(6, "E:ID_FS_TYPE=ceph_bluestore");
	signature(7, "E:ID_FS_UUID=99999999-0000\nE:ID_FS_TYPE=btrfs");
	assert_string_equal(array_of("sdb"), "ZFS tank 10382938");
	assert_string_equal(array_of("sdc"), "ZFS tank 10382938");
	assert_string_equal(array_of("sdd"), "btrfs 1a2b3c4d");
	assert_string_equal(array_of("sde"), "btrfs 1a2b3c4d");
	assert_string_equal(array_of("sdf"), "Ceph");
	assert_string_equal(array_of("sdg"), "Ceph");
	assert_string_equal(array_of("sdh"), ""); /* alone in its file system */
}

static void a_mounted_btrfs_lists_its_devices(void **state)
{
	(void)state;
	make_partitioned('b', 1);
	make_partitioned('c', 2);
	tree_folder(&tree, "/sys/fs/btrfs/features");
	tree_text(&tree, "", "/sys/fs/btrfs/1a2b3c4d-0000-1111-2222-333344445555/devices/sdb1");
	tree_text(&tree, "", "/sys/fs/btrfs/1a2b3c4d-0000-1111-2222-333344445555/devices/sdc1");
	assert_string_equal(array_of("sdb"), "btrfs 1a2b3c4d");
	assert_string_equal(array_of("sdc"), "btrfs 1a2b3c4d");
}

/* A device-mapper device on a partition sdX1 of make_partitioned. */
static void hold(char letter, unsigned number, const char *holder, const char *name,
		 const char *uuid)
{
	tree_text(&tree, "",
		  PCI
		  "/0000:00:17.0/ata%u/host%u/target%u:0:0/%u:0:0:0/block/sd%c/sd%c1/holders/%s",
		  number, number, number, number, letter, letter, holder);
	tree_text(&tree, name, "/sys/class/block/%s/dm/name", holder);
	tree_text(&tree, uuid, "/sys/class/block/%s/dm/uuid", holder);
}

static void volume_groups_are_found_through_encryption(void **state)
{
	static const char volume[] = "LVM-Qe8kflTUQe8kflTUQe8kflTUQe8kflTU"
				     "0123456789abcdef0123456789abcdef";

	(void)state;
	make_partitioned('b', 1);
	make_partitioned('c', 2);
	hold('b', 1, "dm-0", "luks-1", "CRYPT-LUKS2-0123-luks-1");
	tree_text(&tree, "", "/sys/class/block/dm-0/holders/dm-2");
	tree_text(&tree, "big--fast-root", "/sys/class/block/dm-2/dm/name");
	tree_text(&tree, volume, "/sys/class/block/dm-2/dm/uuid");
	hold('c', 2, "dm-3", "big--fast-var--log", volume);
	assert_string_equal(array_of("sdb"), "LVM big-fast Qe8kfl");
	assert_string_equal(array_of("sdc"), "LVM big-fast Qe8kfl");
}

static void each_ceph_drive_has_a_volume_group_of_its_own(void **state)
{
	(void)state;
	make_partitioned('b', 1);
	make_partitioned('c', 2);
	hold('b', 1, "dm-0", "ceph--1111--2222-osd--block--3333", "LVM-aaaaaaaabbbb");
	hold('c', 2, "dm-1", "ceph--4444--5555-osd--block--6666", "LVM-ccccccccdddd");
	assert_string_equal(array_of("sdb"), "Ceph");
	assert_string_equal(array_of("sdc"), "Ceph");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(members_of_an_array_name_it),
		TEST(pools_and_file_systems_are_told_by_their_signatures),
		TEST(a_mounted_btrfs_lists_its_devices),
		TEST(volume_groups_are_found_through_encryption),
		TEST(each_ceph_drive_has_a_volume_group_of_its_own),
	};

	return cmocka_run_group_tests_name("arrays above drives", tests, NULL, NULL);
}
