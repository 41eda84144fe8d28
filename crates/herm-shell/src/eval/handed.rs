//! Secrets handed to a program in a way that no description explains.
//!
//! Descriptions cannot know every option of every program. But a program that is given the path of a password file or
//! a key, and of which nothing else is known that it does to that path, most likely reads it, and its output or its
//! complaints show what is in there.

use super::machine::{Event, Machine};
use super::paths::Actor;
use super::scope::Scope;
use crate::effect::{Flags, Target, Verb};
use crate::place::{Extent, PathTarget, Places};
use crate::programs::arguments::{Argument, Given, Parsed};
use crate::sink::Sink;
use crate::span::Span;
use crate::value::{Provenance, Value};

/// Programs that take the names of such files to use them as what they are, or that look at names only.
const USERS: &[&str] = &[
    "[",
    "alias",
    "ansible",
    "ansible-playbook",
    "autossh",
    "aws",
    "az",
    "basename",
    "cd",
    "certbot",
    "complete",
    "compgen",
    "curl",
    "declare",
    "dirname",
    "docker",
    "echo",
    "export",
    "find",
    "flux",
    "gcloud",
    "gh",
    "git",
    "helm",
    "hash",
    "k9s",
    "kubectl",
    "kubectx",
    "locate",
    "ls",
    "mkdir",
    "mosh",
    "open",
    "podman",
    "printf",
    "rclone",
    "realpath",
    "readlink",
    "read",
    "restic",
    "rsync",
    "scp",
    "set",
    "sftp",
    "ssh",
    "ssh-add",
    "ssh-copy-id",
    "ssh-keygen",
    "sshfs",
    "stat",
    "terraform",
    "test",
    "touch",
    "tree",
    "type",
    "unset",
    "wget",
    "which",
];

/// Programs whose first operand is a text that they look for.
const SEARCHES: &[&str] = &["ack", "ag", "egrep", "fgrep", "grep", "rg", "zgrep"];

/// Options by which programs of all kinds are told where to write.
const OUTPUTS: &[&str] = &[
    "-o",
    "--dest",
    "--destination",
    "--log",
    "--log-file",
    "--logfile",
    "--out",
    "--out-file",
    "--outFile",
    "--outfile",
    "--output",
    "--output-file",
    "--report-file",
    "--save",
    "--write",
];

/// The secrets among arguments that nothing is known to have happened to.
pub(crate) fn secrets(
    machine: &Machine<'_>,
    name: &str,
    arguments: &[Argument],
    scope: &Scope,
    invocation: usize,
) -> Vec<Value> {
    if USERS.contains(&name) {
        return Vec::new();
    }
    let paths = arguments.iter().filter_map(|argument| path_in(&argument.value));
    paths
        .filter(|path| {
            let target = machine.target(path, scope);
            is_secret(&target) && !machine.touched(invocation, &target.path)
        })
        .collect()
}

/// The files among arguments by which something gains rights or starts, and that nothing is known to have happened to.
pub(crate) fn delicate(
    machine: &Machine<'_>,
    name: &str,
    arguments: &[Argument],
    scope: &Scope,
    invocation: usize,
) -> Vec<Value> {
    if USERS.contains(&name) || VIEWERS.contains(&name) {
        return Vec::new();
    }
    let delicate = Places::SHELL_STARTUP | Places::PERSISTENCE | Places::AUTHORITY;
    let paths = arguments.iter().filter_map(|argument| path_in(&argument.value));
    paths
        .filter(|path| {
            let target = machine.target(path, scope);
            let readable = matches!(target.path.as_str(), "/etc/passwd" | "/etc/group");
            target.extent == Extent::Exact
                && target.places.any(delicate)
                && !readable
                && !machine.touched(invocation, &target.path)
        })
        .collect()
}

/// Programs that show or check such files.
const VIEWERS: &[&str] = &[
    "atom",
    "cargo",
    "code",
    "cursor",
    "diff",
    "du",
    "emacs",
    "file",
    "grep",
    "idea",
    "journalctl",
    "launchctl",
    "less",
    "make",
    "npm",
    "plutil",
    "shellcheck",
    "subl",
    "systemctl",
    "systemd-analyze",
    "systemd-run",
    "visudo",
    "wc",
    "xdg-open",
    "zed",
];

/// Where a program of which nothing is known is told to write.
pub(crate) fn outputs(arguments: &[Argument]) -> Vec<Value> {
    let mut found = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.value.known_prefix();
        let name = text.split('=').next().unwrap_or_default();
        if !OUTPUTS.contains(&name) {
            continue;
        }
        if name.len() < text.len() {
            found.push(crate::programs::arguments::tail(&word.value, name.len() + 1));
        } else if let Some(next) = words.next() {
            found.push(next.value.clone());
        }
    }
    found
}

