//! Deletions in repositories that git made, judged and never done.

mod oracle;
mod workspace;

use std::fs;
use std::os::unix::fs::symlink;

use herm_shell::Lang;

use crate::finding::Stance;
use workspace::Workspace;

/// No rule minds it.
const NOTHING: [&str; 0] = [];

/// What a project leaves out, what it has, and what lies about.
fn project() -> Workspace {
    let workspace = Workspace::new();
    workspace.file(
        ".gitignore",
        "__pycache__/\n*.py[cod]\nbuild/\ndist\nnode_modules/\n*.egg-info/\n/.venv\nsrc\n",
    );
    workspace.file("main.py", "");
    workspace.file("Makefile", "clean:\n\trm -rf build\n\tfind . -name '*.pyc' -delete\n");
    workspace.file("web/package.json", "{}");
    workspace.add();
    for directory in ["build/deep", "dist", "node_modules/x", "web/dist", "out", "src"] {
        workspace.file(&format!("{directory}/file"), "");
    }
    workspace
}

#[test]
fn what_is_generated_again_is_not_asked_about() {
    let workspace = project();
    for command in [
        "rm -rf dist",
        "rm -rf build/",
        "rm -rf build __pycache__",
        "rm -rf ./build/*",
        "rm -rf build/deep",
        "rm -rf build/deep/file",
        "rm -rf node_modules && npm ci",
        "cd web && rm -rf dist && npm run build",
        "cd build && rm -rf *",
        "rm -rf web/dist .venv",
        "rm -rf *.egg-info",
        "make clean",
        "npx rimraf dist",
        "find . -name '*.pyc' -delete",
        "find . -name '*.pyc' -exec rm -f {} +",
        "find . -name '*.py[co]' -delete",
        "find . -name __pycache__ -exec rm -r {} +",
        "find web -type d '(' -name __pycache__ -o -name '*.egg-info' ')' -prune -exec rm -rf {} +",
        "cp -r main.py build && rm -rf build",
        "sed -i s/a/b/ web/*.json && rm -rf build",
        "npm test > \"$TMPDIR/log\"; rm -rf build",
        "rm -rf build && mkdir build && cp main.py build && echo x > build/log",
        "python3 -c \"import shutil; shutil.rmtree('build')\"",
    ] {
        assert_eq!(workspace.minded(command), NOTHING, "{command}");
    }
    let script =
        "import shutil\nfor name in ['build', 'dist']:\n    shutil.rmtree(name, ignore_errors=True)\n";
    assert_eq!(workspace.judged(Lang::Python, script, ""), NOTHING);
}

#[test]
fn a_secret_that_no_rule_leaves_out_is_not_added_unasked() {
    let workspace = project();
    assert_eq!(workspace.minded("git add -A && git commit -m x"), NOTHING);
    workspace.file(".env", "KEY=1\n");
    for command in ["git add -A", "git add .", "git add --all", "git add ./", "git add *"] {
        assert_eq!(workspace.minded(command), ["commit-secret"], "{command}");
    }
    assert_eq!(workspace.minded("git add web"), NOTHING);
    workspace.file(".gitignore", ".env\n");
    assert_eq!(workspace.minded("git add -A"), NOTHING);
    assert_eq!(workspace.minded("git add -f ."), ["commit-secret"]);
}

#[test]
fn what_only_tools_name_is_not_asked_about_without_a_repository() {
    let workspace = Workspace::without_repository();
    workspace.file("web/node_modules/x/file", "");
    workspace.file("src/a.py", "");
    workspace.file("build/notes", "");
    workspace.file("dist/notes", "");
    for command in [
        "rm -rf web/node_modules && npm ci",
        // Nothing is there.
        "rm -rf out target/debug coverage",
        "rm -rf __pycache__ .pytest_cache",
        "find . -name '*.pyc' -delete",
        "find . -name __pycache__ -type d -exec rm -rf {} +",
        "rm -rf *.egg-info",
    ] {
        assert_eq!(workspace.minded(command), NOTHING, "{command}");
    }
    for command in [
        "rm -rf build",
        "rm -rf dist",
        "rm -rf src",
        "find . -name '*.log' -delete",
        "mv src/a.py web/node_modules/ && rm -rf web/node_modules",
        "unknown; rm -rf out",
        "mv src/a.py out; rm -rf out",
        "rm -rf web/node_modules web",
        "rm -rf ../node_modules",
    ] {
        assert_ne!(workspace.minded(command), NOTHING, "{command}");
    }
}

