//! What a tool that nobody here knows is given, as deeds that can be judged: commands, links, files.

use herm::Action;
use herm::call::{Exec, Tool};
use herm::fetch::Fetch;
use herm_shell::Lang;
use serde_json::Value;

/// What a tool does with the files that it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// It only looks.
    Reads,
    /// It may change them, or nobody knows.
    Writes,
}

impl Direction {
    /// What the name of a tool says, and what its server says about it. Either can make it one that writes; only a name that
    /// speaks of nothing but looking, or a server that says so of a name that speaks of nothing, makes it one that reads.
    pub(crate) fn of(tool: &str, says_reads: Option<bool>) -> Self {
        let words = words_of(tool);
        let names = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        match says_reads {
            Some(false) => Self::Writes,
            _ if names(WRITING) => Self::Writes,
            Some(true) => Self::Reads,
            None if names(READING) => Self::Reads,
            None => Self::Writes,
        }
    }
}

/// Words in names of tools that look.
const READING: &[&str] = &[
    "cat", "count", "describe", "diff", "exists", "find", "get", "glob", "grep", "head", "info", "inspect",
    "list", "lookup", "ls", "peek", "preview", "read", "search", "show", "stat", "status", "tail", "tree",
    "view",
];

/// Words in names of tools that change something.
const WRITING: &[&str] = &[
    "add",
    "append",
    "apply",
    "chmod",
    "commit",
    "copy",
    "create",
    "delete",
    "download",
    "edit",
    "exec",
    "execute",
    "export",
    "extract",
    "fix",
    "format",
    "generate",
    "import",
    "insert",
    "install",
    "link",
    "make",
    "mkdir",
    "modify",
    "move",
    "overwrite",
    "patch",
    "put",
    "remove",
    "rename",
    "replace",
    "reset",
    "restore",
    "rm",
    "run",
    "save",
    "set",
    "store",
    "sync",
    "touch",
    "truncate",
    "unzip",
    "update",
    "upload",
    "write",
    "zip",
];

/// The words of a name such as `read_file`, `readFile` or `read-file`, in lower case.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for c in name.chars() {
        let begins = c.is_uppercase() && was_small;
        was_small = c.is_lowercase() || c.is_ascii_digit();
        if begins || !c.is_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// What a tool of a server is given: the commands, links and files in it, however deep, and the call itself.
pub(crate) fn deeds(tool: Tool, input: &Value, direction: Direction) -> Vec<Action> {
    let mut found = Found { hint: words_of(tool.name()), ..Found::default() };
    found.look(None, input);
    let mut deeds = runs(found.runs);
    deeds.extend(found.links.iter().map(|link| Action::Fetch(Fetch::url(link))));
    for path in found.paths {
        deeds.push(Action::Read(path.clone()));
        if direction == Direction::Writes {
            deeds.push(Action::Write(path));
        }
    }
    // What is more than anybody means is still judged as what the tool is given.
    deeds.truncate(MOST);
    deeds.push(Action::Tool(tool));
    deeds
}

/// The same for a tool of which not even that is known whether it takes files: the commands in it, and the call itself.
pub(crate) fn commands(tool: Tool, input: &Value) -> Vec<Action> {
    let mut found = Found { hint: words_of(tool.name()), ..Found::default() };
    found.look(None, input);
    let mut deeds = runs(found.runs);
    deeds.push(Action::Tool(tool));
    deeds
}

/// Commands one by one, or where they are too many as the one text that runs them all.
fn runs(commands: Vec<Exec>) -> Vec<Action> {
    if commands.len() < MOST {
        return commands.into_iter().map(Action::Exec).collect();
    }
    let texts: Vec<_> = commands.into_iter().map(|command| command.text).collect();
    vec![Action::Exec(Exec::new(&texts.join("\n"), Lang::Shell))]
}

/// A tool, with what it is given.
pub(crate) fn tool(name: &str, input: &Value) -> Tool {
    let mut given = Vec::new();
    texts(input, &mut given);
    Tool::new(name, &input.to_string(), given)
}

/// The most deeds that are judged one by one.
const MOST: usize = 256;

/// What was found in a value.
#[derive(Debug, Default)]
struct Found {
    /// The words of the tool's name.
    hint: Vec<String>,
    runs: Vec<Exec>,
    links: Vec<String>,
    paths: Vec<String>,
    depth: usize,
}

impl Found {
    /// Looks through a value under a key. How deep it is was bounded when it was read.
    fn look(&mut self, key: Option<&str>, value: &Value) {
        match value {
            Value::String(text) => self.text(key.unwrap_or_default(), text),
            Value::Array(items) => items.iter().for_each(|item| self.look(key, item)),
            Value::Object(fields) => {
                let arguments = ["args", "arguments", "argv"].iter().find_map(|key| words(fields.get(*key)?));
                let language = ["language", "lang", "runtime", "interpreter"]
                    .iter()
                    .find_map(|key| fields.get(*key)?.as_str().and_then(language));
                for (name, field) in fields {
                    if is_command(name) {
                        self.command(field, arguments.as_deref(), language);
                    }
                    // Tools that take several files may know them by their names.
                    self.text(key.unwrap_or_default(), name);
                    self.look(Some(name), field);
                }
            }
            Value::Bool(_) | Value::Null | Value::Number(_) => {}
        }
    }

