//! The operator's hooks, as the configuration names them.
//!
//! Two ways of writing them are known: a list of `{matcher, command, timeout}`, and a mapping from tools to commands.

use super::error::Problem;
use super::glob;
use super::value::{Wrong, all, boolean, named, number, text, wrong};
use super::yaml::{Content, Node};

/// A program that is asked before a tool is called, or told afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hook {
    /// When it runs.
    pub event: Event,
    /// For which tools.
    pub tools: Tools,
    /// The program and its arguments, as written. No shell reads it.
    pub command: String,
    /// Seconds that it may take.
    pub timeout: u32,
    /// What it means when it cannot be heard.
    pub failure: Failure,
}

/// When a hook runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// Before a tool is called; it may object.
    PreToolCall,
    /// Afterwards; it is told the result.
    PostToolCall,
}

/// What it means when a hook cannot be heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Failure {
    /// An objection: it may have had one.
    Objects,
    /// Nothing; it is noted.
    Passes,
}

impl Event {
    /// Its name in the configuration and in what hooks are told.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PreToolCall => "pre_tool_call",
            Self::PostToolCall => "post_tool_call",
        }
    }

    const fn key(self) -> &'static str {
        match self {
            Self::PreToolCall => "hooks.pre_tool_call",
            Self::PostToolCall => "hooks.post_tool_call",
        }
    }
}

/// Which tools a hook is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tools(String);

impl Tools {
    /// Those whose name matches, as a regular expression over the whole name or as a pattern with `*`.
    #[must_use]
    pub fn new(matcher: &str) -> Self {
        Self(matcher.trim().to_owned())
    }

    /// Every tool.
    #[must_use]
    pub fn all() -> Self {
        Self("*".to_owned())
    }

    /// As it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this tool is one of them.
    ///
    /// `mcp_*` may be meant either way, so one of the two readings suffices. An expression that uses what is not known
    /// here, such as a look-ahead, is for every tool: a hook that runs too often is noticed, one that never runs is not.
    #[must_use]
    pub fn contain(&self, tool: &str) -> bool {
        if self.0.is_empty() || glob::matches(&self.0, tool) {
            return true;
        }
        match regex_lite::Regex::new(&format!("^(?:{})$", self.0)) {
            Ok(expression) => expression.is_match(tool),
            Err(_) => self.0.contains(['(', '\\', '{']),
        }
    }
}

/// How long a hook may take where nothing is said, and the bounds of what can be said.
const USUAL: u32 = 60;
const SHORTEST: u32 = 1;
const LONGEST: u32 = 300;

/// The hooks of one event.
pub(super) fn read(event: Event, node: &Node) -> Result<Vec<Hook>, Wrong> {
    let key = event.key();
    match &node.content {
        Content::Null => Ok(Vec::new()),
        Content::List(items) => all(items.iter().map(|item| hook(event, &Tools::all(), item))),
        // One hook where a list of them is usual. Its keys are not names of tools.
        Content::Map(pairs) if names(pairs, "command") => {
            hook(event, &Tools::all(), node).map(|hook| vec![hook])
        }
        Content::Map(pairs) => by_tool(event, pairs),
        Content::Alias | Content::Text(_) => Err(wrong(node, key, "a list of hooks, or tools with theirs")),
    }
}

fn names(pairs: &[(Node, Node)], wanted: &str) -> bool {
    pairs.iter().any(|(key, _)| matches!(&key.content, Content::Text(name) if name == wanted))
}

fn by_tool(event: Event, pairs: &[(Node, Node)]) -> Result<Vec<Hook>, Wrong> {
    let of_tool = |(tool, value): &(Node, Node)| {
        let tools = Tools::new(text(tool, event.key())?);
        match &value.content {
            Content::Null => Ok(Vec::new()),
            Content::List(items) => all(items.iter().map(|item| hook(event, &tools, item))),
            Content::Alias | Content::Map(_) | Content::Text(_) => {
                hook(event, &tools, value).map(|hook| vec![hook])
            }
        }
    };
    all(pairs.iter().map(of_tool)).map(|hooks| hooks.concat())
}

fn hook(event: Event, tools: &Tools, node: &Node) -> Result<Hook, Wrong> {
    let mut hook = Hook {
        event,
        tools: tools.clone(),
        command: String::new(),
        timeout: USUAL,
        failure: Failure::Objects,
    };
    match &node.content {
        Content::Text(command) => command.clone_into(&mut hook.command),
        Content::Map(pairs) => fill(&mut hook, pairs)?,
        Content::Alias | Content::List(_) | Content::Null => {
            return Err(wrong(node, event.key(), "a command, or a mapping with one"));
        }
    }
    if hook.command.trim().is_empty() { Err(Wrong::from((node.at, Problem::NoCommand))) } else { Ok(hook) }
}

fn fill(hook: &mut Hook, pairs: &[(Node, Node)]) -> Result<(), Wrong> {
    all(named(pairs).map(|pair| pair.and_then(|(key, name, value)| set(hook, key, name, value)))).map(drop)
}

