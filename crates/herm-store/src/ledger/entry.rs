//! One record, and the line that it is written as.

use std::fmt;

use serde_json::Value;

use crate::digest::Digest;
use crate::error::Error;
use crate::time::Timestamp;

/// What a record tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Somebody answered a question.
    Answer,
    /// Something is about to be done.
    Intent,
    /// Something worth knowing happened.
    Note,
    /// What was about to be done is done, or was refused.
    Outcome,
}

impl Kind {
    /// As it is written.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Intent => "intent",
            Self::Note => "note",
            Self::Outcome => "outcome",
        }
    }

    /// The kind that is written like this.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Answer, Self::Intent, Self::Note, Self::Outcome].into_iter().find(|kind| kind.word() == word)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What is to be recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// What it tells.
    pub kind: Kind,
    /// The receipt that it belongs to.
    pub id: String,
    /// The rest. Secrets must have been taken out.
    pub body: Value,
}

/// One record of the ledger.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its place: the first is 1.
    pub seq: u64,
    /// The hash of the line before it, without its line break; zeros for the first.
    pub previous: Digest,
    /// When it was written.
    pub at: Timestamp,
    /// What it tells.
    pub kind: Kind,
    /// The receipt that it belongs to.
    pub id: String,
    /// The rest.
    pub body: Value,
    /// The hash of its own line, without its line break.
    pub hash: Digest,
}

/// What the body tells, where it does: the few names that mean something here.
impl Entry {
    /// `session`: in which session it happened.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        self.body.get("session")?.as_str()
    }

    /// `decision`: what became of it.
    #[must_use]
    pub fn decision(&self) -> Option<&str> {
        self.body.get("decision")?.as_str()
    }

    /// `findings`, each with its `rule`: the rules that had something to say.
    pub fn rules(&self) -> impl Iterator<Item = &str> {
        let findings = self.body.get("findings").and_then(Value::as_array).into_iter().flatten();
        findings.filter_map(|finding| finding.get("rule")?.as_str())
    }

    /// `exit_code`: how it ended.
    #[must_use]
    pub fn exit_code(&self) -> Option<i64> {
        self.body.get("exit_code")?.as_i64()
    }
}

impl Entry {
    /// Reads a line without its line break.
    pub(crate) fn parse(line: &[u8]) -> Option<Self> {
        let mut value: Value = serde_json::from_slice(line).ok()?;
        let fields = value.as_object_mut()?;
        let body = fields.remove("body")?;
        let text = |name: &str| fields.get(name)?.as_str();
        Some(Self {
            // Smaller than the largest number, so that there is a next one.
            seq: fields.get("seq")?.as_i64().and_then(|seq| u64::try_from(seq).ok())?,
            previous: Digest::parse(text("previous")?)?,
            at: text("at")?.parse().ok()?,
            kind: Kind::parse(text("kind")?)?,
            id: text("id")?.to_owned(),
            body,
            hash: Digest::of(line),
        })
    }

    /// The line of a record, without its line break, and what is read from it again.
    pub(crate) fn compose(
        seq: u64,
        previous: Digest,
        at: Timestamp,
        record: &Record,
    ) -> Result<(String, Self), Error> {
        let (kind, id, body) = (record.kind, Value::from(record.id.as_str()), &record.body);
        let line = format!(
            r#"{{"seq":{seq},"previous":"{previous}","at":"{at}","kind":"{kind}","id":{id},"body":{body}}}"#
        );
        if line.len() >= LONGEST {
            return Err(Error::TooLarge { length: line.len(), limit: LONGEST - 1 });
        }
        let entry = Self::parse(line.as_bytes()).ok_or(Error::TooDeep)?;
        Ok((line, entry))
    }
}

/// The longest line with its line break. The largest command, escaped, with all that is known of it, is well below.
pub(crate) const LONGEST: usize = 16 << 20;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn record(body: Value) -> Record {
        Record { kind: Kind::Intent, id: "r\"1".to_owned(), body }
    }

    #[test]
    fn is_read_as_it_was_composed() {
        let record = record(json!({"text": "echo \n\u{2028}\"", "number": 1.5, "list": [1, null]}));
        let (line, entry) =
            Entry::compose(7, Digest::of(b"before"), Timestamp::from_millis(5), &record).unwrap();
        assert!(!line.contains('\n'));
        assert_eq!((entry.seq, entry.kind, entry.id.as_str()), (7, Kind::Intent, "r\"1"));
        assert_eq!(entry.previous, Digest::of(b"before"));
        assert_eq!(entry.body, record.body);
        assert_eq!(entry.hash, Digest::of(line.as_bytes()));
    }

    #[test]
    fn what_could_not_be_read_again_is_not_written() {
        let deep = (0..200).fold(Value::Null, |inner, _| json!([inner]));
        let composed = Entry::compose(1, Digest::ZERO, Timestamp::default(), &record(deep));
        assert!(matches!(composed, Err(Error::TooDeep)));
        let long = Value::from("x".repeat(LONGEST));
        let composed = Entry::compose(1, Digest::ZERO, Timestamp::default(), &record(long));
        assert!(matches!(composed, Err(Error::TooLarge { .. })));
    }

    #[test]
    fn every_field_is_needed() {
        let (line, _) = Entry::compose(1, Digest::ZERO, Timestamp::default(), &record(json!({}))).unwrap();
        for field in ["seq", "previous", "at", "kind", "id", "body"] {
            let without = line.replace(&format!("\"{field}\":"), "\"other\":");
            assert_eq!(Entry::parse(without.as_bytes()), None, "{field}");
        }
    }
}
