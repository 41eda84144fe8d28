//! What a text does to the shell that it runs in by way of a program: nothing of it is seen in the shell's own state, and in
//! another shell it is something else.

use herm_shell::analysis::Invocation;
use herm_shell::{Analysis, Value};

/// Whether a text is about the shell that it runs in: its jobs, or what it takes over from a program.
pub(super) fn is_about_shell(analysis: &Analysis) -> bool {
    analysis.invocations.iter().any(|one| speaks_of_jobs(one) || leaves_agent(one) || changes_shell(one))
}

/// Only the shell that started a job knows it by its number.
fn speaks_of_jobs(one: &Invocation) -> bool {
    ["bg", "disown", "fg", "jobs", "kill", "wait"].contains(&&*one.program)
        && (one.program.as_ref() == "jobs"
            || one.arguments.iter().any(|word| word.known_prefix().starts_with('%')))
}

/// An agent for keys stays where it was started, for those who come after; unless it is told what to run.
fn leaves_agent(one: &Invocation) -> bool {
    let is_option = |word: &Value| word.known_prefix().starts_with('-');
    matches!(one.program.as_ref(), "gpg-agent" | "ssh-agent") && one.arguments.iter().all(is_option)
}

/// Programs that are functions of the shell where they do this.
fn changes_shell(one: &Invocation) -> bool {
    let Some(verb) = one.arguments.first().and_then(Value::known) else { return false };
    CHANGERS
        .iter()
        .any(|(programs, verbs)| programs.contains(&&*one.program) && verbs.contains(&verb.as_ref()))
}

const CHANGERS: &[(&[&str], &[&str])] = &[
    (&["goenv", "jenv", "nodenv", "plenv", "pyenv", "rbenv"], &["activate", "deactivate", "shell"]),
    (&["conda", "mamba", "micromamba"], &["activate", "deactivate"]),
    (&["asdf", "mise", "rtx"], &["activate", "deactivate", "shell"]),
    (&["fnm", "nvm", "rvm", "sdk"], &["use"]),
    (&["ml", "module"], &["add", "load", "purge", "swap", "unload"]),
];

#[cfg(test)]
mod tests {
    use herm_shell::world::Blind;
    use herm_shell::{Input, Lang, Limits, Setting, analyse};

    use super::is_about_shell;

    fn is_about(text: &str) -> bool {
        let setting = Setting {
            cwd: "/srv",
            home: "/home/ann",
            user: None,
            world: &Blind,
            limits: Limits::default(),
            input: Input::default(),
        };
        is_about_shell(&analyse(text, Lang::Shell, &setting))
    }

    #[test]
    fn jobs_agents_and_environments_are_of_the_shell() {
        for text in [
            "kill %1",
            "kill -9 %+",
            "jobs",
            "ssh-agent",
            "ssh-agent -s",
            "pyenv activate x",
            "conda activate x",
            "rbenv shell 3.3",
            "true; kill %1",
        ] {
            assert!(is_about(text), "{text}");
        }
        for text in ["kill 1", "ssh-agent make", "pyenv versions", "conda list", "ls"] {
            assert!(!is_about(text), "{text}");
        }
    }
}
