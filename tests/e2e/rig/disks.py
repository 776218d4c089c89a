"""QEMU's own drives, which are there in every case: NVMe over PCIe, alone and with two controllers, and AHCI."""

SIZE = 64 << 20
NVME_SERIAL, PAIR_SERIAL, AHCI_SERIAL = "QEMUNVME1", "QEMUPAIR1", "QEMUAHCI1"
AHCI_MODEL, AHCI_WWN = "EMULATED AHCI SSD", 0x5002538E00000001


def options(folder):
    """QEMU's command-line options; makes the (sparse) images in folder."""
    def drive(name):
        path = folder / f"{name}.img"
        with open(path, "wb") as image:
            image.truncate(SIZE)
        return ("-drive", f"if=none,id={name},format=raw,file={path}")

    return (*drive("single1"), *drive("single2"), *drive("pair1"), *drive("ahci1"),
            "-device", f"nvme,id=single,serial={NVME_SERIAL}",
            "-device", "nvme-ns,bus=single,drive=single1,nsid=1",
            "-device", "nvme-ns,bus=single,drive=single2,nsid=2,logical_block_size=4096,"
                       "physical_block_size=4096,ms=8",
            "-device", "nvme-subsys,id=pair,nqn=pair",
            "-device", f"nvme,id=pair-a,serial={PAIR_SERIAL},subsys=pair",
            "-device", f"nvme,id=pair-b,serial={PAIR_SERIAL},subsys=pair",
            "-device", "nvme-ns,bus=pair-a,drive=pair1,nsid=1,shared=on",
            "-device", f"ide-hd,bus=ide.0,drive=ahci1,serial={AHCI_SERIAL},model={AHCI_MODEL},"
                       f"wwn={AHCI_WWN:#x},rotation_rate=1")
