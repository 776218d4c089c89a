"""An NVMe drive: its state, how it answers each admin command, and the trace that tests assert on.

Like many drives of NVMe 1.2 and 1.3, it counts every command that it refuses as an entry of its error
log, so a host that asks for what the drive does not have is found out.
"""

from dataclasses import dataclass, field

from . import nvme_identify, nvme_logs
from .fault import first
from .fields import Page
from .nvme_operations import Operations

GET_LOG, IDENTIFY, ABORT, SET_FEATURES, GET_FEATURES, ASYNC_EVENT, KEEP_ALIVE = (
    0x02, 0x06, 0x08, 0x09, 0x0A, 0x0C, 0x18)
SUCCESS, INVALID_OPCODE, INVALID_FIELD, INTERNAL, INVALID_NAMESPACE, SEQUENCE_ERROR = (
    0x000, 0x001, 0x002, 0x006, 0x00B, 0x00C)
INVALID_LOG = 0x109
DO_NOT_RETRY = 0x4000
EVERY_NAMESPACE = 0xFFFFFFFF


@dataclass
class Command:
    """One admin command as it arrived, and the status that it got."""
    opcode: int
    nsid: int
    cdw: tuple
    cntlid: int = 0
    status: int | None = None
    data: bytes = field(default=b"", repr=False)

    @property
    def lid(self):
        return self.cdw[0] & 0xFF if self.opcode == GET_LOG else None

    @property
    def retains_events(self):
        return bool(self.cdw[0] >> 15 & 1)

    @property
    def length(self):
        return ((self.cdw[0] >> 16 | (self.cdw[1] & 0xFFFF) << 16) + 1) * 4

    def __str__(self):
        words = " ".join(f"{word:08x}" for word in self.cdw)
        status = "none" if self.status is None else f"{self.status:04x}"
        return f"nvme {self.opcode:02x} nsid {self.nsid:x} cdw10.. {words} -> {status}"


def log_page(lid):
    """Matches Get Log Page of one log, for faults and assertions."""
    return lambda command: command.lid == lid


class NvmeDrive:
    kind = "nvme"
    flash = None  # hears of every write; see flash.py

    def __init__(self, serial="SN0001", model="EMULATED NVME SSD", firmware="1.0", version=0x010400,
                 vendor_id=0x1D1D, namespaces=None, logs=None, lpa=0x0E, oacs=0, ctratt=0, sanicap=0,
                 controllers=1, features=None, **identify):
        self.serial, self.model, self.firmware = serial, model, firmware
        self.version, self.vendor_id, self.ieee = version, vendor_id, bytes((0x1D, 0x00, 0xA0))
        self.namespaces = {n.nsid: n for n in (namespaces or [nvme_identify.Namespace()])}
        self.allocated = dict(self.namespaces)
        self.lpa, self.oacs, self.ctratt, self.sanicap = lpa, oacs, ctratt, sanicap
        self.controllers = controllers
        self.cmic = 2 if controllers > 1 else 0
        self.oaes, self.frmw, self.oncs, self.fna = 0x100, 0x02, 0x0C, 0
        self.warning_kelvin, self.critical_kelvin = 273 + 77, 273 + 85
        self.extended_test_minutes = 10
        self.endurance_groups = 0
        self.persistent_event_size = 0
        self.namespace_limit = max(self.namespaces)
        self.capacity = sum(n.blocks * n.block_bytes for n in self.namespaces.values())
        self.nqn = None
        for name, value in identify.items():
            if not hasattr(self, name):
                raise TypeError(f"no such property: {name}")
            setattr(self, name, value)
        self.features = features or {}
        self.operations = Operations(self)
        self.logs = {0x01: self.error_log, 0x02: nvme_logs.smart(), 0x03: self.operations.firmware_log}
        if lpa & 2:
            self.logs[0x05] = nvme_logs.effects()
        if oacs & 0x10:
            self.logs[0x06] = self.operations.selftest_log
        if sanicap:
            self.logs[0x81] = self.operations.sanitize_log
        self.logs.update(logs or {})
        self.faults, self.delay = [], 0.0
        self.trace, self.cleared, self.errors, self.changed_features = [], [], [], []
        self.error_count = 0
        self.event_context = False
        self.gone = False

    def arm(self):
        """Forget what the kernel asked while it connected; a test's own commands follow."""
        self.trace, self.cleared, self.errors, self.changed_features = [], [], [], []
        self.error_count = 0

    def calm(self):
        """No more faults."""
        self.faults, self.delay = [], 0.0

    def asked_logs(self):
        return [c.lid for c in self.trace if c.opcode == GET_LOG]

    def execute(self, command):
        """Returns (status, result, data, fault); the command is on the trace with its status."""
        fault = first(self.faults, command)
        self.operations.settle()
        forbidden = self.operations.forbids(command)
        if fault.status is not None or forbidden:
            status, result, data = fault.status or forbidden, 0, b""
        else:
            status, result, data = self.handle(command)
        command.status = status
        if command.opcode not in (ASYNC_EVENT, KEEP_ALIVE):
            self.trace.append(command)
        if status:
            self.error_count += 1
            self.errors.insert(0, command)
        return status, result, fault.spoil(data) if data else data, fault

    def handle(self, command):
        handler = HANDLERS.get(command.opcode)
        if handler:
            return handler(self, command)
        operation = self.operations.handler(command.opcode)
        return operation(command) if operation else (INVALID_OPCODE | DO_NOT_RETRY, 0, b"")

    def error_log(self):
        page = Page(64 * 64)
        for i, command in enumerate(self.errors[:64]):
            page.put(64 * i, 8, self.error_count - i).put(64 * i + 12, 2, command.status << 1)
            page.put(64 * i + 24, 4, command.nsid)
        return page.bytes()

    def smart_log(self, data):
        """Log 02h with the entries that this run has added."""
        base = int.from_bytes(data[176:192], "little")
        return data[:176] + (base + self.error_count).to_bytes(16, "little") + data[192:]

    def supported_logs(self):
        page = Page(1024)
        for lid in {0x00, *(key if isinstance(key, int) else key[0] for key in self.logs)}:
            page.put(4 * lid, 4, 1)
        return page.bytes()

    def log_data(self, command):
        """The whole log that a command asks for, or None."""
        lid, identifier = command.lid, command.cdw[1] >> 16
        if lid == 0x00:
            return self.supported_logs() if self.lpa & 0x20 else None
        if (lid, identifier) in self.logs:
            return self.logs[lid, identifier]
        if lid not in self.logs:
            return None
        data = self.logs[lid]
        if callable(data):
            data = data()
        return self.smart_log(data) if lid == 0x02 else data


