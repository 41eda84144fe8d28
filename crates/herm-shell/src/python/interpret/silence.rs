//! Functions of libraries that start, delete or end something, that the program takes without calling them, and of whose calls
//! nothing was seen: whoever has them may call them.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::{Interpreter, Object};
use crate::span::Span;

/// Where such functions were taken, and how often they were called where they stand.
#[derive(Debug, Default)]
pub(super) struct Taken {
    places: HashMap<Rc<str>, BTreeSet<Span>>,
    called_in_place: HashMap<Rc<str>, u32>,
}

impl Interpreter<'_> {
    /// A value is taken that is not called where it stands.
    pub(super) fn takes(&mut self, object: &Object) {
        if let Object::Library(name) = object
            && is_telling(name)
        {
            let span = self.span;
            self.taken.places.entry(Rc::clone(name)).or_default().insert(span);
        }
    }

    /// A function of a library is called where it stands.
    pub(super) fn calls_in_place(&mut self, object: &Object) {
        if let Object::Library(name) = object
            && is_telling(name)
        {
            *self.taken.called_in_place.entry(Rc::clone(name)).or_default() += 1;
        }
    }

    /// Says of which of them it was not seen who calls them.
    pub(super) fn mind_taken(&mut self) {
        let taken = std::mem::take(&mut self.taken);
        let count = |name: &Rc<str>, places: &BTreeSet<Span>| {
            let all = self.acted.get(name).copied().unwrap_or_default();
            let in_place = taken.called_in_place.get(name).copied().unwrap_or_default();
            usize::try_from(all.saturating_sub(in_place)).unwrap_or_default() < places.len()
        };
        let mut left: Vec<(Span, Rc<str>)> = Vec::new();
        for (name, places) in &taken.places {
            if count(name, places) {
                left.extend(places.iter().next_back().map(|span| (*span, Rc::clone(name))));
            }
        }
        left.sort();
        for (span, name) in left {
            self.span = span;
            self.dynamic(&name);
        }
    }
}

/// Whether a function starts, deletes or ends something, and is taken for hardly anything else than to be called.
fn is_telling(name: &str) -> bool {
    const TELLING: &[&str] = &[
        "builtins.__import__",
        "builtins.eval",
        "builtins.exec",
        "importlib.import_module",
        "os.abort",
        "os.execl",
        "os.execle",
        "os.execlp",
        "os.execlpe",
        "os.execv",
        "os.execve",
        "os.execvp",
        "os.execvpe",
        "os.fork",
        "os.forkpty",
        "os.kill",
        "os.killpg",
        "os.popen",
        "os.posix_spawn",
        "os.posix_spawnp",
        "os.remove",
        "os.removedirs",
        "os.rmdir",
        "os.spawnl",
        "os.spawnlp",
        "os.spawnv",
        "os.spawnve",
        "os.spawnvp",
        "os.system",
        "os.truncate",
        "os.unlink",
        "pty.spawn",
        "runpy.run_module",
        "runpy.run_path",
        "shutil.move",
        "shutil.rmtree",
        "subprocess.call",
        "subprocess.check_call",
        "subprocess.check_output",
        "subprocess.getoutput",
        "subprocess.getstatusoutput",
        "subprocess.run",
    ];
    TELLING.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use crate::gap::Position;
    use crate::lang::Lang;
    use crate::world::Blind;
    use crate::{Input, Limits, Setting, analyse};

    fn is_minded(code: &str) -> bool {
        let setting = Setting {
            cwd: "/home/dev/project",
            home: "/home/dev",
            user: Some("dev"),
            world: &Blind,
            limits: Limits::default(),
            input: Input::default(),
        };
        let found = analyse(code, Lang::Python, &setting);
        found.gaps.iter().any(|gap| !matches!(gap.position, Position::Inert | Position::Read))
            || !found.effects.is_empty()
    }

    #[test]
    fn function_that_is_taken_is_not_passed_over() {
        let positions = [
            "zork(W)",
            "t = {'a': W}\nzork(**t)",
            "t = [W]\nzork(*t)",
            "zork.callback = W",
            "class A:\n    run = W\nzork(A())",
            "def f(run=W): zork(run)\nf()",
            "list(iter(W, ''))",
            "sorted(zork, key=W)",
            "zork[W]",
            "f = zork or W\nf(zork)",
            "import ctypes\nctypes.CFUNCTYPE(None)(W)",
            "zork @ W",
            "print(f'{W(zork)}')",
            "f = lambda: W\nf()(zork)",
            "import types\ntypes.SimpleNamespace(a=W).a(zork)",
            "import operator\noperator.call(W, zork)",
            "import functools\nfunctools.singledispatch(W)",
            "W.__call__(zork)",
            "getattr(zork, 'x', W)(zork)",
            "vars()['x'] = W",
        ];
        let functions = ["os.system", "os.unlink", "os.popen", "shutil.rmtree", "subprocess.run", "os.kill"];
        let mut silent = Vec::new();
        for position in positions {
            for function in functions {
                let code = format!("import os, shutil, subprocess\n{}", position.replace('W', function));
                if !is_minded(&code) {
                    silent.push(code);
                }
            }
        }
        assert!(silent.is_empty(), "{} are silent:\n{}", silent.len(), silent.join("\n--\n"));
    }

    #[test]
    fn function_that_is_only_looked_at_or_called_in_place_is_free() {
        let rows = [
            "import os\nhasattr(os, 'fork')",
            "import subprocess\nr = subprocess.run(['ls'])\nprint(r.stdout)",
            "import subprocess\nrun = subprocess.run\nrun(['ls'])",
            "import os\nprint(os.system.__doc__)",
            "s = open('a.py').read().replace('os.system(x)', 'run(x)')\nprint(s)",
            "import shutil",
            "from os import system",
        ];
        for code in rows {
            let found = analyse_gaps(code);
            assert!(found == 0, "{code}");
        }
    }

    fn analyse_gaps(code: &str) -> usize {
        let setting = Setting {
            cwd: "/home/dev/project",
            home: "/home/dev",
            user: Some("dev"),
            world: &Blind,
            limits: Limits::default(),
            input: Input::default(),
        };
        let found = analyse(code, Lang::Python, &setting);
        found.gaps.iter().filter(|gap| gap.position == Position::Unfollowed).count()
    }
}
