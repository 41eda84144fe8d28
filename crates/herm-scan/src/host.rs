//! What is odd about a host or a URL.

use std::iter;

use crate::address::{Reach, address, reach};
use crate::popular::{DOMAINS, FILE_LIKE, SHORTENERS};
use crate::punycode::decoded;
use crate::skeleton::{is_disguised, skeleton};

/// Something odd about a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostTrait {
    /// It is a bare public address, not a name.
    Address,
    /// Its letters look like others; this is what it looks like.
    Confusable(String),
    /// Its top-level domain looks like the ending of a file.
    FileLike,
    /// It looks like this well-known domain, but is not.
    LooksLike(&'static str),
    /// It is a cloud's metadata service.
    Metadata,
    /// It is a service that shortens links.
    Shortener,
    /// What stands before an `@` looks like a host, but is not where the link leads.
    Userinfo(String),
}

/// What is odd about a URL: its host, and what stands before it.
#[must_use]
pub fn inspect_url(url: &str) -> Vec<HostTrait> {
    let after = url.split_once("://").map_or(url, |(_, after)| after);
    let authority = after.split(['/', '?', '#', '\\']).next().unwrap_or(after);
    let (userinfo, place) =
        authority.rsplit_once('@').map_or((None, authority), |(user, place)| (Some(user), place));
    let host = match place.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((inner, _)) => inner,
        None => place.split(':').next().unwrap_or(place),
    };
    let mut traits = inspect_host(host);
    if let Some(user) =
        userinfo.map(|user| user.split(':').next().unwrap_or(user)).filter(|user| is_host_like(user))
    {
        traits.push(HostTrait::Userinfo(user.to_owned()));
    }
    traits
}

/// What is odd about a host.
#[must_use]
pub fn inspect_host(host: &str) -> Vec<HostTrait> {
    let host = host.trim_end_matches('.').to_lowercase();
    let mut traits = Vec::new();
    match reach(&host) {
        Reach::Metadata => return vec![HostTrait::Metadata],
        Reach::Public if address(&host).is_some() => return vec![HostTrait::Address],
        Reach::Loopback | Reach::Private | Reach::Public => {}
    }
    let shown = decoded(&host);
    let plain = skeleton(&shown);
    if is_disguised(&shown) {
        traits.push(HostTrait::Confusable(plain.clone()));
    }
    if let Some(domain) = imitated(&plain, shown != plain) {
        traits.push(HostTrait::LooksLike(domain));
    }
    if SHORTENERS.iter().any(|domain| is_within(&host, domain)) {
        traits.push(HostTrait::Shortener);
    }
    if host.rsplit_once('.').is_some_and(|(_, last)| FILE_LIKE.contains(&last)) {
        traits.push(HostTrait::FileLike);
    }
    traits
}

/// Whether what stands before an `@` is made to look like a host.
fn is_host_like(user: &str) -> bool {
    let user = user.to_lowercase();
    let last = user.rsplit_once('.').map(|(_, last)| last);
    let known = ["com", "org", "net", "io", "dev", "edu", "gov", "co", "sh", "app", "ai"];
    last.is_some_and(|last| known.contains(&last)) || user.starts_with("www.")
}

fn is_within(host: &str, domain: &str) -> bool {
    host.strip_suffix(domain).is_some_and(|front| front.is_empty() || front.ends_with('.'))
}

/// The domain that a host pretends to be. A disguised host pretends even if its looks are exact.
fn imitated(host: &str, disguised: bool) -> Option<&'static str> {
    if host.len() > 253 {
        return None;
    }
    let genuine = DOMAINS.iter().find(|domain| is_within(host, domain)).copied();
    if genuine.is_some() {
        return genuine.filter(|_| disguised);
    }
    let own = registered(host);
    let is_like =
        |domain: &str| folded(own).eq(folded(domain)) || is_misspelt(own, domain) || is_front(host, domain);
    DOMAINS.iter().copied().find(|domain| is_like(domain))
}

/// The last two labels.
fn registered(host: &str) -> &str {
    let dots: Vec<usize> = host.match_indices('.').map(|(at, _)| at).collect();
    dots.len().checked_sub(2).and_then(|at| dots.get(at)).and_then(|dot| host.get(dot + 1..)).unwrap_or(host)
}

/// The name with characters that pass for one another made the same.
fn folded(name: &str) -> impl Iterator<Item = char> {
    let mut letters = name.chars().peekable();
    iter::from_fn(move || {
        let letter = letters.next()?;
        let pair = match (letter, letters.peek()) {
            ('r', Some('n')) => Some('m'),
            ('v', Some('v')) => Some('w'),
            _ => None,
        };
        if pair.is_some() {
            letters.next();
        }
        Some(pair.unwrap_or(match letter {
            '0' => 'o',
            '1' | 'i' | '|' => 'l',
            '5' => 's',
            '3' => 'e',
            other => other,
        }))
    })
}

