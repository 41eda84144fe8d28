//! Code that a shell keeps to run it later: what aliases and keys stand for, prompts, handlers, functions under names that are called
//! anyway.
//!
//! Whoever goes on in the same shell runs it, and so does the next line of an agent's session. It is read with what holds when the
//! text ends, once, as something that may happen.

use super::machine::Machine;
use super::scope::Scope;
use crate::effect::{Certainty, Effect, Target};
use crate::lang::Lang;
use crate::programs;
use crate::span::Span;
use crate::value::Value;

/// Functions that shells call by themselves.
const HANDLERS: &[&str] = &[
    "chpwd",
    "command_not_found_handle",
    "command_not_found_handler",
    "periodic",
    "precmd",
    "preexec",
    "zshaddhistory",
    "zshexit",
];

/// Variables with text in which a shell runs substitutions whenever it prompts or traces.
const PROMPTS: &[&str] = &["PS0", "PS1", "PS2", "PS4"];

/// The variable with what bash runs before it prompts.
const BEFORE_PROMPT: &str = "PROMPT_COMMAND";

/// How a text runs later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Runs {
    /// As code.
    Code,
    /// The substitutions in it.
    Substitutions,
}

impl Machine<'_> {
    /// Keeps code that a builtin has bound to a key, a completion or an environment.
    pub(super) fn bind_code(&mut self, text: Value) {
        if !self.bound.contains(&text) {
            self.bound.push(text);
        }
    }

    /// Takes what a shell has been given before the text for granted.
    pub(super) fn take_bound(&mut self, scope: &Scope) {
        let kept = self.kept(scope);
        self.read_later.extend(kept.into_iter().map(|(runs, text)| (runs, text.shown())));
    }

    /// Reads what the shell would run later.
    pub(super) fn run_bound(&mut self, scope: &Scope) {
        let kept = self.kept(scope);
        for (runs, text) in kept {
            if !self.read_later.insert((runs, text.shown())) || !self.spend(1) || !self.descend() {
                continue;
            }
            let span = Span::new(0, u32::try_from(self.text.len()).unwrap_or(u32::MAX));
            let invocation = self.invocation(scope, "later", "later", &[], &[], span);
            self.describe(invocation, Vec::new());
            let mut inner = Scope { certainty: Certainty::May, hooked: true, stdin: None, ..scope.clone() };
            inner.within = Some(invocation);
            let effects = self.out.effects.len();
            match runs {
                Runs::Code => {
                    let _ = self.code_at(Lang::Shell, &text, &mut inner, invocation, span);
                }
                Runs::Substitutions => {
                    let _ = self.prompt(&text, &mut inner);
                }
            }
            self.ascend();
            self.leave_out_own(effects);
        }
    }

    /// Leaves out what happens to the project: whoever calls an alias for that wants it.
    fn leave_out_own(&mut self, from: usize) {
        let below = format!("{}/", self.setting.cwd.trim_end_matches('/'));
        let is_own = |effect: &Effect| match &effect.target {
            Target::Path(path) => below.len() > 1 && path.path.starts_with(&below),
            Target::Code(..)
            | Target::Environment
            | Target::Host(_)
            | Target::Named(..)
            | Target::None
            | Target::Process(_) => false,
        };
        let found = self.out.effects.split_off(from.min(self.out.effects.len()));
        self.out.effects.extend(found.into_iter().filter(|effect| !is_own(effect)));
    }

    fn kept(&mut self, scope: &Scope) -> Vec<(Runs, Value)> {
        let count = scope.functions.len() + scope.aliases.len();
        self.spend(u32::try_from(count / ENTRIES_PER_UNIT).unwrap_or(u32::MAX));
        let code = |text: Value| (Runs::Code, text);
        let aliases = scope.aliases.values().map(|text| code(Value::literal(&**text)));
        let functions = scope.functions.keys().filter(|name| is_called_anyway(name));
        // With an operand in the project: what is done to that alone is what whoever calls it wants.
        let functions = functions.map(|name| code(Value::literal(format!("{name} ./operand"))));
        let before = scope.variables.get(BEFORE_PROMPT).map(|variable| variable.values.clone());
        let prompts = PROMPTS.iter().filter_map(|name| scope.scalar(name));
        let prompts = prompts.map(|text| (Runs::Substitutions, text.clone()));
        let all = aliases.chain(functions).chain(before.unwrap_or_default().into_iter().map(code));
        all.chain(self.bound.iter().cloned().map(code)).chain(prompts).collect()
    }
}

/// How many definitions are looked through for one unit of work.
const ENTRIES_PER_UNIT: usize = 16;

/// Whether a function has a name that is called without its being meant: that of a handler, a builtin or a program
/// (a single letter is somebody's own).
fn is_called_anyway(name: &str) -> bool {
    HANDLERS.contains(&name)
        || super::builtin::is_builtin(name)
        || name.len() > 1 && programs::find(name).is_some()
}

/// What `bind` has typed where a key is pressed, as far as it ends lines: these run.
pub(super) fn typed_by_key(binding: &str) -> Option<String> {
    let text = binding.trim();
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let ends = ["\\n", "\\r", "\\C-m", "\\C-M", "\\C-j", "\\C-J", "\\015", "\\012"];
    if !ends.iter().any(|end| text.contains(end)) {
        return None;
    }
    Some(ends.iter().fold(text.to_owned(), |text, end| text.replace(end, "\n")))
}

/// Whether a text takes words of earlier lines by what only a shell that keeps a history understands: `!!`, `!:1*`, `^old^new`.
pub(super) fn designates_history(text: &str) -> bool {
    let marks = text.match_indices('!').any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + 1..).and_then(|after| after.chars().next());
        !matches!(before, Some('$' | '[' | '{' | '\\'))
            && after.is_some_and(|after| after.is_ascii_alphanumeric() || "!:$^*?#-".contains(after))
    });
    marks || text.lines().any(|line| line.trim_start().starts_with('^'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_end_a_line_type_a_command() {
        assert_eq!(typed_by_key(r#" "rm -rf /\n""#).as_deref(), Some("rm -rf /\n"));
        assert_eq!(typed_by_key(r#" "echo\C-m""#).as_deref(), Some("echo\n"));
        assert_eq!(typed_by_key(" complete"), None);
    }

    #[test]
    fn designators_of_history_are_told_from_other_marks() {
        for text in ["!!:s/a//", "a\n!:1*", "^a^b", "x !$"] {
            assert!(designates_history(text), "{text}");
        }
        for text in ["! true", "[ a != b ]", "${!x}", "[!a]", "echo hi!"] {
            assert!(!designates_history(text), "{text}");
        }
    }
}
