//! What each tool does.

use std::sync::Arc;
use std::time::Duration;

use herm::Action;
use herm::call::{Call, CallId, Door, Exec, Tool};
use herm::fetch::Fetch;
use herm_runtime::adapters::amend::{self, Amendment, What};
use herm_runtime::adapters::mcp::serve::Outcome;
use herm_runtime::adapters::{Agent, Answer};
use herm_runtime::fetch::Bounds;
use herm_runtime::filing::Range;
use herm_runtime::mcp::serve::Errand;
use herm_runtime::perform::{Input, Mode, Stage};
use herm_runtime::{Runtime, Setup, incoming};
use herm_shell::Lang;
use serde_json::{Value, json};

use super::terminal::{Watcher, shell};
use super::{Counter, words};
use crate::command::hook;
use crate::command::run::on_backend;
use crate::render::run::Whereabouts;

/// Tools of Claude Code that do nothing but look at its own state, or at the names of files.
const NOTES: &[&str] = &[
    "BashOutput",
    "CronList",
    "Glob",
    "LS",
    "ListMcpResourcesTool",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "TodoWrite",
    "ToolSearch",
];

impl Counter<'_> {
    /// Says whether a tool of Claude Code may be called. Nobody tells in which directory its shell is.
    pub(super) fn approve(
        &self,
        errand: &Arc<Errand>,
        tool: &str,
        input: &Value,
        id: Option<&str>,
    ) -> Result<Outcome, String> {
        let told = json!({ "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input, "tool_use_id": id });
        let event = Agent::ClaudeCode.decode(told.to_string().as_bytes());
        let event = event.map_err(|malformed| format!("herm: {malformed}, so nothing is allowed"))?;
        let setup = self.setup()?;
        let calls = incoming::calls(&setup, Agent::ClaudeCode, &event)
            .map_err(|error| format!("herm: the directory cannot be used: {error}"))?;
        let calls = if calls.is_empty() && !NOTES.contains(&tool) {
            // At a hook the agent would ask its own person; here whatever is not asked about is a yes.
            let id = CallId(id.unwrap_or_default().to_owned());
            let called = Tool::new(tool, &input.to_string(), Vec::new());
            vec![Call { id, ..setup.call(Action::Tool(called)) }]
        } else {
            calls
        };
        let here = |call| Call { door: Door::Mcp, session: self.session.clone(), ..call };
        let mut people = self.people(&setup, errand);
        let mut runtime = Runtime::new(setup, &mut people).map_err(|problem| hook::told(&problem))?;
        let calls = runtime.strictest_first(calls.into_iter().map(here).collect());
        Ok(match hook::decide(&mut runtime, &calls, errand.cancel(), None)? {
            Answer::Approve | Answer::Pass => Outcome::Approved(input.clone()),
            Answer::Ask(reason) | Answer::Refuse(reason) | Answer::Warn(reason) => Outcome::Forbidden(reason),
            Answer::Replace(..) | Answer::Rewrite { .. } => {
                Outcome::Forbidden("herm: it could not be decided".to_owned())
            }
        })
    }

    pub(super) fn code(
        &self,
        errand: &Arc<Errand>,
        code: &str,
        seconds: Option<u32>,
    ) -> Result<Outcome, String> {
        let exec =
            Exec::new(code, Lang::Python).within(seconds.map(|seconds| Duration::from_secs(seconds.into())));
        self.fresh(errand, exec, None)
    }

    /// Runs a command in a shell of its own.
    pub(super) fn command(
        &self,
        errand: &Arc<Errand>,
        command: &str,
        cwd: &str,
        seconds: Option<u32>,
    ) -> Result<Outcome, String> {
        self.fresh(errand, shell(command, seconds), Some(cwd))
    }

    fn fresh(&self, errand: &Arc<Errand>, exec: Exec, cwd: Option<&str>) -> Result<Outcome, String> {
        let setup = self.located(cwd)?;
        let setup = on_backend(self.matches, setup).map_err(|failure| failure.words())?;
        let call = self.call(&setup, errand, Action::Exec(exec));
        let mut people = self.people(&setup, errand);
        let whereabouts = Whereabouts::of(&setup);
        let mut runtime = Runtime::new(setup, &mut people).map_err(|problem| hook::told(&problem))?;
        let mut audience = Watcher::of(errand);
        let mut stage = Stage {
            input: Input::Empty,
            mode: Mode::Captured,
            cancel: errand.cancel(),
            audience: &mut audience,
        };
        Ok(words::ran(&runtime.handle(&call, &mut stage), &whereabouts, None))
    }

    /// What holds in a directory of the workspace.
    fn located(&self, cwd: Option<&str>) -> Result<Setup, String> {
        let mut setup = self.setup()?;
        let usual = self.matches.get_one::<String>("cwd").map(String::as_str);
        setup.locate(cwd.or(usual)).map_err(|problem| hook::told(&problem))?;
        Ok(setup)
    }

    pub(super) fn fetch(
        &self,
        errand: &Arc<Errand>,
        url: &str,
        (bytes, seconds): (Option<u32>, Option<u32>),
    ) -> Result<Outcome, String> {
        let setup = self.setup()?;
        let call = self.call(&setup, errand, Action::Fetch(Fetch::url(url)));
        let mut people = self.people(&setup, errand);
        let mut runtime = Runtime::new(setup, &mut people).map_err(|problem| hook::told(&problem))?;
        let usual = Bounds::default();
        let bytes = bytes.and_then(|bytes| usize::try_from(bytes).ok());
        let time = seconds.map(|seconds| Duration::from_secs(seconds.into()));
        let bounds =
            Bounds { bytes: bytes.unwrap_or(usual.bytes), time: time.unwrap_or(usual.time), ..usual };
        Ok(words::fetched(&runtime.fetch(&call, bounds, errand.cancel())))
    }

    pub(super) fn read(
        &self,
        errand: &Arc<Errand>,
        path: &str,
        (first, most): (u32, u32),
    ) -> Result<Outcome, String> {
        let setup = self.located(None)?;
        let call = self.call(&setup, errand, Action::Read(path.to_owned()));
        let mut people = self.people(&setup, errand);
        let mut runtime = Runtime::new(setup, &mut people).map_err(|problem| hook::told(&problem))?;
        let lines = |count: u32| usize::try_from(count).unwrap_or(usize::MAX);
        let range = Range { first: lines(first), most: lines(most) };
        Ok(words::read(&runtime.read_file(&call, range, errand.cancel())))
    }

    pub(super) fn write(&self, errand: &Arc<Errand>, path: &str, content: &str) -> Result<Outcome, String> {
        let what = What::Write(content.to_owned());
        self.edit(errand, &[Amendment { path: path.to_owned(), what, to: None }])
    }

    pub(super) fn patch(&self, errand: &Arc<Errand>, patch: &str) -> Result<Outcome, String> {
        let amendments = amend::read(patch).map_err(|unreadable| format!("herm: {unreadable}"))?;
        self.edit(errand, &amendments)
    }

    fn edit(&self, errand: &Arc<Errand>, wanted: &[Amendment]) -> Result<Outcome, String> {
        let setup = self.located(None)?;
        // What is changed is said by the runtime, once it has looked.
        let template = self.call(&setup, errand, Action::Write(String::new()));
        let mut people = self.people(&setup, errand);
        let mut runtime = Runtime::new(setup, &mut people).map_err(|problem| hook::told(&problem))?;
        Ok(words::edited(&runtime.edit_files(&template, wanted, errand.cancel())))
    }
}
