//! What this machine lets a boundary be made of.
//!
//! Nothing is concluded from version numbers: each part is built by the code that builds it for a run, in a child that ends
//! behind it. A part is tried with as few others as it needs, so that one that is missing does not hide the next.

mod advice;
mod part;
mod settings;

pub use part::{Part, Weight};
pub(super) use settings::forbids_namespaces;

use std::path::{Path, PathBuf};

use rustix::fs::Mode;
use rustix::mount::MountAttrFlags;
use rustix::process::{PidfdFlags, geteuid, getpid, pidfd_open};

use super::cgroup::{Bound, Group, Hierarchies, Holding, Version};
use super::identity::Identity;
use super::landlock::{Files, Gap, Rules};
use super::plan::usual_bounds;
use super::{Confinement, Failure, Layer, Network, Prepared, Profile, View};
use crate::Scratch;
use crate::changes::{Ground, Options, Standing};
use crate::sys::crossing::cross;
use crate::sys::landlock;
use crate::sys::mounts::{Access, Step};

use settings::Settings;

/// A part, and whether it can be had.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Which.
    pub part: Part,
    /// What there is to say about it, or why it is missing.
    pub outcome: Result<String, Lack>,
}

/// Why a part is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lack {
    /// What the kernel said.
    pub why: String,
    /// What to install or enable.
    pub advice: String,
}

/// Tries every part. What has to be made for it is made in `place`, and gone afterwards.
#[must_use]
pub fn examine(home: &Path, place: &Path) -> Vec<Finding> {
    let settings = Settings::read();
    let trial = Trial { home: home.to_owned(), place: place.to_owned(), settings };
    let is_root = geteuid().is_root();
    let mut found: Vec<Finding> = Vec::new();
    for part in Part::ALL.iter().filter(|part| is_root || **part != Part::Owners) {
        let lacking = found.iter().find(|other| other.outcome.is_err() && part.needs(other.part));
        let lack = |why: String| match lacking {
            Some(other) => Lack::behind(other.part),
            None => Lack { advice: advice::of(*part, &settings, is_root), why },
        };
        let outcome = trial.of(*part).map_err(lack);
        found.push(Finding { part: *part, outcome });
    }
    found
}

impl Lack {
    /// What is built on something that is missing says nothing about itself.
    fn behind(other: Part) -> Self {
        let name = other.name();
        Self { why: format!("not without a {name}"), advice: format!("first the {name}") }
    }
}

/// Tries a whole boundary, as a run would have it.
///
/// # Errors
/// When it cannot be built.
pub fn rehearse(wanted: &Confinement) -> Result<(), Failure> {
    let (prepared, _held) = Prepared::new(wanted)?;
    crossed(&prepared)
}

/// What gives a machine the part that it lacks.
#[must_use]
pub fn advice(part: Part, is_root: bool) -> String {
    advice::of(part, &Settings::read(), is_root)
}

#[derive(Debug)]
struct Trial {
    home: PathBuf,
    place: PathBuf,
    settings: Settings,
}

/// What there is to say, or why not.
type Outcome = Result<String, String>;

impl Trial {
    fn of(&self, part: Part) -> Outcome {
        match part {
            Part::Clocks => self.layers(&[Layer::Clocks]),
            Part::ControlGroups => self.layers(&[Layer::ControlGroups]),
            Part::FileRules => self.file_rules(),
            Part::Handles => {
                pidfd_open(getpid(), PidfdFlags::empty()).map(said("")).map_err(|error| error.to_string())
            }
            Part::Limits => self.layers(&[Layer::Limits]),
            Part::Memory => bounded(Bound::Memory),
            Part::Messages => self.layers(&[Layer::Messages]),
            Part::Mounts => self.view(&[Layer::Users], Vec::new()),
            Part::Names => self.layers(&[Layer::Names]),
            Part::Network => self.layers(&[Layer::Network]),
            Part::Overlay => self.overlay(),
            Part::Owners => self.owners(),
            Part::ProcessCount => bounded(Bound::Processes),
            Part::ProcessFiles => self.view(&[Layer::Users, Layer::Processes], process_files()),
            Part::Processes => self.layers(&[Layer::Processes]),
            Part::Redirect => self.redirect(),
            Part::Rights => self.layers(&[Layer::Rights]),
            Part::SystemCalls => self.layers(&[Layer::Rights, Layer::SystemCalls]),
            Part::Tools => self.tools(),
            Part::Users => self.layers(&[]).map(|_| self.settings.words()),
        }
    }

