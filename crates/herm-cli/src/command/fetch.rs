//! `herm fetch`

use std::time::Duration;

use clap::ArgMatches;
use herm::Action;
use herm::fetch::Fetch;
use herm_runtime::fetch::{Bounds, Content, Fetched, Missing, NoPage};
use herm_runtime::perform::{Cancel, Undelivered};
use herm_runtime::{Runtime, Setup};
use serde_json::{Value, json};

use super::complain;
use super::run::{Failure, Told, failed, prepare, session, told};
use crate::exit::Exit;
use crate::people::AtHand;
use crate::render::run as render;
use crate::screen;

/// Fetches a page.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    match prepare(matches).and_then(|setup| go(matches, setup)) {
        Ok(exit) => exit,
        Err(failure) => failure.tell(told(matches)),
    }
}

fn go(matches: &ArgMatches, setup: Setup) -> Result<Exit, Failure> {
    let link = matches.get_one::<String>("url").map(String::as_str).unwrap_or_default();
    let mut call = setup.call(Action::Fetch(Fetch::url(link)));
    call.session = session(matches);
    let cancel =
        Cancel::on_signals().map_err(|error| failed(&format!("cannot listen for signals: {error}")))?;
    let mut people = AtHand::new(&setup, &cancel);
    let mut runtime = Runtime::new(setup, &mut people)?;
    let fetched = runtime.fetch(&call, bounds(matches), &cancel);
    Ok(match told(matches) {
        Told::Json => in_json(&fetched),
        Told::Live => in_words(&fetched),
    })
}

fn bounds(matches: &ArgMatches) -> Bounds {
    let usual = Bounds::default();
    let bytes = matches.get_one::<u32>("max-bytes").and_then(|bytes| usize::try_from(*bytes).ok());
    let time = matches.get_one::<u32>("timeout").map(|seconds| Duration::from_secs(u64::from(*seconds)));
    Bounds { bytes: bytes.unwrap_or(usual.bytes), time: time.unwrap_or(usual.time), ..usual }
}

fn in_words(fetched: &Fetched) -> Exit {
    let undelivered = match &fetched.result {
        Ok(Content { text: Some(text), .. }) => screen::print(text),
        Ok(content) => {
            let kind = content.kind.as_deref().unwrap_or("something");
            complain("herm", &format!("it is no text: {} bytes of {kind}", content.bytes));
            None
        }
        Err(missing) => {
            for (who, what) in words(missing) {
                complain(who, &what);
            }
            None
        }
    };
    if fetched.result.as_ref().is_ok_and(|content| content.is_cut) {
        complain("herm", "there was more of it; `--max-bytes` says how much is wanted");
    }
    if let Ok(content) = &fetched.result
        && content.status >= 400
    {
        complain("herm", &format!("the server answered {}", content.status));
    }
    for note in &fetched.consent.notes {
        complain("herm", note);
    }
    delivered(exit(fetched), undelivered)
}

fn in_json(fetched: &Fetched) -> Exit {
    let undelivered = screen::print(&format!("{}\n", json(fetched)));
    delivered(exit(fetched), undelivered)
}

/// What came of a fetch. Every answer has the same keys.
pub(super) fn json(fetched: &Fetched) -> Value {
    let mut answer = json!({
        "receipt": fetched.receipt, "exit_code": code(exit(fetched)),
        "findings": fetched.consent.findings.iter().map(crate::render::json::finding).collect::<Vec<_>>(),
        "notes": fetched.consent.notes, "url": null, "links": [], "status": null, "kind": null, "content": null, "bytes": 0,
        "truncated": false, "rule": null, "error": null,
    });
    let told = match &fetched.result {
        Ok(content) => json!({
            "url": content.links.last(), "links": content.links, "status": content.status, "kind": content.kind,
            "content": content.text, "bytes": content.bytes, "truncated": content.is_cut,
        }),
        Err(missing) => json!({ "error": error(missing), "rule": rule(missing) }),
    };
    if let (Some(answer), Value::Object(told)) = (answer.as_object_mut(), told) {
        answer.extend(told);
    }
    answer
}

/// Why there is no page, and what to do.
pub(super) fn words(missing: &Missing) -> Vec<(&'static str, String)> {
    let instead = match missing {
        Missing::Unreached(NoPage::Refused { objection, .. }) => objection.instead.clone(),
        Missing::Failed(_) | Missing::Refused(_) | Missing::Unreached(NoPage::Failed { .. }) => None,
    };
    match missing {
        Missing::Refused(why) => render::refused(why),
        Missing::Failed(_) | Missing::Unreached(_) => {
            [("herm", error(missing))].into_iter().chain(instead.map(|instead| ("hint", instead))).collect()
        }
    }
}

fn error(missing: &Missing) -> String {
    match missing {
        Missing::Failed(why) => why.clone(),
        Missing::Refused(why) => render::refusal(why),
        Missing::Unreached(no_page) => no_page.to_string(),
    }
}

fn rule(missing: &Missing) -> Option<&str> {
    match missing {
        Missing::Failed(_) | Missing::Unreached(NoPage::Failed { .. }) => None,
        Missing::Refused(why) => why.findings().first().map(|finding| finding.rule),
        Missing::Unreached(NoPage::Refused { objection, .. }) => Some(objection.rule),
    }
}

/// The code that curl has for a server that answers with an error.
const UNWELCOME: u8 = 22;

fn exit(fetched: &Fetched) -> Exit {
    match &fetched.result {
        Ok(content) if content.status >= 400 => Exit::Command(UNWELCOME),
        Ok(_) => Exit::Command(0),
        Err(Missing::Refused(_) | Missing::Unreached(NoPage::Refused { .. })) => Exit::Refused,
        Err(Missing::Failed(_) | Missing::Unreached(NoPage::Failed { .. })) => Exit::Failed,
    }
}

fn code(exit: Exit) -> u8 {
    match exit {
        Exit::Command(code) => code,
        Exit::Refused => 126,
        Exit::Allow | Exit::Ask | Exit::Deny | Exit::Failed | Exit::Usage => 125,
    }
}

/// Success is not claimed where the page did not arrive.
fn delivered(exit: Exit, undelivered: Option<Undelivered>) -> Exit {
    match undelivered {
        None => exit,
        Some(Undelivered::Failed(why)) => {
            complain("herm", &format!("the page could not be written: {why}"));
            Exit::Failed
        }
        Some(Undelivered::Gone) => Exit::Command(128 + 13),
    }
}
