//! Making this machine reachable.

pub mod expose_service;
