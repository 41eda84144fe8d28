//! Settings of git that make nobody run code, and commands that change nothing else.
//!
//! This knows less than git does, on purpose: what is written in any unusual way is not taken for harmless, whatever it means.

use herm_shell::Realm;
use herm_shell::analysis::Invocation;

use crate::facts::Facts;

/// The name of a setting: `remote.origin.url`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting<'a> {
    /// `remote`.
    pub section: &'a str,
    /// `origin`.
    pub subject: Option<&'a str>,
    /// `url`.
    pub key: &'a str,
}

impl<'a> Setting<'a> {
    /// Reads a name with dots between its parts.
    #[must_use]
    pub fn read(name: &'a str) -> Option<Self> {
        let (section, rest) = name.split_once('.')?;
        let (subject, key) =
            rest.rsplit_once('.').map_or((None, rest), |(subject, key)| (Some(subject), key));
        Some(Self { section, subject, key })
    }

    /// Whether git runs nothing because of it, with this value.
    #[must_use]
    pub fn is_harmless(&self, value: &str) -> bool {
        let (section, key) = (self.section.to_ascii_lowercase(), self.key.to_ascii_lowercase());
        let is_plain = self.subject.is_none_or(|subject| !subject.is_empty() && is_word(subject));
        let known = HARMLESS.iter().find(|(known, has_subject, name, _)| {
            *known == section && *has_subject == self.subject.is_some() && *name == key
        });
        is_plain && known.is_some_and(|(.., admits)| admits(value))
    }
}

/// A section, whether it is about something, a key, and what its values must be.
type Known = (&'static str, bool, &'static str, fn(&str) -> bool);

const HARMLESS: &[Known] = &[
    ("branch", true, "merge", is_word),
    ("branch", true, "rebase", is_word),
    ("branch", true, "remote", is_name),
    ("color", false, "ui", is_word),
    ("commit", false, "gpgsign", is_word),
    ("core", false, "autocrlf", is_word),
    ("core", false, "bare", is_word),
    ("core", false, "eol", is_word),
    ("core", false, "filemode", is_word),
    ("core", false, "ignorecase", is_word),
    ("core", false, "logallrefupdates", is_word),
    ("core", false, "precomposeunicode", is_word),
    ("core", false, "quotepath", is_word),
    ("core", false, "repositoryformatversion", is_word),
    ("core", false, "symlinks", is_word),
    ("extensions", false, "objectformat", is_word),
    ("fetch", false, "prune", is_word),
    ("init", false, "defaultbranch", is_word),
    ("merge", false, "conflictstyle", is_word),
    ("pull", false, "ff", is_word),
    ("pull", false, "rebase", is_word),
    ("push", false, "autosetupremote", is_word),
    ("push", false, "default", is_word),
    ("rebase", false, "autostash", is_word),
    ("remote", true, "fetch", is_reference),
    ("remote", true, "pushurl", is_address),
    ("remote", true, "url", is_address),
    ("rerere", false, "enabled", is_word),
    ("user", false, "email", is_text),
    ("user", false, "name", is_text),
];

/// What stands for itself in a file of settings and in the name of a reference.
fn is_ordinary(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'/' | b'_')
}

/// An option would begin with a dash.
fn is_word(value: &str) -> bool {
    !value.starts_with('-') && value.bytes().all(is_ordinary)
}

/// The name of a remote. A path would be a repository that this machine obeys.
fn is_name(value: &str) -> bool {
    is_word(value) && !value.contains('/') && !matches!(value, "" | "." | "..")
}

fn is_reference(value: &str) -> bool {
    !value.starts_with('-')
        && value.bytes().all(|byte| is_ordinary(byte) || matches!(byte, b'+' | b'*' | b':'))
}

fn is_text(value: &str) -> bool {
    let is_plain = |letter: char| !letter.is_control() && !matches!(letter, '"' | '\\' | '#' | ';');
    !value.starts_with('-') && value.chars().all(is_plain)
}

/// The address of a server. `ext::` and the like name programs, a path names a repository that this machine would obey.
fn is_address(value: &str) -> bool {
    let schemes = ["git://", "http://", "https://", "ssh://"];
    let ordinary = |byte| is_ordinary(byte) || matches!(byte, b':' | b'@' | b'~' | b'%' | b'+');
    let is_plain = |rest: &str| !rest.starts_with('-') && !rest.contains("@-") && rest.bytes().all(ordinary);
    match schemes.iter().find_map(|scheme| value.strip_prefix(scheme)) {
        Some(rest) => is_plain(rest),
        None => is_plain(value) && names_a_server(value),
    }
}

