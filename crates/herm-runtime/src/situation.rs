//! This machine in one situation: in a session, after what a shell has run, with files held, noting what is asked for.
//!
//! Whatever a situation says nothing about is as the machine says. It stands here once for all of them: a copy that forgets to hand a
//! question on would answer it as if nothing could be seen.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::path::Path;

use herm_shell::world::{Names, Script, Standing, World, Written};

use crate::books::Books;
use crate::files;
use crate::held::Held;
use crate::made::Thing;

/// A machine in one situation.
#[derive(Debug)]
pub(crate) struct Situation<'a> {
    world: &'a dyn World,
    /// What a shell has run before, where there is one.
    before: Option<String>,
    /// Files that are held: where their paths lead is settled.
    files: &'a [Held],
    /// The variables that were asked for, which are those that the text itself has not set.
    asked: RefCell<BTreeSet<String>>,
    /// The session that a call belongs to, and the books in which its receipts are.
    session: Option<(&'a dyn Books, &'a str)>,
    /// What the session has made, once that was looked up.
    made: OnceCell<Vec<Thing>>,
}

impl<'a> Situation<'a> {
    /// The machine as it is.
    pub(crate) fn of(world: &'a dyn World) -> Self {
        Self {
            world,
            before: None,
            files: &[],
            asked: RefCell::default(),
            session: None,
            made: OnceCell::new(),
        }
    }

    /// The same, for a call of this session.
    pub(crate) fn in_session(self, books: &'a dyn Books, session: &'a str) -> Self {
        Self { session: Some((books, session)), ..self }
    }

    /// The same, where a shell has this behind it.
    pub(crate) fn after(self, before: String) -> Self {
        Self { before: Some(before), ..self }
    }

    /// The same, with these files held.
    pub(crate) fn holding(self, files: &'a [Held]) -> Self {
        Self { files, ..self }
    }

    /// The variables that were asked for.
    pub(crate) fn asked(self) -> BTreeSet<String> {
        self.asked.into_inner()
    }

    /// What the session has made. Where that cannot be read, it is nothing.
    fn made(&self) -> &[Thing] {
        let Some((books, session)) = self.session else { return &[] };
        self.made.get_or_init(|| books.made(session))
    }

    fn held(&self, path: &str) -> Option<&Held> {
        self.files.iter().find(|held| held.path() == path)
    }
}

impl World for Situation<'_> {
    fn script(&self, path: &str) -> Script {
        self.world.script(path)
    }

    fn resolve(&self, path: &str) -> Option<String> {
        match self.files.iter().find(|held| held.asked() == path) {
            Some(held) => Some(held.path().to_owned()),
            None => self.world.resolve(path),
        }
    }

    fn same_file(&self, path: &str, other: &str) -> bool {
        let Some(held) = self.held(path) else { return self.world.same_file(path, other) };
        held.identity()
            .is_some_and(|(number, has_twins)| has_twins && files::number(Path::new(other)) == Some(number))
    }

    fn has_other_names(&self, path: &str) -> bool {
        self.held(path).map_or_else(|| self.world.has_other_names(path), Held::has_other_names)
    }

    fn standing(&self, path: &str) -> Option<Standing> {
        self.world.standing(path)
    }

    fn names(&self, directory: &str) -> Names {
        self.world.names(directory)
    }

    fn mounts(&self, path: &str) -> Option<Vec<String>> {
        self.world.mounts(path)
    }

    fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        self.world.bytes(path)
    }

    fn written(&self, path: &str) -> Option<Written> {
        self.world.written(path)
    }

    fn guard(&self) -> Option<&str> {
        self.world.guard()
    }

    fn before(&self) -> Option<&str> {
        self.before.as_deref().or_else(|| self.world.before())
    }

    fn has_made(&self, path: &str) -> bool {
        self.made().iter().any(|thing| thing.is_still(path)) || self.world.has_made(path)
    }

    fn has_opened(&self, session: &str) -> bool {
        self.made().iter().any(|thing| thing.is_session(session)) || self.world.has_opened(session)
    }

    fn is_guard(&self, path: &str) -> bool {
        self.world.is_guard(path)
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.asked.borrow_mut().insert(name.to_owned());
        self.world.variable(name)
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use std::fs;

    use super::*;

    /// A machine on which everything can be seen.
    #[derive(Debug)]
    struct Seen;

    impl World for Seen {
        fn script(&self, path: &str) -> Script {
            Script::Text(path.to_owned())
        }

        fn resolve(&self, path: &str) -> Option<String> {
            Some(format!("/real{path}"))
        }

        fn same_file(&self, _: &str, _: &str) -> bool {
            true
        }

        fn has_other_names(&self, _: &str) -> bool {
            true
        }

        fn standing(&self, _: &str) -> Option<Standing> {
            Some(Standing::Other)
        }

        fn mounts(&self, path: &str) -> Option<Vec<String>> {
            Some(vec![path.to_owned()])
        }

        fn bytes(&self, path: &str) -> Option<Vec<u8>> {
            Some(path.into())
        }

        fn written(&self, _: &str) -> Option<Written> {
            Some(Written { length: 1, seconds: 2, nanos: 3 })
        }

        fn guard(&self) -> Option<&str> {
            Some("/herm")
        }

        fn before(&self) -> Option<&str> {
            Some("x=1")
        }

        fn has_made(&self, _: &str) -> bool {
            true
        }

        fn has_opened(&self, _: &str) -> bool {
            true
        }

        fn is_guard(&self, _: &str) -> bool {
            true
        }

        fn variable(&self, name: &str) -> Option<String> {
            Some(name.to_owned())
        }
    }

    #[test]
    fn what_a_situation_says_nothing_about_is_as_the_machine_says() {
        let directory = tempfile::tempdir().unwrap();
        let (one, other) = (directory.path().join("one"), directory.path().join("other"));
        fs::write(&one, "").unwrap();
        let path = one.canonicalize().unwrap().to_str().unwrap().to_owned();
        let held = [Held::follow(&path).unwrap()];
        let situation = Situation::of(&Seen).holding(&held);
        assert_eq!(situation.script("/a"), Script::Text("/a".to_owned()));
        assert_eq!((situation.guard(), situation.before()), (Some("/herm"), Some("x=1")));
        assert!(
            situation.has_other_names("/a") && situation.same_file("/a", "/b") && situation.is_guard("/a")
        );
        assert_eq!(
            (situation.standing("/a"), situation.mounts("/a"), situation.bytes("/a")),
            (Some(Standing::Other), Some(vec!["/a".to_owned()]), Some(b"/a".to_vec()))
        );
        assert_eq!(situation.written("/a"), Some(Written { length: 1, seconds: 2, nanos: 3 }));
        assert!(situation.has_made("/a") && situation.has_opened("work"));
        assert_eq!(situation.resolve("/a").as_deref(), Some("/real/a"));
        assert_eq!(situation.resolve(&path).as_deref(), Some(path.as_str()), "it is held");
        assert!(!situation.has_other_names(&path) && !situation.same_file(&path, "/b"), "it has one name");
        fs::hard_link(&one, &other).unwrap();
        assert!(situation.has_other_names(&path) && situation.same_file(&path, other.to_str().unwrap()));
        let situation = situation.after("cd /".to_owned());
        assert_eq!(situation.before(), Some("cd /"));
        assert_eq!(situation.variable("DIR").as_deref(), Some("DIR"));
        assert_eq!(situation.asked(), ["DIR".to_owned()].into());
    }
}
