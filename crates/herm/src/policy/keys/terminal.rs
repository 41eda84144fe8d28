//! Where and how commands run.

use super::{Key, Kind, Scope, kept};
use crate::policy::sandbox::amount;
use crate::policy::terminal;
use crate::policy::value::{choice, paths, text};

/// The keys of `terminal`.
pub(super) static TERMINAL: &[Key] = &[
    Key {
        path: "terminal.backend",
        kind: Kind::Choice(BACKENDS),
        default: "null",
        about: "Where commands run: `local` is this machine with your own rights, `sandbox` is this machine behind a boundary that the kernel keeps, and where there can be none nothing runs. If nothing is said, it is the sandbox where there can be one, and `local` elsewhere, which is said. With any other, `herm run` runs nothing unless it is told `--backend`.",
        scope: Scope::Trusted,
        set: |key, config, node| {
            choice(node, key.path, BACKENDS).map(|word| config.terminal.backend = Some(word.to_owned()))
        },
    },
    Key {
        path: "terminal.container_cpu",
        kind: Kind::Number,
        default: "null",
        about: "Processors that a command may use in the sandbox, all of its processes together; a part of one counts as one. Without it, as many as there are. Of several files the smallest number holds.",
        scope: Scope::Everywhere,
        set: |key, config, node| amount(node, key.path).map(|amount| config.sandbox.processors = amount),
    },
    Key {
        path: "terminal.container_disk",
        kind: Kind::Number,
        default: "null",
        about: "Mebibytes that a command may leave in the private places of the sandbox: its home and temporary directories. Without it, 4096. The workspace is not bounded. Of several files the smallest number holds.",
        scope: Scope::Everywhere,
        set: |key, config, node| amount(node, key.path).map(|amount| config.sandbox.disk = amount),
    },
    Key {
        path: "terminal.container_memory",
        kind: Kind::Number,
        default: "null",
        about: "Mebibytes of memory that a command may use in the sandbox, all of its processes together. Without it, three quarters of the machine. Of several files the smallest number holds.",
        scope: Scope::Everywhere,
        set: |key, config, node| amount(node, key.path).map(|amount| config.sandbox.memory = amount),
    },
    kept(
        "terminal.container_persistent",
        Kind::Boolean,
        "true",
        "Read and kept: whether the files of a container stay from one session to the next.",
    ),
    Key {
        path: "terminal.credential_files",
        kind: Kind::Texts,
        default: "[]",
        about: "Files of herm's own directory that an isolated backend is given, read-only. On `local` they are only checked and listed, since commands have the caller's rights there.",
        scope: Scope::Trusted,
        set: |_, config, node| {
            terminal::files(node, &config.file).map(|files| config.terminal.credentials = files)
        },
    },
    kept(
        "terminal.cwd",
        Kind::Text,
        ".",
        "Read and kept: the working directory in a container. Here commands start where herm does, or in `--cwd`.",
    ),
    kept("terminal.daytona_image", Kind::Text, "null", "Read and kept: the image of a Daytona workspace."),
    kept(
        "terminal.docker_forward_env",
        Kind::Texts,
        "[]",
        "Read and kept: variables that a container gets. None is passed on because of it.",
    ),
    kept("terminal.docker_image", Kind::Text, "null", "Read and kept: the image of a container."),
    kept(
        "terminal.docker_mount_cwd_to_workspace",
        Kind::Boolean,
        "false",
        "Read and kept: whether a container sees the working directory.",
    ),
    Key {
        path: "terminal.env_passthrough",
        kind: Kind::Texts,
        default: "[]",
        about: "Variables that commands and code get although their names say that they are secret. Those that are not set are left out; what belongs to the agent itself is refused.",
        scope: Scope::Trusted,
        set: |_, config, node| {
            terminal::variables(node, &config.file).map(|names| config.terminal.passthrough = names)
        },
    },
    Key {
        path: "terminal.max_timeout",
        kind: Kind::Number,
        default: "600",
        about: "The most seconds that a call may ask for: 120 in the strict preset, or fewer. Of several files, the shortest holds.",
        scope: Scope::Trusted,
        set: |key, config, node| {
            terminal::seconds(node, key.path).map(|seconds| config.terminal.max_timeout = Some(seconds))
        },
    },
    kept("terminal.modal_image", Kind::Text, "null", "Read and kept: the image of a Modal sandbox."),
    kept(
        "terminal.persistent_shell",
        Kind::Boolean,
        "false",
        "Read and kept: whether commands share a shell. Each has one of its own here.",
    ),
    Key {
        path: "terminal.python",
        kind: Kind::Text,
        default: "null",
        about: "The Python that runs scripts, such as the one of a virtual environment. Otherwise the system's own does, whatever `PATH` says. Of several files, the first holds.",
        scope: Scope::Trusted,
        set: |key, config, node| {
            text(node, key.path)?;
            config.python = paths(node, key.path)?.into_iter().next();
            Ok(())
        },
    },
    kept(
        "terminal.singularity_image",
        Kind::Text,
        "null",
        "Read and kept: the image of a Singularity container.",
    ),
    kept("terminal.ssh_host", Kind::Text, "null", "Read and kept: the machine of the `ssh` backend."),
    kept("terminal.ssh_key", Kind::Text, "null", "Read and kept: the key file of the `ssh` backend."),
    kept("terminal.ssh_port", Kind::Number, "22", "Read and kept: the port of the `ssh` backend."),
    kept("terminal.ssh_user", Kind::Text, "null", "Read and kept: the user of the `ssh` backend."),
    Key {
        path: "terminal.timeout",
        kind: Kind::Number,
        default: "180",
        about: "Seconds that a command may run: 30 in the strict preset, or fewer. Never more than `terminal.max_timeout`; of several files, the shortest holds.",
        scope: Scope::Trusted,
        set: |key, config, node| {
            terminal::seconds(node, key.path).map(|seconds| config.terminal.timeout = Some(seconds))
        },
    },
];

/// Where commands may be meant to run.
const BACKENDS: &[&str] = &[
    "local",
    "apptainer",
    "daytona",
    "docker",
    "kubernetes",
    "modal",
    "podman",
    "sandbox",
    "singularity",
    "ssh",
    "vercel_sandbox",
];
