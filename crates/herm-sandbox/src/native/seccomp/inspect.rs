//! The calls whose arguments decide.
//!
//! Only numbers are looked at: what a pointer leads to can change between the look and the call. The kernel takes each
//! of these arguments as 32 bits, so the filter looks at the low half and nothing in the high half can hide anything.

use libc::{EAFNOSUPPORT, EPERM, EPROTONOSUPPORT, ESOCKTNOSUPPORT};

use super::Verdict;

/// A call whose arguments decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    /// `clone`, which makes no namespaces.
    Clone,
    /// What gives a file the mode that stands at this position, which is none of those that are kept from it.
    Mode(u32),
    /// What may make a file, with flags and a mode at these positions.
    Open { flags: u32, mode: u32 },
    /// `ioctl`, which does not type for the person at the terminal.
    Ioctl,
    /// `personality`, as far as it is harmless.
    Personality,
    /// `socket`, of families that developer tools use.
    Socket,
    /// `socketpair`, between processes only.
    Socketpair,
    /// `unshare`, which makes no namespaces.
    Unshare,
}

/// One step of looking at arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Take up the argument of this position.
    Load(u32),
    /// Keep these bits of it.
    Keep(u32),
    /// If it is this number, go by these steps, the last of which decides.
    When(u32, Vec<Step>),
    /// If it has any of these bits, decide so.
    WhenAny(u32, Verdict),
    /// Decide.
    Decide(Verdict),
}

impl Call {
    /// How it is looked at.
    pub(super) fn steps(self, modes: Modes) -> Vec<Step> {
        match self {
            Self::Clone => vec![
                Step::Load(0),
                Step::WhenAny(NAMESPACES, Verdict::Refuse(EPERM)),
                Step::Decide(Verdict::Allow),
            ],
            Self::Unshare => vec![
                Step::Load(0),
                Step::WhenAny(NAMESPACES | TIME_NAMESPACE, Verdict::Refuse(EPERM)),
                Step::Decide(Verdict::Allow),
            ],
            Self::Mode(position) => vec![
                Step::Load(position),
                Step::WhenAny(modes.kept(), Verdict::Refuse(EPERM)),
                Step::Decide(Verdict::Allow),
            ],
            Self::Open { flags, mode } => vec![
                Step::Load(mode),
                Step::Keep(modes.kept()),
                Step::When(0, vec![Step::Decide(Verdict::Allow)]),
                // Where nothing is made, the mode means nothing and may be anything.
                Step::Load(flags),
                Step::WhenAny(MAKING, Verdict::Refuse(EPERM)),
                Step::Decide(Verdict::Allow),
            ],
            Self::Ioctl => among(1, &TERMINAL_REQUESTS, Verdict::Refuse(EPERM), Verdict::Allow),
            Self::Personality => among(0, &PERSONALITIES, Verdict::Allow, Verdict::Refuse(EPERM)),
            Self::Socketpair => among(0, &[UNIX], Verdict::Allow, Verdict::Refuse(EAFNOSUPPORT)),
            Self::Socket => socket(),
        }
    }
}

/// Decides by whether the argument `position` is one of `numbers`.
fn among(position: u32, numbers: &[u32], inside: Verdict, outside: Verdict) -> Vec<Step> {
    let mut steps = vec![Step::Load(position)];
    steps.extend(numbers.iter().map(|number| Step::When(*number, vec![Step::Decide(inside)])));
    steps.push(Step::Decide(outside));
    steps
}

/// Netlink is for the tables of routes and addresses, which `getaddrinfo` asks. The other netlinks reach the firewall, the
/// audit log, the devices.
fn socket() -> Vec<Step> {
    vec![
        Step::Load(0),
        Step::When(UNIX, vec![Step::Decide(Verdict::Allow)]),
        Step::When(INET, internet()),
        Step::When(INET6, internet()),
        Step::When(NETLINK, among(2, &[NETLINK_ROUTE], Verdict::Allow, Verdict::Refuse(EPROTONOSUPPORT))),
        Step::Decide(Verdict::Refuse(EAFNOSUPPORT)),
    ]
}

