"""The guest's root: busybox, kernel modules in load order, the program under test and its libraries."""

import pathlib
import re
import subprocess

from .cpio import Archive
from .kernel import RigError

HERE = pathlib.Path(__file__).parent
MODULES = ("virtio_pci", "virtio_console", "virtio_net", "af_packet", "virtio_scsi", "sd_mod", "sg",
           "ahci", "nvme", "nvme_tcp", "xhci_pci", "usb_storage", "uas")
TOOLS = ("date", "flock", "setpriv", "smartctl", "nvme", "sg_raw", "sg_inq", "sg_logs", "sg_turs")
PATHS = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")


def which(name):
    for folder in PATHS:
        path = pathlib.Path(folder, name)
        if path.exists():
            return path
    return None


def libraries(binary):
    """Files that the dynamic linker loads for a program."""
    done = subprocess.run(("ldd", str(binary)), capture_output=True, text=True)
    if "not found" in done.stdout:
        raise RigError(f"{binary}: a shared library is missing:\n{done.stdout}")
    return re.findall(r"(/\S+) \(0x", done.stdout)


def add_program(archive, binary, place):
    archive.file(place, pathlib.Path(binary).read_bytes())
    for library in libraries(binary):
        archive.file(library, pathlib.Path(library).read_bytes())


def build(kernel, binary, rules):
    """An initramfs as bytes. rules, the folder of the drive rules or None, is at the same path inside: the
    program of a build tree looks for them there."""
    archive = Archive()
    busybox = which("busybox")
    if busybox is None:
        raise RigError("busybox is not installed (package busybox-static)")
    for folder in ("proc", "sys", "dev", "run", "tmp", "etc", "usr/sbin", "usr/bin", "var/lib", "lib64"):
        archive.folder(folder)
    archive.link("bin", "usr/bin")
    archive.link("sbin", "usr/sbin")
    archive.file("usr/bin/busybox", busybox.read_bytes())
    archive.node("dev/console", 5, 1)
    for path in kernel.load_order(MODULES):
        archive.file(f"modules/{len(archive.seen):04}-{path.name}", path.read_bytes(), 0o644)
    archive.file("init", (HERE / "init.sh").read_bytes())
    archive.file("agent", (HERE / "agent.sh").read_bytes())
    archive.file("etc/passwd", b"root:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n", 0o644)
    archive.file("etc/group", b"root:x:0:\nnogroup:x:65534:\n", 0o644)
    if binary:
        add_program(archive, binary, "usr/sbin/nandlife")
    for tool in TOOLS:
        if (path := which(tool)) is not None:
            add_program(archive, path, f"usr/sbin/{tool}")
    drivedb = pathlib.Path("/var/lib/smartmontools/drivedb/drivedb.h")
    if drivedb.exists():
        archive.file(str(drivedb), drivedb.read_bytes(), 0o644)
    for rule in sorted(rules.glob("**/*")) if rules else ():
        if rule.is_file():
            archive.file(str(rule.resolve()), rule.read_bytes(), 0o644)
    return archive.bytes()
