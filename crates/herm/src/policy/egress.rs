//! What the `egress` section says: where connections may go.

use super::credential::Credential;
use super::error::Problem;
use super::sites::{NotASite, Site};
use super::value::{Wrong, all, texts};
use super::yaml::{Content, Node};
use crate::host::{Endpoint, Host};
use crate::url::{Url, endpoint};

/// Where connections may go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Egress {
    /// The hosts that connections may go to: each list must allow them. Without any list, all do.
    pub allowed: Vec<Vec<Site>>,
    /// Services on this machine or in its networks that the operator named.
    pub endpoints: Vec<Endpoint>,
    /// Credentials that are put in on the way.
    pub credentials: Vec<Credential>,
}

impl Egress {
    /// Every list of hosts holds; endpoints and credentials are joined.
    pub(super) fn join(&mut self, other: Self) {
        self.allowed.extend(other.allowed);
        self.endpoints.extend(other.endpoints);
        self.credentials.extend(other.credentials);
    }

    /// Whether the operator named exactly this service.
    #[must_use]
    pub fn names(&self, to: &Endpoint) -> bool {
        self.endpoints.contains(to)
    }

    /// Whether every list allows a host.
    #[must_use]
    pub fn allows(&self, host: &Host) -> bool {
        self.allowed.iter().all(|list| list.iter().any(|site| site.allows(host)))
    }
}

/// A list of hosts to which connections are confined; nothing is no list, which is another thing than an empty one.
pub(super) fn allowed(node: &Node, key: &str) -> Result<Option<Vec<Site>>, Wrong> {
    if node.content == Content::Null { Ok(None) } else { sites(node, key).map(Some) }
}

/// A list of patterns over hosts.
pub(super) fn sites(node: &Node, key: &str) -> Result<Vec<Site>, Wrong> {
    let site = |(at, text): (_, String)| {
        Site::read(&text).map_err(|NotASite(text)| Wrong::from((at, Problem::NotASite(text))))
    };
    all(texts(node, key)?.into_iter().map(site))
}

/// A list of services, each with its port: a whole machine cannot be exempt.
pub(super) fn endpoints(node: &Node) -> Result<Vec<Endpoint>, Wrong> {
    let one =
        |(at, text): (_, String)| read(&text).ok_or_else(|| Wrong::from((at, Problem::NotAnEndpoint(text))));
    all(texts(node, "egress.endpoints")?.into_iter().map(one))
}

fn read(text: &str) -> Option<Endpoint> {
    match endpoint(text) {
        Ok((host, Some(port))) => Some(Endpoint { host, port }),
        Ok((_, None)) | Err(_) => None,
    }
}

/// The service behind a link of the configuration.
pub(super) fn configured(link: Option<&str>) -> Option<Endpoint> {
    let url = Url::read(link?).ok()?;
    Some(Endpoint { host: url.host, port: url.port })
}

#[cfg(test)]
mod tests {
    use crate::host::{Endpoint, Host};
    use crate::policy::{Config, Policy, Source, Surroundings};

    fn compile(files: &[(Source, &str)]) -> Result<Policy, String> {
        let read = |(source, content): &(Source, &str)| Config::read(*source, "c.yaml", content);
        let configs = files.iter().map(read).collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        Policy::compile(configs, &Surroundings::default()).map_err(|error| error.to_string())
    }

    fn allows(policy: &Policy, host: &str) -> bool {
        policy.egress.allows(&Host::read(host).unwrap())
    }

    #[test]
    fn without_a_list_every_host_is_allowed_and_an_empty_one_allows_none() {
        assert!(allows(&compile(&[]).unwrap(), "example.com"));
        assert!(allows(&compile(&[(Source::User, "egress: {allowed_domains: }")]).unwrap(), "example.com"));
        assert!(!allows(
            &compile(&[(Source::User, "egress: {allowed_domains: []}")]).unwrap(),
            "example.com"
        ));
    }

    #[test]
    fn a_repository_can_only_shorten_the_list() {
        let user = (Source::User, "egress: {allowed_domains: [a.example, '*.b.example']}");
        let repository = (Source::Repository, "egress: {allowed_domains: [x.b.example, c.example]}");
        let both = compile(&[user, repository]).unwrap();
        let allowed =
            ["a.example", "x.b.example", "y.b.example", "c.example"].map(|host| allows(&both, host));
        assert_eq!(allowed, [false, true, false, false]);
        let refused = compile(&[(Source::Repository, "egress: {endpoints: ['localhost:1']}")]).unwrap_err();
        assert!(refused.contains("a repository may only tighten"), "{refused}");
    }

    #[test]
    fn endpoints_are_hosts_with_ports() {
        let policy =
            compile(&[(Source::User, "egress: {endpoints: ['LOCALHOST:11434', '[::1]:80']}")]).unwrap();
        let named = |host, port| policy.egress.names(&Endpoint { host: Host::read(host).unwrap(), port });
        assert!(named("localhost", 11434) && named("[::1]", 80));
        assert!(!named("localhost", 80) && !named("127.0.0.1", 11434));
        let refused = compile(&[(Source::User, "egress: {endpoints: [localhost]}")]).unwrap_err();
        assert_eq!(refused, "c.yaml:1:22: `localhost` is no host with a port");
    }

    #[test]
    fn a_model_of_ones_own_is_an_endpoint() {
        let config = "auxiliary: {approval: {base_url: 'http://localhost:11434/v1'}}";
        let policy = compile(&[(Source::User, config)]).unwrap();
        assert!(policy.egress.names(&Endpoint { host: Host::Name("localhost".to_owned()), port: 11434 }));
    }

    #[test]
    fn mistakes_are_shown_where_they_are() {
        let refused = |text| compile(&[(Source::User, text)]).unwrap_err();
        assert_eq!(refused("egress: {allowed_domains: ['a*.com']}"), "c.yaml:1:28: `a*.com` is no host");
        assert_eq!(
            refused("egress: {alowed_domains: []}"),
            "c.yaml:1:10: unknown key `alowed_domains` in `egress`"
        );
        let blocked = "security: {website_blocklist: {domains: ['x y']}}";
        assert_eq!(refused(blocked), "c.yaml:1:42: `x y` is no host");
    }
}
