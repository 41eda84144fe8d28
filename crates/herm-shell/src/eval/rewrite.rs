//! What a file holds once it was written to, and perhaps held something before: the new content, both, or what cannot be known.

use super::machine::Machine;
use super::paths::{Actor, either_way};
use super::scope::Scope;
use super::step::Step;
use crate::effect::{Certainty, Effect, Flags, Target, Verb};
use crate::filters::{self, Speaker};
use crate::place::Extent;
use crate::value::{Provenance, Value};

/// How many pairs of lines an edit is tried on: more than the heads that edits take away.
const LINES: usize = 128;
/// The longest edit that is tried.
const LONGEST_NAMED: usize = 128;

impl Machine<'_> {
    /// Remembers what is written to a file.
    pub(super) fn hold(
        &mut self,
        path: &str,
        content: &Value,
        flags: Flags,
        scope: &Scope,
        actor: Actor<'_>,
    ) {
        let Some(before) = self.files.content(path).cloned() else {
            return self.files.write(path, content.clone());
        };
        let may = scope.certainty == Certainty::May
            || is_kept(flags, scope, actor)
            || self.spares(actor)
            || self.is_guarded(path);
        match (flags.has(Flags::APPEND), flags.has(Flags::IN_PLACE)) {
            (true, _) if may => self.files.perhaps_append(path, content),
            (true, _) => self.files.append(path, content),
            (false, true) => self.files.write(path, overwritten(&before, content, path)),
            (false, false) if actor.by != ">" && is_computed(content) && !before.has_hole() => {
                self.files.write(path, either_way(&before, path));
            }
            (false, false) if may => self.files.perhaps_write(path, content),
            (false, false) => self.files.write(path, content.clone()),
        }
    }
}

impl Machine<'_> {
    /// Whether a copy was told to leave alone what is there: `cp -n`, `mv -u`.
    fn spares(&self, actor: Actor<'_>) -> bool {
        let run = self
            .out
            .invocations
            .get(actor.invocation)
            .filter(|_| matches!(actor.by, "cp" | "install" | "mv"));
        run.is_some_and(|run| {
            run.arguments.iter().map(Value::known_prefix).any(|word| match word.strip_prefix('-') {
                Some(long) if long.starts_with('-') => {
                    ["-no-clobber", "-update", "-interactive"].iter().any(|name| long.starts_with(name))
                }
                Some(letters) => letters.contains(['i', 'n', 'u']),
                None => false,
            })
        })
    }

    /// Whether the text changed who may write to a file.
    fn is_guarded(&self, path: &str) -> bool {
        let guards = |effect: &Effect| {
            matches!(effect.verb, Verb::ChangeMode | Verb::ChangeOwner)
                && matches!(&effect.target, Target::Path(target) if target.path == path)
        };
        self.out.effects.iter().any(guards)
    }
}

/// Whether a shell was told not to write over files that are there: `set -C`.
fn is_kept(flags: Flags, scope: &Scope, actor: Actor<'_>) -> bool {
    let options = || scope.scalar("SHELLOPTS").map(Value::shown).unwrap_or_default();
    actor.by == ">" && flags.has(Flags::TRUNCATE) && options().contains("noclobber")
}

/// A file whose beginning is written over: `dd conv=notrunc`.
fn overwritten(before: &Value, content: &Value, path: &str) -> Value {
    let (Some(old), Some(new)) = (before.known(), content.known()) else { return either_way(before, path) };
    let rest = old.get(new.len()..).unwrap_or_default();
    Value::literal(format!("{new}{rest}")).from(before.provenance | content.provenance)
}

/// Whether a text is all that is known of what a program writes, and came from nowhere else.
fn is_computed(content: &Value) -> bool {
    content.files().is_some()
        && !content.provenance.any(Provenance::NETWORK | Provenance::DECODED | Provenance::SECRET)
}

impl Step<'_, '_> {
    /// A filter edits a file in place: what it prints of the file is what stands there then.
    pub(super) fn edited(&mut self, file: &Value, words: &[Value]) {
        let target = self.machine.target(file, &self.scope);
        let Some(before) =
            self.machine.files.content(&target.path).filter(|_| target.extent == Extent::Exact)
        else {
            return;
        };
        let before = before.clone();
        let words: Vec<Value> = words.iter().chain([file]).cloned().collect();
        let mut read = |_: &Value| before.clone();
        let fuel = &self.machine.fuel;
        let after = filters::compute(Speaker::Program, &self.by, &words, &Value::default(), &mut read, fuel);
        let after = after.unwrap_or_else(|| either_way(&before, &target.path));
        self.machine.files.write(&target.path, after);
    }

    /// Whether an edit leaves nothing but blanks of a file, whatever it holds: of many lines, all that the edit names among them,
    /// it keeps none.
    pub(super) fn leaves_nothing(&self, words: &[Value]) -> bool {
        let named = Value::joined(words, " ").shown();
        if words.is_empty() || named.len() > LONGEST_NAMED {
            return false;
        }
        let lines =
            (0..LINES).flat_map(|line| [format!("{line} {named}"), format!("\tx = \"{line}\"; // y")]);
        let text = lines.collect::<Vec<_>>().join("\n") + "\n";
        let input = Value::literal(text);
        let file = Value::literal("file");
        let words: Vec<Value> = words.iter().chain([&file]).cloned().collect();
        let mut read = |_: &Value| input.clone();
        let fuel = &self.machine.fuel;
        let left = filters::compute(Speaker::Program, &self.by, &words, &Value::default(), &mut read, fuel);
        left.is_some_and(|left| left.known().is_some_and(|text| text.trim().is_empty()))
    }

    /// A file that a program edits is not known any more, unless what the program makes of it is.
    pub(super) fn forget_content(&mut self, verb: Verb, path: &str, flags: Flags) {
        if verb != Verb::Write || !flags.has(Flags::IN_PLACE) {
            return;
        }
        if let Some(before) = self.machine.files.content(path).cloned() {
            self.machine.files.write(path, either_way(&before, path));
        }
    }
}
