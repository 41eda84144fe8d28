//! `sed`, as far as it substitutes, translates, prints and deletes.

use super::computed::Computed;
use super::options::parse;
use super::regex::{Dialect, Groups, Regex};
use super::streams::Streams;
use crate::value::Value;

const LONG: &[(&str, char)] =
    &[("quiet", 'n'), ("silent", 'n'), ("regexp-extended", 'E'), ("expression", 'e'), ("unbuffered", 'u')];

/// What `sed` prints. Commands that read, write or execute are not computed.
pub(super) fn sed(arguments: &[Value], streams: &mut Streams<'_>) -> Option<Computed> {
    let mut options = parse(arguments, "nErue:", LONG)?;
    let mut script = options.values('e').collect::<Vec<_>>().join("\n");
    if !options.has('e') {
        if options.operands.is_empty() {
            return None;
        }
        script = options.operands.remove(0).known()?.into_owned();
    }
    if !script.is_ascii() {
        return None;
    }
    let dialect = if options.has('E') || options.has('r') { Dialect::Extended } else { Dialect::Basic };
    let mut reader = Script { rest: script.chars().collect(), at: 0, dialect, executes: Vec::new() };
    let commands = reader.commands()?;
    // What a command prints is not known.
    if !reader.executes.is_empty() {
        return None;
    }
    streams.map(&options.operands, |text| edited(text, &commands, options.has('n')))
}

/// What is known of the commands that a script hands to a shell.
pub(crate) struct Handed {
    /// The commands, in the order in which they run.
    pub(crate) commands: Vec<String>,
    /// The script without them.
    pub(crate) rest: String,
}

/// The commands that the `e` of a script runs for a text. Nothing where that is not known exactly.
pub(crate) fn handed(script: &str, dialect: Dialect, text: &str) -> Option<Handed> {
    if !script.is_ascii() || text.len() > super::LARGEST {
        return None;
    }
    let mut reader = Script { rest: script.chars().collect(), at: 0, dialect, executes: Vec::new() };
    let commands = reader.commands()?;
    let rest = reader.rest.iter().enumerate().filter(|(at, _)| !reader.executes.contains(at));
    let rest = rest.map(|(_, letter)| letter).collect();
    let lines: Vec<&str> = super::lines::of(text).collect();
    let mut run = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let (space, mut out) = (line.chars().collect(), String::new());
        let mut cycle = Cycle {
            line: at + 1,
            last: lines.len(),
            unended: usize::MAX,
            space,
            out: &mut out,
            run: Some(&mut run),
        };
        let end = cycle.run(&commands)?;
        if matches!(end, End::Left | End::Quit) {
            break;
        }
    }
    Some(Handed { commands: run, rest })
}

struct Command {
    address: Address,
    negated: bool,
    deed: Deed,
}

enum Address {
    All,
    Last,
    Line(usize),
    Lines(usize, usize),
    Matching(Regex),
}

enum Deed {
    Delete,
    /// Runs this, or else the line.
    Execute(Option<String>),
    /// Ends with nothing more printed, not even the line.
    Leave,
    Print,
    Quit,
    Substitute(Substitution),
    Translate(Vec<(char, char)>),
}

struct Substitution {
    regex: Regex,
    with: Vec<Part>,
    all: bool,
    which: usize,
    print: bool,
    /// Whether the line runs then.
    runs: bool,
}

enum Part {
    /// What follows is in these letters: GNU's `\L`, `\U` and `\E`.
    Case(Case),
    Group(usize),
    Text(String),
}

#[derive(Clone, Copy)]
enum Case {
    AsGiven,
    Lower,
    Upper,
}

impl Case {
    fn apply(self, text: &[char], out: &mut Vec<char>) {
        for letter in text {
            match self {
                Self::AsGiven => out.push(*letter),
                Self::Lower => out.extend(letter.to_lowercase()),
                Self::Upper => out.extend(letter.to_uppercase()),
            }
        }
    }
}

fn edited(text: &str, commands: &[Command], quiet: bool) -> Option<String> {
    let lines: Vec<&str> = super::lines::of(text).collect();
    let unended = if text.ends_with('\n') { usize::MAX } else { lines.len() };
    let mut out = String::new();
    for (at, line) in lines.iter().enumerate() {
        let space = line.chars().collect();
        let mut cycle = Cycle { line: at + 1, last: lines.len(), unended, space, out: &mut out, run: None };
        let end = cycle.run(commands)?;
        if !matches!(end, End::Deleted | End::Left) && !quiet {
            cycle.print();
        }
        if out.len() > super::LARGEST {
            return None;
        }
        if matches!(end, End::Left | End::Quit) {
            break;
        }
    }
    Some(out)
}

/// How the commands end for a line.
#[derive(PartialEq, Eq)]
enum End {
    Deleted,
    Done,
    Left,
    Quit,
}

/// One line on its way through the commands.
struct Cycle<'a> {
    line: usize,
    last: usize,
    /// The line that has no newline at its end, if one has none.
    unended: usize,
    space: Vec<char>,
    out: &'a mut String,
    /// What was run so far, where that is asked for.
    run: Option<&'a mut Vec<String>>,
}

