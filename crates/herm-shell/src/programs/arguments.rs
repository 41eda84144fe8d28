//! Reading a program's arguments as its description says.

use super::schema::{Do, Naming, Opt, Program, Role, Syntax, Takes};
use crate::effect::Flags;
use crate::lang::Lang;
use crate::span::Span;
use crate::value::{Piece, Value};

/// One word after expansion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// What it holds.
    pub value: Value,
    /// Where it stands.
    pub span: Span,
}

/// A program's arguments, read.
#[derive(Clone, Debug, Default)]
pub struct Parsed<'a> {
    /// The program's plain name.
    pub program: &'a str,
    /// The sub-command words that were recognised.
    pub subcommands: Vec<&'static str>,
    /// The options that were given, in order.
    pub options: Vec<Given<'a>>,
    /// The operands, in order, without sub-command words.
    pub operands: Vec<&'a Argument>,
    /// The flags that options set.
    pub flags: Flags,
    /// Whether an option makes the program only print (`--help`).
    pub stopped: bool,
    /// Whether an option brought what runs (`python -c`): the operands belong to it.
    pub taken: bool,
    /// All arguments as they stand.
    pub all: &'a [Argument],
}

/// An option that was given.
#[derive(Clone, Debug)]
pub struct Given<'a> {
    /// Its name, without its value and written out in full: `-o`, `--output`, `of=`.
    pub name: String,
    /// Its description, when the tables have one.
    pub option: Option<&'static Opt>,
    /// Its value or, for [`super::schema::Takes::Until`], its words.
    pub values: Vec<Value>,
    /// Where its value stands or, if it has none of its own, the option.
    pub span: Span,
    /// The argument it stands in.
    pub argument: &'a Argument,
}

impl Parsed<'_> {
    /// Whether one of these spellings (separated by blanks: `"-r --recursive"`) was given, abbreviated or bundled too.
    /// Every spelling that counts must be listed.
    #[must_use]
    pub fn has(&self, names: &'static str) -> bool {
        self.given(names).next().is_some()
    }

    /// The value of the last one of these spellings that was given.
    #[must_use]
    pub fn value(&self, names: &'static str) -> Option<&Value> {
        self.given(names).last().and_then(|given| given.values.first())
    }

    /// The values of all of these spellings that were given.
    pub fn values(&self, names: &'static str) -> impl Iterator<Item = &Value> {
        self.given(names).filter_map(|given| given.values.first())
    }

    /// An operand.
    #[must_use]
    pub fn operand(&self, index: usize) -> Option<&Value> {
        self.operands.get(index).map(|argument| &argument.value)
    }

    /// An operand's text, when it is known.
    #[must_use]
    pub fn word(&self, index: usize) -> Option<String> {
        self.operand(index).and_then(Value::known).map(std::borrow::Cow::into_owned)
    }

    /// All operands' texts, unknown ones left out.
    pub fn words(&self) -> impl Iterator<Item = String> {
        self.operands.iter().filter_map(|argument| argument.value.known().map(std::borrow::Cow::into_owned))
    }

    fn given(&self, names: &'static str) -> impl Iterator<Item = &Given<'_>> {
        self.options.iter().filter(move |given| names.split(' ').any(|name| given.name == name))
    }
}

/// Reads arguments as a description says. The programs are the described one and the sub-commands that were found in
/// it, outermost first.
pub(crate) fn parse<'a>(
    program: &'static Program,
    name: &'a str,
    all: &'a [Argument],
) -> (Parsed<'a>, Vec<&'static Program>) {
    let parsed = Parsed { program: name, all, ..Parsed::default() };
    let mut parser = Parser {
        parsed,
        chain: vec![program],
        pending: Vec::new(),
        settled: false,
        operands_only: false,
        in_expression: false,
    };
    let mut rest = all;
    while let Some((argument, after)) = rest.split_first() {
        rest = parser.argument(argument, after, all.len() == after.len() + 1);
    }
    parser.settle();
    (parser.parsed, parser.chain)
}

struct Parser<'a> {
    parsed: Parsed<'a>,
    chain: Vec<&'static Program>,
    /// Operands that may yet turn out to be the words of a sub-command.
    pending: Vec<&'a Argument>,
    /// Whether the search for sub-commands is over.
    settled: bool,
    operands_only: bool,
    in_expression: bool,
}

impl<'a> Parser<'a> {
    fn syntax(&self) -> Syntax {
        self.chain.last().map_or(Syntax::Gnu, |program| program.syntax)
    }

