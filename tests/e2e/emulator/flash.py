"""Flash that wears by the writes that arrive: the truth that a forecast is held against.

A drive with a Flash shows counters that follow what the kernel really writes to it. To be worn out by
megabytes within the months that a test simulates, each byte counts as `scale` bytes.
"""

from . import nvme_logs
from .nvme import NvmeDrive
from .nvme_identify import Namespace
from .sat import SatDrive

SIZE = 1_000_204_886_016
SECTOR, DATA_UNIT = 512, 512_000


class Flash:
    """cycles are what each block is good for, waf the NAND bytes for each byte from the host."""

    def __init__(self, cycles=1500, waf=2.5, scale=2_861_023, unevenness=1.15):
        self.cycles, self.waf, self.scale, self.unevenness = cycles, waf, scale, unevenness
        self.host = self.nand = self.seconds = 0

    def write(self, length):
        """Bytes have come from the host."""
        self.host += length * self.scale
        self.nand += round(length * self.scale * self.waf)

    def live(self, seconds):
        """Time has passed, with the power on."""
        self.seconds += seconds

    @property
    def hours(self):
        return self.seconds // 3600

    @property
    def erases(self):
        """Of an average block."""
        return self.nand // SIZE

    @property
    def used(self):
        """Percent of the rated life, as exactly as only the flash knows it."""
        return 100 * self.nand / (SIZE * self.cycles)


class WearingNvme(NvmeDrive):
    """A data-centre drive: log 02h, and NAND writes and erase counts in OCP's log C0h."""

    def __init__(self, serial, flash, **more):
        self.flash = flash
        super().__init__(serial, model="EMULATED WEARING NVME", lpa=0x2E, namespaces=[Namespace(size=SIZE)],
                         logs={0x02: self.smart, 0xC0: self.ocp}, **more)

    def smart(self):
        flash = self.flash
        return nvme_logs.smart(used=min(255, int(flash.used)), data_units_written=-(-flash.host // DATA_UNIT),
                               power_on_hours=flash.hours)

    def ocp(self):
        flash = self.flash
        return nvme_logs.ocp(media_written=flash.nand, erase_average=flash.erases,
                             erase_max=round(flash.erases * flash.unevenness),
                             erase_min=round(flash.erases * 0.9))


class WearingSata(SatDrive):
    """A client drive: erase count and sectors written as attributes, percentage used in Device Statistics."""

    def __init__(self, serial, flash, **more):
        self.flash = flash
        super().__init__(serial, size=SIZE, **more)
        self.ata.before_command = self.count
        self.count()

    def count(self):
        flash, ata = self.flash, self.ata
        sectors, used = flash.host // SECTOR, int(flash.used)
        ata.attributes = {9: (0x32, 97, 97, flash.hours), 12: (0x32, 99, 99, 88),
                          177: (0x13, max(1, 100 - used), max(1, 100 - used), flash.erases),
                          190: (0x32, 66, 49, 34), 199: (0x3E, 100, 100, 0),
                          241: (0x32, 99, 99, sectors)}
        ata.set_statistics({1: {0x08: 88, 0x10: flash.hours, 0x18: sectors}, 4: {0x08: 0},
                            5: {0x08: 34, 0x20: 51, 0x28: 20, 0x58: 70}, 7: {0x08: min(255, used)}})