    /// A confinement with these layers and the namespace of users, which the others need where one is not root.
    fn wanted(&self, layers: &[Layer]) -> Confinement {
        let is_left_out = |layer: &&Layer| **layer != Layer::Users && !layers.contains(layer);
        let view = View {
            directory: "/".into(),
            writable: Vec::new(),
            ground: None,
            locked: Vec::new(),
            guarded: Vec::new(),
            known: Vec::new(),
            opened: None,
            given: Vec::new(),
            written: Vec::new(),
            readable: Vec::new(),
            tools: Vec::new(),
            hidden: Vec::new(),
            home: self.home.clone(),
            space: 1 << 20,
        };
        Confinement {
            view,
            network: Network::Closed,
            bounds: usual_bounds(),
            profile: Profile::Standard,
            required: Vec::new(),
            without: Layer::ALL.iter().filter(is_left_out).copied().collect(),
        }
    }

    fn layers(&self, layers: &[Layer]) -> Outcome {
        rehearse(&self.wanted(layers)).map(said("")).map_err(|error| error.to_string())
    }

    /// A root of its own with nothing in it but what the steps make.
    fn view(&self, layers: &[Layer], steps: Vec<Step>) -> Outcome {
        let (prepared, _held) = Prepared::new(&self.wanted(layers)).map_err(|error| error.to_string())?;
        crossed(&prepared.seeing(steps)).map(said("")).map_err(|error| error.to_string())
    }

    fn file_rules(&self) -> Outcome {
        let version = landlock::abi().map_err(|error| error.to_string())?;
        rehearse(&self.wanted(&[Layer::View, Layer::Processes, Layer::Files]))
            .map_err(|error| error.to_string())?;
        let rules = Rules::new(&Files::Only(Vec::new()), version);
        let gaps: Vec<&str> = rules.gaps().iter().copied().map(gap).collect();
        let version = format!("Landlock {version}");
        Ok(if gaps.is_empty() { version } else { format!("{version}, without {}", gaps.join(", ")) })
    }

    fn redirect(&self) -> Outcome {
        let wanted = Confinement { network: Network::Guarded, ..self.wanted(&[Layer::Network]) };
        rehearse(&wanted).map(said("")).map_err(|error| error.to_string())
    }

    /// What a try of a large workspace stands on.
    fn overlay(&self) -> Outcome {
        let place = Scratch::new(&self.place).map_err(|error| error.to_string())?;
        let [lower, upper, work] = rooms(&place, ["lower", "upper", "work"])?;
        let standing = if geteuid().is_root() { Standing::Root } else { Standing::User };
        let mut wanted = self.wanted(&[Layer::View, Layer::Processes]);
        wanted.view.directory.clone_from(&lower);
        wanted.view.writable = vec![lower.clone()];
        wanted.view.ground = Some(Ground::Overlay(Options { lower, upper, work, standing }));
        rehearse(&wanted).map(said("")).map_err(|error| error.to_string())
    }

    /// A run shows toolchains read-only where this fails, so the step that would is taken without that way out.
    fn tools(&self) -> Outcome {
        let place = Scratch::new(&self.place).map_err(|error| error.to_string())?;
        let [tool] = rooms(&place, ["tool"])?;
        let mut wanted = self.wanted(&[Layer::View, Layer::Processes]);
        wanted.view.tools = vec![tool];
        let (mut prepared, _held) = Prepared::new(&wanted).map_err(|error| error.to_string())?;
        let steps = prepared.boundary.view.take().unwrap_or_default();
        crossed(&prepared.seeing(steps.into_iter().flat_map(strict).collect()))
            .map(said(""))
            .map_err(|_| "an overlay in memory was refused".to_owned())
    }

    /// Whether files of somebody else can be shown as the program's own, in the file system of `place`.
    fn owners(&self) -> Outcome {
        let place = Scratch::new(&self.place).map_err(|error| error.to_string())?;
        let [room] = rooms(&place, ["room"])?;
        let identity = Identity::of(&room).map_err(|error| error.to_string())?;
        identity.show(&room).map(said("")).map_err(|error| error.to_string())
    }
}