    /// Reads one argument and returns what follows it and its values.
    fn argument(&mut self, argument: &'a Argument, after: &'a [Argument], first: bool) -> &'a [Argument] {
        let text = first_literal(&argument.value);
        if self.operands_only {
            self.operand(argument);
            return after;
        }
        match self.syntax() {
            Syntax::Words => self.operand(argument),
            Syntax::KeyValue => return self.key_value(argument, text, after),
            Syntax::Expression => return self.expression(argument, text, after),
            Syntax::TarBundle if first && !text.starts_with('-') => {
                return self.old_bundle(argument, text, after);
            }
            Syntax::FirstOperandEnds | Syntax::Gnu | Syntax::SingleDash | Syntax::TarBundle => {
                return self.usual(argument, text, after);
            }
        }
        after
    }

    fn usual(&mut self, argument: &'a Argument, text: &'a str, after: &'a [Argument]) -> &'a [Argument] {
        if text == "--" && argument.value.pieces.len() == 1 {
            self.operands_only = true;
            return after;
        }
        if text.starts_with("--")
            || (text.starts_with('-') && text.len() > 1 && self.syntax() == Syntax::SingleDash)
        {
            return self.long(argument, text, after);
        }
        // `-,raw` and `-!!PIPE:x` are socat's `-` with more to it: no option is a comma or a mark.
        let is_word = text.starts_with("-,") || text.starts_with("-!!");
        if text.starts_with('-') && !is_word && (text.len() > 1 || argument.value.pieces.len() > 1) {
            return self.bundle(argument, text, after);
        }
        if text.starts_with('+') && text.len() > 1 && self.is_shell() {
            let option = self
                .find(&format!("-{}", text.trim_start_matches('+')))
                .filter(|option| !brings_code(option));
            let (values, rest) = values_of(option, None, after);
            self.give(text, None, values, argument, after);
            return rest;
        }
        self.operand(argument);
        if self.settled && self.syntax() == Syntax::FirstOperandEnds && !self.parsed.operands.is_empty() {
            self.operands_only = true;
        }
        after
    }

    /// Shells switch options off with a plus: `bash +x -c …`.
    fn is_shell(&self) -> bool {
        self.chain.first().is_some_and(|program| matches!(program.stdin, Role::Code(Lang::Shell)))
    }

    fn operand(&mut self, argument: &'a Argument) {
        if self.settled || self.operands_only && self.pending.is_empty() && !self.may_descend() {
            self.settled = true;
            self.parsed.operands.push(argument);
            return;
        }
        self.pending.push(argument);
        let words = self.pending_words();
        let subs = self.chain.last().map_or(&[][..], |program| program.subs);
        let naming = self.naming();
        let longer = subs.iter().any(|sub| sub.names.iter().any(|name| is_longer(name, &words, naming)));
        if !longer {
            self.descend();
        }
    }

    fn may_descend(&self) -> bool {
        self.chain.last().is_some_and(|program| !program.subs.is_empty())
    }

    fn pending_words(&self) -> Vec<&'a str> {
        self.pending.iter().map(|argument| whole_literal(&argument.value)).collect()
    }

    /// Whether the names of sub-commands may be cut short here.
    fn naming(&self) -> Naming {
        let is_short = |program: &&Program| program.naming == Naming::Short;
        if self.chain.iter().any(is_short) { Naming::Short } else { Naming::Whole }
    }

    /// Takes the sub-command that most of the pending words name; what is left over are operands.
    fn descend(&mut self) {
        let words = self.pending_words();
        let subs = self.chain.last().map_or(&[][..], |program| program.subs);
        let whole = named_by(subs, &words, Naming::Whole);
        let best = whole.or_else(|| named_by(subs, &words, self.naming()));
        let pending = std::mem::take(&mut self.pending);
        let Some((sub, name, length)) = best else {
            self.settled = true;
            self.parsed.operands.extend(pending);
            return;
        };
        self.chain.push(sub);
        self.parsed.subcommands.extend(name.split(' '));
        self.settled = sub.subs.is_empty();
        for argument in pending.into_iter().skip(length) {
            self.operand(argument);
        }
    }

    fn settle(&mut self) {
        if !self.pending.is_empty() {
            self.descend();
        }
        let pending = std::mem::take(&mut self.pending);
        self.parsed.operands.extend(pending);
    }

    fn key_value(&mut self, argument: &'a Argument, text: &'a str, after: &'a [Argument]) -> &'a [Argument] {
        let found = text.find('=').and_then(|at| text.get(..=at)).map(|key| (key, self.find(key)));
        match found {
            Some((key, option)) => {
                self.give(key, option, vec![tail(&argument.value, key.len())], argument, after);
            }
            None => return self.usual(argument, text, after),
        }
        after
    }

    fn expression(&mut self, argument: &'a Argument, text: &'a str, after: &'a [Argument]) -> &'a [Argument] {
        if !text.starts_with('-') || text == "-" {
            let operator = matches!(text, "(" | ")" | "!" | ",");
            self.in_expression |= operator;
            if !self.in_expression {
                self.operand(argument);
            }
            return after;
        }
        if !(self.in_expression || matches!(text, "-H" | "-L" | "-P") || text.starts_with("-O")) {
            self.in_expression = true;
        }
        let option = self.find(text);
        let (values, rest) = values_of(option, None, after);
        self.give(text, option, values, argument, after);
        rest
    }

    fn long(&mut self, argument: &'a Argument, text: &'a str, after: &'a [Argument]) -> &'a [Argument] {
        // A table may list an option together with the one value that matters: `--location=global`.
        let (name, attached) = match text.find('=') {
            Some(at) if self.find(text).is_none() => {
                (text.get(..at).unwrap_or(text), Some(tail(&argument.value, at + 1)))
            }
            Some(_) | None => (text, None),
        };
        let (name, option) = match self.find(name) {
            None => self.abbreviated(name).map_or((name, None), |(full, option)| (full, Some(option))),
            found => (name, found),
        };
        if option.is_none()
            && self.syntax() == Syntax::SingleDash
            && !text.starts_with("--")
            && name.len() == 2
        {
            return self.bundle(argument, text, after);
        }
        let (values, rest) = values_of(option, attached, after);
        self.give(name, option, values, argument, after);
        rest
    }

    fn bundle(&mut self, argument: &'a Argument, text: &'a str, mut after: &'a [Argument]) -> &'a [Argument] {
        if let Some(option) = self.find(text).filter(|_| text.len() > 2) {
            let (values, rest) = values_of(Some(option), None, after);
            self.give(text, Some(option), values, argument, after);
            return rest;
        }
        let mut at = 1;
        while let Some(letter) = text.get(at..).and_then(|rest| rest.chars().next()) {
            at += letter.len_utf8();
            let name = format!("-{letter}");
            let option = self.find(&name);
            let more = at < text.len() || argument.value.pieces.len() > 1;
            let described = option.map_or(Takes::Nothing, |option| option.takes);
            let rest = text.get(at..).unwrap_or_default();
            let lacks_mark = matches!(described, Takes::Behind(mark) if !rest.starts_with(mark));
            let takes = if lacks_mark { Takes::Nothing } else { described };
            let shells =
                option.is_some_and(|option| matches!(option.does, Do::StopWith(Role::Code(Lang::Shell))));
            if more && takes != Takes::Nothing && !shells {
                let attached = tail(&argument.value, at);
                let (values, rest) = values_of(option, Some(attached), after);
                self.give(&name, option, values, argument, after);
                return rest;
            }
            if shells && more {
                for letter in text.get(at..).unwrap_or_default().chars() {
                    let name = format!("-{letter}");
                    let option = self.find(&name).filter(|option| option.takes == Takes::Nothing);
                    self.give(&name, option, Vec::new(), argument, after);
                }
                at = text.len();
            }
            let (values, rest) = values_of(option, None, after);
            self.give(&name, option, values, argument, after);
            after = rest;
        }
        after
    }

    /// `tar xzf file`: letters without a dash, values from the following words in order.
    fn old_bundle(
        &mut self,
        argument: &'a Argument,
        text: &'a str,
        mut after: &'a [Argument],
    ) -> &'a [Argument] {
        for letter in text.chars() {
            let name = format!("-{letter}");
            let option = self.find(&name);
            let (values, rest) = values_of(option, None, after);
            self.give(&name, option, values, argument, after);
            after = rest;
        }
        after
    }

    fn give(
        &mut self,
        name: &str,
        option: Option<&'static Opt>,
        values: Vec<Value>,
        argument: &'a Argument,
        after: &'a [Argument],
    ) {
        let span = value_span(&values, after).unwrap_or(argument.span);
        match option.map(|option| option.does) {
            Some(Do::Set(flags)) => self.parsed.flags |= flags,
            // `--dry-run=false` is as good as nothing.
            Some(Do::Stop) if is_switched_off(option, &values) => return,
            Some(Do::Stop) => self.parsed.stopped = true,
            Some(Do::StopWith(_)) => {
                self.parsed.taken = true;
                self.operands_only = true;
                self.settled = true;
            }
            Some(Do::Before(_) | Do::Emit(_) | Do::Is(_) | Do::Nothing | Do::Operands(_)) | None => {}
        }
        self.parsed.options.push(Given { name: name.to_owned(), option, values, span, argument });
    }

    fn find(&self, name: &str) -> Option<&'static Opt> {
        let found =
            self.chain.iter().rev().flat_map(|program| program.options).find(|option| has_name(option, name));
        found.or_else(|| {
            let other = if let Some(rest) = name.strip_prefix("--") {
                format!("-{rest}")
            } else {
                format!("-{name}")
            };
            let single = self.syntax() == Syntax::SingleDash;
            single.then(|| {
                self.chain
                    .iter()
                    .rev()
                    .flat_map(|program| program.options)
                    .find(|option| has_name(option, &other))
            })?
        })
    }

    /// The long option that begins like this. Of several, the program would take none; but a table need not list all that
    /// there are, or those that there are in this version, so the one is taken that does most.
    fn abbreviated(&self, name: &str) -> Option<(&'static str, &'static Opt)> {
        if name.len() < 3 || !name.starts_with("--") {
            return None;
        }
        let options = self.chain.iter().rev().flat_map(|program| program.options);
        let names = options.flat_map(|option| option.names.split(' ').map(move |one| (one, option)));
        let candidates = names.filter(|(one, _)| one.starts_with(name) && !one.contains('='));
        candidates.max_by_key(|(one, option)| (weight(option), std::cmp::Reverse(one.len())))
    }
}

/// How much it matters that an option is given.
fn weight(option: &Opt) -> u8 {
    let of_role = |role: Role| match role {
        Role::Inert => 1,
        Role::Argv
        | Role::ArgvText
        | Role::Code(_)
        | Role::Expanded
        | Role::Interact(_)
        | Role::Library
        | Role::Plugin(_)
        | Role::Prefixed(_)
        | Role::Program
        | Role::Script(_) => 5,
        Role::Append
        | Role::AtFile(_)
        | Role::ChangeMode
        | Role::ChangeOwner
        | Role::Delete
        | Role::Directory
        | Role::Environment
        | Role::Link
        | Role::MoveFrom
        | Role::SendFile
        | Role::TransferTo
        | Role::Write => 4,
        Role::Host
        | Role::Options
        | Role::Read
        | Role::Send
        | Role::Setting
        | Role::TransferFrom
        | Role::Url => 2,
    };
    match option.does {
        Do::Stop => 0,
        Do::Nothing => 1,
        Do::Before(role) | Do::Is(role) | Do::StopWith(role) => of_role(role),
        Do::Emit(_) | Do::Operands(_) | Do::Set(_) => 3,
    }
}

fn values_of<'a>(
    option: Option<&'static Opt>,
    attached: Option<Value>,
    after: &'a [Argument],
) -> (Vec<Value>, &'a [Argument]) {
    match (option.map_or(Takes::Nothing, |option| option.takes), attached) {
        (Takes::Nothing | Takes::Attached | Takes::Behind(_), attached) => {
            (attached.into_iter().collect(), after)
        }
        (Takes::Value | Takes::Operand, Some(value)) => (vec![value], after),
        (Takes::Operand, None) if after.first().is_some_and(|next| begins_option(&next.value)) => {
            (Vec::new(), after)
        }
        (Takes::Value | Takes::Operand, None) => match after.split_first() {
            Some((value, rest)) => (vec![value.value.clone()], rest),
            None => (Vec::new(), after),
        },
        (Takes::Values(count), attached) => {
            let count = usize::from(count).saturating_sub(attached.iter().len()).min(after.len());
            let (words, rest) = after.split_at(count);
            (attached.into_iter().chain(words.iter().map(|word| word.value.clone())).collect(), rest)
        }
        (Takes::Until(ends), attached) => {
            let end = after.iter().position(|argument| ends.contains(&whole_literal(&argument.value)));
            let (words, rest) = after.split_at(end.unwrap_or(after.len()));
            let values = attached.into_iter().chain(words.iter().map(|word| word.value.clone())).collect();
            (values, rest.get(1..).unwrap_or_default())
        }
    }
}

