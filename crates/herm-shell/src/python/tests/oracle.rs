//! Python itself says what is valid, and what is called.

#![expect(clippy::disallowed_methods, reason = "the oracle is another program, and its files")]

use std::process::{Command, Stdio};

use super::super::ast::{Action, Argument, Block, Body, Expression, Node, Step, TextPart};
use super::super::{is_valid, parser};

const VALID: &[&str] = &[
    "x = 1",
    "x: int = 1",
    "x: int",
    "x += 1",
    "a = b = c",
    "a, *b = c",
    "(a, b), c = d",
    "[a, b] = c",
    "x.y, z[0] = 1, 2",
    "del a, b[0], c.d",
    "if x: pass",
    "if x:\n  pass\nelif y:\n  pass\nelse:\n  pass",
    "while x: break\nelse: pass",
    "for a, b in c: continue\nelse: pass",
    "for x in *a, b: pass",
    "try:\n  pass\nexcept:\n  pass",
    "try:\n  pass\nexcept* (A, B) as e:\n  pass\nelse:\n  pass\nfinally:\n  pass",
    "try: pass\nfinally: pass",
    "with a as b, c: pass",
    "with (a as b, c as d,): pass",
    "with (a): pass",
    "with (a, b): pass",
    "with (yield x): pass",
    "with a() as (b, c), d as e.f: pass",
    "def f(a, /, b, *, c=1, **d) -> int: return",
    "def f(*args: int, k: str = 'a', **kw: dict): pass",
    "def f(a=1, *b, c): pass",
    "async def f():\n  await x\n  async for a in b: pass\n  async with c as d: pass\n  return [x async for x in y]",
    "class A(B, metaclass=C, *d, **e): x = 1",
    "@a.b(c)\n@(lambda f: f)\ndef g(): pass",
    "lambda: 0",
    "lambda *a, b=1, **c: (a, b)",
    "lambda x, /: x",
    "x = yield",
    "x = yield a, b",
    "def f(): yield from g()",
    "return_ = (yield)",
    "a if b else c",
    "not a and b or c",
    "a < b <= c != d is not e not in f",
    "-a ** -b",
    "a @ b // c % d << e >> f & g ^ h | i",
    "[x for x in y if z if w for v in x]",
    "{x: y for x, y in z}",
    "{x for x in y}",
    "(x for x in y)",
    "f(x for x in y)",
    "f(*a, b, *c, d=e, **g)",
    "f(a)(b)[c].d",
    "x[1:2, ::3, ...]",
    "x[a:=1]",
    "x[*a]",
    "x[:]",
    "(a := b)",
    "f(a := 1)",
    "{*a, *b}",
    "{**a, 'b': c}",
    "[*a, b]",
    "'a' \"b\" '''c\nd''' r'\\' rb'x'[0]",
    "b'a' b'b'",
    "f'{a}' 'b' f\"{c!r:>{d}}\"",
    "f'{x = }'",
    "f'{a:{b}.{c}}'",
    "f'{{}}'",
    "f'{a[\"b\"]}'",
    "f'{(lambda x: x)(1)}'",
    "f'{a if b else c}'",
    "f'{x:%H:%M}'",
    "f'''{\na\n}'''",
    "rf'\\{x}'",
    "f'\\N{DASH}{x}'",
    "f'{x!r}'",
    "f'{a != b}'",
    "f'{x,}'",
    "f'{*a, b}'",
    "f'{yield_}'",
    "0x1F + 0o17 + 0b11 + 1_000 + 1.5e-3 + .5 + 5. + 1j + 1_0.0_1e1_0",
    "1if x else 2",
    "x = 1if y else 0",
    "import a.b as c, d",
    "from . import a",
    "from .a import (b as c, d,)",
    "from ... import x",
    "from a import *",
    "global a, b",
    "assert a, b",
    "raise",
    "raise A from B",
    "match x:\n  case 1 | -2.5 | 1+2j | 'a' 'b' | None: pass\n  case [a, *_, b] | (a, b): pass\n  case {'k': v, **rest}: pass\n  case A.B(c, d=e) as f if g: pass\n  case _: pass",
    "match = 1\nmatch[0]\nmatch(x)\nprint(match, case)",
    "match x, y:\n  case a, b: pass",
    "match (x):\n  case (): pass",
    "type = 1\ntype(x)",
    "case = 1",
    "_ = 1",
    "x = (\n  1,\n\n  # c\n  2\n)",
    "x = 1 \\\n  + 2",
    "if x:\n\ty\n\tz",
    "if x:\n  a\n\n# c\n  b\n",
    "a; b; c;",
    "",
    "\n\n",
    "# only",
    "\u{feff}x = 1",
    "x = 1\r\ny = 2\r\n",
    "é = 1",
    "def f():\n  '''doc'''",
    "x = ...",
    "async_ = 1",
    "print",
    "print(a, file=b)",
    "exec(a)",
    "exec('a') if b else c",
    "x = `1`",
];

