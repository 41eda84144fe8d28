//! `herm url`

use std::io::{self, BufReader, BufWriter, Read, Write};

use clap::ArgMatches;
use herm::fetch::Fetch;
use herm::{Action, Decision, Engine, Ruling};
use herm_runtime::Setup;
use herm_runtime::lookup::{self, Lookup};
use serde_json::{Value, json};

use super::batch::{next_line, refuse as refused};
use super::{answer, fail, refuse_to};
use crate::arguments;
use crate::exit::Exit;
use crate::render::escape::escape;
use crate::render::human::{self, Detail};
use crate::render::json;

/// Judges the links of the arguments, or those of standard input.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    let setup = match arguments::setup(matches) {
        Ok(setup) => setup,
        Err(problem) => return refuse_to(&problem, matches),
    };
    let lookup = if matches.get_flag("no-dns") { Lookup::Never } else { Lookup::System };
    let judge = Judge { engine: Engine::new(setup.policy.clone()), setup, lookup };
    if matches.get_flag("batch") {
        return judge.batch();
    }
    let links = matches.get_many::<String>("url").unwrap_or_default();
    let rulings: Vec<_> = links.map(|link| (link.as_str(), judge.ruling(link))).collect();
    let strictest = rulings.iter().map(|(_, ruling)| &ruling.decision).max_by_key(|decision| rank(decision));
    let exit = strictest.map_or(Exit::Usage, Exit::from);
    let text = if matches.get_flag("json") { lines(&rulings) } else { blocks(&rulings, detail(matches)) };
    answer(&text, exit)
}

struct Judge {
    engine: Engine,
    setup: Setup,
    lookup: Lookup,
}

impl Judge {
    fn ruling(&self, link: &str) -> Ruling {
        let call = self.setup.call(Action::Fetch(Fetch::url(link)));
        lookup::judge(&self.engine, &call, self.lookup)
    }

    fn batch(&self) -> Exit {
        let mut input = BufReader::new(io::stdin().lock());
        match self.rows(&mut input, &mut BufWriter::new(io::stdout().lock())) {
            Ok(()) => Exit::Allow,
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Allow,
            Err(error) => fail(&format!("cannot go on with the batch: {error}")),
        }
    }

    fn rows(&self, input: &mut BufReader<impl Read>, output: &mut impl Write) -> io::Result<()> {
        while let Some(line) = next_line(input)? {
            if !line.trim_ascii().is_empty() {
                writeln!(output, "{}", self.row(&line))?;
            }
            if input.buffer().is_empty() {
                output.flush()?;
            }
        }
        output.flush()
    }

    fn row(&self, line: &[u8]) -> Value {
        let row: Value = match serde_json::from_slice(line) {
            Ok(row) => row,
            Err(error) => return refused(&Value::Null, &format!("not valid JSON: {error}")),
        };
        let id = row.get("id").cloned().unwrap_or_default();
        let Some(url) = row.get("input").and_then(Value::as_str) else {
            return refused(&id, "`input` must be a text");
        };
        with(json::ruling(&self.ruling(url)), "id", id)
    }
}

fn with(mut answer: Value, key: &str, value: Value) -> Value {
    if let Some(fields) = answer.as_object_mut() {
        fields.insert(key.to_owned(), value);
    }
    answer
}

fn lines(rulings: &[(&str, Ruling)]) -> String {
    let line =
        |(link, ruling): &(&str, Ruling)| format!("{}\n", with(json::ruling(ruling), "url", json!(link)));
    rulings.iter().map(line).collect()
}

/// One ruling is shown as it is; of several, each stands under its link.
fn blocks(rulings: &[(&str, Ruling)], detail: Detail) -> String {
    match rulings {
        [(link, ruling)] => human::ruling(ruling, link, detail),
        several => {
            let block = |(link, ruling): &(&str, Ruling)| {
                format!("{}\n{}", escape(link), human::ruling(ruling, link, detail))
            };
            several.iter().map(block).collect::<Vec<_>>().join("\n")
        }
    }
}

fn detail(matches: &ArgMatches) -> Detail {
    if matches.get_flag("verbose") { Detail::Full } else { Detail::Brief }
}

fn rank(decision: &Decision) -> u8 {
    match decision {
        Decision::Allow(_) => 0,
        Decision::Ask(_) => 1,
        Decision::Deny(_) => 2,
    }
}
