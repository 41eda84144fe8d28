//! What the store keeps for one session.

use std::time::{Duration, SystemTime};

use herm::approval::{Answer, Denial, Grant, Scope, Terms};
use herm_store::sqlite::consents::Consent;
use herm_store::sqlite::{denials, grants};
use herm_store::{Digest, Error, Store, Timestamp};

use super::{Follows, Memory, words};

/// How long what was said in a session holds; most end earlier.
const SESSION: Duration = Duration::from_hours(24);

/// What the store keeps for one session.
///
/// Where several users share a store, each has sessions of its own: whatever a user calls its session, its name begins
/// with the user's number, which the kernel gave.
#[derive(Debug)]
pub(crate) struct Shelf<'a> {
    store: &'a Store,
    session: String,
    owner: Option<u32>,
}

impl<'a> Shelf<'a> {
    /// A session of the only user.
    pub(crate) fn new(store: &'a Store, session: &str) -> Self {
        Self { store, session: session.to_owned(), owner: None }
    }

    /// A session of one of several users.
    pub(crate) fn of(owner: u32, store: &'a Store, session: &str) -> Self {
        Self { store, session: format!("{owner}/{session}"), owner: Some(owner) }
    }

    /// The name under which the store knows the session.
    pub(crate) fn session(&self) -> &str {
        &self.session
    }

    /// What is remembered. Nothing is made for that: without a store there is nothing.
    pub(crate) fn memory(&self) -> Result<Memory, Error> {
        if !self.store.has_database()? {
            return Ok(Memory::default());
        }
        let now = SystemTime::now();
        let mut grants = self.store.grants()?.for_session(&self.session, now)?;
        if let Some(everywhere) = self.everywhere() {
            let more = self.store.grants()?.for_session(&everywhere, now)?;
            grants.extend(more.into_iter().filter(|grant| grant.terms.session.is_some()));
        }
        let denials = self.store.denials()?.for_session(&self.session)?;
        Ok(Memory {
            grants: grants.into_iter().filter_map(granted).collect(),
            denials: denials.into_iter().map(denied).collect(),
        })
    }

    /// Uses grants up, if all of them are this session's to use.
    pub(crate) fn spend(&self, ids: &[String]) -> bool {
        let now = SystemTime::now();
        let Ok(memory) = self.memory() else { return false };
        let spent = |id: &String| {
            let used = self.store.grants().and_then(|grants| grants.use_once(id, now));
            matches!(used, Ok(grants::Use::Granted))
        };
        let own = |id: &String| memory.grants.iter().any(|grant| grant.id == *id);
        ids.iter().all(own) && ids.iter().all(spent)
    }

    pub(crate) fn late_answer(&self, digest: Digest) -> Option<(Answer, String)> {
        if !self.store.has_database().unwrap_or(true) {
            return None;
        }
        let late = self.store.questions().ok()?.late_yes(digest, &self.session, SystemTime::now()).ok()??;
        Some((late.given.answer, late.given.by))
    }

    pub(crate) fn consented(&self, command: &str, digest: &str) -> Option<bool> {
        if !self.store.has_database().ok()? {
            return None;
        }
        let kept = self.store.consents().ok()?.find(&self.hook(command), Digest::parse(digest)?).ok()??;
        Some(kept.allowed)
    }

    /// Keeps what follows from an answer. A yes for ever of the only user is written into the configuration instead.
    pub(crate) fn keep(&self, answer: Answer, follows: &Follows) -> Result<(), Error> {
        if let Some((command, digest)) = &follows.hook {
            return self.consent(command, digest, answer);
        }
        match answer {
            Answer::Always => {
                let Some(everywhere) = self.everywhere() else { return Ok(()) };
                let entry = |written: &String| self.grant(&Scope::Entry(written.clone()), &everywhere, None);
                follows.always.iter().try_for_each(entry)
            }
            Answer::Deny => follows.denial.as_ref().map_or(Ok(()), |denial| self.deny(denial)),
            // Nothing follows for any other call.
            Answer::Once | Answer::Try => Ok(()),
            Answer::Session => {
                let end = SystemTime::now() + SESSION;
                follows.session.iter().try_for_each(|scope| self.grant(scope, &self.session, Some(end)))
            }
        }
    }

