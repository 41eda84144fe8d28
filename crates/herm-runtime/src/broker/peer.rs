//! Who is at the other end of a connection.

use std::fmt;
use std::io;
use std::os::unix::net::UnixStream;
use std::path::Path;

use rustix::net::sockopt::socket_peercred;
use serde_json::{Value, json};

use crate::ancestry::{Family, Process};
use crate::files;

/// Whose answers count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Approvers {
    /// The users who may answer; without any, the broker's own.
    pub uids: Vec<u32>,
}

/// Who is at the other end of a connection.
#[derive(Clone, Debug)]
pub(super) struct Peer {
    pub(super) uid: u32,
    pub(super) pid: u32,
    family: Family,
}

impl Peer {
    pub(super) fn of(stream: &UnixStream) -> io::Result<Self> {
        let credentials = socket_peercred(stream)?;
        let pid = u32::try_from(credentials.pid.as_raw_nonzero().get()).unwrap_or_default();
        Ok(Self { uid: credentials.uid.as_raw(), pid, family: Family::of(pid) })
    }

    /// The process and those around it, none of which may answer what it asks.
    pub(super) fn household(&self) -> Vec<Process> {
        self.family.household()
    }

    /// Whether a `herm run` stands above it.
    pub(super) fn is_guarded(&self) -> bool {
        self.family.is_guarded()
    }

    /// When it started.
    pub(super) fn started(&self) -> u64 {
        self.household().first().map_or(0, |process| process.started)
    }

    /// How it is written down.
    pub(super) fn name(&self) -> String {
        format!("uid {} pid {}", self.uid, self.pid)
    }

    /// Why it may not answer; nothing when it may.
    pub(super) fn objection(
        &self,
        approvers: &Approvers,
        asker: u32,
        household: &[Process],
    ) -> Option<String> {
        if let Some(why) = approvers.objection(self.uid, asker) {
            return Some(why.to_owned());
        }
        self.family.objection(household).map(|why| format!("this process may not answer: {why}"))
    }
}

impl Approvers {
    /// The users of these names or numbers, as `/etc/passwd` has them.
    ///
    /// # Errors
    /// With the name that nobody has.
    pub fn named(users: &[String]) -> Result<Self, UnknownUser> {
        let known = files::text(Path::new("/etc/passwd")).unwrap_or_default();
        let find = |user: &String| number(user, &known).ok_or_else(|| UnknownUser(user.clone()));
        users.iter().map(find).collect::<Result<_, _>>().map(|uids| Self { uids })
    }

    /// Whether users differ: guard mode.
    #[must_use]
    pub fn guard(&self) -> bool {
        !self.uids.is_empty()
    }

    /// Whether a user may see what others ask.
    pub(super) fn show_all(&self, uid: u32) -> bool {
        !self.guard() || self.uids.contains(&uid)
    }

    /// Why a user may not answer what another asks. Where the users differ, nobody answers for himself.
    fn objection(&self, uid: u32, asker: u32) -> Option<&'static str> {
        let own = rustix::process::getuid().as_raw();
        match self.uids.as_slice() {
            [] if uid == own => None,
            [] => Some("this user may not answer"),
            _ if uid == asker => Some("the user who asks may not answer"),
            uids if uids.contains(&uid) => None,
            _ => Some("this user is not among the approvers"),
        }
    }

    /// Whether whoever asks may answer at the terminal it asks from.
    pub(super) fn trust_terminal_of(&self, asker: u32) -> bool {
        !self.guard() && asker == rustix::process::getuid().as_raw()
    }
}

/// A name that no user of this machine has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownUser(String);

impl fmt::Display for UnknownUser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no user `{}` in `/etc/passwd`", self.0)
    }
}

impl std::error::Error for UnknownUser {}

/// A number stands for itself; a name is looked up. A name of digits alone would be mistaken for a number, by others too.
fn number(user: &str, known: &str) -> Option<u32> {
    let named = |line: &str| {
        let mut fields = line.split(':');
        (fields.next()? == user).then(|| fields.nth(1)?.parse().ok()).flatten()
    };
    user.parse().ok().or_else(|| known.lines().find_map(named))
}

/// A household as it is kept.
pub(super) fn to_json(household: &[Process]) -> Value {
    household.iter().map(|process| json!([process.pid, process.started])).collect()
}

/// A household as it was kept. What cannot be read is nobody.
pub(super) fn from_json(value: &Value) -> Vec<Process> {
    let process = |pair: &Value| {
        let pid = u32::try_from(pair.get(0)?.as_u64()?).ok()?;
        Some(Process { pid, started: pair.get(1)?.as_u64()? })
    };
    value.as_array().into_iter().flatten().filter_map(process).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alone_a_user_answers_for_himself() {
        let own = rustix::process::getuid().as_raw();
        let approvers = Approvers::default();
        assert_eq!(approvers.objection(own, own), None);
        assert!(approvers.objection(own + 1, own).is_some());
    }

    #[test]
    fn among_several_nobody_answers_for_himself() {
        let approvers = Approvers { uids: vec![2001, 2002] };
        assert_eq!(approvers.objection(2001, 3000), None);
        assert!(approvers.objection(2001, 2001).is_some());
        assert!(approvers.objection(3000, 3001).is_some());
    }

    #[test]
    fn what_others_ask_is_shown_to_approvers() {
        let approvers = Approvers { uids: vec![2001] };
        assert!(approvers.show_all(2001) && !approvers.show_all(3000));
        assert!(Approvers::default().show_all(3000));
    }

    #[test]
    fn users_are_found_by_name_and_by_number() {
        let known = "root:x:0:0:root:/root:/bin/sh\nann:x:2001:2001::/home/ann:/bin/sh\n";
        assert_eq!(
            (number("ann", known), number("root", known), number("77", known)),
            (Some(2001), Some(0), Some(77))
        );
        assert_eq!((number("an", known), number("", known), number("-1", known)), (None, None, None));
    }

    #[test]
    fn a_household_is_read_back() {
        let household = [Process { pid: 7, started: 70 }, Process { pid: 8, started: 80 }];
        assert_eq!(from_json(&to_json(&household)), household);
    }
}
