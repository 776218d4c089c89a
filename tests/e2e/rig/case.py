"""Test cases: functions marked with @case in the modules of cases/, and the TAP that their run prints."""

import importlib
import sys
import time
import traceback

CASES = []


def case(title):
    """Mark a function of the rig as a test case."""
    def mark(function):
        CASES.append((title, function))
        return function
    return mark


def load(package):
    for module in package.MODULES:
        importlib.import_module(f"{package.__name__}.{module}")
    return CASES


def diagnose(text):
    for line in text.rstrip("\n").split("\n"):
        print(f"# {line}", file=sys.stderr, flush=True)


def evidence(rig):
    """What a failed case leaves to read: the last command's output, the kernel's last words, and what
    each drive was asked."""
    if rig.last is not None:
        diagnose(f"last command: {rig.last}")
    diagnose(rig.guest.run("dmesg | tail -n 8", 5).stdout)
    for drive in rig.attached:
        diagnose(f"trace of {getattr(drive, 'path', drive.serial)}:")
        diagnose("\n".join(map(str, drive.trace[-40:])) or "nothing")


def run_all(rig, cases):
    """Run every case, each on a guest without the drives of the one before; returns the failures."""
    failed = 0
    print(f"1..{len(cases)}", flush=True)
    for number, (title, function) in enumerate(cases, 1):
        start, verdict = time.monotonic(), "ok"
        try:
            function(rig)
        except Exception as error:  # a case may fail in any way; the others go on
            verdict, failed = "not ok", failed + 1
            diagnose(f"{title}: {type(error).__name__}: {error}")
            if not isinstance(error, AssertionError) or not str(error):
                diagnose(traceback.format_exc())
            evidence(rig)
        print(f"{verdict} {number} - {title} ({time.monotonic() - start:.1f} s)", flush=True)
        start = time.monotonic()
        rig.detach_all()
        if time.monotonic() - start > 5:
            diagnose(f"taking the drives away took {time.monotonic() - start:.0f} s")
    return failed
