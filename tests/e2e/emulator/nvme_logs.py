"""Builders of NVMe log pages (NVM Express Base 2.0 section 5.16, OCP Datacenter NVMe SSD 2.5 section 4.8.6)."""

from .fields import Page

OCP_GUID = bytes.fromhex("c5af1028eabff2a49c4f6f7cc914d5af")

SMART = {
    "critical_warning": (0, 1), "temperature": (1, 2), "spare": (3, 1), "spare_threshold": (4, 1),
    "used": (5, 1), "data_units_read": (32, 16), "data_units_written": (48, 16),
    "host_reads": (64, 16), "host_writes": (80, 16), "busy_minutes": (96, 16),
    "power_cycles": (112, 16), "power_on_hours": (128, 16), "unsafe_shutdowns": (144, 16),
    "media_errors": (160, 16), "error_entries": (176, 16), "warning_minutes": (192, 4),
    "critical_minutes": (196, 4), "sensor1": (200, 2), "sensor2": (202, 2),
}

HEALTHY = dict(temperature=273 + 38, spare=100, spare_threshold=10, used=9, data_units_read=1_000_000,
               data_units_written=804_687_500, host_reads=9_000_000, host_writes=120_000_000,
               power_cycles=31, power_on_hours=27_156, unsafe_shutdowns=7, sensor1=273 + 38)

OCP = {
    "media_written": (0, 16), "media_read": (16, 16), "bad_user_raw": (32, 6), "bad_user": (38, 2),
    "bad_system_raw": (40, 6), "bad_system": (46, 2), "uncorrectable": (56, 8),
    "erase_max": (88, 4), "erase_min": (92, 4), "throttle_events": (96, 1), "major": (103, 1),
    "incomplete_shutdowns": (112, 4), "free_blocks": (120, 1), "capacitor": (128, 2),
    "endurance_estimate": (176, 16), "erase_average": (224, 8), "version": (494, 2),
}

ENDURANCE = {
    "critical_warning": (0, 1), "spare": (3, 1), "spare_threshold": (4, 1), "used": (5, 1),
    "estimate": (32, 16), "read": (48, 16), "written": (64, 16), "media_written": (80, 16),
    "media_errors": (128, 16), "capacity": (160, 16),
}


def _fill(length, layout, values):
    page = Page(length)
    for name, value in values.items():
        page.put(*layout[name], value)
    return page


def smart(**values):
    """Log 02h; a healthy drive unless told otherwise. Temperatures in kelvin."""
    return _fill(512, SMART, {**HEALTHY, **values}).bytes()


def ocp(guid=OCP_GUID, **values):
    """Log C0h of the OCP specification."""
    values = {"bad_user": 100, "bad_system": 100, "free_blocks": 40, "capacitor": 98, "version": 4,
              **values}
    return _fill(512, OCP, values).raw(496, guid).bytes()


def endurance_group(**values):
    """Log 09h; data units are in 10^9 bytes."""
    return _fill(512, ENDURANCE, {"spare": 100, "spare_threshold": 5, **values}).bytes()


def firmware(slots, active=1):
    """Log 03h: revisions of slots 1.. and the active slot."""
    page = Page(512).put(0, 1, active)
    for i, revision in enumerate(slots):
        page.text(8 + 8 * i, 8, revision)
    return page.bytes()


def effects():
    """Log 05h: Get Log Page, Identify and Get Features are supported, and so are Read and Write."""
    page = Page(4096)
    for opcode in (0x02, 0x06, 0x09, 0x0A, 0x0C, 0x18):
        page.put(4 * opcode, 4, 1)
    for opcode in (0x00, 0x01, 0x02):
        page.put(1024 + 4 * opcode, 4, 1)
    return page.bytes()


def selftest(results=(), operation=0, percent=0):
    """Log 06h: results, newest first, as (code, result, hours)."""
    page = Page(564).put(0, 1, operation).put(1, 1, percent)
    for i in range(20):
        code, result, hours = results[i] if i < len(results) else (0, 0xF, 0)
        page.put(4 + 28 * i, 1, code << 4 | result).put(8 + 28 * i, 8, hours)
    return page.bytes()


def sanitize(progress=0xFFFF, status=0, cdw10=0):
    """Log 81h."""
    page = Page(512).put(0, 2, progress).put(2, 2, status).put(4, 4, cdw10)
    for offset in range(8, 32, 4):
        page.put(offset, 4, 0xFFFFFFFF)
    return page.bytes()


def persistent_event(events=(), serial="", model=""):
    """Log 0Dh: header (log revision 2) and events as (type, milliseconds, data)."""
    body = b""
    for kind, timestamp, data in events:
        header = Page(24).put(0, 1, kind).put(1, 1, 1).put(2, 1, 21).put(6, 8, timestamp)
        header.put(22, 2, len(data))
        body += header.bytes() + data
    page = Page(512).put(0, 1, 0x0D).put(4, 4, len(events)).put(8, 8, 512 + len(body))
    page.put(16, 1, 2).put(18, 2, 510).text(56, 20, serial).text(76, 40, model)
    page.raw(480, bytes(sorted({kind for kind, _, _ in events}) and 32))
    for kind, _, _ in events:
        page.data[480 + kind // 8] |= 1 << kind % 8
    return page.bytes() + body
