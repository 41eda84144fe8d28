//! Installs the reference implementations of clients that `herm mcp serve` is tried with.
//!
//! They come through the package managers, which know from where, and are what `clients.toml` says by version and hash.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use toml::Table;

use crate::{Outcome, say};

const LIST: &str = "xtask/clients.toml";

/// Where they are kept: `NAME-VERSION/ready` is there when all of it is.
const SHELF: &str = "target/clients";

/// Installs what is not there yet. What cannot be had is left out on a person's machine, and fails in CI.
pub(crate) fn install() -> Outcome {
    let list = list()?;
    clients(&list)?.iter().try_for_each(|client| match client.install() {
        Err(problem) if std::env::var_os("CI").is_none() => {
            say(&format!("skipped: {problem}"));
            Ok(())
        }
        outcome => outcome,
    })
}

/// Whether all of them are there.
pub(crate) fn are_ready() -> Result<bool, String> {
    let list = list()?;
    Ok(clients(&list)?.iter().all(Client::is_ready))
}

fn list() -> Result<Table, String> {
    let text = fs::read_to_string(LIST).map_err(|error| format!("cannot read `{LIST}`: {error}"))?;
    text.parse().map_err(|error| format!("`{LIST}`: {error}"))
}

fn clients(list: &Table) -> Result<Vec<Client<'_>>, String> {
    let clients = list.get("client").and_then(toml::Value::as_array).ok_or("there are no clients")?;
    clients.iter().filter_map(toml::Value::as_table).map(Client::of).collect()
}

struct Client<'a> {
    name: &'a str,
    version: &'a str,
    from: &'a str,
    package: &'a str,
    hash: &'a str,
    place: PathBuf,
}

impl<'a> Client<'a> {
    fn of(table: &'a Table) -> Result<Self, String> {
        let word = |key: &str| {
            table.get(key).and_then(toml::Value::as_str).ok_or(format!("a client has no `{key}`"))
        };
        let (name, version) = (word("name")?, word("version")?);
        let place = Path::new(SHELF).join(format!("{name}-{version}"));
        Ok(Self { name, version, from: word("from")?, package: word("package")?, hash: word("hash")?, place })
    }

    fn is_ready(&self) -> bool {
        fs::read_to_string(self.place.join("ready")).is_ok_and(|hash| hash == self.hash)
    }

    /// What is half done is done again.
    fn install(&self) -> Outcome {
        if self.is_ready() {
            return Ok(());
        }
        say(&format!("==> installing {} {} by {}", self.name, self.version, self.from));
        let _ = fs::remove_dir_all(&self.place);
        fs::create_dir_all(&self.place).map_err(|error| self.failed(&error))?;
        match self.from {
            "npm" => self.by_npm(),
            "pip" => self.by_pip(),
            other => Err(format!("no client comes from `{other}`")),
        }?;
        fs::write(self.place.join("ready"), self.hash).map_err(|error| self.failed(&error))
    }

    /// Nothing that comes with a package is run.
    fn by_npm(&self) -> Outcome {
        fs::write(self.place.join("package.json"), "{}\n").map_err(|error| self.failed(&error))?;
        let quiet = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
        self.run(Command::new("npm").args(quiet).arg(format!("{}@{}", self.package, self.version)))?;
        let lock =
            fs::read_to_string(self.place.join("package-lock.json")).map_err(|error| self.failed(&error))?;
        let lock: Value = serde_json::from_str(&lock).map_err(|error| self.failed(&error))?;
        let found = lock.get("packages").and_then(|all| all.get(format!("node_modules/{}", self.package)));
        match found.and_then(|package| package.get("integrity")).and_then(Value::as_str) {
            Some(hash) if hash == self.hash => Ok(()),
            other => Err(format!("{} {} is not what it was: {other:?}", self.name, self.version)),
        }
    }

    fn by_pip(&self) -> Outcome {
        let line = format!("{}=={} --hash=sha256:{}\n", self.package, self.version, self.hash);
        fs::write(self.place.join("wanted.txt"), line).map_err(|error| self.failed(&error))?;
        self.run(Command::new("python3").args(["-m", "venv", "venv"]))?;
        let python = fs::canonicalize(self.place.join("venv/bin"))
            .map_err(|error| self.failed(&error))?
            .join("python");
        let pip = |words: &[&str]| self.run(Command::new(&python).args(["-m", "pip", "--quiet"]).args(words));
        pip(&["download", "--no-deps", "--dest", "wheel", "-r", "wanted.txt"])?;
        let wheels = fs::read_dir(self.place.join("wheel")).map_err(|error| self.failed(&error))?;
        let wheel = wheels.flatten().next().ok_or("there is no wheel")?.file_name();
        pip(&["install", &format!("wheel/{}", wheel.display())])
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
