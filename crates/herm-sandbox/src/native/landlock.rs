//! What a confined program may do beneath which paths.
//!
//! The mounts of its view say much the same. What only this layer covers is what a read-only mount leaves open: a pipe, a
//! socket or a device in a read-only directory can still be written to, since no file of that mount changes by it. And where
//! a program gets at a path that the view was not meant to have, nothing is permitted there.
//!
//! Known to be open: connecting to a socket by its path, UDP, and everything about files that are open already. The
//! kernel has no rules for those (the view and the network namespace do). A mount is refused by any rule on files, so tools
//! that sandbox themselves get rules that leave files out.

use std::ffi::CString;

/// What is ruled, for the version of Landlock that this kernel has. Everything ruled that is not granted is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    handled: Handled,
    paths: Vec<PathRule>,
    ports: Vec<PortRule>,
    gaps: Vec<Gap>,
}

/// What is to be ruled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wish {
    pub(crate) files: Files,
    pub(crate) tcp: Tcp,
}

/// Which files can be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Files {
    /// Those that the view has, and mounts too.
    Free,
    /// These, in these ways.
    Only(Vec<(CString, Access)>),
}

/// Which ports can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tcp {
    /// All that the network namespace has.
    Free,
    /// These. Port nought stands for one that the kernel chooses.
    Only { bind: Vec<u16>, connect: Vec<u16> },
}

/// What may be done beneath a path, or with the one file that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Use a device: read, write and control it.
    Device,
    /// Everything but making devices, renaming from one directory to another included.
    Full,
    /// Look.
    Read,
    /// Look, and run programs.
    ReadExecute,
    /// Look, and change what files contain; neither run them nor make others.
    ReadWrite,
}

/// What was wished for and this kernel cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gap {
    /// Sockets in the abstract name space of whoever is outside can be connected to, unless the network is another.
    AbstractSockets,
    /// Devices that can be opened can be controlled.
    DeviceControl,
    /// There is no Landlock: files are not ruled.
    Files,
    /// Files cannot be renamed or linked from one directory to another, anywhere.
    Renaming,
    /// Processes outside can be signalled, if they can be named.
    Signals,
    /// TCP ports are not ruled.
    Tcp,
    /// Files that can be named can be cut short.
    Truncation,
}

/// The kinds of access that are refused where nothing grants them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Handled {
    pub(crate) files: u64,
    pub(crate) tcp: u64,
    pub(crate) scopes: u64,
}

/// What is granted beneath a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathRule {
    pub(crate) path: CString,
    /// If it is a directory.
    pub(crate) beneath: u64,
    /// If it is anything else: the kernel takes no other rights for that.
    pub(crate) itself: u64,
}

/// What is granted on a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PortRule {
    pub(crate) port: u16,
    pub(crate) allowed: u64,
}

impl Rules {
    /// What version `abi` can hold of `wish`. Versions that are not known yet are used like the newest that is.
    pub(crate) fn new(wish: &Wish, abi: u32) -> Self {
        let handled = Handled {
            files: if wish.files == Files::Free { 0 } else { files_of(abi) },
            tcp: if wish.tcp == Tcp::Free || abi < TCP_SINCE { 0 } else { BIND_TCP | CONNECT_TCP },
            scopes: if abi < SCOPES_SINCE { 0 } else { ABSTRACT_SOCKETS | SIGNALS },
        };
        Self {
            handled,
            paths: path_rules(&wish.files, handled),
            ports: port_rules(&wish.tcp, handled),
            gaps: gaps(wish, abi),
        }
    }

    /// What is refused where nothing grants it.
    pub(crate) fn handled(&self) -> Handled {
        self.handled
    }

    /// What is granted on files.
    pub(crate) fn paths(&self) -> &[PathRule] {
        &self.paths
    }

    /// What is granted on ports.
    pub(crate) fn ports(&self) -> &[PortRule] {
        &self.ports
    }

    /// What was wished for and does not hold.
    pub(crate) fn gaps(&self) -> &[Gap] {
        &self.gaps
    }
}

fn path_rules(files: &Files, handled: Handled) -> Vec<PathRule> {
    let Files::Only(wanted) = files else { return Vec::new() };
    wanted
        .iter()
        .map(|(path, access)| {
            let beneath = access.rights() & handled.files;
            PathRule { path: path.clone(), beneath, itself: beneath & OF_ONE_FILE }
        })
        .collect()
}

fn port_rules(tcp: &Tcp, handled: Handled) -> Vec<PortRule> {
    let Tcp::Only { bind, connect } = tcp else { return Vec::new() };
    if handled.tcp == 0 {
        return Vec::new();
    }
    let rule = |allowed: u64| move |port: &u16| PortRule { port: *port, allowed };
    bind.iter().map(rule(BIND_TCP)).chain(connect.iter().map(rule(CONNECT_TCP))).collect()
}

