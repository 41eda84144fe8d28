"""System calls that reach what no file stands for. Arguments are harmless, or wrong in a way that shows who may ask."""

import ctypes
import errno
import mmap
import os
import platform
import struct

from trying import Lacking, Refused, apart, call, expect, knock, library, marks, number, probe, raw, reads

NEW_MOUNTS, NEW_USERS, NEW_NETWORK = 0x00020000, 0x10000000, 0x40000000


def text(path):
    return ctypes.c_char_p(os.fsencode(path))


def mounts(source, target, kind, flags):
    return library("mount", text(source), text(target), text(kind), ctypes.c_ulong(flags), None)


# ------------------------------------------------------------------------------------------------- mounts and roots


@probe
def mount(facts):
    """Covers a directory of its own, in a namespace that nobody else is in if that can be had."""

    def covers():
        try:
            call("unshare", NEW_MOUNTS)
            mounts("none", "/", "", 0x4000 | 0x40000)
        except OSError:
            pass
        mounts("none", facts["work"] + "/cover", "tmpfs", 0)
        library("umount2", text(facts["work"] + "/cover"), 2)
        return "mounted"

    return apart(covers)


@probe
def unmount(facts):
    """Takes away what lies over something else. There is nothing to take away where this is let in."""
    place = text(facts["work"])
    return knock(lambda: library("umount2", place, 0), errno.EINVAL, errno.EBUSY)


@probe
def remount(facts):
    """Makes a read-only part writable."""
    flags = 0x20 | 0x1000
    return knock(lambda: mounts("none", facts["shared"] + "/read/notes", "", flags), errno.EINVAL)


@probe
def new_mount(facts):
    os.close(knock(lambda: call("fsopen", text("tmpfs"), 0)))
    return "opened a file system"


@probe
def take_mount(facts):
    os.close(knock(lambda: call("open_tree", -100, text(facts["work"]), 1)))
    return "took a mount"


@probe
def mount_attributes(facts):
    attributes = ctypes.create_string_buffer(32)
    outcome = knock(
        lambda: call("mount_setattr", -100, text(facts["work"] + "/cover"), 0, attributes, 32), errno.EINVAL
    )
    return f"changed a mount: {outcome}"


@probe
def change_root(facts):
    return apart(lambda: call("chroot", text(facts["work"])))


@probe
def pivot_root(facts):
    place = text(facts["work"])
    return knock(lambda: call("pivot_root", place, place), errno.EINVAL, errno.EBUSY)


# -------------------------------------------------------------------------------------------------------- namespaces


@probe
def nested_users(facts):
    return apart(lambda: call("unshare", NEW_USERS))


@probe
def nested_mount(facts):
    """Root in a namespace of its own may mount there, which is where holes in the kernel are reached from."""

    def nests():
        call("unshare", NEW_USERS | NEW_MOUNTS)
        mounts("none", facts["work"] + "/cover", "tmpfs", 0)
        return "mounted in a namespace of its own"

    return apart(nests)


def nest():
    """Root in a namespace of its own, if that can be had."""
    own = (os.getuid(), os.getgid())
    call("unshare", NEW_USERS | NEW_MOUNTS)
    for name, text in (("setgroups", "deny"), ("uid_map", f"0 {own[0]} 1"), ("gid_map", f"0 {own[1]} 1")):
        with open("/proc/self/" + name, "w") as file:
            file.write(text)


def each(*attempts):
    """Does what can be done of several."""
    for attempt in attempts:
        try:
            attempt()
        except OSError:
            pass


@probe
def nested_unmask(facts):
    """What covers a secret might be taken away, or left behind by showing what is below in another place."""
    hidden, cover = facts["work"] + "/.guard", facts["work"] + "/cover"

    def uncovers():
        each(
            nest,
            lambda: library("umount2", text(hidden), 2),
            lambda: mounts(facts["work"], cover, "", 0x1000),
            lambda: mounts(hidden, cover, "", 0x2000),
        )
        try:
            return reads(hidden + "/grants", facts["secret"])
        except (OSError, Refused):
            return reads(cover + "/.guard/grants", facts["secret"])

    return apart(uncovers)


@probe
def nested_unlock(facts):
    hooks = facts["work"] + "/.git/hooks"

    def unlocks():
        each(
            nest,
            lambda: mounts("none", hooks, "", 0x20 | 0x1000),
            lambda: library("umount2", text(hooks), 2),
            lambda: mounts(hooks, facts["work"] + "/cover", "", 0x1000),
        )
        return marks(hooks + "/pre-commit", facts)

    return apart(unlocks)


@probe
def nested_by_clone3(facts):
    """The flags lie in memory, where no filter looks."""

    def clones():
        arguments = (ctypes.c_uint64 * 11)(NEW_USERS, 0, 0, 0, 17)
        child = knock(lambda: call("clone3", arguments, ctypes.sizeof(arguments)))
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
        return "made a namespace"

    return apart(clones)


@probe
def own_network(facts):
    return apart(lambda: call("unshare", NEW_NETWORK))


@probe
def enter_namespace(facts):
    own = os.open("/proc/self/ns/uts", os.O_RDONLY)
    return apart(lambda: call("setns", own, 0))


