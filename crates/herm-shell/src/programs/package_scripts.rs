//! The scripts that a project's manifest names: `package.json`, `composer.json`.

use std::collections::HashMap;

use super::kinds::{hook, starts_bare_shell};
use super::{json, manifests};
use crate::effect::Flags;
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

/// How often a script may stand for another one.
const REFERENCES: u32 = 8;

/// The price of saying that one was not followed.
const GAP: u32 = 16;

/// How much of a manifest is read for a unit of work.
const BYTES_A_UNIT: usize = 64;

/// Runs the script that a command names, with what runs before and after it. The arguments are its own.
pub(super) fn run_named(manifest: &str, name: &str, arguments: &[Value], sink: &mut dyn Sink) {
    let Some(scripts) = scripts(manifest, sink) else { return };
    let around = [format!("pre{name}"), name.to_owned(), format!("post{name}")];
    for script in &around {
        let own = if script == name { arguments } else { &[] };
        for command in commands(&scripts, script) {
            run(&scripts, command, own, REFERENCES, sink);
        }
    }
}

/// Runs scripts that nobody named, because the program runs those of these names by itself.
pub(super) fn run_along(manifest: &str, names: &[&str], sink: &mut dyn Sink) {
    let Some(scripts) = scripts(manifest, sink) else { return };
    for name in names {
        for command in commands(&scripts, name) {
            match reference(command) {
                None => hook(&Value::literal(command), Flags::NONE, sink),
                Some(_) => run(&scripts, command, &[], REFERENCES, sink),
            }
        }
    }
}

/// The commands of each script, by its name.
type Scripts = HashMap<String, Vec<String>>;

fn scripts(manifest: &str, sink: &mut dyn Sink) -> Option<Scripts> {
    let text = manifests::nearest(&[manifest], sink)?;
    let units = u32::try_from(text.len() / BYTES_A_UNIT).unwrap_or(u32::MAX);
    sink.spend(units.saturating_add(1)).ok()?;
    Some(json::strings(&text, "scripts"))
}

fn commands<'s>(scripts: &'s Scripts, name: &str) -> &'s [String] {
    scripts.get(name).map(Vec::as_slice).unwrap_or_default()
}

/// Runs a command of a script. Scripts may name each other without end, so each command is paid for.
fn run(scripts: &Scripts, command: &str, arguments: &[Value], left: u32, sink: &mut dyn Sink) {
    if sink.spend(1).is_err() {
        return;
    }
    let Some(name) = reference(command) else { return run_shell(command, arguments, sink) };
    let Some(left) = left.checked_sub(1) else {
        // What is said costs as much as what is done.
        if sink.spend(GAP).is_ok() {
            sink.gap(Position::Code, Reason::Runtime, command);
        }
        return;
    };
    match name.split_once(' ') {
        Some(("php" | "composer", _)) => run_shell(name, arguments, sink),
        Some(("putenv", _)) => {}
        _ => {
            let name = name.split(' ').next().unwrap_or_default();
            for command in commands(scripts, name) {
                run(scripts, command, arguments, left, sink);
            }
        }
    }
}

/// What a script of Composer stands for: `@test` is the script of that name, `@php x.php` a program.
fn reference(command: &str) -> Option<&str> {
    command.strip_prefix('@')
}

/// What a command has besides the name of a script is appended to the script, quoted.
fn run_shell(command: &str, arguments: &[Value], sink: &mut dyn Sink) {
    let text = Value::literal(command);
    if arguments.is_empty() && starts_bare_shell(&text) {
        hook(&text, Flags::NONE, sink);
    } else if arguments.is_empty() {
        sink.code(Lang::Shell, &text);
    } else {
        sink.code_with(Lang::Shell, &Value::literal(format!("{command} \"$@\"")), arguments);
    }
}
