//! `tr`.

use super::computed::{Computed, Known, Part};
use super::options::parse;
use super::streams::{Streams, affordable};
use crate::value::{Hole, Piece, Provenance, Value};

const LONG: &[(&str, char)] = &[("complement", 'c'), ("delete", 'd'), ("squeeze-repeats", 's')];

/// What `tr` prints. It works letter by letter, so that holes may stay where they are.
pub(super) fn tr(arguments: &[Value], streams: &mut Streams<'_>) -> Option<Computed> {
    let options = parse(arguments, "cCds", LONG)?;
    let sets = options.operands.iter().map(|set| Set::parse(&set.known()?)).collect::<Option<Vec<_>>>()?;
    let input = streams.input(&[]);
    if !affordable(&input, streams.fuel) {
        return None;
    }
    let (first, second) = match sets.as_slice() {
        [first] if options.has('d') != options.has('s') => (first, None),
        [first, second] if options.has('d') == options.has('s') || !options.has('d') => (first, Some(second)),
        _ => return None,
    };
    let complement = options.has('c') || options.has('C');
    let plain = |piece: &Piece| matches!(piece, Piece::Literal(text) if text.is_ascii());
    // It works on bytes, so that letters of several bytes are several.
    if complement && !input.pieces.iter().all(plain) {
        return None;
    }
    if let Some(second) = second
        && !options.has('d')
    {
        first.translates_to(second, complement)?;
    }
    let translates = second.is_some() && !options.has('d');
    let squeezed = options.has('s').then(|| second.unwrap_or(first));
    let job = Job {
        from: first,
        complement: options.has('c') || options.has('C'),
        to: second.filter(|_| translates),
        delete: options.has('d'),
        squeezed,
        squeezes_complement: second.is_none() && (options.has('c') || options.has('C')),
    };
    let disguise = if job.is_disguise() { Provenance::DECODED } else { Provenance::NONE };
    Some(job.apply(&input).from(disguise))
}

struct Job<'a> {
    from: &'a Set,
    complement: bool,
    to: Option<&'a Set>,
    delete: bool,
    squeezed: Option<&'a Set>,
    squeezes_complement: bool,
}

impl Job<'_> {
    fn apply(&self, input: &Value) -> Computed {
        let mut output = Computed::default().from(input.provenance);
        let mut last = None;
        for part in Known::parts(input) {
            match part {
                Part::Known(text) => output.write(&self.text(&text, &mut last), &text),
                Part::Open(piece) => {
                    last = None;
                    output.keep(&changed(piece), input.provenance);
                }
            }
        }
        output
    }

    fn text(&self, text: &str, last: &mut Option<char>) -> String {
        let mut out = String::with_capacity(text.len());
        for letter in text.chars() {
            if self.delete && self.selects(letter) {
                continue;
            }
            let letter = self.translated(letter);
            let squeezes = self.squeezed.is_some_and(|set| set.has(letter) != self.squeezes_complement);
            if squeezes && *last == Some(letter) {
                continue;
            }
            *last = Some(letter);
            out.push(letter);
        }
        out
    }

    fn selects(&self, letter: char) -> bool {
        self.from.has(letter) != self.complement
    }

    fn translated(&self, letter: char) -> char {
        let Some(to) = self.to else { return letter };
        if self.complement {
            return if self.from.has(letter) { letter } else { to.last().unwrap_or(letter) };
        }
        self.from.position(letter).and_then(|at| to.at(at)).unwrap_or(letter)
    }

    /// Whether letters become quite other letters, as in ROT13.
    fn is_disguise(&self) -> bool {
        let other = |letter: char| {
            let new = self.translated(letter);
            new.is_ascii_alphabetic() && !new.eq_ignore_ascii_case(&letter)
        };
        self.to.is_some() && !self.complement && ('a'..='z').filter(|letter| other(*letter)).count() > 3
    }
}

/// What stands in a file is not what comes out any more.
fn changed(open: &Piece) -> Piece {
    match open {
        Piece::Hole(hole) => Piece::Hole(Hole { file: None, matched: None, choices: None, ..hole.clone() }),
        Piece::Glob(_) | Piece::Literal(_) => open.clone(),
    }
}

/// A set of characters, in order.
struct Set {
    letters: Vec<char>,
    /// The classes in it. Two that are paired change the case; others have no place in what is translated to.
    classes: Vec<String>,
    /// Whether there is something besides classes.
    more: bool,
}

