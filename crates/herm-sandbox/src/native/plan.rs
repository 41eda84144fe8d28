//! From what is wanted to what a child does.

use std::ffi::{CString, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::process::Resource;
use rustix::thread::{ClockId, UnshareFlags};
use rustix::time::clock_gettime;

use super::identity::Identity;
use super::landlock::{Files, Gap, Rules};
use super::seccomp::{Filter, Profile};
use super::view::{Builder, Reach};
use super::{Failure, Layer, View, repository, toolchains};
use crate::sys::boundary::{Boundary, Stage};
use crate::sys::landlock;
use crate::sys::mounts::Step;

/// What a run is confined to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confinement {
    /// What it sees of the machine.
    pub view: View,
    /// What it reaches of the world.
    pub network: Network,
    /// How much of the machine it may use.
    pub bounds: Bounds,
    /// Which parts of the kernel it may speak to.
    pub profile: Profile,
    /// Layers that are left out, to show what each is for. A run that matters leaves out none.
    pub without: Vec<Layer>,
}

/// What a confined program reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Network {
    /// Nobody but itself.
    #[default]
    Closed,
    /// Everybody whom whoever runs herm reaches.
    Open,
}

/// How much of the machine a program may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The most bytes that a file of its may have.
    pub file: u64,
    /// The most files that a process may have open.
    pub open_files: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { file: 16 << 30, open_files: 65_536 }
    }
}

impl Confinement {
    /// Confines work in `directory` to the repository around it.
    ///
    /// # Errors
    /// When that would be the home directory, or all of the machine.
    pub fn to_workspace(
        directory: &Path,
        home: &Path,
        environment: &[(OsString, OsString)],
    ) -> Result<Self, Failure> {
        let (workspace, history) = repository::around(directory, home);
        if home.starts_with(&workspace) || workspace.parent().is_none() {
            return Err(Failure::TooWide(workspace));
        }
        let view = View {
            directory: directory.to_owned(),
            writable: [workspace].into_iter().chain(history).collect(),
            readable: Vec::new(),
            tools: toolchains::find(environment, home),
            hidden: Vec::new(),
            home: home.to_owned(),
            space: SPACE,
        };
        Ok(Self {
            view,
            network: Network::Closed,
            bounds: Bounds::default(),
            profile: Profile::Standard,
            without: Vec::new(),
        })
    }

    fn has(&self, layer: Layer) -> bool {
        !self.without.contains(&layer)
    }

    fn namespaces(&self, identity: &Identity) -> i32 {
        let mut flags = libc::CLONE_NEWNS;
        if matches!(identity, Identity::Same { .. }) {
            flags |= libc::CLONE_NEWUSER;
        }
        if self.network == Network::Closed && self.has(Layer::Network) {
            flags |= libc::CLONE_NEWNET;
        }
        for (layer, flag) in [
            (Layer::Messages, libc::CLONE_NEWIPC),
            (Layer::Names, libc::CLONE_NEWUTS),
            (Layer::Processes, libc::CLONE_NEWPID),
        ] {
            flags |= if self.has(layer) { flag } else { 0 };
        }
        flags
    }

    fn late(&self) -> UnshareFlags {
        let mut flags = UnshareFlags::empty();
        flags.set(UnshareFlags::NEWCGROUP, self.has(Layer::ControlGroups));
        flags.set(UnshareFlags::NEWTIME, self.has(Layer::Clocks));
        flags
    }

    /// A kernel without Landlock holds nothing of it.
    fn rules(&self, reach: Reach) -> Rules {
        let files = match self.profile {
            Profile::Nested => Files::Free,
            Profile::Standard => Files::Only(reach),
        };
        Rules::new(&files, landlock::abi().unwrap_or(0))
    }

    fn held(&self, boundary: &Boundary) -> Vec<Layer> {
        let rules = boundary.rules.as_ref().is_some_and(|rules| !rules.gaps().contains(&Gap::Files));
        let lacks = [(Layer::Files, !rules), (Layer::Network, self.network == Network::Open)];
        let holds = |layer: &Layer| self.has(*layer) && !lacks.contains(&(*layer, true));
        Layer::ALL.iter().copied().filter(holds).collect()
    }