#[test]
fn what_the_text_makes_again_is_not_asked_about_without_a_repository() {
    let workspace = Workspace::without_repository();
    for file in ["bin/tool", "build/file", "dist/file", "web/dist/file"] {
        workspace.file(file, "");
    }
    for command in [
        "rm -rf dist && npm run build",
        "rm -rf build/ && mkdir build && cd build && cmake ..",
        "rm -rf node_modules package-lock.json && npm install",
        "rm -rf .venv && python3 -m venv .venv",
        "rm -rf bin obj && dotnet build",
        "rm -rf web/dist && ./build.sh",
        "rm -rf .terraform && terraform init",
        "mv dist dist.old && npm run build && rm -rf dist.old",
        "rsync -a --delete src/ web/dist/",
    ] {
        assert_eq!(workspace.minded(command), NOTHING, "{command}");
    }
    for command in [
        "rm -rf dist",
        "rm -rf dist && echo npm run build",
        "rm -rf dist && npm ls",
        "rm -rf src && npm run build",
        "rm -rf bin && npm run build",
        "rm -rf web && make",
        "rm -rf * && make",
        "rm -rf ../dist && make",
        "rm -rf $x/dist && make",
        "sudo rm -rf dist && make",
        "mv src dist; rm -rf dist && make",
        "mv src dist.old && npm run build && rm -rf dist.old",
        "rm -rf dist && ssh host.example make",
    ] {
        assert!(workspace.minded(command).contains(&"recursive-delete"), "{command}");
    }
}

#[test]
fn what_a_repository_has_is_asked_about_though_the_text_makes_it_again() {
    let workspace = project();
    assert_eq!(workspace.minded("rm -rf out && make"), NOTHING);
    workspace.file("out/kept", "");
    workspace.git(&["add", "--force", "out/kept"]);
    assert_eq!(workspace.minded("rm -rf out && make"), ["recursive-delete"]);
}

#[test]
fn one_file_is_not_asked_about_like_a_directory() {
    let workspace = Workspace::without_repository();
    workspace.file("notes.txt", "");
    workspace.file("src/a.py", "");
    symlink("src", workspace.path().join("link")).unwrap();
    for command in [
        "rm -rf notes.txt",
        "rm -r src/a.py notes.txt",
        "python3 -c \"import shutil; shutil.rmtree('notes.txt')\"",
    ] {
        assert_eq!(workspace.minded(command), NOTHING, "{command}");
    }
    for command in [
        "rm -rf src",
        "rm -rf link/",
        "rm -rf notes.txt src",
        "rm -rf absent.txt",
        "rm -rf notes*",
        "rm notes.txt; mv src notes.txt; rm -rf notes.txt",
        "f() { rm $1; mv src $1; }; f notes.txt; rm -rf notes.txt",
        "rm notes.txt; mv src \"$x\"; rm -rf notes.txt",
        "rm notes.txt; ln -s src notes.txt; rm -rf notes.txt/",
    ] {
        assert!(workspace.minded(command).contains(&"recursive-delete"), "{command}");
    }
}

