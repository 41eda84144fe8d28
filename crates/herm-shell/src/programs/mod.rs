//! What programs mean, as data: one file a family.

mod accounts;
mod agents;
mod archives;
pub mod arguments;
mod attacks;
mod builders;
mod cloud;
mod compiled;
mod container_life;
mod container_run;
mod containers;
mod copies;
mod coreutils;
mod crypto;
mod curl;
mod databases;
mod debug_ports;
mod deletion;
mod disks;
mod dos;
pub(crate) mod editors;
mod emulator;
mod environments;
mod escapes_documents;
mod escapes_pagers;
mod escapes_system;
mod exposure;
mod fetch;
mod find;
mod forge_api;
mod frameworks;
mod git;
mod github;
mod installers;
mod interpreters;
mod json;
mod kernel;
pub(crate) mod keyboard;
mod kinds;
mod kubernetes;
mod languages;
mod launchers;
mod listings;
mod lookups;
mod machines;
mod manifests;
mod namespaces;
mod networking;
mod node_packages;
mod operands;
mod package_scripts;
mod packages;
mod packed;
mod patches;
mod permissions;
mod phrases;
mod power;
mod processes;
mod provisioning;
mod python_tools;
mod pythons;
mod readers;
pub(crate) mod requests;
mod rights;
mod rsync;
mod runners;
mod schedules;
pub mod schema;
mod services;
mod sessions;
mod shells;
mod sockets;
mod ssh;
mod task_runners;
mod taskfile;
mod terminals;
mod text;
mod tmpfiles;
mod tools;
mod tracing;
mod transfers;
mod verbs;
mod windows;
mod wrappers;
mod xargs;

pub(crate) use self::databases::database_file;
pub(crate) use self::shells::{only_checks, opens_shell};
pub(crate) use kinds::split_once;
use schema::Program;

/// Every family; see [`packed`] for what becomes of them. A name described twice is a mistake that a test finds.
static FAMILIES: &[&[Program]] = &[
    accounts::PROGRAMS,
    agents::PROGRAMS,
    archives::PROGRAMS,
    attacks::PROGRAMS,
    builders::PROGRAMS,
    cloud::PROGRAMS,
    containers::PROGRAMS,
    copies::PROGRAMS,
    coreutils::PROGRAMS,
    crypto::PROGRAMS,
    curl::PROGRAMS,
    databases::PROGRAMS,
    deletion::PROGRAMS,
    disks::PROGRAMS,
    editors::PROGRAMS,
    environments::PROGRAMS,
    escapes_documents::PROGRAMS,
    escapes_pagers::PROGRAMS,
    escapes_system::PROGRAMS,
    exposure::PROGRAMS,
    fetch::PROGRAMS,
    find::PROGRAMS,
    frameworks::PROGRAMS,
    git::PROGRAMS,
    github::PROGRAMS,
    installers::PROGRAMS,
    interpreters::PROGRAMS,
    kernel::PROGRAMS,
    kubernetes::PROGRAMS,
    languages::PROGRAMS,
    launchers::PROGRAMS,
    lookups::PROGRAMS,
    namespaces::PROGRAMS,
    networking::PROGRAMS,
    node_packages::PROGRAMS,
    packages::PROGRAMS,
    permissions::PROGRAMS,
    power::PROGRAMS,
    processes::PROGRAMS,
    provisioning::PROGRAMS,
    python_tools::PROGRAMS,
    pythons::PROGRAMS,
    readers::PROGRAMS,
    rights::PROGRAMS,
    rsync::PROGRAMS,
    schedules::PROGRAMS,
    services::PROGRAMS,
    sessions::PROGRAMS,
    terminals::PROGRAMS,
    shells::PROGRAMS,
    sockets::PROGRAMS,
    ssh::PROGRAMS,
    task_runners::PROGRAMS,
    text::PROGRAMS,
    tools::PROGRAMS,
    tracing::PROGRAMS,
    tmpfiles::PROGRAMS,
    transfers::PROGRAMS,
    windows::PROGRAMS,
    wrappers::PROGRAMS,
    xargs::PROGRAMS,
];

/// The description of the program with this plain name.
pub(crate) fn find(name: &str) -> Option<&'static Program> {
    packed::named(name).or_else(|| versioned(name)).or_else(|| packed::beginning(name))
}

/// Scripts that every project of a framework has: what they do is known by their name, whatever starts them
/// (`python manage.py`, `php artisan`, `sh ./gradlew`).
const NAMED_SCRIPTS: &[&str] = &[
    "artisan",
    "console",
    "drush",
    "gradlew",
    "knex",
    "manage.py",
    "mvnw",
    "prisma",
    "rails",
    "rake",
    "sequelize",
    "sequelize-cli",
    "typeorm",
    "wp",
];

/// The name under which a script file is described.
pub(crate) fn named_script(path: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next()?;
    NAMED_SCRIPTS.iter().copied().find(|known| *known == name)
}

/// Programs in whose windows a shell is what one expects: multiplexers and terminals.
const TERMINALS: &[&str] = &[
    "abduco",
    "alacritty",
    "byobu",
    "dtach",
    "dvtm",
    "foot",
    "ghostty",
    "gnome-terminal",
    "kitty",
    "konsole",
    "lxterminal",
    "mate-terminal",
    "screen",
    "terminator",
    "tilix",
    "tmate",
    "tmux",
    "urxvt",
    "wezterm",
    "x-terminal-emulator",
    "xfce4-terminal",
    "xterm",
    "zellij",
];

/// Whether a shell is at home in a program.
pub(crate) fn houses_shells(name: &str) -> bool {
    TERMINALS.contains(&name)
}

/// Whether a program is a shell.
pub(crate) fn is_shell(name: &str) -> bool {
    find(name).is_some_and(|program| matches!(program.stdin, schema::Role::Code(crate::lang::Lang::Shell)))
}

/// All names that are described.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    packed::names()
}

/// `python3.11`, `gcc-12`, `lua5.4`: the name without its version.
fn versioned(name: &str) -> Option<&'static Program> {
    let plain =
        name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.' || letter == '-');
    (plain.len() < name.len() && !plain.is_empty()).then(|| packed::named(plain))?
}

#[cfg(test)]
mod tests;
