//! Changes of files that a person wants to see first.

use std::path::Path;

use herm::call::{Action, Call};
use herm::rules::consult::EDIT_APPROVAL;
use herm::{Finding, Stance};
use herm_sandbox::native::{Failure, Workspace};

use super::finding;
use crate::held::Held;
use crate::perform::Hands;
use crate::setup::Setup;

/// What is to be said about a change of files: that it is one, where somebody wants to see that first, and that it would make others run
/// code, which commands in the sandbox cannot do either. Where nobody is asked, it is a note as ever.
pub(crate) fn objections(setup: &Setup, call: &Call, hands: &Hands<'_>) -> Vec<Finding> {
    let Action::Edit(edit) = &call.action else { return Vec::new() };
    let files = if let Hands::Files(files) = hands { *files } else { &[] };
    let stance = if setup.policy.asks_nobody() { Stance::Note } else { EDIT_APPROVAL.stance };
    let object = |reason: String| finding(&EDIT_APPROVAL, stance, reason, EDIT_APPROVAL.instead);
    let changed = setup.policy.edit_approval.then(|| {
        let paths: Vec<_> = edit.changes().iter().map(|change| format!("`{}`", change.path)).collect();
        object(format!("changes {}", paths.join(", ")))
    });
    let levers = edit.changes().iter().zip(files).filter(|(_, held)| makes_others_run_code(setup, held));
    let levers = levers.map(|(change, _)| {
        object(format!("changes `{}`, by which other programs can be made to run code", change.path))
    });
    changed.into_iter().chain(levers).collect()
}

/// Whether a file decides what git, editors or agents run in the workspace that it belongs to.
fn makes_others_run_code(setup: &Setup, held: &Held) -> bool {
    let home = Path::new(setup.home.as_str());
    [setup.cwd.as_str().as_ref(), held.directory()].into_iter().any(|place| {
        match Workspace::around(place, home) {
            Ok(workspace) => workspace.holds_lever(Path::new(held.path()), home),
            // What cannot be looked through may be anything; what is no workspace is the judge's matter alone.
            Err(failure) => !matches!(failure, Failure::TooWide(_)),
        }
    })
}

#[cfg(test)]
mod tests {
    use herm::AbsPath;
    use herm::call::{CallId, Door, Exec, Principal, SessionId};
    use herm::edit::{Change, Edit};
    use herm_shell::Lang;

    use super::*;
    use crate::setup::Wishes;

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

    /// Where nothing is but what a test makes.
    fn setup(place: &Path) -> Setup {
        let text = |path: &Path| Some(path.to_str().unwrap().to_owned());
        let guard = Some(place.join("guard"));
        let wishes = Wishes {
            home: text(&place.join("home")),
            cwd: text(&place.join("work")),
            guard,
            ..Wishes::default()
        };
        Setup::new(wishes).unwrap()
    }

    #[test]
    fn every_change_is_shown_where_that_is_wanted_and_nothing_else_is() {
        let place = tempfile::tempdir().unwrap();
        let unwanted = setup(place.path());
        let mut wanted = unwanted.clone();
        wanted.policy.edit_approval = true;
        for example in EDIT_APPROVAL.examples {
            assert_eq!(objections(&wanted, &call(example), &Hands::Files(&[])).len(), 1, "{example}");
            assert!(objections(&unwanted, &call(example), &Hands::Files(&[])).is_empty(), "{example}");
        }
        for miss in EDIT_APPROVAL.near_misses {
            assert!(objections(&wanted, &call(miss), &Hands::Files(&[])).is_empty(), "{miss}");
        }
    }

    #[test]
    fn where_nobody_is_asked_it_is_noted() {
        let place = tempfile::tempdir().unwrap();
        let mut quiet = setup(place.path());
        (quiet.policy.edit_approval, quiet.policy.mode) = (true, herm::policy::Mode::Off);
        let [finding] = &objections(&quiet, &call("write_file a"), &Hands::Files(&[]))[..] else {
            panic!("one should object")
        };
        assert_eq!(finding.stance, Stance::Note);
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "tests make their own files")]
    fn what_would_make_others_run_code_is_shown_in_any_case() {
        let place = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(place.path()).unwrap();
        for directory in ["home", "work/.git", "work/src", "other/.git"] {
            std::fs::create_dir_all(root.join(directory)).unwrap();
        }
        std::fs::write(root.join("work/.git/config"), "[core]\n\thooksPath = .husky\n").unwrap();
        let setup = setup(&root);
        let minded = |path: &str| {
            let held = [Held::follow(root.join(path).to_str().unwrap()).unwrap()];
            objections(&setup, &call(&format!("write_file {path}")), &Hands::Files(&held)).len()
        };
        for lever in
            [".git/config", ".git/hooks/pre-commit", ".vscode/tasks.json", ".husky/pre-commit", ".mcp.json"]
        {
            assert_eq!(minded(&format!("work/{lever}")), 1, "{lever}");
        }
        assert_eq!(minded("other/.git/config"), 1);
        for path in ["work/src/main.rs", "work/src/.vscode", "work/package.json", "other/readme"] {
            assert_eq!(minded(path), 0, "{path}");
        }
    }
}
