//! Commands that an agent has run in a terminal: they run here, and the editor's terminals are not used.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use herm::AbsPath;
use herm::call::{Action, Exec};
use herm::enforcement::Backend;
use herm_adapters::acp::{Create, Exit, Place, Wish};
use herm_sandbox::process::{Cancel, Ending, Input, Mode};
use herm_shell::Lang;
use serde_json::{Value, json};

use super::calls::of_action;
use super::editor::{Editor, Sheet};
use super::file::service;
use super::matter::Matter;
use super::pump::Event;
use super::wish::{Bench, Turned, foreseen};
use crate::perform::{Audience, Performance, Stage};
use crate::reply::Outcome;
use crate::runtime::{Besides, Runtime};
use crate::setup::Setup;

/// A terminal of ours.
#[derive(Debug)]
pub(super) struct Terminal {
    pub(super) cancel: Arc<Cancel>,
    kept: Mutex<Kept>,
}

#[derive(Debug)]
struct Kept {
    bytes: VecDeque<u8>,
    limit: usize,
    is_cut: bool,
    exit: Option<Exit>,
}

/// The most bytes of output that are kept of a terminal.
const MOST: usize = 1 << 20;

impl Terminal {
    fn new(cancel: Arc<Cancel>, limit: Option<usize>) -> Self {
        let limit = limit.unwrap_or(MOST).min(MOST);
        let kept = Kept { bytes: VecDeque::new(), limit, is_cut: false, exit: None };
        Self { cancel, kept: Mutex::new(kept) }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, bytes: &[u8]) {
        let mut kept = self.kept();
        kept.bytes.extend(bytes);
        let over = kept.bytes.len().saturating_sub(kept.limit);
        if over > 0 {
            kept.bytes.drain(..over);
            kept.is_cut = true;
        }
    }

    /// What it has said, the last of it, in whole characters.
    pub(super) fn text(&self) -> String {
        let kept = self.kept();
        let bytes: Vec<u8> = kept.bytes.iter().copied().collect();
        let begins =
            if kept.is_cut { bytes.iter().take_while(|byte| **byte & 0xc0 == 0x80).count() } else { 0 };
        String::from_utf8_lossy(bytes.get(begins..).unwrap_or_default()).into_owned()
    }

    /// As the agent is told.
    pub(super) fn output(&self) -> Value {
        let text = self.text();
        let kept = self.kept();
        json!({"output": text, "truncated": kept.is_cut, "exitStatus": kept.exit.map(Exit::told)})
    }

    pub(super) fn exit(&self) -> Option<Exit> {
        self.kept().exit
    }
}

/// Decides about a command, runs it, and says when it begins and when it is over.
pub(super) fn run(bench: &Bench, wish: &Wish, create: &Create) -> Result<(), Turned> {
    let setup = located(bench, wish, create)?;
    let exec = exec(create);
    let call = of_action(
        &bench.desk,
        &setup,
        &wish.session,
        &wish.ticket.id.value().to_string(),
        Action::Exec(exec),
    );
    let sheet = Sheet::new(service(bench, wish, "execute", create.input()), Matter::default());
    let editor = Editor::new(Arc::clone(&bench.desk), bench.pump.clone(), Arc::clone(&bench.cancel), sheet);
    let mut people = bench.desk.face.people(&setup, &bench.cancel, editor.clone());
    let mut runtime = Runtime::new(setup, &mut *people).map_err(|problem| Turned::unjudged(&problem))?;
    let matter = foreseen(bench, &runtime, std::slice::from_ref(&call), &Besides::default());
    editor.sheet().matter = matter;
    let terminal = Arc::new(Terminal::new(Arc::clone(&bench.cancel), create.limit));
    let mut audience = Screen { bench, wish, terminal: Arc::clone(&terminal), has_begun: false };
    let mut stage =
        Stage { input: Input::Empty, mode: Mode::Captured, cancel: &bench.cancel, audience: &mut audience };
    let reply = runtime.handle(&call, &mut stage);
    editor.shut(matches!(reply.outcome, Outcome::Done(_)));
    let exit = match &reply.outcome {
        Outcome::Done(done) => {
            for note in &done.notes {
                terminal.add(format!("\nherm: {note}\n").as_bytes());
            }
            exit(done)
        }
        Outcome::Failed(why) if audience.has_begun => {
            terminal.add(format!("\nherm: {why}\n").as_bytes());
            Exit::Code(125)
        }
        Outcome::Failed(_) | Outcome::Refused(_) => return Err(Turned::refused(bench, &reply)),
    };
    terminal.kept().exit = Some(exit);
    bench.say(Event::Over(terminal));
    Ok(())
}

