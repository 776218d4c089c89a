"""What a test case is handed: attach emulated drives to the guest, run commands there, take them away again."""

import json
import shlex
import time

from emulator.loop import Loop
from emulator.nvme_tcp import NvmeServer
from emulator.usb import UsbBridge
from emulator.vhost_user import ScsiHost

from .guest import Guest, Hung

QUIET = 0.15
USB_PORTS = 2
CONNECT = ("transport=tcp,traddr=10.0.2.2,trsvcid={port},nqn={nqn},nr_io_queues=1,queue_size=16,"
           "ctrl_loss_tmo=2,reconnect_delay=1,hostnqn=nqn.2014-08.org.nvmexpress:uuid:"
           "11111111-2222-3333-4444-555555555555,hostid=11111111-2222-3333-4444-555555555555")


class Rig:
    def __init__(self, folder, kernel, initrd, disks=()):
        self.loop, self.nvme = Loop(), NvmeServer()
        self.scsi = ScsiHost(f"{folder}/scsi")
        self.loop.call(self.nvme.start())
        self.loop.call(self.scsi.start())
        devices = ["-chardev", f"socket,id=scsi,path={folder}/scsi",
                   "-device", "vhost-user-scsi-pci,chardev=scsi,num_queues=1",
                   "-device", "qemu-xhci,id=usb", *disks]
        self.ports = [f"{folder}/usb{n}" for n in range(USB_PORTS)]
        for number, path in enumerate(self.ports):
            devices += ["-chardev", f"socket,id=usb{number},path={path},server=on,wait=off",
                        "-device", f"usb-redir,bus=usb.0,chardev=usb{number}"]
        self.guest = Guest(folder, kernel, initrd, devices)
        self.attached, self.bridges, self.serial = [], [], 0
        self.last = None
        self.clock_is_set = False

    def start(self):
        accelerator = self.guest.start()
        host = self.run("for h in /sys/class/scsi_host/host*; do "
                        "[ $(cat $h/proc_name) = virtio_scsi ] && echo ${h##*host}; done")
        self.host = host.stdout.strip()
        return accelerator

    def stop(self):
        self.guest.stop()
        self.loop.stop()

    def run(self, script, limit=90):
        """Run a shell script in the guest."""
        self.last = self.guest.run(script, limit)
        return self.last

    def nandlife(self, *arguments, limit=120, before=""):
        """Run the program under test; before is put in front of it (variables, setpriv and the like)."""
        return self.run(f"{before} nandlife {' '.join(map(shlex.quote, arguments))}", limit)

    def json(self, *arguments, limit=120, status=None, before=""):
        """Run the program with --json; the answer, parsed strictly."""
        result = self.nandlife(*arguments, "--json", limit=limit, before=before)
        if status is not None and result.status != status:
            raise AssertionError(f"status {result.status}, expected {status}")
        return strict_json(result.raw)

    def set_clock(self, seconds):
        """Set the guest's clock, until the case has ended."""
        self.clock_is_set = True
        self.guest.run(f"date -s @{seconds}")

    def fetch(self, path):
        """The bytes of a file of the guest; none where it is not there."""
        return self.guest.run(f"[ ! -f {path} ] || cat {path}").raw

    # Drives.

    def attach(self, *drives):
        """Attach drives, wait until the kernel is done with them, and start their traces anew.

        Each gets .path (/dev/nvme3, /dev/sda); NVMe drives .paths, one a controller; SCSI drives .sg.
        """
        script, fabric, targets = [], [d for d in drives if d.kind == "nvme"], {}
        for drive in fabric:
            self.serial += 1
            self.nvme.add(drive, f"nqn.2024-01.test:d{self.serial}")
            options = CONNECT.format(port=self.nvme.port, nqn=drive.nqn)
            for number in range(drive.controllers):
                extra = ",duplicate_connect" if number else ""
                script.append(f"connect {options}{extra} {len(drive.namespaces)}")
        for drive in drives:
            if drive.kind == "scsi":
                target = min(set(range(64)) - set(self.scsi.targets))
                self.scsi.targets[target] = targets[target] = drive
        script += [f"scsi {target}" for target in targets]
        self.attached += drives
        result = self.run(ATTACH.replace("HOST", self.host) + "\n".join(script), 60 + 4 * len(drives))
        if result.status:
            raise AssertionError(f"drives do not appear:\n{result}")
        names = iter(result.stdout.split("\n"))
        for drive in fabric:
            drive.paths = [f"/dev/{next(names)}" for _ in range(drive.controllers)]
            drive.path = drive.paths[0]
        for drive in targets.values():
            drive.path, drive.sg = (f"/dev/{name}" for name in next(names).split(" "))
        self.settle(drives)
        return drives[0] if len(drives) == 1 else drives

    def attach_usb(self, drive, **bridge):
        """Plug a SCSI drive into a USB port, behind a bridge; .path and .sg as for attach."""
        bridge = UsbBridge(drive, **bridge)
        self.bridges.append(bridge)
        self.loop.call(bridge.plug(self.ports[len(self.bridges) - 1]))
        result = self.run(ATTACH + f"usb {len(self.bridges)}", 60)
        if result.status:
            raise AssertionError(f"the bridge does not appear:\n{result}")
        drive.path, drive.sg = (f"/dev/{name}" for name in result.stdout.split())
        self.attached.append(drive)
        self.settle([drive])
        return drive

    def settle(self, drives):
        """Wait until the kernel asks nothing more, then start the traces anew."""
        size = lambda: sum(len(d.trace) for d in drives)
        before, end = size(), time.monotonic() + 10
        time.sleep(QUIET)
        while size() != before and time.monotonic() < end:
            before = size()
            time.sleep(QUIET)
        for drive in drives:
            drive.arm()

    def release(self):
        """End all faults, and let every held command end."""
        for drive in self.attached:
            drive.calm()
        self.loop.soon(self.nvme.release)
        self.loop.soon(self.scsi.release)
        for bridge in self.bridges:
            self.loop.soon(bridge.release)

    def vanish(self, drive):
        """Pull a drive out while it is in use."""
        if drive.kind == "nvme":
            self.loop.soon(self.nvme.vanish, drive)
        else:
            drive.gone = True

    def detach_all(self):
        """Back to a guest without emulated drives, at the true time."""
        self.release()
        if self.clock_is_set:
            self.set_clock(int(time.time()))
            self.clock_is_set = False
        script = ["for c in /sys/class/nvme/*/delete_controller; do "
                  "grep -q tcp ${c%/*}/transport && echo 1 >$c & done"]
        script += [f"echo 1 >/sys/class/scsi_device/{self.host}:0:{target}:0/device/delete &"
                   for target in self.scsi.targets]
        for bridge in self.bridges:
            self.loop.soon(bridge.unplug)
        if self.bridges:
            script.append("n=0; while grep -q usb-storage /sys/class/scsi_host/*/proc_name && "
                          "[ $n -lt 100 ]; do usleep 50000; n=$((n + 1)); done")
        if self.attached:
            self.guest.run("\n".join(script) + "\nwait", 60)
        for drive in self.attached:
            if drive.kind == "nvme":
                self.loop.soon(self.nvme.remove, drive)
        self.scsi.targets.clear()
        self.attached, self.bridges = [], []


