//! Changes of files that a person wants to see first.

use herm::call::{Action, Call};
use herm::policy::Policy;
use herm::rules::consult::EDIT_APPROVAL;
use herm::{Finding, Stance};

use super::finding;

/// That files are changed, where somebody wants to see that first. Where nobody is asked, it is a note as ever.
pub(crate) fn objections(policy: &Policy, call: &Call) -> Vec<Finding> {
    let Action::Edit(edit) = &call.action else { return Vec::new() };
    if !policy.edit_approval {
        return Vec::new();
    }
    let stance = if policy.asks_nobody() { Stance::Note } else { EDIT_APPROVAL.stance };
    let paths: Vec<_> = edit.changes().iter().map(|change| format!("`{}`", change.path)).collect();
    let reason = format!("changes {}", paths.join(", "));
    vec![finding(&EDIT_APPROVAL, stance, reason, EDIT_APPROVAL.instead)]
}

#[cfg(test)]
mod tests {
    use herm::AbsPath;
    use herm::call::{CallId, Door, Exec, Principal, SessionId};
    use herm::edit::{Change, Edit};
    use herm_shell::Lang;

    use super::*;

    /// What a tool is called with, as the examples write it.
    fn call(text: &str) -> Call {
        let mut words = text.split(' ');
        let action = match words.next().unwrap() {
            "write_file" | "patch" => {
                let change =
                    |path: &str| Change { path: path.to_owned(), before: None, after: Some(Vec::new()) };
                Action::Edit(Edit::new(words.map(change).collect(), text.to_owned()))
            }
            "read_file" => Action::Read(words.collect()),
            _ => Action::Exec(Exec::new(text, Lang::Shell)),
        };
        Call {
            id: CallId::default(),
            door: Door::Mcp,
            principal: Principal { name: None, home: AbsPath::root() },
            session: SessionId::default(),
            cwd: AbsPath::root(),
            action,
        }
    }

    #[test]
    fn every_change_is_shown_where_that_is_wanted_and_nothing_else_is() {
        let wanted = Policy { edit_approval: true, ..Policy::default() };
        for example in EDIT_APPROVAL.examples {
            assert_eq!(objections(&wanted, &call(example)).len(), 1, "{example}");
            assert!(objections(&Policy::default(), &call(example)).is_empty(), "{example}");
        }
        for miss in EDIT_APPROVAL.near_misses {
            assert!(objections(&wanted, &call(miss)).is_empty(), "{miss}");
        }
    }

    #[test]
    fn where_nobody_is_asked_it_is_noted() {
        let quiet = Policy { edit_approval: true, mode: herm::policy::Mode::Off, ..Policy::default() };
        let [finding] = &objections(&quiet, &call("write_file a"))[..] else { panic!("one should object") };
        assert_eq!(finding.stance, Stance::Note);
    }
}
