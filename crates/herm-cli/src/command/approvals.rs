//! `herm approvals`

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use clap::ArgMatches;
use herm::AbsPath;
use herm_runtime::asked::{Asked, Trying};
use herm_runtime::broker::{Broker, Client, Effect, Running};
use herm_runtime::perform::Cancel;
use herm_runtime::{Setup, ancestry};
use serde_json::json;

use super::{answer, fail, fail_to, refuse_to};
use crate::arguments;
use crate::exit::Exit;
use crate::prompt::{Occasion, Reach, Terminal, Typed, deadline, settled};
use crate::render::count;
use crate::render::escape::escape;

/// How often it is looked for new questions.
const PULSE: Duration = Duration::from_millis(200);

/// How long one question may stand on the screen.
const PATIENCE: u32 = 24 * 60 * 60;

/// Shows what waits, and answers it.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    let (name, matches) = matches.subcommand().unwrap_or(("watch", matches));
    let setup = match arguments::setup(matches) {
        Ok(setup) => setup,
        Err(problem) => return refuse_to(&problem, matches),
    };
    let done = match name {
        "answer" => Desk::open(&setup).and_then(|desk| respond(desk, matches)),
        "list" => Desk::open(&setup).and_then(|desk| list(desk, matches.get_flag("json"))),
        // What a guarded command calls a terminal may be one that it made.
        _ => match (!ancestry::is_guarded()).then(Terminal::open).flatten() {
            Some(terminal) => Desk::watched(&setup).and_then(|desk| watch(desk, terminal)),
            None => Desk::open(&setup).and_then(|desk| list(desk, false)),
        },
    };
    done.unwrap_or_else(|error| fail_to(&format!("the broker does not answer: {error}"), None, matches))
}

/// A place to answer from: a connection, and a broker if there was none.
struct Desk {
    client: Client,
    _broker: Option<Running>,
}

impl Desk {
    fn open(setup: &Setup) -> io::Result<Self> {
        if let Some(socket) = &setup.policy.broker {
            return Self::at_guard(socket);
        }
        let broker = Broker::of(&setup.guard);
        let client = Client::connect(&broker.socket).or_else(|_| broker.within())?;
        Ok(Self { client, _broker: None })
    }

    /// A desk that others find, so that whoever asks knows that somebody watches.
    fn watched(setup: &Setup) -> io::Result<Self> {
        if let Some(socket) = &setup.policy.broker {
            return Self::at_guard(socket);
        }
        let broker = Broker::of(&setup.guard);
        let running = broker.start()?;
        Ok(Self { client: Client::connect(&broker.socket)?, _broker: running })
    }

    fn at_guard(socket: &AbsPath) -> io::Result<Self> {
        Ok(Self { client: Client::connect(Path::new(socket.as_str()))?, _broker: None })
    }
}

fn list(mut desk: Desk, json: bool) -> io::Result<Exit> {
    let questions = desk.client.list()?;
    if json {
        let list: Vec<_> = questions.iter().map(Asked::to_json).collect();
        return Ok(answer(&format!("{}\n", json!({ "questions": list })), Exit::Allow));
    }
    let waiting = format!("{} waiting\n", count(questions.len(), "question"));
    Ok(answer(&questions.iter().map(entry).fold(waiting, |text, entry| text + &entry), Exit::Allow))
}

/// What a try would do.
const TRY: &str =
    "    try: on something that stands in for the workspace; what it changed is shown, and asked about again";

/// A question in a list: its name, what is minded, the command, and what each answer that is remembered would cover.
fn entry(question: &Asked) -> String {
    let mut lines =
        vec![format!("{}  {}", question.id, question.title()), format!("    {}", question.command)];
    if let Some(changes) = question.changes() {
        lines.extend(changes.lines().map(|line| format!("  {line}")));
        return lines.iter().map(|line| escape(line).into_owned() + "\n").collect();
    }
    let Reach { session, always, entries } = Reach::of(question);
    lines.push(format!("    session: {session}"));
    lines.extend((question.trying == Trying::Offered).then(|| TRY.to_owned()));
    lines.extend(always.map(|always| format!("    always: {always}")));
    lines.extend(entries.iter().map(|entry| format!("      {entry}")));
    lines.iter().map(|line| escape(line).into_owned() + "\n").collect()
}

