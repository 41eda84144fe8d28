//! herm's own files, programs and settings.

use std::path::Path;

use herm::enforcement::Backend;
use herm::policy::Mode;
use herm_store::Store;

use super::{Group, Row, State};
use crate::broker::Client;
use crate::consult::Place;
use crate::consult::tirith::Tirith;
use crate::files;
use crate::interpreter;
use crate::observe;
use crate::setup::{self, Checked, Problem, Setup, Wishes};
use crate::wiring::Places;

fn row(name: &str, state: State, detail: impl Into<String>) -> Row {
    Row::new(Group::Guard, name, state, detail)
}

/// What reads commands and code.
pub(super) fn programs(setup: Option<&Setup>) -> Vec<Row> {
    let [python, ..] = interpreter::python(setup.and_then(|setup| setup.policy.python.as_ref()));
    vec![program("bash", interpreter::shell(), State::Missing), program("python", python, State::Absent)]
}

fn program(name: &str, path: &str, without: State) -> Row {
    let is_program = files::regular(Path::new(path)).is_some_and(files::Regular::is_program);
    if is_program {
        row(name, State::Holds, format!("`{path}`"))
    } else {
        row(name, without, format!("no program `{path}` where the system keeps them"))
            .advised(format!("install {name}"))
    }
}

/// Who may look at what herm keeps.
pub(super) fn files(guard: &Path) -> Vec<Row> {
    let shown = guard.display();
    let home = match files::mode(guard) {
        None => row("home", State::Holds, format!("`{shown}` is made when it is needed")),
        Some(mode) if !is_open(mode) => row("home", State::Holds, format!("`{shown}` is its owner's alone")),
        Some(mode) => {
            row("home", State::Missing, format!("`{shown}` is open to others ({:04o})", mode & 0o7777))
                .advised(format!("chmod 700 {shown}"))
        }
    };
    let secrets = guard.join(".env");
    let secrets = files::mode(&secrets).map(|mode| {
        if is_open(mode) {
            row("secrets", State::Missing, format!("`.env` is open to others ({:04o})", mode & 0o7777))
                .advised(format!("chmod 600 {}", secrets.display()))
        } else {
            row("secrets", State::Holds, "`.env` is its owner's alone")
        }
    });
    [home].into_iter().chain(secrets).collect()
}

/// Whether anything is stopped at all: what the hooks that are there do, and those that would be written.
pub(super) fn observing(places: &Places) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for guard in places.guards() {
        let Some(end) = observe::of_hook(&guard) else { continue };
        let detail = format!(
            "nothing that agents do is stopped until {end}: what would be is only recorded, in `{}`",
            guard.display()
        );
        rows.push(row("observing", State::Missing, detail).advised("herm observe off"));
    }
    rows
}

const fn is_open(mode: u32) -> bool {
    mode & 0o077 != 0
}

/// What stands beside rules of one's own and is none.
fn idle(checked: &Checked) -> Option<Row> {
    let keys = checked.unused.iter().flat_map(|(_, keys)| keys).map(|(_, key)| key);
    let named: Vec<_> =
        keys.filter(|key| key.starts_with("approvals.")).map(|key| format!("`{key}`")).collect();
    let detail = format!("herm has no use for {}", named.join(", "));
    (!named.is_empty()).then(|| row("unused settings", State::Weaker, detail).advised("herm config check"))
}

/// Every mistake in every file.
pub(super) fn configuration(wishes: &Wishes) -> Result<Vec<Row>, Problem> {
    let checked = setup::check(wishes.clone())?;
    if checked.problems.is_empty() {
        let detail = match checked.sources.len() {
            0 => "no files; the defaults hold".to_owned(),
            1 => "1 file, nothing is wrong".to_owned(),
            files => format!("{files} files, nothing is wrong"),
        };
        return Ok([row("configuration", State::Holds, detail)].into_iter().chain(idle(&checked)).collect());
    }
    let wrong = |problem: &Problem| {
        let found = row("configuration", State::Missing, problem.to_string());
        match problem.hint() {
            Some(hint) => found.advised(hint),
            None => found,
        }
    };
    Ok(checked.problems.iter().map(wrong).collect())
}

