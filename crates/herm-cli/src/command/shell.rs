//! `herm shell`

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use clap::ArgMatches;
use herm::Action;
use herm::call::{Call, CallId, Exec};
use herm_runtime::perform::{self, Cancel, Input, Mode, Stage, Undelivered};
use herm_runtime::shell::Session;
use herm_runtime::{Outcome, Reply, Runtime, Setup};
use herm_shell::Lang;
use serde_json::{Value, json};

use super::complain;
use super::run::{Failure, Told, audience, exit, failed, on_backend, prepare, session, told};
use crate::exit::Exit;
use crate::lines::{Line, Lines};
use crate::people::AtHand;
use crate::render::run::{self as render, Whereabouts};
use crate::screen;

/// Takes one command after another.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    let told = told(matches);
    let setup = prepare(matches).and_then(|setup| on_backend(matches, setup));
    match setup.and_then(|setup| go(matches, setup, told)) {
        Ok(exit) => exit,
        Err(failure) => failure.tell(told),
    }
}

fn go(matches: &ArgMatches, mut setup: Setup, told: Told) -> Result<Exit, Failure> {
    setup.goes_on();
    let cancel =
        Cancel::on_signals().map_err(|error| failed(&format!("cannot listen for signals: {error}")))?;
    let mut people = AtHand::new(&setup, &cancel);
    let mut template = setup.call(Action::Exec(Exec::new("", Lang::Shell)));
    template.session = session(matches);
    let whereabouts = Whereabouts::of(&setup);
    let mut shell = Session::open(&setup).map_err(|error| unopened(&error))?;
    let runtime = Runtime::new(setup, &mut people)?;
    let time = matches.get_one::<u32>("timeout").copied();
    let mut counter = Counter { runtime, shell: &mut shell, template, whereabouts, cancel: &cancel, time };
    let exit = match told {
        Told::Json => counter.serve_programs(),
        Told::Live => counter.serve_people(),
    };
    drop(counter);
    // Nobody waits for an answer any more.
    shell.close().iter().for_each(|note| complain("herm", note));
    Ok(exit)
}

fn unopened(error: &perform::Error) -> Failure {
    let failure = failed(error);
    match error.hint() {
        Some(hint) => failure.advised(hint),
        None => failure,
    }
}

/// Where commands are handed in.
struct Counter<'a> {
    runtime: Runtime<'a>,
    shell: &'a mut Session,
    template: Call,
    whereabouts: Whereabouts,
    cancel: &'a Cancel,
    time: Option<u32>,
}

/// One command, as a program asks for it.
struct Request {
    id: Value,
    command: String,
    time: Option<u32>,
}

