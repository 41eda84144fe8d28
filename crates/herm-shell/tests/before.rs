//! What earlier texts have left in a shell is part of what a text means.

use herm_shell::world::{Script, World};
use herm_shell::{Lang, Limits, Setting, Span, Verb, analyse};

/// A machine on which a shell has something behind it.
#[derive(Debug)]
struct After(&'static str);

impl World for After {
    fn script(&self, path: &str) -> Script {
        match path {
            "/w/evil/ls" => Script::Text("rm -rf src".to_owned()),
            "/bin/ls" => Script::Binary,
            _ => Script::Absent,
        }
    }

    fn resolve(&self, _: &str) -> Option<String> {
        None
    }

    fn before(&self) -> Option<&str> {
        Some(self.0)
    }

    fn variable(&self, name: &str) -> Option<String> {
        (name == "PATH").then(|| "/bin".to_owned())
    }
}

/// Where deletions stand that `text` does after `before`.
fn deletions(before: &'static str, text: &str) -> Vec<Span> {
    let world = After(before);
    let setting = Setting {
        cwd: "/w",
        home: "/h",
        user: None,
        world: &world,
        limits: Limits::default(),
        input: herm_shell::Input::default(),
    };
    let analysis = analyse(text, Lang::Shell, &setting);
    analysis.effects.iter().filter(|effect| effect.verb == Verb::Delete).map(|effect| effect.span).collect()
}

#[test]
fn functions_aliases_variables_and_paths_count() {
    for (before, text) in [
        ("ls () { rm -rf \"$@\"; }\n", "ls src"),
        ("alias ls='rm -rf'\nbuiltin shopt -s expand_aliases\n", "ls src"),
        ("declare -- x=\"rm -rf src\"\n", "$x"),
        ("declare -x PATH=\"./evil:/bin\"\n", "ls src"),
        ("declare -- IFS=\"_\"\ndeclare -- x=\"rm_-rf_src\"\n", "$x"),
        ("declare -a w=([0]=\"rm\" [1]=\"-rf\" [2]=\"src\")\n", "\"${w[@]}\""),
    ] {
        let whole = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let found = deletions(before, text);
        assert!(!found.is_empty(), "{before}{text}");
        assert!(found.iter().all(|span| span.end <= whole), "it stands in the text: {found:?} {text}");
        assert!(deletions("", text).is_empty(), "{text}");
    }
}

#[test]
fn what_is_only_defined_does_nothing() {
    assert!(deletions("ls () { rm -rf \"$@\"; }\n", "cat src").is_empty());
    assert!(deletions("declare -x PATH=\"/bin\"\n", "ls src").is_empty());
}

#[test]
fn whatever_is_done_before_counts_too() {
    assert!(!deletions("rm -rf src\n", "true").is_empty());
}

#[test]
fn a_large_shell_leaves_as_much_work_for_the_text() {
    let define = |number| format!("f{number} () \n{{ \n    echo {number} | sed 's/1/2/' > /dev/null\n}}\n");
    let definitions = (0..300).map(define).collect::<Vec<_>>().concat();
    let definitions: &'static str = Box::leak(definitions.into_boxed_str());
    assert!(!deletions(definitions, "f7; rm -rf src").is_empty());
}
