//! Writes the ledger for other programs, a record at a time.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{Entry, Ledger};
use crate::error::Error;

/// How an exported ledger is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One record a line, byte for byte as in the ledger, so that the hashes can be checked elsewhere.
    JsonLines,
    /// One document of logs in the JSON encoding of the OpenTelemetry protocol.
    OpenTelemetry,
}

impl Ledger {
    /// Writes every record, and says how many there were.
    ///
    /// # Errors
    ///
    /// When the ledger cannot be read, or what is written cannot be delivered.
    pub fn export(&self, format: Format, to: &mut dyn Write) -> Result<u64, Error> {
        match format {
            Format::JsonLines => self.each_line(to, |to, line, _, _| {
                to.write_all(line)?;
                to.write_all(b"\n")
            }),
            Format::OpenTelemetry => {
                to.write_all(opening().as_bytes()).map_err(Error::Output)?;
                let count = self.each_line(to, |to, _, entry, number| {
                    to.write_all(if number == 1 { b"\n" } else { b",\n" })?;
                    write!(to, "{}", entry.map_or_else(|| unreadable(number), log_record))
                })?;
                to.write_all(b"\n]}]}]}\n").map_err(Error::Output)?;
                Ok(count)
            }
        }
    }

    fn each_line(
        &self,
        to: &mut dyn Write,
        mut write: impl FnMut(&mut dyn Write, &[u8], Option<&Entry>, u64) -> io::Result<()>,
    ) -> Result<u64, Error> {
        let mut entries = self.read()?;
        let mut count = 0;
        while let Some(read) = entries.advance()? {
            count += 1;
            write(to, read.bytes, read.entry.as_ref(), count).map_err(Error::Output)?;
        }
        Ok(count)
    }
}

/// Everything up to the first log record.
fn opening() -> String {
    let resource = json!({"attributes": [attribute("service.name", &json!("herm"))]});
    let scope = json!({"name": "herm.ledger", "version": env!("CARGO_PKG_VERSION")});
    format!(r#"{{"resourceLogs":[{{"resource":{resource},"scopeLogs":[{{"scope":{scope},"logRecords":["#)
}

fn log_record(entry: &Entry) -> Value {
    // 64-bit numbers are strings in this encoding.
    let nanoseconds = (u128::from(entry.at.millis()) * 1_000_000).to_string();
    let (number, text) = if entry.decision() == Some("deny") { WARN } else { INFO };
    let mut attributes = vec![
        attribute("herm.seq", &json!(entry.seq)),
        attribute("herm.kind", &json!(entry.kind.word())),
        attribute("herm.receipt", &json!(entry.id)),
        attribute("herm.previous", &json!(entry.previous.to_string())),
        attribute("herm.hash", &json!(entry.hash.to_string())),
    ];
    attributes.extend(entry.session().map(|session| attribute("session.id", &json!(session))));
    attributes.extend(entry.decision().map(|decision| attribute("herm.decision", &json!(decision))));
    json!({
        "timeUnixNano": nanoseconds,
        "observedTimeUnixNano": nanoseconds,
        "severityNumber": number,
        "severityText": text,
        "eventName": format!("herm.{}", entry.kind),
        "body": any_value(&entry.body),
        "attributes": attributes,
    })
}

/// What cannot be read is not left out: whoever reads the export should ask.
fn unreadable(line: u64) -> Value {
    let (number, text) = ERROR;
    json!({
        "severityNumber": number,
        "severityText": text,
        "eventName": "herm.unreadable",
        "body": any_value(&json!(format!("line {line} of the ledger is not a record"))),
    })
}

const INFO: (u8, &str) = (9, "INFO");
const WARN: (u8, &str) = (13, "WARN");
const ERROR: (u8, &str) = (17, "ERROR");

fn attribute(key: &str, value: &Value) -> Value {
    json!({"key": key, "value": any_value(value)})
}

/// A value with its type, as the protocol has it. Nothing is an empty value.
fn any_value(value: &Value) -> Value {
    match value {
        Value::Null => json!({}),
        Value::Bool(bool) => json!({"boolValue": bool}),
        Value::Number(number) => match number.as_i64() {
            Some(integer) => json!({"intValue": integer.to_string()}),
            None => json!({"doubleValue": number.as_f64()}),
        },
        Value::String(text) => json!({"stringValue": text}),
        Value::Array(values) => {
            json!({"arrayValue": {"values": values.iter().map(any_value).collect::<Vec<_>>()}})
        }
        Value::Object(fields) => {
            let values: Vec<_> = fields.iter().map(|(key, value)| attribute(key, value)).collect();
            json!({"kvlistValue": {"values": values}})
        }
    }
}