/// Whether a long name differs from a well-known one of the same top-level domain by one slip of the keys.
fn is_misspelt(own: &str, domain: &str) -> bool {
    if own.len().abs_diff(domain.len()) > 1 {
        return false;
    }
    let (Some((name, ending)), Some((known, known_ending))) = (own.split_once('.'), domain.split_once('.'))
    else {
        return false;
    };
    let long = known.len() >= 6 && name.len().abs_diff(known.len()) <= 1;
    ending == known_ending && long && one_slip(name.as_bytes(), known.as_bytes())
}

/// One letter more, less or other, or two neighbours swapped.
fn one_slip(one: &[u8], other: &[u8]) -> bool {
    let front = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (one.get(front..).unwrap_or_default(), other.get(front..).unwrap_or_default());
    match (one, other) {
        ([a, b, rest @ ..], [c, d, tail @ ..]) if a == d && b == c && rest == tail => true,
        ([_, rest @ ..], [_, tail @ ..]) if rest == tail => true,
        ([_, rest @ ..], _) if rest == other => true,
        (_, [_, tail @ ..]) => one == tail,
        _ => false,
    }
}

/// Whether a well-known domain stands in front of quite another: `github.com.example.io`. Country endings are honest.
fn is_front(host: &str, domain: &str) -> bool {
    if !host.contains(domain) {
        return false;
    }
    let Some((_, rest)) = host.split_once(&format!("{domain}.")) else { return false };
    let begins = host.starts_with(domain) || host.contains(&format!(".{domain}."));
    begins && rest.len() > 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imitations_are_recognised() {
        for (host, domain) in [
            ("githuh.com", "github.com"),
            ("gihtub.com", "github.com"),
            ("g1thub.com", "github.com"),
            ("rnicrosoft.com", "microsoft.com"),
            ("go0gle.com", "google.com"),
            ("paypa1.com", "paypal.com"),
            ("raw.githubusercontnet.com", "githubusercontent.com"),
            ("github.com.evil.example", "github.com"),
            ("files.pyp1.org", "pypi.org"),
            ("gıthub.com", "github.com"),
            ("xn--80ak6aa92e.com", "apple.com"),
        ] {
            assert!(
                inspect_host(host).contains(&HostTrait::LooksLike(domain)),
                "{host}: {:?}",
                inspect_host(host)
            );
        }
        assert!(inspect_host("xn--80ak6aa92e.com").contains(&HostTrait::Confusable("apple.com".into())));
        assert!(inspect_host("exаmple.org").contains(&HostTrait::Confusable("example.org".into())));
    }

    #[test]
    fn honest_hosts_are_left_alone() {
        for host in [
            "github.com",
            "raw.githubusercontent.com",
            "gitlab.com",
            "github.io",
            "me.github.io",
            "google.com.br",
            "www.google.co.uk",
            "münchen.de",
            "xn--mnchen-3ya.de",
            "例子.测试",
            "example.app",
            "web.dev",
            "example.com",
            "localhost",
            "10.0.0.1",
            "db",
            "pypi.python.org",
            "registry.npmjs.org",
            "sh.rustup.rs",
            "get.docker.com",
            "deno.land",
            "bun.sh",
            "docs.rs",
            "git.kernel.org",
            "getcomposer.org",
        ] {
            assert_eq!(inspect_host(host), [], "{host}");
        }
    }

    #[test]
    fn addresses_shorteners_and_file_names_are_traits() {
        assert_eq!(inspect_host("203.0.113.5"), [HostTrait::Address]);
        assert_eq!(inspect_host("0xcb007105"), [HostTrait::Address]);
        assert_eq!(inspect_host("169.254.169.254"), [HostTrait::Metadata]);
        assert_eq!(inspect_host("bit.ly"), [HostTrait::Shortener]);
        assert_eq!(inspect_host("orbit.ly"), []);
        assert_eq!(inspect_host("setup.zip"), [HostTrait::FileLike]);
    }

    #[test]
    fn what_stands_before_an_at_is_read() {
        assert_eq!(
            inspect_url("https://github.com@evil.example/x"),
            [HostTrait::Userinfo("github.com".into())]
        );
        assert_eq!(
            inspect_url("https://github.com:443@evil.example/x"),
            [HostTrait::Userinfo("github.com".into())]
        );
        assert_eq!(inspect_url("https://evil.example#@github.com"), []);
        assert_eq!(inspect_url("https://user:secret@example.com/x"), []);
        assert_eq!(inspect_url("https://oauth2@gitlab.com/x"), []);
        assert_eq!(inspect_url("git@github.com:a/b"), []);
        assert_eq!(inspect_url("http://[fd00:ec2::254]/latest"), [HostTrait::Metadata]);
        assert_eq!(inspect_url("http://203.0.113.5:8080/x.sh"), [HostTrait::Address]);
    }
}
