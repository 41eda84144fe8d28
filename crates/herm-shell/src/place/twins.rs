//! Well-known files that have other names, too: a hard link is as good as the name that everybody knows.

use super::{Places, resolve};
use crate::value::Value;
use crate::world::World;

/// What a file is that has several names, by those that everybody knows.
pub(crate) fn twins(path: &str, home: &str, world: &dyn World) -> Places {
    let is_twin = |known: &String| known != path && world.same_file(path, known);
    let places = |known: String| resolve(&Value::literal(known), None, home).places;
    well_known(home).filter(is_twin).map(places).fold(Places::NONE, |all, one| all | one)
}

/// The files that are worth another name to somebody who wants one.
pub fn well_known(home: &str) -> impl Iterator<Item = String> {
    let own = IN_HOME.iter().map(move |name| format!("{home}/{name}"));
    own.chain(OF_THE_SYSTEM.iter().map(|&path| path.to_owned()))
}

const IN_HOME: &[&str] = &[
    ".aws/credentials",
    ".bash_profile",
    ".bashrc",
    ".docker/config.json",
    ".env",
    ".git-credentials",
    ".herm/.env",
    ".herm/config.yaml",
    ".herm/herm.db",
    ".herm/ledger/key",
    ".herm/ledger/ledger.jsonl",
    ".hermes/.env",
    ".hermes/auth.json",
    ".hermes/config.yaml",
    ".kube/config",
    ".netrc",
    ".npmrc",
    ".pgpass",
    ".profile",
    ".pypirc",
    ".ssh/authorized_keys",
    ".ssh/config",
    ".ssh/id_ecdsa",
    ".ssh/id_ed25519",
    ".ssh/id_rsa",
    ".zprofile",
    ".zshenv",
    ".zshrc",
];

const OF_THE_SYSTEM: &[&str] =
    &["/etc/crontab", "/etc/group", "/etc/gshadow", "/etc/passwd", "/etc/shadow", "/etc/sudoers"];
