//! Which rules make what is wanted, and what their recipes run.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::Make;
use super::text::{ANY, SOME, has_mark, may_be};
use crate::gap::{Position, Reason};

/// A rule.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) targets: Vec<String>,
    /// What the targets must look like, which says what `%` stands for in what they need.
    pattern: Option<String>,
    needs: Vec<String>,
    /// What must be there before it, but is not made of.
    before: Vec<String>,
    pub(super) recipe: Vec<String>,
    /// Whether it is not known that it counts.
    pub(super) maybe: bool,
}

impl Rule {
    pub(super) fn new(targets: &str, pattern: Option<String>, needs: &str, command: Option<&str>) -> Self {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        let (mut targets, mut needs): (Vec<String>, Vec<String>) = (words(targets), words(needs));
        let bar = needs.iter().position(|word| word == "|");
        let mut before = bar.map_or_else(Vec::new, |at| needs.split_off(at));
        before.retain(|word| word != "|");
        if let [only] = targets.as_slice()
            && let Some((from, to)) = suffixes(only).filter(|_| needs.is_empty())
        {
            (targets, needs) = (vec![format!("%{to}")], vec![format!("%{from}")]);
        }
        Self {
            targets,
            pattern,
            needs,
            before,
            recipe: command.into_iter().map(str::to_owned).collect(),
            maybe: false,
        }
    }

    /// What is needed to make a target that stands at `%` in the pattern.
    pub(super) fn needs(&self, stem: &str) -> Vec<String> {
        self.needs.iter().map(|need| need.replacen('%', stem, 1)).collect()
    }

    fn before(&self, stem: &str) -> Vec<String> {
        self.before.iter().map(|need| need.replacen('%', stem, 1)).collect()
    }
}

/// `.c.o`: what ends in `.o` is made of what ends in `.c`. `.c` alone makes what has no ending.
fn suffixes(target: &str) -> Option<(&str, &str)> {
    let rest = target
        .strip_prefix('.')
        .filter(|rest| !rest.contains('/') && rest.starts_with(char::is_lowercase))?;
    let at = rest.find('.').map_or(target.len(), |at| at + 1);
    target.split_at_checked(at)
}

/// What a recipe may ask about the rule that it belongs to.
#[derive(Clone, Debug)]
pub(super) struct Making {
    pub(super) target: String,
    pub(super) stem: String,
    pub(super) needs: Rc<Vec<String>>,
    /// What `$|` is.
    pub(super) before: Rc<Vec<String>>,
}

/// A target that is wanted, and the pattern rules on the way to it: each is used once.
struct Goal {
    target: String,
    used: Vec<usize>,
}

/// A rule that runs: by its number, for which target, and what `%` stands for in it.
struct Step {
    target: String,
    rule: usize,
    stem: String,
}

/// Many files that one rule makes in one directory, as one with any name: what is done to them differs in nothing else.
fn together(order: Vec<Step>, is_special: &dyn Fn(&str) -> bool) -> Vec<Step> {
    let mut groups: HashMap<(usize, String), usize> = HashMap::new();
    let alike = |step: &Step| step.is_plain() && !is_special(&step.target);
    for step in order.iter().filter(|step| alike(step)) {
        *groups.entry(step.group()).or_default() += 1;
    }
    let mut seen = HashSet::new();
    let mut fewer = Vec::new();
    for step in order {
        let group = step.group();
        if !alike(&step) || groups.get(&group).is_none_or(|size| *size <= APART_MOST) {
            fewer.push(step);
        } else if seen.insert(group) {
            fewer.push(step.with_any_name());
        }
    }
    fewer
}

/// What each target needs, by any of its rules.
fn all_needs(rules: &[Rule], order: &[Step]) -> HashMap<String, Vec<String>> {
    let mut needs: HashMap<String, Vec<String>> = HashMap::new();
    let mut known = HashSet::new();
    for step in order {
        let Some(rule) = rules.get(step.rule).filter(|rule| rule.recipe.is_empty()) else { continue };
        for need in rule.needs(&step.stem) {
            if known.insert((step.target.as_str(), need.clone())) {
                needs.entry(step.target.clone()).or_default().push(need);
            }
        }
    }
    needs
}

