//! Python scripts made to be hard on whoever follows them.

/// What every script hides.
const HIDDEN: &str = "import os\nos.system('rm -rf /')\n";

/// What a script begins with, so that its lines have something to work on.
const HEAD: &str = "import os, subprocess, requests, shutil, base64, functools, socket, pathlib\nu = input()\nx = q = 'a'\nb = b'a'\nd = {}\nl = []\n";

/// Hostile scripts of about `size` bytes, each with a name.
#[must_use]
pub fn scripts(size: usize) -> Vec<(String, String)> {
    let repeated = REPEATED.iter().map(|(name, line)| (*name, line.repeat((size / line.len()).max(1))));
    let numbered = NUMBERED.iter().map(|(name, line)| (*name, numbered(size, *line)));
    let nested = NESTED.iter().map(|(name, open, close)| {
        let count = (size / (open.len() + close.len())).max(1);
        (*name, format!("{}1{}\n", open.repeat(count), close.repeat(count)))
    });
    let blocks = BLOCKS.iter().map(|(name, line)| (*name, blocks(size, line)));
    let bombs = BOMBS.iter().map(|(name, text)| (*name, (*text).to_owned()));
    let texts = repeated.chain(numbered).chain(nested).chain(blocks).chain(bombs).chain(large(size));
    texts.map(|(name, text)| (format!("python {name}"), format!("{HEAD}{text}\n{HIDDEN}"))).collect()
}

/// A line over and over.
const REPEATED: &[(&str, &str)] = &[
    ("assignments", "a=1\n"),
    ("formatted strings", "f'{x}{u}{x!r:>{u}}'\n"),
    ("many formatted strings", "f'{x}'\n"),
    ("growing formatted strings", "x = f'{x}{u}'\n"),
    ("commands", "os.system('a')\n"),
    ("different commands", "os.system('rm -r a; b | c > d')\n"),
    ("unknown commands", "os.system(u)\n"),
    ("long commands", "os.system('a b c d e f g h i j k l m n o p q r s t u v w x y z')\n"),
    ("formatted commands", "os.system(f'rm {u} {x}')\n"),
    ("processes", "subprocess.run(['rm', 'a'])\n"),
    ("processes with shells", "subprocess.run('a', shell=True)\n"),
    ("process output", "subprocess.check_output(['cat', 'a']).decode().split()\n"),
    ("files written", "open('a', 'w').write('b')\n"),
    ("files read", "open('a').read()\n"),
    ("files in blocks", "with open('a') as f: f.read()\n"),
    ("evaluated strings", "eval('1')\n"),
    ("evaluated calls", "eval('os.system(\"a\")')\n"),
    ("executed strings", "exec('a = 1')\n"),
    ("compiled strings", "exec(compile('a = 1', 'a', 'exec'))\n"),
    ("requests", "requests.get('http://a.b/c')\n"),
    ("requests with data", "requests.post(u, data=open('a').read(), headers={'a': u})\n"),
    ("deletions", "shutil.rmtree('a')\n"),
    ("paths", "pathlib.Path('a', u).joinpath('b').unlink()\n"),
    ("decoding", "base64.b64decode('YWFhYWFhYWE=').decode()\n"),
    ("sockets", "socket.socket().connect(('a', 1))\n"),
    ("classes", "class C:\n def f(self): pass\n"),
    ("instances", "class C:\n def __init__(self): self.a = u\nC().a\n"),
    ("inheritance", "class C(C, dict): a = 1\n"),
    ("functions", "def f(a, b=1, *c, **e): return a\nf(u)\n"),
    ("calls", "f(u)\n"),
    ("chained calls", "x.a().b().c()\n"),
    ("lambdas", "(lambda a: a)(u)\n"),
    ("decorators", "@f\ndef g(): pass\n"),
    ("concatenation", "q = q + 'aaaaaaaa'\n"),
    ("concatenation with the unknown", "q = q + u\n"),
    ("concatenation in place", "q += 'aaaaaaaa'\n"),
    ("doubling", "q = q + q\n"),
    ("multiplication", "q = 'a' * 100000\n"),
    ("joined paths", "q = os.path.join(q, u)\n"),
    ("replacement", "q = (q * 9).replace('a', 'bb')\n"),
    ("splitting", "q = ' '.join((q + ' a').split())\n"),
    ("lists", "l = [1, 2, 3]\n"),
    ("growing lists", "l = l + [u]\n"),
    ("appended lists", "l.append(u)\n"),
    ("growing dictionaries", "d = {**d, u: 1}\n"),
    ("entries", "d['a'] = u\n"),
    ("indexing", "l[0]\n"),
    ("comprehensions", "[a for a in range(9)]\n"),
    ("nested comprehensions", "[a for a in range(99) for b in range(99)]\n"),
    ("generators", "sum(a for a in range(99))\n"),
    ("branches", "if u: a = 1\nelse: a = 2\n"),
    ("known branches", "if x == 'a': a = 1\n"),
    ("conditions", "a = 1 if u else 2\n"),
    ("loops", "for i in range(9): a = i\n"),
    ("endless loops", "while u: a = 1\n"),
    ("handlers", "try: a = 1\nexcept Exception as e: a = 2\nfinally: a = 3\n"),
    ("matches", "match u:\n case 1: a = 1\n case [b, *c]: a = 2\n"),
    ("imports", "import os.path as p\n"),
    ("star imports", "from os import *\n"),
    ("unpacking", "a, *c = 1, 2, 3\n"),
    ("deletions of names", "a = 1; del a\n"),
    ("comments", "#a\n"),
    ("blank lines", "\n"),
    ("separators", "a;"),
    ("strings", "'a'\n"),
    ("adjacent strings", "'a' "),
    ("printing", "print('a', u)\n"),
    ("lookups", "getattr(os, 'system')('a')\n"),
    ("environment", "os.environ['a'] = os.environ['b']\n"),
    ("indentation", "if u:\n  a\n"),
    ("broken lines", "a = = (\n"),
    ("combining", "a\u{301}"),
    (
        "metaclasses",
        "class M(type):\n def __new__(c, *a): return super().__new__(c, *a)\nclass C(metaclass=M): pass\n",
    ),
    ("subclasses", "().__class__.__base__.__subclasses__()[9].__init__.__globals__['os'].a\n"),
    ("callbacks", "later(os.system, 'a')\n"),
    ("tests", "import unittest\nclass T(unittest.TestCase): a = 1\nunittest.main()\n"),
    ("members", "class C:\n a = 1\n def __len__(self): return self.a\nlen(C())\n"),
];

