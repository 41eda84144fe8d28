"""Somebody of the same user on the machine, with secrets: `neighbour.py FACTS TOKEN`.

Says what it has on one line, and serves until its standard input ends.
"""

import array
import ctypes
import json
import os
import selectors
import signal
import socket
import sys
import threading

import trying


def main():
    facts = json.loads(sys.argv[1])
    secret = os.environ["SECRET"]
    os.chdir(facts["other"])
    descriptor = os.open(facts["other"] + "/notes", os.O_RDONLY)
    memory = ctypes.create_string_buffer(secret.encode())
    found = {"descriptor": descriptor, "address": ctypes.addressof(memory)}
    found |= listeners(facts, secret, descriptor)
    found |= messages(facts, secret)
    for pipe in ("/pipe", "/read/pipe"):
        threading.Thread(target=swallow, args=(facts["shared"] + pipe,), daemon=True).start()
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    print(json.dumps(found), flush=True)
    sys.stdin.read()
    clean(found)


def listeners(facts, secret, descriptor):
    """Whoever speaks to any of them is told the secret."""
    places = {
        "tcp": (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
        "tcp6": (socket.AF_INET6, socket.SOCK_STREAM, ("::1", 0)),
        "udp": (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
        "udp6": (socket.AF_INET6, socket.SOCK_DGRAM, ("::1", 0)),
        "dns": (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
        "abstract": (socket.AF_UNIX, socket.SOCK_STREAM, "\0herm-" + sys.argv[2]),
        "socket": (socket.AF_UNIX, socket.SOCK_STREAM, facts["home"] + "/engine.sock"),
        "beside": (socket.AF_UNIX, socket.SOCK_STREAM, facts["shared"] + "/read/socket"),
        "within": (socket.AF_UNIX, socket.SOCK_STREAM, facts["work"] + "/socket"),
        "listed": (socket.AF_UNIX, socket.SOCK_STREAM, facts["work"] + facts["deep"] + "/listed"),
        "sunken": (socket.AF_UNIX, socket.SOCK_STREAM, "sunken"),
    }
    if facts["alone"]:
        places["cloud"] = (socket.AF_INET, socket.SOCK_STREAM, ("169.254.169.254", 80))
        places["resolver"] = (socket.AF_INET, socket.SOCK_DGRAM, ("10.53.53.53", 53))
    selector = selectors.DefaultSelector()
    found = {}
    for name, (family, kind, address) in places.items():
        line = socket.socket(family, kind)
        if name == "sunken":
            # The kernel lists it by a name that says nothing of where it is.
            os.chdir(facts["work"] + facts["deep"])
        line.bind(address)
        os.chdir(facts["other"])
        if kind == socket.SOCK_STREAM:
            line.listen()
        if family == socket.AF_UNIX:
            found[name] = address.lstrip("\0")
        else:
            found[name] = address[0] if name == "resolver" else line.getsockname()[1]
        selector.register(line, selectors.EVENT_READ, kind)
    found["sunken"] = facts["work"] + facts["deep"] + "/sunken"
    for name in ("socket", "beside", "within", "listed", "sunken"):
        os.chmod(found[name], 0o666)
    threading.Thread(target=serve, args=(selector, secret.encode(), descriptor), daemon=True).start()
    return found


def serve(selector, secret, descriptor):
    while True:
        for key, _ in selector.select():
            try:
                answer(key.fileobj, key.data, secret, descriptor)
            except OSError:
                pass


def answer(line, kind, secret, descriptor):
    if kind == socket.SOCK_DGRAM:
        asked, who = line.recvfrom(512)
        line.sendto(asked[:2] + secret if len(asked) > 4 else secret, who)
        return
    with line.accept()[0] as other:
        other.settimeout(1)
        if other.recv(1) == b"f":
            handed = os.open(f"/proc/self/fd/{descriptor}", os.O_RDONLY)
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [handed]))]
            other.sendmsg([b"f"], rights)
            os.close(handed)
        else:
            other.send(secret)


def messages(facts, secret):
    """Shared memory and queues, for everybody."""
    keys = {"shm_key": int.from_bytes(os.urandom(3), "big") + 1, "msg_key": int.from_bytes(os.urandom(3), "big") + 1}
    shared = trying.call("shmget", keys["shm_key"], 4096, 0o1666)
    trying._libc.shmat.restype = ctypes.c_void_p
    address = trying._libc.shmat(ctypes.c_int(shared), None, 0)
    ctypes.memmove(address, secret.encode(), len(secret))
    queue = trying.call("msgget", keys["msg_key"], 0o1666)
    message = (1).to_bytes(8, sys.byteorder) + secret.encode()
    trying.library("msgsnd", ctypes.c_int(queue), ctypes.c_char_p(message), ctypes.c_size_t(len(secret)), 0)
    name = "herm-" + sys.argv[2]
    os.umask(0)
    os.close(trying.call("mq_open", ctypes.c_char_p(name.encode()), os.O_RDWR | os.O_CREAT, 0o666, None))
    with open("/dev/shm/" + name, "w") as file:
        file.write(secret)
    return keys | {"queue": name, "shm": shared, "msg": queue, "handle": handle(facts["other"] + "/notes")}


def handle(path):
    """The number of a file, which names it wherever its file system is mounted."""
    buffer = ctypes.create_string_buffer((128).to_bytes(4, sys.byteorder), 136)
    mount = ctypes.c_int()
    trying.call("name_to_handle_at", -100, ctypes.c_char_p(path.encode()), buffer, ctypes.byref(mount), 0)
    return buffer.raw.hex()


def clean(found):
    trying.library("shmctl", ctypes.c_int(found["shm"]), 0, None)
    trying.library("msgctl", ctypes.c_int(found["msg"]), 0, None)
    trying.library("mq_unlink", ctypes.c_char_p(("/" + found["queue"]).encode()))
    os.unlink("/dev/shm/" + found["queue"])


def swallow(pipe):
    """Reads from the pipe, which is what those who write to it need."""
    descriptor = os.open(pipe, os.O_RDWR)
    while os.read(descriptor, 4096):
        pass


if __name__ == "__main__":
    main()
