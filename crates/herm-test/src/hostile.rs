//! Texts made to be hard on whoever reads them. Each of them ends in a command that must not be allowed.

mod arithmetic;
pub mod languages;
mod manifests;
pub mod python;

use std::fmt::Write;

/// What every text hides.
pub const HIDDEN: &str = "rm -rf /";

/// What opens a construct, and what closes it.
const NESTED: &[(&str, &str)] = &[
    ("$(", ")"),
    ("\"$(", ")\""),
    ("{ ", "; }"),
    ("( ", ")"),
    ("cat <(", ")"),
    ("if ", "; then :; fi"),
    ("if :; then ", "; fi"),
    ("( for ((;;)) { ", "; } )"),
    ("for i in a b; do ", "; done"),
    ("while ", "; do :; done"),
    ("until false; do ", "; done"),
    ("case a in a) ", ";; esac"),
    (": ${a:-$(", ")}"),
    (": ${a:-", "}"),
    (": $((a[", "]))"),
    (": $(( 1 + ", "))"),
    ("`", "`"),
    ("! ", ""),
    ("f() { ", "; }; f"),
    ("coproc { ", "; }"),
    ("time ", ""),
    ("eval ", ""),
    ("sudo ", ""),
    ("env A=b ", ""),
    ("xargs ", ""),
    ("find . -exec ", " {} +"),
    ("[[ ( ", " ) ]]"),
    ("a=( ", ")"),
    (": {a,", "}"),
];

/// Hostile texts of about `size` bytes, each with a name.
#[must_use]
pub fn texts(size: usize) -> Vec<(String, String)> {
    let nested = NESTED.iter().flat_map(|(open, close)| {
        let count = (size / (open.len() + close.len()).max(1)).max(1);
        let closed = format!("{}{HIDDEN}{}\n{HIDDEN}", open.repeat(count), close.repeat(count));
        let unclosed = format!("{}{HIDDEN}\n{HIDDEN}", open.repeat(size / open.len()));
        [(format!("nested {open}"), closed), (format!("unclosed {open}"), unclosed)]
    });
    let repeated = REPEATED.iter().map(|(name, unit)| {
        (format!("repeated {name}"), format!("{}\n{HIDDEN}", unit.repeat((size / unit.len()).max(1))))
    });
    let numbered = NUMBERED.iter().map(|(name, make)| (format!("numbered {name}"), numbered(size, *make)));
    let bombs = BOMBS.iter().map(|(name, text)| (format!("bomb {name}"), format!("{text}\n{HIDDEN}")));
    let more = large(size).into_iter().chain(arithmetic::texts(size)).chain(manifests::texts(size));
    nested.chain(repeated).chain(numbered).chain(bombs).chain(more).collect()
}

/// Something over and over.
const REPEATED: &[(&str, &str)] = &[
    ("separators", ";"),
    ("newlines", "\n"),
    ("carriage returns", ":\r\n"),
    ("commands", ":;"),
    ("outputs", "echo aaaaaaaa;"),
    ("background", ":&"),
    ("pipes", "cat|"),
    ("conjunctions", "a&&"),
    ("disjunctions", "a||"),
    ("redirections", ":>a "),
    ("here-documents", ":<<A\nA\n"),
    ("here-strings", ":<<<a;"),
    ("directories", "cd a;"),
    ("branches", "if a;then b=1;else b=2;fi;"),
    ("subshells", "(a=1);"),
    ("substitutions", ": $(echo a)$(echo b);"),
    ("parameters", ": $a$b$c;"),
    ("defaults", ": ${a:-b};"),
    ("assignments", "a=$a$b;"),
    ("growing text", "a=aaaaaaaa$a;"),
    ("environment", "A=b c;"),
    ("exports", "export A=$A:b;"),
    ("braces", "{a,b} "),
    ("globs", ": [a-z]*?[!b]/*;"),
    ("quotes", "'a'\"b\"$'c'"),
    ("escapes", "\\a"),
    ("dollars", "$"),
    ("comments", "#a\n"),
    ("functions", "f(){ :;};f;"),
    ("aliases", "alias a=b\na\n"),
    ("cases", "case $a in b)c;;d)e;;esac;"),
    ("loops", "for i in a b c;do :;done;"),
    ("arithmetic", "((a=a+1));"),
    ("conditions", "[[ a -eq b ]];"),
    ("files", "echo a>b;cat b;"),
    ("evaluations", "eval :;"),
    ("shells", "sh -c :;"),
    ("deletions", "rm a;"),
    ("downloads", "curl a.b|sh;"),
    ("git", "git status;"),
    ("unknown programs", "a b;"),
    ("operands", "a "),
    ("options", "-a "),
    ("temporary names", "t=$(mktemp -d);rm -r $t;"),
    ("read options", "while getopts ab: o;do case $o in a)b=1;;b)c=$OPTARG;;esac;done;"),
    ("emoji", "\u{1f600}"),
    ("combining", "a\u{301}"),
];

/// The text for one turn.
type Turn = fn(usize) -> String;

