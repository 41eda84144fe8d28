//! Who may do what with files.

mod recursive_root_owner;
mod setuid;
mod system_permission;
mod world_writable;

pub(crate) use recursive_root_owner::RECURSIVE_ROOT_OWNER;
pub(crate) use setuid::SETUID;
pub(crate) use system_permission::SYSTEM_PERMISSION;
pub(crate) use world_writable::WORLD_WRITABLE;
