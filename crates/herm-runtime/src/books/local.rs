//! Books that the process that asks keeps itself.

use std::path::{Path, PathBuf};

use herm::approval::Answer;
use herm_store::{Digest, Kind, Store};
use serde_json::Value;

use super::{Books, Error, Memory, Shelf};
use crate::allowlist::AllowList;
use crate::asked::Asked;
use crate::made::Thing;
use crate::{identity, made};

/// Books that the process that asks keeps itself, in herm's home.
#[derive(Debug)]
pub(crate) struct Local {
    home: PathBuf,
    store: Store,
}

impl Local {
    pub(crate) fn open(home: &Path) -> Result<Self, herm_store::Error> {
        Ok(Self { home: home.to_owned(), store: Store::open(home)? })
    }
}

impl Books for Local {
    fn receipt(&self) -> String {
        identity::fresh()
    }

    fn append(&self, kind: Kind, receipt: &str, body: Value) -> Result<(), Error> {
        self.store.ledger()?.append(kind, receipt, body)?;
        Ok(())
    }

    fn note(&self, kind: Kind, receipt: &str, body: Value) -> Result<(), Error> {
        self.store.ledger()?.append_soon(kind, receipt, body)?;
        Ok(())
    }

    fn memory(&self, session: &str) -> Result<Memory, Error> {
        Ok(Shelf::new(&self.store, session).memory()?)
    }

    fn made(&self, session: &str) -> Vec<Thing> {
        let Ok(ledger) = self.store.ledger() else { return Vec::new() };
        made::of_session(ledger, session).unwrap_or_default()
    }

    fn spend(&self, session: &str, grants: &[String]) -> bool {
        Shelf::new(&self.store, session).spend(grants)
    }

    fn late_answer(&self, session: &str, digest: Digest) -> Option<(Answer, String)> {
        Shelf::new(&self.store, session).late_answer(digest)
    }

    fn consented(&self, command: &str, digest: &str) -> Option<bool> {
        Shelf::new(&self.store, "").consented(command, digest)
    }

    fn keep(&self, answer: Answer, asked: &Asked) -> Result<(), Error> {
        if answer == Answer::Always && !asked.follows.always.is_empty() {
            AllowList::of(&self.home).add(&asked.follows.always).map_err(Error::AllowList)?;
        }
        Ok(Shelf::new(&self.store, &asked.session).keep(answer, &asked.follows)?)
    }
}
