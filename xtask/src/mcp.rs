//! Installs the reference implementations of MCP that herm is put between.
//!
//! They come through the package managers, which know from where, and are what `mcp.toml` says by version and hash.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use toml::Table;

use crate::{Outcome, say};

const LIST: &str = "xtask/mcp.toml";

/// Where they are kept: `NAME/ready` is there when all of it is.
const SHELF: &str = "target/mcp";

/// Installs what is not there yet. What cannot be had is left out on a person's machine, and fails in CI.
pub(crate) fn install() -> Outcome {
    let list = list()?;
    packages(&list)?.iter().try_for_each(|package| match package.install() {
        Err(problem) if std::env::var_os("CI").is_none() => {
            say(&format!("skipped: {problem}"));
            Ok(())
        }
        outcome => outcome,
    })
}

/// Where each of them is, if all are there.
pub(crate) fn ready() -> Result<String, String> {
    let list = list()?;
    let packages = packages(&list)?;
    let here = fs::canonicalize(SHELF).unwrap_or_default();
    Ok(if packages.iter().all(Reference::is_ready) { here.display().to_string() } else { String::new() })
}

fn list() -> Result<Table, String> {
    let text = fs::read_to_string(LIST).map_err(|error| format!("cannot read `{LIST}`: {error}"))?;
    text.parse().map_err(|error| format!("`{LIST}`: {error}"))
}

fn packages(list: &Table) -> Result<Vec<Reference<'_>>, String> {
    let packages = list.get("package").and_then(toml::Value::as_array).ok_or("there are no packages")?;
    packages.iter().filter_map(toml::Value::as_table).map(Reference::of).collect()
}

struct Reference<'a> {
    name: &'a str,
    version: &'a str,
    from: &'a str,
    package: &'a str,
    hash: &'a str,
    before: Option<&'a str>,
    place: PathBuf,
}

impl<'a> Reference<'a> {
    fn of(table: &'a Table) -> Result<Self, String> {
        let optional = |key: &str| table.get(key).and_then(toml::Value::as_str);
        let word = |key: &str| optional(key).ok_or(format!("a package has no `{key}`"));
        let name = word("name")?;
        Ok(Self {
            name,
            version: word("version")?,
            from: word("from")?,
            package: word("package")?,
            hash: word("hash")?,
            before: optional("before"),
            place: Path::new(SHELF).join(name),
        })
    }

    fn is_ready(&self) -> bool {
        fs::read_to_string(self.place.join("ready")).is_ok_and(|hash| self.hash == hash)
    }

    /// What is half done is done again.
    fn install(&self) -> Outcome {
        if self.is_ready() {
            return Ok(());
        }
        say(&format!("==> installing {} {} by {}", self.package, self.version, self.from));
        let _ = fs::remove_dir_all(&self.place);
        fs::create_dir_all(&self.place).map_err(|error| self.failed(&error))?;
        match self.from {
            "npm" => self.by_npm(),
            "pip" => self.by_pip(),
            other => Err(format!("nothing comes from `{other}`")),
        }?;
        fs::write(self.place.join("ready"), self.hash).map_err(|error| self.failed(&error))
    }

    /// Nothing that comes with a package is run.
    fn by_npm(&self) -> Outcome {
        fs::write(self.place.join("package.json"), "{}\n").map_err(|error| self.failed(&error))?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]);
        npm.args(self.before.map(|day| format!("--before={day}")));
        self.run(npm.arg(format!("{}@{}", self.package, self.version)))?;
        let lock = fs::read_to_string(self.place.join("package-lock.json"));
        let is_it = lock.map_err(|error| self.failed(&error))?.contains(&format!("\"{}\"", self.hash));
        if is_it { Ok(()) } else { Err(self.failed(&"it is not what it was")) }
    }

    fn by_pip(&self) -> Outcome {
        let line = format!("{}=={} --hash=sha256:{}\n", self.package, self.version, self.hash);
        fs::write(self.place.join("wanted.txt"), line).map_err(|error| self.failed(&error))?;
        self.run(Command::new("python3").args(["-m", "venv", "venv"]))?;
        let python = fs::canonicalize(self.place.join("venv/bin")).map_err(|error| self.failed(&error))?;
        let pip = |words: &[&str]| {
            self.run(Command::new(python.join("python")).args(["-m", "pip", "--quiet"]).args(words))
        };
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