/// Something over and over, each time a little different.
const NUMBERED: &[(&str, Turn)] = &[
    ("variables", |n| format!("a{n}=b;")),
    ("environment", |n| format!("a{n}=b c;")),
    ("exports", |n| format!("export a{n}=b;")),
    ("functions", |n| format!("f{n}(){{ :;}};f{n};")),
    ("aliases", |n| format!("alias a{n}=b\na{n}\n")),
    ("deletions", |n| format!("rm a{n};")),
    ("outputs", |n| format!("echo a>b{n};")),
    ("unknown", |n| format!("rm $a{n};")),
    ("unknown code", |n| format!("$a{n};")),
    ("elements", |n| format!("a[{n}]=b;")),
    ("directories", |n| format!("cd a{n};")),
    ("forks", |n| format!("[ a ]&&a{n}=b;")),
    ("here-documents", |n| format!(":<<A{n}\nA{n}\n")),
    ("programs", |n| format!("p{n} /etc/shadow;")),
    ("links", |n| format!("ln -s a{n} b{n};")),
    ("chained calls", |n| format!("f{n}(){{ f{};}};", n + 1)),
    ("doubling calls", |n| format!("f{n}(){{ f{m};f{m};}};", m = n + 1)),
    ("chained aliases", |n| format!("alias a{n}=a{}\n", n + 1)),
];

fn numbered(size: usize, make: fn(usize) -> String) -> String {
    let mut text = String::with_capacity(size);
    for number in 0.. {
        if text.len() >= size {
            break;
        }
        text.push_str(&make(number));
    }
    format!("{text}f0;a0\n{HIDDEN}")
}

/// Small texts that would become large ones.
const BOMBS: &[(&str, &str)] = &[
    (
        "of braces",
        ": {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
    ),
    ("of a range", ": {1..99999999}"),
    ("of ranges", ": {1..9999}{1..9999}{1..9999}"),
    ("of letters", ": {a..z}{a..z}{a..z}{a..z}{a..z}{a..z}"),
    ("of powers", ": $((9**9**9**9)) $((1<<99999)) $((9223372036854775807*9223372036854775807))"),
    ("of division", ": $((1/0)) $((1%0)) $((-9223372036854775808/-1))"),
    ("of assignments", ": $((a=a+a,a=a+a,a=b=c=d,a[a[a[0]]]))"),
    ("of names", "a=b; b=c; c=a; : $((a)) ${!a}"),
    ("of calls", "f() { f; f; }; f"),
    ("of two calls", "f() { g; g; }; g() { f; f; }; f"),
    ("of arguments", "f() { f \"$@\" \"$@\"; }; f a b c"),
    ("of an alias", "alias a='a; a'\na"),
    ("of two aliases", "alias a='b b'\nalias b='a a'\na"),
    ("of evaluation", "x='eval \"$x$x\"'; eval \"$x\""),
    ("of sourcing", "echo '. ./x; . ./x' > x; . ./x"),
    ("of a script", "echo 'sh x; sh x' > x; sh x"),
    ("of traps", "trap 'trap \"$x\" EXIT; eval \"$x\"' EXIT"),
    ("of appending", "echo aaaaaaaa > x; while :; do cat x x > y; cat y y > x; done"),
    (
        "of loops",
        "for a in {1..200}; do for b in {1..200}; do for c in {1..200}; do for d in {1..200}; do x=$x$a; done; done; done; done",
    ),
    ("of links", "ln -s a b; ln -s b a; cat a b; sh a"),
    (
        "of replacement",
        "x=aaaaaaaaaaaaaaaa; x=${x//a/$x}; x=${x//a/$x}; x=${x//a/$x}; x=${x//a/$x}; x=${x//a/$x}; eval $x",
    ),
    (
        "of patterns",
        "x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; : ${x##*a*a*a*a*a*a*a*a*a*a*a*a*a*b} ${x//*(*(a))/b}",
    ),
    ("of printing", "printf '%99999999s' a; printf '%.99999999d' 1; seq 99999999; yes"),
    ("of reading", "while read a; do while read b; do eval $a$b; done; done <<< \"$(seq 9999)\""),
    (
        "of positions",
        "set -- {1..200}; set -- \"$@\" \"$@\"; set -- \"$@\" \"$@\"; set -- \"$@\" \"$@\"; set -- \"$@\" \"$@\"; set -- \"$@\" \"$@\"; set -- \"$@\" \"$@\"; set -- \"$@\" \"$@\"; set -- \"$@\" \"$@\"; set -- \"$@\" \"$@\"; set -- \"$@\" \"$@\"; set -- \"$@\" \"$@\"; \"$@\"",
    ),
    (
        "of options",
        "set -- -a -b c {1..200}; while getopts ab: o; do while getopts ab: p; do eval $o$p$OPTARG; OPTIND=1; done; OPTIND=1; done",
    ),
    ("of compression", "x=$(yes | head -c 99999999 | gzip | base64); echo $x | base64 -d | gunzip | sh"),
];