/// TCP, UDP and echo requests. A raw socket forges whatever it likes, and the rest (SCTP, DCCP, L2TP, SMC …) is code that
/// hardly anybody runs; `SOCK_PACKET` would even change the family.
fn internet() -> Vec<Step> {
    let unknown = Verdict::Refuse(EPROTONOSUPPORT);
    vec![
        Step::Load(1),
        Step::Keep(SOCKET_TYPE),
        Step::When(STREAM, among(2, &STREAM_PROTOCOLS, Verdict::Allow, unknown)),
        Step::When(DATAGRAM, among(2, &DATAGRAM_PROTOCOLS, Verdict::Allow, unknown)),
        Step::When(RAW, vec![Step::Decide(Verdict::Refuse(EPERM))]),
        Step::Decide(Verdict::Refuse(ESOCKTNOSUPPORT)),
    ]
}

/// Mount, cgroup, UTS, IPC, user, process and network namespaces, as flags of `clone` and `unshare`.
const NAMESPACES: u32 =
    0x0002_0000 | 0x0200_0000 | 0x0400_0000 | 0x0800_0000 | 0x1000_0000 | 0x2000_0000 | 0x4000_0000;

/// Of `unshare` only: `clone` has the signal of the child's end in these bits.
const TIME_NAMESPACE: u32 = 0x80;

/// Which modes are kept from a confined program.
///
/// Files in the workspace belong to the person outside, even to root. A setuid program among them would run as its owner for
/// everybody on the machine, and a setgid one with its group. Of a directory the same bit only says that it passes its group on, and the
/// filter cannot tell which of the two a mode is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Modes {
    /// None of both: where root started it, and its group is nobody's to give away.
    Plain,
    /// No setuid one. Tools that copy a directory with its mode, or work in one that is shared, go on working.
    #[default]
    Shared,
}

impl Modes {
    const fn kept(self) -> u32 {
        match self {
            Self::Plain => SETUID | SETGID,
            Self::Shared => SETUID,
        }
    }
}

const SETUID: u32 = 0o4000;
const SETGID: u32 = 0o2000;

/// `O_CREAT`, and the bit that only `O_TMPFILE` has.
const MAKING: u32 = 0o100 | 0o20_000_000;

/// `TIOCSTI` puts letters into the terminal's input, as if the person had typed them, and `TIOCLINUX` pastes a selection of
/// the console. `TIOCCONS` takes the messages of the console, and `TIOCSETD` changes the line discipline, which loads old
/// drivers.
const TERMINAL_REQUESTS: [u32; 4] = [0x5412, 0x541c, 0x541d, 0x5423];

/// Linux, 32-bit Linux, either with an old version number, and the question which it is. Without randomised addresses as
/// debuggers want it: that weakens nobody but the program itself. All others emulate old systems, or make data executable.
const PERSONALITIES: [u32; 7] =
    [0x0000_0000, 0x0000_0008, 0x0002_0000, 0x0002_0008, 0x0004_0000, 0x0004_0008, 0xffff_ffff];

const UNIX: u32 = 1;
const INET: u32 = 2;
const INET6: u32 = 10;
const NETLINK: u32 = 16;
const NETLINK_ROUTE: u32 = 0;

/// The bits of a socket's type that are not flags.
const SOCKET_TYPE: u32 = 0xf;
const STREAM: u32 = 1;
const DATAGRAM: u32 = 2;
const RAW: u32 = 3;

/// The usual one, TCP, and multipath TCP, which Go listens with.
const STREAM_PROTOCOLS: [u32; 3] = [0, 6, 262];

/// The usual one, UDP, and `ping` without a raw socket for IPv4 and IPv6.
const DATAGRAM_PROTOCOLS: [u32; 4] = [0, 17, 1, 58];
