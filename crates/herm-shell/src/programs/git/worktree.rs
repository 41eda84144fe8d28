//! Work trees: those that are made and removed, and what is cleaned out of one.

use crate::effect::{Flags, Target, Verb};
use crate::place::{self, Places};
use crate::programs::arguments::Parsed;
use crate::sink::Sink;
use crate::value::{Piece, Provenance, Value};

/// What stands in a work tree to say whose it is.
const POINTER: &str = "gitdir: (the repository)";

/// `git worktree add PATH`: nothing stands there, or git refuses. Forced, it only takes a branch or a place that is spoken for.
pub(super) fn add(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if let Some(path) = parsed.operand(0) {
        sink.write(&pointer(path), &Value::literal(POINTER), Flags::METADATA);
    }
}

/// `git worktree remove --force PATH` takes changes along that no commit holds; what the text itself has added holds only its own.
pub(super) fn remove(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if !parsed.has("-f --force") {
        return;
    }
    for path in parsed.operands.iter().map(|operand| &operand.value) {
        if !is_own(path, sink) {
            let target = Target::Named("work tree", path.shown());
            sink.effect(Verb::Discard, target, parsed.flags | Flags::FORCE, Provenance::NONE);
        }
    }
}

/// Whether the text itself has added a work tree, or made the temporary directory that it lies in: then nobody else has worked there.
fn is_own(path: &Value, sink: &mut dyn Sink) -> bool {
    let pointer = pointer(path);
    sink.is_fresh(path)
        || !sink.made_here(&pointer).is_empty() && sink.read(&pointer).known().as_deref() == Some(POINTER)
}

fn pointer(path: &Value) -> Value {
    let mut file = path.clone();
    file.push_str("/.git");
    file
}

/// `git clean -f` in a home or a directory of the system deletes nearly all that is there: no repository holds it.
pub(super) fn clean(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if !parsed.has("-f --force") || !parsed.has("-d") && !parsed.operands.is_empty() {
        return;
    }
    let Some(root) = work_tree(parsed, sink) else { return };
    let target = place::resolve(&root, sink.directory().as_deref(), &sink.home());
    if target.places.any(Places::HOME | Places::ROOT | Places::SYSTEM_DIR) && parsed.operands.is_empty() {
        let mut all = root;
        all.push_str("/");
        all.pieces.push(Piece::Glob("*".to_owned()));
        sink.path(Verb::Delete, &all, Flags::RECURSIVE);
    }
}

/// Where the work tree is: an option, a setting, a variable, or where git runs.
fn work_tree(parsed: &Parsed<'_>, sink: &dyn Sink) -> Option<Value> {
    let setting = parsed.values("-c").find_map(|setting| {
        setting.known_prefix().to_ascii_lowercase().strip_prefix("core.worktree=")?;
        Some(crate::programs::arguments::tail(setting, "core.worktree=".len()))
    });
    let variable = || sink.changes_variable("GIT_WORK_TREE").then(|| sink.variable("GIT_WORK_TREE"));
    let here = || sink.directory().map(Value::literal);
    parsed.value("--work-tree").cloned().or(setting).or_else(variable).or_else(here)
}
