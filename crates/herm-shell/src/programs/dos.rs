//! A DOS on top of this machine: directories are its drives, and its commands reach what is in them.

use super::arguments::Parsed;
use crate::effect::{Flags, Verb};
use crate::sink::Sink;
use crate::value::Value;

/// What `-c COMMAND` options do to files, once `mount DRIVE DIRECTORY` has put them in reach.
pub(super) fn mounted(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let mut drives = Vec::new();
    for command in parsed.values("-c").filter_map(Value::known) {
        let mut words = command.split_ascii_whitespace();
        if let (Some("mount"), Some(drive), Some(directory)) = (words.next(), words.next(), words.next()) {
            drives.push((drive.trim_end_matches(':').to_ascii_lowercase(), directory.to_owned()));
        } else {
            carry_out(&command, &drives, sink);
        }
    }
}

fn carry_out(command: &str, drives: &[(String, String)], sink: &mut dyn Sink) {
    let (command, output) =
        command.split_once('>').map_or((command, None), |(command, to)| (command, Some(to)));
    if let Some(path) = output.and_then(|to| on_this_machine(to.trim_start_matches('>').trim(), drives)) {
        sink.path(Verb::Write, &path, Flags::TRUNCATE);
    }
    let mut words = command.split_ascii_whitespace();
    let verb = words.next().unwrap_or_default().to_ascii_lowercase();
    let paths: Vec<Value> = words.filter_map(|word| on_this_machine(word, drives)).collect();
    match (verb.as_str(), paths.as_slice()) {
        ("copy" | "move" | "ren", [from, to, ..]) => {
            sink.read(from);
            sink.path(Verb::Write, to, Flags::TRUNCATE);
        }
        ("del" | "erase" | "deltree", paths) => {
            for path in paths {
                sink.path(Verb::Delete, path, Flags::NONE);
            }
        }
        (_, paths) => {
            for path in paths {
                sink.read(path);
            }
        }
    }
}

/// `c:\etc\passwd`, where `c:` is a directory.
fn on_this_machine(word: &str, drives: &[(String, String)]) -> Option<Value> {
    let (drive, rest) = word.split_once(':')?;
    let (_, directory) = drives.iter().find(|(name, _)| *name == drive.to_ascii_lowercase())?;
    Some(Value::literal(format!("{}{}", directory.trim_end_matches('/'), rest.replace('\\', "/"))))
}
