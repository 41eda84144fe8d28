//! What a tool that nobody here knows is given, as deeds that can be judged: commands, links, files.

mod command;
mod found;
mod link;
mod path;

use herm::Action;
use herm::call::Tool;
use herm::fetch::Fetch;
use herm_adapters::keys::words_of;
use herm_shell::gap::Reason;
use serde_json::Value;

use found::Found;

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

/// What a tool of a server is given: the commands, links and files in it, however deep, and the call itself.
pub(crate) fn deeds(tool: Tool, input: &Value, direction: Direction) -> Vec<Action> {
    let found = Found::in_what_is_given(tool.name(), input);
    let unread = found.unread;
    all(acts(found, direction), tool, unread)
}

/// The same for a tool of which not even that is known whether it takes files: the commands in it, and the call itself.
pub(crate) fn commands(tool: Tool, input: &Value) -> Vec<Action> {
    let Found { runs, unread, .. } = Found::in_what_is_given(tool.name(), input);
    all(runs.into_iter().map(Action::Exec).collect(), tool, unread)
}

/// The same for what a server is given that is no tool: the commands, links and files in it, and the call itself only where not all
/// of it could be read.
pub(crate) fn mentioned(name: &str, input: &Value) -> Vec<Action> {
    beside(name, input, Direction::Reads)
}

/// The same for what a tool is given besides its arguments.
pub(crate) fn beside(name: &str, input: &Value, direction: Direction) -> Vec<Action> {
    let mut deeds = deeds(tool(name, input), input, direction);
    deeds.retain(|deed| !matches!(deed, Action::Tool(tool) if tool.unread().is_none()));
    deeds
}

/// What a link of a server leads to here. What has a scheme of the server's own leads to what is its own.
pub(crate) fn resource(uri: &str) -> Vec<Action> {
    let plain = link::bare(uri);
    let lower = plain.to_ascii_lowercase();
    match link::scheme(&lower) {
        Some(("http" | "https", _)) => mentioned("resource", &serde_json::json!({ "link": uri })),
        Some((scheme, _)) if scheme != "file" => Vec::new(),
        Some(_) | None => mentioned("resource", &serde_json::json!({ "path": uri })),
    }
}

fn acts(found: Found, direction: Direction) -> Vec<Action> {
    let mut acts: Vec<_> = found.runs.into_iter().map(Action::Exec).collect();
    acts.extend(found.links.iter().map(|link| Action::Fetch(Fetch::url(link))));
    for path in found.paths {
        acts.push(Action::Read(path.clone()));
        if direction == Direction::Writes {
            acts.push(Action::Write(path));
        }
    }
    acts
}

/// With the call itself, which asks where there is more than anybody could look through. All of it is judged nonetheless.
fn all(mut deeds: Vec<Action>, tool: Tool, unread: Option<Reason>) -> Vec<Action> {
    let unread = unread.or((deeds.len() > MOST).then_some(Reason::Size));
    deeds.push(Action::Tool(match unread {
        Some(reason) => tool.partly_read(reason),
        None => tool,
    }));
    deeds
}

/// A tool, with what it is given.
pub(crate) fn tool(name: &str, input: &Value) -> Tool {
    let mut given = Vec::new();
    texts(input, &mut given);
    Tool::new(name, &input.to_string(), given)
}

/// The most deeds that a call may come to without a question.
const MOST: usize = 256;

