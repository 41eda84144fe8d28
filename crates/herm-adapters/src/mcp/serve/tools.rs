//! The tools, what they are given, and what clients are told about them.

use serde_json::{Value, json};

use super::arguments::Arguments;

/// A tool with what it was given.
#[derive(Clone, Debug, PartialEq)]
pub enum Tool {
    /// Whether another tool may be called, asked by Claude Code.
    Approve {
        /// What it is called there.
        tool: String,
        /// What it is given.
        input: Value,
        /// What the call is named.
        id: Option<String>,
    },
    /// Python code.
    Code {
        /// The code.
        code: String,
        /// How many seconds it may run.
        seconds: Option<u32>,
    },
    /// A page.
    Fetch {
        /// Its link.
        url: String,
        /// How much of it is wanted.
        bytes: Option<u32>,
        /// How many seconds it may take.
        seconds: Option<u32>,
    },
    /// Changes to files.
    Patch {
        /// The patch.
        patch: String,
    },
    /// A file that is read.
    Read {
        /// The file.
        path: String,
        /// The number of the first line.
        first: u32,
        /// How many lines.
        most: u32,
    },
    /// A command.
    Terminal {
        /// The command.
        command: String,
        /// Where, if not in the shell that goes on.
        cwd: Option<String>,
        /// How many seconds it may run.
        seconds: Option<u32>,
    },
    /// A file that is written.
    Write {
        /// The file.
        path: String,
        /// What will be in it.
        content: String,
    },
}

/// A tool that was called in a way that it does not understand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misused {
    /// What is wrong.
    pub why: String,
    /// Whether it was to say if another tool may be called.
    pub approves: bool,
}

/// The longest that anything may take, in seconds; the policy may know a shorter time.
const LONGEST: u32 = 24 * 60 * 60;

/// How many lines of a file are read where nobody says.
const LINES: u32 = 2000;

/// The most of a page that can be wanted.
const PAGE: u32 = 64 << 20;

impl Tool {
    /// What a name and arguments mean; nothing where there is no such tool.
    pub(super) fn read(name: &str, given: &Value) -> Option<Result<Self, Misused>> {
        let read = match name {
            "approve" => approve(given),
            "execute_code" => code(given),
            "fetch" => fetch(given),
            "patch" => patch(given),
            "read_file" => read_file(given),
            "terminal" => terminal(given),
            "write_file" => write_file(given),
            _ => return None,
        };
        Some(read.map_err(|why| Misused { why, approves: name == "approve" }))
    }

    /// Whether its answer is the one that Claude Code expects.
    #[must_use]
    pub const fn approves(&self) -> bool {
        matches!(self, Self::Approve { .. })
    }
}

/// Other arguments may come with a later version, and allow nothing.
fn approve(given: &Value) -> Result<Tool, String> {
    let given = Arguments::among(given)?;
    Ok(Tool::Approve {
        tool: given.words("tool_name")?,
        input: given.object("input")?,
        id: given.optional_text("tool_use_id")?,
    })
}

fn code(given: &Value) -> Result<Tool, String> {
    let given = Arguments::of(given, &["code", "timeout"])?;
    Ok(Tool::Code { code: given.words("code")?, seconds: given.number("timeout", LONGEST)? })
}

fn fetch(given: &Value) -> Result<Tool, String> {
    let given = Arguments::of(given, &["url", "max_bytes", "timeout"])?;
    let (bytes, seconds) = (given.number("max_bytes", PAGE)?, given.number("timeout", LONGEST)?);
    Ok(Tool::Fetch { url: given.words("url")?, bytes, seconds })
}

fn patch(given: &Value) -> Result<Tool, String> {
    let given = Arguments::of(given, &["patch"])?;
    Ok(Tool::Patch { patch: given.words("patch")? })
}

fn read_file(given: &Value) -> Result<Tool, String> {
    let given = Arguments::of(given, &["path", "offset", "limit"])?;
    let (first, most) = (given.number("offset", u32::MAX)?, given.number("limit", u32::MAX)?);
    Ok(Tool::Read { path: given.words("path")?, first: first.unwrap_or(1), most: most.unwrap_or(LINES) })
}

fn terminal(given: &Value) -> Result<Tool, String> {
    let given = Arguments::of(given, &["command", "cwd", "timeout"])?;
    let cwd = given.optional_text("cwd")?.filter(|cwd| !cwd.is_empty());
    Ok(Tool::Terminal { command: given.words("command")?, cwd, seconds: given.number("timeout", LONGEST)? })
}

fn write_file(given: &Value) -> Result<Tool, String> {
    let given = Arguments::of(given, &["path", "content"])?;
    Ok(Tool::Write { path: given.words("path")?, content: given.text("content")? })
}