/// The words up to one that says that something is gone afterwards: `service delete`, `delete-job`.
fn destroyed(arguments: &[Argument]) -> Option<String> {
    let words: Vec<_> = arguments.iter().filter_map(|argument| argument.value.known()).collect();
    let plain: Vec<&str> =
        words.iter().map(AsRef::as_ref).filter(|word| !word.starts_with('-')).take(3).collect();
    let verb = |word: &&str| {
        let first = word.split(['-', ':', '_']).next().unwrap_or_default();
        let last = word.rsplit(':').next().unwrap_or_default();
        DESTROYING.contains(&first) || DESTROYING.contains(&last)
    };
    plain.iter().any(verb).then(|| plain.join(" "))
}

/// Verbs that mean the same in every command line that knows them.
const DESTROYING: &[&str] = &["delete", "destroy", "nuke", "purge", "terminate", "wipe"];

fn is_secret(target: &PathTarget) -> bool {
    target.extent == Extent::Exact
        && target.places.any(Places::CREDENTIAL)
        && !target.places.any(Places::PROJECT_ENV)
}

/// The absolute path that a word is, or that ends it: `@/etc/shadow`, `src=/etc/shadow`, `file:///etc/shadow`.
fn path_in(word: &Value) -> Option<Value> {
    let text = word.known()?;
    let text = text.strip_prefix("file://").unwrap_or(&text);
    let at = text.find('/')?;
    let (before, path) = text.split_at(at);
    let marks = before.chars().next_back().is_none_or(|mark| "=@:,('\"".contains(mark));
    let path = path.trim_end_matches(['\'', '"', ')', ' ', '}', ']', ';']);
    (marks && !path.starts_with("//")).then(|| Value::literal(path))
}

impl Machine<'_> {
    /// Reads and writes of a program of which nothing is known.
    pub(crate) fn guess(
        &mut self,
        name: &str,
        arguments: &[Argument],
        scope: &Scope,
        invocation: usize,
        span: Span,
    ) {
        let actor = Actor { by: name, invocation, span };
        for path in secrets(self, name, arguments, scope, invocation) {
            let _ = self.read_file(&path, Flags::NONE, scope, actor);
        }
        if let Some(what) = destroyed(arguments) {
            let target = Target::Named("cloud resource", format!("{name} {what}"));
            let event = Event {
                verb: Verb::Destroy,
                target,
                flags: Flags::NONE,
                data: Provenance::NONE,
                by: name,
                invocation,
                span,
            };
            self.effect(scope, event);
        }
        let delicate = delicate(self, name, arguments, scope, invocation);
        for path in outputs(arguments).into_iter().chain(delicate) {
            let content = Value::content_of(format!("what {name} writes"), Provenance::FILE);
            self.write_file(&path, &content, Flags::TRUNCATE, scope, actor);
        }
    }
}

impl super::step::Step<'_, '_> {
    /// Reads the secrets, and writes the outputs, that the description says nothing about.
    pub(crate) fn read_handed(&mut self, parsed: &Parsed<'_>) {
        let arguments = parsed.all;
        if self.ran {
            return;
        }
        let looked_for =
            parsed.operands.first().filter(|_| SEARCHES.contains(&&*self.by)).map(|operand| &operand.value);
        for path in secrets(self.machine, &self.by, arguments, &self.scope, self.invocation) {
            if looked_for != Some(&path) {
                let _ = self.read(&path);
            }
        }
        let absolute = |path: &Value| path.known_prefix().starts_with('/');
        let delicate = delicate(self.machine, &self.by, arguments, &self.scope, self.invocation);
        // A table that knows `-o` says what it is: `grep -o` prints.
        let is_told = |given: &Given<'_>| {
            given.option.is_some() && given.values.is_empty() && OUTPUTS.contains(&given.name.as_str())
        };
        let written = if parsed.options.iter().any(is_told) { Vec::new() } else { outputs(arguments) };
        for path in written.into_iter().filter(absolute).chain(delicate) {
            let target = self.machine.target(&path, &self.scope);
            if !self.machine.touched(self.invocation, &target.path) {
                let content = Value::content_of("output".to_owned(), Provenance::FILE);
                self.write(&path, &content, Flags::TRUNCATE);
            }
        }
    }
}

/// Whether a target is this path.
pub(crate) fn is_path(target: &Target, path: &str) -> bool {
    matches!(target, Target::Path(target) if target.path == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(word: &str) -> Option<String> {
        path_in(&Value::literal(word)).map(|path| path.shown())
    }

    #[test]
    fn paths_are_found_behind_marks() {
        for word in
            ["/etc/shadow", "@/etc/shadow", "src=/etc/shadow", "file:///etc/shadow", "x('/etc/shadow')"]
        {
            assert_eq!(found(word).as_deref(), Some("/etc/shadow"), "{word}");
        }
        for word in ["http://host/etc/shadow", "s/a/b/", "a/etc/shadow", "plain"] {
            assert_eq!(found(word), None, "{word}");
        }
    }
}
