//! What holds, as YAML.

use herm::Policy;
use herm::policy::Entry;
use herm::policy::terminal::Wanted;

/// What holds, as YAML that could be a configuration.
pub(crate) fn yaml(policy: &Policy) -> String {
    let roots = policy.safe_roots.iter().flatten().map(|root| root.as_str().to_owned());
    [
        "approvals:\n".to_owned(),
        format!("  preset: {}\n", policy.preset.word()),
        format!("  mode: {}\n", policy.mode.word()),
        format!("  timeout: {}\n", policy.timeout),
        guard(policy),
        list("  deny", &written(&policy.deny)),
        list("  ask", &written(&policy.ask)),
        list("command_allowlist", &written(&policy.allow)),
        "file_safety:\n".to_owned(),
        list("  write_safe_root", &roots.collect::<Vec<_>>()),
        "terminal:\n".to_owned(),
        format!("  timeout: {}\n", policy.limits.time.as_secs()),
        format!("  max_timeout: {}\n", policy.limits.longest.as_secs()),
        list("  env_passthrough", &names(&policy.terminal.passthrough)),
        list("  credential_files", &names(&policy.terminal.credentials)),
    ]
    .concat()
}

/// Nothing where there is no guard.
fn guard(policy: &Policy) -> String {
    let broker = policy.broker.iter().map(|socket| format!("  broker: {}\n", quoted(socket.as_str())));
    let approvers = (!policy.approvers.is_empty()).then(|| list("  approvers", &policy.approvers));
    broker.chain(approvers).collect()
}

fn written(entries: &[Entry]) -> Vec<String> {
    entries.iter().map(|entry| entry.written().to_owned()).collect()
}

fn names(wanted: &[Wanted]) -> Vec<String> {
    wanted.iter().map(|wanted| wanted.name.clone()).collect()
}

fn list(key: &str, values: &[String]) -> String {
    let values: Vec<_> = values.iter().map(|value| quoted(value)).collect();
    format!("{key}: [{}]\n", values.join(", "))
}

/// A JSON text is a YAML text, with everything odd escaped.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
