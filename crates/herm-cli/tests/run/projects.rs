//! Real projects are built and tested behind the boundary, by root and by somebody else: unasked, and as they are.
//!
//! Which ones, `projects.toml` says. `cargo xtask setup` fetches them; `HERM_PROJECTS`, which `cargo xtask test` sets, says
//! that they must be there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use rustix::process::geteuid;
use toml::Table;

use crate::place::{Place, Ran};

#[test]
fn projects_pass_as_root() {
    if !geteuid().is_root() {
        println!("skipped: only root can be root");
        return;
    }
    all_pass(Place::new);
}

#[test]
fn projects_pass_as_an_ordinary_user() {
    all_pass(Place::unprivileged);
}

/// Two at a time: many of them wait for their own clocks.
#[expect(clippy::print_stdout, reason = "a test that is skipped says why")]
fn all_pass(place: fn() -> Place) {
    let Ok(wanted) = std::env::var("HERM_PROJECTS") else {
        println!("skipped: `cargo xtask test` fetches and runs projects");
        return;
    };
    let list: Table = include_str!("projects.toml").parse().unwrap();
    let projects = list["project"].as_array().unwrap().iter().map(|one| Project(one.as_table().unwrap()));
    let chosen = projects.filter(|one| wanted == "full" || one.word("when") == "always");
    let waiting = Mutex::new(chosen);
    let complaints = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(project) = waiting.lock().unwrap().next() else { return };
                    complaints.lock().unwrap().extend(project.complaint(&place()));
                }
            });
        }
    });
    let complaints = complaints.into_inner().unwrap();
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}

/// What `projects.toml` says of one.
struct Project<'a>(&'a Table);

impl Project<'_> {
    fn word(&self, key: &str) -> &str {
        self.0[key].as_str().unwrap()
    }

    /// What went wrong, if anything did.
    #[expect(clippy::print_stdout, reason = "which of them takes how long is worth knowing")]
    fn complaint(&self, place: &Place) -> Option<String> {
        let name = format!("{}-{}", self.word("name"), self.word("version"));
        let kept = target().join("projects").join(&name);
        if !kept.join("ready").exists() {
            return Some(format!("{name} is not there: `cargo xtask setup` fetches it"));
        }
        let start = Instant::now();
        self.move_in(place, &kept);
        let commands = self.0["run"].as_array().unwrap().iter().map(|command| command.as_str().unwrap());
        let failed = commands
            .map(|command| command.replace("{node}", &node()))
            .find_map(|command| failure(place, &command));
        println!("{name}: {:.1?}", start.elapsed());
        failed.map(|why| format!("{name}: {why}"))
    }

    /// A copy of the project is the workspace. What cargo may use of others lies where a person's cargo keeps it.
    fn move_in(&self, place: &Place, kept: &Path) {
        let copy = |from: PathBuf, to: PathBuf| {
            let copied = Command::new("cp").args(["-a", "--reflink=auto"]).arg(from).arg(to).status();
            assert!(copied.is_ok_and(|status| status.success()));
        };
        fs::remove_dir_all(place.work("")).unwrap();
        copy(kept.join("source"), place.work(""));
        if self.word("from") == "cargo" {
            let cargo = place.home().join(".cargo");
            fs::create_dir_all(&cargo).unwrap();
            copy(kept.join("vendor"), cargo.join("vendor"));
            fs::write(cargo.join("config.toml"), VENDORED).unwrap();
        }
        place.give();
    }
}

const VENDORED: &str =
    "[source.crates-io]\nreplace-with = \"vendored\"\n[source.vendored]\ndirectory = \".cargo/vendor\"\n";

/// What went wrong with a command: it must be allowed unasked, as the record says, and succeed.
fn failure(place: &Place, command: &str) -> Option<String> {
    let arguments = ["run", "--backend", "sandbox", "--json", "--timeout", "600", command];
    let ran = Ran::of(&mut with_toolchain(place, &arguments));
    let Ok(reply) = serde_json::from_str::<serde_json::Value>(&ran.stdout) else {
        return Some(format!("`{command}`: {ran:?}"));
    };
    let ledger = place.ledger();
    let intent =
        ledger.iter().rev().find(|record| record["kind"] == "intent" && record["id"] == reply["receipt"]);
    let unasked = intent.is_some_and(|record| {
        let body = &record["body"];
        body["decision"] == "allow" && body["answer"].is_null() && body["backend"] == "sandbox"
    });
    if unasked && reply["exit_code"] == 0 {
        return None;
    }
    let text = |key: &str| last(reply[key].as_str().unwrap_or_default()).to_owned();
    let findings = &reply["findings"];
    Some(format!("`{command}`: {}\n{}\n{}\n{findings}", reply["exit_code"], text("stdout"), text("stderr")))
}

/// The end of a text, where it says what failed.
fn last(text: &str) -> &str {
    let from = text.char_indices().rev().nth(4000).map_or(0, |(at, _)| at);
    text.get(from..).unwrap_or_default()
}

/// herm, with a toolchain that whoever runs it can read: root's own is shown to others where they can.
fn with_toolchain(place: &Place, arguments: &[&str]) -> Command {
    let herm = place.herm(arguments);
    let shown = place.home().with_file_name("toolchain");
    let is_shown = geteuid().is_root() && place.is_unprivileged();
    let toolchain = if is_shown { shown } else { sysroot() };
    let mut command = if is_shown { place.command("unshare") } else { place.command("env") };
    if is_shown {
        fs::create_dir_all(&toolchain).unwrap();
        let show = "mount --bind \"$1\" \"$2\" && shift 2 && exec \"$@\"";
        command.args(["--mount", "--propagation", "private", "sh", "-c", show, "sh"]);
        command.arg(sysroot()).arg(&toolchain);
    }
    command.arg(herm.get_program()).args(herm.get_args());
    let path = std::env::var("PATH").unwrap_or_default();
    let home = std::env::var("HOME").unwrap_or_default();
    let others = std::env::split_paths(&path).filter(|one| !is_shown || !one.starts_with(&home));
    let path = std::env::join_paths([toolchain.join("bin")].into_iter().chain(others)).unwrap();
    command.env("PATH", path).env("LANG", "C.UTF-8");
    if let Some(root) = std::env::var_os("PYENV_ROOT").filter(|_| !is_shown) {
        command.env("PYENV_ROOT", root);
    }
    command
}

fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().to_owned()
}

fn said(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn sysroot() -> PathBuf {
    said("rustc", &["--print", "sysroot"]).into()
}

/// Where node is installed, headers included.
fn node() -> String {
    said("node", &["--print", "require('path').resolve(process.execPath, '../..')"])
}