#[test]
fn what_the_text_itself_made_is_not_asked_about() {
    let workspace = project();
    for command in [
        "mkdir x && touch x/a && rm -rf x",
        "mkdir -p fixtures/new && echo 1 > fixtures/new/a; rm -rf fixtures/new",
        "git clone https://git.example/a/b d; ls d; rm -rf d",
        "hugo --minify --destination d; ls d; rm -rf d",
        "git clone --depth 1 https://git.example/a/tool.git; rm -rf tool",
        "mkdir new && cp main.py new/ && rm -rf new",
        "mkdir -p both/{old,new} && tar -xzf a.tgz -C both/old; rm -rf both",
        "mkdir -p x/a/b; rm -rf x/a",
        // An unknown program is told a file there, and nothing that it could move.
        "d=$(mktemp -d); trap 'rm -rf \"$d\"' EXIT; ./build/served --cert \"$d/cert.pem\" --listen 127.0.0.1:9443",
    ] {
        assert_eq!(workspace.minded(command), NOTHING, "{command}");
    }
    for command in [
        // It was there before.
        "mkdir -p src && rm -rf src",
        "git clone https://git.example/a/b src; rm -rf src",
        "hugo --destination src; rm -rf src",
        // Something is moved there, or leads there.
        "mkdir x && mv main.py x/ && rm -rf x",
        "mkdir x && ln -s ../src x/src && rm -rf x/src/",
        "mkdir x; frobnicate x; rm -rf x",
        "mkdir x && git mv main.py x/ && rm -rf x",
        "d=$(mktemp -d); frobnicate main.py \"$d/x\"; rm -rf \"$d\"",
        "d=$(mktemp -d); frobnicate --from=main.py --to \"$d/x\"; rm -rf \"$d\"",
        "d=$(mktemp -d); frobnicate \"mv main.py $d/x\"; rm -rf \"$d\"",
        "d=$(mktemp -d); frobnicate \"main.py:$d/x\"; rm -rf \"$d\"",
        "d=$(mktemp -d); frobnicate --move=main.py,$d/x; rm -rf \"$d\"",
        "d=$(mktemp -d); frobnicate $unknown \"$d/x\"; rm -rf \"$d\"",
        "d=$(mktemp -d); cd src; frobnicate lib.py \"$d/x\"; rm -rf \"$d\"",
        // Another one goes.
        "mkdir x && rm -rf out",
        "mkdir -p src/new; rm -rf src",
        "mkdir x && cd x && rm -rf ../out",
    ] {
        assert_ne!(workspace.minded(command), NOTHING, "{command}");
    }
}

#[test]
fn file_of_a_process_number_must_hold_one() {
    let workspace = project();
    assert_eq!(workspace.minded("kill -9 $(cat absent.pid)"), NOTHING);
    for (held, minded) in [("4711\n", &NOTHING[..]), ("-1\n", &["kill-everything"]), ("x\n", &["force-kill"])]
    {
        workspace.file("server.pid", held);
        assert_eq!(workspace.minded("kill -9 $(cat server.pid)"), minded, "{held}");
    }
}

#[test]
fn what_nothing_generates_is_asked_about() {
    let workspace = project();
    for command in [
        // Not by its name: it is left out, but no tool calls anything like that.
        "rm -rf src",
        // Not left out.
        "rm -rf out",
        "rm -rf web",
        "rm -rf .",
        "rm -rf *",
        "rm -rf build src",
        "cd absent; rm -rf *",
        "rm -rf ../build",
        "rm -rf /srv/app/build",
        "rm -rf \"$HOME/build\"",
        "rm -rf \"$directory/build\"",
        "rm -rf build*",
        "rm -rf web/*/build",
        "rm -rf web/../build/*",
        "rm -rf $(cat list)",
        "sudo rm -rf build",
        "ssh host.example rm -rf build",
    ] {
        assert!(workspace.minded(command).contains(&"recursive-delete"), "{command}");
    }
    assert_eq!(workspace.minded("shred -u build/file"), ["irreversible-delete"]);
    assert!(workspace.minded("rm -rf .git").contains(&"recursive-delete"));
    assert!(workspace.minded("rm -rf .git/build").contains(&"recursive-delete"));
}

#[test]
fn a_search_counts_only_if_all_that_it_finds_was_generated() {
    let workspace = project();
    for command in [
        "find . -name '*.py' -delete",
        "find . -name 'a.pyc' -o -delete",
        "find . -name dist -exec rm -rf {} +",
        "find -L . -name '*.pyc' -delete",
        "find . -follow -name '*.pyc' -delete",
        "find . -iname '*.pyc' -delete",
        "find . ! -name '*.pyc' -delete",
        "find . ! '(' -name '*.pyc' ')' -delete",
        "find . '(' -name '*.py' -o -name '*.pyc' ')' -delete",
        "find . '(' -name '*.pyc' -o -true ')' -delete",
        "find .. -name '*.pyc' -delete",
        "find . /srv -name '*.pyc' -delete",
        "find -files0-from list -name '*.pyc' -delete",
        "find \"$x\" -name '*.pyc' -delete",
        "find . -name '*.py[cx]' -delete",
        // The rule is about another name, or none is.
        "find . -name '*.class' -delete",
        "fd -e pyc -x rm -r",
        "rm -rf **/__pycache__",
    ] {
        assert_ne!(workspace.minded(command), NOTHING, "{command}");
    }
}

