//! What runs later.

mod enable_service;
mod schedule_job;
mod startup_write;

pub(crate) use enable_service::ENABLE_SERVICE;
pub(crate) use schedule_job::SCHEDULE_JOB;
pub(crate) use startup_write::STARTUP_WRITE;