fn set(hook: &mut Hook, key: &Node, name: &str, value: &Node) -> Result<(), Wrong> {
    match name {
        "command" => text(value, "command")?.clone_into(&mut hook.command),
        "fail_open" if boolean(value, "fail_open")? => hook.failure = Failure::Passes,
        "fail_open" => hook.failure = Failure::Objects,
        "matcher" if value.content == Content::Null => {}
        "matcher" => hook.tools = Tools::new(text(value, "matcher")?),
        "timeout" => hook.timeout = number(value, "timeout")?.clamp(SHORTEST, LONGEST),
        other => {
            let section = hook.event.key().to_owned();
            return Err(Wrong::from((key.at, Problem::UnknownKey { key: other.to_owned(), section })));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Config, Source};

    fn hooks(text: &str) -> Vec<Hook> {
        Config::read(Source::User, "c.yaml", text).unwrap().hooks
    }

    fn refused(source: Source, text: &str) -> String {
        Config::read(source, "c.yaml", text).unwrap_err().to_string()
    }

    #[test]
    fn a_list_of_hooks_is_read() {
        let read = hooks(
            "hooks:\n  pre_tool_call:\n    - matcher: \"terminal\"\n      command: /opt/fence.sh\n      timeout: 5\n    - command: audit\n      fail_open: true\n    - /bin/watch --all\n",
        );
        let hook = |tools, command: &str, timeout, failure| Hook {
            event: Event::PreToolCall,
            tools,
            command: command.to_owned(),
            timeout,
            failure,
        };
        assert_eq!(
            read,
            [
                hook(Tools::new("terminal"), "/opt/fence.sh", 5, Failure::Objects),
                hook(Tools::all(), "audit", 60, Failure::Passes),
                hook(Tools::all(), "/bin/watch --all", 60, Failure::Objects),
            ]
        );
    }

    #[test]
    fn a_mapping_from_tools_is_read() {
        let read = hooks(
            "hooks:\n  post_tool_call:\n    terminal:\n      - ~/scripts/check.py\n      - {command: ~/scripts/log.sh, timeout: 9000}\n    write_file: /opt/one\n    read_file:\n",
        );
        let seen: Vec<_> =
            read.iter().map(|hook| (hook.tools.0.as_str(), hook.command.as_str(), hook.timeout)).collect();
        assert_eq!(
            seen,
            [
                ("terminal", "~/scripts/check.py", 60),
                ("terminal", "~/scripts/log.sh", 300),
                ("write_file", "/opt/one", 60),
            ]
        );
        assert!(read.iter().all(|hook| hook.event == Event::PostToolCall));
    }

    #[test]
    fn a_single_hook_is_not_taken_for_tools() {
        let read = hooks("hooks: {pre_tool_call: {matcher: terminal, command: /opt/x}}");
        assert_eq!((read.len(), read[0].command.as_str()), (1, "/opt/x"));
        assert!(!read[0].tools.contain("read_file"));
    }

    #[test]
    fn a_file_may_be_wrapped_in_its_own_name() {
        let text = "cli-config.yaml:\n  hooks:\n    pre_tool_call:\n      terminal:\n        - ~/check.py\n";
        let config = Config::read(Source::User, "/home/dev/.herm/cli-config.yaml", text).unwrap();
        assert_eq!(config.hooks.len(), 1);
        assert_eq!(hooks(text), []);
    }

    #[test]
    fn a_hook_that_would_never_run_is_a_mistake() {
        for (text, message) in [
            ("hooks: {pre_tool_call: [{matcher: terminal}]}", "c.yaml:1:25: the hook has no command"),
            ("hooks: {pre_tool_call: ['']}", "c.yaml:1:25: the hook has no command"),
            (
                "hooks: {pre_tool_call: [{comand: x}]}",
                "c.yaml:1:26: unknown key `comand` in `hooks.pre_tool_call`",
            ),
            ("hooks: {pre_tool_cal: []}", "c.yaml:1:9: unknown key `pre_tool_cal` in `hooks`"),
            (
                "hooks: {pre_tool_call: run-me}",
                "c.yaml:1:24: `hooks.pre_tool_call` must be a list of hooks, or tools with theirs",
            ),
            (
                "hooks: {pre_tool_call: [{command: a, command: b}]}",
                "c.yaml:1:38: `command` stands here twice",
            ),
        ] {
            assert_eq!(refused(Source::User, text), message);
        }
        assert_eq!(hooks("hooks: {on_session_start: [{command: x}], pre_llm_call: [{command: x}]}"), []);
    }

    #[test]
    fn a_repository_brings_no_hooks() {
        let message = refused(Source::Repository, "hooks: {pre_tool_call: [/tmp/x]}");
        assert_eq!(
            message,
            "c.yaml:1:9: a repository may only tighten, so it cannot set `hooks.pre_tool_call`"
        );
    }

    #[test]
    fn tools_are_matched_as_a_whole_in_either_reading() {
        for (matcher, tool, expected) in [
            ("terminal", "terminal", true),
            ("terminal", "terminal_x", false),
            ("terminal|write_file", "write_file", true),
            ("terminal|write_file", "write_files", false),
            ("*", "anything", true),
            ("", "anything", true),
            ("mcp_*", "mcp_github", true),
            ("mcp_.*", "mcp_github", true),
            ("mcp_.*", "terminal", false),
            (r"write_\w+", "write_file", true),
            (r"write_\w+", "read_file", false),
            ("(?!read_).*", "read_file", true),
            ("[", "terminal", false),
        ] {
            assert_eq!(Tools::new(matcher).contain(tool), expected, "{matcher} on {tool}");
        }
    }
}