/// How many files that one rule makes in one directory are looked at one by one.
const APART_MOST: usize = 8;

impl Step {
    fn name(&self) -> &str {
        self.stem.rsplit('/').next().unwrap_or_default()
    }

    /// The rule, and the directory that it is used in.
    fn group(&self) -> (usize, String) {
        (self.rule, self.target.rsplit_once('/').map_or("", |(directory, _)| directory).to_owned())
    }

    /// Whether the name is one like any other, to make and to the shell.
    fn is_plain(&self) -> bool {
        let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.' | '+');
        !self.name().is_empty() && self.name().chars().all(plain) && !self.name().starts_with(['-', '.'])
    }

    fn with_any_name(self) -> Self {
        let (name, some) = (self.name().to_owned(), SOME.to_string());
        let replaced = |text: &str| match text.rfind(&name) {
            Some(at) => {
                let (start, rest) = text.split_at_checked(at).unwrap_or((text, ""));
                format!("{start}{some}{}", rest.get(name.len()..).unwrap_or_default())
            }
            None => text.to_owned(),
        };
        Self { target: replaced(&self.target), stem: replaced(&self.stem), rule: self.rule }
    }
}

/// What it costs to compare two names, in bytes that are read.
const COMPARED: usize = 2;

/// What it costs to follow a rule, in bytes that are read.
const RULE: usize = 64;

/// How many patterns may lead to one target.
const CHAIN_MOST: usize = 8;

