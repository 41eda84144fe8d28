//! What programs mean, as data: one file a family.

mod accounts;
mod agents;
mod archives;
pub mod arguments;
mod builders;
mod cloud;
mod compiled;
mod container_run;
mod containers;
mod copies;
mod coreutils;
mod crypto;
mod curl;
mod databases;
mod deletion;
mod disks;
mod dos;
pub(crate) mod editors;
mod environments;
mod escapes_documents;
mod escapes_pagers;
mod escapes_system;
mod exposure;
mod fetch;
mod find;
mod frameworks;
mod git;
mod github;
mod installers;
mod interpreters;
mod kernel;
mod kinds;
mod kubernetes;
mod languages;
mod listings;
mod lookups;
mod machines;
mod namespaces;
mod networking;
mod operands;
mod package_scripts;
mod packages;
mod permissions;
mod phrases;
mod power;
mod processes;
mod provisioning;
mod python_tools;
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
mod text;
mod tools;
mod tracing;
mod transfers;
mod verbs;
mod wrappers;
mod xargs;

use std::sync::LazyLock;

use schema::Program;

/// Every family. A name described twice is a mistake that a test finds.
static FAMILIES: &[&[Program]] = &[
    accounts::PROGRAMS,
    agents::PROGRAMS,
    archives::PROGRAMS,
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
    lookups::PROGRAMS,
    namespaces::PROGRAMS,
    networking::PROGRAMS,
    packages::PROGRAMS,
    permissions::PROGRAMS,
    power::PROGRAMS,
    processes::PROGRAMS,
    provisioning::PROGRAMS,
    python_tools::PROGRAMS,
    readers::PROGRAMS,
    rights::PROGRAMS,
    rsync::PROGRAMS,
    schedules::PROGRAMS,
    services::PROGRAMS,
    sessions::PROGRAMS,
    shells::PROGRAMS,
    sockets::PROGRAMS,
    ssh::PROGRAMS,
    task_runners::PROGRAMS,
    text::PROGRAMS,
    tools::PROGRAMS,
    tracing::PROGRAMS,
    transfers::PROGRAMS,
    wrappers::PROGRAMS,
    xargs::PROGRAMS,
];

/// The description of the program with this plain name.
pub(crate) fn find(name: &str) -> Option<&'static Program> {
    INDEX.get(name).or_else(|| versioned(name)).or_else(|| INDEX.beginning(name))
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
    INDEX.entries.iter().map(|entry| entry.name)
}

/// `python3.11`, `gcc-12`, `lua5.4`: the name without its version.
fn versioned(name: &str) -> Option<&'static Program> {
    let plain =
        name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.' || letter == '-');
    (plain.len() < name.len() && !plain.is_empty()).then(|| INDEX.get(plain))?
}

static INDEX: LazyLock<Index> = LazyLock::new(Index::new);

/// Every name, where it is found without looking at all of them. Every process makes it anew, so it is two plain
/// lists: the last name of each slot, and each name with the one before it in its slot.
struct Index {
    last: Vec<Option<u16>>,
    entries: Vec<Entry>,
    /// Names that are described by their beginning: `mkfs.*`.
    beginnings: Vec<(&'static str, &'static Program)>,
}

struct Entry {
    name: &'static str,
    program: &'static Program,
    before: Option<u16>,
}

impl Index {
    fn new() -> Self {
        let programs = || FAMILIES.iter().flat_map(|family| family.iter());
        let count = programs().map(|program| program.names.len()).sum();
        let mut index =
            Self { last: vec![None; SLOTS], entries: Vec::with_capacity(count), beginnings: Vec::new() };
        for program in programs() {
            program.names.iter().for_each(|name| index.add(name, program));
        }
        index
    }

    fn add(&mut self, name: &'static str, program: &'static Program) {
        if let Some(beginning) = name.strip_suffix('*') {
            self.beginnings.push((beginning, program));
        }
        if let Some(last) = self.last.get_mut(slot(name)) {
            let here = u16::try_from(self.entries.len()).ok();
            let before = std::mem::replace(last, here);
            self.entries.push(Entry { name, program, before });
        }
    }

    fn get(&self, name: &str) -> Option<&'static Program> {
        let mut at = self.last.get(slot(name)).copied().flatten();
        while let Some(entry) = at.and_then(|at| self.entries.get(usize::from(at))) {
            if entry.name == name {
                return Some(entry.program);
            }
            at = entry.before;
        }
        None
    }

    fn beginning(&self, name: &str) -> Option<&'static Program> {
        let found = self.beginnings.iter().find(|(beginning, _)| name.starts_with(beginning));
        found.map(|(_, program)| *program)
    }
}

const SLOTS: usize = 1024;

/// Where a name is kept: its length, its first and its last letters tell most names apart.
fn slot(name: &str) -> usize {
    let bytes = name.as_bytes();
    let letter = |at: usize| bytes.get(at).copied().map_or(0, usize::from);
    let last = bytes.len().wrapping_sub(1);
    (letter(0) * 7 + letter(1) * 31 + letter(last) * 131 + bytes.len() * 17) % SLOTS
}

#[cfg(test)]
mod tests;
