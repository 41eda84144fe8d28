//! The net below what is understood: words that reach something unknown are read once more as commands.
//!
//! Nobody knows what a tool without a description does with its operands, or a language without a reader with its strings. But
//! whatever it does, the command that it is to run stands there: as a text, behind a mark (`!`, `|`), in quotes inside other syntax, or
//! as a list of words. What would be done that way is kept apart, and only what nobody may approve is asked about.

use super::launch::{Command, readings};
use super::machine::Machine;
use super::paths::{Actor, Touch};
use super::scope::Scope;
use super::step::Step;
use super::suppose::Starter;
use crate::analysis::Likelihood;
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::place::{Extent, Places};
use crate::programs;
use crate::programs::arguments::{Argument, Given, Parsed, tail};
use crate::programs::schema::{Do, Program, Role, Source, Syntax, Takes};
use crate::value::{Provenance, Value};

/// How many bytes are looked through for one unit of work.
const BYTES_PER_UNIT: usize = 32;

impl Machine<'_> {
    /// Reads words once more that reach something unknown.
    pub(super) fn net<'v>(
        &mut self,
        starter: Starter<'_>,
        words: impl Iterator<Item = &'v Value>,
        scope: &Scope,
    ) {
        for word in words {
            let Some(text) = word.known().filter(|text| may_hold_a_command(text)) else { continue };
            self.net_value(starter, &text, scope);
        }
    }

    fn net_text(&mut self, starter: Starter<'_>, text: &str, scope: &Scope) {
        if self.is_net_paid() || !self.spend(u32::try_from(text.len() / BYTES_PER_UNIT).unwrap_or(u32::MAX)) {
            return;
        }
        let found = Parts::of(text);
        for command in found.texts.iter().filter(|command| begins_with_a_program(command)) {
            if !self.is_net_paid() {
                self.caught(starter, command, scope);
            }
        }
        for list in &found.lists {
            if !self.is_net_paid() {
                self.net_list(starter, list, scope);
            }
        }
        for code in &found.codes {
            if !self.is_net_paid() {
                self.take_out(starter, code, scope);
            }
        }
    }

    /// Whether the net has taken its share of the work.
    fn is_net_paid(&self) -> bool {
        self.net_leaves > 0 && self.fuel.left() <= self.net_leaves
    }

    /// Runs what a list of words gives a shell: `sh,-c,CODE` means that to whatever takes it.
    fn take_out(&mut self, starter: Starter<'_>, code: &str, scope: &Scope) {
        let reading = Command::Text(Value::literal(code));
        self.undone(|machine| machine.start(&reading, starter, &[], scope));
    }

    /// The operands of a program that no table knows. What its options say to be a message is one.
    pub(super) fn net_operands(&mut self, starter: Starter<'_>, arguments: &[Argument], scope: &Scope) {
        let mut is_said = false;
        for argument in arguments {
            let text = argument.value.known_prefix();
            // What stands behind a program that prints or searches is read with it.
            if programs::find(&text).is_some_and(keeps_words) {
                return;
            }
            let (name, has_value) = option_of(&text);
            let said =
                std::mem::replace(&mut is_said, name.is_some_and(|name| is_message(name) && !has_value));
            let is_own = said || has_value && name.is_some_and(is_message);
            if !is_own {
                let value = match name {
                    Some(name) if has_value => tail(
                        &argument.value,
                        text.len() - text.trim_start_matches('-').len() + name.len() + 1,
                    ),
                    Some(_) | None => argument.value.clone(),
                };
                self.net(starter, std::iter::once(&value), scope);
            }
        }
    }

    /// Reads a text that has no other use than to be a command, options or code: a single word is one, too.
    pub(super) fn net_value(&mut self, starter: Starter<'_>, text: &str, scope: &Scope) {
        self.net_text(starter, text, scope);
        if let Some(plain) = without_escapes(text) {
            self.net_text(starter, &plain, scope);
        }
    }

    /// Words that stand for one argument vector.
    fn net_list(&mut self, starter: Starter<'_>, words: &[&str], scope: &Scope) {
        // Whatever runs the list may have a shell in between.
        let home = scope.scalar("HOME").and_then(Value::known).unwrap_or_default();
        let value =
            |word: &str| match word.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'))
            {
                Some(rest) => Value::literal(format!("{home}{rest}")),
                None => Value::literal(word),
            };
        let arguments: Vec<Argument> =
            words.iter().map(|word| Argument { value: value(word), span: starter.span }).collect();
        let mut found = readings(&arguments, |units| self.spend(units));
        found.retain(|reading| matches!(reading.command, Command::Words(_)));
        for reading in &found {
            let command = words.join(" ");
            self.undone(|machine| {
                machine.aside(Likelihood::Slight, &command, starter, |machine| {
                    machine.start(&reading.command, starter, &arguments, scope);
                });
            });
        }
    }

    fn caught(&mut self, starter: Starter<'_>, command: &str, scope: &Scope) {
        let reading = Command::Text(Value::literal(command));
        self.undone(|machine| {
            machine.aside(Likelihood::Slight, command, starter, |machine| {
                machine.start(&reading, starter, &[], scope);
            });
        });
    }

    /// A program of which nothing is known may do the worst that its words allow: one that is given everything, a home, a part of the system
    /// or a disk, and told to force, to clean or to remove, does that to it.
    pub(super) fn mind_worst(
        &mut self,
        starter: Starter<'_>,
        all: &[Argument],
        operands: &[Argument],
        scope: &Scope,
    ) {
        let texts = || all.iter().map(|argument| argument.value.known_prefix());
        if operands.is_empty()
            || !texts().any(|text| text.contains(['/', '~']))
            || !(destroys(starter.name) || texts().any(|text| destroys(&text)))
        {
            return;
        }
        let is_said =
            |word: &str| programs::find(word).is_some_and(|program| program.syntax == Syntax::Words);
        // What is only said is no operand.
        if texts().any(|text| is_said(&text)) {
            return;
        }
        for operand in operands {
            let text = operand.value.known_prefix();
            let at = if text.starts_with('-') { text.find('=').map_or(text.len(), |at| at + 1) } else { 0 };
            let path = tail(&operand.value, at);
            let target = self.target(&path, scope);
            let is_whole = matches!(target.extent, Extent::Children | Extent::Exact)
                && !path.pieces.is_empty()
                && target.places.any(WORST);
            if !is_whole || !path.known_prefix().starts_with('/') {
                continue;
            }
            let (verb, flags) = if target.places.has(Places::BLOCK_DEVICE) {
                (Verb::Write, Flags::NONE)
            } else {
                (Verb::Delete, Flags::RECURSIVE)
            };
            let command =
                all.iter().fold(starter.name.to_owned(), |line, word| line + " " + &word.value.shown());
            let actor = Actor { by: starter.name, invocation: starter.invocation, span: starter.span };
            let touch = Touch { verb, path: &path, flags, data: Provenance::NONE, actor };
            self.undone(|machine| {
                machine.aside(Likelihood::Slight, &command, starter, |machine| {
                    let _ = machine.path_effect(scope, touch);
                });
            });
        }
    }
}

