//! Ends processes with SIGKILL.

use herm_shell::Flags;
use herm_shell::effect::ProcessTarget;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::kills;

pub(crate) static FORCE_KILL: Rule = Rule {
    name: "force-kill",
    title: "force kill processes",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Ends processes with SIGKILL, other than one's own jobs, and a server by its script or by its file of a process number in the project.",
    matters: "They cannot save their work or clean up.",
    instead: "Send the plain signal first.",
    suggestion: "kill 1234",
    examples: &[
        "pkill -9 node",
        "killall -KILL nginx",
        "killall -s 9 nginx",
        "kill -9 $(cat /run/nginx.pid)",
        "pkill -9 -f '.*.py'",
        "kill -9 1234",
        "fuser -k 8080/tcp",
    ],
    near_misses: &[
        "kill 1234",
        "pkill node",
        "pkill -f myserver",
        "kill -9 %1",
        "kill -9 $(cat server.pid)",
        "pkill -9 -f my_server.py",
        "kill -0 1234",
        "killall -l",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, process) in kills(facts).filter(|(effect, _)| effect.flags.has(Flags::KILL_SIGNAL)) {
        if let Some(who) = others(process) {
            report.effect(effect, format!("ends {who} without letting it clean up"));
        }
    }
}

/// One's own jobs may be killed; everybody is the floor's business.
fn others(process: &ProcessTarget) -> Option<String> {
    match process {
        ProcessTarget::Matching(name) => {
            (!name.starts_with('%') && name != "$!" && !is_own_server(name)).then(|| format!("`{name}`"))
        }
        ProcessTarget::Number(1 | -1) | ProcessTarget::All => None,
        ProcessTarget::Number(number) => Some(format!("process {number}")),
        ProcessTarget::Unknown => Some("a process that is not known here".to_owned()),
    }
}

/// A server that is called by its script, or whose number a file of the project holds.
fn is_own_server(name: &str) -> bool {
    let script = name.rsplit([' ', '/']).next().unwrap_or_default();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./ ".contains(c);
    let is_script =
        script.rsplit_once('.').is_some_and(|(stem, kind)| stem.len() >= SHORTEST && SCRIPTS.contains(&kind));
    name.starts_with("$(cat ") || is_script && name.chars().all(is_plain)
}

/// Shorter names match what nobody thought of.
const SHORTEST: usize = 3;

const SCRIPTS: &[&str] = &["cjs", "jar", "js", "mjs", "php", "pl", "py", "rb", "sh", "ts"];
