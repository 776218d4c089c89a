"""A vhost-user-scsi back end (vhost-user protocol; virtio 1.1 section 5.6): QEMU hands over the guest's
memory and queues, and every CDB of the guest's SCSI host arrives here untouched."""

import array
import asyncio
import mmap
import os
import socket
import struct

GET_FEATURES, SET_MEM_TABLE = 1, 5
SET_VRING_NUM, SET_VRING_ADDR, SET_VRING_BASE, GET_VRING_BASE = 8, 9, 10, 11
SET_VRING_KICK, SET_VRING_CALL, GET_PROTOCOL_FEATURES = 12, 13, 15
VERSION, REPLY, NO_FD = 1, 4, 0x100
VIRTIO_1, PROTOCOL_FEATURES = 1 << 32, 1 << 30
MORE, DEVICE_WRITES = 1, 2
REQUEST_BYTES, RESPONSE_BYTES = 51, 108
OK, BAD_TARGET = 0, 3


class Memory:
    """The guest's memory regions, by guest-physical and by QEMU's own addresses."""

    def __init__(self):
        self.regions = []

    def replace(self, regions):
        for *_, area in self.regions:
            area.close()
        self.regions = regions

    def find(self, address, column):
        for physical, virtual, size, offset, area in self.regions:
            start = (physical, virtual)[column]
            if start <= address < start + size:
                return area, address - start + offset
        raise ValueError(f"no guest memory at {address:#x}")

    def read(self, address, size):
        area, at = self.find(address, 0)
        return area[at:at + size]

    def write(self, address, data):
        area, at = self.find(address, 0)
        area[at:at + len(data)] = data


class Ring:
    """One split virtqueue."""

    def __init__(self, memory):
        self.memory, self.size, self.kick, self.call = memory, 0, None, None
        self.descriptors = self.used = self.available = None
        self.last = 0

    def chains(self):
        """Yield (head, readable, writable) of every request that the guest has added."""
        area, at = self.available
        while True:
            index, = struct.unpack_from("<H", area, at + 2)
            if index == self.last:
                return
            head, = struct.unpack_from("<H", area, at + 4 + 2 * (self.last % self.size))
            self.last = (self.last + 1) & 0xFFFF
            yield head, *self.walk(head)

    def walk(self, index):
        area, at = self.descriptors
        readable, writable = [], []
        for _ in range(self.size):
            address, length, flags, following = struct.unpack_from("<QIHH", area, at + 16 * index)
            (writable if flags & DEVICE_WRITES else readable).append((address, length))
            if not flags & MORE:
                break
            index = following
        return readable, writable

    def complete(self, head, written):
        area, at = self.used
        index, = struct.unpack_from("<H", area, at + 2)
        struct.pack_into("<II", area, at + 4 + 8 * (index % self.size), head, written)
        struct.pack_into("<H", area, at + 2, (index + 1) & 0xFFFF)
        if self.call is not None:
            os.eventfd_write(self.call, 1)


