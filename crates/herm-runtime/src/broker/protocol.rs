//! What is said over the broker's socket: one JSON object a line.

use std::io::{self, BufRead, Read, Write};

use herm::approval::Answer;
use herm_store::Kind;
use serde_json::{Value, json};

use crate::asked::Asked;
use crate::books::Memory;

/// The longest line that is read: a record is the longest thing that is said.
const LONGEST: u64 = 16 << 20;

/// What a client says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// Answers a question.
    Answer {
        /// Which.
        id: String,
        /// With what.
        answer: Answer,
    },
    /// Writes a record.
    Append {
        /// What it tells.
        kind: Kind,
        /// The receipt that it belongs to.
        receipt: String,
        /// The rest.
        body: Value,
    },
    /// Asks, and waits on this connection.
    Ask {
        /// What.
        asked: Box<Asked>,
        /// For how many seconds.
        seconds: u32,
    },
    /// Wants to know whether a hook may run.
    Consented {
        /// Its command.
        command: String,
        /// The digest of its files.
        digest: String,
    },
    /// Takes an answer that came too late.
    Late {
        /// The session that asked.
        session: String,
        /// The digest of what was asked.
        digest: String,
    },
    /// Lists what waits, the oldest first.
    List {
        /// Those whose names begin like this.
        beginning: String,
        /// At most so many.
        most: Option<u32>,
    },
    /// Wants to know what a session remembers.
    Memory(String),
    /// Waits on this connection for what was asked on another: the broker there has gone.
    Resume(String),
    /// The person at the asking terminal answered.
    Settle(Answer),
    /// Uses grants up.
    Spend {
        /// Those of this session.
        session: String,
        /// Which.
        grants: Vec<String>,
    },
}

/// What the broker says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Response {
    /// The question is answered: by this answer, from this one.
    Answered(Answer, String),
    /// Whether the hook may run; nothing if nobody was asked.
    Consent(Option<bool>),
    /// It is done.
    Done,
    /// The question is no longer there.
    Gone,
    /// What waits.
    Questions(Vec<Asked>),
    /// It may not be done, and why.
    Refused(String),
    /// What the session remembers.
    Remembered(Box<Memory>),
    /// Nobody answered in time.
    Silence,
    /// The question waits, under this name.
    Waiting(String),
    /// This answer holds.
    Won,
}

impl Request {
    fn to_json(&self) -> Value {
        match self {
            Self::Answer { id, answer } => json!({ "do": "answer", "id": id, "answer": answer.word() }),
            Self::Append { kind, receipt, body } => {
                json!({ "do": "append", "kind": kind.word(), "receipt": receipt, "body": body })
            }
            Self::Ask { asked, seconds } => {
                json!({ "do": "ask", "question": asked.to_json(), "seconds": seconds })
            }
            Self::Consented { command, digest } => {
                json!({ "do": "consented", "command": command, "digest": digest })
            }
            Self::Late { session, digest } => json!({ "do": "late", "session": session, "digest": digest }),
            Self::List { beginning, most } => json!({ "do": "list", "beginning": beginning, "most": most }),
            Self::Memory(session) => json!({ "do": "memory", "session": session }),
            Self::Resume(id) => json!({ "do": "resume", "id": id }),
            Self::Settle(answer) => json!({ "do": "settle", "answer": answer.word() }),
            Self::Spend { session, grants } => json!({ "do": "spend", "session": session, "grants": grants }),
        }
    }

    fn from_json(value: &Value) -> Option<Self> {
        match value.get("do")?.as_str()? {
            "answer" => Some(Self::Answer { id: text(value, "id")?, answer: answer(value)? }),
            "append" => Some(Self::Append {
                kind: Kind::parse(value.get("kind")?.as_str()?)?,
                receipt: text(value, "receipt")?,
                body: value.get("body")?.clone(),
            }),
            "ask" => Some(Self::Ask {
                asked: Box::new(Asked::from_json(value.get("question")?)?),
                seconds: u32::try_from(value.get("seconds")?.as_u64()?).ok()?,
            }),
            "consented" => {
                Some(Self::Consented { command: text(value, "command")?, digest: text(value, "digest")? })
            }
            "late" => Some(Self::Late { session: text(value, "session")?, digest: text(value, "digest")? }),
            "list" => Some(Self::List {
                beginning: text(value, "beginning").unwrap_or_default(),
                most: value.get("most").and_then(Value::as_u64).and_then(|most| u32::try_from(most).ok()),
            }),
            "memory" => Some(Self::Memory(text(value, "session")?)),
            "resume" => Some(Self::Resume(text(value, "id")?)),
            "settle" => Some(Self::Settle(answer(value)?)),
            "spend" => {
                Some(Self::Spend { session: text(value, "session")?, grants: texts(value.get("grants")?)? })
            }
            _ => None,
        }
    }
}

impl Response {
    fn to_json(&self) -> Value {
        match self {
            Self::Answered(answer, by) => json!({ "is": "answered", "answer": answer.word(), "by": by }),
            Self::Consent(allowed) => json!({ "is": "consent", "allowed": allowed }),
            Self::Done => json!({ "is": "done" }),
            Self::Gone => json!({ "is": "gone" }),
            Self::Questions(list) => {
                json!({ "is": "questions", "questions": list.iter().map(Asked::to_json).collect::<Vec<_>>() })
            }
            Self::Refused(why) => json!({ "is": "refused", "why": why }),
            Self::Remembered(memory) => json!({ "is": "remembered", "memory": memory.to_json() }),
            Self::Silence => json!({ "is": "silence" }),
            Self::Waiting(id) => json!({ "is": "waiting", "id": id }),
            Self::Won => json!({ "is": "won" }),
        }
    }

