//! `herm mcp pins`

use clap::ArgMatches;
use herm_runtime::mcp::pins::{self, Known, Pin};
use herm_runtime::store::Error;
use serde_json::{Value, json};

use crate::command::{Kept, answer, complain, over_kept};
use crate::exit::Exit;
use crate::render::escape::escape;

/// Lists and forgets what servers said about their tools.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    over_kept(matches, "change what is known of servers", |kept, name, matches| match name {
        "forget" => forget(kept, matches),
        _ => list(kept, matches.get_flag("json")),
    })
}

fn list(kept: &Kept, json: bool) -> Result<Exit, Error> {
    let all = pins::all(&kept.setup.guard)?;
    let text = if json {
        format!("{}\n", json!({ "servers": all.iter().map(fields).collect::<Vec<_>>() }))
    } else {
        all.iter().map(lines).collect()
    };
    Ok(answer(if text.is_empty() { "no server was seen yet\n" } else { &text }, Exit::Allow))
}

fn forget(kept: &Kept, matches: &ArgMatches) -> Result<Exit, Error> {
    let word = |key: &str| matches.get_one::<String>(key).map(String::as_str);
    let (server, tool) = (word("server").unwrap_or_default(), word("tool"));
    if pins::forget(&kept.setup.guard, server, tool)? == 0 {
        let what = tool.map_or_else(|| server.to_owned(), |tool| format!("{server}/{tool}"));
        complain("herm", &format!("nothing is known of `{what}`"));
        return Ok(Exit::Deny);
    }
    Ok(Exit::Allow)
}

fn fields(known: &Known) -> Value {
    let tool = |(name, pin): (&String, &Pin)| json!({ "name": name, "fingerprint": pin.fingerprint, "description": pin.description });
    let tools: Vec<_> = known.tools.iter().map(tool).collect();
    json!({ "name": known.name, "place": known.place, "tools": tools })
}

fn lines(known: &Known) -> String {
    let tool = |(name, pin): (&String, &Pin)| {
        let short = pin.fingerprint.get(..12).unwrap_or(&pin.fingerprint);
        let first = pin.description.lines().next().unwrap_or_default();
        format!("  {short}  {}  {}\n", escape(name), escape(first))
    };
    let head = format!("{}  {}\n", escape(&known.name), escape(&known.place));
    std::iter::once(head).chain(known.tools.iter().map(tool)).collect()
}
