//! What is typed into an interpreter: the lines after one that was started with nothing to read.
//!
//! A transcript is not what a shell would run, but it is what someone means who hands it to a terminal.

use super::machine::Machine;
use super::scope::Scope;
use crate::effect::{Effect, Flags, Target, Verb};
use crate::lang::Lang;
use crate::span::Span;
use crate::value::Value;

/// An interpreter that waits for input.
struct Session {
    lang: Lang,
    invocation: usize,
    span: Span,
    scope: Scope,
    text: String,
}

impl Machine<'_> {
    /// Reads the lines after an interpreter that waits for input in its language. It is a second reading, and a guess:
    /// what makes no sense that way is no gap.
    pub(crate) fn type_into(&mut self, scope: &Scope) {
        let Some(mut session) = self.out.effects.iter().find_map(|effect| self.session(effect, scope)) else {
            return;
        };
        let (gaps, notes) = (self.out.gaps.len(), self.out.notes.len());
        let text = Value::literal(session.text);
        let _ = self.code_at(session.lang, &text, &mut session.scope, session.invocation, session.span);
        if !self.spent {
            self.out.gaps.truncate(gaps);
            self.out.notes.truncate(notes);
        }
    }

    /// The lines after the one that an invocation ends.
    fn lines_after(&self, invocation: usize) -> Option<&str> {
        let started = self.out.invocations.get(invocation)?;
        let rest = self.text.get(usize::try_from(started.span.end).ok()?..)?;
        let (line, text) = rest.split_once('\n')?;
        (line.trim().is_empty() && !text.trim().is_empty()).then_some(text)
    }

    fn session(&self, effect: &Effect, scope: &Scope) -> Option<Session> {
        let Target::Code(lang, None) = effect.target else { return None };
        let waits = effect.verb == Verb::Execute && effect.flags.has(Flags::INTERACTIVE);
        let started = self.out.invocations.get(effect.invocation)?;
        if !waits || matches!(lang, Lang::Shell | Lang::Other("console")) {
            return None;
        }
        let text = self.lines_after(effect.invocation)?.to_owned();
        let mut scope = scope.clone();
        scope.realm = effect.realm.clone();
        scope.privileged = effect.privileged;
        scope.hooked = true;
        scope.within = Some(effect.invocation);
        Some(Session { lang, invocation: effect.invocation, span: started.span, scope, text })
    }
}
