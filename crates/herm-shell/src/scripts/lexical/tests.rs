//! Each word of the vocabulary, in positions of which no reader need understand any.

use super::vocabulary::{self, Outcome, Owner, Word};
use crate::effect::Verb;
use crate::gap::Position;
use crate::lang::Lang;
use crate::world::Blind;
use crate::{Analysis, Input, Limits, Setting, analyse};

fn analysis(lang: Lang, code: &str) -> Analysis {
    let setting = Setting {
        cwd: "/home/dev/project",
        home: "/home/dev",
        user: Some("dev"),
        world: &Blind,
        limits: Limits::default(),
        input: Input::default(),
    };
    analyse(code, lang, &setting)
}

/// Whether something is asked about: code that was not followed, or something that happens.
fn is_minded(found: &Analysis) -> bool {
    let is_open = |position: Position| !matches!(position, Position::Inert | Position::Read);
    let acts = |verb: Verb| !matches!(verb, Verb::Read | Verb::Connect | Verb::Send | Verb::Listen);
    found.gaps.iter().any(|gap| is_open(gap.position)) || found.effects.iter().any(|effect| acts(effect.verb))
}

/// The word as it is written where it is meant.
fn meant(lang: Lang, word: &Word) -> String {
    let join = |holder: &&str| {
        let holder = if lang == Lang::PowerShell { "$zork" } else { *holder };
        format!("{holder}{}{}", if lang == Lang::Tcl { " " } else { "." }, word.name)
    };
    match word.owner {
        Owner::Any | Owner::Bare(_) => word.name.to_owned(),
        Owner::Of(holders) => holders.first().map(join).unwrap_or_default(),
    }
}