    fn from_json(value: &Value) -> Option<Self> {
        match value.get("is")?.as_str()? {
            "answered" => Some(Self::Answered(answer(value)?, text(value, "by")?)),
            "consent" => Some(Self::Consent(value.get("allowed").and_then(Value::as_bool))),
            "done" => Some(Self::Done),
            "gone" => Some(Self::Gone),
            "questions" => {
                let list = value.get("questions")?.as_array()?.iter().map(Asked::from_json);
                list.collect::<Option<_>>().map(Self::Questions)
            }
            "refused" => Some(Self::Refused(text(value, "why")?)),
            "remembered" => {
                Memory::from_json(value.get("memory")?).map(|memory| Self::Remembered(Box::new(memory)))
            }
            "silence" => Some(Self::Silence),
            "waiting" => Some(Self::Waiting(text(value, "id")?)),
            "won" => Some(Self::Won),
            _ => None,
        }
    }
}

fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key)?.as_str().map(str::to_owned)
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}

fn answer(value: &Value) -> Option<Answer> {
    Answer::from_word(value.get("answer")?.as_str()?)
}

pub(crate) fn send_request(to: &mut impl Write, request: &Request) -> io::Result<()> {
    send(to, &request.to_json())
}

pub(crate) fn send_response(to: &mut impl Write, response: &Response) -> io::Result<()> {
    send(to, &response.to_json())
}

/// The next request; nothing when the other side has gone.
pub(crate) fn read_request(from: &mut impl BufRead) -> io::Result<Option<Request>> {
    receive(from, Request::from_json)
}

/// The next response; nothing when the other side has gone.
pub(crate) fn read_response(from: &mut impl BufRead) -> io::Result<Option<Response>> {
    receive(from, Response::from_json)
}

fn send(to: &mut impl Write, value: &Value) -> io::Result<()> {
    // One write, so that two threads on one connection cannot mix their lines.
    to.write_all(format!("{value}\n").as_bytes())
}

fn receive<T>(from: &mut impl BufRead, read: impl Fn(&Value) -> Option<T>) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    if from.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    let understood = serde_json::from_slice(&line).ok().and_then(|value| read(&value));
    understood
        .map(Some)
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "not a message of the broker"))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use herm::approval::{Deed, Denial, Grant, Scope, Terms};

    use super::*;
    use crate::asked::{Mention, Trying};
    use crate::books::Follows;

    fn asked() -> Asked {
        Asked {
            id: "q1".to_owned(),
            session: "s".to_owned(),
            command: "rm -rf build".to_owned(),
            cwd: "/srv/app".to_owned(),
            digest: "00".to_owned(),
            mentions: vec![Mention {
                rule: "recursive-delete".to_owned(),
                title: "recursive delete".to_owned(),
                reason: "deletes `build`".to_owned(),
                instead: None,
                span: Some((0, 12)),
            }],
            always: true,
            follows: Follows::of_hook("h", "00"),
            trying: Trying::Offered,
        }
    }

    fn memory() -> Memory {
        let expires = Some(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
        let grant = |scope| Grant {
            id: "g".to_owned(),
            scope,
            terms: Terms { session: None, expires, uses: Some(2) },
        };
        let exact = Scope::Exact { rule: "reboot".to_owned(), action: "00".to_owned() };
        let deed = Deed::from_words("delete", "path", "/srv/app/build", "");
        Memory {
            grants: vec![grant(Scope::Entry("ls".to_owned())), grant(exact)],
            denials: vec![Denial {
                deeds: deed.into_iter().collect(),
                action: "00".to_owned(),
                shown: "rm -rf build".to_owned(),
            }],
        }
    }

    #[test]
    fn requests_are_read_back_as_they_were_sent() {
        for request in [
            Request::Answer { id: "q1".to_owned(), answer: Answer::Session },
            Request::Ask { asked: Box::new(asked()), seconds: 60 },
            Request::Append { kind: Kind::Intent, receipt: "r".to_owned(), body: json!({ "a": [1] }) },
            Request::Consented { command: "h".to_owned(), digest: "00".to_owned() },
            Request::Late { session: "s".to_owned(), digest: "00".to_owned() },
            Request::List { beginning: String::new(), most: None },
            Request::List { beginning: "4f".to_owned(), most: Some(2) },
            Request::Memory("s".to_owned()),
            Request::Spend { session: "s".to_owned(), grants: vec!["g".to_owned()] },
            Request::Resume("q1".to_owned()),
            Request::Settle(Answer::Deny),
        ] {
            let mut line = Vec::new();
            send_request(&mut line, &request).unwrap();
            assert_eq!(read_request(&mut line.as_slice()).unwrap(), Some(request));
        }
    }

    #[test]
    fn responses_are_read_back_as_they_were_sent() {
        for response in [
            Response::Answered(Answer::Once, "ann".to_owned()),
            Response::Consent(Some(false)),
            Response::Consent(None),
            Response::Done,
            Response::Remembered(Box::new(memory())),
            Response::Gone,
            Response::Questions(vec![asked()]),
            Response::Refused("no".to_owned()),
            Response::Silence,
            Response::Waiting("q1".to_owned()),
            Response::Won,
        ] {
            let mut line = Vec::new();
            send_response(&mut line, &response).unwrap();
            assert_eq!(read_response(&mut line.as_slice()).unwrap(), Some(response));
        }
    }

    #[test]
    fn nonsense_is_an_error_and_an_end_is_an_end() {
        for nonsense in ["{}\n", "yes\n", "{\"do\": \"answer\"}\n", "\u{0}\n"] {
            assert!(read_request(&mut nonsense.as_bytes()).is_err(), "{nonsense}");
        }
        assert!(read_request(&mut "".as_bytes()).unwrap().is_none());
    }
}
