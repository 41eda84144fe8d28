//! What needs the policy, the configuration or the call itself to be judged.

mod asked_by_user;
mod denied_by_user;
mod lost_move;
mod malformed_call;
mod outside_safe_root;

pub use asked_by_user::ASKED_BY_USER;
pub use denied_by_user::DENIED_BY_USER;
pub use lost_move::LOST_MOVE;
pub use malformed_call::MALFORMED_CALL;
pub use outside_safe_root::OUTSIDE_SAFE_ROOT;