impl Cycle<'_> {
    fn run(&mut self, commands: &[Command]) -> Option<End> {
        for (at, command) in commands.iter().enumerate() {
            if command.selects(self.line, self.last, &self.space)? == command.negated {
                continue;
            }
            match &command.deed {
                Deed::Delete => return Some(End::Deleted),
                Deed::Print => self.print(),
                Deed::Quit => return Some(End::Quit),
                Deed::Leave => return Some(End::Left),
                Deed::Translate(pairs) => translate(&mut self.space, pairs),
                Deed::Execute(text) => {
                    let replaces = text.is_none();
                    self.execute(text.clone());
                    if replaces {
                        return unless_more(commands.get(at + 1..).unwrap_or_default());
                    }
                }
                Deed::Substitute(substitution) => {
                    let changed = self.substitute(substitution)?;
                    if changed && substitution.runs {
                        self.execute(None);
                        return unless_more(commands.get(at + 1..).unwrap_or_default());
                    }
                    if changed && substitution.print {
                        self.print();
                    }
                }
            }
        }
        Some(End::Done)
    }

    fn execute(&mut self, text: Option<String>) {
        let text = text.unwrap_or_else(|| self.space.iter().collect());
        if let Some(run) = &mut self.run {
            run.push(text);
        }
    }

    fn print(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        self.out.extend(&self.space);
        if self.line != self.unended {
            self.out.push('\n');
        }
    }

    /// Replaces matches; says whether there were any.
    fn substitute(&mut self, substitution: &Substitution) -> Option<bool> {
        let Substitution { regex, with, all, which, .. } = substitution;
        let (all, which) = (*all, *which);
        let mut new = Vec::with_capacity(self.space.len());
        let (mut from, mut copied, mut count, mut matched) = (0, 0, 0, None);
        while let Some(groups) = regex.find(&self.space, from).ok()? {
            let (start, end) = groups.first().copied().flatten()?;
            if start == end && matched == Some(end) {
                // Nothing is no match right behind something.
                from = end + 1;
                if from > self.space.len() {
                    break;
                }
                continue;
            }
            matched = Some(end);
            count += 1;
            if count >= which {
                new.extend(self.space.get(copied..start).unwrap_or_default());
                fill(&mut new, with, &groups, &self.space);
                copied = end;
            }
            from = if end > start { end } else { end + 1 };
            if count >= which && !all || from > self.space.len() {
                break;
            }
        }
        new.extend(self.space.get(copied..).unwrap_or_default());
        self.space = new;
        (self.space.len() <= super::LARGEST).then_some(count >= which)
    }
}

/// The end of a cycle whose line is what a command printed: what runs then must not be decided by it.
fn unless_more(rest: &[Command]) -> Option<End> {
    let decides = |command: &Command| match &command.deed {
        Deed::Execute(_) | Deed::Leave | Deed::Quit => true,
        Deed::Substitute(substitution) => substitution.runs,
        Deed::Delete | Deed::Print | Deed::Translate(_) => false,
    };
    (!rest.iter().any(decides)).then_some(End::Done)
}

impl Command {
    fn selects(&self, line: usize, last: usize, space: &[char]) -> Option<bool> {
        Some(match &self.address {
            Address::All => true,
            Address::Last => line == last,
            Address::Line(number) => line == *number,
            Address::Lines(first, end) => (*first..=*end.max(first)).contains(&line),
            Address::Matching(regex) => regex.find(space, 0).ok()?.is_some(),
        })
    }
}

fn translate(space: &mut [char], pairs: &[(char, char)]) {
    for letter in space {
        if let Some((_, to)) = pairs.iter().find(|(from, _)| from == letter) {
            *letter = *to;
        }
    }
}

fn fill(out: &mut Vec<char>, with: &[Part], groups: &Groups, space: &[char]) {
    let mut case = Case::AsGiven;
    for part in with {
        match part {
            Part::Case(next) => case = *next,
            Part::Text(text) => case.apply(&text.chars().collect::<Vec<_>>(), out),
            Part::Group(number) => {
                if let Some((start, end)) = groups.get(*number).copied().flatten() {
                    case.apply(space.get(start..end).unwrap_or_default(), out);
                }
            }
        }
    }
}

struct Script {
    rest: Vec<char>,
    at: usize,
    dialect: Dialect,
    /// Where it says that something runs.
    executes: Vec<usize>,
}

impl Script {
    fn commands(&mut self) -> Option<Vec<Command>> {
        let mut commands = Vec::new();
        loop {
            while self.peek().is_some_and(|letter| letter.is_whitespace() || letter == ';') {
                self.at += 1;
            }
            if self.peek().is_none() {
                return Some(commands);
            }
            let address = self.address()?;
            self.blanks();
            let negated = self.peek() == Some('!');
            self.at += usize::from(negated);
            self.blanks();
            let deed = self.deed()?;
            self.blanks();
            if !matches!(self.peek(), None | Some(';' | '\n')) || commands.len() > 64 {
                return None;
            }
            commands.push(Command { address, negated, deed });
        }
    }

