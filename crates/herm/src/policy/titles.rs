//! The names under which Hermes keeps approvals, in herm's own terms.
//!
//! A Hermes `command_allowlist` holds the descriptions of its patterns. Each is told here as what the pattern was
//! meant to find, so that an old list keeps its meaning whatever spelling a command uses.

/// The matchers that stand for a Hermes description; compared without case.
#[must_use]
pub fn matchers(title: &str) -> Option<&'static [&'static str]> {
    TITLES
        .iter()
        .find(|(names, _)| names.iter().any(|name| name.eq_ignore_ascii_case(title)))
        .map(|(_, texts)| *texts)
}

/// Every description.
pub fn names() -> impl Iterator<Item = &'static str> {
    TITLES.iter().flat_map(|(names, _)| names.iter().copied())
}

const SENSITIVE: &[&str] = &[
    "effect:write path:/etc/**",
    "effect:write path:/dev/sd*",
    "effect:write path:~/.ssh/**",
    "effect:write path:~/.bashrc",
    "effect:write path:~/.zshrc",
    "effect:write path:~/.profile",
    "effect:write path:~/.bash_profile",
    "effect:write path:~/.zprofile",
    "effect:write path:~/.netrc",
    "effect:write path:~/.pgpass",
    "effect:write path:~/.npmrc",
    "effect:write path:~/.pypirc",
];

const PROJECT: &[&str] =
    &["effect:write path:**/.env", "effect:write path:**/.env.*", "effect:write path:**/config.yaml"];

const GUARD: &[&str] = &["effect:write path:~/.hermes/config.yaml", "effect:write path:~/.hermes/.env"];

const GATEWAY: &[&str] = &["kind:gateway", "effect:service program:launchctl"];

/// Descriptions, and what each was meant to find.
static TITLES: &[(&[&str], &[&str])] = &[
    (&["delete in root path"], &["effect:delete path:/**"]),
    (&["recursive delete", "recursive delete (long flag)"], &["effect:delete flag:recursive"]),
    (
        &["Windows cmd destructive delete", "Windows PowerShell destructive delete", "xargs with rm"],
        &["effect:delete"],
    ),
    (
        &["find -exec/-execdir rm", "find -delete"],
        &["effect:delete program:find", "effect:delete program:rm"],
    ),
    (
        &["world/other-writable permissions", "recursive world/other-writable (long flag)"],
        &["effect:change-mode flag:world-writable"],
    ),
    (
        &["recursive chown to root", "recursive chown to root (long flag)"],
        &["effect:change-owner flag:to-root"],
    ),
    (&["format filesystem"], &["effect:format"]),
    (&["disk copy"], &["effect:write program:dd"]),
    (&["write to block device"], &["effect:write path:/dev/**"]),
    (&["SQL DROP"], &["effect:destroy kind:table", "effect:destroy kind:database"]),
    (&["SQL DELETE without WHERE"], &["effect:destroy flag:without-a-condition"]),
    (&["SQL TRUNCATE"], &["effect:destroy kind:table", "effect:destroy kind:rows"]),
    (&["overwrite system config", "copy/move file into system config path"], &["effect:write path:/etc/**"]),
    (&["stop/restart system service"], &["effect:service"]),
    (
        &[
            "kill all processes",
            "kill processes by regex (killall -r)",
            "kill hermes/gateway process (self-termination)",
            "kill process via pgrep/pidof expansion (self-termination)",
            "kill process via backtick pgrep/pidof expansion (self-termination)",
        ],
        &["effect:kill"],
    ),
    (
        &[
            "force kill processes",
            "force kill processes (killall -KILL)",
            "force kill processes (killall -s KILL)",
        ],
        &["effect:kill flag:with-SIGKILL"],
    ),
    (&["fork bomb"], &["effect:exhaust"]),
    (
        &[
            "pipe remote content to shell",
            "execute remote script via process substitution",
            "execute remote content via command substitution",
        ],
        &["effect:execute from:network"],
    ),
    (
        &[
            "PowerShell encoded command execution",
            "pipe decoded content to shell (possible command obfuscation)",
            "pipe xxd-decoded content to shell (possible command obfuscation)",
            "pipe tr-transformed output to shell (possible command obfuscation)",
            "pipe openssl-decoded content to shell (possible command obfuscation)",
        ],
        &["effect:execute from:decoded"],
    ),
    (
        &[
            "overwrite system file via tee",
            "overwrite system file via redirection",
            "copy/move file into sensitive credential/SSH/shell-rc path",
        ],
        SENSITIVE,
    ),
    (
        &[
            "overwrite project env/config via tee",
            "overwrite project env/config via redirection",
            "overwrite project env/config file",
        ],
        PROJECT,
    ),
    (
        &[
            "stop/restart hermes gateway (kills running agents)",
            "hermes update (restarts gateway, kills running agents)",
            "start gateway outside systemd (use 'systemctl --user restart hermes-gateway')",
            "stop/restart hermes launchd service (kills running agents)",
        ],
        GATEWAY,
    ),
    (
        &[
            "docker compose restart/stop/kill/down (container lifecycle)",
            "docker restart/stop/kill (container lifecycle)",
        ],
        &["kind:container"],
    ),
    (
        &[
            "in-place edit of sensitive credential/SSH/shell-rc path",
            "in-place edit of sensitive credential/SSH/shell-rc path (long flag)",
            "in-place edit of sensitive credential/SSH/shell-rc path (perl/ruby)",
            "in-place edit of system config",
            "in-place edit of system config (long flag)",
        ],
        SENSITIVE,
    ),
    (
        &[
            "in-place edit of Hermes config/env",
            "in-place edit of Hermes config/env (long flag)",
            "in-place edit of Hermes config/env (perl/ruby)",
        ],
        GUARD,
    ),
    (
        &[
            "shell execution via heredoc",
            "script execution via heredoc",
            "script execution via -e/-c flag",
            "shell command via -c/-lc flag",
        ],
        &["effect:execute flag:inline"],
    ),
    (&["git reset --hard (destroys uncommitted changes)"], &["effect:discard program:git"]),
    (
        &["git force push (rewrites remote history)", "git force push short flag (rewrites remote history)"],
        &["effect:rewrite program:git"],
    ),
    (
        &["git clean with force (deletes untracked files)"],
        &["effect:discard program:git", "effect:delete program:git"],
    ),
    (
        &[
            "git branch force delete",
            "git branch force delete (long flags)",
            "git branch force delete (long flags, force-first)",
        ],
        &["kind:branch program:git"],
    ),
    (&["chmod +x followed by immediate execution"], &["effect:change-mode flag:executable"]),
    (
        &[
            "sudo with privilege flag (stdin/askpass/shell/list)",
            "sudo with combined-flag privilege escalation",
        ],
        &["effect:escalate program:sudo"],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::matcher::Matcher;

    #[test]
    fn every_description_of_hermes_is_known_once() {
        let names: Vec<_> = TITLES.iter().flat_map(|(names, _)| names.iter()).collect();
        let unique: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!(names.len(), unique.len());
        assert!(names.len() >= 69, "{}", names.len());
    }

    #[test]
    fn every_matcher_reads() {
        for text in TITLES.iter().flat_map(|(_, texts)| texts.iter()) {
            assert!(Matcher::new(text).is_ok(), "{text}");
        }
    }
}