/// One thing that is large.
fn large(size: usize) -> Vec<(String, String)> {
    let word = "a".repeat(size);
    let words = "a ".repeat(size / 2);
    let doubled: String = (0..64).fold(String::from("x0=aaaaaaaa;"), |mut text, n| {
        let _ = write!(text, "x{}=$x{n}$x{n};", n + 1);
        text
    });
    let texts = [
        ("word", format!("{word};{HIDDEN}")),
        ("quoted word", format!("echo '{word}';{HIDDEN}")),
        ("name", format!("{word}=b;{HIDDEN}")),
        ("names of programs", format!("unheard-of {};{HIDDEN}", "ls ".repeat(size / 3))),
        ("programs with options", format!("unheard-of {};{HIDDEN}", "ls -l ".repeat(size / 6))),
        ("announced programs", format!("unheard-of {};{HIDDEN}", "-- nice unheard-of ".repeat(size / 19))),
        ("commands in words", format!("unheard-of {};{HIDDEN}", "-c 'ls ls' ".repeat(size / 11))),
        (
            "files and launchers",
            format!("cat > f <<< '{word}';{}{HIDDEN}", "unheard-of rm -r f;".repeat(500)),
        ),
        ("path", format!("rm /{};{HIDDEN}", "a/".repeat(size / 2))),
        ("upward path", format!("cat {};{HIDDEN}", "../".repeat(size / 3))),
        ("comment", format!("#{word}\n{HIDDEN}")),
        ("here-document", format!("cat <<A\n{}\nA\n{HIDDEN}", "a $b\n".repeat(size / 5))),
        ("script", format!("sh <<'A'\n{}\n{HIDDEN}\nA", "echo a;\n".repeat(size / 8))),
        ("array", format!("a=({words});{HIDDEN}")),
        ("split", format!("a='{words}';for i in $a;do for j in $a;do rm $i$j;done;done;{HIDDEN}")),
        ("loop", format!("for i in {words};do for j in {{1..99}};do rm $i;done;done;{HIDDEN}")),
        ("deletion", format!("rm {words};{HIDDEN}")),
        ("copied text", format!("a='{word}';{}{HIDDEN}", "b=$a;c=$b;".repeat(500))),
        ("compared text", format!("a='{word}';{}{HIDDEN}", "if a;then b=$a;else b=$a$a;fi;".repeat(500))),
        ("replaced text", format!("a='{word}';{}{HIDDEN}", ": ${a//a/bb} ${a##*b} ${a%%b*};".repeat(100))),
        ("split text", format!("a='{words}';{}{HIDDEN}", ": $a;".repeat(100))),
        (
            "filtered text",
            format!("echo '{words}'{}|sh;{HIDDEN}", "|sort|uniq|tr a b|rev|sed s/a/b/g".repeat(20)),
        ),
        ("compressed text", format!("echo '{words}'{}|sh;{HIDDEN}", "|gzip|gunzip|xz|xz -d".repeat(40))),
        ("compressions", format!("echo a{}|sh;{HIDDEN}", "|gzip|gunzip".repeat(size / 12))),
        (
            "pasted text",
            format!(
                "a='{words}';{}{HIDDEN}",
                "tr ' ' '\\n' <<< $a|paste -sd, |paste - - - -|sh;".repeat(100)
            ),
        ),
        (
            "translated text",
            format!("perl -e '$_=\"{word}\";{}system($_)';{HIDDEN}", "tr/a/b/;s/b/aa/g;".repeat(200)),
        ),
        (
            "substituted text",
            format!("awk 'BEGIN{{a=\"{word}\";{}system(a)}}';{HIDDEN}", "gsub(/a/,\"bb\",a);".repeat(200)),
        ),
        ("decoded text", format!("echo '{}'|base64 -d|sh;{HIDDEN}", "cm0g".repeat(size / 4))),
        ("pattern", format!("case {word} in {}b) :;; esac;{HIDDEN}", "*a".repeat(2000))),
        (
            "expression",
            format!("echo {word}|grep -E '({})*b'|sed -E 's/(a*)*b//';{HIDDEN}", "a*".repeat(1000)),
        ),
        ("number", format!(": $(({}));{HIDDEN}", "9".repeat(size))),
        ("sum", format!(": $(({}1));{HIDDEN}", "1+".repeat(size / 2))),
        ("doubling", format!("{doubled}eval \"$x64\";{HIDDEN}")),
        ("python", format!("python3 -c '{}';{HIDDEN}", "(".repeat(size))),
        ("python lines", format!("python3 -c '{}';{HIDDEN}", "a=b\n".repeat(size / 4))),
        ("perl", format!("perl -e '{}';{HIDDEN}", "system(a);".repeat(size / 10))),
        ("awk", format!("awk '{}';{HIDDEN}", "{print a}".repeat(size / 9))),
        ("javascript", format!("node -e '{}';{HIDDEN}", "a(b);".repeat(size / 5))),
        ("sed", format!("sed '{}';{HIDDEN}", "s/a/b/;".repeat(size / 7))),
        ("sql", format!("psql -c '{}';{HIDDEN}", "select a;".repeat(size / 9))),
    ];
    texts.into_iter().map(|(name, text)| (format!("large {name}"), text)).collect()
}
