//! Installs programs of others that tests are run with.
//!
//! They come through the package managers, which know from where, and are what a list says by version and hash.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use toml::Table;

use crate::{Outcome, say};

/// A program of others.
pub(crate) struct Package {
    pub(crate) name: String,
    version: String,
    /// The package manager that it comes from.
    from: String,
    /// What that calls it.
    called: String,
    /// Nothing where nobody has said what it is for this kind of machine.
    hash: Option<String>,
    /// Nothing younger is taken of what it depends on.
    before: Option<String>,
    /// What else is to be installed for it.
    extra: Option<String>,
    /// Where it is kept. `ready` is there when all of it is.
    pub(crate) place: PathBuf,
}

/// The tables of a list.
pub(crate) fn listed(file: &str, kind: &str) -> Result<Vec<Table>, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("cannot read `{file}`: {error}"))?;
    let list: Table = text.parse().map_err(|error| format!("`{file}`: {error}"))?;
    let tables = list.get(kind).and_then(toml::Value::as_array).ok_or(format!("`{file}` has no {kind}"))?;
    Ok(tables.iter().filter_map(toml::Value::as_table).cloned().collect())
}

/// A word of a table.
pub(crate) fn word(table: &Table, key: &str) -> Result<String, String> {
    optional(table, key).ok_or(format!("something in a list has no `{key}`"))
}

fn optional(table: &Table, key: &str) -> Option<String> {
    table.get(key).and_then(toml::Value::as_str).map(str::to_owned)
}

/// A text with the version and the kind of machine in their places.
pub(crate) fn filled(text: &str, version: &str) -> String {
    text.replace("{version}", version).replace("{arch}", arch()).replace("{machine}", std::env::consts::ARCH)
}

/// What cannot be had is left out on a person's machine, and fails in CI.
pub(crate) fn unless_lacking(outcome: Outcome) -> Outcome {
    match outcome {
        Err(problem) if std::env::var_os("CI").is_none() => {
            say(&format!("skipped: {problem}"));
            Ok(())
        }
        outcome => outcome,
    }
}

impl Package {
    /// What a table says, kept on a shelf.
    pub(crate) fn of(table: &Table, shelf: &str) -> Result<Self, String> {
        let (name, version) = (word(table, "name")?, word(table, "version")?);
        let own = || table.get("hash")?.get(arch())?.as_str().map(str::to_owned);
        Ok(Self {
            from: word(table, "from")?,
            called: filled(&word(table, "package")?, &version),
            hash: optional(table, "hash").or_else(own),
            before: optional(table, "before"),
            extra: optional(table, "extra"),
            place: Path::new(shelf).join(format!("{name}-{version}")),
            name,
            version,
        })
    }

    /// Whether all of it is there.
    pub(crate) fn is_ready(&self) -> bool {
        let said = fs::read_to_string(self.place.join("ready")).ok();
        said.is_some_and(|said| self.hash.as_ref().is_some_and(|hash| self.mark(hash) == said))
    }

    /// What is written down of what is there.
    fn mark(&self, hash: &str) -> String {
        self.extra.as_ref().map_or_else(|| hash.to_owned(), |extra| format!("{hash} {extra}"))
    }

    /// Installs it, and does what else it takes. What is half done is done again.
    pub(crate) fn install(&self, finish: impl FnOnce() -> std::io::Result<()>) -> Outcome {
        if self.is_ready() {
            return Ok(());
        }
        let hash =
            self.hash.as_ref().ok_or_else(|| self.failed(&"it is not known for this kind of machine"))?;
        say(&format!("==> installing {} {} by {}", self.name, self.version, self.from));
        let _ = fs::remove_dir_all(&self.place);
        fs::create_dir_all(&self.place).map_err(|error| self.failed(&error))?;
        match self.from.as_str() {
            "npm" => self.by_npm(hash),
            "pip" => self.by_pip(hash),
            other => Err(format!("nothing comes from `{other}`")),
        }?;
        finish().map_err(|error| self.failed(&error))?;
        fs::write(self.place.join("ready"), self.mark(hash)).map_err(|error| self.failed(&error))
    }

    /// Nothing that comes with a package is run.
    fn by_npm(&self, wanted: &str) -> Outcome {
        fs::write(self.place.join("package.json"), "{}\n").map_err(|error| self.failed(&error))?;
        // Some are told apart by their version alone.
        let (name, which) = match self.called.rsplit_once('@') {
            Some((name, which)) if !name.is_empty() => (name, which),
            _ => (self.called.as_str(), self.version.as_str()),
        };
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]);
        npm.args(self.before.as_ref().map(|day| format!("--before={day}")));
        self.run(npm.arg(format!("{name}@{which}")))?;
        let lock = fs::read_to_string(self.place.join("package-lock.json"));
        let lock: Value = serde_json::from_str(&lock.map_err(|error| self.failed(&error))?)
            .map_err(|error| self.failed(&error))?;
        let found = lock.get("packages").and_then(|all| all.get(format!("node_modules/{name}")));
        match found.and_then(|package| package.get("integrity")).and_then(Value::as_str) {
            Some(hash) if hash == wanted => Ok(()),
            other => Err(self.failed(&format!("it is not what it was: {other:?}"))),
        }
    }

    fn by_pip(&self, hash: &str) -> Outcome {
        let line = format!("{}=={} --hash=sha256:{hash}\n", self.called, self.version);
        fs::write(self.place.join("wanted.txt"), line).map_err(|error| self.failed(&error))?;
        self.run(Command::new("python3").args(["-m", "venv", "venv"]))?;
        let own = fs::canonicalize(self.place.join("venv/bin")).map_err(|error| self.failed(&error))?;
        let pip = |words: &[&str]| {
            self.run(Command::new(own.join("python")).args(["-m", "pip", "--quiet"]).args(words))
        };
        pip(&["download", "--no-deps", "--dest", "wheel", "-r", "wanted.txt"])?;
        let wheels = fs::read_dir(self.place.join("wheel")).map_err(|error| self.failed(&error))?;
        let wheel = wheels.flatten().next().ok_or("there is no wheel")?.file_name();
        let extra = self.extra.as_ref().map(|extra| format!("[{extra}]")).unwrap_or_default();
        pip(&["install", &format!("wheel/{}{extra}", wheel.display())])
    }

    fn run(&self, command: &mut Command) -> Outcome {
        let output = command.current_dir(&self.place).output().map_err(|error| self.failed(&error))?;
        if output.status.success() {
            return Ok(());
        }
        Err(self.failed(&String::from_utf8_lossy(&output.stderr).trim()))
    }

    fn failed(&self, why: &dyn Display) -> String {
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
