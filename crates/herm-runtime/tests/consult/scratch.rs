//! A directory with a home, a guard and a workspace in it.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use herm::AbsPath;
use herm::call::{Action, Call, CallId, Door, Exec, Principal, SessionId};
use herm_runtime::consult::Place;
use herm_shell::Lang;

pub(crate) struct Scratch {
    pub(crate) root: PathBuf,
    pub(crate) place: Place,
}

static COUNT: AtomicU32 = AtomicU32::new(0);

#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
impl Scratch {
    pub(crate) fn new() -> Self {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("consult-{}-{count}", std::process::id());
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&root);
        for directory in ["home/.herm", "home/project", "bin"] {
            std::fs::create_dir_all(root.join(directory)).unwrap();
        }
        let home = root.join("home");
        let place = Place {
            guard: home.join(".herm"),
            home: absolute(&home),
            workspace: absolute(&home.join("project")),
            safe_root: None,
            path: format!("{}:/usr/local/bin:/usr/bin:/bin", root.join("bin").display()),
            variables: vec![("LANG".to_owned(), "C.UTF-8".to_owned())],
        };
        Self { root, place }
    }

    /// Writes a file below the directory and says where it is.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let path = self.root.join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    /// Writes a program.
    pub(crate) fn program(&self, name: &str, text: &str) -> String {
        let path = self.file(name, text);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    pub(crate) fn directory(&self, name: &str) {
        std::fs::create_dir_all(self.root.join(name)).unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.root.join(name).display().to_string()
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.root.join(name)).unwrap_or_default()
    }

    pub(crate) fn call(&self, command: &str) -> Call {
        self.action(Action::Exec(Exec::new(command, Lang::Shell)))
    }

    pub(crate) fn action(&self, action: Action) -> Call {
        Call {
            id: CallId("call-7".to_owned()),
            door: Door::CommandLine,
            principal: Principal { name: None, home: self.place.home.clone() },
            session: SessionId("sess-1".to_owned()),
            cwd: self.place.workspace.clone(),
            action,
        }
    }
}

impl Drop for Scratch {
    #[expect(clippy::disallowed_methods, reason = "tests take their own files away")]
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

pub(crate) fn absolute(path: &Path) -> AbsPath {
    AbsPath::new(&path.display().to_string()).unwrap()
}
