//! Credentials that a confined process can use and cannot see.
//!
//! The process is given a placeholder. In requests to the hosts that a credential is for, and only in the headers that were
//! named, the proxy puts the real value in its place; if the server sends it back, it is hidden. To do so, the proxy has to
//! end TLS for these hosts, with certificates that only this sandbox trusts: they are signed by an authority that is made
//! for it, whose key never leaves the proxy.

mod authority;
mod base64;
mod forms;
mod spelling;
mod veil;

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::sync::Arc;

use herm::host::{Endpoint, Host};
use herm::policy::Site;
use tokio_rustls::rustls::{ClientConfig, ServerConfig};

pub(crate) use authority::client;
pub(crate) use veil::Veil;

use authority::Authority;

/// A credential: a secret, for whom it is, and where it may stand.
#[derive(Clone)]
pub struct Credential {
    secret: Vec<u8>,
    placeholder: String,
    hosts: Vec<Site>,
    headers: Vec<String>,
}

/// Why there is no credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoCredential {
    /// It holds characters that no header can have.
    Characters,
    /// It is for no host by name, or for all.
    Hosts,
    /// It is so short that it would be found everywhere.
    Short,
    /// The system gives no random numbers.
    Random,
}

impl fmt::Display for NoCredential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Characters => "the secret holds characters that no header can have",
            Self::Hosts => "the secret must be for hosts by name",
            Self::Short => "the secret is shorter than 8 characters",
            Self::Random => "the system gives no random numbers",
        })
    }
}

impl std::error::Error for NoCredential {}

/// The shortest secret that can be hidden without hiding anything else.
const SHORTEST: usize = 8;

impl Credential {
    /// A credential with a placeholder of its own.
    ///
    /// # Errors
    /// When the secret cannot stand in a header, or could not be told from other text.
    pub fn new(secret: &str, hosts: Vec<Site>, headers: Vec<String>) -> Result<Self, NoCredential> {
        if secret.len() < SHORTEST {
            return Err(NoCredential::Short);
        }
        if !secret.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') {
            return Err(NoCredential::Characters);
        }
        if hosts.is_empty() || hosts.iter().any(|site| site.domain().is_none()) {
            return Err(NoCredential::Hosts);
        }
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(|_| NoCredential::Random)?;
        let placeholder = format!("herm-placeholder-{:032x}", u128::from_be_bytes(random));
        Ok(Self { secret: secret.as_bytes().to_vec(), placeholder, hosts, headers })
    }

    /// What stands for it in the sandbox.
    #[must_use]
    pub fn placeholder(&self) -> &str {
        &self.placeholder
    }

    fn is_for(&self, host: &Host) -> bool {
        self.hosts.iter().any(|site| site.allows(host))
    }

    /// A value of a header with the secret in the place of the placeholder, also within a user name and password.
    fn filled(&self, value: &[u8]) -> Option<Vec<u8>> {
        let plain = replaced(value, self.placeholder.as_bytes(), &self.secret);
        plain.or_else(|| {
            let (scheme, coded) =
                value.split_at_checked(6).filter(|(scheme, _)| scheme.eq_ignore_ascii_case(b"basic "))?;
            let pair = replaced(&base64::decode(coded)?, self.placeholder.as_bytes(), &self.secret)?;
            Some([scheme, base64::encode(&pair).as_bytes()].concat())
        })
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credential")
            .field("hosts", &self.hosts)
            .field("headers", &self.headers)
            .finish_non_exhaustive()
    }
}

/// `None` where there is nothing to replace.
fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(bytes.len() + to.len());
    let mut rest = bytes;
    while let Some(at) = rest.windows(from.len()).position(|window| window == from) {
        out.extend_from_slice(rest.get(..at)?);
        out.extend_from_slice(to);
        rest = rest.get(at + from.len()..)?;
    }
    out.extend_from_slice(rest);
    (rest.len() != bytes.len()).then_some(out)
}

/// The credentials of a sandbox, and the authority that it trusts because of them.
pub struct Vault {
    credentials: Vec<Arc<Credential>>,
    authority: Authority,
    client: Arc<ClientConfig>,
}

impl Vault {
    /// Keeps some credentials. Servers are known by the authorities that browsers trust.
    ///
    /// # Errors
    /// When no authority can be made.
    pub fn new(credentials: Vec<Credential>) -> io::Result<Self> {
        Self::trusting(credentials, &[])
    }

    /// The same, with more authorities that servers may be known by, as DER.
    ///
    /// # Errors
    /// When no authority can be made, or one of those is none.
    pub fn trusting(credentials: Vec<Credential>, roots: &[Vec<u8>]) -> io::Result<Self> {
        let hosts = credentials.iter().flat_map(|credential| &credential.hosts);
        let authority = Authority::new(hosts)?;
        let client = authority::client(roots)?;
        Ok(Self { credentials: credentials.into_iter().map(Arc::new).collect(), authority, client })
    }

