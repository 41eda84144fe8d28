//! Credentials that commands may use and not see, as the configuration names them.

use super::egress::sites;
use super::error::Problem;
use super::sites::Site;
use super::value::{Wrong, all, text, texts, wrong};
use super::yaml::{Content, Node};

/// A credential that commands may use and not see: they get a placeholder, and the proxy puts the secret in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credential {
    /// The name that its secret has in `.env`. The secret itself is never here.
    pub secret: String,
    /// The hosts that it is for.
    pub hosts: Vec<Site>,
    /// The headers that it may stand in.
    pub headers: Vec<String>,
    /// The variable that holds the placeholder.
    pub variable: String,
}

const KEY: &str = "egress.credentials";

/// Reads credentials: a mapping from names, which are for people, to what each is.
pub(super) fn read(node: &Node) -> Result<Vec<Credential>, Wrong> {
    all(pairs(node)?.iter().map(|(name, value)| text(name, "a name").and_then(|_| one(value))))
}

fn pairs(node: &Node) -> Result<&[(Node, Node)], Wrong> {
    match &node.content {
        Content::Map(pairs) => Ok(pairs),
        Content::Null => Ok(&[]),
        Content::Alias | Content::List(_) | Content::Text(_) => Err(wrong(node, KEY, "a mapping")),
    }
}

fn one(node: &Node) -> Result<Credential, Wrong> {
    let (mut secret, mut hosts, mut headers, mut variable) = (None, Vec::new(), Vec::new(), None);
    for (key, value) in pairs(node)? {
        match text(key, "a key")? {
            "secret" => secret = Some(named(value)?),
            "hosts" => hosts = by_name(value)?,
            "headers" => headers = tokens(value)?,
            "variable" => variable = Some(plain(value)?),
            other => {
                let problem = Problem::UnknownKey { key: other.to_owned(), section: KEY.to_owned() };
                return Err((key.at, problem).into());
            }
        }
    }
    let secret = secret.ok_or((node.at, Problem::NoCredential("no `secret`")))?;
    if hosts.is_empty() {
        return Err((node.at, Problem::NoCredential("no `hosts`")).into());
    }
    if headers.is_empty() {
        headers.push("authorization".to_owned());
    }
    Ok(Credential { variable: variable.unwrap_or_else(|| secret.clone()), secret, hosts, headers })
}

/// `${NAME}`: the secret itself would be read by whoever reads the file.
fn named(node: &Node) -> Result<String, Wrong> {
    let written = text(node, KEY)?;
    let name = written.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
    let name = name.filter(|name| is_name(name)).ok_or((node.at, Problem::Secret("egress.credentials")))?;
    Ok(name.to_owned())
}

/// The hosts of a credential have names: an address could be anybody's, and so could every host.
fn by_name(node: &Node) -> Result<Vec<Site>, Wrong> {
    let sites = sites(node, KEY)?;
    match sites.iter().find(|site| site.domain().is_none()) {
        Some(site) => Err((node.at, Problem::NotASite(site.written().to_owned())).into()),
        None => Ok(sites),
    }
}

fn tokens(node: &Node) -> Result<Vec<String>, Wrong> {
    let token = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let one = |(at, name): (_, String)| {
        let plain = !name.is_empty() && name.chars().all(token);
        if plain {
            Ok(name.to_ascii_lowercase())
        } else {
            Err((at, Problem::NoCredential("no name of a header")).into())
        }
    };
    all(texts(node, KEY)?.into_iter().map(one))
}

fn plain(node: &Node) -> Result<String, Wrong> {
    let name = text(node, KEY)?;
    if is_name(name) {
        Ok(name.to_owned())
    } else {
        Err((node.at, Problem::NoCredential("no name of a variable")).into())
    }
}

fn is_name(name: &str) -> bool {
    let first = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    first && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Config, Source};

    fn read(source: Source, fields: &str) -> Result<Vec<Credential>, String> {
        let text = format!("egress: {{credentials: {{github: {{{fields}}}}}}}");
        let config = Config::read(source, "c.yaml", &text).map_err(|error| error.to_string())?;
        Ok(config.egress.credentials)
    }

    #[test]
    fn a_credential_is_named_with_its_hosts() {
        let read = |fields| read(Source::User, fields).unwrap().remove(0);
        let short = read("secret: '${GITHUB_TOKEN}', hosts: [api.github.com]");
        assert_eq!((short.secret.as_str(), short.variable.as_str()), ("GITHUB_TOKEN", "GITHUB_TOKEN"));
        assert_eq!(short.headers, ["authorization"]);
        let long = read("secret: '${A}', hosts: ['*.a.example'], headers: [X-Api-Key], variable: API_KEY");
        assert_eq!((long.headers[0].as_str(), long.variable.as_str()), ("x-api-key", "API_KEY"));
    }

    #[test]
    fn mistakes_are_shown_where_they_are() {
        for (fields, problem) in [
            ("hosts: [a.example]", "the credential has no `secret`"),
            ("secret: '${A}'", "the credential has no `hosts`"),
            ("secret: ghp_abc, hosts: [a.example]", "`egress.credentials` must not hold the key itself"),
            ("secret: '${A}', hosts: ['*']", "`*` is no host"),
            ("secret: '${A}', hosts: [10.0.0.1]", "`10.0.0.1` is no host"),
            ("secret: '${A}', host: a.example", "unknown key `host` in `egress.credentials`"),
            (
                "secret: '${A}', hosts: [a.example], variable: 'A B'",
                "the credential has no name of a variable",
            ),
        ] {
            let refused = read(Source::User, fields).unwrap_err();
            assert!(refused.starts_with("c.yaml:1:") && refused.ends_with(problem), "{fields}: {refused}");
        }
    }

    #[test]
    fn a_repository_names_none() {
        let refused = read(Source::Repository, "secret: '${A}', hosts: [a.example]").unwrap_err();
        assert!(refused.contains("a repository may only tighten"), "{refused}");
    }
}
