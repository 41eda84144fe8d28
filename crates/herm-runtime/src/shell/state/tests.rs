//! What is kept of an account, and what is not.

use super::*;

fn account() -> Account {
    Account {
        letters: "hBc".to_owned(),
        options: "set +o errexit\nset +o history\n".to_owned(),
        settings: "shopt -u expand_aliases\nshopt -u autocd\n".to_owned(),
        directory: "/".to_owned(),
        variables: "declare -x HOME=\"/h\"\ndeclare -r UID\ndeclare -- _=\"x\"\n".to_owned(),
        functions: String::new(),
        attributes: String::new(),
        aliases: String::new(),
        mask: "umask 0022\n".to_owned(),
    }
}

/// Something else in an account.
type Change = fn(&mut Account);

fn usual() -> Told {
    Told::read(&account()).unwrap()
}

fn with(change: impl FnOnce(&mut Account)) -> Option<State> {
    let mut account = account();
    change(&mut account);
    Told::read(&account).map(|told| told.since(&usual()))
}

#[test]
fn what_nobody_has_changed_is_not_kept() {
    assert_eq!(with(|_| ()), Some(State::default()));
}

#[test]
fn what_was_changed_is_kept_as_it_was_told() {
    let lines = [
        "declare -- x=\"a b\"",
        "declare -x Y=\"\\$HOME \\`id\\` \\\\ \\\"\"",
        "declare -a a=([0]=\"1\" [1]=$'2\\n3')",
        "declare -A m=([k]=\"v\" [\"a b\"]=\"w\" )",
        "declare -n r=\"x\"",
        "declare -ir n=\"5\"",
        "declare -x unset_one",
    ];
    for line in lines {
        let state =
            with(|account| account.variables.extend([line, "\n"])).unwrap_or_else(|| panic!("{line}"));
        assert_eq!(state.definitions, format!("{line}\n"));
    }
}

#[test]
fn what_is_gone_is_taken_away() {
    let state = with(|account| account.variables = String::new()).unwrap();
    assert_eq!(state.definitions, "unset -v HOME\n");
}

#[test]
fn whatever_is_not_a_definition_is_not_kept() {
    let changes: [(&str, Change); 24] = [
        ("a command", |account| account.variables += "id\n"),
        ("a substitution", |account| account.variables += "declare -- x=\"$(id)\"\n"),
        ("a bare one", |account| account.variables += "declare -- x=`id`\n"),
        ("a parameter", |account| account.variables += "declare -- x=\"$HOME\"\n"),
        ("arithmetic", |account| account.variables += "declare -- x=$((a[$(id)]))\n"),
        ("a redirection", |account| account.variables += "declare -- x=1 > f\n"),
        ("a second command", |account| account.variables += "declare -- x=1; id\n"),
        ("a pipeline", |account| account.variables += "declare -- x=1 | id\n"),
        ("the background", |account| account.variables += "declare -- x=1 &\n"),
        ("an assignment", |account| account.variables += "PATH=/tmp declare -- x=1\n"),
        ("an element by code", |account| account.variables += "declare -- a[$(id)]=1\n"),
        ("an integer by code", |account| account.variables += "declare -i n=\"a[\\$(id)]\"\n"),
        ("a subscript by code", |account| account.variables += "declare -a a=([x[\\$(id)]]=\"1\")\n"),
        ("a quoted subscript", |account| account.variables += "declare -a a=(['x[$(id)]']=\"1\")\n"),
        ("a named subscript", |account| account.variables += "declare -a a=([x]=\"1\")\n"),
        ("a reference by code", |account| account.variables += "declare -n r=\"a[\\$(id)]\"\n"),
        ("what is printed", |account| account.variables += "declare -p x\n"),
        ("what is appended", |account| account.variables += "declare -- x+=\"1\"\n"),
        ("what is printed of a function", |account| account.attributes += "declare -fp x\n"),
        ("a call", |account| account.functions += "f () { :; }\nf\n"),
        ("an alias of two", |account| account.aliases += "alias a=b c=d\n"),
        ("a mask by code", |account| account.mask = "umask $(id)\n".to_owned()),
        ("another option", |account| account.options += "set -o errexit; id\n"),
        ("half a text", |account| account.functions += "f () {\n"),
    ];
    for (what, change) in changes {
        assert_eq!(with(change), None, "{what}");
    }
}

#[test]
fn functions_come_late_and_aliases_are_switched_on_last() {
    let state = with(|account| {
        account.functions += "declare () \n{ \n    id\n}\ng () \n{ \n    cat\n} <<END\nbody\nEND\n\n";
        account.attributes += "declare -fx declare\ndeclare -f g\n";
        account.aliases += "alias builtin='id'\n";
        account.settings = "shopt -s expand_aliases\nshopt -s autocd\n".to_owned();
        account.options = "set -o errexit\nset -o history\n".to_owned();
        account.mask = "umask 0077\n".to_owned();
    });
    let State { definitions, options } = state.unwrap();
    assert_eq!(
        definitions,
        "umask 0077\nalias builtin='id'\ndeclare () \n{ \n    id\n}\ng () \n{ \n    cat\n} <<END\nbody\nEND\nbuiltin declare -fx declare\nbuiltin shopt -s expand_aliases\n"
    );
    assert_eq!(options, "\\builtin set -o errexit; ");
}

#[test]
fn what_would_come_between_is_left_out() {
    let told =
        |account: &mut Account| account.functions += "eval () { :; }\nbuiltin () { :; }\nf () { :; }\n";
    assert_eq!(with(told).unwrap().definitions, "f () { :; }\n");
}

#[test]
fn aliases_that_mean_nothing_are_not_kept() {
    let state = with(|account| account.aliases += "alias rm='echo'\n").unwrap();
    assert_eq!(state, State::default());
}

#[test]
fn only_plain_variables_are_left_out_for_who_unsets_them() {
    let state = |definitions: &str, options: &str| State {
        definitions: definitions.to_owned(),
        options: options.to_owned(),
    };
    let plain = state("declare -x BASH_ENV=\"./e\"\ndeclare -- x=\"1\"\n", "");
    assert_eq!(plain.text("unset BASH_ENV"), "declare -- x=\"1\"\n");
    assert_eq!(plain.text("unset -v BASH_ENV x"), "");
    for call in ["unset BASH_ENV; ls", "unset $x", "ls", "unset -f x", "unset\nls", "echo unset x"] {
        assert_eq!(plain.text(call), plain.definitions, "{call}");
    }
    for (definitions, options) in [
        ("declare -n r=\"a[0]\"\n", ""),
        ("unset () { ls; }\ndeclare -- r=\"1\"\n", ""),
        ("alias unset='ls'\ndeclare -- r=\"1\"\n", ""),
        ("declare -- r=\"1\"\n", "\\builtin set -o xtrace; "),
    ] {
        let other = state(definitions, options);
        assert_eq!(other.text("unset r"), format!("{definitions}{options}"));
    }
}
