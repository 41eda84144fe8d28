//! HTTP/1 between a client and the servers that it is allowed to reach.

mod body;
mod exchange;
mod head;
mod message;
mod reply;
mod serve;

pub(crate) use body::gather;
pub(crate) use head::bytes as head;
pub(crate) use message::Response;
pub(crate) use reply::refusal;
pub(crate) use serve::{Next, serve, serve_one};
