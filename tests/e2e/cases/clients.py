"""The rig itself, with other programs as clients: drives answer, faults hit, traces tell."""

from emulator import ata_operations as ata_operations_codes
from emulator import sense
from emulator.fault import Fault
from emulator.nvme import IDENTIFY, NvmeDrive, log_page
from emulator.nvme_identify import Namespace
from emulator.sas import SasDrive
from emulator.sat import SatDrive
from rig.case import case

KILLED = 137


@case("rig: NVMe, SATA and SAS drives appear and answer smartctl")
def drives_answer(rig):
    nvme, sata, sas = rig.attach(NvmeDrive(), SatDrive(), SasDrive())
    text = rig.run(f"smartctl -a {nvme.path}; smartctl -x {sata.path}; smartctl -x {sas.path}").stdout
    assert "Percentage Used:                    9%" in text
    assert "97656250000  ---  Logical Sectors Written" in text
    assert "Percentage used endurance indicator: 3%" in text
    assert 0x02 in nvme.asked_logs() and 0x02 in nvme.cleared
    assert [t.command for t in sata.ata.trace][:1] == [0xEC]


@case("rig: a refused NVMe command raises the error counter of the drive")
def refusal_counts(rig):
    drive = rig.attach(NvmeDrive())
    assert rig.run(f"nvme get-log {drive.path} --log-id=0xc0 --log-len=512").status != 0
    assert drive.error_count == 1 and drive.trace[-1].status == 0x4109


@case("rig: a command that hangs in the kernel does not hang the guest's other work")
def hung(rig):
    nvme, sata = rig.attach(NvmeDrive(), SatDrive())
    nvme.faults = [Fault(log_page(0x02), hang=True)]
    sata.ata.faults = [Fault(lambda task: task.command == 0xEC, hang=True)]
    rig.run(f"nvme smart-log {nvme.path} & smartctl -i {sata.path} & sleep 0.1")
    waiting = "ps -o stat,comm | grep -c '^D .*\\(nvme\\|smartctl\\)'"
    until = "n=0; until [ $(%s) = %d ] || [ $n -ge 600 ]; do usleep 50000; n=$((n + 1)); done; %s"
    assert rig.run(until % (waiting, 2, waiting)).stdout == "2\n"
    rig.release()
    assert rig.run(until % (waiting, 0, waiting)).stdout == "0\n"


@case("rig: delays, garbage, short data, patches and status codes hit the commands they name")
def faults_hit(rig):
    drive = rig.attach(NvmeDrive())
    drive.faults = [Fault(log_page(0x02), times=1, delay=0.5)]
    assert rig.run(f"nvme smart-log {drive.path}").seconds > 0.5
    drive.faults = [Fault(log_page(0x02), times=1, patch={5: b"\x63"})]
    assert "percentage_used\t\t\t\t: 99%" in rig.run(f"nvme smart-log {drive.path}").stdout
    drive.faults = [Fault(log_page(0x02), times=1, status=0x4006)]
    assert rig.run(f"nvme smart-log {drive.path}").status != 0
    drive.faults = [Fault(lambda c: c.opcode == IDENTIFY, times=1, garbage=7)]
    assert drive.serial not in rig.run(f"nvme id-ctrl {drive.path}").stdout


@case("rig: several controllers of a subsystem make one multipath node and hidden path nodes")
def multipath(rig):
    drive = rig.attach(NvmeDrive(serial="MP1", controllers=2, namespaces=[
        Namespace(1, nguid=bytes(range(16)), shared=True)]))
    assert len(drive.paths) == 2
    number = drive.path.removeprefix("/dev/nvme")
    assert f"nvme{number}c" in rig.run("ls /sys/block").stdout


@case("rig: a pulled drive leaves the guest")
def pulled(rig):
    drive = rig.attach(NvmeDrive())
    rig.vanish(drive)
    assert rig.run(f"for i in $(seq 50); do [ -e {drive.path} ] || break; usleep 200000; done; "
                   f"[ ! -e {drive.path} ]", 20).status == 0


@case("rig: three layouts of sense, and bridges that know only one pass-through")
def layouts(rig):
    drives = rig.attach(SatDrive("L1", layout=sense.DESCRIPTOR), SatDrive("L2", layout=sense.FIXED),
                        SatDrive("L3", layout=sense.LIBATA), SatDrive("L4", takes=(12,)),
                        SatDrive("L5", truncate=36))
    for drive in drives[:3]:
        assert "PASSED" in rig.run(f"smartctl -d sat -H {drive.path}").stdout
    assert rig.run(f"smartctl -d sat,16 -i {drives[3].path}").status != 0
    assert rig.run(f"smartctl -d sat,12 -i {drives[3].path}").status == 0
    raw = "sg_raw -r 512 {} 85 08 0e 00 00 00 01 00 00 00 00 00 00 00 ec 00 2>&1"
    assert "Received 36 bytes" in rig.run(raw.format(drives[4].sg)).stdout


