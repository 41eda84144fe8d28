//! Which words a command gets in the end: whatever bash gives it is among what herm holds possible.

use std::fmt::Write as _;

use herm_shell::Value;
use herm_shell::value::Piece;
use herm_test::bash::bash_prints;
use herm_test::judge::analyse;

/// Shows what it is given; herm takes it for a program that nobody knows.
const SHOW: &str = "show() { printf '%s\\0' \"$@\"; printf '\\n'; }";

/// What may stand before a command, and be nothing. No environment holds such variables.
const NOTHING: &[&str] = &[
    "$UNSET_A",
    "$UNSET_A $UNSET_B",
    "$(printf '')",
    "${UNSET_A:+word}",
    "$UNSET_A$UNSET_B",
    "${UNSET_C[@]}",
    "$UNSET_A ''",
];

/// What a command may stand in.
const AROUND: &[&str] = &[
    "@",
    "{ @; }",
    "eval '@'",
    "f() { \"$@\"; }; f @",
    "set -- @; \"$@\"",
    "a=(@); \"${a[@]}\"",
    "command @",
    "f() { $*; }; f @",
    "if :; then @; fi",
    "for i in 1; do @; done",
    "case x in x) @;; esac",
    ": && @",
    "g() { @; }; f() { g; }; f",
    "until ! :; do @; break; done",
];

