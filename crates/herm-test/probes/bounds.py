"""Using more of the machine than is due. Every one of them stops by itself."""

import os
import resource
import select
import shutil
import signal
import tempfile
import time

from trying import Refused, apart, expect, probe

MIB = 1 << 20


@probe
def fork_bomb(facts):
    children = []
    try:
        for _ in range(facts["forks"]):
            child = os.fork()
            if child == 0:
                time.sleep(20)
                os._exit(0)
            children.append(child)
        return f"had {len(children)} children"
    except OSError as error:
        raise Refused(f"{len(children)} children: {error}") from error
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
        for child in children:
            os.waitpid(child, 0)


def takes(size):
    held = [b"x" * MIB for _ in range(size // MIB)]
    return f"holds {len(held)} MiB"


@probe
def memory_bomb(facts):
    def one():
        try:
            return takes(facts["memory"])
        except MemoryError as error:
            raise Refused("no memory") from error

    return apart(one)


@probe
def memory_bombs(facts):
    """Each of them has less than one process may have."""
    ready, go = os.pipe(), os.pipe()
    children = []
    for _ in range(8):
        child = os.fork()
        if child == 0:
            held = takes(facts["memory"] // 8)
            os.write(ready[1], b"x")
            os.read(go[0], 1)
            os._exit(0 if held else 1)
        children.append(child)
    os.close(ready[1])
    together, said = 0, True
    while said and together < len(children):
        said = os.read(ready[0], 1) if select.select([ready[0]], [], [], 3 * facts["slowness"])[0] else b""
        together += len(said)
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return expect(together == len(children), f"{together} of {len(children)} held it at once")


def fill(directory, size, pieces):
    """Writes several files, none of them larger than one may be."""
    place = tempfile.mkdtemp(prefix="herm-probe-", dir=directory)
    try:
        for piece in range(pieces):
            with open(f"{place}/{piece}", "wb", buffering=0) as file:
                for _ in range(size // pieces // MIB):
                    file.write(b"x" * MIB)
        return f"wrote {size // MIB} MiB to {directory}"
    finally:
        shutil.rmtree(place)


@probe
def disk_bomb(facts):
    """More than private places hold."""
    return fill("/tmp", facts["space"], 16)


@probe
def shared_memory_bomb(facts):
    return fill("/dev/shm", facts["space"], 16)


@probe
def huge_file(facts):
    return fill(facts["work"], facts["file"], 1)


@probe
def many_open_files(facts):
    held = []
    try:
        for _ in range(facts["open"]):
            held.append(os.open("/dev/null", os.O_RDONLY))
        return f"has {len(held)} files open"
    finally:
        for descriptor in held:
            os.close(descriptor)


@probe
def raise_limit(facts):
    def lifts():
        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        wanted = resource.RLIM_INFINITY if most != resource.RLIM_INFINITY else most
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (wanted, wanted))
        except ValueError as error:
            raise Refused(error) from error
        return "no limit"

    return apart(lifts)
