"""Invented drives with a past, as captures that nandlife imports: pages built by the emulators of tests/e2e."""

import math
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))

from emulator import nvme_identify, nvme_logs  # noqa: E402
from emulator.nvme import NvmeDrive  # noqa: E402

DAY = 86_400
NOW = 1_780_272_000  # 2026-06-01
TERABYTE = 10**12
SIZE = 1_920_383_410_176


def stamp(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def log(space, ident, sub, data):
    return {"space": space, "id": ident, "sub": sub, "data": data.hex()}


class Nvme:
    """A data-centre drive that the host writes to at `per_day` bytes, more on workdays."""

    def __init__(self, serial, model="SAMSUNG MZQL21T9HCJR-00A07", firmware="GDC5902Q", path="/dev/nvme0",
                 per_day=0.4 * TERABYTE, waf=1.6, cycles=3_500, before=600 * TERABYTE, array=None):
        self.drive = NvmeDrive(serial=serial, model=model, firmware=firmware, vendor_id=0x144D,
                               namespaces=[nvme_identify.Namespace(size=SIZE)],
                               nqn=f"nqn.1994-11.com.samsung:nvme:PM9A3:2.5-inch:{serial[:12]}")
        self.serial, self.model, self.firmware, self.path = serial, model, firmware, path
        self.hours = before / (per_day * 0.8) * 24  # written at this pace ever since
        self.per_day, self.waf, self.cycles, self.before, self.array = per_day, waf, cycles, before, array

    def written(self, day):
        """Host bytes by this day of the history: five days a week at full pace, growing by a tenth a year."""
        week, rest = divmod(day, 7)
        full = week * 5.6 + min(rest, 5) + max(rest - 5, 0) * 0.3
        return self.before + self.per_day * full * (1 + 0.05 * day / 365)

    def sample(self, day, at):
        written = self.written(day)
        programmed = written * self.waf
        average = programmed / SIZE
        used = min(255, int(100 * average / self.cycles))
        celsius = 40 + 6 * math.sin(2 * math.pi * day / 365) + 5 * math.sin(day * 2.7)
        smart = nvme_logs.smart(temperature=273 + round(celsius), used=used,
                                data_units_written=int(written) // 512_000,
                                data_units_read=int(written * 1.7) // 512_000,
                                power_on_hours=int(self.hours + day * 24), power_cycles=31 + int(day) // 60,
                                sensor1=273 + round(celsius))
        ocp = nvme_logs.ocp(media_written=int(programmed), media_read=int(programmed * 1.5),
                            erase_max=int(average * 1.18), erase_min=int(average * 0.9),
                            erase_average=int(average))
        return {
            "time": stamp(at), "time_is_file": False, "path": self.path, "by_id": None,
            "location": "PCI 0000:41:00.0, slot 3", "array": self.array, "transport": "pcie", "via": None,
            "node_bytes": SIZE, "node_block_bytes": 512, "node_rotational": False, "state": "read",
            "paths": [], "problems": [], "logs": [
                log("nvme-identify", 1, 0, nvme_identify.controller(self.drive, 6)),
                log("nvme-identify", 0, 1, self.drive.namespaces[1].identify()),
                log("nvme-log", 2, 0, smart),
                log("nvme-log", 3, 0, nvme_logs.firmware([self.firmware])),
                log("nvme-log", 0xC0, 0, ocp),
            ],
        }

    def history(self, days, step=1.0):
        """Samples of the last `days` days, the newest last; firmware and node change, and a gap, on the way."""
        samples = []
        for i in range(int(days / step) + 1):
            day = i * step
            if days > 100 and days * 0.5 < day < days * 0.5 + 12:
                continue
            if days > 100 and day > days * 0.3:
                self.drive.firmware = self.firmware = "GDC5A02Q"
            samples.append(self.sample(day, NOW - (days - day) * DAY))
        return samples


def capture(samples):
    return {"schema": "nandlife.capture/1", "generated_at": stamp(NOW), "drives": samples}
