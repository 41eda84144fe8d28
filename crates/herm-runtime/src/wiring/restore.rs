//! What `herm uninit` would change back, and changing it.

use std::path::PathBuf;

use herm_adapters::Agent;
use herm_adapters::wiring::{self, Edit, Piece, Scope};
use herm_store::Digest;

use super::ground::Ground;
use super::kept::{Record, Shelf};
use super::places::Places;
use super::plan::Change;
use super::problem::Problem;
use super::write;

/// How a file comes to be without herm again.
#[derive(Debug)]
pub struct Restoration {
    /// The agent.
    pub agent: Agent,
    /// For whom it was wired.
    pub scope: Scope,
    /// The file.
    pub file: PathBuf,
    /// The change, or why there can be none.
    pub change: Result<Change, Problem>,
    ground: Option<Ground>,
    record: Option<Record>,
    /// Whether what goes away is not what herm wrote.
    is_edited: bool,
}

impl Restoration {
    /// All files of these agents in which something of herm's stands, or of which something is kept; and what is kept but damaged,
    /// which stands in nobody else's way.
    #[must_use]
    pub fn all(places: &Places, agents: &[Agent], scope: Scope) -> (Vec<Self>, Vec<Problem>) {
        let (mut records, mut damaged) = (Vec::new(), Vec::new());
        for record in Shelf::at(&places.keeping(scope)).records() {
            match record {
                Ok(record) => records.push(record),
                Err(problem) => damaged.push(problem),
            }
        }
        let ours = |record: &Record| agents.contains(&record.agent) && record.scope == scope;
        let mut found: Vec<Self> =
            records.into_iter().filter(ours).map(|record| Self::recorded(places, record)).collect();
        for agent in agents {
            let directory = places.directory(*agent, scope);
            for piece in pieces(places, *agent, scope, &directory) {
                if !found.iter().any(|known| known.file == piece.file) {
                    found.extend(Self::unrecorded(places, scope, &directory, &piece));
                }
            }
        }
        (found, damaged)
    }

    /// A file of which something is kept.
    fn recorded(places: &Places, record: Record) -> Self {
        let (agent, scope, file) = (record.agent, record.scope, record.file.clone());
        match Ground::look(places, scope, &record.directory, &file) {
            Err(problem) => Self {
                agent,
                scope,
                file,
                change: Err(problem),
                ground: None,
                record: Some(record),
                is_edited: false,
            },
            Ok(ground) => {
                let is_edited =
                    ground.text.as_ref().is_some_and(|text| Digest::of(text.as_bytes()) != record.written);
                let change = if is_edited {
                    taken_out(places, &record, &ground)
                } else {
                    Ok(as_before(&record, &ground))
                };
                Self { agent, scope, file, change, ground: Some(ground), record: Some(record), is_edited }
            }
        }
    }

    /// A file of which nothing is kept; nothing when nothing of herm's is in it.
    fn unrecorded(places: &Places, scope: Scope, directory: &std::path::Path, piece: &Piece) -> Option<Self> {
        let ground = Ground::look(places, scope, directory, &piece.file).ok()?;
        let text = ground.text.as_deref().filter(|text| piece.is_present(text))?;
        let change = removed(piece, text, None).map(|after| Change { before: ground.text.clone(), after });
        Some(Self {
            agent: piece.agent,
            scope,
            file: piece.file.clone(),
            change,
            ground: Some(ground),
            record: None,
            is_edited: true,
        })
    }

    /// Makes the change, and forgets what was kept. Where an edited file goes away as a whole, says where a copy of it is.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn carry_out(&self, places: &Places) -> Result<Option<PathBuf>, Problem> {
        let (Ok(change), Some(ground)) = (&self.change, &self.ground) else { return Ok(None) };
        let kept = Shelf::locked(&places.keeping(self.scope))?;
        let mut aside = None;
        match (&change.before, &change.after) {
            _ if change.is_none() => {}
            (Some(before), None) => {
                if self.is_edited {
                    aside = Some(kept.set_aside(&self.file, before)?);
                }
                let made = self.record.as_ref().map(|record| record.directories.as_slice());
                write::remove(ground, made.unwrap_or_default())?;
            }
            (_, Some(after)) => drop(write::replace(ground, after, 0o600)?),
            (None, None) => {}
        }
        // What is damaged is left for a person to look at.
        if self.record.is_some() {
            kept.forget(&self.file)?;
        }
        Ok(aside)
    }
}

/// Takes the directories away that herm made for these files, as far as they are empty by now.
pub fn tidy(restored: &[Restoration]) {
    let records = restored.iter().filter_map(|restored| restored.record.as_ref());
    let mut made: Vec<&PathBuf> = records.flat_map(|record| &record.directories).collect();
    made.sort_by_key(|directory| std::cmp::Reverse(directory.components().count()));
    for directory in made {
        write::unmake(std::slice::from_ref(directory));
    }
}

/// The file as it was, byte for byte, also where somebody has taken it away since.
fn as_before(record: &Record, ground: &Ground) -> Change {
    Change { before: ground.text.clone(), after: record.original.clone() }
}

/// The file as others have left it, without what is herm's.
fn taken_out(places: &Places, record: &Record, ground: &Ground) -> Result<Change, Problem> {
    let text = ground.text.as_deref().unwrap_or_default();
    let original = record.original.as_deref().unwrap_or_default();
    if record.original.as_deref() == Some(text) {
        return Ok(Change { before: ground.text.clone(), after: ground.text.clone() });
    }
    let pieces = pieces(places, record.agent, record.scope, &record.directory);
    let piece = pieces.iter().find(|piece| piece.file == record.file);
    let piece = piece.ok_or_else(|| Problem::Edited(record.file.clone()))?;
    let after = removed(piece, text, Some(original))?;
    // What herm made, and in which nobody has left anything, goes away.
    let after = after.filter(|after| record.original.is_some() || !says_nothing(piece, after));
    Ok(Change { before: ground.text.clone(), after })
}

fn removed(piece: &Piece, text: &str, original: Option<&str>) -> Result<Option<String>, Problem> {
    piece.remove(text, original).map_err(|refused| Problem::Refused(piece.file.clone(), refused))
}

fn says_nothing(piece: &Piece, text: &str) -> bool {
    match &piece.edit {
        Edit::Entries { format, .. } => {
            format.read(text).is_ok_and(|root| root.pairs().is_empty() && root.items().is_empty())
        }
        Edit::Whole(_) => false,
    }
}

/// All files of an agent, as they are found now.
fn pieces(places: &Places, agent: Agent, scope: Scope, directory: &std::path::Path) -> Vec<Piece> {
    let call = places.call(agent, scope);
    let mut pieces = wiring::pieces(&call, scope, directory);
    let hooks =
        pieces.first().and_then(|piece| Ground::look(places, scope, directory, &piece.file).ok()?.text);
    pieces.extend(wiring::trust(&call, scope, directory, &hooks.unwrap_or_default()));
    pieces
}