/// Commands whose words come by ways of their own.
const OTHERS: &[&str] = &[
    "declare A={x,y}; show $A",
    "export A={x,y}; show $A",
    "readonly A={x,y}; show $A",
    "typeset A={x,y}z; show $A",
    "f() { local A={x,y}; show $A; }; f",
    "declare A={x,y} B={1,2}; show $A $B",
    "declare A='{x,y}'; show $A",
    "A={x,y}; show $A",
    "A=({x,y}); show ${A[1]}",
    "declare -a A=({x,y}); show ${A[1]}",
    "shopt -s lastpipe; echo word | read C; show $C",
    "echo word | read C; show \"$C\"",
    "shopt -s lastpipe; echo word | { read C; D=$C; }; show $D",
    "shopt -s lastpipe; printf 'a\\nb\\n' | while read l; do c=$l; done; show $c",
    "shopt -s lastpipe; printf 'a\\nb\\n' | mapfile -t c; show ${c[1]}",
    "shopt -s lastpipe; echo word | if read C; then :; fi; show $C",
    "case x in x) c=a;;& *) c=\"$c b\";; esac; show $c",
    "case x in x) c=a;& *) c=\"$c b\";; esac; show $c",
    "case x in x) c=a;;& y) c=q;;& [x-z]) c=\"$c b\";; esac; show $c",
    "case x in y) c=q;& x) c=\"${c}a\";& z) c=\"$c b\";; w) c=no;; esac; show $c",
    "case x in x) c=a;; *) c=\"$c b\";; esac; show $c",
    "case $UNSET_A in '') c=a;;& ?*) c=q;;& *) c=\"$c b\";; esac; show $c",
    "for i in 1 2; do case $i in 1) c=a;& 2) c=\"$c b\";; esac; done; show $c",
    "case x in x) c=a; case y in y) c=\"$c b\";& z) c=\"$c d\";; esac;;& *) c=\"$c e\";; esac; show $c",
    "if c=a; false; then :; elif c=\"$c b\"; then show $c; fi",
    "until c=\"$c a\"; do :; done; show $c",
    "c=a && { c=\"$c b\" || :; }; show $c",
    "c=x; { c=a; }; (c=q); show $c b",
    "f() { c=a; }; g() { c=\"$c b\"; }; f; g; show $c",
    // One of two texts.
    "show $(test -d / && echo a || echo b)",
    "show $(test -d /absent && echo a || echo b)",
    "show \"$(if [ $$ -gt 1 ]; then echo a; else echo b; fi)\" c",
    "c=$(test -d / && echo a || echo b); show $c",
    "c=\"$(test -d / && echo sh || echo b)\"; ${c}ow a",
    "eval \"$(test -d /absent && echo : || echo show a)\"",
    "for w in $(test -d / && echo a || echo b); do show $w; done",
    "(test -d / && echo show a || echo :) | { read l; $l; }",
    "(test -d / && echo show a || echo :) | { mapfile -t l; ${l[0]}; }",
    "while read l; do $l; done < <(test -d /absent && echo : || echo show a)",
    "f() { test -d / && echo a || echo b; }; show $(f)",
    "show $(case $$ in 0) echo a;; *) echo b;; esac)",
    // What the shell shows of itself.
    "f() { show a; }; show \"$(declare -f f)\"",
    "f() { show a; }; show \"$(typeset -f)\"",
    "f() { show a; }; show \"$(declare -F)\"",
    "alias x=y; show \"$(alias)\"",
    "alias x=y; show \"$(alias x)\"",
    "show \"$(alias x=y)\"",
    "trap ': a' USR1; show \"$(trap -p)\"",
    "trap ': a' USR1; show \"$(trap)\"",
    "x=a; show \"$(declare -p x)\"",
    "x=a; show \"$(set -o)\"",
    "export X=a; show \"$(export -p)\"",
    "readonly X=a; show \"$(readonly)\"",
    "complete -W 'a b' x; show \"$(complete -p x)\"",
    "show \"$(compgen -W 'a b')\"",
    "show \"$(hash -p /bin/a x; hash -t x)\"",
    "show \"$(enable -a)\"",
    "cd /; cd /tmp; show \"$(cd -)\"",
    "show \"$(pushd /)\"",
    "show \"$(dirs)\" \"$(umask)\" \"$(type ls)\" \"$(ulimit -c)\"",
    "show \"$(kill -l)\"",
    "show \"$(help true)\"",
    "show \"$(command -V ls)\"",
    "trap 'x=$BASH_COMMAND' DEBUG; : a; trap - DEBUG; show \"$x\"",
    "f() { local x=a; local -p; }; show \"$(f)\"",
    "shopt -s expand_aliases; BASH_ALIASES[x]='show a'\nx b",
    "BASH_CMDS[x]=/bin/echo; show \"$(x a)\"",
    "command_not_found_handle() { ${1//_/ } $2; }; show_a b",
    "show \"$(PS4=a; set -x; : 2>&1)\"",
    // Files that are written more than once.
    "echo a > herm_q; echo b > herm_q; show $(cat herm_q); rm herm_q",
    "echo a > herm_q; echo b >> herm_q; show $(cat herm_q); rm herm_q",
    "echo a > herm_q; test -d / && echo b > herm_q; show $(cat herm_q); rm herm_q",
    "echo a > herm_q; test -d /absent && echo b > herm_q; show $(cat herm_q); rm herm_q",
    "echo a > herm_q; if test -d /; then echo b >> herm_q; fi; show $(cat herm_q); rm herm_q",
    "echo a > herm_q; rm herm_q && echo b > herm_q; show $(cat herm_q); rm herm_q",
    "eval \"$(printf x > herm_q; printf 'show '; rm herm_q && printf a > herm_q; cat herm_q)\"; rm herm_q",
    "echo a > herm_q; set -C; echo b > herm_q; set +C; show $(cat herm_q); rm herm_q",
    "echo a > herm_q; sed -i s/a/b/ herm_q; show $(cat herm_q); rm herm_q",
    "echo a > herm_q; sed -i.bak s/a/b/ herm_q; show $(cat herm_q); rm herm_q herm_q.bak",
    "echo show > herm_q; echo a > herm_r; $(cat herm_q herm_r | tr '\\n' ' '); rm herm_q herm_r",
    "echo a > herm_q; cp herm_q herm_r; echo b > herm_q; show $(cat herm_r); rm herm_q herm_r",
    "echo a > herm_q; mv herm_q herm_r; show $(cat herm_r); rm herm_r",
    "echo a > herm_q; echo b | tee herm_q > /dev/null; show $(cat herm_q); rm herm_q",
    "echo a > herm_q; echo b | tee -a herm_q > /dev/null; show $(cat herm_q); rm herm_q",
    "echo a > herm_q; ln -s herm_q herm_r; echo b > herm_r; show $(cat herm_q); rm herm_q herm_r",
    "echo ab > herm_q; printf c | dd of=herm_q conv=notrunc 2> /dev/null; show $(cat herm_q); rm herm_q",
    "echo ab > herm_q; printf c | dd of=herm_q seek=1 bs=1 2> /dev/null; show $(cat herm_q); rm herm_q",
    "echo ab > herm_q; truncate -s 1 herm_q; show $(cat herm_q); rm herm_q",
    "for i in a b; do echo $i > herm_q; done; show $(cat herm_q); rm herm_q",
    "for i in a b; do echo $i >> herm_q; done; show $(cat herm_q); rm herm_q",
    "f() { echo b > herm_q; }; echo a > herm_q; f; show $(cat herm_q); rm herm_q",
    "{ echo a; echo b; } > herm_q; show $(tail -n 1 herm_q); rm herm_q",
    "exec 3> herm_q; echo a >&3; echo b >&3; exec 3>&-; show $(cat herm_q); rm herm_q",
    "cat > herm_q <<< a; cat >> herm_q <<< b; show $(cat herm_q); rm herm_q",
    "(echo b > herm_q); show $(cat herm_q); rm herm_q",
    "echo a > herm_q; (echo b > herm_q) & wait; show $(cat herm_q); rm herm_q",
    "echo 'show a' > herm_q; test -d / && echo 'show b' > herm_q; . ./herm_q; rm herm_q",
    "echo 'b=a' > herm_q; sed -i 's/a/c/' herm_q; . ./herm_q; show $b; rm herm_q",
];

