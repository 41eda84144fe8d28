"""Reaching somebody."""

import array
import socket
import struct

from trying import Lacking, expect, probe

PATIENCE = 0.5


def converse(family, kind, address, secret):
    """Asks, and is told something."""
    with socket.socket(family, kind) as line:
        line.settimeout(PATIENCE)
        line.connect(address)
        line.send(b"?")
        return expect(secret.encode() in line.recv(256), f"spoke to {address}")


@probe
def host_loopback(facts):
    return converse(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", facts["tcp"]), facts["secret"])


@probe
def host_loopback_ipv6(facts):
    return converse(socket.AF_INET6, socket.SOCK_STREAM, ("::1", facts["tcp6"]), facts["secret"])


@probe
def mapped_address(facts):
    """IPv4 dressed as IPv6."""
    return converse(socket.AF_INET6, socket.SOCK_STREAM, ("::ffff:127.0.0.1", facts["tcp"]), facts["secret"])


@probe
def udp(facts):
    return converse(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", facts["udp"]), facts["secret"])


@probe
def udp_ipv6(facts):
    return converse(socket.AF_INET6, socket.SOCK_DGRAM, ("::1", facts["udp6"]), facts["secret"])


@probe
def metadata_address(facts):
    """Where machines in a cloud are told their credentials."""
    if not facts["alone"]:
        raise Lacking("nobody could be put at 169.254.169.254")
    return converse(socket.AF_INET, socket.SOCK_STREAM, ("169.254.169.254", 80), facts["secret"])


@probe
def domain_names(facts):
    """A question to a name server can carry anything away."""
    question = b"\x13\x37\x01\x00\x00\x01" + bytes(6) + b"\x06secret\x07example\x00\x00\x01\x00\x01"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.settimeout(PATIENCE)
        line.sendto(question, (facts["resolver"], 53) if facts["alone"] else ("127.0.0.1", facts["dns"]))
        return expect(line.recv(512)[:2] == b"\x13\x37", "was answered")


@probe
def abstract_socket(facts):
    return converse(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + facts["abstract"], facts["secret"])


@probe
def socket_file(facts):
    """A container engine's, an agent's: whoever speaks to it is as good as its owner."""
    return converse(socket.AF_UNIX, socket.SOCK_STREAM, facts["socket"], facts["secret"])


@probe
def socket_in_read_only(facts):
    return converse(socket.AF_UNIX, socket.SOCK_STREAM, facts["shared"] + "/read/socket", facts["secret"])


@probe
def socket_in_workspace(facts):
    """A terminal multiplexer's: it runs what it is told."""
    return converse(socket.AF_UNIX, socket.SOCK_STREAM, facts["within"], facts["secret"])


@probe
def deep_socket(facts):
    return converse(socket.AF_UNIX, socket.SOCK_STREAM, facts["listed"], facts["secret"])


@probe
def unlisted_socket(facts):
    """Deep down, and bound by a name that does not say where."""
    return converse(socket.AF_UNIX, socket.SOCK_STREAM, facts["sunken"], facts["secret"])


@probe
def passed_descriptor(facts):
    """An open file that somebody outside hands over."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(PATIENCE)
        line.connect("\0" + facts["abstract"])
        line.send(b"f")
        _, ancillary, _, _ = line.recvmsg(256, socket.CMSG_SPACE(4))
    taken = array.array("i", ancillary[0][2])
    with open(taken[0]) as file:
        return expect(facts["secret"] in file.read(), "was handed an open file")


@probe
def raw_socket(facts):
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close()
    return "forges packets"


@probe
def raw_socket_ipv6(facts):
    socket.socket(socket.AF_INET6, socket.SOCK_RAW, 58).close()
    return "forges packets"


@probe
def packet_socket(facts):
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)).close()
    return "listens to the wire"


@probe
def machine_socket(facts):
    """Speaks to what this machine is a guest of."""
    socket.socket(40, socket.SOCK_STREAM).close()
    return "speaks to the host of this machine"


@probe
def device_events(facts):
    """Which devices come and go, as the kernel tells it."""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 15) as line:
        line.bind((0, 1))
    return "hears of devices"


@probe
def firewall_netlink(facts):
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 12).close()
    return "speaks to the firewall"


@probe
def change_interface(facts):
    """A second address for the loopback, which is there already."""
    import fcntl

    line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    address = struct.pack("16sHH4s8x", b"lo", socket.AF_INET, 0, socket.inet_aton("127.0.0.1"))
    fcntl.ioctl(line, 0x8916, address)
    return "changed an address"


@probe
def sockets_listed(facts):
    """Who listens where on the machine."""
    with open("/proc/net/tcp") as table:
        listening = [line.split()[1].split(":")[1] for line in table.readlines()[1:]]
    return expect(f"{facts['tcp']:04X}" in listening, "sees who listens")


@probe
def socket_names_listed(facts):
    with open("/proc/net/unix") as table:
        return expect(facts["abstract"] in table.read(), "sees names of sockets")
