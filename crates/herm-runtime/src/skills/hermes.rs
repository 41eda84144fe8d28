//! Hermes Agent, which runs what stands in a skill only where its configuration says so, and reads it anew each time.

use std::path::{Path, PathBuf};

use herm_adapters::wiring::{Format, Item};
use herm_adapters::{Sheet, Use};

use super::leaf;
use super::search::{self, Search};
use crate::environment;
use crate::files::{self, Seen};
use crate::setup::Setup;

/// What it runs when it shows a skill.
pub(super) fn shown(setup: &Setup, name: &str) -> Vec<Use> {
    let named = environment::of_agent("HERMES_HOME").map(PathBuf::from);
    let home = named.unwrap_or_else(|| Path::new(setup.home.as_str()).join(".hermes"));
    if !runs(&home.join("config.yaml")) {
        return Vec::new();
    }
    let mut search = Search::new();
    let mut sheets = search.sheets(&home.join("skills"), leaf(name));
    sheets.extend(search.sheets(&home.join("plugins"), leaf(name)));
    // Others come from where its configuration or a package of Python's says.
    let is_elsewhere = sheets.is_empty() || !search.is_whole() || name.contains(':');
    let unseen = is_elsewhere.then_some(Use::Unknown);
    let uses = sheets.iter().flat_map(|file| {
        let Some(text) = search::text(file) else { return vec![Use::Unknown] };
        let directory = file.parent().unwrap_or(&home).display().to_string();
        Sheet { text: &text, directory: &directory }.run_by_hermes()
    });
    uses.chain(unseen).collect()
}

/// Whether its configuration has it run what stands in skills. One that cannot be read may do so.
fn runs(config: &Path) -> bool {
    let text = match files::read(config) {
        Seen::Absent => return false,
        Seen::Hidden => return true,
        Seen::Bytes(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
    };
    match Format::Yaml.read(&text) {
        Err(_) => true,
        Ok(said) => match said.find(&["skills", "inline_shell"]) {
            None | Some(Item::Flag(false) | Item::Null) => false,
            Some(Item::Number(number)) => number != "0",
            Some(Item::Flag(true) | Item::List(_) | Item::Map(_) | Item::Text(_)) => true,
        },
    }
}
