//! From verdicts to a program for the kernel's filter machine.
//!
//! The numbers are searched by halves, so that any call costs at most eight comparisons. Where a verdict needs no argument, the
//! kernel notices that when the filter is installed and does not run it for those calls at all.

use std::collections::BTreeMap;

use libc::sock_filter;

use super::Verdict;
use super::inspect::{Modes, Step};

/// The program that gives each call its verdict, and `ENOSYS` to all others.
pub(super) fn program(verdicts: &BTreeMap<u32, Verdict>, modes: Modes) -> Vec<sock_filter> {
    let mut program = vec![
        instruction(LOAD, ARCHITECTURE_AT),
        jump(JUMP_IF_EQUAL, ARCHITECTURE, 1, 0),
        decide(Verdict::Kill),
        instruction(LOAD, NUMBER_AT),
    ];
    program.extend(search(&spans(verdicts), modes));
    program
}

/// The program that has some calls announced and permits all. Those of another ABI are left to others.
pub(super) fn announcing(calls: &[libc::c_long]) -> Vec<sock_filter> {
    let mut program = vec![
        instruction(LOAD, ARCHITECTURE_AT),
        jump(JUMP_IF_EQUAL, ARCHITECTURE, 1, 0),
        instruction(RETURN, ALLOW),
        instruction(LOAD, NUMBER_AT),
    ];
    for number in calls.iter().filter_map(|call| u32::try_from(*call).ok()) {
        program.extend([jump(JUMP_IF_EQUAL, number, 0, 1), instruction(RETURN, ANNOUNCE)]);
    }
    program.push(instruction(RETURN, ALLOW));
    program
}

/// Calls in a row with the same verdict, up to where the next begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    first: u32,
    verdict: Verdict,
}

fn spans(verdicts: &BTreeMap<u32, Verdict>) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut begin = |first, verdict| {
        if spans.last().is_none_or(|last| last.verdict != verdict) {
            spans.push(Span { first, verdict });
        }
    };
    let mut next = 0;
    for (number, verdict) in verdicts {
        if *number > next {
            begin(next, UNKNOWN);
        }
        begin(*number, *verdict);
        next = number.saturating_add(1);
    }
    begin(next, UNKNOWN);
    if let Some(foreign) = FOREIGN_NUMBERS {
        begin(foreign, Verdict::Kill);
        // A debugger that suppresses a call puts this number in its place.
        begin(u32::MAX, UNKNOWN);
    }
    spans
}

const UNKNOWN: Verdict = Verdict::Refuse(libc::ENOSYS);

/// The spans as a tree of comparisons.
fn search(spans: &[Span], modes: Modes) -> Vec<sock_filter> {
    let (lower, upper) = spans.split_at(spans.len() / 2);
    let Some(middle) = upper.first() else { return vec![decide(Verdict::Kill)] };
    if lower.is_empty() {
        return leaf(middle.verdict, modes);
    }
    let lower = search(lower, modes);
    let mut found = match u8::try_from(lower.len()) {
        Ok(length) => vec![jump(JUMP_IF_AT_LEAST, middle.first, length, 0)],
        // Too far for a comparison's own jump.
        Err(_) => vec![jump(JUMP_IF_AT_LEAST, middle.first, 0, 1), instruction(JUMP, count(&lower))],
    };
    found.extend(lower);
    found.extend(search(upper, modes));
    found
}

fn leaf(verdict: Verdict, modes: Modes) -> Vec<sock_filter> {
    match verdict {
        Verdict::Inspect(call) => inspection(&call.steps(modes)),
        Verdict::Allow | Verdict::Kill | Verdict::Refuse(_) => vec![decide(verdict)],
    }
}

fn inspection(steps: &[Step]) -> Vec<sock_filter> {
    steps.iter().flat_map(step).collect()
}

fn step(step: &Step) -> Vec<sock_filter> {
    match step {
        Step::Load(position) => vec![instruction(LOAD, ARGUMENTS_AT + position * 8 + LOW_HALF)],
        Step::Keep(bits) => vec![instruction(AND, *bits)],
        Step::When(number, steps) => {
            let mut found = inspection(steps);
            // Steps are few. Were they too many to be jumped over, nothing would be permitted.
            let Ok(past) = u8::try_from(found.len()) else { return vec![decide(Verdict::Kill)] };
            found.insert(0, jump(JUMP_IF_EQUAL, *number, 0, past));
            found
        }
        Step::WhenAny(bits, verdict) => vec![jump(JUMP_IF_ANY, *bits, 0, 1), decide(*verdict)],
        Step::Decide(verdict) => vec![decide(*verdict)],
    }
}

fn decide(verdict: Verdict) -> sock_filter {
    let action = match verdict {
        Verdict::Allow => ALLOW,
        Verdict::Refuse(error) => ERROR | (error.unsigned_abs() & 0xfff),
        // Inspections are leaves; one in an inspection would have nothing to go on.
        Verdict::Kill | Verdict::Inspect(_) => KILL,
    };
    instruction(RETURN, action)
}

fn instruction(code: u16, operand: u32) -> sock_filter {
    jump(code, operand, 0, 0)
}

fn jump(code: u16, operand: u32, yes: u8, no: u8) -> sock_filter {
    sock_filter { code, jt: yes, jf: no, k: operand }
}

fn count(instructions: &[sock_filter]) -> u32 {
    u32::try_from(instructions.len()).unwrap_or(u32::MAX)
}

/// A word of the call's description.
pub(super) const LOAD: u16 = 0x20;
pub(super) const AND: u16 = 0x54;
pub(super) const JUMP: u16 = 0x05;
pub(super) const JUMP_IF_EQUAL: u16 = 0x15;
pub(super) const JUMP_IF_AT_LEAST: u16 = 0x35;
pub(super) const JUMP_IF_ANY: u16 = 0x45;
pub(super) const RETURN: u16 = 0x06;

pub(super) const ALLOW: u32 = 0x7fff_0000;
pub(super) const ANNOUNCE: u32 = 0x7fc0_0000;
pub(super) const ERROR: u32 = 0x0005_0000;
pub(super) const KILL: u32 = 0x8000_0000;

/// Where the description of a call has what.
pub(super) const NUMBER_AT: u32 = 0;
pub(super) const ARCHITECTURE_AT: u32 = 4;
pub(super) const ARGUMENTS_AT: u32 = 16;

/// Where the low half of a 64-bit word is.
const LOW_HALF: u32 = if cfg!(target_endian = "little") { 0 } else { 4 };

#[cfg(target_arch = "x86_64")]
pub(super) const ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
pub(super) const ARCHITECTURE: u32 = 0xc000_00b7;

/// From where on the numbers are those of another ABI of the same architecture: x32.
pub(super) const FOREIGN_NUMBERS: Option<u32> =
    if cfg!(target_arch = "x86_64") { Some(0x4000_0000) } else { None };
