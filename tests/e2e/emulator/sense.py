"""Sense data (SPC-5 section 4.4; SAT-4 section 12.2), the ATA result in each layout that is met in the field."""

NO_SENSE, RECOVERED, NOT_READY, MEDIUM, HARDWARE, ILLEGAL, ABORTED = 0, 1, 2, 3, 4, 5, 11
INVALID_OPCODE, INVALID_FIELD, NO_LUN, LOGIC_FAILURE = (0x20, 0), (0x24, 0), (0x25, 0), (0x3E, 1)
NOT_READY_STOPPED, STANDBY_CONDITION = (0x04, 0x02), (0x5E, 0x03)
ATA_INFORMATION = (0x00, 0x1D)

DESCRIPTOR, FIXED, LIBATA = "descriptor", "fixed", "libata"


def fixed(key, code):
    return bytes((0x70, 0, key, 0, 0, 0, 0, 10, 0, 0, 0, 0, *code, 0, 0, 0, 0))


def ata_descriptor(key, code, result):
    """result is an AtaResult; its registers are in an ATA status return descriptor."""
    lba = result.lba.to_bytes(6, "little")
    registers = bytes((0x09, 0x0C, int(result.extended), result.error, result.count >> 8 & 0xFF,
                       result.count & 0xFF, lba[3], lba[0], lba[4], lba[1], lba[5], lba[2],
                       result.device, result.status))
    return bytes((0x72, key, *code, 0, 0, 0, len(registers))) + registers


def ata_fixed(key, code, result):
    """SAT's fixed layout: registers in INFORMATION and COMMAND-SPECIFIC INFORMATION."""
    lba = result.lba.to_bytes(6, "little")
    flags = (result.extended << 7 | (result.count >> 8 != 0) << 6 | any(lba[3:]) << 5)
    return bytes((0x70, 0, key, result.error, result.status, result.device, result.count & 0xFF, 10,
                  flags, *lba[:3], *code, 0, 0, 0, 0))


def ata_misplaced(key, code, result):
    """What libata of Linux 6.1 makes of a failed command: fixed, with the registers from byte 8 on."""
    lba = result.lba.to_bytes(6, "little")
    flags = (result.extended << 7 | (result.count >> 8 != 0) << 6 | any(lba[3:]) << 5)
    return bytes((0x70, 0, key, 0, 0, 0, 0, 12, result.error, result.status, result.device,
                  result.count & 0xFF, *code, 0, 0, flags, *lba[:3]))


def ata_result(layout, result):
    """Sense for a finished ATA command in one of the three layouts."""
    failed = result.status & 0x21
    key, code = (ABORTED, (0, 0)) if failed else (RECOVERED, ATA_INFORMATION)
    if layout == FIXED:
        return ata_fixed(key, ATA_INFORMATION, result)
    if layout == LIBATA and failed:
        return ata_misplaced(key, code, result)
    return ata_descriptor(key, code, result)