def get_log(drive, command):
    refused = lambda status: (status | DO_NOT_RETRY, 0, b"")
    data = drive.log_data(command)
    if data is None:
        return refused(INVALID_LOG)
    per_namespace = drive.lpa & 1
    if command.lid == 0x02 and command.nsid not in (0, EVERY_NAMESPACE) and not per_namespace:
        return refused(INVALID_FIELD)
    if command.lid == 0x0D:
        action = command.cdw[0] >> 8 & 3
        if action == 3 or (action == 0) != drive.event_context and action != 2:
            return refused(SEQUENCE_ERROR)
        drive.event_context = action != 2
    offset = command.cdw[2] | command.cdw[3] << 32
    if offset and (not drive.lpa & 4 or offset > len(data)):
        return refused(INVALID_FIELD)
    if not command.retains_events:
        drive.cleared.append(command.lid)
    return SUCCESS, 0, data[offset:offset + command.length].ljust(command.length, b"\0")


def identify(drive, command):
    cns = command.cdw[0] & 0xFF
    namespace = drive.namespaces.get(command.nsid)
    if cns == 0x00:
        if namespace:
            return SUCCESS, 0, namespace.identify()
        if 0 < command.nsid <= drive.namespace_limit:
            return SUCCESS, 0, bytes(4096)
        return INVALID_NAMESPACE | DO_NOT_RETRY, 0, b""
    if cns == 0x01:
        return SUCCESS, 0, nvme_identify.controller(drive, command.cntlid)
    if cns == 0x02 and drive.version >= 0x010100:
        return SUCCESS, 0, nvme_identify.namespace_list(drive.namespaces, command.nsid)
    if cns == 0x03 and drive.version >= 0x010300:
        if namespace:
            return SUCCESS, 0, namespace.descriptors()
        return INVALID_NAMESPACE | DO_NOT_RETRY, 0, b""
    if cns == 0x10 and drive.oacs & 8:
        return SUCCESS, 0, nvme_identify.namespace_list(drive.allocated, command.nsid)
    if cns == 0x11 and drive.oacs & 8:
        namespace = drive.allocated.get(command.nsid)
        return SUCCESS, 0, namespace.identify() if namespace else bytes(4096)
    return INVALID_FIELD | DO_NOT_RETRY, 0, b""


def get_features(drive, command):
    identifier = command.cdw[0] & 0xFF
    known = {0x01: 0, 0x02: 0, 0x04: drive.warning_kelvin, 0x06: 1, 0x07: 0x003F003F, 0x0B: 0}
    value = drive.features.get(identifier, known.get(identifier))
    if value is None:
        return INVALID_FIELD | DO_NOT_RETRY, 0, b""
    return SUCCESS, value, b""


def set_features(drive, command):
    identifier, value = command.cdw[0] & 0xFF, command.cdw[1]
    if identifier == 0x07:
        return SUCCESS, value, b""
    drive.features[identifier] = value
    drive.changed_features.append(identifier)
    return SUCCESS, 0, b""


HANDLERS = {
    GET_LOG: get_log,
    IDENTIFY: identify,
    GET_FEATURES: get_features,
    SET_FEATURES: set_features,
    ABORT: lambda drive, command: (SUCCESS, 1, b""),
    KEEP_ALIVE: lambda drive, command: (SUCCESS, 0, b""),
}