impl Make<'_> {
    /// Makes what is wanted.
    pub(super) fn build(&mut self) {
        let rules = std::mem::take(&mut self.rules);
        let index = Index::new(&rules);
        let one_shell = index.exact.contains_key(".ONESHELL");
        let mut goals = self.goals(&index);
        goals.extend(self.makefiles(&index));
        let order = self.order(&index, goals);
        if !self.spend(order.len() * self.specific.len() * COMPARED) {
            return;
        }
        self.inherit(&index, &order);
        let needs = all_needs(&rules, &order);
        let specific: HashSet<String> = self.specific.keys().cloned().collect();
        let order = together(order, &|target| {
            specific.iter().any(|own| own == target || super::expand::fits(target, own))
        });
        for Step { target, rule, stem } in order.into_iter().rev() {
            let Some(rule) = rules.get(rule).filter(|rule| !rule.recipe.is_empty()) else { continue };
            let mut own = rule.needs(&stem);
            let others = needs.get(&target).map(Vec::as_slice).unwrap_or_default();
            if !self.spend(own.len() * others.len() * COMPARED) {
                return;
            }
            let others: Vec<String> = others.iter().filter(|need| !own.contains(need)).cloned().collect();
            own.extend(others);
            let before = Rc::new(rule.before(&stem));
            let making = Making { target, needs: Rc::new(own), before, stem };
            self.cook(&rule.recipe, &making, one_shell);
        }
        if self.built_in {
            self.run_built_in();
        }
    }

    /// The makefiles that a rule makes: make does that before anything else.
    fn makefiles(&mut self, index: &Index<'_>) -> Vec<String> {
        let usual = ["GNUmakefile", "makefile", "Makefile"].map(str::to_owned);
        let files = self.included.iter().chain(&self.wanted.files).cloned().chain(usual);
        let made = |need: &String| index.exact.contains_key(need.as_str());
        files
            .filter(|file| {
                made(file)
                    || index.fitting(file, &[]).into_iter().any(|(at, stem)| {
                        let rule = index.rules.get(at);
                        rule.is_some_and(|rule| rule.needs(&stem.unwrap_or_default()).iter().all(made))
                    })
            })
            .collect()
    }

    /// Notes which targets are needed by one with variables of its own.
    fn inherit(&mut self, index: &Index<'_>, order: &[Step]) {
        if self.specific.is_empty() {
            return;
        }
        let has_own = |make: &Self, target: &str| {
            make.specific.keys().any(|own| own == target || super::expand::fits(target, own))
        };
        let mut above: Vec<String> = order.iter().map(|step| step.target.clone()).collect();
        above.retain(|target| has_own(self, target));
        above.sort_unstable();
        above.dedup();
        for target in above {
            for step in self.order(index, vec![target.clone()]) {
                let own = self.above.entry(step.target).or_default();
                if !own.contains(&target) {
                    own.push(target.clone());
                }
            }
        }
    }

    /// The rules that run, the last one first.
    fn order(&mut self, index: &Index<'_>, goals: Vec<String>) -> Vec<Step> {
        let goal = |target: String| Goal { target, used: Vec::new() };
        let mut waiting: Vec<Goal> = goals.into_iter().rev().map(goal).collect();
        let mut seen = HashSet::new();
        let mut order = Vec::new();
        while let Some(Goal { target, used }) = waiting.pop() {
            let looked_at = index.patterns.len() + if has_mark(&target) { index.exact.len() } else { 0 };
            if !seen.insert(target.clone()) || !self.spend(target.len() + looked_at * COMPARED) {
                continue;
            }
            let mut before: Vec<Goal> = index.possible(&target).into_iter().map(goal).collect();
            let fitting = index.fitting(&target, &used);
            let recipes =
                |(at, _): &(usize, _)| index.rules.get(*at).is_some_and(|rule| !rule.recipe.is_empty());
            self.built_in |= !fitting.iter().any(recipes)
                && super::builtin::is_built_in(&target)
                && (!index.exact.contains_key(target.as_str()) || target.strip_suffix(".o").is_some());
            if used.len() >= CHAIN_MOST && index.fits_more(&target, &used) {
                self.sink.gap(Position::Code, Reason::Depth, &target);
            }
            for (at, stem) in fitting {
                let Some(rule) = index.rules.get(at).filter(|_| self.spend(RULE)) else { continue };
                let mut used = used.clone();
                if stem.is_some() && rule.pattern.is_none() {
                    used.push(at);
                }
                let stem = stem.unwrap_or_default();
                let needs = rule.needs(&stem).into_iter().chain(rule.before(&stem)).rev();
                before.extend(needs.map(|target| Goal { target, used: used.clone() }));
                order.push(Step { target: target.clone(), rule: at, stem });
            }
            waiting.extend(before);
        }
        order
    }

    fn goals(&mut self, index: &Index<'_>) -> Vec<String> {
        if self.wanted.anything {
            return index.rules.iter().flat_map(|rule| rule.targets.iter().cloned()).collect();
        }
        if !self.wanted.targets.is_empty() {
            return self.wanted.targets.clone();
        }
        let named = if self.variables.contains_key(".DEFAULT_GOAL") {
            self.list("$(.DEFAULT_GOAL)")
        } else {
            String::new()
        };
        let is_default =
            |target: &&String| !target.contains('%') && (!target.starts_with('.') || target.contains('/'));
        let mut goals: Vec<String> = named.split_whitespace().map(str::to_owned).collect();
        if !goals.is_empty() && self.variables.get(".DEFAULT_GOAL").is_some_and(|goal| goal.others.is_empty())
        {
            return goals;
        }
        // The first rule that counts for certain, and those before it that may.
        for rule in index.rules {
            let first = rule.targets.iter().find(is_default);
            goals.extend(first.cloned());
            if first.is_some() && !rule.maybe {
                break;
            }
        }
        goals
    }

    /// Runs a recipe.
    fn cook(&mut self, recipe: &[String], making: &Making, one_shell: bool) {
        if one_shell {
            self.ran.clear();
            return self.each_way(|make| {
                let whole: Vec<String> = recipe.iter().map(|line| make.recipe(line, Some(making))).collect();
                // Make takes its own signs away at the beginning alone, unless it knows the shell.
                make.command(&whole.join("\n"));
                for line in whole.iter().filter(|line| line.starts_with(['@', '-', '+'])) {
                    make.command(line);
                }
            });
        }
        for line in recipe {
            self.ran.clear();
            self.each_way(|make| {
                let expanded = make.recipe(line, Some(making));
                make.commands(&expanded);
            });
        }
    }

    /// Runs each of the lines that a line of a recipe became.
    fn commands(&mut self, lines: &str) {
        let mut whole = String::new();
        for line in lines.lines() {
            whole.push_str(line);
            if super::layout::continues(line) {
                whole.push('\n');
            } else {
                self.command(&std::mem::take(&mut whole));
            }
        }
        self.command(&whole);
    }
}

