//! Trying many, one after the other.

use std::io::Write;

use herm_sandbox::native::Layer;

use super::attempt::attempt;
use super::{Control, Outcome, Probe, Scene, Surroundings, all};

/// Which run it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Round {
    Alone,
    Confined,
    Control,
    Guarded,
    Nested,
    Without,
}

/// One line about one try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The name of the probe.
    pub name: String,
    /// The layers that were left out.
    pub without: String,
    /// The word for its outcome.
    pub outcome: String,
    /// What was said about it.
    pub said: String,
}

impl Report {
    /// Reads a line that [`drive`] has written.
    #[must_use]
    pub fn read(line: &str) -> Option<Self> {
        let mut parts = line.splitn(4, '\t').map(str::to_owned);
        Some(Self {
            name: parts.next()?,
            without: parts.next()?,
            outcome: parts.next()?,
            said: parts.next()?,
        })
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
        "alone" => Round::Alone,
        "confined" => Round::Confined,
        "control" => Round::Control,
        "guarded" => Round::Guarded,
        "nested" => Round::Nested,
        "without" => Round::Without,
        other => return Err(format!("no round `{other}`").into()),
    };
    let scene = Scene::set(user)?;
    for probe in all().filter(|probe| names.is_empty() || names.iter().any(|name| name == probe.name)) {
        for surroundings in surroundings(round, probe, user == 0, &scene) {
            let outcome = match lack(round, probe, &scene) {
                Some(outcome) => outcome,
                None => attempt(&scene, probe, &surroundings),
            };
            write(lines, probe, &surroundings, &outcome)?;
        }
    }
    Ok(())
}

/// What the machine lacks without which nothing could be shown by leaving out layers.
fn lack(round: Round, probe: &Probe, scene: &Scene) -> Option<Outcome> {
    probe.unless.filter(|_| round == Round::Without)?;
    let outcome = attempt(scene, probe, &Surroundings::Control);
    (!outcome.is_out()).then(|| Outcome::Lacking(outcome.said().to_owned()))
}

/// What a probe is tried in, in this round.
fn surroundings(round: Round, probe: &Probe, is_root: bool, scene: &Scene) -> Vec<Surroundings> {
    let can = match probe.control {
        Control::Anyone => true,
        Control::Prepared => scene.is_prepared(),
        Control::Root => is_root,
    };
    let layers = probe.held.layers(is_root).filter(|_| can);
    let confined = |without| Surroundings::Confined { without };
    match round {
        Round::Alone => layers.iter().flat_map(|layers| others(layers)).map(confined).collect(),
        // There is nothing to go for.
        _ if probe.control == Control::Prepared && !can => Vec::new(),
        Round::Confined => vec![confined(Vec::new())],
        Round::Control if can => vec![Surroundings::Control],
        Round::Control => Vec::new(),
        Round::Guarded => vec![Surroundings::Guarded],
        Round::Nested => vec![Surroundings::Nested],
        Round::Without => layers.map(confined).into_iter().collect(),
    }
}

/// For each of several layers, all but that one.
fn others(layers: &[Layer]) -> impl Iterator<Item = Vec<Layer>> {
    let several = if layers.len() > 1 { layers } else { &[] };
    several.iter().map(|one| layers.iter().copied().filter(|layer| layer != one).collect())
}

fn write(
    lines: &mut dyn Write,
    probe: &Probe,
    surroundings: &Surroundings,
    outcome: &Outcome,
) -> std::io::Result<()> {
    let without: Vec<&str> = surroundings.left_out().iter().map(|layer| layer.word()).collect();
    let said: String = outcome.said().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    writeln!(lines, "{}\t{}\t{}\t{said}", probe.name, without.join(","), outcome.word())
}
