//! find, fd and locate.
//!
//! find's expression is a little language: tests narrow, actions act on what is left. What it acts on is said as the
//! starting path itself when nothing narrows, and as a pattern below it when something does.

use super::arguments::Parsed;
use super::listings::{as_text, below, every_file_below, found_below};
use super::schema::{Do, Operands, Opt, Program, Role, Source, Syntax, flag, program, quiet, until, value};
use crate::effect::{Flags, Verb};
use crate::place::WALK;
use crate::sink::Sink;
use crate::value::{Piece, Provenance, Value};

pub(super) static PROGRAMS: &[Program] = &[
    program(&["find", "gfind", "bfs"])
        .syntax(Syntax::Expression)
        .options(FIND)
        .operands(Operands::None)
        .stdout(Source::Unknown)
        .refine(find),
    program(&["fd", "fdfind"])
        .options(&[
            flag("--help --version -V", Do::Stop),
            value(
                "-e --extension -t --type -E --exclude -d --max-depth --min-depth --exact-depth -S --size --changed-within \
                 --changed-before --newer --older -o --owner -j --threads -c --color --ignore-file --format --path-separator \
                 --max-results",
                Role::Inert,
            ),
            value("--base-directory", Role::Directory),
            value("--search-path", Role::Inert),
            until("-x --exec", &[";"], Role::Inert),
            until("-X --exec-batch", &[";"], Role::Inert),
        ])
        .operands(Operands::None)
        .refine(fd),
    program(&["locate", "mlocate", "plocate", "mdfind"])
        .options(&[
            flag("--help --version", Do::Stop),
            value("-d --database -l --limit -n -r --regexp -onlyin", Role::Inert),
            quiet("-i -b -c -e -0 -S -q"),
        ]),
];

/// The words of an expression that take a value and leave every file.
const VALUED: &[&str] = &[
    "-type",
    "-xtype",
    "-fstype",
    "-maxdepth",
    "-mindepth",
    "-printf",
    "-context",
    "-regextype",
    "-files0-from",
    "-D",
    "-fprint",
    "-fprint0",
    "-fls",
    "-fprintf",
];

/// The tests of a value that leave only some files. Types and depths do not: every file in `/` is still every file.
const NARROWING: &[&str] = &[
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-iwholename",
    "-regex",
    "-iregex",
    "-lname",
    "-ilname",
    "-size",
    "-mtime",
    "-atime",
    "-ctime",
    "-mmin",
    "-amin",
    "-cmin",
    "-newer",
    "-anewer",
    "-cnewer",
    "-perm",
    "-user",
    "-group",
    "-uid",
    "-gid",
    "-inum",
    "-links",
    "-samefile",
    "-used",
];

/// The same of those that take no value.
const NARROWING_ALONE: &[&str] = &["-nouser", "-nogroup"];

const FIND: &[Opt] = &[
    flag("-help --help -version --version", Do::Stop),
    until("-exec -execdir -ok -okdir", &[";", "+"], Role::Inert),
    value(
        "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size -mtime -atime \
         -ctime -mmin -amin -cmin -newer -anewer -cnewer -perm -user -group -uid -gid -inum -links -samefile -fstype \
         -maxdepth -mindepth -printf -used -context -regextype -files0-from -D -fprint -fprint0 -fls -fprintf",
        Role::Inert,
    ),
    quiet(
        "-delete -empty -executable -readable -writable -nouser -nogroup -true -false -prune -quit -print -print0 -ls \
         -depth -d -xdev -mount -follow -daystart -noleaf -ignore_readdir_race -a -o -and -or -not -H -L -P -E -X -s -x",
    ),
];

fn find(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words: Vec<&Value> = parsed.all.iter().map(|argument| &argument.value).collect();
    let (starts, rest) = starts(&words);
    let starts = if starts.is_empty() { vec![Value::literal(".")] } else { starts };
    for start in &starts {
        sink.path(Verb::Read, start, parsed.flags | Flags::METADATA | Flags::RECURSIVE);
    }
    Walk::from(starts).run(rest, parsed.flags, sink);
}

