//! What a call gets and gives.

use herm_sandbox::process::Ending;

use crate::test::{BOTH, Test};

#[test]
fn a_call_has_its_own_output_and_code() {
    for at in BOTH {
        let mut test = Test::new(at);
        let first = test.call("echo out; echo err >&2; exit 3");
        assert_eq!((first.stdout.as_str(), first.stderr.as_str()), ("out\n", "err\n"), "{at:?}");
        assert_eq!(first.ending, Ending::Exited(3));
        let second = test.call("echo again");
        assert_eq!((second.stdout.as_str(), second.stderr.as_str()), ("again\n", ""), "{at:?}");
        assert_eq!(second.ending, Ending::Exited(0));
    }
}

#[test]
fn the_directory_is_what_the_kernel_says() {
    for at in BOTH {
        let mut test = Test::new(at);
        assert_eq!(test.shell.directory().unwrap(), test.work());
        let _ = test.call("mkdir -p a/b; ln -s a link; cd a/b");
        assert_eq!(test.shell.directory().unwrap(), test.work().join("a/b"), "{at:?}");
        assert_eq!(test.call("cd ../../link; pwd").stdout, format!("{}/link\n", test.work().display()));
        // The name that leads there is kept, and is not what is told.
        assert_eq!(test.shell.directory().unwrap(), test.work().join("a"), "{at:?}");
        assert_eq!(test.call("pwd").stdout, format!("{}/link\n", test.work().display()));
    }
}

#[test]
fn a_shell_that_lies_about_its_directory_is_not_believed() {
    for at in BOTH {
        let mut test = Test::new(at);
        let said = test.call("mkdir a; pwd() { echo /; }; PWD=/; cd() { :; }; builtin cd a; PWD=/");
        assert!(said.account.is_some(), "{at:?}");
        let found = test.shell.directory().unwrap();
        let ran = test.call("exec readlink /proc/self/cwd").stdout;
        assert_eq!(ran.trim_end(), found.to_str().unwrap(), "what is told is where it runs");
    }
}

#[test]
fn a_directory_that_is_gone_is_an_error() {
    for at in BOTH {
        let mut test = Test::new(at);
        let _ = test.call("mkdir gone; cd gone; rmdir ../gone");
        assert!(test.shell.directory().is_err(), "{at:?}");
        let work = test.work();
        test.shell.enter(&work).unwrap();
        assert_eq!(test.call("echo back").stdout, "back\n");
    }
}

#[test]
fn a_directory_that_is_removed_meanwhile_is_an_error() {
    for at in BOTH {
        let mut test = Test::new(at);
        let _ = test.call("mkdir soon; cd soon; (sleep 0.2; rmdir ../soon) &");
        assert!(test.shell.directory().is_ok(), "{at:?}");
        assert!(crate::test::eventually(|| test.shell.directory().is_err()), "{at:?}");
    }
}

#[test]
fn what_the_shell_has_become_is_written_down() {
    for at in BOTH {
        let mut test = Test::new(at);
        let script = "x=1; export Y='a b'; declare -A m=([k]=v); f() { echo f; }; alias l=ls; set -f; shopt -s nullglob; umask 077";
        let account = test.call(script).account.unwrap();
        for (part, wanted) in [
            (&account.variables, "declare -- x=\"1\""),
            (&account.variables, "declare -x Y=\"a b\""),
            (&account.variables, "declare -A m=([k]=\"v\" )"),
            (&account.functions, "f () \n{ \n    echo f\n}"),
            (&account.attributes, "declare -f f"),
            (&account.aliases, "alias l='ls'"),
            (&account.options, "set -o noglob"),
            (&account.settings, "shopt -s nullglob"),
            (&account.mask, "umask 0077"),
        ] {
            assert!(part.contains(wanted), "{at:?}: {wanted} in {part}");
        }
        assert!(
            !account.variables.contains("REPLY=") && !account.variables.contains("builtin"),
            "nothing of ours is left in it"
        );
    }
}

#[test]
fn it_is_written_down_however_the_text_ends() {
    for at in BOTH {
        let mut test = Test::new(at);
        for (text, code) in [
            ("x=1; exit 4", 4),
            ("x=1; set -e; false; x=2", 1),
            ("x=1; set -u; echo $nothing", 127),
            ("x=1\nif then", 2),
            ("x=1; set -x; true", 0),
            ("x=1; trap 'echo bye' EXIT", 0),
            ("x=1; exec >/dev/null 2>&1", 0),
            ("x=1; exec 0<&- 1>&- 2>&-", 0),
            ("x=1; cat <<END", 0),
            ("x=1; printf() { echo no; }; declare() { :; }; alias() { :; }; shopt() { :; }; set() { :; }", 0),
            ("x=1; shopt -s expand_aliases; alias builtin=false eval=false", 0),
            ("x=1; IFS=x; set -f", 0),
            ("x=1; set -- a b written", 0),
            ("x=1; set -o posix", 0),
            ("x=1; return 5", 2),
        ] {
            let outcome = test.call(text);
            assert_eq!(outcome.ending, Ending::Exited(code), "{at:?}: {text}: {}", outcome.stderr);
            let account = outcome.account.unwrap_or_default();
            assert!(account.variables.contains("declare -- x=\"1\""), "{at:?}: {text}");
        }
        let traced = test.call("set -x; echo a");
        assert_eq!(traced.stderr, "++ echo a\n", "{at:?}: nothing of ours is traced");
        assert!(traced.account.unwrap().letters.contains('x'));
    }
}

#[test]
fn lines_are_counted_from_the_first() {
    for at in BOTH {
        let outcome = Test::new(at).call("echo $LINENO\nnosuchprogram");
        assert_eq!(outcome.stdout, "1\n", "{at:?}");
        assert!(outcome.stderr.contains("line 2: nosuchprogram"), "{at:?}: {}", outcome.stderr);
    }
}

#[test]
fn a_call_begins_with_what_was_defined() {
    for at in BOTH {
        let mut test = Test::new(at).defining("declare -- x=\"1\"\nf () { echo \"f $x $1\"; }\n");
        assert_eq!(test.call("f 2").stdout, "f 1 2\n", "{at:?}");
        assert_eq!(test.call("echo \"$# $0 [$1]\"").stdout, "0 bash []\n", "{at:?}");
    }
}

#[test]
fn programs_find_nothing_but_the_three_streams() {
    for at in BOTH {
        let outcome = Test::new(at).call("exec ls /proc/self/fd");
        assert_eq!(outcome.stdout, "0\n1\n2\n3\n", "{at:?}: the third is the directory that is listed");
    }
}

#[test]
fn nothing_is_read_from_whoever_calls() {
    for at in BOTH {
        let outcome = Test::new(at).call("read -r line; echo \"$? [$line]\"; cat; head -c 1");
        assert_eq!(outcome.stdout, "1 []\n", "{at:?}");
    }
}