    fn address(&mut self) -> Option<Address> {
        match self.peek()? {
            '$' => {
                self.at += 1;
                Some(Address::Last)
            }
            '/' => {
                self.at += 1;
                let pattern = self.until('/')?;
                Some(Address::Matching(Regex::new(&pattern, self.dialect, false)?.without_groups()))
            }
            '0'..='9' => {
                let first = self.number()?;
                if self.peek() != Some(',') {
                    return Some(Address::Line(first));
                }
                self.at += 1;
                if self.peek() == Some('$') {
                    self.at += 1;
                    return Some(Address::Lines(first, usize::MAX));
                }
                Some(Address::Lines(first, self.number()?))
            }
            _ => Some(Address::All),
        }
    }

    fn deed(&mut self) -> Option<Deed> {
        let letter = self.next()?;
        match letter {
            'd' => Some(Deed::Delete),
            'e' => Some(self.execution()),
            'p' => Some(Deed::Print),
            'Q' => Some(Deed::Leave),
            'q' => Some(Deed::Quit),
            's' => self.substitution(),
            'y' => {
                let mark = self.next()?;
                let (from, to) = (self.until(mark)?, self.until(mark)?);
                (from.chars().count() == to.chars().count() && !from.contains('\\') && !to.contains('\\'))
                    .then(|| Deed::Translate(from.chars().zip(to.chars()).collect()))
            }
            _ => None,
        }
    }

    /// `e`, or `e COMMAND` up to the end of the line.
    fn execution(&mut self) -> Deed {
        let start = self.at - 1;
        let mut text = String::new();
        while let Some(letter) = self.peek().filter(|letter| *letter != '\n') {
            text.push(letter);
            self.at += 1;
        }
        self.executes.extend(start..self.at);
        let text = text.trim();
        Deed::Execute((!text.is_empty()).then(|| text.to_owned()))
    }

    fn substitution(&mut self) -> Option<Deed> {
        let mark = self.next().filter(|mark| !matches!(mark, '\\' | '\n'))?;
        let pattern = self.until(mark)?;
        let with = replacement(&self.until(mark)?)?;
        let (mut all, mut print, mut fold, mut runs, mut which) = (false, false, false, false, 1);
        loop {
            match self.peek() {
                Some('g') => all = true,
                Some('p') => print = true,
                Some('i' | 'I') => fold = true,
                Some('1'..='9') => {
                    which = self.number()?;
                    continue;
                }
                Some('e') => {
                    runs = true;
                    self.executes.push(self.at);
                }
                Some('w' | 'm' | 'M') => return None,
                Some(_) | None => break,
            }
            self.at += 1;
        }
        if pattern.is_empty() {
            return None;
        }
        let regex = Regex::new(&pattern, self.dialect, fold)?;
        let highest = with.iter().map(|part| if let Part::Group(number) = part { *number } else { 0 }).max();
        if highest.unwrap_or_default() > regex.groups() {
            return None;
        }
        let regex = if highest.unwrap_or_default() == 0 { regex.without_groups() } else { regex };
        Some(Deed::Substitute(Substitution { regex, with, all, which, print, runs }))
    }

    /// The text up to an unescaped mark; an escaped mark is the mark itself.
    fn until(&mut self, mark: char) -> Option<String> {
        let mut text = String::new();
        loop {
            let letter = self.next()?;
            match letter {
                '\\' => {
                    let escaped = self.next()?;
                    if escaped != mark {
                        text.push('\\');
                    } else if !"/,#:;@!%_~=\" ".contains(mark) {
                        // A sign that is escaped as the mark may be itself or the sign.
                        return None;
                    }
                    text.push(escaped);
                }
                _ if letter == mark => return Some(text),
                '\n' => return None,
                _ => text.push(letter),
            }
        }
    }

    fn number(&mut self) -> Option<usize> {
        let start = self.at;
        while self.peek().is_some_and(|letter| letter.is_ascii_digit()) {
            self.at += 1;
        }
        self.rest.get(start..self.at)?.iter().collect::<String>().parse().ok()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<char> {
        self.rest.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += 1;
        Some(letter)
    }
}

fn replacement(text: &str) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut plain = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let group = match letter {
            '&' => Some(0),
            '\\' => match letters.next()? {
                'n' => {
                    plain.push('\n');
                    None
                }
                't' => {
                    plain.push('\t');
                    None
                }
                letter @ ('L' | 'U' | 'E') => {
                    parts.push(Part::Text(std::mem::take(&mut plain)));
                    parts.push(Part::Case(match letter {
                        'L' => Case::Lower,
                        'U' => Case::Upper,
                        _ => Case::AsGiven,
                    }));
                    None
                }
                digit @ '0'..='9' => digit.to_digit(10).and_then(|digit| usize::try_from(digit).ok()),
                other if other.is_alphanumeric() => return None,
                other => {
                    plain.push(other);
                    None
                }
            },
            other => {
                plain.push(other);
                None
            }
        };
        if let Some(group) = group {
            parts.push(Part::Text(std::mem::take(&mut plain)));
            parts.push(Part::Group(group));
        }
    }
    parts.push(Part::Text(plain));
    Some(parts)
}
