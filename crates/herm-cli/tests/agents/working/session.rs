//! What is done while a bug is mended, an option added and a release tidied up: as people have agents do it, with the detours.
//!
//! All of it really runs, so each step does nothing but to the project. Some fail, as they do in life: a tool that is not there, a test
//! that does not pass yet.

/// A step, whichever tool an agent has for it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Changes whole lines of a file to others.
    Edit(&'static str, &'static str, &'static str),
    /// Looks for files by their name.
    Find(&'static str),
    /// Looks after what is the agent's alone, such as its list of what is to be done.
    Plan(&'static str),
    /// Reads a file.
    Read(&'static str),
    /// Runs a command.
    Run(&'static str),
    /// Runs a few lines of Python.
    Script(&'static str),
    /// Looks for a text in all files.
    Search(&'static str),
    /// Writes a file.
    Write(&'static str, &'static str),
}

use Step::{Edit, Find, Plan, Read, Run, Script, Search, Write};

pub(super) const STEPS: &[Step] = &[
    Plan("look around"),
    Run("pwd && ls -la"),
    Run("git status --short --branch"),
    Run("git log --oneline -n 10"),
    Find("*.py"),
    Read("README.md"),
    Run("cat pyproject.toml Makefile"),
    Read("src/tally/count.py"),
    Read("src/tally/cli.py"),
    Read("tests/test_count.py"),
    Search("def count"),
    Run("find . -name '*.py' -not -path './.git/*' | xargs wc -l | sort -n"),
    Run("rg -n 'import' src || grep -rn 'import' src"),
    Run("python3 --version; which python3 cc make git; uname -sr; nproc"),
    Run("env | grep -E '^(PATH|HOME|LANG|VIRTUAL_ENV|PYTHONPATH)=' || true"),
    Run("pip --version 2>/dev/null || python3 -m pip --version || true"),
    Run("make test 2>&1 | tail -20"),
    Run(
        "PYTHONPATH=src python3 -m unittest discover -s tests -v 2>&1 | grep -E '^(FAIL|ERROR|OK)|test_punctuation' | head -20",
    ),
    Run(
        "python3 -c \"import sys; sys.path.insert(0, 'src'); from tally.count import count; print(count('a, b; a.'))\"",
    ),
    Run("ls .git/hooks | head -5; cat .git/HEAD; git count-objects -v | head -2"),
    Run("[ -d .venv ] || echo 'no virtual environment'; python3 -c 'import sys; print(sys.prefix)'"),
    Plan("mend the count of words beside punctuation"),
    Run("git checkout -b fix/punctuation"),
    Edit(
        "src/tally/count.py",
        "    return Counter(text.lower().split())\n",
        "    return Counter(re.findall(r\"\\w+\", text.lower()))\n",
    ),
    Edit(
        "src/tally/count.py",
        "from collections import Counter\n",
        "import re\nfrom collections import Counter\n",
    ),
    Run("PYTHONPATH=src timeout 60 python3 -m unittest discover -s tests 2>&1 | tail -4"),
    Run("git diff"),
    Run("git diff --stat && git diff --check && echo clean"),
    Run(
        "git add src/tally/count.py && git commit -q -m \"$(cat <<'EOF'\nCount words without their punctuation\n\nWhat stood beside a comma \
         was taken for another word; see `re.findall` & co.\nEOF\n)\" && git log -1 --format='%h %s'",
    ),
    Plan("add --json"),
    Write(
        "src/tally/report.py",
        "import json\n\n\ndef plain(pairs):\n    return \"\\n\".join(f\"{number} {word}\" for word, number in pairs)   \n\n\ndef as_json(pairs):\n    \
         return json.dumps(dict(pairs), indent=2)\n",
    ),
    Edit(
        "src/tally/cli.py",
        "import sys\n\nfrom tally.count import most\n",
        "import argparse\nimport sys\n\nfrom tally.count import most\nfrom tally.report import as_json, plain\n",
    ),
    Edit(
        "src/tally/cli.py",
        "    for word, number in most(read(sys.argv[-1])):\n        print(number, word)\n",
        "    parser = argparse.ArgumentParser()\n    parser.add_argument(\"--json\", action=\"store_true\")\n    \
         parser.add_argument(\"file\")\n    given = parser.parse_args()\n    pairs = most(read(given.file))\n    \
         print(as_json(pairs) if given.json else plain(pairs))\n",
    ),
    Write(
        "tests/test_report.py",
        "import json\nimport unittest\n\nfrom tally.report import as_json, plain\n\n\nclass Reporting(unittest.TestCase):\n    \
         def test_plain(self):\n        self.assertEqual(plain([(\"a\", 2)]), \"2 a\")\n\n    def test_json(self):\n        \
         self.assertEqual(json.loads(as_json([(\"a\", 2)])), {\"a\": 2})\n",
    ),
    Run("python3 -m py_compile src/tally/*.py && echo compiles"),
    Run("(cd src && python3 -m tally.cli --json ../data/sample.txt) | python3 -m json.tool"),
    Run("printf 'the cat the dog\\n' | PYTHONPATH=src python3 -m tally.cli -"),
    Run("export PYTHONPATH=src; python3 -X dev -W error -m unittest discover -s tests -q 2>&1 | tail -3"),
    Run("PYTHONPATH=src python3 -m tally.cli nowhere.txt; echo \"exit: $?\""),
    Run("for f in src/tally/*.py tests/*.py; do printf '%s: ' \"$f\"; grep -c '' \"$f\"; done"),
    Run("git ls-files | while read -r f; do [ -s \"$f\" ] || echo \"empty: $f\"; done"),
    Run("grep -rnE --include='*.py' 'TODO|FIXME|XXX' . || echo 'nothing left to do'"),
    Run("find . -type f -name '*.py' -print0 | xargs -0 grep -ln 'print(' | sort"),
    Run(
        "grep -nE ' +$' -r src tests; sed -i 's/[[:space:]]*$//' src/tally/*.py tests/*.py && git diff --stat",
    ),
    Run(
        "awk 'length > 100 {print FILENAME \":\" FNR \": \" length; n++} END {print n + 0, \"long lines\"}' src/tally/*.py",
    ),
    Script(
        "import ast, pathlib\nfor path in sorted(pathlib.Path(\"src\").rglob(\"*.py\")):\n    names = [node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)]\n    print(path, names)\n",
    ),
    Run("git add -A && git status --short"),
    Run("git diff --cached --name-only | xargs -r ls -l"),
    Run("git commit -m 'Say it in JSON, too' -m 'For programs that read it.'"),
    Run("git show --stat HEAD | cat"),
    Run("git log -p -1 -- src/tally/cli.py | head -40"),
    Run(
        "PYTHONPATH=src python3 -c 'import tally.cli, tally.report; print(\"imports\")' && PYTHONPATH=src python3 -m pydoc tally.count | head -12",
    ),
    Run("cat <<'EOF' | PYTHONPATH=src python3 -m tally.cli -\none two two\nthree three three\nEOF"),
    Plan("the helper in C"),
    Read("native/fast.c"),
    Run("make build/fast && ./build/fast < data/sample.txt"),
    Run("cc -std=c11 -Wall -Wextra -fsyntax-only native/fast.c && echo 'no warnings'"),
    Run("time ./build/fast < data/sample.txt; file build/fast 2>/dev/null; ls -lh build; du -sh ."),
    Run("nm build/fast | grep -i ' t ' | head -5"),
    Run(
        "mkdir -p build/debug && cc -g -O0 -o build/debug/fast native/fast.c && cp build/debug/fast build/fast-debug && rm build/debug/fast && rmdir build/debug",
    ),
    Run(
        "[ \"$(./build/fast < data/sample.txt)\" -eq \"$(wc -w < data/sample.txt)\" ] && echo same || echo differs",
    ),
    Write(
        "scripts/check.sh",
        "#!/bin/sh\nset -eu\ncd \"$(dirname \"$0\")/..\"\nexport PYTHONPATH=src\npython3 -m unittest discover -s tests -q\nfor file in $(git ls-files '*.py'); do\n    \
         python3 -m py_compile \"$file\"\ndone\necho checked\n",
    ),
    Run("bash -n scripts/check.sh && chmod +x scripts/check.sh && ./scripts/check.sh"),
    Run("sh -x scripts/check.sh 2>&1 | tail -5"),
    Run(
        "stat -c '%a %n' scripts/check.sh; wc -c < README.md; python3 -m tokenize src/tally/count.py | tail -3",
    ),
    Run(
        "set -o pipefail; make test 2>&1 | tee \"$TMPDIR/test.log\" | grep '^OK' && echo passed; rm -f \"$TMPDIR/test.log\"",
    ),
    Plan("documents"),
    Run("mkdir -p docs/examples && cp data/sample.txt docs/examples/words.txt && ls -R docs"),
    Run(
        "cat > docs/usage.md <<'EOF'\n# Usage\n\n```sh\ntally --json FILE | jq .   # needs jq; `sudo` is not needed\n```\n\nIt's all \"there\" is to it: $HOME is left alone.\nEOF",
    ),
    Run("mv docs/usage.md docs/USAGE.md && head -3 docs/USAGE.md"),
    Run("touch docs/notes.tmp && mv docs/notes.tmp notes.tmp && rm notes.tmp && ls docs"),
    Edit("README.md", "    tally FILE\n", "    tally [--json] FILE\n\nSee [usage](docs/USAGE.md).\n"),
    Run("perl -0pi -e 's/Counts words\\./Counts the words of a text./' README.md && git diff README.md"),
    Run(
        "test -f CHANGELOG.md || printf '# Changelog\\n\\n## Unreleased\\n\\n' > CHANGELOG.md; echo '- `--json`' >> CHANGELOG.md; cat CHANGELOG.md",
    ),
    Run(
        "grep -o '](.*)' README.md | tr -d '](' | tr -d ')' | while read -r link; do [ -e \"$link\" ] && echo \"ok $link\" || echo \"broken $link\"; done",
    ),
    Run("git stash push --include-untracked -m documents && git stash list && git stash pop"),
    Run(
        "git add docs README.md CHANGELOG.md scripts && git restore --staged CHANGELOG.md && git add CHANGELOG.md && git commit -q -m 'Document it'",
    ),
    Run("git commit -q --amend -m 'Document how it is used' && git log --oneline --graph --all | head"),
    Run("git blame -L 1,6 src/tally/count.py | cut -c1-60"),
    Run("git log --since='2 weeks ago' --author=Developer --pretty=format:'%h %ad %s' --date=short | nl"),
    Run("git branch -vv; git remote -v; git rev-parse --short HEAD; git config --get user.email"),
    Plan("a server for the documents"),
    Run(
        "python3 -m http.server 8765 --bind 127.0.0.1 --directory docs >\"$TMPDIR/server.log\" 2>&1 & server=$!\nfor i in 1 2 3 4 5 6 7 8 9 10; do curl -sf http://127.0.0.1:8765/USAGE.md \
         | head -1 && break; sleep 0.3; done\nkill $server; wait $server 2>/dev/null; tail -2 \"$TMPDIR/server.log\"",
    ),
    Run("ss -tln 2>/dev/null | grep 8765 || echo 'port is free'"),
    Run("ps aux | grep '[h]ttp.server' || echo 'no server left'"),
    Run("out=$(mktemp); make test > \"$out\" 2>&1; tail -3 \"$out\"; rm -f \"$out\""),
    Run("diff <(tr ' ' '\\n' < data/sample.txt | sort) <(tr ' ' '\\n' < data/sample.txt | sort -u) || true"),
    Run(
        "tr -cs '[:alpha:]' '\\n' < data/sample.txt | tr '[:upper:]' '[:lower:]' | sort | uniq -c | sort -rn | head -3",
    ),
    Run(
        "seq 1 2000 | sed 's/^/word /' > data/large.txt && PYTHONPATH=src python3 -m timeit -n 5 -s \"from tally.count import count; text = open('data/large.txt').read()\" \"count(text)\"",
    ),
    Run(
        "PYTHONPATH=src python3 -m cProfile -s cumtime -m tally.cli data/large.txt | head -15; rm data/large.txt",
    ),
    Script(
        "import re, pathlib\npath = pathlib.Path(\"pyproject.toml\")\ntext = path.read_text()\npath.write_text(re.sub(r'version = \"0\\.1\\.0\"', 'version = \"0.2.0\"', text))\nprint(path.read_text().splitlines()[2])\n",
    ),
    Run(
        "grep -n version pyproject.toml && sed -i \"s/^## Unreleased/## 0.2.0 - $(date +%F)/\" CHANGELOG.md && head -4 CHANGELOG.md",
    ),
    Run("git commit -qam 'Release 0.2.0' && git tag -a v0.2.0 -m 'tally 0.2.0' && git describe --tags"),
    Run(
        "mkdir -p dist && git archive --format=tar.gz --prefix=tally-0.2.0/ -o dist/tally-0.2.0.tar.gz HEAD && tar tzf dist/tally-0.2.0.tar.gz | head -5",
    ),
    Run("(cd dist && sha256sum *.tar.gz | tee SHA256SUMS && sha256sum -c SHA256SUMS)"),
    Run(
        "echo 'dist/' >> .gitignore && git check-ignore -v dist && git add .gitignore && git commit -q -m 'Leave out what is built'",
    ),
    Run(
        "mkdir -p build/check && tar xzf dist/tally-0.2.0.tar.gz -C build/check && (cd build/check/tally-0.2.0 && PYTHONPATH=src python3 -m unittest discover -s tests -q 2>&1 | tail -1)",
    ),
    Run("git cherry -v main; git diff main...HEAD --stat"),
    Run(
        "git checkout -q main && git merge --no-ff -q -m 'Merge the release' fix/punctuation && git branch -d fix/punctuation",
    ),
    Run("make clean && ls build 2>/dev/null || echo 'nothing built'"),
    Run("git clean -n -d; git status --porcelain --ignored"),
    Run("rm -rf dist"),
    Run(
        "if command -v jq >/dev/null; then PYTHONPATH=src python3 -m tally.cli --json data/sample.txt | jq -r 'keys[]'; else echo 'no jq'; fi",
    ),
    Run(
        "comm -23 <(git ls-files | sort) <(find . -type f -not -path './.git/*' | sed 's|^\\./||' | sort) | wc -l",
    ),
    Run("git fsck --no-progress 2>&1 | tail -2; id -un; date -u +%FT%TZ"),
    Read("CHANGELOG.md"),
    Plan("all done"),
    Run(
        "echo \"$(git log --oneline | wc -l) commits, tests: $(PYTHONPATH=src python3 -m unittest discover -s tests 2>&1 | tail -1), $(git status --short | wc -l) changes\"",
    ),
];
