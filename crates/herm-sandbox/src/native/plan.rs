//! From what is wanted to what a child does.

mod words;

use std::ffi::{CString, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use herm::enforcement::Measure;
use rustix::thread::{ClockId, UnshareFlags};
use rustix::time::clock_gettime;

use super::beside::{Beside, Handing, Private, Unkept};
use super::cgroup::limits::limits;
use super::cgroup::{Bound, Bounds, Entrances, Group, Hierarchies, Holding, Report, Statistics};
use super::gate::{self, Frames, Hall};
use super::guards::{Guards, Moment, SetAside};
use super::identity::Identity;
use super::landlock::{Files, Gap, Rules};
use super::redirect::{Message, every_address, loopback};
use super::seccomp::{Filter, Modes, Profile};
use super::view::{Builder, Built, HOST, Reach};
use super::witness::{Announcer, Witness};
use super::{Failure, Foreign, Layer, View, Workspace, foreign, toolchains};
use crate::sys::boundary::Boundary;
use crate::sys::landlock;
use crate::sys::mounts::{Access, Source, Step};
use crate::sys::words::Words as HermsWords;

pub(crate) use words::Words;

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
    /// What must hold, or nothing runs.
    pub required: Vec<Measure>,
    /// Layers that are left out, to show what each is for. A run that matters leaves out none.
    pub without: Vec<Layer>,
}

/// What a confined program reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Network {
    /// Nobody but itself.
    #[default]
    Closed,
    /// Whom a [`Gate`](super::Gate) lets it reach.
    Guarded,
    /// Everybody whom whoever runs herm reaches.
    Open,
}

impl Confinement {
    /// Confines work in `directory` to a workspace, with the tools that the environment names.
    #[must_use]
    pub fn to_workspace(
        workspace: &Workspace,
        directory: &Path,
        home: &Path,
        environment: &[(OsString, OsString)],
    ) -> Self {
        let writable: Vec<PathBuf> = workspace.writable().map(Path::to_owned).collect();
        let survey = workspace.survey(Some(home));
        let view = View {
            directory: directory.to_owned(),
            tools: toolchains::find(environment, home, &writable),
            writable,
            ground: None,
            locked: survey.locked,
            guarded: survey.guarded,
            known: survey.known,
            opened: None,
            given: Vec::new(),
            written: Vec::new(),
            readable: Vec::new(),
            hidden: Vec::new(),
            home: home.to_owned(),
            space: SPACE,
        };
        Self {
            view,
            network: Network::Closed,
            bounds: usual_bounds(),
            profile: Profile::Standard,
            required: Vec::new(),
            without: Vec::new(),
        }
    }

    pub(super) fn has(&self, layer: Layer) -> bool {
        !self.without.contains(&layer)
    }

