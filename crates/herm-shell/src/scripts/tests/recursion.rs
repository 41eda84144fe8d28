//! Functions that call themselves.

use super::recorder::{check, said, silent};
use crate::lang::Lang;

const LANG: Lang = Lang::JavaScript;

#[test]
fn functions_that_call_themselves_are_read_to_their_end() {
    silent(
        LANG,
        &[
            "function f(n) { return n ? n * f(n - 1) : 1 } console.log(f(9))",
            "const f = n => n < 2 ? n : f(n - 1) + f(n - 2); f(20)",
            "function even(n) { return odd(n - 1) } function odd(n) { return even(n - 1) } even(8)",
            "let sent = 0; function send() { sock.send('x' + sent, err => { sent++; setImmediate(send); \
             sock.once('writable', send) }) } send()",
            "function visit(n) { visit(n.a); visit(n.b); visit(n.c); visit(n.d); visit(n.e); visit(n.f) } visit(tree)",
            "const expr = () => { term(); term() }, term = () => { factor(); factor() }, \
             factor = () => { expr(); expr() }; expr()",
        ],
    );
    silent(Lang::Perl, &["sub f { my ($n) = @_; return $n ? f($n - 1) : 0 } print f(9);"]);
    silent(Lang::Ruby, &["def f(n)\n n.zero? ? 1 : n * f(n - 1)\nend\nputs f(9)"]);
}

#[test]
fn calls_of_itself_could_be_about_anything() {
    const RUN: &str = "const {execSync} = require('child_process');";
    let text = |code: &str| format!("{RUN} {code}");
    let run = text("function f(c) { execSync(c); f(c + 'x') } f('id')");
    check(LANG, &[(&run, "shell: id"), (&run, "shell: c <outside>")]);
    let handed = text("function f(g, n) { g('halt'); f(execSync, n) } f(console.log, 3)");
    check(LANG, &[(&handed, "shell: halt")]);
    let built = text("let x = 'r'; function f(n) { x += 'm'; f(n - 1) } f(9); execSync(x)");
    check(LANG, &[(&built, "shell: x <outside>")]);
    let fetched =
        text("async function f(c) { execSync(c); f(await (await fetch('http://h/x')).text()) } f('id')");
    assert!(
        said(LANG, &fetched).iter().any(|line| line.starts_with("shell: c") && line.contains("<network>")),
        "{:#?}",
        said(LANG, &fetched)
    );
}

#[test]
fn what_calls_itself_with_ever_other_functions_is_too_deep() {
    let calls = ["a", "b", "c", "d", "e", "g"].map(|name| format!("f(() => {name});")).concat();
    let code = format!("function f(g) {{ g(); {calls} }} f(() => 9)");
    check(LANG, &[(&code, "gap Code Depth javascript")]);
}

#[test]
fn generator_that_walks_hands_out_what_lies_below() {
    let text = "const fs = require('fs'), path = require('path'); function* w(d) { for (const n of fs.readdirSync(d)) \
                { const p = path.join(d, n); if (n.x) yield* w(p); else yield p } } \
                for (const f of w('src')) fs.rmSync(f)";
    let said = said(LANG, text);
    let deletions: Vec<_> = said.iter().filter(|line| line.starts_with("Delete")).collect();
    assert!(!deletions.is_empty() && deletions.iter().all(|line| line.contains("src/")), "{said:#?}");
}

#[test]
fn another_call_leaves_the_variables_of_this_one_alone() {
    const RUN: &str = "const {execSync} = require('child_process');";
    let own = format!("{RUN} function f(n) {{ const c = 'id'; if (n) f(n - 1); execSync(c) }} f(3)");
    assert!(!said(LANG, &own).iter().any(|line| line.starts_with("shell: c")), "{:#?}", said(LANG, &own));
}