    /// The certificate of the authority that the sandbox must trust, as PEM. It is good for the hosts of the credentials alone.
    #[must_use]
    pub fn certificate(&self) -> String {
        self.authority.certificate()
    }

    /// What is kept for a place; nothing unless it is encrypted in the usual way.
    pub(crate) fn keys(&self, to: &Endpoint) -> Option<Keys> {
        let own = self.credentials.iter().filter(|credential| to.port == 443 && credential.is_for(&to.host));
        let credentials: Vec<_> = own.cloned().collect();
        (!credentials.is_empty()).then_some(Keys { credentials })
    }

    /// How to be a host towards the sandbox.
    pub(crate) fn server(&self, host: &Host) -> io::Result<Arc<ServerConfig>> {
        self.authority.server(host)
    }

    /// How to speak with the host itself.
    pub(crate) fn client(&self) -> Arc<ClientConfig> {
        Arc::clone(&self.client)
    }
}

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vault").field("credentials", &self.credentials).finish_non_exhaustive()
    }
}

/// The credentials for one host.
#[derive(Clone, Debug)]
pub(crate) struct Keys {
    credentials: Vec<Arc<Credential>>,
}

impl Keys {
    /// A field's value as the host gets it.
    pub(crate) fn fill<'a>(&self, name: &str, value: &'a [u8]) -> Cow<'a, [u8]> {
        let named = |credential: &&Arc<Credential>| {
            credential.headers.iter().any(|header| header.eq_ignore_ascii_case(name))
        };
        self.credentials.iter().filter(named).fold(Cow::Borrowed(value), |value, credential| {
            credential.filled(&value).map_or(value, Cow::Owned)
        })
    }

    /// What hides them in an answer, in whatever form.
    pub(crate) fn veil(&self) -> Veil {
        Veil::new(self.credentials.iter().flat_map(|credential| forms::of(&credential.secret)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn credential() -> Credential {
        let hosts = vec![Site::read("api.example").unwrap(), Site::read("*.cdn.example").unwrap()];
        Credential::new("real-secret-1", hosts, vec!["Authorization".to_owned()]).unwrap()
    }

    #[test]
    fn only_named_headers_are_filled() {
        let credential = credential();
        let sent = format!("Bearer {}", credential.placeholder());
        let keys = Keys { credentials: vec![Arc::new(credential)] };
        assert_eq!(keys.fill("authorization", sent.as_bytes()), &b"Bearer real-secret-1"[..]);
        assert_eq!(keys.fill("x-other", sent.as_bytes()), sent.as_bytes());
        assert_eq!(keys.fill("authorization", b"Bearer other"), &b"Bearer other"[..]);
    }

    #[test]
    fn a_password_is_filled_in() {
        let credential = credential();
        let pair = base64::encode(format!("me:{}", credential.placeholder()).as_bytes());
        let filled = credential.filled(format!("Basic {pair}").as_bytes()).unwrap();
        assert_eq!(filled, format!("Basic {}", base64::encode(b"me:real-secret-1")).into_bytes());
    }

    #[test]
    fn it_is_for_its_hosts_and_encrypted_connections_alone() {
        let vault = Vault::new(vec![credential()]).unwrap();
        let kept =
            |host: &str, port| vault.keys(&Endpoint { host: Host::read(host).unwrap(), port }).is_some();
        assert!(kept("api.example", 443) && kept("a.cdn.example", 443));
        assert!(!kept("api.example", 80) && !kept("x.api.example", 443) && !kept("evil.example", 443));
    }

    #[test]
    fn echoes_are_hidden_in_every_form() {
        let keys = Keys { credentials: vec![Arc::new(credential())] };
        let coded = base64::encode(b"real-secret-1");
        for echo in ["real-secret-1", coded.trim_end_matches('=')] {
            let hidden = keys.veil().hide_all(format!("<{echo}>").as_bytes());
            assert!(!String::from_utf8_lossy(&hidden).contains("cret"), "{hidden:?}");
        }
        let hidden = keys.veil().hide_all(coded.as_bytes());
        assert!(hidden.starts_with(b"****************"), "{hidden:?}");
    }

    #[test]
    fn what_cannot_be_hidden_or_sent_is_no_credential() {
        let sites = |text: &str| vec![Site::read(text).unwrap()];
        let new = |secret: &str| Credential::new(secret, sites("a.example"), Vec::new()).err();
        for hosts in [Vec::new(), sites("*"), sites("93.184.216.34")] {
            assert_eq!(Credential::new("real-secret-1", hosts, Vec::new()).err(), Some(NoCredential::Hosts));
        }
        assert_eq!(new("short"), Some(NoCredential::Short));
        assert_eq!(new("with\r\na break"), Some(NoCredential::Characters));
        let shown = format!("{:?} {:?}", credential(), Vault::new(vec![credential()]).unwrap());
        assert!(!shown.contains("real-secret"), "{shown}");
        assert_ne!(credential().placeholder(), credential().placeholder());
    }
}