class ScsiHost:
    """Targets by number, each a drive with execute(cdb, data_out, room) -> Reply or None."""

    def __init__(self, path):
        self.path, self.targets, self.held = path, {}, []
        self.memory, self.rings = Memory(), {}
        self.connection = self.listener = None

    async def start(self):
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(1)
        self.listener.setblocking(False)
        asyncio.get_running_loop().add_reader(self.listener, self.accept)

    def accept(self):
        loop = asyncio.get_running_loop()
        self.connection, _ = self.listener.accept()
        loop.remove_reader(self.listener)
        loop.add_reader(self.connection, self.message)

    def message(self):
        loop = asyncio.get_running_loop()
        head, ancillary, _flags, _address = self.connection.recvmsg(12, socket.CMSG_SPACE(8 * 4))
        if len(head) < 12:
            loop.remove_reader(self.connection)
            return
        request, _flags, size = struct.unpack("<III", head)
        body = self.connection.recv(size, socket.MSG_WAITALL) if size else b""
        fds = array.array("i")
        for _level, _kind, data in ancillary:
            fds.frombytes(data[:len(data) - len(data) % fds.itemsize])
        answer = self.handle(request, body, list(fds))
        if answer is not None:
            self.connection.sendall(struct.pack("<III", request, VERSION | REPLY, len(answer)) + answer)

    def ring(self, index):
        return self.rings.setdefault(index, Ring(self.memory))

    def handle(self, request, body, fds):
        if request == GET_FEATURES:
            return struct.pack("<Q", VIRTIO_1 | PROTOCOL_FEATURES)
        if request == GET_PROTOCOL_FEATURES:
            return struct.pack("<Q", 0)
        if request == SET_MEM_TABLE:
            self.map_memory(body, fds)
        elif request == SET_VRING_NUM:
            index, self_size = struct.unpack("<II", body)
            self.ring(index).size = self_size
        elif request == SET_VRING_BASE:
            index, last = struct.unpack("<II", body)
            self.ring(index).last = last
        elif request == SET_VRING_ADDR:
            index, _flags, descriptors, used, available, _log = struct.unpack("<IIQQQQ", body)
            ring = self.ring(index)
            ring.descriptors = self.memory.find(descriptors, 1)
            ring.used = self.memory.find(used, 1)
            ring.available = self.memory.find(available, 1)
        elif request == GET_VRING_BASE:
            index, _ = struct.unpack("<II", body)
            self.unwatch(self.ring(index))
            return struct.pack("<II", index, self.ring(index).last)
        elif request in (SET_VRING_KICK, SET_VRING_CALL):
            self.descriptor(request, struct.unpack("<Q", body)[0], fds)
        return None

    def map_memory(self, body, fds):
        count, = struct.unpack_from("<I", body)
        regions = []
        for i in range(count):
            physical, size, virtual, offset = struct.unpack_from("<QQQQ", body, 8 + 32 * i)
            area = mmap.mmap(fds[i], size + offset)
            regions.append((physical, virtual, size, offset, area))
            os.close(fds[i])
        self.memory.replace(regions)

    def descriptor(self, request, word, fds):
        index, fd = word & 0xFF, None if word & NO_FD or not fds else fds[0]
        ring = self.ring(index)
        if request == SET_VRING_CALL:
            ring.call = fd
            return
        self.unwatch(ring)
        ring.kick = fd
        if fd is not None:
            asyncio.get_running_loop().add_reader(fd, self.kicked, index)
            self.kicked(index)

    @staticmethod
    def unwatch(ring):
        if ring.kick is not None:
            asyncio.get_running_loop().remove_reader(ring.kick)
            os.close(ring.kick)
            ring.kick = None

    def kicked(self, index):
        ring = self.rings[index]
        try:
            os.eventfd_read(ring.kick)
        except BlockingIOError:
            pass
        if ring.available is None:
            return
        for head, readable, writable in ring.chains():
            if index >= 2:
                self.request(ring, head, readable, writable)
            elif index == 0:
                self.control(ring, head, writable)

    def control(self, ring, head, writable):
        """Task management: everything succeeds at once."""
        for address, length in writable:
            self.memory.write(address, bytes(length))
        ring.complete(head, sum(length for _, length in writable))

    def request(self, ring, head, readable, writable):
        data = b"".join(self.memory.read(*piece) for piece in readable)
        lun, cdb, data_out = data[:8], data[19:REQUEST_BYTES], data[REQUEST_BYTES:]
        room = sum(length for _, length in writable) - RESPONSE_BYTES
        target = self.targets.get(lun[1])
        number = (lun[2] << 8 | lun[3]) & 0x3FFF
        finish = lambda reply: self.finish(ring, head, writable, room, len(data_out), reply)
        if target is None or number:
            return finish(None)
        reply = target.execute(cdb, data_out, room)
        if reply is None:
            return finish(None)
        if reply.hang:
            return self.held.append(lambda: finish(reply))
        if reply.delay:
            return asyncio.get_running_loop().call_later(reply.delay, finish, reply)
        return finish(reply)

    def finish(self, ring, head, writable, room, sent, reply):
        if reply is None:
            response = struct.pack("<IIHBB96x", 0, room or sent, 0, 0, BAD_TARGET)
            data = b""
        else:
            data = reply.data[:room]
            left = room - len(data) if room else 0
            response = struct.pack("<IIHBB96s", len(reply.sense), left, 0, reply.status, OK, reply.sense)
        stream = response + data
        for address, length in writable:
            piece, stream = stream[:length], stream[length:]
            self.memory.write(address, piece)
        ring.complete(head, len(response) + len(data))

    def release(self):
        """Answer every command that a fault has held back."""
        held, self.held = self.held, []
        for finish in held:
            finish()
