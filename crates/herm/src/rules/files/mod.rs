//! Paths that may not be read or written.

mod agent_config_write;
mod credential_read;
mod project_env_write;
mod protected_write;

pub(crate) use agent_config_write::AGENT_CONFIG_WRITE;
pub(crate) use credential_read::CREDENTIAL_READ;
pub(crate) use project_env_write::PROJECT_ENV_WRITE;
pub(crate) use protected_write::PROTECTED_WRITE;
