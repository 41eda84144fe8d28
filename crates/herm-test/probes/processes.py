"""Other processes: seeing, reading, signalling and outliving them."""

import ctypes
import os
import signal
import subprocess
import time

from trying import Lacking, Refused, call, expect, probe, reads, unprivileged

ATTACH, DETACH = 16, 17


# -------------------------------------------------------------------------------------------------- seeing and reading


@probe
def list_processes(facts):
    """Command lines are there for everybody to read."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline") as line:
                if facts["token"] in line.read() and int(pid) != os.getpid():
                    return f"sees process {pid}"
        except OSError:
            continue
    raise Refused("sees nobody else")


@probe
def environment_of_another(facts):
    return reads(f"/proc/{facts['neighbour']}/environ", facts["secret"])


@probe
def memory_of_another(facts):
    memory = os.open(f"/proc/{facts['neighbour']}/mem", os.O_RDONLY)
    found = os.pread(memory, 64, facts["address"])
    return expect(facts["secret"].encode() in found, "read its memory")


@probe
def read_memory_call(facts):
    size = 64
    buffer = ctypes.create_string_buffer(size)
    ours = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), size)
    theirs = (ctypes.c_void_p * 2)(facts["address"], size)
    call("process_vm_readv", facts["neighbour"], ours, 1, theirs, 1, 0)
    return expect(facts["secret"].encode() in buffer.raw, "read its memory")


@probe
def files_of_another(facts):
    """A file that somebody else has open, by his descriptor."""
    return reads(f"/proc/{facts['neighbour']}/fd/{facts['descriptor']}", facts["secret"])


@probe
def directory_of_another(facts):
    return reads(f"/proc/{facts['neighbour']}/cwd/notes", facts["secret"])


@probe
def root_of_another(facts):
    return reads(f"/proc/{facts['neighbour']}/root{facts['other']}/notes", facts["secret"])


@probe
def root_of_first(facts):
    """The first process of the machine has the real root."""
    if facts["control"] and not os.access("/proc/1/root/", os.X_OK):
        raise Lacking("the machine keeps its first process from root")
    return reads(f"/proc/1/root{facts['other']}/notes", facts["secret"])


@probe
def environment_of_guardian(facts):
    """Whoever watches over the sandbox from within has a copy of herm's memory."""
    return reads(f"/proc/{facts['guardian']}/environ", facts["secret"])


@probe
def command_line_of_guardian(facts):
    """What a person has typed stands in the command line of whoever was started by it."""
    with open(f"/proc/{facts['guardian']}/cmdline", "rb") as file:
        said = file.read()
    return expect(said.split(b"\0", 1) != [b"herm", b""] and said != b"herm", f"it was started by {said!r}")


@probe
def memory_of_guardian(facts):
    with open(f"/proc/{facts['guardian']}/maps") as maps:
        start = int(maps.readline().split("-")[0], 16)
    memory = os.open(f"/proc/{facts['guardian']}/mem", os.O_RDWR)
    return expect(os.pread(memory, 4, start), "read its memory")


# --------------------------------------------------------------------------------------------- tracing and signalling


def traces(pid):
    call("ptrace", ATTACH, pid, None, None)
    os.waitpid(pid, 0x40000000)
    call("ptrace", DETACH, pid, None, None)
    return f"traced {pid}"


@probe
def trace_another(facts):
    return traces(facts["neighbour"])


@probe
def trace_guardian(facts):
    return traces(facts["guardian"])


@probe
def signal_another(facts):
    os.kill(facts["neighbour"], 0)
    return "may signal it"


@probe
def signal_herm(facts):
    os.kill(facts["herm"], 0)
    return "may signal herm"


@probe
def signal_everybody(facts):
    """All whom it may signal, but for itself: somebody of the host's is among them."""
    before = facts["guardian"]
    os.kill(before, 0)
    expect(before != 1, "the first process of a namespace")
    os.kill(before, signal.SIGUSR1)
    return "signalled somebody outside"


@probe
def kill_guardian(facts):
    """Without it nobody would notice who is left."""
    guardian = facts["guardian"]
    os.kill(guardian, signal.SIGKILL)
    for _ in range(50):
        with open(f"/proc/{guardian}/stat") as stat:
            if stat.read().rsplit(")", 1)[1].split()[0] == "Z":
                return "killed it"
        time.sleep(0.01)
    raise Refused("it lives")


@probe
def take_descriptor(facts):
    """A file that somebody else has open, by asking the kernel for it."""
    process = call("pidfd_open", facts["neighbour"], 0)
    taken = call("pidfd_getfd", process, facts["descriptor"], 0)
    return expect(facts["secret"] in os.pread(taken, 4096, 0).decode(), "took it")


# ------------------------------------------------------------------------------------------------- what is inherited


@probe
def open_descriptors(facts):
    """What herm had open when it started this."""
    for name in os.listdir("/proc/self/fd"):
        try:
            if int(name) > 2 and facts["secret"].encode() in os.pread(int(name), 4096, 0):
                return f"read descriptor {name}"
        except OSError:
            continue
    raise Refused("nothing is open")


@probe
def inherited_environment(facts):
    return expect(facts["secret"] in "\n".join(os.environ.values()), "a variable of herm's")


# -------------------------------------------------------------------------------------------------- gaining by a file


@probe
def setuid_program(facts):
    """Starts a program of root's that is meant to run as root."""

    def starts():
        found = subprocess.run([facts["work"] + "/setuid", "-u"], capture_output=True)
        return expect(found.stdout == b"0\n", f"it is {found.stdout}")

    return unprivileged(starts)


@probe
def file_capability(facts):
    """A program that was given a right by its file."""

    def starts():
        with open("/proc/self/status") as status:
            before = [line for line in status if line.startswith("CapEff")]
        found = subprocess.run([facts["work"] + "/capable", "CapEff", "/proc/self/status"], capture_output=True)
        said = found.stdout.decode()
        return expect(int(said.split()[1], 16) != 0, f"{before} became {said}")

    return unprivileged(starts)


# ---------------------------------------------------------------------------------------------------------- outliving


@probe
def outlive(facts):
    """Twice removed, in a session of its own, deaf to being asked: leaves a mark when everything should be over."""
    if os.fork():
        time.sleep(30)
        raise Refused("was not ended")
    os.setsid()
    if os.fork():
        os._exit(0)
    for number_ in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number_, signal.SIG_IGN)
    os.close(0), os.close(1), os.close(2)
    time.sleep(facts["time"] + 0.5)
    with open(facts["work"] + "/outlived", "w") as mark:
        mark.write(facts["mark"])
    os._exit(0)


@probe
def outlive_herm(facts):
    """Its parent ends; it stays, and leaves a mark."""
    if os.fork():
        return "left somebody behind"
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.close(0), os.close(1), os.close(2)
    time.sleep(1.2)
    with open(facts["work"] + "/stayed", "w") as mark:
        mark.write(facts["mark"])
    os._exit(0)