/// Whether a word is written as an option, or as one of the commands that editors take behind a plus.
fn begins_option(value: &Value) -> bool {
    let text = first_literal(value);
    text.starts_with(['-', '+']) && text != "-"
}

/// Where values that stand in words of their own stand.
fn value_span(values: &[Value], after: &[Argument]) -> Option<Span> {
    let first = after.first().filter(|next| values.first() == Some(&next.value))?;
    let last = after.get(values.len() - 1)?;
    Some(Span::new(first.span.start, last.span.end))
}

/// Whether an option that needs no value has one that takes it back.
fn is_switched_off(option: Option<&Opt>, values: &[Value]) -> bool {
    let is_switch = option.is_some_and(|option| matches!(option.takes, Takes::Attached | Takes::Nothing));
    is_switch && values.first().is_some_and(says_no)
}

/// Whether the value of a switch turns it off. One that is not known may.
fn says_no(value: &Value) -> bool {
    value.known().is_none_or(|text| {
        matches!(
            text.to_ascii_lowercase().as_str(),
            "" | "0" | "f" | "false" | "n" | "never" | "no" | "none" | "off"
        )
    })
}

/// Whether an option hands over what runs.
fn brings_code(option: &Opt) -> bool {
    matches!(option.does, Do::StopWith(_))
}

