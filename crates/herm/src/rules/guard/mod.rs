//! What an agent must not do to its own guard and gateway.

pub mod disable_guard;
pub mod guard_config;
pub mod self_approve;
pub mod start_gateway;
pub mod stop_gateway;
pub mod unattended_agent;
pub mod yolo;

use super::Rule;

/// All of them.
pub(crate) static RULES: &[&Rule] = &[
    &disable_guard::DISABLE_GUARD,
    &guard_config::GUARD_CONFIG,
    &self_approve::SELF_APPROVE,
    &start_gateway::START_GATEWAY,
    &stop_gateway::STOP_GATEWAY,
    &unattended_agent::UNATTENDED_AGENT,
    &yolo::YOLO,
];
