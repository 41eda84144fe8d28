//! What the hardest texts at the size limit cost: `cargo bench -p herm --bench limit`.

#![expect(clippy::print_stdout, reason = "a benchmark reports")]

use std::time::{Duration, Instant};

use herm_test::hostile::texts;
use herm_test::judge::Judge;

/// The largest text that is read.
const LIMIT: usize = 128 * 1024;
const ROUNDS: usize = 5;
const BUDGET: Duration = Duration::from_millis(10);

fn main() {
    let judge = Judge::new();
    let texts = texts(LIMIT - 4_096).into_iter().chain(texts(8_000));
    let mut times: Vec<_> = texts
        .map(|(name, text)| {
            let call = judge.call(&text);
            let once = || {
                let start = Instant::now();
                let _ = judge.judge(&call);
                start.elapsed()
            };
            ((0..ROUNDS).map(|_| once()).min().unwrap_or_default(), name, text.len())
        })
        .collect();
    times.sort_unstable();
    for (time, name, size) in times.iter().rev().take(12) {
        println!("{time:>12.1?}  {size:>7} bytes  {name:?}");
    }
    let worst = times.last().map(|(time, ..)| *time).unwrap_or_default();
    println!(
        "worst of {}: {worst:.1?}, budget {BUDGET:?}: {}",
        times.len(),
        if worst <= BUDGET { "kept" } else { "missed" }
    );
}
