//! What an agent tells an editor, as calls that can be decided about.

use herm::Action;
use herm::call::{Call, CallId, Door};
use herm::path::NotAbsolute;
use herm_adapters::acp::Tool;
use herm_adapters::{Event, Phase, Use};

use super::desk::Desk;
use crate::incoming;
use crate::setup::Setup;

/// The calls that a tool comes to, as its hook would have them.
pub(super) fn of_tool(
    desk: &Desk,
    setup: &Setup,
    session: &str,
    tool: &Tool,
    uses: Vec<Use>,
) -> Result<Vec<Call>, NotAbsolute> {
    let named = tool.name.clone().unwrap_or_else(|| tool.title.clone());
    let event = Event {
        phase: Phase::Before,
        name: String::new(),
        session: Some(session.to_owned()),
        cwd: None,
        id: Some(tool.id.clone()),
        tool: named,
        input: tool.input.clone(),
        uses,
        result: None,
        failed: false,
        unasked: false,
    };
    let calls = incoming::calls_of(setup, desk.terms.agent, &event)?;
    let session = desk.session(session);
    Ok(calls.into_iter().map(|call| Call { door: Door::Acp, session: session.clone(), ..call }).collect())
}

/// A call about something that the agent asks the editor for.
pub(super) fn of_action(desk: &Desk, setup: &Setup, session: &str, id: &str, action: Action) -> Call {
    Call { id: CallId(id.to_owned()), door: Door::Acp, session: desk.session(session), ..setup.call(action) }
}
