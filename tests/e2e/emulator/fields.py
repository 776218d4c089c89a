"""Pages are built from (offset, size, value) so that a test reads like the table in a specification."""


class Page:
    """A page of a fixed length, filled by absolute offsets; values are little-endian."""

    def __init__(self, length):
        self.data = bytearray(length)

    def put(self, offset, size, value):
        if offset + size > len(self.data):
            raise ValueError(f"field {offset}+{size} beyond page of {len(self.data)}")
        self.data[offset:offset + size] = (value % (1 << 8 * size)).to_bytes(size, "little")
        return self

    def big(self, offset, size, value):
        self.data[offset:offset + size] = value.to_bytes(size, "big")
        return self

    def raw(self, offset, value):
        self.data[offset:offset + len(value)] = value
        return self

    def text(self, offset, size, value):
        """Left-justified, padded with spaces; bytes go in as they are."""
        value = value if isinstance(value, bytes) else value.encode("latin-1")
        self.data[offset:offset + size] = value[:size].ljust(size, b" ")
        return self

    def ata_text(self, offset, size, value):
        """ATA strings have the two bytes of each word exchanged."""
        value = value if isinstance(value, bytes) else value.encode("latin-1")
        value = value[:size].ljust(size, b" ")
        for i in range(0, size, 2):
            self.data[offset + i:offset + i + 2] = bytes((value[i + 1], value[i]))
        return self

    def bytes(self):
        return bytes(self.data)


def table(length, rows):
    """A page from {(offset, size): value}."""
    page = Page(length)
    for (offset, size), value in rows.items():
        page.put(offset, size, value)
    return page.bytes()
