//! Nothing may panic, overflow the stack or take forever.

use std::time::{Duration, Instant};

use super::recorder::said;
use crate::lang::Lang;
use crate::random::Random;

const LANGS: &[Lang] = &[
    Lang::Awk,
    Lang::Cmd,
    Lang::Debugger,
    Lang::Ex,
    Lang::JavaScript,
    Lang::Lua,
    Lang::Make,
    Lang::Other("other"),
    Lang::Other("lisp"),
    Lang::Perl,
    Lang::Php,
    Lang::PowerShell,
    Lang::R,
    Lang::Ruby,
    Lang::Sed,
    Lang::Sql,
    Lang::Tcl,
];

fn survives(text: &str) {
    for lang in LANGS {
        let start = Instant::now();
        said(*lang, text);
        let took = start.elapsed();
        assert!(
            took < Duration::from_secs(20),
            "{} took {took:?} for {:?}",
            lang.name(),
            text.chars().take(40).collect::<String>()
        );
    }
}

#[test]
fn deep_nesting_is_survived() {
    let most = 2_000;
    for unit in [
        "(",
        "[",
        "{",
        "f(",
        "x=>",
        "\"#{",
        "`${",
        "$(",
        "${",
        "[exec ",
        "a.b(",
        "function(){",
        "{|x|",
        "-",
        "!",
        "eval \"",
        "x?",
        "a:",
        "sub{",
    ] {
        survives(&unit.repeat(most));
    }
}

#[test]
fn long_texts_are_survived() {
    for unit in [
        "a ", "a=a+a;", "$x.=$x;", "system(", "'", "\"", "\\", "<<EOF\n", "/", "q(", "%w[", "--", "/*",
        "x\n", "é", "a[", "s/", "$a{", "a,",
    ] {
        survives(&unit.repeat((1 << 14) / unit.len()));
    }
    survives(&"x".repeat(1 << 18));
    survives(&"f(x);\n".repeat((1 << 16) / 6));
}

#[test]
fn doubling_texts_stay_small() {
    let mut text = String::from("$a='xxxxxxxxxx';");
    text.push_str(&"$a=$a.$a;".repeat(64));
    text.push_str("system($a);");
    survives(&text);
    let mut functions = String::new();
    for n in 0..40 {
        let m = n + 1;
        functions = format!("{functions}function f{n}(){{f{m}();f{m}();f{m}()}}\n");
    }
    functions.push_str("f0()");
    survives(&functions);
    survives("function f(){f();f()} f()");
    survives(&format!("a=[{}]; a.map(x=>a.map(y=>a.map(z=>a)))", "1,".repeat(3000)));
}

#[test]
fn token_soup_is_survived() {
    const PIECES: &[&str] = &[
        "(", ")", "[", "]", "{", "}", "\"", "'", "`", "$", "@", "%", "&", "#", "\\", "/", "=", "=>", "->",
        ".", "::", ",", ";", "\n", " ", "x", "system", "eval", "map", "print", "function", "sub", "do",
        "end", "while", "1", "q{", "s/", "<<A", "<", ">", "|", "é", "\0", "open", "require", "new", "return",
        "+", "DROP", "TABLE", "exec", "!", "?", ":", "for", "#{", "*", "-",
    ];
    let mut random = Random::new();
    for _ in 0..200 {
        let mut text = String::new();
        for _ in 0..120 {
            text.push_str(random.one_of(PIECES));
        }
        survives(&text);
    }
}
