//! What stands behind a pattern that may match a link.
//!
//! `..` is then the parent of where that leads. The names alone say the parent of the link.

use super::component::Component;
use super::resolve::components;
use crate::value::{Hole, Piece, Provenance, Value};

/// The path with all up to the last `..` that climbs out of a pattern as something unknown, if there is one: `q*/../x` is `x` somewhere.
#[must_use]
pub fn behind_pattern(value: &Value) -> Option<Value> {
    let mut cut = None;
    follow(value, Vec::new(), |_, left, here| {
        if left.is_some_and(Component::has_glob) {
            cut = Some(here);
        }
    });
    let hole = Hole { shown: value.shown(), may_be_empty: true, may_split: false, ..Hole::default() };
    let behind = from(value, Piece::Hole(hole), cut?);
    Some(Value { provenance: behind.provenance | Provenance::FILE, ..behind })
}

/// The path as it goes on from where a link leads, if a pattern in it matches the link.
#[must_use]
pub fn through_pattern(value: &Value, directory: Option<&str>, link: &str, leads: &str) -> Option<Value> {
    let is_absolute = value.known_prefix().starts_with('/');
    let base = if is_absolute { Vec::new() } else { components(directory?) };
    let names: Vec<&str> = link.split('/').filter(|name| !name.is_empty()).collect();
    let mut cut = None;
    follow(value, base, |way, left, here| {
        let is_link = way.len() == names.len()
            && way.iter().any(Component::has_glob)
            && way.iter().zip(&names).all(|(component, name)| component.may_be(name));
        if left.is_none() && is_link {
            cut = Some(here);
        }
    });
    Some(from(value, Piece::Literal(leads.trim_end_matches('/').to_owned()), cut?))
}

/// Behind which piece and byte of a value a component ends.
type Cut = (usize, usize);

/// Follows a path by its names. After each component that leads somewhere, `told` hears the way so far, what `..` has left, if it was
/// one, and where in the value that is.
fn follow(
    value: &Value,
    mut way: Vec<Component>,
    mut told: impl FnMut(&[Component], Option<&Component>, Cut),
) {
    let mut component = Component::default();
    let mut end = |component: Component, here: Cut| {
        if component.is("..") {
            let left = way.pop();
            told(&way, left.as_ref(), here);
        } else if !component.is_empty() && !component.is(".") {
            way.push(component);
            told(&way, None, here);
        }
    };
    for (index, piece) in value.pieces.iter().enumerate() {
        match piece {
            Piece::Literal(text) => {
                for (at, letter) in text.char_indices() {
                    match letter {
                        '/' => end(std::mem::take(&mut component), (index, at)),
                        letter => component.push_letter(letter),
                    }
                }
            }
            Piece::Glob(glob) => component.push_glob(glob),
            Piece::Hole(hole) => component.push_hole(hole),
        }
    }
    end(component, (value.pieces.len(), 0));
}

/// A value with something else in the place of all that stands before.
fn from(value: &Value, beginning: Piece, (index, at): Cut) -> Value {
    let mut pieces = vec![beginning];
    let mut rest = value.pieces.iter().skip(index);
    if let Some(Piece::Literal(text)) = rest.next() {
        pieces.extend(text.get(at..).map(|text| Piece::Literal(text.to_owned())));
    }
    pieces.extend(rest.cloned());
    Value { pieces, provenance: value.provenance }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A star in the text is a pattern, a dollar something unknown.
    fn value(text: &str) -> Value {
        let mut pieces = Vec::new();
        for part in text.split_inclusive(['*', '$']) {
            let (known, sign) = part.split_at(part.trim_end_matches(['*', '$']).len());
            pieces.push(Piece::Literal(known.to_owned()));
            match sign {
                "*" => pieces.push(Piece::Glob("*".to_owned())),
                "$" => {
                    pieces.push(Piece::Hole(Hole {
                        shown: "$".into(),
                        may_be_empty: true,
                        may_split: false,
                        ..Hole::default()
                    }));
                }
                _ => {}
            }
        }
        Value { pieces, provenance: Provenance::NONE }
    }

    fn written(value: &Value) -> String {
        let word = |piece: &Piece| match piece {
            Piece::Literal(text) => text.clone(),
            Piece::Glob(glob) => glob.clone(),
            Piece::Hole(_) => "?".to_owned(),
        };
        value.pieces.iter().map(word).collect()
    }

    #[test]
    fn what_is_behind_a_pattern_is_somewhere() {
        for (text, behind) in [
            ("q*/../etc/passwd", "?/etc/passwd"),
            ("/w/q*/../../etc", "?/../etc"),
            ("/w/q*/a/../../etc", "?/etc"),
            ("a/*x/./..", "?"),
            ("*/../b/*/../c", "?/c"),
            ("*//../b*", "?/b*"),
            ("*/../$/x", "?/?/x"),
        ] {
            let left = behind_pattern(&value(text)).map(|left| written(&left));
            assert_eq!(left.as_deref(), Some(behind), "{text}");
        }
        for text in ["*/x", "*/x/../y", "../*", "a/../*", "*..", "*/...", "$/../x"] {
            assert_eq!(behind_pattern(&value(text)), None, "{text}");
        }
    }

    #[test]
    fn a_pattern_that_matches_a_link_leads_where_it_does() {
        let through = |text| through_pattern(&value(text), Some("/w/app"), "/w/app/qq", "/usr");
        for (text, leads) in [
            ("q*/../etc", "/usr/../etc"),
            ("q*", "/usr"),
            ("./*/lib", "/usr/lib"),
            ("/w/*/qq/x*", "/usr/x*"),
            ("../app/*q/x", "/usr/x"),
        ] {
            assert_eq!(through(text).map(|led| written(&led)).as_deref(), Some(leads), "{text}");
        }
        for text in ["r*/x", "qq/x", "/q*/x", "a/q*/x"] {
            assert_eq!(through(text), None, "{text}");
        }
    }
}
