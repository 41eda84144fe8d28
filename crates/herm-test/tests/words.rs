//! Words become what bash makes of them.

use herm_shell::Value;
use herm_test::bash::bash_words;
use herm_test::judge::analyse;
use herm_test::words::{SETUP, WORDS};

/// Spellings that cannot be known here, and why.
const UNKNOWN: &[(&str, &str)] = &[
    ("a$unset", "the environment may hold it"),
    ("\"$unset\"", "the environment may hold it"),
    ("$unset", "the environment may hold it"),
    ("$(printf '%05.1f|%x|%o|%c' 3.14159 255 8 word)", "fractions are not computed"),
    ("$((arr2[1] + arr2[0]))", "elements are not computed with"),
    ("$x{,_}", "the environment may hold `x_`"),
    ("${x@A}", "declarations are not followed"),
    ("${ref@a}x", "attributes are not followed"),
];

#[test]
fn words_become_what_bash_makes_of_them() {
    let different: Vec<_> =
        WORDS.iter().filter(|word| !is_unknown(word)).filter_map(|word| difference(word)).collect();
    assert!(different.is_empty(), "{} of {}:\n{}", different.len(), WORDS.len(), different.join("\n"));
}

#[test]
fn what_cannot_be_known_is_a_hole() {
    let known: Vec<_> =
        UNKNOWN.iter().filter(|(word, _)| ours(word).iter().all(|value| value.known().is_some())).collect();
    assert!(known.is_empty(), "{known:#?}");
}

fn is_unknown(word: &str) -> bool {
    UNKNOWN.iter().any(|(unknown, _)| *unknown == word)
}

fn difference(word: &str) -> Option<String> {
    let theirs = bash_words(word);
    let ours = ours(word);
    let same = ours.len() == theirs.len()
        && ours.iter().zip(&theirs).all(|(ours, theirs)| text(ours).as_deref() == Some(theirs));
    (!same).then(|| {
        format!(
            "{word}\n  bash: {theirs:?}\n  ours: {:?}",
            ours.iter().map(|value| &value.pieces).collect::<Vec<_>>()
        )
    })
}

/// The text of a value; a glob that no file matches stays as it is written.
fn text(value: &Value) -> Option<String> {
    (!value.has_hole()).then(|| value.shown())
}

/// What the word becomes: the arguments of `printf`, after the format, on the first way through the text.
fn ours(word: &str) -> Vec<Value> {
    let analysis = analyse(&format!("{SETUP}\nprintf '%s\\0' {word}"));
    let run = analysis.invocations.into_iter().find(|run| is_format(run.arguments.first()));
    // bash prints an empty field for the format when there is nothing else to print.
    let mut fields: Vec<_> = run.map(|run| run.arguments).unwrap_or_default().into_iter().skip(1).collect();
    if fields.is_empty() {
        fields.push(Value::default());
    }
    fields
}

fn is_format(argument: Option<&Value>) -> bool {
    argument.and_then(Value::known).as_deref() == Some("%s\\0")
}
