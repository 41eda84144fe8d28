//! Where the model is, and on what terms it is asked.

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use herm::policy::Auxiliary;
use ureq::http::Uri;

use super::dotenv::Dotenv;
use super::provider::{self, Provider};
use super::secret::Secret;

/// Where the model is, and on what terms it is asked.
#[derive(Clone, Debug)]
pub(super) struct Endpoint {
    pub(super) url: String,
    pub(super) model: String,
    pub(super) key: Option<Secret>,
    pub(super) time: Duration,
}

/// Why there is no model to ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// The key holds characters that no key has.
    Key,
    /// It is not said where the model is.
    NoAddress,
    /// It is not said which model.
    NoModel,
    /// The address is none, or others could read what is sent there.
    Unsafe(String),
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key => write!(f, "the key of the reviewing model holds characters that no key has"),
            Self::NoAddress => write!(f, "it is not said where the reviewing model is"),
            Self::NoModel => write!(f, "it is not said which model reviews"),
            Self::Unsafe(url) => write!(f, "the reviewing model cannot be asked at `{url}`"),
        }
    }
}

impl std::error::Error for Unusable {}

impl Unusable {
    /// What to do about it.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::Key => "look at the line of the key in `.env`",
            Self::NoAddress => "set `auxiliary.approval.base_url`, or `provider` to one that is known",
            Self::NoModel => "set `auxiliary.approval.model`",
            Self::Unsafe(_) => "use `https://`, or `http://127.0.0.1` for a model on this machine",
        }
    }
}

const SECONDS: u32 = 30;
const LONGEST: u32 = 120;

impl Endpoint {
    pub(super) fn new(auxiliary: &Auxiliary, dotenv: &Dotenv) -> Result<Self, Unusable> {
        let set = |name| dotenv.value(name).map(|value| value.reveal().to_owned());
        let known = auxiliary.provider.as_deref().and_then(provider::find);
        let written = auxiliary.base_url.clone().or_else(|| set("AUXILIARY_APPROVAL_BASE_URL"));
        let base =
            written.or_else(|| known.map(|known| known.base_url.to_owned())).ok_or(Unusable::NoAddress)?;
        let model = auxiliary.model.clone().or_else(|| set("AUXILIARY_APPROVAL_MODEL"));
        let key = key(auxiliary, known, &base, dotenv);
        let seconds = auxiliary.timeout.unwrap_or(SECONDS).clamp(1, LONGEST);
        Ok(Self {
            url: address(&base)?,
            model: model.ok_or(Unusable::NoModel)?,
            key: key.map(printable).transpose()?,
            time: Duration::from_secs(u64::from(seconds)),
        })
    }
}

/// A provider's own key is only ever sent to that provider.
fn key(auxiliary: &Auxiliary, known: Option<&Provider>, base: &str, dotenv: &Dotenv) -> Option<Secret> {
    let named = auxiliary.key.as_deref().and_then(|name| dotenv.value(name));
    let own = || dotenv.value("AUXILIARY_APPROVAL_API_KEY");
    let usual = || dotenv.value(known.filter(|known| same_host(known.base_url, base))?.key);
    named.or_else(own).or_else(usual).cloned()
}

fn same_host(one: &str, other: &str) -> bool {
    let host = |url: &str| url.parse::<Uri>().ok()?.host().map(str::to_ascii_lowercase);
    host(one).is_some_and(|one| host(other) == Some(one))
}

fn printable(key: Secret) -> Result<Secret, Unusable> {
    let is_plain = key.reveal().bytes().all(|byte| byte.is_ascii_graphic());
    if is_plain { Ok(key) } else { Err(Unusable::Key) }
}