# ------------------------------------------------------------------------------------------------ parts of the kernel


@probe
def io_uring(facts):
    parameters = ctypes.create_string_buffer(120)
    os.close(knock(lambda: call("io_uring_setup", 1, parameters)))
    return "made a ring"


@probe
def userfaultfd(facts):
    os.close(knock(lambda: call("userfaultfd", 1)))
    return "stops the kernel midway"


@probe
def keyrings(facts):
    """The keyring of the user, which all of the login shares."""
    return f"keyring {knock(lambda: call('keyctl', 0, -4, 1))}"


@probe
def add_key(facts):
    key = knock(lambda: call("add_key", text("user"), text("herm-probe"), text("x"), 1, -2))
    return f"added key {key}"


@probe
def bpf(facts):
    attributes = struct.pack("IIII", 2, 4, 4, 1) + bytes(100)
    buffer = ctypes.create_string_buffer(attributes, len(attributes))
    os.close(knock(lambda: call("bpf", 0, buffer, len(attributes))))
    return "made a map"


@probe
def perf_events(facts):
    """Counts its own steps; counting is how secrets of others are guessed."""
    attributes = struct.pack("IIQQQQQ", 1, 112, 1, 0, 0, 0, 0x60) + bytes(64)
    buffer = ctypes.create_string_buffer(attributes, len(attributes))
    os.close(knock(lambda: call("perf_event_open", buffer, 0, -1, -1, 0)))
    return "counts"


@probe
def personality(facts):
    """Everything that is read can be executed."""
    return apart(lambda: call("personality", 0x0400000))


@probe
def kexec(facts):
    return knock(lambda: call("kexec_load", 0, 99, None, 0xFFFF), errno.EINVAL)


@probe
def load_module(facts):
    return knock(lambda: call("finit_module", -1, text(""), 0), errno.EBADF, errno.EINVAL)


@probe
def remove_module(facts):
    return knock(lambda: call("delete_module", text("herm-none"), 0), errno.ENOENT)


@probe
def swap(facts):
    return knock(lambda: call("swapon", text("/herm-none"), 0), errno.ENOENT)


@probe
def reboot(facts):
    """With the wrong magic numbers."""
    return knock(lambda: call("reboot", 1, 2, 3, None), errno.EINVAL)


@probe
def set_clock(facts):
    """To no time at all."""
    return f"set the clock: {knock(lambda: call('settimeofday', None, None))}"


@probe
def tune_clock(facts):
    """To a tick that no clock has."""
    wanted = ctypes.create_string_buffer(struct.pack("I", 0x4000) + bytes(300), 304)
    return knock(lambda: call("adjtimex", wanted), errno.EINVAL)


@probe
def set_host_name(facts):
    """To what it is."""
    own = os.uname().nodename.encode()
    return f"renamed: {library('sethostname', ctypes.c_char_p(own), ctypes.c_size_t(len(own)))}"


@probe
def accounting(facts):
    """Writes down every process of the machine; to a file that is not there."""
    return knock(lambda: call("acct", text("/herm-none")), errno.ENOENT)


@probe
def kernel_log(facts):
    buffer = ctypes.create_string_buffer(64)
    return f"read {knock(lambda: call('syslog', 3, buffer, 64))} bytes"


@probe
def hardware_ports(facts):
    return f"{apart(lambda: knock(lambda: call('ioperm', 0x80, 1, 1)))}: speaks to the hardware"


@probe
def watch_all_files(facts):
    os.close(knock(lambda: call("fanotify_init", 0, 0)))
    return "watches whole mounts"


@probe
def real_time(facts):
    """Before everybody else on this processor, for an instant."""
    return apart(lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)))


# --------------------------------------------------------------------------------------------------- foreign numbers


@probe
def calls_of_32_bits(facts):
    """`int 0x80` has other numbers for the same calls: a filter that forgets it filters nothing."""
    if platform.machine() != "x86_64":
        raise Lacking("only on x86_64")
    return apart(lambda: expect(interrupt(20) == os.getpid(), "asked as a program of 32 bits"))


def interrupt(wanted):
    code = b"\xb8" + struct.pack("I", wanted) + b"\x53\xcd\x80\x5b\xc3"
    page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    return ctypes.CFUNCTYPE(ctypes.c_int)(address)()


@probe
def calls_of_x32(facts):
    """The same numbers with a bit on top."""
    if platform.machine() != "x86_64":
        raise Lacking("only on x86_64")
    asked = number("getpid") | 0x40000000
    return apart(lambda: expect(knock(lambda: raw(asked, "getpid")) == os.getpid(), "asked as x32"))


@probe
def rights_for_later(facts):
    """Rights that a program which is started later could bring back."""
    with open("/proc/self/status") as status:
        bounding = next(line.split()[1] for line in status if line.startswith("CapBnd"))
    return expect(int(bounding, 16) != 0, f"bounding set {bounding}")


@probe
def rights(facts):
    with open("/proc/self/status") as status:
        effective = next(line.split()[1] for line in status if line.startswith("CapEff"))
    return expect(int(effective, 16) != 0, f"effective rights {effective}")