    fn namespaces(&self, identity: &Identity) -> i32 {
        let mut flags = libc::CLONE_NEWNS;
        if matches!(identity, Identity::Same { .. }) {
            flags |= libc::CLONE_NEWUSER;
        }
        if self.is_apart() {
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
}

/// How much of the machine a run may use, unless it is said: enough for any build, and little enough that the machine
/// stays usable.
pub(super) fn usual_bounds() -> Bounds {
    Bounds {
        file_size: Some(16 << 30),
        memory: Some(memory() / 4 * 3),
        open_files: Some(65_536),
        processes: Some(4096),
        processor: None,
        processor_time: None,
    }
}

fn memory() -> u64 {
    let info = rustix::system::sysinfo();
    info.totalram.saturating_mul(u64::from(info.mem_unit))
}

/// How many bytes private places hold, unless it is said.
const SPACE: u64 = 4 << 30;

/// A boundary that is ready to be built, and what its steps mean.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) boundary: Boundary,
    pub(crate) words: Words,
    /// Where the doors of its network come out.
    pub(crate) hall: Option<Hall>,
    /// What its supervisor keeps from coming to be.
    pub(crate) guards: Arc<Guards>,
    /// Who notes the programs that it starts.
    pub(crate) witness: Option<Witness>,
}

/// What holds while a run goes on, and ends with it.
#[derive(Debug, Default)]
pub(crate) struct Held {
    pub(crate) measures: Vec<Measure>,
    /// Removed, with whoever is still in it, when this is dropped.
    group: Option<Group>,
    guards: Arc<Guards>,
    /// The workspace, where its owner is not who runs herm.
    lent: Option<PathBuf>,
    /// Where something may have been written that does not stay.
    beside: Option<Beside>,
}

impl Prepared {
    /// Prepares what is wanted, and says what it will hold.
    pub(crate) fn new(wanted: &Confinement) -> Result<(Self, Held), Failure> {
        let identity = wanted.identity()?;
        let built = wanted.has(Layer::View).then(|| Builder::build(&wanted.view, &identity)).transpose()?;
        let (view, rest) = built.map(|Built { steps, reach, private }| (steps, (reach, private))).unzip();
        let (reach, private) = rest.unzip();
        let (beside, handing) = beside(private)?.unzip();
        let other = identity.other().map_err(|cause| Failure::kernel("make a namespace of users", cause))?;
        let rules = reach.filter(|_| wanted.has(Layer::Files)).map(|reach| wanted.rules(reach));
        let (group, bounded) = wanted.group();
        let measures = wanted.measures(rules.as_ref(), &bounded);
        if let Some(missing) = wanted.required.iter().find(|measure| !measures.contains(measure)) {
            return Err(Failure::Lacking(*missing));
        }
        let words = Words::of(view.iter().flatten());
        let mut bounded = bounded;
        let (hall, doors) = wanted.hall()?.unzip();
        let own = HermsWords::find().map_err(|cause| Failure::kernel("find its own command line", cause))?;
        let (witness, announcer) = wanted.witness()?.unzip();
        let boundary = Boundary {
            words: own,
            namespaces: wanted.namespaces(&identity),
            own: identity.own(),
            other,
            entrances: entrances(group.as_ref())?,
            network: wanted.messages(),
            redirect: wanted.is_guarded().then(|| gate::redirect().rules()),
            doors,
            late: wanted.late(),
            clocks: wanted.has(Layer::Clocks).then(since_the_beginning),
            host: wanted.has(Layer::Names).then(|| CString::new(HOST).unwrap_or_default()),
            view,
            beside: handing,
            directory: wanted.directory()?,
            limits: if wanted.has(Layer::Limits) { limits(&wanted.bounds, &mut bounded) } else { Vec::new() },
            unprivileged: wanted.has(Layer::Rights),
            rules,
            filter: wanted
                .has(Layer::SystemCalls)
                .then(|| Filter::new(wanted.profile, wanted.modes(&identity))),
            announcer,
        };
        let guards = Arc::new(wanted.guards()?);
        let lent = wanted.view.writable.first().filter(|_| matches!(identity, Identity::Nobody { .. }));
        let held = Held { measures, group, guards: Arc::clone(&guards), lent: lent.cloned(), beside };
        Ok((Self { boundary, words, hall, guards, witness }, held))
    }
}

impl Prepared {
    /// The same, with another view.
    pub(super) fn seeing(mut self, steps: Vec<Step>) -> Self {
        self.words = Words::of(&steps);
        self.boundary.view = Some(steps);
        self
    }

    /// Takes apart what is built and what is kept.
    pub(crate) fn with_hall(mut self) -> (Self, Option<Hall>) {
        let hall = self.hall.take();
        (self, hall)
    }

    /// Who notes the programs that it starts.
    pub(crate) fn witness(&mut self) -> Option<Witness> {
        self.witness.take()
    }
}

/// What does not stay where a program may write it.
fn beside(private: Option<Vec<Private>>) -> Result<Option<(Beside, Handing)>, Failure> {
    let made = Beside::new(private.unwrap_or_default());
    made.map_err(|cause| Failure::kernel("make a line to its first process", cause))
}

/// What the child joins its group by. What is dropped here must not be all that keeps them open.
fn entrances(group: Option<&Group>) -> Result<Entrances, Failure> {
    let copies = group.map_or_else(|| Ok(Entrances::default()), |group| group.entrances().try_clone());
    copies.map_err(|cause| Failure::kernel("join its control group", cause))
}

impl Held {
    /// What happened to its bounds.
    pub(crate) fn statistics(&self) -> Option<Statistics> {
        self.group.as_ref().map(Group::statistics)
    }

    /// What may have been in the way of something that failed.
    pub(crate) fn foreign(&self) -> Option<Foreign> {
        self.lent.as_deref().and_then(foreign::in_workspace)
    }

    /// What was written outside of the workspace, and does not stay.
    pub(crate) fn unkept(&self) -> Unkept {
        self.beside.as_ref().map(Beside::found).unwrap_or_default()
    }

    /// What it made that would have made others run code, once nobody is left who could change it.
    pub(crate) fn set_aside(&self) -> Vec<SetAside> {
        // The supervisor has done this already, unless somebody has ended it.
        self.guards.sweep(Moment::End);
        self.guards.settle()
    }

    /// The same, while it goes on.
    pub(crate) fn planted(&self) -> Vec<SetAside> {
        self.guards.found()
    }

    /// Looks after what cannot be watched, every now and then while it goes on.
    pub(crate) fn attend(&self) {
        self.guards.glance();
    }
}

impl Confinement {
    fn is_apart(&self) -> bool {
        self.network != Network::Open && self.has(Layer::Network)
    }

    fn is_guarded(&self) -> bool {
        self.network == Network::Guarded && self.has(Layer::Network)
    }

    fn messages(&self) -> Vec<Message> {
        match self.network {
            _ if !self.is_apart() => Vec::new(),
            Network::Guarded => vec![loopback(), every_address()],
            Network::Closed | Network::Open => vec![loopback()],
        }
    }