    fn grant(&self, scope: &Scope, session: &str, end: Option<SystemTime>) -> Result<(), Error> {
        let rule = match scope {
            Scope::Entry(written) => rule_of(written),
            Scope::Exact { rule, .. } => rule.clone(),
        };
        let terms = grants::Terms {
            session: Some(session.to_owned()),
            rule,
            scope: words::scope(scope),
            created: SystemTime::now().into(),
            expires: end.map(Timestamp::from),
            uses_left: None,
            note: String::new(),
        };
        self.store.grants()?.add(&terms).map(drop)
    }

    fn deny(&self, denial: &Denial) -> Result<(), Error> {
        self.store.denials()?.add(&denials::Denial {
            session: self.session.clone(),
            rule: String::new(),
            subject: words::denial(denial),
            shown: denial.shown.clone(),
            at: SystemTime::now().into(),
        })
    }

    fn consent(&self, command: &str, digest: &str, answer: Answer) -> Result<(), Error> {
        let Some(sha256) = Digest::parse(digest) else { return Ok(()) };
        let decided = SystemTime::now().into();
        let command = self.hook(command);
        self.store.consents()?.decide(&Consent { command, sha256, decided, allowed: answer.is_yes() })
    }

    /// All sessions of a user. No session is called like that: their names go on after the number.
    fn everywhere(&self) -> Option<String> {
        self.owner.map(|owner| owner.to_string())
    }

    fn hook(&self, command: &str) -> String {
        self.owner.map_or_else(|| command.to_owned(), |owner| format!("{owner}/{command}"))
    }
}

fn rule_of(entry: &str) -> String {
    let rule = entry.split_whitespace().find_map(|word| word.strip_prefix("rule:"));
    rule.unwrap_or_default().to_owned()
}

/// A grant as it was kept; one that cannot be read covers nothing. That it holds in this session is known.
fn granted(kept: grants::Grant) -> Option<Grant> {
    let terms = Terms {
        session: None,
        expires: kept.terms.expires.map(Timestamp::system_time),
        uses: kept.terms.uses_left.map(|uses| u32::try_from(uses).unwrap_or(u32::MAX)),
    };
    Some(Grant { id: kept.id, scope: words::to_scope(&kept.terms.scope)?, terms })
}

fn denied(kept: denials::Denial) -> Denial {
    Denial { shown: kept.shown, ..words::to_denial(&kept.subject) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn yes() -> Follows {
        let entry = "rule:recursive-delete path:/srv/app/build/**".to_owned();
        Follows { session: vec![Scope::Entry(entry.clone())], always: vec![entry], ..Follows::default() }
    }

    fn scratch() -> (tempfile::TempDir, Store) {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(home.path()).unwrap();
        (home, store)
    }

    #[test]
    fn nobody_has_or_spends_what_another_user_was_granted() {
        let (_home, store) = scratch();
        let (ann, bob) = (Shelf::of(6002, &store, "s"), Shelf::of(6003, &store, "s"));
        ann.keep(Answer::Session, &yes()).unwrap();
        let id = ann.memory().unwrap().grants[0].id.clone();
        assert!(bob.memory().unwrap().grants.is_empty());
        assert!(!bob.spend(std::slice::from_ref(&id)));
        assert!(ann.spend(&[id]));
    }

    #[test]
    fn a_user_cannot_name_a_session_into_that_of_another() {
        let (_home, store) = scratch();
        Shelf::of(60, &store, "2/s").keep(Answer::Session, &yes()).unwrap();
        for (uid, session) in [(602, "s"), (60, "2"), (6, "0/2/s"), (2, "s"), (60, "")] {
            assert_eq!(
                Shelf::of(uid, &store, session).memory().unwrap(),
                Memory::default(),
                "{uid} {session}"
            );
        }
    }

    #[test]
    fn for_ever_means_all_sessions_of_one_user() {
        let (_home, store) = scratch();
        Shelf::of(6002, &store, "s").keep(Answer::Always, &yes()).unwrap();
        assert_eq!(Shelf::of(6002, &store, "other").memory().unwrap().grants.len(), 1);
        assert!(Shelf::of(6003, &store, "s").memory().unwrap().grants.is_empty());
    }

    #[test]
    fn a_hook_is_consented_to_by_each_user() {
        let (_home, store) = scratch();
        let digest = Digest::ZERO.to_string();
        Shelf::of(6002, &store, "s").keep(Answer::Once, &Follows::of_hook("h", &digest)).unwrap();
        assert_eq!(Shelf::of(6002, &store, "").consented("h", &digest), Some(true));
        assert_eq!(Shelf::of(6003, &store, "").consented("h", &digest), None);
    }
}
