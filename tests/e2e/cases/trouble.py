"""Drives that hang, die, vanish or lie, and users without the right to ask."""

from emulator import nvme_logs
from emulator.fault import Fault
from emulator.nvme import NvmeDrive, log_page
from emulator.sat import SatDrive
from rig import check
from rig.case import case

# The shell of the guest would prefer busybox's own setpriv, which is poorer.
NOBODY = "/usr/sbin/setpriv --reuid 65534 --regid 65534 --clear-groups"
WICKED = b"\x1b[2J\"',\n\\<b>&\xff\xc3"


def by_serial(answer):
    return {d["identity"]["serial"]: d for d in answer["drives"]}


@case("a drive that hangs is given up at the limit, and the others report")
def hanging(rig):
    good, bad, sata = rig.attach(NvmeDrive("GOOD"), NvmeDrive("HUNG"), SatDrive("SHUNG"))
    bad.faults = [Fault(log_page(0x02), hang=True)]
    sata.ata.faults = [Fault(lambda task: task.command == 0xB0, hang=True)]
    answer = rig.json("health", "--timeout", "10")
    drives = by_serial(answer)
    assert 10 < rig.last.seconds < 50, f"{rig.last.seconds:.1f} s"
    check.equal("verdict of the good drive", drives["GOOD"]["verdict"], "ok")
    by_path = {d["identity"]["path"]: d for d in answer["drives"]}
    for drive in (bad, sata):
        check.equal("verdict of a hung drive", by_path[drive.path]["verdict"], "unknown")
        assert by_path[drive.path]["errors"], "a hung drive has an error"
    again = rig.json("health", "--timeout", "10")
    assert rig.last.seconds < 10, "drives that still hang are not waited for again"
    check.equal("drives in the next answer", len(again["drives"]), len(answer["drives"]))


@case("a drive whose every command fails is reported, not dropped")
def dead(rig):
    nvme, sata = rig.attach(NvmeDrive("DEADN"), SatDrive("DEADS"))
    nvme.faults = [Fault(status=0x4006)]
    sata.ata.faults = [Fault(status=1)]
    answer = rig.json("health", status=3)
    by_path = {d["identity"]["path"]: d for d in answer["drives"]}
    for drive in (nvme, sata):
        check.equal("verdict", by_path[drive.path]["verdict"], "unknown")
        assert by_path[drive.path]["errors"], "a dead drive has an error"
        assert drive.path in rig.nandlife("list").stdout


@case("a drive that vanishes while it is read is reported")
def vanishing(rig):
    good, bad = rig.attach(NvmeDrive("STAYS"), NvmeDrive("LEAVES"))
    bad.faults = [Fault(log_page(0x02), drop=True)]
    answer = rig.json("health", good.path, bad.path)
    drives = answer["drives"]
    check.equal("drives in the answer", len(drives), 2)
    check.equal("verdict of the other", drives[0]["verdict"], "ok")
    check.equal("verdict of the lost one", drives[1]["verdict"], "unknown")


@case("a SATA drive that is pulled while it is read is reported")
def pulled(rig):
    good, bad = rig.attach(SatDrive("STAYS"), SatDrive("PULLED", wwn=0x5002538E40000002))

    def pull(task):
        bad.gone = task.command == 0xB0
        return bad.gone

    bad.ata.faults = [Fault(pull, status=1)]
    drives = by_serial(rig.json("health", good.path, bad.path))
    check.equal("verdict of the other", drives["STAYS"]["verdict"], "ok")
    check.equal("verdict of the lost one", drives["PULLED"]["verdict"], "unknown")
    assert drives["PULLED"]["errors"], "a lost drive has an error"


@case("a drive that is named and not there is 66; health says 3")
def absent(rig):
    check.equal("status of show", rig.nandlife("show", "/dev/nvme77").status, 66)
    check.equal("status of health", rig.nandlife("health", "/dev/nvme77").status, 3)
    check.equal("status of show by serial", rig.nandlife("show", "NO-SUCH-SERIAL").status, 66)


