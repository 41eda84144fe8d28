//! Well-known places.
//!
//! A name that begins with `/` stands there; with `~/`, in any person's home; any other is the end of a path
//! wherever it is. `*` stands for any text within a component; `/**` at the end adds everything below. Case does
//! not count.

mod credentials;
mod guard;
mod startup;
mod system;

use credentials::CREDENTIALS;
use guard::{GUARD_SECRETS, GUARDS};
use startup::{HISTORIES, PERSISTENCE, STARTUP};
use system::{AUTHORITY, DISKS, SYSTEM, SYSTEM_DIRS};

use super::Places;

/// What is at each place.
pub(super) static PLACES: &[(Places, &[&str])] = &[
    (Places::SYSTEM_DIR, SYSTEM_DIRS),
    (Places::SYSTEM, SYSTEM),
    (Places::SYSTEM_CONFIG, &["/etc/**", "/usr/local/etc/**", "/boot/**", "/library/preferences/**"]),
    (Places::CREDENTIAL, CREDENTIALS),
    (Places::CREDENTIAL.and(Places::PROJECT_ENV), &[".env", ".env.*", ".envrc", "*.env", "secrets.y*ml"]),
    (Places::PROJECT_ENV, &["config.yaml"]),
    (
        Places::SSH,
        &[
            "~/.ssh/**",
            "/etc/ssh/**",
            ".ssh/id_*",
            ".ssh/authorized_keys",
            "authorized_keys",
            "authorized_keys2",
        ],
    ),
    (Places::SHELL_STARTUP, STARTUP),
    (Places::PERSISTENCE, PERSISTENCE),
    (Places::GUARD, GUARDS),
    (Places::CREDENTIAL.and(Places::GUARD), GUARD_SECRETS),
    (Places::BLOCK_DEVICE, DISKS),
    (
        Places::KERNEL,
        &["/proc/sys/**", "/proc/sysrq-trigger", "/sys/**", "/proc/acpi/**", "/proc/irq/**", "/dev/port"],
    ),
    (
        Places::MEMORY,
        &["/dev/mem", "/dev/kmem", "/dev/core", "/proc/kcore", "/proc/*/mem", "/proc/*/task/*/mem"],
    ),
    (Places::MEMORY.and(Places::CREDENTIAL), &["/proc/*/environ", "/proc/*/task/*/environ"]),
    (
        Places::TEMPORARY,
        &[
            "/tmp/**",
            "/var/tmp/**",
            "/dev/shm/**",
            "/var/folders/**",
            "/run/user/*/**",
            "~/appdata/local/temp/**",
            "c:/windows/temp/**",
            "~/.cache/tmp/**",
            "%temp%/**",
            "%tmp%/**",
        ],
    ),
    (Places::GIT_DIR, &[".git/**"]),
    (
        Places::SINK,
        &[
            "/dev/null",
            "/dev/tty",
            "/dev/stdin",
            "/dev/stdout",
            "/dev/stderr",
            "/dev/fd/*",
            "/dev/full",
            "/proc/*/fd/0",
            "/proc/*/fd/1",
            "/proc/*/fd/2",
            "/dev/pts/*",
            "/dev/console",
            "nul",
        ],
    ),
    (
        Places::CONTAINER_SOCKET,
        &[
            "/run/docker.sock",
            "/run/containerd/**",
            "/run/podman/**",
            "/run/crio/**",
            "/run/user/*/docker.sock",
            "/run/user/*/podman/podman.sock",
            "~/.docker/run/docker.sock",
            "~/.colima/*/docker.sock",
            "/run/dockershim.sock",
            "/run/k3s/**",
            "/run/cri-dockerd.sock",
            "~/.rd/docker.sock",
            "docker.sock",
        ],
    ),
    (
        Places::PROGRAM_DIR,
        &[
            "/bin/**",
            "/sbin/**",
            "/usr/bin/**",
            "/usr/sbin/**",
            "/usr/local/bin/**",
            "/usr/local/sbin/**",
            "~/bin/**",
            "~/.local/bin/**",
            "/opt/homebrew/bin/**",
            "~/.cargo/bin/**",
            "~/go/bin/**",
            "/snap/bin/**",
            "/usr/games/**",
            "c:/windows/system32/**",
        ],
    ),
    (Places::AUTHORITY, AUTHORITY),
    (Places::HISTORY, HISTORIES),
    (Places::ENDLESS, &["/dev/zero", "/dev/urandom", "/dev/random", "/dev/full"]),
    (
        Places::LOG,
        &[
            "/var/log/**",
            "/run/utmp",
            "/run/log/**",
            "~/library/logs/**",
            "/library/logs/**",
            "/var/adm/**",
            "/var/audit/**",
            "c:/windows/system32/winevt/**",
        ],
    ),
];

