//! Files of secrets whose names are given to something that is not known.

use super::{Arguments, Interpreter, Object};
use crate::place::{self, Extent, Places};
use crate::value::{Provenance, Value};

/// How many arguments, and how many paths in one, are looked at.
const PATHS: usize = 8;

/// Calls that use such files as what they are, or look at names only.
const USERS: &[&str] = &[
    "connect",
    "critical",
    "debug",
    "dotenv_values",
    "echo",
    "error",
    "exception",
    "from_private_key_file",
    "from_service_account_file",
    "info",
    "load_cert_chain",
    "load_config",
    "load_dotenv",
    "load_kube_config",
    "log",
    "secho",
    "set_key",
    "skip",
    "startswith",
    "endswith",
    "warn",
    "warning",
];

impl Interpreter<'_> {
    /// Something that is not known and is given the path of a key most likely reads it; what comes back may hold it.
    pub(super) fn secrets_among(&mut self, called: &str, arguments: &Arguments) -> Provenance {
        let name = called.trim_end_matches("()").rsplit('.').next().unwrap_or_default();
        if USERS.contains(&name) {
            return Provenance::NONE;
        }
        let mut found = Provenance::NONE;
        // Named ones say what they are for: `key_filename`, `cert`.
        for argument in arguments.plain.iter().take(PATHS) {
            // Of several files, each is opened.
            let several = match argument {
                Object::List(id) | Object::Tuple(id) => self.heap.items(*id).to_vec(),
                _ => vec![argument.clone()],
            };
            for path in several.iter().flat_map(Object::real_choices).take(PATHS) {
                if let Object::Text(path) | Object::Path(path) = path
                    && self.is_secret(path)
                {
                    found |= self.read(&path.as_ref().clone()).provenance;
                }
            }
        }
        found
    }

    fn is_secret(&self, path: &Value) -> bool {
        let begins = path.known_prefix();
        if !begins.starts_with('/') {
            return false;
        }
        let target = place::resolve(path, self.directory().as_deref(), &self.home());
        // A pattern that asks for hidden names asks for those that it fits.
        let is_meant = match target.extent {
            Extent::Exact => true,
            Extent::Pattern => path.shown().contains("/."),
            Extent::Children | Extent::Prefix | Extent::Unknown => false,
        };
        is_meant && target.places.has(Places::CREDENTIAL) && !target.places.has(Places::WORKSPACE)
    }
}
