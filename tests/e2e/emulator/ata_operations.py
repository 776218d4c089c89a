"""What changes a SATA drive: self-tests, security, sanitize and TRIM (ACS-4 chapter 7)."""

from . import ata_pages
from .nvme_operations import Running

SELF_TEST_SHORT, SELF_TEST_EXTENDED, SELF_TEST_ABORT = 0x01, 0x02, 0x7F
DATA_SET_MANAGEMENT, SANITIZE = 0x06, 0xB4
SET_PASSWORD, UNLOCK, ERASE_PREPARE, ERASE_UNIT, FREEZE_LOCK, DISABLE_PASSWORD = (
    0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6)
STATUS, CRYPTO, BLOCK_ERASE, OVERWRITE, FREEZE, ANTIFREEZE = 0x00, 0x11, 0x12, 0x14, 0x20, 0x40
KEYS = {CRYPTO: 0x43727970, BLOCK_ERASE: 0x426B4572, FREEZE: 0x46724C6B, ANTIFREEZE: 0x416E7469}
OVERWRITE_KEY = 0x4F57
ALLOWED_WHEN_LOCKED = {0xEC, 0xE5, 0xB0, 0x2F, 0x47, SANITIZE, UNLOCK, ERASE_PREPARE, ERASE_UNIT, 0xE0, 0xE1}
ALLOWED_DURING_SANITIZE = {0xEC, 0xE5, SANITIZE}
WRONG_PASSWORDS = 5


