//! Loops: each body is gone through a few times.

use std::rc::Rc;

use super::arithmetic::numbers_compared;
use super::choice::each_way;
use super::control::first_word;
use super::machine::{Event, Machine, Pace};
use super::names::Names;
use super::scope::{Leave, Outcome, Scope, Status, Variable, Variables};
use super::simple::bare;
use crate::ast::{Command, CommandKind, List, Operation, Part, Word};
use crate::effect::{Flags, Target, Verb};
use crate::value::{Provenance, Value};

/// How many words of a `for` are gone through one by one; of more, one of each shape is.
const ROUNDS: usize = 64;
/// How many lines a `while read` goes through.
const LINES: usize = 1024;
/// How often the body of another loop is gone through, and of one that stands in a loop.
const TURNS: (usize, usize) = (6, 2);
/// The same for a loop that counts, as long as its condition is known.
const COUNTED: (usize, usize) = (ROUNDS, 6);
/// Which part of the work that is left such a loop may cost: one that goes on for long does the same again and again.
const SHARE: u32 = 8;
/// The same for a `for` over words: behind it, one word of each shape stands for those that are left.
const SHARE_OF_WORDS: u32 = 8;
/// How many variables are compared for one unit of work.
const COMPARED: usize = 32;

/// Up to how many ways out of a loop are kept apart where only a number tells them from one another.
const FEW_TURNS: usize = 3;

