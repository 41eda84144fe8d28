//! The model that answers in `smart` mode, as the configuration names it.

use super::error::Problem;
use super::value::{Wrong, text};
use super::yaml::{Content, Node};

/// The model that answers in `smart` mode, as the configuration names it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Auxiliary {
    /// Where it is.
    pub base_url: Option<String>,
    /// The name that its key has in `.env`. The key itself is never here.
    pub key: Option<String>,
    /// Which model.
    pub model: Option<String>,
    /// Whose it is.
    pub provider: Option<String>,
    /// Seconds to wait for it.
    pub timeout: Option<u32>,
}

impl Auxiliary {
    /// What an earlier file says stays: who manages the machine decides whom commands are shown to.
    pub(super) fn join(&mut self, other: Self) {
        let whole = self.base_url.is_some() || self.provider.is_some();
        if whole {
            return;
        }
        self.base_url = other.base_url;
        self.provider = other.provider;
        self.key = self.key.take().or(other.key);
        self.model = self.model.take().or(other.model);
        self.timeout = self.timeout.or(other.timeout);
    }
}

/// A text that may be left empty, as the files of Hermes often have it.
pub(super) fn setting(node: &Node, key: &str) -> Result<Option<String>, Wrong> {
    if node.content == Content::Null {
        return Ok(None);
    }
    let text = text(node, key)?.trim();
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

/// The name of a key. The key itself would be read by whoever reads the file, and copied wherever it is copied.
pub(super) fn key(node: &Node) -> Result<Option<String>, Wrong> {
    let path = "auxiliary.approval.api_key";
    let Some(written) = setting(node, path)? else { return Ok(None) };
    let name = written.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
    let plain = |name: &&str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    name.filter(plain)
        .map(|name| Some(name.to_owned()))
        .ok_or_else(|| Wrong::from((node.at, Problem::Secret(path))))
}

#[cfg(test)]
mod tests {
    use crate::policy::{Config, Policy, Source, Surroundings};

    fn read(source: Source, fields: &str) -> Result<Config, String> {
        let text = format!("auxiliary: {{approval: {{{fields}}}}}");
        Config::read(source, "c.yaml", &text).map_err(|error| error.to_string())
    }

    #[test]
    fn empty_settings_say_nothing() {
        let config = read(Source::User, "provider: auto, model: '', base_url: '', api_key: '', timeout: 12");
        let auxiliary = config.unwrap().auxiliary;
        assert_eq!((auxiliary.base_url, auxiliary.key, auxiliary.model), (None, None, None));
        assert_eq!((auxiliary.provider.as_deref(), auxiliary.timeout), (Some("auto"), Some(12)));
    }

    #[test]
    fn a_key_may_be_named_but_not_written() {
        let named = read(Source::User, "api_key: '${MY_KEY}'").unwrap();
        assert_eq!(named.auxiliary.key.as_deref(), Some("MY_KEY"));
        let refused = "c.yaml:1:33: `auxiliary.approval.api_key` must not hold the key itself";
        assert_eq!(read(Source::User, "api_key: sk-abc").unwrap_err(), refused);
        assert_eq!(read(Source::User, "api_key: '${a b}'").unwrap_err(), refused);
    }

    #[test]
    fn a_repository_cannot_choose_who_answers() {
        let refused = read(Source::Repository, "base_url: 'http://127.0.0.1/'").unwrap_err();
        assert!(refused.contains("a repository may only tighten"), "{refused}");
    }

    #[test]
    fn the_machine_decides_before_the_user() {
        let managed = read(Source::Managed, "base_url: 'https://a.example/v1', model: m").unwrap();
        let user = read(Source::User, "base_url: 'https://b.example/v1', api_key: '${X}'").unwrap();
        let policy = Policy::compile(vec![user, managed], &Surroundings::default()).unwrap();
        assert_eq!(policy.auxiliary.base_url.as_deref(), Some("https://a.example/v1"));
        assert_eq!(policy.auxiliary.key, None);
    }
}
