//! What would have been stopped, for people and for programs.

use std::cmp::Reverse;

use herm::{Finding, Stance};
use herm_runtime::replay::{Did, Stopped, Tally};
use serde_json::{Value, json};

use super::count;
use super::escape::escape;

/// What is shown of it, and how.
pub(crate) struct Shown<'a> {
    pub(crate) tally: &'a Tally,
    pub(crate) suggests: bool,
    pub(crate) is_verbose: bool,
    /// Takes secrets out.
    pub(crate) redact: &'a dyn Fn(&str) -> String,
}

/// So many examples of each rule, and so many entries.
const EXAMPLES: usize = 3;
const ENTRIES: usize = 10;
/// No example is longer than a line.
const WIDEST: usize = 100;

/// A summary: how much, what was asked, what was refused, and what could not be read.
pub(crate) fn human(shown: &Shown<'_>) -> String {
    let tally = shown.tally;
    if tally.files == 0 {
        return "no transcripts were found\n".to_owned();
    }
    let mut text = overview(tally);
    for (heading, stance) in [("asked", Stance::Ask), ("refused", Stance::Deny)] {
        text.push_str(&by_rule(shown, heading, stance));
    }
    if shown.is_verbose {
        text.push_str(&everything(shown));
    }
    if shown.suggests {
        text.push_str(&suggestions(shown));
    }
    text.push_str(&left_out(tally));
    text
}

fn overview(tally: &Tally) -> String {
    let agent = |(agent, did): (&&str, &Did)| {
        format!("{agent}: {} in {}", count(did.actions, "action"), count(did.sessions.len(), "session"))
    };
    let (all, remaining) = tally.questions_per_hundred();
    let whole = format!(
        "{}: {} allowed, {} asked, {} refused\n{all:.1} questions for 100 actions; {remaining:.1} if each is answered for its session\n",
        count(tally.actions(), "action"),
        tally.allowed,
        tally.asked,
        tally.denied
    );
    tally.agents.iter().map(agent).chain([whole]).collect::<Vec<_>>().join("\n")
}

/// The rules that had something to say, the most frequent first, with what they said it to.
fn by_rule(shown: &Shown<'_>, heading: &str, stance: Stance) -> String {
    let rules = ranked(shown.tally, stance);
    if rules.is_empty() {
        return String::new();
    }
    let lines = rules.iter().map(|(rule, number)| {
        let title = herm::rules::find(rule).map_or("", |rule| rule.title);
        let examples = examples(shown, rule, stance).map(|text| format!("         {text}\n"));
        format!("{number:>6}  {rule}: {title}\n{}", examples.collect::<String>())
    });
    format!("\n{heading}\n{}", lines.collect::<String>())
}

fn ranked(tally: &Tally, stance: Stance) -> Vec<(&'static str, usize)> {
    let mut rules: Vec<_> = tally
        .rules
        .iter()
        .filter(|(_, (held, _))| *held == stance)
        .map(|(rule, (_, number))| (*rule, *number))
        .collect();
    rules.sort_by_key(|(rule, number)| (Reverse(*number), *rule));
    rules
}

/// Different texts that a rule had something to say to.
fn examples<'a>(shown: &'a Shown<'_>, rule: &'a str, stance: Stance) -> impl Iterator<Item = String> + 'a {
    let named =
        move |one: &&Stopped| one.stance == stance && one.findings.iter().any(|finding| finding.rule == rule);
    let mut seen: Vec<String> = Vec::new();
    for one in shown.tally.stopped.iter().filter(named) {
        let text = line(shown, &one.text);
        if !seen.contains(&text) {
            seen.push(text);
        }
        if seen.len() == EXAMPLES {
            break;
        }
    }
    seen.into_iter()
}

/// A text in one line, without secrets, that drives no terminal.
fn line(shown: &Shown<'_>, text: &str) -> String {
    let clean = (shown.redact)(text);
    let safe = escape(&clean);
    match safe.char_indices().nth(WIDEST) {
        Some((end, _)) => format!("{} …", safe.get(..end).unwrap_or_default()),
        None => safe.into_owned(),
    }
}

fn everything(shown: &Shown<'_>) -> String {
    let one = |one: &Stopped| {
        let reasons = one
            .findings
            .iter()
            .map(|finding| format!("    {} [{}]\n", line(shown, &finding.reason), finding.rule));
        let text = (shown.redact)(&one.text);
        format!(
            "\n{}  {}  {}  {}: {}\n    in {}\n{}",
            word(one.stance),
            one.at.as_deref().map_or_else(|| "-".into(), escape),
            escape(&one.session),
            escape(&one.tool),
            escape(&text),
            escape(&one.cwd),
            reasons.collect::<String>()
        )
    };
    shown.tally.stopped.iter().map(one).collect()
}

