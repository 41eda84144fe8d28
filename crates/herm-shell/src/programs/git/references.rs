//! Where branches and tags point, changed by hand: `git update-ref --stdin`.

use crate::effect::{Flags, Verb};
use crate::programs::arguments::Parsed;
use crate::programs::phrases::emit;
use crate::sink::Sink;

/// Reads the instructions on standard input. Some that are only known when they come may delete any branch.
pub(super) fn update(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if !parsed.has("--stdin") {
        return;
    }
    let input = sink.stdin();
    let shown = input.shown();
    let lines = shown.split(['\n', '\0']).map(str::trim_start);
    let mut is_known = !input.has_hole();
    for line in lines.filter(|line| !line.is_empty()) {
        match line.split_whitespace().next() {
            Some("delete") => deleted(line.split_whitespace().nth(1), sink),
            Some(word) => is_known &= INSTRUCTIONS.contains(&word),
            None => {}
        }
    }
    if !is_known {
        deleted(None, sink);
    }
}

/// What else may be said there. Values of `-z` stand on lines of their own, and cannot be told from instructions.
const INSTRUCTIONS: &[&str] =
    &["abort", "commit", "create", "option", "prepare", "start", "symref-create", "update", "verify"];

fn deleted(name: Option<&str>, sink: &mut dyn Sink) {
    emit(sink, Verb::Destroy, "branch", name.unwrap_or_default(), Flags::FORCE);
}
