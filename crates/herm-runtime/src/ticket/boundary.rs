//! The boundary that a ticket is for.

use herm::enforcement::Backend;
use herm::policy::sandbox::Missing;

use crate::setup::{Problem, Setup};

/// Puts a boundary around what is run, with all that is demanded of it. Why there is none, where that is so.
///
/// # Errors
/// When it is only this workspace that cannot be confined to, which must not decide.
pub(super) fn put(setup: &mut Setup) -> Result<Result<(), String>, Problem> {
    match setup.policy.terminal.backend.as_deref().map(|word| (word, Backend::of(word))) {
        None => setup.confine_if_possible()?,
        Some((_, Some(Backend::Sandbox))) => setup.run_on(Backend::Sandbox)?,
        Some((word, Some(Backend::Local) | None)) => {
            return Ok(Err(format!("`terminal.backend` is `{word}`")));
        }
    }
    if setup.policy.backend != Backend::Sandbox {
        return Ok(Err(setup.unconfined.clone().unwrap_or_else(|| "there is no sandbox".to_owned())));
    }
    let is_whole = setup.lacking.is_empty() || setup.policy.sandbox.missing == Missing::Accept;
    let lacking = || setup.lacking.iter().map(|lack| lack.measure.word()).collect::<Vec<_>>().join(", ");
    Ok(if is_whole {
        Ok(())
    } else {
        Err(format!("the sandbox lacks what is demanded of it: {}", lacking()))
    })
}
