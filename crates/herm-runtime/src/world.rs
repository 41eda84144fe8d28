//! This machine, as far as the reader may look at it.

use std::path::Path;
use std::sync::LazyLock;

use herm_shell::world::{Names, Script, Standing, World, Written};

use crate::environment;
use crate::files::{self, Seen};

/// This machine.
#[derive(Clone, Copy, Debug)]
pub struct LocalWorld {
    /// Whose environment a command would have.
    pub variables: Variables,
}

/// Whose environment a command would have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variables {
    /// That of this process.
    Inherited,
    /// Nobody knows.
    Unknown,
}

/// More than the index of a large project: one name takes about a hundred bytes.
const LARGEST_INDEX: u64 = 32 << 20;

impl World for LocalWorld {
    fn script(&self, path: &str) -> Script {
        match files::read(Path::new(path)) {
            Seen::Absent => Script::Absent,
            Seen::Hidden => Script::Hidden,
            Seen::Bytes(bytes) if bytes.contains(&0) => Script::Binary,
            Seen::Bytes(bytes) => String::from_utf8(bytes).map_or(Script::Binary, Script::Text),
        }
    }

    fn resolve(&self, path: &str) -> Option<String> {
        let real = files::real(Path::new(path))?.into_os_string().into_string().ok()?;
        (real != path).then_some(real)
    }

    fn same_file(&self, path: &str, other: &str) -> bool {
        files::same(Path::new(path), Path::new(other))
    }

    fn has_other_names(&self, path: &str) -> bool {
        files::has_other_names(Path::new(path))
    }

    fn standing(&self, path: &str) -> Option<Standing> {
        files::standing(Path::new(path))
    }

    fn names(&self, directory: &str) -> Names {
        files::names(Path::new(directory))
    }

    fn mounts(&self, path: &str) -> Option<Vec<String>> {
        files::mounts(Path::new(path))
    }

    fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        files::whole(Path::new(path), LARGEST_INDEX)
    }

    fn written(&self, path: &str) -> Option<Written> {
        files::written(Path::new(path))
    }

    fn guard(&self) -> Option<&str> {
        static GUARD: LazyLock<Option<String>> = LazyLock::new(|| {
            let program = std::env::current_exe().ok()?;
            files::real(&program).unwrap_or(program).into_os_string().into_string().ok()
        });
        GUARD.as_deref()
    }

    fn is_guard(&self, path: &str) -> bool {
        self.guard().is_some_and(|guard| guard == path || files::copies(Path::new(path), Path::new(guard)))
    }

    fn variable(&self, name: &str) -> Option<String> {
        match self.variables {
            Variables::Inherited => environment::harmless(name),
            Variables::Unknown => None,
        }
    }
}
