//! `herm audit`

use std::fmt::Write as _;
use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use clap::ArgMatches;
use herm_runtime::store::ledger::{Format, Report};
use herm_runtime::store::sqlite::index::{Filter, Receipt};
use herm_runtime::store::{Entry, Error, Store};
use serde_json::{Value, json};

use super::{answer, complain, fail_to, refuse_to};
use crate::arguments;
use crate::exit::Exit;
use crate::render::count;
use crate::render::escape::escape;

/// How often the ledger is looked at for more.
const PULSE: Duration = Duration::from_millis(200);

/// Shows, checks and hands out the record.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    let Some((name, matches)) = matches.subcommand() else { return Exit::Usage };
    let store = match arguments::setup(matches) {
        Ok(setup) => Store::open(&setup.guard),
        Err(problem) => return refuse_to(&problem, matches),
    };
    let done = store.and_then(|store| match name {
        "export" => export(&store, matches),
        "show" => show(&store, matches),
        "tail" => tail(&store, matches),
        _ => verify(&store, matches),
    });
    done.unwrap_or_else(|error| fail_to(&error, error.hint().as_deref(), matches))
}

fn verify(store: &Store, matches: &ArgMatches) -> Result<Exit, Error> {
    let report = store.ledger()?.verify()?;
    let exit = if report.is_sound() { Exit::Allow } else { Exit::Deny };
    let text = if matches.get_flag("json") { format!("{}\n", told(&report)) } else { said(&report) };
    Ok(answer(&text, exit))
}

fn told(report: &Report) -> Value {
    let unfinished = report
        .unfinished
        .iter()
        .map(|open| json!({ "receipt": open.id, "seq": open.seq, "at": open.at.to_string() }));
    json!({
        "sound": report.is_sound(),
        "records": report.records,
        "flaws": report.flaws.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "unfinished": unfinished.collect::<Vec<_>>(),
        "adopted": report.adopted,
        "torn": report.torn,
    })
}

fn said(report: &Report) -> String {
    let mut text = match report.flaws.len() {
        0 => format!(
            "{}; nothing was changed\n",
            count(usize::try_from(report.records).unwrap_or(usize::MAX), "record")
        ),
        flaws => format!("the record was tampered with: {}\n", count(flaws, "flaw")),
    };
    for flaw in &report.flaws {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "  {flaw}");
    }
    for open in &report.unfinished {
        let _ = writeln!(text, "  {} was begun at {} and has no end", open.id, open.at);
    }
    text
}

fn show(store: &Store, matches: &ArgMatches) -> Result<Exit, Error> {
    match matches.get_one::<String>("receipt") {
        Some(id) => one(store, id, matches.get_flag("json")),
        None => several(store, matches),
    }
}

/// Everything about one receipt.
fn one(store: &Store, id: &str, json: bool) -> Result<Exit, Error> {
    let mut found = Vec::new();
    for entry in store.ledger()?.read()? {
        found.extend(entry.ok().filter(|entry| entry.id.starts_with(id)));
    }
    if found.is_empty() {
        complain("herm", &format!("there is no receipt `{id}`"));
        return Ok(Exit::Deny);
    }
    let whole = |entry: &Entry| json!({ "seq": entry.seq, "at": entry.at.to_string(), "kind": entry.kind.word(), "id": entry.id, "body": entry.body });
    let records: Vec<_> = found.iter().map(whole).collect();
    let text = if json {
        format!("{}\n", json!({ "records": records }))
    } else {
        records.iter().map(|record| format!("{record:#}")).collect::<Vec<_>>().join("\n") + "\n"
    };
    Ok(answer(&text, Exit::Allow))
}

/// The latest receipts, a line each.
fn several(store: &Store, matches: &ArgMatches) -> Result<Exit, Error> {
    let given = |name: &str| matches.get_one::<String>(name).cloned();
    store.index()?.sync(store.ledger()?)?;
    let filter =
        Filter { session: given("session"), decision: given("decision"), rule: given("rule"), since: None };
    let most = matches.get_one::<u32>("limit").copied().unwrap_or(20);
    let receipts = store.index()?.search(&filter, most)?;
    let text = if matches.get_flag("json") {
        format!("{}\n", json!({ "receipts": receipts.iter().map(fields).collect::<Vec<_>>() }))
    } else {
        receipts.iter().rev().map(line).collect()
    };
    Ok(answer(&text, Exit::Allow))
}

fn fields(receipt: &Receipt) -> Value {
    json!({
        "id": receipt.id, "seq": receipt.seq, "at": receipt.at.to_string(), "session": receipt.session, "decision": receipt.decision,
        "rules": receipt.rules, "exit_code": receipt.exit_code,
    })
}

fn line(receipt: &Receipt) -> String {
    let decision = receipt.decision.as_deref().unwrap_or("?");
    let exit = receipt.exit_code.map_or_else(|| "-".to_owned(), |code| code.to_string());
    format!("{}  {}  {decision:5}  {exit:>3}  {}\n", receipt.at, receipt.id, receipt.rules.join(", "))
}

/// The last records, and with `--follow` what comes after them.
fn tail(store: &Store, matches: &ArgMatches) -> Result<Exit, Error> {
    let most = usize::try_from(matches.get_one::<u32>("limit").copied().unwrap_or(10)).unwrap_or(usize::MAX);
    let mut seen = 0;
    loop {
        let fresh: Vec<_> =
            store.ledger()?.read()?.filter_map(Result::ok).filter(|entry| entry.seq > seen).collect();
        let skipped = if seen == 0 { fresh.len().saturating_sub(most) } else { 0 };
        let text: String =
            fresh.iter().skip(skipped).map(|entry| record(entry, matches.get_flag("json"))).collect();
        let exit = answer(&text, Exit::Allow);
        seen = fresh.last().map_or(seen, |entry| entry.seq);
        if !matches.get_flag("follow") || exit != Exit::Allow {
            return Ok(exit);
        }
        thread::sleep(PULSE);
    }
}

fn record(entry: &Entry, json: bool) -> String {
    if json {
        return format!(
            "{}\n",
            json!({ "seq": entry.seq, "at": entry.at.to_string(), "kind": entry.kind.word(), "id": entry.id, "body": entry.body })
        );
    }
    let text = |key: &str| entry.body.get(key).and_then(Value::as_str).unwrap_or_default();
    let action = entry
        .body
        .get("action")
        .and_then(|action| action.get("exec").or(action.get("read")).or(action.get("write")));
    let what =
        action.and_then(Value::as_str).map_or_else(|| ending(&entry.body), |what| escape(what).into_owned());
    format!("{}  {:7}  {}  {}  {what}\n", entry.at, entry.kind.word(), entry.id, text("decision"))
}

fn ending(body: &Value) -> String {
    let code =
        body.get("exit_code").and_then(Value::as_i64).map(|code| format!(" {code}")).unwrap_or_default();
    format!("{}{code}", body.get("ending").and_then(Value::as_str).unwrap_or_default())
}

fn export(store: &Store, matches: &ArgMatches) -> Result<Exit, Error> {
    let format = match matches.get_one::<String>("format").map_or("jsonl", String::as_str) {
        "otlp" => Format::OpenTelemetry,
        _ => Format::JsonLines,
    };
    let mut out = io::BufWriter::new(io::stdout().lock());
    store.ledger()?.export(format, &mut out)?;
    // A reader that has gone away has no use for the rest.
    let _ = out.flush();
    Ok(Exit::Allow)
}
