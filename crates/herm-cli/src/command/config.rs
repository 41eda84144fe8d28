//! `herm config`

use clap::ArgMatches;
use herm::call::Exec;
use herm::policy::error::Position;
use herm::policy::{Case, Source};
use herm::{Action, Engine};
use herm_runtime::Setup;
use herm_runtime::setup::{self, Checked, Problem};
use herm_shell::Lang;
use herm_shell::world::Blind;
use serde_json::{Value, json};

use super::{answer, refuse, refuse_to};
use crate::arguments;
use crate::exit::Exit;
use crate::reference;
use crate::render::escape::escape;
use crate::render::{count, policy};

/// Checks, shows, describes or tests the configuration.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    match matches.subcommand() {
        Some(("check", matches)) => check(matches),
        Some(("schema", _)) => answer(&reference::schema(), Exit::Allow),
        Some(("show", matches)) => with(matches, |setup| show(&setup, matches)),
        Some(("test", matches)) => with(matches, |setup| test(&setup, matches)),
        Some(_) | None => Exit::Usage,
    }
}

fn with(matches: &ArgMatches, then: impl FnOnce(Setup) -> Exit) -> Exit {
    match arguments::setup(matches) {
        Ok(setup) => then(setup),
        Err(problem) => refuse_to(&problem, matches),
    }
}

fn check(matches: &ArgMatches) -> Exit {
    let Checked { sources, problems, unused } = match setup::check(arguments::all_wishes(matches)) {
        Ok(checked) => checked,
        Err(problem) => return refuse_to(&problem, matches),
    };
    for problem in &problems {
        refuse(problem);
    }
    let exit = if problems.is_empty() { Exit::Allow } else { Exit::Usage };
    if matches.get_flag("json") {
        let file = |(source, file): &(Source, String)| json!({ "file": file, "owner": owner(*source) });
        let files: Vec<_> = sources.iter().map(file).collect();
        let problems: Vec<_> = problems.iter().map(fault).collect();
        let unused: Vec<_> =
            unused.iter().flat_map(|(file, keys)| keys.iter().map(move |key| idle(file, key))).collect();
        return answer(
            &format!("{}\n", json!({ "files": files, "problems": problems, "unused": unused })),
            exit,
        );
    }
    let line = |(source, file): &(Source, String)| format!("{}: ok ({})\n", escape(file), owner(*source));
    let lines: String = sources.iter().map(line).chain(unused.iter().map(passed_over)).collect();
    let nothing = lines.is_empty() && problems.is_empty();
    answer(if nothing { "no configuration files; the defaults hold\n" } else { &lines }, exit)
}

/// What a file says that nothing here makes use of.
fn passed_over((file, keys): &(String, Vec<(Position, String)>)) -> String {
    let named: Vec<_> = keys.iter().map(|(_, key)| format!("`{}`", escape(key))).collect();
    format!("{}: has no effect here: {}\n", escape(file), named.join(", "))
}

fn idle(file: &str, (at, key): &(Position, String)) -> Value {
    json!({ "file": file, "line": at.line, "column": at.column, "key": key })
}

/// What is wrong, and where, for programs.
fn fault(problem: &Problem) -> Value {
    let (file, at, text) = match problem {
        Problem::Config(error) => (Some(&error.file), Some(error.at), error.problem.to_string()),
        Problem::Confinement(_)
        | Problem::NotText(..)
        | Problem::Path(..)
        | Problem::Place(_)
        | Problem::Store(_)
        | Problem::Unreadable(_) => (None, None, problem.to_string()),
    };
    json!({
        "file": file,
        "line": at.map(|at| at.line),
        "column": at.map(|at| at.column),
        "problem": text,
        "hint": problem.hint(),
    })
}

fn show(setup: &Setup, matches: &ArgMatches) -> Exit {
    if matches.get_flag("json") {
        return answer(&format!("{:#}\n", policy::json(&setup.policy)), Exit::Allow);
    }
    let line = |(source, file): &(Source, String)| format!("# {}: {}\n", owner(*source), escape(file));
    let read: Vec<_> = setup.sources.iter().map(line).collect();
    answer(&format!("{}{}", read.concat(), policy::yaml(&setup.policy)), Exit::Allow)
}

fn owner(source: Source) -> &'static str {
    match source {
        Source::Managed => "managed",
        Source::User => "user",
        Source::Repository => "repository",
    }
}

fn test(setup: &Setup, matches: &ArgMatches) -> Exit {
    let cases = setup.policy.tests.clone();
    let engine = Engine::new(setup.policy.clone());
    let failures: Vec<_> = cases.iter().filter_map(|case| judge(case, &engine, setup)).collect();
    let exit = if failures.is_empty() { Exit::Allow } else { Exit::Deny };
    if matches.get_flag("json") {
        let failed: Vec<_> = failures.iter().map(|failure| failure.trim_end()).collect();
        return answer(&format!("{}\n", json!({ "tests": cases.len(), "failures": failed })), exit);
    }
    let summary = match failures.len() {
        0 => format!("{} passed\n", count(cases.len(), "test")),
        failed => format!("{failed} of {} failed\n", count(cases.len(), "test")),
    };
    answer(&format!("{}{summary}", failures.concat()), exit)
}

/// What went otherwise than expected. Files are not looked at, so that the result is the same everywhere.
fn judge(case: &Case, engine: &Engine, setup: &Setup) -> Option<String> {
    let call = setup.call(Action::Exec(Exec::new(&case.command, Lang::Shell)));
    let ruling = engine.check(&call, &Blind);
    let decision = ruling.decision.word();
    let silent =
        case.rule.as_ref().filter(|rule| !ruling.findings.iter().any(|finding| finding.rule == **rule));
    let problem = match silent {
        _ if decision != case.expect => format!("expected {}, got {decision}", case.expect),
        Some(rule) => format!("expected `{}` to speak, but it is silent", escape(rule)),
        None => return None,
    };
    let (file, command) = (escape(&case.file), escape(&case.command));
    Some(format!("{file}:{}:{}: `{command}`: {problem}\n", case.at.line, case.at.column))
}
