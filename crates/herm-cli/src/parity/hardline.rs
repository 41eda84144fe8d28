//! What Hermes refuses whoever approves.

use herm::Preset;

use super::{Row, Table, otherwise, row};

pub(super) const TABLE: Table = Table {
    title: "Hardline blocklist",
    about: "What Hermes refuses in every mode.",
    preset: Preset::Hermes,
    rows: ROWS,
};

const ROWS: &[Row] = &[
    row("recursive delete of root filesystem", "rm -rf /", &["delete-root"]),
    row("recursive delete of system directory", "rm -rf /etc", &["delete-system-directory"]),
    row("recursive delete of home directory", "rm -rf ~", &["delete-home"]),
    row("format filesystem (mkfs)", "mkfs.ext4 /dev/sda1", &["format-device"]),
    row("dd to raw block device", "dd if=x.iso of=/dev/sda", &["format-device"]),
    row("redirect to raw block device", "echo x > /dev/nvme0n1", &["format-device"]),
    row("fork bomb", ":(){ :|:& };:", &["exhaust-machine"]),
    row("kill all processes", "kill -9 -1", &["kill-everything"]),
    row("system shutdown/reboot", "sudo reboot", &["power-off"]),
    row("init 0/6 (shutdown/reboot)", "init 6", &["power-off"]),
    row("systemctl poweroff/reboot", "systemctl --force poweroff", &["power-off"]),
    row("telinit 0/6 (shutdown/reboot)", "telinit 0", &["power-off"]),
];

pub(super) const GUARDS: Table = Table {
    title: "Limits, the sudo guard and deny rules",
    about: "What else Hermes refuses without asking.",
    preset: Preset::Hermes,
    rows: GUARD_ROWS,
};

const GUARD_ROWS: &[Row] = &[
    row("command parser limit or malformed executable payload", "echo 'unfinished", &["unread-text"]),
    row("sudo password guessing via stdin (sudo -S)", "echo secret | sudo -S ls", &["password-on-stdin"]),
    otherwise(
        "`approvals.deny`",
        "ls",
        "the same key; entries match what runs, however it is spelt, by the rule `denied-by-user`",
    ),
];

pub(super) const FILES: Table = Table {
    title: "Files that are not written",
    about: "The write deny list and its neighbours. The same holds for `herm check --write`.",
    preset: Preset::Hermes,
    rows: FILE_ROWS,
};

const FILE_ROWS: &[Row] = &[
    row("`~/.ssh/authorized_keys`", "echo k >> ~/.ssh/authorized_keys", &["protected-write"]),
    row("`~/.ssh/id_rsa`", "cp key ~/.ssh/id_rsa", &["protected-write"]),
    row("`~/.hermes/config.yaml`", "tee ~/.hermes/config.yaml < x", &["protected-write"]),
    row("`~/.hermes/.env`", "echo K=v > ~/.hermes/.env", &["protected-write"]),
    row("`/etc/sudoers`", "echo x >> /etc/sudoers", &["protected-write"]),
    row("`/etc/passwd`", "mv p /etc/passwd", &["protected-write"]),
    row("`/etc/shadow`", "cp s /etc/shadow", &["protected-write"]),
    row("`~/.bashrc`, `~/.zshrc`", "echo x >> ~/.zshrc", &["protected-write"]),
    row("`~/.netrc`, `~/.git-credentials`", "echo x > ~/.git-credentials", &["protected-write"]),
    row("`/etc/systemd`", "cp x.service /etc/systemd/system/", &["protected-write"]),
    otherwise(
        "`HERMES_WRITE_SAFE_ROOT`",
        "ls",
        "the same variable, and `file_safety.write_safe_root`, by `outside-safe-root`",
    ),
    otherwise(
        "cross-profile writes",
        "ls",
        "configuration and state of another profile are refused by `protected-write`; its other files are not told apart from files of the home",
    ),
    otherwise(
        "sandbox mirrors",
        "ls",
        "there are none: the sandbox shows no home, and herm's own files are not in it",
    ),
];
