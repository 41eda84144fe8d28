//! What may be assigned to or deleted.

use super::super::ast::{Expression, Node, Step};
use super::{Parse, Problem};
use crate::gap::Reason;

/// A target of `=`, `for` or `with`: one, or several in a tuple or list.
pub(super) fn check_target(target: &Expression) -> Parse<()> {
    if let Node::Starred(inner) = &target.kind {
        check_target(inner)
    } else if let Node::Tuple(items) | Node::List(items) = &target.kind {
        items.iter().try_for_each(check_target)
    } else {
        check_single_target(target)
    }
}

/// A target of `+=` or `:`.
pub(super) fn check_single_target(target: &Expression) -> Parse<()> {
    let valid = if let Node::Trail(_, trailers) = &target.kind {
        trailers.last().is_some_and(|last| matches!(last.kind, Step::Attribute(_) | Step::Subscript(_)))
    } else {
        matches!(target.kind, Node::Name(_))
    };
    if valid { Ok(()) } else { refuse(target) }
}

/// A target of `del`.
pub(super) fn check_deletable(target: &Expression) -> Parse<()> {
    if matches!(target.kind, Node::Starred(_)) { refuse(target) } else { check_target(target) }
}

fn refuse(target: &Expression) -> Parse<()> {
    Err(Problem { span: target.span, reason: Reason::Syntax })
}
