//! The way out of a network namespace that has none: what is sent there ends at doors that herm holds.
//!
//! Nothing but the loopback device exists in it. Every IPv4 address is made one of its own, so that a connection to any of them
//! ends within, at a door. Names are resolved by a door too, which hands out
//! addresses from a range that nobody on the internet has; a connection to one of them tells the proxy which name was
//! meant. IPv6 has no route besides loopback.
//!
//! Here are only bytes, prepared before the fork; the child sends them from within the namespace.

mod encode;
mod firewall;

use encode::{Encoder, Kind};

use std::net::Ipv4Addr;

/// Addresses that begin alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    /// The first of them.
    pub(crate) first: Ipv4Addr,
    /// How many bits all of them share.
    pub(crate) length: u8,
}

/// Which connections end at which door. All doors stand on loopback, within the namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Redirect {
    /// Where TCP connections go, except those to loopback, which is the program's own.
    pub(crate) proxy: u16,
    /// Where datagrams to port 53 go, whatever address they were meant for.
    pub(crate) resolver: u16,
    /// Where connections to port 53 go, whatever address they were meant for.
    pub(crate) conversations: u16,
}

/// What the kernel is asked for in one go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    /// Whom it is for.
    pub(crate) family: Family,
    /// As the kernel reads it.
    pub(crate) bytes: Vec<u8>,
    /// How many parts are answered.
    pub(crate) answers: u32,
}

/// The part of the kernel that a message is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// The firewall.
    Netfilter,
    /// Devices and routes.
    Route,
}

/// Switches the loopback device on: no more than a network namespace without a way out needs.
pub(crate) fn loopback() -> Message {
    let mut message = Encoder::new(Family::Route);
    message.part(Kind::Answered, NEW_LINK, &{
        let mut link = vec![0, 0, 0, 0];
        link.extend(LOOPBACK.to_ne_bytes());
        // The flags, and which of them are meant.
        link.extend(UP.to_ne_bytes());
        link.extend(UP.to_ne_bytes());
        link
    });
    message.finish()
}

impl Redirect {
    /// What turns connections towards the doors, in a network namespace where [`every_address`] is its own.
    pub(crate) fn rules(self) -> Message {
        firewall::rules(self)
    }
}

/// Makes every IPv4 address one of this namespace's own.
pub(crate) fn every_address() -> Message {
    let mut message = Encoder::new(Family::Route);
    // To any address: no bits of it are compared.
    let route = [INET, 0, 0, 0, LOCAL_TABLE, STATIC, HOST, LOCAL, 0, 0, 0, 0];
    message.part(Kind::Created, NEW_ROUTE, &route);
    message.attribute(OUT, &LOOPBACK.to_ne_bytes());
    // Without it a connection would seem to come from the address that it goes to.
    message.attribute(SOURCE, &Ipv4Addr::LOCALHOST.octets());
    message.finish()
}

const NEW_LINK: u16 = 16;
const NEW_ROUTE: u16 = 24;

/// The loopback device is the first of every namespace.
const LOOPBACK: u32 = 1;
const UP: u32 = 1;

const INET: u8 = 2;
const LOCAL_TABLE: u8 = 255;
const STATIC: u8 = 4;
const HOST: u8 = 254;
const LOCAL: u8 = 2;
const OUT: u16 = 4;
const SOURCE: u16 = 7;
