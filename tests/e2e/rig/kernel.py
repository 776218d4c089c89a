"""Debian's kernel package: fetched with apt, unpacked without installing it, and cached."""

import lzma
import os
import re
import shutil
import subprocess

META = "linux-image-amd64"


class RigError(Exception):
    """The virtual machine could not be built or started."""


def _run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        raise RigError(f"{' '.join(command)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def package_name():
    """The image package that the meta package depends on now, e.g. linux-image-6.1.0-9-amd64."""
    listing = _run("apt-cache", "depends", META)
    found = re.search(r"Depends: (linux-image-\S+)", listing)
    if not found:
        raise RigError(f"{META} names no kernel package")
    return found.group(1)


def uncompressed(bzimage):
    """The ELF image inside a bzImage: it starts by PVH in half the time under software emulation."""
    data = bzimage.read_bytes()
    for found in re.finditer(re.escape(b"\xfd7zXZ\0"), data):
        try:
            elf = lzma.LZMADecompressor(lzma.FORMAT_XZ).decompress(data[found.start():])
        except lzma.LZMAError:
            continue
        if elf.startswith(b"\x7fELF"):
            return elf
    raise RigError(f"{bzimage.name}: no xz-compressed ELF image inside")


class Kernel:
    """folder holds vmlinux and the module tree of one kernel package."""

    def __init__(self, folder):
        self.folder = folder
        self.image = folder / "vmlinux"
        self.modules = {p.name.removesuffix(".ko").replace("-", "_"): p
                        for p in folder.glob("lib/modules/*/**/*.ko")}

    def load_order(self, names):
        """Paths of the named modules and of all that they depend on, dependencies first."""
        order, pending = [], [(name.replace("-", "_"), False) for name in reversed(names)]
        while pending:
            name, ready = pending.pop()
            path = self.modules.get(name)
            if path is None or path in order:
                continue
            if ready:
                order.append(path)
                continue
            pending.append((name, True))
            pending += [(need, False) for need in self.needs(path)]
        return order

    @staticmethod
    def needs(path):
        found = re.search(rb"\0depends=([^\0]*)\0", path.read_bytes())
        return [n.replace("-", "_") for n in found.group(1).decode().split(",") if n] if found else []


def provide(cache):
    """The cached kernel under cache, fetched first where it is not there."""
    cached = sorted(cache.glob("linux-image-*/complete"))
    if cached:
        return Kernel(cached[-1].parent)
    name = package_name()
    folder = cache / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    _run("apt-get", "download", name, cwd=folder)
    archive = next(folder.glob("*.deb"))
    _run("dpkg", "-x", str(archive), str(folder))
    bzimage = next((folder / "boot").glob("vmlinuz-*"))
    (folder / "vmlinux").write_bytes(uncompressed(bzimage))
    archive.unlink()
    os.close(os.open(folder / "complete", os.O_CREAT | os.O_WRONLY))
    return Kernel(folder)