/// What is not what its neighbours are.
pub(super) static EXCEPTIONS: &[(Places, &[&str])] = &[
    (
        Places::CREDENTIAL,
        &[
            "*.pub",
            ".ssh/known_hosts*",
            ".ssh/config",
            ".ssh/config.d/**",
            ".ssh/authorized_keys*",
            ".ssh/environment",
            ".ssh/rc",
            "~/.gnupg/gpg.conf",
            "~/.gnupg/gpg-agent.conf",
            "~/.gnupg/pubring*",
            "~/.config/gcloud/configurations/**",
            "~/.config/gcloud/logs/**",
            "~/.aws/config",
            "~/.azure/config",
            "~/.config/op/config",
            "/etc/ssl/certs/**",
        ],
    ),
    (
        Places::CREDENTIAL.and(Places::PROJECT_ENV),
        &[
            ".env.example",
            ".env.*.example",
            ".env.sample",
            ".env.*.sample",
            ".env.template",
            ".env.*.template",
            ".env.dist",
            ".env.defaults",
            ".env.schema",
            ".env.tpl",
            ".env.tmpl",
            ".env.ts",
            ".env.js",
            ".env.mjs",
            ".env.d.ts",
            ".env.md",
            ".env.py",
            "example.env",
            "sample.env",
            "template.env",
            "*.example.env",
            "*.sample.env",
        ],
    ),
    (
        Places::GUARD,
        &[
            "~/.hermes/skills/**",
            "~/.hermes/sandboxes/**",
            "~/.hermes/memories/**",
            "~/.hermes/logs/**",
            "~/.hermes/cache/**",
            "~/.hermes/hermes-agent/**",
            "~/.hermes/images/**",
            "~/.hermes/audio_cache/**",
            "~/.codex/log/**",
            "~/.codex/skills/**",
            "~/.codex/memories/**",
            "~/.gemini/tmp/**",
            "~/.config/opencode/skills/**",
            "~/.herm/logs/**",
        ],
    ),
    (
        Places::SYSTEM_CONFIG.and(Places::SYSTEM),
        &[
            "/dev/null",
            "/dev/tty",
            "/dev/stdin",
            "/dev/stdout",
            "/dev/stderr",
            "/dev/full",
            "/dev/zero",
            "/dev/urandom",
            "/dev/random",
        ],
    ),
    (
        Places::SYSTEM,
        &[
            "/dev/fd/*",
            "/dev/pts/*",
            "/dev/shm/**",
            "/var/tmp/**",
            "/var/folders/**",
            "/run/user/**",
            "c:/windows/temp/**",
        ],
    ),
    (Places::BLOCK_DEVICE, &["/dev/mapper", "/dev/disk", "/dev/mapper/control"]),
    (Places::GIT_DIR, &[".git/info/exclude", ".git/commit_editmsg"]),
    (Places::MEMORY.and(Places::CREDENTIAL), &["/proc/self/mem"]),
];

/// Directories that a project may well live in: what is below the working directory there is not the system's.
pub(super) static DEPLOYED: &[&str] = &[
    "/opt/**",
    "/srv/**",
    "/var/www/**",
    "/usr/src/**",
    "/usr/local/src/**",
    "/var/lib/jenkins/**",
    "/var/task/**",
];
