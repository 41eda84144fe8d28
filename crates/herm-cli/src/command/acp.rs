//! `herm acp`

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ArgMatches;
use herm_runtime::acp::{Editor, Ended, Face, Matter, Terms, serve};
use herm_runtime::adapters::Agent;
use herm_runtime::people::People;
use herm_runtime::perform::Cancel;
use herm_runtime::setup::Trust;
use herm_runtime::{Reply, Setup, Wishes, ancestry};
use herm_scan::Redactor;
use herm_shell::Effect;

use super::complain;
use crate::arguments;
use crate::exit::Exit;
use crate::people::AtEditor;
use crate::render::escape::escape;
use crate::render::{human, matter, run};

/// Stands between an editor and an agent.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    match prepare(matches).and_then(|terms| go(&terms)) {
        Ok(exit) => exit,
        Err((what, hint)) => {
            complain("herm", &what);
            if let Some(hint) = hint {
                complain("hint", &hint);
            }
            Exit::Failed
        }
    }
}

type Failure = (String, Option<String>);

fn go(terms: &Terms) -> Result<Exit, Failure> {
    let failed = |what: &str, error: io::Error| (format!("{what}: {error}"), None);
    let cancel = Cancel::on_signals().map_err(|error| failed("cannot listen for signals", error))?;
    let output = io::stdout()
        .as_fd()
        .try_clone_to_owned()
        .map_err(|error| failed("cannot use standard output", error))?;
    banner(terms);
    let ended = serve(terms.clone(), Arc::new(AtStderr), (io::stdin(), output), &cancel);
    match ended.map_err(|error| failed("cannot begin", error))? {
        Ended::Agent(code) => Ok(Exit::Command(u8::try_from(code).unwrap_or(u8::MAX))),
        Ended::Editor => Ok(Exit::Command(0)),
        Ended::Failed(why) => Err((why, None)),
    }
}

/// What nobody should take this for.
fn banner(terms: &Terms) {
    let name = terms.agent.map_or(terms.name.as_str(), |agent| agent.name());
    complain(
        "herm",
        &format!("decides about what {name} asks the editor for, and runs its terminals in the sandbox"),
    );
    complain(
        "herm",
        "what the agent runs itself without asking is seen, and not held back: its hooks must ask herm as well",
    );
    match terms.agent {
        Some(agent) => complain(
            "hint",
            &format!("`herm init {}` has them do so; `herm doctor` shows whether they do", agent.word()),
        ),
        None => complain("hint", "`herm init` has them do so, for the agents it knows"),
    }
}

fn prepare(matches: &ArgMatches) -> Result<Terms, Failure> {
    let is_guarded = ancestry::is_guarded();
    let loosening = ["config", "home", "herm-home", "preset"];
    if let Some(name) = loosening.into_iter().find(|name| is_guarded && matches.contains_id(name)) {
        let what =
            format!("`--{name}` is for people: a command that herm runs cannot choose what holds for it");
        return Err((what, None));
    }
    if is_guarded && matches.get_flag("allow-unasked") {
        return Err((
            "`--allow-unasked` is for people: a command that herm runs cannot switch it on".to_owned(),
            None,
        ));
    }
    let command: Vec<OsString> =
        matches.get_many::<OsString>("agent").into_iter().flatten().cloned().collect();
    let wishes = Wishes {
        guard: matches.get_one::<String>("herm-home").map(PathBuf::from),
        trust: Trust::Machine,
        ..arguments::wishes(matches)
    };
    // Whatever is wrong with the settings is said before anything begins.
    let setup = Setup::new(wishes.clone()).map_err(|problem| (problem.to_string(), problem.hint()))?;
    let named = matches.get_one::<String>("name");
    let agent = named.map_or_else(|| known(&command), |name| Agent::of(name));
    let name = named.cloned().or_else(|| file_name(command.first()?)).unwrap_or_default();
    Ok(Terms {
        wishes,
        agent,
        name: name.chars().filter(|c| c.is_alphanumeric() || "-_.".contains(*c)).take(LONGEST_NAME).collect(),
        command,
        cwd: PathBuf::from(setup.cwd.as_str()),
        allow_unasked: matches.get_flag("allow-unasked"),
        ask_in_any_case: is_guarded,
    })
}

const LONGEST_NAME: usize = 40;

/// The agent that a command starts, by the names of programs in it.
fn known(command: &[OsString]) -> Option<Agent> {
    let named = |word: &OsString| {
        let name = file_name(word)?;
        let plain = name.split('@').next()?;
        PROGRAMS.iter().find(|(program, _)| *program == plain).map(|(_, agent)| *agent)
    };
    command.iter().take_while(|word| *word != "--").find_map(named)
}

/// What agents are started with.
const PROGRAMS: &[(&str, Agent)] = &[
    ("claude", Agent::ClaudeCode),
    ("claude-agent-acp", Agent::ClaudeCode),
    ("claude-code-acp", Agent::ClaudeCode),
    ("codex", Agent::Codex),
    ("codex-acp", Agent::Codex),
    ("copilot", Agent::Copilot),
    ("cursor-agent", Agent::Cursor),
    ("gemini", Agent::Gemini),
    ("gemini-cli", Agent::Gemini),
    ("goose", Agent::Goose),
    ("hermes", Agent::Hermes),
    ("hermes-acp", Agent::Hermes),
    ("opencode", Agent::OpenCode),
    ("opencode-ai", Agent::OpenCode),
    ("pi", Agent::Pi),
    ("pi-acp", Agent::Pi),
];

fn file_name(word: impl AsRef<OsStr>) -> Option<String> {
    Path::new(&word).file_name()?.to_str().map(str::to_owned)
}

/// Standard error is what editors keep as the agent's log.
#[derive(Debug)]
struct AtStderr;

impl Face for AtStderr {
    fn people<'a>(&self, setup: &Setup, cancel: &'a Cancel, editor: Editor) -> Box<dyn People + 'a> {
        Box::new(AtEditor::new(setup, cancel, editor))
    }

    fn effect(&self, effect: &Effect) -> String {
        human::effect(effect)
    }

    fn title(&self, asked: &Matter) -> String {
        matter::title(asked)
    }

    fn text(&self, asked: &Matter) -> String {
        matter::text(asked)
    }

    fn refusal(&self, reply: &Reply) -> String {
        let lines = run::words(reply).into_iter().map(|(who, what)| format!("{who}: {}", escape(&what)));
        lines.collect::<Vec<_>>().join("\n")
    }

    fn note(&self, words: &str) {
        for line in words.lines() {
            complain("herm", line.strip_prefix("herm: ").unwrap_or(line));
        }
    }

    fn aside(&self, line: &[u8]) {
        let text = Redactor::default().redact(&String::from_utf8_lossy(line));
        // Nothing is left to be done when standard error is closed as well.
        let _ = writeln!(io::stderr(), "{}", escape(&text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_known_by_their_programs() {
        let agent = |command: &[&str]| known(&command.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(agent(&["/usr/bin/gemini", "--acp"]), Some(Agent::Gemini));
        assert_eq!(
            agent(&["npx", "-y", "@agentclientprotocol/claude-agent-acp@0.49.0"]),
            Some(Agent::ClaudeCode)
        );
        assert_eq!(agent(&["uvx", "hermes"]), Some(Agent::Hermes));
        assert_eq!(agent(&["./agent", "--model", "x"]), None);
    }
}
