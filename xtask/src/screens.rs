//! `cargo xtask screens`: pictures of the terminal for the guides, of what herm really says.
//!
//! Each is played in a home directory of its own, which is shown as `/home/ann`. `docs/guides/screens.toml` says what is typed.

mod picture;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::Outcome;
use crate::run::cargo;

/// Plays all of them, and paints what is seen.
pub(crate) fn write() -> Outcome {
    cargo(&["build", "--quiet", "--package", "herm-cli"])?;
    let guides = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guides");
    for scene in scenes(&guides.join("screens.toml"))? {
        let seen = scene.play()?;
        let file = guides.join("screens").join(format!("{}.svg", scene.name));
        fs::write(&file, picture::paint(&seen))
            .map_err(|error| format!("cannot write `{}`: {error}", file.display()))?;
    }
    Ok(())
}

/// What is typed, and where.
struct Scene {
    name: String,
    /// Files that are there before, with what they hold.
    files: Vec<(String, String)>,
    /// Lines that are typed.
    typed: Vec<String>,
}

fn scenes(file: &Path) -> Result<Vec<Scene>, String> {
    let unusable = |why: String| format!("`{}` cannot be used: {why}", file.display());
    let text = fs::read_to_string(file).map_err(|error| unusable(error.to_string()))?;
    let value: Value = toml::from_str(&text).map_err(|error| unusable(error.to_string()))?;
    let scenes = value.as_object().ok_or_else(|| unusable("it is no table".to_owned()))?;
    scenes
        .iter()
        .map(|(name, scene)| Scene::read(name, scene).ok_or_else(|| unusable(name.clone())))
        .collect()
}

impl Scene {
    fn read(name: &str, scene: &Value) -> Option<Self> {
        let typed = scene.get("typed")?.as_array()?.iter().map(|line| line.as_str().map(str::to_owned));
        let files = scene.get("files").and_then(Value::as_object).into_iter().flatten();
        let files = files.map(|(path, text)| Some((path.clone(), text.as_str()?.to_owned())));
        Some(Self {
            name: name.to_owned(),
            files: files.collect::<Option<_>>()?,
            typed: typed.collect::<Option<_>>()?,
        })
    }

    /// What a terminal would show.
    fn play(&self) -> Result<String, String> {
        let home = Home::new(&self.name)?;
        for (path, text) in &self.files {
            home.write(path, text)?;
        }
        let mut seen = String::new();
        for line in &self.typed {
            let _ = writeln!(seen, "\x1b[2m$\x1b[0m \x1b[1m{line}\x1b[0m");
            seen.push_str(&home.run(line)?);
        }
        Ok(home.forget(&seen))
    }
}

/// Where herm was built: beside this program.
fn built() -> PathBuf {
    std::env::current_exe().ok().and_then(|path| path.parent().map(Path::to_owned)).unwrap_or_default()
}

/// A home directory for one scene. It goes away with it.
struct Home(PathBuf);

/// Whose it is shown to be.
const ANN: &str = "/home/ann";

impl Home {
    fn new(name: &str) -> Result<Self, String> {
        let path = std::env::temp_dir().join(format!("herm-screen-{}-{name}", std::process::id()));
        fs::create_dir_all(path.join("app"))
            .map_err(|error| format!("cannot make `{}`: {error}", path.display()))?;
        Ok(Self(path))
    }

    fn write(&self, path: &str, text: &str) -> Outcome {
        let file = self.0.join(path);
        let parent = file.parent().unwrap_or(&self.0);
        let written = fs::create_dir_all(parent).and_then(|()| fs::write(&file, text));
        written.map_err(|error| format!("cannot write `{}`: {error}", file.display()))
    }

    /// What a line prints, both streams as they come.
    fn run(&self, line: &str) -> Result<String, String> {
        let path = format!("{}:/usr/bin:/bin", built().display());
        let output = Command::new("/bin/bash")
            .args(["-c", &format!("exec 2>&1\n{line}")])
            .current_dir(self.0.join("app"))
            .env_clear()
            .envs([("HOME", self.0.as_os_str()), ("PATH", path.as_ref())])
            .envs([
                ("CLICOLOR_FORCE", "1"),
                ("COLUMNS", "100"),
                ("LANG", "C.UTF-8"),
                ("TERM", "xterm-256color"),
            ])
            .output()
            .map_err(|error| format!("cannot run `{line}`: {error}"))?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// The same without what is particular to this machine.
    fn forget(&self, seen: &str) -> String {
        let herm = built().join("herm");
        let seen = seen.replace(&*herm.to_string_lossy(), "/usr/local/bin/herm");
        seen.replace(&*self.0.to_string_lossy(), ANN)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