/// What the settings make of it.
pub(super) fn settings(setup: &Setup) -> Vec<Row> {
    let always = [backend(setup), mode(setup), allowed(setup), broker(setup)];
    always.into_iter().chain(tirith(setup)).chain(record(setup)).collect()
}

fn backend(setup: &Setup) -> Row {
    let Some(word) = setup.policy.terminal.backend.as_deref() else { return usual_backend(setup) };
    match Backend::of(word) {
        Some(Backend::Sandbox) => row("backend", State::Holds, "commands run in the sandbox"),
        Some(Backend::Local) => {
            row("backend", State::Weaker, "commands run with your own rights, behind no boundary")
                .advised("leave out terminal.backend, or `herm run --backend sandbox`")
        }
        None => row("backend", State::Missing, format!("`{word}` is not there yet: nothing runs"))
            .advised("terminal.backend: sandbox"),
    }
}

/// Where commands run if nobody has said.
fn usual_backend(setup: &Setup) -> Row {
    let mut setup = setup.clone();
    match setup.confine_if_possible() {
        Ok(()) if setup.unconfined.is_none() => row("backend", State::Holds, "commands run in the sandbox"),
        Ok(()) => row(
            "backend",
            State::Weaker,
            "no sandbox here: commands run with your own rights, and that is said",
        )
        .advised("see `this workspace` above"),
        Err(problem) => row("backend", State::Missing, format!("nothing runs here: {problem}"))
            .advised("see `this workspace` above"),
    }
}

fn mode(setup: &Setup) -> Row {
    match setup.policy.mode {
        Mode::Manual => row("questions", State::Holds, "a person answers them"),
        Mode::Smart => row("questions", State::Holds, "a model answers first, then a person"),
        Mode::Off => row("questions", State::Weaker, "nothing is asked; only refusals hold")
            .advised("approvals.mode: manual"),
    }
}

fn allowed(setup: &Setup) -> Row {
    let detail = match setup.policy.allow.len() {
        0 => "nothing is allowed beforehand".to_owned(),
        1 => "1 entry; `herm config show` lists it".to_owned(),
        entries => format!("{entries} entries; `herm config show` lists them"),
    };
    row("allow-list", State::Holds, detail)
}

fn broker(setup: &Setup) -> Row {
    let Some(socket) = &setup.policy.broker else {
        return row("broker", State::Absent, "user mode: what herm keeps is in reach of this user")
            .advised("a broker under another user guards it (`herm broker --help`)");
    };
    match Client::connect_to_guard(Path::new(socket.as_str())) {
        Ok(_) => row("broker", State::Holds, format!("a guard answers at `{socket}`")),
        Err(error) => row("broker", State::Missing, format!("no guard at `{socket}`: {error}"))
            .advised("start `herm broker` under its own user; until then nothing runs"),
    }
}

fn tirith(setup: &Setup) -> Option<Row> {
    let place = Place::new(setup);
    let tirith = Tirith::new(&setup.policy, &place)?;
    Some(match tirith.program() {
        Some(program) => row("tirith", State::Holds, format!("`{}`", program.display())),
        None => row("tirith", State::Missing, "it is enabled, and not there")
            .advised("install tirith, or name it in security.tirith_path"),
    })
}

/// Whether the record is what it was. A guard's is not ours to look at.
fn record(setup: &Setup) -> Option<Row> {
    let is_ours = setup.policy.broker.is_none() && files::exists(&setup.guard.join("ledger"));
    let verified = is_ours.then(|| Store::open(&setup.guard)?.ledger()?.verify())?;
    Some(match verified {
        Ok(report) if report.is_sound() => {
            row("record", State::Holds, format!("{} records, nothing was changed", report.records))
        }
        Ok(_) => {
            row("record", State::Missing, "it was tampered with").advised("`herm audit verify` says where")
        }
        Err(error) => {
            row("record", State::Missing, error.to_string()).advised("what cannot be recorded does not run")
        }
    })
}
