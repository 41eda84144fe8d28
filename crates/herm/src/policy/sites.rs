//! Patterns over hosts, and lists of them.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use crate::host::Host;
use crate::url::endpoint;

/// A pattern over hosts: `example.com`, `*.example.com`, `*` or an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    written: String,
    means: Means,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Means {
    Any,
    Below(String),
    Host(Host),
}

/// A text that is no pattern over hosts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotASite(pub String);

impl Site {
    /// Reads a pattern. A scheme, a port and a path say nothing about the host, and are passed over.
    ///
    /// # Errors
    /// When it is none.
    pub fn read(text: &str) -> Result<Self, NotASite> {
        let written = text.trim();
        let wrong = || NotASite(written.to_owned());
        let place = written.split_once("://").map_or(written, |(_, place)| place);
        let place = place.split(['/', '?', '#']).next().unwrap_or(place);
        let host = |place: &str| endpoint(place).map(|(host, _)| host).map_err(|_| wrong());
        let means = match place.strip_prefix("*.") {
            _ if place == "*" => Means::Any,
            Some(parent) => match host(parent)? {
                Host::Name(name) => Means::Below(name),
                Host::Address(_) => return Err(wrong()),
            },
            None => Means::Host(host(place)?),
        };
        Ok(Self { written: written.to_owned(), means })
    }

    /// This host and no other: whatever stands in its name is a letter of it, never a pattern.
    #[must_use]
    pub fn exactly(host: Host) -> Self {
        Self { written: host.to_string(), means: Means::Host(host) }
    }

    /// As it was written.
    #[must_use]
    pub fn written(&self) -> &str {
        &self.written
    }

    /// The domain that holds everything it means; none for every host and for an address.
    #[must_use]
    pub fn domain(&self) -> Option<&str> {
        match &self.means {
            Means::Below(name) | Means::Host(Host::Name(name)) => Some(name),
            Means::Any | Means::Host(Host::Address(_)) => None,
        }
    }

    /// Whether it means a host, on a list of those that are allowed: a name is that host alone.
    #[must_use]
    pub fn allows(&self, host: &Host) -> bool {
        match (&self.means, host) {
            (Means::Any, _) => true,
            (Means::Below(parent), Host::Name(name)) => is_below(name, parent),
            (Means::Below(_), Host::Address(_)) => false,
            (Means::Host(means), host) => means == host,
        }
    }
}

fn is_below(name: &str, parent: &str) -> bool {
    name.strip_suffix(parent).is_some_and(|front| front.ends_with('.'))
}

/// Hosts that nothing may connect to. A plain name means the host and everything below it.
#[derive(Clone, Debug, Default)]
pub struct Blocklist {
    hosts: HashMap<Host, Entry>,
    parents: HashMap<String, Entry>,
    any: Option<Entry>,
    unread: Vec<Arc<str>>,
}

