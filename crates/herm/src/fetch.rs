//! A connection that an agent, or what it runs, asks for.

use std::net::IpAddr;

use crate::host::{Endpoint, Host};
use crate::url::{Flaw, Url};

/// A connection that is asked for: where to, and which addresses that name has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetch {
    text: String,
    scheme: Option<&'static str>,
    to: Result<Endpoint, Flaw>,
    resolved: Resolved,
}

/// What the domain name system says about a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Resolved {
    /// It was asked, and gave no address.
    Nowhere,
    /// It has these addresses.
    To(Vec<IpAddr>),
    /// It was not asked.
    #[default]
    Unasked,
}

impl Fetch {
    /// What a link leads to.
    #[must_use]
    pub fn url(text: &str) -> Self {
        let url = Url::read(text);
        let scheme = url.as_ref().ok().map(|url| url.scheme.word());
        let to = url.map(|url| Endpoint { host: url.host, port: url.port });
        Self { text: text.to_owned(), scheme, to, resolved: Resolved::Unasked }
    }

    /// A host and a port, whatever is spoken there.
    #[must_use]
    pub fn endpoint(to: Endpoint) -> Self {
        Self { text: to.to_string(), scheme: None, to: Ok(to), resolved: Resolved::Unasked }
    }

    /// The same, now that the name was looked up.
    #[must_use]
    pub fn resolved(self, resolved: Resolved) -> Self {
        Self { resolved, ..self }
    }

    /// How it was asked for.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How it is spoken there, where a link says so.
    #[must_use]
    pub fn scheme(&self) -> Option<&'static str> {
        self.scheme
    }

    /// Where it leads, or why nobody can say.
    ///
    /// # Errors
    /// When programs would disagree on where it leads.
    pub fn to(&self) -> Result<&Endpoint, &Flaw> {
        self.to.as_ref()
    }

    /// What the domain name system says about the name.
    #[must_use]
    pub fn lookup(&self) -> &Resolved {
        &self.resolved
    }

    /// The addresses that a connection would go to, as far as they are known.
    #[must_use]
    pub fn addresses(&self) -> &[IpAddr] {
        match (&self.to, &self.resolved) {
            (Ok(Endpoint { host: Host::Address(address), .. }), _) => std::slice::from_ref(address),
            (_, Resolved::To(addresses)) => addresses,
            (_, Resolved::Nowhere | Resolved::Unasked) => &[],
        }
    }
}
