//! Pipelines, as programs of this machine run them.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::thread;

/// A surrounding in which pipelines run: which locale, and which awk.
#[derive(Clone, Copy, Debug)]
pub struct Shell {
    locale: &'static str,
    awk: &'static str,
}

/// The surroundings in all of which a computed value must hold.
const WORLDS: &[Shell] = &[
    Shell { locale: "C.UTF-8", awk: "mawk" },
    Shell { locale: "C", awk: "gawk" },
    Shell { locale: "en_US.UTF-8", awk: "gawk" },
];

/// Those of them that this machine has.
pub fn worlds() -> impl Iterator<Item = Shell> {
    WORLDS.iter().copied().filter(Shell::is_here)
}

impl Shell {
    #[expect(clippy::print_stderr, reason = "what was skipped is said")]
    fn is_here(&self) -> bool {
        let script = format!(
            "command -v {} && locale -a | tr -d - | grep -ix '{}'",
            self.awk,
            self.locale.replace('-', "")
        );
        let mut shell = Command::new("sh");
        let quiet = shell.args(["-c", &script]).stdout(Stdio::null()).stderr(Stdio::null());
        let found = quiet.status().is_ok_and(|status| status.success());
        if !found {
            assert!(std::env::var_os("CI").is_none(), "{self:?} is not installed");
            eprintln!("skipped: {self:?} is not installed: run `cargo xtask setup`");
        }
        found
    }

    /// What each pipeline prints, by one process of bash.
    ///
    /// They do run: hand in only what is known to be harmless.
    #[must_use]
    pub fn prints(&self, pipelines: &[String]) -> Vec<String> {
        let mut script = format!("awk() {{ {} \"$@\"; }}\n", self.awk);
        for pipeline in pipelines {
            let quoted = pipeline.replace('\'', r"'\''");
            let _ = writeln!(script, "x=$(eval '{quoted}'; printf .); printf '%s\\0' \"$x\"");
        }
        let mut bash = Command::new("bash");
        bash.args(["--noprofile", "--norc", "/dev/stdin"]).env_clear().stderr(Stdio::null());
        bash.envs([("PATH", "/usr/bin:/bin"), ("HOME", "/nonexistent"), ("LC_ALL", self.locale)]);
        answers(bash, &script)
    }
}

/// What a program that reads a script prints, at every NUL a new text.
pub(super) fn answers(mut program: Command, script: &str) -> Vec<String> {
    let child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = child else { return Vec::new() };
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let mut bytes = Vec::new();
    thread::scope(|scope| {
        scope.spawn(|| input.map(|mut input| input.write_all(script.as_bytes())));
        let _ = output.map(|mut output| output.read_to_end(&mut bytes));
    });
    let _ = child.wait();
    let mut texts: Vec<_> = bytes.split(|byte| *byte == 0).map(text).collect();
    texts.pop();
    texts
}

/// Bytes that are no text stand as herm lets them travel: one character of the last private plane each.
fn text(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().filter_map(|byte| char::from_u32(0x10_FF00 + u32::from(*byte))));
    }
    text
}