/// Why a host is blocked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The pattern, as it was written.
    pub pattern: String,
    /// Where it stands.
    pub source: Arc<str>,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` of {}", self.pattern, self.source)
    }
}

impl Blocklist {
    /// Blocks what a pattern means.
    pub fn block(&mut self, site: Site, source: &Arc<str>) {
        let entry = Entry { pattern: site.written, source: Arc::clone(source) };
        match site.means {
            Means::Any => self.any = Some(entry),
            Means::Below(parent) => drop(self.parents.insert(parent, entry)),
            Means::Host(Host::Name(name)) => {
                let bare = name.strip_prefix("www.").map_or(name.clone(), str::to_owned);
                self.hosts.insert(Host::Name(bare), entry);
            }
            Means::Host(address) => drop(self.hosts.insert(address, entry)),
        }
    }

    /// A shared file that was not read: nobody knows what else is blocked.
    pub fn miss(&mut self, file: &str) {
        self.unread.push(Arc::from(format!("`{file}`")));
    }

    /// Blocks what a shared file lists, one pattern on a line; what follows a `#` is a remark.
    pub fn share(&mut self, file: &str, content: &str) {
        let source: Arc<str> = Arc::from(format!("`{file}`"));
        self.unread.retain(|unread| *unread != source);
        for (number, line) in content.trim_start_matches('\u{feff}').lines().enumerate() {
            let line = line.split('#').next().unwrap_or(line).trim();
            if line.is_empty() {
                continue;
            }
            match Site::read(line) {
                Ok(site) => self.block(site, &source),
                Err(_) => self.unread.push(Arc::from(format!("line {} of `{file}`", number + 1))),
            }
        }
    }

    /// What could not be read, if anything.
    #[must_use]
    pub fn unread(&self) -> Option<&str> {
        self.unread.first().map(AsRef::as_ref)
    }

    /// The entry that blocks a host.
    #[must_use]
    pub fn find(&self, host: &Host) -> Option<&Entry> {
        let exact = self.hosts.get(host).or(self.any.as_ref());
        let Host::Name(name) = host else { return exact };
        let above = name.match_indices('.').filter_map(|(dot, _)| name.get(dot + 1..));
        let mut above = above.filter_map(|parent| {
            self.hosts.get(&Host::Name(parent.to_owned())).or_else(|| self.parents.get(parent))
        });
        exact.or_else(|| above.next())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(text: &str) -> Host {
        Host::read(text).unwrap()
    }

    fn allows(pattern: &str, name: &str) -> bool {
        Site::read(pattern).unwrap().allows(&host(name))
    }

    fn list(content: &str) -> Blocklist {
        let mut list = Blocklist::default();
        list.share("sites.txt", content);
        list
    }

    fn blocked(content: &str, name: &str) -> bool {
        list(content).find(&host(name)).is_some()
    }

    #[test]
    fn an_allowed_name_is_that_host_alone() {
        assert!(allows("example.com", "EXAMPLE.com."));
        assert!(allows("https://example.com:8443/path", "example.com"));
        assert!(!allows("example.com", "www.example.com"));
        assert!(!allows("example.com", "notexample.com"));
        assert!(allows("*.example.com", "a.b.example.com"));
        assert!(!allows("*.example.com", "example.com"));
        assert!(!allows("*.example.com", "notexample.com"));
        assert!(allows("*", "anything.example"));
        assert!(allows("93.184.216.34", "0x5db8d822"));
        assert!(!allows("*.com", "93.184.216.34"));
        assert!(allows("*.例え.jp", "a.xn--r8jz45g.jp"));
    }

    #[test]
    fn a_blocked_name_is_the_host_and_all_below() {
        for (pattern, name, expected) in [
            ("example.com", "example.com", true),
            ("example.com", "www.example.com", true),
            ("example.com", "a.b.example.com", true),
            ("example.com", "notexample.com", false),
            ("example.com", "example.com.evil.org", false),
            ("www.example.com", "example.com", true),
            ("https://www.Example.com/path", "shop.example.com", true),
            ("example.com.", "example.com", true),
            ("*.example.com", "a.example.com", true),
            ("*.example.com", "example.com", false),
            ("*", "anything.org", true),
            ("93.184.216.34", "93.184.216.34", true),
            ("93.184.216.34", "93.184.216.35", false),
        ] {
            assert_eq!(blocked(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn shared_files_hold_one_on_a_line_and_remarks() {
        let list = list("\u{feff}# ours\n\n  bad.example  # since May\r\n*.worse.example\n");
        assert_eq!(list.find(&host("x.bad.example")).unwrap().to_string(), "`bad.example` of `sites.txt`");
        assert!(list.find(&host("x.worse.example")).is_some());
        assert_eq!((list.find(&host("example.com")), list.unread()), (None, None));
    }

    #[test]
    fn what_was_missed_is_not_once_it_is_read() {
        let mut list = Blocklist::default();
        list.miss("sites.txt");
        assert_eq!(list.unread(), Some("`sites.txt`"));
        list.share("sites.txt", "bad.example");
        assert_eq!(list.unread(), None);
    }

    #[test]
    fn a_line_that_is_no_host_is_not_passed_over_in_silence() {
        assert_eq!(list("good.example\nb*d.example\n").unread(), Some("line 2 of `sites.txt`"));
        for text in ["", "*.", "a*.com", "*.10.0.0.1", "a b", "*.*.com", "http://"] {
            assert!(Site::read(text).is_err(), "{text}");
        }
    }
}
