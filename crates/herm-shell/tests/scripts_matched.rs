//! Scripts that are named by a pattern, where directories can be seen.

use std::collections::BTreeSet;

use herm_shell::gap::Position;
use herm_shell::world::{Names, Script, Standing, World};
use herm_shell::{Analysis, Lang, Limits, Setting, Verb, analyse};

/// A directory of scripts, one of which takes the machine down, and one whose names may not be looked at.
#[derive(Debug)]
struct Folder;

const FILES: &[(&str, &str)] = &[
    ("/home/ann/app/scripts/down.sh", "reboot\n"),
    ("/home/ann/app/scripts/fine.sh", "ls\n"),
    ("/home/ann/app/scripts/deep/er/down.py", "import os\nos.system('reboot')\n"),
    ("/home/ann/app/bin/tool", "#!/bin/sh\nls\n"),
];

impl World for Folder {
    fn script(&self, path: &str) -> Script {
        if self.standing(path) == Some(Standing::Directory) {
            return Script::Hidden;
        }
        let found = FILES.iter().find(|(name, _)| *name == path);
        found.map_or(Script::Absent, |(_, text)| Script::Text((*text).to_owned()))
    }

    fn resolve(&self, _path: &str) -> Option<String> {
        None
    }

    fn names(&self, directory: &str) -> Names {
        if directory == "/home/ann/app/crowded" {
            return Names::Hidden;
        }
        let below = FILES.iter().filter_map(|(path, _)| path.strip_prefix(directory));
        let names: BTreeSet<&str> =
            below.filter_map(|rest| rest.trim_start_matches('/').split('/').next()).collect();
        Names::Known(names.into_iter().map(str::to_owned).collect())
    }

    fn standing(&self, path: &str) -> Option<Standing> {
        let is = |found: bool, standing| found.then_some(standing);
        let start = format!("{path}/");
        is(FILES.iter().any(|(file, _)| *file == path), Standing::File)
            .or(is(FILES.iter().any(|(file, _)| file.starts_with(&start)), Standing::Directory))
            .or(Some(Standing::Absent))
    }

    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
}

fn analysis(command: &str) -> Analysis {
    let setting = Setting {
        cwd: "/home/ann/app",
        home: "/home/ann",
        user: None,
        world: &Folder,
        limits: Limits::default(),
        input: herm_shell::Input::default(),
    };
    analyse(command, Lang::Shell, &setting)
}

fn goes_down(command: &str) -> bool {
    analysis(command).effects.iter().any(|effect| effect.verb == Verb::Power)
}

fn is_open(command: &str) -> bool {
    analysis(command).gaps.iter().any(|gap| gap.position == Position::Code)
}

#[test]
fn script_that_a_pattern_names_is_read() {
    for command in [
        "bash scripts/*.sh",
        "bash scr*/down.s?",
        "sh ./scripts/[a-e]*.sh",
        "for f in scripts/*.sh; do bash \"$f\"; done",
        "for f in scripts/*; do . $f; done",
        "for f in scripts/*; do \"./$f\"; done",
        "./scripts/d*.sh",
        "/home/*/app/scripts/down.sh",
        "cd scripts && bash d*",
        "find . -name '*.sh' -exec bash {} \\;",
        "find scripts -name '*.sh' | xargs -n1 sh",
        "python3 scripts/*/*/down.py",
        "find . -name '*.py' -exec python3 {} +",
        "run-parts scripts",
        "echo reboot > bin/late.sh; bash bin/l*.sh",
    ] {
        assert!(goes_down(command), "{command}");
    }
}

#[test]
fn pattern_that_names_nothing_dangerous_is_no_question() {
    for command in ["bash scripts/f*.sh", "./bin/t*", "bash nothing/*.sh", "for f in bin/*; do sh $f; done"] {
        assert!(!goes_down(command) && !is_open(command), "{command}");
    }
}

#[test]
fn scripts_in_a_directory_that_may_not_be_looked_at_are_not_known() {
    for command in ["bash crowded/*.sh", "for f in crowded/*; do sh \"$f\"; done", "python3 scripts/dee[p]"] {
        assert!(is_open(command), "{command}");
    }
}
