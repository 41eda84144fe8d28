//! What a confined program may do beneath which paths.
//!
//! The mounts of its view say much the same. What only this layer covers is what a read-only mount leaves open: a pipe, a
//! socket or a device in a read-only directory can still be written to, since no file of that mount changes by it. And where
//! a program gets at a path that the view was not meant to have, nothing is permitted there.
//!
//! Known to be open: UDP, and everything about files that are open already; before Linux 7.1 also connecting to a socket by its path. The
//! kernel has no rules for those (the view and the network namespace do). A mount is refused by any rule on files, so tools
//! that sandbox themselves get rules that leave files out.

use std::ffi::CString;

/// What is ruled, for the version of Landlock that this kernel has. Everything ruled that is not granted is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    handled: Handled,
    paths: Vec<PathRule>,
    gaps: Vec<Gap>,
}

/// Which files can be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Files {
    /// Those that the view has, and mounts too.
    Free,
    /// These, in these ways.
    Only(Vec<(CString, Access)>),
}

/// What may be done beneath a path, or with the one file that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Use a device: read, write and control it.
    Device,
    /// Everything but making devices, renaming from one directory to another included.
    Full,
    /// See which files there are.
    List,
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
    /// Sockets that somebody outside has made can be connected to by their paths.
    PathSockets,
    /// Files cannot be renamed or linked from one directory to another, anywhere.
    Renaming,
    /// Processes outside can be signalled, if they can be named.
    Signals,
    /// Files that can be named can be cut short.
    Truncation,
}

/// The kinds of access that are refused where nothing grants them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Handled {
    pub(crate) files: u64,
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

impl Rules {
    /// What version `abi` can hold of what is wanted. Versions that are not known yet are used like the newest that is.
    pub(crate) fn new(wanted: &Files, abi: u32) -> Self {
        let handled = Handled {
            files: if *wanted == Files::Free { 0 } else { files_of(abi) },
            scopes: if abi < SCOPES_SINCE { 0 } else { ABSTRACT_SOCKETS | SIGNALS },
        };
        Self { handled, paths: path_rules(wanted, handled), gaps: gaps(wanted, abi) }
    }

    /// What is refused where nothing grants it.
    pub(crate) fn handled(&self) -> Handled {
        self.handled
    }

    /// What is granted on files.
    pub(crate) fn paths(&self) -> &[PathRule] {
        &self.paths
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
            // A socket that is shown by its own name is meant to be spoken to.
            let named = if *access == Access::Full { RESOLVE_UNIX & handled.files } else { 0 };
            PathRule { path: path.clone(), beneath, itself: (beneath & OF_ONE_FILE) | named }
        })
        .collect()
}

fn gaps(wanted: &Files, abi: u32) -> Vec<Gap> {
    let mut gaps = Vec::new();
    let mut missing = |since: u32, gap: Gap| {
        if abi < since {
            gaps.push(gap);
        }
    };
    if *wanted != Files::Free {
        missing(FILES_SINCE, Gap::Files);
        missing(RENAMING_SINCE, Gap::Renaming);
        missing(TRUNCATION_SINCE, Gap::Truncation);
        missing(DEVICES_SINCE, Gap::DeviceControl);
        missing(SOCKETS_SINCE, Gap::PathSockets);
    }
    missing(SCOPES_SINCE, Gap::AbstractSockets);
    missing(SCOPES_SINCE, Gap::Signals);
    gaps
}

impl Access {
    fn rights(self) -> u64 {
        match self {
            Self::Device => READ_FILE | WRITE_FILE | TRUNCATE | IOCTL_DEV,
            Self::Full => ALL & !(MAKE_CHAR | MAKE_BLOCK | IOCTL_DEV | RESOLVE_UNIX),
            Self::List => READ_DIR,
            Self::Read => READ_FILE | READ_DIR,
            Self::ReadExecute => READ_FILE | READ_DIR | EXECUTE,
            Self::ReadWrite => READ_FILE | READ_DIR | WRITE_FILE | TRUNCATE,
        }
    }
}

