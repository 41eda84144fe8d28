//! A program, option or word whose letters only look like the usual ones.

use herm_scan::{Kind, is_disguised, skeleton};
use herm_shell::analysis::Invocation;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::content::of;
use crate::rules::{Layer, Report, Rule};

/// A program, option or word whose letters only look like the usual ones.
pub static DISGUISED_WORD: Rule = Rule {
    name: "disguised-word",
    title: "word that is not what it looks like",
    layer: Layer::Content,
    stance: Stance::Ask,
    finds: "A program, option or word whose letters only look like the usual ones.",
    matters: "A look-alike can name another program than the one a person believes to see.",
    instead: "Write the word with plain letters.",
    suggestion: "ls -la",
    examples: &["ｒｍ -r build", "гm -r build", "rm －ｒ build", "chmod\u{A0}-R 777 x", "𝐜𝐚𝐭 notes"],
    near_misses: &[
        "git commit -m 'исправить'",
        "echo “quoted” – text",
        "echo café",
        "find . -type d –print",
        "echo 'ＡＢＣ 日本'",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (number, run) in facts.shell.invocations.iter().enumerate() {
        if let Some(word) = disguised(run) {
            report.invocation(
                facts,
                number,
                format!("`{}` looks like `{}`, but is not", escaped(word), skeleton(word)),
            );
        }
    }
    for detection in of(facts, &[Kind::Homograph]) {
        report.text(detection, detection.shown.clone());
    }
    for detection in of(facts, &[Kind::OddSpace]) {
        report.text(
            detection,
            format!("contains {}, which the shell does not take for a space", detection.shown),
        );
    }
}

/// The program's name, or the first option, that is disguised.
fn disguised(run: &Invocation) -> Option<&str> {
    let options = run.arguments.iter().filter_map(literal).filter(|word| is_option(word));
    std::iter::once(run.called.as_str()).chain(options).find(|word| is_disguised(word))
}

fn literal(value: &herm_shell::Value) -> Option<&str> {
    match value.pieces.as_slice() {
        [herm_shell::value::Piece::Literal(text)] => Some(text),
        _ => None,
    }
}

/// Whether a word is written to pass for an option. A typographer's dash before plain letters is only a slip.
fn is_option(word: &str) -> bool {
    let bare = word.trim_start_matches(['-', '－', '–', '—', '−']);
    let plain = skeleton(bare);
    bare.len() < word.len()
        && !bare.is_ascii()
        && !bare.contains(' ')
        && plain.starts_with(|letter: char| letter.is_ascii_alphabetic())
}

/// The word with everything but ASCII as numbers.
fn escaped(word: &str) -> String {
    let shown = |letter: char| {
        if letter.is_ascii() { letter.to_string() } else { format!("<U+{:04X}>", u32::from(letter)) }
    };
    word.chars().map(shown).collect()
}
