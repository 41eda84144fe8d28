//! Installs the real agents that are run against a stand-in for their model.
//!
//! They come through the package managers, which know from where, and are what `agents.toml` says by version and hash.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use toml::Table;

use crate::{Outcome, say};

const LIST: &str = "xtask/agents.toml";

/// Where they are kept: `NAME-VERSION/bin` is what is run, `NAME-VERSION/ready` is there when all of it is.
const SHELF: &str = "target/agents";

/// Which of them are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Every one.
    All,
    /// Those that every change is tried with.
    Some,
}

/// Installs what is not there yet. What cannot be had is left out on a person's machine, and fails in CI.
pub(crate) fn install(wanted: Wanted) -> Outcome {
    let list = list()?;
    chosen(&list, wanted)?.iter().try_for_each(|agent| match agent.install() {
        Err(problem) if std::env::var_os("CI").is_none() => {
            say(&format!("skipped: {problem}"));
            Ok(())
        }
        outcome => outcome,
    })
}

/// The names of those that are there.
pub(crate) fn ready(wanted: Wanted) -> Result<String, String> {
    let list = list()?;
    let ready = chosen(&list, wanted)?.into_iter().filter(Agent::is_ready);
    Ok(ready.map(|agent| agent.name).collect::<Vec<_>>().join(" "))
}

fn list() -> Result<Table, String> {
    let text = fs::read_to_string(LIST).map_err(|error| format!("cannot read `{LIST}`: {error}"))?;
    text.parse().map_err(|error| format!("`{LIST}`: {error}"))
}

fn chosen(list: &Table, wanted: Wanted) -> Result<Vec<Agent<'_>>, String> {
    let agents = list.get("agent").and_then(toml::Value::as_array).ok_or("there are no agents")?;
    let agents: Result<Vec<_>, _> = agents.iter().filter_map(toml::Value::as_table).map(Agent::of).collect();
    let is_wanted = |agent: &Agent<'_>| wanted == Wanted::All || agent.when == "always";
    Ok(agents?.into_iter().filter(is_wanted).collect())
}

struct Agent<'a> {
    name: &'a str,
    version: &'a str,
    from: &'a str,
    when: &'a str,
    package: String,
    /// Nothing where nobody has said what it is for this kind of machine.
    hash: Option<&'a str>,
    before: Option<&'a str>,
    extra: Option<&'a str>,
    program: String,
    place: PathBuf,
}

impl<'a> Agent<'a> {
    fn of(table: &'a Table) -> Result<Self, String> {
        let optional = |key: &str| table.get(key).and_then(toml::Value::as_str);
        let word = |key: &str| optional(key).ok_or(format!("an agent has no `{key}`"));
        let (name, version) = (word("name")?, word("version")?);
        let filled = |text: &str| {
            text.replace("{version}", version)
                .replace("{arch}", arch())
                .replace("{machine}", std::env::consts::ARCH)
        };
        let own = || table.get("hash")?.get(arch())?.as_str();
        Ok(Self {
            name,
            version,
            from: word("from")?,
            when: word("when")?,
            package: filled(word("package")?),
            hash: optional("hash").or_else(own),
            before: optional("before"),
            extra: optional("extra"),
            program: filled(word("program")?),
            place: Path::new(SHELF).join(format!("{name}-{version}")),
        })
    }

    fn is_ready(&self) -> bool {
        fs::read_to_string(self.place.join("ready"))
            .is_ok_and(|said| self.hash.map(|hash| self.mark(hash)) == Some(said))
    }

    /// What is written down of what is there.
    fn mark(&self, hash: &str) -> String {
        self.extra.map_or_else(|| hash.to_owned(), |extra| format!("{hash} {extra}"))
    }

    /// What is half done is done again.
    fn install(&self) -> Outcome {
        if self.is_ready() {
            return Ok(());
        }
        let hash = self.hash.ok_or_else(|| self.failed(&"it is not known for this kind of machine"))?;
        say(&format!("==> installing {} {} by {}", self.name, self.version, self.from));
        let _ = fs::remove_dir_all(&self.place);
        fs::create_dir_all(self.place.join("bin")).map_err(|error| self.failed(&error))?;
        match self.from {
            "npm" => self.by_npm(hash),
            "pip" => self.by_pip(hash),
            other => Err(format!("no agent comes from `{other}`")),
        }?;
        let program = Path::new("..").join(&self.program);
        let name = program.file_name().ok_or("a program has no name")?;
        symlink(&program, self.place.join("bin").join(name)).map_err(|error| self.failed(&error))?;
        fs::write(self.place.join("ready"), self.mark(hash)).map_err(|error| self.failed(&error))
    }

    /// Nothing that comes with a package is run.
    fn by_npm(&self, wanted: &str) -> Outcome {
        fs::write(self.place.join("package.json"), "{}\n").map_err(|error| self.failed(&error))?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]);
        npm.args(self.before.map(|day| format!("--before={day}"))).arg(&self.package);
        self.run(&mut npm)?;
        let lock = fs::read_to_string(self.place.join("package-lock.json"));
        let lock: Value = serde_json::from_str(&lock.map_err(|error| self.failed(&error))?)
            .map_err(|error| self.failed(&error))?;
        let name = self.package.rsplit_once('@').map_or(self.package.as_str(), |(name, _)| name);
        let found = lock.get("packages").and_then(|all| all.get(format!("node_modules/{name}")));
        match found.and_then(|package| package.get("integrity")).and_then(Value::as_str) {
            Some(hash) if hash == wanted => Ok(()),
            other => Err(format!("{} {} is not what it was: {other:?}", self.name, self.version)),
        }
    }

    fn by_pip(&self, hash: &str) -> Outcome {
        let line = format!("{}=={} --hash=sha256:{hash}\n", self.package, self.version);
        fs::write(self.place.join("wanted.txt"), line).map_err(|error| self.failed(&error))?;
        self.run(Command::new("python3").args(["-m", "venv", "venv"]))?;
        let pip = |words: &[&str]| {
            let own = fs::canonicalize(self.place.join("venv/bin")).map_err(|error| self.failed(&error))?;
            self.run(Command::new(own.join("python")).args(["-m", "pip", "--quiet"]).args(words))
        };
        pip(&["download", "--no-deps", "--dest", "wheel", "-r", "wanted.txt"])?;
        let wheels = fs::read_dir(self.place.join("wheel")).map_err(|error| self.failed(&error))?;
        let wheel = wheels.flatten().next().ok_or("there is no wheel")?.file_name();
        let extra = self.extra.map(|extra| format!("[{extra}]")).unwrap_or_default();
        pip(&["install", &format!("wheel/{}{extra}", wheel.display())])
    }

    fn run(&self, command: &mut Command) -> Outcome {
        let output = command.current_dir(&self.place).output().map_err(|error| self.failed(&error))?;
        if output.status.success() {
            return Ok(());
        }
        Err(self.failed(&String::from_utf8_lossy(&output.stderr).trim()))
    }

    fn failed(&self, why: &dyn std::fmt::Display) -> String {
        format!("cannot install {} {}: {why}", self.name, self.version)
    }
}

/// This kind of machine, as npm calls it.
fn arch() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    }
}
