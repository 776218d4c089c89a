"""A SCSI drive behind a USB bridge: Bulk-Only Transport (USB Mass Storage Class 1.0) over the usbredir
protocol, in which QEMU passes on what its guest does to a USB port."""

import asyncio
import struct

from .scsi import CHECK_CONDITION, REQUEST_SENSE, Reply
from .sense import NO_SENSE, fixed

HELLO, CONNECT, INTERFACES, ENDPOINTS, SET_CONFIGURATION, GET_CONFIGURATION, CONFIGURATION = (
    0, 1, 4, 5, 6, 7, 8)
RESET, SET_ALTERNATE, ALTERNATE, CANCEL, CONTROL, BULK = 3, 9, 11, 21, 100, 101
CAPABILITIES = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 6
SUCCESS, CANCELLED, STALL = 0, 1, 4
HIGH_SPEED, BULK_KIND, CONTROL_KIND, INVALID_KIND = 2, 2, 0, 255
MASS_STORAGE, SCSI_TRANSPARENT, BULK_ONLY = 8, 6, 0x50
OUT, IN = 0x02, 0x81


def descriptors(vendor, product, names):
    """What GET DESCRIPTOR answers, by (type, index)."""
    device = struct.pack("<BBHBBBBHHHBBBB", 18, 1, 0x0200, 0, 0, 0, 64, vendor, product, 0x0100, 1, 2, 3, 1)
    endpoints = b"".join(struct.pack("<BBBBHB", 7, 5, address, 2, 512, 0) for address in (IN, OUT))
    interface = bytes((9, 4, 0, 0, 2, MASS_STORAGE, SCSI_TRANSPARENT, BULK_ONLY, 0))
    body = interface + endpoints
    configuration = struct.pack("<BBHBBBBB", 9, 2, 9 + len(body), 1, 1, 0, 0x80, 50) + body
    answers = {(1, 0): device, (2, 0): configuration, (3, 0): bytes((4, 3, 9, 4)),
               (6, 0): struct.pack("<BBHBBBBBB", 10, 6, 0x0200, 0, 0, 0, 64, 1, 0)}
    for i, name in enumerate(names, 1):
        text = name.encode("utf-16-le")
        answers[3, i] = bytes((2 + len(text), 3)) + text
    return answers


