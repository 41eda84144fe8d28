//! What is found in what tools are given.

mod git;
mod perhaps;

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
    for path in ["/x://../root/.ssh/id_rsa", "/x\n/../root/.ssh/id_rsa", ".ssh/id_rsa", "C:\\x", "~root"] {
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
    assert!(found("get", &json!({"url": "localhost:80"})).contains(&"fetch http://localhost:80".to_owned()));
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

/// The commands in what a tool is given.
fn runs(name: &str, input: &Value) -> Vec<String> {
    let actions = deeds(tool(&format!("s/{name}"), input), input, Direction::of(name, None));
    let run = |action: &Action| {
        let Action::Exec(exec) = action else { return None };
        Some(format!("{:?} {}", exec.lang, exec.text))
    };
    actions.iter().filter_map(run).collect()
}

#[test]
fn whoever_is_named_for_running_runs_what_it_is_given() {
    let command = "rm -rf /";
    for name in
        ["bash", "run", "execute", "exec", "shell", "sh", "terminal", "run_command", "runShellCommand"]
    {
        for input in [
            json!({"input": command}),
            json!({"line": command}),
            json!({"text": command}),
            json!({"value": command}),
            json!({"source": command}),
            json!({"lines": [command]}),
            json!({"deep": {"x": command}}),
            json!({"command": "ls", "more": command}),
            json!([command]),
            json!(["rm", "-rf", "/"]),
            json!(command),
            json!({"line": "[\"rm -rf /\"]"}),
            json!({"line": "{\"x\": \"rm -rf /\"}"}),
        ] {
            let found = runs(name, &input);
            assert!(found.contains(&"Shell rm -rf /".to_owned()), "{name} {input}: {found:?}");
        }
    }
    assert_eq!(runs("run_workflow", &json!({"step": "rm -rf /"})), ["Shell rm -rf /"]);
    let python = runs("python", &json!({"source": "import os"}));
    assert_eq!(python, ["Python import os"]);
    let code = r#"require("child_process").execSync("id")"#;
    assert!(runs("eval", &json!({"expression": code})).contains(&format!("JavaScript {code}")));
    let code = r#"__import__("os").system("id")"#;
    assert!(runs("eval", &json!({"expression": code})).contains(&format!("Python {code}")));
    assert!(runs("evaluate", &json!({"expression": "rm -rf /"})).contains(&"Shell rm -rf /".to_owned()));
}

#[test]
fn words_for_people_are_no_commands() {
    for (name, input) in [
        ("query", json!({"query": "how to rm -rf /"})),
        ("search_shell_docs", json!({"query": "rm -rf /"})),
        ("note", json!({"text": "rm -rf /"})),
        ("send_message", json!({"text": "rm -rf /", "to": "ann"})),
        ("search", json!({"query": "delete from users"})),
        ("git", json!({"arguments": "{\"text\": \"costs $(5)\"}"})),
        ("exec", json!({"arguments": "{\"title\": \"costs $(5)\"}"})),
        ("send_keys", json!({"text": "Hello (all)"})),
        ("console_messages", json!({"text": "a (b"})),
        ("run_agent", json!({"prompt": "Fix (it), don't ask"})),
        ("create_node", json!({"label": "A (b", "text": "rm -rf /"})),
        ("run", json!({"description": "rm -rf /", "session_id": "rm -rf /", "env": {"A": "rm -rf /"}})),
        ("run_workflow", json!({"inputs": {"why": "Fix (all) of it"}, "title": "rm -rf /"})),
        ("get_server", json!({"server": "github", "address": "1 Main Street", "mail_address": "a@b.c"})),
    ] {
        assert_eq!(runs(name, &input), Vec::<String>::new(), "{name} {input}");
    }
    assert_eq!(
        found("get", &json!({"server": "github", "address": "Main Street 1.", "mail_address": "a@b.c"})),
        ["tool s/get"]
    );
}

#[test]
fn programs_are_put_together_from_whatever_stands_beside_them() {
    for (name, input, command) in [
        ("x", json!({"command": "rm", "arg": ["-rf", "/"]}), "rm -rf /"),
        ("x", json!({"cmd": "rm", "options": ["-rf", "/"]}), "rm -rf /"),
        ("x", json!({"cmd": "rm", "flags": "-rf", "path": "/"}), "rm -rf /"),
        ("x", json!({"cmd": "rm", "args": ["/"], "options": ["-rf"]}), "rm -rf /"),
        ("x", json!({"cmd": "rm -rf", "target": "/"}), "rm -rf /"),
        ("x", json!({"cmd": "rm", "args": "[\"-rf\", \"/\"]"}), "rm -rf /"),
        ("x", json!({"cmd": "git push", "args": ["--force"]}), "git push --force"),
        ("send_keys", json!({"keys": "rm -rf /"}), "rm -rf /"),
        ("git", json!({"args": ["push", "--force"]}), "git push --force"),
        ("git", json!({"command": "push --force"}), "git push --force"),
        ("git", json!({"subcommand": "push", "flags": ["--force"]}), "git push --force"),
        ("run_kubectl", json!({"args": "delete ns x"}), "kubectl delete ns x"),
        ("bash", json!({"args": ["-c", "id"]}), "bash -c id"),
        ("x", json!({"command": "bash", "input": "rm -rf /"}), "{\nbash\n} <<'EOF'\nrm -rf /\nEOF\n"),
        (
            "x",
            json!({"program": "sh", "args": ["-s"], "stdin": "id\nEOF"}),
            "{\nsh -s\n} <<'EOF_'\nid\nEOF\nEOF_\n",
        ),
    ] {
        let found = runs(name, &input);
        assert!(found.contains(&format!("Shell {command}")), "{name} {input}: {found:?}");
    }
    // A file beside what has its operands already may say where.
    let found = runs("x", &json!({"command": "rm -rf build", "path": "/srv"}));
    assert_eq!(found, ["Shell rm -rf build"]);
    // Who may be a shell is judged as one, however the text begins.
    let both = "SELECT a FROM b; rm -rf /";
    for (name, key) in [("bash", "statement"), ("sh", "query"), ("run", "query")] {
        let found = runs(name, &json!({ key: both }));
        assert!(found.contains(&format!("Shell {both}")), "{name} {key}: {found:?}");
    }
    // What a program reads is no command of its own.
    let found = runs("bash", &json!({"command": "python3 -", "input": "print(1)"}));
    assert!(!found.contains(&"Shell print(1)".to_owned()), "{found:?}");
}

#[test]
fn what_is_deleted_is_deleted_and_not_only_written() {
    for (name, input, command) in [
        ("delete_directory", json!({"path": "/"}), "rm -rf -- /"),
        ("delete_file", json!({"path": "/home"}), "rm -- /home"),
        ("delete_file", json!({"path": "/home", "recursive": true}), "rm -rf -- /home"),
        ("remove", json!({"paths": ["~"]}), "rm -rf -- ~"),
        ("rmdir", json!({"uri": "file:///x y"}), r"rm -rf -- /x\ y"),
    ] {
        let found = runs(name, &input);
        assert!(found.contains(&format!("Shell {command}")), "{name} {input}: {found:?}");
    }
    assert_eq!(runs("move", &json!({"path": "/"})), Vec::<String>::new());
}

#[test]
fn statements_are_for_a_database() {
    for (name, input) in [
        ("query", json!({"sql": "DROP TABLE users"})),
        ("query", json!({"query": "DROP TABLE users"})),
        ("run_query", json!({"query": "DROP TABLE users"})),
        ("do", json!({"statement": "DROP TABLE users"})),
        ("execute_sql", json!({"query": "DROP TABLE users"})),
        ("search_db", json!({"query": "DROP TABLE users"})),
    ] {
        assert_eq!(runs(name, &input), ["Sql DROP TABLE users"], "{name} {input}");
    }
    assert_eq!(
        runs("run_query", &json!({"query": "SELECT count(*) FROM t"})),
        ["Sql SELECT count(*) FROM t"]
    );
}

#[test]
fn hosts_are_found_where_addresses_are_given() {
    for (key, host) in [
        ("address", "169.254.169.254"),
        ("ip", "169.254.169.254"),
        ("server", "metadata.google.internal"),
        ("ip", "169.254.169.254:80"),
        ("server", "localhost"),
    ] {
        let found = found("get", &json!({ key: host }));
        assert!(found.contains(&format!("fetch http://{host}")), "{key} {host}: {found:?}");
    }
}
