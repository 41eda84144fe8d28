//! Which rights come into the workspace with what a command made.
//!
//! They are those that the same command would have left in the workspace itself: a file that is written to keeps its list and its
//! group, and whatever is new gets what its directory passes on. The tree is hostile, though: what neither was there
//! before nor comes from a directory is not taken over, and neither is anything that makes a program run as somebody else. All that
//! is not as the command left it is [told](Right), and never is more allowed to anybody than the command had allowed.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::beneath::{Hashing, Root};
use super::compare::{Change, same_content};
use super::error::{Doing, Result};
use super::list::{ACCESS, DEFAULT, List};
use super::node::{Attributes, Content, Node, Owner};
use super::snapshot::Snapshot;

/// What must be known about rights before something is kept.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Right {
    /// It was given an access list, which is not kept.
    AccessList,
    /// The access list that it had is gone; its group may do no more than the list said, or than everybody may.
    AccessListGone,
    /// It was given capabilities, which are not kept.
    Capabilities,
    /// It was given a list for what is made in it, which is not kept.
    DefaultList,
    /// The list for what is made in it is gone.
    DefaultListGone,
    /// It cannot be given its group.
    Group,
    /// It cannot be given its owner.
    Owner,
    /// It was set to run with the rights of its group, which is not kept.
    Setgid,
    /// It was set to run with the rights of its owner, which is not kept.
    Setuid,
    /// A file was given the sticky bit, which is not kept.
    Sticky,
}

impl Right {
    /// One word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AccessList => "access-list",
            Self::AccessListGone => "access-list-gone",
            Self::Capabilities => "capabilities",
            Self::DefaultList => "default-list",
            Self::DefaultListGone => "default-list-gone",
            Self::Group => "group",
            Self::Owner => "owner",
            Self::Setgid => "setgid",
            Self::Setuid => "setuid",
            Self::Sticky => "sticky",
        }
    }

    /// It in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::AccessList => "the access list that it was given is not kept",
            Self::AccessListGone => "its access list is gone, and its group may do no more than with it",
            Self::Capabilities => "the capabilities that it was given are not kept",
            Self::DefaultList => "the access list for what is made in it is not kept",
            Self::DefaultListGone => "the access list for what is made in it is gone",
            Self::Group => "you cannot give it its group, so its group may do only what everybody may",
            Self::Owner => "it becomes yours",
            Self::Setgid => "the setgid bit is not kept",
            Self::Setuid => "the setuid bit is not kept",
            Self::Sticky => "the sticky bit is not kept",
        }
    }
}

/// Settles for each change with which rights it is kept, and says what has to be known about that.
pub(crate) fn settle(
    changes: &mut [Change],
    snapshot: &Snapshot,
    lower: &Root,
) -> Result<Vec<(PathBuf, Right)>> {
    let mut told = Vec::new();
    let mut keeper = Keeper { snapshot, lower, who: Who::this_process(), directories: BTreeMap::new() };
    let kept: Vec<_> = {
        let origins = Origins::of(changes);
        changes.iter().map(|change| keeper.keep(change, &origins)).collect::<Result<_>>()?
    };
    for (change, kept) in changes.iter_mut().zip(kept) {
        let Some((node, rights)) = kept else { continue };
        told.extend(rights.into_iter().map(|right| (change.path.clone(), right)));
        change.kept = Some(node);
    }
    Ok(told)
}

/// What stood elsewhere before and is another name of something now.
struct Origins<'a> {
    changes: &'a [Change],
    /// Files with several names, by number.
    linked: BTreeMap<u64, &'a Node>,
}

impl<'a> Origins<'a> {
    fn of(changes: &'a [Change]) -> Self {
        let linked = changes.iter().filter_map(|change| {
            let number = change.after.as_ref()?.links?;
            Some((number, change.before.as_ref()?))
        });
        Self { changes, linked: linked.collect() }
    }

    /// What a change was under another name.
    fn find(&self, change: &Change) -> Option<&'a Node> {
        let renamed = change.from.as_ref().and_then(|from| {
            let place = self.changes.binary_search_by(|other| other.path.cmp(from)).ok()?;
            self.changes.get(place)?.before.as_ref()
        });
        let linked = || self.linked.get(&change.after.as_ref()?.links?).copied();
        renamed.or_else(linked)
    }
}

/// Who keeps.
enum Who {
    /// They can give anything to anybody.
    Root,
    /// They can give what is theirs to groups of theirs.
    User { user: u32, group: u32, groups: Vec<u32> },
}

