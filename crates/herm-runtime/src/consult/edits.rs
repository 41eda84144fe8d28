//! Changes of files that a person wants to see first.

use std::path::{Path, PathBuf};

use herm::call::{Action, Call};
use herm::edit::Edit;
use herm::policy::Policy;
use herm::rules::Rule;
use herm::rules::consult::{EDIT_APPROVAL, EDIT_LEVER, EDIT_OUTSIDE};
use herm::{Finding, Stance};
use herm_sandbox::native::{Workspace, may_be_lever};

use super::finding;
use crate::files;
use crate::held::Held;
use crate::settings;
use crate::setup::Setup;

/// That files are changed, where somebody wants to see that first. Where nobody is asked, it is a note as ever.
pub(crate) fn objections(policy: &Policy, call: &Call) -> Vec<Finding> {
    let Action::Edit(edit) = &call.action else { return Vec::new() };
    if !policy.edit_approval {
        return Vec::new();
    }
    let paths = edit.changes().iter().map(|change| change.path.as_str());
    vec![minded(&EDIT_APPROVAL, policy, &paths.collect::<Vec<_>>(), "")]
}

/// That files are changed which no command behind the boundary could change: those outside the workspace, and those that make others
/// run code. The files are those of the changes, one for one.
pub(crate) fn beyond(setup: &Setup, call: &Call, files: &[Held]) -> Vec<Finding> {
    let Action::Edit(edit) = &call.action else { return Vec::new() };
    let ground = Ground::of(setup);
    let (outside, inside): (Vec<_>, Vec<_>) =
        named(edit, files).partition(|(_, at)| ground.below(at).is_none());
    let levers = inside.into_iter().filter(|(_, at)| ground.is_lever(at)).map(|(name, _)| name);
    let (outside, levers): (Vec<_>, Vec<_>) =
        (outside.into_iter().map(|(name, _)| name).collect(), levers.collect());
    let mut minds = Vec::new();
    if !outside.is_empty() {
        minds.push(minded(&EDIT_OUTSIDE, &setup.policy, &outside, ", outside the workspace"));
    }
    if !levers.is_empty() {
        minds.push(minded(&EDIT_LEVER, &setup.policy, &levers, ", by which others come to run code"));
    }
    minds
}

/// The files of a change, with where they are. What is not held is nowhere.
fn named<'a>(edit: &'a Edit, files: &'a [Held]) -> impl Iterator<Item = (&'a str, &'a Path)> {
    let places = files.iter().map(|held| Path::new(held.path())).chain(std::iter::repeat(Path::new("")));
    edit.changes().iter().map(|change| change.path.as_str()).zip(places)
}

fn minded(rule: &'static Rule, policy: &Policy, paths: &[&str], why: &str) -> Finding {
    let stance = if policy.asks_nobody() { Stance::Note } else { rule.stance };
    let paths: Vec<_> = paths.iter().map(|path| format!("`{path}`")).collect();
    finding(rule, stance, format!("changes {}{why}", paths.join(", ")), rule.instead)
}

/// What commands may change that others see.
struct Ground {
    workspace: Option<Workspace>,
    roots: Vec<PathBuf>,
    home: PathBuf,
}

impl Ground {
    /// Where there is no workspace to confine anything to, there is none to change files in unasked either.
    fn of(setup: &Setup) -> Self {
        let workspace = setup.workspace.clone().or_else(|| setup.workspace_around().ok());
        let root = workspace.as_ref().map(|workspace| workspace.root.clone());
        let writable = settings::paths(&setup.policy.sandbox.writable).filter(|_| root.is_some());
        let roots = root.clone().into_iter().chain(writable).filter_map(|path| files::real(&path)).collect();
        Self { workspace, roots, home: PathBuf::from(setup.home.as_str()) }
    }

