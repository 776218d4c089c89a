"""Builders of ATA pages: IDENTIFY, SMART data, and the logs of ACS-4 chapter 9 and SCT status (ACS-4 8)."""

from .fields import Page

STATISTIC_VALID = 0xC0 << 56


def checksummed(page, signature=False):
    """Make the sum of all 512 bytes 0 modulo 256."""
    if signature:
        page.put(510, 1, 0xA5)
    page.data[511] = -sum(page.data[:511]) & 0xFF
    return page.bytes()


def identify(serial, model, firmware, size, wwn=None, rotation=1, block_bytes=512, smart_on=True,
             gpl=True, sct=True, more=None):
    """more: {word: value} of what else the drive can do; security is told from word 128."""
    page = Page(512)
    word = lambda number, value: page.put(2 * number, 2, value)
    blocks = size // block_bytes
    word(0, 0x0040)
    page.ata_text(20, 20, serial).ata_text(46, 8, firmware).ata_text(54, 40, model)
    word(49, 0x2F00)
    word(53, 0x0006)
    page.put(120, 4, min(blocks, 0x0FFFFFFF))
    word(75, 31)
    word(76, 0x850E)
    word(80, 0x07F0)
    word(81, 0x0110)
    word(82, 0x7469)
    word(83, 0x7C00)
    word(84, 0x4003 | gpl << 5 | (wwn is not None) << 8)
    word(85, 0x7468 | smart_on)
    word(86, 0xBC00)
    word(87, 0x4003 | gpl << 5 | (wwn is not None) << 8)
    page.put(200, 8, blocks)
    word(106, 0x4000 if block_bytes == 512 else 0x5000)
    if block_bytes != 512:
        page.put(234, 4, block_bytes // 2)
    for i in range(4 if wwn is not None else 0):
        word(108 + i, wwn >> 16 * (3 - i))
    word(169, 1)
    word(206, 0x003D if sct else 0)
    word(217, rotation)
    word(222, 0x107F)
    for number, value in (more or {}).items():
        word(number, value)
    security = (more or {}).get(128, 0)
    page.data[164] |= (security & 1) << 1
    page.data[170] |= security & 2
    return checksummed(page, signature=True)


def smart_data(attributes, selftest=0):
    """SMART READ DATA: attributes as {id: (flags, value, worst, raw)}; raw is an integer or bytes."""
    page = Page(512).put(0, 2, 0x10)
    for i, (identifier, (flags, value, worst, raw)) in enumerate(attributes.items()):
        raw = raw if isinstance(raw, bytes) else raw.to_bytes(6, "little")
        at = 2 + 12 * i
        page.put(at, 1, identifier).put(at + 1, 2, flags).put(at + 3, 1, value).put(at + 4, 1, worst)
        page.raw(at + 5, raw)
    page.put(362, 1, 0x80).put(363, 1, selftest).put(367, 1, 0x5B).put(368, 2, 3).put(370, 1, 1)
    page.put(372, 1, 2).put(373, 1, 30)
    return checksummed(page)


def thresholds(attributes, limits=None):
    page = Page(512).put(0, 2, 0x10)
    for i, identifier in enumerate(attributes):
        page.put(2 + 12 * i, 1, identifier).put(3 + 12 * i, 1, (limits or {}).get(identifier, 0))
    return checksummed(page)


def log_directory(sizes):
    """Log 00h: {log address: pages}."""
    page = Page(512).put(0, 2, 1)
    for address, pages in sizes.items():
        page.put(2 * address, 2, pages)
    return page.bytes()


def statistics(number, values):
    """One page of Device Statistics: {offset: value}, each supported and valid."""
    page = Page(512).put(0, 2, 1).put(2, 1, number)
    for offset, value in values.items():
        page.put(offset, 8, STATISTIC_VALID | value & (1 << 56) - 1)
    return page.bytes()


def statistics_directory(numbers):
    """Page 0 of Device Statistics: which pages there are."""
    numbers = sorted({0, *numbers})
    page = Page(512).put(0, 2, 1).put(8, 1, len(numbers))
    return page.raw(9, bytes(numbers)).bytes()


def identify_data(pages):
    """Log 30h, as a drive without anything to add has it: a list of supported pages."""
    page = Page(512).put(0, 2, 1).put(8, 1, len(pages))
    return page.raw(9, bytes(pages)).bytes()


def selftest_log_extended(results=()):
    """Log 07h: results, newest first, as (status nibble, hours)."""
    page = Page(512).put(0, 1, 1).put(2, 2, 1 if results else 0)
    for i, (status, hours) in enumerate(results[:19]):
        at = 4 + 26 * i
        page.put(at, 1, 1).put(at + 1, 1, status << 4).put(at + 2, 2, hours)
    return checksummed(page)


def selftest_log(results=()):
    """Log 06h: twenty-one entries, the index of the newest in byte 508."""
    page = Page(512).put(0, 2, 1).put(508, 1, len(results))
    for i, (status, hours) in enumerate(reversed(results)):
        at = 2 + 24 * i
        page.put(at, 1, 1).put(at + 1, 1, status << 4).put(at + 2, 2, hours)
    return checksummed(page)


def error_log_extended(count=0):
    """Log 03h."""
    return checksummed(Page(512).put(0, 1, 1).put(2, 2, 1 if count else 0).put(500, 2, count))


def sct_status(current, lowest, highest, limit):
    """Log E0h read as SCT status; temperatures in Celsius."""
    page = Page(512).put(0, 2, 3).put(2, 2, 1).put(6, 4, 1)
    page.put(200, 1, current).put(201, 1, lowest).put(202, 1, highest)
    page.put(203, 1, lowest).put(204, 1, highest).put(214, 2, 0xC24F)
    page.put(206, 4, 0)
    page.put(10, 1, 0)
    return page.put(216, 2, 0).put(218, 2, limit).bytes()
