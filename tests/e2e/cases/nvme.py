"""Reading NVMe drives: every log, every shape of namespace, and nothing that a drive would mind."""

from emulator import nvme_logs, nvme_vendor
from emulator.fault import Fault
from emulator.nvme import IDENTIFY, NvmeDrive, log_page
from emulator.nvme_identify import Namespace
from rig import check
from rig.case import case

TB = 10 ** 12
STANDARD = {0x01, 0x02, 0x03}


def datacenter(**changes):
    """A drive with every log that can be read."""
    events = [(0x01, 1000, nvme_logs.smart()), (0x02, 2000, bytes(24))]
    logs = {
        0x06: nvme_logs.selftest([(1, 0, 27_000), (2, 7, 20_000)]),
        (0x09, 1): nvme_logs.endurance_group(used=9, estimate=7000, written=412_001,
                                                         media_written=655_001, capacity=1_920 * 10 ** 9),
        0x0D: nvme_logs.persistent_event(events, "OCP1", "EMULATED DATACENTER"),
        0x81: nvme_logs.sanitize(status=0x101),
        0xC0: nvme_logs.ocp(media_written=655 * TB, erase_max=421, erase_min=300, erase_average=357,
                            endurance_estimate=7_008 * TB),
    }
    return NvmeDrive(**{**dict(
        serial="OCP1", model="EMULATED DATACENTER", lpa=0x3E, oacs=0x10, ctratt=0x10, sanicap=0x2,
        endurance_groups=1, persistent_event_size=4096, logs=logs,
        namespaces=[Namespace(1, endurance_group=1)]), **changes})


@case("NVMe: every log of a data-centre drive is read, and its facts are right")
def every_log(rig):
    drive = rig.attach(datacenter())
    shown = check.only(rig.json("show", drive.path, status=0))
    check.polite_nvme(drive, STANDARD | {0x00, 0x05, 0x06, 0x09, 0x0D, 0x81, 0xC0})
    for lid in (0x02, 0x03, 0x05, 0x06, 0x09, 0x81, 0xC0):
        assert lid in drive.asked_logs(), f"log {lid:02x} was not asked"
    check.equal("serial", shown["identity"]["serial"], "OCP1")
    check.equal("protocol", shown["identity"]["protocol"], "nvme")
    check.facts(shown, host_bytes_written=412 * TB, nand_bytes_written=655 * TB, erase_count_max=421,
                erase_count_avg=357, erase_count_min=300, percentage_used=9, available_spare_percent=100,
                spare_threshold_percent=10, power_on_hours=27_156, power_cycles=31, unsafe_shutdowns=7,
                media_errors=0, temperature_celsius=38, critical_warning=0)
    check.near("waf_lifetime", shown["wear"]["waf_lifetime"], 655 / 412, 0.001)
    check.near("unevenness", shown["wear"]["unevenness"], 421 / 357, 0.001)
    check.equal("life_left_percent", shown["wear"]["life_left_percent"], 91)


@case("NVMe: a drive of NVMe 1.2 without optional logs is asked for nothing that it lacks")
def old_drive(rig):
    drive = rig.attach(NvmeDrive(serial="OLD1", version=0x010200, lpa=0))
    shown = check.only(rig.json("show", drive.path, status=0))
    check.facts(shown, percentage_used=9, nand_bytes_written=None)
    check.equal("waf_lifetime", shown["wear"]["waf_lifetime"], None)
    check.polite_nvme(drive, STANDARD)


