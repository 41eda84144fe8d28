//! Programs that hide what they do behind what is followed.

use super::recorder::said;

/// What each of these runs.
const RUN: &str = "shell: rm -rf /x";

fn runs(program: &str) {
    let lines = said(&format!("import os\n{program}"));
    assert!(lines.iter().any(|line| line.contains(RUN)), "{program}\nsays {lines:?}");
}

#[test]
fn a_late_turn_of_a_loop_counts() {
    runs("for i in range(300):\n  if i == 299: os.system('rm -rf /x')");
    runs("for c in ['ls'] * 400 + ['rm -rf /x']: os.system(c)");
    runs("[os.system(c) for c in ['ls'] * 400 + ['rm -rf /x']]");
    runs("list(map(os.system, ['ls'] * 400 + ['rm -rf /x']))");
    runs("list(map(lambda a, b: os.system(a + b), ['ls '] * 400 + ['rm '], ['x'] * 400 + ['-rf /x']))");
    runs("sorted(['ls'] * 400 + ['rm -rf /x'], key=os.system)");
    runs("def g():\n  for i in range(200): yield 'ls'\n  yield 'rm -rf /x'\nfor c in g(): os.system(c)");
    runs("l = ['ls'] * 5000\nl.append('rm -rf /x')\nfor c in l: os.system(c)");
}

#[test]
fn what_a_loop_counts_is_forgotten_where_its_turns_are_not_known() {
    runs("n = 0\nwhile True:\n  n += 1\n  if n == 5: os.system('rm -rf /x')");
    runs("n = 0\nwhile n < 900:\n  n += 1\n  if n == 899: os.system('rm -rf /x')");
    runs("n = 0\nfor line in open('f'):\n  n += 1\n  if n == 5: os.system('rm -rf /x')");
    runs("for n, line in enumerate(os.listdir('.')):\n  if n == 5: os.system('rm -rf /x')");
    runs("d = {'n': 0}\nwhile input():\n  d['n'] += 1\n  if d['n'] == 5: os.system('rm -rf /x')");
    runs("l = [0]\nwhile input():\n  l[0] += 1\n  if l[0] == 5: os.system('rm -rf /x')");
    runs(
        "class C:\n  n = 0\n  def go(self):\n    self.n += 1\n    if self.n == 5: os.system('rm -rf /x')\n\
         c = C()\nwhile input(): c.go()",
    );
    runs(
        "n = 0\ndef go():\n  global n\n  n += 1\n  if n == 5: os.system('rm -rf /x')\n\
         def main():\n  while input(): go()\nmain()",
    );
}

#[test]
fn a_function_that_calls_itself_is_followed_to_its_end() {
    runs("def f(n):\n  if n == 0: os.system('rm -rf /x')\n  else: f(n - 1)\nf(100)");
    runs(
        "def f(n, c):\n  if n > 9: os.system(c)\n  else: f(n + 1, 'rm -rf /x' if n == 6 else c)\nf(0, 'ls')",
    );
}

#[test]
fn one_of_many_may_be_each() {
    let functions: String = (0..40).map(|n| format!("def f{n}(): print({n})\n")).collect();
    let names: String = (0..40).map(|n| format!("'k{n}': f{n}, ")).collect();
    runs(&format!("{functions}def last(): os.system('rm -rf /x')\nd = {{{names}'x': last}}\nd[input()]()"));
    let many: String = (0..400).map(|n| format!("{n}: lambda: print({n}), ")).collect();
    let hidden = format!("import os\nd = {{{many}'x': lambda: os.system('rm -rf /x')}}\nd[input()]()");
    assert!(said(&hidden).iter().any(|line| line.starts_with("gap")), "{:?}", said(&hidden));
    let names = format!("{{{}}}", (0..40).map(|n| format!("'k{n}': 'c{n}', ")).collect::<String>());
    assert!(said(&format!("print({names}[input()].upper())")).is_empty());
    let commands: String = (0..40).map(|n| format!("'k{n}': 'c{n}', ")).collect();
    let program = format!("import os, sys\nd = {{{commands}}}\nos.system(d[sys.argv[1]])");
    assert!(said(&program).iter().any(|line| line.contains("one of many")), "{:?}", said(&program));
}

#[test]
fn calls_that_are_too_deep_are_said() {
    let calls: String = (1..40).map(|n| format!("def f{n}(): f{}()\n", n - 1)).collect();
    let lines = said(&format!("import os\ndef f0(): os.system('rm -rf /x')\n{calls}f39()"));
    assert!(lines.iter().any(|line| line.starts_with("gap")), "{lines:?}");
}

#[test]
fn classes_that_build_on_too_many_are_said() {
    let classes = |count: usize| -> String {
        (1..count).map(|n| format!("class C{n}(C{}):\n  def a{n}(self): pass\n", n - 1)).collect()
    };
    let program = |count| {
        let last = count - 1;
        format!("class C0:\n  def go(self): os.system('rm -rf /x')\n{}C{last}().go()", classes(count))
    };
    runs(&program(30));
    let lines = said(&format!("import os\n{}", program(60)));
    assert!(lines.iter().any(|line| line.starts_with("gap")), "{lines:?}");
}

#[test]
fn what_is_below_a_known_place_stays_there() {
    let lines = said(
        "from pathlib import Path\ndef clean(path):\n  for one in path.iterdir():\n    if one.is_dir(): clean(one)\n\
         \x20   else: one.unlink()\n  path.rmdir()\nclean(Path('build'))",
    );
    let deleted: Vec<_> = lines.iter().filter(|line| line.starts_with("Delete")).collect();
    assert!(!deleted.is_empty() && deleted.iter().all(|line| line.contains("build")), "{lines:?}");
}
