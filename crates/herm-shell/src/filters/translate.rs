//! `tr`.

use super::bytes::to_text;
use super::options::parse;
use super::streams::{Streams, affordable};
use crate::value::{Hole, Piece, Provenance, Value};

const LONG: &[(&str, char)] =
    &[("complement", 'c'), ("delete", 'd'), ("squeeze-repeats", 's'), ("truncate-set1", 't')];

/// What `tr` prints. It works letter by letter, so that holes may stay where they are.
pub(super) fn tr(arguments: &[Value], streams: &mut Streams<'_>) -> Option<Value> {
    let options = parse(arguments, "cCdst", LONG)?;
    let sets = options.operands.iter().map(|set| Set::parse(&set.known()?)).collect::<Option<Vec<_>>>()?;
    let input = streams.input(&[]);
    if !affordable(&input, streams.fuel) {
        return None;
    }
    let (first, second) = match sets.as_slice() {
        [first] if options.has('d') || options.has('s') => (first, None),
        [first, second] => (first, Some(second)),
        _ => return None,
    };
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
    fn apply(&self, input: &Value) -> Value {
        let mut output = Value::default().from(input.provenance);
        let mut last = None;
        for piece in &input.pieces {
            match piece {
                Piece::Literal(text) => output.push_str(&self.text(text, &mut last)),
                Piece::Glob(_) => {
                    last = None;
                    output.pieces.push(piece.clone());
                }
                // What stands in the file is not what comes out any more.
                Piece::Hole(hole) => {
                    last = None;
                    output.pieces.push(Piece::Hole(Hole { file: None, ..hole.clone() }));
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

/// A set of characters, in order.
struct Set(Vec<char>);

impl Set {
    fn parse(text: &str) -> Option<Self> {
        let text = to_text(&super::escape::unescape(text, super::escape::Reader::Format).bytes);
        let letters: Vec<char> = text.chars().collect();
        let mut set = Vec::new();
        let mut rest = letters.as_slice();
        while let Some((&first, after)) = rest.split_first() {
            rest = match rest {
                ['[', ':', ..] => match class(rest) {
                    Some((members, tail)) => {
                        set.extend(members);
                        tail
                    }
                    None => return None,
                },
                ['[', letter, '*', ']', tail @ ..] | ['[', '=', letter, '=', ']', tail @ ..] => {
                    set.push(*letter);
                    tail
                }
                [first, '-', last, tail @ ..] if first <= last => {
                    if u32::from(*last) - u32::from(*first) > 0x100 {
                        return None;
                    }
                    set.extend(*first..=*last);
                    tail
                }
                _ => {
                    set.push(first);
                    after
                }
            };
        }
        (set.len() <= 512).then_some(Self(set))
    }

    fn has(&self, letter: char) -> bool {
        self.0.contains(&letter)
    }

    /// The last place of a letter: what it becomes is what the last pair says.
    fn position(&self, letter: char) -> Option<usize> {
        self.0.iter().rposition(|own| *own == letter)
    }

    /// The letter at a place; the last one is repeated.
    fn at(&self, place: usize) -> Option<char> {
        self.0.get(place).copied().or(self.last())
    }

    fn last(&self) -> Option<char> {
        self.0.last().copied()
    }
}

fn class(rest: &[char]) -> Option<(Vec<char>, &[char])> {
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
    Some((members, rest.get(close + 1..)?))
}
