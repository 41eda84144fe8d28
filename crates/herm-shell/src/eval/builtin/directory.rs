//! `cd`, `pushd`, `popd` and `pwd`.

use std::rc::Rc;

use super::super::machine::Machine;
use super::super::scope::{Entered, Outcome, Scope, Status};
use crate::place::{self, Extent};
use crate::programs::arguments::Argument;
use crate::span::Span;
use crate::value::{Provenance, Value};
use crate::world::Standing;

/// Where the directories are kept that `pushd` left.
const PUSHED: &str = "DIRSTACK";

impl Machine<'_> {
    pub(super) fn change_directory(
        &mut self,
        name: &str,
        arguments: &[Argument],
        scope: Scope,
        span: Span,
    ) -> Vec<Outcome> {
        self.record(name, arguments, &scope, span);
        let operand = arguments
            .iter()
            .map(|argument| &argument.value)
            .find(|value| !value.known_prefix().starts_with('-'));
        let back = arguments.iter().any(|argument| argument.value.known().as_deref() == Some("-"));
        let to = match operand {
            Some(to) => Some(to.clone()),
            None if back => scope.scalar("OLDPWD").filter(|before| before.known().is_some()).cloned(),
            None if arguments.is_empty() => self.lookup("HOME", &scope).into_iter().next(),
            None => None,
        };
        let before = self.lookup("PWD", &scope).into_iter().next().unwrap_or_default();
        let mut left = scope.clone();
        if name == "pushd" {
            left.variable(PUSHED).values.push(before.clone());
        }
        let mut moved = left.clone();
        moved.enter(to.as_ref().and_then(|to| self.by_names(to, &scope)));
        let physical = to.as_ref().and_then(|to| self.by_links(to, &scope));
        let physical = physical.filter(|there| moved.directory.as_ref() != Some(&there.real));
        if moved.directory == scope.directory && physical.is_none() {
            return vec![Outcome::of(moved, Status::Either)];
        }
        let mut ways = vec![moved];
        ways.extend(physical.map(|there| {
            let mut moved = left;
            moved.enter(Some(there));
            moved
        }));
        for way in &mut ways {
            let here = match way.named_directory() {
                Some(directory) => Value::literal(directory.as_ref()),
                None => Value::unknown("$PWD", Provenance::NONE),
            };
            way.set("PWD", here);
            way.set("OLDPWD", before.clone());
        }
        ways.extend(operand.map(|to| self.searched(to, &scope)).unwrap_or_default());
        let mut outcomes: Vec<_> =
            ways.into_iter().map(|scope| Outcome::of(scope, Status::Success)).collect();
        if !operand.is_some_and(|to| self.surely_goes(to, &scope)) {
            outcomes.push(Outcome::of(scope, Status::Failure));
        }
        outcomes
    }

    /// Whether a directory is there to be entered. Of a project that cannot be looked at, every directory is that a text goes down to.
    fn surely_goes(&self, to: &Value, scope: &Scope) -> bool {
        let Some(name) = to.known() else { return false };
        let Some(here) = scope.directory.as_deref() else { return false };
        let goes_down = !name.starts_with(['/', '~', '-'])
            && name.split('/').all(|part| !matches!(part, "" | "." | ".."));
        if !goes_down || self.files.has_links() {
            return false;
        }
        let standing = |path: &str| self.setting.world.standing(path);
        match standing(&format!("{}/{name}", here.trim_end_matches('/'))) {
            Some(Standing::Directory) => true,
            Some(Standing::Absent) => {
                standing(self.setting.cwd) == Some(Standing::Absent) && here == self.setting.cwd
            }
            Some(Standing::File | Standing::Link | Standing::Other) | None => false,
        }
    }

    /// Where `cd` goes: it reduces `..` by the names, and follows links then.
    fn by_names(&self, to: &Value, scope: &Scope) -> Option<Entered> {
        let here = scope.named_directory().map(AsRef::as_ref);
        let named = place::resolve(to, here, self.setting.home);
        if named.extent != Extent::Exact {
            return None;
        }
        let real = self.directory(&Value::literal(named.path.as_str()), scope)?;
        Some(Entered { real, named: Rc::from(named.path) })
    }

    /// Where `cd -P` goes, and a shell that was told to: as the kernel does.
    fn by_links(&self, to: &Value, scope: &Scope) -> Option<Entered> {
        let real = self.directory(to, scope)?;
        Some(Entered { named: Rc::clone(&real), real })
    }

    /// Where `CDPATH` may lead.
    fn searched(&self, to: &Value, scope: &Scope) -> Vec<Scope> {
        let path = scope.scalar("CDPATH").and_then(Value::known);
        let Some(path) = path.filter(|_| !to.known_prefix().starts_with(['/', '.'])) else {
            return Vec::new();
        };
        let directories = path.split(':').filter(|directory| !directory.is_empty()).take(4);
        let mut scopes = Vec::new();
        for directory in directories {
            let mut full = Value::literal(format!("{directory}/"));
            full.push(to);
            scopes.push(Scope { directory: self.directory(&full, scope), ..scope.clone() });
        }
        scopes
    }

    pub(super) fn print_directory(&mut self, scope: Scope, span: Span) -> Vec<Outcome> {
        self.record("pwd", &[], &scope, span);
        let output = match scope.named_directory() {
            Some(directory) => Value::literal(format!("{directory}\n")),
            None => Value::unknown("$PWD", Provenance::NONE),
        };
        vec![Outcome { scope, output, status: Status::Success, leaves: None }]
    }

    /// Goes to the directory that `pushd` left last.
    pub(super) fn pop_directory(&self, mut scope: Scope) -> Vec<Outcome> {
        let left = scope.variable(PUSHED).values.pop();
        let entered =
            left.filter(|left| left.known().is_some()).and_then(|left| self.by_names(&left, &scope));
        scope.enter(entered);
        vec![Outcome::of(scope, Status::Either)]
    }
}
