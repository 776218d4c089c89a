"""Identify data of an emulated NVMe drive (NVM Express Base 2.0, figures 275 and 97 of the NVM command set)."""

from .fields import Page


class Namespace:
    """One namespace. formats are (metadata bytes, log2 of the data size, relative performance)."""

    def __init__(self, nsid=1, size=1 << 30, formats=((0, 9, 2), (0, 12, 0)), flbas=0, nuse=None,
                 nguid=None, eui64=None, shared=False, endurance_group=0):
        self.nsid = nsid
        self.formats = list(formats)
        self.flbas = flbas
        self.blocks = size >> formats[flbas & 0xF][1]
        self.nuse = self.blocks if nuse is None else nuse
        self.nguid = nguid
        self.eui64 = eui64
        self.shared = shared
        self.endurance_group = endurance_group
        self.contents = {}
        self.trimmed = []

    def reformat(self, number):
        """Another LBA format: the same bytes in blocks of another size, and nothing in them."""
        size = self.blocks * self.block_bytes
        self.flbas = number
        self.blocks = size >> self.formats[number][1]
        self.contents = {}

    @property
    def block_bytes(self):
        return 1 << self.formats[self.flbas & 0xF][1]

    def identify(self):
        page = Page(4096)
        page.put(0, 8, self.blocks).put(8, 8, self.blocks).put(16, 8, self.nuse)
        page.put(25, 1, len(self.formats) - 1).put(26, 1, self.flbas)
        page.put(27, 1, 3 if any(metadata for metadata, _, _ in self.formats) else 0)
        page.put(30, 1, 1 if self.shared else 0).put(33, 1, 1)
        page.put(48, 16, self.blocks * self.block_bytes).put(102, 2, self.endurance_group)
        page.raw(104, self.nguid or bytes(16)).raw(120, self.eui64 or bytes(8))
        for i, (metadata, shift, performance) in enumerate(self.formats):
            page.put(128 + 4 * i, 2, metadata).put(130 + 4 * i, 1, shift)
            page.put(131 + 4 * i, 1, performance)
        return page.bytes()

    def descriptors(self):
        """CNS 03h: the namespace's identifiers."""
        data = b""
        if self.eui64:
            data += bytes((1, 8, 0, 0)) + self.eui64
        if self.nguid:
            data += bytes((2, 16, 0, 0)) + self.nguid
        return data.ljust(4096, b"\0")


def controller(drive, cntlid):
    """CNS 01h: the controller that a connection made."""
    page = Page(4096)
    page.put(0, 2, drive.vendor_id).put(2, 2, drive.vendor_id)
    page.text(4, 20, drive.serial).text(24, 40, drive.model).text(64, 8, drive.firmware)
    page.raw(73, drive.ieee).put(76, 1, drive.cmic).put(77, 1, 5).put(78, 2, cntlid)
    page.put(80, 4, drive.version).put(92, 4, drive.oaes).put(96, 4, drive.ctratt).put(111, 1, 1)
    page.put(256, 2, drive.oacs).put(258, 1, 3).put(259, 1, 3).put(260, 1, drive.frmw)
    page.put(261, 1, drive.lpa).put(262, 1, 63).put(263, 1, 0).put(264, 1, 1)
    page.put(266, 2, drive.warning_kelvin).put(268, 2, drive.critical_kelvin)
    used = sum(n.blocks * n.block_bytes for n in drive.allocated.values())
    page.put(280, 16, drive.capacity).put(296, 16, max(0, drive.capacity - used)).put(316, 2, drive.extended_test_minutes)
    page.put(320, 2, 10).put(328, 4, drive.sanicap).put(340, 2, drive.endurance_groups)
    page.put(352, 4, drive.persistent_event_size // 65536 + 1 if drive.persistent_event_size else 0)
    page.put(512, 1, 0x66).put(513, 1, 0x44).put(514, 2, 64)
    page.put(516, 4, drive.namespace_limit).put(520, 2, drive.oncs).put(524, 1, drive.fna)
    page.put(525, 1, 1).put(536, 4, 0x00100001)
    page.raw(768, drive.nqn.encode().ljust(256, b"\0"))
    page.put(1792, 4, 516).put(1796, 4, 1).put(1803, 1, 1)
    page.put(2048, 2, 900)
    return page.bytes()


def namespace_list(namespaces, after):
    """CNS 02h and 10h: the namespace ids above a given one."""
    page = Page(4096)
    for i, nsid in enumerate(sorted(n for n in namespaces if n > after)[:1024]):
        page.put(4 * i, 4, nsid)
    return page.bytes()
