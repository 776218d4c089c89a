"""Assertions that several cases share."""

from emulator.nvme import GET_LOG, IDENTIFY
from emulator import scsi

NVME_READS = {GET_LOG, IDENTIFY}
SCSI_READS = {scsi.TEST_UNIT_READY, scsi.REQUEST_SENSE, scsi.INQUIRY, scsi.MODE_SENSE_6, scsi.MODE_SENSE_10,
              scsi.READ_CAPACITY_10, scsi.SERVICE_IN_16, scsi.LOG_SENSE, scsi.REPORT_LUNS, scsi.ATA_12,
              scsi.ATA_16}
ATA_READS = {0xEC, 0xE5, 0x2F, 0x47}
SMART_READS = {0xD0, 0xD1, 0xD5, 0xDA}


def equal(what, found, expected):
    if found != expected:
        raise AssertionError(f"{what} is {found!r}, expected {expected!r}")


def near(what, found, expected, tolerance):
    if found is None or abs(found - expected) > tolerance:
        raise AssertionError(f"{what} is {found!r}, expected {expected!r}")


def within(what, found, allowed):
    extra = sorted(set(found) - set(allowed))
    if extra:
        raise AssertionError(f"{what}: {[hex(n) for n in extra]} not allowed")


def facts(drive, **expected):
    """The values of the canonical facts of one drive in an answer; None: not reported."""
    for name, value in expected.items():
        fact = drive["facts"][name]
        equal(name, fact and fact["value"], value)


def only(answer):
    """The one drive of an answer."""
    equal("number of drives", len(answer["drives"]), 1)
    return answer["drives"][0]


def finding(drive, identifier):
    for found in drive["findings"]:
        if found["id"] == identifier:
            return found
    raise AssertionError(f"no finding {identifier} among {[f['id'] for f in drive['findings']]}")


def polite_nvme(drive, logs=None):
    """Nothing but reads, events kept, no entry in the error log; and only logs that it may be asked for."""
    within("admin commands", (c.opcode for c in drive.trace), NVME_READS)
    equal("logs whose events were cleared", drive.cleared, [])
    equal("refused commands", [str(c) for c in drive.errors], [])
    equal("features set", drive.changed_features, [])
    if logs is not None:
        within("logs asked", drive.asked_logs(), logs)


def polite_scsi(drive):
    within("SCSI commands", (c.opcode for c in drive.trace), SCSI_READS)
    if hasattr(drive, "ata"):
        within("ATA commands", (t.command for t in drive.ata.trace), ATA_READS | {0xB0})
        smart = (t.features & 0xFF for t in drive.ata.trace if t.command == 0xB0)
        within("SMART commands", smart, SMART_READS)