const POSITIONS: &[(Lang, &[&str])] = &[
    (
        Lang::JavaScript,
        &[
            "zork(W)",
            "const t = {a: W}; t.a(zork)",
            "[zork, W].forEach(f => f(zork))",
            "zork.then(W)",
            "Reflect.apply(W, null, [zork])",
            "const f = W; zork.on('x', f)",
            "new Proxy(W, {})",
            "W.bind(null)(zork)",
            "zork[Symbol.iterator] = W",
            "setTimeout(W, 1, zork)",
            "({get x() { return W }}).x(zork)",
            "class A extends B { x = W }",
            "zork`${W}`",
            "for (const f of [W]) f(zork)",
            "const f = zork ? W : zork; f(zork)",
            "(zork, W)(zork)",
        ],
    ),
    (
        Lang::Lua,
        &[
            "zork(W)",
            "local t = {W}; t[1](zork)",
            "local t = {a = W}; t.a(zork)",
            "setmetatable(zork, {__index = W})",
            "setmetatable(zork, {__call = W})",
            "local f = zork or W; f(zork)",
            "pcall(W, zork)",
            "xpcall(W, print, zork)",
            "coroutine.wrap(W)(zork)",
            "return W",
            "for _, f in ipairs({W}) do f(zork) end",
            "(W)(zork)",
        ],
    ),
    (
        Lang::Perl,
        &[
            r"zork(\&W)",
            r"my %t = (a => \&W); $t{a}->(@ARGV)",
            r"my @t = (\&W); $t[0]->(@ARGV)",
            r"*zork = \&W; zork(@ARGV)",
            r#"Zork->can("W")->(@ARGV)"#,
            "goto &W",
            "&W",
            r"my $f = \&CORE::W; zork($f)",
            r"tie my $x, 'Z', \&W",
            r"local $SIG{ALRM} = \&W",
            r#"print "@{[\&W]}""#,
            r"$_ = zork; s/x/\&W/e",
            r"(\&zork, \&W)[1]->(@ARGV)",
        ],
    ),
    (
        Lang::Php,
        &[
            "call_user_func('W', $argv);",
            "array_map('W', $argv);",
            "$f = new ReflectionFunction('W'); $f->invokeArgs($argv);",
            "Closure::fromCallable('W')($argv[1]);",
            "register_shutdown_function('W', $argv[1]);",
            "zork(W(...));",
            "$f = W(...); $f($argv[1]);",
            "usort($argv, 'W');",
            "iterator_apply($argv, 'W');",
            "$argv |> W(...);",
            "set_error_handler('W');",
            "ob_start('W');",
        ],
    ),
    (
        Lang::PowerShell,
        &[
            "zork { W $args }",
            "$t = @{a = { W $args }}; & $t.a",
            "& { W $args }",
            "$zork | % { W $_ }",
            "$f = { W $args }; $f.Invoke($args)",
            "zork (W $args)",
            "if ($zork) { W $args }",
            "try { W $args } catch { }",
            "function zork { W $args }",
            "\"$(W $args)\"",
            "$x = W $args",
            "switch ($zork) { 1 { W $args } }",
        ],
    ),
    (
        Lang::R,
        &[
            "zork(W)",
            "t <- list(a = W); t$a(zork)",
            "sapply(zork, W)",
            "Map(W, zork)",
            "do.call(W, list(zork))",
            "do.call('W', list(zork))",
            "get('W')(zork)",
            "match.fun('W')(zork)",
            "f <- if (zork) W else print; f(zork)",
            "Reduce(W, zork)",
            "on.exit(W)",
            "(W)(zork)",
            "tryCatch(zork, error = W)",
        ],
    ),
    (
        Lang::Ruby,
        &[
            "zork(method(:W))",
            "t = {a: method(:W)}; t[:a].call(zork)",
            "zork.each(&method(:W))",
            "Object.instance_method(:W).bind(zork).call(zork)",
            "zork.public_send(:W, zork)",
            "zork.__send__(:W, zork)",
            "Kernel.method(:W).to_proc.(zork)",
            "zork.map(&Kernel.method(:W))",
            "zork.then(&method('W'))",
            "f = Zork.public_method(:W); f[zork]",
            "at_exit(&method(:W))",
            "trap('INT', &Kernel.method(:W))",
        ],
    ),
    (
        Lang::Tcl,
        &[
            "lmap x $argv {W $x}",
            "proc unknown {args} {W {*}$args}",
            "interp alias {} zork {} W",
            "rename W zork",
            "trace add variable x write {W $argv}",
            "zork {W $argv}",
            "set f {W}; zork $f",
            "apply {{x} {W $x}} $argv",
            "coroutine c apply {{} {W $argv}}",
            "oo::class create Z {method m {} {W $argv}}",
            "if {[catch {W $argv}]} {}",
            "puts \"[W $argv]\"",
        ],
    ),
];

