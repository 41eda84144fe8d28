//! Virtual machines: what their descriptions load and run on the host.

use super::arguments::Parsed;
use super::kinds::{load_path, operands_from};
use super::schema::Role;
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

/// Where vagrant looks for the file that it runs.
pub(super) const VAGRANT: &[(&str, Role)] =
    &[("VAGRANT_VAGRANTFILE", Role::Library), ("VAGRANT_CWD", Role::Library)];

/// Whatever vagrant is asked to do, it runs the Vagrantfile first; one that the text wrote is read.
pub(super) fn vagrantfile(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    let text = sink.read(&Value::literal("Vagrantfile"));
    if text.known().is_some() {
        sink.code(Lang::Ruby, &text);
    }
}

/// `qemu+ext://HOST/system?command=PROGRAM` starts the program instead of connecting.
pub(super) fn connection(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for address in parsed.values("-c --connect").filter_map(Value::known) {
        if let Some((_, program)) = address.split_once("command=") {
            load_path(&Value::literal(program.split('&').next().unwrap_or_default()), sink);
        }
    }
}

/// A description that was just written may name programs that run on the host.
pub(super) fn description(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for file in operands_from(parsed, 0) {
        let text = sink.read(&file);
        let Some(text) = text.known() else { continue };
        for program in programs(&text) {
            load_path(&Value::literal(program), sink);
        }
    }
}

/// `<script path='PROGRAM'/>` and `<emulator>PROGRAM</emulator>`.
fn programs(text: &str) -> Vec<&str> {
    let scripts = text.split("<script path=").skip(1).filter_map(|rest| {
        let quote = rest.chars().next()?;
        rest.split(quote).nth(1)
    });
    let emulators = text.split("<emulator>").skip(1).filter_map(|rest| rest.split('<').next());
    scripts.chain(emulators).map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::programs;

    #[test]
    fn programs_of_a_description_are_found() {
        let text = "<a><script path='/tmp/x'/></a><emulator>/usr/bin/qemu</emulator>";
        assert_eq!(programs(text), ["/tmp/x", "/usr/bin/qemu"]);
        assert!(programs("<domain><name>x</name></domain>").is_empty());
    }
}
