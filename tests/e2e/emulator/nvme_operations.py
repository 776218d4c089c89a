"""What changes an NVMe drive: self-tests, sanitize, format, firmware and namespaces (NVM Express Base 2.0,
sections 5.9, 5.11, 5.12, 5.14, 5.23 and 5.24). Long operations take the drive's own time, and say how far
they are."""

import time

from . import nvme_identify, nvme_logs

SELF_TEST, SANITIZE, FORMAT, COMMIT, DOWNLOAD, MANAGE_NAMESPACE, ATTACH_NAMESPACE = (
    0x14, 0x84, 0x80, 0x10, 0x11, 0x0D, 0x15)
INVALID_FIELD, SANITIZE_FAILED, SANITIZE_RUNS = 0x002, 0x01C, 0x01D
INVALID_SLOT, INVALID_IMAGE, INVALID_FORMAT, SELF_TEST_RUNS = 0x106, 0x107, 0x10A, 0x11D
NO_CAPACITY, NO_IDENTIFIER, ATTACHED_ALREADY, NOT_ATTACHED = 0x115, 0x116, 0x118, 0x11A
DO_NOT_RETRY = 0x4000
ABORT_TEST = 0xF
ALLOWED_DURING_SANITIZE = {0x02, 0x06, 0x08, 0x09, 0x0A, 0x0C, 0x18}


def refused(status):
    return status | DO_NOT_RETRY, 0, b""


DONE = (0, 0, b"")


class Running:
    """An operation that takes an hour, unless told otherwise; a test ends it at once with finish()."""

    def __init__(self, kind, seconds, detail=0):
        self.kind, self.seconds, self.detail, self.start = kind, seconds, detail, time.monotonic()

    def fraction(self):
        return min(1.0, (time.monotonic() - self.start) / self.seconds) if self.seconds else 1.0

    def finish(self):
        self.seconds = 0


