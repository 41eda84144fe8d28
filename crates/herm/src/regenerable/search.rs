//! Deletions of whatever has a name, wherever it lies: `find . -name '*.pyc' -delete`, `rm -rf *.egg-info`.
//!
//! Nobody looks at what is there. The names must be such that everything that has one was generated; the rules of the repository must leave out
//! every such name, at any depth; and none of them may take one back.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use herm_shell::{Analysis, Effect, PathTarget, Value};

use super::names::{self, Name};
use super::{Site, below, doings};
use crate::git::ignore::{Ignore, Kind};
use crate::policy::glob::Glob;

/// What is looked for, and where.
struct Search<'a> {
    /// The directory.
    from: String,
    /// A name, or a pattern of names.
    pattern: &'a str,
    /// The same, read once: an index has many names.
    glob: Glob,
    name: &'static Name,
    depth: Depth,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    Any,
    Here,
}

impl Site<'_> {
    /// Whether all that a pattern matches was generated.
    pub(super) fn finds_output(
        &mut self,
        shell: &Analysis,
        at: usize,
        effect: &Effect,
        path: &PathTarget,
    ) -> bool {
        let Some(search) = Search::of(shell, effect, path) else { return false };
        let from = search.from.clone();
        let inside = format!("{from}/.");
        let top = self.repository_of(&inside);
        let is_left_out = match &top {
            Some(top) => self.is_left_out_everywhere(top, &search).unwrap_or(false),
            // Where there is no repository, nobody but tools gives such a name.
            None => search.name.is_telling && self.is_of_no_repository(&inside),
        };
        is_left_out
            && self.world.resolve(&from).is_none()
            && self.world.mounts(&from).is_some_and(|mounts| mounts.iter().all(|place| *place == from))
            && !search.takes(self.call.cwd.as_str())
            && !doings::spoil(shell, &self.remade, at, &from)
    }

    fn is_left_out_everywhere(&mut self, top: &str, search: &Search<'_>) -> Option<bool> {
        let inside = search.from.strip_prefix(top)?.trim_start_matches('/').to_owned();
        let tracked = self.repositories.names(top)?;
        // Other repositories in it have their own.
        let has_others = tracked.iter().any(|name| name == Path::new(".gitmodules"));
        let from = format!("{}/.", search.from);
        let finds = |inside: &str, name: &Path| {
            search.finds(name, inside.strip_suffix('.').unwrap_or(inside).trim_end_matches('/'))
        };
        let samples = search.samples(&inside);
        let left_out = !has_others
            && self.repositories.have_none(&from, finds)
            && self.keeps_none(top, &inside, &tracked, search)?
            && samples.iter().all(|sample| self.repositories.leaves_out(top, sample, search.kind()));
        Some(left_out)
    }

    /// Whether no rule of the repository may take a name back that is searched for.
    fn keeps_none(
        &mut self,
        top: &str,
        inside: &str,
        tracked: &[PathBuf],
        search: &Search<'_>,
    ) -> Option<bool> {
        let own = tracked.iter().filter(|name| name.ends_with(".gitignore") && name.starts_with(inside));
        let own: Option<Vec<_>> = own.map(|name| Some(format!("{top}/{}", name.to_str()?))).collect();
        let files: BTreeSet<String> = above(top, inside).into_iter().chain(own?).collect();
        let exclude = self.repositories.exclude(top)?;
        let may_keep = |rules: &Ignore| rules.may_keep(|name| search.matches(name)) || rules.has_exceptions();
        if files.len() > MOST_RULES || may_keep(&exclude) {
            return Some(false);
        }
        for file in &files {
            if may_keep(&*self.repositories.ignore(file)?) {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// More files of rules than a project has.
const MOST_RULES: usize = 256;

/// The files of rules that hold for a directory of a repository.
fn above(top: &str, inside: &str) -> Vec<String> {
    let ends = inside.match_indices('/').map(|(end, _)| end).chain([inside.len()]);
    let directories = ends.filter_map(|end| inside.get(..end)).filter(|directory| !directory.is_empty());
    let files = directories.map(|directory| format!("{top}/{directory}/.gitignore"));
    std::iter::once(format!("{top}/.gitignore")).chain(files).collect()
}

impl<'a> Search<'a> {
    fn of(shell: &Analysis, effect: &Effect, path: &'a PathTarget) -> Option<Self> {
        let shown = path.shown.trim_end_matches('/');
        let (before, pattern) = shown.rsplit_once('/').unwrap_or(("", shown));
        let name = names::of_pattern(pattern)?;
        let is_deep = before == "**" || before.ends_with("/**");
        let before = before.strip_suffix("**").unwrap_or(before);
        if before.contains(['*', '?', '[', '(']) {
            return None;
        }
        let (depth, known) = if is_deep {
            (is_searched(shell, effect) && name.is_telling).then_some((Depth::Any, ""))?
        } else {
            (Depth::Here, pattern.split('*').next().unwrap_or_default())
        };
        let from = path.path.strip_suffix(known)?.trim_end_matches('/').to_owned();
        (!from.is_empty()).then(|| Self { from, pattern, glob: Glob::text(pattern), name, depth })
    }

    fn kind(&self) -> Kind {
        self.name.kind
    }

    fn matches(&self, name: &str) -> bool {
        self.glob.matches(name)
    }

    /// Whether a path is among what is found, or lies in it.
    fn takes(&self, path: &str) -> bool {
        below(path, &self.from).is_some_and(|rest| rest.split('/').any(|name| self.matches(name)))
    }

    /// The same of a name from the top of the repository, where the search begins in this directory of it.
    fn finds(&self, name: &Path, inside: &str) -> bool {
        let Ok(rest) = name.strip_prefix(inside) else { return false };
        let is_one = |part: Component<'_>| part.as_os_str().to_str().is_none_or(|part| self.matches(part));
        match self.depth {
            Depth::Any => rest.components().any(is_one),
            Depth::Here => rest.components().next().is_some_and(is_one),
        }
    }

    /// Paths that stand for all that may be found: names that no rule has in mind, of several lengths, at several depths.
    fn samples(&self, inside: &str) -> Vec<String> {
        let depths: &[usize] = if self.depth == Depth::Any { &[0, 1, 3] } else { &[0] };
        let mut samples = Vec::new();
        for depth in depths {
            let directories = format!("{UNHEARD_OF}{UNHEARD_OF}/").repeat(*depth);
            for (name, length) in
                spelled_out(self.pattern).iter().flat_map(|name| [0, 1, 40].map(|length| (name, length)))
            {
                let name = name.replace('*', &UNHEARD_OF.repeat(length));
                samples.push(format!("{inside}/{directories}{name}").trim_start_matches('/').to_owned());
            }
        }
        samples
    }
}

/// A pattern once for each letter of its set, where it has one: `*.py[co]`.
fn spelled_out(pattern: &str) -> Vec<String> {
    let set = pattern.split_once('[').and_then(|(before, rest)| Some((before, rest.split_once(']')?)));
    match set {
        Some((before, (letters, after))) => {
            letters.chars().map(|letter| format!("{before}{letter}{after}")).collect()
        }
        None => vec![pattern.to_owned()],
    }
}

/// A letter that stands in no rule by itself.
const UNHEARD_OF: &str = "\u{1}";

/// Whether it is `find` that chose what is deleted, by nothing but what makes it fewer, and without following links.
fn is_searched(shell: &Analysis, effect: &Effect) -> bool {
    let mut next = Some(effect.invocation);
    // An invocation only ever stands within an earlier one, but a cycle must not hang.
    for _ in 0..=shell.invocations.len() {
        let Some(run) = next.and_then(|at| shell.invocations.get(at)) else { return false };
        if ["find", "gfind"].contains(&&*run.program) {
            let mut words = run.arguments.iter().map(Value::known);
            return words
                .all(|word| word.is_some_and(|word| !word.starts_with('-') || PLAIN.contains(&&*word)));
        }
        next = run.within;
    }
    false
}

/// Words of `find` that are understood as far as it matters here. `-L` follows links, `-iname` finds other names as well, and `-files0-from`
/// looks elsewhere.
const PLAIN: &[&str] = &[
    "-P",
    "-a",
    "-and",
    "-atime",
    "-delete",
    "-depth",
    "-empty",
    "-exec",
    "-execdir",
    "-f",
    "-fr",
    "-maxdepth",
    "-mindepth",
    "-mmin",
    "-mount",
    "-mtime",
    "-name",
    "-newer",
    "-not",
    "-o",
    "-or",
    "-path",
    "-print",
    "-print0",
    "-prune",
    "-r",
    "-rf",
    "-size",
    "-type",
    "-user",
    "-v",
    "-xdev",
    "--",
];
