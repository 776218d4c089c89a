"""A SATA drive behind a SCSI/ATA translation layer (SAT-4), or behind a bridge that does it badly."""

from . import sense
from .ata import AtaDrive, TaskFile
from .fields import Page
from .scsi import ATA_12, ATA_16, CHECK_CONDITION, Reply, ScsiDrive, check

HEALTHY = {
    5: (0x33, 100, 100, 0), 9: (0x32, 97, 97, 14_210), 12: (0x32, 99, 99, 88),
    177: (0x13, 88, 88, 212), 190: (0x32, 66, 49, 34), 199: (0x3E, 100, 100, 0),
    241: (0x32, 99, 99, 97_656_250_000),
}
STATISTICS = {
    1: {0x08: 88, 0x10: 14_210, 0x18: 97_656_250_000, 0x20: 1_000_000, 0x28: 48_000_000_000},
    4: {0x08: 0}, 5: {0x08: 34, 0x20: 51, 0x28: 20, 0x58: 70}, 6: {0x08: 5, 0x18: 0}, 7: {0x08: 12},
}


class SatDrive(ScsiDrive):
    """layout     sense layout of ATA results
    takes      lengths of ATA PASS-THROUGH that the bridge knows
    truncate   transfer no more than so many bytes of any ATA data, as success
    registers  whether a CK_COND result comes back at all
    vpd89      whether the translation layer has the ATA Information page
    """

    def __init__(self, serial="SATA0001", model="Samsung SSD 860 EVO 1TB", firmware="RVT04B6Q",
                 size=1 << 30, attributes=None, statistics=None, layout=sense.DESCRIPTOR, takes=(12, 16),
                 truncate=None, registers=True, vpd89=True, vendor="ATA     ",
                 wwn=0x5002538E40000001, rotation=1, unmap=True, **ata):
        self.ata = AtaDrive(serial, model, firmware, size,
                            HEALTHY if attributes is None else attributes,
                            statistics=STATISTICS if statistics is None else statistics,
                            wwn=wwn, rotation=rotation, **ata)
        super().__init__(serial, model, firmware[-4:], vendor, size, wwn=wwn, rotation=rotation,
                         block_bytes=ata.get("block_bytes", 512), unmap=unmap)
        operations = self.ata.operations
        operations.contents, operations.trimmed = self.contents, self.trimmed
        self.layout, self.takes, self.truncate, self.registers = layout, takes, truncate, registers
        self.vpd89 = vpd89
        self.handlers |= {ATA_12: self.pass_through, ATA_16: self.pass_through}

    def arm(self):
        super().arm()
        self.ata.arm()

    def calm(self):
        super().calm()
        self.ata.faults = []

    @property
    def standby(self):
        return self.ata.standby

    @standby.setter
    def standby(self, value):
        self.ata.standby = value

    @property
    def wakes(self):
        return self.ata.wakes

    @wakes.setter
    def wakes(self, value):
        self.ata.wakes = value

    def vpd_page(self, number):
        if number == 0x89 and self.vpd89:
            page = Page(568).text(4, 8, "LINUX").text(12, 16, "libata").text(28, 4, "3.00")
            page.put(32, 1, 0x34).put(52, 1, 0xEC).raw(56, self.ata.identify())
            return bytes((0, 0x89)) + (568).to_bytes(2, "big") + page.bytes()
        page = super().vpd_page(number)
        if number == 0x00 and self.vpd89:
            body = bytes(sorted({*page[4:], 0x89}))
            return bytes((0, 0)) + len(body).to_bytes(2, "big") + body
        return page

    @staticmethod
    def task(cdb, data):
        if cdb[0] == ATA_12:
            return TaskFile(cdb[9], cdb[3], cdb[4], cdb[5] | cdb[6] << 8 | cdb[7] << 16, cdb[8], False,
                            data)
        extended = bool(cdb[1] & 1)
        low = cdb[8] | cdb[10] << 8 | cdb[12] << 16
        high = cdb[7] << 24 | cdb[9] << 32 | cdb[11] << 40
        if not extended:
            return TaskFile(cdb[14], cdb[4], cdb[6], low, cdb[13], False, data)
        return TaskFile(cdb[14], cdb[3] << 8 | cdb[4], cdb[5] << 8 | cdb[6], low | high, cdb[13], True,
                        data)

    def pass_through(self, cdb, data):
        if (12 if cdb[0] == ATA_12 else 16) not in self.takes:
            return check(sense.ILLEGAL, sense.INVALID_OPCODE)
        result, fault = self.ata.execute(self.task(cdb, data))
        want_registers = cdb[2] & 0x20
        answer = Reply(data=result.data if self.truncate is None else result.data[:self.truncate])
        if result.status & 0x21 or want_registers and self.registers:
            answer.status = CHECK_CONDITION
            answer.sense = sense.ata_result(self.layout, result)
        answer.hang, answer.delay = fault.hang, fault.delay
        return answer
