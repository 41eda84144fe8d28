//! Which tools a server has, asked for by ourselves.
//!
//! A client may call a tool that it knows from another time: since 2026-07-28 servers say for how long what they list may be kept. What
//! such a tool is now has to be known before the call is decided about, so that the call waits until the server has said it.

use std::time::Instant;

use serde_json::{Map, Value};

use super::{Open, Relay, Stage, Step};
use crate::jsonrpc::{Failure, INTERNAL, Id, Message, Request, Response};
use crate::mcp::protocol::Era;

/// A list that was asked for.
#[derive(Debug)]
pub(super) struct Listing {
    id: Id,
    /// What every page is asked for with.
    meta: Option<Value>,
    pages: usize,
    /// The calls that wait for it, as they came.
    waiting: Vec<(Vec<u8>, Request, Era)>,
}

/// How many pages are asked for at most.
const PAGES: usize = 64;

impl Relay {
    /// Has a call wait for the list of tools; gives it back where it need not.
    pub(super) fn look_up(&mut self, line: &[u8], request: Request, era: Era) -> Result<Vec<Step>, Request> {
        // A client that lists the tools itself, page by page, is not interrupted.
        let is_known = self.is_listed || !self.tools.is_empty();
        if is_known && self.listing.is_none() {
            return Err(request);
        }
        let meta = match era {
            Era::Session => None,
            Era::Stateless => request.params.as_ref().and_then(own_meta),
        };
        let open = Open { method: request.method.clone(), era, stage: Stage::Listing };
        self.open.insert(request.id.clone(), open);
        let waits = (line.to_vec(), request, era);
        if let Some(listing) = &mut self.listing {
            listing.waiting.push(waits);
            return Ok(Vec::new());
        }
        let id = self.own_id();
        let step = page(&id, meta.as_ref(), None);
        self.listing = Some(Listing { id, meta, pages: 1, waiting: vec![waits] });
        Ok(vec![step])
    }

    /// Takes in an answer to ourselves; gives back one that is not.
    pub(super) fn looked_up(&mut self, response: Response, now: Instant) -> Result<Vec<Step>, Response> {
        let Some(mut listing) = self.listing.take_if(|listing| response.id.as_ref() == Some(&listing.id))
        else {
            return Err(response);
        };
        let mut steps = Vec::new();
        let mut next = None;
        if let Ok(result) = response.outcome
            && self.list(&result).is_ok()
        {
            let cursor = result
                .get("nextCursor")
                .filter(|cursor| cursor.as_str().is_some_and(|said| !said.is_empty()));
            next = cursor.cloned().filter(|_| listing.pages < PAGES);
            steps.push(Step::Listed(Box::new(result)));
        }
        if let Some(cursor) = next {
            listing.pages += 1;
            listing.id = self.own_id();
            steps.push(page(&listing.id, listing.meta.as_ref(), Some(cursor)));
            self.listing = Some(listing);
            return Ok(steps);
        }
        // What is not in it is not looked for again: whoever decides knows that it was not.
        self.is_listed = true;
        for (line, request, era) in listing.waiting {
            self.open.remove(&request.id);
            steps.extend(self.call(&line, request, era, now));
        }
        Ok(steps)
    }

    /// A call that was called off waits no longer: its id may be used again meanwhile.
    pub(super) fn stop_waiting(&mut self, id: &Id) {
        if let Some(listing) = &mut self.listing {
            listing.waiting.retain(|(_, request, _)| request.id != *id);
        }
    }

    fn own_id(&mut self) -> Id {
        let ticket = self.ticket();
        Id::Text(format!("{}-{ticket}", self.salt))
    }

    /// Whether we wait for the answer that is known by this.
    pub(super) fn is_looking_up(&self, id: Option<&Id>) -> bool {
        self.listing.as_ref().is_some_and(|listing| Some(&listing.id) == id)
    }

    /// Goes on without the list, as where the server has none.
    pub(super) fn give_up_listing(&mut self, now: Instant) -> Vec<Step> {
        let Some(id) = self.listing.as_ref().map(|listing| listing.id.clone()) else { return Vec::new() };
        let failed = Err(Failure::new(INTERNAL, "it was too long"));
        self.looked_up(Response { id: Some(id), outcome: failed }, now).unwrap_or_default()
    }
}

/// What a request says about its client, without what belongs to that request alone.
fn own_meta(params: &Value) -> Option<Value> {
    let mut meta = params.get("_meta")?.as_object()?.clone();
    meta.remove("progressToken");
    Some(Value::Object(meta))
}

/// Asks for a page.
fn page(id: &Id, meta: Option<&Value>, cursor: Option<Value>) -> Step {
    let meta = meta.map(|meta| ("_meta".to_owned(), meta.clone()));
    let cursor = cursor.map(|cursor| ("cursor".to_owned(), cursor));
    let params: Map<String, Value> = meta.into_iter().chain(cursor).collect();
    let request =
        Request { id: id.clone(), method: "tools/list".to_owned(), params: Some(Value::Object(params)) };
    Step::ToServer(Message::Request(request).line())
}
