//! From a call to what is known about it.

use std::rc::Rc;

use herm_shell::analysis::Invocation;
use herm_shell::effect::{Certainty, HostTarget};
use herm_shell::gap::{Gap, Position};
use herm_shell::place::{Extent, climbing, physical, resolve, within};
use herm_shell::world::World;
use herm_shell::{
    Analysis, Effect, Flags, Input, Limits, PathTarget, Places, Provenance, Realm, Setting, Span, Target,
    Value, Verb, analyse,
};

use crate::aliases::names;
use crate::call::{Action, Call, Drift, Exec, Tool};
use crate::edit::Edit;
use crate::facts::{Facts, Operand, closed};
use crate::fetch::Fetch;
use crate::host::{Endpoint, Host};
use crate::patterns::matched;
use crate::{one_file, opened, regenerable, scratch, staged};

/// What is known about a call.
pub(crate) fn gather(call: &Call, world: &dyn World) -> Facts {
    match &call.action {
        Action::Edit(edit) => edited(call, edit, world),
        Action::Exec(exec) => command(call, exec, world),
        Action::Fetch(fetch) => connection(fetch),
        Action::Read(path) => file(call, path, Verb::Read, world),
        Action::Tool(tool) => unknown(call, tool, world),
        Action::Write(path) => file(call, path, Verb::Write, world),
    }
}

fn command(call: &Call, exec: &Exec, world: &dyn World) -> Facts {
    let mut shell = analyse(&exec.text, exec.lang, &setting(call, world));
    let text = herm_scan::scan(&exec.text);
    let looks_like_another = |run: &Invocation| herm_scan::is_disguised(&run.called);
    if text.iter().any(|detection| detection.kind.hides_words())
        || shell.invocations.iter().any(looks_like_another)
    {
        add_disguised(&mut shell, call, exec, world);
    }
    if exec.is_adrift() {
        add_elsewhere(&mut shell, call, exec, world);
        mark_wherever_it_runs(&mut shell, call, exec, world);
    } else {
        regenerable::mark(&mut shell, call, world);
    }
    one_file::mark(&mut shell, world);
    scratch::mark(&mut shell, call, exec, world);
    opened::mark(&mut shell, exec, world);
    staged::mark(&mut shell, call, world);
    let operands = operands(call, &shell, world);
    Facts { shell, text, operands, fetch: None }
}

/// What the text would do if it were what it looks like.
fn add_disguised(shell: &mut Analysis, call: &Call, exec: &Exec, world: &dyn World) {
    let plain = analyse(&herm_scan::plain(&exec.text), exec.lang, &setting(call, world));
    let whole = whole(&exec.text);
    for mut effect in plain.effects {
        let same = |other: &Effect| other.verb == effect.verb && other.target == effect.target;
        if !shell.effects.iter().any(same) {
            effect.flags |= Flags::DISGUISED;
            effect.invocation = 0;
            effect.span = whole;
            shell.effects.push(effect);
        }
    }
    for mut supposition in plain.supposed {
        for effect in &mut supposition.effects {
            effect.flags |= Flags::DISGUISED;
            effect.invocation = 0;
            effect.span = whole;
        }
        shell.supposed.push(supposition);
    }
}

/// What the text would do to well-known files if it ran in the directory where they are.
fn add_elsewhere(shell: &mut Analysis, call: &Call, exec: &Exec, world: &dyn World) {
    let whole = whole(&exec.text);
    for cwd in ["", call.principal.home.as_str(), "/etc"] {
        let there = analyse(&exec.text, exec.lang, &Setting { cwd, ..setting(call, world) });
        for mut effect in there.effects {
            let well_known = |target: &Target| {
                let Target::Path(path) = target else { return None };
                (path.places.any(WELL_KNOWN) && is_named(path)).then(|| path.shown.clone())
            };
            let Some(shown) = well_known(&effect.target) else { continue };
            let same = |other: &Effect| {
                other.verb == effect.verb && well_known(&other.target).as_ref() == Some(&shown)
            };
            if !shell.effects.iter().any(same) {
                effect.invocation = 0;
                effect.span = whole;
                shell.effects.push(effect);
            }
        }
    }
}