/// The paths before the expression. Words that are not known stand for paths.
fn starts<'a>(words: &'a [&'a Value]) -> (Vec<Value>, &'a [&'a Value]) {
    let options = words.iter().take_while(|word| is_global(&word.shown())).count();
    let words = words.get(options..).unwrap_or_default();
    let end = words.iter().position(|word| begins_expression(&word.known_prefix())).unwrap_or(words.len());
    let (paths, rest) = words.split_at(end);
    (paths.iter().map(|path| (*path).clone()).collect(), rest)
}

fn narrows_by_value(word: &str) -> bool {
    NARROWING.contains(&word) || word.starts_with("-newer")
}

fn is_global(word: &str) -> bool {
    matches!(word, "-H" | "-L" | "-P" | "-E" | "-X" | "-s" | "-x" | "-d") || word.starts_with("-O")
}

fn begins_expression(word: &str) -> bool {
    (word.starts_with('-') && word.len() > 1) || matches!(word, "(" | "!" | ")" | ",")
}

/// A walk through an expression from left to right.
struct Walk {
    starts: Vec<Value>,
    /// What is left has to match one of these; without them it is everything.
    narrowed: Option<Vec<String>>,
    negated: bool,
    /// The parentheses around what is being read.
    groups: Vec<Group>,
    acted: bool,
    printed: bool,
}

/// What stands in parentheses.
struct Group {
    /// What was left before them.
    before: Option<Vec<String>>,
    /// What is left by those that were read of several ways to pass.
    passed: Vec<Option<Vec<String>>>,
    negated: bool,
}

impl Walk {
    fn from(starts: Vec<Value>) -> Self {
        Self { starts, narrowed: None, negated: false, groups: Vec::new(), acted: false, printed: false }
    }

    fn run(mut self, words: &[&Value], flags: Flags, sink: &mut dyn Sink) {
        let mut words = words;
        while let Some((word, rest)) = words.split_first() {
            if sink.spend(1).is_err() {
                return;
            }
            words = self.step(&word.known().unwrap_or_default(), rest, flags, sink);
        }
        if self.printed || !self.acted {
            sink.print(self.listing());
        }
    }

    /// Reads one word of the expression with what belongs to it; the words after it come back.
    fn step<'a>(
        &mut self,
        word: &str,
        rest: &'a [&'a Value],
        flags: Flags,
        sink: &mut dyn Sink,
    ) -> &'a [&'a Value] {
        match word {
            "(" => {
                let (before, negated) = (self.narrowed.clone(), self.negated);
                self.groups.push(Group { before, passed: Vec::new(), negated });
            }
            ")" => self.close(),
            "!" | "-not" => {
                self.negated = !self.negated;
                return rest;
            }
            "-o" | "-or" | "," => self.begin_another(word),
            "-delete" => self.delete(flags, sink),
            "-print" | "-print0" => self.printed = true,
            "-exec" | "-execdir" | "-ok" | "-okdir" => return self.exec(rest, sink),
            "-fprint" | "-fprint0" | "-fls" | "-fprintf" => self.print_to(rest, flags, sink),
            "-printf" | "-ls" => self.acted = true,
            _ => self.narrow(word, rest),
        }
        self.negated = false;
        let taken = match word {
            "-fprintf" => 2,
            _ if VALUED.contains(&word) || narrows_by_value(word) => 1,
            _ => 0,
        };
        rest.get(taken..).unwrap_or_default()
    }

    /// Begins another way to pass, which only what was before the parentheses narrows. Behind a comma, nothing that was read before counts.
    fn begin_another(&mut self, word: &str) {
        let Some(group) = self.groups.last_mut() else {
            self.narrowed = None;
            return;
        };
        let way = std::mem::replace(&mut self.narrowed, group.before.clone());
        if word == "," {
            group.passed.clear();
        } else {
            group.passed.push(way);
        }
    }

    /// What passes in any of the ways is left. What does not pass may be anything, but for what was left before.
    fn close(&mut self) {
        let Some(group) = self.groups.pop() else { return };
        let last = self.narrowed.take();
        let ways: Option<Vec<_>> = group.passed.into_iter().chain([last]).collect();
        self.narrowed = match ways {
            Some(ways) if !group.negated => Some(ways.concat()),
            Some(_) | None => group.before,
        };
    }

    /// A test that is turned round narrows nothing worth the name, nor does one that every file passes.
    fn narrow(&mut self, word: &str, rest: &[&Value]) {
        if self.negated || !(narrows_by_value(word) || NARROWING_ALONE.contains(&word)) {
            return;
        }
        let value = rest.first().map(|value| value.shown()).unwrap_or_default();
        if matches!(value.as_str(), "*" | ".*" | "*.*" | "/*") && word.ends_with(['e', 'h', 'x']) {
            return;
        }
        let named = matches!(word, "-name" | "-iname");
        self.narrowed = if named {
            Some(vec![value])
        } else {
            self.narrowed.take().or_else(|| Some(vec!["?*".to_owned()]))
        };
    }

    fn delete(&mut self, flags: Flags, sink: &mut dyn Sink) {
        self.acted = true;
        // What has a name goes one by one, and a directory only when it is empty: nothing goes for being below it.
        let is_by_name =
            |names: &Vec<String>| names.iter().all(|name| name.contains(|c: char| c.is_ascii_alphanumeric()));
        let reach = match &self.narrowed {
            Some(names) if is_by_name(names) => Flags::NARROWED,
            Some(_) => Flags::NARROWED | Flags::RECURSIVE,
            None => Flags::RECURSIVE,
        };
        for item in self.items() {
            sink.path(Verb::Delete, &item, flags | reach);
        }
    }

    fn exec<'a>(&mut self, rest: &'a [&'a Value], sink: &mut dyn Sink) -> &'a [&'a Value] {
        self.acted = true;
        let end = rest.iter().enumerate().position(|(index, word)| match word.known().as_deref() {
            Some(";") => true,
            Some("+") => index > 0 && rest.get(index - 1).is_some_and(|before| before.shown().contains("{}")),
            _ => false,
        });
        let (argv, after) = rest.split_at(end.unwrap_or(rest.len()));
        let argv: Vec<Value> = argv.iter().map(|word| (*word).clone()).collect();
        sink.run_each(&argv, "{}", &self.items());
        self.negated = false;
        after.get(1..).unwrap_or_default()
    }

    fn print_to(&mut self, rest: &[&Value], flags: Flags, sink: &mut dyn Sink) {
        self.acted = true;
        if let Some(path) = rest.first() {
            sink.path(Verb::Write, path, flags | Flags::TRUNCATE);
        }
    }

    /// What an action is done to.
    fn items(&self) -> Vec<Value> {
        let below = |start| {
            let patterns = self.narrowed.iter().flatten();
            let narrowed = patterns.flat_map(move |pattern| items_below(start, Some(pattern)));
            let whole = self.narrowed.is_none().then(|| items_below(start, None));
            narrowed.chain(whole.into_iter().flatten())
        };
        self.starts.iter().flat_map(below).collect()
    }

    /// What is printed: each starting path with all that is below it or, if something narrows, some of that.
    fn listing(&self) -> Value {
        let mut text = Value::default();
        for start in &self.starts {
            if self.narrowed.is_none() {
                text.push(&every_file_below(start));
                continue;
            }
            for name in self.narrowed.iter().flatten().filter(|name| is_plain(name)) {
                text.push(&as_text(&below(start)));
                text.push_str(&format!("{name}\n"));
            }
            let patterns =
                self.narrowed.iter().flatten().filter(|name| !is_plain(name) && !name.contains('/'));
            for pattern in patterns {
                let mut found = below(start);
                found.pieces.extend([Piece::Glob("**".to_owned()), Piece::Literal("/".to_owned())]);
                found.pieces.push(Piece::Glob(pattern.clone()));
                text.push(&as_text(&found));
                text.push_str("\n");
            }
            text.push(&found_below(std::slice::from_ref(start)));
        }
        text.from(Provenance::OUTSIDE)
    }
}