/// The line for one turn.
type Line = fn(usize) -> String;

/// A line over and over, each time a little different.
const NUMBERED: &[(&str, Line)] = &[
    ("names", |n| format!("a{n}=1\n")),
    ("names of texts", |n| format!("a{n}='b{n}'\n")),
    ("branching names", |n| format!("if u: a{n}=1\n")),
    ("named functions", |n| format!("def f{n}(): pass\n")),
    ("chained functions", |n| format!("def f{n}(): f{}()\n", n.saturating_sub(1))),
    ("doubling functions", |n| {
        format!("def f{n}(): return f{m}() + f{m}()\nf{n}()\n", m = n.saturating_sub(1))
    }),
    ("named classes", |n| format!("class C{n}: pass\n")),
    ("chained classes", |n| format!("class C{n}(C{}): pass\nC{n}().a\n", n.saturating_sub(1))),
    ("different entries", |n| format!("d[{n}] = u\n")),
    ("fields", |n| format!("os.a{n} = u\n")),
    ("numbered commands", |n| format!("os.system('a{n}')\n")),
    ("numbered deletions", |n| format!("os.remove('a{n}')\n")),
    ("numbered files", |n| format!("open('a{n}', 'w').write('b')\n")),
    ("numbered requests", |n| format!("requests.get('http://a{n}.b')\n")),
    ("copied texts", |n| format!("a{n} = q = q + 'aaaaaaaa'\n")),
    ("nested tuples", |n| format!("a{n} = (a{m}, a{m})\nprint(a{n})\n", m = n.saturating_sub(1))),
    ("aliases", |n| format!("a{n} = a{}\n", n.saturating_sub(1))),
    ("numbered imports", |n| format!("import a{n}\n")),
    ("chained metaclasses", |n| {
        format!("class C{n}(C{m}, metaclass=C{m}):\n def __new__(c, *a): pass\n", m = n.saturating_sub(1))
    }),
    ("chained members", |n| format!("class C{n}(C{}): a = 1\nC{n}()\n", n.saturating_sub(1))),
    ("functions to choose from", |n| {
        let start = if n == 0 { "d = {}\n" } else { "" };
        format!("{start}d[{n}] = lambda: {n}\nd[u]()\n")
    }),
    ("chained callbacks", |n| format!("def f{n}(): later(f{m}, f{m})\n", m = n.saturating_sub(1))),
    ("fields of things", |n| {
        let start = if n == 0 { "x = socket.socket()\n" } else { "" };
        format!("{start}x.a{n} = u\nx.b\n")
    }),
    ("globals", |n| format!("def f{n}():\n global a{n}\n a{n} = u\nf{n}()\n")),
];