    /// A command: a text, the words of a program, a program beside its arguments, or several texts.
    fn command(&mut self, value: &Value, arguments: Option<&[String]>, lang: Option<Lang>) {
        let lang = lang.or_else(|| self.hint.iter().find_map(|word| language(word))).unwrap_or(Lang::Shell);
        match value {
            Value::String(text) => {
                self.runs.push(Exec::new(text, lang));
                let whole = arguments.map(|rest| [std::slice::from_ref(text), rest].concat());
                self.runs.extend(whole.map(Exec::program));
            }
            Value::Array(_) => {
                let words = words(value).unwrap_or_default();
                self.runs
                    .extend(words.iter().filter(|text| text.contains(' ')).map(|text| Exec::new(text, lang)));
                self.runs.extend((!words.is_empty()).then(|| Exec::program(words)));
            }
            Value::Bool(_) | Value::Null | Value::Number(_) | Value::Object(_) => {}
        }
    }

    fn text(&mut self, key: &str, text: &str) {
        let trimmed = text.trim();
        let lower = trimmed.to_ascii_lowercase();
        if ["http://", "https://"].iter().any(|scheme| lower.starts_with(scheme)) {
            return add(&mut self.links, trimmed);
        }
        // What is written in a text may be meant as what it says.
        if trimmed.starts_with(['{', '[']) && self.depth < DEEPEST {
            if let Ok(value @ (Value::Array(_) | Value::Object(_))) = serde_json::from_str(trimmed) {
                self.depth += 1;
                self.look(Some(key), &value);
                self.depth -= 1;
            }
            return;
        }
        if let Some(path) = local(trimmed) {
            return add(&mut self.paths, &path);
        }
        let is_short = text.len() < LONGEST_PATH && !text.contains('\n') && !trimmed.is_empty();
        let begins = ["/", "~", "./", "../", "$home", "${home}"];
        let looks = begins.iter().any(|start| lower.starts_with(start))
            || words_of(key).iter().any(|word| is_place(word));
        if !lower.contains("://") && is_short && looks {
            add(&mut self.paths, text);
            add(&mut self.paths, trimmed);
        }
    }
}

/// How often what is written in a text is read as what it says.
const DEEPEST: usize = 4;

