//! Starts this very test program again, as a process that can be killed.

use std::env;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A process that runs the ignored test of this name in a directory; `wrapper` may hold a program that starts it.
pub(crate) fn child(test: &str, directory: &Path, wrapper: &[&str]) -> Child {
    let program = env::current_exe().unwrap();
    let mut words = wrapper.iter().map(OsStr::new).chain([program.as_os_str()]);
    let mut command = Command::new(words.next().unwrap());
    command.args(words).args([test, "--exact", "--ignored", "--nocapture"]);
    command.env(DIRECTORY, directory).stdin(Stdio::null()).stdout(Stdio::piped());
    command.spawn().unwrap()
}

/// In a child: the directory that it works in. Nothing when somebody runs it by hand.
pub(crate) fn directory() -> Option<PathBuf> {
    env::var_os(DIRECTORY).map(PathBuf::from)
}

const DIRECTORY: &str = "HERM_STORE_TEST_DIRECTORY";

/// What a child said on lines that begin with a mark, once it is over.
pub(crate) fn said(child: &mut Child) -> Vec<String> {
    let output = BufReader::new(child.stdout.take().unwrap());
    let lines: Vec<String> = output.lines().map(Result::unwrap).collect();
    child.wait().unwrap();
    // A line that a killed process did not end is not what it said. The program around the test may write before a mark.
    lines.iter().filter_map(|line| Some(line.split_once("<<")?.1.split_once(">>")?.0.to_owned())).collect()
}
