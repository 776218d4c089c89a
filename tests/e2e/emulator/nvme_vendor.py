"""Builders of makers' own NVMe log pages, as the makers' tools read them."""

from .fields import Page, table

HYPERSCALE_GUID = bytes.fromhex("65438878acd878a166421e0f92d76dc4")


def intel(entries):
    """Log CAh of Intel and Solidigm: {key: (normalised, raw)}; raw is an integer or six bytes."""
    page = Page(512)
    for i, (key, (normalised, value)) in enumerate(entries.items()):
        value = value if isinstance(value, bytes) else value.to_bytes(6, "little")
        page.put(12 * i, 1, key).put(12 * i + 3, 1, normalised).raw(12 * i + 5, value)
    return page.bytes()


def wear_words(low, high, average):
    """The raw value of key ADh: minimum, maximum and average erase count."""
    return b"".join(n.to_bytes(2, "little") for n in (low, high, average))


def hyperscale(tlc_written, slc_written, erase, slc_erase):
    """The older log C0h; erase counts as (minimum, maximum, average)."""
    rows = {(0, 16): tlc_written, (16, 16): slc_written, (156, 1): 40, (494, 2): 1}
    for base, counts in ((84, erase), (108, slc_erase)):
        rows |= {(base + 8 * i, 8): count for i, count in enumerate(counts)}
    return Page(512).raw(0, table(512, rows)).raw(496, HYPERSCALE_GUID).bytes()


def samsung(user_writes, nand_writes, retired=0):
    """Log CAh of Samsung's data-centre drives: lifetime writes at 264 and 280."""
    return table(512, {(264, 16): user_writes, (280, 16): nand_writes, (312, 4): retired})


def micron_d0(nand_bytes, bad_blocks=0):
    """Log D0h of the 9200 and 9300."""
    return table(512, {(12, 4): bad_blocks, (176, 8): nand_bytes})


def micron_fb(tlc_bytes, slc_bytes):
    """Log FBh."""
    return table(4096, {(0, 16): tlc_bytes, (16, 16): slc_bytes})


def wdc_ca(nand_bytes, erase_max, erase_min, bad_blocks=0):
    """Log CAh of Western Digital's "FB" layout; the erase counts are not aligned."""
    return table(128, {(0, 16): nand_bytes, (32, 8): bad_blocks, (65, 4): erase_max, (69, 4): erase_min,
                       (119, 1): 30})


def seagate(entries):
    """Log C4h: {key: raw value}."""
    page = Page(512).put(0, 2, 1)
    for i, (key, value) in enumerate(entries.items()):
        at = 2 + 12 * i
        page.put(at, 1, key).put(at + 3, 1, 100).put(at + 4, 1, 100).put(at + 5, 4, value & 0xFFFFFFFF)
        page.put(at + 9, 3, value >> 32)
    return page.bytes()


def wdc_d0(nand_pages, user_pages, waf_hundredths):
    """Log D0h of the SN200 and SN6xx."""
    return table(512, {(16, 4): waf_hundredths, (68, 8): nand_pages, (80, 8): user_pages, (100, 4): 88})
