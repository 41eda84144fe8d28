//! What bash itself says.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;

/// Whether bash can read `text`. Nothing in it is run.
#[must_use]
pub fn accepts(text: &str) -> bool {
    let output = isolated().args(["-O", "extglob", "-n", "-c", "--", text]).output();
    // An unfinished `[[` is complained about, and yet bash exits as if all were well.
    output.is_ok_and(|output| output.status.success() && !complains(&String::from_utf8_lossy(&output.stderr)))
}

/// Whether bash printed more than warnings.
fn complains(errors: &str) -> bool {
    ["syntax error", "unexpected", "conditional"].iter().any(|sign| errors.contains(sign))
}

/// Whether bash can read each of `texts`, asked on all processors at once.
#[must_use]
pub fn accepts_each(texts: &[String]) -> Vec<bool> {
    let queue = Mutex::new(texts.iter().enumerate());
    let answers = Mutex::new(vec![false; texts.len()]);
    let ask = || {
        while let Some((position, text)) = queue.lock().ok().and_then(|mut queue| queue.next()) {
            let accepted = accepts(text);
            if let Some(answer) = answers.lock().ok().as_mut().and_then(|all| all.get_mut(position)) {
                *answer = accepted;
            }
        }
    };
    let processors = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..processors).for_each(|_| drop(scope.spawn(ask))));
    answers.into_inner().unwrap_or_default()
}

/// The text as bash prints what it has read, by which one sees how it was read. Nothing in it is run.
#[must_use]
pub fn reprinted(text: &str) -> Option<String> {
    let mut bash = isolated();
    bash.args(["--pretty-print", "-n", "-O", "extglob", "/dev/stdin"]).stdin(Stdio::piped());
    let mut child = bash.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What bash makes of the words in `script`, after [`crate::words::SETUP`].
///
/// The words are expanded and thus may run commands: hand in only spellings that are known to be harmless.
#[must_use]
pub fn bash_words(script: &str) -> Vec<String> {
    let program = format!("{}\nprintf '%s\\0' {script}", crate::words::SETUP);
    let output = isolated().args(["-O", "extglob", "-c", &program]).stderr(Stdio::null()).output();
    let bytes = output.map(|output| output.stdout).unwrap_or_default();
    let mut words: Vec<_> =
        bytes.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect();
    words.pop();
    words
}

/// What bash prints when it runs `script` in a directory.
///
/// It does run: hand in only what is known to be harmless.
#[must_use]
pub fn bash_prints(script: &str, directory: &Path) -> String {
    let output = isolated().args(["-c", script]).current_dir(directory).stderr(Stdio::null()).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
}

/// A bash that reads no start-up files and sees little of this process.
fn isolated() -> Command {
    let mut bash = Command::new("bash");
    bash.args(["--noprofile", "--norc"]).stdin(Stdio::null()).env_clear();
    bash.envs([("PATH", "/usr/bin:/bin"), ("HOME", "/home/dev"), ("LC_ALL", "C.UTF-8")]);
    bash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_valid_from_invalid() {
        assert_eq!(accepts_each(&["echo a".to_owned(), "if".to_owned()]), [true, false]);
    }

    #[test]
    fn reprints_without_running() {
        assert_eq!(reprinted("a|b;c >f").as_deref().map(str::trim), Some("a | b; c > f"));
        assert_eq!(reprinted("if"), None);
        let name = std::env::temp_dir().join("herm-test-reprinted");
        let _ = reprinted(&format!("touch {}", name.display()));
        assert!(!name.exists());
    }

    #[test]
    fn expands_words() {
        assert_eq!(bash_words("a'b'\"c\" {1..3} ~"), ["abc", "1", "2", "3", "/home/dev"]);
    }
}
