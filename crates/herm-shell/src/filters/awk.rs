//! `awk`, as far as it only prints fields and texts: `{print $2}`, `BEGIN{printf "%s", "x"}`.

use super::Speaker;
use super::computed::{Computed, Known};
use super::options::parse;
use super::printf::printf;
use super::streams::Streams;
use crate::value::Value;

/// What a one-rule program that prints prints.
pub(super) fn awk(arguments: &[Value], streams: &mut Streams<'_>) -> Option<Computed> {
    let options = parse(arguments, "F:", &[("field-separator", 'F')])?;
    let (program, files) = options.operands.split_first()?;
    let program = Known::of(program)?;
    let (begin, body) = match program.trim().strip_prefix("BEGIN") {
        Some(body) => (true, body.trim()),
        None => (false, program.trim()),
    };
    let statements = statements(body.strip_prefix('{')?.strip_suffix('}')?)?;
    if begin {
        let record = Record { line: "", separator: None };
        return statements
            .iter()
            .map(|statement| statement.print(&record))
            .collect::<Option<String>>()
            .map(|text| Computed::exact(text, &program));
    }
    let separator = options.value('F').filter(|separator| *separator != " ");
    if separator.is_some_and(|separator| separator.chars().count() != 1) {
        return None;
    }
    streams.map(files, |text| {
        let record = |line| Record { line, separator };
        let lines = super::lines::of(text)
            .flat_map(|line| statements.iter().map(move |one| one.print(&record(line))));
        lines.collect()
    })
}

struct Statement {
    formatted: bool,
    /// Each a concatenation.
    words: Vec<Vec<Term>>,
}

enum Term {
    Field(usize),
    LastField,
    /// `tolower($0)`, `toupper("x")`.
    Recased(fn(&str) -> String, Box<Term>),
    Text(String),
}

struct Record<'a> {
    line: &'a str,
    separator: Option<&'a str>,
}

impl Record<'_> {
    fn fields(&self) -> Vec<&str> {
        match self.separator {
            Some(separator) => self.line.split(separator).collect(),
            None => blanks(self.line),
        }
    }

    fn term(&self, term: &Term) -> String {
        match term {
            Term::Field(0) => self.line.to_owned(),
            Term::Field(number) => self.fields().get(number - 1).copied().unwrap_or_default().to_owned(),
            Term::LastField => self.fields().last().copied().unwrap_or_default().to_owned(),
            Term::Recased(change, term) => change(&self.term(term)),
            Term::Text(text) => text.clone(),
        }
    }
}

impl Statement {
    fn print(&self, record: &Record<'_>) -> Option<String> {
        let words: Vec<String> =
            self.words.iter().map(|terms| terms.iter().map(|term| record.term(term)).collect()).collect();
        if self.formatted {
            let taken = taken(words.first()?)?;
            let words: Vec<Value> =
                characters(words.get(..=taken)?)?.into_iter().map(Value::literal).collect();
            return printf(Speaker::Shell, &words)?.known().map(std::borrow::Cow::into_owned);
        }
        Some(if words.is_empty() { record.line.to_owned() } else { words.join(" ") } + "\n")
    }
}

/// The fields between blanks, which are three characters to awk.
pub(crate) fn blanks(line: &str) -> Vec<&str> {
    line.split([' ', '\t', '\n']).filter(|field| !field.is_empty()).collect()
}

/// How many words a format takes, when it has nothing but `%s`, `%c` and `%%`, which every awk reads alike.
fn taken(format: &str) -> Option<usize> {
    if format.contains('\\') {
        return None;
    }
    let mut taken = 0;
    let mut rest = format;
    while let Some((_, after)) = rest.split_once('%') {
        let flat = after
            .strip_prefix('-')
            .unwrap_or(after)
            .trim_start_matches(|letter: char| letter.is_ascii_digit());
        rest = flat.get(1..)?;
        match flat.chars().next()? {
            '%' if flat.len() == after.len() => {}
            's' | 'c' => taken += 1,
            _ => return None,
        }
    }
    Some(taken)
}

/// To awk's `%c` a number is a character, not text whose first letter counts; a field that looks like one is either.
fn characters(words: &[String]) -> Option<Vec<String>> {
    let (format, arguments) = words.split_first()?;
    let kinds = format.split('%').filter_map(|part| part.chars().find(char::is_ascii_alphabetic));
    let mut given = vec![format.clone()];
    for (word, kind) in arguments.iter().zip(kinds.chain(std::iter::repeat('s'))) {
        let number = word.parse::<u8>().ok().filter(|number| (1..128).contains(number));
        given.push(match (kind, number) {
            ('c', Some(number)) => char::from(number).to_string(),
            ('c', None) if word.starts_with(|letter: char| letter.is_ascii_alphabetic()) => word.clone(),
            ('c', None) => return None,
            _ => word.clone(),
        });
    }
    Some(given)
}

