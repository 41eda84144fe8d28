//! Names and their addresses.

use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;

/// Looks names up. Nothing else in a sandbox does.
pub trait Resolve: Send + Sync {
    /// The addresses of a name; none where it has none or nobody could be asked.
    fn resolve<'a>(&'a self, name: &'a str) -> Pin<Box<dyn Future<Output = Vec<IpAddr>> + Send + 'a>>;
}

/// This machine's own resolver, with the configuration that everything else on it has.
#[derive(Clone, Copy, Debug)]
pub struct System;

impl Resolve for System {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place where names are looked up for confined processes"
    )]
    fn resolve<'a>(&'a self, name: &'a str) -> Pin<Box<dyn Future<Output = Vec<IpAddr>> + Send + 'a>> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name, 0)).await;
            let mut addresses: Vec<IpAddr> = Vec::new();
            for address in found.into_iter().flatten().map(|address| address.ip().to_canonical()) {
                if !addresses.contains(&address) {
                    addresses.push(address);
                }
            }
            addresses
        })
    }
}