/// The texts in a value.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| texts(field, found)),
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
    fn commands_are_read_in_their_language() {
        let input = json!({"steps": [{"shellCommand": "ls"}, {"cmd": ["rm", "-rf", "x"]}]});
        assert_eq!(found("do", &input)[..2], ["Shell ls", "Shell rm -rf x"]);
        assert_eq!(found("run", &json!({"code": "print(1)", "language": "Python"}))[0], "Python print(1)");
        assert_eq!(found("python_eval", &json!({"code": "print(1)"}))[0], "Python print(1)");
    }

    #[test]
    fn all_of_too_much_is_judged_and_it_asks() {
        let many: Vec<_> = (0..300).map(|at| format!("/tmp/{at}")).collect();
        let actions = deeds(tool("s/list", &json!(many)), &json!(many), Direction::Reads);
        assert!(actions.contains(&Action::Read("/tmp/299".to_owned())));
        assert!(matches!(actions.last(), Some(Action::Tool(tool)) if tool.unread() == Some(Reason::Size)));
        let many: Vec<_> = (0..5000).map(|at| json!({"command": format!("echo {at}")})).collect();
        let actions = deeds(tool("s/list", &json!(many)), &json!(many), Direction::Reads);
        assert_eq!(actions.len(), found::LIMIT + 1);
        assert!(matches!(actions.last(), Some(Action::Tool(tool)) if tool.unread() == Some(Reason::Size)));
        let few: Vec<_> = (0..100).map(|at| format!("/tmp/{at}")).collect();
        let actions = deeds(tool("s/list", &json!(few)), &json!(few), Direction::Reads);
        assert!(matches!(actions.last(), Some(Action::Tool(tool)) if tool.unread().is_none()));
    }

    /// Why what a tool is given could not be read.
    fn unread(input: &Value) -> Option<Reason> {
        let actions = deeds(tool("s/do", input), input, Direction::Writes);
        actions.iter().find_map(|action| if let Action::Tool(tool) = action { tool.unread() } else { None })
    }

    #[test]
    fn commands_are_found_in_every_shape() {
        let inner = json!({"program": "rm", "args": ["-rf", "/"]}).to_string();
        for input in [
            json!({"command": ["rm", "-rf", "/"]}),
            json!({"command": {"program": "rm", "args": ["-rf", "/"]}}),
            json!({"command": {"name": "rm", "args": ["-rf", "/"]}}),
            json!({"command": [["rm", "-rf", "/"]]}),
            json!({"command": [["ls"], ["rm", "-rf", "/"]]}),
            json!({"argv": ["rm", "-rf", "/"]}),
            json!({"executable": "rm", "args": ["-rf", "/"]}),
            json!({"exec": "rm", "arguments": "-rf /"}),
            json!({"cmdline": "rm -rf /"}),
            json!({"run": "rm -rf /"}),
            json!({"run": ["rm -rf /"]}),
            json!({"command": inner}),
            json!({"request": inner}),
            json!({"request": json!({"deep": inner}).to_string()}),
            json!({"commands": {"one": "rm -rf /"}}),
            json!({"command": {"shell": "bash", "text": "rm -rf /"}}),
        ] {
            let found = found("do", &input);
            assert!(found.contains(&"Shell rm -rf /".to_owned()), "{input}: {found:?}");
        }
        let input = json!({"command": ["sh", "-c", "rm -rf /", 1]});
        assert!(found("do", &input).contains(&"Shell sh -c 'rm -rf /' 1".to_owned()));
        assert_eq!(found("run_command", &json!({"args": ["rm", "-rf", "x"]}))[0], "Shell rm -rf x");
    }

    #[test]
    fn commands_that_cannot_be_put_together_ask() {
        assert_eq!(unread(&json!({"command": {"first": "rm", "second": "-rf /"}})), Some(Reason::Syntax));
        assert_eq!(unread(&json!({"a": r#"{"path":"a","path":"b"}"#})), Some(Reason::Syntax));
        assert_eq!(unread(&json!({"command": {"shell": "sh", "text": "ls"}})), Some(Reason::Syntax));
        let words: Vec<_> = (0..3000).map(|at| format!("w{at}")).collect();
        assert_eq!(unread(&json!({"commands": words, "args": words})), Some(Reason::Fuel));
        let mut deep = "{\"a\":1}".to_owned();
        for _ in 0..6 {
            deep = json!({ "a": deep }).to_string();
        }
        assert_eq!(unread(&json!({ "a": deep })), Some(Reason::Depth));
        for fine in [
            json!({"shell": true, "code": 200, "run": null, "command": "ls"}),
            json!({"command": {"program": "ls", "args": ["-l"]}, "exec": {"timeout": 5}}),
            json!({"content": "{\"command\": {\"x\": \"y\"}}", "path": "package.json"}),
        ] {
            assert_eq!(unread(&fine), None, "{fine}");
        }
    }

    #[test]
    fn paths_are_judged_whatever_is_in_them() {
        for path in ["/x://../root/.ssh/id_rsa", "/x\n/../root/.ssh/id_rsa", ".ssh/id_rsa", "C:\\x", "~root"]
        {
            for key in ["path", "frob", "text"] {
                let found = found("view", &json!({ key: path }));
                assert!(found.contains(&format!("read {path}")), "{key}: {found:?}");
            }
        }
        for path in ["x://../../root/.ssh/id_rsa", "http://../../root/.ssh/id_rsa", "a\nb"] {
            assert!(found("view", &json!({ "path": path })).contains(&format!("read {path}")), "{path}");
        }
        assert!(found("view", &json!({"x": "fi\tle:///root/x"})).contains(&"read file:///root/x".to_owned()));
        let long = format!("/{}/../root/.ssh/id_rsa", "a".repeat(5000));
        assert!(found("view", &json!({ "x": long })).contains(&format!("read {long}")));
        assert_eq!(unread(&json!({ "path": long })), Some(Reason::Size));
        // Contents of files begin like paths as well.
        for content in ["// a comment\nfn main() {}\n", ".class {\n  color: red;\n}\n"] {
            assert_eq!(found("write", &json!({ "content": content })), ["tool s/write"]);
        }
    }

    #[test]
    fn links_are_judged_however_they_are_written() {
        let metadata = "fetch http://169.254.169.254/".to_owned();
        for (key, link) in [
            ("page", "ht\ttp://169.254.169.254/"),
            ("page", "http:/169.254.169.254/"),
            ("page", "\u{1}http:169.254.169.254/"),
            ("page", "http:\\\\169.254.169.254/"),
            ("url", "169.254.169.254/"),
            ("href", "//169.254.169.254/"),
            ("imageUrl", "ftp://169.254.169.254/"),
            ("endpoint", "odd://169.254.169.254/"),
            ("uri", "jar:http://169.254.169.254/"),
            ("url", "http://169.254.169.254/"),
        ] {
            let found = found("get", &json!({ key: link }));
            assert!(found.contains(&metadata), "{key} {link:?}: {found:?}");
        }
        assert!(
            found("get", &json!({"url": "localhost:80"})).contains(&"fetch http://localhost:80".to_owned())
        );
        let named = found("get", &json!({"url": "me:pw@169.254.169.254"}));
        assert!(named.contains(&"fetch http://me:pw@169.254.169.254".to_owned()), "{named:?}");
        assert_eq!(found("get", &json!({"uri": "notes://1"})), ["read notes://1", "tool s/get"]);
        for (key, other) in [
            ("text", "http: the protocol"),
            ("href", "#top"),
            ("url", "mailto:a@b.c"),
            ("link_text", "Click here"),
        ] {
            assert_eq!(found("get", &json!({ key: other })), ["tool s/get"], "{other}");
        }
    }

    #[test]
    fn resources_without_a_scheme_of_the_server_are_judged() {
        let read = |uri: &str| vec![Action::Read(uri.to_owned())];
        assert_eq!(resource("/root/.ssh/id_rsa"), read("/root/.ssh/id_rsa"));
        assert!(resource("fi\tle:///root/.ssh/id_rsa").contains(&read("file:///root/.ssh/id_rsa")[0]));
        assert!(matches!(&resource("HTTP:/169.254.169.254/")[..], [Action::Fetch(_), Action::Fetch(_)]));
        assert_eq!(resource("notes://1"), []);
    }
}
