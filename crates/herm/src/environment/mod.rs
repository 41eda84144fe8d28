//! What of our environment a child gets to see.
//!
//! A child never inherits: it gets what [`filter`] leaves. Which variables hold secrets is data, one [family](FAMILIES) a
//! file, on top of a generic one that goes by the words of a name. Hermes drops a list of names and lets the rest
//! through, so that a key nobody thought of is inherited; here whatever is *called* a secret is one, and a person who wants
//! it passed on says so.
//!
//! ```
//! use std::ffi::OsString;
//! use herm::environment::{Passthrough, Surface, filter};
//!
//! let ours = [("HOME", "/home/dev"), ("PATH", "/usr/bin"), ("OPENROUTER_API_KEY", "sk-or-1"), ("DB_PASS", "x")];
//! let ours = ours.map(|(name, value)| (OsString::from(name), OsString::from(value)));
//! let theirs = filter(ours, Surface::Terminal, &Passthrough::default());
//! let names: Vec<_> = theirs.iter().map(|(name, _)| name.to_str().unwrap()).collect();
//! assert_eq!(names, ["HOME", "PATH", "AGENT_FOUNDRY_RUNTIME", "HERM"]);
//! ```

mod credential;
mod families;
mod family;
mod passthrough;
mod search_path;
mod skill;
mod surface;
mod value;

use std::ffi::OsString;

pub use credential::{Credential, NotMounted, mount};
pub use families::{FAMILIES, family};
pub use family::{Family, Passing};
pub use passthrough::{Declared, NotPassed, Passthrough, Registration};
pub use skill::Requirements;
pub use surface::Surface;

/// What commands and scripts are told, so that a program can know where it runs. A server of tools gets its short list and nothing else.
pub const MARKS: [(&str, &str); 2] = [("AGENT_FOUNDRY_RUNTIME", "1"), ("HERM", "1")];

/// What of `variables` a child on `surface` gets.
///
/// A name that is not text is not passed on: what it stands for cannot be known.
#[must_use]
pub fn filter(
    variables: impl IntoIterator<Item = (OsString, OsString)>,
    surface: Surface,
    passthrough: &Passthrough,
) -> Vec<(OsString, OsString)> {
    let mut kept: Vec<_> = variables
        .into_iter()
        .filter(|(name, value)| name.to_str().is_some_and(|name| surface.keeps(name, value, passthrough)))
        .map(|(name, value)| if name == "PATH" { (name, search_path::sane(&value)) } else { (name, value) })
        .collect();
    if surface != Surface::Mcp {
        kept.extend(MARKS.map(|(name, value)| (name.into(), value.into())));
    }
    kept
}

#[cfg(test)]
mod tests;
