//! `herm check --batch`: JSON lines in, JSON lines out, one for one and in order.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use herm::call::{Call, CallId, Exec};
use herm::{AbsPath, Action, Engine};
use herm_runtime::Setup;
use herm_shell::Lang;
use herm_shell::world::World;
use serde_json::{Value, json};

use super::fail;
use crate::exit::Exit;
use crate::render::json;

/// The longest line that is read; a longer one is answered, not judged.
const LONGEST: u64 = 16 << 20;

/// For how many directories what holds there is kept.
const DIRECTORIES: usize = 256;

/// Judges every line of standard input.
pub(super) fn run(setup: Setup, lang: Lang, world: &dyn World) -> Exit {
    let engines = RefCell::new(HashMap::from([(setup.cwd.clone(), Ok(Engine::new(setup.policy.clone())))]));
    let batch = Batch { engines, setup, lang };
    let done =
        batch.lines(&mut BufReader::new(io::stdin().lock()), &mut BufWriter::new(io::stdout().lock()), world);
    match done {
        Ok(()) => Exit::Allow,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Allow,
        Err(error) => fail(&format!("cannot go on with the batch: {error}")),
    }
}

struct Batch {
    /// What judges calls made in a directory, or why nothing can.
    engines: RefCell<HashMap<AbsPath, Result<Engine, String>>>,
    setup: Setup,
    lang: Lang,
}

impl Batch {
    /// Answers are kept back only while more lines are waiting.
    fn lines(
        &self,
        input: &mut BufReader<impl Read>,
        output: &mut impl Write,
        world: &dyn World,
    ) -> io::Result<()> {
        while let Some(line) = next_line(input)? {
            if !line.trim_ascii().is_empty() {
                writeln!(output, "{}", self.answer(&line, world))?;
            }
            if input.buffer().is_empty() {
                output.flush()?;
            }
        }
        output.flush()
    }

    fn answer(&self, line: &[u8], world: &dyn World) -> Value {
        let row: Value = match serde_json::from_slice(line) {
            Ok(row) => row,
            Err(error) => return refuse(&Value::Null, &format!("not valid JSON: {error}")),
        };
        let id = row.get("id").cloned().unwrap_or_default();
        match self.call(&row) {
            Ok(call) => self.judge(&call, &id, world),
            Err(problem) => refuse(&id, &problem),
        }
    }

    fn judge(&self, call: &Call, id: &Value, world: &dyn World) -> Value {
        let mut engines = self.engines.borrow_mut();
        if engines.len() > DIRECTORIES {
            engines.clear();
        }
        let engine = engines.entry(call.cwd.clone()).or_insert_with(|| {
            self.setup.policy_in(&call.cwd).map(Engine::new).map_err(|problem| problem.to_string())
        });
        match engine {
            Ok(engine) => {
                let mut answer = json::ruling(&engine.check(call, world));
                if let Some(fields) = answer.as_object_mut() {
                    fields.insert("id".to_owned(), id.clone());
                }
                answer
            }
            Err(problem) => refuse(id, problem),
        }
    }

    fn call(&self, row: &Value) -> Result<Call, String> {
        let text = row.get("input").and_then(Value::as_str).ok_or("`input` must be a text")?;
        let mut call = self.setup.call(Action::Exec(Exec::new(text, self.lang)));
        call.id = CallId(row.get("id").map(Value::to_string).unwrap_or_default());
        call.cwd = directory(row, "cwd", &self.setup.cwd)?;
        call.principal.home = directory(row, "home", &self.setup.home)?;
        Ok(call)
    }
}

fn directory(row: &Value, key: &str, usual: &AbsPath) -> Result<AbsPath, String> {
    match row.get(key) {
        None | Some(Value::Null) => Ok(usual.clone()),
        Some(value) => {
            let text = value.as_str().ok_or_else(|| format!("`{key}` must be a text"))?;
            AbsPath::new(text).map_err(|error| format!("cannot use `{key}`: {error}"))
        }
    }
}

pub(super) fn refuse(id: &Value, error: &str) -> Value {
    json!({ "id": id, "decision": "deny", "findings": [], "error": error })
}

/// A line; the rest of one that is too long is passed over.
pub(super) fn next_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    if input.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
    }
    Ok(Some(line))
}