impl Counter<'_> {
    /// A line in, a line out.
    fn serve_programs(&mut self) -> Exit {
        let mut lines = Lines::new(self.cancel);
        loop {
            let answer = match lines.next() {
                Line::End => return Exit::Command(0),
                Line::CalledOff => return Exit::Command(INTERRUPTED),
                Line::TooLong => problem(&Value::Null, "the line is too long"),
                Line::Text(line) if line.trim().is_empty() => continue,
                Line::Text(line) => match Request::read(&line) {
                    Ok(request) => self.answer(&request),
                    Err((id, why)) => problem(&id, &why),
                },
            };
            match screen::print(&format!("{answer}\n")) {
                None => {}
                // Nobody listens any more.
                Some(Undelivered::Gone) => return Exit::Command(0),
                Some(Undelivered::Failed(why)) => {
                    complain("herm", &format!("the answer could not be written: {why}"));
                    return Exit::Failed;
                }
            }
        }
    }

    fn answer(&mut self, request: &Request) -> Value {
        let reply = self.handle(&request.command, request.time, Told::Json, name(&request.id));
        let mut answer = render::json(&reply, &self.whereabouts);
        if let Some(fields) = answer.as_object_mut() {
            fields.insert("id".to_owned(), request.id.clone());
            fields.insert("cwd".to_owned(), self.directory().into());
            fields.insert("state".to_owned(), self.shell.fate().word().into());
        }
        answer
    }

    /// Prompts, until there is nothing more to read.
    fn serve_people(&mut self) -> Exit {
        let mut lines = Lines::new(self.cancel);
        let mut last = Exit::Command(0);
        loop {
            self.prompt();
            match lines.next() {
                Line::End => return last,
                Line::CalledOff => return Exit::Command(INTERRUPTED),
                Line::TooLong => complain("herm", "the line is too long"),
                Line::Text(line) if line.trim().is_empty() => {}
                Line::Text(line) if line.trim() == "exit" => return last,
                Line::Text(line) => {
                    let reply = self.handle(&line, None, Told::Live, CallId::default());
                    for (who, what) in render::words(&reply) {
                        complain(who, &what);
                    }
                    last = exit(&reply, undelivered(&reply));
                }
            }
        }
    }

    fn prompt(&mut self) {
        if io::stdin().is_terminal() {
            let directory = self.directory().unwrap_or_else(|| "(gone)".to_owned());
            let directory = crate::render::escape::escape(&directory).into_owned();
            // A prompt that cannot be shown is not missed by anybody.
            let _ = write!(io::stderr(), "{directory} $ ").and_then(|()| io::stderr().flush());
        }
    }

    fn directory(&mut self) -> Option<String> {
        self.shell.directory().map(|path| path.display().to_string())
    }

    fn handle(&mut self, text: &str, time: Option<u32>, told: Told, id: CallId) -> Reply {
        let time = time.or(self.time).map(|seconds| Duration::from_secs(seconds.into()));
        let action = Action::Exec(Exec::new(text, Lang::Shell).within(time));
        let call = Call { id, action, ..self.template.clone() };
        let mut audience = audience(told, self.cancel);
        let mut stage = Stage {
            input: Input::Empty,
            mode: Mode::Captured,
            cancel: self.cancel,
            audience: &mut *audience,
        };
        self.runtime.handle_in(self.shell, &call, &mut stage)
    }
}

fn undelivered(reply: &Reply) -> Option<&Undelivered> {
    match &reply.outcome {
        Outcome::Done(done) => done.undelivered.as_ref(),
        Outcome::Failed(_) | Outcome::Refused(_) => None,
    }
}

/// What a shell answers whose command was interrupted.
const INTERRUPTED: u8 = 130;

impl Request {
    /// An error comes with the name that the request had, if it had one.
    fn read(line: &str) -> Result<Self, (Value, String)> {
        let value: Value = serde_json::from_str(line)
            .map_err(|error| (Value::Null, format!("the line is not JSON: {error}")))?;
        let id = value.get("id").cloned().unwrap_or_default();
        let wrong = |why: &str| Err((id.clone(), why.to_owned()));
        let Some(fields) = value.as_object() else { return wrong("the line is not a JSON object") };
        if let Some(other) = fields.keys().find(|key| !["command", "id", "timeout"].contains(&key.as_str())) {
            return wrong(&format!("there is no `{other}` in a request"));
        }
        let Some(command) = value.get("command").and_then(Value::as_str) else {
            return wrong("`command` is missing, or not text");
        };
        let time = match value.get("timeout") {
            None | Some(Value::Null) => None,
            Some(seconds) => match seconds.as_u64().and_then(|seconds| u32::try_from(seconds).ok()) {
                Some(seconds @ 1..) => Some(seconds),
                Some(0) | None => return wrong("`timeout` must be a number of seconds, at least 1"),
            },
        };
        Ok(Self { id: id.clone(), command: command.to_owned(), time })
    }
}

/// What a call is named: what the request was.
fn name(id: &Value) -> CallId {
    match id {
        Value::Null => CallId::default(),
        Value::String(text) => CallId(text.clone()),
        Value::Array(_) | Value::Bool(_) | Value::Number(_) | Value::Object(_) => CallId(id.to_string()),
    }
}

fn problem(id: &Value, why: &str) -> Value {
    json!({ "id": id, "exit_code": 125, "error": why })
}
