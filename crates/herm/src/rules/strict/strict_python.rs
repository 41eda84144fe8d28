//! A Python script that runs text, deletes or connects, in the strict preset.

use herm_shell::analysis::{Use, UseKind};
use herm_shell::{Effect, Lang, Target, Verb};

use crate::environment::family;
use crate::facts::{Facts, closed};
use crate::finding::Stance;
use crate::rules::{Layer, Report, Rule};

/// A Python script that runs text, deletes or connects, in the strict preset.
pub static STRICT_PYTHON: Rule = Rule {
    name: "strict-python",
    title: "script that runs text, deletes or connects",
    layer: Layer::Strict,
    stance: Stance::Deny,
    finds: "Python code that runs a text as code, hands one to a shell, deletes a file, makes use of the network or reads a secret variable, in the strict preset.",
    matters: "A script is approved as a whole; such calls are where it does something else than it seems to.",
    instead: "Let the script compute and print, and run the command itself.",
    suggestion: "",
    examples: &[
        r#"python3 -c 'import os; os.system("ls")'"#,
        r#"python3 -c 'import os; print(os.popen("ls").read())'"#,
        r#"python3 -c 'import subprocess; subprocess.run("ls -la", shell=True)'"#,
        r#"python3 -c 'import os; os.remove("x.txt")'"#,
        r#"python3 -c 'from pathlib import Path; Path("x").unlink()'"#,
        r#"python3 -c 'exec("print(1)")'"#,
        r#"python3 -c 'print(eval("1 + 1"))'"#,
        r#"python3 -c 'import socket; socket.create_connection(("example.com", 80))'"#,
        r#"python3 -c 'import socket; s = socket.socket(); s.bind(("", 80)); s.listen()'"#,
        r#"python3 -c 'import urllib.request; urllib.request.urlopen("https://example.com")'"#,
        r#"python3 -c 'import requests; requests.Session().get("https://example.com")'"#,
        r#"python3 -c 'import httpx; httpx.get("https://example.com")'"#,
        "python3 -c 'import socket; s = socket.socket()'",
        "python3 -c 'from aiohttp import ClientSession as C; C()'",
        "python3 -c 'import requests'",
        "python3 -c 'from urllib import request'",
        r#"python3 -c 'import os; print(os.environ["HERMES_API_KEY"])'"#,
        r#"python3 -c 'from os import getenv as g; g("OPENROUTER_" + "API_KEY")'"#,
        r#"python3 -c 'import os; getattr(os, "environ").get("DATABASE_URL")'"#,
    ],
    near_misses: &[
        "python3 -c 'print(2 + 2)'",
        r#"python3 -c 'import subprocess; subprocess.run(["ls", "-la"])'"#,
        r#"python3 -c 'import urllib.parse; print(urllib.parse.quote("a b"))'"#,
        r#"python3 -c 'import ast; print(ast.literal_eval("1"))'"#,
        r#"python3 -c 'print("os.system(1)")'"#,
        r#"python3 -c 'import os; print(os.environ["HOME"], os.getenv("LANG"))'"#,
        r#"python3 -c 'import os; print("HERMES_API_KEY" in os.environ)'"#,
        "python3 -c 'import socket; print(socket.gethostname())'",
        "python3 -c 'import urllib.parse'",
        "curl https://example.com",
        "rm x.txt",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts.effects().filter(|effect| &*effect.by == "python") {
        if let Some(what) = minded(effect) {
            report.effect(effect, what);
        }
    }
    for found in facts.shell.uses.iter().filter(|found| !closed(&found.realm)) {
        if let Some(what) = unwanted(found) {
            report.used(found, what);
        }
    }
}

/// What a script makes use of although the list names it, whether or not anything comes of it.
fn unwanted(found: &Use) -> Option<String> {
    let name = &found.name;
    match found.kind {
        UseKind::Network if connects(name) => Some(format!("makes use of `{name}` from Python code")),
        UseKind::Variable if is_secret(name) => Some(format!("reads the variable `{name}` from Python code")),
        UseKind::Network | UseKind::Variable => None,
    }
}

/// Whether something of a library is there to connect: names and addresses can be handled without.
fn connects(name: &str) -> bool {
    match name.split_once('.') {
        Some(("socket", inner)) => SOCKETS.iter().any(|made| inner.starts_with(made)),
        Some(("urllib", inner)) => inner.split('.').next() == Some("request"),
        Some(_) => true,
        None => name != "socket",
    }
}

/// How the functions and classes are called that make a socket.
const SOCKETS: &[&str] = &["SocketType", "create_", "fromfd", "fromshare", "socket"];

/// Whether a variable would be kept from a script, because of what it holds.
fn is_secret(name: &str) -> bool {
    family(name).is_some_and(|family| family.name != "hijack")
}

fn minded(effect: &Effect) -> Option<&'static str> {
    match (effect.verb, &effect.target) {
        (Verb::Connect | Verb::Listen, _) => Some("uses the network from Python code"),
        (Verb::Delete, _) => Some("deletes from Python code"),
        (Verb::Execute, Target::Code(Lang::Shell, _)) => Some("hands a text to a shell from Python code"),
        (Verb::Execute, Target::Code(..)) => Some("runs a text as Python code"),
        _ => None,
    }
}