    /// Where a file is in what may be changed.
    fn below<'a>(&self, path: &'a Path) -> Option<&'a Path> {
        self.roots.iter().find_map(|root| path.strip_prefix(root).ok())
    }

    fn is_lever(&self, path: &Path) -> bool {
        self.below(path).is_none_or(may_be_lever)
            || self.workspace.as_ref().is_none_or(|workspace| workspace.is_lever(path, &self.home))
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use herm::AbsPath;
    use herm::call::{CallId, Door, Exec, Principal, SessionId};
    use herm::edit::Change;
    use herm_sandbox::native::known_levers;
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

    /// What is minded about files of a project in somebody's home.
    fn minded(place: &Path, paths: &[&str]) -> Vec<(&'static str, String)> {
        let root = place.join("home/project");
        let home = place.join("home").to_str().unwrap().to_owned();
        let guard = Some(place.join("home/.herm"));
        let cwd = Some(root.to_str().unwrap().to_owned());
        let setup = Setup::new(Wishes { cwd, home: Some(home), guard, ..Wishes::default() }).unwrap();
        let held: Vec<_> = paths.iter().map(|path| root.join(path)).collect();
        let held: Vec<_> = held.iter().map(|path| Held::follow(path.to_str().unwrap()).unwrap()).collect();
        let call = call(&format!("patch {}", paths.join(" ")));
        beyond(&setup, &call, &held).into_iter().map(|finding| (finding.rule, finding.reason)).collect()
    }

    fn project() -> (tempfile::TempDir, PathBuf) {
        let place = tempfile::tempdir().unwrap();
        let path = files::real(place.path()).unwrap();
        std::fs::create_dir_all(path.join("home/project/.git/hooks")).unwrap();
        (place, path)
    }

    #[test]
    fn whatever_the_boundary_keeps_from_commands_is_asked_about() {
        let (_place, path) = project();
        for lever in known_levers() {
            for below in [lever.clone(), Path::new("packages/a").join(&lever)] {
                let name = below.to_str().unwrap();
                // A directory is no file to write; what is in it is.
                let is_directory = path.join("home/project").join(name).is_dir();
                let name = if is_directory { format!("{name}/pre-push") } else { name.to_owned() };
                let found = minded(&path, &[&name]);
                assert!(matches!(&found[..], [("edit-lever", _)]), "{name}: {found:?}");
            }
        }
        for example in ["src/main.rs", ".github/workflows/ci.yml", ".gitignore", "docs/config"] {
            assert_eq!(minded(&path, &[example]), [], "{example}");
        }
    }

    #[test]
    fn the_rules_find_their_examples() {
        let (_place, path) = project();
        for rule in [&EDIT_LEVER, &EDIT_OUTSIDE] {
            let is_minded = |example: &str| {
                let (tool, names) = example.split_once(' ').unwrap();
                let names: Vec<_> = names.split(' ').map(|name| name.replace("~/", "../")).collect();
                let names: Vec<_> = names.iter().map(String::as_str).collect();
                tool != "read_file" && minded(&path, &names).iter().any(|(name, _)| *name == rule.name)
            };
            assert!(rule.examples.iter().all(|example| is_minded(example)), "{}", rule.name);
            assert!(!rule.near_misses.iter().any(|miss| is_minded(miss)), "{}", rule.name);
        }
    }

    #[test]
    fn what_lies_elsewhere_is_asked_about_however_it_is_named() {
        let (_place, path) = project();
        std::fs::create_dir_all(path.join("home/bin")).unwrap();
        std::os::unix::fs::symlink(path.join("home/bin"), path.join("home/project/bin")).unwrap();
        for name in ["../bin/ls", "bin/ls", "../../x", "/tmp/other/x"] {
            let found = minded(&path, &["a.txt", name]);
            let [("edit-outside", reason)] = &found[..] else { panic!("{name}: {found:?}") };
            assert!(reason.contains(name) && !reason.contains("a.txt"), "{reason}");
        }
        assert_eq!(minded(&path, &["new/deep/file"]), []);
    }

    #[test]
    fn where_nobody_is_asked_it_is_noted() {
        let quiet = Policy { edit_approval: true, mode: herm::policy::Mode::Off, ..Policy::default() };
        let [finding] = &objections(&quiet, &call("write_file a"))[..] else { panic!("one should object") };
        assert_eq!(finding.stance, Stance::Note);
    }
}
