//! Files that the editor opens for the agent.

use herm_adapters::acp::{Kind, Tool, Wish};
use herm_adapters::jsonrpc::{Failure, INTERNAL, Id, Message, Response};
use serde_json::{Value, json};

use super::Pump;
use crate::acp::Ended;
use crate::acp::lead::Lead;
use crate::cleanse::cleansed;

impl Pump {
    /// Tells the editor which file to open: where the path leads that the agent named.
    pub(super) fn pass(&mut self, wish: &Wish, lead: Lead) -> Option<Ended> {
        let is_the_same = wish.what.path() == Some(lead.told());
        let line = if is_the_same { self.proxy.pass(wish) } else { self.proxy.pass_to(wish, lead.told()) };
        let line = line?;
        self.leads.insert(wish.ticket.id.clone(), (wish.session.clone(), wish.place.clone(), lead));
        self.tell_editor(&line)
    }

    /// What the editor read for the agent, without its secrets. What cannot be looked through is not told, nor what was read elsewhere.
    pub(super) fn read(&mut self, response: Response) -> Option<Ended> {
        let lead = response.id.as_ref().and_then(|id| self.leads.remove(id));
        let moved = lead.and_then(|(.., lead)| lead.objection());
        if let Some(why) = moved {
            self.note(&format!("what the editor read was withheld: {why}"));
        }
        let clean = |result: &Value| {
            let setup = crate::Setup::new(self.desk.terms.wishes.clone())?;
            Ok::<_, crate::setup::Problem>(cleansed(&setup, result)?.unwrap_or_else(|| result.clone()))
        };
        let outcome = match (&response.outcome, moved) {
            (Ok(_), Some(why)) => Err(Failure::new(INTERNAL, format!("herm: it was not read: {why}"))),
            (Ok(result), None) => {
                clean(result).map_err(|problem| Failure::new(INTERNAL, format!("herm: {problem}")))
            }
            (Err(failure), _) => Err(failure.clone()),
        };
        self.tell_agent(&Message::Response(Response { outcome, ..response }).line())
    }

    /// The editor has written. Where it wrote elsewhere than was judged, that is recorded as something that nobody was asked about.
    pub(super) fn wrote(&mut self, id: &Id, line: &[u8]) -> Option<Ended> {
        let lead = self.leads.remove(id);
        let moved =
            lead.and_then(|(session, place, lead)| lead.objection().map(|why| (session, place, lead, why)));
        if let Some((session, place, lead, why)) = moved {
            let now = lead.now();
            self.note(&format!(
                "the editor may have written `{now}` in the place of `{}`: {why}",
                lead.path()
            ));
            let tool = Tool {
                id: format!("herm-{}", self.desk.number()),
                title: "written in the place of another file".to_owned(),
                name: None,
                kind: Kind::Edit,
                input: json!({ "path": now }),
                diffs: Vec::new(),
                locations: Vec::new(),
            };
            self.saw((session, Some(place), Box::new(tool)));
        }
        self.tell_agent(line)
    }
}
