//! What one decision in process costs: `cargo bench -p herm --bench decision`.
//!
//! No text is judged twice. Beside each decision the same text is split at its blanks, and now and then a process
//! that does nothing is started: both show how fast the machine is at that moment.

#![expect(clippy::print_stdout, reason = "a benchmark reports")]
#![expect(clippy::disallowed_methods, reason = "a benchmark starts a process to compare with")]

use std::collections::HashSet;
use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

use herm_test::judge::Judge;
use herm_test::{corpora, everyday};

/// How often the built-in commands are gone through, each time with another comment behind them.
const ROUNDS: usize = 40;
const MEDIAN: Duration = Duration::from_micros(25);
const P99: Duration = Duration::from_micros(150);

fn main() {
    let judge = Judge::new();
    // The first decision makes the indexes; what that costs belongs to the start of a process.
    let _ = judge.check("true");
    let built_in: Vec<String> = (0..ROUNDS)
        .flat_map(|round| everyday::commands().map(move |command| format!("{command} # {round}")))
        .collect();
    report("built-in commands", &judge, &built_in);
    let others: HashSet<String> = corpora::inputs("commands_benign").into_iter().collect();
    if !others.is_empty() {
        report("benign commands of the corpora", &judge, &others.into_iter().collect::<Vec<_>>());
    }
}

fn report(title: &str, judge: &Judge, texts: &[String]) {
    let mut decisions = Vec::with_capacity(texts.len());
    let mut splits = Vec::with_capacity(texts.len());
    let mut spawns = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let call = judge.call(text);
        decisions.push(time(|| drop(black_box(judge.judge(black_box(&call))))));
        splits.push(time(|| {
            black_box(text.split_whitespace().count());
        }));
        if number % 100 == 0 {
            spawns.push(time(|| drop(black_box(Command::new("/bin/true").status()))));
        }
    }
    let (median, p99) = (quantile(&mut decisions, 50), quantile(&mut decisions, 99));
    println!("{title}: {} texts, none twice", texts.len());
    println!("  decision    median {median:.1?} (budget {MEDIAN:?})  p99 {p99:.1?} (budget {P99:?})");
    println!("  splitting   median {:.2?}", quantile(&mut splits, 50));
    println!("  /bin/true   median {:.1?}", quantile(&mut spawns, 50));
    println!("  {}", if median <= MEDIAN && p99 <= P99 { "kept" } else { "missed" });
}

fn time(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

fn quantile(times: &mut [Duration], percent: usize) -> Duration {
    times.sort_unstable();
    times.get(times.len() * percent / 100).copied().unwrap_or_default()
}