#[test]
fn every_name_that_a_search_finds_must_be_left_out() {
    let workspace = Workspace::new();
    for rules in ["*.pyc\n__pycache__\n/node_modules\n", "*.pyc\n/node_modules\n?.pyo\n"] {
        workspace.file(".gitignore", rules);
        workspace.add();
        assert_eq!(workspace.minded("find . -name '*.pyc' -delete"), NOTHING);
        assert_eq!(workspace.minded("find . -name '*.py[co]' -delete"), ["bulk-delete"]);
        let asked = ["bulk-delete", "recursive-delete"];
        let found = workspace.minded("find . -name node_modules -exec rm -rf {} +");
        assert!(asked.iter().all(|rule| found.contains(rule)), "{found:?}");
    }
    workspace.file(".gitignore", "[!x]*.pyc\n");
    assert_eq!(workspace.minded("find . -name '*.pyc' -delete"), ["bulk-delete"]);
}

#[test]
fn what_git_has_is_asked_about() {
    let workspace = project();
    workspace.git(&["add", "--force", "dist/file"]);
    assert_eq!(workspace.minded("rm -rf dist"), ["recursive-delete"]);
    assert_eq!(workspace.minded("rm -rf web/dist"), NOTHING);
    assert_eq!(workspace.minded("find . -name '*.pyc' -delete"), NOTHING);
    workspace.file("deep/down/kept.pyc", "");
    workspace.git(&["add", "--force", "deep"]);
    assert_eq!(workspace.minded("find . -name '*.pyc' -delete"), ["bulk-delete"]);
    assert_eq!(workspace.minded("find web -name '*.pyc' -delete"), NOTHING);
}

#[test]
fn rules_are_those_of_every_directory_and_the_nearest_counts() {
    let workspace = project();
    workspace.file("web/.gitignore", "!dist\n");
    assert_eq!(workspace.minded("rm -rf web/dist"), ["recursive-delete"]);
    workspace.file(".git/info/exclude", "out\n");
    assert_eq!(workspace.minded("rm -rf out"), NOTHING);
    workspace.file("web/.gitignore", "!kept.pyc\n");
    assert_eq!(workspace.minded("find . -name '*.pyc' -delete"), NOTHING, "git does not have that file yet");
    workspace.add();
    assert_eq!(workspace.minded("find . -name '*.pyc' -delete"), ["bulk-delete"]);
    workspace.file(".ruff_cache/.gitignore", "# by a tool\n*\n");
    assert_eq!(workspace.minded("rm -rf .ruff_cache"), NOTHING);
    workspace.file(".ruff_cache/.gitignore", "*\n!kept\n");
    assert_eq!(workspace.minded("rm -rf .ruff_cache"), ["recursive-delete"]);
    workspace.file(".gitignore", "build/\n[[:alpha:]]\n");
    assert_eq!(workspace.minded("rm -rf build"), ["recursive-delete"], "not all of it is understood");
}

