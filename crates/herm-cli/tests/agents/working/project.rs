//! A little project to work on, with a history of its own and something to mend.

use crate::place::{Place, Ran};

/// Puts the project into the workspace.
pub(super) fn lay(place: &Place) {
    for (name, content) in FILES {
        place.file(name, content);
    }
    let git = |arguments: &[&str]| {
        let ran = Ran::of(place.command("git").args(arguments));
        assert_eq!(ran.code, Some(0), "{ran:?}");
    };
    git(&["init", "--quiet", "--initial-branch=main"]);
    git(&["config", "user.name", "A Developer"]);
    git(&["config", "user.email", "dev@example.com"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", "Count words"]);
}

const FILES: [(&str, &str); 10] = [
    ("README.md", "# tally\n\nCounts words.\n\n    tally FILE\n"),
    (
        "pyproject.toml",
        "[project]\nname = \"tally\"\nversion = \"0.1.0\"\n\n[project.scripts]\ntally = \"tally.cli:main\"\n",
    ),
    (
        "Makefile",
        "CFLAGS ?= -O2 -Wall\n\n.PHONY: test clean\n\ntest:\n\tPYTHONPATH=src python3 -m unittest discover -s tests\n\n\
         build/fast: native/fast.c\n\tmkdir -p build\n\t$(CC) $(CFLAGS) -o $@ $<\n\nclean:\n\trm -rf build\n",
    ),
    (".gitignore", "__pycache__/\n*.pyc\nbuild/\n"),
    ("src/tally/__init__.py", "\"\"\"Counts words.\"\"\"\n"),
    (
        "src/tally/count.py",
        "from collections import Counter\n\n\ndef count(text):\n    return Counter(text.lower().split())\n\n\n\
         def most(text, number=3):\n    return count(text).most_common(number)\n",
    ),
    (
        "src/tally/cli.py",
        "import sys\n\nfrom tally.count import most\n\n\ndef read(name):\n    if name == \"-\":\n        return sys.stdin.read()\n    \
         with open(name) as file:\n        return file.read()\n\n\ndef main():\n    for word, number in most(read(sys.argv[-1])):\n        \
         print(number, word)\n\n\nif __name__ == \"__main__\":\n    main()\n",
    ),
    (
        "tests/test_count.py",
        "import unittest\n\nfrom tally.count import count, most\n\n\nclass Counting(unittest.TestCase):\n    def test_words(self):\n        \
         self.assertEqual(count(\"a b a\")[\"a\"], 2)\n\n    def test_punctuation(self):\n        \
         self.assertEqual(count(\"a, b; a.\")[\"a\"], 2)\n\n    def test_most(self):\n        \
         self.assertEqual(most(\"a b a\", 1), [(\"a\", 2)])\n",
    ),
    (
        "native/fast.c",
        "#include <ctype.h>\n#include <stdio.h>\n\nint main(void) {\n    int in_word = 0, c;\n    long words = 0;\n    \
         while ((c = getchar()) != EOF) {\n        if (isspace(c)) in_word = 0;\n        else if (!in_word) in_word = 1, words++;\n    \
         }\n    printf(\"%ld\\n\", words);\n    return 0;\n}\n",
    ),
    ("data/sample.txt", "The cat, the dog; and the bird.\nThe end.\n"),
];
