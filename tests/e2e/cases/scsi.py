"""Reading SATA and SAS drives, through translation layers and bridges of all kinds."""

from emulator import sense
from emulator.sas import SasDrive
from emulator.sat import SatDrive
from rig import check
from rig.case import case

TB = 10 ** 12
SATA_FACTS = dict(host_bytes_written=50 * TB, percentage_used=12, power_on_hours=14_210, power_cycles=88,
                  crc_errors=0, temperature_celsius=34, erase_count_avg=212)


@case("SATA: SMART and Device Statistics are read, and the facts are right")
def sata(rig):
    drive = rig.attach(SatDrive())
    shown = check.only(rig.json("show", drive.path, status=0))
    identity = shown["identity"]
    check.equal("protocol", identity["protocol"], "ata")
    check.equal("model", identity["model"], "Samsung SSD 860 EVO 1TB")
    check.equal("firmware", identity["firmware"], "RVT04B6Q")
    check.equal("capacity", identity["capacity_bytes"], 1 << 30)
    check.facts(shown, **SATA_FACTS)
    check.polite_scsi(drive)
    check.equal("by its other node", check.only(rig.json("show", drive.sg, status=0))["identity"]["serial"],
                "SATA0001")


@case("SATA: sense in three layouts, and none at all")
def layouts(rig):
    healthy = [SatDrive(f"GOOD{i}", layout=layout, wwn=0x5002538E41000000 + i) for i, layout in
               enumerate((sense.DESCRIPTOR, sense.FIXED, sense.LIBATA))]
    failing = [SatDrive(f"BAD{i}", layout=layout, failing=True, wwn=0x5002538E42000000 + i)
               for i, layout in enumerate((sense.DESCRIPTOR, sense.FIXED, sense.LIBATA))]
    mute = SatDrive("MUTE", registers=False, wwn=0x5002538E43000000)
    rig.attach(*healthy, *failing, mute)
    for drive in (*healthy, *failing, mute):
        shown = check.only(rig.json("health", drive.path))
        expected = "critical" if drive in failing else "ok"
        check.equal(f"verdict of {drive.serial}", shown["verdict"], expected)
        check.polite_scsi(drive)


@case("SATA: bridges that take only one pass-through, and one that takes none")
def bridges(rig):
    twelve, sixteen = SatDrive("B12", takes=(12,)), SatDrive("B16", takes=(16,), wwn=0x5002538E40000002)
    none = SatDrive("B0", takes=(), vpd89=False, vendor="EMU", wwn=0x5002538E40000003)
    rig.attach(twelve, sixteen, none)
    for drive in (twelve, sixteen):
        shown = check.only(rig.json("show", drive.path, status=0))
        check.facts(shown, percentage_used=12, host_bytes_written=50 * TB)
        check.polite_scsi(drive)
    check.equal("verdict without pass-through",
                check.only(rig.json("health", none.path, status=3))["verdict"], "unknown")


@case("SATA: a bridge that truncates is found out; its rests are no values")
def truncating(rig):
    drive = rig.attach(SatDrive("SHORT", truncate=36))
    shown = check.only(rig.json("health", drive.path, status=3))
    check.equal("verdict", shown["verdict"], "unknown")
    shown = check.only(rig.json("show", drive.path))
    assert shown["errors"], "truncated data is an error"
    check.facts(shown, host_bytes_written=None, percentage_used=None, temperature_celsius=None)


@case("SATA: behind real USB mass storage, by pass-through of 12 or of 16")
def usb(rig):
    first = rig.attach_usb(SatDrive("USB12", vendor="EMU", takes=(12,), vpd89=False))
    second = rig.attach_usb(SatDrive("USB16", vendor="EMU", takes=(16,), vpd89=False,
                                     layout=sense.FIXED, wwn=0x5002538E40000002))
    for drive in (first, second):
        shown = check.only(rig.json("show", drive.path, status=0))
        check.equal("serial", shown["identity"]["serial"], drive.serial)
        check.equal("protocol", shown["identity"]["protocol"], "ata")
        check.facts(shown, percentage_used=12, host_bytes_written=50 * TB)
        check.polite_scsi(drive)