/// Says of what the text deletes, wherever it runs, whether it can be generated again: `cd /srv/app && rm -rf dist`.
fn mark_wherever_it_runs(shell: &mut Analysis, call: &Call, exec: &Exec, world: &dyn World) {
    if !shell.effects.iter().any(regenerable::may_be) {
        return;
    }
    let mut anywhere = analyse(&exec.text, exec.lang, &Setting { cwd: "", ..setting(call, world) });
    regenerable::mark(&mut anywhere, call, world);
    let deletions = anywhere.effects.iter().filter(|effect| deleted(effect).is_some());
    let (marked, others): (Vec<_>, Vec<_>) =
        deletions.partition(|effect| effect.flags.has(Flags::REGENERABLE));
    for effect in &mut shell.effects {
        let is_marked =
            marked.iter().any(|other| deleted(effect).is_some() && deleted(other) == deleted(effect));
        // The same words delete something else where they run elsewhere.
        if is_marked && !others.iter().any(|other| other.span == effect.span) {
            effect.flags |= Flags::REGENERABLE;
        }
    }
}

/// What is deleted, whatever else is known of the place.
fn deleted(effect: &Effect) -> Option<(&str, &str, Extent)> {
    let Target::Path(path) = &effect.target else { return None };
    (effect.verb == Verb::Delete).then_some((path.path.as_str(), path.shown.as_str(), path.extent))
}

/// Whether it is well known by what is written out of it: a pattern that would match there as well as anywhere else is not.
fn is_named(path: &PathTarget) -> bool {
    let written = path.path.split(['*', '?', '[', '{']).next().unwrap_or_default();
    path.extent == Extent::Exact || resolve(&Value::literal(written), None, "/").places.any(WELL_KNOWN)
}

/// Files that are known by their names, and that nobody touches by the way.
const WELL_KNOWN: Places = Places::SHELL_STARTUP
    .and(Places::PERSISTENCE)
    .and(Places::GUARD)
    .and(Places::SSH)
    .and(Places::CREDENTIAL)
    .and(Places::AUTHORITY);

fn setting<'a>(call: &'a Call, world: &'a dyn World) -> Setting<'a> {
    Setting {
        cwd: call.cwd.as_str(),
        home: call.principal.home.as_str(),
        user: call.principal.name.as_deref(),
        world,
        limits: Limits::default(),
        input: match &call.action {
            Action::Exec(exec) => exec.input(),
            Action::Edit(_) | Action::Fetch(_) | Action::Read(_) | Action::Tool(_) | Action::Write(_) => {
                Input::default()
            }
        },
    }
}

/// A connection, without a command. Where nobody can say where it leads, there is no effect to speak of.
fn connection(fetch: &Fetch) -> Facts {
    let whole = whole(fetch.text());
    let target = |to: &Endpoint| {
        let host = match &to.host {
            Host::Address(address) => address.to_string(),
            Host::Name(name) => name.clone(),
        };
        let scheme = fetch.scheme().map(str::to_owned);
        Target::Host(HostTarget { host: Some(host), scheme, shown: fetch.text().trim_ascii().to_owned() })
    };
    let effects = fetch.to().ok().map(|to| effect(Verb::Connect, target(to), "fetch", whole));
    let shell = Analysis { effects: effects.into_iter().collect(), ..Analysis::default() };
    Facts { shell, fetch: Some(fetch.clone()), ..Facts::default() }
}

/// A file that is read or written by name, without a command.
fn file(call: &Call, path: &str, verb: Verb, world: &dyn World) -> Facts {
    let one = |name| effect(verb, Target::Path(name), "file tool", whole(path));
    let matched = if verb == Verb::Read { matched(call, path) } else { Vec::new() };
    let effects = names(call, path, world).into_iter().chain(matched).map(one).collect();
    Facts { shell: Analysis { effects, ..Analysis::default() }, ..Facts::default() }
}

/// Files that are written or deleted by name, without a command.
fn edited(call: &Call, edit: &Edit, world: &dyn World) -> Facts {
    let effects = edit.changes().iter().flat_map(|change| {
        let verb = if change.after.is_some() { Verb::Write } else { Verb::Delete };
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let named = |start: usize| Span::new(place(start), place(start + change.path.len()));
        let span = edit.text().find(&change.path).map_or_else(|| whole(edit.text()), named);
        let one = move |name| effect(verb, Target::Path(name), "file tool", span);
        names(call, &change.path, world).into_iter().map(one)
    });
    Facts { shell: Analysis { effects: effects.collect(), ..Analysis::default() }, ..Facts::default() }
}

