"""The history: records over simulated months, what happens to drives meanwhile, and to the file itself."""

import pathlib
import random
import re
import sqlite3
import tempfile

from emulator.flash import SIZE, Flash, WearingNvme, WearingSata
from emulator.nvme import NvmeDrive
from emulator.sat import SatDrive
from rig import check
from rig.case import case

from .trouble import NOBODY

HOUR, DAY = 3600, 86400
START = 1_800_000_000  # 2027-01-15
CHUNK = 64 << 10
UNIT = pathlib.Path(__file__).resolve().parents[3] / "packaging/systemd/nandlife-record.service"


def block_device(drive):
    return drive.path + "n1" if drive.kind == "nvme" else drive.path


def write(drive, chunks):
    """A shell command that writes so many chunks, and has them written when it ends."""
    return f"dd if=/dev/zero of={block_device(drive)} bs={CHUNK} count={chunks} conv=notrunc,fsync 2>/dev/null"


def record(rig, path, at=None, *drives, first="", before="", status=0):
    """A run of the timer's command, or of one for some drives, at a time of the guest's clock; first is what
    happens before it."""
    clock = f"date -s @{at} >/dev/null" if at is not None else ":"
    rig.clock_is_set |= at is not None
    named = " ".join(drive.path for drive in drives)
    result = rig.run(f"{clock}\n{first}\n{before} nandlife record --db {path} {named}")
    if status is not None:
        check.equal("status of record", result.status, status)
    return result


def history(rig, path, serial):
    return rig.json("history", serial, "--db", path, status=0)


def kinds(answer):
    return [event["kind"] for event in answer["events"]]


def serials(answer):
    return [drive["identity"]["serial"] for drive in answer["drives"]]


