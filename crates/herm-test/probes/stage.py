"""Prepares what probes look for: `stage.py DIRECTORY UID SECRET`. Says where it is.

What only root can prepare, or only where nobody else sees the mounts and the network, is left out elsewhere.
"""

import compileall
import json
import os
import shutil
import stat
import struct
import sys

STRANGER = 61_234


def main():
    place, uid, secret = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    home = place + "/home"
    work = home + "/projects/work"
    other = home + "/projects/other"
    lent = place + "/lent"
    shared = place + "/shared"
    for path, text in (
        (home + "/.bashrc", ""),
        (home + "/.ssh/id_ed25519", secret),
        (home + "/.herm/grants", secret),
        (home + "/.aws/credentials", secret),
        (home + "/.cargo/bin/tool", "#!/bin/sh\n"),
        (home + "/.config/settings/token", secret),
        (home + "/.cargo/credentials.toml", secret),
        (other + "/notes", secret),
        (work + "/.git/HEAD", "ref: refs/heads/main\n"),
        (work + "/.git/config", ""),
        (work + "/.git/hooks/pre-commit", ""),
        (work + "/.guard/grants", secret),
        (shared + "/read/notes", "to read\n"),
        (lent + "/notes", "to read\n"),
        (place + "/temporary/secret", secret),
    ):
        put(path, text)
    os.makedirs(work + "/cover")
    deep = "/a/b/c/d/e/f/g"
    os.makedirs(work + deep)
    # What an earlier run has left behind.
    os.makedirs(work + "/tools")
    os.symlink(home + "/.aws/credentials", work + "/tools/helper")
    os.symlink(home + "/.config/settings", work + "/.vscode")
    for path in (shared + "/pipe", shared + "/read/pipe"):
        os.mkfifo(path)
        os.chmod(path, 0o666)
    for path in (home + "/.ssh", home + "/.herm", work + "/.guard"):
        os.chmod(path, 0o700)
    os.chmod(home + "/.ssh/id_ed25519", 0o600)
    compileall.compile_dir(work + "/probes", quiet=1)
    put(work + "/of-its-owner", "#!/bin/sh\n")
    own(place, uid)
    # Whoever gives a file away takes this from it.
    os.chmod(work + "/of-its-owner", 0o4755)
    rooted = os.geteuid() == 0
    if rooted:
        privileged(work, shared, secret)
    alone = rooted and os.environ.get("HERM_PROBE_NAMESPACES") == "own"
    facts = {"home": home, "work": work, "other": other, "lent": lent, "deep": deep, "alone": alone, "owner": uid}
    facts["temporary"] = place + "/temporary/secret"
    facts["shared"] = elsewhere(shared) if alone else shared
    if alone:
        metadata()
    print(json.dumps(facts))


def put(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def own(place, uid):
    for directory, _, files in os.walk(place):
        for path in [directory] + [directory + "/" + name for name in files]:
            os.lchown(path, uid, uid)


def privileged(work, shared, secret):
    """What only root can prepare."""
    for path in (shared + "/read/device", work + "/device-of-root"):
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        os.chmod(path, 0o666)
    put(work + "/of-another-user", secret)
    os.chmod(work + "/of-another-user", 0o600)
    os.chown(work + "/of-another-user", STRANGER, STRANGER)
    shutil.copy("/usr/bin/id", work + "/setuid")
    os.chmod(work + "/setuid", 0o4755)
    shutil.copy("/usr/bin/grep", work + "/capable")
    # Version 2, effective: the right to speak to the network in a raw way.
    os.setxattr(work + "/capable", "security.capability", struct.pack("<5I", 0x02000001, 1 << 13, 0, 0, 0))


def elsewhere(shared):
    """Shows a directory in a place that is not private in a sandbox. The mounts are nobody else's."""
    import trying

    place = next(path for path in ("/srv", "/mnt", "/media") if os.path.isdir(path))
    names = [trying.ctypes.c_char_p(path.encode()) for path in (shared, place)]
    trying.library("mount", *names, None, trying.ctypes.c_ulong(0x1000), None)
    return place


def metadata():
    """Gives the loopback of this network namespace, which is nobody else's, the address of clouds."""
    import fcntl
    import socket

    line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    fcntl.ioctl(line, 0x8914, struct.pack("16sH22x", b"lo", 0x49))
    for number, address in enumerate(("169.254.169.254", "10.53.53.53")):
        name = f"lo:{number}".encode()
        fcntl.ioctl(line, 0x8916, struct.pack("16sHH4s8x", name, socket.AF_INET, 0, socket.inet_aton(address)))
        fcntl.ioctl(line, 0x8914, struct.pack("16sH22x", name, 0x49))
    # Ports below 1024 are for anybody here.
    with open("/proc/sys/net/ipv4/ip_unprivileged_port_start", "w") as lowest:
        lowest.write("0")


if __name__ == "__main__":
    main()
