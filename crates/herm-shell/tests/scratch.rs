//! The directory for temporary files that the environment names.

use herm_shell::world::{Script, World};
use herm_shell::{Lang, Limits, Places, Setting, Target, Verb, analyse};

/// A machine on which `TMPDIR` has a value.
#[derive(Debug)]
struct Named(&'static str);

impl World for Named {
    fn script(&self, _: &str) -> Script {
        Script::Absent
    }

    fn resolve(&self, path: &str) -> Option<String> {
        let links = [("/srv/tmp", "/disk2/tmp"), ("/srv/sly/tmp", "/home/ann/documents")];
        links.iter().find_map(|(link, to)| path.strip_prefix(link).map(|rest| format!("{to}{rest}")))
    }

    fn variable(&self, name: &str) -> Option<String> {
        (name == "TMPDIR").then(|| self.0.to_owned())
    }
}

/// Whether everything that `text` deletes is temporary.
fn deletes_only_temporary(scratch: &'static str, text: &str) -> bool {
    let world = Named(scratch);
    let setting = Setting {
        cwd: "/srv/project",
        home: "/home/ann",
        user: None,
        world: &world,
        limits: Limits::default(),
        input: herm_shell::Input::default(),
    };
    let analysis = analyse(text, Lang::Shell, &setting);
    let mut deleted = analysis.effects.iter().filter(|effect| effect.verb == Verb::Delete).peekable();
    assert!(deleted.peek().is_some(), "{text} deletes something");
    deleted.all(|effect| matches!(&effect.target, Target::Path(path) if path.places.has(Places::TEMPORARY)))
}

#[test]
fn what_lies_below_it_is_temporary() {
    for (scratch, text) in [
        ("/scratch/tmp", "rm -f \"$TMPDIR/test.log\""),
        ("/scratch/tmp", "rm -f /scratch/tmp/a/b"),
        ("/scratch/tmp/", "rm -f /scratch/tmp/a*.log /scratch/tmp/*"),
        ("/home/ann/.cache/tmp.x1", "rm -f ~/.cache/tmp.x1/a"),
        // Through a link, on either side of it.
        ("/srv/tmp", "rm -f /srv/tmp/a"),
        ("/srv/tmp", "rm -f /disk2/tmp/a"),
    ] {
        assert!(deletes_only_temporary(scratch, text), "{scratch}: {text}");
    }
}

#[test]
fn a_variable_makes_nothing_precious_temporary() {
    for (scratch, text) in [
        // Not below it.
        ("/scratch/tmp", "rm -f /scratch/tmpfile"),
        ("/scratch/tmp", "rm -f /scratch/tmp*"),
        ("/scratch/tmp", "rm -rf \"$TMPDIR\""),
        ("/scratch/tmp", "rm -f /scratch/tmp/../notes"),
        // Not what such directories are called.
        ("/home/ann/documents", "rm -f ~/documents/a"),
        ("/srv/data", "rm -f /srv/data/a"),
        // Precious by itself.
        ("/", "rm -f /a"),
        ("/home/ann", "rm -f ~/a"),
        ("/home/ann/.ssh/tmp", "rm -f ~/.ssh/tmp/a"),
        ("/usr/lib/tmp", "rm -f /usr/lib/tmp/a"),
        ("tmp", "rm -f tmp/a"),
        // A link to something that is not.
        ("/srv/sly/tmp", "rm -f ~/documents/a"),
        ("/srv/sly/tmp", "rm -f /srv/sly/tmp/a"),
        // Set by the text, which does not count.
        ("/scratch/tmp", "TMPDIR=/data/tmp; rm -f $TMPDIR/a"),
    ] {
        assert!(!deletes_only_temporary(scratch, text), "{scratch}: {text}");
    }
}