const INVALID: &[&str] = &[
    "x =",
    "= 1",
    "f() = 1",
    "1 = x",
    "a + b = c",
    "(a := 1) = 2",
    "x y",
    "if x pass",
    "if x:\npass",
    "  x = 1\n y = 2",
    "def f(:",
    "def f(a=1, b): pass",
    "class",
    "for x y: pass",
    "for f() in x: pass",
    "while: pass",
    "try: pass",
    "with: pass",
    "import",
    "from a import",
    "from import b",
    "(",
    ")",
    "(1, 2",
    "[1",
    "{1: }",
    "{1, 2: 3}",
    "'abc",
    "\"\"\"abc",
    "f'{'",
    "f'}'",
    "f'{}'",
    "f'{a b}'",
    "b'a' 'b'",
    "a ? b",
    "x = $1",
    "lambda x",
    "return_ x",
    "a if b",
    "not",
    "a <",
    "a **",
    "f(a b)",
    "f(a=1, b)",
    "x[",
    "del f()",
    "del *a",
    "else: pass",
    "elif x: pass",
    "except: pass",
    "@x",
    "@x\ny = 1",
    "async x",
    "1__0",
    "0x",
    "1_",
    "(*a)",
    "a, b += 1",
    "x: int: str",
    "*",
    "**a",
    "assert",
    "global",
    "raise from x",
    "match x:\n  pass\n  y z",
    "yield x y",
    "€ = 1",
    "x = 1 +",
    "if x:\n  a\n b",
    "def f(*): pass",
    "def f(**a, b): pass",
    "def f(*a, *b): pass",
];

/// Where Python 3.11 is stricter or more lenient than what is read here, on purpose.
fn differs_on_purpose(text: &str) -> bool {
    text == "def f(*): pass"
}

/// Runs a Python program over input and gives its output, or says why not.
fn python(program: &str, input: &str) -> Option<String> {
    use std::io::Write;
    let child = Command::new("python3")
        .args(["-W", "ignore", "-c", program])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        println!("skipped: python3 is not here");
        return None;
    };
    let mut stdin = child.stdin.take()?;
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().ok()?;
    writer.join().ok()?.ok()?;
    String::from_utf8(output.stdout).ok()
}