fn files_of(abi: u32) -> u64 {
    let late = [
        (RENAMING_SINCE, REFER),
        (TRUNCATION_SINCE, TRUNCATE),
        (DEVICES_SINCE, IOCTL_DEV),
        (SOCKETS_SINCE, RESOLVE_UNIX),
    ];
    let unknown = late.iter().filter(|(since, _)| abi < *since).fold(0, |rights, (_, right)| rights | right);
    if abi < FILES_SINCE { 0 } else { ALL & !unknown }
}

const FILES_SINCE: u32 = 1;
const RENAMING_SINCE: u32 = 2;
const TRUNCATION_SINCE: u32 = 3;
const DEVICES_SINCE: u32 = 5;
const SCOPES_SINCE: u32 = 6;
const SOCKETS_SINCE: u32 = 9;

const EXECUTE: u64 = 1;
const WRITE_FILE: u64 = 1 << 1;
const READ_FILE: u64 = 1 << 2;
const READ_DIR: u64 = 1 << 3;
const MAKE_CHAR: u64 = 1 << 6;
const MAKE_BLOCK: u64 = 1 << 11;
const REFER: u64 = 1 << 13;
const TRUNCATE: u64 = 1 << 14;
const IOCTL_DEV: u64 = 1 << 15;
/// Connecting to sockets by their paths, but for those that were made behind the same rules.
const RESOLVE_UNIX: u64 = 1 << 16;

/// Those, and removing and making directories, files, sockets, pipes and links.
const ALL: u64 = (1 << 17) - 1;

/// What can be granted on something that is not a directory.
const OF_ONE_FILE: u64 = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV | RESOLVE_UNIX;

const ABSTRACT_SOCKETS: u64 = 1;
const SIGNALS: u64 = 1 << 1;

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted() -> Files {
        Files::Only(vec![(c"/w".to_owned(), Access::Full), (c"/r".to_owned(), Access::ReadExecute)])
    }

    #[test]
    fn each_version_rules_what_it_knows() {
        let expected = [(1, 0x1fff, 0), (2, 0x3fff, 0), (3, 0x7fff, 0), (4, 0x7fff, 0)];
        for (abi, files, scopes) in expected.into_iter().chain([
            (5, 0xffff, 0),
            (6, 0xffff, 3),
            (8, 0xffff, 3),
            (9, 0x1_ffff, 3),
            (99, 0x1_ffff, 3),
        ]) {
            assert_eq!(Rules::new(&wanted(), abi).handled(), Handled { files, scopes }, "{abi}");
        }
    }

    #[test]
    fn no_rule_grants_what_is_not_ruled() {
        for abi in 1..11 {
            let rules = Rules::new(&wanted(), abi);
            for rule in rules.paths() {
                assert_eq!(rule.beneath & !rules.handled().files, 0);
                assert_eq!(rule.itself & !rules.handled().files, 0);
                assert_eq!(rule.itself & !(rule.beneath | RESOLVE_UNIX), 0);
                assert_eq!(rule.beneath & RESOLVE_UNIX, 0, "no directory opens the sockets in it");
            }
        }
    }

    #[test]
    fn what_a_version_lacks_is_said() {
        use Gap::{AbstractSockets, DeviceControl, PathSockets, Renaming, Signals, Truncation};
        let gaps = |abi| Rules::new(&wanted(), abi).gaps().to_vec();
        assert_eq!(gaps(1), [Renaming, Truncation, DeviceControl, PathSockets, AbstractSockets, Signals]);
        assert_eq!(gaps(3), [DeviceControl, PathSockets, AbstractSockets, Signals]);
        assert_eq!(gaps(5), [PathSockets, AbstractSockets, Signals]);
        assert_eq!(gaps(7), [PathSockets]);
        assert_eq!(gaps(9), []);
        assert_eq!(gaps(0).first(), Some(&Gap::Files));
        assert_eq!(Rules::new(&Files::Free, 5).gaps(), [AbstractSockets, Signals]);
    }

    #[test]
    fn a_writable_tree_makes_no_devices() {
        let rules = Rules::new(&wanted(), 7);
        assert_eq!(rules.paths()[0].beneath & (MAKE_CHAR | MAKE_BLOCK | IOCTL_DEV), 0);
        assert_ne!(rules.paths()[0].beneath & REFER, 0);
        assert_eq!(rules.paths()[1].beneath, READ_FILE | READ_DIR | EXECUTE);
    }
}
