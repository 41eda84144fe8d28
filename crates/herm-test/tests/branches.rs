//! Wrapping an assignment in a branch never loosens the verdict, in any language that is read.

use herm_shell::Lang;
use herm_test::judge::Judge;
use herm_test::wrap::Dice;

/// How many programs are made up.
const TRIES: usize = 2_000;
/// How deeply branches nest.
const DEPTH: usize = 3;

/// How a language writes what the programs are made of. `@` stands for the text, the statement or the body.
struct Grammar {
    lang: Lang,
    /// The first value, in a statement.
    start: &'static str,
    /// Ways to give the variable another value.
    assignments: &'static [&'static str],
    /// Ways in which a statement may run, may not run or not run to its end.
    branches: &'static [&'static str],
    /// What runs the variable as a command.
    sinks: &'static [&'static str],
}

const GRAMMARS: &[Grammar] = &[
    Grammar {
        lang: Lang::JavaScript,
        start: "let x = '@';",
        assignments: &["x = '@';", "[x] = ['@'];", "x = String('@');", "x = '' + '@';", "x = y = '@';"],
        branches: &[
            "if (c) { @ }",
            "if (c) @",
            "if (c) { f() } else { @ }",
            "if (c) { f() } else if (d) { @ }",
            "for (const i of list) { @ }",
            "for (let i = 0; i < n; i++) @",
            "while (c) { @ }",
            "do { if (c) break; @ } while (d);",
            "switch (c) { case 1: @ break; default: f() }",
            "try { f(); @ } catch (e) { g() }",
            "try { f() } catch (e) { @ }",
            "const h = () => { @ }; if (c) h();",
            "function k() { if (c) return; @ } k();",
            "list.forEach(i => { @ });",
            "setTimeout(function () { @ }, 1);",
            "(async () => { if (await c()) { @ } })();",
        ],
        sinks: &["require('child_process').execSync(x)", "require('child_process').execSync(`${x}`)"],
    },
    Grammar {
        lang: Lang::Perl,
        start: "my $x = '@';",
        assignments: &["$x = '@';", "($x) = ('@');", "$x = '' . '@';", "$x = $y // '@';"],
        branches: &[
            "if ($c) { @ }",
            "unless ($c) { @ }",
            "if ($c) { f() } elsif ($d) { @ } else { g() }",
            "for my $i (f()) { @ }",
            "while ($c) { last if $d; @ }",
            "until ($c) { @ }",
            "eval { die; @ };",
            "{ last if $c; @ }",
            "sub h { return if $c; @ } h();",
            "do { @ } if $c;",
            "$c and do { @ };",
        ],
        sinks: &["system $x;", "system(\"$x\");", "exec $x;", "`$x`;"],
    },
    Grammar {
        lang: Lang::Ruby,
        start: "x = '@'",
        assignments: &["x = '@'", "x = '' + '@'", "x, y = '@', 1"],
        branches: &[
            "if c\n@\nend",
            "unless c\n@\nelse\nf\nend",
            "case c\nwhen 1 then f\nwhen 2\n@\nend",
            "while c\nbreak if d\n@\nend",
            "begin\nraise 'a'\n@\nrescue\nf\nend",
            "begin\nf\nrescue\n@\nend",
            "list.each do |i|\n@\nend",
            "list.each { |i| @ }",
            "3.times { next if c; @ }",
        ],
        sinks: &["system x", "system(\"#{x}\")", "exec(x)", "`#{x}`"],
    },
    Grammar {
        lang: Lang::Php,
        start: "$x = '@';",
        assignments: &["$x = '@';", "[$x] = ['@'];", "$x = '' . '@';"],
        branches: &[
            "if ($c) { @ }",
            "if ($c) @",
            "if ($c) { f(); } else { @ }",
            "foreach ($l as $i) { @ }",
            "while ($c) { if ($d) break; @ }",
            "switch ($c) { case 1: @ break; }",
            "try { f(); @ } catch (E $e) { }",
            "do { @ } while ($c);",
            "$c && g(function () use (&$x) { @ });",
        ],
        sinks: &["system($x);", "exec($x);", "shell_exec(\"$x\");"],
    },
    Grammar {
        lang: Lang::Lua,
        start: "x = '@'",
        assignments: &["x = '@'", "x = '' .. '@'", "x, y = '@', 1"],
        branches: &[
            "if c then @ end",
            "if c then f() else @ end",
            "if c then f() elseif d then @ end",
            "while c do @ end",
            "for i = 1, 0 do @ end",
            "repeat if c then break end @ until d",
            "pcall(function() error(1) @ end)",
            "do local y = 1 @ end",
        ],
        sinks: &["os.execute(x)", "io.popen(x)"],
    },
    Grammar {
        lang: Lang::R,
        start: "x <- '@'",
        assignments: &["x <- '@'", "x <- paste0('', '@')"],
        branches: &[
            "if (c) { @ }",
            "if (c) @",
            "for (i in l) { @ }",
            "while (c) { if (d) break; @ }",
            "tryCatch({ stop(1); @ }, error = function(e) 0)",
            "f <- function() { @ }; f()",
        ],
        sinks: &["system(x)"],
    },
    Grammar {
        lang: Lang::Awk,
        start: "BEGIN { x = \"@\" }",
        assignments: &["x = \"@\"", "x = \"\" \"@\""],
        branches: &[
            "BEGIN { if (c) @ }",
            "BEGIN { if (c) { @ } else { y = 1 } }",
            "BEGIN { while (c) { @ } }",
            "BEGIN { for (i = 0; i < n; i++) @ }",
            "/never/ { @ }",
        ],
        sinks: &["BEGIN { system(x) }", "BEGIN { x | getline y }"],
    },
    Grammar {
        lang: Lang::Tcl,
        start: "set x {@}",
        assignments: &["set x {@}", "set y 1; set x {@}"],
        branches: &[
            "if {$c} { @ }",
            "if {$c} { f } else { @ }",
            "while {$c} { @ }",
            "foreach i $l { @ }",
            "for {set i 0} {$i < 2} {incr i} { @ }",
            "catch { error a; @ }",
            "switch $c { a { @ } b { set y 2 } }",
            "try { @ } on error e { set y 2 }",
        ],
        sinks: &["exec sh -c $x", "exec sh -c \"$x\""],
    },
    Grammar {
        lang: Lang::PowerShell,
        start: "$x = '@'",
        assignments: &["$x = '@'", "[string]$x = '@'", "$x = '' + '@'"],
        branches: &[
            "if ($c) { @ }",
            "if ($c) { f } else { @ }",
            "if ($c) { f } elseif ($d) { @ }",
            "while ($c) { @ }",
            "foreach ($i in $l) { @ }",
            "try { throw 1; @ } catch { $y = 2 }",
            "switch ($c) { 1 { @ } }",
            "$l | % { @ }",
            "& { @ }",
        ],
        sinks: &["iex $x", "Invoke-Expression \"$x\""],
    },
];

