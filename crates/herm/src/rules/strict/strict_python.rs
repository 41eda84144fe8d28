//! A Python script that runs text, deletes or connects, in the strict preset.

use herm_shell::{Effect, Lang, Target, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::{Layer, Report, Rule};

/// A Python script that runs text, deletes or connects, in the strict preset.
pub static STRICT_PYTHON: Rule = Rule {
    name: "strict-python",
    title: "script that runs text, deletes or connects",
    layer: Layer::Strict,
    stance: Stance::Deny,
    finds: "Python code that runs a text as code, hands one to a shell, deletes a file or uses the network, in the strict preset.",
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
    ],
    near_misses: &[
        "python3 -c 'print(2 + 2)'",
        r#"python3 -c 'import subprocess; subprocess.run(["ls", "-la"])'"#,
        r#"python3 -c 'import urllib.parse; print(urllib.parse.quote("a b"))'"#,
        r#"python3 -c 'import ast; print(ast.literal_eval("1"))'"#,
        r#"python3 -c 'print("os.system(1)")'"#,
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
