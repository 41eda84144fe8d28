//! What nobody may approve.

mod delete_home;
mod delete_root;
mod delete_system_directory;
mod destroy_permissions;
mod exhaust_machine;
mod format_device;
mod kill_everything;
mod overwrite_critical_file;
mod overwrite_everything;
mod power_off;

pub(crate) use delete_home::DELETE_HOME;
pub(crate) use delete_root::DELETE_ROOT;
pub(crate) use delete_system_directory::DELETE_SYSTEM_DIRECTORY;
pub(crate) use destroy_permissions::DESTROY_PERMISSIONS;
pub(crate) use exhaust_machine::EXHAUST_MACHINE;
pub(crate) use format_device::FORMAT_DEVICE;
pub(crate) use kill_everything::KILL_EVERYTHING;
pub(crate) use overwrite_critical_file::OVERWRITE_CRITICAL_FILE;
pub(crate) use overwrite_everything::OVERWRITE_EVERYTHING;
pub(crate) use power_off::POWER_OFF;