@case("a user without the right to ask learns what is missing")
def privilege(rig):
    nvme, sata = rig.attach(NvmeDrive("PRIVN"), SatDrive("PRIVS"))
    for drive in (nvme, sata):
        result = rig.nandlife("show", drive.path, before=NOBODY)
        check.equal("status", result.status, 77)
        assert "CAP_" in result.stdout + result.stderr or "group" in result.stdout + result.stderr, result
    result = rig.nandlife("health", "--json", before=NOBODY)
    check.equal("status of health", result.status, 3)
    rig.run(f"chmod 666 {nvme.path} {sata.path} {sata.sg}")
    result = rig.nandlife("show", sata.path, before=NOBODY)
    check.equal("status with an open node only", result.status, 77)
    assert "CAP_SYS_RAWIO" in result.stdout + result.stderr, result


@case("thirty-two slow drives take less than three times one")
def slow(rig):
    drives = rig.attach(*[NvmeDrive(f"SLOW{i:02}") for i in range(24)],
                        *[SatDrive(f"SLOWS{i}", wwn=0x5002538E44000000 + i) for i in range(8)])
    for drive in drives:
        drive.delay = 0.5
    one = max(rig.nandlife("health", drive.path).seconds for drive in (drives[0], drives[-1]))
    result = rig.nandlife("health", *[drive.path for drive in drives])
    assert result.seconds < 3 * one, f"32 drives: {result.seconds:.1f} s, one: {one:.1f} s"
    check.equal("status", result.status, 0)


@case("a wicked model and serial break no output")
def malice(rig):
    nvme = NvmeDrive(WICKED, model=WICKED * 2, firmware=WICKED)
    sata = SatDrive(WICKED, model=WICKED * 2, firmware=WICKED[:8])
    sata.serial = sata.ata.serial = WICKED
    rig.attach(nvme, sata)
    for command in ("list", "show", "health", "life"):
        named = () if command == "list" else (nvme.path, sata.path)
        rig.json(command, *named)
        for layout in ("text", "nagios", "openmetrics", "csv"):
            out = rig.nandlife(command, *named, "--format", layout).raw.replace(b"\r\n", b"\n")
            assert not any(byte < 32 and byte != 10 or byte == 127 for byte in out), out
            out.decode("utf-8")
    for drive in (nvme, sata):
        rig.json("capture", drive.path)


@case("verdicts: worn, worn out, spare below its threshold, read-only, hot")
def verdicts(rig):
    smart = nvme_logs.smart
    table = [
        ("ok", 0, None, smart()),
        ("warning", 1, "wear.life-low", smart(used=93)),
        ("critical", 2, "wear.life-low", smart(used=130)),
        ("critical", 2, "spare.below-threshold", smart(spare=4, critical_warning=1)),
        ("critical", 2, "device.read-only", smart(critical_warning=8)),
        ("critical", 2, "temperature.over-critical", smart(temperature=273 + 90, critical_warning=2)),
    ]
    drives = rig.attach(*[NvmeDrive(f"V{i}", logs={0x02: row[3]}) for i, row in enumerate(table)])
    for drive, (verdict, status, identifier, _log) in zip(drives, table):
        shown = check.only(rig.json("health", drive.path, status=status))
        check.equal("verdict", shown["verdict"], verdict)
        if identifier:
            check.equal("severity", check.finding(shown, identifier)["severity"], verdict)
    check.equal("the worst", rig.json("health", *[d.path for d in drives], status=2)["verdict"], "critical")


@case("a capture replays to the same answer")
def replay(rig):
    nvme, sata = rig.attach(NvmeDrive("REPLAYN"), SatDrive("REPLAYS"))
    for drive in (nvme, sata):
        check.equal("status", rig.nandlife("capture", drive.path, "-o", "/tmp/capture.json").status, 0)
        live = check.only(rig.json("show", drive.path, status=0))
        before = len(drive.trace)
        replayed = check.only(rig.json("show", "--from", "/tmp/capture.json", status=0))
        check.equal("commands sent by the replay", len(drive.trace), before)
        check.equal("facts", replayed["facts"], live["facts"])
        check.equal("wear", replayed["wear"], live["wear"])
        redacted = rig.nandlife("capture", drive.path, "--redact")
        assert drive.serial not in redacted.stdout, "a serial in a redacted capture"
