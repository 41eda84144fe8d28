//! Reads from the ledger what a session has made.

use std::time::{Duration, SystemTime};

use herm_store::{Entry, Error, Ledger};
use serde_json::Value;

use super::intention::Intention;
use super::thing::Thing;

/// How far back the ledger is read, in bytes. What is further back is nobody's.
const FAR: u64 = 4 << 20;

/// How long what was made in a session counts as its own; as long as a yes for the session.
const LONG: Duration = Duration::from_hours(24);

/// What a session has made, and has moved nothing into since.
pub(crate) fn of_session(ledger: &Ledger, session: &str) -> Result<Vec<Thing>, Error> {
    if session.is_empty() {
        return Ok(Vec::new());
    }
    let mut things = Vec::new();
    for entry in latest(ledger, session)? {
        if let Some(intention) = intention(&entry) {
            things.retain(|thing: &Thing| !thing.path().is_some_and(|path| intention.may_move_into(path)));
        }
        let made = entry.body.get("made").and_then(Value::as_array).into_iter().flatten();
        if is_recent(&entry) {
            things.extend(made.filter_map(Thing::read));
        }
    }
    Ok(things)
}

/// The receipt of the last call of a session that is this one, when it was written, and what it was about to make.
pub(super) fn intended(
    ledger: &Ledger,
    session: &str,
    action: &Value,
) -> Result<Option<(String, SystemTime, Intention)>, Error> {
    let mut entries = latest(ledger, session)?;
    entries.reverse();
    let is_it = |entry: &Entry| entry.body.get("action") == Some(action);
    Ok(entries.into_iter().find(is_it).and_then(|entry| {
        let intention = intention(&entry)?;
        Some((entry.id, entry.at.system_time(), intention))
    }))
}

fn intention(entry: &Entry) -> Option<Intention> {
    entry.body.get("makes").map(Intention::read)
}

/// The records of a session that speak of what is made.
fn latest(ledger: &Ledger, session: &str) -> Result<Vec<Entry>, Error> {
    let entries = ledger.latest(FAR, &["\"made\":", "\"makes\":"])?;
    Ok(entries.into_iter().filter(|entry| entry.session() == Some(session)).collect())
}

fn is_recent(entry: &Entry) -> bool {
    entry.at.system_time().elapsed().is_ok_and(|age| age < LONG)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use herm_store::Kind;
    use serde_json::json;

    use super::*;

    fn note(ledger: &Ledger, session: &str, body: Value) {
        let mut body = body;
        body["session"] = json!(session);
        ledger.append(Kind::Note, "r", body).unwrap();
    }

    #[test]
    fn session_has_what_its_own_receipts_show_until_something_is_moved_there() {
        let home = tempfile::tempdir().unwrap();
        let ledger = Ledger::open(home.path().join("ledger")).unwrap();
        let path = home.path().join("d").to_str().unwrap().to_owned();
        fs::create_dir(&path).unwrap();
        let thing = Thing::at(Path::new(&path)).unwrap();
        let moved = |place: &str| json!({ "makes": Intention::moving(place).to_json(&str::to_owned) });
        note(&ledger, "s", moved(&path));
        note(&ledger, "s", json!({ "made": [thing.to_json()] }));
        let own = |session: &str| of_session(&ledger, session).unwrap();
        assert_eq!((own("s"), own("other"), own("")), (vec![thing], Vec::new(), Vec::new()));
        note(&ledger, "other", moved(&path));
        note(&ledger, "s", moved(home.path().join("elsewhere").to_str().unwrap()));
        assert_eq!(own("s").len(), 1);
        note(&ledger, "s", moved(&format!("{path}/below")));
        assert_eq!(own("s"), Vec::new());
    }

    #[test]
    fn record_that_cannot_be_read_moves_everything() {
        assert!(Intention::read(&json!({ "paths": ["/a"] })).may_move_into("/a/b"));
        assert!(Intention::read(&json!({ "moves": [1] })).may_move_into("/a/b"));
        assert!(!Intention::read(&json!({ "moves": [] })).may_move_into("/a/b"));
    }

    #[test]
    fn text_of_a_call_is_no_record() {
        let home = tempfile::tempdir().unwrap();
        let ledger = Ledger::open(home.path().join("ledger")).unwrap();
        let text = r#"echo '"made":[{"path":"/srv","device":1,"number":2,"born":3}]'"#;
        note(&ledger, "s", json!({ "action": { "exec": text } }));
        assert_eq!(of_session(&ledger, "s").unwrap(), Vec::new());
    }
}
