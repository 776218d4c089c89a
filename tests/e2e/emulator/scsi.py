"""What every emulated SCSI target has: dispatch by operation code, VPD pages, capacity, the trace, faults.

SasDrive and SatDrive build on it; a transport calls execute for each CDB.
"""

from dataclasses import dataclass

from . import sense
from .fault import first
from .fields import Page

GOOD, CHECK_CONDITION = 0x00, 0x02
TEST_UNIT_READY, REQUEST_SENSE, INQUIRY, MODE_SENSE_6, START_STOP, MODE_SENSE_10 = (
    0x00, 0x03, 0x12, 0x1A, 0x1B, 0x5A)
READ_CAPACITY_10, READ_10, WRITE_10, SYNCHRONIZE_10, LOG_SENSE, READ_16, WRITE_16 = (
    0x25, 0x28, 0x2A, 0x35, 0x4D, 0x88, 0x8A)
UNMAP, WRITE_SAME_16 = 0x42, 0x93
SERVICE_IN_16, REPORT_LUNS, ATA_12, ATA_16 = 0x9E, 0xA0, 0xA1, 0x85


@dataclass
class Reply:
    """How a command ended; data is what the drive sends, which may be less than was asked."""
    status: int = GOOD
    sense: bytes = b""
    data: bytes = b""
    hang: bool = False
    delay: float = 0.0


@dataclass
class Cdb:
    """One command on the trace."""
    bytes: bytes
    room: int
    status: int | None = None
    sense: bytes = b""

    @property
    def opcode(self):
        return self.bytes[0]

    def __str__(self):
        return f"scsi {self.bytes[:16].hex(' ')} room {self.room} -> {self.status} {self.sense[:4].hex()}"


def check(key, code):
    return Reply(CHECK_CONDITION, sense.fixed(key, code))


