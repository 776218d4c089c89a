"""A writer of cpio archives in the "newc" format, which the kernel unpacks as its first root."""

import os
import stat


class Archive:
    def __init__(self):
        self.parts, self.seen, self.inode = [], set(), 0

    def _entry(self, name, mode, data=b"", device=(0, 0)):
        self.inode += 1
        encoded = name.encode() + b"\0"
        fields = (self.inode, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(encoded), 0)
        header = b"070701" + b"".join(b"%08x" % field for field in fields) + encoded
        pad = lambda block: block + bytes(-len(block) % 4)
        self.parts += [pad(header), pad(data)]

    def folder(self, path):
        path = path.strip("/")
        if not path or path in self.seen:
            return
        self.folder(os.path.dirname(path))
        self.seen.add(path)
        self._entry(path, stat.S_IFDIR | 0o755)

    def file(self, path, data, mode=0o755):
        path = path.strip("/")
        if path in self.seen:
            return
        self.folder(os.path.dirname(path))
        self.seen.add(path)
        self._entry(path, stat.S_IFREG | mode, data)

    def link(self, path, target):
        path = path.strip("/")
        if path in self.seen:
            return
        self.folder(os.path.dirname(path))
        self.seen.add(path)
        self._entry(path, stat.S_IFLNK | 0o777, target.encode())

    def node(self, path, major, minor):
        self.folder(os.path.dirname(path))
        self._entry(path.strip("/"), stat.S_IFCHR | 0o600, device=(major, minor))

    def bytes(self):
        tail = Archive()
        tail._entry("TRAILER!!!", 0)
        return b"".join(self.parts + tail.parts)
