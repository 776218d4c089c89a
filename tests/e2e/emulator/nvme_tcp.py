"""NVMe/TCP transport (NVM Express TCP Transport 1.0): carries the commands of any number of drives, each a
subsystem with its own NQN, on one listening port of the loopback interface."""

import asyncio
import struct

from .nvme import ASYNC_EVENT, INTERNAL, KEEP_ALIVE, Command

IC_REQUEST, IC_RESPONSE, COMMAND, RESPONSE, TO_CONTROLLER, TO_HOST, READY = 0, 1, 4, 5, 6, 7, 9
LAST_DATA = 4
FABRICS = 0x7F
FLUSH, WRITE, READ, WRITE_ZEROES, DATASET_MANAGEMENT = 0x00, 0x01, 0x02, 0x08, 0x09
PROPERTY_SET, CONNECT, PROPERTY_GET = 0, 1, 4
CONNECT_INVALID = 0x182
CAP, VS, CC, CSTS = 0x00, 0x08, 0x14, 0x1C


class Controller:
    """What a connected admin queue made: registers, and the queues that belong to it."""

    def __init__(self, drive, cntlid):
        self.drive = drive
        self.cntlid = cntlid
        self.configuration = 0
        self.queues = []

    def read(self, offset):
        if offset == CAP:
            return 1 << 37 | 20 << 24 | 1 << 16 | 127
        if offset == VS:
            return self.drive.version
        if offset == CC:
            return self.configuration
        shutdown = 2 << 2 if self.configuration >> 14 & 3 else 0
        return self.configuration & 1 | shutdown

    def write(self, offset, value):
        if offset == CC:
            if value & 1 and not self.configuration & 1:
                self.drive.operations.reset()
            self.configuration = value


