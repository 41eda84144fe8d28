//! Whether a command finds behind the boundary all that it is known to want.
//!
//! What it leaves in a temporary directory there is gone when it ends, and what lies in the home is not to be seen. Whoever lets an agent run its
//! commands by turns on both sides would look for files that never were. What a command is known to want beyond the workspace was judged;
//! what nobody knows of is what the boundary is for.

use std::borrow::Cow;
use std::path::Path;

use herm::policy::Isolation;
use herm::{AbsPath, Facts};
use herm_shell::analysis::Invocation;
use herm_shell::place::{Extent, resolve};
use herm_shell::{Effect, PathTarget, Places, Realm, Target, Value, Verb};

use crate::files;

/// Whether all that a command is known to do can be done behind the boundary, to the same things.
pub(super) fn stays(facts: &Facts, isolation: &Isolation, cwd: &AbsPath, home: &AbsPath) -> bool {
    let view = View { isolation, cwd, home };
    let mut here = facts.effects().filter(|effect| effect.realm == Realm::Here);
    let mut runs = facts.shell.invocations.iter().filter(|run| run.realm == Realm::Here);
    here.all(|effect| view.has(effect))
        && facts.operands.iter().all(|one| view.shows(&one.path))
        && !runs.any(|run| is_for_elsewhere(run) || keeps_in_git(run) || view.names_beyond(run))
}

/// Whether a program is for something that is not in the workspace: another machine, a service of this one, a store of packages.
fn is_for_elsewhere(run: &Invocation) -> bool {
    let word = |argument: &Value| argument.known().filter(|word| !word.starts_with('-')).map(Cow::into_owned);
    let spoken = |verbs: &[&str]| {
        let first = run.arguments.iter().find_map(word);
        run.subcommands.iter().copied().chain(first.as_deref()).any(|one| verbs.contains(&one))
    };
    let is_one = |(programs, verbs): &(&[&str], &[&str])| {
        programs.contains(&&*run.program) && (verbs.is_empty() || spoken(verbs))
    };
    ELSEWHERE.iter().any(is_one)
}

/// Whether git would write into the settings of the repository, which a confined command cannot.
fn keeps_in_git(run: &Invocation) -> bool {
    let verb = run.subcommands.first().copied();
    let options = GIT_KEEPS.iter().filter(|(verbs, _)| verb.is_some_and(|verb| verbs.contains(&verb)));
    let is_one = |(_, options): &(&[&str], &[&str])| {
        let given = |argument: &Value| {
            let word = argument.known_prefix();
            options
                .iter()
                .any(|option| word == *option || option.starts_with("--") && word.starts_with(option))
        };
        run.arguments.iter().any(given)
    };
    &*run.program == "git" && options.into_iter().any(is_one)
}

/// Verbs of git that write down something about branches, with these options.
const GIT_KEEPS: &[(&[&str], &[&str])] = &[
    (&["checkout", "switch"], &["--track", "-t"]),
    (
        &["branch"],
        &[
            "--copy",
            "--delete",
            "--edit-description",
            "--move",
            "--set-upstream",
            "--track",
            "--unset-upstream",
            "-C",
            "-D",
            "-M",
            "-c",
            "-d",
            "-m",
            "-t",
            "-u",
        ],
    ),
];

/// Programs that are for something that is not in the workspace; all of them, or with these words first.
const ELSEWHERE: &[(&[&str], &[&str])] = &[
    (
        &["git"],
        &["clone", "config", "fetch", "lfs", "ls-remote", "pull", "push", "remote", "submodule", "worktree"],
    ),
    (&["gpg", "gpg2", "pass", "ssh-add", "ssh-keygen"], &[]),
    (&["cargo"], &["add", "fetch", "install", "login", "publish", "search", "update", "vendor"]),
    (&["go"], &["get", "install", "mod"]),
    (
        &["npm", "pnpm", "yarn"],
        &["add", "audit", "login", "outdated", "publish", "update", "upgrade", "view"],
    ),
    (&["bunx", "npx", "pipx", "uvx"], &[]),
    (&["aws", "az", "doctl", "flyctl", "gcloud", "gh", "glab", "heroku", "netlify", "vercel"], &[]),
    (&["ansible", "ansible-playbook", "helm", "kubectl", "pulumi", "terraform", "tofu"], &[]),
    (&["buildah", "crictl", "docker", "docker-compose", "nerdctl", "podman"], &[]),
    (&["mongosh", "mysql", "mysqldump", "pg_dump", "psql", "redis-cli"], &[]),
    (&["ftp", "mosh", "rsync", "scp", "sftp", "ssh", "telnet"], &[]),
    (&["brew", "flatpak", "nix", "nix-shell", "snap"], &[]),
    (&["busctl", "journalctl", "launchctl", "loginctl", "service", "systemctl"], &[]),
    (&["code", "open", "screen", "tmux", "xdg-open"], &[]),
    (&["lsof", "pgrep", "pidof", "pkill", "ps", "ss", "top"], &[]),
];

