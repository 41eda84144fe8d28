//! What Hermes' descriptions cover, and no more, in herm's own entries.
//!
//! `herm::policy::titles` reads a description as what its pattern was meant to find, whoever does it. A list that is brought over has to
//! cover only what it covered there: the same deeds by the same programs.

/// What a description of Hermes comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Narrow {
    /// These entries cover what it covers there.
    Entries(&'static [&'static str]),
    /// Nothing here asks about it.
    Free,
    /// It is refused here, whatever is listed.
    Refused,
    /// What covers it here covers more, for this reason.
    Wider(&'static str),
}

/// What a description of Hermes comes to; nothing if it is none. Compared without case.
#[must_use]
pub fn narrow(title: &str) -> Option<Narrow> {
    let named = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(title));
    TABLE.iter().find(|(names, _)| named(names)).map(|(_, narrow)| *narrow)
}

const ANY_WRITER: &str = "it covers every program that writes there, not redirections alone";

static TABLE: &[(&[&str], Narrow)] = &[
    (&["delete in root path"], Narrow::Entries(&["rule:delete-outside-workspace program:rm"])),
    (
        &["recursive delete", "recursive delete (long flag)"],
        Narrow::Entries(&["rule:recursive-delete program:rm"]),
    ),
    (
        &["Windows cmd destructive delete", "Windows PowerShell destructive delete"],
        Narrow::Wider("it covers every program that deletes"),
    ),
    (
        &["world/other-writable permissions", "recursive world/other-writable (long flag)"],
        Narrow::Entries(&["rule:world-writable program:chmod"]),
    ),
    (
        &["recursive chown to root", "recursive chown to root (long flag)"],
        Narrow::Entries(&["rule:recursive-root-owner program:chown"]),
    ),
    (&["format filesystem", "write to block device", "kill all processes", "fork bomb"], Narrow::Refused),
    (&["disk copy"], Narrow::Entries(&["rule:disk-copy program:dd"])),
    (&["SQL DROP"], Narrow::Entries(&["rule:sql-drop"])),
    (&["SQL DELETE without WHERE"], Narrow::Entries(&["rule:sql-delete-all"])),
    (&["SQL TRUNCATE"], Narrow::Entries(&["rule:sql-truncate"])),
    (
        &[
            "overwrite system config",
            "overwrite system file via redirection",
            "overwrite project env/config via redirection",
        ],
        Narrow::Wider(ANY_WRITER),
    ),
    (&["stop/restart system service"], Narrow::Entries(&["rule:stop-service program:systemctl"])),
    (&["force kill processes"], Narrow::Entries(&["rule:force-kill program:pkill"])),
    (
        &["force kill processes (killall -KILL)", "force kill processes (killall -s KILL)"],
        Narrow::Entries(&["rule:force-kill program:killall"]),
    ),
    (&["kill processes by regex (killall -r)"], Narrow::Entries(&["rule:kill-by-pattern program:killall"])),
    (
        &[
            "pipe remote content to shell",
            "execute remote script via process substitution",
            "execute remote content via command substitution",
        ],
        Narrow::Wider("it covers code from the network for every interpreter, however it gets there"),
    ),
    (
        &[
            "PowerShell encoded command execution",
            "pipe decoded content to shell (possible command obfuscation)",
            "pipe xxd-decoded content to shell (possible command obfuscation)",
            "pipe openssl-decoded content to shell (possible command obfuscation)",
        ],
        Narrow::Wider("it covers decoded code for every interpreter, however it is decoded"),
    ),
    (&["pipe tr-transformed output to shell (possible command obfuscation)"], Narrow::Free),
    (&["overwrite system file via tee"], Narrow::Entries(&["rule:system-config-write program:tee"])),
    (&["overwrite project env/config via tee"], Narrow::Entries(&["rule:project-env-write program:tee"])),
    (&["xargs with rm"], Narrow::Wider("it covers every `rm`, since what is given to xargs is not known")),
    (
        &["find -exec/-execdir rm"],
        Narrow::Entries(&["rule:bulk-delete program:find", "rule:bulk-delete program:rm"]),
    ),
    (
        &["find -delete"],
        Narrow::Entries(&["rule:bulk-delete program:find", "rule:recursive-delete program:find"]),
    ),
    (
        &[
            "stop/restart hermes gateway (kills running agents)",
            "hermes update (restarts gateway, kills running agents)",
        ],
        Narrow::Wider("it covers everything that stops or restarts the gateway"),
    ),
    (
        &["stop/restart hermes launchd service (kills running agents)"],
        Narrow::Entries(&[
            "rule:stop-gateway program:launchctl",
            "rule:stop-service program:launchctl name:*hermes*",
        ]),
    ),
    (
        &["start gateway outside systemd (use 'systemctl --user restart hermes-gateway')"],
        Narrow::Entries(&["rule:start-gateway-unsupervised"]),
    ),
    (
        &[
            "docker compose restart/stop/kill/down (container lifecycle)",
            "docker restart/stop/kill (container lifecycle)",
        ],
        Narrow::Wider("it covers all that is done to containers, by every program"),
    ),
    (
        &["kill hermes/gateway process (self-termination)"],
        Narrow::Entries(&[
            "rule:kill-agent program:pkill",
            "rule:kill-agent program:killall",
            "rule:stop-gateway program:pkill",
            "rule:stop-gateway program:killall",
        ]),
    ),
    (
        &[
            "kill process via pgrep/pidof expansion (self-termination)",
            "kill process via backtick pgrep/pidof expansion (self-termination)",
        ],
        Narrow::Entries(&["rule:kill-by-search program:kill"]),
    ),
    (
        &["copy/move file into system config path"],
        Narrow::Entries(&[
            "rule:system-config-write program:cp",
            "rule:system-config-write program:mv",
            "rule:system-config-write program:install",
        ]),
    ),
    (
        &["overwrite project env/config file"],
        Narrow::Entries(&[
            "rule:project-env-write program:cp",
            "rule:project-env-write program:mv",
            "rule:project-env-write program:install",
        ]),
    ),
    (
        &[
            "copy/move file into sensitive credential/SSH/shell-rc path",
            "in-place edit of sensitive credential/SSH/shell-rc path",
            "in-place edit of sensitive credential/SSH/shell-rc path (long flag)",
            "in-place edit of sensitive credential/SSH/shell-rc path (perl/ruby)",
            "in-place edit of Hermes config/env",
            "in-place edit of Hermes config/env (long flag)",
            "in-place edit of Hermes config/env (perl/ruby)",
        ],
        Narrow::Refused,
    ),
    (
        &["in-place edit of system config", "in-place edit of system config (long flag)"],
        Narrow::Entries(&["rule:system-config-write program:sed"]),
    ),
    (
        &[
            "shell execution via heredoc",
            "script execution via heredoc",
            "script execution via -e/-c flag",
            "shell command via -c/-lc flag",
            "chmod +x followed by immediate execution",
        ],
        Narrow::Free,
    ),
    (
        &["git reset --hard (destroys uncommitted changes)"],
        Narrow::Entries(&["rule:git-reset-hard program:git"]),
    ),
    (
        &["git force push (rewrites remote history)", "git force push short flag (rewrites remote history)"],
        Narrow::Entries(&["rule:force-push program:git"]),
    ),
    (&["git clean with force (deletes untracked files)"], Narrow::Entries(&["rule:git-clean program:git"])),
    (
        &[
            "git branch force delete",
            "git branch force delete (long flags)",
            "git branch force delete (long flags, force-first)",
        ],
        Narrow::Entries(&["rule:delete-branch program:git"]),
    ),
    (
        &[
            "sudo with privilege flag (stdin/askpass/shell/list)",
            "sudo with combined-flag privilege escalation",
        ],
        Narrow::Wider("it covers everything that sudo does with another user's rights"),
    ),
];

#[cfg(test)]
mod tests {
    use herm::policy::{Entry, titles};

    use super::*;

    #[test]
    fn every_entry_reads_and_every_description_stands_here_once() {
        let names: Vec<_> = TABLE.iter().flat_map(|(names, _)| names.iter()).collect();
        let unique: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!(names.len(), unique.len());
        for (_, narrow) in TABLE {
            if let Narrow::Entries(entries) = narrow {
                assert!(entries.iter().all(|entry| Entry::new(entry).is_ok()), "{entries:?}");
            }
        }
    }

    /// Both tables know the same descriptions.
    #[test]
    fn what_is_a_description_there_is_one_here() {
        for (names, _) in TABLE {
            assert!(names.iter().all(|name| titles::matchers(name).is_some()), "{names:?}");
        }
        assert!(titles::names().all(|name| narrow(name).is_some()));
    }
}