fn has_name(option: &Opt, name: &str) -> bool {
    option.names.split(' ').any(|one| one == name)
}

/// The sub-command that most of the words name, by which name, and how many words it takes up.
fn named_by(
    subs: &'static [Program],
    words: &[&str],
    naming: Naming,
) -> Option<(&'static Program, &'static str, usize)> {
    let mut best: Option<(&'static Program, &'static str, (usize, u8))> = None;
    for sub in subs {
        for name in sub.names {
            let length = matched_words(name, words, naming);
            let rank = (length, if naming == Naming::Short { bearing(sub) } else { 0 });
            if length > 0 && best.is_none_or(|(_, _, before)| rank > before) {
                best = Some((sub, name, rank));
            }
        }
    }
    best.map(|(sub, name, (length, _))| (sub, name, length))
}

/// How much it matters that a sub-command is the one that is meant.
fn bearing(sub: &Program) -> u8 {
    match (sub.does.is_empty(), sub.refine.is_some() || !sub.subs.is_empty()) {
        (false, _) => 2,
        (true, true) => 1,
        (true, false) => 0,
    }
}

/// How many of the words a name takes up; none if it does not match them.
fn matched_words(name: &str, words: &[&str], naming: Naming) -> usize {
    let mut count = 0;
    for (index, part) in name.split(' ').enumerate() {
        match words.get(index) {
            Some(word) if word_matches(part, word, naming) => count += 1,
            Some(_) | None => return 0,
        }
    }
    count
}