@case("NVMe: vendor logs of an Intel drive are read by its rule")
def intel(rig):
    log = nvme_vendor.intel({0xAD: (97, nvme_vendor.wear_words(40, 61, 50)), 0xF4: (100, 150_000),
                           0xF5: (100, 100_000), 0xAB: (100, 0), 0xAC: (100, 0)})
    drive = rig.attach(NvmeDrive(serial="PHLJ0001", model="INTEL SSDPE2KX010T8", firmware="VDV10152",
                                 version=0x010200, vendor_id=0x8086, lpa=0x02, logs={
                                     0xCA: log, 0x02: nvme_logs.smart(data_units_written=6_553_600)}))
    shown = check.only(rig.json("show", drive.path, status=0))
    check.facts(shown, nand_bytes_written=150_000 << 25, erase_count_max=61, erase_count_avg=50,
                erase_count_min=40)
    check.near("waf_lifetime", shown["wear"]["waf_lifetime"], 1.5, 0.001)
    check.polite_nvme(drive, STANDARD | {0x05, 0xCA})


@case("NVMe: makers' own logs, each asked of the models that have it")
def vendor_logs(rig):
    entries = nvme_vendor.intel({0xAD: (97, nvme_vendor.wear_words(40, 61, 50)), 0xF4: (100, 300_000),
                                 0xF5: (100, 200_000)})
    table = [
        ("SAMSUNG MZQLW960HMJP-00003", {0xCA: nvme_vendor.samsung(200 * TB, 300 * TB)}, {}),
        ("Micron_9200_MTFDHAL3T8TCT", {0xD0: nvme_vendor.micron_d0(618 * TB)},
         dict(nand_bytes_written=618 * TB)),
        ("Micron_2300_MTFDHBA512TDV",
         {0xC0: nvme_vendor.hyperscale(600 * TB, 18 * TB, (300, 421, 357), (900, 1100, 1000))},
         dict(nand_bytes_written=618 * TB, nand_bytes_written_slc=18 * TB, erase_count_max=421,
              erase_count_avg=357, erase_count_slc_avg=1000)),
        ("HUSMR7632BHP301", {0xD0: nvme_vendor.wdc_d0(3_000_000, 2_000_000, 150)}, {}),
        ("XP1600ME10002", {0xC4: nvme_vendor.seagate({0xE9: 300_000, 0xEA: 0, 0xF1: 200_000, 0xF2: 0,
                                                      0xAD: 50})}, dict(erase_count_avg=50)),
        ("P5516DS0384T00", {0xCA: entries}, dict(erase_count_max=61, erase_count_avg=50)),
    ]
    drives = rig.attach(*[NvmeDrive(f"VENDOR{i}", model=model, version=0x010200, lpa=0, logs=logs)
                          for i, (model, logs, _facts) in enumerate(table)])
    for drive, (_model, logs, facts) in zip(drives, table):
        shown = check.only(rig.json("show", drive.path, status=0))
        check.facts(shown, **facts)
        check.near(f"waf_lifetime of {drive.model}", shown["wear"]["waf_lifetime"], 1.5, 0.001)
        check.polite_nvme(drive, STANDARD | set(logs))


@case("NVMe: a C0h log with another GUID is not taken for the OCP log")
def foreign_c0(rig):
    drive = rig.attach(datacenter(serial="GUID1", logs={
        0xC0: nvme_logs.ocp(guid=bytes(range(16)), media_written=655 * TB)}, oacs=0, ctratt=0, sanicap=0,
        persistent_event_size=0, lpa=0x2E))
    shown = check.only(rig.json("show", drive.path, status=0))
    check.facts(shown, nand_bytes_written=None, percentage_used=9)
    check.polite_nvme(drive)


@case("NVMe: a 4 KiB format, and one with metadata that Linux cannot use as a block device")
def formats(rig):
    drives = rig.attach(
        NvmeDrive(serial="FOURK", namespaces=[Namespace(1, size=1 << 30, flbas=1)]),
        NvmeDrive(serial="META", namespaces=[Namespace(1, size=1 << 30, flbas=0,
                                                       formats=((16, 12, 0),))]))
    for drive in drives:
        shown = check.only(rig.json("show", drive.path, status=0))
        check.equal("capacity", shown["identity"]["capacity_bytes"], 1 << 30)
        check.equal("block size", shown["identity"]["logical_block_bytes"], 4096)
        check.facts(shown, host_bytes_written=412 * TB)
        check.polite_nvme(drive)


