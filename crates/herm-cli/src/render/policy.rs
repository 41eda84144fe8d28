//! What holds, as YAML.

use herm::Policy;
use herm::policy::terminal::Wanted;
use herm::policy::{Entry, Site};

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
        egress(policy),
        "file_safety:\n".to_owned(),
        list("  write_safe_root", &roots.collect::<Vec<_>>()),
        blocklist(policy),
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

/// Nothing where connections may go anywhere. Of several lists of hosts each stands on a line, since each must allow a host.
fn egress(policy: &Policy) -> String {
    let sites = |list: &Vec<Site>| list.iter().map(|site| site.written().to_owned()).collect::<Vec<_>>();
    let allowed = policy.egress.allowed.iter().map(|each| list("  allowed_domains", &sites(each)));
    let endpoints: Vec<_> = policy.egress.endpoints.iter().map(ToString::to_string).collect();
    let endpoints = (!endpoints.is_empty()).then(|| list("  endpoints", &endpoints));
    let lines: String = allowed.chain(endpoints).collect();
    if lines.is_empty() { lines } else { format!("egress:\n{lines}") }
}

/// Nothing where no website is blocked.
fn blocklist(policy: &Policy) -> String {
    if policy.security.blocklist_enabled != Some(true) {
        return String::new();
    }
    let domains = list("    domains", &policy.security.blocked_domains);
    let files = list("    shared_files", &policy.security.blocklist_files);
    format!("security:\n  website_blocklist:\n    enabled: true\n{domains}{files}")
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
