//! What is found in workspaces that are made unlike most.

use std::fs;
use std::os::unix::fs::symlink;

use super::*;
use crate::Scratch;

struct Yard {
    scratch: Scratch,
}

impl Yard {
    fn new() -> Self {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        fs::create_dir_all(scratch.path().join("work")).unwrap();
        Self { scratch }
    }

    fn root(&self) -> PathBuf {
        fs::canonicalize(self.scratch.path()).unwrap().join("work")
    }

    fn put(&self, name: &str, text: &str) {
        let path = self.root().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn link(&self, name: &str, to: &str) {
        symlink(to, self.root().join(name)).unwrap();
    }

    fn survey(&self) -> Survey {
        Survey::of(&self.root(), None, self.root().parent())
    }

    #[track_caller]
    fn locks(&self, name: &str) {
        let found = self.survey();
        assert!(found.locked.contains(&self.root().join(name)), "{name}: {found:?}");
    }

    #[track_caller]
    fn guards(&self, name: &str, may_be: MayBe) {
        let (found, path) = (self.survey(), self.root().join(name));
        assert!(found.guarded.contains(&Guarded { path, may_be }), "{name}: {found:?}");
    }
}

#[test]
fn submodules_are_found_whatever_their_names() {
    let yard = Yard::new();
    for name in ["HEAD", "config", "modules/vendor/lib/HEAD", "modules/vendor/lib/config"] {
        yard.put(&format!(".git/{name}"), "");
    }
    yard.put(".git/modules/vendor/lib/modules/inner/HEAD", "");
    yard.put(".git/modules/vendor/lib/modules/inner/config", "");
    yard.locks(".git/modules/vendor/lib/config");
    yard.guards(".git/modules/vendor/lib/hooks", MayBe::Nothing);
    yard.locks(".git/modules/vendor/lib/modules/inner/config");
}

#[test]
fn what_is_too_much_to_look_at_is_no_workspace_and_is_locked_as_a_whole() {
    let yard = Yard::new();
    yard.put(".git/HEAD", "");
    for number in 0..=MOST_REPOSITORIES {
        fs::create_dir_all(yard.root().join(format!(".git/worktrees/w{number}"))).unwrap();
    }
    assert!(yard.survey().unknowable.is_some());
    assert_eq!(yard.survey().locked, [yard.root()]);
    let home = yard.root().with_file_name("home");
    assert!(matches!(
        crate::native::Workspace::around(&yard.root(), &home),
        Err(crate::native::Failure::Unknowable(_))
    ));
    let yard = Yard::new();
    yard.put(".git/config", &"#".repeat((1 << 20) + 1));
    assert!(yard.survey().unknowable.is_some());
}

#[test]
fn links_are_guarded_and_so_is_what_they_lead_to() {
    let yard = Yard::new();
    yard.put("realgit/HEAD", "");
    yard.put("realgit/config", "");
    yard.put("a/settings.json", "");
    yard.link(".git", "realgit");
    yard.link(".claude", "a");
    yard.link(".vscode", "nothing");
    yard.guards(".git", MayBe::OnlyLink("realgit".into()));
    yard.locks("realgit/config");
    yard.guards("realgit/hooks", MayBe::Nothing);
    yard.guards(".claude", MayBe::OnlyLink("a".into()));
    yard.locks("a");
    yard.guards(".vscode", MayBe::OnlyLink("nothing".into()));
    yard.guards("nothing", MayBe::Nothing);
    yard.link(".zed", ".");
    assert!(yard.survey().unknowable.is_some());
}

#[test]
fn places_that_settings_name_are_found_wherever_those_are() {
    let yard = Yard::new();
    yard.put(".git/HEAD", "");
    yard.put(
        ".git/config",
        "[core]\n\thooksPath = .githooks ; team\n[include]\n\tpath = \"../tools/set\\\\tings\" # x\n",
    );
    yard.put("tools/set\\tings", "[core]\n\thooksPath = deep/hooks\n[includeIf \"x\"]\n\tpath = more\n");
    yard.put("tools/more", "[core]\n\thooksPath=\"mo\"re\n");
    yard.put(".git/config.worktree", "[core]\n\thooksPath = own\n");
    yard.put("../.gitconfig", "[core]\n\thooksPath = everywhere\n");
    for name in [".githooks", "deep/hooks", "more", "own", "everywhere"] {
        yard.guards(name, MayBe::Nothing);
    }
    yard.guards("deep", MayBe::AnythingButALink);
    yard.locks("tools/set\\tings");
    yard.locks("tools/more");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "only git knows how an index is written")]
fn what_an_index_names_is_locked_wherever_it_keeps_itself() {
    let yard = Yard::new();
    for name in ["HEAD", "config"] {
        yard.put(&format!("sub/.git/{name}"), "");
        yard.put(&format!("kept/{name}"), "");
        yard.put(&format!("kept-deep/{name}"), "");
    }
    yard.put("other/.git", "gitdir: ../kept\n");
    yard.put("other/deep/.git", "gitdir: ../../kept-deep\n");
    yard.put("unnamed/.git/config", "");
    let git = |directory: &str, words: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.env_clear().env("PATH", "/usr/bin:/bin").current_dir(yard.root().join(directory)).args(words);
        assert!(git.output().unwrap().status.success(), "{words:?}");
    };
    git("", &["init", "-q", "."]);
    git("", &["init", "-q", "fresh"]);
    for name in ["sub", "other"] {
        let entry = format!("160000,{},{name}", "1".repeat(40));
        git("", &["update-index", "--add", "--cacheinfo", &entry]);
        git("fresh", &["update-index", "--add", "--cacheinfo", &entry.replace("other", "deep")]);
    }
    fs::copy(yard.root().join("fresh/.git/index"), yard.root().join("kept/index")).unwrap();
    for name in [".git/config", "sub/.git/config", "kept/config", "kept-deep/config"] {
        yard.locks(name);
    }
    let found = yard.survey();
    assert!(!found.locked.iter().any(|path| path.starts_with(yard.root().join("unnamed"))), "{found:?}");
    let pairs: Vec<_> =
        found.known.iter().map(|known| (known.repository.clone(), known.worktree.clone())).collect();
    assert!(pairs.contains(&(yard.root().join("kept"), yard.root().join("other"))), "{pairs:?}");
}

#[test]
fn a_directory_must_not_become_a_repository_nor_one_be_changed() {
    let yard = Yard::new();
    yard.put("refs", "");
    yard.guards("HEAD", MayBe::NoRepository);
    yard.guards("objects", MayBe::NoRepository);
    let yard = Yard::new();
    for name in ["HEAD", "objects/x", "refs/x", "config"] {
        yard.put(name, "");
    }
    yard.locks("config");
    yard.guards("hooks", MayBe::Nothing);
}