/// What is the same on both sides, though it cannot be changed behind the boundary.
const SYSTEM: &[&str] = &[
    "/bin", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/nix", "/opt", "/proc", "/sbin", "/sys",
    "/usr",
];

struct View<'a> {
    isolation: &'a Isolation,
    cwd: &'a AbsPath,
    home: &'a AbsPath,
}

impl View<'_> {
    fn has(&self, effect: &Effect) -> bool {
        let is_of_the_machine = matches!(
            effect.verb,
            Verb::Account
                | Verb::Install
                | Verb::Kill
                | Verb::Listen
                | Verb::Load
                | Verb::Mount
                | Verb::Power
                | Verb::Publish
                | Verb::Service
                | Verb::Uninstall
        );
        match &effect.target {
            _ if is_of_the_machine => false,
            Target::Path(path) if matches!(effect.verb, Verb::Execute | Verb::Read) => self.shows(path),
            Target::Path(path) => self.shares(path) || path.path.starts_with("/dev/"),
            Target::Process(_) => false,
            Target::Code(..) | Target::Environment | Target::Host(_) | Target::Named(..) | Target::None => {
                true
            }
        }
    }

    /// Whether a path is the same on both sides. What is above the workspace is not: nothing else of it is there.
    fn shows(&self, path: &PathTarget) -> bool {
        let is_above = matches!(path.extent, Extent::Children | Extent::Exact) && !self.is_inside(&path.path);
        let is_known = path.path.starts_with('/');
        let is_apart = path.places.has(Places::TEMPORARY) || self.home.holds(&path.path);
        let is_system = SYSTEM.iter().any(|root| is_below(&path.path, root)) && !is_apart;
        !is_known || is_system || self.shares(path) && !is_above
    }

    /// Whether a program is given a path that is another one behind the boundary, or none: whatever it does with it would be lost.
    fn names_beyond(&self, run: &Invocation) -> bool {
        let words: Vec<_> = run.arguments.iter().filter_map(Value::known).collect();
        let named = words
            .iter()
            .flat_map(|word| paths(word))
            .map(|path| resolve(&Value::literal(path), Some(self.cwd.as_str()), self.home.as_str()));
        let mut beyond = named.filter(|path| !self.shows(path));
        beyond.any(|path| leads_somewhere(&path.path))
    }

    fn is_inside(&self, path: &str) -> bool {
        self.isolation.shared.iter().any(|root| root.holds(path.trim_end_matches('/')))
    }

    /// Whether a path is the same on both sides, and can be changed.
    fn shares(&self, path: &PathTarget) -> bool {
        self.isolation.shared.iter().any(|root| root.meets(path))
    }
}

fn is_below(path: &str, root: &str) -> bool {
    path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// What in a word may be a path: all of an operand, what stands behind a sign of equality, and what stands right behind a short option.
fn paths(word: &str) -> impl Iterator<Item = &str> {
    let operand = Some(word).filter(|word| !word.starts_with('-'));
    let value = word.split_once('=').map(|(_, value)| value);
    let is_path = |text: &&str| *text == ".." || text.contains('/');
    [operand, value, attached(word)].into_iter().flatten().filter(is_path)
}

/// `-o../x`, `-xf../x`, `-I/x`. Letters before a slash are options or the beginning of a name: `-Lsrc/x` is in the workspace.
fn attached(word: &str) -> Option<&str> {
    let letters = word.strip_prefix('-')?;
    let rest = letters.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric());
    let options = letters.len() - rest.len();
    let leads_out = rest.starts_with("..") || rest.starts_with("~/") || options == 1 && rest.starts_with('/');
    (options > 0 && leads_out).then_some(rest)
}

/// Whether a word that reads like a path could be one: `/api/v1` is none where there is no `/api`.
fn leads_somewhere(path: &str) -> bool {
    let path = Path::new(path);
    files::exists(path) || path.parent().is_some_and(|above| above != Path::new("/") && files::exists(above))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_wherever_a_word_may_hold_one() {
        for (word, expected) in [
            ("../x", &["../x"][..]),
            ("..", &[".."]),
            ("name", &[]),
            ("--out=../x", &["../x"]),
            ("DESTDIR=../x", &["DESTDIR=../x", "../x"]),
            ("-o../x", &["../x"]),
            ("-C..", &[".."]),
            ("-xf../x.tar", &["../x.tar"]),
            ("-o~/x", &["~/x"]),
            ("-I/srv/x", &["/srv/x"]),
            ("-Lsrc/tmp", &[]),
            ("-o", &[]),
            ("-", &[]),
            ("--", &[]),
            ("--dry-run", &[]),
            ("-1..5", &[]),
        ] {
            assert_eq!(paths(word).collect::<Vec<_>>(), expected, "{word}");
        }
    }
}
