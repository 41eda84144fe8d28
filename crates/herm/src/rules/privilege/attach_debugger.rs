//! Reaching into a running process.

use herm_shell::effect::ProcessTarget;
use herm_shell::{Target, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};

/// Attaching a debugger to a running process.
pub static ATTACH_DEBUGGER: Rule = Rule {
    name: "attach-debugger",
    title: "attach a debugger to a running process",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A debugger or memory dump on a process that runs already.",
    matters: "A debugger can read every secret the process holds and make it do anything.",
    instead: "Start the program under the debugger.",
    suggestion: "gdb --args ./target/debug/app",
    examples: &["gdb -p 1", "gcore 4242", "lldb -p 4242", "gdb ./app 4242"],
    near_misses: &["gdb --version", "gdb -batch -ex bt ./app core", "strace -f ls"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts.effects().filter(|effect| effect.verb == Verb::Load) {
        if let Target::Process(process) = &effect.target {
            report.effect(effect, format!("attaches `{}` to {}", effect.by, shown(process)));
        }
    }
}

fn shown(process: &ProcessTarget) -> String {
    match process {
        ProcessTarget::All => "every process".to_owned(),
        ProcessTarget::Matching(name) => format!("processes called `{name}`"),
        ProcessTarget::Number(number) => format!("process {number}"),
        ProcessTarget::Unknown => "a running process".to_owned(),
    }
}
