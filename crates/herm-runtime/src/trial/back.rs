//! Taking back what tries have kept, and looking after those that there are.

use std::path::{Path, PathBuf};

use herm_sandbox::changes::{Error, Listed, Recovery, Tries, Undone};

use super::recovered::{Answers, heard, put_right};

/// What came of the wish to take something back.
#[derive(Debug)]
pub struct Undoing {
    /// What was cut short before, and what became of it.
    pub recovered: Answers,
    /// What was taken back, or why nothing was.
    pub taken: Result<Taken, Error>,
}

/// What was taken back.
#[derive(Debug)]
pub enum Taken {
    /// A run that had been kept, by its receipt.
    Back(String, Undone),
    /// There is nothing to take back.
    Nothing,
    /// Nothing more: what was cut short here was it, and has been put right.
    Settled,
}

/// Takes a kept run back: the one that is named, or the last one of the workspace. Where one was cut short, that is the one which is
/// meant: nobody wants the run before it to go as well.
///
/// # Errors
/// When the tries cannot be read.
pub fn undo(guard: &Path, workspace: &Path, named: Option<&str>) -> Result<Undoing, Error> {
    let Some(tries) = Tries::find(guard)? else {
        return Ok(Undoing { recovered: Answers::new(), taken: named.map_or(Ok(Taken::Nothing), unknown) });
    };
    let mut recovered = put_right(&tries)?;
    let is_meant = |(id, answer): &(String, Result<_, _>)| is_meant(id, answer, workspace, named);
    if recovered.iter().any(is_meant) {
        return Ok(Undoing { recovered, taken: Ok(Taken::Settled) });
    }
    let taken = take(&tries, workspace, named);
    recovered.extend(heard(&tries));
    // What cannot be cleared away now is the next time.
    let _ = tries.clear();
    Ok(Undoing { recovered, taken })
}

fn is_meant(id: &str, answer: &Result<Recovery, Error>, workspace: &Path, named: Option<&str>) -> bool {
    let Ok(recovery) = answer else { return false };
    named.map_or_else(|| recovery.workspace == workspace, |named| named == id)
}

fn unknown<T>(id: &str) -> Result<T, Error> {
    Err(Error::Unknown(id.to_owned()))
}

fn take(tries: &Tries, workspace: &Path, named: Option<&str>) -> Result<Taken, Error> {
    let id = match named {
        Some(id) => Some(id.to_owned()),
        None => tries.last_kept(workspace)?,
    };
    let Some(id) = id else { return Ok(Taken::Nothing) };
    tries.undo(&id, &mut || ()).map(|undone| Taken::Back(id, undone))
}

/// The tries that there are, the oldest first.
///
/// # Errors
/// When they cannot be read.
pub fn list(guard: &Path) -> Result<Vec<Listed>, Error> {
    Tries::find(guard)?.map_or_else(|| Ok(Vec::new()), |tries| tries.list())
}

/// Forgets a try in whatever state, and leaves the workspace as it is. Says where that is which only the try had.
///
/// # Errors
/// When there is none, or a process works with it.
pub fn give_up(guard: &Path, id: &str) -> Result<Option<PathBuf>, Error> {
    let Some(tries) = Tries::find(guard)? else { return unknown(id) };
    let saved = tries.give_up(id)?;
    let _ = tries.clear();
    Ok(saved)
}
