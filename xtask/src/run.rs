//! Runs other programs.

use std::process::{Command, Stdio};

use crate::{Outcome, say};

/// Runs cargo in the open.
pub(crate) fn cargo(arguments: &[&str]) -> Outcome {
    cargo_with(arguments, &[])
}

/// Runs cargo in the open, with variables.
pub(crate) fn cargo_with(arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    say(&format!("==> cargo {}", arguments.join(" ")));
    let status = Command::new("cargo").args(arguments).envs(variables.iter().copied()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("`cargo {}` failed", arguments.join(" "))),
        Err(error) => Err(format!("cannot run cargo: {error}")),
    }
}

/// What a program prints.
pub(crate) fn output(program: &str, arguments: &[&str]) -> Result<String, String> {
    let failed = |why: String| format!("cannot run `{program} {}`: {why}", arguments.join(" "));
    let output = Command::new(program).args(arguments).output().map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    String::from_utf8(output.stdout).map_err(|error| failed(error.to_string()))
}

/// Whether a program is there and answers.
pub(crate) fn answers(program: &str, arguments: &[&str]) -> bool {
    let quiet = Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|status| status.success())
}
