//! The text that an agent is handed in the place of a command.
//!
//! ```text
//! /usr/bin/herm run --ticket 5f…; exit
//! git status
//! ```
//!
//! The shell is left before it reads the second line. Agents that match their rules against each command of a text find both there.

use std::path::Path;

use herm_adapters::Keeps;
use herm_adapters::wiring::command::{quoted, words};

/// The text that has herm run what a ticket is for. `home` is where herm keeps its files, where that is not where it looks for them.
pub(super) fn wrapped(
    herm: &str,
    secret: &str,
    home: Option<&Path>,
    original: &str,
    keeps: Keeps,
) -> Option<String> {
    let home = match home {
        Some(home) => format!(" --herm-home {}", quoted(home.to_str()?)),
        None => String::new(),
    };
    let first = format!("{} run --ticket {secret}{home}; exit", quoted(herm));
    // A name with a line break would end the first line too early.
    (!first.contains(['\n', '\r'])).then(|| match keeps {
        // The shell that is left must not be the one that goes on.
        Keeps::Shell => format!("({first}\n{original}\n)"),
        Keeps::Directory | Keeps::Nothing => format!("{first}\n{original}"),
    })
}

/// The secret in such a text, and the original.
pub(super) fn unwrapped(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('(').and_then(|inner| inner.strip_suffix("\n)"));
    let (first, original) = inner.unwrap_or(text).split_once('\n')?;
    let call = words(first.strip_suffix("; exit")?)?;
    let secret = match call.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [_, "run", "--ticket", secret] | [_, "run", "--ticket", secret, "--herm-home", _] => {
            first.find(secret).and_then(|at| first.get(at..at + secret.len()))?
        }
        _ => return None,
    };
    let is_one = secret.len() == 32 && secret.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_one.then_some((secret, original))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn what_was_wrapped_is_found_again() {
        for original in ["make", "make\n", "echo 'a\nb'", "cat <<E\nx\nE\n", "", "(ls\n)"] {
            for keeps in [Keeps::Directory, Keeps::Nothing, Keeps::Shell] {
                for home in [None, Some(Path::new("/srv/it's mine"))] {
                    let text = wrapped("/opt/my herm", SECRET, home, original, keeps).unwrap();
                    assert_eq!(unwrapped(&text), Some((SECRET, original)), "{text}");
                }
            }
        }
    }

    #[test]
    fn nothing_else_is_taken_for_it() {
        for text in [
            "make",
            "herm run --ticket 0123456789abcdef0123456789abcdef",
            "herm run --ticket 0123456789abcdef0123456789abcdef; exit",
            "herm run --ticket 0123; exit\nmake",
            "herm run --ticket 0123456789abcdef0123456789abcdef make; exit\nmake",
            "true; herm run --ticket 0123456789abcdef0123456789abcdef; exit\nmake",
            "herm try --ticket 0123456789abcdef0123456789abcdef; exit\nmake",
        ] {
            assert_eq!(unwrapped(text), None, "{text}");
        }
        assert_eq!(wrapped("/opt/a\nb", SECRET, None, "make", Keeps::Nothing), None);
    }

    /// What a shell does with it, with a program in the place of herm that says how it was called.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "a real shell is what decides")]
    fn a_shell_runs_the_first_line_alone_and_ends_as_it_ends() {
        let scratch = tempfile::tempdir().unwrap();
        let herm = scratch.path().join("herm");
        std::fs::write(&herm, "#!/bin/sh\necho \"$@\"\nexit 7\n").unwrap();
        std::fs::set_permissions(&herm, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        for (keeps, after, expected) in [
            (Keeps::Nothing, "", Some(7)),
            (Keeps::Directory, "", Some(7)),
            (Keeps::Shell, "; echo still here; exit 3", Some(3)),
        ] {
            let original = "echo original; touch original; cd /; if true; then echo x; fi";
            let text = wrapped(herm.to_str().unwrap(), SECRET, None, original, keeps).unwrap();
            for shell in ["bash", "sh"] {
                let mut command = std::process::Command::new(shell);
                let ran = command.arg("-c").arg(format!("{text}{after}")).current_dir(scratch.path());
                let ran = ran.output().unwrap();
                let said = String::from_utf8_lossy(&ran.stdout).into_owned();
                let still = if after.is_empty() { "" } else { "still here\n" };
                assert_eq!(said, format!("run --ticket {SECRET}\n{still}"), "{shell}");
                assert_eq!(ran.status.code(), expected, "{shell}");
            }
        }
        assert!(!scratch.path().join("original").exists());
    }
}
