//! A connection to a server, with its record.

use std::net::IpAddr;

use herm::host::{Endpoint, Host};

use crate::record::Meter;
use crate::route::{Answered, Refusal, Shared};
use crate::vault::Keys;
use crate::wire::Wire;

/// A connection to a server, with its record.
pub(crate) struct Upstream {
    pub(crate) wire: Wire,
    pub(crate) to: Endpoint,
    pub(crate) address: IpAddr,
    pub(crate) meter: Meter,
    /// The credentials that are put in on the way there.
    pub(crate) keys: Option<Keys>,
    answered: Answered,
}

impl Upstream {
    /// Connects to where it may go.
    pub(crate) async fn open(shared: &Shared, to: &Endpoint) -> Result<Self, Refusal> {
        let mut meter = shared.meter(to);
        let route = shared.open(to, &mut meter).await?;
        let end = if route.address.is_loopback() { Wire::near } else { Wire::tcp };
        let wire = end(route.stream, shared.terms.limits.idle);
        Ok(Self { wire, to: to.clone(), address: route.address, meter, keys: None, answered: route.answered })
    }

    /// Whether it may be used for one more request: the rules may have changed.
    pub(crate) async fn again(&mut self, shared: &Shared) -> Result<(), Refusal> {
        shared.again(&self.to, self.address, &mut self.answered).await
    }

    /// Whether a name may stand for what was connected to by its address.
    pub(crate) async fn stands_for(&mut self, shared: &Shared, name: Host) -> Result<(), Refusal> {
        let to = Endpoint { host: name, port: self.to.port };
        shared.again(&to, self.address, &mut self.answered).await
    }
}