/// The path in a link to a file, as whoever opens it reads it.
pub(crate) fn local(text: &str) -> Option<String> {
    let scheme = text.get(..5).filter(|scheme| scheme.eq_ignore_ascii_case("file:"))?;
    let rest = text.get(scheme.len()..)?;
    let path = match rest.strip_prefix("//") {
        // Before the path a host may stand.
        Some(after) => after.find('/').and_then(|at| after.get(at..)).unwrap_or(after),
        None => rest,
    };
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let mut bytes = Vec::new();
    let mut left = path.as_bytes();
    while let Some((&first, rest)) = left.split_first() {
        let digit = |at: usize| rest.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        let code = digit(0).zip(digit(1)).and_then(|(high, low)| u8::try_from(high * 16 + low).ok());
        let decoded = code.filter(|_| first == b'%');
        bytes.push(decoded.unwrap_or(first));
        left = if decoded.is_some() { rest.get(2..).unwrap_or_default() } else { rest };
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn add(list: &mut Vec<String>, text: &str) {
    if !list.iter().any(|known| known == text) {
        list.push(text.to_owned());
    }
}

/// As much as Linux takes for a path.
const LONGEST_PATH: usize = 4096;

/// Whether tools are given files under a key with this word in it.
fn is_place(word: &str) -> bool {
    const PLACES: &[&str] = &[
        "cwd",
        "dest",
        "destination",
        "dir",
        "directories",
        "directory",
        "file",
        "filename",
        "filenames",
        "filepath",
        "files",
        "folder",
        "folders",
        "from",
        "location",
        "output",
        "path",
        "paths",
        "root",
        "source",
        "src",
        "target",
        "to",
        "uri",
        "uris",
        "workdir",
    ];
    PLACES.contains(&word)
}

/// Whether tools are given commands or code under this key.
fn is_command(key: &str) -> bool {
    const COMMANDS: &[&str] = &[
        "bash",
        "cmd",
        "code",
        "command",
        "commandline",
        "commands",
        "eval",
        "exec",
        "executable",
        "execute",
        "program",
        "run",
        "script",
        "shell",
    ];
    words_of(key).iter().any(|word| COMMANDS.contains(&word.as_str()))
}

/// The language that a word names.
fn language(word: &str) -> Option<Lang> {
    match word.to_ascii_lowercase().as_str() {
        "javascript" | "js" | "node" | "nodejs" => Some(Lang::JavaScript),
        "powershell" | "pwsh" => Some(Lang::PowerShell),
        "py" | "python" | "python3" => Some(Lang::Python),
        _ => None,
    }
}

/// A list of words.
fn words(value: &Value) -> Option<Vec<String>> {
    let words = value.as_array()?.iter().map(|word| word.as_str().map(str::to_owned));
    words.collect::<Option<Vec<_>>>().filter(|words| !words.is_empty())
}

/// The texts in a value.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(fields) => {
            for (name, field) in fields {
                found.extend(name.contains(['/', '~']).then(|| name.clone()));
                texts(field, found);
            }
        }
        Value::Bool(_) | Value::Null | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(name: &str, input: &Value) -> Vec<String> {
        let direction = Direction::of(name, None);
        let word = |action: &Action| match action {
            Action::Edit(_) => "edit".to_owned(),
            Action::Exec(exec) => format!("{:?} {}", exec.lang, exec.text),
            Action::Fetch(fetch) => format!("fetch {}", fetch.text()),
            Action::Read(path) => format!("read {path}"),
            Action::Tool(tool) => format!("tool {}", tool.name()),
            Action::Write(path) => format!("write {path}"),
        };
        deeds(tool(&format!("s/{name}"), input), input, direction).iter().map(word).collect()
    }

    #[test]
    fn files_are_read_or_written_as_the_name_says() {
        assert_eq!(found("read_file", &json!({"path": "a.txt"})), ["read a.txt", "tool s/read_file"]);
        assert_eq!(
            found("frobnicate", &json!({"path": "a.txt"})),
            ["read a.txt", "write a.txt", "tool s/frobnicate"]
        );
        assert_eq!(Direction::of("read_and_delete", Some(true)), Direction::Writes);
        assert_eq!(Direction::of("readFile", Some(false)), Direction::Writes);
        assert_eq!(Direction::of("frobnicate", Some(true)), Direction::Reads);
        assert_eq!(Direction::of("getURL", None), Direction::Reads);
        assert_eq!(Direction::of("widget", None), Direction::Writes);
    }

    #[test]
    fn whatever_is_nested_is_found() {
        let input = json!({"edits": [{"target_file": "b", "note": ["~/.ssh/id_rsa", "plain words"]}],
            "page": {"address": "https://example.com/x"}, "text": "see https://example.com"});
        assert_eq!(
            found("view", &input),
            ["fetch https://example.com/x", "read ~/.ssh/id_rsa", "read b", "tool s/view"]
        );
    }

    #[test]
    fn files_are_found_however_they_are_named() {
        for (input, path) in [
            (json!({"x": "FILE:///etc/%73hadow"}), "read /etc/shadow"),
            (json!({"x": "file://localhost/etc/shadow?q#f"}), "read /etc/shadow"),
            (json!({"x": "file:/etc/shadow"}), "read /etc/shadow"),
            (json!({"x": "  /etc/shadow "}), "read /etc/shadow"),
            (json!({"files": {"~/.ssh/id_rsa": "x"}}), "read ~/.ssh/id_rsa"),
            (json!({"x": "{\"a\": [{\"b\": \"/etc/shadow\"}]}"}), "read /etc/shadow"),
        ] {
            assert!(found("get", &input).contains(&path.to_owned()), "{input}: {:?}", found("get", &input));
        }
        let deep = (0..8).fold(json!("/etc/shadow"), |text, _| json!(json!([text]).to_string()));
        assert_eq!(found("get", &json!({"x": deep})), ["tool s/get"], "there is an end to it");
    }

    #[test]
    fn commands_are_read_in_their_language() {
        let input = json!({"steps": [{"shellCommand": "ls"}, {"cmd": ["rm", "-rf", "x"]}]});
        assert_eq!(found("do", &input)[..2], ["Shell ls", "Shell rm -rf x"]);
        assert_eq!(found("run", &json!({"code": "print(1)", "language": "Python"}))[0], "Python print(1)");
        assert_eq!(found("python_eval", &json!({"code": "print(1)"}))[0], "Python print(1)");
    }

    #[test]
    fn too_much_is_still_judged_as_what_the_tool_is_given() {
        let many: Vec<_> = (0..5000).map(|at| format!("/tmp/{at}")).collect();
        let actions = deeds(tool("s/list", &json!(many)), &json!(many), Direction::Reads);
        assert_eq!(actions.len(), MOST + 1);
        assert!(matches!(actions.last(), Some(Action::Tool(tool)) if tool.given().len() == 5000));
        let many: Vec<_> = (0..5000).map(|at| json!({"command": format!("echo {at}")})).collect();
        let actions = deeds(tool("s/list", &json!(many)), &json!(many), Direction::Reads);
        assert!(
            matches!(&actions[..], [Action::Exec(all), Action::Tool(_)] if all.text.ends_with("echo 4999"))
        );
    }
}