impl Step<'_, '_> {
    /// What options hold that the description does not know, and operands behind them that may be their values.
    pub(super) fn net_unknown(&mut self, parsed: &Parsed<'_>, program: &Program) {
        self.net_undescribed(parsed, program);
        self.net_given(parsed);
        // Of short ones nobody says which of their letters takes a value.
        let is_unlisted = |given: &&Given<'_>| {
            given.option.is_none() && given.name.len() > 2 || holds_words(given) || holds_shell(given)
        };
        let is_unknown = parsed.options.iter().any(|given| is_unlisted(&given));
        if !is_unknown || !self.machine.spend(1) {
            return;
        }
        let unknown: Vec<Argument> = parsed
            .options
            .iter()
            .filter(is_unlisted)
            .flat_map(|given| {
                let at = parsed.all.iter().position(|argument| std::ptr::eq(argument, given.argument));
                let behind = at.and_then(|at| parsed.all.get(at + 1)).cloned();
                [Some(given.argument.clone()), behind].into_iter().flatten()
            })
            .collect();
        let (by, scope) = (std::rc::Rc::clone(&self.by), self.scope.clone());
        let starter = Starter { name: &by, invocation: self.invocation, span: self.span };
        self.machine.net_operands(starter, &unknown, &scope);
        self.machine.mind_worst(starter, parsed.all, &unknown, &scope);
    }
}

impl Step<'_, '_> {
    /// Operands that code in a language is given which nobody reads: they may be what it runs.
    fn net_given(&mut self, parsed: &Parsed<'_>) {
        let is_unread = |given: &Given<'_>| {
            let role = given.option.map(|option| option.does);
            matches!(role, Some(Do::Before(role) | Do::Is(role) | Do::StopWith(role)) if matches!(role, Role::Code(Lang::Other(_))))
        };
        if !parsed.options.iter().any(is_unread) || !self.machine.spend(1) {
            return;
        }
        let words: Vec<String> = parsed.operands.iter().map(|operand| operand.value.shown()).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).skip_while(|word| *word == "--").collect();
        let (by, scope) = (std::rc::Rc::clone(&self.by), self.scope.clone());
        let starter = Starter { name: &by, invocation: self.invocation, span: self.span };
        self.machine.net_list(starter, &words, &scope);
    }
}

