"""Files that must not be read, and places that must not be written."""

import ctypes
import hashlib
import mmap
import os
import pathlib
import struct
import threading
import time

from trying import Refused, apart, call, expect, fits, marks, probe, reads

# ---------------------------------------------------------------------------------------------------------- reading


@probe
def shadow(facts):
    return reads("/etc/shadow", "root:")


@probe
def ssh_key(facts):
    return reads(facts["home"] + "/.ssh/id_ed25519", facts["secret"])


@probe
def home_listing(facts):
    return expect(".ssh" in os.listdir(facts["home"]), "listed the home directory")


@probe
def guard_home(facts):
    return reads(facts["home"] + "/.herm/grants", facts["secret"])


@probe
def guard_in_workspace(facts):
    return reads(facts["work"] + "/.guard/grants", facts["secret"])


@probe
def tool_credentials(facts):
    return reads(facts["home"] + "/.cargo/credentials.toml", facts["secret"])


@probe
def other_project(facts):
    return reads(facts["other"] + "/notes", facts["secret"])


@probe
def other_user(facts):
    return reads(facts["work"] + "/of-another-user", facts["secret"])


@probe
def root_home(facts):
    return expect(os.listdir("/root") is not None, "listed /root")


@probe
def host_temporary(facts):
    return reads(facts["temporary"], facts["secret"])


@probe
def link_left_behind(facts):
    """An earlier run has left a link in the workspace in place of something that the sandbox shows by itself."""
    return reads(facts["home"] + "/.config/settings/token", facts["secret"])


@probe
def program_left_behind(facts):
    """An earlier run has left a link among programs of the workspace: what programs need is shown."""
    return reads(facts["home"] + "/.aws/credentials", facts["secret"])


# ---------------------------------------------------------------------------------------------------------- writing


@probe
def write_root(facts):
    return fits("/")


@probe
def write_usr(facts):
    return fits("/usr")


@probe
def write_etc(facts):
    return fits("/etc")


@probe
def write_var(facts):
    return fits("/var/lib")


@probe
def write_home(facts):
    return marks(facts["home"] + "/.bashrc", facts)


@probe
def write_parent(facts):
    return marks(os.path.dirname(facts["work"]) + "/planted", facts)


@probe
def write_other_project(facts):
    return marks(facts["other"] + "/notes", facts)


@probe
def write_readable(facts):
    return marks(facts["lent"] + "/notes", facts)


@probe
def write_tools(facts):
    return marks(facts["home"] + "/.cargo/bin/tool", facts)


@probe
def change_mode(facts):
    path = facts["other"] + "/notes"
    before = os.stat(path).st_mode & 0o777
    os.chmod(path, before)
    return f"changed the mode of {path}"


# ------------------------------------------------------------------------------------------------------------ links


def fresh(facts, name):
    path = pathlib.Path(facts["work"], name)
    path.unlink(missing_ok=True)
    return path


@probe
def symlink_read(facts):
    link = fresh(facts, "link-read")
    link.symlink_to(facts["other"] + "/notes")
    return reads(link, facts["secret"])


@probe
def symlink_write(facts):
    link = fresh(facts, "link-write")
    link.symlink_to(facts["other"] + "/planted-by-link")
    return marks(link, facts)


@probe
def symlink_race(facts):
    """A name that is a directory when it is looked at, and a link out when it is opened."""
    name = fresh(facts, "racing")
    (inside := pathlib.Path(facts["work"], "inside")).mkdir(exist_ok=True)
    (inside / "notes").write_text("nothing")
    over = time.monotonic() + 0.5

    def swap():
        while time.monotonic() < over:
            for to in (inside, facts["other"]):
                other = fresh(facts, "racing-next")
                other.symlink_to(to)
                other.rename(name)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        while time.monotonic() < over:
            try:
                if facts["secret"] in (name / "notes").read_text():
                    return "won the race"
            except OSError:
                pass
    finally:
        over = 0
        thread.join()
    raise Refused("lost every race")


@probe
def hard_link_read(facts):
    link = fresh(facts, "hard-read")
    os.link(facts["other"] + "/notes", link)
    return reads(link, facts["secret"])


@probe
def hard_link_write(facts):
    """A read-only file, by a second name in a place that is not."""
    link = fresh(facts, "hard-write")
    os.link(facts["lent"] + "/notes", link)
    return marks(link, facts)


@probe
def rename_in(facts):
    """Takes a file of somebody else's by renaming it, and puts it back."""
    theirs, ours = facts["other"] + "/notes", fresh(facts, "renamed")
    os.rename(theirs, ours)
    try:
        return reads(ours, facts["secret"])
    finally:
        os.rename(ours, theirs)


@probe
def dot_dot(facts):
    """Upwards from a directory that is open, as far as it goes."""
    top = os.open(facts["work"], os.O_DIRECTORY)
    for _ in range(64):
        top, last = os.open("..", os.O_DIRECTORY, dir_fd=top), top
        os.close(last)
    found = os.open(facts["other"].lstrip("/") + "/notes", os.O_RDONLY, dir_fd=top)
    return expect(facts["secret"] in os.read(found, 4096).decode(), "climbed out")


