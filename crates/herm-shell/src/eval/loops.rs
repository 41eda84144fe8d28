//! Loops: each body is gone through a few times.

use super::control::first_word;
use super::machine::{Event, Machine};
use super::scope::{Leave, Outcome, Scope, Status};
use crate::ast::{Command, List, Word};
use crate::effect::{Flags, Target, Verb};
use crate::value::{Provenance, Value};

/// How many words of a `for` are gone through one by one; of more, one of each shape is.
const ROUNDS: usize = 64;
/// How many lines a `while read` goes through.
const LINES: usize = 1024;
/// How often the body of another loop is gone through, and of one that stands in a loop.
const TURNS: (usize, usize) = (6, 2);

impl Machine<'_> {
    pub(super) fn for_each(
        &mut self,
        name: &str,
        words: Option<&[Word]>,
        body: &List,
        mut scope: Scope,
    ) -> Vec<Outcome> {
        let items: Vec<Value> = match words {
            Some(words) => {
                words.iter().flat_map(|word| self.fields(word, &mut scope)).map(|field| field.value).collect()
            }
            None => match &scope.positional {
                Some(values) => values.as_ref().clone(),
                None => vec![Value::unknown("$@", Provenance::NONE)],
            },
        };
        let outer = scope.frame.looping;
        let mut outcomes = vec![Outcome::of(scope, Status::Success)];
        let many = items.len() > ROUNDS;
        let items = if many { shapes(items) } else { items };
        for item in items {
            outcomes = self.round(outcomes, name, &item, body);
            if !self.spend(1) {
                break;
            }
        }
        if many {
            outcomes =
                self.round(outcomes, name, &Value::unknown(format!("${name}"), Provenance::NONE), body);
        }
        self.leave_loop(outcomes, outer)
    }

    /// Goes through the body of a loop once, from each way that has not left it.
    fn turn(
        &mut self,
        outcomes: Vec<Outcome>,
        mut prepare: impl FnMut(&mut Self, &mut Scope),
        body: &List,
    ) -> Vec<Outcome> {
        let mut outcomes = self.after(outcomes, |machine, mut scope| {
            scope.frame.looping = true;
            prepare(machine, &mut scope);
            machine.list(body, scope)
        });
        for outcome in &mut outcomes {
            if outcome.leaves == Some(Leave::Round) {
                outcome.leaves = None;
            }
        }
        outcomes
    }

    fn round(&mut self, outcomes: Vec<Outcome>, name: &str, item: &Value, body: &List) -> Vec<Outcome> {
        self.turn(outcomes, |machine, scope| machine.iterate(name, item, scope), body)
    }

    pub(super) fn for_arithmetic(&mut self, header: &Word, body: &List, mut scope: Scope) -> Vec<Outcome> {
        let text = self.text(header, &mut scope);
        self.arithmetic_command(header, &mut scope);
        let shown = text.shown();
        // The header was carried out as a whole; the first round starts where its first part leads.
        let _ = self.calculate(shown.split(';').next().unwrap_or_default(), &mut scope);
        let step = shown.split(';').nth(2).unwrap_or_default();
        if shown.split(';').nth(1).is_none_or(|condition| condition.trim().is_empty()) {
            self.flood(body, &scope);
        }
        let (outer, turns) = (scope.frame.looping, turns(&scope));
        let mut outcomes = vec![Outcome::of(scope, Status::Success)];
        for turn in 0..turns {
            let prepare = |machine: &mut Self, scope: &mut Scope| {
                if turn > 0 {
                    // What the body has set is evaluated in the step and the condition.
                    machine.evaluate(&text, scope);
                    let _ = machine.calculate(step, scope);
                }
            };
            outcomes = self.turn(outcomes, prepare, body);
        }
        self.leave_loop(outcomes, outer)
    }

    pub(super) fn while_loop(&mut self, condition: &List, body: &List, scope: Scope) -> Vec<Outcome> {
        if is_endless(condition) {
            self.flood(body, &scope);
        }
        let fed = scope.stdin.as_ref().is_some_and(|input| !input.has_hole());
        let rounds = match (fed, reads_input(condition)) {
            (true, true) => LINES,
            (true, false) => ROUNDS,
            (false, _) => turns(&scope),
        };
        let outer = scope.frame.looping;
        let (mut done, mut live) = (Vec::new(), vec![Outcome::of(scope, Status::Success)]);
        for _ in 0..rounds {
            let tested = self.turn(live, |_, _| (), condition);
            let (mut ended, going): (Vec<_>, Vec<_>) = tested.into_iter().partition(|outcome| {
                outcome.leaves.is_some() || outcome.status == Status::Failure && reads_input(condition)
            });
            done.append(&mut ended);
            if going.is_empty() || !self.spend(1) {
                live = going;
                break;
            }
            live = self.turn(going, |_, _| (), body);
            let (left, again): (Vec<_>, Vec<_>) =
                live.into_iter().partition(|outcome| outcome.leaves.is_some());
            done.extend(left);
            live = again;
        }
        done.extend(live);
        self.leave_loop(done, outer)
    }

    fn leave_loop(&mut self, mut outcomes: Vec<Outcome>, outer: bool) -> Vec<Outcome> {
        for outcome in &mut outcomes {
            outcome.scope.frame.looping = outer;
            if outcome.leaves == Some(Leave::Loop) {
                outcome.leaves = None;
            }
            outcome.status = Status::Either;
        }
        self.merge(outcomes)
    }

    /// A loop without end that starts processes without waiting for them uses the machine up.
    fn flood(&mut self, body: &List, scope: &Scope) {
        let starts = body.items.iter().any(|item| item.background);
        let waits =
            body.items.iter().flat_map(|item| &item.pipelines).flat_map(|(_, line)| &line.commands).any(
                |command| {
                    first_word(command).is_some_and(|word| {
                        ["sleep", "wait", "break", "exit", "read", "return"].contains(&word)
                    })
                },
            );
        if starts && !waits {
            self.exhaust(scope, "while");
        }
    }

    /// Records that the machine is used up.
    pub(crate) fn exhaust(&mut self, scope: &Scope, by: &str) {
        let end = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        let invocation = scope.within.unwrap_or_default();
        let event = Event {
            verb: Verb::Exhaust,
            target: Target::None,
            flags: Flags::IRREVERSIBLE,
            data: Provenance::NONE,
            by,
            invocation,
            span: scope.origin.map(crate::span::Span::new(0, end)),
        };
        self.effect(scope, event);
    }
}

/// One word of each shape: numbers differ, but are of one kind.
fn shapes(items: Vec<Value>) -> Vec<Value> {
    let mut seen = std::collections::HashSet::new();
    items
        .into_iter()
        .filter(|item| {
            let mut shape: Vec<char> = item
                .shown()
                .chars()
                .map(|letter| if letter.is_ascii_digit() { '0' } else { letter })
                .collect();
            shape.dedup_by(|one, other| *one == '0' && *other == '0');
            seen.insert(shape)
        })
        .collect()
}

/// How often the body of a loop is gone through whose end is not known.
pub(super) fn turns(scope: &Scope) -> usize {
    if scope.frame.looping { TURNS.1 } else { TURNS.0 }
}

fn only_command(list: &List) -> Option<&Command> {
    match list.items.as_slice() {
        [item] => match item.pipelines.as_slice() {
            [(_, line)] if !line.negated => match line.commands.as_slice() {
                [command] => Some(command),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

fn is_endless(condition: &List) -> bool {
    only_command(condition).and_then(first_word).is_some_and(|word| word == ":" || word == "true")
}

fn reads_input(condition: &List) -> bool {
    only_command(condition).and_then(first_word).is_some_and(|word| word == "read")
}