def intact(rig, path):
    """SQLite itself, outside the guest, finds nothing wrong with the file and its log."""
    with tempfile.TemporaryDirectory() as folder:
        for end in ("", "-wal"):
            (data := rig.fetch(path + end)) and pathlib.Path(folder, "copy" + end).write_bytes(data)
        with sqlite3.connect(f"{folder}/copy") as copy:
            check.equal("integrity", copy.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
        copy.close()


def aged(**more):
    """Flash that was used for 300 days at a slow pace: 20 % is gone. By the lifetime's average it would last
    three times as long as by what is written to it now."""
    flash = Flash(**more)
    flash.live(300 * DAY)
    flash.write(round(0.2 * SIZE * flash.cycles / flash.waf / flash.scale))
    return flash


@case("an emulated drive wears by what the kernel writes")
def wears(rig):
    nvme, sata = rig.attach(WearingNvme("WEARN", Flash()), WearingSata("WEARS", Flash()))
    for drive in (nvme, sata):
        rig.run(write(drive, 16))
        drive.flash.live(5 * HOUR)
        written = (1 << 20) * drive.flash.scale
        facts = check.only(rig.json("show", drive.path, status=0))["facts"]
        check.near("host bytes", facts["host_bytes_written"]["value"], written, 512_000)
        check.equal("hours", facts["power_on_hours"]["value"], 5)
        check.equal("erases", facts["erase_count_avg"]["value"], int(2.5 * written) // SIZE)


@case("records over simulated months: the forecast hits the drive's end")
def forecast(rig):
    days, step, database, dice = 60, 3, "/tmp/forecast.db", random.Random(2027)
    drives = rig.attach(WearingNvme("MONTHSN", aged()), WearingSata("MONTHSS", aged(waf=4.0)))

    def chunks(day):
        """What is written in a day: little at weekends, and never the same twice."""
        return round((20 if day % 7 < 5 else 7) * dice.uniform(0.7, 1.3))

    for day in range(step, days + 1, step):
        script = [write(drive, sum(chunks(day - i) for i in range(step))) for drive in drives]
        for drive in drives:
            drive.flash.live(step * DAY)
        record(rig, database, START + day * DAY, *drives, first="\n".join(script))
    answers = {d["identity"]["serial"]: d for d in rig.json("life", "--db", database, status=0)["drives"]}
    intact(rig, database)
    check.polite_nvme(drives[0])
    for drive in drives:
        judged, flash, day = answers[drive.serial], drive.flash, days
        recent = judged["wear"]["waf_recent"]
        if recent is not None:
            check.near("recent write amplification", recent, flash.waf, 0.1 * flash.waf)
        while flash.used < 100:
            day += 1
            flash.write(CHUNK * chunks(day))
        truth = day - days
        estimate = next(e for e in judged["estimates"] if e["method"] == "percentage-used")
        low, left, high = (estimate[f"days_left{end}"] for end in ("_low", "", "_high"))
        if not low <= truth <= high or not 0.7 * truth < left < 1.4 * truth:
            raise AssertionError(f"{drive.serial}: {low} to {high} days left, about {left}; it lived {truth}")
    check.equal("recent write amplification is known",
                answers["MONTHSN"]["wear"]["waf_recent"] is not None, True)


@case("record leaves a drive in standby asleep, and keeps what is known of it")
def standby(rig):
    drive, never_read = rig.attach(SatDrive("DOZES"), SatDrive("ASLEEP", vpd89=False, wwn=0x5002538E47000002))
    never_read.standby, database = True, "/tmp/standby.db"
    record(rig, database, START)
    drive.standby = True
    drive.arm()
    record(rig, database, START + HOUR)
    for each in (drive, never_read):
        check.equal("times woken", each.wakes, 0)
        check.equal("still in standby", each.standby, True)
    check.equal("samples", len(history(rig, database, "DOZES")["samples"]), 1)
    known = serials(rig.json("history", "--db", database, status=0))
    assert "DOZES" in known and not {"ASLEEP", "", None} & set(known), f"a drive that was never read: {known}"


@case("record does with the capabilities of its systemd unit, and with no more")
def capabilities(rig):
    granted = re.search(r"^CapabilityBoundingSet=(.+)$", UNIT.read_text(), re.M)[1].split()
    bounding = ",".join(["-all", *(f"+{name.removeprefix('CAP_').lower()}" for name in granted)])
    confined = f"/usr/sbin/setpriv --bounding-set {bounding} --inh-caps=-all --no-new-privs"
    rig.attach(NvmeDrive("CAPN"), SatDrive("CAPS"))
    record(rig, "/tmp/capabilities.db", before=confined)
    for serial in ("CAPN", "CAPS"):
        check.equal("samples", len(history(rig, "/tmp/capabilities.db", serial)["samples"]), 1)


@case("a record that is killed at any moment loses nothing")
def killed(rig):
    drive, database = rig.attach(NvmeDrive("KILLED")), "/tmp/killed.db"
    drive.delay = 0.01
    whole = record(rig, database, START, drive).seconds
    rig.clock_is_set = True
    for turn in range(1, 6):
        rig.run(f"date -s @{START + turn * HOUR}\nnandlife record --db {database} {drive.path} &\n"
                f"usleep {round(turn * whole / 6 * 1e6)}; kill -9 $!; wait")
        intact(rig, database)
    record(rig, database, START + DAY, drive)
    intact(rig, database)
    times = [sample["time"] for sample in history(rig, database, "KILLED")["samples"]]
    check.equal("order of samples", times, sorted(set(times)))
    assert 2 <= len(times) <= 7, f"{len(times)} samples"


@case("an ordinary user gets list, health and life from the history; a drive that vanished is told")
def reader(rig):
    rig.attach(NvmeDrive("READER"))
    rig.run("rm -rf /var/lib/nandlife")
    try:
        check.equal("status of record", rig.nandlife("record").status, 0)
        for command in ("list", "health", "life"):
            answer = rig.json(command, before=NOBODY)
            check.equal(f"drives in {command}", serials(answer).count("READER"), 1)
        judged = check.only(rig.json("health", "READER", before=NOBODY, status=0))
        check.equal("verdict", judged["verdict"], "ok")
        told = rig.nandlife("life", "READER", before=NOBODY)
        assert told.status == 0 and re.search(r"\bago\b|\bold\b", told.stdout), f"no age in {told}"
        rig.detach_all()
        answer = rig.json("health", status=3)
        gone = next(d for d in answer["drives"] if d["identity"]["serial"] == "READER")
        check.equal("verdict of the drive that vanished", gone["verdict"], "unknown")
        metrics = rig.nandlife("health", "--format", "openmetrics").stdout
        assert re.search(r'nandlife_drive_up\{serial="READER",.*\} 0', metrics), metrics
        assert not re.search(r'nandlife_temperature_celsius\{serial="READER"', metrics), metrics
    finally:
        rig.run("rm -rf /var/lib/nandlife")


@case("a full disk and a read-only file system lose no sample, and are told")
def full(rig):
    drive, database = rig.attach(NvmeDrive("FULL")), "/tmp/small/history.db"
    rig.run("mkdir -p /tmp/small && mount -t tmpfs -o size=3m small /tmp/small")
    try:
        record(rig, database, START, drive)
        rig.run("cat /dev/zero >/tmp/small/fill")
        result = record(rig, database, START + HOUR, drive, status=None)
        check.equal("status on a full disk", result.status, 74)
        assert re.search("full|space", result.stderr), result
        check.equal("samples", len(history(rig, database, "FULL")["samples"]), 1)
        check.equal("verdict from the drive", rig.json("health", drive.path)["verdict"], "ok")
        rig.run("rm /tmp/small/fill")
        intact(rig, database)
        record(rig, database, START + 2 * HOUR, drive)
        check.equal("samples", len(history(rig, database, "FULL")["samples"]), 2)
        rig.run("mount -o remount,ro /tmp/small")
        result = record(rig, database, START + 3 * HOUR, drive, status=None)
        assert result.status and "read-only" in result.stderr.lower(), result
        check.equal("samples", len(history(rig, database, "FULL")["samples"]), 2)
    finally:
        rig.run("umount /tmp/small")


@case("another drive in the same slot has a history of its own")
def swapped(rig):
    database = "/tmp/swapped.db"
    first = rig.attach(SatDrive("SLOTA", wwn=0x5002538E45000001))
    record(rig, database, START, first)
    rig.detach_all()
    second = rig.attach(SatDrive("SLOTB", wwn=0x5002538E45000002))
    check.equal("node", second.path, first.path)
    record(rig, database, START + HOUR, second)
    old, new = history(rig, database, "SLOTA"), history(rig, database, "SLOTB")
    check.equal("samples of the first", len(old["samples"]), 1)
    check.equal("samples of the second", len(new["samples"]), 1)
    assert "replaced" in kinds(old) + kinds(new), f"{old['events']} {new['events']}"


@case("a drive whose node has another name keeps its history")
def renamed(rig):
    database = "/tmp/renamed.db"
    one, two = rig.attach(SatDrive("NODE1", wwn=0x5002538E46000001), SatDrive("NODE2", wwn=0x5002538E46000002))
    before = one.path, two.path
    record(rig, database, START, one, two)
    rig.detach_all()
    two, one = rig.attach(SatDrive("NODE2", wwn=0x5002538E46000002), SatDrive("NODE1", wwn=0x5002538E46000001))
    check.equal("nodes", (two.path, one.path), before)
    record(rig, database, START + HOUR, one, two)
    for serial in ("NODE1", "NODE2"):
        answer = history(rig, database, serial)
        check.equal(f"samples of {serial}", len(answer["samples"]), 2)
        assert "node-changed" in kinds(answer), answer["events"]


@case("a clock that jumps is told, and reorders nothing")
def clock(rig):
    drive, database = rig.attach(WearingNvme("CLOCK", aged())), "/tmp/clock.db"
    for real, shown in ((0, 0), (1, 1), (2, 2 - 400 * 24), (3, 3), (4, 4)):
        drive.flash.live(HOUR)
        record(rig, database, START + shown * HOUR, drive, first=write(drive, 4))
    answer = history(rig, database, "CLOCK")
    check.equal("samples", len(answer["samples"]), 5)
    assert "clock-jump" in kinds(answer), answer["events"]
    written = [s["facts"]["host_bytes_written"] for s in answer["samples"][-2:]]
    assert written[0] < written[1], written
    judged = check.only(rig.json("life", "CLOCK", "--db", database, status=0))
    for estimate in judged["estimates"]:
        left = estimate["days_left"]
        assert left is None or left >= 0, estimate