class Queue:
    """One TCP connection."""

    def __init__(self, server, reader, writer):
        self.server, self.reader, self.writer = server, reader, writer
        self.controller = None
        self.admin = True
        self.waiting = {}  # command id: its entry, and what has come of its data

    async def pdu(self):
        kind, _flags, header, offset, total = struct.unpack("<BBBBI", await self.reader.readexactly(8))
        body = await self.reader.readexactly(total - 8)
        return kind, body[:header - 8], body[(offset or header) - 8:] if total > header else b""

    def send(self, kind, header, data=b"", flags=0):
        length = 8 + len(header)
        offset = length if data else 0
        self.writer.write(struct.pack("<BBBBI", kind, flags, length, offset, length + len(data)) +
                          header + data)

    async def serve(self):
        kind, _header, _data = await self.pdu()
        if kind != IC_REQUEST:
            return
        self.send(IC_RESPONSE, struct.pack("<HBBI112x", 0, 0, 0, 131072))
        while True:
            kind, header, data = await self.pdu()
            if kind == COMMAND:
                self.command(header[:64], data)
            elif kind == TO_CONTROLLER:
                self.more(header, data)

    def command(self, entry, data):
        """Run a command; where its data did not fit in the capsule, ask for them first."""
        opcode, _flags, cid, nsid = struct.unpack_from("<BBHI", entry)
        length, = struct.unpack_from("<I", entry, 32)
        if opcode & 3 == 1 and len(data) < length:
            self.waiting[cid] = entry, data
            if not data:
                self.send(READY, struct.pack("<HHII4x", cid, 0, 0, length))
            return
        if opcode == FABRICS:
            self.fabrics(entry, cid, data)
        elif not self.admin:
            self.finish(cid, *self.io(opcode, nsid, entry, data, length))
        elif opcode != ASYNC_EVENT:
            cdw = struct.unpack_from("<6I", entry, 40)
            command = Command(opcode, nsid, cdw, self.controller.cntlid, data=data)
            self.execute(command, cid, length)

    def more(self, header, data):
        """Part of the data of a command that waits for them; others may have come in between."""
        entry, before = self.waiting.pop(struct.unpack_from("<H", header)[0])
        self.command(entry, before + data)

    def execute(self, command, cid, room):
        drive = self.controller.drive
        status, result, data, fault = drive.execute(command)
        if command.opcode == KEEP_ALIVE:
            return self.finish(cid, status, result, b"")
        if fault.drop:
            return self.writer.close()
        answer = (cid, status, result, data[:room])
        if fault.hang:
            return self.server.held.append((self, answer))
        delay = fault.delay or drive.delay
        if delay:
            return asyncio.get_running_loop().call_later(delay, self.finish, *answer)
        return self.finish(*answer)

    def finish(self, cid, status, result, data):
        if self.writer.is_closing():
            return
        if data:
            self.send(TO_HOST, struct.pack("<HHII4x", cid, 0, 0, len(data)), data, LAST_DATA)
        self.send(RESPONSE, struct.pack("<QHHHH", result, 0, 0, cid, status << 1))

    def io(self, opcode, nsid, entry, data, length):
        """Commands of an I/O queue; the blocks that were written are remembered."""
        drive = self.controller.drive
        namespace = drive.namespaces.get(nsid)
        if namespace is None:
            return 0x400B, 0, b""
        if drive.operations.sanitize:
            return 0x001D, 0, b""
        start, count = struct.unpack_from("<QH", entry, 40)
        size, span = namespace.block_bytes, range(start, start + count + 1)
        if opcode == READ:
            if not namespace.contents:
                return 0, 0, bytes(length)
            empty = bytes(size)
            return 0, 0, b"".join(namespace.contents.get(lba, empty) for lba in span)
        if opcode == WRITE:
            if drive.flash:
                drive.flash.write(len(data))
            for i, lba in enumerate(span):
                namespace.contents[lba] = data[i * size:(i + 1) * size]
        elif opcode == WRITE_ZEROES:
            self.drop(namespace, span)
        elif opcode == DATASET_MANAGEMENT:
            for at in range(0, 16 * ((start & 0xFF) + 1), 16):
                blocks, first = struct.unpack_from("<IQ", data, at + 4)
                namespace.trimmed.append((first, blocks))
                self.drop(namespace, range(first, first + blocks))
        elif opcode != FLUSH:
            return 0x4001, 0, b""
        return 0, 0, b""

    @staticmethod
    def drop(namespace, span):
        for lba in [lba for lba in namespace.contents if lba in span]:
            del namespace.contents[lba]

    def fabrics(self, entry, cid, data):
        kind = entry[4]
        if kind == CONNECT:
            return self.connect(entry, cid, data)
        if self.controller is None:
            return self.finish(cid, INTERNAL, 0, b"")
        offset, value = struct.unpack_from("<IQ", entry, 44)
        if kind == PROPERTY_GET:
            return self.finish(cid, 0, self.controller.read(offset), b"")
        if kind == PROPERTY_SET:
            self.controller.write(offset, value)
            return self.finish(cid, 0, 0, b"")
        return self.finish(cid, 0x4002, 0, b"")

    def connect(self, entry, cid, data):
        queue_id, = struct.unpack_from("<H", entry, 42)
        cntlid, = struct.unpack_from("<H", data, 16)
        nqn = data[256:512].split(b"\0")[0].decode()
        drive = self.server.drives.get(nqn)
        if drive is None or drive.gone:
            return self.finish(cid, CONNECT_INVALID | 0x4000, 0, b"")
        if queue_id == 0:
            cntlid = self.server.next_controller(drive)
            self.server.controllers[cntlid] = Controller(drive, cntlid)
        self.controller = self.server.controllers.get(cntlid)
        if self.controller is None:
            return self.finish(cid, CONNECT_INVALID | 0x4000, 0, b"")
        self.admin = queue_id == 0
        self.controller.queues.append(self)
        return self.finish(cid, 0, cntlid, b"")


class NvmeServer:
    """All emulated NVMe drives behind one port."""

    def __init__(self):
        self.drives, self.controllers, self.held = {}, {}, []
        self.port = None
        self.server = None
        self.last_controller = 0

    async def start(self):
        self.server = await asyncio.start_server(self.accept, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]

    async def accept(self, reader, writer):
        try:
            await Queue(self, reader, writer).serve()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def next_controller(self, _drive):
        self.last_controller = self.last_controller % 0xFFE0 + 1
        return self.last_controller

    def add(self, drive, nqn):
        drive.nqn = nqn
        self.drives[nqn] = drive

    def release(self):
        """Answer every command that a fault has held back."""
        held, self.held = self.held, []
        for queue, answer in held:
            queue.finish(*answer)

    def vanish(self, drive):
        """The drive is pulled: its connections end, and it takes no new one."""
        drive.gone = True
        for controller in self.controllers.values():
            if controller.drive is drive:
                for queue in controller.queues:
                    queue.writer.close()

    def remove(self, drive):
        self.vanish(drive)
        self.drives.pop(drive.nqn, None)
        for cntlid in [k for k, v in self.controllers.items() if v.drive is drive]:
            del self.controllers[cntlid]
