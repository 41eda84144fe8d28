//! What the hardest texts up to the size limit cost: `cargo bench -p herm --bench limit`, or with `-- Python` those of one
//! family, and with `-- Python 'python paths'` those of one name.
//!
//! It fails when one of them takes longer than is promised. What counts is the time that the processor gives to it.

#![expect(clippy::print_stdout, reason = "a benchmark reports")]

use std::env;
use std::process::ExitCode;
use std::time::Duration;

use herm_shell::Lang;
use herm_test::clock::worked;
use herm_test::hostile::{languages, python, texts};
use herm_test::judge::Judge;

/// The largest text that is read.
const LIMIT: usize = 128 * 1024;
/// How large the texts are: a smaller one leaves more to spend on what it does.
const SIZES: [usize; 4] = [LIMIT - 4_096, LIMIT / 2, LIMIT / 4, 8_000];
/// How often a text is judged; the quickest time counts.
const ROUNDS: usize = 5;
/// How often a text is judged that was over the budget each time: other work on the machine is not the text's fault.
const MORE_ROUNDS: usize = 60;
const BUDGET: Duration = Duration::from_millis(10);
/// How many of each family are shown, besides those over the budget.
const SHOWN: usize = 12;

/// A text with its name and language.
type Text = (String, Lang, String);
/// What makes the texts of a family, each of about this size.
type Family = fn(usize) -> Vec<Text>;

fn main() -> ExitCode {
    let wanted: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let mut wanted = wanted.iter().map(String::as_str);
    let (family, name) = (wanted.next(), wanted.next());
    let families: [(&str, Family); 3] =
        [("shell", shell_texts), ("Python", python_texts), ("other languages", languages::scripts)];
    let families = families.into_iter().filter(|(known, _)| family.is_none_or(|family| family == *known));
    // Each family is measured, whatever became of the others.
    let kept: Vec<_> = families.map(|(family, texts)| keeps(family, texts, name)).collect();
    if kept.contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn shell_texts(size: usize) -> Vec<Text> {
    texts(size).into_iter().map(|(name, text)| (name, Lang::Shell, text)).collect()
}

fn python_texts(size: usize) -> Vec<Text> {
    python::scripts(size).into_iter().map(|(name, text)| (name, Lang::Python, text)).collect()
}

/// Whether every text of a family is answered within the budget.
fn keeps(family: &str, texts: Family, only: Option<&str>) -> bool {
    let judge = Judge::new();
    let mut times: Vec<_> = SIZES
        .into_iter()
        .flat_map(texts)
        .filter(|(name, ..)| only.is_none_or(|only| only == name))
        .map(|(name, lang, text)| (quickest(&judge, lang, &text), name, text.len()))
        .collect();
    times.sort_unstable();
    let over = times.iter().filter(|(time, ..)| *time > BUDGET).count();
    for (time, name, size) in times.iter().rev().take(over.max(SHOWN)) {
        println!("{time:>12.1?}  {size:>7} bytes  {name:?}");
    }
    let worst = times.last().map(|(time, ..)| *time).unwrap_or_default();
    let kept = worst <= BUDGET;
    println!(
        "{family}: worst of {}: {worst:.1?}, budget {BUDGET:?}: {}\n",
        times.len(),
        if kept { "kept" } else { "missed" }
    );
    kept
}

fn quickest(judge: &Judge, lang: Lang, text: &str) -> Duration {
    let call = judge.script(lang, text);
    let once = || {
        let start = worked();
        let _ = judge.judge(&call);
        worked().saturating_sub(start)
    };
    let mut quickest = (0..ROUNDS).map(|_| once()).min().unwrap_or_default();
    for _ in 0..MORE_ROUNDS {
        if quickest <= BUDGET {
            break;
        }
        quickest = quickest.min(once());
    }
    quickest
}
