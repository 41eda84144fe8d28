//! What rules ask of effects: paths, named things, and what kind of place a path is.

use herm_shell::effect::ProcessTarget;
use herm_shell::place::Extent;
use herm_shell::{Effect, Flags, PathTarget, Places, Target, Verb};

use crate::facts::Facts;

/// The effects with one of these verbs that are about a path.
pub(super) fn paths<'f>(
    facts: &'f Facts,
    verbs: &'static [Verb],
) -> impl Iterator<Item = (&'f Effect, &'f PathTarget)> {
    facts.effects().filter(|effect| verbs.contains(&effect.verb)).filter_map(|effect| match &effect.target {
        Target::Path(path) => Some((effect, path)),
        Target::Code(..)
        | Target::Environment
        | Target::Host(_)
        | Target::Named(..)
        | Target::None
        | Target::Process(_) => None,
    })
}

/// The effects that put content somewhere; making a directory or touching a file puts none.
pub(super) fn writes(facts: &Facts) -> impl Iterator<Item = (&Effect, &PathTarget)> {
    paths(facts, &[Verb::Link, Verb::Write]).filter(|(effect, _)| !effect.flags.has(Flags::METADATA))
}

/// The effects of this verb on a named thing of this kind, with its name.
pub(super) fn things<'f>(
    facts: &'f Facts,
    verb: Verb,
    kind: &'static str,
) -> impl Iterator<Item = (&'f Effect, &'f str)> {
    facts.effects().filter(move |effect| effect.verb == verb).filter_map(move |effect| match &effect.target {
        Target::Named(of, name) => (*of == kind).then_some((effect, name.as_str())),
        Target::Code(..)
        | Target::Environment
        | Target::Host(_)
        | Target::None
        | Target::Path(_)
        | Target::Process(_) => None,
    })
}

/// The effects that end processes, with the processes.
pub(super) fn kills(facts: &Facts) -> impl Iterator<Item = (&Effect, &ProcessTarget)> {
    facts.effects().filter(|effect| effect.verb == Verb::Kill).filter_map(|effect| match &effect.target {
        Target::Process(process) => Some((effect, process)),
        Target::Code(..)
        | Target::Environment
        | Target::Host(_)
        | Target::Named(..)
        | Target::None
        | Target::Path(_) => None,
    })
}

/// The deletions that take all of a place of this kind.
pub(super) fn deletes_whole(facts: &Facts, place: Places) -> impl Iterator<Item = (&Effect, &PathTarget)> {
    paths(facts, &[Verb::Delete])
        .filter(move |(effect, path)| path.places.has(place) && is_floor_deletion(effect, path))
}

/// Whether a deletion takes all of the root, a system directory or a home directory.
pub(super) fn is_floor_deletion(effect: &Effect, path: &PathTarget) -> bool {
    let places = Places::ROOT.and(Places::SYSTEM_DIR).and(Places::HOME);
    path.places.any(places)
        && !effect.flags.has(Flags::NARROWED)
        && (is_whole(path) || matches_whole(effect, path) || may_be_whole(effect, path))
}

/// `rm -rf /???` is `/etc` and its neighbours: a pattern has places of its own only where it matches them.
fn matches_whole(effect: &Effect, path: &PathTarget) -> bool {
    path.extent == Extent::Pattern && effect.flags.has(Flags::RECURSIVE)
}

/// Whether a path stands for a directory as a whole: itself, or everything in it.
pub(super) fn is_whole(path: &PathTarget) -> bool {
    matches!(path.extent, Extent::Children | Extent::Exact)
}

/// Whether it is the root, a system directory or a home directory as a whole.
pub(super) fn is_whole_system(path: &PathTarget) -> bool {
    is_whole(path) && path.places.any(Places::ROOT.and(Places::SYSTEM_DIR).and(Places::HOME))
}

/// `rm -rf /$x` is the root when `x` is empty and one of its directories when not; `/home/$user` is somebody's home.
fn may_be_whole(effect: &Effect, path: &PathTarget) -> bool {
    let directory = path.path.trim_end_matches('/');
    let parent_of_all = matches!(directory, "" | "/home" | "/Users");
    let rest = path.shown.strip_prefix(directory).and_then(|rest| rest.strip_prefix('/'));
    path.extent == Extent::Prefix
        && effect.flags.has(Flags::RECURSIVE)
        && parent_of_all
        && rest.is_some_and(is_one_component)
}

/// Whether no slash stands outside a substitution.
fn is_one_component(text: &str) -> bool {
    let mut depth = 0_u32;
    for c in text.chars() {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            '/' if depth == 0 => return false,
            _ => {}
        }
    }
    true
}

