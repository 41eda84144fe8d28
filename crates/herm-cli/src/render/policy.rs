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
        list("  deny", written(&policy.deny)),
        list("  ask", written(&policy.ask)),
        list("command_allowlist", written(&policy.allow)),
        "file_safety:\n".to_owned(),
        list("  write_safe_root", roots.collect()),
        "terminal:\n".to_owned(),
        format!("  timeout: {}\n", policy.limits.time.as_secs()),
        format!("  max_timeout: {}\n", policy.limits.longest.as_secs()),
        list("  env_passthrough", names(&policy.terminal.passthrough)),
        list("  credential_files", names(&policy.terminal.credentials)),
    ]
    .concat()
}

fn written(entries: &[Entry]) -> Vec<String> {
    entries.iter().map(|entry| entry.written().to_owned()).collect()
}

fn names(wanted: &[Wanted]) -> Vec<String> {
    wanted.iter().map(|wanted| wanted.name.clone()).collect()
}

fn list(key: &str, values: Vec<String>) -> String {
    // A JSON text is a YAML text, with everything odd escaped.
    let values: Vec<_> = values.into_iter().map(|value| serde_json::Value::from(value).to_string()).collect();
    format!("{key}: [{}]\n", values.join(", "))
}
