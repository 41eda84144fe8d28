"""Shared memory and queues that have no path."""

import ctypes
import os

from trying import _libc, call, checked, expect, probe, reads


@probe
def shared_memory(facts):
    """System V shared memory of somebody else's, by its key."""
    found = call("shmget", facts["shm_key"], 0, 0)
    _libc.shmat.restype = ctypes.c_void_p
    address = _libc.shmat(ctypes.c_int(found), None, 0o10000)
    checked(-1 if address == ctypes.c_void_p(-1).value else 0, "shmat")
    return expect(facts["secret"].encode() in ctypes.string_at(address, 64), "read it")


@probe
def message_queue(facts):
    """A System V queue of somebody else's, by its key."""
    found = call("msgget", facts["msg_key"], 0)
    buffer = ctypes.create_string_buffer(256)
    # Looked at without taking it, the first one.
    call("msgrcv", found, buffer, 200, 0, 0o40000 | 0o4000)
    return expect(facts["secret"].encode() in buffer.raw, "read it")


@probe
def named_queue(facts):
    """A POSIX queue of somebody else's, by its name."""
    os.close(call("mq_open", ctypes.c_char_p(facts["queue"].encode()), os.O_RDWR, 0, None))
    return "opened it"


@probe
def named_memory(facts):
    return reads("/dev/shm/" + facts["queue"], facts["secret"])
