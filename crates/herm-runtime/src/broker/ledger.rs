//! The books that a broker keeps for other users.
//!
//! Whoever asks says what happened; who says so is what the kernel says.

use herm::approval::Answer;
use herm_store::{Digest, Error, Kind, Store};
use serde_json::{Value, json};

use super::peer::Peer;
use super::protocol::{Request, Response};
use crate::books::Shelf;
use herm_store::sqlite::questions::{Given, Question};

/// Does what a request asks of the books; nothing when it is about something else.
pub(super) fn serve(store: &Store, peer: &Peer, request: Request) -> Option<Response> {
    let shelf = |session: &str| Shelf::of(peer.uid, store, session);
    match request {
        Request::Append { kind, receipt, body } => Some(append(store, peer, kind, &receipt, body)),
        Request::Consented { command, digest } => {
            Some(Response::Consent(shelf("").consented(&command, &digest)))
        }
        Request::Late { session, digest } => {
            let late = Digest::parse(&digest).and_then(|digest| shelf(&session).late_answer(digest));
            Some(late.map_or(Response::Gone, |(answer, by)| Response::Answered(answer, by)))
        }
        Request::Memory(session) => Some(match shelf(&session).memory() {
            Ok(memory) => Response::Remembered(Box::new(memory)),
            Err(error) => Response::Refused(error.to_string()),
        }),
        Request::Spend { session, grants } => {
            Some(if shelf(&session).spend(&grants) { Response::Done } else { Response::Gone })
        }
        Request::Answer { .. }
        | Request::Ask { .. }
        | Request::List { .. }
        | Request::Resume(_)
        | Request::Settle(_) => None,
    }
}

/// Writes what a user says about itself, marked as said by that user.
fn append(store: &Store, peer: &Peer, kind: Kind, receipt: &str, mut body: Value) -> Response {
    let refuse = |why: &str| Response::Refused(why.to_owned());
    if !matches!(kind, Kind::Intent | Kind::Outcome) {
        return refuse("only what is done or refused is recorded for others");
    }
    if !receipt.starts_with(&format!("{}-", peer.uid)) {
        return refuse("the receipt is not one of this user");
    }
    let Some(fields) = body.as_object_mut() else { return refuse("the record is not an object") };
    fields.insert("uid".to_owned(), json!(peer.uid));
    fields.insert("pid".to_owned(), json!(peer.pid));
    match store.ledger().and_then(|ledger| ledger.append(kind, receipt, body)) {
        Ok(_) => Response::Done,
        Err(error) => Response::Refused(error.to_string()),
    }
}

/// Keeps what follows from an answer, and writes the answer down.
pub(super) fn keep(store: &Store, question: &Question, given: &Given) -> Result<(), Error> {
    let draft = &question.draft;
    let asked = crate::asked::Asked::from_json(&draft.shown);
    if let Some(asked) = &asked {
        Shelf::of(draft.asker.uid, store, &asked.session).keep(given.answer, &asked.follows)?;
    }
    let body = json!({
        "uid": draft.asker.uid,
        "session": asked.as_ref().map(|asked| &asked.session),
        "command": asked.as_ref().map(|asked| &asked.command),
        "digest": draft.binding.to_string(),
        "answer": { "answer": given.answer.word(), "by": given.by },
    });
    store.ledger()?.append(Kind::Answer, &question.id, body).map(drop)
}

/// Keeps a no of the only user.
pub(super) fn keep_denial(store: &Store, question: &Question) -> Result<(), Error> {
    let Some(asked) = crate::asked::Asked::from_json(&question.draft.shown) else { return Ok(()) };
    Shelf::new(store, &asked.session).keep(Answer::Deny, &asked.follows)
}
