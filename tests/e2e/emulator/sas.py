"""A SAS drive: SCSI log pages (SPC-5 section 7.3, SBC-4 section 6.4)."""

from . import sense
from .fields import Page
from .scsi import LOG_SENSE, Reply, ScsiDrive, check


def parameter(code, value, control=0x03):
    """One log parameter; an integer value is (number, bytes)."""
    if isinstance(value, tuple):
        number, size = value
        value = number.to_bytes(size, "big")
    return code.to_bytes(2, "big") + bytes((control, len(value))) + value


def error_counters(total_bytes, uncorrected=0):
    """Pages 02h and 03h."""
    return (b"".join(parameter(code, (0, 8)) for code in range(5)) +
            parameter(0x0005, (total_bytes, 8)) + parameter(0x0006, (uncorrected, 8)))


def temperature(current, reference):
    """Page 0Dh."""
    return parameter(0, bytes((0, current))) + parameter(1, bytes((0, reference)))


def solid_state_media(used):
    """Page 11h."""
    return parameter(1, bytes((0, 0, 0, used)))


def background_scan(minutes):
    """Page 15h."""
    return parameter(0, Page(12).big(0, 4, minutes).bytes())


def general_statistics(commands, blocks_written, blocks_read):
    """Page 19h, parameter 1: commands and logical blocks, reads first."""
    body = Page(64).big(0, 8, commands).big(8, 8, commands).big(16, 8, blocks_written)
    return parameter(1, body.big(24, 8, blocks_read).bytes())


def informational_exceptions(code=(0, 0), temperature_now=0):
    """Page 2Fh."""
    return parameter(0, bytes((*code, temperature_now, 0)))


def selftest_results(results=()):
    """Page 10h: twenty parameters; results, newest first, as (result nibble, hours)."""
    pages = b""
    for i in range(20):
        body = Page(16)
        if i < len(results):
            result, hours = results[i]
            body.put(0, 1, 1 << 5 | result).big(2, 2, hours)
        pages += parameter(i + 1, body.bytes())
    return pages


class SasDrive(ScsiDrive):
    def __init__(self, serial="SAS00001", model="EMU SAS SSD", firmware="0001", vendor="EMULATED",
                 size=1 << 30, pages=None, wwn=0x5000C500A0000001, **options):
        super().__init__(serial, model, firmware, vendor, size, wwn=wwn, **options)
        self.handlers[LOG_SENSE] = self.log_sense
        self.pages = pages if pages is not None else {
            0x02: error_counters(412_000_000_000_000), 0x03: error_counters(99_000_000_000_000),
            0x0D: temperature(36, 70), 0x10: selftest_results([(0, 24_000)]),
            0x11: solid_state_media(3), 0x15: background_scan(1_485_357),
            0x19: general_statistics(5_000_000, 804_687_500, 193_359_375),
            0x2F: informational_exceptions(temperature_now=36),
        }

    def log_sense(self, cdb, _data):
        page, subpage, room = cdb[2] & 0x3F, cdb[3], cdb[7] << 8 | cdb[8]
        if page == 0 and subpage == 0:
            body = bytes(sorted({0, *self.pages}))
        elif subpage == 0 and page in self.pages:
            body = self.pages[page]
        else:
            return check(sense.ILLEGAL, sense.INVALID_FIELD)
        return Reply(data=(bytes((page, 0)) + len(body).to_bytes(2, "big") + body)[:room])