/// Rules by what they make, so that a long file stays cheap.
struct Index<'r> {
    rules: &'r [Rule],
    exact: HashMap<&'r str, Vec<usize>>,
    patterns: Vec<(&'r str, &'r str, usize)>,
    /// What runs for targets that nothing else makes.
    otherwise: Option<usize>,
}

impl<'r> Index<'r> {
    fn new(rules: &'r [Rule]) -> Self {
        let mut index = Self { rules, exact: HashMap::new(), patterns: Vec::new(), otherwise: None };
        for (at, rule) in rules.iter().enumerate() {
            for target in &rule.targets {
                match target.split_once('%').filter(|_| rule.pattern.is_none()) {
                    Some((start, end)) => index.patterns.push((start, end, at)),
                    None if target == ".DEFAULT" => index.otherwise = Some(at),
                    None => index.exact.entry(target).or_default().push(at),
                }
            }
        }
        index
    }

    /// The rules that may make a target, with what `%` stands for. Which of several patterns make would choose hangs on the
    /// files that are there.
    fn fitting(&self, target: &str, used: &[usize]) -> Vec<(usize, Option<String>)> {
        let own = self.exact.get(target).cloned().unwrap_or_default();
        let by_name = own.iter().map(|at| (*at, self.static_stem(*at, target)));
        let has_recipe = |at: &usize| self.rules.get(*at).is_some_and(|rule| !rule.recipe.is_empty());
        if own.iter().any(has_recipe) {
            return by_name.collect();
        }
        let patterns =
            self.patterns.iter().filter(|(_, _, at)| used.len() < CHAIN_MOST && !used.contains(at));
        let by_pattern = patterns.filter_map(|(start, end, at)| Some((*at, Some(stem(target, start, end)?))));
        let mut fitting: Vec<_> = by_name.chain(by_pattern).collect();
        if fitting.is_empty() {
            fitting.extend(self.otherwise.map(|at| (at, None)));
        }
        fitting
    }

    /// Whether patterns fit that are not followed any more.
    fn fits_more(&self, target: &str, used: &[usize]) -> bool {
        let fresh = self.patterns.iter().filter(|(_, _, at)| !used.contains(at));
        fresh.into_iter().any(|(start, end, _)| stem(target, start, end).is_some())
    }

    /// The targets that a name may be of which a part is not known.
    fn possible(&self, name: &str) -> Vec<String> {
        if !has_mark(name) {
            return Vec::new();
        }
        let mut possible: Vec<String> = self
            .exact
            .keys()
            .filter(|own| !has_mark(own) && may_be(name, own))
            .map(|own| (*own).to_owned())
            .collect();
        possible.sort_unstable();
        possible
    }

    /// What `%` stands for where a rule says what its targets look like.
    fn static_stem(&self, at: usize, target: &str) -> Option<String> {
        let pattern = self.rules.get(at)?.pattern.as_ref()?;
        let (start, end) = pattern.split_once('%')?;
        stem(target, start, end)
    }
}

/// What `%` stands for in a target, if it fits.
fn stem(target: &str, start: &str, end: &str) -> Option<String> {
    let rest = target.strip_prefix(start).and_then(|rest| rest.strip_suffix(end));
    if let Some(rest) = rest.filter(|rest| !rest.is_empty()) {
        return Some(rest.to_owned());
    }
    if has_mark(target) && may_be(target, &format!("{start}%{end}")) {
        return Some(ANY.to_string());
    }
    // A pattern without a slash is about the name alone.
    let (directory, name) = target.rsplit_once('/').filter(|_| !start.contains('/'))?;
    let rest =
        name.strip_prefix(start).and_then(|rest| rest.strip_suffix(end)).filter(|rest| !rest.is_empty())?;
    Some(format!("{directory}/{rest}"))
}
