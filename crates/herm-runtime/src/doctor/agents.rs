//! The agents that are here: whether they ask herm, and whether herm's no would stop them.
//!
//! Nothing is concluded from what a file says alone. The command that stands in it is run, told of something that nobody may do, and
//! must answer so that this agent would not run it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use herm_adapters::Agent;
use herm_adapters::wiring::command::{patience, quoted, words};
use herm_adapters::wiring::{Obstacle, Purpose, Scope, Switch, Wiring, canary, wiring};
use herm_sandbox::process::{self, Cancel, Ending, Input, Mode, Output, Spec};

use super::{Group, Row, State};
use crate::environment;
use crate::files::{self, Seen};
use crate::interpreter;
use crate::wiring::{Found, Places, Plan, Step};

/// A few rows for each agent that is here.
pub(super) fn rows(places: &Places) -> Vec<Row> {
    places.agents().iter().flat_map(|found| of_agent(places, found)).collect()
}

fn row(agent: Agent, state: State, detail: impl Into<String>) -> Row {
    Row::new(Group::Agents, agent.word(), state, detail)
}

fn of_agent(places: &Places, found: &Found) -> Vec<Row> {
    let agent = found.agent;
    let known = wiring(agent);
    let version = found.program.as_deref().and_then(|program| version(places, program));
    let named = version.map_or_else(String::new, |version| format!("{version}; "));
    let plans: Vec<Plan> = [Scope::System, Scope::User].map(|scope| Plan::new(places, agent, scope)).into();
    let Some(wired) = plans.iter().find(|plan| plan.steps.first().is_some_and(Step::is_present)) else {
        let advice = format!("herm init {}", agent.word());
        let mut steps = plans.iter().flat_map(|plan| &plan.steps);
        if let Some(problem) = steps.find_map(|step| step.change.as_ref().err()) {
            // What herm cannot read, the agent may not read either, whatever stands in it.
            let state = if problem.is_unreadable() { State::Missing } else { State::Weaker };
            let detail = format!("{named}it is not guarded: {problem}");
            return vec![row(agent, state, detail).advised(advice)];
        }
        return vec![row(agent, State::Weaker, format!("{named}it does not ask herm")).advised(advice)];
    };
    let mut rows = vec![asks(places, wired, &named)];
    rows.extend(trust(wired, known));
    rows.extend(obstacles(places, wired, known));
    rows.extend(switches(places, wired, known));
    rows.extend(managed(places, wired, known));
    rows.push(limits(agent, wired.scope, known));
    rows
}

/// Whether the agent's own command line refuses what nobody may do.
fn asks(places: &Places, plan: &Plan, named: &str) -> Row {
    let agent = plan.agent;
    let Some(step) = plan.steps.first() else { return row(agent, State::Missing, "it cannot be wired") };
    let file = step.file.display();
    let advice =
        format!("herm init {}{}", agent.word(), if plan.scope == Scope::System { " --system" } else { "" });
    let Some(line) = step.commands().into_iter().next() else {
        return row(agent, State::Missing, format!("{named}`{file}` names no command")).advised(advice);
    };
    let line = if agent == Agent::Cline { quoted(&step.file.display().to_string()) } else { line };
    match tried(places, agent, &line) {
        Err(why) => row(agent, State::Missing, format!("{named}the hook in `{file}` does not refuse: {why}"))
            .advised(advice),
        Ok(()) if !plan.is_alike() => {
            let detail =
                format!("{named}the hook in `{file}` does not say what it should: it may never be called");
            row(agent, State::Missing, detail).advised(advice)
        }
        Ok(()) if !plan.is_done() => {
            row(agent, State::Weaker, format!("{named}`{file}` was not written by this herm")).advised(advice)
        }
        Ok(()) => {
            row(agent, State::Holds, format!("{named}asks herm, by `{file}`; a canary was refused just now"))
        }
    }
}

/// A hook that its person has not consented to is skipped without a word.
fn trust(plan: &Plan, known: &Wiring) -> Option<Row> {
    let consent = known.consent.filter(|_| plan.scope == Scope::User)?;
    let is_trusted = plan.steps.iter().filter(|step| step.purpose == Purpose::Trust).all(Step::is_done);
    let is_for_all = plan.steps.first().is_some_and(|step| step.says_yes(known.consents_to_all));
    (!is_trusted && !is_for_all).then(|| {
        row(plan.agent, State::Missing, "its person has not consented to the hook, so it is skipped")
            .advised(consent)
    })
}

/// What keeps the hook of an agent from being called, though it is there.
pub(super) fn held_off(places: &Places, plan: &Plan) -> Vec<Row> {
    let known = wiring(plan.agent);
    let rows = obstacles(places, plan, known).into_iter().chain(switches(places, plan, known));
    let rows = rows.chain(managed(places, plan, known));
    rows.filter(|row| row.state == State::Missing).collect()
}

