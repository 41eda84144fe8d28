use super::{Extent, PathTarget, Places, resolve};
use crate::value::{Hole, Piece, Value};

const HOME: &str = "/home/ann";
const WORK: &str = "/home/ann/work/app";

/// A word in which `*`, `?` and `[…]` are patterns and `$name` is a hole.
fn word(text: &str) -> Value {
    let mut value = Value::default();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let length = match letter {
            '*' | '?' => 1,
            '[' => rest.find(']').map_or(1, |end| end + 1),
            '$' => rest
                .char_indices()
                .skip(1)
                .find(|(_, one)| !one.is_alphanumeric())
                .map_or(rest.len(), |(end, _)| end),
            _ => letter.len_utf8(),
        };
        let (piece, after) = rest.split_at(length);
        match letter {
            '*' | '?' | '[' => value.pieces.push(Piece::Glob(piece.into())),
            '$' => value.pieces.push(Piece::Hole(Hole {
                shown: piece.into(),
                may_be_empty: !piece.starts_with("$FULL"),
                may_split: false,
                ..Hole::default()
            })),
            _ => value.push_str(piece),
        }
        rest = after;
    }
    value
}

fn here(text: &str) -> PathTarget {
    resolve(&word(text), Some(WORK), HOME)
}

fn assert_all(places: Places, paths: &[&str]) {
    for path in paths {
        let found = here(path).places;
        assert!(found.has(places), "{path}: {:?}", found.words().collect::<Vec<_>>());
    }
}

fn assert_none(places: Places, paths: &[&str]) {
    for path in paths {
        let found = here(path).places;
        assert!(!found.any(places), "{path}: {:?}", found.words().collect::<Vec<_>>());
    }
}

#[test]
fn paths_become_absolute_and_normal() {
    for (text, path, extent) in [
        ("a", "/home/ann/work/app/a", Extent::Exact),
        ("./a//b/./c/", "/home/ann/work/app/a/b/c", Extent::Exact),
        ("../../x", "/home/ann/x", Extent::Exact),
        ("/../../etc/", "/etc", Extent::Exact),
        ("/usr/../etc/passwd", "/etc/passwd", Extent::Exact),
        ("/", "/", Extent::Exact),
        ("/*", "/", Extent::Children),
        ("./*", "/home/ann/work/app", Extent::Children),
        ("build/.*", "/home/ann/work/app/build", Extent::Children),
        ("build/**/*", "/home/ann/work/app/build", Extent::Children),
        ("build/*.o", "/home/ann/work/app/build", Extent::Pattern),
        ("build/a*.o", "/home/ann/work/app/build/a", Extent::Pattern),
        ("build/$x", "/home/ann/work/app/build", Extent::Prefix),
        ("build/lib$x.so", "/home/ann/work/app/build/lib", Extent::Prefix),
        ("$x/lib", "", Extent::Unknown),
        ("$x", "", Extent::Unknown),
    ] {
        let target = here(text);
        assert_eq!((target.path.as_str(), target.extent), (path, extent), "{text}");
        assert_eq!(target.shown, text);
    }
}

#[test]
fn the_root_is_the_root_however_it_is_spelled() {
    assert_all(
        Places::ROOT,
        &["/", "//", "/.", "/*", "/.*", "/../", "/usr/..", "/etc/../*", "/proc/self/root", "/proc/1/root/*"],
    );
    assert_all(Places::ROOT, &["C:\\", "C:/", "c:", "C:\\*", "/mnt/c", "/cygdrive/d/*", "%SystemDrive%\\"]);
    assert_none(Places::ROOT, &["/etc", "./*", "*", ".", "/mnt/data", "a:b", "cd"]);
}