/// How a deletion takes something away.
pub(super) fn taking(effect: &Effect) -> &'static str {
    if effect.flags.has(Flags::MOVE) { "moves away" } else { "deletes" }
}

/// Whether a path is one that no tool may write: keys, credentials, startup files, units, cron, accounts, the guard.
pub(super) fn is_protected(path: &PathTarget) -> bool {
    let always = Places::AUTHORITY.and(Places::CREDENTIAL).and(Places::SHELL_STARTUP);
    let own = is_guards_own(path);
    let exempt = path.places.any(Places::BLOCK_DEVICE.and(Places::SINK)) || is_env_file(path) && !own;
    !exempt
        && !is_servers_key(path)
        && (path.places.any(always)
            || own
            || path.places.has(Places::SSH) && !is_public_ssh(&path.path)
            || path.places.has(Places::PERSISTENCE) && starts_by_itself(path))
}

/// The keys and settings of services are for a person to decide about: they are nobody's account.
fn is_servers_key(path: &PathTarget) -> bool {
    const KEPT: &[&str] = &["/etc/ssh/", "/etc/ssl/", "/etc/pki/", "/etc/letsencrypt/"];
    KEPT.iter().any(|directory| path.path.starts_with(directory))
        && !path.path.contains("authorized_keys")
        && !path.places.any(Places::GUARD.and(Places::SHELL_STARTUP))
}

/// Whether a path is one of the guard's or Hermes' own.
pub(super) fn is_guards_own(path: &PathTarget) -> bool {
    path.places.has(Places::OWN)
        || path.places.has(Places::GUARD)
            && (is_own(&path.path) || path.extent == Extent::Pattern && points_at_own(&path.shown))
}

/// The guard's and Hermes' own files; other agents' are worth a question only.
fn is_own(path: &str) -> bool {
    path.to_lowercase()
        .split('/')
        .any(|part| matches!(part, ".herm" | ".hermes" | "herm" | "hermes" | ".herm.yaml"))
}

/// Whether a pattern spells the beginning of one of them: `~/.her?/x`.
fn points_at_own(pattern: &str) -> bool {
    let begins =
        |part: &str| part.contains(['*', '?', '[']) && part.trim_start_matches('.').starts_with("he");
    is_own(pattern) || pattern.split('/').any(begins)
}

/// The hosts that are known and the public halves of keys give nobody any rights.
fn is_public_ssh(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.starts_with("known_hosts")
        || name.starts_with("ssh_known_hosts")
        || name.strip_suffix(".pub").is_some()
        || name == ".ssh"
}

/// Units, cron tables and launch agents; a repository's hooks belong to the project.
fn starts_by_itself(path: &PathTarget) -> bool {
    !path.places.any(Places::GIT_DIR.and(Places::WORKSPACE))
        && ["systemd", "cron", "LaunchAgents", "LaunchDaemons", "init.d", "rc.local", "profile.d"]
            .iter()
            .any(|word| path.path.contains(word))
}

/// Whether it is a project's file of secrets, and not its example.
pub(super) fn is_env_file(path: &PathTarget) -> bool {
    let written = match path.extent {
        Extent::Exact => &path.path,
        // Only the directory is unknown: `$dir/.env`.
        Extent::Prefix | Extent::Unknown => &path.shown,
        Extent::Pattern => return matches_env_file(path),
        Extent::Children => return false,
    };
    let name = written.rsplit('/').next().unwrap_or_default().to_lowercase();
    let template = ["example", "sample", "template", "dist", "schema", "defaults"];
    !name.contains('$')
        && (matches!(name.as_str(), ".env" | ".envrc")
            || name.strip_prefix(".env.").is_some_and(|kind| !template.contains(&kind)))
}

/// Whether a pattern is meant for such a file, and for nothing that matters more.
fn matches_env_file(path: &PathTarget) -> bool {
    let more = Places::AUTHORITY.and(Places::GUARD).and(Places::SHELL_STARTUP).and(Places::SSH);
    path.places.has(Places::CREDENTIAL.and(Places::PROJECT_ENV)) && !path.places.any(more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slash_in_a_substitution_does_not_count() {
        assert!(is_one_component("$x") && is_one_component("$(cat /etc/x)") && is_one_component("${a%/*}"));
        assert!(!is_one_component("$x/build"));
    }

    #[test]
    fn own_files_and_public_ones() {
        assert!(
            is_own("/home/u/.hermes/config.yaml")
                && is_own("/etc/herm/config.yaml")
                && !is_own("/home/u/.claude/x")
        );
        assert!(is_public_ssh("/home/u/.ssh/known_hosts") && is_public_ssh("/home/u/.ssh/id_rsa.pub"));
        assert!(!is_public_ssh("/home/u/.ssh/authorized_keys"));
    }
}
