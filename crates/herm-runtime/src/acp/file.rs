//! Files that an agent has read and written by the editor.

use std::sync::Arc;

use herm::call::{Action, Call};
use herm_adapters::acp::{Diff, Wish};
use serde_json::json;

use super::calls::of_action;
use super::editor::{About, Editor, Sheet};
use super::matter::Matter;
use super::now::Now;
use super::permit::unseen;
use super::wish::{Bench, Turned, confirmed, foreseen, release};
use crate::runtime::{Besides, Runtime};

/// Whether a file may be read.
pub(super) fn read(bench: &Bench, wish: &Wish, path: &str) -> Result<(), Turned> {
    let about = service(bench, wish, "read", json!({"path": path}));
    settle(bench, wish, Action::Read(path.to_owned()), about, None)
}

/// Whether a file may be written. Unless its content was seen before, it is shown first.
pub(super) fn write(bench: &Bench, wish: &Wish, path: &str, content: &str) -> Result<(), Turned> {
    let about = service(bench, wish, "edit", json!({"path": path}));
    settle(bench, wish, Action::Write(path.to_owned()), about, Some(content))
}

pub(super) fn service(bench: &Bench, wish: &Wish, kind: &'static str, input: serde_json::Value) -> About {
    let call = format!("herm-{}-{}", wish.id.value(), bench.desk.number());
    About::Service { session: wish.session.clone(), call, kind, input }
}

fn settle(
    bench: &Bench,
    wish: &Wish,
    action: Action,
    about: About,
    content: Option<&str>,
) -> Result<(), Turned> {
    let setup = bench.setup(wish)?;
    let (seconds, is_guarded) = (setup.policy.timeout, setup.policy.broker.is_some());
    let asks_nobody = setup.policy.asks_nobody();
    let call = of_action(&bench.desk, &setup, &wish.session, &wish.id.value().to_string(), action);
    let editor = Editor::new(
        Arc::clone(&bench.desk),
        bench.pump.clone(),
        Arc::clone(&bench.cancel),
        Sheet::new(about, Matter::default()),
    );
    let mut people = bench.desk.face.people(&setup, &bench.cancel, editor.clone());
    let mut runtime = Runtime::new(setup, &mut *people).map_err(|problem| Turned::unjudged(&problem))?;
    let now = Now::of(&runtime, &call, call.action.text());
    let is_seen =
        |content: &str| bench.desk.approved().take_edit(&wish.session, call.action.text(), content, &now);
    let unseen =
        content.filter(|content| !asks_nobody && !is_seen(content)).map(|content| unseen(content.as_bytes()));
    let besides = Besides { anyway: unseen.into_iter().collect(), otherwise: None };
    prepare(bench, &editor, &runtime, (&call, &besides), content.map(|content| (now.text(), content)));
    let asks_besides = !besides.anyway.is_empty();
    if !is_guarded {
        runtime.besides = besides;
    }
    let released = release(&mut runtime, vec![call], &bench.cancel);
    let is_confirmed = released.is_err() || !(is_guarded && asks_besides) || confirmed(&editor, seconds);
    editor.shut(released.is_ok() && is_confirmed);
    released.map_err(|reply| Turned::refused(bench, &reply))?;
    if is_confirmed { Ok(()) } else { Err(Turned::because("refused: the user denied this")) }
}

fn prepare(
    bench: &Bench,
    editor: &Editor,
    runtime: &Runtime<'_>,
    (call, besides): (&Call, &Besides),
    change: Option<(Option<&str>, &str)>,
) {
    let matter = foreseen(bench, runtime, std::slice::from_ref(call), besides);
    let mut sheet = editor.sheet();
    sheet.is_once = !besides.anyway.is_empty();
    sheet.matter = matter;
    let diff = |(old, new): (Option<&str>, &str)| Diff {
        path: call.action.text().to_owned(),
        old: old.map(str::to_owned),
        new: new.to_owned(),
    };
    sheet.diffs = change.map(diff).into_iter().collect();
}
