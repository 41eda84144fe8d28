//! The state of one abstract execution.

use std::collections::HashSet;
use std::rc::Rc;

use super::Setting;
use super::files::Files;
use super::listener::Listener;
use super::scope::{Condition, Frame, Origin, Outcome, Scope, Status, Variable, Variables};
use super::stream::Streams;
use super::{Input, Limits};
use crate::analysis::{Analysis, Note, NoteKind, Use, UseKind};
use crate::ast::Command;
use crate::effect::{Certainty, Effect, Flags, Realm, Target, Verb};
use crate::fuel::Fuel;
use crate::gap::{Gap, Position, Reason};
use crate::lang::Lang;
use crate::span::Span;
use crate::value::{Provenance, Value};
use crate::world::{Observation, Script};

/// How deeply code may hold code, counted over all languages and constructs.
const DEPTH: u32 = 56;
/// How many gaps of a kind are recorded.
const GAPS: usize = 32;
/// What an effect costs: all rules look at it, at its path from end to end.
const EFFECT: u32 = 12;
/// How many bytes are copied for one unit of work.
const BYTES_PER_UNIT: usize = 64;
/// How long a token is, written out as the shell itself writes definitions.
const BYTES_A_TOKEN: u32 = 4;
/// How many functions may be on the way at once; a deeper chain is recursion.
const CALLS: usize = 24;

/// The state of one abstract execution.
#[derive(Debug)]
pub(crate) struct Machine<'a> {
    pub(crate) text: &'a str,
    pub(crate) setting: &'a Setting<'a>,
    pub(crate) fuel: Fuel,
    pub(crate) files: Files,
    /// What traps run, with what set them and where.
    pub(crate) traps: Vec<(Value, usize, Span)>,
    /// What traps did between commands.
    pub(super) interruptions: Vec<super::trap::Interruption>,
    /// The functions on the way, innermost last.
    pub(super) calls: Vec<super::chain::Activation>,
    /// What names stand for that settings of programs give.
    pub(super) shortcuts: std::collections::BTreeMap<String, super::shortcuts::Shortcut>,
    /// How many processes were forked to get here.
    pub(super) forks: u32,
    /// The functions that were defined before the text: it does not show what they do.
    pub(crate) inherited: Vec<Rc<Command>>,
    /// The files of modules that were imported.
    pub(crate) imported: HashSet<String>,
    /// Who reads what is written to `>( … )`.
    pub(crate) listeners: Vec<Listener>,
    /// What was written to another stream than the standard output of its command; see [`super::stream`].
    pub(crate) streams: Streams,
    /// Whether the command being run has company: it is in a pipeline or in the background.
    pub(crate) accompanied: bool,
    /// The files of code that are being run, innermost last.
    pub(super) underway: Vec<super::underway::Underway>,
    /// The variables that name files of code which whatever is started runs first, while these are being run.
    pub(super) obeying: Vec<(Rc<str>, Value)>,
    /// How many suppositions rest on one another here; see [`super::suppose`].
    pub(super) supposing: u32,
    /// How much must be left for the net to be cast: what is only looked at once more leaves enough for what comes next.
    pub(super) net_leaves: u32,
    depth: u32,
    /// Code that builtins have bound to something.
    pub(super) bound: Vec<Value>,
    /// What has been read of what runs later.
    pub(super) read_later: std::collections::BTreeSet<(super::bound::Runs, String)>,
    /// Whether any text takes words of earlier lines by marks of the history.
    pub(super) designates: bool,
    /// Words, and where they stand, that are there only if a variable is given.
    pub(super) optional: Vec<(Span, Value)>,
    /// Values of variables that were read as commands.
    pub(super) minded: HashSet<String>,
    /// The files of the text that were read because a tool loads them.
    pub(super) loaded: HashSet<String>,
    /// What was started and waited for so far.
    pub(super) pace: Pace,
    /// Which of several outputs the substitutions of a command are taken to print.
    pub(super) choice: super::choice::Choice,
    pub(super) spent: bool,
    pub(super) out: Analysis,
}

/// How processes come and are waited for, by which one sees whether a loop fills the machine.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pace {
    /// How many were started that nobody waits for.
    pub(super) starts: u32,
    /// How often it was waited for something, or some time.
    pub(super) pauses: u32,
}

