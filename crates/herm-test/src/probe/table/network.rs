//! Reaching somebody.

use herm_sandbox::native::Layer::{Files, Network, Rights, SystemCalls, Users, View};

use super::Held::{By, ForRoot};
use super::{Probe, anyone, prepared, root};

pub(super) const PROBES: &[Probe] = &[
    anyone("host-loopback", "connect to the machine's loopback", By(&[Network])),
    anyone("host-loopback-ipv6", "connect to it by IPv6", By(&[Network])),
    anyone("mapped-address", "connect to it by an IPv4-mapped address", By(&[Network])),
    anyone("udp", "send UDP", By(&[Network])),
    anyone("udp-ipv6", "send UDP by IPv6", By(&[Network])),
    prepared("metadata-address", "connect to 169.254.169.254", By(&[Network])),
    anyone("domain-names", "ask a name server", By(&[Network])),
    anyone("abstract-socket", "connect to an abstract socket", By(&[Network, Files])),
    anyone("socket-file", "connect to the socket of a service", By(&[View])),
    anyone("socket-in-read-only", "connect to a socket in a read-only place", By(&[View])),
    anyone("socket-in-workspace", "connect to a socket in the workspace", By(&[View])),
    anyone("deep-socket", "connect to one deep down in it", By(&[View])),
    anyone("unlisted-socket", "connect to one deep down that was bound by a relative path", By(&[View])),
    anyone("passed-descriptor", "be handed an open file", By(&[Network, Files])),
    root("raw-socket", "make a raw socket", ForRoot(&[SystemCalls, Rights, Users])),
    root("raw-socket-ipv6", "make a raw socket of IPv6", ForRoot(&[SystemCalls, Rights, Users])),
    root("packet-socket", "listen to the wire", ForRoot(&[SystemCalls, Rights, Users])),
    anyone("machine-socket", "speak to the host of a virtual machine", By(&[SystemCalls]))
        .unless("the kernel has no vsock"),
    anyone("device-events", "hear of devices by netlink", By(&[SystemCalls])),
    anyone("firewall-netlink", "speak to the firewall by netlink", By(&[SystemCalls])),
    root("change-interface", "change the address of an interface", ForRoot(&[Rights, Users])),
    anyone("sockets-listed", "see who listens on the machine", By(&[Network])),
    anyone("socket-names-listed", "see names of the machine's sockets", By(&[Network])),
];