@probe
def chroot_and_back(facts):
    """The classic: a second root below leaves the first one open above."""

    def escape():
        above = os.open(".", os.O_DIRECTORY)
        pathlib.Path("cage").mkdir(exist_ok=True)
        os.chroot("cage")
        os.fchdir(above)
        for _ in range(64):
            os.chdir("..")
        return reads(facts["other"].lstrip("/") + "/notes", facts["secret"])

    return apart(escape)


@probe
def file_handle(facts):
    """A file by its number, from anywhere on the same file system."""
    given = bytes.fromhex(facts["handle"])
    handle = ctypes.create_string_buffer(given, len(given))
    mount = os.open(facts["work"], os.O_RDONLY | os.O_DIRECTORY)
    found = call("open_by_handle_at", mount, handle, os.O_RDONLY)
    return expect(facts["secret"] in os.read(found, 4096).decode(), "opened by its handle")


@probe
def git_hook(facts):
    """What the person's next commit runs."""
    return marks(facts["work"] + "/.git/hooks/pre-commit", facts)


@probe
def git_hook_elsewhere(facts):
    """Where the hooks cannot be changed, the repository around them might be moved away."""
    repository, aside = facts["work"] + "/.git", facts["work"] + "/.git-aside"
    os.rename(repository, aside)
    os.makedirs(repository + "/hooks")
    return marks(repository + "/hooks/pre-commit", facts)


@probe
def git_config(facts):
    return marks(facts["work"] + "/.git/config", facts)


@probe
def git_other_history(facts):
    """A repository may say that its settings and hooks are somewhere else: here in the workspace."""
    return marks(facts["work"] + "/.git/commondir", facts)


@probe
def git_other_history_meanwhile(facts):
    """The same while the person, or an editor, looks at the repository every now and then."""
    name, over = facts["work"] + "/.git/commondir", time.monotonic() + 0.5
    with open(name, "w") as file:
        file.write("../elsewhere\n")
    while time.monotonic() < over:
        if not os.path.exists(name):
            raise Refused("it did not stay")
        time.sleep(0.001)
    os.unlink(name)
    return "pointed git elsewhere for long enough"


@probe
def git_history_behind_a_door(facts):
    """The same, in a directory that nobody may enter until the person opens it again."""
    above = facts["work"] + "/.git"
    marks(above + "/commondir", facts)
    os.chmod(above, 0)
    return "left it behind a closed door"


@probe
def agent_settings(facts):
    """What agents and editors run when they are started in the workspace."""
    os.mkdir(facts["work"] + "/.claude")
    return marks(facts["work"] + "/.claude/settings.json", facts)


@probe
def agent_settings_elsewhere(facts):
    """The same by a link to what may be made."""
    os.mkdir(facts["work"] + "/settings")
    marks(facts["work"] + "/settings/settings.json", facts)
    os.symlink("settings", facts["work"] + "/.claude")
    return "linked to settings"


@probe
def agent_settings_behind_a_door(facts):
    """Settings that an agent reads in a directory below, which nobody may enter until somebody opens it again."""
    above = facts["work"] + "/.github"
    os.makedirs(above + "/hooks")
    said = marks(above + "/hooks/pre.json", facts)
    os.chmod(above, 0)
    return said


@probe
def git_below(facts):
    """Git looks into repositories below that the index knows, with what their settings say."""
    os.makedirs(facts["work"] + "/below/.git")
    said = marks(facts["work"] + "/below/.git/config", facts)
    name = b"below"
    entry = struct.pack(">10I", 0, 0, 0, 0, 0, 0, 0o160000, 0, 0, 0)
    entry += b"\1" * 20 + struct.pack(">H", len(name)) + name
    entry += b"\0" * (8 - len(entry) % 8)
    index = b"DIRC" + struct.pack(">II", 2, 1) + entry
    with open(facts["work"] + "/.git/index", "wb") as file:
        file.write(index + hashlib.sha1(index).digest())
    return said


@probe
def git_below_unnamed(facts):
    """Where no index knows it, git looks into it for whoever goes there."""
    os.makedirs(facts["work"] + "/beneath/.git")
    return marks(facts["work"] + "/beneath/.git/config", facts)


@probe
def setuid_planted(facts):
    """Leaves a program in the workspace that runs as whoever owns the workspace, whoever starts it."""
    path = fresh(facts, "planted-setuid")
    path.write_text("#!/bin/sh\n")
    os.chmod(path, 0o4755)
    return expect(os.stat(path).st_mode & 0o4000, "planted a setuid program")


@probe
def setuid_rewritten(facts):
    """Gives a program that is setuid already other contents, in a way that leaves it so."""
    path = facts["work"] + "/of-its-owner"
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0, mmap.MAP_SHARED) as memory:
        memory[:2] = b"::"
    return expect(os.stat(path).st_mode & 0o4000, "changed a setuid program")


@probe
def setgid_planted(facts):
    """Leaves one that has root's group, whoever starts it."""
    path = fresh(facts, "planted-setgid")
    path.write_text("#!/bin/sh\n")
    os.chmod(path, 0o2755)
    return expect(os.stat(path).st_mode & 0o2000 and facts["owner"] == 0, "planted a program with root's group")


@probe
def setuid_created(facts):
    """The same with the bit from the very beginning."""
    path = fresh(facts, "created-setuid")
    os.umask(0)
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o4755))
    return expect(os.stat(path).st_mode & 0o4000, "planted a setuid program")