# Prints one line for each drive: the controller's name, or the names of the disk and its sg node.
ATTACH = """
fail() { echo "$1" >&2; exit 1; }
wait_for() { n=0; until eval "$1"; do n=$((n + 1)); [ $n -lt 2000 ] || fail "no $1"; usleep 25000; done; }
connect() {
	exec 4<>/dev/nvme-fabrics
	echo "$1" >&4 || fail "connect: $1"
	read -r instance <&4
	exec 4<&-
	c=${instance#instance=}; c=nvme${c%%,*}
	wait_for '[ $(ls -d /sys/class/nvme/$c/nvme*n* 2>/dev/null | wc -l) -ge '$2' ]'
	echo $c
}
scsi() {
	d=/sys/class/scsi_device/HOST:0:$1:0/device
	echo "0 $1 0" >/sys/class/scsi_host/hostHOST/scan
	wait_for 'ls $d/block/*/size >/dev/null 2>&1'
	wait_for 'ls -d $d/scsi_generic/* >/dev/null 2>&1'
	echo $(ls $d/block) $(ls $d/scsi_generic)
}
usb() {
	wait_for '[ $(grep -l usb-storage /sys/class/scsi_host/*/proc_name | wc -l) -ge '$1' ]'
	h=$(grep -l usb-storage /sys/class/scsi_host/*/proc_name | sort | tail -n 1)
	h=${h%/proc_name}; h=${h##*host}
	d=/sys/class/scsi_device/$h:0:0:0/device
	wait_for 'ls $d/block/*/size >/dev/null 2>&1'
	wait_for 'ls -d $d/scsi_generic/* >/dev/null 2>&1'
	echo $(ls $d/block) $(ls $d/scsi_generic)
}
"""


def strict_json(data):
    """One JSON object in valid UTF-8, nothing before or after it, no NaN, no key twice."""
    def pairs(items):
        keys = [key for key, _ in items]
        if len(keys) != len(set(keys)):
            raise AssertionError(f"a key is there twice: {keys}")
        return dict(items)

    def refuse(constant):
        raise AssertionError(f"{constant} is not JSON")

    text = data.decode("utf-8")
    if not text.startswith("{") or not text.endswith("}\n"):
        raise AssertionError(f"not one JSON object: {text[:60]!r} ... {text[-60:]!r}")
    answer = json.loads(text, object_pairs_hook=pairs, parse_constant=refuse)
    exact(answer)
    return answer


def exact(value):
    """Integers that a double cannot hold have their exact digits beside them."""
    if isinstance(value, dict):
        for key, member in value.items():
            if type(member) is int and abs(member) > 1 << 53 and f"{key}_str" not in value:
                raise AssertionError(f"{key} is {member} without {key}_str")
    for member in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        exact(member)


__all__ = ["Hung", "Rig", "strict_json"]
