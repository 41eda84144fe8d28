//! Programs that fetch a package and run it in one step.

use super::arguments::Parsed;
use super::phrases::emit;
use crate::effect::{Flags, Verb};
use crate::sink::Sink;
use crate::value::Value;

/// What stands at the beginning of an address, instead of the name of a package.
const ADDRESSES: &[&str] = &["git+", "hg+", "svn+", "git@", "github:", "gitlab:", "bitbucket:", "gist:"];

/// Says that a package is installed where it is named by an address, or comes from an index that the command names.
/// `tool` is what is run; options may say that it comes from another package.
pub(super) fn fetched(
    parsed: &Parsed<'_>,
    tool: Option<&Value>,
    address: fn(&str) -> Option<String>,
    sink: &mut dyn Sink,
) {
    let packages = parsed.values("--from --spec --with --with-editable -p --package");
    let named: Vec<String> = packages.chain(tool).map(Value::shown).collect();
    let other = parsed.has("--index-url -i --index --default-index --extra-index-url --registry");
    for name in named {
        if let Some(address) = address(&name).or_else(|| other.then(|| name.clone())) {
            emit(sink, Verb::Install, "package", address, Flags::NONE);
        }
    }
}

/// The address that a package is named by.
pub(super) fn address(name: &str) -> Option<String> {
    let place = name.split(" @ ").last().unwrap_or(name).trim_start();
    let is_address = place.contains("://") || ADDRESSES.iter().any(|scheme| place.starts_with(scheme));
    is_address.then(|| place.to_owned())
}

/// The same for Node's packages, where `owner/repository` is short for an address.
pub(super) fn node_address(name: &str) -> Option<String> {
    let is_short = name.split('/').count() == 2 && !name.starts_with(['@', '.', '/', '~', '$']);
    address(name).or_else(|| is_short.then(|| format!("github:{name}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_names() {
        for name in ["git+https://git.example/x", "x @ https://files.example/x.whl", "github:owner/x"] {
            assert!(address(name).is_some(), "{name}");
        }
        assert_eq!(node_address("owner/repository").as_deref(), Some("github:owner/repository"));
        assert_eq!(address("src/app.py"), None);
        for name in ["ruff==0.5", "@scope/tool", "./tool", "/opt/tool", "tool@next"] {
            assert_eq!(node_address(name), None, "{name}");
        }
    }
}
