//! Texts that are made to break a reader.

use super::{Reading, read};
use crate::fuel::Fuel;
use crate::gap::Reason;
use crate::random::Random;

fn read_all(text: &str) -> Reading {
    read(text, &Fuel::new(10_000_000))
}

#[test]
fn deep_nesting_is_refused_cleanly() {
    let openings = [
        "$(",
        "{ ",
        "<(",
        "if ",
        "( for ((;;)) { ",
        "case x in a) ",
        "${a:-",
        "\"$(",
        "[[ ( ",
        "(",
        "((",
        "$((",
        "a=(",
        "a=$(",
        "f() { ",
        "while ",
        "until a; do ",
        "for x in a; do ",
        "\"${a:-",
        "a[",
        "${a[",
        "$[",
        "coproc { ",
        "function f { ",
        "! { ",
        "time { ",
        "x | { ",
        "a && { ",
        "echo >(",
        "${ ",
        "@(",
        "` $(",
        "cat <<E\n$(",
        "a=([b]=$(",
        "${a/",
        "${a:$((",
        "if a; then b; elif ",
        "$(( $(",
        "[[ a =~ (",
    ];
    for opening in openings {
        let reading = read_all(&opening.repeat(3000));
        assert!(!reading.problems.is_empty(), "{opening}");
    }
}

#[test]
fn closed_nesting_beyond_the_limit_is_a_matter_of_depth() {
    for (open, close) in [("$(", ")"), ("{ ", ";}"), ("( ", ")"), ("${a:-", "}"), ("\"$(a ", ")\"")] {
        let reading = read_all(&format!("{}a{}", open.repeat(3000), close.repeat(3000)));
        assert!(reading.problems.iter().any(|problem| problem.reason == Reason::Depth), "{open}");
    }
}

#[test]
fn moderate_nesting_is_read() {
    for (open, close) in [("$(", ")"), ("{ ", ";}"), ("( ", ")"), ("${a:-", "}"), ("\"$(a ", ")\"")] {
        let reading = read_all(&format!("{}a{}", open.repeat(50), close.repeat(50)));
        assert!(reading.problems.is_empty(), "{open}: {:?}", reading.problems);
    }
}

#[test]
fn long_texts_are_read() {
    let word = "a".repeat(1 << 20);
    assert!(read_all(&word).problems.is_empty());
    assert_eq!(read_all(&"a;".repeat(100_000)).list.items.len(), 100_000);
    assert_eq!(read_all(&"a\n".repeat(100_000)).list.items.len(), 100_000);
    for separator in [";", "&", "|", "&&", ")", "}", "fi ", "((", "<", "\\\n", "#", "'", "<<a ", "!", "! "] {
        let _ = read_all(&separator.repeat(40_000));
    }
}

#[test]
fn repetition_does_not_cost_more_than_its_length() {
    let pieces = [
        "((;)\n",
        "((a) b)\n",
        "$((",
        "$((a) b)",
        "a=${#b[",
        "${#a[${#a[",
        "`a",
        "<<E\n",
        "<<-E <<F\n",
        "a[b ",
        "[[ =~ (",
        "${!a",
        "${#-",
        "\"`\\\"",
        "$'\\",
        "{1..",
        "f()",
        "case a in (",
        "for ((",
        "\\",
        "a=( [",
    ];
    for piece in pieces {
        let _ = read_all(&piece.repeat(20_000));
    }
}

#[test]
fn the_end_may_come_anywhere() {
    let text = "a=(b [c]=d) f() { if [[ a =~ (b) ]]; then for ((i=0;;)); do case \"${x:-$(y `z`)}\" in (a|b) $'c\\x41' ;; \
                esac; done <<E; fi; } 2>&1\n$((1+${#x[@]})) <(d)\nE\ncoproc X { ${a/b/c} $[1] ${b:1:2} !(a|b) & }";
    for end in 0..=text.len() {
        let _ = read_all(text.get(..end).unwrap());
    }
}

#[test]
fn fuel_ends_reading() {
    let reading = read(&"a;".repeat(1000), &Fuel::new(100));
    assert_eq!(reading.problems.last().unwrap().reason, Reason::Fuel);
    assert!(!reading.list.items.is_empty());
}

const TOKENS: &[&str] = &[
    "a",
    "b=c",
    " ",
    " ",
    "\n",
    ";",
    "&",
    "|",
    "&&",
    "||",
    "(",
    ")",
    "((",
    "))",
    "{",
    "}",
    "{ ",
    "; }",
    "$(",
    "$((",
    "${",
    "${a",
    ":-",
    "/",
    "#",
    "%",
    "@",
    "[",
    "]",
    "[[",
    "]]",
    "=~",
    "=",
    "+=",
    "'",
    "\"",
    "`",
    "\\",
    "\\\n",
    "$",
    "$'",
    "$\"",
    "$[",
    "<",
    ">",
    "<<",
    "<<-",
    "<<<",
    "<&",
    ">&",
    "&>",
    "2>",
    "{fd}>",
    "<(",
    ">(",
    "if ",
    "then ",
    "else ",
    "elif ",
    "fi ",
    "for ",
    "in ",
    "do ",
    "done ",
    "while ",
    "case ",
    "esac ",
    ";;",
    ";&",
    ";;&",
    "function ",
    "coproc ",
    "time ",
    "! ",
    "select ",
    "E",
    "\nE\n",
    "!(",
    "@(",
    "*",
    "?",
    "~",
    "é",
    "\r",
    "\t",
    "1",
    "x[",
    "a=(",
    "export ",
    "!",
    "-",
    "\u{1F600}",
];

#[test]
fn random_texts_are_read() {
    let mut random = Random::new();
    for _ in 0..50_000 {
        let count = 1 + random.below(24);
        let text: String = (0..count).map(|_| random.one_of(TOKENS)).collect();
        let fuel = Fuel::new(20_000);
        let reading = read(&text, &fuel);
        let is_whole = reading.problems.iter().all(|problem| problem.reason == Reason::Syntax);
        assert!(is_whole, "{text:?}: {:?}", reading.problems);
        let length = u32::try_from(text.len()).unwrap();
        assert!(reading.problems.iter().all(|problem| problem.span.end <= length), "{text:?}");
    }
}

/// The depth limit must hold on the stack of a thread that was started without asking for more.
#[test]
fn the_depth_limit_fits_a_small_stack() {
    for opening in
        ["$(", "{ ", "( ", "\"$(", "if ", "${a:-", "case x in a) ", "a=(", "<(", "f() { ", "a[$(", "$(( $("]
    {
        let text = opening.repeat(1000);
        let reader = move || read_all(&text).problems.len();
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(reader).unwrap();
        assert!(thread.join().unwrap() > 0);
    }
}

/// Half of what threads get, so that callers have room.
const STACK: usize = 1 << 20;
