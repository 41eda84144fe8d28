//! `herm grants`

use std::time::{Duration, SystemTime};

use clap::ArgMatches;
use herm::policy::Entry;
use herm_runtime::allowlist::AllowList;
use herm_runtime::store::sqlite::grants::{Grant, Terms};
use herm_runtime::store::{Error, Store};
use serde_json::{Value, json};

use super::{Kept, answer, complain, fail, over_kept};
use crate::exit::Exit;
use crate::render::escape::escape;

/// Lists, gives and takes back what is allowed beforehand.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    over_kept(matches, "change what is allowed", |kept, name, matches| match name {
        "add" => add(&kept.store, matches),
        "revoke" => revoke(kept, matches),
        _ => list(kept, matches.get_flag("json")),
    })
}

/// What `command_allowlist` holds has no name of its own: it is called by what it says.
fn list(kept: &Kept, json: bool) -> Result<Exit, Error> {
    let Kept { setup, store } = kept;
    let entries = match AllowList::of(&setup.guard).entries() {
        Ok(entries) => entries,
        Err(problem) => return Ok(fail(&problem)),
    };
    let now = SystemTime::now();
    let grants = if store.has_database()? { store.grants()?.list()? } else { Vec::new() };
    let holding: Vec<_> = grants.into_iter().filter(|grant| holds(grant, now)).collect();
    let text = if json {
        let list: Vec<_> = holding.iter().map(fields).collect();
        format!("{}\n", json!({ "grants": list, "command_allowlist": entries }))
    } else {
        let always = entries.iter().map(|entry| format!("always   {}\n", escape(entry)));
        always.chain(holding.iter().map(line)).collect()
    };
    Ok(answer(if text.is_empty() { "nothing is allowed beforehand\n" } else { &text }, Exit::Allow))
}

fn holds(grant: &Grant, now: SystemTime) -> bool {
    grant.revoked.is_none()
        && grant.terms.uses_left != Some(0)
        && grant.terms.expires.is_none_or(|end| now < end.system_time())
}

fn scope(grant: &Grant) -> String {
    let text = |key: &str| grant.terms.scope.get(key).and_then(Value::as_str);
    let exactly = || format!("rule:{} in one exact command", grant.terms.rule);
    text("entry").map_or_else(exactly, str::to_owned)
}

fn fields(grant: &Grant) -> Value {
    json!({
        "id": grant.id,
        "covers": scope(grant),
        "session": grant.terms.session,
        "expires": grant.terms.expires.map(|end| end.to_string()),
        "uses_left": grant.terms.uses_left,
        "note": note(grant),
    })
}

fn line(grant: &Grant) -> String {
    let session =
        grant.terms.session.as_ref().map(|session| format!("  session {session}")).unwrap_or_default();
    let end = grant.terms.expires.map(|end| format!("  until {end}")).unwrap_or_default();
    let uses = grant.terms.uses_left.map(|uses| format!("  {uses} left")).unwrap_or_default();
    let note = note(grant).map(|note| format!("  # {note}")).unwrap_or_default();
    format!("{}  {}{}\n", grant.id, escape(&scope(grant)), escape(&format!("{session}{end}{uses}{note}")))
}

/// What the person said about it, if anything.
fn note(grant: &Grant) -> Option<&str> {
    Some(grant.terms.note.as_str()).filter(|note| !note.is_empty())
}

fn add(store: &Store, matches: &ArgMatches) -> Result<Exit, Error> {
    let given = |name: &str| matches.get_one::<String>(name).map_or("", String::as_str);
    let entry = given("entry");
    if let Err(problem) = Entry::new(entry) {
        return Ok(fail(&format!("cannot use `{entry}`: {problem}")));
    }
    let now = SystemTime::now();
    let rule = entry.split_whitespace().find_map(|word| word.strip_prefix("rule:")).unwrap_or(entry);
    let life = matches.get_one::<Duration>("expires").copied();
    let terms = Terms {
        session: matches.get_one::<String>("session").cloned(),
        rule: rule.to_owned(),
        scope: json!({ "entry": entry }),
        created: now.into(),
        expires: life.map(|life| (now + life).into()),
        uses_left: matches.get_one::<u32>("uses").map(|uses| u64::from(*uses)),
        note: given("note").to_owned(),
    };
    let id = store.grants()?.add(&terms)?;
    Ok(answer(&format!("{id}\n"), Exit::Allow))
}

fn revoke(kept: &Kept, matches: &ArgMatches) -> Result<Exit, Error> {
    let Kept { setup, store } = kept;
    let named = matches.get_one::<String>("grant").map_or("", String::as_str);
    if store.has_database()? && store.grants()?.revoke(named, SystemTime::now())? {
        return Ok(answer("revoked\n", Exit::Allow));
    }
    let list = AllowList::of(&setup.guard);
    match list.entries() {
        Ok(entries) if !entries.iter().any(|entry| entry == named) => {
            complain("herm", &format!("there is no grant `{named}`"));
            Ok(Exit::Deny)
        }
        Ok(_) => Ok(match list.remove(named) {
            Ok(()) => answer("taken out of `command_allowlist`\n", Exit::Allow),
            Err(problem) => fail(&problem),
        }),
        Err(problem) => Ok(fail(&problem)),
    }
}
