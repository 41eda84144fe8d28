//! The machine itself.

mod change_account;
mod change_device;
mod change_interface;
mod clear_logs;
mod disable_protection;
mod disk_copy;
mod firewall_change;
mod kernel_change;
mod mount;
mod power_state;
mod system_config_write;

pub(crate) use change_account::CHANGE_ACCOUNT;
pub(crate) use change_device::CHANGE_DEVICE;
pub(crate) use change_interface::CHANGE_INTERFACE;
pub(crate) use clear_logs::CLEAR_LOGS;
pub(crate) use disable_protection::DISABLE_PROTECTION;
pub(crate) use disk_copy::DISK_COPY;
pub(crate) use firewall_change::FIREWALL_CHANGE;
pub(crate) use kernel_change::KERNEL_CHANGE;
pub(crate) use mount::MOUNT;
pub(crate) use power_state::POWER_STATE;
pub(crate) use system_config_write::SYSTEM_CONFIG_WRITE;