impl Who {
    fn this_process() -> Self {
        if rustix::process::geteuid().is_root() {
            return Self::Root;
        }
        let groups = rustix::process::getgroups().unwrap_or_default();
        Self::User {
            user: rustix::process::geteuid().as_raw(),
            group: rustix::process::getegid().as_raw(),
            groups: groups.into_iter().map(rustix::process::Gid::as_raw).collect(),
        }
    }

    /// Whose something new becomes in a workspace.
    fn usual(&self, home: Owner) -> Owner {
        match self {
            Self::Root => home,
            Self::User { user, group, .. } => Owner { user: *user, group: *group },
        }
    }

    /// Whose something becomes that is made anew in a directory and should be that owner's.
    fn attainable(&self, owner: Owner, passed_on: Option<u32>) -> Owner {
        match self {
            Self::Root => owner,
            Self::User { user, group, .. } => {
                let is_given = self.is_in(owner.group) || passed_on == Some(owner.group);
                let group = if is_given { owner.group } else { passed_on.unwrap_or(*group) };
                Owner { user: *user, group }
            }
        }
    }

    /// Whether they may do with a group's things what its members may.
    fn is_in(&self, wanted: u32) -> bool {
        match self {
            Self::Root => true,
            Self::User { group, groups, .. } => wanted == *group || groups.contains(&wanted),
        }
    }
}

struct Keeper<'a> {
    snapshot: &'a Snapshot,
    lower: &'a Root,
    who: Who,
    /// The directories among the changes, as they are kept.
    directories: BTreeMap<PathBuf, Node>,
}

impl Keeper<'_> {
    fn keep(&mut self, change: &Change, origins: &Origins<'_>) -> Result<Option<(Node, Vec<Right>)>> {
        let Some(after) = &change.after else { return Ok(None) };
        let is_alike = |node: &&Node| node.content.shape() == after.content.shape();
        let case = Case {
            before: change.before.as_ref().filter(is_alike),
            origin: origins.find(change).filter(is_alike),
            after,
            parent: self.parent(&change.path)?,
        };
        let (node, rights) = case.decide(&self.who, self.snapshot.tree.stamp.owner);
        if node.content == Content::Directory {
            self.directories.insert(change.path.clone(), node.clone());
        }
        Ok(Some((node, rights)))
    }

    /// The directory that something stands in, as it will be.
    fn parent(&self, path: &Path) -> Result<Option<Node>> {
        let Some(parent) = path.parent() else { return Ok(None) };
        if let Some(known) = self.directories.get(parent) {
            return Ok(Some(known.clone()));
        }
        let stamp = self.snapshot.stamp(parent).filter(|stamp| stamp.is_directory());
        stamp.map(|stamp| self.lower.node(parent, stamp, Hashing::Skip).doing("read", parent)).transpose()
    }
}

/// Something that a command left, and what can explain its rights.
struct Case<'a> {
    /// What stood there before, if it was of the same kind.
    before: Option<&'a Node>,
    /// What stood elsewhere before and is this now.
    origin: Option<&'a Node>,
    after: &'a Node,
    parent: Option<Node>,
}

const STICKY: u32 = 0o1000;
const SETGID: u32 = 0o2000;
const SETUID: u32 = 0o4000;

