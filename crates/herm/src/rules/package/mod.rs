//! Packages.

mod foreign_package;
mod uninstall_package;

pub(crate) use foreign_package::FOREIGN_PACKAGE;
pub(crate) use uninstall_package::UNINSTALL_PACKAGE;
