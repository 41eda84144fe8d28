//! Fetches the real projects that are built and tested behind the boundary.
//!
//! They come through the package managers, which know from where, and are what `projects.toml` says by version and hash.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use toml::Table;

use crate::run::answers;
use crate::{Outcome, say};

const LIST: &str = "crates/herm-cli/tests/run/projects.toml";

/// Where they are kept: `NAME-VERSION/source` is the project, `NAME-VERSION/ready` is there when all of it is.
const SHELF: &str = "target/projects";

/// Fetches what is not there yet.
pub(crate) fn fetch() -> Outcome {
    let text = fs::read_to_string(LIST).map_err(|error| format!("cannot read `{LIST}`: {error}"))?;
    let list: Table = text.parse().map_err(|error| format!("`{LIST}`: {error}"))?;
    let projects = list.get("project").and_then(toml::Value::as_array).ok_or("there are no projects")?;
    projects.iter().filter_map(toml::Value::as_table).try_for_each(|table| Project::of(table)?.fetch())
}

struct Project<'a> {
    name: &'a str,
    version: &'a str,
    from: &'a str,
    hash: &'a str,
    unpack: Option<&'a str>,
    prepare: Vec<&'a str>,
    place: PathBuf,
}

impl<'a> Project<'a> {
    fn of(table: &'a Table) -> Result<Self, String> {
        let optional = |key: &str| table.get(key).and_then(toml::Value::as_str);
        let word = |key: &str| optional(key).ok_or(format!("a project has no `{key}`"));
        let prepare = table.get("prepare").and_then(toml::Value::as_array);
        let (name, version) = (word("name")?, word("version")?);
        Ok(Self {
            name,
            version,
            from: word("from")?,
            hash: word("hash")?,
            unpack: optional("unpack"),
            prepare: prepare.into_iter().flatten().filter_map(toml::Value::as_str).collect(),
            place: Path::new(SHELF).join(format!("{name}-{version}")),
        })
    }

    /// What is half done is done again.
    fn fetch(&self) -> Outcome {
        let ready = self.place.join("ready");
        if fs::read_to_string(&ready).is_ok_and(|hash| hash == self.hash) {
            return Ok(());
        }
        if !answers(self.from, &["--version"]) {
            say(&format!("{} is left out: there is no {}", self.name, self.from));
            return Ok(());
        }
        say(&format!("==> fetching {} {} by {}", self.name, self.version, self.from));
        let _ = fs::remove_dir_all(&self.place);
        fs::create_dir_all(self.place.join("source")).map_err(|error| self.failed(&error))?;
        match self.from {
            "cargo" => self.by_cargo(),
            "npm" => self.by_npm(),
            "pip" => self.by_pip(),
            other => Err(format!("nothing comes from `{other}`")),
        }?;
        let source = self.place.join("source");
        self.prepare.iter().try_for_each(|command| self.shell(command, &source))?;
        fs::write(ready, self.hash).map_err(|error| self.failed(&error))
    }

    /// A crate comes as what another one depends on.
    fn by_cargo(&self) -> Outcome {
        let (name, version) = (self.name, self.version);
        let manifest = format!(
            "[package]\nname = \"wanted\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[dependencies]\n\
             {name} = \"={version}\"\n[workspace]\n"
        );
        let wanted = self.place.join("wanted");
        fs::create_dir_all(wanted.join("src")).map_err(|error| self.failed(&error))?;
        fs::write(wanted.join("Cargo.toml"), manifest).map_err(|error| self.failed(&error))?;
        fs::write(wanted.join("src/lib.rs"), "").map_err(|error| self.failed(&error))?;
        self.shell("cargo vendor --quiet --versioned-dirs", &wanted)?;
        let source = wanted.join(format!("vendor/{name}-{version}"));
        let sums = source.join(".cargo-checksum.json");
        let sums = fs::read_to_string(sums).map_err(|error| self.failed(&error))?;
        let sums: serde_json::Value = serde_json::from_str(&sums).map_err(|error| self.failed(&error))?;
        self.must_be(sums.get("package").and_then(serde_json::Value::as_str))?;
        fs::remove_dir(self.place.join("source")).map_err(|error| self.failed(&error))?;
        fs::rename(source, self.place.join("source")).map_err(|error| self.failed(&error))?;
        fs::remove_dir_all(wanted).map_err(|error| self.failed(&error))
    }

    fn by_npm(&self) -> Outcome {
        let wanted = format!("{}@{}", self.name, self.version);
        let said = self.output(Command::new("npm").args(["pack", "--json", &wanted]))?;
        let said: serde_json::Value = serde_json::from_slice(&said).map_err(|error| self.failed(&error))?;
        let word = |key: &str| said.get(0).and_then(|one| one.get(key)).and_then(serde_json::Value::as_str);
        self.must_be(word("integrity"))?;
        self.extract(Path::new(word("filename").unwrap_or_default()))
    }

    fn by_pip(&self) -> Outcome {
        let list = self.place.join("wanted.txt");
        let line = format!("{}=={} --hash=sha256:{}\n", self.name, self.version, self.hash);
        fs::write(&list, line).map_err(|error| self.failed(&error))?;
        self.shell("python3 -m pip download --quiet --no-deps --no-binary :all: -r wanted.txt", &self.place)?;
        self.extract(Path::new(&format!("{}-{}.tar.gz", self.name, self.version)))
    }

    /// Unpacks an archive, or the one inside it that is the project. Root must not make the files of others: behind the boundary
    /// they would stay theirs.
    fn extract(&self, archive: &Path) -> Outcome {
        let archive = archive.to_str().ok_or("an archive has no name")?;
        match self.unpack {
            None => self.shell(&format!("tar -xzf '{archive}' --no-same-owner --strip-components 1 -C source"), &self.place),
            Some(inner) => self.shell(
                &format!(
                    "tar -xzOf '{archive}' '{}-{}/{inner}' | tar -xz --no-same-owner --strip-components 1 -C source",
                    self.name, self.version
                ),
                &self.place,
            ),
        }
    }

    fn must_be(&self, found: Option<&str>) -> Outcome {
        match found {
            Some(hash) if hash == self.hash => Ok(()),
            other => Err(format!("{} {} is not what it was: {other:?}", self.name, self.version)),
        }
    }

    fn shell(&self, command: &str, place: &Path) -> Outcome {
        let mut shell = Command::new("bash");
        let quiet = shell.args(["-o", "pipefail", "-ec", command]).current_dir(place).stdout(Stdio::null());
        match quiet.status() {
            Ok(status) if status.success() => Ok(()),
            Ok(_) => Err(format!("`{command}` failed for {}", self.name)),
            Err(error) => Err(self.failed(&error)),
        }
    }

    fn output(&self, command: &mut Command) -> Result<Vec<u8>, String> {
        let output = command.current_dir(&self.place).output().map_err(|error| self.failed(&error))?;
        if output.status.success() {
            Ok(output.stdout)
        } else {
            Err(self.failed(&String::from_utf8_lossy(&output.stderr)))
        }
    }

    fn failed(&self, why: &dyn std::fmt::Display) -> String {
        format!("cannot fetch {} {}: {why}", self.name, self.version)
    }
}
