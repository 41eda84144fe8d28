//! What an agent must not do to its own guard and gateway.

pub mod disable_guard;
pub mod guard_config;
pub mod self_approve;
pub mod start_gateway;
pub mod stop_gateway;
pub mod yolo;
