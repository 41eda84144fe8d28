//! What is protected here, what is not, and how to change that.
//!
//! Every row is something that was tried or looked at just now. [`examine`] tells what there is; [`probe`] does forbidden
//! things inside the sandbox and sees that they fail.

mod agents;
mod guard;
mod machine;
mod probe;
mod tools;

use std::path::{Path, PathBuf};

use herm_sandbox::native::examine::Weight;

pub use probe::{answer_within, probe};

use crate::environment;
use crate::files;
use crate::setup::{self, Problem, Setup, Wishes};
use crate::wiring::{Places, Plan};

/// Something that protects, and whether it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What it is part of.
    pub group: Group,
    /// What it is called.
    pub name: String,
    /// Whether it holds.
    pub state: State,
    /// What there is to say about it.
    pub detail: String,
    /// What to install, enable or change.
    pub advice: Option<String>,
}

/// What a row is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// The agents that are here, and whether they ask herm.
    Agents,
    /// herm's own files and settings.
    Guard,
    /// The machine itself.
    Machine,
    /// What was done inside the sandbox.
    Probe,
    /// What a boundary is made of.
    Sandbox,
}

/// Whether something holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It is not there, and nothing that is usual needs it.
    Absent,
    /// It does.
    Holds,
    /// It does not, and is needed.
    Missing,
    /// Less holds than could.
    Weaker,
}

impl State {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Holds => "ok",
            Self::Missing => "missing",
            Self::Weaker => "weaker",
        }
    }
}

impl Group {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Agents => "agents",
            Self::Guard => "herm",
            Self::Machine => "machine",
            Self::Probe => "probe",
            Self::Sandbox => "sandbox",
        }
    }
}

impl Row {
    fn new(group: Group, name: &str, state: State, detail: impl Into<String>) -> Self {
        Self { group, name: name.to_owned(), state, detail: detail.into(), advice: None }
    }

    fn advised(self, advice: impl Into<String>) -> Self {
        Self { advice: Some(advice.into()), ..self }
    }
}

/// What keeps an agent that is wired from asking herm: files by which its hooks are switched off.
#[must_use]
pub fn held_off(places: &Places, plan: &Plan) -> Vec<Row> {
    agents::held_off(places, plan)
}

/// Looks at everything.
///
/// # Errors
/// When a path is not absolute.
pub fn examine(wishes: &Wishes) -> Result<Vec<Row>, Problem> {
    let (home, _, guard) = setup::located(wishes)?;
    let setup = Setup::new(wishes.clone());
    let places = Places::new(wishes)?;
    let place = workplace(&guard);
    let mut rows = machine::rows();
    rows.extend(machine::parts(Path::new(home.as_str()), &place));
    rows.extend(setup.as_ref().ok().map(machine::workspace));
    rows.extend(guard::programs(setup.as_ref().ok()));
    rows.extend(guard::files(&guard));
    rows.extend(guard::observing(&places));
    rows.extend(guard::configuration(wishes)?);
    rows.extend(setup.iter().flat_map(guard::settings));
    rows.extend(agents::rows(&places));
    Ok(rows)
}

/// Where what is tried is made: in herm's home, whose file system matters to tries, or where temporary files go.
fn workplace(guard: &Path) -> PathBuf {
    if files::exists(guard) {
        return guard.to_owned();
    }
    environment::temporary().unwrap_or_else(|_| "/tmp".into())
}

/// What it means that a part is missing.
const fn without(weight: Weight) -> State {
    match weight {
        Weight::Expected => State::Weaker,
        Weight::Useful => State::Absent,
        Weight::Vital => State::Missing,
    }
}
