//! Whether the shell that reads a text is another one afterwards.

use herm_shell::world::{Script, World};
use herm_shell::{Input, Lang, Limits, Setting, analyse};

/// A machine with one script that only defines something.
#[derive(Debug)]
struct Machine;

impl World for Machine {
    fn script(&self, path: &str) -> Script {
        match path {
            "/w/env.sh" => Script::Text("export A=1".to_owned()),
            _ => Script::Absent,
        }
    }

    fn resolve(&self, _: &str) -> Option<String> {
        None
    }

    fn variable(&self, name: &str) -> Option<String> {
        (name == "PATH").then(|| "/bin".to_owned())
    }
}

fn alters(text: &str) -> bool {
    let setting = Setting {
        cwd: "/w",
        home: "/h",
        user: Some("u"),
        world: &Machine,
        limits: Limits::default(),
        input: Input::Typed,
    };
    analyse(text, Lang::Shell, &setting).shape.alters_shell
}

#[test]
fn whatever_changes_the_shell_that_goes_on_is_noticed() {
    for text in [
        "cd sub",
        "cd sub && ls",
        "pushd sub",
        "popd",
        "export A=1",
        "export A",
        "A=1",
        "A=1; ls",
        "declare -x A",
        "readonly A",
        "unset A",
        "set -e",
        "shopt -s globstar",
        "umask 077",
        "ulimit -n 10",
        "alias ll='ls -l'",
        "unalias ll",
        "source env.sh",
        ". ./env.sh",
        "source venv/bin/activate",
        "f() { ls; }",
        "trap 'ls' EXIT",
        "exec 3>log",
        "exec ls",
        "exit 0",
        "read line",
        "mapfile lines < f",
        "printf -v A x",
        "let A=1",
        "(( A++ ))",
        ": ${A:=1}",
        "eval 'cd sub'",
        "eval cd sub",
        "builtin cd sub",
        "command cd sub",
        "\\cd sub",
        "{ cd sub; }",
        "f() { cd sub; }; f",
        "if true; then cd sub; fi",
        "for f in a b; do cd $f; done",
        "ls || cd sub",
        "while false; do cd sub; done; cd x",
        "wait",
        "hash -p /x/ls ls",
        "enable -n cd",
        "set -- a b",
        "shift",
    ] {
        assert!(alters(text), "{text}");
    }
}

#[test]
fn what_runs_in_a_shell_of_its_own_or_changes_none_is_not() {
    for text in [
        "ls -l",
        "make test 2>&1 | tail -20",
        "(cd sub && ls)",
        "( export A=1; make )",
        "bash -c 'cd sub; export A=1'",
        "A=1 make",
        "env A=1 make",
        "echo $(cd sub; pwd)",
        "cat <(cd sub; ls)",
        "printf '%s\\n' x",
        "test -f x && echo yes",
        "[ -f x ] || echo no",
        "pwd",
        "git commit -m 'cd sub'",
        "echo cd sub",
        "type cd",
        "true",
        "ls > out",
        "if test -f x; then ls; fi",
        "cd sub | cat",
        "",
    ] {
        assert!(!alters(text), "{text}");
    }
}
