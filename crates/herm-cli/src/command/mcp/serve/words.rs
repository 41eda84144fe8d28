//! What a client is told: as text for a model, and as data.

use herm_runtime::adapters::mcp::serve::Outcome as Told;
use herm_runtime::fetch::Fetched;
use herm_runtime::filing::{Excerpt, Filed, Touched, Unfiled};
use herm_runtime::{Consent, Outcome, Reply};
use serde_json::{Value, json};

use crate::command::fetch;
use crate::render::json::finding;
use crate::render::run::{self, Whereabouts};

/// What came of a command.
pub(super) fn ran(reply: &Reply, whereabouts: &Whereabouts, directory: Option<&str>) -> Told {
    let mut data = run::json(reply, whereabouts);
    set(&mut data, "cwd", json!(directory));
    let said = run::words(reply).into_iter().map(|(who, what)| format!("{who}: {what}"));
    let Outcome::Done(done) = &reply.outcome else {
        return Told::Failed(said.collect::<Vec<_>>().join("\n"), data);
    };
    let (stdout, stderr) = done.told();
    let code = done.exit_code();
    let mut parts = vec![stdout.text.trim_end().to_owned()];
    parts.extend((!stderr.text.is_empty()).then(|| format!("stderr:\n{}", stderr.text.trim_end())));
    parts.extend((code != 0).then(|| format!("exit code {code} ({})", done.ending_word())));
    parts.extend(done.is_truncated().then(|| "herm: not all of the output is shown".to_owned()));
    parts.extend(said);
    parts.retain(|part| !part.is_empty());
    let text = if parts.is_empty() { "(no output)".to_owned() } else { parts.join("\n") };
    Told::Done(text, data)
}

/// What came of a fetch.
pub(super) fn fetched(fetched: &Fetched) -> Told {
    let data = fetch::json(fetched);
    match &fetched.result {
        Ok(content) => {
            let kind = content.kind.as_deref().unwrap_or("something");
            let text = content
                .text
                .clone()
                .unwrap_or_else(|| format!("herm: it is no text: {} bytes of {kind}", content.bytes));
            let status =
                (content.status >= 400).then(|| format!("herm: the server answered {}\n", content.status));
            let cut = if content.is_cut { "\nherm: there was more of it" } else { "" };
            Told::Done(format!("{}{text}{cut}", status.unwrap_or_default()), data)
        }
        Err(missing) => {
            let said = fetch::words(missing).into_iter().map(|(who, what)| format!("{who}: {what}"));
            Told::Failed(said.collect::<Vec<_>>().join("\n"), data)
        }
    }
}

/// What was read.
pub(super) fn read(filed: &Filed<Excerpt>) -> Told {
    told(filed, |excerpt| {
        let data = json!({
            "path": excerpt.path, "content": excerpt.text, "first_line": excerpt.first, "shown_lines": excerpt.shown,
            "total_lines": excerpt.lines, "bytes": excerpt.bytes, "truncated": excerpt.is_cut,
        });
        let Some(text) = &excerpt.text else {
            return (format!("herm: it is no text: {} bytes", excerpt.bytes), data);
        };
        let last = (excerpt.first + excerpt.shown).saturating_sub(1);
        let more = format!(
            "\nherm: lines {} to {last} of {}; `offset` says where to go on",
            excerpt.first, excerpt.lines
        );
        (format!("{text}{}", if excerpt.is_cut { more.as_str() } else { "" }), data)
    })
}

/// What was changed.
pub(super) fn edited(filed: &Filed<Vec<Touched>>) -> Told {
    told(filed, |touched| {
        let changed: Vec<_> = touched
            .iter()
            .map(|one| json!({ "path": one.path, "how": one.how, "bytes": one.bytes }))
            .collect();
        let lines: Vec<_> = touched.iter().map(|one| format!("{} {}", one.how, one.path)).collect();
        let text = if lines.is_empty() { "nothing is different".to_owned() } else { lines.join("\n") };
        (text, json!({ "files": changed }))
    })
}

fn told<T>(filed: &Filed<T>, done: impl FnOnce(&T) -> (String, Value)) -> Told {
    let (mut text, mut data, is_done) = match &filed.result {
        Ok(result) => {
            let (text, data) = done(result);
            (text, data, true)
        }
        Err(Unfiled::Failed(why)) => (format!("herm: {why}"), json!({ "error": why }), false),
        Err(Unfiled::Refused(why)) => {
            let said = run::refused(why).into_iter().map(|(who, what)| format!("{who}: {what}"));
            (
                said.collect::<Vec<_>>().join("\n"),
                json!({ "error": run::refusal(why), "refused": why.word() }),
                false,
            )
        }
    };
    let Consent { findings, notes, .. } = &filed.consent;
    set(&mut data, "receipt", json!(filed.receipt));
    set(&mut data, "notes", json!(notes));
    set(&mut data, "findings", findings.iter().map(finding).collect());
    text.extend(notes.iter().map(|note| format!("\nherm: {note}")));
    if is_done { Told::Done(text, data) } else { Told::Failed(text, data) }
}

/// What could not even be judged.
pub(super) fn failed(why: &str) -> Told {
    Told::Failed(why.to_owned(), json!({ "error": why }))
}

/// The same for Claude Code, which takes nothing else for a no.
pub(super) fn forbidden(outcome: Told) -> Told {
    match outcome {
        Told::Failed(why, _) | Told::Done(why, _) | Told::Misused(why) => Told::Forbidden(why),
        outcome @ (Told::Approved(_) | Told::Forbidden(_)) => outcome,
    }
}

fn set(data: &mut Value, key: &str, value: Value) {
    if let Some(fields) = data.as_object_mut() {
        fields.insert(key.to_owned(), value);
    }
}
