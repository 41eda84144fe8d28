//! The proof that an action was allowed.

use crate::call::{Action, Call, CallId};

/// The proof that an action was allowed: it holds the very action that was judged.
///
/// Only the engine makes one, and it is moved, never copied, so whoever performs an action can ask for a permit
/// instead of trusting that somebody looked.
///
/// It cannot be forged:
///
/// ```compile_fail,E0451
/// let forged = herm::Permit { call: Default::default(), action: todo!() };
/// ```
///
/// nor copied:
///
/// ```compile_fail,E0599
/// fn twice(permit: herm::Permit) -> (herm::Permit, herm::Permit) {
///     (permit.clone(), permit)
/// }
/// ```
#[derive(Debug, PartialEq, Eq)]
#[must_use]
pub struct Permit {
    call: CallId,
    action: Action,
}

impl Permit {
    pub(crate) fn new(call: &Call) -> Self {
        Self { call: call.id.clone(), action: call.action.clone() }
    }

    /// The call that was judged.
    #[must_use]
    pub fn call(&self) -> &CallId {
        &self.call
    }

    /// The action that may be performed, once.
    #[must_use]
    pub fn redeem(self) -> Action {
        self.action
    }
}
