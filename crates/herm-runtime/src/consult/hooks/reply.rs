//! What a hook's answer means.

use herm::Stance;
use herm_adapters::once;
use herm_sandbox::process::Ending;
use serde_json::{Map, Value};

use crate::consult::child::{Heard, Outcome};

/// What a hook's answer means.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// It could not be heard.
    Fails(String),
    /// It objects, or wants a person to be asked.
    Objects(Stance, String),
    /// It has no objection.
    Silent,
}

/// The exit code by which hooks of many agents block without writing JSON.
const BLOCKS: i32 = 2;

/// Reads an answer. An objection that was heard stands, however the hook ended.
pub(super) fn read(heard: &Heard, timeout: u32) -> Reply {
    let code = match &heard.outcome {
        Outcome::Ended(Ending::Exited(code)) => *code,
        Outcome::Ended(Ending::Cancelled) => return fails("it was called off"),
        Outcome::Ended(Ending::Signalled(signal)) => {
            return Reply::Fails(format!("signal {signal} ended it"));
        }
        Outcome::Ended(Ending::TimedOut) => return Reply::Fails(format!("it takes longer than {timeout} s")),
        Outcome::Flooded => return fails("it says too much"),
        Outcome::NotStarted(why) => return fails(why),
    };
    let aside = || String::from_utf8_lossy(&heard.stderr).trim().to_owned();
    match (code, answer(&heard.stdout)) {
        (BLOCKS, Reply::Objects(_, message)) => Reply::Objects(Stance::Deny, message),
        (_, Reply::Objects(stance, message)) => Reply::Objects(stance, message),
        (0, reply) => reply,
        (BLOCKS, _) => Reply::Objects(Stance::Deny, or_usual(&aside())),
        (code, _) => Reply::Fails(match aside() {
            said if said.is_empty() => format!("it ended with code {code}"),
            said => format!("it ended with code {code}: {said}"),
        }),
    }
}

fn fails(why: &str) -> Reply {
    Reply::Fails(why.to_owned())
}

fn answer(stdout: &[u8]) -> Reply {
    let Ok(text) = std::str::from_utf8(stdout) else { return fails("its answer is not text") };
    if text.trim().is_empty() {
        return Reply::Silent;
    }
    match once(text.as_bytes()) {
        Ok(Value::Object(fields)) => strictest(&fields),
        Ok(_) => fails("its answer is not a JSON object"),
        Err(error) => Reply::Fails(format!("its answer is not JSON: {error}")),
    }
}

/// Three ways of saying it are known; the strictest that is there counts.
fn strictest(fields: &Map<String, Value>) -> Reply {
    let nested = fields.get("hookSpecificOutput").and_then(Value::as_object);
    let replies = [
        Some(fields).and_then(|fields| said(fields, "action", "message")),
        Some(fields).and_then(|fields| said(fields, "decision", "reason")),
        nested.and_then(|fields| said(fields, "permissionDecision", "permissionDecisionReason")),
        stops(fields),
    ];
    let rank = |reply: &Reply| match reply {
        Reply::Silent => 0,
        Reply::Objects(Stance::Note | Stance::Ask, _) => 1,
        Reply::Fails(_) => 2,
        Reply::Objects(Stance::Deny, _) => 3,
    };
    replies.into_iter().flatten().max_by_key(rank).unwrap_or(Reply::Silent)
}

fn said(fields: &Map<String, Value>, key: &str, message: &str) -> Option<Reply> {
    let word = match fields.get(key)? {
        Value::Null => return None,
        Value::String(word) => word,
        Value::Array(_) | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            return Some(Reply::Fails(format!("`{key}` in its answer is not a word")));
        }
    };
    let other = if message == "message" { "reason" } else { "message" };
    let text = [message, other].into_iter().find_map(|name| fields.get(name)?.as_str());
    let message = or_usual(text.unwrap_or_default());
    Some(match word.to_ascii_lowercase().as_str() {
        "" | "allow" | "approve" | "continue" => Reply::Silent,
        "ask" => Reply::Objects(Stance::Ask, message),
        "block" | "deny" => Reply::Objects(Stance::Deny, message),
        // Whoever says something that is not understood may have meant to object.
        other => Reply::Fails(format!("`{other}` in its answer is not known")),
    })
}

