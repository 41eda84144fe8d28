//! Trying many, one after the other.

use std::io::Write;

use super::attempt::attempt;
use super::{Control, Outcome, Probe, Scene, Surroundings, all};

/// Which run it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Round {
    Confined,
    Control,
    Without,
}

/// One line about one try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The name of the probe.
    pub name: String,
    /// The word for its outcome.
    pub outcome: String,
    /// What was said about it.
    pub said: String,
}

impl Report {
    /// Reads a line that [`drive`] has written.
    #[must_use]
    pub fn read(line: &str) -> Option<Self> {
        let mut parts = line.splitn(3, '\t').map(str::to_owned);
        Some(Self { name: parts.next()?, outcome: parts.next()?, said: parts.next()? })
    }
}

/// `ROUND UID [PROBE…]`: tries all probes, or those that are named, and writes a line about each.
///
/// # Errors
/// When the scene cannot be set, or nobody reads the lines.
pub fn drive(arguments: &[String], lines: &mut dyn Write) -> Result<(), Box<dyn std::error::Error>> {
    let [round, user, names @ ..] = arguments else { return Err("ROUND UID [PROBE…]".into()) };
    let user: u32 = user.parse()?;
    let round = match round.as_str() {
        "confined" => Round::Confined,
        "control" => Round::Control,
        "without" => Round::Without,
        other => return Err(format!("no round `{other}`").into()),
    };
    let scene = Scene::set(user)?;
    for probe in all().filter(|probe| names.is_empty() || names.iter().any(|name| name == probe.name)) {
        let Some(surroundings) = surroundings(round, probe, user == 0, &scene) else { continue };
        let outcome = match lack(round, probe, &scene) {
            Some(outcome) => outcome,
            None => attempt(&scene, probe, &surroundings),
        };
        write(lines, probe, &outcome)?;
    }
    Ok(())
}

/// What the machine lacks without which nothing could be shown by leaving out layers.
fn lack(round: Round, probe: &Probe, scene: &Scene) -> Option<Outcome> {
    probe.unless.filter(|_| round == Round::Without)?;
    let outcome = attempt(scene, probe, &Surroundings::Control);
    (!outcome.is_out()).then(|| Outcome::Lacking(outcome.said().to_owned()))
}

/// What a probe is tried in, if it is tried at all in this round.
fn surroundings(round: Round, probe: &Probe, is_root: bool, scene: &Scene) -> Option<Surroundings> {
    let can = match probe.control {
        Control::Anyone => true,
        Control::Prepared => scene.is_prepared(),
        Control::Root => is_root,
    };
    match round {
        Round::Confined => Some(Surroundings::Confined { without: Vec::new() }),
        Round::Control => can.then_some(Surroundings::Control),
        Round::Without => {
            let without = probe.held.layers(is_root).filter(|_| can)?;
            Some(Surroundings::Confined { without })
        }
    }
}

fn write(lines: &mut dyn Write, probe: &Probe, outcome: &Outcome) -> std::io::Result<()> {
    let said: String = outcome.said().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    writeln!(lines, "{}\t{}\t{said}", probe.name, outcome.word())
}
