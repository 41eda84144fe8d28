//! `herm redact`

use std::collections::BTreeMap;
use std::io::{self, BufReader, BufWriter, Read, Write};

use clap::ArgMatches;
use herm_runtime::setup;
use herm_scan::Redactor;
use serde_json::{Value, json};

use super::batch::next_line;
use super::{answer, fail, refuse};
use crate::exit::Exit;

/// How much is read at once.
const PIECE: usize = 64 * 1024;

/// Takes secrets out of standard input.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    // Without the secrets that are held, some would go through: better nothing does.
    let variables = match setup::secrets(matches.get_one::<String>("home").map(String::as_str)) {
        Ok(variables) => variables.unwrap_or_default(),
        Err(problem) => return refuse(&problem),
    };
    let mut redactor = Redactor::holding(&variables);
    let done = if matches.get_flag("batch") {
        lines(&mut BufReader::new(io::stdin().lock()), &mut BufWriter::new(io::stdout().lock()), &variables)
    } else if matches.get_flag("json") {
        stream(&mut redactor, &mut io::stdin().lock(), &mut io::sink())
    } else {
        stream(&mut redactor, &mut io::stdin().lock(), &mut io::stdout().lock())
    };
    match done {
        Ok(()) if matches.get_flag("json") => answer(&format!("{:#}\n", report(&redactor)), Exit::Allow),
        Ok(()) => Exit::Allow,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Allow,
        Err(error) => fail(&format!("cannot pass the text on: {error}")),
    }
}

/// Passes on what is settled as soon as it is.
fn stream(redactor: &mut Redactor, input: &mut impl Read, output: &mut impl Write) -> io::Result<()> {
    let mut piece = vec![0; PIECE];
    let mut settled = Vec::new();
    loop {
        let length = match input.read(&mut piece) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        redactor.feed(piece.get(..length).unwrap_or_default(), &mut settled);
        output.write_all(&settled)?;
        output.flush()?;
        settled.clear();
    }
    redactor.finish(&mut settled);
    output.write_all(&settled)?;
    output.flush()
}

fn lines(input: &mut BufReader<impl Read>, output: &mut impl Write, variables: &str) -> io::Result<()> {
    while let Some(line) = next_line(input)? {
        if !line.trim_ascii().is_empty() {
            writeln!(output, "{}", line_answer(&line, variables))?;
        }
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
    output.flush()
}

fn line_answer(line: &[u8], variables: &str) -> Value {
    let row: Value = match serde_json::from_slice(line) {
        Ok(row) => row,
        Err(error) => return json!({ "id": null, "error": format!("not valid JSON: {error}") }),
    };
    let id = row.get("id").cloned().unwrap_or_default();
    let Some(text) = row.get("input").and_then(Value::as_str) else {
        return json!({ "id": id, "error": "`input` must be a text" });
    };
    let mut redactor = Redactor::holding(variables);
    let output = redactor.redact(text);
    json!({ "id": id, "output": output, "redacted": counts(&redactor) })
}

fn report(redactor: &Redactor) -> Value {
    let total: usize = redactor.taken().map(|(_, count)| count).sum();
    json!({ "redacted": counts(redactor), "total": total })
}

fn counts(redactor: &Redactor) -> BTreeMap<&'static str, usize> {
    redactor.taken().collect()
}
