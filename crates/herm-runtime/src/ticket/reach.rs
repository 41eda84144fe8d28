//! Whether a command finds behind the boundary all that it is known to want.
//!
//! What it leaves in a temporary directory there is gone when it ends, and what lies in the home is not to be seen. Whoever lets an agent run its
//! commands by turns on both sides would look for files that never were. What a command is known to want beyond the workspace was judged;
//! what nobody knows of is what the boundary is for.

use std::borrow::Cow;

use herm::policy::Isolation;
use herm::{AbsPath, Facts};
use herm_shell::analysis::Invocation;
use herm_shell::{Effect, PathTarget, Places, Realm, Target, Value, Verb};

/// Whether all that a command is known to do can be done behind the boundary, to the same things.
pub(super) fn stays(facts: &Facts, isolation: &Isolation, home: &AbsPath) -> bool {
    let view = View { isolation, home };
    let mut here = facts.effects().filter(|effect| effect.realm == Realm::Here);
    let mut run = facts.shell.invocations.iter();
    here.all(|effect| view.has(effect))
        && facts.operands.iter().all(|one| view.shows(&one.path))
        && !run.any(is_for_elsewhere)
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

/// Programs that are for something that is not in the workspace; all of them, or with these words first.
const ELSEWHERE: &[(&[&str], &[&str])] = &[
    (&["git"], &["clone", "fetch", "lfs", "ls-remote", "pull", "push", "remote", "submodule"]),
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

struct View<'a> {
    isolation: &'a Isolation,
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

    /// Whether a path is the same on both sides.
    fn shows(&self, path: &PathTarget) -> bool {
        let is_apart = path.places.has(Places::TEMPORARY) || self.home.holds(&path.path);
        self.shares(path) || !is_apart
    }

    /// Whether a path is the same on both sides, and can be changed.
    fn shares(&self, path: &PathTarget) -> bool {
        self.isolation.shared.iter().any(|root| root.meets(path))
    }
}