#[test]
fn system_directories_are_themselves_or_all_they_hold() {
    assert_all(
        Places::SYSTEM_DIR,
        &["/etc", "/etc/", "/usr/*", "/us[r]/bin", "/usr/local", "/var/lib/*", "/private/etc", "/e?c", "/b*"],
    );
    assert_all(
        Places::SYSTEM_DIR,
        &[
            "/System",
            "/Volumes",
            "/Library/*",
            "/ETC",
            "C:\\Windows",
            "/mnt/c/Windows/*",
            "%WINDIR%/System32",
        ],
    );
    assert_none(
        Places::SYSTEM_DIR,
        &[
            "/etc/nginx",
            "/usr/local/bin/x",
            "/tmp",
            "/tmp/*",
            "/var/tmp",
            "etc",
            "usr/bin",
            "./*",
            "/etc/*.conf",
        ],
    );
    assert_all(
        Places::SYSTEM,
        &["/etc/nginx", "/usr/share/x/y", "/var/lib/apt/lists/*", "/opt/tool", "/etc/$x"],
    );
    assert_none(
        Places::SYSTEM,
        &["/tmp/x", "/dev/null", "src", "/home/ann/x", "/var/tmp/x", "/mnt/data/x", "/data"],
    );
}

#[test]
fn losing_the_machine_is_told_from_losing_a_directory() {
    for path in [
        "/",
        "/*",
        "/etc",
        "/home/ann",
        "/home/bob/*",
        "/home",
        "/Users/eve",
        "/root",
        "/root/.*",
        "../..",
        "/e*",
        "/???",
    ] {
        assert!(here(path).is_catastrophic_to_lose(), "{path}");
    }
    for path in [
        "build",
        "./*",
        "*.o",
        "/home/ann/x",
        "/tmp/*",
        "/etc/nginx",
        "/usr/local/lib/x/*",
        "..",
        "$x",
        "$x/build",
    ] {
        assert!(!here(path).may_be_catastrophic_to_lose(), "{path}");
    }
    for path in ["$x/*", "$x/", "$x/etc", "$x/usr/*", "/home/$user", "/$x", "/etc/$x", "/home/ann/$x"] {
        assert!(here(path).may_be_catastrophic_to_lose() && !here(path).is_catastrophic_to_lose(), "{path}");
    }
    for path in ["$FULL/*", "$FULL/etc", "/etc/$FULL"] {
        assert!(!here(path).may_be_catastrophic_to_lose(), "{path}");
    }
}

#[test]
fn a_home_is_anyones_home() {
    assert_all(
        Places::HOME,
        &[
            "/home/ann",
            "/home/ann/*",
            "/home/*",
            "/home/bob",
            "/root",
            "/Users/eve/*",
            "C:\\Users\\eve",
            "%USERPROFILE%\\*",
        ],
    );
    assert_all(Places::IN_HOME, &["src", "/home/bob/x", "/root/.x", "/home/$u/x"]);
    assert_none(Places::HOME, &["/home/ann/x", "work", ".", "/home/ann/*.txt"]);
}

#[test]
fn the_workspace_is_where_one_stands() {
    assert_all(Places::WORKSPACE, &[".", "a/b", "./*", "/home/ann/work/app/x", "*.o", "build/$x"]);
    assert_all(Places::WORKSPACE_ROOT, &[".", "./*", "*", "/home/ann/work/app", "../app", "./$x"]);
    assert_none(Places::WORKSPACE, &["..", "../other", "/home/ann/work/app2", "/tmp"]);
    assert_all(Places::ABOVE_WORKSPACE, &["..", "/home/ann/work", "/", "/home"]);
    let root = resolve(&word("*"), Some("/"), HOME);
    assert!(root.places.has(Places::ROOT) && !root.places.any(Places::WORKSPACE));
    let deployed = resolve(&word("build"), Some("/opt/app"), HOME);
    assert!(deployed.places.has(Places::WORKSPACE) && !deployed.places.any(Places::SYSTEM));
    let config = resolve(&word("x"), Some("/etc/nginx"), HOME);
    assert!(config.places.has(Places::SYSTEM_CONFIG) && !config.places.any(Places::WORKSPACE));
}