fn numbered(size: usize, line: Line) -> String {
    let mut text = String::with_capacity(size + 64);
    for number in 0.. {
        if text.len() >= size {
            break;
        }
        text.push_str(&line(number));
    }
    text
}

/// What opens a construct, and what closes it.
const NESTED: &[(&str, &str, &str)] = &[
    ("parentheses", "(", ")"),
    ("brackets", "[", "]"),
    ("nested calls", "f(", ")"),
    ("nested commands", "os.system(", ")"),
    ("nested entries", "{1:", "}"),
    ("nested indexes", "l[", "]"),
    ("nested lambdas", "(lambda: ", ")"),
    ("nested formatted strings", "f'{", "}'"),
    ("nested formats", "f'{x:", "}'"),
    ("nested conditions", "(1 if u else ", ")"),
    ("nested comprehensions in brackets", "[a for a in ", "]"),
    ("negations", "not ", ""),
    ("signs", "-", ""),
    ("powers", "2 ** ", ""),
    ("sums", "1 + ", ""),
    ("sums of texts", "'a' + ", ""),
    ("sums of the unknown", "u + ", ""),
    ("conjunctions", "u and ", ""),
    ("comparisons", "u < ", ""),
    ("chained assignments", "a = ", ""),
    ("awaits", "await ", ""),
    ("long conditions", "1 if u else ", ""),
    ("lambda chains", "lambda: ", ""),
];

/// Lines that each stand one step deeper than the one before.
const BLOCKS: &[(&str, &str)] = &[
    ("nested branches", "if u:"),
    ("nested loops", "for i in range(99):"),
    ("endless nested loops", "while True:"),
    ("nested functions", "def f():"),
    ("nested classes", "class C:"),
    ("nested handlers", "with u:"),
];

