//! Taking back what tries have kept, and looking after those that there are.

use std::path::{Path, PathBuf};

use herm_sandbox::changes::{Edits, Error, Item, Listed, Recovery, Tries, Undone};
use serde_json::{Value, json};

use super::recovered::{Answers, heard, put_right};
use super::told;
use crate::cleanse::without_secrets;

/// What came of the wish to take something back.
#[derive(Debug)]
pub struct Undoing {
    /// What was cut short before, and what became of it.
    pub recovered: Answers,
    /// What was taken back, or why nothing was.
    pub taken: Result<Taken, Error>,
    /// What would be lost, where that is why.
    pub loss: Option<Loss>,
}

/// What taking a run back would lose. Secrets are taken out as they are of whatever else is shown.
#[derive(Debug)]
pub struct Loss {
    /// From what the run left to what is there now, as a person reads it.
    pub told: String,
    /// The same, as a program reads it.
    pub edits: Value,
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
        return Ok(Undoing {
            recovered: Answers::new(),
            taken: named.map_or(Ok(Taken::Nothing), unknown),
            loss: None,
        });
    };
    let mut recovered = put_right(&tries)?;
    let is_meant = |(id, answer): &(String, Result<_, _>)| is_meant(id, answer, workspace, named);
    if recovered.iter().any(is_meant) {
        return Ok(Undoing { recovered, taken: Ok(Taken::Settled), loss: None });
    }
    let wanted = wanted(&tries, workspace, named)?;
    let taken = wanted.as_ref().map_or(Ok(Taken::Nothing), |id| take(&tries, id));
    let loss = match (&wanted, &taken) {
        (Some(id), Err(Error::Edited(_))) => loss(&tries, id, guard),
        _ => None,
    };
    recovered.extend(heard(&tries));
    // What cannot be cleared away now is the next time.
    let _ = tries.clear();
    Ok(Undoing { recovered, taken, loss })
}

fn is_meant(id: &str, answer: &Result<Recovery, Error>, workspace: &Path, named: Option<&str>) -> bool {
    let Ok(recovery) = answer else { return false };
    named.map_or_else(|| recovery.workspace == workspace, |named| named == id)
}

fn unknown<T>(id: &str) -> Result<T, Error> {
    Err(Error::Unknown(id.to_owned()))
}

/// The run that is to be taken back.
fn wanted(tries: &Tries, workspace: &Path, named: Option<&str>) -> Result<Option<String>, Error> {
    named.map_or_else(|| tries.last_kept(workspace), |id| Ok(Some(id.to_owned())))
}

fn take(tries: &Tries, id: &str) -> Result<Taken, Error> {
    tries.undo(id, &mut || ()).map(|undone| Taken::Back(id.to_owned(), undone))
}

/// What would be lost. Where it cannot be read, or secrets in it could not be told, only the paths are named.
fn loss(tries: &Tries, id: &str, guard: &Path) -> Option<Loss> {
    let edits = tries.edits(id).ok()?;
    let shown = json!({ "told": told::edits(&edits), "edits": to_json(&edits) });
    let mut shown = without_secrets(guard, &shown).ok()?.unwrap_or(shown);
    let told = shown.get("told")?.as_str()?.to_owned();
    Some(Loss { told, edits: shown.get_mut("edits")?.take() })
}

fn to_json(edits: &Edits) -> Value {
    json!({ "changes": edits.items.iter().map(Item::to_json).collect::<Vec<_>>(), "more": edits.more })
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