#[test]
fn an_unknown_directory_leaves_telling_names() {
    let lost = |text: &str| resolve(&word(text), None, HOME);
    assert_eq!(lost("src/x").extent, Extent::Prefix);
    assert_eq!(lost("src/x").path, "src/x");
    assert_eq!(lost("src/x").places, Places::UNKNOWN);
    assert!(lost(".ssh/id_rsa").places.has(Places::CREDENTIAL));
    assert!(lost(".env").places.has(Places::PROJECT_ENV));
    assert!(lost(".aws/credentials").places.has(Places::CREDENTIAL));
    assert!(lost(".bashrc").places.has(Places::SHELL_STARTUP));
    assert!(lost("/etc/shadow").places.has(Places::CREDENTIAL));
    assert!(!lost("*").places.any(Places::ROOT));
}

#[test]
fn a_kind_of_file_alone_is_no_name() {
    for kind in ["json", "db", "sqlite", "toml", "txt", "py", "service"] {
        for text in [format!("$x.{kind}"), format!("out/$x.{kind}"), format!("$d/$x.{kind}")] {
            let places = here(&text).places;
            let secret = Places::CREDENTIAL | Places::GUARD | Places::SHELL_STARTUP | Places::PERSISTENCE;
            assert!(!places.any(secret | Places::HISTORY), "{text}: {places:?}");
        }
    }
    // A directory that tells, the kind itself, or the beginning of a name do count.
    assert_all(
        Places::CREDENTIAL,
        &["/home/ann/.docker/$x.json", "$x.env", "secre$x.json", "/home/ann/.aws/$x", "$d/.aws/$x"],
    );
}

#[test]
fn credentials_are_known_by_place_and_by_name() {
    assert_all(
        Places::CREDENTIAL,
        &[
            "/home/ann/.ssh/id_rsa",
            "/home/ann/.ssh",
            "/home/ann/.ssh/*",
            "/home/ann/.ssh/id_*",
            "/root/.ssh/work_key",
            "/Users/eve/.ssh/id_ed25519",
            "/home/$u/.ssh/id_rsa",
            "$h/.ssh/id_rsa",
            "/home/ann/.aws/credentials",
            "/home/ann/.kube/config",
            "/home/ann/.NETRC",
            "/home/ann/.config/gh/hosts.yml",
            "/home/ann/.gnupg/private-keys-v1.d/*",
            "/home/ann/.config/google-chrome/Default/Login Data",
            "/home/ann/Library/Keychains/login.keychain-db",
            "/etc/shadow",
            "/etc/shadow-",
            "/etc/sh*",
            "/etc/shado?",
            "/private/etc/master.passwd",
            "/etc/ssh/ssh_host_rsa_key",
            "/etc/ssl/private/site.key",
            ".env",
            ".env.production",
            "../.env",
            "prod.env",
            "infra/terraform.tfstate",
            "service-account-prod.json",
            "/proc/1/environ",
            "/proc/self/environ",
            "/proc/self/root/etc/shadow",
            "/run/secrets/kubernetes.io/serviceaccount/token",
            "/var/run/secrets/token",
            "/home/ann/.docker/config.json",
            "/home/ann/.config/gcloud/x.db",
            "/home/ann/.bitcoin/wallet.dat",
            "/home/ann/.hermes/.env",
            "/home/ann/.herm/ledger/key",
            "/home/ann/.codex/auth.json",
            "/home/ann/.vault-token",
            "/*/shadow",
            "/var/lib/cloud/instance/user-data.txt",
        ],
    );
    assert_none(
        Places::CREDENTIAL,
        &[
            "/home/ann/.ssh/id_rsa.pub",
            "/home/ann/.ssh/known_hosts",
            "/home/ann/.ssh/config",
            "/home/ann/.ssh/authorized_keys",
            ".env.example",
            ".env.local.example",
            "src/env.rs",
            "*.json",
            "package.json",
            "/etc/passwd",
            "/etc/hosts",
            "/etc/*.conf",
            "/etc/ssl/certs/ca.pem",
            "cert.pem",
            "*",
            "keys.py",
            "$x",
            "$x/y",
            "/etc/$x",
            "/home/ann/$x",
            "/home/ann/.aws/config",
            "credentials.py",
            "/etc/nginx/nginx.conf",
            "environment",
            "monkey.js",
        ],
    );
}

