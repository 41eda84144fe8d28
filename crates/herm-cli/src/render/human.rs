//! A ruling for people.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use herm::rules::find;
use herm::{Finding, Ruling, Stance};
use herm_shell::analysis::Invocation;
use herm_shell::{Effect, Span, Target, Value};

use super::colour::{Colour, paint};
use super::count;
use super::escape::escape;
use super::underline::underline;

/// What stands before an excerpt.
const INDENT: &str = "    ";

/// How wide excerpts are at most, and how wide they are at least on a terminal that is too narrow for them.
const COLUMNS: std::ops::RangeInclusive<usize> = 24..=104;

/// The most reasons that one rule gives.
const REASONS: usize = 5;

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// What stands in the way.
    Brief,
    /// Remarks too, and every effect with how it is done.
    Full,
}

/// The verdict, then every rule that minds something, with the parts of the text that it is about.
pub(crate) fn ruling(ruling: &Ruling, text: &str, detail: Detail) -> String {
    let groups = groups(ruling, detail);
    let blocks: String = groups.iter().map(|group| block(group, ruling, text, detail)).collect();
    format!("{}\n{blocks}", verdict(ruling, &groups))
}

/// What one rule has to say, all at once.
struct Group<'a> {
    rule: &'static str,
    stance: Stance,
    findings: Vec<&'a Finding>,
}

/// The strictest first; among equals, what is certain before what is not known, then in the order of the text.
fn groups(ruling: &Ruling, detail: Detail) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for finding in ruling.findings.iter().filter(|finding| is_shown(finding, detail)) {
        let (rule, stance) = (finding.rule, finding.stance);
        match groups.iter_mut().find(|group| (group.rule, group.stance) == (rule, stance)) {
            Some(group) => group.findings.push(finding),
            None => groups.push(Group { rule, stance, findings: vec![finding] }),
        }
    }
    groups.sort_by_key(|group| (Reverse(group.stance), group.is_gap(), group.start()));
    groups
}

fn is_shown(finding: &Finding, detail: Detail) -> bool {
    finding.stance != Stance::Note || detail == Detail::Full
}

impl Group<'_> {
    fn is_gap(&self) -> bool {
        self.findings.iter().all(|finding| finding.gap)
    }

    fn start(&self) -> Option<u32> {
        self.findings.iter().filter_map(|finding| finding.span).map(|span| span.start).min()
    }

    fn spans(&self) -> Vec<Span> {
        self.findings.iter().filter_map(|finding| finding.span).collect()
    }
}

fn verdict(ruling: &Ruling, groups: &[Group<'_>]) -> String {
    let minding = groups.iter().filter(|group| group.stance != Stance::Note).count();
    let colour = match ruling.findings.first().map(|finding| finding.stance) {
        Some(Stance::Deny) => Colour::Red,
        Some(Stance::Ask) => Colour::Yellow,
        Some(Stance::Note) | None => Colour::Green,
    };
    let word = paint(ruling.decision.word(), colour);
    if minding == 0 { word } else { format!("{word}: {}", count(minding, "finding")) }
}

fn block(group: &Group<'_>, ruling: &Ruling, text: &str, detail: Detail) -> String {
    let rule = find(group.rule);
    let title = rule.map_or(group.rule, |rule| rule.title);
    let mut lines = vec![String::new(), format!("{}: {title} [{}]", group.stance.word(), group.rule)];
    let shown = underline(text, &group.spans(), columns().saturating_sub(INDENT.len()));
    lines.extend(shown.into_iter().map(|line| format!("{INDENT}{line}").trim_end().to_owned()));
    lines.extend(reasons(group, ruling, text, detail).into_iter().map(|line| format!("  {line}")));
    if let Some(rule) = rule.filter(|_| group.stance != Stance::Note) {
        let advice = [("why", rule.matters), ("instead", rule.instead), ("try", rule.suggestion)];
        let given = advice.iter().filter(|(_, words)| !words.is_empty());
        lines.extend(given.map(|(name, words)| format!("  {name}: {words}")));
    }
    lines.join("\n") + "\n"
}

/// How wide the terminal is. Carets under a line that it breaks would stand under something else.
fn columns() -> usize {
    let terminal =
        rustix::termios::tcgetwinsize(std::io::stdout()).map_or(0, |size| usize::from(size.ws_col));
    if terminal == 0 { *COLUMNS.end() } else { terminal.clamp(*COLUMNS.start(), *COLUMNS.end()) }
}

/// What was found, each thing once.
fn reasons(group: &Group<'_>, ruling: &Ruling, text: &str, detail: Detail) -> Vec<String> {
    let mut known = BTreeSet::new();
    let reasons = group.findings.iter().map(|finding| reason(finding, ruling, text, detail));
    let mut reasons: Vec<String> = reasons.filter(|reason| known.insert(reason.clone())).collect();
    let more = reasons.len().saturating_sub(REASONS);
    if more > 0 && detail == Detail::Brief {
        reasons.truncate(REASONS);
        reasons.push(format!("and {more} more"));
    }
    reasons
}

fn reason(finding: &Finding, ruling: &Ruling, text: &str, detail: Detail) -> String {
    let how = finding.subject.as_ref().filter(|_| detail == Detail::Full);
    let how = how.map(|subject| format!(" ({})", effect(subject))).unwrap_or_default();
    let run = finding.invocation.and_then(|number| unseen(ruling, number, text));
    let run = run.map(|run| format!("; it runs `{run}`")).unwrap_or_default();
    escape(&format!("{}{how}{run}", finding.reason)).into_owned()
}

/// The command behind a finding, if the text does not show its name where it stands: `$x -rf build` runs `rm -rf build`.
fn unseen(ruling: &Ruling, number: usize, text: &str) -> Option<String> {
    let run = ruling.facts.shell.invocations.get(number)?;
    let (start, end) = (usize::try_from(run.span.start).ok()?, usize::try_from(run.span.end).ok()?);
    let written = text.get(start..end)?;
    (!written.is_empty() && !written.contains(&*run.program)).then(|| command(run))
}

fn command(run: &Invocation) -> String {
    let words = std::iter::once(run.called.clone()).chain(run.arguments.iter().map(Value::shown));
    let line = words.collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(80) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line,
    }
}

/// What happens, in a few words: "delete `build`, recursive, forced".
pub(crate) fn effect(effect: &Effect) -> String {
    let how = effect.flags.words().chain(effect.privileged.then_some("privileged"));
    let words = std::iter::once(format!("{}{}", verb(effect), target(&effect.target)));
    words.chain(how.map(str::to_owned)).collect::<Vec<_>>().join(", ")
}

/// The verb as matchers write it.
pub(crate) fn verb(effect: &Effect) -> &'static str {
    let named = herm::policy::matcher::VERBS.iter().find(|(_, verb)| *verb == effect.verb);
    named.map_or("do", |(word, _)| word)
}

fn target(target: &Target) -> String {
    match target {
        Target::Code(lang, _) => format!(" {} code", lang.name()),
        Target::Environment => " the environment".to_owned(),
        Target::Host(host) => format!(" `{}`", host.shown),
        Target::Named(kind, name) if name.is_empty() => format!(" {kind}"),
        Target::Named(kind, name) => format!(" {kind} `{name}`"),
        Target::None => String::new(),
        Target::Path(path) => format!(" `{}`", path.shown),
        Target::Process(_) => " processes".to_owned(),
    }
}
