//! Names of tools that do not tell where the name of their server ends: `mcp_SERVER_TOOL`, `SERVER_TOOL`, `SERVER-TOOL`.

use herm::policy::mcp::Servers;

/// What a tool may be called where something is denied to the server that it may belong to. An allowance is none for a name that
/// only may be meant, so nothing is looked up where nothing is denied.
pub(super) fn names(servers: &Servers, tool: &str) -> Vec<String> {
    let whole = plain(tool);
    let mut found = Vec::new();
    for (server, said) in servers.iter().filter(|(_, said)| !said.deny.is_empty()) {
        let start = plain(server);
        let behind =
            BEFORE.iter().filter_map(|before| whole.strip_prefix(before)?.strip_prefix(start.as_str()));
        for rest in behind.filter(|rest| rest.starts_with('_')) {
            let rest = rest.trim_start_matches('_');
            let own = tail(tool, rest.chars().count());
            // Agents write other characters than letters and digits in their own way.
            let denied = said.deny.iter().filter(|name| plain(name) == rest).cloned();
            found.extend(denied.chain([own]).map(|name| format!("{server}/{name}")));
        }
    }
    found.sort();
    found.dedup();
    found
}

const BEFORE: &[&str] = &["", "mcp_", "mcp__"];

/// The name as agents write it that know nothing but letters, digits and underscores.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// The last characters of a name.
fn tail(name: &str, length: usize) -> String {
    name.chars().skip(name.chars().count().saturating_sub(length)).collect()
}