impl Machine<'_> {
    pub(super) fn for_each(
        &mut self,
        name: &str,
        words: Option<&[Word]>,
        select: bool,
        body: &List,
        mut scope: Scope,
    ) -> Vec<Outcome> {
        let items: Vec<Value> = match words {
            Some(words) => {
                let fields = words.iter().flat_map(|word| self.fields(word, &mut scope));
                fields.flat_map(|field| each_way(field.value)).collect()
            }
            None => match &scope.positional {
                Some(values) => values.as_ref().clone(),
                None => vec![Value::unknown("$@", Provenance::NONE)],
            },
        };
        let outer = scope.frame.looping;
        let may_pass = select || items.iter().all(|item| item.known().is_none());
        let passed = may_pass.then(|| Outcome::of(scope.clone(), Status::Either));
        let mut outcomes = vec![Outcome::of(scope, Status::Success)];
        let mut many = items.len() > ROUNDS;
        let mut items = if many { shapes(items) } else { items }.into_iter();
        let left = self.fuel.left();
        let mut settled = Settled::new(name, body);
        while let Some(item) = items.next() {
            if items.len() > 0 && settled.is_reached(self, &outcomes) {
                // What is left are turns that do the same, with one word after the other.
                many = true;
                break;
            }
            outcomes = self.round(outcomes, name, &item, body);
            if !self.spend(1) {
                break;
            }
            if !many && left.saturating_sub(self.fuel.left()) > left / SHARE_OF_WORDS {
                let before = items.len();
                items = shapes(items.collect()).into_iter();
                many = items.len() < before;
            }
        }
        if many {
            outcomes =
                self.round(outcomes, name, &Value::unknown(format!("${name}"), Provenance::NONE), body);
        }
        keep_passed(&mut outcomes, passed);
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
        let shown = self.text(header, &mut scope).shown();
        let _ = self.part_of_header(header, 0, &mut scope);
        let condition = shown.split(';').nth(1).unwrap_or_default().trim();
        let lasts = if condition.is_empty() { Lasts::Forever } else { lasts(is_number(condition)) };
        self.turns(Rounds { lasts, ..Rounds::of(&scope, true) }, body, scope, |machine, turn, live| {
            machine.after(live, |machine, mut scope| {
                if turn > 0 {
                    let _ = machine.part_of_header(header, 2, &mut scope);
                }
                let status = machine.part_of_header(header, 1, &mut scope);
                vec![Outcome::of(scope, status)]
            })
        })
    }

    /// Carries out a part of what stands between the brackets of a `for`: where it starts, how long it goes on, its
    /// step. It is expanded each time, as bash does.
    fn part_of_header(&mut self, header: &Word, part: usize, scope: &mut Scope) -> Status {
        let text = self.text(header, scope);
        self.evaluate(&text, scope);
        match text.shown().split(';').nth(part).map(str::trim) {
            None | Some("") => Status::Either,
            Some(expression) => self.arithmetic_status(expression, scope),
        }
    }

    pub(super) fn while_loop(
        &mut self,
        condition: &List,
        until: bool,
        body: &List,
        scope: Scope,
    ) -> Vec<Outcome> {
        let endless = scope.stdin.as_ref().is_some_and(|input| input.provenance.has(Provenance::ENDLESS));
        let goes_on = is_settled(condition) && !ends_at_once(condition, until);
        let lasts = lasts(goes_on || endless && reads_input(condition) && !until);
        let counts = comparison(condition);
        let fed = scope.stdin.as_ref().is_some_and(|input| !input.has_hole());
        let rounds = match (fed, reads_input(condition)) {
            (true, true) => Rounds { known: LINES, unknown: LINES, lasts },
            (true, false) => Rounds { known: ROUNDS, unknown: ROUNDS, lasts },
            (false, _) => Rounds { lasts, ..Rounds::of(&scope, counts.is_some()) },
        };
        self.turns(rounds, body, scope, |machine, _, live| {
            if let Some((command, negated)) = counts {
                return machine.after(live, |machine, scope| {
                    machine.count(command, negated != until, condition, scope)
                });
            }
            let mut tested = machine.turn(live, |_, _| (), condition);
            if !reads_input(condition) {
                for outcome in &mut tested {
                    outcome.status = Status::Either;
                }
            }
            tested
        })
    }

    /// Goes through a loop until its condition fails, or as often as is looked at.
    fn turns(
        &mut self,
        rounds: Rounds,
        body: &List,
        scope: Scope,
        mut test: impl FnMut(&mut Self, usize, Vec<Outcome>) -> Vec<Outcome>,
    ) -> Vec<Outcome> {
        let outer = scope.frame.looping;
        let left = self.fuel.left();
        let (mut done, mut live) = (Vec::new(), vec![Outcome::of(scope, Status::Success)]);
        let mut passed = Vec::new();
        let (mut left_by, mut entered) = (Vec::new(), None);
        for round in 0..rounds.known {
            let tested = test(self, round, live);
            if round == 0 {
                passed = tested.iter().filter(|outcome| outcome.status == Status::Either).cloned().collect();
            }
            let (mut ended, going): (Vec<_>, Vec<_>) = tested
                .into_iter()
                .partition(|outcome| outcome.leaves.is_some() || outcome.status == Status::Failure);
            live = going;
            let undecided = live.iter().any(|outcome| outcome.status == Status::Either)
                || left.saturating_sub(self.fuel.left()) > left / SHARE;
            if round == 0 && live.is_empty() {
                // What a variable holds may come from a loop that was not gone through to its end.
                live = ended.iter().filter(|outcome| outcome.leaves.is_none()).cloned().collect();
            }
            done.append(&mut ended);
            if live.is_empty() || undecided && round >= rounds.unknown || !self.spend(1) {
                break;
            }
            entered = live.first().map(|outcome| Rc::clone(&outcome.scope.variables));
            if round > 0 && undecided {
                left_by.extend(entered.clone());
            }
            let (pace, start) = (self.pace, live.first().map(|outcome| outcome.scope.clone()));
            live = self.turn(live, |_, _| (), body);
            let is_left = live.iter().any(|outcome| outcome.leaves.is_some());
            if let Some(scope) = start.filter(|_| round == 0 && rounds.lasts == Lasts::Forever && !is_left) {
                self.flood(pace, &scope);
            }
            let (left, again): (Vec<_>, Vec<_>) =
                live.into_iter().partition(|outcome| outcome.leaves.is_some());
            done.extend(left);
            live = again;
        }
        for outcome in &mut live {
            for other in left_by.iter().chain(&entered) {
                forget_unfinished(&mut outcome.scope, other);
            }
        }
        done.extend(live);
        keep_passed(&mut done, passed);
        self.leave_loop(done, outer)
    }

    /// Compares numbers to see whether a loop goes on.
    fn count(&mut self, command: &Command, negated: bool, list: &List, mut scope: Scope) -> Vec<Outcome> {
        scope.frame.looping = true;
        let status = if let CommandKind::Arithmetic(word) = &command.kind {
            self.arithmetic_command(word, &mut scope)
        } else if let CommandKind::Condition(words) = &command.kind {
            self.condition(words, &mut scope)
        } else {
            let words =
                if let CommandKind::Simple { words, .. } = &command.kind { words.as_slice() } else { &[] };
            let mut outcomes = self.list(list, scope);
            for outcome in &mut outcomes {
                let status = self.test_of_numbers(words, &outcome.scope);
                outcome.status = if negated { status.negated() } else { status };
            }
            return outcomes;
        };
        vec![Outcome::of(scope, if negated { status.negated() } else { status })]
    }

    /// How `[ $i -lt 3 ]` comes out. Only variables are looked up: nothing happens a second time.
    fn test_of_numbers(&mut self, words: &[Word], scope: &Scope) -> Status {
        let redefined = ["[", "test"].iter().any(|name| scope.functions.contains_key(*name));
        if redefined || !words.iter().all(|word| only_looks_up(&word.parts)) {
            return Status::Either;
        }
        let mut scope = scope.clone();
        let values: Vec<Value> = words
            .iter()
            .skip(1)
            .flat_map(|word| self.fields(word, &mut scope))
            .map(|field| field.value)
            .collect();
        numbers_compared(&values)
    }

    fn leave_loop(&mut self, mut outcomes: Vec<Outcome>, outer: bool) -> Vec<Outcome> {
        for outcome in &mut outcomes {
            outcome.scope.frame.looping = outer;
            if outcome.leaves == Some(Leave::Loop) {
                outcome.leaves = None;
            }
            outcome.status = Status::Either;
        }
        // After how many turns it was left is known of few loops, and seldom matters.
        let counts = if outcomes.len() > FEW_TURNS { 1 } else { outcomes.len() };
        self.merge_counting(outcomes, counts)
    }

    /// A loop without end that starts processes without waiting for them uses the machine up.
    fn flood(&mut self, before: Pace, scope: &Scope) {
        if self.pace.starts > before.starts && self.pace.pauses == before.pauses {
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

/// Sees whether a turn of a loop is like the one before it.
struct Settled<'l> {
    name: &'l str,
    body: &'l List,
    names: Option<Names>,
    before: Vec<Scope>,
    files: u32,
}

impl<'l> Settled<'l> {
    fn new(name: &'l str, body: &'l List) -> Self {
        Self { name, body, names: None, before: Vec::new(), files: 0 }
    }

    /// Whether a turn that begins like this does what the one before it did, whatever the variable of the loop holds.
    fn is_reached(&mut self, machine: &mut Machine<'_>, outcomes: &[Outcome]) -> bool {
        let files = std::mem::replace(&mut self.files, machine.files.changes());
        let going = outcomes.iter().filter(|outcome| outcome.leaves.is_none());
        let now: Vec<Scope> = going.map(|outcome| outcome.scope.clone()).collect();
        let before = std::mem::replace(&mut self.before, now);
        let Some(first) = before.first().filter(|_| before.len() == self.before.len()) else { return false };
        let names = self.names.get_or_insert_with(|| {
            let names = Names::reached(self.body, first);
            machine.spend(names.units());
            names
        });
        let compared = first.variables.len().saturating_mul(before.len()) / COMPARED;
        !names.speak_of(self.name)
            && files == machine.files.changes()
            && machine.spend(u32::try_from(compared).unwrap_or(u32::MAX))
            && before.iter().zip(&self.before).all(|(before, now)| names.see_the_same(before, now))
    }
}

/// Keeps the ways that may pass a loop by, where something is other behind it than before.
fn keep_passed(through: &mut Vec<Outcome>, passed: impl IntoIterator<Item = Outcome>) {
    let other = |before: &Outcome| through.iter().any(|after| is_other(&before.scope, &after.scope));
    let kept: Vec<Outcome> = passed.into_iter().filter(other).collect();
    through.extend(kept);
}

/// Whether something that a scope has is something else in another. What has come anew was nothing before.
fn is_other(before: &Scope, after: &Scope) -> bool {
    let has_other_value = |(name, ours): (&Rc<str>, &Rc<Variable>)| {
        let theirs = after.variables.get(name);
        theirs.is_none_or(|theirs| !Rc::ptr_eq(ours, theirs) && ours.values != theirs.values)
    };
    before.directory != after.directory
        || before.positional != after.positional
        || before.functions != after.functions
        || before.aliases != after.aliases
        || before.variables.iter().any(has_other_value)
}

/// A loop that goes on further than it was followed, or ends before, makes something else of a text that it was still changing.
fn forget_unfinished(scope: &mut Scope, entered: &Variables) {
    let changing = scope.variables.iter().filter(|(name, variable)| {
        let before = entered.get(*name).and_then(|before| before.values.first());
        let (Some(before), Some(now)) = (before, variable.values.first()) else { return false };
        let number = |value: &Value| value.known().is_some_and(|text| text.parse::<i64>().is_ok());
        before != now && !now.has_hole() && !number(now)
    });
    let changing: Vec<(Rc<str>, Provenance)> = changing
        .map(|(name, variable)| {
            let provenance =
                variable.values.iter().fold(Provenance::NONE, |all, value| all | value.provenance);
            (Rc::clone(name), provenance)
        })
        .collect();
    for (name, provenance) in changing {
        scope.set(&name, Value::unknown(format!("${name}"), provenance | Provenance::OUTSIDE));
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

/// How often the body of a loop is gone through at most.
#[derive(Clone, Copy)]
struct Rounds {
    /// As long as it is known that the loop goes on.
    known: usize,
    /// If that is not known.
    unknown: usize,
    lasts: Lasts,
}

/// How long a loop goes on, unless its body leaves it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lasts {
    Forever,
    /// Something decides that may come out otherwise.
    Somewhile,
}

impl Rounds {
    fn of(scope: &Scope, counts: bool) -> Self {
        let nested = scope.frame.looping;
        let unknown = turns(scope);
        let known = if !counts {
            unknown
        } else if nested {
            COUNTED.1
        } else {
            COUNTED.0
        };
        Self { known, unknown, lasts: Lasts::Somewhile }
    }
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

/// Whether a condition comes out the same each time: then a loop that goes through its body at all does so without end.
fn is_settled(condition: &List) -> bool {
    let mut commands =
        condition.items.iter().flat_map(|item| &item.pipelines).flat_map(|(_, line)| &line.commands);
    !condition.items.is_empty() && commands.all(is_settled_command)
}

/// Whether a loop with this condition ends before it begins.
fn ends_at_once(condition: &List, until: bool) -> bool {
    let word = only_command(condition).and_then(first_word);
    word.is_some_and(|word| if until { matches!(word, ":" | "true") } else { word == "false" })
}

fn is_settled_command(command: &Command) -> bool {
    if !command.redirects.is_empty() {
        return false;
    }
    match &command.kind {
        CommandKind::Arithmetic(word) => constant(&word.parts).is_some_and(|text| is_number(&text)),
        CommandKind::Condition(words) => {
            words.iter().all(|word| is_constant(&word.parts)) && !looks_around(words)
        }
        CommandKind::Group(list) | CommandKind::Subshell(list) => is_settled(list),
        CommandKind::Simple { words, .. } => match first_word(command) {
            Some(":" | "true" | "false" | "echo" | "printf" | "sleep") => true,
            Some("[" | "test") => words.iter().all(|word| is_constant(&word.parts)) && !looks_around(words),
            Some(_) => false,
            None => words.is_empty(),
        },
        CommandKind::Case { .. }
        | CommandKind::Coprocess { .. }
        | CommandKind::For { .. }
        | CommandKind::ForArithmetic { .. }
        | CommandKind::Function { .. }
        | CommandKind::If { .. }
        | CommandKind::While { .. } => false,
    }
}

/// Whether a test asks the machine: for a file, a descriptor, a variable.
fn looks_around(words: &[Word]) -> bool {
    const TEXTS: &[&str] = &["-n", "-z", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-a", "-o"];
    words
        .iter()
        .skip(1)
        .filter_map(bare)
        .any(|word| word.starts_with('-') && word.len() > 1 && !TEXTS.contains(&word))
}

fn is_constant(parts: &[Part]) -> bool {
    constant(parts).is_some()
}

/// The text of a word in which nothing is expanded.
fn constant(parts: &[Part]) -> Option<String> {
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Bare(own) | Part::Quoted(own) => text.push_str(own),
            Part::DoubleQuoted(parts) => text.push_str(&constant(parts)?),
            Part::Arithmetic(_) | Part::Command(..) | Part::Parameter(_) | Part::Process(..) => return None,
        }
    }
    Some(text)
}

/// Whether an arithmetic expression is made of numbers alone.
fn is_number(expression: &str) -> bool {
    expression
        .chars()
        .all(|letter| letter.is_ascii_digit() || letter.is_whitespace() || "()!=<>+-*&|".contains(letter))
        && !expression.contains("++")
        && !expression.contains("--")
}

fn lasts(settled: bool) -> Lasts {
    if settled { Lasts::Forever } else { Lasts::Somewhile }
}

/// The only command of a condition that compares numbers, so that it may be known how it comes out, and whether it is
/// turned round.
fn comparison(condition: &List) -> Option<(&Command, bool)> {
    let [item] = condition.items.as_slice() else { return None };
    let [(_, line)] = item.pipelines.as_slice() else { return None };
    let [command] = line.commands.as_slice() else { return None };
    let compares = matches!(command.kind, CommandKind::Arithmetic(_) | CommandKind::Condition(_))
        || first_word(command).is_some_and(|word| word == "[" || word == "test");
    (compares && command.redirects.is_empty() && !item.background).then_some((command, line.negated))
}

/// Whether expanding a word does no more than to look variables up.
fn only_looks_up(parts: &[Part]) -> bool {
    parts.iter().all(|part| match part {
        Part::Bare(_) | Part::Quoted(_) => true,
        Part::DoubleQuoted(parts) => only_looks_up(parts),
        Part::Parameter(parameter) => {
            matches!(parameter.operation, Operation::Length | Operation::Plain)
                && !parameter.indirect
                && parameter.index.as_ref().is_none_or(|index| only_looks_up(&index.parts))
        }
        Part::Arithmetic(_) | Part::Command(..) | Part::Process(..) => false,
    })
}

fn reads_input(condition: &List) -> bool {
    only_command(condition).and_then(first_word).is_some_and(|word| word == "read")
}