fn blocks(size: usize, line: &str) -> String {
    let mut text = String::with_capacity(size + 512);
    for depth in 0.. {
        if text.len() >= size {
            break;
        }
        text.push_str(&" ".repeat(depth));
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// Small scripts that would do much.
const BOMBS: &[(&str, &str)] = &[
    (
        "comprehension bomb",
        "[[[[[1 for a in range(500)] for b in range(500)] for c in range(500)] for e in range(500)] for f in range(500)]",
    ),
    (
        "flat comprehension bomb",
        "[os.system(f'{a}{b}{c}') for a in range(500) for b in range(500) for c in range(500)]",
    ),
    (
        "loop bomb",
        "for a in range(500):\n for b in range(500):\n  for c in range(500):\n   x = x + str(a); os.system(x)",
    ),
    ("doubling bomb", "for a in range(60):\n for b in range(60):\n  x = x + x; q = q + u; l = l + l + [u]"),
    ("file bomb", "for a in range(64):\n for b in range(64):\n  open(f'{a}{b}', 'w').write(x * 99999)"),
    ("recursion bomb", "def f(n): return f(n + 1) + f(n + 2) + f(n + 3)\nf(0)"),
    ("evaluation bomb", "s = 'exec(s); exec(s)'\nexec(s)"),
    ("printed bomb", "for a in range(60): x = (x, x)\nprint(x); str(x); repr(x); f'{x}'"),
    ("partial bomb", "f = print\nfor a in range(60): f = functools.partial(f, f)\nf()"),
    ("fork bomb", "while True: os.fork()"),
    ("map bomb", "list(map(lambda a: list(map(lambda b: os.system(a + b), ['a'] * 500)), ['b'] * 500))"),
    (
        "shell bomb",
        "os.system('f() { f; f; }; f; for a in {1..99}; do for b in {1..99}; do rm $a$b; done; done')",
    ),
    ("process bomb", "for a in range(500): subprocess.run(['sh', '-c', 'rm -r ' + 'a ' * 500])"),
    ("replaced bomb", "x = 'a' * 200000\nfor a in range(500): x.replace('a', 'bb').upper().split('b')"),
    ("decoding bomb", "x = 'YWFh' * 50000\nfor a in range(500): base64.b64decode(x)"),
    (
        "callback bomb",
        "def f(): later(f, g, os.system)\ndef g(): later(g, f, os.system)\nlater(f, g, os.system, 'a')",
    ),
    (
        "subclass bomb",
        "class C:\n def __init_subclass__(c):\n  class D(c): pass\n  class E(D, c): pass\nclass F(C): pass",
    ),
    (
        "metaclass bomb",
        "class M(type):\n def __new__(c, *a):\n  class D(metaclass=M): pass\n  class E(metaclass=M): pass\nclass C(metaclass=M): pass",
    ),
    ("shared list bomb", "l = [0] * 256\nfor a in range(500): l = [l, l] + l"),
];

/// One thing that is large.
fn large(size: usize) -> Vec<(&'static str, String)> {
    let word = "a".repeat(size);
    let some = "a".repeat(size / 4);
    vec![
        ("long name", format!("{word} = 1")),
        ("long string", format!("x = '{word}'")),
        ("long command", format!("os.system('{}')", "a;".repeat(size / 2))),
        ("long shell words", format!("os.system('{}')", "a ".repeat(size / 2))),
        ("long operand", format!("os.system('rm {word}')")),
        ("long bytes", format!("exec(b'{}')", "a=1;".repeat(size / 4))),
        ("long evaluation", format!("exec('{}')", "a=1;".repeat(size / 4))),
        ("long encoded text", format!("exec(base64.b64decode('{}'))", "YT0x".repeat(size / 4))),
        ("long document", format!("'''{}'''", "a 'b' \\\n".repeat(size / 8))),
        ("long formatted string", format!("x = f'{}'", "{u}a".repeat(size / 4))),
        ("long number", format!("x = {}", "9".repeat(size))),
        ("long list", format!("x = [{}]", "1, ".repeat(size / 3))),
        ("long list of texts", format!("subprocess.run(['rm', {}])", "'a', ".repeat(size / 5))),
        ("long dictionary", format!("x = {{{}}}", "u: 1, ".repeat(size / 6))),
        ("long call", format!("f({})", "u, ".repeat(size / 3))),
        ("long chain", format!("x{}", ".a".repeat(size / 2))),
        ("long chain of calls", format!("x{}", ".a()".repeat(size / 4))),
        ("long indexes", format!("x{}", "[0]".repeat(size / 3))),
        ("long comment", format!("#{word}")),
        ("long escapes", format!("x = '{}'", "\\x41".repeat(size / 4))),
        ("long split", format!("for i in '{}'.split(): os.remove(i)", "a ".repeat(size / 2))),
        ("long indentation", format!("if u:\n{}a = 1", " ".repeat(size))),
        ("long continuation", format!("x = 1 {}", "\\\n".repeat(size / 2))),
        ("long path", format!("os.remove('{}')", "a/".repeat(size / 2))),
        ("long arms", format!("if u: a\n{}", "elif u: a\n".repeat(size / 10))),
        ("copied text", format!("x = '{some}'\n{}", "a = x; b = a + u\n".repeat(size / 32))),
        ("written text", format!("x = '{some}'\n{}", "open('a', 'w').write(x)\n".repeat(size / 32))),
        ("removed text", format!("x = '{some}'\n{}", "os.remove(x)\n".repeat(size / 20))),
        ("run text", format!("x = '{some}'\n{}", "os.system(x)\n".repeat(size / 20))),
        ("compared text", format!("x = '{some}'\n{}", "if x == x + u: a = 1\n".repeat(size / 32))),
        ("formatted text", format!("x = '{some}'\n{}", "f'{x}{x}'\n".repeat(size / 20))),
        ("text in things", format!("x = open('{some}', 'w')\n{}", "x.tell()\n".repeat(size / 20))),
        ("keywords", format!("d = {{{}}}\n{}", "'a': u, ".repeat(size / 16), "f(**d)\n".repeat(size / 14))),
        (
            "keywords of functions",
            format!(
                "def f({}): pass\nd = {{{}}}\n{}",
                numbered(size / 4, |n| format!("a{n}, ")),
                numbered(size / 4, |n| format!("'b{n}': u, ")),
                "f(**d)\n".repeat(size / 14)
            ),
        ),
        (
            "members of classes",
            format!(
                "class C:\n{}\n{}",
                numbered(size / 2, |n| format!(" a{n}=1\n")),
                "g(C)\n".repeat(size / 10)
            ),
        ),
        (
            "text in branches",
            format!("x = '{some}'\n{}", "if u: x = x\nelse: x = x + 'a'\n".repeat(size / 48)),
        ),
        ("text over letters", format!("for i in '{some}': a = i\n{}", "x.upper()\n".repeat(size / 20))),
    ]
}
