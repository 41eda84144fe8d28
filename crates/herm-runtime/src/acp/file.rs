//! Files that an agent has read and written by the editor.

use std::sync::Arc;

use herm::call::{Action, Call};
use herm_adapters::acp::{Diff, Wish};
use serde_json::json;

use super::calls::of_action;
use super::editor::{About, Editor, Sheet};
use super::lead::Lead;
use super::matter::Matter;
use super::now::Now;
use super::permit::unseen;
use super::wish::{Bench, No, Objection, Turned, confirmed, foreseen, release};
use crate::runtime::{Besides, Runtime};

/// Whether a file may be read.
pub(super) fn read(bench: &Bench, wish: &Wish, path: &str) -> Result<Lead, Turned> {
    let about = service(bench, wish, "read", json!({"path": path}));
    settle(bench, wish, Action::Read(path.to_owned()), about, None)
}

/// Whether a file may be written. Unless its content was seen before, it is shown first.
pub(super) fn write(bench: &Bench, wish: &Wish, path: &str, content: &str) -> Result<Lead, Turned> {
    let about = service(bench, wish, "edit", json!({"path": path}));
    settle(bench, wish, Action::Write(path.to_owned()), about, Some(content))
}

pub(super) fn service(bench: &Bench, wish: &Wish, kind: &'static str, input: serde_json::Value) -> About {
    let call = format!("herm-{}-{}", wish.ticket.id.value(), bench.desk.number());
    About::Service { session: wish.session.clone(), call, kind, input }
}

fn settle(
    bench: &Bench,
    wish: &Wish,
    action: Action,
    about: About,
    content: Option<&str>,
) -> Result<Lead, Turned> {
    let lead = Lead::follow(action.text(), &wish.place);
    let lead =
        lead.map_err(|why| Turned::because(&format!("`{}` cannot be opened: {why}", action.text())))?;
    let setup = bench.setup(wish)?;
    let (seconds, is_guarded) = (setup.policy.timeout, setup.policy.broker.is_some());
    let asks_nobody = setup.policy.asks_nobody();
    let call = of_action(&bench.desk, &setup, &wish.session, &wish.ticket.id.value().to_string(), action);
    let editor = Editor::new(
        Arc::clone(&bench.desk),
        bench.pump.clone(),
        Arc::clone(&bench.cancel),
        Sheet::new(about, Matter::default()),
    );
    let mut people = bench.desk.face.people(&setup, &bench.cancel, editor.clone());
    let mut runtime = Runtime::new(setup, &mut *people).map_err(|problem| Turned::unjudged(&problem))?;
    let now = Now::of(&runtime, &call, lead.path());
    let is_seen =
        |content: &str| bench.desk.approved().take_edit(&wish.session, call.action.text(), content, &now);
    let unseen =
        content.filter(|content| !asks_nobody && !is_seen(content)).map(|content| unseen(content.as_bytes()));
    let besides = Besides { anyway: unseen.into_iter().collect(), otherwise: None };
    let calls = calls(call, &lead);
    prepare(bench, &editor, &runtime, (&calls, &besides), content.map(|content| (now.text(), content)));
    let asks_besides = !besides.anyway.is_empty();
    if !is_guarded {
        runtime.besides = besides;
    }
    let confirm = || {
        if is_guarded && asks_besides {
            confirmed(&editor, seconds)?;
        }
        // Somebody may have taken their time to answer.
        lead.objection().map_or(Ok(()), |why| Err(Objection::Moved(why)))
    };
    let released = release(&mut runtime, calls, &bench.cancel, confirm);
    editor.shut(released.is_ok());
    match released {
        Ok(()) => Ok(lead),
        Err(No::Refused(reply)) => Err(Turned::refused(bench, &reply)),
        Err(No::Unconfirmed(objection)) => Err(Turned::because(&objection.refusal())),
    }
}

/// The file by the name that the agent has for it, and by that of what it leads to: both must be allowed.
fn calls(call: Call, lead: &Lead) -> Vec<Call> {
    let path = lead.path().to_owned();
    let action = match &call.action {
        Action::Write(_) => Action::Write(path),
        Action::Edit(_) | Action::Exec(_) | Action::Fetch(_) | Action::Read(_) | Action::Tool(_) => {
            Action::Read(path)
        }
    };
    let beneath = (call.action.text() != lead.path()).then(|| Call { action, ..call.clone() });
    std::iter::once(call).chain(beneath).collect()
}

fn prepare(
    bench: &Bench,
    editor: &Editor,
    runtime: &Runtime<'_>,
    (calls, besides): (&[Call], &Besides),
    change: Option<(Option<&str>, &str)>,
) {
    let matter = foreseen(bench, runtime, calls, besides);
    let mut sheet = editor.sheet();
    sheet.is_once = !besides.anyway.is_empty();
    sheet.matter = matter;
    let diff = |(old, new): (Option<&str>, &str)| Diff {
        path: calls.first().map(|call| call.action.text().to_owned()).unwrap_or_default(),
        old: old.map(str::to_owned),
        new: new.to_owned(),
    };
    sheet.diffs = change.map(diff).into_iter().collect();
}
