"""Devices, and the parts of the kernel that look like files."""

import errno
import fcntl
import glob
import os
import pty
import stat
import struct

from trying import Lacking, Refused, apart, expect, probe


def opens(path, how=os.O_RDONLY):
    os.close(os.open(path, how | os.O_NONBLOCK))
    return f"opened {path}"


def any_of(paths, how=os.O_RDONLY):
    """Opens the first of several that can be opened."""
    last = FileNotFoundError(errno.ENOENT, "there is none")
    for path in paths:
        try:
            return opens(path, how)
        except OSError as error:
            last = error
    raise last


@probe
def make_device(facts):
    """A device node of its own: the one of the empty device, for want of harm."""
    path = facts["work"] + "/device"
    os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    try:
        return opens(path, os.O_WRONLY)
    finally:
        os.unlink(path)


@probe
def device_in_workspace(facts):
    return opens(facts["work"] + "/device-of-root", os.O_WRONLY)


@probe
def device_in_read_only(facts):
    return opens(facts["shared"] + "/read/device", os.O_WRONLY)


def speaks(path):
    os.write(os.open(path, os.O_WRONLY | os.O_NONBLOCK), b"x")
    return "spoke to whoever reads the pipe"


@probe
def pipe_to_read(facts):
    """Read-only does not keep a pipe from being written to: no file of that mount changes by it."""
    return speaks(facts["shared"] + "/pipe")


@probe
def pipe_in_read_only(facts):
    return speaks(facts["shared"] + "/read/pipe")


@probe
def block_device(facts):
    disks = [path for path in glob.glob("/dev/*") if stat.S_ISBLK(os.stat(path).st_mode)]
    return any_of(disks)


@probe
def kernel_messages(facts):
    return opens("/dev/kmsg")


@probe
def fuse(facts):
    return opens("/dev/fuse", os.O_RDWR)


@probe
def console(facts):
    """Asks the console for its shift keys, which the requests to paste into it look just like."""
    descriptor = os.open("/dev/tty0", os.O_RDWR | os.O_NOCTTY)
    fcntl.ioctl(descriptor, 0x541C, struct.pack("b", 6))
    return "asked the console"


@probe
def loop_device(facts):
    return opens("/dev/loop-control", os.O_RDWR)


@probe
def type_for_the_person(facts):
    """Puts letters into the input of a terminal, as if they had been typed."""
    ours, theirs = pty.openpty()

    def types():
        os.setsid()
        fcntl.ioctl(theirs, 0x540E, 0)
        for letter in b"x\n":
            fcntl.ioctl(theirs, 0x5412, bytes([letter]))
        return expect(os.read(theirs, 10) == b"x\n", "typed")

    try:
        return apart(types)
    except Refused as refused:
        if facts["control"] and "Errno 5" in str(refused):
            raise Lacking("dev.tty.legacy_tiocsti is off") from refused
        raise
    finally:
        os.close(ours)


@probe
def core_pattern(facts):
    """What the kernel starts, as root of the whole machine, when a program crashes."""
    return opens("/proc/sys/kernel/core_pattern", os.O_WRONLY)


@probe
def kernel_settings(facts):
    return opens("/proc/sys/vm/drop_caches", os.O_WRONLY)


@probe
def magic_keys(facts):
    return opens("/proc/sysrq-trigger", os.O_WRONLY)


@probe
def kernel_memory(facts):
    descriptor = os.open("/proc/kcore", os.O_RDONLY)
    return expect(os.read(descriptor, 4) == b"\x7fELF", "read /proc/kcore")


@probe
def kernel_symbols(facts):
    """Where the kernel lies in memory, which an exploit needs first."""
    with open("/proc/kallsyms") as symbols:
        first = symbols.readline().split()
    return expect(first and int(first[0], 16) != 0, f"{first}")


def groups(name):
    return glob.glob(f"/sys/fs/cgroup/{name}") + glob.glob(f"/sys/fs/cgroup/*/{name}")


@probe
def join_group(facts):
    """Another control group has other limits."""
    return any_of(groups("cgroup.procs"), os.O_WRONLY)


@probe
def release_agent(facts):
    """What the kernel starts, as root of the whole machine, when a control group is empty."""
    return any_of(groups("release_agent"), os.O_WRONLY)


@probe
def uevent_helper(facts):
    """What the kernel starts, as root of the whole machine, when a device appears."""
    found = glob.glob("/sys/class/*/*/uevent")
    return any_of(found, os.O_WRONLY)
