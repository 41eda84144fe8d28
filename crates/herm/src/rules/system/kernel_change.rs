//! Loads or removes a kernel module, or changes a kernel setting.

use herm_shell::{Effect, Places, Target, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};

pub(crate) static KERNEL_CHANGE: Rule = Rule {
    name: "kernel-change",
    title: "change the running kernel",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Loads or removes a kernel module, changes a kernel setting, or takes keys out of Windows' registry.",
    matters: "A mistake there takes the whole machine with it, and the kernel is what every protection rests on.",
    instead: "Read the setting, and let a person change it.",
    suggestion: "sysctl kernel.hostname",
    examples: &[
        "sudo modprobe foo",
        "insmod evil.ko",
        "bpftool prog load x.o /sys/fs/bpf/x",
        "rmmod -f ext4",
        "sysctl -w net.ipv4.ip_forward=1",
        "reg delete HKLM\\SOFTWARE /f",
        "echo 0 | sudo tee /proc/sys/kernel/randomize_va_space",
    ],
    near_misses: &[
        "lsmod",
        "bpftool prog show",
        "modinfo ext4",
        "sysctl -a",
        "cat /proc/sys/kernel/hostname",
        "modprobe -n foo",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts.effects() {
        if let Some(what) = changed(effect) {
            report.effect(effect, format!("changes the kernel ({what})"));
        }
    }
}

fn changed(effect: &Effect) -> Option<String> {
    match (&effect.target, effect.verb) {
        (
            Target::Named("kernel module" | "kernel parameter" | "registry key", name),
            Verb::Configure | Verb::Load,
        ) => Some(format!("`{name}`")),
        (Target::Path(path), Verb::Write)
            if path.places.has(Places::KERNEL) && !path.path.ends_with("/sysrq-trigger") =>
        {
            Some(format!("`{}`", path.shown))
        }
        _ => None,
    }
}
