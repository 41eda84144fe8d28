//! What others get to see: packages, releases, deployments, and in whose name.

pub mod bypass_review;
pub mod change_repository;
pub mod delete_release;
pub mod delete_repository;
pub mod deploy;
pub mod login_change;
pub mod publish_package;
pub mod publish_release;
pub mod push_everything;
pub mod push_to_protected_branch;
pub mod unpublish_package;