/// Whether more stands in an option than the description speaks of: `-XX:OnError=rm x`.
fn holds_words(given: &Given<'_>) -> bool {
    let is_glued = given.option.is_some_and(|option| {
        option.takes == Takes::Attached && matches!(option.does, Do::Nothing | Do::Is(Role::Inert))
    });
    is_glued && given.values.iter().any(|value| value.known_prefix().contains(char::is_whitespace))
}

/// Whether a value that the description takes for a setting starts a shell: `--config 'runner=["sh","-c","…"]'`.
fn holds_shell(given: &Given<'_>) -> bool {
    let is_setting =
        given.option.is_some_and(|option| matches!(option.does, Do::Nothing | Do::Is(Role::Inert)));
    is_setting
        && given.values.iter().any(|value| {
            let text = value.known_prefix();
            text.contains("sh") && text.contains("-c") && text.contains(MARKS)
        })
}

/// Whether a program only shows its words, or looks for them.
pub(super) fn keeps_words(program: &Program) -> bool {
    program.syntax == Syntax::Words || matches!(program.stdout, Source::Computed | Source::Input)
}

/// What is gone where everything that lies there is.
const WORST: Places = Places::BLOCK_DEVICE.and(Places::HOME).and(Places::ROOT).and(Places::SYSTEM_DIR);

/// The parts of a text in some syntax that may be commands.
#[derive(Debug, Default, PartialEq, Eq)]
struct Parts<'t> {
    /// Texts of several words.
    texts: Vec<&'t str>,
    /// Words that stand one behind the other, each on its own.
    lists: Vec<Vec<&'t str>>,
    /// Texts that a shell is started for.
    codes: Vec<&'t str>,
}

impl<'t> Parts<'t> {
    fn of(text: &'t str) -> Self {
        let mut parts = Self { texts: vec![text.trim()], ..Self::default() };
        parts.add_values(text.trim());
        if !text.contains(MARKS) {
            return parts;
        }
        // What stands behind a mark is meant as a whole, whatever syntax is in it.
        let marked = text.trim().trim_start_matches(['!', '|', '\\', ':', '@']).trim();
        if marked.len() < text.trim().len() {
            parts.add(marked);
        }
        for word in called(text) {
            parts.add(word);
        }
        let mut list = Vec::new();
        for part in text.split(MARKS).map(str::trim) {
            let is_between = part.chars().all(|mark| !mark.is_alphanumeric() && mark != '/' && mark != '~');
            if part.contains(char::is_whitespace) {
                parts.add(part);
                if is_started_shell(&list) {
                    parts.codes.push(part);
                }
                parts.end(&mut list);
                parts.lists.push(part.split_whitespace().collect());
            } else if !is_between {
                list.push(part);
            } else if part.contains(';') {
                parts.end(&mut list);
            }
        }
        parts.end(&mut list);
        parts
    }

    /// What stands behind options, in a text of options: `--exec=reboot`, `-x rm -rf /`.
    fn add_values(&mut self, text: &'t str) {
        let mut rest = text;
        for _ in 0..OPTIONS {
            if !rest.starts_with('-') {
                break;
            }
            let end = rest.find(|mark: char| mark == '=' || mark.is_whitespace()).unwrap_or(rest.len());
            let value = rest.get(end + 1..).unwrap_or_default().trim_start();
            self.add(value);
            let next = value.find(" -").map_or(value.len(), |at| at + 1);
            rest = if value.starts_with('-') { value } else { value.get(next..).unwrap_or_default() };
        }
    }

    fn add(&mut self, text: &'t str) {
        if !text.is_empty() && !self.texts.contains(&text) {
            self.texts.push(text);
        }
    }

    fn end(&mut self, list: &mut Vec<&'t str>) {
        let list = std::mem::take(list);
        if !list.is_empty() {
            self.lists.push(list);
        }
    }
}

/// Whether a list ends in a shell and the option for code.
fn is_started_shell(list: &[&str]) -> bool {
    let [.., shell, option] = list else { return false };
    let is_code = option.strip_prefix('-').is_some_and(|letters| letters.len() < 5 && letters.ends_with('c'));
    is_code && programs::is_shell(super::call::plain_name(shell))
}

/// How many options of a text are looked at.
const OPTIONS: usize = 8;

/// What sets a command apart from the syntax around it.
const MARKS: &[char] =
    &['"', '\'', '`', '(', ')', '[', ']', '{', '}', '<', '>', '|', '!', ',', '\n', '&', ';'];

