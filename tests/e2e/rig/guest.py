"""The running virtual machine, and the host's end of its agent."""

import base64
import os
import select
import shutil
import signal
import socket
import subprocess
import time

from .kernel import RigError

MEMORY = 1024
BOOT_LIMIT = 300  # seconds; seven on a quiet machine


class Hung(Exception):
    """A guest command gave no answer within its limit."""


class Result:
    """What a guest command did."""

    def __init__(self, status, stdout, stderr, seconds):
        self.status, self.raw, self.seconds = status, stdout, seconds
        self.stdout = stdout.decode("utf-8", "replace")
        self.stderr = stderr.decode("utf-8", "replace")

    def __str__(self):
        return (f"status {self.status} after {self.seconds:.1f} s\n"
                f"{self.stdout[-3000:]}{self.stderr[-2000:]}")


def hardware_virtualization():
    """KVM boots a stock kernel only where the processor itself offers it."""
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as info:
        flags = info.read().split()
    return ("vmx" in flags or "svm" in flags) and os.access("/dev/kvm", os.R_OK | os.W_OK)


class Guest:
    """folder keeps sockets, disks and the console's log of this run."""

    def __init__(self, folder, kernel, initrd, devices=()):
        self.folder, self.kernel, self.initrd, self.devices = folder, kernel, initrd, list(devices)
        self.process = self.port = None
        self.buffer, self.serial, self.answers = b"", 0, {}

    def command(self, accelerator):
        machine = {"kvm": ("-accel", "kvm", "-cpu", "host"),
                   "tcg": ("-accel", "tcg,thread=multi", "-cpu", "Nehalem,+rdrand")}[accelerator]
        return ["qemu-system-x86_64", "-machine", "q35,memory-backend=ram", *machine, "-smp", "2",
                "-m", str(MEMORY),
                "-object", f"memory-backend-memfd,id=ram,size={MEMORY}M,share=on",
                "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none", "-bios", "qboot.rom",
                "-kernel", str(self.kernel.image), "-initrd", str(self.initrd),
                "-append", "console=ttyS0 quiet panic=-1 mitigations=off random.trust_cpu=on "
                           "tsc=reliable no_timer_check libata.allow_tpm=0",
                "-serial", f"file:{self.folder}/console.log",
                "-netdev", "user,id=net,restrict=off", "-device", "virtio-net-pci,netdev=net,romfile=",
                "-chardev", f"socket,id=agent,path={self.folder}/agent,server=on,wait=on",
                "-device", "virtio-serial-pci", "-device", "virtserialport,chardev=agent,nr=1",
                *self.devices]

    def start(self):
        if shutil.which("qemu-system-x86_64") is None:
            raise RigError("qemu-system-x86_64 is not installed (package qemu-system-x86)")
        accelerators = ["kvm", "tcg"] if hardware_virtualization() else ["tcg"]
        for accelerator in accelerators:
            limit = BOOT_LIMIT if accelerator == "tcg" else 20
            if self.boot(accelerator, limit):
                return accelerator
            self.stop()
        raise RigError(f"the guest gave no sign of life in {BOOT_LIMIT} s; its console said:\n"
                       f"{self.console()[-3000:]}")

    def boot(self, accelerator, limit):
        with open(self.folder / "qemu.log", "wb") as log:
            self.process = subprocess.Popen(self.command(accelerator), stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=log)
        end = time.monotonic() + limit
        while time.monotonic() < end and self.process.poll() is None:
            if self.port is None:
                self.connect()
            if self.port and self.take("ready", 0.2):
                return True
            time.sleep(0.05)
        return False

    def connect(self):
        port = socket.socket(socket.AF_UNIX)
        try:
            port.connect(str(self.folder / "agent"))
            self.port = port
        except OSError:
            port.close()

    def take(self, name, limit):
        """The answer to one command, or None if it has not come within limit seconds."""
        end = time.monotonic() + limit
        while name not in self.answers:
            left = end - time.monotonic()
            if left <= 0 or not select.select((self.port,), (), (), left)[0]:
                return None
            received = self.port.recv(1 << 16)
            if not received:
                raise RigError(f"the guest has died:\n{self.console()[-3000:]}")
            *lines, self.buffer = (self.buffer + received).split(b"\n")
            for line in lines:
                identifier, status, out, err = line.decode().split(" ")
                decode = lambda text: b"" if text == "-" else base64.b64decode(text)
                self.answers[identifier] = int(status), decode(out), decode(err)
        return self.answers.pop(name)

    def run(self, script, limit=30):
        """Run a shell script in the guest; Hung if it has not ended after limit seconds."""
        self.serial += 1
        name, start = str(self.serial), time.monotonic()
        encoded = base64.b64encode(script.encode("utf-8", "surrogateescape")).decode()
        self.port.sendall(f"{name} {limit} {encoded}\n".encode())
        answer = self.take(name, limit + 3)
        if answer is None:
            raise Hung(f"no answer in {limit} s: {script}")
        return Result(*answer, time.monotonic() - start)

    def console(self):
        try:
            return (self.folder / "console.log").read_text("utf-8", "replace")
        except OSError:
            return ""

    def stop(self):
        if self.port:
            self.port.close()
            self.port = None
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(10)
        self.buffer, self.answers = b"", {}
