"""What all probes share: how they are listed, how they are refused, and system calls without a wrapper."""

import ctypes
import errno
import os
import platform
import signal

PROBES = {}


class Refused(Exception):
    """The sandbox held, without an error of the kernel's."""


class Lacking(Exception):
    """This kernel or machine does not have what is tried."""


def probe(function):
    """Lists a probe under its name, with hyphens."""
    PROBES[function.__name__.replace("_", "-")] = function
    return function


def expect(held, said):
    """Refuses unless something is so."""
    if not held:
        raise Refused(said)
    return said


NUMBERS = {
    # name: (x86_64, aarch64)
    "acct": (163, 89),
    "add_key": (248, 217),
    "adjtimex": (159, 171),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "clone3": (435, 435),
    "delete_module": (176, 106),
    "fanotify_init": (300, 262),
    "finit_module": (313, 273),
    "fsopen": (430, 430),
    "getpid": (39, 172),
    "io_uring_setup": (425, 425),
    "ioperm": (173, None),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "mount_setattr": (442, 442),
    "mq_open": (240, 180),
    "mq_timedreceive": (243, 183),
    "msgget": (68, 186),
    "msgrcv": (70, 188),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pidfd_open": (434, 434),
    "pivot_root": (155, 41),
    "process_vm_readv": (310, 270),
    "ptrace": (101, 117),
    "reboot": (169, 142),
    "setns": (308, 268),
    "settimeofday": (164, 170),
    "shmat": (30, 196),
    "shmget": (29, 194),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def number(name):
    """The number of a system call on this machine."""
    here = {"x86_64": 0, "aarch64": 1}.get(platform.machine())
    found = None if here is None else NUMBERS[name][here]
    if found is None:
        raise Lacking(f"no {name} on {platform.machine()}")
    return found


def call(name, *arguments):
    """Makes a system call."""
    return raw(number(name), name, *arguments)


def raw(number, name, *arguments):
    """Makes a system call by its number."""
    passed = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    ctypes.set_errno(0)
    found = _libc.syscall(ctypes.c_long(number), *passed)
    return checked(found, name)


def library(name, *arguments):
    """Calls a function of the C library."""
    function = getattr(_libc, name)
    ctypes.set_errno(0)
    return checked(function(*arguments), name)


def checked(found, name):
    if found == -1:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {errno.errorcode.get(code, code)}")
    return found


def knock(attempt, *beyond):
    """Makes a call with arguments that cannot work: an error that only comes after the permission was checked is a way in.

    A kernel without the call says that it is not there, and so does a filter; the run without a sandbox tells them apart.
    """
    try:
        return attempt()
    except OSError as error:
        if error.errno in beyond:
            return f"let in: {errno.errorcode[error.errno]}"
        if error.errno == errno.ENOSYS:
            raise Lacking(str(error)) from error
        raise


def apart(attempt):
    """Does something in a child of its own, which may be killed for it or be left changed by it."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.write(writing, str(attempt()).encode()[:400])
            code = 0
        except Lacking as error:
            os.write(writing, str(error).encode()[:400])
            code = 2
        except (OSError, Refused) as error:
            os.write(writing, str(error).encode()[:400])
        except BaseException as error:  # noqa: B902
            os.write(writing, repr(error).encode()[:400])
            code = 3
        os._exit(code)
    os.close(writing)
    _, status = os.waitpid(child, 0)
    said = os.read(reading, 400).decode(errors="replace")
    os.close(reading)
    if os.WIFSIGNALED(status):
        raise Refused(f"killed by {signal.Signals(os.WTERMSIG(status)).name}")
    ends = {0: None, 1: Refused, 2: Lacking}
    if os.WEXITSTATUS(status) not in ends:
        raise RuntimeError(said)
    if ends[os.WEXITSTATUS(status)]:
        raise ends[os.WEXITSTATUS(status)](said)
    return said


def unprivileged(attempt):
    """Does something as somebody who is not root, so that what is gained by it can be seen."""

    def dropped():
        if os.geteuid() == 0:
            os.setgroups([])
            os.setresgid(65534, 65534, 65534)
            os.setresuid(65534, 65534, 65534)
        return attempt()

    return apart(dropped)


def reads(path, secret, size=65536):
    """Reads a file that has something in it that must not be known."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        found = os.read(descriptor, size)
    finally:
        os.close(descriptor)
    return expect(secret.encode() in found, f"read {len(found)} bytes of {path}")


def marks(path, facts):
    """Writes where nothing may be written. Whether it was really there is seen from outside."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        os.write(descriptor, facts["mark"].encode())
    finally:
        os.close(descriptor)
    return f"wrote {path}"


def fits(directory):
    """Whether a file could be made in a directory, without making one."""
    os.close(os.open(directory, os.O_TMPFILE | os.O_RDWR, 0o600))
    return f"wrote below {directory}"
