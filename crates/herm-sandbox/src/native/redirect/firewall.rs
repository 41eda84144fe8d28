//! The rules that turn connections towards the doors: one table of nftables, written as its messages.

use super::encode::{Encoder, Kind};
use super::{Family, Message, Range, Redirect};

/// All rules take effect at once, or none.
pub(super) fn rules(redirect: Redirect) -> Message {
    let mut message = Encoder::new(Family::Netfilter);
    message.part(Kind::Plain, BATCH_BEGIN, &head(ANY_FAMILY, SUBSYSTEM));
    table(&mut message);
    chain(&mut message);
    rule(&mut message, |rule| resolver(rule, UDP, redirect.resolver));
    rule(&mut message, |rule| resolver(rule, TCP, redirect.conversations));
    rule(&mut message, |rule| proxy(rule, redirect.proxy));
    message.part(Kind::Plain, BATCH_END, &head(ANY_FAMILY, SUBSYSTEM));
    message.finish()
}

fn table(message: &mut Encoder) {
    message.part(Kind::Created, nftables(NEW_TABLE), &head(IPV4, 0));
    message.name(1, NAME);
}

/// A chain of the kind that changes destinations, for what is sent from here.
fn chain(message: &mut Encoder) {
    message.part(Kind::Created, nftables(NEW_CHAIN), &head(IPV4, 0));
    message.name(1, NAME);
    message.name(3, NAME);
    message.nested(4, |hook| {
        hook.number(1, LOCAL_OUT);
        hook.number(2, BEFORE_DESTINATION);
    });
    message.name(7, "nat");
}

fn rule(message: &mut Encoder, write: impl FnOnce(&mut Encoder)) {
    message.part(Kind::Created, nftables(NEW_RULE), &head(IPV4, 0));
    message.name(1, NAME);
    message.name(2, NAME);
    message.nested(4, write);
}

/// Questions to port 53, of any address.
fn resolver(rule: &mut Encoder, protocol: u8, door: u16) {
    protocol_is(rule, protocol);
    load(rule, TRANSPORT_HEADER, 2, 2);
    compare(rule, EQUAL, &DNS.to_be_bytes());
    redirect_to(rule, door);
}

/// TCP, to all but loopback.
fn proxy(rule: &mut Encoder, door: u16) {
    protocol_is(rule, TCP);
    load(rule, NETWORK_HEADER, 16, 4);
    keep(rule, mask(LOOPBACK).to_be_bytes());
    compare(rule, UNEQUAL, &(LOOPBACK.first.to_bits() & mask(LOOPBACK)).to_be_bytes());
    redirect_to(rule, door);
}

fn mask(range: Range) -> u32 {
    u32::MAX.checked_shl(32_u32.saturating_sub(range.length.into())).unwrap_or(0)
}

fn protocol_is(rule: &mut Encoder, protocol: u8) {
    expression(rule, "meta", |data| {
        data.number(1, REGISTER);
        data.number(2, TRANSPORT_PROTOCOL);
    });
    compare(rule, EQUAL, &[protocol]);
}

fn load(rule: &mut Encoder, header: u32, offset: u32, length: u32) {
    expression(rule, "payload", |data| {
        data.number(1, REGISTER);
        data.number(2, header);
        data.number(3, offset);
        data.number(4, length);
    });
}

fn keep(rule: &mut Encoder, bits: [u8; 4]) {
    expression(rule, "bitwise", |data| {
        data.number(1, REGISTER);
        data.number(2, REGISTER);
        data.number(3, 4);
        data.nested(4, |value| value.attribute(1, &bits));
        data.nested(5, |value| value.attribute(1, &[0; 4]));
    });
}

fn compare(rule: &mut Encoder, comparison: u32, value: &[u8]) {
    expression(rule, "cmp", |data| {
        data.number(1, REGISTER);
        data.number(2, comparison);
        data.nested(3, |data| data.attribute(1, value));
    });
}

fn redirect_to(rule: &mut Encoder, port: u16) {
    expression(rule, "immediate", |data| {
        data.number(1, REGISTER);
        data.nested(2, |data| data.attribute(1, &port.to_be_bytes()));
    });
    expression(rule, "redir", |data| data.number(1, REGISTER));
}

fn expression(rule: &mut Encoder, name: &str, write: impl FnOnce(&mut Encoder)) {
    rule.nested(1, |element| {
        element.name(1, name);
        element.nested(2, write);
    });
}

/// The head of every message: the family, a version, and what it is about in the network's order.
fn head(family: u8, about: u16) -> [u8; 4] {
    let [high, low] = about.to_be_bytes();
    [family, 0, high, low]
}

fn nftables(number: u16) -> u16 {
    (SUBSYSTEM << 8) | number
}

const NAME: &str = "herm";

const SUBSYSTEM: u16 = 10;
const BATCH_BEGIN: u16 = 16;
const BATCH_END: u16 = 17;
const NEW_TABLE: u16 = 0;
const NEW_CHAIN: u16 = 3;
const NEW_RULE: u16 = 6;

const ANY_FAMILY: u8 = 0;
const IPV4: u8 = 2;

const LOCAL_OUT: u32 = 3;
/// -100, where destinations are changed.
const BEFORE_DESTINATION: u32 = (-100_i32).cast_unsigned();

const REGISTER: u32 = 1;
const TRANSPORT_PROTOCOL: u32 = 16;
const NETWORK_HEADER: u32 = 1;
const TRANSPORT_HEADER: u32 = 2;
const EQUAL: u32 = 0;
const UNEQUAL: u32 = 1;

const TCP: u8 = 6;
const UDP: u8 = 17;
const DNS: u16 = 53;
const LOOPBACK: Range = Range { first: std::net::Ipv4Addr::new(127, 0, 0, 0), length: 8 };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_compared_by_the_bits_it_shares() {
        assert_eq!(mask(LOOPBACK), 0xff00_0000);
        assert_eq!(mask(Range { length: 0, ..LOOPBACK }), 0);
        assert_eq!(mask(Range { length: 32, ..LOOPBACK }), u32::MAX);
    }
}
