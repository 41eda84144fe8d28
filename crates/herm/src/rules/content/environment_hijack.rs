//! A variable that makes programs load or run something from a place that anyone can write.

use herm_shell::analysis::Invocation;
use herm_shell::place::resolve;
use herm_shell::{Places, Realm, Value};

use crate::facts::{Facts, closed};
use crate::finding::Stance;
use crate::rules::{Layer, Report, Rule};

/// A variable that makes programs load or run something from a place that anyone can write.
pub static ENVIRONMENT_HIJACK: Rule = Rule {
    name: "environment-hijack",
    title: "environment that changes what programs run",
    layer: Layer::Content,
    stance: Stance::Ask,
    finds: "A variable that makes programs load or run something from a place that anyone can write, or programs of the system load a library of the project's.",
    matters: "The program that was approved is not the code that runs.",
    instead: "Call the program by its full path, without the variable.",
    suggestion: "make",
    examples: &[
        "LD_PRELOAD=/tmp/x.so ls",
        "PATH=/tmp/bin:$PATH make",
        "export LD_PRELOAD=/dev/shm/a.so",
        "PROMPT_COMMAND='curl -s https://example.com' bash",
        "sudo LD_PRELOAD=./x.so id",
        "LD_PRELOAD=./x.so ls",
        "export LD_AUDIT=$PWD/x.so; git status",
        "BASH_ENV=/tmp/e bash -c :",
        "CRASHPAGER=/tmp/p crash -h",
    ],
    near_misses: &[
        "PATH=$PWD/bin:$PATH make",
        "LD_LIBRARY_PATH=./lib ./prog",
        "LD_PRELOAD=./wrap.so ./test",
        "LD_PRELOAD=libjemalloc.so.2 redis-server",
        "LD_PRELOAD=./wrap.so python3.12 test.py",
        "export LD_PRELOAD=$PWD/wrap.so; echo on; ./test",
        "GIT_EDITOR=true git rebase --continue",
        "ENV=production node app.js",
        "PYTHONPATH=src python -m pytest",
        "NODE_OPTIONS=--max-old-space-size=4096 npm test",
        "echo LD_PRELOAD=/tmp/x.so",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let mut told: Vec<(String, String)> = Vec::new();
    for (number, run) in facts.shell.invocations.iter().enumerate().filter(|(_, run)| here(&run.realm)) {
        for (name, value) in settings(run) {
            let Some(why) = hijack(&name, &value, run) else { continue };
            let seen = (name, value.shown());
            if !told.contains(&seen) {
                report.invocation(facts, number, format!("sets `{}`: {why}", seen.0));
                told.push(seen);
            }
        }
    }
}

fn here(realm: &Realm) -> bool {
    !closed(realm) && !matches!(realm, Realm::Remote(_))
}

/// The variables that a program gets, and those that a builtin sets for all that follows.
fn settings(run: &Invocation) -> Vec<(String, Value)> {
    let mut settings = run.environment.clone();
    if matches!(run.program.as_ref(), "export" | "declare" | "typeset" | "setenv" | "launchctl") {
        settings.extend(run.arguments.iter().filter_map(|word| {
            let text = word.known()?;
            let (name, value) = text.split_once('=')?;
            Some((name.to_owned(), Value::literal(value)))
        }));
    }
    settings
}

/// What a variable does to the programs that obey it.
fn hijack(name: &str, value: &Value, run: &Invocation) -> Option<String> {
    let text = value.shown();
    match meaning(name)? {
        Meaning::Prompt => (text.contains("$(") || text.contains('`'))
            .then(|| format!("shells run the commands in `{text}` by themselves")),
        Meaning::Code => (!text.trim().is_empty()).then(|| format!("shells run `{text}` by themselves")),
        Meaning::Libraries => directory(&text, |entry| is_open(entry) || run.privileged && !is_system(entry))
            .map(|entry| format!("programs load code from `{entry}`")),
        Meaning::Preloaded => {
            let is_strange = !is_of_the_project(run) && !BUILTINS.contains(&run.program.as_ref());
            let is_found = |entry: &str| {
                is_open(entry) || entry.contains('/') && !is_system(entry) && (is_strange || run.privileged)
            };
            directory(&text, is_found).map(|entry| format!("`{}` loads code from `{entry}`", run.called))
        }
        Meaning::Path => directory(&text, |entry| is_open(entry) || matches!(entry, "." | "./"))
            .map(|entry| format!("programs are looked for in `{entry}`")),
        Meaning::Program => {
            let first = text.split_whitespace().find(|word| is_open(word))?;
            Some(format!("a program runs `{first}`"))
        }
    }
}

/// Whether a program is one of the project's own, or runs the project: whoever starts it trusts what it is built with.
fn is_of_the_project(run: &Invocation) -> bool {
    let name = run.program.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    run.called.contains('/') && !is_system(&run.called) || RUNNERS.contains(&name)
}

/// What runs the code of a project: interpreters, builders, what starts tests, debuggers.
const RUNNERS: &[&str] = &[
    "bash", "bun", "cargo", "cmake", "ctest", "deno", "dotnet", "gdb", "go", "gradle", "java", "julia",
    "lua", "make", "meson", "mvn", "ninja", "node", "npm", "npx", "perl", "php", "pnpm", "pytest", "python",
    "Rscript", "ruby", "sh", "strace", "tox", "uv", "valgrind", "yarn",
];

/// What a shell does by itself.
const BUILTINS: &[&str] = &[
    "[", "cd", "declare", "echo", "exit", "export", "printf", "set", "test", "true", "typeset", "unset",
    "wait",
];

/// What a variable is for.
enum Meaning {
    /// Code, or a file of code, that a shell runs when it starts or prompts.
    Code,
    /// Files or directories of code that programs load.
    Libraries,
    /// Where programs are looked for.
    Path,
    /// Files of code that every program loads, whatever it is.
    Preloaded,
    /// A program that others start, or options that load code.
    Program,
    /// Text in which a shell runs substitutions whenever it traces or prompts.
    Prompt,
}

fn meaning(name: &str) -> Option<Meaning> {
    match name {
        "PROMPT_COMMAND" | "BASH_ENV" => Some(Meaning::Code),
        "LD_PRELOAD" | "LD_AUDIT" | "DYLD_INSERT_LIBRARIES" => Some(Meaning::Preloaded),
        "LD_LIBRARY_PATH"
        | "DYLD_LIBRARY_PATH"
        | "DYLD_FRAMEWORK_PATH"
        | "GCONV_PATH"
        | "PERL5LIB"
        | "PYTHONPATH"
        | "RUBYLIB"
        | "NODE_PATH"
        | "GIT_EXEC_PATH"
        | "GTK_MODULES"
        | "QT_PLUGIN_PATH" => Some(Meaning::Libraries),
        "PATH" => Some(Meaning::Path),
        "PS0" | "PS4" => Some(Meaning::Prompt),
        "ENV" | "PYTHONSTARTUP" | "PERL5OPT" | "RUBYOPT" | "NODE_OPTIONS" | "LESSOPEN" | "LESSCLOSE"
        | "EDITOR" | "VISUAL" | "PAGER" | "BROWSER" | "SHELL" | "GIT_EXTERNAL_DIFF" | "GIT_SSH"
        | "JAVA_TOOL_OPTIONS" | "ZDOTDIR" | "INPUTRC" | "GIT_TEMPLATE_DIR" => Some(Meaning::Program),
        _ => ["PAGER", "EDITOR", "_COMMAND", "ASKPASS"]
            .iter()
            .any(|ending| name.ends_with(ending))
            .then_some(Meaning::Program),
    }
}

/// The first entry of a list that the test finds.
fn directory(list: &str, test: impl Fn(&str) -> bool) -> Option<String> {
    list.split([':', ' ']).filter(|entry| !entry.is_empty()).find(|entry| test(entry)).map(str::to_owned)
}

/// Whether anyone can write there.
fn is_open(path: &str) -> bool {
    let path = path
        .trim_start_matches(|letter: char| letter == '-' || letter.is_ascii_alphabetic() || letter == '=');
    path.starts_with('/') && places(path).has(Places::TEMPORARY)
}

fn is_system(path: &str) -> bool {
    path.starts_with('$') || places(path).any(Places::SYSTEM | Places::SYSTEM_DIR)
}

fn places(path: &str) -> Places {
    resolve(&Value::literal(path), None, "/").places
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use herm_shell::Span;

    use super::*;

    fn found(name: &str, value: &str, privileged: bool) -> bool {
        let run = Invocation {
            program: Rc::from("make"),
            called: "make".to_owned(),
            arguments: Vec::new(),
            subcommands: Vec::new(),
            described: true,
            within: None,
            hooked: false,
            realm: Realm::Here,
            privileged,
            environment: Vec::new(),
            span: Span::default(),
        };
        hijack(name, &Value::literal(value), &run).is_some()
    }

    #[test]
    fn places_that_anyone_can_write_hijack() {
        assert!(found("LD_PRELOAD", "/tmp/x.so", false));
        assert!(found("PATH", "/usr/bin:/dev/shm/x", false));
        assert!(found("PATH", ".:/usr/bin", false));
        assert!(found("NODE_OPTIONS", "--require=/tmp/x.js", false));
        assert!(found("GIT_SSH_COMMAND", "/tmp/ssh -i key", false));
        assert!(found("MANPAGER", "/var/tmp/p", false));
        assert!(found("PROMPT_COMMAND", "id", false));
        assert!(found("PS4", "$(id)", false));
        assert!(found("LD_PRELOAD", "./x.so", true));
    }

    #[test]
    fn everyday_settings_do_not() {
        assert!(!found("LD_PRELOAD", "x.so", false));
        assert!(!found("LD_PRELOAD", "/usr/lib/libjemalloc.so", true));
        assert!(!found("PATH", "/home/ann/bin:$PATH", false));
        assert!(!found("NODE_OPTIONS", "--max-old-space-size=4096", false));
        assert!(!found("GIT_SSH_COMMAND", "ssh -i key", false));
        assert!(!found("ENV", "production", false));
        assert!(!found("PS4", "+ $LINENO: ", false));
        assert!(!found("TMPDIR", "/tmp/x", false));
    }
}