/// What holds where it runs: in the session's directory, or in one below it. An agent cannot choose a directory in which
/// less would hold.
fn located(bench: &Bench, wish: &Wish, create: &Create) -> Result<Setup, Turned> {
    let wanted = create.cwd.as_deref().unwrap_or(&wish.place.cwd);
    let mut turned = Turned::because("a command can only be run in a directory of the session");
    let roots = std::iter::once(&wish.place.cwd).chain(&wish.place.besides);
    for root in roots {
        let place = Place { cwd: root.clone(), besides: Vec::new() };
        let mut setup = bench.desk.setup(&place).map_err(|problem| Turned::unjudged(&problem))?;
        let Ok(root) = AbsPath::new(root) else { continue };
        match setup.locate_in(root, Some(wanted)) {
            Ok(()) => return on_backend(setup),
            Err(problem) => turned = Turned::unjudged(&problem),
        }
    }
    Err(turned)
}

fn on_backend(mut setup: Setup) -> Result<Setup, Turned> {
    let named = setup.policy.terminal.backend.clone();
    let done = match named.as_deref().map(|word| (word, Backend::of(word))) {
        None => setup.confine_if_possible(),
        Some((_, Some(backend))) => setup.run_on(backend),
        Some((word, None)) => {
            return Err(Turned::because(&format!("`terminal.backend` is `{word}`, which there is not yet")));
        }
    };
    done.map_err(|problem| Turned::unjudged(&problem))?;
    Ok(setup)
}

/// A text for a shell where there are no arguments: agents put whole lines there. What variables are set is part of what is judged.
fn exec(create: &Create) -> Exec {
    if create.arguments.is_empty() {
        let set = create.variables.iter().map(|(name, value)| format!("export {name}={}\n", quoted(value)));
        return Exec::new(&set.chain([create.command.clone()]).collect::<String>(), Lang::Shell);
    }
    let set = create.variables.iter().map(|(name, value)| format!("{name}={value}"));
    let env = (!create.variables.is_empty()).then(|| "env".to_owned());
    let words = env.into_iter().chain(set).chain([create.command.clone()]);
    Exec::program(words.chain(create.arguments.iter().cloned()).collect())
}

fn quoted(value: &str) -> String {
    format!("'{}'", value.replace('\'', r"'\''"))
}

fn exit(done: &Performance) -> Exit {
    match done.ending {
        Ending::Cancelled => Exit::Signal("SIGTERM"),
        Ending::Exited(code) => Exit::Code(code),
        Ending::Signalled(number) => Exit::Signal(signal(number)),
        Ending::TimedOut => Exit::Code(done.exit_code()),
    }
}

fn signal(number: i32) -> &'static str {
    match number {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        31 => "SIGSYS",
        _ => "SIGNAL",
    }
}

/// Keeps what a command says for whoever asks.
#[derive(Debug)]
struct Screen<'a> {
    bench: &'a Bench,
    wish: &'a Wish,
    terminal: Arc<Terminal>,
    has_begun: bool,
}

impl Audience for Screen<'_> {
    fn begin(&mut self) {
        self.has_begun = true;
        self.bench.say(Event::Began(Box::new(self.wish.clone()), Arc::clone(&self.terminal)));
    }

    fn stdout(&mut self, bytes: &[u8]) {
        self.terminal.add(bytes);
    }

    fn stderr(&mut self, bytes: &[u8]) {
        self.terminal.add(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terminal(limit: usize) -> Terminal {
        Terminal::new(Arc::new(Cancel::new().unwrap()), Some(limit))
    }

    #[test]
    fn the_last_of_the_output_is_kept_in_whole_characters() {
        let terminal = terminal(5);
        terminal.add("aäöü".as_bytes());
        assert_eq!(terminal.output(), json!({"output": "öü", "truncated": true, "exitStatus": null}));
        let none = Terminal::new(Arc::new(Cancel::new().unwrap()), Some(0));
        none.add(b"x");
        assert_eq!(none.text(), "");
    }

    #[test]
    fn no_terminal_keeps_more_than_it_may() {
        let terminal = terminal(usize::MAX);
        terminal.add(&vec![b'x'; 3 * MOST]);
        assert_eq!(terminal.text().len(), MOST);
    }

    #[test]
    fn variables_are_part_of_what_is_judged() {
        let create = |arguments: &[&str]| Create {
            command: "make".to_owned(),
            arguments: arguments.iter().map(|word| (*word).to_owned()).collect(),
            variables: vec![("LD_PRELOAD".to_owned(), "it's".to_owned())],
            cwd: None,
            limit: None,
        };
        assert_eq!(exec(&create(&[])).text, "export LD_PRELOAD='it'\\''s'\nmake");
        assert_eq!(exec(&create(&["all"])).words().unwrap(), ["env", "LD_PRELOAD=it's", "make", "all"]);
    }
}
