//! A repository on the disk, and the world that shows it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

use herm_shell::Lang;
use herm_shell::world::{Script, Standing, World};
use tempfile::TempDir;

use crate::call::{Action, Call, CallId, Door, Exec, Principal, SessionId};
use crate::finding::Stance;
use crate::path::AbsPath;
use crate::policy::{Config, Policy, Source, Surroundings};
use crate::{Engine, Ruling};

/// A repository on the disk.
#[derive(Clone, Debug)]
pub(super) struct Workspace {
    scratch: Rc<TempDir>,
    home: PathBuf,
    mounts: Vec<String>,
}

impl Workspace {
    pub(super) fn new() -> Self {
        let scratch = Rc::new(tempfile::tempdir().unwrap());
        let home = scratch.path().canonicalize().unwrap().join("home");
        let workspace = Self { scratch, home, mounts: Vec::new() };
        fs::create_dir(workspace.path()).unwrap();
        workspace.git(&["init", "--quiet", "--initial-branch=main"]);
        workspace
    }

    /// A directory that no repository holds.
    pub(super) fn without_repository() -> Self {
        let workspace = Self::new();
        fs::remove_dir_all(workspace.path().join(".git")).unwrap();
        workspace
    }

    pub(super) fn path(&self) -> PathBuf {
        self.scratch.path().canonicalize().unwrap().join("work")
    }

    /// The same, where something is mounted.
    pub(super) fn mounted(&self, at: &str) -> Self {
        let place = self.path().join(at).to_str().unwrap().trim_end_matches('/').to_owned();
        Self { mounts: vec![place], ..self.clone() }
    }

    /// The same as somebody's home.
    pub(super) fn owned_as_home(&self) -> Self {
        Self { home: self.path(), ..self.clone() }
    }

    pub(super) fn file(&self, name: &str, content: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Adds all that is not left out.
    pub(super) fn add(&self) {
        self.git(&["add", "--all"]);
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut git = Command::new("git");
        git.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", &self.home).current_dir(self.path());
        git.args(["-c", "user.name=A", "-c", "user.email=a@host.example"]).args(words);
        git
    }

    pub(super) fn git(&self, words: &[&str]) {
        let ran = self.command(words).output().unwrap();
        assert!(ran.status.success(), "{words:?}: {ran:?}");
    }

    /// Those of some paths that git leaves out.
    pub(super) fn left_out(&self, paths: &[&str]) -> Vec<String> {
        let list = self.path().join(".git/paths");
        fs::write(&list, paths.join("\0")).unwrap();
        let mut git = self.command(&["check-ignore", "--no-index", "-z", "--stdin"]);
        let ran = git.stdin(fs::File::open(list).unwrap()).output().unwrap();
        assert!([Some(0), Some(1)].contains(&ran.status.code()), "{ran:?}");
        String::from_utf8(ran.stdout).unwrap().split('\0').map(str::to_owned).collect()
    }

    /// The rules that ask about a command, or refuse it.
    pub(super) fn minded(&self, command: &str) -> Vec<&'static str> {
        self.minded_in("", command)
    }

    /// The same in another directory of the workspace.
    pub(super) fn minded_in(&self, directory: &str, command: &str) -> Vec<&'static str> {
        names(&self.ruling(Lang::Shell, command, "", directory))
    }

    pub(super) fn judged(&self, lang: Lang, text: &str, config: &str) -> Vec<&'static str> {
        names(&self.ruling(lang, text, config, ""))
    }

    /// The rules that mind a command of which nobody told where it runs.
    pub(super) fn minded_anywhere(&self, command: &str) -> Vec<&'static str> {
        names(&self.act(Exec::new(command, Lang::Shell).adrift(), "", ""))
    }

    pub(super) fn ruling(&self, lang: Lang, text: &str, config: &str, directory: &str) -> Ruling {
        self.act(Exec::new(text, lang), config, directory)
    }

    fn act(&self, exec: Exec, config: &str, directory: &str) -> Ruling {
        let home = AbsPath::new(self.home.to_str().unwrap()).unwrap();
        let cwd = AbsPath::new(self.path().join(directory).to_str().unwrap().trim_end_matches('/')).unwrap();
        let config = Config::read(Source::User, "config.yaml", config).unwrap();
        let surroundings = Surroundings { home: Some(home.clone()), safe_root: None };
        let call = Call {
            id: CallId("1".to_owned()),
            door: Door::CommandLine,
            principal: Principal { name: Some("dev".to_owned()), home },
            session: SessionId::default(),
            cwd,
            action: Action::Exec(exec),
        };
        Engine::new(Policy::compile(vec![config], &surroundings).unwrap()).check(&call, self)
    }
}

/// Each rule once.
fn names(ruling: &Ruling) -> Vec<&'static str> {
    let minded = ruling.findings.iter().filter(|finding| finding.stance > Stance::Note);
    let mut names: Vec<_> = minded.map(|finding| finding.rule).collect();
    names.dedup();
    names
}

impl World for Workspace {
    fn script(&self, path: &str) -> Script {
        match fs::read(path) {
            Ok(bytes) => String::from_utf8(bytes).map_or(Script::Binary, Script::Text),
            Err(_) => Script::Absent,
        }
    }

    fn resolve(&self, path: &str) -> Option<String> {
        let above =
            Path::new(path).ancestors().find_map(|above| Some((above, fs::canonicalize(above).ok()?)));
        let (above, real) = above?;
        let rest = Path::new(path).strip_prefix(above).unwrap();
        let real = if rest == Path::new("") { real } else { real.join(rest) };
        Some(real.to_str().unwrap().to_owned()).filter(|real| real != path)
    }

    fn standing(&self, path: &str) -> Option<Standing> {
        let Ok(found) = fs::symlink_metadata(path) else { return Some(Standing::Absent) };
        Some(match found.file_type() {
            kind if kind.is_dir() => Standing::Directory,
            kind if kind.is_symlink() => Standing::Link,
            _ => Standing::File,
        })
    }

    fn mounts(&self, path: &str) -> Option<Vec<String>> {
        Some(self.mounts.iter().filter(|place| Path::new(place).starts_with(path)).cloned().collect())
    }

    fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        fs::read(path).ok()
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }
}
