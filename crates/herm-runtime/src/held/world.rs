//! This machine, with some files held.

use std::path::Path;

use herm_shell::world::{Script, World};

use super::Held;
use crate::files;

/// A machine on which some files are held: where their paths lead is settled.
#[derive(Debug)]
pub(crate) struct Holding<'a> {
    pub(crate) world: &'a dyn World,
    pub(crate) files: &'a [Held],
}

impl World for Holding<'_> {
    fn script(&self, path: &str) -> Script {
        self.world.script(path)
    }

    fn resolve(&self, path: &str) -> Option<String> {
        match self.files.iter().find(|held| held.asked == path) {
            Some(held) => Some(held.path.clone()),
            None => self.world.resolve(path),
        }
    }

    fn same_file(&self, path: &str, other: &str) -> bool {
        let Some(held) = self.files.iter().find(|held| held.path == path) else {
            return self.world.same_file(path, other);
        };
        held.identity()
            .is_some_and(|(number, has_twins)| has_twins && files::number(Path::new(other)) == Some(number))
    }

    fn guard(&self) -> Option<&str> {
        self.world.guard()
    }

    fn is_guard(&self, path: &str) -> bool {
        self.world.is_guard(path)
    }

    fn before(&self) -> Option<&str> {
        self.world.before()
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.world.variable(name)
    }
}