fn statements(text: &str) -> Option<Vec<Statement>> {
    let mut tokens = tokens(text)?.into_iter().peekable();
    let mut statements = Vec::new();
    loop {
        let formatted = match tokens.next() {
            None => return (!statements.is_empty()).then_some(statements),
            Some(Token::End) => continue,
            Some(Token::Word(word)) if word == "print" => false,
            Some(Token::Word(word)) if word == "printf" => true,
            Some(Token::Comma | Token::Term(_) | Token::Word(_)) => return None,
        };
        let mut words: Vec<Vec<Term>> = Vec::new();
        let mut open = true;
        while let Some(token) = tokens.next_if(|token| !matches!(token, Token::End)) {
            match token {
                Token::Comma => open = true,
                Token::Term(term) if open => {
                    words.push(vec![term]);
                    open = false;
                }
                Token::Term(term) => words.last_mut()?.push(term),
                Token::End | Token::Word(_) => return None,
            }
        }
        if formatted && words.is_empty() {
            return None;
        }
        statements.push(Statement { formatted, words });
    }
}

enum Token {
    Comma,
    End,
    Term(Term),
    Word(String),
}

fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let after = rest.get(letter.len_utf8()..)?;
        rest = match letter {
            ' ' | '\t' => after,
            ';' | '\n' => {
                tokens.push(Token::End);
                after
            }
            ',' => {
                tokens.push(Token::Comma);
                after
            }
            '"' => {
                let (text, after) = string(after)?;
                tokens.push(Token::Term(Term::Text(text)));
                after
            }
            '$' => {
                let (field, after) = field(after)?;
                tokens.push(Token::Term(field));
                after
            }
            'a'..='z' => {
                let (word, after) = span(rest, |letter| letter.is_ascii_alphanumeric());
                if let Some((term, after)) = recased(word, after) {
                    tokens.push(Token::Term(term));
                    rest = after;
                    continue;
                }
                tokens.push(Token::Word(word.to_owned()));
                after
            }
            '0'..='9' => {
                let (digits, after) = digits(rest)?;
                tokens.push(Token::Term(Term::Text(digits.to_owned())));
                after
            }
            _ => return None,
        };
    }
    Some(tokens)
}

fn recased<'t>(word: &str, after: &'t str) -> Option<(Term, &'t str)> {
    let change: fn(&str) -> String = match word {
        "tolower" => str::to_lowercase,
        "toupper" => str::to_uppercase,
        _ => return None,
    };
    let inner = after.trim_start().strip_prefix('(')?.trim_start();
    let (term, rest) = if let Some(rest) = inner.strip_prefix('$') {
        field(rest)?
    } else {
        let (text, rest) = string(inner.strip_prefix('"')?)?;
        (Term::Text(text), rest)
    };
    Some((Term::Recased(change, Box::new(term)), rest.trim_start().strip_prefix(')')?))
}

fn field(text: &str) -> Option<(Term, &str)> {
    if let Some(after) = text.strip_prefix("NF") {
        return Some((Term::LastField, after));
    }
    let (digits, after) = digits(text)?;
    Some((Term::Field(digits.parse().ok()?), after))
}

/// A number that every awk reads alike: to some a leading zero makes it octal, and long ones are rounded.
fn digits(text: &str) -> Option<(&str, &str)> {
    let (digits, after) = span(text, |letter| letter.is_ascii_digit());
    let is_plain = digits.len() < 15 && (digits == "0" || !digits.starts_with('0'));
    is_plain.then_some((digits, after))
}

fn span(text: &str, inside: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|letter| !inside(letter)).unwrap_or(text.len()))
}

fn string(text: &str) -> Option<(String, &str)> {
    let mut escaped = false;
    let end = text.find(|letter| {
        let closes = letter == '"' && !escaped;
        escaped = letter == '\\' && !escaped;
        closes
    })?;
    let written = text.get(..end)?;
    let mut letters = written.chars();
    while let Some(letter) = letters.next() {
        if letter == '\\' && !matches!(letters.next(), Some('n' | 't' | '\\' | '"')) && !is_octal(written) {
            return None;
        }
    }
    let read = super::escape::unescape(written, super::escape::Reader::Format);
    Some((super::bytes::to_text(&read.bytes), text.get(end + 1..)?))
}

/// Whether every escape of a text is a whole octal number.
fn is_octal(text: &str) -> bool {
    text.split('\\')
        .skip(1)
        .all(|part| part.bytes().take(3).filter(|byte| (b'0'..=b'7').contains(byte)).count() == 3)
}
