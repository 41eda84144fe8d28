//! Code that is put where something will run it later: startup files, cron tables.

use super::machine::Machine;
use super::scope::{Origin, Scope};
use crate::effect::Certainty;
use crate::lang::Lang;
use crate::place::{PathTarget, Places};
use crate::span::Span;
use crate::value::{Piece, Value};

impl Machine<'_> {
    /// What is written to a place that runs it is read as code.
    pub(crate) fn written_code(
        &mut self,
        target: &PathTarget,
        content: &Value,
        scope: &Scope,
        invocation: usize,
        span: Span,
    ) {
        if target.places.any(Places::SHELL_STARTUP) {
            self.later(content, scope, invocation, span);
        } else if target.places.any(Places::PERSISTENCE) && target.path.contains("cron") {
            self.scheduled(content, scope, invocation, span);
        } else if target.places.any(Places::PERSISTENCE) {
            self.installed(target, content, scope, invocation, span);
        }
    }

    /// A hook or start script, a unit, a desktop entry.
    fn installed(
        &mut self,
        target: &PathTarget,
        content: &Value,
        scope: &Scope,
        invocation: usize,
        span: Span,
    ) {
        if target.path.contains("/hooks/") || content.known_prefix().starts_with("#!") {
            return self.later(content, scope, invocation, span);
        }
        for line in known_lines(content) {
            if let Some(command) = unit_command(line) {
                self.later(&Value::literal(command), scope, invocation, span);
            }
        }
    }

    /// The commands of a cron table.
    pub(crate) fn scheduled(&mut self, table: &Value, scope: &Scope, invocation: usize, span: Span) {
        for line in known_lines(table) {
            if let Some(command) = command_of(line) {
                self.later(&Value::literal(command), scope, invocation, span);
            }
        }
    }

    fn later(&mut self, content: &Value, scope: &Scope, invocation: usize, span: Span) {
        let known: Vec<&str> = known_lines(content).collect();
        if known.is_empty() || !self.descend() {
            return;
        }
        let mut inner = scope.clone();
        inner.certainty = Certainty::May;
        inner.stdin = None;
        inner.origin = Origin::Within(span);
        inner.within = Some(invocation);
        let _ = self.code(Lang::Shell, &Value::literal(known.join("\n")), &mut inner, invocation);
        self.ascend();
    }
}

fn known_lines(content: &Value) -> impl Iterator<Item = &str> {
    let literals = content.pieces.iter().filter_map(|piece| match piece {
        Piece::Literal(text) => Some(text.as_str()),
        Piece::Glob(_) | Piece::Hole(_) => None,
    });
    literals.flat_map(str::lines).filter(|line| !line.trim().is_empty())
}

/// What stands behind the five fields, or the `@word`, of a cron line.
fn command_of(line: &str) -> Option<&str> {
    let fields = if line.trim_start().starts_with('@') { 1 } else { 5 };
    let mut rest = line.trim_start();
    for _ in 0..fields {
        let (field, after) = rest.split_once(char::is_whitespace)?;
        let is_time = field.starts_with('@')
            || field.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"*/,-".contains(&byte));
        rest = is_time.then(|| after.trim_start())?;
    }
    Some(rest)
}

/// The command that a setting of a unit or desktop entry names.
fn unit_command(line: &str) -> Option<&str> {
    let (name, command) = line.split_once('=')?;
    name.trim().starts_with("Exec").then(|| command.trim_start_matches(['-', '@', '+', '!', ':', ' ']))
}