fn respond(mut desk: Desk, matches: &ArgMatches) -> io::Result<Exit> {
    let given = |name: &str| matches.get_one::<String>(name).map_or("", String::as_str);
    let effect = match desk.client.list_some(given("id"), Some(2))?.as_slice() {
        [question] => match question.typed(given("answer")) {
            Some(said) => desk.client.answer(&question.id, said)?,
            None => Effect::Refused(not_an_answer(question)),
        },
        [] => Effect::Gone,
        [_, _, ..] => return Ok(fail(&format!("several questions begin with `{}`", given("id")))),
    };
    let (word, text, exit) = told(&effect);
    if matches.get_flag("json") {
        return Ok(answer(&format!("{}\n", json!({ "outcome": word, "message": text })), exit));
    }
    Ok(if exit == Exit::Allow { answer(&format!("{text}\n"), exit) } else { fail_with(&text, exit) })
}

fn not_an_answer(question: &Asked) -> String {
    let words: Vec<_> =
        question.answers().iter().map(|answer| format!("`{}`", question.word(*answer))).collect();
    format!("it can be answered with {}", words.join(", "))
}

fn fail_with(text: &str, exit: Exit) -> Exit {
    super::complain("herm", text);
    exit
}

fn told(effect: &Effect) -> (&'static str, String, Exit) {
    match effect {
        Effect::Gone => ("gone", "there is no such question".to_owned(), Exit::Deny),
        Effect::Lost(answer, by) => ("lost", format!("{by} was first: {}", answer.word()), Exit::Deny),
        Effect::Refused(why) => ("refused", why.clone(), Exit::Deny),
        Effect::Won => ("won", "answered".to_owned(), Exit::Allow),
    }
}

/// Shows each question as it comes, the oldest first, until the person leaves.
fn watch(mut desk: Desk, mut terminal: Terminal) -> io::Result<Exit> {
    // Who leaves while an answer is on its way has still answered.
    let leave = Cancel::on_signals()?;
    terminal.tell("waiting for questions; Ctrl-C leaves\n");
    let mut unanswerable: Vec<String> = Vec::new();
    while !leave.is_cancelled() {
        // One more than cannot be answered is enough to find one that can.
        let most = u32::try_from(unanswerable.len()).unwrap_or(u32::MAX).saturating_add(1);
        let oldest = desk.client.list_some("", Some(most))?;
        let next = oldest.into_iter().find(|question| !unanswerable.contains(&question.id));
        let Some(question) = next else {
            if terminal.wants_to_leave(PULSE) {
                return Ok(Exit::Allow);
            }
            continue;
        };
        match show(&mut desk, &mut terminal, &question)? {
            Typed::Answer(said) => {
                let effect = desk.client.answer(&question.id, said)?;
                if effect == Effect::Won {
                    terminal.tell(&format!("  {}\n", settled(&question, said)));
                } else {
                    terminal.tell(&format!("  {}\n", told(&effect).1));
                    unanswerable.push(question.id);
                }
            }
            Typed::Cancel => return Ok(Exit::Allow),
            Typed::Nothing => terminal.tell("  answered elsewhere\n"),
        }
    }
    Ok(Exit::Allow)
}

/// Asks, until there is an answer or the question has gone.
fn show(desk: &mut Desk, terminal: &mut Terminal, question: &Asked) -> io::Result<Typed> {
    let elsewhere = AtomicBool::new(false);
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let looking = scope.spawn(|| -> io::Result<()> {
            while !done.load(Ordering::Relaxed) {
                if desk.client.list_some(&question.id, Some(1))?.is_empty() {
                    elsewhere.store(true, Ordering::Relaxed);
                    return Ok(());
                }
                thread::sleep(PULSE);
            }
            Ok(())
        });
        let typed =
            terminal.ask(question, Occasion::Before, deadline(PATIENCE), &elsewhere).unwrap_or(Typed::Cancel);
        done.store(true, Ordering::Relaxed);
        match looking.join() {
            Ok(looked) => looked.map(|()| typed),
            Err(_) => Err(io::Error::other("the list cannot be followed")),
        }
    })
}
