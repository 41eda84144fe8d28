//! Text that is meant to break the reader.

use super::recorder::{said, steps};
use crate::random::Random;

#[test]
fn nesting_is_bounded() {
    let pairs = [
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("f(", ")"),
        ("x[", "]"),
        ("{1:", "}"),
        ("(yield ", ")"),
        ("(*", ",)"),
        ("(lambda: ", ")"),
    ];
    for (open, close) in pairs {
        for depth in [10, 90, 150, 1000, 50_000] {
            said(&format!("{}1{}\n", open.repeat(depth), close.repeat(depth)));
            said(&open.repeat(depth));
        }
    }
}

#[test]
fn chains_are_bounded() {
    let chains = [
        "not ",
        "-",
        "~",
        "await ",
        "lambda: ",
        "1 if 1 else ",
        "x.",
        "x()",
        "1 + ",
        "2 ** ",
        "a and ",
        "a < ",
        "x = ",
        "*",
        "@x\n",
        "a, ",
        "x[0]",
        "'a' ",
    ];
    for chain in chains {
        said(&format!("{}1\n", chain.repeat(8_000)));
        said(&format!("y = ({}1)\n", chain.repeat(8_000)));
    }
}

#[test]
fn blocks_are_bounded() {
    let mut text = String::new();
    for depth in 0..400 {
        text += &format!("{}if x:\n", " ".repeat(depth));
    }
    said(&text);
    let arms = "elif x: y\n".repeat(8_000);
    said(&format!("if x: y\n{arms}"));
    let functions: String = (0..300).map(|n| format!("{}def f{n}():\n", " ".repeat(n))).collect();
    said(&functions);
}

#[test]
fn strings_are_bounded() {
    said(&"f'{".repeat(5000));
    said(&format!("{}1{}", "f'{".repeat(60), "}'".repeat(60)));
    said(&format!("f'{}1{}'", "{x:".repeat(3000), "}".repeat(3000)));
    said(&"'''".repeat(10_001));
    said(&"\"".repeat(100_001));
    said(&"\\\n".repeat(50_000));
    said("f'{' '\\N{' b'\\x' '\\u12' f'}' f'{{' f'{!r}' f'{x!}' f'{=}'");
}

#[test]
fn long_texts_take_bounded_work() {
    said(&"x = 'a' * 10 ** 9\ny = [x] * 10 ** 9\nz = bytes(10 ** 12)\n".repeat(100));
    said(&format!("x = [{}]\n", "1, ".repeat(100_000)));
    said(&"import os; os.system('a')\n".repeat(10_000));
    said(&format!("x = {}1\n", "'a' + ".repeat(60_000)));
}

#[test]
fn repeated_work_on_long_texts_is_bounded() {
    said(&"\\'''\n".repeat(60_000));
    said(&"f'''{(\n".repeat(40_000));
    said(&format!("x = 'a' * 250000\nimport os\n{}", "os.remove(x)\n".repeat(8_000)));
    said(&format!("x = 'a' * 250000\n{}", "x.replace('a', 'b')\n".repeat(8_000)));
    said(&format!("x = [1] * 256\n{}", "x = x + x\n".repeat(8_000)));
    let names: String = (0..5000).map(|n| format!("v{n} = {n}\n")).collect();
    said(&format!("{names}{}", "if u: pass\n".repeat(5000)));
}

/// What one more of something costs.
fn each(text: impl Fn(usize) -> String) -> u32 {
    (steps(&text(1000)) - steps(&text(500))) / 500
}

/// A text may take 72 000 steps, and an unmeasured copy is time that nobody counts.
#[test]
fn whatever_is_copied_is_paid_for() {
    let field = each(|count| format!("x = f'{}'", "{u}a".repeat(count)));
    assert!((14..=24).contains(&field), "{field} steps a field");
    let nested = |count: usize| {
        (1..=count).map(|n| format!("a{n} = (a{m}, a{m})\nprint(a{n})\n", m = n - 1)).collect::<String>()
    };
    let level = each(|count| format!("a0 = 'some text'\n{}", nested(count)));
    assert!(level >= 40, "{level} steps a level");
    let long = each(|count| format!("x = '{}'\n{}", "a".repeat(1600), "f'{x}{x}'\n".repeat(count)));
    assert!(long >= 4 * 100, "{long} steps for two copies of two texts of 1 600 bytes");
    let plain = each(|count| "print(f'{x}: {y}')\n".repeat(count));
    assert!(plain <= 60, "{plain} steps for an everyday line");
}

#[test]
fn endless_programs_end() {
    said("while True:\n    pass\n");
    said("def f():\n    return f()\nf()\n");
    said("def f(n):\n    return f(n + 1) + f(n + 2) + f(n + 3)\nf(0)\n");
    said("a = []\na.append(a)\nprint(a)\nb = {}\nb['b'] = b\nprint(str(b))\nfor x in a: a.append(x)\n");
    said("s = 'x'\nwhile True:\n    while s:\n        s = s + s\n");
    said("x = 'a'\nfor i in range(60):\n    x = (x, x)\nprint(x)\n");
    said("f = print\nimport functools\nfor i in range(60):\n    f = functools.partial(f, f)\nf()\n");
    said(
        "class A(A): pass\nclass B:\n    def __getattr__(self, n): return self.x\n    def __iter__(self): return self\nfor x in B(): B().y\n",
    );
    said("exec('exec(s)')\ns = 'exec(s)'\nexec(s)\n");
    said(
        "def f():\n    for a in range(500):\n        for b in range(500):\n            for c in range(500):\n                for d in range(500):\n                    g = [h for h in range(500)]\nf()\n",
    );
    said("e = 'eval(e)'\neval(e)\n");
    said("x = lambda: x()\nx()\nm = map(x, [x] * 200)\n");
}

#[test]
fn token_soup_is_survived() {
    const WORDS: &[&str] = &[
        "if",
        "else",
        ":",
        "\n",
        "  ",
        "\t",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "'",
        "\"",
        "'''",
        "f'",
        "x",
        "os",
        ".",
        ",",
        "=",
        "lambda",
        "def",
        "class",
        "for",
        "in",
        "match",
        "case",
        "_",
        "*",
        "**",
        "@",
        "\\",
        "#",
        "0x",
        "1e",
        "é",
        "\u{1d4b8}",
        "\0",
        "async",
        "await",
        "with",
        "as",
        "import",
        "from",
        "print",
        "yield",
        "not",
        "!",
        "->",
        ":=",
        "exec",
        "system",
        "type",
        "try",
        "except",
        "finally",
        "global",
        "return",
        "1_0",
        "b'",
        "rb\"",
        "{{",
        "}}",
        "!r",
        ";",
        "…",
    ];
    let mut random = Random::new();
    for _ in 0..2000 {
        let mut text = String::new();
        for _ in 0..60 {
            text += random.one_of(WORDS);
            text += random.one_of(&["", " "]);
        }
        said(&text);
    }
}

#[test]
fn growing_values_are_bounded() {
    let head = "import os\nx = q = 'a'\nd = {}\nl = []\n";
    for line in
        ["x = f'{x}{u}'\n", "d = {**d, u: 1}\n", "q = os.path.join(q, u)\n", "l = l + [u]\n", "x = x + u\n"]
    {
        said(&format!("{head}{}", line.repeat(4000)));
    }
}

#[test]
fn long_texts_of_each_kind_are_survived() {
    for piece in ["os.system('a')\n", "(", "x = [1, 2]\n", "'", "f'{x}' ", "    ", "é", "\\", "if x:\n "] {
        said(&piece.repeat((1 << 18) / piece.len() + 1));
    }
}