impl Case<'_> {
    fn decide(&self, who: &Who, home: Owner) -> (Node, Vec<Right>) {
        let mut rights = Vec::new();
        let wanted = self.owner(who.usual(home));
        let is_made = self.unchanged().is_none();
        let owner = if is_made { who.attainable(wanted, self.passed_on()) } else { wanted };
        let (list, group) = self.access(&mut rights);
        // Nobody but its members can make a directory that passes a group on.
        let passable = if is_made && !who.is_in(owner.group) { 0 } else { SETGID };
        let special = self.special(owner.group, passable, &mut rights);
        let mode = self.after.mode & 0o707 | group | special;
        let mut node = Node { mode, owner, attributes: self.others(&mut rights), ..self.after.clone() };
        if let Some(list) = list {
            node.attributes.insert(ACCESS.into(), list.with_mode(mode).write());
        }
        if owner.group != wanted.group {
            rights.push(Right::Group);
            node.close_to_group();
        }
        if owner.user != wanted.user {
            rights.push(Right::Owner);
        }
        (node, rights)
    }

    /// What stood there before, if the very same stands there now.
    fn unchanged(&self) -> Option<&Node> {
        self.before.filter(|before| same_content(&before.content, &self.after.content))
    }

    fn owner(&self, usual: Owner) -> Owner {
        let known = self.before.or(self.origin).map(|node| node.owner);
        known.unwrap_or(Owner { group: self.passed_on().unwrap_or(usual.group), ..usual })
    }

    /// The group that the directory gives to what is made in it.
    fn passed_on(&self) -> Option<u32> {
        self.parent.as_ref().filter(|parent| parent.mode & SETGID != 0).map(|parent| parent.owner.group)
    }

    /// The special bits that are kept. On a file they make it run as somebody else; on a directory they say how others may work
    /// in it.
    fn special(&self, group: u32, passable: u32, rights: &mut Vec<Right>) -> u32 {
        let given = self.after.mode & 0o7000;
        let had = self.unchanged().map_or(0, |before| before.mode);
        let passed_on = if self.after.content == Content::Directory {
            let had = self.origin.map_or(0, |origin| origin.mode & SETGID);
            let passed_on = if self.passed_on() == Some(group) { SETGID } else { 0 };
            STICKY | (had | passed_on) & passable
        } else {
            0
        };
        let kept = given & (had | passed_on);
        for (bit, right) in [(SETUID, Right::Setuid), (SETGID, Right::Setgid), (STICKY, Right::Sticky)] {
            if given & bit & !kept != 0 {
                rights.push(right);
            }
        }
        kept
    }

    /// The list that is kept, and what the mode then has for the group.
    fn access(&self, rights: &mut Vec<Right>) -> (Option<List>, u32) {
        let list = |node: &Node| node.attributes.get(OsStr::new(ACCESS)).and_then(|bytes| List::read(bytes));
        let group = self.after.mode & 0o070;
        let had = self.before.and_then(list);
        let Some(bytes) = self.after.attributes.get(OsStr::new(ACCESS)) else {
            let Some(had) = had else { return (None, group) };
            rights.push(Right::AccessListGone);
            // What the mode had for the group was a bound for everybody on the list. Without one it would open the file to the group.
            return (None, group & (had.group() | self.after.mode & 0o7) << 3);
        };
        let given = List::read(bytes);
        let passed_on = self.passed_on_list().and_then(List::inherited);
        let known = [had.clone(), self.origin.and_then(list), passed_on];
        let is_known = |given: &List| known.iter().flatten().any(|known| known.agrees(given));
        if given.as_ref().is_some_and(is_known) {
            return (given, group);
        }
        rights.push(Right::AccessList);
        match (had, self.before) {
            (Some(had), Some(before)) => (Some(had), before.mode & 0o070),
            _ => (None, given.map_or(0, |given| given.group()) << 3),
        }
    }

    /// The list that the directory gives to what is made in it.
    fn passed_on_list(&self) -> Option<List> {
        List::read(self.parent.as_ref()?.attributes.get(OsStr::new(DEFAULT))?)
    }

    /// All other attributes that are kept.
    fn others(&self, rights: &mut Vec<Right>) -> Attributes {
        let given = &self.after.attributes;
        let is_of_a_user = |name: &OsStr| name.as_encoded_bytes().starts_with(b"user.");
        let mut kept: Attributes = given
            .iter()
            .filter(|(name, _)| is_of_a_user(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let capability = OsStr::new("security.capability");
        let had = self.unchanged().and_then(|before| before.attributes.get(capability));
        match (had, given.get(capability)) {
            (had, Some(value)) if had == Some(value) => drop(kept.insert(capability.into(), value.clone())),
            (_, Some(_)) => rights.push(Right::Capabilities),
            (_, None) => {}
        }
        if let Some(value) = self.default(rights) {
            kept.insert(DEFAULT.into(), value);
        }
        kept
    }

    /// The list for what is made in a directory.
    fn default(&self, rights: &mut Vec<Right>) -> Option<Vec<u8>> {
        let of = |node: &Node| node.attributes.get(OsStr::new(DEFAULT)).cloned();
        let (had, given) = (self.before.and_then(of), of(self.after));
        let known = [had.clone(), self.origin.and_then(of), self.parent.as_ref().and_then(of)];
        match given {
            None if had.is_some() => rights.push(Right::DefaultListGone),
            None => {}
            Some(_) if known.contains(&given) => return given,
            Some(_) => {
                rights.push(Right::DefaultList);
                return had;
            }
        }
        None
    }
}
