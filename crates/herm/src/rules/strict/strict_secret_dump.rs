//! The environment, an environment file or a secret variable that is read, in the strict preset.

use herm_shell::analysis::Invocation;
use herm_shell::{Effect, Places, Target, Value, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::strict::{plain, words};
use crate::rules::{Layer, Report, Rule};

/// The environment, an environment file or a secret variable that is read, in the strict preset.
pub static STRICT_SECRET_DUMP: Rule = Rule {
    name: "strict-secret-dump",
    title: "dump of secrets",
    layer: Layer::Strict,
    stance: Stance::Deny,
    finds: "The environment, an environment file or a secret variable that is read, in the strict preset.",
    matters: "Secrets that are printed are kept in the conversation.",
    instead: "Name the variables that are set, not their values.",
    suggestion: "",
    examples: &["printenv", "env", "cat .env", "cat .env.production", "echo $HERMES_API_KEY"],
    near_misses: &["cat README.md", "echo $HOME", "env FOO=1 ls", "ls -la"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts.effects().filter(|effect| reads_secrets(effect)) {
        report.effect(effect, "reads secrets");
    }
    for invocation in words(facts, INTENTS) {
        report.invocation(facts, invocation, "prints the environment");
    }
    for (invocation, run) in facts.shell.invocations.iter().enumerate().filter(|(_, run)| prints_secret(run))
    {
        report.invocation(facts, invocation, format!("prints a secret with `{}`", run.called));
    }
}

fn reads_secrets(effect: &Effect) -> bool {
    let kept = match &effect.target {
        Target::Environment => true,
        Target::Path(path) => path.places.any(Places::CREDENTIAL) || is_env_file(&path.path),
        Target::Code(..) | Target::Host(_) | Target::Named(..) | Target::None | Target::Process(_) => false,
    };
    effect.verb == Verb::Read && kept
}

/// Whether a secret variable is printed: its name says that it is one.
fn prints_secret(run: &Invocation) -> bool {
    let prints = ["echo", "printf", "print", "write-output", "write-host"].contains(&plain(run).as_str());
    let holes = || run.arguments.iter().filter(|argument| argument.has_hole()).map(Value::shown);
    prints && holes().any(|shown| SECRET_NAMES.iter().any(|name| shown.to_uppercase().contains(name)))
}

const SECRET_NAMES: &[&str] =
    &["API_KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL", "DATABASE_URL", "OPENROUTER_"];

fn is_env_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name == ".env" || name.starts_with(".env.")
}

const INTENTS: &[(&str, &[&str])] = &[("printenv", &[])];
