//! What `python -m` runs, where the modules can be seen.

use std::collections::HashMap;

use herm_shell::gap::{Position, Reason};
use herm_shell::world::{Script, World};
use herm_shell::{Analysis, Lang, Limits, Setting, Verb, analyse};

/// A directory of modules; one without a text may not be looked at.
#[derive(Debug)]
struct Folder(HashMap<&'static str, Option<&'static str>>);

impl World for Folder {
    fn script(&self, path: &str) -> Script {
        let name = path.strip_prefix("/home/ann/app/").unwrap_or(path);
        match self.0.get(name) {
            Some(Some(text)) => Script::Text((*text).to_owned()),
            Some(None) => Script::Hidden,
            None => Script::Absent,
        }
    }

    fn resolve(&self, _path: &str) -> Option<String> {
        None
    }

    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
}

fn analysis(command: &str, file: &'static str, text: Option<&'static str>) -> Analysis {
    let world = Folder(HashMap::from([(file, text)]));
    let setting = Setting {
        cwd: "/home/ann/app",
        home: "/home/ann",
        user: None,
        world: &world,
        limits: Limits::default(),
        input: herm_shell::Input::default(),
    };
    analyse(command, Lang::Shell, &setting)
}

fn runs(command: &str, file: &'static str) -> bool {
    let text = "import os\nos.system('reboot')\n";
    analysis(command, file, Some(text)).effects.iter().any(|effect| effect.verb == Verb::Power)
}

#[test]
fn a_module_of_the_working_directory_is_opened() {
    for (command, file) in [
        ("python3 -m tool", "tool.py"),
        ("python3 -Bm tool a b", "tool.py"),
        ("python3 -m tool", "tool/__main__.py"),
        ("python3 -m tool", "tool/__init__.py"),
        ("python3 -m tool.part", "tool/part.py"),
        ("python3 -m tool.part", "tool/__init__.py"),
        ("python3 -m pip list", "pip.py"),
        ("python3 -m pdb -m tool", "tool.py"),
        ("python3 -m cProfile -o out -m tool", "tool.py"),
        ("python3 -m coverage run tool.py", "tool.py"),
        ("coverage run --branch -m tool", "tool.py"),
        ("PYTHONSTARTUP=tool.py python3 -i", "tool.py"),
    ] {
        assert!(runs(command, file), "{command} {file}");
    }
}

#[test]
fn other_files_are_not() {
    for (command, file) in [
        ("python3 -m tool", "tools.py"),
        ("python3 -m tool", "part/tool.py"),
        ("python3 -m tool.part", "part.py"),
        ("python3 -m tool --help", "help.py"),
        ("coverage report", "report.py"),
        ("ssh host python3 -m tool", "tool.py"),
    ] {
        assert!(!runs(command, file), "{command} {file}");
    }
}

#[test]
fn a_module_that_may_not_be_looked_at_is_a_gap() {
    let gaps = |file| analysis("python3 -m tool", file, None).gaps;
    let is_hidden =
        |gap: &herm_shell::gap::Gap| gap.position == Position::Code && gap.reason == Reason::Unreadable;
    assert!(gaps("tool.py").iter().any(is_hidden));
    assert!(gaps("other.py").is_empty());
}