fn of(table: &'static [(Lang, &[&str])], lang: Lang) -> &'static [&'static str] {
    table.iter().find(|(known, _)| *known == lang).map_or(&[], |(_, rows)| *rows)
}

#[test]
fn word_is_never_passed_over_in_silence() {
    let mut silent = Vec::new();
    for (lang, _) in NEAR_MISSES {
        for word in vocabulary::of(*lang) {
            for position in of(POSITIONS, *lang) {
                // What is only known by the name of what holds it cannot be named without.
                let needs_holder = matches!(word.owner, Owner::Of(_))
                    && !matches!(lang, Lang::JavaScript | Lang::Lua | Lang::Tcl | Lang::PowerShell);
                let code = position.replace('W', &meant(*lang, word));
                if !needs_holder && !is_minded(&analysis(*lang, &code)) {
                    silent.push(format!("{}: {code}", lang.name()));
                }
            }
        }
    }
    assert!(silent.is_empty(), "{} are silent:\n{}", silent.len(), silent.join("\n"));
}

/// Texts that speak of a word, and do nothing with it.
const NEAR_MISSES: &[(Lang, &[&str])] = &[
    (Lang::Awk, &["# W\nBEGIN { print 1 }", "BEGIN { print \"the W call\" }"]),
    (
        Lang::JavaScript,
        &[
            "// W(x)\nconsole.log(1)",
            "console.log('the W(x) call')",
            "console.log('W')",
            "const s = text.replace('W', 'other'); console.log(s)",
            "class A { W(x) { return x } }",
            "const a = { W(x) { return x } }; console.log(a)",
            "const a = { W: 1 }; console.log(a)",
            "import { W } from './zork.js'",
            "const { W } = require('./zork')",
        ],
    ),
    (
        Lang::Lua,
        &[
            "-- W(x)\nprint(1)",
            "print('the W(x) call')",
            "print('W')",
            "local function W(x) return x end\nprint(1)",
            "local t = {W = 1}\nprint(t)",
        ],
    ),
    (
        Lang::Perl,
        &[
            "# W(x)\nprint 1",
            "print 'the W(x) call'",
            "print 'W'",
            "sub W { 1 } print 1",
            "my %t = (W => 1); print %t",
            "$s =~ s/W\\(x\\)/y/; print $s",
        ],
    ),
    (
        Lang::Php,
        &[
            "// W(x)\necho 1;",
            "echo 'the W(x) call';",
            "echo 'W';",
            "class A { function W($x) { return $x; } }",
            "$a = ['role' => 'W']; print_r($a);",
            "echo str_replace('W', 'y', $s);",
        ],
    ),
    (Lang::PowerShell, &["# W x\nWrite-Output 1", "Write-Output 'the W call'", "<# W #> Write-Output 1"]),
    (Lang::R, &["# W(x)\nprint(1)", "print('the W(x) call')", "print('W')", "W <- function(x) x"]),
    (
        Lang::Ruby,
        &[
            "# W(x)\nputs 1",
            "puts 'the W(x) call'",
            "puts 'W'",
            "def W(x) = x",
            "def self.W(x)\n  x\nend",
            "t = {W: 1}\nputs t",
            "puts text.gsub('W', 'y')",
        ],
    ),
    (Lang::Tcl, &["# W x\nputs 1", "puts \"the W call\"", "proc W {x} {return $x}"]),
];

#[test]
fn word_that_is_only_spoken_of_is_free() {
    let mut minded = Vec::new();
    for (lang, _) in NEAR_MISSES {
        for word in vocabulary::of(*lang) {
            for text in of(NEAR_MISSES, *lang) {
                let code = text.replace('W', word.name);
                let found = analysis(*lang, &code);
                if is_minded(&found) {
                    minded.push(format!("{}: {code} {:?}", lang.name(), found.gaps));
                }
            }
        }
    }
    assert!(minded.is_empty(), "{} are minded:\n{}", minded.len(), minded.join("\n"));
}

#[test]
fn call_that_was_followed_accounts_for_its_name() {
    let rows = [
        (Lang::Awk, "BEGIN { system(\"ls\") }"),
        (
            Lang::JavaScript,
            "require('child_process').execSync('ls'); [1].map(x => require('child_process').spawnSync('ls'))",
        ),
        (Lang::JavaScript, "class A { rmdir() { return 2 } } new A().rmdir()"),
        (Lang::Lua, "os.execute('ls'); local f = io.popen('ls'); table.remove({}, 1)"),
        (Lang::Perl, "system('ls'); print `ls`; exec 'ls' if fork;"),
        (Lang::Php, "system('ls'); echo shell_exec('ls'); $pdo->exec('select 1');"),
        (Lang::Ruby, "system('ls'); puts `ls`; fork { exec 'ls' }; db.exec('select 1')"),
        (Lang::R, "system('ls'); system2('ls', '-l')"),
        (Lang::Tcl, "exec ls; proc show {x} {exec ls $x}; show a; foreach f {a b} {puts [exec ls $f]}"),
        (Lang::PowerShell, "Invoke-Expression 'ls'; Start-Process ls"),
    ];
    for (lang, code) in rows {
        let found = analysis(lang, code);
        assert!(
            !found.gaps.iter().any(|gap| gap.position == Position::Unfollowed),
            "{code}: {:?}",
            found.gaps
        );
    }
}

#[test]
fn every_outcome_is_one_of_a_kind() {
    let all = [Outcome::CHANGE, Outcome::END, Outcome::START];
    for (lang, _) in NEAR_MISSES {
        for word in vocabulary::of(*lang) {
            assert!(all.contains(&word.outcome), "{}", word.name);
            assert!(word.name.len() > 1, "{}", word.name);
        }
    }
}
