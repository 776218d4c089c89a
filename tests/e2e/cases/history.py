"""Drives that wear as the test writes to them."""

from emulator.flash import SIZE, Flash, WearingNvme, WearingSata
from rig import check
from rig.case import case

HOUR = 3600
CHUNK = 64 << 10


def block_device(drive):
    return drive.path + "n1" if drive.kind == "nvme" else drive.path


def write(drive, chunks):
    """A shell command that writes so many chunks, and has them written when it ends."""
    return f"dd if=/dev/zero of={block_device(drive)} bs={CHUNK} count={chunks} conv=notrunc,fsync 2>/dev/null"


@case("an emulated drive wears by what the kernel writes")
def wears(rig):
    nvme, sata = rig.attach(WearingNvme("WEARN", Flash()), WearingSata("WEARS", Flash()))
    for drive in (nvme, sata):
        rig.run(write(drive, 16))
        drive.flash.live(5 * HOUR)
        written = (1 << 20) * drive.flash.scale
        facts = check.only(rig.json("show", drive.path, status=0))["facts"]
        check.near("host bytes", facts["host_bytes_written"]["value"], written, 512_000)
        check.equal("hours", facts["power_on_hours"]["value"], 5)
        check.equal("erases", facts["erase_count_avg"]["value"], int(2.5 * written) // SIZE)
