//! Words that may not be there: what nothing has set vanishes where it is not quoted, and the words behind it move up.

use super::call::plain_name;
use super::machine::Machine;
use super::scope::{Outcome, Scope};
use crate::effect::{Certainty, Effect};
use crate::gap::{Gap, Position, Reason};
use crate::programs;
use crate::programs::arguments::{self, Argument, Parsed};
use crate::programs::schema::{Operands, Program, Role};
use crate::span::Span;
use crate::value::{Piece, Value};

/// How many words of a command may vanish so that all combinations are judged. Of more, each one and all of them are.
const FEW: usize = 4;

/// Builtins that say what they are given, or look at it: nothing follows from where a word stands.
const PLAIN: &[&str] = &["[", "echo", "printf", "read", "return", "test", "wait"];

/// A command as it would be without some of its words.
struct Shorter {
    argv: Vec<Argument>,
    /// Whether the word that names the program is among those that are gone.
    renamed: bool,
}

impl Machine<'_> {
    /// Runs a command given as words, and all that it would be if words of it that may not be there are not.
    pub(crate) fn call(
        &mut self,
        argv: Vec<Argument>,
        environment: Vec<(String, Value)>,
        scope: Scope,
        span: Span,
    ) -> Vec<Outcome> {
        let shorter = self.shorter(&argv, &scope, span);
        if shorter.is_empty() {
            return self.call_words(argv, environment, scope, span);
        }
        let certainty = scope.certainty;
        let effects = self.out.effects.len();
        let mut outcomes = self.call_words(argv, environment.clone(), scope.clone(), span);
        for way in shorter {
            let inner = Scope { certainty: Certainty::May, ..scope.clone() };
            if way.renamed || Self::acts_here(&way.argv, &inner) {
                outcomes.extend(self.call_words(way.argv, environment.clone(), inner, span));
            } else {
                self.judge_apart(effects, way.argv, &environment, inner, span);
            }
        }
        for outcome in &mut outcomes {
            outcome.scope.certainty = certainty;
        }
        self.merge(outcomes)
    }

    /// The other ways that a command may be, as far as they mean something else.
    fn shorter(&mut self, argv: &[Argument], scope: &Scope, span: Span) -> Vec<Shorter> {
        let last = argv.iter().rposition(|argument| !self.may_vanish(argument)).unwrap_or_default();
        let doubtful: Vec<usize> =
            (0..last).filter(|at| argv.get(*at).is_some_and(|word| self.may_vanish(word))).collect();
        if doubtful.is_empty() {
            return Vec::new();
        }
        let mut ways = Vec::new();
        let mut unlike = false;
        for gone in combinations(&doubtful) {
            if !self.spend(u32::try_from(argv.len()).unwrap_or(u32::MAX)) {
                break;
            }
            let kept = argv.iter().enumerate().filter(|(at, _)| !gone.contains(at));
            let words: Vec<Argument> = kept.map(|(_, argument)| argument.clone()).collect();
            let renamed = gone.first() == Some(&0);
            let means_more =
                if renamed { names_program(&words) } else { Self::reads_otherwise(argv, &words, scope) };
            if means_more {
                unlike |= !renamed;
                ways.push(Shorter { argv: words, renamed });
            }
        }
        if unlike && doubtful.len() > FEW {
            let shown = Value::joined(argv.iter().map(|argument| &argument.value), " ").shown();
            self.push_gap(Gap { position: Position::Code, reason: Reason::Fuel, shown, span });
        }
        ways
    }

    /// Whether a word may not be there.
    fn may_vanish(&self, word: &Argument) -> bool {
        may_vanish(&word.value)
            || self.optional.iter().any(|(span, value)| *span == word.span && *value == word.value)
    }

    /// Whether what a command names runs in this shell, so that what comes behind it depends on it.
    fn acts_here(argv: &[Argument], scope: &Scope) -> bool {
        let name = argv.first().and_then(|first| first.value.known());
        name.is_some_and(|name| {
            scope.functions.contains_key(&*name) || programs::find(plain_name(&name)).is_none()
        })
    }

    /// Whether a command means something else without words that only look like operands.
    fn reads_otherwise(argv: &[Argument], shorter: &[Argument], scope: &Scope) -> bool {
        let (Some((first, all)), Some((_, rest))) = (argv.split_first(), shorter.split_first()) else {
            return false;
        };
        let Some(name) = first.value.known() else { return false };
        if scope.functions.contains_key(&*name) {
            return true;
        }
        let plain = plain_name(&name);
        if PLAIN.contains(&plain) {
            return false;
        }
        let Some(program) = programs::find(plain) else { return super::builtin::is_builtin(plain) };
        let (before, chain) = arguments::parse(program, plain, all);
        let (after, other) = arguments::parse(program, plain, rest);
        let is_same = |one: &[&'static Program]| {
            one.len() == other.len() && one.iter().zip(&other).all(|(one, other)| std::ptr::eq(*one, *other))
        };
        !is_same(&chain)
            || !has_same_options(&before, &after)
            || other.last().is_some_and(|program| counts_operands(program))
    }

    /// Says what a command would do besides what is known of it. It leaves nothing behind: what it is given may be there.
    fn judge_apart(
        &mut self,
        known: usize,
        argv: Vec<Argument>,
        environment: &[(String, Value)],
        scope: Scope,
        span: Span,
    ) {
        if !self.spend_bytes(self.files.size()) {
            return;
        }
        let (files, streams) = (self.files.clone(), self.streams.clone());
        let (imported, shape) = (self.imported.clone(), *self.shape());
        let (traps, listeners) = (self.traps.len(), self.listeners.len());
        let (effects, gaps) = (self.out.effects.len(), self.out.gaps.len());
        let (invocations, notes, uses) =
            (self.out.invocations.len(), self.out.notes.len(), self.out.uses.len());
        let _ = self.call_words(argv, environment.to_vec(), scope, span);
        (self.files, self.streams, self.imported) = (files, streams, imported);
        *self.shape() = shape;
        self.traps.truncate(traps);
        self.listeners.truncate(listeners);
        let found = self.out.effects.split_off(effects.min(self.out.effects.len()));
        let told = self.out.effects.get(known..).unwrap_or_default();
        let new: Vec<Effect> =
            found.into_iter().filter(|effect| !told.iter().any(|other| is_alike(other, effect))).collect();
        self.out.notes.truncate(notes);
        if new.is_empty() && self.out.gaps.len() == gaps {
            self.out.invocations.truncate(invocations);
            self.out.uses.truncate(uses);
        }
        self.out.effects.extend(new);
    }
}

