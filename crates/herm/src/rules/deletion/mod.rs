//! Deleting files.

mod bulk_delete;
mod delete_outside_workspace;
mod irreversible_delete;
mod recursive_delete;

pub(crate) use bulk_delete::BULK_DELETE;
pub(crate) use delete_outside_workspace::DELETE_OUTSIDE_WORKSPACE;
pub(crate) use irreversible_delete::IRREVERSIBLE_DELETE;
pub(crate) use recursive_delete::RECURSIVE_DELETE;
