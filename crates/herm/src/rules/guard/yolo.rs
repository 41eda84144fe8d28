//! Approvals that a command switches off.

use herm_shell::{Realm, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::of_kind;
use crate::rules::rule::{Layer, Report, Rule};

/// A command that would switch off the approvals of herm or of Hermes.
pub static YOLO: Rule = Rule {
    name: "yolo",
    title: "switch off approvals",
    layer: Layer::Command,
    stance: Stance::Deny,
    finds: "A command that would switch off the approvals of herm or of Hermes: by an option, a variable, a setting, or a home of its own.",
    matters: "Only a person ends the questions, and never by a command that they would have been asked about.",
    instead: "Leave approvals on. A person who wants none starts herm or Hermes so, outside of the agent.",
    suggestion: "hermes status",
    examples: &[
        "hermes --yolo",
        "HERMES_YOLO_MODE=1 hermes chat -q hi",
        "export HERMES_YOLO_MODE=1",
        "declare -x HERMES_YOLO_MODE=true; make test",
        "env HERMES_YOLO_MODE=1 make test",
        "HERMES_SAFE_MODE=1 hermes chat -q hi",
        "read -r HERMES_YOLO_MODE <<< 1; export HERMES_YOLO_MODE",
        "printf -v HERMES_YOLO_MODE 1",
        "python3 -c 'import os; os.environ[\"HERMES_YOLO_MODE\"] = \"1\"'",
        "echo /yolo | hermes",
        "hermes config set approvals.mode off",
        "herm run --yolo 'make test'",
        "HERM_HOME=/tmp/mine herm run 'make test'",
        "export HERM_HOME=$where; herm run 'make test'",
        "env HOME=/tmp/mine herm run -- make test",
        "herm run --config loose.yaml 'make test'",
        "herm run --preset=permissive 'make test'",
    ],
    near_misses: &[
        "hermes chat -q hi",
        "HERMES_YOLO_MODE=0 hermes status",
        "export HERMES_YOLO_MODE=off",
        "unset HERMES_YOLO_MODE",
        "echo \"$HERMES_YOLO_MODE\"",
        "grep -rn HERMES_YOLO_MODE=1 docs",
        "python3 -c 'import os; print(os.environ.get(\"HERMES_YOLO_MODE\", \"1\"))'",
        "echo 'type /yolo' | hermes chat",
        "herm run 'make test'",
        "herm run --preset strict 'make test'",
        "HERM_HOME=/tmp/mine herm check ls",
        "MAKEFLAGS=-j2 herm run 'make test'",
        "docker run --rm -e HERMES_YOLO_MODE=1 agent hermes",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in of_kind(facts, Verb::Disable, &["approvals"]) {
        // Another machine has people of its own: see `unattended-agent`.
        if matches!(effect.realm, Realm::Remote(_)) {
            continue;
        }
        let by = &effect.by;
        if name.is_empty() || *name == **by {
            report.effect(effect, format!("starts `{by}` so that it asks nobody"));
        } else {
            report.effect(effect, format!("`{name}` would have nobody asked"));
        }
    }
}