/// Files beside those that herm wrote by which the agent passes them over.
fn obstacles(places: &Places, plan: &Plan, known: &Wiring) -> Vec<Row> {
    let directory = places.directory(plan.agent, plan.scope);
    let stands = |obstacle: &&Obstacle| match files::read(&directory.join(obstacle.file())) {
        Seen::Absent => false,
        Seen::Hidden => true,
        Seen::Bytes(bytes) => obstacle.stands(&String::from_utf8_lossy(&bytes)),
    };
    let told = |obstacle: &Obstacle| {
        let file = directory.join(obstacle.file());
        let detail = format!("`{}` keeps the agent from asking herm", file.display());
        row(plan.agent, State::Missing, detail).advised("take out what is about hooks, or herm's file, in it")
    };
    known.obstacles.iter().filter(stands).map(told).collect()
}

/// Files that switch hooks off, of this repository and of the user.
fn switches(places: &Places, plan: &Plan, known: &Wiring) -> Vec<Row> {
    let own = places.directory(plan.agent, Scope::User);
    let mut files: Vec<(PathBuf, _)> = Vec::new();
    for switch in known.switches {
        files.extend(repository(places).into_iter().map(|directory| (directory.join(switch.file), switch)));
        let name = Path::new(switch.file).file_name().unwrap_or_default();
        files.push((own.join(name), switch));
    }
    let told = |(file, switch): &(PathBuf, &Switch)| {
        let detail = format!("`{}` switches hooks off: `{}`", file.display(), switch.at.join("."));
        match (plan.scope, plan.agent) {
            (_, Agent::Copilot) => {
                let detail = format!("{detail}; its users' own hooks, and the machine's, hold nevertheless");
                row(plan.agent, State::Weaker, detail).advised("take it out")
            }
            (Scope::System, Agent::ClaudeCode | Agent::Codex) => {
                let detail = format!("{detail}; the machine's own hook holds nevertheless");
                row(plan.agent, State::Weaker, detail).advised("take it out")
            }
            (Scope::System | Scope::User, _) => {
                row(plan.agent, State::Missing, detail).advised("take it out")
            }
        }
    };
    files.iter().filter(|(file, switch)| is_off(file, switch)).map(told).collect()
}

/// Files of the machine by which the hooks of users count for nothing.
fn managed(places: &Places, plan: &Plan, known: &Wiring) -> Vec<Row> {
    let mut rows = Vec::new();
    for switch in known.managed {
        let file = places.root.join(switch.file);
        let more = files::list(&file.with_extension("d"));
        for file in more.into_iter().chain([file]).filter(|file| is_off(file, switch)) {
            let own = plan.scope == Scope::System && switch.at != ["disableAllHooks"];
            let detail = format!(
                "`{}` says that hooks of users do not run: `{}`",
                file.display(),
                switch.at.join(".")
            );
            let advice = format!("herm init {} --system", plan.agent.word());
            rows.extend((!own).then(|| row(plan.agent, State::Missing, detail).advised(advice)));
        }
    }
    rows
}

/// Whether a file switches hooks off. One that cannot be looked at may do so.
fn is_off(file: &Path, switch: &Switch) -> bool {
    match files::read(file) {
        Seen::Absent => false,
        Seen::Hidden => true,
        Seen::Bytes(bytes) => String::from_utf8(bytes).map_or(true, |text| switch.is_off(&text)),
    }
}

/// The working directory and those above it, as far as its repository goes.
fn repository(places: &Places) -> Vec<PathBuf> {
    let mut directories = Vec::new();
    for directory in places.cwd.ancestors().take_while(|directory| *directory != places.home) {
        directories.push(directory.to_owned());
        if files::exists(&directory.join(".git")) {
            return directories;
        }
    }
    directories.truncate(1);
    directories
}

/// What a hook cannot guard.
fn limits(agent: Agent, scope: Scope, known: &Wiring) -> Row {
    let patience = patience(agent);
    let unguarded = format!("not told to any hook: {}", known.unguarded.join(", "));
    let weakness = known.weakness.filter(|_| scope == Scope::User || agent == Agent::Gemini);
    let limit = format!("an answer takes {} seconds at most", patience.deadline);
    let said: Vec<String> = [unguarded, limit].into_iter().chain(weakness.map(ToOwned::to_owned)).collect();
    row(agent, State::Absent, said.join("; "))
        .advised("what must hold there too is held by a boundary around the agent itself")
}

/// Runs the command of a hook as its agent does, and says why its answer would not stop that agent.
fn tried(places: &Places, agent: Agent, line: &str) -> Result<(), String> {
    let (program, arguments) = match agent {
        // No shell reads it.
        Agent::Hermes | Agent::OpenCode | Agent::Pi => {
            let mut words = words(line).unwrap_or_default().into_iter().map(OsString::from);
            (words.next().ok_or("it names no program")?, words.collect())
        }
        Agent::ClaudeCode
        | Agent::Cline
        | Agent::Codex
        | Agent::Copilot
        | Agent::Cursor
        | Agent::Gemini
        | Agent::Goose
        | Agent::Windsurf => (interpreter::shell().into(), vec!["-c".into(), line.into()]),
    };
    let event = canary::event(agent, &places.cwd.display().to_string());
    let heard = hear(places, program, arguments, Input::Bytes(event.into_bytes()), Duration::from_secs(30))?;
    let exit = match heard.ending {
        Ending::Exited(code) => Some(code),
        Ending::Cancelled | Ending::Signalled(_) | Ending::TimedOut => None,
    };
    let said = canary::Heard { exit, stdout: &heard.stdout, stderr: &heard.stderr };
    if canary::is_refused(agent, said) { Ok(()) } else { Err(format!("it ended with {:?}", heard.ending)) }
}

