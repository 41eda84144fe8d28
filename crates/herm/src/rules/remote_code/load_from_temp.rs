//! Loading code from a place where anyone can put it.

use herm_shell::{Effect, Flags, Places, Target, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};

/// Loading a library, plugin or helper program from a temporary directory.
pub static LOAD_FROM_TEMP: Rule = Rule {
    name: "load-from-temp",
    title: "load code from a temporary directory",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A program that is told to load a library, a plugin or a helper program from a temporary directory.",
    matters: "The code runs with the rights and under the name of a trusted program, and others can replace it.",
    instead: "Keep the library or helper inside the project, or install it.",
    suggestion: "",
    examples: &[
        "openssl req -engine /tmp/engine.so",
        "ssh-keygen -D /tmp/token.so",
        "tcpdump -w out.pcap -G 1 -z /tmp/rotate",
    ],
    near_misses: &[
        "openssl req -new -key server.key -out server.csr",
        "ssh-keygen -D /usr/lib/x86_64-linux-gnu/opensc-pkcs11.so",
        "tcpdump -w /tmp/out.pcap",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts.effects() {
        if let Some(path) = temporary_code(effect) {
            report.effect(effect, format!("lets `{}` load and run `{path}`", effect.by));
        }
    }
}

fn temporary_code(effect: &Effect) -> Option<&str> {
    let Target::Path(path) = &effect.target else { return None };
    let hooked = effect.verb == Verb::Execute && effect.flags.has(Flags::HOOK);
    let loose = path.places.has(Places::TEMPORARY) && !path.places.has(Places::WORKSPACE);
    (hooked && loose).then_some(path.shown.as_str())
}