class AtaOperations:
    """The state of one drive's operations. What a test scripts:

    seconds          how long a self-test and a sanitize take
    selftest_result  status nibble of the next self-test, 0 without error
    sanitizes        which sanitize methods there are, by feature code; none by default
    security         whether there is the security feature set; erase_fails: the next erase is aborted
    """

    def __init__(self):
        self.seconds = {"selftest": 3600, "sanitize": 3600}
        self.selftest_result, self.erase_fails, self.sanitize_fails = 0, False, False
        self.sanitizes, self.security = (), True
        self.results, self.selftest, self.sanitize = [], None, None
        self.sanitized, self.sanitize_frozen, self.antifreeze = 0, False, False
        self.password, self.locked, self.frozen, self.prepared = None, False, False, False
        self.attempts, self.erases, self.trimmed, self.contents = WRONG_PASSWORDS, [], [], {}

    def settle(self, hours):
        """Take over what has ended since the last command."""
        if self.selftest and self.selftest.fraction() >= 1:
            self.results.insert(0, (self.selftest_result, hours))
            self.selftest = None
        if self.sanitize and self.sanitize.fraction() >= 1:
            self.sanitize = None
            self.sanitized = 0 if self.sanitize_fails else 1
            if self.sanitized:
                self.contents.clear()

    def forbids(self, task):
        if self.sanitize and task.command not in ALLOWED_DURING_SANITIZE:
            return True
        return self.locked and task.command not in ALLOWED_WHEN_LOCKED

    def identify_words(self):
        """{word: value} that IDENTIFY adds."""
        flags = {CRYPTO: 1 << 13, OVERWRITE: 1 << 14, BLOCK_ERASE: 1 << 15}
        words = {59: sum(flags[method] for method in self.sanitizes) | (0x1000 if self.sanitizes else 0),
                 69: 1 << 14 | 1 << 5, 105: 8}
        if self.security:
            words |= {89: 2, 90: 2, 92: 0xFFFE,
                      128: 0x21 | (self.password is not None) << 1 | self.locked << 2 | self.frozen << 3 |
                      (self.attempts == 0) << 4}
        return words

    def selftest_status(self):
        """Byte 363 of SMART data."""
        if self.selftest:
            return 0xF0 | max(0, 9 - int(self.selftest.fraction() * 10))
        return self.results[0][0] << 4 if self.results else 0

    def logs(self):
        return {0x06: [ata_pages.selftest_log(self.results)],
                0x07: [ata_pages.selftest_log_extended(self.results)]}

    # Commands answer None where they are refused, else (count, lba).

    def start_selftest(self, number):
        if number == SELF_TEST_ABORT:
            if self.selftest:
                self.results.insert(0, (1, 0))
                self.selftest = None
            return 0, 0
        if number not in (SELF_TEST_SHORT, SELF_TEST_EXTENDED) or self.selftest:
            return None
        self.selftest = Running(number, self.seconds["selftest"])
        return 0, 0

    def do_trim(self, task):
        if task.features & 1 == 0:
            return None
        for at in range(0, len(task.data), 8):
            entry = int.from_bytes(task.data[at:at + 8], "little")
            lba, blocks = entry & (1 << 48) - 1, entry >> 48
            if blocks:
                self.drop(lba, blocks)
        return 0, 0

    def drop(self, lba, blocks):
        self.trimmed.append((lba, blocks))
        for each in [n for n in self.contents if lba <= n < lba + blocks]:
            del self.contents[each]

    def do_sanitize(self, task):
        feature = task.features & 0xFFFF
        if feature != STATUS:
            accepted = self.change_sanitize(feature, task)
            if not accepted:
                return None
        flags = (self.sanitized << 15 | (self.sanitize is not None) << 14 | self.sanitize_frozen << 13 |
                 self.antifreeze << 12)
        progress = int(self.sanitize.fraction() * 0xFFFF) if self.sanitize else 0xFFFF
        return flags, progress

    def change_sanitize(self, feature, task):
        if feature == OVERWRITE:
            keyed = task.lba >> 32 == OVERWRITE_KEY
        else:
            keyed = task.lba == KEYS.get(feature)
        if not keyed:
            return False
        if feature == FREEZE:
            self.sanitize_frozen = not self.antifreeze
            return self.sanitize_frozen
        if feature == ANTIFREEZE:
            self.antifreeze = not self.sanitize_frozen
            return self.antifreeze
        if feature not in self.sanitizes or self.sanitize_frozen or self.sanitize:
            return False
        self.sanitize, self.sanitized = Running(feature, self.seconds["sanitize"]), 0
        return True

    def do_security(self, task):
        if not self.security or self.frozen and task.command != FREEZE_LOCK:
            return None
        prepared, self.prepared = self.prepared, task.command == ERASE_PREPARE
        if task.command == ERASE_PREPARE:
            return 0, 0
        if task.command == FREEZE_LOCK:
            self.frozen = True
            return 0, 0
        if task.command == SET_PASSWORD:
            if self.locked:
                return None
            if not task.data[0] & 1:
                self.password = task.data[2:34]
            return 0, 0
        return self.with_password(task, prepared)

    def with_password(self, task, prepared):
        if self.attempts == 0 and task.command != DISABLE_PASSWORD:
            return None
        if self.password is None or task.data[2:34] != self.password:
            if task.command == UNLOCK:
                self.attempts -= 1
            return None
        if task.command == UNLOCK:
            self.locked, self.attempts = False, WRONG_PASSWORDS
        elif task.command == DISABLE_PASSWORD:
            if self.locked:
                return None
            self.password = None
        elif not prepared or self.erase_fails:
            return None
        else:
            self.erases.append("enhanced" if task.data[0] & 2 else "normal")
            self.contents.clear()
            self.password, self.locked = None, False
        return 0, 0

    def power_cycle(self):
        """Security is locked again where a password is set; freezes end."""
        self.locked, self.frozen, self.prepared = self.password is not None, False, False
        self.sanitize_frozen, self.antifreeze, self.attempts = False, False, WRONG_PASSWORDS

    def handler(self, command):
        if command in (SET_PASSWORD, UNLOCK, ERASE_PREPARE, ERASE_UNIT, FREEZE_LOCK, DISABLE_PASSWORD):
            return self.do_security
        return {DATA_SET_MANAGEMENT: self.do_trim, SANITIZE: self.do_sanitize}.get(command)
