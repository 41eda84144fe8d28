//! A yes that is remembered.

use std::time::SystemTime;

use super::Scope;
use crate::call::{Call, SessionId};
use crate::facts::Facts;
use crate::finding::Finding;

/// A yes that is remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Its name.
    pub id: String,
    /// What it covers.
    pub scope: Scope,
    /// On what terms.
    pub terms: Terms,
}

/// For whom, how long and how often a grant holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// The only session that it holds in.
    pub session: Option<SessionId>,
    /// When it ends.
    pub expires: Option<SystemTime>,
    /// How often it may still be used.
    pub uses: Option<u32>,
}

impl Grant {
    /// Whether it answers a finding of this call, whose action has this digest.
    #[must_use]
    pub fn covers(
        &self,
        finding: &Finding,
        call: &Call,
        facts: &Facts,
        action: &str,
        now: SystemTime,
    ) -> bool {
        self.terms.hold(&call.session, now) && self.scope.covers(finding, call, facts, action)
    }
}

impl Terms {
    fn hold(&self, session: &SessionId, now: SystemTime) -> bool {
        self.session.as_ref().is_none_or(|only| only == session)
            && self.expires.is_none_or(|end| now < end)
            && self.uses != Some(0)
    }
}