fn rooms<const N: usize>(place: &Scratch, names: [&str; N]) -> Result<[PathBuf; N], String> {
    let paths = names.map(|name| place.path().join(name));
    for path in &paths {
        std::fs::DirBuilder::new().create(path).map_err(|error| error.to_string())?;
    }
    Ok(paths)
}

fn process_files() -> Vec<Step> {
    let flags = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
    let target = || c"proc".to_owned();
    vec![
        Step::Directory { target: target(), owner: None, mode: Mode::from_raw_mode(0o755) },
        Step::Mount { kind: c"proc", target: target(), options: Vec::new(), flags },
    ]
}

/// The same step, which fails where the usual one makes do with less.
fn strict(step: Step) -> Vec<Step> {
    let Step::Overlay { lower, source, target, options } = step else { return vec![step] };
    let flags = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
    vec![
        Step::Bind { source, target: lower, access: Access::ReadOnly },
        Step::Mount { kind: c"overlay", target, options, flags },
    ]
}

fn crossed(prepared: &Prepared) -> Result<(), Failure> {
    cross(&prepared.boundary).map_err(|(stage, cause)| Failure::kernel(prepared.words.doing(stage), cause))
}

/// Whether a control group holds this for all processes of a run together.
fn bounded(bound: Bound) -> Outcome {
    let hierarchies = Hierarchies::find().map_err(|error| error.to_string())?;
    let (report, _group) = match Group::create(&hierarchies, &usual_bounds()) {
        Ok(group) => (group.report().clone(), Some(group)),
        Err(missing) => (missing.report, None),
    };
    match report.get(&bound) {
        Some(Holding::Together(Version::One)) => Ok("cgroup v1".to_owned()),
        Some(Holding::Together(Version::Two)) => Ok("cgroup v2".to_owned()),
        Some(Holding::Missing(why)) => Err(why.clone()),
        Some(Holding::EachProcess | Holding::EachUser) | None => {
            Err("no tree of control groups has it".to_owned())
        }
    }
}

const fn gap(gap: Gap) -> &'static str {
    match gap {
        Gap::AbstractSockets => "rules on abstract sockets",
        Gap::DeviceControl => "rules on control of devices",
        Gap::Files => "rules on files",
        Gap::PathSockets => "rules on sockets of others by their paths",
        Gap::Renaming => "renaming between directories",
        Gap::Signals => "rules on signals",
        Gap::Truncation => "rules on truncation",
    }
}

fn said<T>(words: &str) -> impl Fn(T) -> String {
    move |_| words.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial() -> Trial {
        Trial { home: "/root".into(), place: std::env::temp_dir(), settings: Settings::read() }
    }

    #[test]
    fn every_part_is_looked_at_and_every_lack_has_advice() {
        let found = examine(Path::new("/root"), &std::env::temp_dir());
        assert!(found.len() + 1 >= Part::ALL.len(), "{found:?}");
        for finding in &found {
            assert!(finding.outcome.as_ref().err().is_none_or(|lack| !lack.advice.is_empty()), "{finding:?}");
        }
    }

    #[test]
    fn what_this_machine_gives_to_every_run_is_found() {
        for part in Part::ALL.iter().filter(|part| part.weight() == Weight::Vital) {
            assert!(*part == Part::Owners || trial().of(*part).is_ok(), "{part:?}: {:?}", trial().of(*part));
        }
    }

    #[test]
    fn what_others_are_built_on_is_tried_before_them() {
        for (number, part) in Part::ALL.iter().enumerate() {
            let later = Part::ALL.iter().skip(number);
            assert!(later.clone().all(|other| !part.needs(*other)), "{part:?}");
        }
    }

    #[test]
    fn a_step_that_the_kernel_refuses_is_named() {
        let flags = MountAttrFlags::MOUNT_ATTR_NOSUID;
        let step = Step::Mount { kind: c"nosuchfs", target: c"x".to_owned(), options: Vec::new(), flags };
        let refused = trial().view(&[Layer::Users], vec![step]).unwrap_err();
        assert!(refused.contains("mount `/x`") && refused.contains("No such device"), "{refused}");
    }

    #[test]
    fn a_boundary_that_cannot_be_crossed_is_not_taken_for_one_that_holds() {
        let (mut prepared, _held) = Prepared::new(&trial().wanted(&[])).unwrap();
        prepared.boundary.directory = c"/no/such/directory".to_owned();
        let refused = crossed(&prepared).unwrap_err().to_string();
        assert!(refused.contains("enter the working directory"), "{refused}");
    }
}
