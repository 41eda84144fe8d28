//! What a session remembers: grants, denials, late answers.

use std::cell::RefCell;
use std::fmt::Display;
use std::time::{Duration, SystemTime};

use herm::approval::{Answer, Deed, Denial, Grant, Scope, Terms};
use herm::call::{Call, SessionId};
use herm_store::sqlite::{denials, grants};
use herm_store::{Digest, Error, Store};
use serde_json::{Value, json};

use crate::broker;

/// How long what was said in a session holds; most end earlier.
const SESSION: Duration = Duration::from_hours(24);

/// What a session remembers.
#[derive(Debug)]
pub(crate) struct Memory<'a> {
    store: &'a Store,
    session: SessionId,
    pub(crate) grants: Vec<Grant>,
    pub(crate) denials: Vec<Denial>,
    failures: RefCell<Vec<String>>,
}

impl<'a> Memory<'a> {
    /// What is remembered of the session of a call. Nothing is made for that: without a store there is nothing.
    pub(crate) fn of(store: &'a Store, call: &Call) -> Result<Self, Error> {
        let session = call.session.clone();
        let failures = RefCell::default();
        if !store.has_database()? {
            return Ok(Self { store, session, grants: Vec::new(), denials: Vec::new(), failures });
        }
        let grants = store.grants()?.for_session(&session.0, SystemTime::now())?;
        let denials = store.denials()?.for_session(&session.0)?;
        Ok(Self {
            store,
            session,
            grants: grants.into_iter().filter_map(granted).collect(),
            denials: denials.into_iter().map(|denial| denied(&denial.subject, &denial.shown)).collect(),
            failures,
        })
    }

    /// Uses grants up. A grant that others have used up meanwhile answers nothing.
    pub(crate) fn spend(&self, grants: &[String], now: SystemTime) -> bool {
        let spent = |id: &String| {
            let used = self.store.grants().and_then(|grants| grants.use_once(id, now));
            matches!(used, Ok(grants::Use::Granted))
        };
        grants.iter().all(spent)
    }

    /// Remembers a yes for the rest of the session.
    pub(crate) fn grant(&self, scope: &Scope) -> Result<(), Error> {
        let now = SystemTime::now();
        let (rule, scope) = match scope {
            Scope::Entry(written) => (rule_of(written), json!({ "entry": written })),
            Scope::Exact { rule, action } => (rule.clone(), json!({ "rule": rule, "action": action })),
        };
        let terms = grants::Terms {
            session: Some(self.session.0.clone()),
            rule,
            scope,
            created: now.into(),
            expires: Some((now + SESSION).into()),
            uses_left: None,
            note: String::new(),
        };
        self.store.grants()?.add(&terms).map(drop)
    }

    /// Remembers a no for the rest of the session.
    pub(crate) fn deny(&self, denial: &Denial) -> Result<(), Error> {
        let deed = |deed: &Deed| {
            let (kind, name) = deed.thing.words();
            json!({ "verb": deed.verb_word(), "kind": kind, "name": name, "realm": deed.realm })
        };
        let deeds: Vec<_> = denial.deeds.iter().map(deed).collect();
        let subject = json!({ "deeds": deeds, "action": denial.action });
        self.store.denials()?.add(&denials::Denial {
            session: self.session.0.clone(),
            rule: String::new(),
            subject,
            shown: denial.shown.clone(),
            at: SystemTime::now().into(),
        })
    }

    /// An answer that came too late for the same question, and that nobody has used.
    pub(crate) fn late_answer(&self, digest: Digest) -> Option<(Answer, String)> {
        if !self.store.has_database().unwrap_or(true) {
            return None;
        }
        let questions = self.store.questions().ok()?;
        let late = questions.late_yes(digest, &self.session.0, SystemTime::now()).ok()??;
        Some((broker::answer(late.given.answer), late.given.by))
    }

    /// Keeps a failure to remember for whoever wants to tell.
    pub(crate) fn attempt<E: Display>(&self, done: Result<(), E>) {
        if let Err(error) = done {
            self.failures.borrow_mut().push(error.to_string());
        }
    }

    /// What could not be remembered.
    pub(crate) fn failures(&self) -> Vec<String> {
        self.failures.borrow().clone()
    }
}

fn rule_of(entry: &str) -> String {
    let rule = entry.split_whitespace().find_map(|word| word.strip_prefix("rule:"));
    rule.unwrap_or_default().to_owned()
}

/// A grant as it was kept; one that cannot be read covers nothing.
fn granted(kept: grants::Grant) -> Option<Grant> {
    let text = |key: &str| kept.terms.scope.get(key)?.as_str().map(str::to_owned);
    let scope = match text("entry") {
        Some(written) => Scope::Entry(written),
        None => Scope::Exact { rule: text("rule")?, action: text("action")? },
    };
    let terms = Terms {
        session: kept.terms.session.map(SessionId),
        expires: kept.terms.expires.map(herm_store::Timestamp::system_time),
        uses: kept.terms.uses_left.map(|uses| u32::try_from(uses).unwrap_or(u32::MAX)),
    };
    Some(Grant { id: kept.id, scope, terms })
}

/// A denial as it was kept. A deed that cannot be read is left out; the exact action is still refused.
fn denied(subject: &Value, shown: &str) -> Denial {
    let text =
        |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let deed = |value: &Value| {
        Deed::from_words(
            &text(value, "verb"),
            &text(value, "kind"),
            &text(value, "name"),
            &text(value, "realm"),
        )
    };
    let deeds =
        subject.get("deeds").and_then(Value::as_array).into_iter().flatten().filter_map(deed).collect();
    Denial { deeds, action: text(subject, "action"), shown: shown.to_owned() }
}
