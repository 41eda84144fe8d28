//! All families, in the order in which a variable is told to belong to one.

mod ci;
mod cloud;
mod database;
mod forge;
mod generic;
mod hijack;
mod messaging;
mod own;
mod provider;
mod registry;
mod tool;

use super::family::Family;

/// All families. Those that nobody may have passed on come first: a variable belongs to the first that holds it.
pub static FAMILIES: [&Family; 11] = [
    &own::FAMILY,
    &provider::FAMILY,
    &messaging::FAMILY,
    &ci::FAMILY,
    &hijack::FAMILY,
    &cloud::FAMILY,
    &database::FAMILY,
    &forge::FAMILY,
    &registry::FAMILY,
    &tool::FAMILY,
    &generic::FAMILY,
];

/// The family that a variable belongs to.
#[must_use]
pub fn family(name: &str) -> Option<&'static Family> {
    let name = name.to_uppercase();
    FAMILIES.iter().copied().find(|family| family.holds(&name))
}