impl<'a> Machine<'a> {
    pub(crate) fn new(text: &'a str, setting: &'a Setting<'a>) -> Self {
        Self {
            text,
            setting,
            fuel: Fuel::priced(
                setting.limits.fuel.saturating_add(allowance(setting.world.before())),
                Limits::STEPS,
            ),
            files: Files::default(),
            traps: Vec::new(),
            interruptions: Vec::new(),
            calls: Vec::new(),
            shortcuts: std::collections::BTreeMap::new(),
            forks: 0,
            inherited: Vec::new(),
            imported: HashSet::new(),
            listeners: Vec::new(),
            streams: Streams::default(),
            accompanied: false,
            underway: Vec::new(),
            obeying: Vec::new(),
            supposing: 0,
            net_leaves: 0,
            depth: 0,
            bound: Vec::new(),
            read_later: std::collections::BTreeSet::new(),
            designates: false,
            optional: Vec::new(),
            minded: HashSet::new(),
            loaded: HashSet::new(),
            pace: Pace::default(),
            choice: super::choice::Choice::default(),
            spent: false,
            out: Analysis::default(),
        }
    }

    /// Runs the text that was handed in.
    pub(crate) fn run_text(&mut self, lang: Lang, text: &Value) {
        let mut scope = self.first_scope();
        if lang == Lang::Shell {
            let before = self.before(scope.clone());
            let begun: Vec<Scope> = before.iter().map(|way| way.scope.clone()).collect();
            for way in &begun {
                self.take_bound(way);
            }
            let list = self.read_shell(self.text, &scope);
            self.count_shape(&list);
            let ended =
                self.apart(|machine| machine.after(before, |machine, scope| machine.list(&list, scope)));
            for way in &ended {
                self.run_bound(&way.scope);
            }
            let is_same = |end: &Outcome| begun.iter().any(|start| end.scope.is_same_shell(start));
            self.shape().alters_shell = ended.is_empty() || !ended.iter().all(is_same);
            self.type_into(&scope);
        } else {
            let invocation = self.invocation(&scope, lang.name(), lang.name(), &[], &[], Span::default());
            scope.within = Some(invocation);
            self.code(lang, text, &mut scope, invocation);
        }
    }

    /// Runs what the shell runs before the text. Whatever it does counts, but it is no part of the text.
    fn before(&mut self, scope: Scope) -> Vec<Outcome> {
        let Some(text) = self.setting.world.before() else {
            return vec![Outcome::of(scope, Status::Either)];
        };
        let origin = scope.origin;
        let scope = Scope { origin: Origin::Within(Span::default()), ..scope };
        let list = self.read_shell(text, &scope);
        let mut ways = self.list(&list, scope);
        for way in &mut ways {
            way.scope.origin = origin;
            way.leaves = None;
            self.inherited.extend(way.scope.functions.values().cloned());
        }
        ways
    }

    /// What was found.
    pub(crate) fn finish(mut self) -> Analysis {
        self.out.effects = distinct(std::mem::take(&mut self.out.effects));
        self.out.gaps.dedup();
        self.out.notes.dedup();
        self.out
    }

    fn first_scope(&self) -> Scope {
        let home = self.setting.home;
        let directory = Some(self.setting.cwd).filter(|known| !known.is_empty());
        let known = [
            ("HOME", Some(home)),
            ("PWD", directory),
            ("USER", self.setting.user),
            ("LOGNAME", self.setting.user),
            ("IFS", Some(" \t\n")),
        ];
        let variable = |text: &str| Variable::of(Value::literal(text));
        let variables: Variables = known
            .into_iter()
            .filter_map(|(name, text)| Some((Rc::from(name), Rc::new(variable(text?)))))
            .collect();
        Scope {
            variables: Rc::new(variables),
            functions: Rc::default(),
            aliases: Rc::default(),
            hashed: Rc::default(),
            disabled: Rc::default(),
            references: Rc::default(),
            between: None,
            frame: Frame::default(),
            positional: None,
            directory: directory.map(Rc::from),
            entered: None,
            descriptors: Rc::default(),
            stream: 0,
            stdin: match self.setting.input {
                Input::Typed => None,
                Input::Unknown => Some(Rc::new(Value::unknown("standard input", Provenance::OUTSIDE))),
            },
            to_network: false,
            realm: Realm::Here,
            privileged: false,
            hooked: false,
            certainty: Certainty::Always,
            within: None,
            origin: Origin::Shifted(0),
            condition: Condition::default(),
        }
    }