class UsbBridge:
    """Plugs a drive into one USB port of the guest."""

    def __init__(self, drive, vendor=0x152D, product=0x0578, names=("EMU", "Bridge", "0123456789AB")):
        self.drive = drive
        self.ids = vendor, product
        self.descriptors = descriptors(vendor, product, names)
        self.reader = self.writer = None
        self.request = None
        self.waiting, self.inbound, self.held = [], [], []
        self.sense = fixed(NO_SENSE, (0, 0))

    async def plug(self, path):
        self.reader, self.writer = await asyncio.open_unix_connection(path)
        self.send(HELLO, 0, b"nandlife tests".ljust(64, b"\0") + struct.pack("<I", CAPABILITIES))
        self.task = asyncio.ensure_future(self.serve())

    def unplug(self):
        self.writer.close()

    def send(self, kind, number, body):
        """The greeting has a number of 32 bits, every later packet one of 64."""
        if not self.writer.is_closing():
            layout = "<III" if kind == HELLO else "<IIQ"
            self.writer.write(struct.pack(layout, kind, len(body), number) + body)

    async def serve(self):
        handlers = {HELLO: self.hello, CONTROL: self.control, BULK: self.bulk,
                    SET_CONFIGURATION: self.configuration, GET_CONFIGURATION: self.configuration,
                    SET_ALTERNATE: self.alternate, CANCEL: self.cancel,
                    RESET: lambda _number, _body: self.reset()}
        layout = "<III"
        try:
            while True:
                head = await self.reader.readexactly(struct.calcsize(layout))
                kind, size, number = struct.unpack(layout, head)
                layout = "<IIQ"
                body = await self.reader.readexactly(size)
                if kind in handlers:
                    handlers[kind](number, body)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass

    def hello(self, _number, _body):
        kinds, sizes = bytearray([INVALID_KIND] * 32), [0] * 32
        for address, kind, size in ((0x00, CONTROL_KIND, 64), (0x80, CONTROL_KIND, 64),
                                    (OUT, BULK_KIND, 512), (IN, BULK_KIND, 512)):
            index = (address & 0x80) >> 3 | address & 0x0F
            kinds[index], sizes[index] = kind, size
        self.send(ENDPOINTS, 0, bytes(kinds) + bytes(64) + struct.pack("<32H", *sizes))
        one = lambda value: bytes((value,)) + bytes(31)
        self.send(INTERFACES, 0, struct.pack("<I", 1) + one(0) + one(MASS_STORAGE) +
                  one(SCSI_TRANSPARENT) + one(BULK_ONLY))
        self.send(CONNECT, 0, struct.pack("<BBBBHHH", HIGH_SPEED, 0, 0, 0, *self.ids, 0x0100))

    def configuration(self, number, _body):
        self.send(CONFIGURATION, number, bytes((SUCCESS, 1)))

    def alternate(self, number, body):
        self.send(ALTERNATE, number, bytes((SUCCESS, body[0], body[1])))

    def control(self, number, body):
        endpoint, request, kind, _status, value, index, length = struct.unpack_from("<BBBBHHH", body)
        data, status = b"", SUCCESS
        if request == 0x06 and kind == 0x80:
            data = self.descriptors.get((value >> 8, value & 0xFF))
            status = SUCCESS if data is not None else STALL
        elif request == 0xFE and kind == 0xA1:
            data = b"\0"
        elif request == 0x00 and kind & 0x80:
            data = bytes(2)
        elif request == 0xFF and kind == 0x21:
            self.reset()
        data = (data or b"")[:length]
        size = len(data) if kind & 0x80 else length
        self.send(CONTROL, number, struct.pack("<BBBBHHH", endpoint, request, kind, status, value, index,
                                               size) + data)

    def reset(self):
        """The host has given up on a command."""
        self.request, self.waiting, self.inbound, self.held = None, [], [], []

    def bulk(self, number, body):
        endpoint, _status, low, _stream, high = struct.unpack_from("<BBHIH", body)
        length, data = low | high << 16, body[10:]
        if endpoint == IN:
            self.waiting.append((number, length))
            return self.deliver()
        self.answer(number, OUT, len(data))
        if self.request is None:
            return self.command(data)
        self.request[1] += data
        return self.run()

    def cancel(self, number, _body):
        """The host waits for this packet no longer."""
        if number in [waiting for waiting, _length in self.waiting]:
            self.waiting = [item for item in self.waiting if item[0] != number]
            self.answer(number, IN, 0, status=CANCELLED)

    def answer(self, number, endpoint, size, data=b"", status=SUCCESS):
        self.send(BULK, number, struct.pack("<BBHIH", endpoint, status, size & 0xFFFF, 0, size >> 16) + data)

    def deliver(self):
        while self.waiting and self.inbound:
            number, length = self.waiting.pop(0)
            data = self.inbound.pop(0)[:length]
            self.answer(number, IN, len(data), data)

    def command(self, data):
        if len(data) != 31 or data[:4] != b"USBC":
            return
        tag, length, flags, _lun, size = struct.unpack_from("<IIBBB", data, 4)
        self.request = [(tag, length, flags & 0x80, data[15:15 + size]), b""]
        self.run()

    def run(self):
        (tag, length, inward, cdb), data = self.request
        if not inward and len(data) < length:
            return
        self.request = None
        if cdb[0] == REQUEST_SENSE and any(self.sense[2:]):
            reply = Reply(data=self.sense)
        else:
            reply = self.drive.execute(cdb, data, length if inward else 0)
        finish = lambda: self.finish(tag, length, inward, reply)
        if reply.hang:
            return self.held.append(finish)
        if reply.delay:
            return asyncio.get_running_loop().call_later(reply.delay, finish)
        return finish()

    def finish(self, tag, length, inward, reply):
        failed = reply.status == CHECK_CONDITION
        self.sense = reply.sense if failed else fixed(NO_SENSE, (0, 0))
        left = length
        if inward and length:
            data = reply.data[:length]
            left -= len(data)
            self.inbound.append(data)
        elif length:
            left = 0
        self.inbound.append(b"USBS" + struct.pack("<IIB", tag, left, int(failed)))
        self.deliver()

    def release(self):
        held, self.held = self.held, []
        for finish in held:
            finish()