#[test]
fn what_the_text_put_there_is_asked_about() {
    let workspace = project();
    for command in [
        "mv src build; rm -rf build",
        "mv src build/deep && rm -rf build",
        "mv web/dist . ; rm -rf dist",
        "mv -t build src && rm -rf build",
        "mv src/* build/ && rm -rf build",
        "find src -type f -exec mv {} build/ ';'; rm -rf build",
        "cd src && mv * ../build && cd .. && rm -rf build",
        "f() { mv \"$1\" build; }; f src; rm -rf build",
        "perl -e 'rename \"src\", \"build\"'; rm -rf build",
        "python3 -c \"from pathlib import Path; Path('src').rename('build')\"; rm -rf build",
        "bash -c 'mv src build'; rm -rf build",
        "while :; do rm -rf build; mv src build; done",
        "ln -s ../src build/x; rm -rf build",
        "echo notes > build/notes; rm -rf build",
        "echo out >> .gitignore; rm -rf build",
        "echo out > .git/info/exclude; rm -rf build",
        "mv src \"$somewhere\"; rm -rf build",
        "mv src b*; rm -rf build",
        "mv src \"$PWD/$name\"; rm -rf build",
        "cat list > \"$somewhere\"; rm -rf build",
        "git mv web build && rm -rf build",
        "rsync -a --remove-source-files src/ build/; rm -rf build",
        "python3 -c \"import os, shutil; os.rename('src', 'build'); shutil.rmtree('build')\"",
        "python3 -c \"import shutil; shutil.move('src', 'build'); shutil.rmtree('build')\"",
    ] {
        assert!(workspace.minded(command).contains(&"recursive-delete"), "{command}");
    }
}

#[test]
fn links_are_asked_about() {
    let workspace = project();
    let at = |name: &str| workspace.path().join(name);
    fs::rename(at("node_modules"), at("modules")).unwrap();
    symlink("modules", at("node_modules")).unwrap();
    symlink("web", at("link")).unwrap();
    fs::create_dir(at("outside")).unwrap();
    symlink("/", at("outside/build")).unwrap();
    for command in
        ["rm -rf node_modules", "rm -rf node_modules/", "rm -rf node_modules/x", "rm -rf outside/build"]
    {
        assert_ne!(workspace.minded(command), NOTHING, "{command}");
    }
    assert_eq!(workspace.minded("rm -rf link/dist"), NOTHING, "that is where it leads");
}

#[test]
fn other_repositories_and_mounts_are_asked_about() {
    let workspace = project();
    workspace.file("build/.git/HEAD", "ref: refs/heads/main\n");
    assert_eq!(workspace.minded("rm -rf build"), ["recursive-delete"]);
    workspace.file("web/.git", "gitdir: ../.git/modules/web\n");
    assert_eq!(workspace.minded("rm -rf web/dist"), ["recursive-delete"], "a submodule");
    assert_eq!(workspace.minded("rm -rf dist"), NOTHING);
    let mounted = workspace.mounted("dist/deep");
    assert_eq!(mounted.minded("rm -rf dist"), ["recursive-delete"]);
    assert_eq!(mounted.minded("find . -name '*.pyc' -delete"), ["bulk-delete"]);
    let whole = mounted.mounted("");
    assert_eq!(whole.minded("find . -name '*.pyc' -delete"), NOTHING);
}

#[test]
fn what_a_repository_around_another_has_is_asked_about() {
    let workspace = project();
    workspace.file("sub/build/kept", "");
    workspace.git(&["add", "--force", "sub"]);
    workspace.git(&["init", "--quiet", "sub"]);
    workspace.file("sub/.gitignore", "build\n*.pyc\n");
    workspace.git(&["-C", "sub", "add", ".gitignore"]);
    assert_eq!(workspace.minded("rm -rf sub/build"), ["recursive-delete"], "the one around it has it");
    assert_eq!(workspace.minded("find sub -name '*.pyc' -delete"), NOTHING);
    workspace.file("sub/kept.pyc", "");
    fs::rename(workspace.path().join("sub/.git"), workspace.path().join("aside")).unwrap();
    workspace.git(&["add", "--force", "sub/kept.pyc"]);
    fs::rename(workspace.path().join("aside"), workspace.path().join("sub/.git")).unwrap();
    assert_eq!(workspace.minded("find sub -name '*.pyc' -delete"), ["bulk-delete"]);
}

#[test]
fn a_worktree_is_a_repository_like_others() {
    let workspace = project();
    workspace.git(&["commit", "--quiet", "--message", "first"]);
    workspace.git(&["worktree", "add", "--quiet", "-b", "other", "trees/other"]);
    workspace.file("trees/other/build/file", "");
    for place in ["", "trees/other"] {
        assert_eq!(workspace.minded_in(place, "rm -rf build"), NOTHING, "{place}");
        assert_eq!(workspace.minded_in(place, "rm -rf out"), ["recursive-delete"], "{place}");
    }
    assert_eq!(workspace.minded("rm -rf trees/other/build"), NOTHING);
    assert_eq!(
        workspace.minded_in("trees/other", "rm -rf ../../build"),
        ["recursive-delete"],
        "another workspace"
    );
    assert_eq!(workspace.minded_in("web", "rm -rf ../build"), NOTHING);
    assert_eq!(workspace.minded_in("build/deep", "rm -rf .."), ["recursive-delete"]);
}