/// Whether a word is gone where nothing has set what it is made of.
pub(super) fn may_vanish(value: &Value) -> bool {
    let vanishes = |piece: &Piece| matches!(piece, Piece::Hole(hole) if hole.may_be_empty && hole.may_split);
    !value.pieces.is_empty() && value.pieces.iter().all(vanishes)
}

/// The sets of words that may be gone at once: all of them where they are few.
fn combinations(doubtful: &[usize]) -> Vec<Vec<usize>> {
    if doubtful.len() > FEW {
        let each = doubtful.iter().map(|at| vec![*at]);
        return std::iter::once(doubtful.to_vec()).chain(each).collect();
    }
    let mut sets = vec![Vec::new()];
    for at in doubtful {
        let longer: Vec<Vec<usize>> =
            sets.iter().map(|set: &Vec<usize>| set.iter().copied().chain([*at]).collect()).collect();
        sets.extend(longer);
    }
    sets.retain(|set| !set.is_empty());
    sets
}

/// Whether words begin with what may be the name of a program.
fn names_program(argv: &[Argument]) -> bool {
    argv.first()
        .is_some_and(|first| !may_vanish(&first.value) && !first.value.known_prefix().starts_with('-'))
}

fn has_same_options(one: &Parsed<'_>, other: &Parsed<'_>) -> bool {
    one.taken == other.taken
        && one.stopped == other.stopped
        && one.options.len() == other.options.len()
        && one
            .options
            .iter()
            .zip(&other.options)
            .all(|(one, other)| one.name == other.name && one.values == other.values)
}

/// Whether it matters to a program where an operand stands.
fn counts_operands(program: &Program) -> bool {
    match program.operands {
        Operands::Each(_) | Operands::LastIs(..) => true,
        Operands::Rest(Role::Argv) => false,
        Operands::None | Operands::Rest(_) => program.refine.is_some(),
    }
}

/// Whether two effects are the same, whatever has them.
fn is_alike(one: &Effect, other: &Effect) -> bool {
    one.verb == other.verb
        && one.target == other.target
        && one.flags == other.flags
        && one.realm == other.realm
        && one.provenance == other.provenance
        && one.privileged == other.privileged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_words_are_left_out_in_every_combination() {
        assert_eq!(combinations(&[0, 2]), [vec![0], vec![2], vec![0, 2]]);
        assert_eq!(combinations(&[0, 1, 2, 3]).len(), 15);
        assert_eq!(combinations(&[0, 1, 2, 3, 4]).len(), 6);
    }
}