class ScsiDrive:
    kind = "scsi"
    flash = None  # hears of every write; see flash.py

    def __init__(self, serial, model, firmware, vendor, size, block_bytes=512, wwn=None, rotation=1,
                 unmap=True):
        self.serial, self.model, self.firmware, self.vendor = serial, model, firmware, vendor
        self.blocks, self.block_bytes, self.rotation = size // block_bytes, block_bytes, rotation
        self.wwn = wwn
        self.vpd = {}
        self.faults, self.delay, self.trace = [], 0.0, []
        self.gone = False
        self.standby, self.wakes = False, 0
        self.unmap, self.contents, self.trimmed = unmap, {}, []
        self.handlers = {
            TEST_UNIT_READY: self.test_unit_ready, INQUIRY: self.inquiry,
            REQUEST_SENSE: self.request_sense, MODE_SENSE_6: self.mode_sense,
            MODE_SENSE_10: self.mode_sense, START_STOP: self.start_stop,
            READ_CAPACITY_10: self.read_capacity, SERVICE_IN_16: self.service_in,
            READ_10: self.read, READ_16: self.read, WRITE_10: self.write, WRITE_16: self.write,
            SYNCHRONIZE_10: lambda cdb, data: Reply(), REPORT_LUNS: self.report_luns,
        }
        if unmap:
            self.handlers |= {UNMAP: self.do_unmap, WRITE_SAME_16: self.write_same}

    def arm(self):
        self.trace = []
        self.wakes = 0

    def calm(self):
        """No more faults."""
        self.faults, self.delay = [], 0.0

    def execute(self, cdb, data_out, room):
        """The reply, or None where nobody answers any more."""
        command = Cdb(bytes(cdb), room)
        self.trace.append(command)
        if self.gone:
            return None
        fault = first(self.faults, command)
        if fault.status is not None:
            reply = Reply(CHECK_CONDITION, fault.status)
        else:
            handler = self.handlers.get(cdb[0])
            reply = handler(cdb, data_out) if handler else check(sense.ILLEGAL, sense.INVALID_OPCODE)
        if reply.data:
            reply.data = fault.spoil(reply.data)
        reply.hang = reply.hang or fault.hang
        reply.delay = reply.delay or fault.delay or self.delay
        return self.ended(command, reply)

    @staticmethod
    def ended(command, reply):
        command.status, command.sense = reply.status, reply.sense
        return reply

    def wake(self):
        """A command that needs the medium spins the drive up."""
        if self.standby:
            self.standby, self.wakes = False, self.wakes + 1

    def test_unit_ready(self, _cdb, _data):
        return check(sense.NOT_READY, sense.NOT_READY_STOPPED) if self.standby else Reply()

    def request_sense(self, cdb, _data):
        code = sense.STANDBY_CONDITION if self.standby else (0, 0)
        return Reply(data=sense.fixed(sense.NO_SENSE, code)[:cdb[4]])

    def start_stop(self, cdb, _data):
        if cdb[4] & 1:
            self.wake()
        else:
            self.standby = True
        return Reply()

    def inquiry(self, cdb, _data):
        room = cdb[3] << 8 | cdb[4]
        if cdb[1] & 1:
            page = self.vpd_page(cdb[2])
            return Reply(data=page[:room]) if page else check(sense.ILLEGAL, sense.INVALID_FIELD)
        page = Page(96).put(2, 1, 6).put(3, 1, 2).put(4, 1, 91).put(7, 1, 2)
        page.text(8, 8, self.vendor).text(16, 16, self.model).text(32, 4, self.firmware)
        page.big(58, 2, 0x00C0).big(60, 2, 0x0600).big(62, 2, 0x0460)
        return Reply(data=page.bytes()[:room])

    def vpd_page(self, number):
        if number == 0x00:
            body = bytes(sorted({0x00, 0x80, 0x83, 0xB0, 0xB1, *([0xB2] if self.unmap else []), *self.vpd}))
        elif number == 0x80:
            body = self.serial if isinstance(self.serial, bytes) else self.serial.encode("latin-1")
        elif number == 0x83:
            body = self.designators()
        elif number == 0xB0:
            body = Page(60).big(4, 4, 65535)
            if self.unmap:
                body.big(16, 4, 0x3FFFC0).big(20, 4, 64).big(24, 4, 1).big(32, 8, 0x3FFFC0)
            body = body.bytes()
        elif number == 0xB1:
            body = Page(60).big(0, 2, self.rotation).put(3, 1, 3).bytes()
        elif number == 0xB2 and self.unmap:
            body = bytes((0, 0xE4, 0x02, 0))
        elif number in self.vpd:
            body = self.vpd[number]
        else:
            return None
        return bytes((0, number)) + len(body).to_bytes(2, "big") + body

    def designators(self):
        if self.wwn is None:
            return b""
        return bytes((0x01, 0x03, 0, 8)) + self.wwn.to_bytes(8, "big")

    def read_capacity(self, _cdb, _data):
        last = min(self.blocks - 1, 0xFFFFFFFF)
        return Reply(data=last.to_bytes(4, "big") + self.block_bytes.to_bytes(4, "big"))

    def service_in(self, cdb, _data):
        if cdb[1] & 0x1F != 0x10:
            return check(sense.ILLEGAL, sense.INVALID_FIELD)
        page = Page(32).big(0, 8, self.blocks - 1).big(8, 4, self.block_bytes).put(14, 1, 0xC0 if self.unmap else 0)
        return Reply(data=page.bytes()[:int.from_bytes(cdb[10:14], "big")])

    def mode_sense(self, cdb, _data):
        short = cdb[0] == MODE_SENSE_6
        pages = self.mode_page(cdb[2] & 0x3F)
        if pages is None:
            return check(sense.ILLEGAL, sense.INVALID_FIELD)
        if short:
            data = bytes((3 + len(pages), 0, 0x10, 0)) + pages
            return Reply(data=data[:cdb[4]])
        data = (6 + len(pages)).to_bytes(2, "big") + bytes((0, 0x10, 0, 0, 0, 0)) + pages
        return Reply(data=data[:cdb[7] << 8 | cdb[8]])

    def mode_page(self, number):
        pages = {0x08: bytes((0x08, 18, 0x04)) + bytes(17), 0x0A: bytes((0x0A, 10)) + bytes(10),
                 0x1C: bytes((0x1C, 10)) + bytes(10)}
        return b"".join(pages.values()) if number == 0x3F else pages.get(number)

    @staticmethod
    def report_luns(_cdb, _data):
        return Reply(data=(8).to_bytes(4, "big") + bytes(12))

    @staticmethod
    def extent(cdb):
        if cdb[0] in (READ_16, WRITE_16):
            return int.from_bytes(cdb[2:10], "big"), int.from_bytes(cdb[10:14], "big")
        return int.from_bytes(cdb[2:6], "big"), cdb[7] << 8 | cdb[8]

    def read(self, cdb, _data):
        self.wake()
        lba, count = self.extent(cdb)
        empty = bytes(self.block_bytes)
        return Reply(data=b"".join(self.contents.get(lba + i, empty) for i in range(count))
                     if self.contents else bytes(count * self.block_bytes))

    def write(self, cdb, data):
        self.wake()
        if self.flash:
            self.flash.write(len(data))
        lba, count = self.extent(cdb)
        for i in range(count):
            self.contents[lba + i] = data[i * self.block_bytes:(i + 1) * self.block_bytes]
        return Reply()

    def drop(self, lba, count):
        """The blocks hold nothing any more."""
        self.trimmed.append((lba, count))
        for each in [n for n in self.contents if lba <= n < lba + count]:
            del self.contents[each]

    def do_unmap(self, _cdb, data):
        for at in range(8, 8 + int.from_bytes(data[2:4], "big"), 16):
            self.drop(int.from_bytes(data[at:at + 8], "big"), int.from_bytes(data[at + 8:at + 12], "big"))
        return Reply()

    def write_same(self, cdb, data):
        lba, count = int.from_bytes(cdb[2:10], "big"), int.from_bytes(cdb[10:14], "big")
        if cdb[1] & 8:
            self.drop(lba, count)
        elif any(data):
            self.contents.update({lba + i: data for i in range(count)})
        return Reply()