/// Commands say a lot about a machine, and an answer from somebody in between would approve them.
fn address(base: &str) -> Result<String, Unusable> {
    let is_safe = |uri: &Uri| {
        let host = uri.host().unwrap_or_default();
        let plain_authority = uri.authority().is_some_and(|authority| !authority.as_str().contains('@'));
        let scheme = uri.scheme_str().unwrap_or_default();
        let is_fit = scheme == "https" || (scheme == "http" && is_here(host));
        is_fit && plain_authority && !host.is_empty() && uri.query().is_none()
    };
    let parsed = base.parse::<Uri>().ok().filter(is_safe);
    parsed.ok_or_else(|| Unusable::Unsafe(base.to_owned()))?;
    Ok(format!("{}/chat/completions", base.trim_end_matches('/')))
}

fn is_here(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn auxiliary(base_url: &str, provider: &str) -> Auxiliary {
        let set = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Auxiliary {
            base_url: set(base_url),
            model: set("m"),
            provider: set(provider),
            ..Auxiliary::default()
        }
    }

    fn key_at(base_url: &str, provider: &str, dotenv: &str) -> Option<String> {
        let endpoint = Endpoint::new(&auxiliary(base_url, provider), &Dotenv::read(dotenv)).unwrap();
        endpoint.key.map(|key| key.reveal().to_owned())
    }

    #[test]
    fn only_safe_addresses_are_used() {
        for good in [
            "https://api.example.com/v1",
            "http://127.0.0.1:8080/v1/",
            "http://localhost:11434",
            "http://[::1]:1/v1",
        ] {
            let url = address(good).unwrap();
            assert_eq!(url, format!("{}/chat/completions", good.trim_end_matches('/')));
        }
        for bad in [
            "http://api.example.com/v1",
            "http://192.168.0.4:11434/v1",
            "http://127.0.0.1@evil.example/v1",
            "http://localhost.evil.example/",
            "https://user:pass@api.example.com/",
            "ftp://127.0.0.1/",
            "127.0.0.1:80",
            "https://api.example.com/?x=",
            "",
            "https://",
        ] {
            assert_eq!(address(bad), Err(Unusable::Unsafe(bad.to_owned())), "{bad}");
        }
    }

    #[test]
    fn a_providers_key_goes_to_that_provider_only() {
        let dotenv = "OPENROUTER_API_KEY=theirs\nOPENAI_API_KEY=other\n";
        assert_eq!(key_at("", "openrouter", dotenv).as_deref(), Some("theirs"));
        assert_eq!(key_at("https://OpenRouter.ai/api/v2", "openrouter", dotenv).as_deref(), Some("theirs"));
        assert_eq!(key_at("https://evil.example/v1", "openrouter", dotenv), None);
        assert_eq!(key_at("https://evil.example/v1", "", dotenv), None);
        let own = format!("{dotenv}AUXILIARY_APPROVAL_API_KEY=mine\n");
        assert_eq!(key_at("https://api.example.com/v1", "", &own).as_deref(), Some("mine"));
        assert_eq!(key_at("", "openrouter", &own).as_deref(), Some("mine"));
    }

    #[test]
    fn the_name_of_a_key_can_be_given() {
        let named = Auxiliary { key: Some("SPECIAL".to_owned()), ..auxiliary("https://a.example/v1", "") };
        let dotenv = Dotenv::read("SPECIAL=s\nAUXILIARY_APPROVAL_API_KEY=mine\n");
        assert_eq!(Endpoint::new(&named, &dotenv).unwrap().key, Some(Secret::new("s".to_owned())));
    }

    #[test]
    fn what_is_not_said_is_missed() {
        let unusable = |auxiliary: &Auxiliary, dotenv: &str| {
            Endpoint::new(auxiliary, &Dotenv::read(dotenv)).unwrap_err()
        };
        assert_eq!(unusable(&auxiliary("", "auto"), ""), Unusable::NoAddress);
        let without = Auxiliary { model: None, ..auxiliary("https://a.example", "") };
        assert_eq!(unusable(&without, ""), Unusable::NoModel);
        let broken = "AUXILIARY_APPROVAL_API_KEY=\"a\\nInjected: x\"";
        assert_eq!(unusable(&auxiliary("https://a.example", ""), broken), Unusable::Key);
        assert!(Endpoint::new(&without, &Dotenv::read("AUXILIARY_APPROVAL_MODEL=m")).is_ok());
    }
}