impl Set {
    fn parse(text: &str) -> Option<Self> {
        let letters = unescaped(text)?;
        let mut set = Self { letters: Vec::new(), classes: Vec::new(), more: false };
        let mut rest = letters.as_slice();
        while let Some((&first, after)) = rest.split_first() {
            rest = match rest {
                ['[', ':', ..] => {
                    let (name, members, tail) = class(rest)?;
                    set.letters.extend(members);
                    set.classes.push(name);
                    tail
                }
                // Equivalence classes and repetitions.
                ['[', '=', ..] | ['[', _, '*', ..] => return None,
                [first, '-', last, tail @ ..] => {
                    if first > last || tail.first() == Some(&'-') {
                        return None;
                    }
                    set.letters.extend(*first..=*last);
                    set.more = true;
                    tail
                }
                _ => {
                    set.letters.push(first);
                    set.more = true;
                    after
                }
            };
        }
        (set.letters.len() <= 512 && !set.letters.is_empty()).then_some(set)
    }

    /// Whether it is certain what these become when they are translated to those.
    fn translates_to(&self, second: &Self, complement: bool) -> Option<()> {
        let cased = |set: &Self| set.classes.iter().any(|name| name == "upper" || name == "lower");
        let paired = !self.more && !second.more && self.classes.len() == 1 && second.classes.len() == 1;
        let single = second.letters.iter().all(|letter| second.letters.first() == Some(letter));
        let known = match (complement, second.classes.is_empty()) {
            (true, true) => single,
            (true, false) => false,
            (false, true) => true,
            (false, false) => paired && cased(self) && cased(second),
        };
        known.then_some(())
    }

    fn has(&self, letter: char) -> bool {
        self.letters.contains(&letter)
    }

    /// The last place of a letter: what it becomes is what the last pair says.
    fn position(&self, letter: char) -> Option<usize> {
        self.letters.iter().rposition(|own| *own == letter)
    }

    /// The letter at a place; the last one is repeated.
    fn at(&self, place: usize) -> Option<char> {
        self.letters.get(place).copied().or(self.last())
    }

    fn last(&self) -> Option<char> {
        self.letters.last().copied()
    }
}

/// The letters of a set, its escapes replaced. `None` where an escape hides a sign.
fn unescaped(text: &str) -> Option<Vec<char>> {
    if !text.is_ascii() {
        return None;
    }
    let mut letters = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        rest = rest.get(first.len_utf8()..)?;
        if first != '\\' {
            letters.push(first);
            continue;
        }
        let escape = rest.chars().next()?;
        let digits = rest.bytes().take(3).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
        let (letter, length) = match escape {
            '0'..='7' => (char::from(u8::from_str_radix(rest.get(..digits)?, 8).ok()?), digits),
            'n' => ('\n', 1),
            't' => ('\t', 1),
            'r' => ('\r', 1),
            '\\' => ('\\', 1),
            _ => return None,
        };
        if !letter.is_ascii() || matches!(letter, '-' | '[' | '*' | ':' | '=') {
            return None;
        }
        letters.push(letter);
        rest = rest.get(length..)?;
    }
    Some(letters)
}

fn class(rest: &[char]) -> Option<(String, Vec<char>, &[char])> {
    let close = rest.iter().position(|letter| *letter == ']')?;
    let name: String = rest.get(2..close.checked_sub(1)?)?.iter().collect();
    let test: fn(&char) -> bool = match name.as_str() {
        "alpha" => char::is_ascii_alphabetic,
        "digit" => char::is_ascii_digit,
        "alnum" => char::is_ascii_alphanumeric,
        "upper" => char::is_ascii_uppercase,
        "lower" => char::is_ascii_lowercase,
        "space" => |letter| matches!(letter, '\t'..='\r' | ' '),
        "blank" => |letter| matches!(letter, '\t' | ' '),
        "punct" => char::is_ascii_punctuation,
        "cntrl" => char::is_ascii_control,
        "print" => |letter| (' '..='~').contains(letter),
        "graph" => char::is_ascii_graphic,
        "xdigit" => char::is_ascii_hexdigit,
        _ => return None,
    };
    let members = ('\0'..='\x7f').filter(test).collect();
    Some((name, members, rest.get(close + 1..)?))
}