fn suggestions(shown: &Shown<'_>) -> String {
    let found = shown.tally.suggestions(ENTRIES);
    // An entry with a secret in it would write the secret down.
    let plain: Vec<_> = found.iter().filter(|one| (shown.redact)(&one.entry) == one.entry).collect();
    if plain.is_empty() {
        return "\nno entry of `command_allowlist` that is narrow enough would spare a question\n".to_owned();
    }
    let lines = plain.iter().map(|one| {
        format!(
            "  - '{}'  # {} less\n",
            escape(&one.entry.replace('\'', "''")),
            count(one.spared, "question")
        )
    });
    format!("\nif you want less to be asked, and mean it\ncommand_allowlist:\n{}", lines.collect::<String>())
}

fn left_out(tally: &Tally) -> String {
    let parts = [
        (
            tally.malformed,
            "call that a hook would not understand, and refuse",
            "calls that a hook would not understand, and refuse",
        ),
        (tally.broken, "line that is no JSON", "lines that are no JSON"),
        (tally.long, "line that is too long", "lines that are too long"),
    ];
    let said = parts.iter().filter(|(number, ..)| *number > 0).map(|(number, one, many)| match number {
        1 => format!("left out: 1 {one}\n"),
        _ => format!("left out: {number} {many}\n"),
    });
    let files = tally
        .unread
        .iter()
        .map(|(file, why)| format!("left out: {}: {}\n", escape(&file.display().to_string()), escape(why)));
    let unjudged = tally
        .unjudged
        .iter()
        .map(|why| format!("refused, since nothing can be judged there: {}\n", escape(why)));
    let said: String = said.chain(files).chain(unjudged).collect();
    if said.is_empty() { said } else { format!("\n{said}") }
}

const fn word(stance: Stance) -> &'static str {
    match stance {
        Stance::Ask => "ask",
        Stance::Deny => "deny",
        Stance::Note => "note",
    }
}

/// Everything, whatever is shown to people.
pub(crate) fn json(shown: &Shown<'_>) -> Value {
    let tally = shown.tally;
    let agents: Vec<_> = tally
        .agents
        .iter()
        .map(|(agent, did)| json!({ "agent": agent, "sessions": did.sessions.len(), "actions": did.actions }))
        .collect();
    let (all, remaining) = tally.questions_per_hundred();
    let rule = |stance| move |(rule, number): (&'static str, usize)| json!({ "rule": rule, "stance": word(stance), "actions": number });
    let rules: Vec<_> = [Stance::Deny, Stance::Ask]
        .into_iter()
        .flat_map(|stance| ranked(tally, stance).into_iter().map(rule(stance)))
        .collect();
    let stopped: Vec<_> = tally.stopped.iter().map(|one| stopped(one, shown)).collect();
    let suggestions: Vec<_> = tally
        .suggestions(ENTRIES)
        .into_iter()
        .filter(|one| (shown.redact)(&one.entry) == one.entry)
        .map(|one| json!({ "entry": one.entry, "spared": one.spared }))
        .collect();
    let unread: Vec<_> = tally
        .unread
        .iter()
        .map(|(file, why)| json!({ "file": file.display().to_string(), "why": why }))
        .collect();
    json!({
        "files": tally.files,
        "agents": agents,
        "actions": tally.actions(),
        "decisions": { "allow": tally.allowed, "ask": tally.asked, "deny": tally.denied },
        "repeated": tally.repeated,
        "questions_per_100": all,
        "questions_per_100_answered_for_session": remaining,
        "rules": rules,
        "stopped": stopped,
        "suggestions": suggestions,
        "left_out": { "idle": tally.idle, "malformed": tally.malformed, "broken": tally.broken, "long": tally.long, "files": unread },
        "unjudged": tally.unjudged,
    })
}

fn stopped(one: &Stopped, shown: &Shown<'_>) -> Value {
    let finding =
        |finding: &Finding| json!({ "rule": finding.rule, "reason": (shown.redact)(&finding.reason) });
    json!({
        "agent": one.agent.word(),
        "session": one.session,
        "at": one.at,
        "cwd": one.cwd,
        "tool": one.tool,
        "text": (shown.redact)(&one.text),
        "decision": word(one.stance),
        "findings": one.findings.iter().map(finding).collect::<Vec<_>>(),
    })
}
