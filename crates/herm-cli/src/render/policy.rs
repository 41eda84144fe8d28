//! What holds, key by key.

use herm::Policy;
use herm::policy::credential::Credential;
use herm::policy::hooks::{Event, Failure};
use herm::policy::mcp::{Sampling, Server, Servers};
use herm::policy::sandbox::{Missing, Profile, Shown};
use herm::policy::terminal::Wanted;
use herm::policy::{Auxiliary, Case, Entry, Hook, Kept, Released, Sandbox, Security, Site};
use herm_scan::Redactor;
use serde_json::{Map, Value, json};

use super::escape::escape;

/// What holds, as YAML that could be a configuration, with where it is said.
pub(crate) fn yaml(policy: &Policy) -> String {
    let mut lines = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    for (path, value) in held(policy) {
        let mut sections: Vec<_> = path.split('.').collect();
        let key = sections.pop().unwrap_or_default();
        let shared = open.iter().zip(&sections).take_while(|(open, section)| open == section).count();
        for (depth, section) in sections.iter().enumerate().skip(shared) {
            lines.push(format!("{}{section}:", indent(depth)));
        }
        lines.push(format!("{}{key}: {}{}", indent(sections.len()), flow(&value), said(policy, path)));
        open = sections;
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

fn indent(depth: usize) -> String {
    "  ".repeat(depth)
}

/// Where a key is said, as a comment.
fn said(policy: &Policy, path: &str) -> String {
    let places: Vec<_> = origins(policy, path).iter().map(|place| escape(place).into_owned()).collect();
    if places.is_empty() { String::new() } else { format!("  # {}", places.join(", ")) }
}

fn origins(policy: &Policy, path: &str) -> Vec<String> {
    let here = policy.origins.iter().filter(|origin| origin.key == path);
    here.map(|origin| format!("{}:{}", origin.file, origin.at.line)).collect()
}

/// What holds, for programs: the same keys, and under `origins` where each is said.
pub(crate) fn json(policy: &Policy) -> Value {
    let mut root = Map::new();
    let mut said = Map::new();
    for (path, value) in held(policy) {
        let places = origins(policy, path);
        if !places.is_empty() {
            said.insert(path.to_owned(), json!(places));
        }
        insert(&mut root, path, value);
    }
    root.insert("origins".to_owned(), Value::Object(said));
    Value::Object(root)
}

fn insert(section: &mut Map<String, Value>, path: &str, value: Value) {
    let Some((name, rest)) = path.split_once('.') else {
        section.insert(path.to_owned(), value);
        return;
    };
    if let Some(inner) = section.entry(name).or_insert_with(|| json!({})).as_object_mut() {
        insert(inner, rest, value);
    }
}

/// Every key that has a value, in the order of their paths.
fn held(policy: &Policy) -> Vec<(&'static str, Value)> {
    let mut held = [
        approvals(policy),
        auxiliary(&policy.auxiliary),
        egress(policy),
        hooks(&policy.hooks),
        vec![("mcp.servers", servers(&policy.mcp))],
        sandbox(&policy.sandbox, policy.released),
        security(&policy.security),
        terminal(policy),
        policy.kept.iter().map(|(path, value)| (*path, kept(value))).collect(),
    ]
    .concat();
    held.retain(|(_, value)| !value.is_null());
    held.sort_by_key(|(path, _)| *path);
    held
}

type Held = Vec<(&'static str, Value)>;

/// Servers of tools. Their lists are shown once more among the entries that they become.
fn servers(servers: &Servers) -> Value {
    let one = |(name, server): (&str, &Server)| {
        let said = json!({
            "allow": some(texts(&server.allow)), "deny": some(texts(&server.deny)),
            "env": (!server.env.is_empty()).then_some(&server.env),
            "rate": server.rate, "sampling": server.sampling.map(Sampling::word),
        });
        let said = said.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
        (name.to_owned(), said.map(|(key, value)| (key.clone(), value.clone())).collect::<Value>())
    };
    let all: Map<String, Value> = servers.iter().map(one).collect();
    if all.is_empty() { Value::Null } else { Value::Object(all) }
}

fn approvals(policy: &Policy) -> Held {
    let roots = policy.safe_roots.iter().flatten().map(|root| json!(root.as_str())).collect();
    vec![
        ("approvals.approvers", some(texts(&policy.approvers))),
        ("approvals.ask", entries(&policy.ask)),
        ("approvals.broker", json!(policy.broker.as_ref().map(herm::AbsPath::as_str))),
        ("approvals.deny", entries(&policy.deny)),
        ("approvals.mode", json!(policy.mode.word())),
        ("approvals.preset", json!(policy.preset.word())),
        ("approvals.timeout", json!(policy.timeout)),
        ("command_allowlist", entries(&policy.allow)),
        ("file_safety.edit_approval", json!(policy.edit_approval.then_some(true))),
        ("file_safety.write_safe_root", some(roots)),
        ("tests", some(policy.tests.iter().map(case).collect())),
        ("undo.days", json!(policy.undo.days)),
        ("undo.runs", json!(policy.undo.runs)),
    ]
}

fn auxiliary(auxiliary: &Auxiliary) -> Held {
    vec![
        ("auxiliary.approval.api_key", json!(auxiliary.key.as_ref().map(|name| format!("${{{name}}}")))),
        ("auxiliary.approval.base_url", json!(auxiliary.base_url.as_deref().map(safe))),
        ("auxiliary.approval.model", json!(auxiliary.model)),
        ("auxiliary.approval.provider", json!(auxiliary.provider)),
        ("auxiliary.approval.timeout", json!(auxiliary.timeout)),
    ]
}

/// Of several lists of hosts each must allow one.
fn egress(policy: &Policy) -> Held {
    let sites = |list: &Vec<Site>| list.iter().map(|site| json!(site.written())).collect::<Vec<_>>();
    let allowed = match policy.egress.allowed.as_slice() {
        [] => Value::Null,
        [only] => Value::Array(sites(only)),
        several => several.iter().map(sites).collect(),
    };
    let endpoints = policy.egress.endpoints.iter().map(|endpoint| json!(endpoint.to_string())).collect();
    let credentials: Map<_, _> = policy.egress.credentials.iter().map(credential).collect();
    let credentials = if credentials.is_empty() { Value::Null } else { Value::Object(credentials) };
    vec![
        ("egress.allowed_domains", allowed),
        ("egress.credentials", credentials),
        ("egress.endpoints", some(endpoints)),
    ]
}

/// A credential under the variable that holds its placeholder.
fn credential(credential: &Credential) -> (String, Value) {
    let value = json!({
        "secret": format!("${{{}}}", credential.secret),
        "hosts": credential.hosts.iter().map(Site::written).collect::<Vec<_>>(),
        "headers": credential.headers,
        "variable": credential.variable,
    });
    (credential.variable.clone(), value)
}

fn hooks(hooks: &[Hook]) -> Held {
    let of = |event: Event| some(hooks.iter().filter(|each| each.event == event).map(hook).collect());
    vec![("hooks.post_tool_call", of(Event::PostToolCall)), ("hooks.pre_tool_call", of(Event::PreToolCall))]
}

fn sandbox(sandbox: &Sandbox, released: Released) -> Held {
    let shown = |list: &[Shown]| some(list.iter().map(|one| json!(one.path.as_str())).collect());
    let profile = (sandbox.profile != Profile::default()).then_some(sandbox.profile.word());
    vec![
        ("sandbox.agents", json!((released != Released::default()).then_some(released.word()))),
        ("sandbox.file_size", json!(sandbox.file_size.said())),
        ("sandbox.missing", json!((sandbox.missing != Missing::default()).then_some(sandbox.missing.word()))),
        ("sandbox.processes", json!(sandbox.processes.said())),
        ("sandbox.profile", json!(profile)),
        ("sandbox.readable", shown(&sandbox.readable)),
        ("sandbox.writable", shown(&sandbox.writable)),
        ("terminal.container_cpu", json!(sandbox.processors.said())),
        ("terminal.container_disk", json!(sandbox.disk.said())),
        ("terminal.container_memory", json!(sandbox.memory.said())),
    ]
}

fn security(security: &Security) -> Held {
    let block = security.tirith_block_asks.map(|asks| if asks { "ask" } else { "deny" });
    vec![
        ("security.redact_secrets", json!(security.redact_secrets.unwrap_or(true))),
        ("security.tirith_block", json!(block)),
        ("security.tirith_enabled", json!(security.tirith_enabled.unwrap_or(false))),
        ("security.tirith_fail_open", json!(security.tirith_fail_open)),
        ("security.tirith_path", json!(security.tirith_path)),
        ("security.tirith_timeout", json!(security.tirith_timeout)),
        ("security.website_blocklist.domains", some(texts(&security.blocked_domains))),
        ("security.website_blocklist.enabled", json!(security.blocklist_enabled)),
        ("security.website_blocklist.shared_files", some(texts(&security.blocklist_files))),
    ]
}

fn terminal(policy: &Policy) -> Held {
    let terminal = &policy.terminal;
    vec![
        ("terminal.backend", json!(terminal.backend)),
        ("terminal.credential_files", names(&terminal.credentials)),
        ("terminal.env_passthrough", names(&terminal.passthrough)),
        ("terminal.max_timeout", json!(policy.limits.longest.as_secs())),
        ("terminal.python", json!(policy.python.as_ref().map(herm::AbsPath::as_str))),
        ("terminal.timeout", json!(policy.limits.time.as_secs())),
    ]
}

/// Nothing rather than an empty list.
fn some(list: Vec<Value>) -> Value {
    if list.is_empty() { Value::Null } else { Value::Array(list) }
}

fn texts(list: &[String]) -> Vec<Value> {
    list.iter().map(|text| json!(text)).collect()
}

fn entries(entries: &[Entry]) -> Value {
    entries.iter().map(|entry| json!(entry.written())).collect()
}

fn names(wanted: &[Wanted]) -> Value {
    wanted.iter().map(|wanted| json!(wanted.name)).collect()
}

fn case(case: &Case) -> Value {
    let mut fields = json!({ "command": case.command, "expect": case.expect });
    if let (Some(rule), Some(fields)) = (&case.rule, fields.as_object_mut()) {
        fields.insert("rule".to_owned(), json!(rule));
    }
    fields
}

fn hook(hook: &Hook) -> Value {
    json!({
        "matcher": hook.tools.as_str(),
        "command": safe(&hook.command),
        "timeout": hook.timeout,
        "fail_open": hook.failure == Failure::Passes,
    })
}

fn kept(kept: &Kept) -> Value {
    match kept {
        Kept::Many(texts) => texts.iter().map(|text| single(text)).collect(),
        Kept::Names(names) => names.iter().map(|name| (name.clone(), json!({}))).collect(),
        Kept::One(text) => single(text),
    }
}

/// A number or a truth, where the text is one.
fn single(text: &str) -> Value {
    match (text, text.parse::<u64>()) {
        ("true" | "false", _) => json!(text == "true"),
        (_, Ok(number)) => json!(number),
        (_, Err(_)) => json!(safe(text)),
    }
}

/// What a person wrote into the file may hold what should not be there.
fn safe(text: &str) -> String {
    Redactor::new().redact(text)
}

/// A value on one line. A JSON text is a YAML text, with everything odd escaped; plain words need no quotes.
fn flow(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let pair = |(key, value): (&String, &Value)| format!("{}: {}", flow(&json!(key)), flow(value));
            format!("{{{}}}", fields.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
        Value::String(word) if is_plain(word) => word.clone(),
        Value::Bool(_) | Value::Null | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

/// Whether YAML reads it as the text that it is.
fn is_plain(word: &str) -> bool {
    let odd = ["true", "false", "yes", "no", "on", "off", "y", "n", "null"];
    word.starts_with(|first: char| first.is_ascii_alphabetic())
        && word.chars().all(|each| each.is_ascii_alphanumeric() || each == '_')
        && !odd.contains(&word.to_ascii_lowercase().as_str())
}