/// Words in quotes, each the first that is handed to a function which by its name starts what it is given: `system("reboot")`,
/// `system(q(reboot))`, `(shell-command "reboot")`; or between backquotes.
fn called(text: &str) -> Vec<&str> {
    let (mut found, mut is_started, mut opened) = (Vec::new(), false, None);
    for piece in text.split_inclusive(AROUND) {
        let mark = piece.chars().next_back().filter(|mark| AROUND.contains(mark));
        let body = piece.trim_end_matches(AROUND).trim();
        let is_word = !body.is_empty() && !body.contains([',', ';']);
        let is_quoted = opened == Some('`') && mark == Some('`');
        let closes = mark.is_some_and(|mark| QUOTES.contains(&mark) || matches!(mark, ')' | ']' | '}'));
        if is_word && closes && (is_started || is_quoted) {
            found.push(body);
        }
        // A quote of a language's own, `q(…)`, stands between.
        let is_between = body.is_empty() || body.len() <= 2 && !closes;
        is_started = starts(body) || is_started && is_between;
        opened = mark;
    }
    found
}

/// Whether a text ends in the name of a function that starts what it is given.
pub(super) fn starts(text: &str) -> bool {
    const STARTING: &[&str] =
        &["cmd", "command", "exec", "popen", "proc", "run", "sh", "shell", "spawn", "system"];
    let name = text.rsplit(|mark: char| !mark.is_alphanumeric() && mark != '_').next().unwrap_or_default();
    let name = name.to_ascii_lowercase();
    STARTING.iter().any(|word| name == *word || word.len() > 3 && name.contains(word))
}

/// What stands around the words of a call.
const AROUND: &[char] = &['"', '\'', '`', '(', ')', '[', ']', '{', '}'];

/// What sets text apart in the syntax of most languages.
const QUOTES: &[char] = &['"', '\'', '`'];

/// A text in which letters are written as `%20`, with the letters.
fn without_escapes(text: &str) -> Option<String> {
    let (first, rest) = text.split_once('%')?;
    let mut bytes = first.as_bytes().to_vec();
    for part in rest.split('%') {
        let code = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        if let Some(code) = code {
            bytes.push(code);
            bytes.extend_from_slice(part.get(2..).unwrap_or_default().as_bytes());
        } else {
            bytes.push(b'%');
            bytes.extend_from_slice(part.as_bytes());
        }
    }
    String::from_utf8(bytes).ok().filter(|plain| plain != text)
}

/// Whether there is more in it than a word of the program's own.
fn may_hold_a_command(text: &str) -> bool {
    text.contains(char::is_whitespace) || text.contains(MARKS)
}

/// Whether it begins with the name of a program that is known, behind assignments.
pub(super) fn begins_with_a_program(text: &str) -> bool {
    let mut words = text.split_whitespace().skip_while(|word| word.contains('=') && !word.starts_with('='));
    let name = words.next().map(|word| word.trim_start_matches(['\\', '(', '{']));
    name.is_some_and(|name| programs::find(super::call::plain_name(name)).is_some())
}

/// The name of an option, without dashes, and whether its value is joined to it.
fn option_of(text: &str) -> (Option<&str>, bool) {
    let Some(rest) = text.strip_prefix('-') else { return (None, false) };
    let name = rest.trim_start_matches('-');
    name.split_once('=').map_or((Some(name), false), |(name, _)| (Some(name), true))
}

/// Whether an option takes words for people, in every command line that knows it.
fn is_message(name: &str) -> bool {
    const MESSAGES: &[&str] = &[
        "body",
        "caption",
        "comment",
        "content",
        "desc",
        "description",
        "grep",
        "label",
        "m",
        "message",
        "msg",
        "name",
        "note",
        "notes",
        "pattern",
        "prompt",
        "query",
        "reason",
        "search",
        "subject",
        "t",
        "summary",
        "text",
        "title",
        "topic",
    ];
    MESSAGES.contains(&name)
}

/// Whether a word says that what is named is gone afterwards, or that nobody is asked.
fn destroys(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "clean",
        "clear",
        "del",
        "delete",
        "destroy",
        "empty",
        "erase",
        "format",
        "force",
        "init",
        "nuke",
        "overwrite",
        "prune",
        "purge",
        "remove",
        "rescue",
        "reset",
        "restore",
        "rm",
        "scrub",
        "shred",
        "trash",
        "truncate",
        "unlink",
        "wipe",
        "write",
        "zap",
        "zero",
    ];
    let is_short = matches!(word, "-f" | "-rf" | "-fr" | "-y" | "-w");
    // Of a longer name, `--remove-existing-container`, the other words say what it is that is removed.
    if word.strip_prefix("--").is_some_and(|name| name.contains('-')) {
        return false;
    }
    let mut pieces = word.trim_start_matches('-').split(['-', '_', '.', ':', '=']);
    is_short
        || !word.contains('/')
            && programs::find(word).is_none()
            && pieces.any(|piece| {
                WORDS.iter().any(|known| {
                    piece == *known || known.len() > 3 && (piece.starts_with(known) || piece.ends_with(known))
                })
            })
}