class Operations:
    """The state of one drive's operations. seconds and outcome are what a test scripts.

    selftest_result  result nibble of the next self-test, 0 without error
    sanitize_fails   the next sanitize ends in failure
    good_image       whether a downloaded firmware image is accepted, by its bytes
    """

    def __init__(self, drive):
        self.drive = drive
        self.seconds = {"selftest": 3600, "sanitize": 3600}
        self.selftest_result, self.sanitize_fails = 0, False
        self.good_image = lambda image: len(image) > 0
        self.selftest = self.sanitize = None
        self.results = []
        self.sanitize_status, self.sanitize_word = 0, 0
        self.image, self.slots, self.active, self.pending = {}, {1: drive.firmware}, 1, 0
        self.formats, self.changed = [], []

    # What the logs say.

    def settle(self):
        """Take over what has ended since the last command."""
        if self.selftest and self.selftest.fraction() >= 1:
            hours = int.from_bytes(self.drive.logs[0x02][128:136], "little")
            self.results.insert(0, (self.selftest.kind, self.selftest_result, hours))
            self.selftest = None
        if self.sanitize and self.sanitize.fraction() >= 1:
            if self.sanitize_fails:
                self.sanitize_status = 3
            else:
                self.sanitize_status = 0x101
                for namespace in self.drive.allocated.values():
                    namespace.contents.clear()
            self.sanitize = None

    def selftest_log(self):
        if not self.selftest:
            return nvme_logs.selftest(self.results)
        return nvme_logs.selftest(self.results, self.selftest.kind, int(self.selftest.fraction() * 100))

    def sanitize_log(self):
        progress = int(self.sanitize.fraction() * 65535) if self.sanitize else 0xFFFF
        return nvme_logs.sanitize(progress, 2 if self.sanitize else self.sanitize_status, self.sanitize_word)

    def firmware_log(self):
        slots = [self.slots.get(n, b"\0" * 8) for n in range(1, max(self.slots) + 1)]
        return nvme_logs.firmware(slots, self.active | self.pending << 4)

    def forbids(self, command):
        """The status that a running or failed sanitize gives to other commands, or 0."""
        if command.opcode in ALLOWED_DURING_SANITIZE:
            return 0
        if self.sanitize:
            return SANITIZE_RUNS
        return SANITIZE_FAILED if self.sanitize_status == 3 and command.opcode != SANITIZE else 0

    def reset(self):
        """A controller reset: firmware that waited for it is active now."""
        if self.pending:
            self.active, self.pending = self.pending, 0
            self.drive.firmware = self.slots[self.active]

    # Commands.

    def do_selftest(self, command):
        code = command.cdw[0] & 0xF
        if not self.drive.oacs & 0x10 or code not in (1, 2, ABORT_TEST):
            return refused(INVALID_FIELD)
        if code == ABORT_TEST:
            if self.selftest:
                self.results.insert(0, (self.selftest.kind, 1, 0))
                self.selftest = None
            return DONE
        if self.selftest:
            return refused(SELF_TEST_RUNS)
        self.selftest = Running(code, self.seconds["selftest"])
        return DONE

    def do_sanitize(self, command):
        action = command.cdw[0] & 7
        capability = {4: 1, 2: 2, 3: 4}.get(action, 0)
        if action == 1 and self.sanitize_status == 3:
            self.sanitize_status = 0
            return DONE
        if not self.drive.sanicap & capability:
            return refused(INVALID_FIELD)
        self.sanitize_word = command.cdw[0]
        self.sanitize = Running(action, self.seconds["sanitize"])
        return DONE

    def do_format(self, command):
        number = command.cdw[0] & 0xF
        chosen = (list(self.drive.namespaces.values()) if command.nsid == 0xFFFFFFFF
                  else [self.drive.namespaces.get(command.nsid)])
        if not self.drive.oacs & 2 or None in chosen:
            return refused(INVALID_FIELD)
        if any(number >= len(namespace.formats) for namespace in chosen):
            return refused(INVALID_FORMAT)
        for namespace in chosen:
            namespace.reformat(number)
            self.formats.append((namespace.nsid, command.cdw[0]))
        return DONE

    def do_download(self, command):
        if not self.drive.oacs & 4:
            return refused(INVALID_FIELD)
        self.image[command.cdw[1] * 4] = command.data
        return DONE

    def do_commit(self, command):
        slot, action = command.cdw[0] & 7, command.cdw[0] >> 3 & 7
        slot = slot or 1
        if not self.drive.oacs & 4 or slot > self.drive.frmw >> 1 & 7:
            return refused(INVALID_SLOT)
        if action in (0, 1, 3):
            image = b"".join(part for _, part in sorted(self.image.items()))
            if not self.good_image(image):
                return refused(INVALID_IMAGE)
            self.slots[slot] = image[:8].rstrip(b"\0").decode("latin-1")
            self.image = {}
        if action in (1, 2):
            self.pending = slot
        if action == 3:
            self.pending = slot
            self.reset()
        return DONE

    def do_manage(self, command):
        if not self.drive.oacs & 8:
            return refused(INVALID_FIELD)
        if command.cdw[0] & 0xF == 1:
            for nsid in list(self.drive.allocated) if command.nsid == 0xFFFFFFFF else [command.nsid]:
                self.drive.namespaces.pop(nsid, None)
                self.drive.allocated.pop(nsid, None)
            return DONE
        blocks, flbas = int.from_bytes(command.data[:8], "little"), command.data[26]
        nsid = next((n for n in range(1, self.drive.namespace_limit + 1) if n not in self.drive.allocated), 0)
        if not nsid:
            return refused(NO_IDENTIFIER)
        namespace = nvme_identify.Namespace(nsid, size=blocks * 512, flbas=0)
        namespace.reformat(flbas & 0xF)
        namespace.blocks = blocks
        used = sum(n.blocks * n.block_bytes for n in self.drive.allocated.values())
        if used + blocks * namespace.block_bytes > self.drive.capacity:
            return refused(NO_CAPACITY)
        self.drive.allocated[nsid] = namespace
        return 0, nsid, b""

    def do_attach(self, command):
        namespace = self.drive.allocated.get(command.nsid)
        if not self.drive.oacs & 8 or namespace is None:
            return refused(INVALID_FIELD)
        if command.cdw[0] & 0xF == 0:
            if command.nsid in self.drive.namespaces:
                return refused(ATTACHED_ALREADY)
            self.drive.namespaces[command.nsid] = namespace
        elif self.drive.namespaces.pop(command.nsid, None) is None:
            return refused(NOT_ATTACHED)
        return DONE

    def handler(self, opcode):
        return {SELF_TEST: self.do_selftest, SANITIZE: self.do_sanitize, FORMAT: self.do_format,
                COMMIT: self.do_commit, DOWNLOAD: self.do_download, MANAGE_NAMESPACE: self.do_manage,
                ATTACH_NAMESPACE: self.do_attach}.get(opcode)