@case("rig: NVMe self-test, sanitize, format, firmware, namespaces and TRIM change the drive")
def operations(rig):
    drive = rig.attach(NvmeDrive(oacs=0x1E, sanicap=2, frmw=0x06, capacity=2 << 30, namespace_limit=4))
    disk = drive.path + "n1"
    rig.run(f"nvme device-self-test {drive.path} -s 1")
    assert rig.run(f"nvme get-log {drive.path} -i 6 -l 4 -b | head -c 1 | xxd -p").stdout == "01\n"
    drive.operations.selftest.finish()
    rig.run(f"nvme self-test-log {drive.path}")
    assert drive.operations.results[0][:2] == (1, 0), drive.operations.results

    rig.run(f"head -c 65536 /dev/urandom | dd of={disk} bs=4096 conv=fsync")
    assert len(drive.namespaces[1].contents) == 128
    assert rig.run(f"blkdiscard -o 0 -l 32768 {disk}").status == 0
    assert drive.namespaces[1].trimmed == [(0, 64)], drive.namespaces[1].trimmed
    assert sorted(drive.namespaces[1].contents) == list(range(64, 128)), drive.namespaces[1].contents.keys()
    rig.run(f"nvme sanitize {drive.path} -a 2")
    assert rig.run(f"nvme format {disk} --force").status != 0
    drive.operations.sanitize.finish()
    assert rig.run(f"nvme get-log {drive.path} -i 0x81 -l 4 -b | xxd -p").stdout == "ffff0101\n"
    assert not drive.namespaces[1].contents

    assert rig.run(f"nvme format {disk} -l 1 --force").status == 0
    assert drive.namespaces[1].block_bytes == 4096
    rig.run(f"printf 'NEWFW001%-4088s' x >/tmp/fw; nvme fw-download {drive.path} -f /tmp/fw")
    assert rig.run(f"nvme fw-commit {drive.path} -s 2 -a 1").status == 0
    assert drive.firmware == "1.0" and drive.operations.pending == 2
    assert rig.run(f"nvme reset {drive.path}").status == 0 and drive.firmware == "NEWFW001"
    assert rig.run(f"nvme create-ns {drive.path} -s 2048 -c 2048 -f 0").status == 0
    assert rig.run(f"nvme attach-ns {drive.path} -n 2 -c 1").status == 0 and 2 in drive.namespaces


@case("rig: SATA self-test, security erase, sanitize and TRIM change the drive")
def ata_operations(rig):
    drive = rig.attach(SatDrive())
    state = drive.ata.operations
    state.sanitizes = (ata_operations_codes.BLOCK_ERASE,)
    assert rig.run(f"smartctl -t short {drive.path}").status == 0
    assert "remaining" in rig.run(f"smartctl -c {drive.path}").stdout
    state.selftest.finish()
    assert "Completed without error" in rig.run(f"smartctl -l selftest {drive.path}").stdout

    write = f"head -c 65536 /dev/urandom | dd of={drive.path} bs=4096 conv=fsync"
    rig.run(write)
    assert len(drive.contents) == 128
    assert rig.run(f"blkdiscard -o 0 -l 32768 {drive.path}").status == 0
    assert drive.trimmed == [(0, 64)] and sorted(drive.contents) == list(range(64, 128))
    rig.run(f"printf '%-512s' >/tmp/password; dd if=/dev/zero of=/tmp/password bs=1 count=2 conv=notrunc")
    zeros = "00 00 00 00 00 00"
    out = lambda command: (f"sg_raw -s 512 -i /tmp/password {drive.sg} 85 0a 06 00 00 00 01 {zeros} 40 {command} 00")
    bare = lambda command: f"sg_raw {drive.sg} 85 06 00 00 00 00 00 {zeros} 40 {command} 00"
    assert rig.run(out("f4")).status != 0
    assert rig.run(out("f1")).status == 0 and state.password == b" " * 32
    assert rig.run(f"{bare('f3')} && {out('f4')}").status == 0
    assert state.erases == ["normal"] and not drive.contents and state.password is None

    rig.run(write)
    erase = f"sg_raw {drive.sg} 85 07 20 00 12 00 00 42 72 00 45 00 6b 40 b4 00"
    assert rig.run(erase.replace("42 72 00 45 00 6b", zeros)).status != 0
    rig.run(erase)
    assert state.sanitize and drive.contents
    state.sanitize.finish()
    rig.run(f"sg_raw {drive.sg} 85 07 20 00 00 00 00 00 00 00 00 00 00 40 b4 00")
    assert state.sanitized and not drive.contents


@case("rig: a SATA drive behind a USB bridge")
def usb(rig):
    drive = rig.attach_usb(SatDrive(vendor="EMU", takes=(16,)))
    assert "/usb" in rig.run(f"readlink /sys/block/{drive.path.removeprefix('/dev/')}").stdout
    text = rig.run(f"smartctl -d sat -x {drive.path}").stdout
    assert "PASSED" in text and "97656250000  ---  Logical Sectors Written" in text
    assert rig.run(f"smartctl -d sat,12 -i {drive.path}").status != 0


@case("rig: a drive that hangs behind USB meets the kernel's real time-out")
def usb_time_out(rig):
    drive = rig.attach_usb(SatDrive(vendor="EMU"))
    drive.ata.faults = [Fault(lambda task: task.command == 0xE5, times=1, hang=True)]
    check_power = f"sg_raw --timeout=2 {drive.sg} 85 06 20 00 00 00 00 00 00 00 00 00 00 00 e5 00"
    result = rig.run(check_power + " 2>&1", limit=30)
    assert result.status not in (0, KILLED) and 1.5 < result.seconds < 20, result
    assert "registers" in rig.run(check_power + " 2>&1").stdout.lower() or rig.last.status == 21, rig.last


@case("rig: QEMU's own drives are there")
def own_drives(rig):
    listing = rig.run("cat /sys/class/nvme/*/serial /sys/block/sd*/device/model").stdout
    for name in ("QEMUNVME1", "QEMUPAIR1", "EMULATED AHCI SS"):
        assert name in listing, listing
