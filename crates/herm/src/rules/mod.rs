//! The rules, one file each.

pub mod consult;
pub mod content;
pub mod database;
pub(crate) mod deletion;
pub mod exfiltration;
pub mod exposure;
mod files;
mod floor;
pub mod gaps;
pub mod guard;
pub mod history;
pub mod infrastructure;
mod named;
pub mod network;
mod package;
mod permission;
mod persistence;
pub mod policy;
pub mod privilege;
mod process;
pub mod publish;
pub mod remote_code;
pub mod rule;
mod service;
pub mod shell;
pub mod strict;
mod subject;
mod system;

pub use rule::{Layer, Report, Rule};

/// Every rule, in the order in which `herm rules` lists them.
pub static RULES: &[&Rule] = &[
    &floor::DELETE_HOME,
    &floor::DELETE_ROOT,
    &floor::DELETE_SYSTEM_DIRECTORY,
    &floor::DESTROY_PERMISSIONS,
    &floor::EXHAUST_MACHINE,
    &floor::FORMAT_DEVICE,
    &floor::KILL_EVERYTHING,
    &floor::OVERWRITE_CRITICAL_FILE,
    &floor::OVERWRITE_EVERYTHING,
    &floor::POWER_OFF,
    &files::AGENT_CONFIG_WRITE,
    &files::CREDENTIAL_READ,
    &files::PROJECT_ENV_WRITE,
    &files::PROTECTED_WRITE,
    &consult::AGENT_ASKS,
    &consult::DENIED_BEFORE,
    &consult::EDIT_APPROVAL,
    &consult::EDIT_LEVER,
    &consult::EDIT_OUTSIDE,
    &consult::HOOK_OBJECTION,
    &consult::TIRITH_FINDING,
    &consult::UNSEEN_EDIT,
    &consult::WEAKER_SANDBOX,
    &content::DISGUISED_WORD,
    &content::ENVIRONMENT_HIJACK,
    &content::HIDDEN_TEXT,
    &content::INVISIBLE_TEXT,
    &content::TERMINAL_ESCAPE,
    &content::TURNED_TEXT,
    &content::UNPACK_OVER_HOME,
    &database::drop_database::DROP_DATABASE,
    &database::flush_keys::FLUSH_KEYS,
    &database::reset_schema::RESET_SCHEMA,
    &database::sql_delete_all::SQL_DELETE_ALL,
    &database::sql_drop::SQL_DROP,
    &database::sql_truncate::SQL_TRUNCATE,
    &deletion::BULK_DELETE,
    &deletion::DELETE_OUTSIDE_WORKSPACE,
    &deletion::IRREVERSIBLE_DELETE,
    &deletion::RECURSIVE_DELETE,
    &exfiltration::send_secret::SEND_SECRET,
    &exfiltration::commit_secret::COMMIT_SECRET,
    &exposure::expose_service::EXPOSE_SERVICE,
    &gaps::ABSENT_SCRIPT,
    &gaps::SENSITIVE_OPERAND,
    &gaps::UNFOLLOWED_CODE,
    &gaps::UNKNOWN_CODE,
    &gaps::UNKNOWN_OPERAND,
    &gaps::UNKNOWN_PROGRAM,
    &gaps::UNKNOWN_TARGET,
    &gaps::CHANGED_TOOL,
    &gaps::UNKNOWN_TOOL,
    &gaps::UNREAD_TEXT,
    &guard::disable_guard::DISABLE_GUARD,
    &guard::guard_config::GUARD_CONFIG,
    &guard::self_approve::SELF_APPROVE,
    &guard::start_gateway::START_GATEWAY,
    &guard::stop_gateway::STOP_GATEWAY,
    &guard::unattended_agent::UNATTENDED_AGENT,
    &guard::yolo::YOLO,
    &history::delete_branch::DELETE_BRANCH,
    &history::delete_tag::DELETE_TAG,
    &history::discard_changes::DISCARD_CHANGES,
    &history::force_push::FORCE_PUSH,
    &history::git_clean::GIT_CLEAN,
    &history::lasting_hook::LASTING_HOOK,
    &history::reflog_expire::REFLOG_EXPIRE,
    &history::reset_hard::RESET_HARD,
    &history::rewrite_history::REWRITE_HISTORY,
    &history::stash_drop::STASH_DROP,
    &infrastructure::apply_infrastructure::APPLY_INFRASTRUCTURE,
    &infrastructure::cluster_shell::CLUSTER_SHELL,
    &infrastructure::container_lifecycle::CONTAINER_LIFECYCLE,
    &infrastructure::destroy_cloud_resource::DESTROY_CLOUD_RESOURCE,
    &infrastructure::destroy_cluster_resource::DESTROY_CLUSTER_RESOURCE,
    &infrastructure::destroy_container::DESTROY_CONTAINER,
    &infrastructure::destroy_infrastructure::DESTROY_INFRASTRUCTURE,
    &infrastructure::grant_access::GRANT_ACCESS,
    &infrastructure::host_access::HOST_ACCESS,
    &infrastructure::infrastructure_state::INFRASTRUCTURE_STATE,
    &infrastructure::prune_containers::PRUNE_CONTAINERS,
    &infrastructure::reveal_secret::REVEAL_SECRET,
    &infrastructure::workload_lifecycle::WORKLOAD_LIFECYCLE,
    &network::BLOCKED_WEBSITE,
    &network::FOREIGN_SCHEME,
    &network::FRONTED_HOST,
    &network::LOOKALIKE_HOST,
    &network::METADATA_SERVICE,
    &network::MISLEADING_URL,
    &network::PRIVATE_ADDRESS,
    &network::SPECIAL_ADDRESS,
    &network::UNLISTED_HOST,
    &network::UNREADABLE_URL,
    &network::UNRESOLVED_HOST,
    &network::UNTRUSTED_DOWNLOAD,
    &package::FOREIGN_PACKAGE,
    &package::UNINSTALL_PACKAGE,
    &permission::RECURSIVE_ROOT_OWNER,
    &permission::SETUID,
    &permission::SYSTEM_PERMISSION,
    &permission::WORLD_WRITABLE,
    &persistence::ENABLE_SERVICE,
    &persistence::SCHEDULE_JOB,
    &persistence::STARTUP_WRITE,
    &policy::ASKED_BY_USER,
    &policy::DENIED_BY_USER,
    &policy::LOST_MOVE,
    &policy::MALFORMED_CALL,
    &policy::OUTSIDE_SAFE_ROOT,
    &privilege::askpass_program::ASKPASS_PROGRAM,
    &privilege::attach_debugger::ATTACH_DEBUGGER,
    &privilege::attack_tool::ATTACK_TOOL,
    &privilege::authorize_key::AUTHORIZE_KEY,
    &privilege::control_socket::CONTROL_SOCKET,
    &privilege::type_for_somebody::TYPE_FOR_SOMEBODY,
    &privilege::enter_host::ENTER_HOST,
    &privilege::password_on_stdin::PASSWORD_ON_STDIN,
    &process::FORCE_KILL,
    &process::KILL_AGENT,
    &process::KILL_BY_PATTERN,
    &process::KILL_BY_SEARCH,
    &publish::bypass_review::BYPASS_REVIEW,
    &publish::change_repository::CHANGE_REPOSITORY,
    &publish::delete_release::DELETE_RELEASE,
    &publish::delete_repository::DELETE_REPOSITORY,
    &publish::deploy::DEPLOY,
    &publish::login_change::LOGIN_CHANGE,
    &publish::publish_package::PUBLISH_PACKAGE,
    &publish::publish_release::PUBLISH_RELEASE,
    &publish::push_everything::PUSH_EVERYTHING,
    &publish::push_to_protected_branch::PUSH_TO_PROTECTED_BRANCH,
    &publish::unpublish_package::UNPUBLISH_PACKAGE,
    &remote_code::decode_to_shell::DECODE_TO_SHELL,
    &remote_code::load_from_temp::LOAD_FROM_TEMP,
    &remote_code::pipe_to_shell::PIPE_TO_SHELL,
    &service::STOP_SERVICE,
    &shell::bind_shell::BIND_SHELL,
    &shell::escape_to_shell::ESCAPE_TO_SHELL,
    &shell::privileged_shell::PRIVILEGED_SHELL,
    &shell::reverse_shell::REVERSE_SHELL,
    &strict::STRICT_COMPOUND,
    &strict::STRICT_DESTRUCTION,
    &strict::STRICT_ENCODED_SHELL,
    &strict::STRICT_EVAL,
    &strict::STRICT_FORCE_KILL,
    &strict::STRICT_LOGIN,
    &strict::STRICT_PIPE_TO_SHELL,
    &strict::STRICT_POWER,
    &strict::STRICT_PRIVILEGE,
    &strict::STRICT_PUBLISH,
    &strict::STRICT_PYTHON,
    &strict::STRICT_SECRET_DUMP,
    &strict::STRICT_UNLISTED,
    &system::CHANGE_ACCOUNT,
    &system::CHANGE_DEVICE,
    &system::CHANGE_INTERFACE,
    &system::CLEAR_LOGS,
    &system::DISABLE_PROTECTION,
    &system::DISK_COPY,
    &system::FIREWALL_CHANGE,
    &system::KERNEL_CHANGE,
    &system::MOUNT,
    &system::POWER_STATE,
    &system::SYSTEM_CONFIG_WRITE,
];

/// The rule with this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.name == name)
}

#[cfg(test)]
mod tests;