#[test]
fn places_that_run_code_later_are_known() {
    assert_all(
        Places::SHELL_STARTUP,
        &[
            "/home/ann/.bashrc",
            "/root/.profile",
            "/etc/profile.d/x.sh",
            "/home/ann/.config/fish/config.fish",
            "/Users/eve/.zshrc",
        ],
    );
    assert_all(
        Places::PERSISTENCE,
        &[
            "/etc/cron.d/x",
            "/etc/crontab",
            "/var/spool/cron/crontabs/root",
            "/etc/systemd/system/x.service",
            "/home/ann/.config/systemd/user/x.service",
            "/home/ann/.config/autostart/x.desktop",
            "/Users/eve/Library/LaunchAgents/x.plist",
            ".git/hooks/pre-commit",
            "/root/.ssh/authorized_keys",
            "/etc/ld.so.preload",
            "/etc/rc.local",
            "/etc/udev/rules.d/x.rules",
        ],
    );
    assert_none(
        Places::PERSISTENCE | Places::SHELL_STARTUP,
        &["bashrc", "dotfiles/.bashrc", "src/hooks/x", "cron.py", ".github/workflows/x.yml"],
    );
    assert_all(
        Places::AUTHORITY,
        &[
            "/etc/sudoers",
            "/etc/sudoers.d/x",
            "/etc/passwd",
            "/etc/shadow",
            "/etc/pam.d/su",
            "/etc/ssh/sshd_config",
        ],
    );
}

#[test]
fn devices_are_disks_sinks_or_endless() {
    assert_all(
        Places::BLOCK_DEVICE,
        &[
            "/dev/sda",
            "/dev/sda1",
            "/dev/sd?",
            "/dev/sd$x",
            "/dev/nvme0n1p2",
            "/dev/mapper/vg-root",
            "/dev/disk/by-id/x",
            "/dev/dm-0",
            "/dev/md0",
            "/dev/loop3",
            "/dev/mmcblk0",
            "/dev/rdisk2",
            "/dev/xvda",
            "/dev/ubuntu-vg/root",
            "/dev/../dev/vda",
            "\\\\.\\PhysicalDrive0",
        ],
    );
    assert_none(
        Places::BLOCK_DEVICE,
        &[
            "/dev/null",
            "/dev/shm/x",
            "/dev/random",
            "/dev/stdin",
            "/dev/mem",
            "sda",
            "/dev/tty",
            "/dev/ttyS0",
        ],
    );
    assert_all(Places::SINK, &["/dev/null", "/dev/stderr", "/dev/fd/3", "/proc/self/fd/1", "/dev/tty"]);
    assert_all(Places::ENDLESS, &["/dev/zero", "/dev/urandom"]);
    assert_all(Places::KERNEL, &["/proc/sys/kernel/x", "/proc/sysrq-trigger", "/sys/power/state"]);
    assert_all(Places::MEMORY, &["/dev/mem", "/proc/123/mem", "/proc/kcore", "/proc/$pid/mem"]);
}

