//! Services.

mod stop_service;

pub(crate) use stop_service::STOP_SERVICE;
