//! How much, and for how long.

use std::time::Duration;

/// How much, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections at a time; more wait to be let in.
    pub connections: usize,
    /// How long a client may take to say what it wants.
    pub head: Duration,
    /// How long to try to connect to one address.
    pub connect: Duration,
    /// How long nothing may happen on a connection.
    pub idle: Duration,
    /// How long to wait for a person.
    pub answer: Duration,
    /// The longest head of a request or a response, in bytes.
    pub head_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 1024,
            head: Duration::from_secs(15),
            connect: Duration::from_secs(10),
            idle: Duration::from_mins(10),
            answer: Duration::from_mins(10),
            head_bytes: 64 * 1024,
        }
    }
}