#[test]
fn guards_sockets_logs_and_the_rest_are_known() {
    assert_all(
        Places::GUARD,
        &[
            "/home/ann/.hermes/config.yaml",
            "/home/ann/.hermes",
            "/root/.hermes/pairing/x.json",
            ".herm.yaml",
            "/etc/herm/policy.yaml",
            "/home/ann/.claude/settings.json",
            ".claude/settings.local.json",
            "/home/ann/.codex/config.toml",
            // Everything that `herm init` writes, and what switches it off.
            "/home/ann/.codex/hooks.json",
            "/etc/claude-code/managed-settings.json",
            "/etc/codex/requirements.toml",
            "/home/ann/.gemini/settings.json",
            "/etc/gemini-cli/settings.json",
            ".gemini/settings.json",
            "/home/ann/.copilot/hooks/herm.json",
            "/etc/github-copilot/policy.d/herm.json",
            ".github/copilot/settings.local.json",
            "/home/ann/.hermes/shell-hooks-allowlist.json",
            "/home/ann/.config/opencode/plugin/herm.js",
            "/home/ann/.pi/agent/extensions/herm.ts",
            "/home/ann/.cursor/hooks.json",
            "/etc/cursor/hooks.json",
            "/home/ann/Documents/Cline/Hooks/PreToolUse",
            "/home/ann/.codeium/windsurf/hooks.json",
            "/etc/windsurf/hooks.json",
            "/home/ann/.agents/plugins/herm/hooks/hooks.json",
            "/home/ann/.agents/plugins/herm/plugin.json",
            "/home/ann/.herm/wiring/0123/original",
            // What runs inside an agent, or tells it what to run.
            ".claude/commands/x.md",
            ".claude/skills/x/SKILL.md",
            ".claude/agents/x.md",
            ".mcp.json",
            ".cursor/mcp.json",
            ".gemini/extensions/x/gemini-extension.json",
            ".opencode/tool/x.ts",
            ".opencode/tools/x.ts",
            ".opencode/opencode.jsonc",
            ".opencode/package.json",
            ".opencode/agent/x.md",
            ".opencode/command/x.md",
            ".opencode/plugin/x.ts",
            "opencode.jsonc",
            ".pi/settings.json",
            ".claude/plugins/x/plugin.json",
            ".claude-plugin/plugin.json",
            ".gemini/commands/x.toml",
            ".vscode/mcp.json",
            ".github/agents/x.md",
            ".github/skills/x/SKILL.md",
            ".agents/skills/x/SKILL.md",
            ".hermes/plugins/x/plugin.py",
        ],
    );
    assert_all(Places::PERSISTENCE, &[".husky/pre-commit", ".husky/_/h", ".vscode/tasks.json"]);
    assert_none(
        Places::GUARD | Places::PERSISTENCE,
        &[".vscode/settings.json", ".github/workflows/ci.yml", "package.json", "skills/x.md"],
    );
    assert_none(
        Places::GUARD,
        &[
            "/home/ann/.hermes/skills/x/SKILL.md",
            ".claude/notes.md",
            "CLAUDE.md",
            "/home/ann/.claude/todo.md",
        ],
    );
    assert_all(
        Places::CONTAINER_SOCKET,
        &["/var/run/docker.sock", "/run/docker.sock", "/run/podman/podman.sock"],
    );
    assert_all(
        Places::CONTROL_SOCKET,
        &[
            "/var/run/dbus/system_bus_socket",
            "/run/user/1000/bus",
            "/tmp/tmux-1000/default",
            "/home/ann/.gnupg/S.gpg-agent",
            "/tmp/.X11-unix/X0",
        ],
    );
    assert_all(Places::LOG, &["/var/log/auth.log", "/var/log/*", "/var/log"]);
    assert_all(
        Places::TEMPORARY,
        &["/tmp", "/tmp/x", "/tmp/*", "/private/tmp/x", "/dev/shm/x", "$TMPDIR", "$TMPDIR/x", "/tmp/$x"],
    );
    assert_all(Places::GIT_DIR, &[".git", ".git/*", "/home/ann/work/app/.git/config"]);
    assert_all(Places::PROGRAM_DIR, &["/usr/local/bin/x", "/home/ann/.local/bin/git", "/bin/ls"]);
    assert_all(Places::HISTORY, &["/home/ann/.bash_history", "/root/.zsh_history"]);
    assert_all(Places::PROJECT_ENV, &[".env", "config.yaml", ".env.local"]);
}

#[test]
fn hostile_paths_are_cheap() {
    for text in [
        "/a".repeat(30_000),
        "/proc/self/root".repeat(1_300),
        "[".repeat(20_000),
        "*".repeat(50_000),
        "../".repeat(20_000),
        "$x/".repeat(4_000),
    ] {
        let _ = here(&text);
    }
}
