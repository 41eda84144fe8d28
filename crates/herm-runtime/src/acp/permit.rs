//! A permission that an agent asks its person for.

use std::sync::Arc;
use std::time::{Duration, Instant};

use herm::call::{Action, Call};
use herm::rules::consult::{AGENT_ASKS, UNSEEN_EDIT};
use herm::{Finding, Stance};
use herm_adapters::Use;
use herm_adapters::acp::{Diff, Meaning, Permission, Wish, proposed};
use herm_store::Digest;
use serde_json::{Value, json};

use super::calls::of_tool;
use super::editor::{About, Editor, Sheet};
use super::matter::Matter;
use super::now::Now;
use super::pump::Event;
use super::wish::{Bench, No, Turned, confirmed, foreseen, release};
use crate::consult::finding;
use crate::runtime::{Besides, Runtime};
use crate::setup::Setup;

/// The outcome that the agent is told.
pub(super) fn decide(bench: &Bench, wish: &Wish, permission: &Permission) -> Result<Value, Turned> {
    let setup = bench.setup(wish)?;
    let meaning = permission.tool.meaning(bench.desk.terms.agent);
    let seconds = setup.policy.timeout;
    let calls = of_tool(&bench.desk, &setup, &wish.session, &permission.tool, meaning.uses.clone());
    let calls = calls
        .map_err(|error| Turned::because(&format!("the directory that it names cannot be used: {error}")))?;
    // There is nothing to judge, be it that a sheet that is shown has nothing run: the person is asked as the agent has it.
    if calls.is_empty() {
        let matter = Matter {
            title: Some(permission.tool.title.clone()),
            cwd: setup.cwd.to_string(),
            is_clear: true,
            ..Matter::default()
        };
        let editor = editor(bench, Sheet::new(About::Permission(Box::new(permission.clone())), matter));
        return Ok(outcome(editor.pass_on(Instant::now() + Duration::from_secs(seconds.into())), None));
    }
    let besides = besides(bench, &setup, permission, &meaning);
    settle(bench, wish, permission, (setup, calls, besides, &meaning))
}

fn settle(
    bench: &Bench,
    wish: &Wish,
    permission: &Permission,
    (setup, calls, besides, meaning): (Setup, Vec<Call>, Besides, &Meaning),
) -> Result<Value, Turned> {
    let seconds = setup.policy.timeout;
    let is_guarded = setup.policy.broker.is_some();
    let editor =
        editor(bench, Sheet::new(About::Permission(Box::new(permission.clone())), Matter::default()));
    let mut people = bench.desk.face.people(&setup, &bench.cancel, editor.clone());
    let mut runtime = Runtime::new(setup, &mut *people).map_err(|problem| Turned::unjudged(&problem))?;
    prepare(bench, &editor, &runtime, &calls, (permission, meaning, &besides));
    let asks_besides = !besides.anyway.is_empty() || besides.otherwise.is_some();
    if !is_guarded {
        runtime.besides = besides;
    }
    let confirm = || if is_guarded && asks_besides { confirmed(&editor, seconds) } else { Ok(()) };
    let done = release(&mut runtime, calls, &bench.cancel, confirm).map_err(|no| match no {
        No::Refused(reply) => bench.desk.face.refusal(&reply),
        No::Unconfirmed(objection) => format!("herm: {}", objection.refusal()),
    });
    Ok(match done {
        Ok(()) => {
            remember(bench, wish, permission, &editor);
            outcome(editor.told(true), None)
        }
        Err(words) => {
            bench.say(Event::Refused {
                session: wish.session.clone(),
                call: permission.tool.id.clone(),
                text: words.clone(),
            });
            bench.desk.face.note(&words);
            outcome(editor.told(false), Some(&words))
        }
    })
}

fn editor(bench: &Bench, sheet: Sheet) -> Editor {
    Editor::new(Arc::clone(&bench.desk), bench.pump.clone(), Arc::clone(&bench.cancel), sheet)
}

/// What is shown, should anybody be asked.
fn prepare(
    bench: &Bench,
    editor: &Editor,
    runtime: &Runtime<'_>,
    calls: &[Call],
    (permission, meaning, besides): (&Permission, &Meaning, &Besides),
) {
    let matter = foreseen(bench, runtime, calls, besides);
    let title = Some(runtime.redact(&permission.tool.title));
    let mut sheet = editor.sheet();
    // A yes that lasts would be to whatever the agent calls the same.
    let is_nameless = permission.tool.name.is_none() && meaning.uses.contains(&Use::Unknown);
    sheet.is_once = !meaning.is_clear || is_nameless || !besides.anyway.is_empty();
    sheet.matter = Matter { title, is_clear: meaning.is_clear, ..matter };
    if permission.tool.diffs.is_empty() {
        sheet.diffs =
            calls.iter().filter_map(|call| worked_out(runtime, call, &permission.tool.input)).collect();
    }
}

/// The change that a tool would make to a file, where the agent does not show it.
fn worked_out(runtime: &Runtime<'_>, call: &Call, input: &Value) -> Option<Diff> {
    let Action::Write(path) = &call.action else { return None };
    let path = if path.starts_with('/') { path.clone() } else { format!("{}/{path}", call.cwd) };
    proposed(input, &path, Now::of(runtime, call, &path).text())
}

/// What is asked besides what rules mind.
fn besides(bench: &Bench, setup: &Setup, permission: &Permission, meaning: &Meaning) -> Besides {
    let asks = |reason: String| finding(&AGENT_ASKS, Stance::Ask, reason, "");
    if !meaning.is_clear {
        let reason = "does not say what it would do, and what the agent calls it need not be true".to_owned();
        return Besides { anyway: vec![Finding { gap: true, ..asks(reason) }], otherwise: None };
    }
    if setup.policy.asks_nobody() {
        return Besides::default();
    }
    if meaning.uses.iter().any(|one| matches!(one, Use::Write(_))) {
        let content = format!("{}{:?}", permission.tool.input, permission.tool.diffs);
        return Besides { anyway: vec![unseen(content.as_bytes())], otherwise: None };
    }
    let reason = "is something that the agent wants to have asked about".to_owned();
    Besides { anyway: Vec::new(), otherwise: (!bench.desk.terms.allow_unasked).then(|| asks(reason)) }
}

/// A change that nobody has seen. What it is stands in the reason, so that no answer to another one serves for it.
pub(super) fn unseen(content: &[u8]) -> Finding {
    let digest = Digest::of(content).to_string();
    let short = digest.get(..12).unwrap_or(&digest);
    finding(
        &UNSEEN_EDIT,
        Stance::Ask,
        format!("changes a file, which is to be seen first (change {short})"),
        "",
    )
}

/// What the agent may have written by the editor next was seen and said yes to.
fn remember(bench: &Bench, wish: &Wish, permission: &Permission, editor: &Editor) {
    let sheet = editor.sheet();
    let diffs = permission.tool.diffs.iter().chain(&sheet.diffs).cloned().collect();
    bench.desk.approved().edits(&wish.session, diffs);
}

/// How the agent is answered. Where it has no option for it, it is told that nothing was chosen.
fn outcome(option: Option<String>, why: Option<&str>) -> Value {
    let mut told = match option {
        Some(option) => json!({"outcome": {"outcome": "selected", "optionId": option}}),
        None => json!({"outcome": {"outcome": "cancelled"}}),
    };
    if let (Some(why), Some(fields)) = (why, told.as_object_mut()) {
        fields.insert("_meta".to_owned(), json!({"herm": {"refused": why}}));
    }
    told
}