fn gaps(wish: &Wish, abi: u32) -> Vec<Gap> {
    let mut gaps = Vec::new();
    let mut missing = |since: u32, gap: Gap| {
        if abi < since {
            gaps.push(gap);
        }
    };
    if wish.files != Files::Free {
        missing(FILES_SINCE, Gap::Files);
        missing(RENAMING_SINCE, Gap::Renaming);
        missing(TRUNCATION_SINCE, Gap::Truncation);
        missing(DEVICES_SINCE, Gap::DeviceControl);
    }
    if wish.tcp != Tcp::Free {
        missing(TCP_SINCE, Gap::Tcp);
    }
    missing(SCOPES_SINCE, Gap::AbstractSockets);
    missing(SCOPES_SINCE, Gap::Signals);
    gaps
}

impl Access {
    fn rights(self) -> u64 {
        match self {
            Self::Device => READ_FILE | WRITE_FILE | TRUNCATE | IOCTL_DEV,
            Self::Full => ALL & !(MAKE_CHAR | MAKE_BLOCK | IOCTL_DEV),
            Self::Read => READ_FILE | READ_DIR,
            Self::ReadExecute => READ_FILE | READ_DIR | EXECUTE,
            Self::ReadWrite => READ_FILE | READ_DIR | WRITE_FILE | TRUNCATE,
        }
    }
}

fn files_of(abi: u32) -> u64 {
    let late = [(RENAMING_SINCE, REFER), (TRUNCATION_SINCE, TRUNCATE), (DEVICES_SINCE, IOCTL_DEV)];
    let unknown = late.iter().filter(|(since, _)| abi < *since).fold(0, |rights, (_, right)| rights | right);
    if abi < FILES_SINCE { 0 } else { ALL & !unknown }
}

const FILES_SINCE: u32 = 1;
const RENAMING_SINCE: u32 = 2;
const TRUNCATION_SINCE: u32 = 3;
const TCP_SINCE: u32 = 4;
const DEVICES_SINCE: u32 = 5;
const SCOPES_SINCE: u32 = 6;

const EXECUTE: u64 = 1;
const WRITE_FILE: u64 = 1 << 1;
const READ_FILE: u64 = 1 << 2;
const READ_DIR: u64 = 1 << 3;
const MAKE_CHAR: u64 = 1 << 6;
const MAKE_BLOCK: u64 = 1 << 11;
const REFER: u64 = 1 << 13;
const TRUNCATE: u64 = 1 << 14;
const IOCTL_DEV: u64 = 1 << 15;

/// Those, and removing and making directories, files, sockets, pipes and links.
const ALL: u64 = (1 << 16) - 1;

/// What can be granted on something that is not a directory.
const OF_ONE_FILE: u64 = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV;

const BIND_TCP: u64 = 1;
const CONNECT_TCP: u64 = 1 << 1;

const ABSTRACT_SOCKETS: u64 = 1;
const SIGNALS: u64 = 1 << 1;

#[cfg(test)]
mod tests {
    use super::*;

    fn wish() -> Wish {
        Wish {
            files: Files::Only(vec![
                (c"/w".to_owned(), Access::Full),
                (c"/r".to_owned(), Access::ReadExecute),
            ]),
            tcp: Tcp::Only { bind: vec![0], connect: vec![443] },
        }
    }

    #[test]
    fn each_version_rules_what_it_knows() {
        let expected = [(1, 0x1fff, 0, 0), (2, 0x3fff, 0, 0), (3, 0x7fff, 0, 0), (4, 0x7fff, 3, 0)];
        for (abi, files, tcp, scopes) in
            expected.into_iter().chain([(5, 0xffff, 3, 0), (6, 0xffff, 3, 3), (99, 0xffff, 3, 3)])
        {
            assert_eq!(Rules::new(&wish(), abi).handled(), Handled { files, tcp, scopes }, "{abi}");
        }
    }

    #[test]
    fn no_rule_grants_what_is_not_ruled() {
        for abi in 1..9 {
            let rules = Rules::new(&wish(), abi);
            for rule in rules.paths() {
                assert_eq!(rule.beneath & !rules.handled().files, 0);
                assert_eq!(rule.itself & !rule.beneath, 0);
            }
            assert_eq!(rules.ports().is_empty(), abi < TCP_SINCE);
        }
    }

    #[test]
    fn what_a_version_lacks_is_said() {
        use Gap::{AbstractSockets, DeviceControl, Renaming, Signals, Tcp as Ports, Truncation};
        let gaps = |abi| Rules::new(&wish(), abi).gaps().to_vec();
        assert_eq!(gaps(1), [Renaming, Truncation, DeviceControl, Ports, AbstractSockets, Signals]);
        assert_eq!(gaps(3), [DeviceControl, Ports, AbstractSockets, Signals]);
        assert_eq!(gaps(5), [AbstractSockets, Signals]);
        assert_eq!(gaps(7), []);
        assert_eq!(gaps(0).first(), Some(&Gap::Files));
        assert_eq!(
            Rules::new(&Wish { files: Files::Free, tcp: Tcp::Free }, 5).gaps(),
            [AbstractSockets, Signals]
        );
    }

    #[test]
    fn a_writable_tree_makes_no_devices() {
        let rules = Rules::new(&wish(), 7);
        assert_eq!(rules.paths()[0].beneath & (MAKE_CHAR | MAKE_BLOCK | IOCTL_DEV), 0);
        assert_ne!(rules.paths()[0].beneath & REFER, 0);
        assert_eq!(rules.paths()[1].beneath, READ_FILE | READ_DIR | EXECUTE);
    }
}