/// What clients are told about the tools.
pub(super) fn catalogue() -> Value {
    let text = |about: &str| json!({ "type": "string", "description": about });
    let number = |about: &str, most: u32| json!({ "type": "integer", "minimum": 1, "maximum": most, "description": about });
    let seconds = number("How many seconds it may run; the policy may know a shorter time.", LONGEST);
    json!([
        {
            "name": "terminal",
            "title": "Run a command",
            "description": "Runs a command in bash. Without `cwd` it runs in one shell that goes on: its directory, variables and functions are kept from call \
                            to call. With `cwd` it runs in a shell of its own, in that directory of the workspace.",
            "inputSchema": schema(&json!({
                "command": text("What bash reads."),
                "cwd": text("A directory of the workspace, for a shell of its own."),
                "timeout": seconds,
            }), &["command"]),
            "outputSchema": ran(),
            "annotations": { "readOnlyHint": false, "destructiveHint": true, "idempotentHint": false, "openWorldHint": true },
        },
        {
            "name": "execute_code",
            "title": "Run Python code",
            "description": "Runs a Python script in a fresh directory that is gone afterwards. What it prints comes back.",
            "inputSchema": schema(&json!({ "code": text("The script."), "timeout": seconds }), &["code"]),
            "outputSchema": ran(),
            "annotations": { "readOnlyHint": false, "destructiveHint": true, "idempotentHint": false, "openWorldHint": true },
        },
        {
            "name": "read_file",
            "title": "Read a file",
            "description": "Reads lines of a text file. Secrets in it are shown as `[REDACTED]`.",
            "inputSchema": schema(&json!({
                "path": text("The file, relative to the workspace."),
                "offset": number("The number of the first line; usually 1.", u32::MAX),
                "limit": number("How many lines; usually 2000.", u32::MAX),
            }), &["path"]),
            "outputSchema": given_back(&json!({
                "path": { "type": "string" }, "content": { "type": ["string", "null"] }, "first_line": { "type": "integer" },
                "shown_lines": { "type": "integer" }, "total_lines": { "type": "integer" }, "bytes": { "type": "integer" },
                "truncated": { "type": "boolean" },
            })),
            "annotations": { "readOnlyHint": true, "openWorldHint": false },
        },
        {
            "name": "write_file",
            "title": "Write a file",
            "description": "Writes a whole file, all at once. Its mode is kept, and directories that are missing are made.",
            "inputSchema": schema(&json!({
                "path": text("The file, relative to the workspace."), "content": text("Everything that will be in it."),
            }), &["path", "content"]),
            "outputSchema": changed(),
            "annotations": { "readOnlyHint": false, "destructiveHint": true, "idempotentHint": true, "openWorldHint": false },
        },
        {
            "name": "patch",
            "title": "Change files",
            "description": "Changes files by a patch: all of them, or none. Either `*** Begin Patch`, then `*** Update File: PATH` (or `*** Add File:`, `*** Delete \
                            File:`, and `*** Move to:`) with lines that begin with a blank, `-` or `+` after `@@`, then `*** End Patch`; or a unified diff. Lines \
                            that stay and lines that go must be in the file exactly as they are.",
            "inputSchema": schema(&json!({ "patch": text("The patch.") }), &["patch"]),
            "outputSchema": changed(),
            "annotations": { "readOnlyHint": false, "destructiveHint": true, "idempotentHint": false, "openWorldHint": false },
        },
        {
            "name": "fetch",
            "title": "Fetch a page",
            "description": "Fetches what a link leads to. What is no text is not shown.",
            "inputSchema": schema(&json!({
                "url": text("The link."), "max_bytes": number("The most of it that is wanted.", PAGE), "timeout": seconds,
            }), &["url"]),
            "outputSchema": given_back(&json!({
                "url": { "type": ["string", "null"] }, "status": { "type": ["integer", "null"] }, "kind": { "type": ["string", "null"] },
                "content": { "type": ["string", "null"] }, "bytes": { "type": "integer" }, "truncated": { "type": "boolean" },
            })),
            "annotations": { "readOnlyHint": true, "openWorldHint": true },
        },
        {
            "name": "approve",
            "title": "Approve another tool",
            "description": "Says whether a tool of Claude Code may be called, for its option `--permission-prompt-tool`. A model has no use for it.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "tool_name": text("The tool."),
                    "input": { "type": "object", "description": "What it is given." },
                    "tool_use_id": text("What the call is named."),
                },
                "required": ["tool_name", "input"],
            },
            "annotations": { "readOnlyHint": true, "openWorldHint": false },
        },
    ])
}

fn schema(properties: &Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// What comes back: this, or why not. Every answer has a receipt.
fn given_back(properties: &Value) -> Value {
    let mut all = json!({
        "error": { "type": ["string", "null"] }, "notes": { "type": "array", "items": { "type": "string" } },
        "receipt": { "type": ["string", "null"] },
    });
    if let (Some(all), Some(properties)) = (all.as_object_mut(), properties.as_object()) {
        all.extend(properties.clone());
    }
    json!({ "type": "object", "properties": all })
}

fn ran() -> Value {
    given_back(&json!({
        "exit_code": { "type": "integer" }, "ending": { "type": "string" }, "stdout": { "type": "string" }, "stderr": { "type": "string" },
        "truncated": { "type": "boolean" }, "duration": { "type": "number" }, "backend": { "type": ["string", "null"] },
    }))
}

fn changed() -> Value {
    given_back(&json!({
        "files": { "type": "array", "items": { "type": "object", "properties": {
            "path": { "type": "string" }, "how": { "enum": ["created", "changed", "deleted"] }, "bytes": { "type": "integer" },
        } } },
    }))
}