    fn limits(&self) -> Vec<(Resource, u64)> {
        if !self.has(Layer::Limits) {
            return Vec::new();
        }
        vec![(Resource::Fsize, self.bounds.file), (Resource::Nofile, self.bounds.open_files)]
    }
}

/// How many bytes private places hold, unless it is said.
const SPACE: u64 = 4 << 30;

/// A boundary that is ready to be built, and what its steps mean.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) boundary: Boundary,
    pub(crate) words: Words,
}

impl Prepared {
    /// Prepares what is wanted, and says which layers it will have.
    pub(crate) fn new(wanted: &Confinement) -> Result<(Self, Vec<Layer>), Failure> {
        let workspace = wanted.view.writable.first().map_or(wanted.view.directory.as_path(), |path| path);
        let identity = if wanted.has(Layer::Users) {
            Identity::of(workspace).map_err(|cause| Failure::kernel("enter the workspace", cause))?
        } else {
            Identity::Root
        };
        let view = wanted.has(Layer::View).then(|| Builder::steps(&wanted.view, &identity)).transpose()?;
        let (view, reach) = view.unzip();
        let other = identity.other().map_err(|cause| Failure::kernel("make a namespace of users", cause))?;
        let directory = CString::new(wanted.view.directory.as_os_str().as_bytes())
            .map_err(|_| Failure::Unspeakable(wanted.view.directory.clone()))?;
        let words = view.iter().flatten().map(word).collect();
        let boundary = Boundary {
            namespaces: wanted.namespaces(&identity),
            own: identity.own(),
            other,
            groups: Vec::new(),
            late: wanted.late(),
            clocks: wanted.has(Layer::Clocks).then(since_the_beginning),
            host: wanted.has(Layer::Names).then(|| c"herm".to_owned()),
            view,
            directory,
            limits: wanted.limits(),
            unprivileged: wanted.has(Layer::Rights),
            rules: reach.filter(|_| wanted.has(Layer::Files)).map(|reach| wanted.rules(reach)),
            filter: wanted.has(Layer::SystemCalls).then(|| Filter::new(wanted.profile)),
        };
        let held = wanted.held(&boundary);
        Ok((Self { boundary, words: Words(words) }, held))
    }
}

/// Takes off the clocks what they show now, so that the machine seems to have begun with the program.
fn since_the_beginning() -> CString {
    let line = |name: &str, clock| {
        let now = clock_gettime(clock);
        format!("{name} -{} -{}\n", now.tv_sec, 0)
    };
    let text = line("monotonic", ClockId::Monotonic) + &line("boottime", ClockId::Boottime);
    CString::new(text.replace("-0\n", "0\n")).unwrap_or_default()
}

/// What the steps of a boundary are called.
#[derive(Debug)]
pub(crate) struct Words(Vec<String>);

impl Words {
    /// What was being done at a stage.
    pub(crate) fn doing(&self, stage: Stage) -> String {
        match stage {
            Stage::Begin => "make namespaces".to_owned(),
            Stage::Users => "make a namespace of users".to_owned(),
            Stage::Groups => "join its control group".to_owned(),
            Stage::Clocks => "make namespaces of clocks and control groups".to_owned(),
            Stage::Host => "name its machine".to_owned(),
            Stage::Network => "take its loopback up".to_owned(),
            Stage::Cover | Stage::Enter => "change its root".to_owned(),
            Stage::Split => "start its first process".to_owned(),
            Stage::Identity => "become another user".to_owned(),
            Stage::Directory => "enter the working directory".to_owned(),
            Stage::Limits => "set limits".to_owned(),
            Stage::Rights => "give up its rights".to_owned(),
            Stage::Files => "rule what may be done to files".to_owned(),
            Stage::Calls => "filter system calls".to_owned(),
            Stage::Step(index) => self.0.get(index).cloned().unwrap_or_else(|| "take a step".to_owned()),
        }
    }
}

fn word(step: &Step) -> String {
    let (verb, target) = match step {
        Step::Again { target, .. } | Step::Bind { target, .. } => ("show", target),
        Step::Directory { target, .. } | Step::File { target } | Step::Link { target, .. } => {
            ("make", target)
        }
        Step::Mount { target, .. } => ("mount", target),
        Step::Overlay { target, .. } => ("lend", target),
        Step::Write { target, .. } => ("write", target),
    };
    format!("{verb} `/{}`", target.to_string_lossy())
}
