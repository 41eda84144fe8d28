//! Makes a service or a program start by itself from now on.

use herm_shell::{Flags, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::things;

pub(crate) static ENABLE_SERVICE: Rule = Rule {
    name: "enable-service",
    title: "start something at every boot",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Makes a service or a program start by itself from now on.",
    matters: "It outlives the task, and comes back after every restart.",
    instead: "Start it once.",
    suggestion: "systemctl status app",
    examples: &[
        "systemctl enable app",
        "launchctl load ~/Library/LaunchAgents/x.plist",
        "update-rc.d x defaults",
        "loginctl enable-linger me",
        "chkconfig x on",
        "defaults write com.apple.loginwindow LoginHook /tmp/x.sh",
    ],
    near_misses: &[
        "defaults write com.apple.dock autohide -bool true",
        "systemctl start app",
        "systemctl is-enabled app",
        "launchctl list",
        "systemctl list-unit-files",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let enabled =
        things(facts, Verb::Service, "service").filter(|(effect, _)| effect.flags.has(Flags::ENABLE));
    for (effect, name) in enabled.chain(things(facts, Verb::Persist, "service")) {
        report.effect(effect, format!("makes `{name}` start by itself from now on"));
    }
}