    /// Takes work units; `false` means that nothing more may be read.
    pub(crate) fn spend(&mut self, units: u32) -> bool {
        let taken = self.fuel.spend(units).is_ok();
        self.may_go_on(taken)
    }

    /// Takes steps of a reader whose language has a price of its own; see [`super::Limits`].
    pub(crate) fn step(&mut self, steps: u32) -> bool {
        let taken = self.fuel.step(steps).is_ok();
        self.may_go_on(taken)
    }

    fn may_go_on(&mut self, taken: bool) -> bool {
        if taken && !self.spent {
            return true;
        }
        if !self.spent {
            self.spent = true;
            self.whole_gap(Reason::Fuel, "the text takes too much work to read");
        }
        false
    }

    /// Takes work units for copying this many bytes.
    pub(crate) fn spend_bytes(&mut self, bytes: usize) -> bool {
        self.spend(u32::try_from(bytes / BYTES_PER_UNIT).unwrap_or(u32::MAX))
    }

    /// Goes one level deeper; `false` means that it is too deep, and nothing was entered.
    pub(crate) fn descend(&mut self) -> bool {
        if self.depth >= DEPTH {
            self.too_deep();
            return false;
        }
        self.depth += 1;
        true
    }

    pub(crate) fn ascend(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Whether another function may be called; a longer chain is too deep to be read.
    pub(crate) fn may_call(&mut self) -> bool {
        if self.calls.len() < CALLS {
            return true;
        }
        self.too_deep();
        false
    }

    pub(crate) fn too_deep(&mut self) {
        self.whole_gap(Reason::Depth, "the text is nested too deeply");
    }

    fn whole_gap(&mut self, reason: Reason, shown: &str) {
        let end = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        self.push_gap(Gap {
            position: Position::Whole,
            reason,
            shown: shown.to_owned(),
            span: Span::new(0, end),
        });
    }

    /// Records what could not be known. Past some of a kind, one more says nothing new.
    pub(crate) fn push_gap(&mut self, gap: Gap) {
        let alike = self.out.gaps.iter().filter(|other| other.position == gap.position).count();
        if alike < GAPS && !self.out.gaps.contains(&gap) {
            self.out.gaps.push(gap);
        }
    }

    pub(crate) fn note(&mut self, kind: NoteKind, shown: &str, span: Span) {
        self.out.notes.push(Note { kind, shown: shown.to_owned(), span });
    }

    /// Records what a script makes use of.
    pub(crate) fn uses(&mut self, scope: &Scope, kind: UseKind, name: &str, span: Span) {
        let units = 1 + self.out.uses.len() / 16 + name.len() / BYTES_PER_UNIT;
        self.spend(u32::try_from(units).unwrap_or(u32::MAX));
        let is_same = |other: &Use| other.kind == kind && other.name == name && other.realm == scope.realm;
        if !self.out.uses.iter().any(is_same) {
            self.out.uses.push(Use { kind, name: name.to_owned(), realm: scope.realm.clone(), span });
        }
    }

    pub(crate) fn shape(&mut self) -> &mut crate::analysis::Shape {
        &mut self.out.shape
    }

    /// Records a program that runs, and returns its number.
    pub(crate) fn invocation(
        &mut self,
        scope: &Scope,
        program: &str,
        called: &str,
        arguments: &[Value],
        environment: &[(String, Value)],
        span: Span,
    ) -> usize {
        let exported: Vec<_> =
            scope.exported().map(|(name, value)| (name.to_string(), value.clone())).collect();
        self.spend(u32::try_from(exported.len()).unwrap_or(u32::MAX));
        self.mind_the_keyboard(scope, program, arguments, span);
        self.out.invocations.push(crate::analysis::Invocation {
            program: Rc::from(program),
            called: called.to_owned(),
            arguments: arguments.to_vec(),
            subcommands: Vec::new(),
            described: false,
            within: scope.within,
            hooked: scope.hooked,
            realm: scope.realm.clone(),
            privileged: scope.privileged,
            environment: environment.iter().cloned().chain(exported).collect(),
            span,
        });
        self.out.invocations.len() - 1
    }

    /// How many programs were recorded.
    pub(crate) fn invocations(&self) -> usize {
        self.out.invocations.len()
    }

    /// Completes what is known of a recorded program.
    pub(crate) fn describe(&mut self, invocation: usize, subcommands: Vec<&'static str>) {
        if let Some(entry) = self.out.invocations.get_mut(invocation) {
            entry.described = true;
            entry.subcommands = subcommands;
        }
    }

    /// Whether a shell is started by a program in which none belongs (`nice sh`, `awk 'BEGIN { system("sh") }'`).
    pub(crate) fn is_started_through_another(&self, shell: usize) -> bool {
        let starter = |at: &usize| self.out.invocations.get(*at)?.within;
        let outer =
            std::iter::successors(starter(&shell), starter).filter_map(|at| self.out.invocations.get(at));
        let mut programs = outer.filter(|program| program.described);
        let first = programs.find(|starter| !crate::programs::is_shell(&starter.program));
        first.is_some_and(|starter| !crate::programs::houses_shells(&starter.program))
    }

    /// Records an effect.
    pub(crate) fn effect(&mut self, scope: &Scope, event: Event<'_>) {
        let Event { verb, target, mut flags, data, by, invocation, span } = event;
        self.spend(EFFECT.saturating_add(length_of(&target)));
        if scope.hooked && verb == Verb::Execute {
            flags |= Flags::HOOK;
        }
        self.out.effects.push(Effect {
            verb,
            target,
            flags,
            realm: scope.realm.clone(),
            certainty: scope.certainty,
            provenance: data,
            privileged: scope.privileged,
            by: Rc::from(by),
            invocation,
            span,
        });
    }

    /// Whether an invocation is known to do something to this path. Any path may stand where a socket could, so that
    /// something is sent there explains nothing.
    pub(crate) fn touched(&self, invocation: usize, path: &str) -> bool {
        let own = self.out.effects.iter().rev().filter(|effect| effect.invocation == invocation);
        let mut known = own.filter(|effect| effect.verb != Verb::Send);
        known.any(|effect| super::handed::is_path(&effect.target, path))
    }

    /// A script's text, if the world shows it.
    pub(crate) fn observe(&mut self, path: &str) -> Script {
        let seen = self.setting.world.script(path);
        if seen != Script::Absent {
            self.out.observations.push(Observation { path: path.to_owned(), seen: seen.clone() });
        }
        seen
    }
}

/// The work that it takes to read definitions, which is not the text's. They are read once, and do nothing.
fn allowance(definitions: Option<&str>) -> u32 {
    u32::try_from(definitions.map_or(0, str::len)).unwrap_or(u32::MAX) / BYTES_A_TOKEN
}

/// What it costs to look at a target, besides what every effect costs.
fn length_of(target: &Target) -> u32 {
    let bytes = match target {
        Target::Host(host) => host.shown.len(),
        Target::Named(_, name) => name.len(),
        Target::Path(path) => path.path.len(),
        Target::Code(..) | Target::Environment | Target::None | Target::Process(_) => 0,
    };
    u32::try_from(bytes / BYTES_PER_UNIT).unwrap_or(u32::MAX)
}

/// Each effect once. Few are compared one by one, which is quicker than hashing them.
fn distinct(mut effects: Vec<Effect>) -> Vec<Effect> {
    const FEW: usize = 16;
    let first: Vec<bool> = if effects.len() <= FEW {
        let before = |at: usize| effects.get(..at).unwrap_or_default();
        effects.iter().enumerate().map(|(at, effect)| !before(at).contains(effect)).collect()
    } else {
        let mut seen = HashSet::with_capacity(effects.len());
        effects.iter().map(|effect| seen.insert(effect)).collect()
    };
    let mut first = first.into_iter();
    effects.retain(|_| first.next().unwrap_or_default());
    effects
}

/// An effect before the machine adds where and with which rights it happens.
#[derive(Debug)]
pub(crate) struct Event<'a> {
    pub(crate) verb: Verb,
    pub(crate) target: Target,
    pub(crate) flags: Flags,
    pub(crate) data: Provenance,
    pub(crate) by: &'a str,
    pub(crate) invocation: usize,
    pub(crate) span: Span,
}