const HARMLESS: &[&str] = &["ls", "date", "pwd"];

fn pick<'t>(dice: &mut Dice, from: &'t [&'static str]) -> &'t str {
    from.get(dice.below(from.len())).copied().unwrap_or_default()
}

/// The same program without and with branches around what gives the variable a harmless value.
fn program(dice: &mut Dice, grammar: &Grammar) -> String {
    let mut text = vec![grammar.start.replace('@', "rm -rf /")];
    for _ in 0..=dice.below(2) {
        let mut statement = pick(dice, grammar.assignments).replace('@', pick(dice, HARMLESS));
        let awk = matches!(grammar.lang, Lang::Awk);
        for _ in 0..=if awk { 0 } else { dice.below(DEPTH) } {
            statement = pick(dice, grammar.branches).replacen('@', &statement, 1);
        }
        text.push(statement);
    }
    text.push(pick(dice, grammar.sinks).to_owned());
    text.join("\n")
}

#[test]
fn assignment_in_a_branch_never_loosens() {
    let judge = Judge::new();
    let mut dice = Dice::new(21);
    let mut wrong = Vec::new();
    for at in 0..TRIES {
        let Some(grammar) = GRAMMARS.get(at % GRAMMARS.len()) else { continue };
        let text = program(&mut dice, grammar);
        let ruling = judge.judge(&judge.script(grammar.lang, &text));
        if ruling.decision.word() != "deny" {
            wrong.push(format!("{:?} {:?}\n{text}\n", grammar.lang, ruling.decision.word()));
        }
    }
    let shown: Vec<_> = wrong.iter().take(12).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} of {TRIES} loosened:\n{}", wrong.len(), shown.join("\n"));
}

/// Code that a person may well write, in which a variable changes in branches.
const EVERYDAY: &[(Lang, &str)] = &[
    (
        Lang::JavaScript,
        "let c = 'npm test'; if (process.env.CI) c = 'npm run test:ci'; require('child_process').execSync(c)",
    ),
    (Lang::JavaScript, "let out = ''; for (const f of ['a', 'b']) { out += f + ','; } console.log(out)"),
    (Lang::JavaScript, "let n = 0; for (let i = 0; i < 9; i++) { n = n + i } console.log(n)"),
    (
        Lang::Perl,
        "my %n; while (<STDIN>) { chomp; $n{$_}++; } for my $k (sort keys %n) { print \"$k $n{$k}\\n\" }",
    ),
    (Lang::Ruby, "a = []; a << 'x'; a << 'y' if ENV['B']; puts a.join(',')"),
    (Lang::Php, "$s = 0; foreach ([1, 2] as $i) { if ($i > 1) { $s = $s + $i; } } echo $s;"),
    (Lang::Awk, "{ if ($1 > m) m = $1; s = s + $2 } END { print m, s }"),
    (Lang::R, "x <- c(1, 2); if (length(x) > 1) x <- x[1]; print(x)"),
    (Lang::Lua, "local s = '' for i = 1, 3 do s = s .. i end print(s)"),
    (Lang::Tcl, "set n 0; foreach i {1 2 3} { set n [expr {$n + $i}] }; puts $n"),
    (Lang::PowerShell, "$n = 0; foreach ($i in 1..3) { $n += $i }; Write-Output $n"),
];

#[test]
fn everyday_branches_are_free() {
    let judge = Judge::new();
    let mut wrong = Vec::new();
    for (lang, text) in EVERYDAY {
        let ruling = judge.judge(&judge.script(*lang, text));
        if ruling.decision.word() != "allow" {
            wrong.push(format!("{lang:?} {:?} {text}", ruling.decision.word()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