@case("NVMe: several namespaces are one drive, by whichever node it is named")
def namespaces(rig):
    drive = rig.attach(NvmeDrive(serial="MANY", namespaces=[
        Namespace(1, size=1 << 30), Namespace(2, size=1 << 29, flbas=1), Namespace(7, size=1 << 28)]))
    for node in (drive.path, drive.path + "n1", drive.path + "n3"):
        shown = check.only(rig.json("show", node, status=0))
        check.equal("serial", shown["identity"]["serial"], "MANY")
        check.facts(shown, host_bytes_written=412 * TB)
    listed = [d for d in rig.json("list", status=0)["drives"] if d["identity"]["serial"] == "MANY"]
    check.equal("times listed", len(listed), 1)
    check.polite_nvme(drive)


@case("NVMe: two controllers of one subsystem are one drive; hidden path nodes are none")
def multipath(rig):
    drive = rig.attach(NvmeDrive(serial="PATHS", controllers=2, namespaces=[
        Namespace(1, nguid=bytes(range(16)), shared=True)]))
    listed = [d for d in rig.json("list", status=0)["drives"] if d["identity"]["serial"] == "PATHS"]
    check.equal("times listed", len(listed), 1)
    for path in drive.paths:
        check.equal("serial", check.only(rig.json("show", path, status=0))["identity"]["serial"], "PATHS")
    text = rig.nandlife("list").stdout
    assert "c0n1" not in text and "c1n1" not in text, text
    check.polite_nvme(drive)


@case("NVMe: QEMU's drives over PCIe: two namespaces, and two controllers with a shared one")
def qemu(rig):
    listed = rig.json("list", status=0)["drives"]
    for serial in ("QEMUNVME1", "QEMUPAIR1"):
        check.equal(f"times {serial} is listed", [d["identity"]["serial"] for d in listed].count(serial), 1)
    shown = check.only(rig.json("show", "QEMUNVME1", status=0))
    assert "PCI" in (shown["identity"]["location"] or ""), shown["identity"]
    check.facts(shown, temperature_celsius=50)
    check.equal("host writes", rig.run("nvme smart-log /dev/nvme0 -o json").status, 0)


@case("NVMe: a hundred readings of four drives leave no entry in their error logs")
def hundred(rig):
    drives = rig.attach(
        NvmeDrive(serial="H1", version=0x010200, lpa=0), NvmeDrive(serial="H2", lpa=0x0F), datacenter(),
        NvmeDrive(serial="H4", model="INTEL SSDPE2KX010T8", version=0x010200, vendor_id=0x8086, lpa=0x02,
                  logs={0xCA: nvme_vendor.intel({0xF4: (100, 150_000)})}))
    script = ("for i in $(seq 8); do for c in list health life; do nandlife $c >/dev/null; done; done; "
              "for d in %s; do nandlife show $d >/dev/null; nandlife capture $d >/dev/null; done")
    rig.run(script % " ".join(drive.path for drive in drives), limit=600)
    for drive in drives:
        check.polite_nvme(drive)
        check.equal("readings", drive.asked_logs().count(0x02), 8 * 3 + 2)


@case("NVMe: garbage, short data and refusals are errors of one drive, never values")
def spoiled(rig):
    drive = rig.attach(NvmeDrive(serial="SPOILT"))
    for fault in (Fault(log_page(0x02), status=0x4006), Fault(log_page(0x02), short=0)):
        drive.faults = [fault]
        answer = rig.json("health", drive.path)
        check.equal("verdict", check.only(answer)["verdict"], "unknown")
        check.equal("status", rig.last.status, 3)
    for seed in range(3):
        drive.faults = [Fault(garbage=seed)]
        rig.json("show", drive.path)
        assert rig.last.status in (0, 65, 69, 74), rig.last
    drive.faults = [Fault(lambda c: c.opcode == IDENTIFY, status=0x4006)]
    answer = rig.json("health", drive.path, status=3)
    assert check.only(answer)["errors"], "an unreadable drive has an error"
