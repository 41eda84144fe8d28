//! `herm man`

use super::{answer, fail};
use crate::exit::Exit;
use crate::reference;

/// Prints the manual page.
pub(super) fn run() -> Exit {
    match reference::man() {
        Ok(page) => answer(&page, Exit::Allow),
        Err(error) => fail(&format!("cannot write the manual page: {error}")),
    }
}
