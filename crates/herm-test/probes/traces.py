"""What gives the machine away."""

import time

from trying import expect, probe
import os


@probe
def host_name(facts):
    return expect(os.uname().nodename == facts["host"], f"is on {os.uname().nodename}")


@probe
def host_name_file(facts):
    with open("/proc/sys/kernel/hostname") as name:
        return expect(name.read().strip() == facts["host"], "reads its name")


@probe
def uptime(facts):
    running = time.clock_gettime(time.CLOCK_BOOTTIME)
    return expect(running > facts["boottime"] - 1, f"the machine has been running for {running:.0f} seconds")


@probe
def uptime_file(facts):
    with open("/proc/uptime") as file:
        running = float(file.read().split()[0])
    return expect(running > facts["boottime"] - 1, f"the machine has been running for {running:.0f} seconds")


@probe
def boot_time(facts):
    with open("/proc/stat") as file:
        booted = next(int(line.split()[1]) for line in file if line.startswith("btime"))
    return expect(abs(booted - facts["btime"]) < 5, f"the machine began at {booted}")


@probe
def group_position(facts):
    """Where it stands among the control groups of the machine."""
    with open("/proc/self/cgroup") as file:
        found = [line.split(":", 2)[2] for line in file.read().splitlines()]
    return expect(any(place != "/" for place in found), f"is in {found}")