/// The starting path, or what matches a pattern somewhere below it.
fn items_below(start: &Value, narrowed: Option<&str>) -> Vec<Value> {
    let mut inner = below(start);
    if let Some(name) = narrowed.filter(|name| is_plain(name)) {
        let mut direct = inner.clone();
        direct.push_str(name);
        inner.pieces.push(Piece::Glob("**".to_owned()));
        inner.push_str(&format!("/{name}"));
        return vec![direct, inner];
    }
    let Some(pattern) = narrowed else {
        inner.pieces.push(Piece::Glob(WALK.to_owned()));
        return vec![start.clone(), inner];
    };
    inner.pieces.push(Piece::Glob("**".to_owned()));
    for name in pattern.split('/') {
        inner.push_str("/");
        inner.pieces.push(Piece::Glob(name.to_owned()));
    }
    vec![inner]
}

/// Whether a name is one file's, not a pattern.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.contains(['*', '?', '[', '/'])
}

/// fd always takes a pattern; `fd . dir` is the one that narrows nothing.
fn fd(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let pattern = parsed.word(0).filter(|pattern| !matches!(pattern.as_str(), "" | "." | "*" | ".*"));
    let narrowed = pattern
        .or_else(|| parsed.value("-e --extension").map(|extension| format!("*.{}", extension.shown())));
    let mut starts: Vec<Value> =
        parsed.operands.iter().skip(1).map(|operand| operand.value.clone()).collect();
    starts.extend(parsed.values("--search-path").cloned());
    if starts.is_empty() {
        starts.push(Value::literal("."));
    }
    let items: Vec<Value> = starts.iter().flat_map(|start| items_below(start, narrowed.as_deref())).collect();
    for given in parsed
        .options
        .iter()
        .filter(|given| matches!(given.name.as_str(), "-x" | "--exec" | "-X" | "--exec-batch"))
    {
        let mut argv = given.values.clone();
        if !argv.iter().any(|word| word.shown().contains("{}")) {
            argv.push(Value::literal("{}"));
        }
        sink.run_each(&argv, "{}", &items);
    }
    let narrowed = narrowed.map(|pattern| vec![pattern]);
    sink.print(Walk { narrowed, ..Walk::from(starts) }.listing());
}
