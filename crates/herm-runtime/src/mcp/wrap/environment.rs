//! The environment of a server: a short list, and what its configuration gives it. Nothing else.

use std::collections::BTreeMap;
use std::ffi::OsString;

use herm::environment::{Declared, Passthrough, Surface};
use herm::policy::mcp::reference;

use crate::consult::reviewer::Dotenv;
use crate::environment::{named, of_child};
use crate::setup::{self, Setup};

/// A variable that whoever starts herm gives a server: with this value, or with the one that it has here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Its name.
    pub name: String,
    /// Its value; `${NAME}` stands for that line of `.env`.
    pub value: Option<String>,
}

/// The whole environment of a server.
///
/// # Errors
/// When a variable cannot be given, and why.
pub(super) fn of_server(
    setup: &Setup,
    name: &str,
    given: &[Given],
) -> Result<Vec<(OsString, OsString)>, String> {
    let configured = setup.policy.mcp.get(name).map(|server| server.env.clone()).unwrap_or_default();
    let configured = configured.into_iter().map(|(name, value)| Given { name, value: Some(value) });
    let mut extra: BTreeMap<String, String> = BTreeMap::new();
    for variable in configured.chain(given.iter().cloned()) {
        let value = value(setup, &variable)?;
        extra.insert(variable.name, value);
    }
    let mut all = of_child(Surface::Mcp, &Passthrough::default());
    all.retain(|(name, _)| !name.to_str().is_some_and(|name| extra.contains_key(name)));
    all.extend(extra.into_iter().map(|(name, value)| (name.into(), value.into())));
    Ok(all)
}

fn value(setup: &Setup, variable: &Given) -> Result<String, String> {
    let Given { name, value } = variable;
    let declared = Passthrough::default().declare(name, Declared::InConfiguration, true);
    match value {
        // What is written out is what somebody wants; but it needs a name.
        Some(_) if !is_name(name) => Err(format!("`{name}` is no name of a variable")),
        Some(value) => match reference(value) {
            Some(secret) => held(setup, secret),
            None => Ok(value.clone()),
        },
        None => {
            declared.map_err(|why| format!("`{name}` is not passed on: {why}"))?;
            named(name).ok_or_else(|| format!("`{name}` is not set"))
        }
    }
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A line of `.env`.
fn held(setup: &Setup, name: &str) -> Result<String, String> {
    let text = setup::held(&setup.guard).map_err(|problem| problem.to_string())?.unwrap_or_default();
    let found = Dotenv::read(&text).value(name).map(|secret| secret.reveal().to_owned());
    found.ok_or_else(|| format!("`.env` has no `{name}`"))
}

/// A text in which every `${NAME}` is that line of `.env`.
pub(super) fn filled(setup: &Setup, text: &str) -> Result<String, String> {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let (name, end) = after.split_once('}').ok_or_else(|| "a `${` has no end".to_owned())?;
        filled.push_str(before);
        filled.push_str(&held(setup, name)?);
        rest = end;
    }
    Ok(filled + rest)
}
