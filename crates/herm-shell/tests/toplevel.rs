//! The top of a repository, where files can be seen.

use herm_shell::world::{Script, World};
use herm_shell::{Lang, Limits, Setting, Target, Verb, analyse};

/// The configuration of a repository that lies in `/home/ann/app`.
#[derive(Debug)]
struct Repository(&'static str);

impl World for Repository {
    fn script(&self, path: &str) -> Script {
        match path {
            "/home/ann/app/.git/config" => Script::Text(self.0.to_owned()),
            "/home/ann/app/part/.git" => Script::Text("gitdir: ../.git/modules/part\n".to_owned()),
            _ => Script::Absent,
        }
    }

    fn resolve(&self, _path: &str) -> Option<String> {
        None
    }

    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
}

/// The paths that a command deletes.
fn deleted(command: &str, cwd: &str, config: &'static str) -> Vec<String> {
    let world = Repository(config);
    let (limits, input) = (Limits::default(), herm_shell::Input::default());
    let setting = Setting { cwd, home: "/home/ann", user: None, world: &world, limits, input };
    let effects = analyse(command, Lang::Shell, &setting).effects;
    let mut paths = Vec::new();
    for effect in effects.into_iter().filter(|effect| effect.verb == Verb::Delete) {
        if let Target::Path(path) = effect.target {
            paths.push(path.path);
        }
    }
    paths
}

const DELETES: &str = "rm -rf \"$(git rev-parse --show-toplevel)/build\"";

#[test]
fn top_of_a_repository_is_the_nearest_directory_that_holds_one() {
    for (cwd, path) in [
        ("/home/ann/app", "/home/ann/app/build"),
        ("/home/ann/app/src/deep", "/home/ann/app/build"),
        ("/home/ann/app/part/src", "/home/ann/app/part/build"),
    ] {
        assert_eq!(deleted(DELETES, cwd, "[core]\n"), [path], "{cwd}");
    }
}

#[test]
fn top_that_settings_may_move_is_not_known() {
    let unknown = |command: &str, config| {
        let paths = deleted(command, "/home/ann/app", config);
        !paths.contains(&"/home/ann/app/build".to_owned())
    };
    assert!(unknown(DELETES, "[core]\n\tworktree = /srv\n"));
    assert!(unknown(&format!("export GIT_WORK_TREE=/srv; {DELETES}"), "[core]\n"));
    assert!(unknown(DELETES, "[include]\n\tpath = ../other\n"));
    assert!(unknown(&format!("PATH=/srv/bin:$PATH; {DELETES}"), "[core]\n"));
    assert!(unknown(&format!("export GIT_CONFIG_COUNT=1; {DELETES}"), "[core]\n"));
    assert!(unknown(&DELETES.replace("git ", "git -C .. "), "[core]\n"));
    assert!(unknown(&DELETES.replace("git ", "git -c core.worktree=/srv "), "[core]\n"));
    assert!(unknown(&DELETES.replace("git ", "git --work-tree=/srv "), "[core]\n"));
    assert!(unknown(&DELETES.replace("toplevel", "toplevel HEAD"), "[core]\n"));
}
