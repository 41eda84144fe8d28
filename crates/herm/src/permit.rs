//! The proof that an action was allowed.

use crate::call::{Action, Call, CallId};
use crate::enforcement::Backend;
use crate::limits::Limits;
use crate::path::AbsPath;

/// The proof that an action was allowed: it holds the very action that was judged.
///
/// Only the engine makes one, and it is moved, never copied, so whoever performs an action can ask for a permit
/// instead of trusting that somebody looked.
///
/// It cannot be forged:
///
/// ```compile_fail,E0451
/// let forged = herm::Permit { order: todo!() };
/// ```
///
/// nor copied:
///
/// ```compile_fail,E0599
/// fn twice(permit: herm::Permit) -> (herm::Permit, herm::Permit) {
///     (permit.clone(), permit)
/// }
/// ```
///
/// nor used twice:
///
/// ```compile_fail,E0382
/// fn again(permit: herm::Permit) -> (herm::permit::Order, herm::permit::Order) {
///     (permit.redeem(), permit.redeem())
/// }
/// ```
#[derive(Debug, PartialEq, Eq)]
#[must_use]
pub struct Permit {
    order: Order,
}

/// What may be done, and on what terms.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct Order {
    /// The call that was judged.
    pub call: CallId,
    /// What may be done, once.
    pub action: Action,
    /// Where.
    pub cwd: AbsPath,
    /// How long, and how much may be printed.
    pub limits: Limits,
    /// Behind which boundary.
    pub backend: Backend,
    /// Whether it may only be tried: on something that stands in for the workspace.
    pub is_try: bool,
}

impl Permit {
    pub(crate) fn new(call: &Call, limits: Limits, backend: Backend) -> Self {
        let order = Order {
            call: call.id.clone(),
            action: call.action.clone(),
            cwd: call.cwd.clone(),
            limits: limits.narrowed(&call.action),
            backend,
            is_try: false,
        };
        Self { order }
    }

    /// The same for a try alone, which is less: behind the boundary, and on nothing that counts.
    pub(crate) fn for_a_try(self) -> Self {
        Self { order: Order { backend: Backend::Sandbox, is_try: true, ..self.order } }
    }

    /// Whether it is for a try alone.
    #[must_use]
    pub fn is_try(&self) -> bool {
        self.order.is_try
    }

    /// The call that was judged.
    #[must_use]
    pub fn call(&self) -> &CallId {
        &self.order.call
    }

    /// The terms on which it may be performed.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.order.limits
    }

    /// Where it may be performed.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.order.backend
    }

    /// What may be performed, once.
    pub fn redeem(self) -> Order {
        self.order
    }
}
