//! What the `mcp` section says: servers of tools, by their names.

use std::collections::BTreeMap;

use super::entry::Entry;
use super::error::{Position, Problem};
use super::value::{Wrong, all, choice, named, number, text, texts, wrong};
use super::yaml::{Content, Node};

/// Servers of tools, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Servers(BTreeMap<String, Server>);

/// What holds for a server of tools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Server {
    /// The tools that are not asked about, as patterns over their names.
    pub allow: Vec<String>,
    /// The tools that nobody may call.
    pub deny: Vec<String>,
    /// What its environment holds besides the usual. A value such as `${NAME}` stands for that line of `.env`.
    pub env: BTreeMap<String, String>,
    /// How many calls a minute it takes.
    pub rate: Option<u32>,
    /// Whether it may have the model of its client answer.
    pub sampling: Option<Sampling>,
}

/// Whether a server may have the model of its client answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sampling {
    /// It may.
    Allow,
    /// A person is asked.
    #[default]
    Ask,
    /// It may not.
    Deny,
}

impl Sampling {
    const WORDS: &[&str] = &["allow", "ask", "deny"];

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

impl Servers {
    /// What is said of a server.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Server> {
        self.0.get(name)
    }

    /// All that something is said of.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Server)> {
        self.0.iter().map(|(name, server)| (name.as_str(), server))
    }

    pub(super) fn join(&mut self, other: Self) {
        for (name, server) in other.0 {
            self.0.entry(name).or_default().join(server);
        }
    }

    /// Its lists, in the language of all other lists: what is denied, and what is not asked about.
    pub(super) fn entries(&self) -> (Vec<Entry>, Vec<Entry>) {
        let written = |list: fn(&Server) -> &[String], before: &str| {
            let one =
                |name: &str, tool: &String| Entry::new(&format!("{before}kind:tool name:{name}/{tool}"));
            let each = |(name, server)| list(server).iter().filter_map(move |tool| one(name, tool).ok());
            self.iter().flat_map(each).collect()
        };
        (written(|server| &server.deny, ""), written(|server| &server.allow, "rule:unknown-tool "))
    }
}

impl Server {
    /// Lists are joined; of single values the strictest holds, and of variables what the earlier file says.
    fn join(&mut self, other: Self) {
        self.allow.extend(other.allow);
        self.deny.extend(other.deny);
        for (name, value) in other.env {
            self.env.entry(name).or_insert(value);
        }
        self.rate = [self.rate, other.rate].into_iter().flatten().min();
        self.sampling = self.sampling.max(other.sampling);
    }
}

const KEY: &str = "mcp.servers";

/// Reads servers: a mapping from their names to what holds for each.
pub(super) fn read(node: &Node) -> Result<Servers, Wrong> {
    let pairs = pairs(node)?;
    let one = |pair: Result<(&Node, &str, &Node), Wrong>| {
        let (key, name, value) = pair?;
        if !is_server_name(name) {
            return Err(wrong(key, KEY, "a name of letters, digits, `-`, `_` and `.`"));
        }
        Ok((name.to_owned(), server(value)?))
    };
    all(named(pairs).map(one)).map(|servers| Servers(servers.into_iter().collect()))
}

fn pairs(node: &Node) -> Result<&[(Node, Node)], Wrong> {
    match &node.content {
        Content::Map(pairs) => Ok(pairs),
        Content::Null => Ok(&[]),
        Content::Alias | Content::List(_) | Content::Text(_) => Err(wrong(node, KEY, "a mapping")),
    }
}

/// Whether a server can be called this: its name stands before a `/` in the names of its tools.
#[must_use]
pub fn is_server_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !name.is_empty() && name.len() <= LONGEST && name.chars().all(plain)
}

/// The longest name of a server.
const LONGEST: usize = 64;

fn server(node: &Node) -> Result<Server, Wrong> {
    let mut server = Server::default();
    all(named(pairs(node)?)
        .map(|pair| pair.and_then(|(key, name, value)| set(&mut server, key, name, value))))?;
    Ok(server)
}

fn set(server: &mut Server, key: &Node, name: &str, value: &Node) -> Result<(), Wrong> {
    match name {
        "allow" => server.allow = patterns(value)?,
        "deny" => server.deny = patterns(value)?,
        "env" => server.env = variables(value)?,
        "rate" => match number(value, "mcp.servers.rate")? {
            0 => return Err(wrong(value, "mcp.servers.rate", "at least 1")),
            rate => server.rate = Some(rate),
        },
        "sampling" => {
            server.sampling = Some(match choice(value, "mcp.servers.sampling", Sampling::WORDS)? {
                "allow" => Sampling::Allow,
                "deny" => Sampling::Deny,
                _ => Sampling::Ask,
            });
        }
        other => {
            let problem = Problem::UnknownKey { key: other.to_owned(), section: KEY.to_owned() };
            return Err(Wrong::from((key.at, problem)));
        }
    }
    Ok(())
}