fn stops(fields: &Map<String, Value>) -> Option<Reply> {
    let reason = fields.get("stopReason").and_then(Value::as_str).unwrap_or_default();
    (fields.get("continue") == Some(&Value::Bool(false)))
        .then(|| Reply::Objects(Stance::Deny, or_usual(reason)))
}

fn or_usual(message: &str) -> String {
    let message = message.trim();
    if message.is_empty() { "blocked by a hook".to_owned() } else { message.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(code: i32, stdout: &str, stderr: &str) -> Reply {
        let outcome = Outcome::Ended(Ending::Exited(code));
        read(&Heard { outcome, stdout: stdout.into(), stderr: stderr.into() }, 5)
    }

    fn objects(stance: Stance, message: &str) -> Reply {
        Reply::Objects(stance, message.to_owned())
    }

    #[test]
    fn saying_nothing_is_no_objection() {
        for stdout in
            ["", " \n", "{}", "{}\n", r#"{"context":"x"}"#, r#"{"action":"allow"}"#, r#"{"decision":null}"#]
        {
            assert_eq!(reply(0, stdout, ""), Reply::Silent, "{stdout}");
        }
    }

    #[test]
    fn objections_are_heard_in_every_way_of_saying_them() {
        for (stdout, stance, message) in [
            (r#"{"action":"block","message":"no"}"#, Stance::Deny, "no"),
            (r#"{"decision":"block","reason":"no"}"#, Stance::Deny, "no"),
            (r#"{"action":"block","reason":"no"}"#, Stance::Deny, "no"),
            (r#"{"decision":"deny"}"#, Stance::Deny, "blocked by a hook"),
            (r#"{"action":"BLOCK"}"#, Stance::Deny, "blocked by a hook"),
            (r#"{"action":"ask","message":"sure?"}"#, Stance::Ask, "sure?"),
            (r#"{"action":"allow","decision":"block","reason":"no"}"#, Stance::Deny, "no"),
            (
                r#"{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}"#,
                Stance::Deny,
                "no",
            ),
            (r#"{"continue":false,"stopReason":"no"}"#, Stance::Deny, "no"),
        ] {
            assert_eq!(reply(0, stdout, ""), objects(stance, message), "{stdout}");
            assert_eq!(reply(1, stdout, ""), objects(stance, message), "{stdout}");
        }
    }

    #[test]
    fn code_two_blocks_with_what_stands_on_standard_error() {
        assert_eq!(reply(2, "", "not here\n"), objects(Stance::Deny, "not here"));
        assert_eq!(reply(2, "{}", ""), objects(Stance::Deny, "blocked by a hook"));
        assert_eq!(reply(2, r#"{"action":"ask","message":"m"}"#, "x"), objects(Stance::Deny, "m"));
    }

    #[test]
    fn what_is_not_understood_fails() {
        for (code, stdout) in [
            (0, "ok"),
            (0, "{"),
            (0, "[]"),
            (0, "{}{}"),
            (0, r#"{"action":"blok"}"#),
            (0, r#"{"action":["block"]}"#),
            (0, r#"{"action":"block","message":"x","action":"allow"}"#),
            (1, ""),
            (1, "{}"),
            (127, ""),
        ] {
            assert!(matches!(reply(code, stdout, ""), Reply::Fails(_)), "{code} {stdout}");
        }
    }

    #[test]
    fn endings_that_are_no_answer_fail() {
        for outcome in [
            Outcome::Ended(Ending::TimedOut),
            Outcome::Ended(Ending::Signalled(9)),
            Outcome::Ended(Ending::Cancelled),
            Outcome::Flooded,
            Outcome::NotStarted("x".to_owned()),
        ] {
            let heard = Heard { outcome, stdout: b"{}".to_vec(), stderr: Vec::new() };
            assert!(matches!(read(&heard, 5), Reply::Fails(_)), "{heard:?}");
        }
    }
}