/// `git@host.example:a/b`.
fn names_a_server(value: &str) -> bool {
    let user_and_rest = value.split_once('@').and_then(|(user, rest)| Some((user, rest.split_once(':')?)));
    user_and_rest.is_some_and(|(user, (host, path))| {
        let is_name =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| is_ordinary(byte) && byte != b'/');
        is_name(user) && is_name(host) && !path.starts_with(':')
    })
}

/// Whether all that a command does is to change such settings, of the repository that it stands in.
#[must_use]
pub fn only_sets(facts: &Facts) -> bool {
    let shell = &facts.shell;
    let shape = &shell.shape;
    let is_known = shell.gaps.is_empty() && shell.notes.is_empty();
    let is_plain =
        shape.pipes + shape.redirects + shape.substitutions == 0 && !shape.background && !shape.compound;
    is_known && is_plain && !shell.invocations.is_empty() && shell.invocations.iter().all(sets)
}

fn sets(invocation: &Invocation) -> bool {
    let Invocation { program, called, arguments, within, hooked, realm, privileged, environment, .. } =
        invocation;
    let is_plain =
        within.is_none() && !hooked && !privileged && environment.is_empty() && *realm == Realm::Here;
    let words: Option<Vec<_>> = arguments.iter().map(herm_shell::Value::known).collect();
    let words: Option<Vec<&str>> = words.as_ref().map(|words| words.iter().map(AsRef::as_ref).collect());
    is_plain && &**program == "git" && called == "git" && words.is_some_and(|words| are_settings(&words))
}

/// Whether the arguments of git set what makes nobody run code. What runs hooks of the repository is not among them.
fn are_settings(words: &[&str]) -> bool {
    let admits =
        |name: &str, value: &str| Setting::read(name).is_some_and(|setting| setting.is_harmless(value));
    let is_branch = |word: &&str| !word.is_empty() && is_word(word);
    match words {
        ["config", "--add" | "--local" | "--replace-all" | "set", name, value] | ["config", name, value] => {
            admits(name, value)
        }
        ["remote", "add" | "set-url", name, address] => admits(&format!("remote.{name}.url"), address),
        ["branch", "-u" | "--set-upstream-to", rest @ ..] => {
            (1..=2).contains(&rest.len()) && rest.iter().all(is_branch)
        }
        ["branch", upstream] => {
            upstream.strip_prefix("--set-upstream-to=").is_some_and(|one| is_branch(&one))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use herm_shell::world::Blind;

    use super::*;
    use crate::approval::tests::call;
    use crate::gather::gather;

    fn sets(text: &str) -> bool {
        only_sets(&gather(&call(text), &Blind))
    }

    #[test]
    fn what_people_set_every_day_is_known() {
        for text in [
            "git config user.name 'A. U. Thor'",
            "git config --local user.email a@host.example && git config commit.gpgsign false",
            "git config set pull.rebase true",
            "git remote add origin https://host.example/a/b.git",
            "git remote add up git@host.example:a/b.git; git branch -u up/main",
            "git remote set-url origin ssh://git@host.example/a/b",
            "git branch --set-upstream-to=origin/main",
            "git branch --set-upstream-to origin/main main",
        ] {
            assert!(sets(text), "{text}");
        }
    }

    #[test]
    fn whatever_runs_something_or_does_more_is_not() {
        for text in [
            "git config core.hooksPath hooks",
            "git config branch.main.remote ./evil.git",
            "git config branch.main.remote .",
            "git config core.fsmonitor true",
            "git config alias.st '!run'",
            "git config --global user.name A",
            "git config -f other user.name A",
            "git config user.name \"$(id)\"",
            "git config user.name A > .git/config",
            "git config user.name A | cat",
            "git config user.name A & make",
            "git config user.name A; make",
            "git config user.name A && ./git config user.name B",
            "PATH=. git config user.name A",
            "export PATH=.; git config user.name A",
            "GIT_DIR=x git config user.name A",
            "git() { make; }; git config user.name A",
            "alias git=make; git config user.name A",
            "git -c core.pager=run config user.name A",
            "git -C other config user.name A",
            "sudo git config user.name A",
            "env git config user.name A",
            "bash -c 'git config user.name A'",
            "git remote add -f origin https://host.example/a",
            "git remote add origin 'ext::sh -c run'",
            "git remote add origin ../elsewhere",
            "git remote add origin ssh://-oProxyCommand=run/x",
            "git remote add origin me@-oProxyCommand=run:x",
            "git remote add origin host::run@x:y",
            "git remote add --upload-pack=run https://host.example/a",
            "git remote rename a b",
            "git branch -u --exec=run",
            "git branch -D main",
            "git push -u origin main",
            "",
        ] {
            assert!(!sets(text), "{text}");
        }
    }
}
