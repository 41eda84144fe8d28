//! What a yes would cover, said before it is given.

use herm::approval::Scope;
use herm_runtime::asked::Asked;

/// How far the two answers reach that are remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reach {
    /// What *session* covers.
    pub(crate) session: &'static str,
    /// What *always* covers, where that can be said.
    pub(crate) always: Option<&'static str>,
    /// The entries of the allow-list that *always* writes.
    pub(crate) entries: Vec<String>,
}

impl Reach {
    pub(crate) fn of(asked: &Asked) -> Self {
        let follows = &asked.follows;
        if follows.is_hook() {
            return Self { session: HOOK, always: Some(HOOK), entries: Vec::new() };
        }
        let is_exact = |scope: &Scope| matches!(scope, Scope::Exact { .. });
        let exact = follows.session().iter().filter(|scope| is_exact(scope)).count();
        let session = match exact {
            0 => "the same finding again, in any spelling, until the session ends",
            _ if exact == follows.session().len() => "exactly this again, until the session ends",
            _ => {
                "the same findings again, or exactly this where they cannot be described, until the session ends"
            }
        };
        let entries = if asked.always { follows.entries() } else { Vec::new() };
        let always = if entries.len() > 1 { SEVERAL } else { ALWAYS };
        Self { session, always: asked.always.then_some(always), entries }
    }
}

const ALWAYS: &str = "what this entry allows, until `herm grants revoke` takes it back";
const SEVERAL: &str = "what these entries allow, until `herm grants revoke` takes them back";
const HOOK: &str = "this hook may run until it changes";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::words::tests::following;
    use serde_json::json;

    #[test]
    fn an_entry_is_told_once() {
        let reach =
            Reach::of(&following(&json!({ "session": [{ "entry": "x" }], "always": ["rule:a", "rule:a"] })));
        assert_eq!(reach.entries, ["rule:a"]);
        assert!(reach.session.contains("in any spelling") && reach.always == Some(ALWAYS), "{reach:?}");
    }

    #[test]
    fn several_entries_are_several() {
        let reach = Reach::of(&following(&json!({ "always": ["rule:b", "rule:a"] })));
        assert_eq!(reach.entries, ["rule:b", "rule:a"]);
        assert_eq!(reach.always, Some(SEVERAL));
    }

    #[test]
    fn what_cannot_be_described_is_covered_as_it_stands() {
        let exact = json!({ "rule": "r", "action": "00" });
        let reach = Reach::of(&following(&json!({ "session": [exact], "always": [] })));
        assert!(reach.session.starts_with("exactly this again"), "{reach:?}");
        let reach = Reach::of(&following(&json!({ "session": [exact, { "entry": "x" }], "always": [] })));
        assert!(reach.session.contains("or exactly this where"), "{reach:?}");
    }

    #[test]
    fn what_is_not_offered_is_not_told() {
        let mut asked = following(&json!({ "session": [{ "entry": "x" }], "always": ["rule:a"] }));
        asked.always = false;
        let reach = Reach::of(&asked);
        assert!(reach.always.is_none() && reach.entries.is_empty(), "{reach:?}");
    }

    #[test]
    fn a_hook_is_allowed_as_it_is() {
        let reach = Reach::of(&following(&json!({ "hook": ["/opt/fence.sh", "00"] })));
        assert_eq!((reach.session, reach.always), (HOOK, Some(HOOK)));
    }
}
