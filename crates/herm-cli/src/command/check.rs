//! `herm check`

use std::io;

use clap::ArgMatches;
use herm::call::Exec;
use herm::{Action, Engine};
use herm_runtime::Setup;
use herm_runtime::world::{LocalWorld, Variables};
use herm_shell::Lang;
use herm_shell::world::{Blind, World};

use super::{answer, batch, fail, refuse_to, scanner};
use crate::arguments;
use crate::exit::Exit;
use crate::render::human::Detail;
use crate::render::{human, json};

/// Judges what the arguments say.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    if matches.get_flag("non-interactive") {
        return scanner::run(matches);
    }
    let setup = match arguments::setup(matches) {
        Ok(setup) => setup,
        Err(problem) => return refuse_to(&problem, matches),
    };
    if matches.get_flag("batch") {
        return batch::run(setup, language(matches), world(matches, Variables::Unknown));
    }
    match action(matches) {
        Ok(action) => one(matches, setup, action),
        Err(error) => fail(&format!("cannot read the command from standard input: {error}")),
    }
}

fn one(matches: &ArgMatches, setup: Setup, action: Action) -> Exit {
    let call = setup.call(action);
    let ruling = Engine::new(setup.policy).check(&call, world(matches, Variables::Inherited));
    let text = if matches.get_flag("json") {
        format!("{}\n", json::ruling(&ruling))
    } else {
        human::ruling(&ruling, call.action.text(), detail(matches))
    };
    answer(&text, Exit::from(&ruling.decision))
}

fn detail(matches: &ArgMatches) -> Detail {
    if matches.get_flag("verbose") { Detail::Full } else { Detail::Brief }
}

fn action(matches: &ArgMatches) -> io::Result<Action> {
    let given = |name: &str| matches.get_one::<String>(name).cloned();
    if let Some(path) = given("read") {
        return Ok(Action::Read(path));
    }
    if let Some(path) = given("write") {
        return Ok(Action::Write(path));
    }
    let text = match given("command").unwrap_or_default() {
        dash if dash == "-" => standard_input()?,
        text => text,
    };
    Ok(Action::Exec(Exec::new(&text, language(matches))))
}

/// Bytes that are not text cannot be judged: the shell would run other bytes than were read here.
fn standard_input() -> io::Result<String> {
    io::read_to_string(io::stdin().lock())
}

fn world(matches: &ArgMatches, variables: Variables) -> &'static dyn World {
    match (matches.get_flag("no-files"), variables) {
        (true, _) => &Blind,
        (false, Variables::Inherited) => &LocalWorld { variables: Variables::Inherited },
        (false, Variables::Unknown) => &LocalWorld { variables: Variables::Unknown },
    }
}

pub(super) fn language(matches: &ArgMatches) -> Lang {
    match matches.get_one::<String>("language").map_or("shell", String::as_str) {
        "awk" => Lang::Awk,
        "cmd" => Lang::Cmd,
        "javascript" => Lang::JavaScript,
        "lua" => Lang::Lua,
        "perl" => Lang::Perl,
        "php" => Lang::Php,
        "powershell" => Lang::PowerShell,
        "python" => Lang::Python,
        "r" => Lang::R,
        "ruby" => Lang::Ruby,
        "sed" => Lang::Sed,
        "sql" => Lang::Sql,
        "tcl" => Lang::Tcl,
        _ => Lang::Shell,
    }
}