/// Names of tools, or patterns with `*`. A blank would end the word that it becomes.
fn patterns(node: &Node) -> Result<Vec<String>, Wrong> {
    let one = |(at, tool): (Position, String)| {
        let is_word = !tool.is_empty() && !tool.contains(|c: char| c.is_whitespace() || c.is_control());
        if is_word { Ok(tool) } else { Err(Wrong::from((at, Problem::EmptyEntry))) }
    };
    all(texts(node, KEY)?.into_iter().map(one))
}

/// Variables, none of whose values is a secret: those are named.
fn variables(node: &Node) -> Result<BTreeMap<String, String>, Wrong> {
    let one = |pair: Result<(&Node, &str, &Node), Wrong>| {
        let (_, name, value) = pair?;
        let written = text(value, "mcp.servers.env")?;
        if reference(written).is_none() && herm_scan::is_secret_variable(name, written) {
            return Err(Wrong::from((value.at, Problem::Secret("mcp.servers.env"))));
        }
        Ok((name.to_owned(), written.to_owned()))
    };
    Ok(all(named(pairs(node)?).map(one))?.into_iter().collect())
}

/// The name in a value such as `${NAME}`.
#[must_use]
pub fn reference(value: &str) -> Option<&str> {
    let name = value.strip_prefix("${")?.strip_suffix('}')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (!name.is_empty() && name.chars().all(plain)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Config, Policy, Source, Surroundings};

    fn compile(files: &[(Source, &str)]) -> Result<Policy, String> {
        let read = |(source, fields): &(Source, &str)| {
            Config::read(*source, "c.yaml", &format!("mcp: {{servers: {{{fields}}}}}"))
        };
        let configs = files.iter().map(read).collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        Policy::compile(configs, &Surroundings::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn lists_become_entries_like_all_others() {
        let policy =
            compile(&[(Source::User, "files: {allow: [read_file, 'list_*'], deny: [move_file]}")]).unwrap();
        let written = |entries: &[Entry]| entries.iter().map(|e| e.written().to_owned()).collect::<Vec<_>>();
        assert_eq!(written(&policy.deny), ["kind:tool name:files/move_file"]);
        assert_eq!(
            written(&policy.allow),
            [
                "rule:unknown-tool kind:tool name:files/read_file",
                "rule:unknown-tool kind:tool name:files/list_*"
            ]
        );
    }

    #[test]
    fn of_two_files_the_stricter_holds() {
        let managed = (Source::Managed, "a: {rate: 10, sampling: deny, env: {X: '1'}, deny: [x]}");
        let user = (Source::User, "a: {rate: 20, sampling: allow, env: {X: '2', Y: '3'}, deny: [y]}");
        let policy = compile(&[user, managed]).unwrap();
        let server = policy.mcp.get("a").unwrap();
        assert_eq!((server.rate, server.sampling), (Some(10), Some(Sampling::Deny)));
        assert_eq!((server.env["X"].as_str(), server.env["Y"].as_str()), ("1", "3"));
        assert_eq!(server.deny, ["x", "y"]);
    }

    #[test]
    fn mistakes_are_shown_and_secrets_are_not_kept() {
        for (fields, problem) in [
            ("'a/b': {}", "`mcp.servers` must be a name of letters, digits, `-`, `_` and `.`"),
            ("a: {alow: [x]}", "unknown key `alow` in `mcp.servers`"),
            ("a: {rate: 0}", "`mcp.servers.rate` must be at least 1"),
            ("a: {sampling: maybe}", "`mcp.servers.sampling` must be `allow`, `ask` or `deny`"),
            ("a: {env: {API_TOKEN: 8f3Kd02mXq7Lw9}}", "`mcp.servers.env` must not hold the key itself"),
        ] {
            let refused = compile(&[(Source::User, fields)]).unwrap_err();
            assert!(refused.ends_with(problem), "{fields}: {refused}");
        }
        let named = compile(&[(Source::User, "a: {env: {API_TOKEN: '${API_TOKEN}'}}")]).unwrap();
        assert_eq!(reference(&named.mcp.get("a").unwrap().env["API_TOKEN"]), Some("API_TOKEN"));
        assert!(compile(&[(Source::Repository, "a: {allow: ['*']}")]).is_err());
    }
}