    fn hall(&self) -> Result<Option<(Hall, Frames)>, Failure> {
        let made = self.is_guarded().then(Hall::new).transpose();
        made.map_err(|cause| Failure::kernel("make a way out of its network", cause))
    }

    /// What is tried has its programs noted.
    fn witness(&self) -> Result<Option<(Witness, Announcer)>, Failure> {
        let made = self.view.ground.is_some().then(Witness::new).transpose();
        made.map_err(|cause| Failure::kernel("have its programs noted", cause))
    }

    fn identity(&self) -> Result<Identity, Failure> {
        if !self.has(Layer::Users) {
            return Ok(Identity::Root);
        }
        Identity::of(self.workspace()).map_err(|cause| Failure::kernel("enter the workspace", cause))
    }

    fn workspace(&self) -> &Path {
        self.view.writable.first().unwrap_or(&self.view.directory)
    }

    /// Which modes a program may give to files. What is tried is looked at before it counts, and a workspace that passes its group on is shared
    /// among people: tools in it give that bit to every directory.
    fn modes(&self, identity: &Identity) -> Modes {
        #[expect(
            clippy::disallowed_methods,
            reason = "what the workspace passes on, only the file system knows"
        )]
        let is_shared = || {
            std::fs::metadata(self.workspace())
                .is_ok_and(|found| std::os::unix::fs::MetadataExt::mode(&found) & 0o2000 != 0)
        };
        match identity {
            Identity::Nobody { .. } | Identity::Root if self.view.ground.is_none() && !is_shared() => {
                Modes::Plain
            }
            Identity::Nobody { .. } | Identity::Root | Identity::Same { .. } => Modes::Shared,
        }
    }

    /// What stands in for a workspace is looked at before any of it counts.
    fn guards(&self) -> Result<Guards, Failure> {
        let is_real = self.has(Layer::View) && self.view.ground.is_none();
        if !is_real {
            return Ok(Guards::default());
        }
        let View { guarded, known, opened, writable, .. } = &self.view;
        Guards::new(guarded, (known, opened.as_deref()), writable)
    }

    fn directory(&self) -> Result<CString, Failure> {
        let directory = &self.view.directory;
        CString::new(directory.as_os_str().as_bytes()).map_err(|_| Failure::Unspeakable(directory.clone()))
    }

    /// A group for its processes, where there can be one, and what that holds.
    pub(super) fn group(&self) -> (Option<Group>, Report) {
        if !self.has(Layer::Groups) {
            return (None, Report::new());
        }
        let made = Hierarchies::find().map(|hierarchies| Group::create(&hierarchies, &self.bounds));
        match made {
            Ok(Ok(group)) => {
                let report = group.report().clone();
                (Some(group), report)
            }
            Ok(Err(missing)) => (None, missing.report),
            Err(_) => (None, Report::new()),
        }
    }

    /// What will hold. A bound that holds for each process by itself does not count: many together go beyond it.
    pub(super) fn measures(&self, rules: Option<&Rules>, bounded: &Report) -> Vec<Measure> {
        let together = |bound| matches!(bounded.get(&bound), Some(Holding::Together(_)));
        let is_ruled =
            |rules: &Rules| self.profile == Profile::Standard && !rules.gaps().contains(&Gap::Files);
        let by_rules = rules.is_some_and(is_ruled);
        [
            (Measure::CpuLimit, together(Bound::Processor)),
            (Measure::DiskLimit, self.has(Layer::View)),
            (Measure::FileRules, by_rules),
            (Measure::FileSizeLimit, self.has(Layer::Limits)),
            (Measure::MemoryLimit, together(Bound::Memory)),
            (Measure::GuardedNetwork, self.is_guarded()),
            (Measure::NoNetwork, self.is_apart() && !self.is_guarded()),
            (Measure::NoRights, self.has(Layer::Rights)),
            (Measure::OtherUser, self.has(Layer::Users)),
            (Measure::PrivateClocks, self.has(Layer::Clocks)),
            (Measure::PrivateFiles, self.has(Layer::View)),
            (Measure::PrivateMessages, self.has(Layer::Messages)),
            (Measure::PrivateNames, self.has(Layer::Names) && self.has(Layer::ControlGroups)),
            (Measure::PrivateProcesses, self.has(Layer::Processes)),
            (Measure::ProcessLimit, together(Bound::Processes)),
            (Measure::SystemCallFilter, self.has(Layer::SystemCalls)),
        ]
        .into_iter()
        .filter_map(|(measure, holds)| holds.then_some(measure))
        .collect()
    }
}

impl Prepared {
    /// Shows the terminal that the program has under a name of its own: programs look in `/dev` for what they are at.
    pub(crate) fn show_terminal(&mut self, path: CString) {
        let Some(steps) = &mut self.boundary.view else { return };
        let target = c"dev/console".to_owned();
        let source = Source::Path(path);
        let shown =
            [Step::File { target: target.clone() }, Step::Bind { source, target, access: Access::Device }];
        self.words.extend(&shown);
        steps.extend(shown);
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
