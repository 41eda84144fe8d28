//! The way out to the network for confined processes.
//!
//! A confined process reaches nothing but a [`Proxy`]. For each connection the name is judged, looked up here and nowhere
//! else, and every address that it has is judged, too; the connection then goes to exactly such an address. So a name that
//! changes its address between two look-ups gains nothing. Whatever goes wrong closes the connection.
//!
//! Programs come in through [`Doors`]: sockets that somebody else made, usually inside the network namespace of the
//! confined process.
//!
//! - One port speaks HTTP (absolute links and `CONNECT`) and SOCKS5. The first byte tells them apart.
//! - For programs that ignore proxy settings, a resolver hands out addresses that nobody has, and remembers for which name;
//!   what connects to those is redirected to a door of its own.
//!
//! Nothing is decrypted, unless a credential is put in on the way (see [`vault`]). But a TLS handshake says whom it is meant for, and that must be whom the connection was allowed for.

#![forbid(unsafe_code)]

mod bulk;
mod consent;
mod door;
mod fetch;
mod http;
mod judge;
mod limits;
mod names;
mod proxy;
mod record;
mod relay;
mod resolve;
mod route;
mod sniff;
mod socks;
mod splice;
mod terminate;
mod terms;
mod tls;
mod upstream;
pub mod vault;
mod watch;
mod wire;

pub use consent::{Ask, Question};
pub use door::{Doors, Original};
pub use fetch::{Bounds, Fetcher, Hear, NoPage, Page, Part, Posting};
pub use judge::{Guard, Judge, Judgement, Objection};
pub use limits::Limits;
pub use names::Names;
pub use proxy::Proxy;
pub use record::{Outcome, Record, Sink};
pub use resolve::{Resolve, System};
pub use terms::Terms;
pub use vault::{Credential, Vault};