@case("SATA: without Device Statistics and without GPL the attributes speak")
def attributes_only(rig):
    drive = rig.attach(SatDrive("NOGPL", statistics={}, gpl=False))
    shown = check.only(rig.json("show", drive.path, status=0))
    check.facts(shown, host_bytes_written=50 * TB, power_on_hours=14_210)
    check.polite_scsi(drive)
    check.within("ATA commands", (t.command for t in drive.ata.trace), {0xEC, 0xE5, 0xB0})


@case("SATA: SMART that is switched off is reported and stays off")
def smart_off(rig):
    drive = rig.attach(SatDrive("OFF", smart_on=False))
    check.only(rig.json("health", drive.path))
    check.equal("SMART", drive.ata.smart_on, False)
    check.polite_scsi(drive)


@case("SATA: a drive in standby is not woken, unless asked")
def standby(rig):
    drive = rig.attach(SatDrive("SLEEPY"))
    drive.standby = True
    for command in ("list", "health", "life"):
        rig.nandlife(command)
    for command in ("show", "health", "life", "capture"):
        rig.nandlife(command, drive.path)
    check.equal("times woken", drive.wakes, 0)
    check.equal("still in standby", drive.standby, True)
    assert "standby" in rig.nandlife("health", drive.path).stdout
    check.facts(check.only(rig.json("show", drive.path, "--wake", status=0)), percentage_used=12)
    check.equal("times woken with --wake", drive.wakes, 1)


@case("SAS: log pages are read, and the facts are right")
def sas(rig):
    drive = rig.attach(SasDrive())
    shown = check.only(rig.json("show", drive.path, status=0))
    check.equal("protocol", shown["identity"]["protocol"], "scsi")
    check.equal("serial", shown["identity"]["serial"], "SAS00001")
    check.facts(shown, host_bytes_written=412 * TB, host_bytes_read=99 * TB, percentage_used=3,
                temperature_celsius=36, power_on_hours=24_755)
    check.polite_scsi(drive)
    check.equal("refused", [str(c) for c in drive.trace if c.status], [])


@case("SAS: a drive in standby is left alone")
def sas_standby(rig):
    drive = rig.attach(SasDrive("SASLEEP"))
    drive.standby = True
    rig.nandlife("health", drive.path)
    check.equal("times woken", drive.wakes, 0)


@case("SATA: through an installed smartctl, when the user names its device type")
def via(rig):
    drive = rig.attach(SatDrive("VIA"))
    shown = check.only(rig.json("show", "--via", "smartctl:sat", drive.path, status=0))
    check.facts(shown, **SATA_FACTS)
    result = rig.nandlife("show", "--via", "smartctl:megaraid,5", drive.path)
    assert result.status not in (0, 70) and result.stderr, result


@case("SCSI: virtual disks, RAID volumes and spinning disks are no SSDs; named, each says why")
def no_ssds(rig):
    virtual = SasDrive("VM1", model="Virtual disk", vendor="VMware", pages={}, wwn=None)
    volume = SasDrive("RAID1", model="MR9361-8i", vendor="AVAGO", pages={}, wwn=None)
    spinning = SatDrive("HDD1", model="ST4000VN006", rotation=7200)
    rig.attach(virtual, volume, spinning)
    listed = {d["identity"]["path"] for d in rig.json("list", status=0)["drives"]}
    check.equal("listed", listed & {virtual.path, volume.path, spinning.path}, set())
    for drive, word in ((virtual, "virtual"), (volume, "smartctl:megaraid")):
        result = rig.nandlife("show", drive.path)
        check.equal("status", result.status, 69)
        assert word in result.stdout + result.stderr, result
        check.equal("verdict", check.only(rig.json("health", drive.path, status=3))["verdict"], "unknown")
    assert not spinning.ata.trace, "a disk that nobody named was asked something"


@case("AHCI: QEMU's SATA drive through the real libata")
def ahci(rig):
    shown = check.only(rig.json("show", "QEMUAHCI1", status=0))
    check.equal("model", shown["identity"]["model"], "EMULATED AHCI SSD")
    check.equal("protocol", shown["identity"]["protocol"], "ata")
    assert shown["identity"]["location"], "where the drive sits is known"
