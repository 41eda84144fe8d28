//! Options of filters.

use crate::value::Value;

/// The options and operands of a filter.
#[derive(Debug, Default)]
pub(super) struct Options {
    given: Vec<(char, String)>,
    pub(super) operands: Vec<Value>,
}

/// Reads arguments. `short` lists the letters, each followed by `:` if it takes a value; `long` gives each long name
/// its letter. `None` if anything else is given, or if an unknown word might be an option.
pub(super) fn parse(arguments: &[Value], short: &str, long: &[(&str, char)]) -> Option<Options> {
    let mut options = Options::default();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let beginning = word.known_prefix();
        if beginning.is_empty() && !word.pieces.is_empty() && word.known().is_none() {
            return None;
        }
        if !beginning.starts_with('-') || beginning == "-" && word.known().is_some() {
            options.operands.push(word.clone());
            continue;
        }
        let text = word.known()?;
        if text == "--" {
            options.operands.extend(words.cloned());
            break;
        }
        match text.strip_prefix("--") {
            Some(name) => options.long(name, short, long, &mut words)?,
            None => options.bundle(text.get(1..)?, short, &mut words)?,
        }
    }
    Some(options)
}

impl Options {
    /// Whether the option was given.
    pub(super) fn has(&self, letter: char) -> bool {
        self.given.iter().any(|(given, _)| *given == letter)
    }

    /// Its last value.
    pub(super) fn value(&self, letter: char) -> Option<&str> {
        self.given.iter().rev().find(|(given, _)| *given == letter).map(|(_, value)| value.as_str())
    }

    /// All its values.
    pub(super) fn values(&self, letter: char) -> impl Iterator<Item = &str> {
        self.given.iter().filter(move |(given, _)| *given == letter).map(|(_, value)| value.as_str())
    }

    fn long<'a>(
        &mut self,
        text: &str,
        short: &str,
        long: &[(&str, char)],
        words: &mut impl Iterator<Item = &'a Value>,
    ) -> Option<()> {
        let (name, glued) =
            text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value.to_owned())));
        let exact = long.iter().find(|(full, _)| *full == name);
        let mut candidates = long.iter().filter(|(full, _)| full.starts_with(name));
        let (_, letter) = exact.or_else(|| candidates.next().filter(|_| candidates.next().is_none()))?;
        let value = match (takes_value(short, *letter)?, glued) {
            (true, Some(value)) => value,
            (true, None) => words.next()?.known()?.into_owned(),
            (false, None) => String::new(),
            (false, Some(_)) => return None,
        };
        self.given.push((*letter, value));
        Some(())
    }

    fn bundle<'a>(
        &mut self,
        text: &str,
        short: &str,
        words: &mut impl Iterator<Item = &'a Value>,
    ) -> Option<()> {
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            let value = match (takes_value(short, letter)?, letters.as_str()) {
                (false, _) => String::new(),
                (true, "") => words.next()?.known()?.into_owned(),
                (true, rest) => {
                    let value = rest.to_owned();
                    letters = "".chars();
                    value
                }
            };
            self.given.push((letter, value));
        }
        Some(())
    }
}

fn takes_value(short: &str, letter: char) -> Option<bool> {
    let (_, after) = short.split_once(letter).filter(|_| letter != ':')?;
    Some(after.starts_with(':'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Provenance;

    fn read(words: &[&str]) -> Option<Options> {
        let words: Vec<_> = words.iter().map(|word| Value::literal(*word)).collect();
        parse(&words, "dw:i", &[("decode", 'd'), ("wrap", 'w'), ("ignore-garbage", 'i')])
    }

    #[test]
    fn bundles_glued_values_and_abbreviations_are_read() {
        let options = read(&["-diw0", "file", "--", "-x"]).unwrap();
        assert!(options.has('d') && options.has('i'));
        assert_eq!(options.value('w'), Some("0"));
        assert_eq!(options.operands.len(), 2);
        assert_eq!(read(&["--dec", "--wrap=3"]).unwrap().value('w'), Some("3"));
        assert_eq!(read(&["--wrap", "4", "-"]).unwrap().operands.len(), 1);
    }

    #[test]
    fn what_is_not_known_is_refused() {
        assert!(read(&["-z"]).is_none());
        assert!(read(&["--nothing"]).is_none());
        assert!(read(&["-w"]).is_none());
        assert!(parse(&[Value::unknown("$x", Provenance::OUTSIDE)], "d", &[]).is_none());
    }
}