/// What a program says when it is asked for its version.
fn version(places: &Places, program: &Path) -> Option<String> {
    let time = Duration::from_secs(10);
    let heard = hear(places, program.into(), vec!["--version".into()], Input::Empty, time).ok()?;
    let text = String::from_utf8_lossy(&heard.stdout).into_owned();
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    (heard.ending == Ending::Exited(0)).then(|| line.chars().take(60).collect())
}

fn hear(
    places: &Places,
    program: OsString,
    arguments: Vec<OsString>,
    input: Input,
    time: Duration,
) -> Result<Ear, String> {
    let spec = Spec {
        program,
        arguments,
        cwd: places.cwd.clone(),
        environment: environment::own(),
        time,
        grace: Duration::from_secs(1),
        input,
        confinement: None,
    };
    let cancel = Cancel::new().map_err(|error| error.to_string())?;
    let mut ear = Ear { ending: Ending::Cancelled, stdout: Vec::new(), stderr: Vec::new() };
    let execution =
        process::run(spec, Mode::Captured, &cancel, &mut ear).map_err(|error| error.to_string())?;
    ear.ending = execution.ending;
    Ok(ear)
}

/// What a program said, and how it ended.
#[derive(Debug)]
struct Ear {
    ending: Ending,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

/// More than any answer.
const MOST: usize = 1 << 16;

impl Output for Ear {
    fn stdout(&mut self, bytes: &[u8]) {
        let room = MOST.saturating_sub(self.stdout.len());
        self.stdout.extend(bytes.iter().take(room));
    }

    fn stderr(&mut self, bytes: &[u8]) {
        let room = MOST.saturating_sub(self.stderr.len());
        self.stderr.extend(bytes.iter().take(room));
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use std::fs;

    use super::*;

    fn places(root: &Path) -> Places {
        Places {
            home: root.join("home"),
            guard: root.join("guard"),
            cwd: root.to_owned(),
            root: root.to_owned(),
            herm: "/usr/bin/herm".into(),
            heeds_variables: false,
        }
    }

    fn write(root: &Path, name: &str, text: &str) {
        let file = root.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
    }

    #[test]
    fn what_keeps_an_agent_from_asking_is_told() {
        for (agent, name, text) in [
            (Agent::Copilot, "home/.copilot/hooks/herm.json", "{\"version\": 1, \"disableAllHooks\": true}"),
            (Agent::Pi, "home/.pi/agent/settings.json", "{\"extensions\": [\"-extensions/herm.ts\"]}"),
            (Agent::Pi, "home/.pi/agent/extensions/.gitignore", "*\n"),
            (Agent::Pi, "home/.pi/agent/extensions/.fdignore", "herm.ts\n"),
            (Agent::Pi, "home/.pi/agent/extensions/index.ts", ""),
            (Agent::Pi, "home/.pi/agent/extensions/package.json", "{\"pi\": {\"extensions\": [\"./a.ts\"]}}"),
        ] {
            let root = tempfile::tempdir().unwrap();
            let places = places(root.path());
            let plan = || Plan::new(&places, agent, Scope::User);
            assert!(held_off(&places, &plan()).is_empty(), "{name}");
            write(root.path(), name, text);
            let rows = held_off(&places, &plan());
            assert!(matches!(rows.as_slice(), [row] if row.detail.contains(name)), "{name}: {rows:?}");
            let harmless = if name.ends_with("ignore") { "# none\n" } else { "{}" };
            write(root.path(), name, harmless);
            assert_eq!(held_off(&places, &plan()).is_empty(), !name.ends_with("index.ts"), "{name}");
        }
    }

    #[test]
    fn settings_of_the_machine_that_drop_the_hooks_of_users_are_told() {
        for (agent, name, text) in [
            (Agent::ClaudeCode, "etc/claude-code/managed-settings.json", "{\"allowManagedHooksOnly\": true}"),
            (Agent::ClaudeCode, "etc/claude-code/managed-settings.d/x.json", "{\"disableAllHooks\": true}"),
            (Agent::Codex, "etc/codex/requirements.toml", "allow_managed_hooks_only = true\n"),
        ] {
            let root = tempfile::tempdir().unwrap();
            let places = places(root.path());
            let plan = |scope| Plan::new(&places, agent, scope);
            assert!(managed(&places, &plan(Scope::User), wiring(agent)).is_empty(), "{name}");
            write(root.path(), name, text);
            let rows = managed(&places, &plan(Scope::User), wiring(agent));
            assert!(matches!(rows.as_slice(), [row] if row.state == State::Missing), "{name}: {rows:?}");
            let own = managed(&places, &plan(Scope::System), wiring(agent));
            assert_eq!(own.is_empty(), !text.contains("disableAllHooks"), "{name}: {own:?}");
        }
    }
}
