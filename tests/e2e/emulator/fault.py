"""Faults that a test arms on a drive; the drive asks, for every command, whether one applies."""

import random


class Fault:
    """What goes wrong, for which commands, and how often.

    match    function of the command, or None for every command
    times    how many commands it hits; None for all of them
    status   answer with this status word instead of executing
    hang     give no answer until the drive's held commands are released
    delay    seconds before the answer
    garbage  seed: answer with random bytes of the right length
    short    transfer no more than so many bytes
    patch    {offset: bytes} written over the data
    drop     close the connection instead of answering
    """

    def __init__(self, match=None, times=None, status=None, hang=False, delay=0.0, garbage=None,
                 short=None, patch=None, drop=False):
        self.match = match
        self.times = times
        self.status = status
        self.hang = hang
        self.delay = delay
        self.garbage = garbage
        self.short = short
        self.patch = patch or {}
        self.drop = drop

    def applies(self, command):
        if self.times == 0 or (self.match and not self.match(command)):
            return False
        if self.times is not None:
            self.times -= 1
        return True

    def spoil(self, data):
        """The bytes that reach the host in place of data."""
        if self.garbage is not None:
            data = random.Random(self.garbage).randbytes(len(data))
        data = bytearray(data)
        for offset, replacement in self.patch.items():
            data[offset:offset + len(replacement)] = replacement
        return bytes(data if self.short is None else data[:self.short])


NO_FAULT = Fault()


def first(faults, command):
    """The first armed fault that applies to command, else one that does nothing."""
    for fault in faults:
        if fault.applies(command):
            return fault
    return NO_FAULT