/// Whether a name begins with the words and goes on.
fn is_longer(name: &str, words: &[&str], naming: Naming) -> bool {
    let parts = name.split(' ').count();
    parts > words.len() && name.split(' ').zip(words).all(|(part, word)| word_matches(part, word, naming))
}

fn word_matches(part: &str, word: &str, naming: Naming) -> bool {
    match part.strip_suffix('*') {
        Some(prefix) => word.starts_with(prefix),
        None => part == word || naming == Naming::Short && is_short_for(part, word),
    }
}

/// Whether a word is a name that is cut short, or each part of one between colons: `mig:fr` for `migrate:fresh`.
pub(super) fn is_short_for(name: &str, word: &str) -> bool {
    let parts = || name.split(':').zip(word.split(':'));
    let as_many = name.split(':').count() == word.split(':').count();
    as_many && parts().all(|(part, short)| !short.is_empty() && part.starts_with(short))
}

/// The known text that a value begins with. What may be empty and stands before a dash is taken to be empty:
/// `$9-rf` is an option then, the worse of the two readings.
fn first_literal(value: &Value) -> &str {
    match value.pieces.as_slice() {
        [Piece::Literal(text), ..] => text,
        [Piece::Hole(hole), Piece::Literal(text), ..] if hole.may_be_empty && text.starts_with('-') => text,
        _ => "",
    }
}

fn whole_literal(value: &Value) -> &str {
    if value.pieces.len() == 1 { first_literal(value) } else { "" }
}

/// The value without its first bytes.
pub(crate) fn tail(value: &Value, bytes: usize) -> Value {
    let mut rest = Value { pieces: Vec::new(), provenance: value.provenance };
    let hidden = usize::from(matches!(value.pieces.first(), Some(Piece::Hole(_))));
    for (index, piece) in value.pieces.iter().enumerate().skip(hidden) {
        match piece {
            Piece::Literal(text) if index == hidden => rest.push_str(text.get(bytes..).unwrap_or_default()),
            Piece::Literal(text) => rest.push_str(text),
            Piece::Glob(_) | Piece::Hole(_) => rest.pieces.push(piece.clone()),
        }
    }
    rest
}
