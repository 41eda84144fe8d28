//! Grammars: lines of `name: text`, where `‹name›` stands for any text of that name.

use std::collections::BTreeMap;

use super::Random;

/// How deep names are replaced; below that the first text of a name is taken, which should hold no other.
const DEEPEST: u32 = 12;

/// Texts by their names.
#[derive(Debug)]
pub struct Grammar {
    texts: BTreeMap<String, Vec<String>>,
}

impl Grammar {
    /// Reads a grammar. Lines that begin with `#` and empty ones do not count.
    #[must_use]
    pub fn new(lines: &str) -> Self {
        let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for line in lines.lines().filter(|line| !line.starts_with('#')) {
            if let Some((name, text)) = line.split_once(": ") {
                texts.entry(name.to_owned()).or_default().push(text.to_owned());
            }
        }
        Self { texts }
    }

    /// A text of this name.
    #[must_use]
    pub fn text(&self, name: &str, random: &mut Random) -> String {
        let mut out = String::new();
        self.write(name, DEEPEST, random, &mut out);
        out
    }

    fn write(&self, name: &str, depth: u32, random: &mut Random, out: &mut String) {
        let Some(texts) = self.texts.get(name) else {
            out.push_str(name);
            return;
        };
        let chosen = if depth == 0 { 0 } else { random.below(texts.len()) };
        let mut rest = texts.get(chosen).map_or("", String::as_str);
        while let Some((before, after)) = rest.split_once('‹') {
            out.push_str(before);
            let (name, after) = after.split_once('›').unwrap_or((after, ""));
            self.write(name, depth.saturating_sub(1), random, out);
            rest = after;
        }
        out.push_str(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_replaced_by_their_texts() {
        let grammar = Grammar::new("# a note\nall: <‹one›‹one›>\none: a\none: b\n");
        let text = grammar.text("all", &mut Random::new(1));
        assert!(["<aa>", "<ab>", "<ba>", "<bb>"].contains(&text.as_str()), "{text}");
    }

    #[test]
    fn depth_is_bounded() {
        assert!(
            Grammar::new("all: x\nall: ‹all›‹all›\n").text("all", &mut Random::new(7)).len() <= 1 << DEEPEST
        );
    }
}