#[test]
fn a_repository_that_says_too_little_is_asked_about() {
    let broken: [(&str, &str); 5] = [
        (".git/index", "DIRC"),
        (".git/config", "[core]\n\tworktree = /elsewhere\n"),
        (".git/config", "[include]\n\tpath = more\n"),
        (".git/info/exclude", "[never closed\n"),
        (".gitignore", "build/\nx**y\n"),
    ];
    for (file, content) in broken {
        let workspace = project();
        assert_eq!(workspace.minded("rm -rf build"), NOTHING);
        workspace.file(file, content);
        assert_eq!(workspace.minded("rm -rf build"), ["recursive-delete"], "{file}: {content}");
    }
    let workspace = Workspace::new();
    workspace.file(".gitignore", "build/\n");
    assert_eq!(workspace.minded("rm -rf build"), ["recursive-delete"], "nothing is in it yet");
    workspace.add();
    assert_eq!(workspace.minded("rm -rf build"), NOTHING);
    workspace.git(&["update-index", "--split-index"]);
    assert_eq!(workspace.minded("rm -rf build"), ["recursive-delete"], "the index is told elsewhere");
}

#[test]
fn where_nobody_told_where_it_runs_only_whole_paths_count() {
    let workspace = project();
    let top = workspace.path().to_str().unwrap().to_owned();
    for command in [format!("rm -rf {top}/build"), format!("cd {top} && rm -rf build dist && npm run build")]
    {
        assert_eq!(workspace.minded_anywhere(&command), NOTHING, "{command}");
    }
    for command in [
        "rm -rf build".to_owned(),
        "cd web && rm -rf dist".to_owned(),
        format!("cd {top}; rm -rf build"),
        format!("cd {top} && rm -rf out"),
        format!("mv notes ../build; rm -rf {top}/build"),
        format!("echo x >> .gitignore; rm -rf {top}/build"),
    ] {
        assert_ne!(workspace.minded_anywhere(&command), NOTHING, "{command}");
    }
}

#[test]
fn a_home_is_no_project() {
    let workspace = project();
    assert_eq!(workspace.minded("rm -rf build"), NOTHING);
    assert_eq!(workspace.owned_as_home().minded("rm -rf build"), ["recursive-delete"]);
}

#[test]
fn an_environment_with_checkouts_in_it_is_asked_about() {
    let workspace = project();
    workspace.file(".venv/pyvenv.cfg", "");
    assert_eq!(workspace.minded("rm -rf .venv"), NOTHING);
    workspace.file(".venv/src/library/setup.py", "");
    assert_eq!(workspace.minded("rm -rf .venv"), ["recursive-delete"]);
}

#[test]
fn whoever_wants_to_be_asked_is() {
    let workspace = project();
    for config in
        ["approvals: {preset: strict}", "approvals: {ask: [recursive-delete]}", "approvals: {ask: ['rm *']}"]
    {
        assert_ne!(workspace.judged(Lang::Shell, "rm -rf build", config), NOTHING, "{config}");
    }
    assert_eq!(workspace.judged(Lang::Shell, "rm -rf build", "approvals: {preset: permissive}"), NOTHING);
    let denied = workspace.ruling(Lang::Shell, "rm -rf build", "approvals: {deny: [recursive-delete]}", "");
    assert!(denied.findings.iter().any(|finding| finding.stance == Stance::Deny), "{denied:?}");
    let spared = workspace.ruling(Lang::Shell, "rm -rf build", "", "");
    let [note] = spared.findings.as_slice() else { panic!("{spared:?}") };
    let reason = "deletes `build` and everything below it, which can be generated again";
    assert_eq!((note.stance, note.reason.as_str()), (Stance::Note, reason));
}
