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
use herm_adapters::wiring::command::quoted;

/// How long a secret is.
const LENGTH: usize = 32;

/// All of such a text but the secret and the original.
///
/// What is taken for one that was handed out is that, byte by byte: whatever else a shell would make of it is judged as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wording {
    head: String,
    middle: String,
    end: &'static str,
}

impl Wording {
    /// The text that has this program redeem tickets. `home` is where herm keeps its files, where that is not where it looks for them.
    pub(super) fn new(herm: &str, home: Option<&Path>, keeps: Keeps) -> Option<Self> {
        let home = match home {
            Some(home) => format!(" --herm-home {}", quoted(home.to_str()?)),
            None => String::new(),
        };
        // The shell that is left must not be the one that goes on.
        let (begin, end) = match keeps {
            Keeps::Shell => ("(", "\n)"),
            Keeps::Directory | Keeps::Nothing => ("", ""),
        };
        // A name with a line break would end the first line too early.
        let is_one_line = ![herm, &home].iter().any(|name| name.contains(['\n', '\r']));
        is_one_line.then(|| Self {
            head: format!("{begin}{} run --ticket ", quoted(herm)),
            middle: format!("{home}; exit\n"),
            end,
        })
    }

    /// The text that has herm run what a ticket is for.
    pub(super) fn wrapped(&self, secret: &str, original: &str) -> String {
        let Self { head, middle, end } = self;
        format!("{head}{secret}{middle}{original}{end}")
    }

    /// The secret in such a text, and the original.
    pub(super) fn unwrapped<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        let (secret, rest) = text.strip_prefix(&self.head)?.split_at_checked(LENGTH)?;
        let original = rest.strip_prefix(&self.middle)?.strip_suffix(self.end)?;
        secret.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some((secret, original))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "0123456789abcdef0123456789abcdef";
    const HERM: &str = "/opt/my herm";

    #[test]
    fn what_was_wrapped_is_found_again() {
        for original in ["make", "make\n", "echo 'a\nb'", "cat <<E\nx\nE\n", "", "(ls\n)"] {
            for keeps in [Keeps::Directory, Keeps::Nothing, Keeps::Shell] {
                for home in [None, Some(Path::new("/srv/it's mine"))] {
                    let wording = Wording::new(HERM, home, keeps).unwrap();
                    let text = wording.wrapped(SECRET, original);
                    assert_eq!(wording.unwrapped(&text), Some((SECRET, original)), "{text}");
                }
            }
        }
    }

    #[test]
    fn nothing_else_is_taken_for_it() {
        let wording = Wording::new(HERM, None, Keeps::Directory).unwrap();
        let usual = wording.wrapped(SECRET, "make");
        assert!(wording.unwrapped(&usual).is_some());
        let elsewhere = Wording::new(HERM, Some(Path::new("/srv")), Keeps::Directory).unwrap();
        let shell = Wording::new(HERM, None, Keeps::Shell).unwrap();
        let other = Wording::new("/opt/other", None, Keeps::Directory).unwrap();
        let first = usual.strip_suffix("\nmake").unwrap();
        for text in [
            "make",
            first,
            first.strip_suffix("; exit").unwrap(),
            &usual.replace("; exit", "; exit "),
            &usual.replace("; exit", "; exit;"),
            &usual.replace("; exit", " make; exit"),
            &usual.replace("; exit", "\tmake; exit"),
            &usual.replace("; exit", "; ls; exit"),
            &usual.replace(" run ", " try "),
            &usual.replace(" run ", "  run "),
            &usual.replace("'/opt/my herm'", "\"/opt/my herm\""),
            &usual.replace("'/opt/my herm'", "$(touch${IFS}/x;ls${IFS}/)"),
            &usual.replace("'/opt/my herm'", "`ls`"),
            &usual.replace(SECRET, "0123"),
            &usual.replace(SECRET, "$(touch${IFS}abcdefghijklmnop)1234"),
            &format!("true; {usual}"),
            &format!(" {usual}"),
            &elsewhere.wrapped(SECRET, "make"),
            &shell.wrapped(SECRET, "make"),
            &other.wrapped(SECRET, "make"),
        ] {
            assert_eq!(wording.unwrapped(text), None, "{text}");
        }
        assert_eq!(shell.unwrapped(&usual), None);
        assert_eq!(Wording::new("/opt/a\nb", None, Keeps::Nothing), None);
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
            let wording = Wording::new(herm.to_str().unwrap(), None, keeps).unwrap();
            let text = wording.wrapped(SECRET, original);
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