#[test]
fn acceptance_agrees_on_a_list() {
    const PROGRAM: &str = "import sys, ast\nfor t in sys.stdin.read().split('\\0'):\n  try: ast.parse(t.encode()); print(1)\n  except (SyntaxError, ValueError): print(0)\n";
    let texts: Vec<&str> =
        VALID.iter().chain(INVALID).copied().filter(|text| !differs_on_purpose(text)).collect();
    let Some(output) = python(PROGRAM, &texts.join("\0")) else { return };
    let expected: Vec<bool> = output.lines().map(|line| line == "1").collect();
    assert_eq!(expected.len(), texts.len());
    let wrong: Vec<_> = texts.iter().zip(expected).filter(|(text, valid)| is_valid(text) != *valid).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Texts of one line that are slightly wrong.
fn spoilt(text: &str) -> impl Iterator<Item = String> {
    text.char_indices().flat_map(move |(at, c)| {
        let (before, after) = text.split_at(at);
        let rest = after.get(c.len_utf8()..).unwrap_or_default();
        let inserted = ["'", "\"", "(", ")", "[", "}", "$", "?", "!", "#", ";", "\\"]
            .map(|sign| format!("{before}{sign}{after}"));
        std::iter::once(format!("{before}{rest}")).chain(inserted)
    })
}

#[test]
fn text_that_is_said_to_run_nothing_is_refused_by_python() {
    const PROGRAM: &str = "import sys, warnings\nwarnings.simplefilter('ignore')\nfor t in sys.stdin.read().split('\\0'):\n  \
        try: compile(t.encode(), 't', 'exec'); print(1)\n  except (SyntaxError, ValueError): print(0)\n";
    let lines = VALID.iter().filter(|text| !text.contains('\n') && text.is_ascii());
    let refused = |text: &String| parser::parse(text, &mut |_| true).refused;
    let texts: Vec<String> = lines.flat_map(|text| spoilt(text)).filter(refused).collect();
    assert!(texts.len() > 2_000, "{}", texts.len());
    let Some(output) = python(PROGRAM, &texts.join("\0")) else { return };
    let runs: Vec<_> = texts.iter().zip(output.lines()).filter(|(_, line)| *line == "1").collect();
    assert!(runs.is_empty(), "{runs:#?}");
}

#[test]
fn acceptance_agrees_on_a_sample_of_the_standard_library() {
    const PROGRAM: &str = "import os, ast, sys\nroot = os.path.dirname(os.__file__)\n\
        for d, ds, fs in os.walk(root):\n  ds[:] = sorted(x for x in ds if x not in ('test', 'tests', 'site-packages', 'lib2to3', 'idle_test'))\n  \
        for f in sorted(fs):\n    if f.endswith('.py'):\n      p = os.path.join(d, f)\n      \
        try:\n        t = open(p, encoding='utf-8').read(); ast.parse(t)\n      except Exception: continue\n      print(p)\n";
    let Some(output) = python(PROGRAM, "") else { return };
    let files: Vec<&str> = output.lines().step_by(3).collect();
    let refused: Vec<&&str> = files
        .iter()
        .filter(|file| std::fs::read_to_string(file).is_ok_and(|text| !is_valid(&text)))
        .collect();
    println!("{} of {} files refused", refused.len(), files.len());
    assert!(refused.len() * 200 <= files.len(), "{refused:#?}");
}

#[test]
fn calls_agree_on_a_sample_of_the_standard_library() {
    const PROGRAM: &str = "import os, ast\n\
        def name(n):\n  if isinstance(n, ast.Name): return n.id\n  if isinstance(n, ast.Attribute):\n    b = name(n.value)\n    return b and b + '.' + n.attr\n\
        for m in ('os', 'subprocess', 'shutil', 'argparse', 'dataclasses', 'typing', 'inspect', 'tarfile', 'random', 'zipfile', 'ast', 'pdb'):\n  \
        p = os.path.join(os.path.dirname(os.__file__), m + '.py')\n  t = ast.parse(open(p, encoding='utf-8').read())\n  c = []\n  \
        for n in ast.walk(t):\n    if isinstance(n, ast.Call) and name(n.func): c.append('%s/%d' % (name(n.func), len(n.args) + len(n.keywords)))\n  print(p, *sorted(c))\n";
    let Some(output) = python(PROGRAM, "") else { return };
    for line in output.lines() {
        let mut words = line.split(' ');
        let path = words.next().unwrap_or_default();
        let text = std::fs::read_to_string(path).unwrap();
        let mut calls = Vec::new();
        block(&parser::parse(&text, &mut |_| true).body, &mut calls);
        calls.sort();
        assert_eq!(calls, words.collect::<Vec<_>>(), "{path}");
    }
}

fn block(body: &Block, calls: &mut Vec<String>) {
    for statement in body {
        action(&statement.kind, calls);
    }
}

fn action(action: &Action, calls: &mut Vec<String>) {
    match action {
        Action::Assert(values) | Action::Raise(values) | Action::Delete(values) => all(values, calls),
        Action::Annotate { target, annotation, value } => {
            expression(target, calls);
            expression(annotation, calls);
            value.iter().for_each(|value| expression(value, calls));
        }
        Action::Assign { targets, value } => {
            all(targets, calls);
            expression(value, calls);
        }
        Action::Augment { target, value, .. } => {
            expression(target, calls);
            expression(value, calls);
        }
        Action::Class(class) => {
            all(&class.decorators, calls);
            all(&class.bounds, calls);
            arguments(&class.bases, calls);
            block(&class.body, calls);
        }
        Action::Define(found) => function(found, calls),
        Action::Evaluate(value) => expression(value, calls),
        Action::For { target, items, body, otherwise } => {
            expression(target, calls);
            expression(items, calls);
            block(body, calls);
            block(otherwise, calls);
        }
        Action::If { arms, otherwise } => {
            for (test, body) in arms {
                expression(test, calls);
                block(body, calls);
            }
            block(otherwise, calls);
        }
        Action::Match { subject, cases } => {
            expression(subject, calls);
            for case in cases {
                case.guard.iter().for_each(|guard| expression(guard, calls));
                block(&case.body, calls);
            }
        }
        Action::Return(value) => value.iter().for_each(|value| expression(value, calls)),
        Action::Try { body, handlers, otherwise, finally } => {
            block(body, calls);
            for handler in handlers {
                all(&handler.kinds, calls);
                block(&handler.body, calls);
            }
            block(otherwise, calls);
            block(finally, calls);
        }
        Action::TypeAlias { bounds, value, .. } => {
            all(bounds, calls);
            expression(value, calls);
        }
        Action::While { test, body, otherwise } => {
            expression(test, calls);
            block(body, calls);
            block(otherwise, calls);
        }
        Action::With { items, body } => {
            for (manager, target) in items {
                expression(manager, calls);
                target.iter().for_each(|target| expression(target, calls));
            }
            block(body, calls);
        }
        Action::Break
        | Action::Continue
        | Action::Global(_)
        | Action::Import(_)
        | Action::ImportFrom { .. }
        | Action::Nonlocal(_)
        | Action::Pass => {}
    }
}

fn function(function: &super::super::ast::Function, calls: &mut Vec<String>) {
    all(&function.decorators, calls);
    all(&function.annotations, calls);
    function
        .parameters
        .iter()
        .filter_map(|parameter| parameter.default.as_ref())
        .for_each(|default| expression(default, calls));
    match &function.body {
        Body::Block(body) => block(body, calls),
        Body::Expression(value) => expression(value, calls),
    }
}

fn all(values: &[Expression], calls: &mut Vec<String>) {
    values.iter().for_each(|value| expression(value, calls));
}

fn arguments(values: &[Argument], calls: &mut Vec<String>) {
    for argument in values {
        match argument {
            Argument::Keywords(value) | Argument::Named(_, value) | Argument::Plain(value) => {
                expression(value, calls)
            }
        }
    }
}

fn text(parts: &[TextPart], calls: &mut Vec<String>) {
    for part in parts {
        if let TextPart::Field(value, format) = part {
            expression(value, calls);
            text(format, calls);
        }
    }
}

fn expression(value: &Expression, calls: &mut Vec<String>) {
    match &value.kind {
        Node::Await(inner) | Node::Starred(inner) | Node::Unary(_, inner) | Node::Walrus(_, inner) => {
            expression(inner, calls)
        }
        Node::Binary(first, rest) => {
            expression(first, calls);
            rest.iter().for_each(|(_, item)| expression(item, calls));
        }
        Node::Compare(first, rest) => {
            expression(first, calls);
            rest.iter().for_each(|(_, item)| expression(item, calls));
        }
        Node::Choice(items) | Node::List(items) | Node::Set(items) | Node::Tuple(items) => all(items, calls),
        Node::Comprehension(found) => {
            expression(&found.element, calls);
            found.value.iter().for_each(|value| expression(value, calls));
            for clause in &found.clauses {
                expression(&clause.target, calls);
                expression(&clause.items, calls);
                all(&clause.conditions, calls);
            }
        }
        Node::Conditional(parts) => all(&**parts, calls),
        Node::Dict(items) => {
            for (key, value) in items {
                key.iter().for_each(|key| expression(key, calls));
                expression(value, calls);
            }
        }
        Node::Lambda(found) => function(found, calls),
        Node::Slice(bounds) => bounds.iter().flatten().for_each(|bound| expression(bound, calls)),
        Node::Text(parts) => text(parts, calls),
        Node::Trail(base, trailers) => {
            let mut name = if let Node::Name(name) = &base.kind { Some(name.to_string()) } else { None };
            expression(base, calls);
            for trailer in trailers {
                match &trailer.kind {
                    Step::Attribute(attribute) => name = name.map(|name| format!("{name}.{attribute}")),
                    Step::Call(given) => {
                        calls.extend(name.take().map(|name| format!("{name}/{}", given.len())));
                        arguments(given, calls);
                    }
                    Step::Subscript(index) => {
                        name = None;
                        expression(index, calls);
                    }
                }
            }
        }
        Node::Yield(inner) => inner.iter().for_each(|inner| expression(inner, calls)),
        Node::Bool(_)
        | Node::Bytes(_)
        | Node::Ellipsis
        | Node::Float
        | Node::Int(_)
        | Node::Name(_)
        | Node::None => {}
    }
}
