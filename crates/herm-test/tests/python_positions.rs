//! Whatever Python evaluates, wherever it stands, is judged; Python itself says which places those are.

use std::io::Write;
use std::process::{Command, Stdio};

use herm_shell::Lang;
use herm_test::judge::Judge;

/// Calls that nobody may approve, or that are asked about at least.
const DANGERS: &[&str] = &[
    "__import__('os').system('rm -rf /')",
    "__import__('shutil').rmtree('/')",
    "__import__('subprocess').run(['rm', '-rf', '/'])",
    "__import__('os').execvp('rm', ['rm', '-rf', '/'])",
    "exec('import os; os.system(\"rm -rf /\")')",
];

/// What an expression can stand in, with `$` for the expression. A line of its own divides them.
const EVALUATED: &str = include_str!("python_positions/evaluated.txt");

/// Places where an expression stands and Python never evaluates it.
const SILENT: &str = include_str!("python_positions/silent.txt");

fn templates(text: &'static str) -> Vec<&'static str> {
    text.split("\n%%\n").map(|template| template.trim_matches('\n')).collect()
}

/// Runs each text with a harmless `mark()` in place of the expression; says whether it was called. Nothing for a text that this Python
/// does not read.
fn evaluated(templates: &[&str]) -> Option<Vec<Option<bool>>> {
    const PROGRAM: &str = "import sys, io, builtins\n\
        hits = []\n\
        def mark(*a, **k):\n  hits.append(1)\n  return ''\n\
        builtins.mark = mark\n\
        out = sys.stdout\n\
        for text in sys.stdin.read().split('\\0'):\n  \
          hits.clear()\n  sys.stdout = sys.stderr = io.StringIO()\n  word = None\n  \
          try:\n    code = compile(text, '<t>', 'exec', dont_inherit=True)\n  \
          except SyntaxError: word = '?'\n  \
          else:\n    \
            try: exec(code, {'__name__': '__main__'})\n    \
            except BaseException: pass\n    \
            word = '1' if hits else '0'\n  \
          sys.stdout = out\n  print(word, flush=True)\n";
    let child = Command::new("python3")
        .args(["-W", "ignore", "-c", PROGRAM])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut child = child.ok()?;
    let input = templates.iter().map(|text| text.replace('$', "mark()")).collect::<Vec<_>>().join("\0");
    child.stdin.take()?.write_all(input.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    let words = String::from_utf8(output.stdout).ok()?;
    Some(words.lines().map(|word| (word != "?").then_some(word == "1")).collect())
}

fn decision(judge: &Judge, text: &str) -> &'static str {
    judge.judge(&judge.script(Lang::Python, text)).decision.word()
}

#[test]
fn danger_at_every_evaluated_position_is_never_allowed() {
    let judge = Judge::new();
    let found = templates(EVALUATED);
    assert!(found.len() >= 150, "{} positions", found.len());
    let mut wrong = Vec::new();
    for template in &found {
        for danger in DANGERS {
            let text = template.replace('$', danger);
            if decision(&judge, &text) == "allow" {
                wrong.push(text);
            }
        }
    }
    assert!(wrong.is_empty(), "{} are allowed:\n{}", wrong.len(), wrong.join("\n--\n"));
}

#[test]
fn python_evaluates_what_is_listed_as_evaluated() {
    let found = templates(EVALUATED);
    let Some(truth) = evaluated(&found) else { return };
    assert_eq!(truth.len(), found.len());
    let wrong: Vec<_> = found.iter().zip(truth).filter(|(_, truth)| *truth == Some(false)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn danger_where_python_never_looks_is_free() {
    let judge = Judge::new();
    let found = templates(SILENT);
    if let Some(truth) = evaluated(&found) {
        let wrong: Vec<_> = found.iter().zip(truth).filter(|(_, truth)| *truth == Some(true)).collect();
        assert!(wrong.is_empty(), "Python evaluates {wrong:#?}");
    }
    let texts = found.iter().map(|template| template.replace('$', DANGERS.first().unwrap()));
    let stopped: Vec<_> = texts.filter(|text| decision(&judge, text) != "allow").collect();
    assert!(stopped.is_empty(), "{} are stopped:\n{}", stopped.len(), stopped.join("\n--\n"));
}
