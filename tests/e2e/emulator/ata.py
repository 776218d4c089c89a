"""The ATA side of an emulated SATA drive: task files in, registers and data out (ACS-4)."""

from dataclasses import dataclass, field

from . import ata_pages
from .ata_operations import AtaOperations
from .fault import first

CHECK_POWER, IDENTIFY, SMART, READ_LOG, READ_LOG_DMA, STANDBY_NOW, IDLE_NOW, SLEEP = (
    0xE5, 0xEC, 0xB0, 0x2F, 0x47, 0xE0, 0xE1, 0xE6)
READ_DATA, READ_THRESHOLDS, AUTOSAVE, EXECUTE_OFFLINE, SMART_READ_LOG, ENABLE, DISABLE, STATUS = (
    0xD0, 0xD1, 0xD2, 0xD4, 0xD5, 0xD8, 0xD9, 0xDA)
READY, ERROR, ABORTED = 0x50, 0x51, 0x04
SMART_KEY, PASSED, FAILED = 0xC24F00, 0xC24F00, 0x2CF400
ACTIVE_POWER, STANDBY_POWER = 0xFF, 0x00


@dataclass
class TaskFile:
    """One ATA command, as it came through a translation layer."""
    command: int
    features: int = 0
    count: int = 0
    lba: int = 0
    device: int = 0
    extended: bool = False
    data: bytes = field(default=b"", repr=False)
    status: int | None = None

    def __str__(self):
        return (f"ata {self.command:02x} features {self.features:04x} count {self.count:04x} "
                f"lba {self.lba:012x} -> {self.status}")


@dataclass
class AtaResult:
    status: int = READY
    error: int = 0
    count: int = 0
    lba: int = 0
    device: int = 0x40
    extended: bool = False
    data: bytes = b""


def abort(task):
    return AtaResult(ERROR, ABORTED, task.count, task.lba, extended=task.extended)


class AtaDrive:
    """attributes, statistics and logs are what a test scripts; state is what the commands change."""

    def __init__(self, serial, model, firmware, size, attributes, limits=None, statistics=None,
                 logs=None, failing=False, smart_on=True, wwn=None, rotation=1, block_bytes=512,
                 gpl=True, sct=True):
        self.serial, self.model, self.firmware, self.size = serial, model, firmware, size
        self.wwn, self.rotation, self.block_bytes = wwn, rotation, block_bytes
        self.attributes, self.limits = attributes, limits
        self.failing, self.smart_on, self.gpl, self.sct = failing, smart_on, gpl, sct
        self.logs = {0x03: [ata_pages.error_log_extended()], 0x06: [ata_pages.selftest_log()],
                     0x07: [ata_pages.selftest_log_extended()]} if logs is None else logs
        if sct:
            self.logs.setdefault(0xE0, [ata_pages.sct_status(34, 20, 51, 70)])
        self.statistics = {}
        self.set_statistics(statistics or {})
        self.before_command = lambda: None  # brings the pages up to what has happened since
        self.faults, self.trace = [], []
        self.standby, self.wakes = False, 0
        self.operations = AtaOperations()

    def set_statistics(self, statistics):
        """Device Statistics as {page: {offset: value}}; none: the drive has not the log."""
        self.statistics = dict(statistics)
        if self.statistics:
            pages = {0: ata_pages.statistics_directory(self.statistics)}
            pages |= {n: ata_pages.statistics(n, values) for n, values in self.statistics.items()}
            blank = bytes(512)
            self.logs[0x04] = [pages.get(n, blank) for n in range(max(pages) + 1)]

    def arm(self):
        self.trace, self.wakes = [], 0

    def identify(self):
        return ata_pages.identify(self.serial, self.model, self.firmware, self.size, self.wwn,
                                  self.rotation, self.block_bytes, self.smart_on, self.gpl, self.sct,
                                  self.operations.identify_words())

    def execute(self, task):
        self.trace.append(task)
        self.before_command()
        fault = first(self.faults, task)
        self.operations.settle(self.statistics.get(1, {}).get(0x10, 0))
        refused = fault.status is not None or self.operations.forbids(task)
        result = abort(task) if refused else self.handle(task)
        task.status = result.status
        if result.data:
            result.data = fault.spoil(result.data)
        return result, fault

    def handle(self, task):
        handler = {IDENTIFY: self.do_identify, SMART: self.do_smart, CHECK_POWER: self.do_check_power,
                   READ_LOG: self.do_read_log, READ_LOG_DMA: self.do_read_log,
                   STANDBY_NOW: self.do_standby, IDLE_NOW: self.do_idle}.get(task.command)
        if handler:
            return handler(task)
        operation = self.operations.handler(task.command)
        registers = operation(task) if operation else None
        if registers is None:
            return abort(task)
        return AtaResult(count=registers[0], lba=registers[1], extended=task.extended)

    def wake(self):
        if self.standby:
            self.standby, self.wakes = False, self.wakes + 1

    def do_identify(self, _task):
        return AtaResult(data=self.identify())

    def do_check_power(self, _task):
        return AtaResult(count=STANDBY_POWER if self.standby else ACTIVE_POWER)

    def do_standby(self, _task):
        self.standby = True
        return AtaResult()

    def do_idle(self, _task):
        self.wake()
        return AtaResult()

    def do_read_log(self, task):
        self.wake()
        address, page = task.lba & 0xFF, task.lba >> 8 & 0xFF | task.lba >> 24 & 0xFF00
        return self.log(task, address, page) if self.gpl else abort(task)

    def log(self, task, address, page):
        logs = self.logs | (self.operations.logs() if self.operations.results else {})
        if address == 0x00:
            data = ata_pages.log_directory({a: len(pages) for a, pages in logs.items()})
        elif address in logs and page + task.count <= len(logs[address]):
            data = b"".join(logs[address][page:page + task.count])
        else:
            return abort(task)
        return AtaResult(data=data, extended=task.extended)

    def do_smart(self, task):
        if task.lba & 0xFFFF00 != SMART_KEY:
            return abort(task)
        feature = task.features & 0xFF
        if feature == ENABLE:
            self.smart_on = True
            return AtaResult()
        if not self.smart_on:
            return abort(task)
        self.wake()
        if feature == READ_DATA:
            return AtaResult(data=ata_pages.smart_data(
                self.attributes, self.operations.selftest_status()))
        if feature == READ_THRESHOLDS:
            return AtaResult(data=ata_pages.thresholds(self.attributes, self.limits))
        if feature == SMART_READ_LOG:
            return self.log(task, task.lba & 0xFF, 0)
        if feature == STATUS:
            return AtaResult(lba=FAILED if self.failing else PASSED)
        if feature == DISABLE:
            self.smart_on = False
            return AtaResult()
        if feature == EXECUTE_OFFLINE:
            return AtaResult() if self.operations.start_selftest(task.lba & 0xFF) else abort(task)
        return AtaResult() if feature == AUTOSAVE else abort(task)