#[test]
fn what_bash_gives_a_command_is_among_what_is_held_possible() {
    let snippets: Vec<String> = snippets().collect();
    let theirs = words_of_each(&snippets);
    assert_eq!(theirs.len(), snippets.len(), "bash showed something for each");
    let missed: Vec<String> = snippets
        .iter()
        .zip(&theirs)
        .filter(|(snippet, words)| !words.iter().all(|words| is_possible(snippet, words)))
        .map(|(snippet, words)| format!("{snippet}\n  {words:?}"))
        .collect();
    assert!(missed.is_empty(), "{} of {}:\n{}", missed.len(), snippets.len(), missed.join("\n"));
}

fn snippets() -> impl Iterator<Item = String> {
    let commands = NOTHING.iter().filter(|nothing| !nothing.ends_with("''")).flat_map(|nothing| {
        [
            format!("{nothing} show a b"),
            format!("show {nothing} a"),
            format!("{nothing} show {nothing} a {nothing}"),
        ]
    });
    let commands: Vec<String> = commands.collect();
    let around = AROUND.iter().flat_map(move |around| {
        let quoted = around.contains('\'');
        // What a variable decides about is a word like any other where it is handed on, or to a program that nobody knows.
        let hands_on = around.contains("$*") || around.contains("[@]");
        let fits = commands.clone().into_iter().filter(move |command| {
            !(quoted && command.contains('\'')
                || hands_on && command.contains(":+")
                || command.contains("show ${UNSET_A:+"))
        });
        fits.map(move |command| around.replace('@', &command))
    });
    around.chain(OTHERS.iter().map(|other| (*other).to_owned()))
}

/// The words of every command that bash showed, snippet by snippet.
fn words_of_each(snippets: &[String]) -> Vec<Vec<Vec<String>>> {
    let mut script = format!("{SHOW}\n");
    for snippet in snippets {
        let _ = write!(script, "( {snippet}\n) 2>/dev/null </dev/null\nprintf '\\001\\n'\n");
    }
    let printed = bash_prints(&script, &std::env::temp_dir());
    let words = |line: &str| line.split_terminator('\0').map(str::to_owned).collect();
    let mut each: Vec<_> = printed.split("\u{1}\n").map(|part| part.lines().map(words).collect()).collect();
    each.pop();
    each
}

fn is_possible(snippet: &str, words: &[String]) -> bool {
    let runs = analyse(snippet).invocations;
    runs.iter().any(|run| &*run.program == "show" && matches(&run.arguments, words))
}

/// Whether arguments may come to be these words; what is not known may be anything, and nothing where it is not quoted.
fn matches(arguments: &[Value], words: &[String]) -> bool {
    let Some((first, rest)) = arguments.split_first() else { return words.is_empty() };
    let splits = first.pieces.iter().any(|piece| matches!(piece, Piece::Hole(hole) if hole.may_split));
    if splits {
        return (0..=words.len()).any(|taken| words.get(taken..).is_some_and(|left| matches(rest, left)));
    }
    let Some((word, left)) = words.split_first() else { return false };
    (first.has_hole() || first.known().as_deref() == Some(word)) && matches(rest, left)
}
