//! No text makes the judge panic, overflow the stack or work for long, and none slips a command past it.

use std::thread;
use std::time::Duration;

use herm_shell::Lang;
use herm_test::clock::worked;
use herm_test::hostile::{languages, python, texts};
use herm_test::judge::Judge;

/// The stack of a thread that Rust starts by default; four times that where nothing is optimised.
const STACK: usize = if cfg!(debug_assertions) { 8 << 20 } else { 2 << 20 };

/// The largest text that is read.
const LIMIT: usize = 128 * 1024;

/// What a text may take of the processor: twenty times the budget that the benchmark `limit` holds, and twenty times that
/// where nothing is optimised.
const PATIENCE: Duration = Duration::from_millis(if cfg!(debug_assertions) { 4_000 } else { 200 });

#[test]
fn small_hostile_texts_are_not_allowed() {
    on_a_small_stack(|| refuse(texts(6_000)));
}

#[test]
fn hostile_texts_at_the_limit_are_not_allowed() {
    on_a_small_stack(|| refuse(texts(LIMIT - 4_096)));
}

#[test]
fn hostile_texts_past_the_limit_are_not_allowed() {
    on_a_small_stack(|| refuse(texts(1 << 20)));
}

#[test]
fn hostile_python_is_not_allowed() {
    on_a_small_stack(|| {
        for size in [6_000, LIMIT - 4_096, 1 << 20] {
            let texts = python::scripts(size);
            refuse_all(texts.into_iter().map(|(name, text)| (name, Lang::Python, text)));
        }
    });
}

#[test]
fn hostile_one_liners_are_not_allowed() {
    on_a_small_stack(|| refuse_all(languages::armed(6_000)));
}

#[test]
fn odd_characters_do_not_hide_a_command() {
    let judge = Judge::new();
    for text in
        ["rm -rf /\r", "rm -rf /\r\n", "\u{feff}rm -rf /", "rm -rf /\0", "\0", "rm\u{a0}-rf /;rm -rf /"]
    {
        assert_ne!(judge.decision(text), "allow", "{text:?}");
    }
}

fn refuse(texts: Vec<(String, String)>) {
    refuse_all(texts.into_iter().map(|(name, text)| (name, Lang::Shell, text)));
}

fn refuse_all(texts: impl IntoIterator<Item = (String, Lang, String)>) {
    let judge = Judge::new();
    let mut wrong = Vec::new();
    for (name, lang, text) in texts {
        let start = worked();
        let decision = judge.judge(&judge.script(lang, &text)).decision.word();
        let took = worked().saturating_sub(start);
        if decision == "allow" || took > PATIENCE {
            wrong.push(format!("{name}: {decision} after {took:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(STACK).spawn(run);
    assert!(thread.is_ok_and(|thread| thread.join().is_ok()), "a text was not refused in time");
}