/// A tool of which nothing is known. What it is given may be paths and links, and is handed over like the operands of a program that
/// nobody knows.
fn unknown(call: &Call, tool: &Tool, world: &dyn World) -> Facts {
    let whole = whole(tool.text());
    let named = |kind, name: &str| effect(Verb::Execute, Target::Named(kind, name.to_owned()), "tool", whole);
    let is_called = tool.drift().is_none_or(|(drift, _)| drift != Drift::Instructions);
    let called = is_called.then(|| named("tool", tool.name())).into_iter();
    let called = called.chain(tool.drift().map(|(drift, name)| named(drift.kind(), name)));
    let links = tool.given().iter().filter(|text| text.contains("://")).map(|text| Fetch::url(text));
    let connects = links.flat_map(|link| connection(&link).shell.effects);
    let connects = connects.map(|link| Effect { span: whole, ..link });
    let paths = tool.given().iter().filter(|text| is_path(text)).flat_map(|text| names(call, text, world));
    let shown = || tool.name().to_owned();
    let gap = |reason| Gap { position: Position::Whole, reason, shown: shown(), span: whole };
    let gaps = tool.unread().map(gap).into_iter().collect();
    Facts {
        shell: Analysis { effects: called.chain(connects).collect(), gaps, ..Analysis::default() },
        operands: paths.map(|path| Operand { invocation: 0, path }).collect(),
        ..Facts::default()
    }
}

/// Whether a text may be meant as a path: long texts, those of several lines and links are not, unless they begin like one.
fn is_path(text: &str) -> bool {
    let local = text.strip_prefix("file://").unwrap_or(text);
    let is_like_others = text.len() < LONGEST_PATH && !text.contains('\n') && !local.contains("://");
    is_like_others || text.starts_with(['/', '~']) || text.starts_with("../")
}

/// As much as Linux takes for one.
const LONGEST_PATH: usize = 4096;

fn whole(text: &str) -> Span {
    Span::new(0, u32::try_from(text.len()).unwrap_or(u32::MAX))
}

fn effect(verb: Verb, target: Target, by: &str, span: Span) -> Effect {
    Effect {
        verb,
        target,
        flags: Flags::NONE,
        realm: Realm::Here,
        certainty: Certainty::Always,
        provenance: Provenance::NONE,
        privileged: false,
        by: Rc::from(by),
        invocation: 0,
        span,
    }
}

fn operands(call: &Call, shell: &Analysis, world: &dyn World) -> Vec<Operand> {
    let unknown =
        shell.invocations.iter().enumerate().filter(|(_, run)| !run.described && !closed(&run.realm));
    unknown
        .flat_map(|(invocation, run)| paths(call, run, world).map(move |path| Operand { invocation, path }))
        .collect()
}

/// What may be a path: an operand, or what follows the `=` of an option.
fn paths<'a>(
    call: &'a Call,
    run: &'a Invocation,
    world: &'a dyn World,
) -> impl Iterator<Item = PathTarget> + 'a {
    let values = run.arguments.iter().filter_map(move |argument| {
        let known = argument.known_prefix();
        match known.split_once('=') {
            Some((_, path)) if known.starts_with('-') => Some(Value::literal(path)),
            Some(_) | None if known.starts_with('-') => None,
            Some(_) | None => Some(argument.clone()),
        }
    });
    values.flat_map(move |value| targets(call, &value, world))
}

/// What an operand may lead to: by its names, and by the links on its way.
fn targets(call: &Call, value: &Value, world: &dyn World) -> Vec<PathTarget> {
    let (cwd, home) = (Some(call.cwd.as_str()), call.principal.home.as_str());
    let real = |path: &str| world.resolve(path);
    let named = resolve(value, cwd, home);
    let linked = match named.extent {
        Extent::Exact => {
            let path = climbing(value, cwd).unwrap_or_else(|| named.path.clone());
            let there = physical(&path, &real);
            let there = (there != named.path).then(|| resolve(&Value::literal(there), cwd, home));
            there.map(|there| PathTarget { shown: named.shown.clone(), ..there })
        }
        Extent::Children | Extent::Pattern | Extent::Prefix => within(value, cwd, home, &real),
        Extent::Unknown => None,
    };
    std::iter::once(named).chain(linked).collect()
}
