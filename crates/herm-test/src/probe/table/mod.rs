//! What is tried, who can do it, and what holds it.

mod bounds;
mod calls;
mod devices;
mod files;
mod messages;
mod network;
mod processes;
mod traces;

use herm::enforcement::Measure;
use herm_sandbox::native::Layer;

/// One way out.
#[derive(Clone, Copy, Debug)]
pub struct Probe {
    /// Its name, which is that of the Python function.
    pub name: &'static str,
    /// What it tries, as a phrase that begins with a verb.
    pub tries: &'static str,
    /// Who can do it without a sandbox.
    pub control: Control,
    /// What a machine may lack so that nobody can.
    pub unless: Option<&'static str>,
    /// What holds it.
    pub held: Held,
    /// What not every machine or user can have, so that it cannot be promised that it is held. A receipt says whether it was.
    pub needs: Option<Measure>,
}

/// Who can do it without a sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Everybody.
    Anyone,
    /// Root, or anyone for whom root has prepared something.
    Prepared,
    /// Root.
    Root,
}

/// What holds a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// Each of these layers. Without all of them, and with all the others, it gets out.
    By(&'static [Layer]),
    /// Each of these layers, when root runs herm. An ordinary user is held by not being root, which cannot be left out.
    ForRoot(&'static [Layer]),
    /// Something that is no layer: it holds for every program that herm starts.
    Always(&'static str),
}

/// Probes that are after the same.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// What they are after.
    pub title: &'static str,
    /// The Python module that they are in.
    pub module: &'static str,
    /// The probes.
    pub probes: &'static [Probe],
}

/// All probes, by what they are after.
pub const GROUPS: &[Group] = &[
    Group { title: "Files", module: "files", probes: files::PROBES },
    Group { title: "Devices and settings of the kernel", module: "devices", probes: devices::PROBES },
    Group { title: "Processes", module: "processes", probes: processes::PROBES },
    Group { title: "System calls", module: "calls", probes: calls::PROBES },
    Group { title: "The network", module: "network", probes: network::PROBES },
    Group { title: "Messages and shared memory", module: "messages", probes: messages::PROBES },
    Group { title: "Using too much", module: "bounds", probes: bounds::PROBES },
    Group { title: "Knowing the machine", module: "traces", probes: traces::PROBES },
];

/// Those that get out when a program may sandbox others in turn: it makes namespaces, and mounts in them, which no rule on files
/// goes along with.
pub const OPEN_WHEN_NESTED: &[&str] = &["nested-mount", "nested-users", "pipe-to-read"];

/// All probes, one after the other.
pub fn all() -> impl Iterator<Item = &'static Probe> {
    GROUPS.iter().flat_map(|group| group.probes.iter())
}

impl Probe {
    /// The Python module that it is in.
    #[must_use]
    pub fn module(&self) -> &'static str {
        let has = |group: &&Group| group.probes.iter().any(|probe| probe.name == self.name);
        GROUPS.iter().find(has).map_or("", |group| group.module)
    }

    /// Without a machine that has `lack`, nobody can do it.
    const fn unless(mut self, lack: &'static str) -> Self {
        self.unless = Some(lack);
        self
    }

    /// It is held where a receipt says so.
    const fn needs(mut self, measure: Measure) -> Self {
        self.needs = Some(measure);
        self
    }
}

impl Held {
    /// The layers to leave out so that it gets out, for root or for an ordinary user.
    #[must_use]
    pub fn layers(self, is_root: bool) -> Option<Vec<Layer>> {
        let kept = |layer: &&Layer| is_root || **layer != Layer::Users;
        let left_out: Vec<Layer> = match self {
            Self::By(layers) => layers.iter().filter(kept).copied().collect(),
            Self::ForRoot(layers) if is_root => layers.to_vec(),
            Self::ForRoot(_) | Self::Always(_) => Vec::new(),
        };
        (!left_out.is_empty()).then_some(left_out)
    }
}

/// A probe that anyone can do without a sandbox.
const fn anyone(name: &'static str, tries: &'static str, held: Held) -> Probe {
    Probe { name, tries, control: Control::Anyone, unless: None, held, needs: None }
}

/// A probe that anyone can do for whom root has prepared something.
const fn prepared(name: &'static str, tries: &'static str, held: Held) -> Probe {
    Probe { name, tries, control: Control::Prepared, unless: None, held, needs: None }
}

/// A probe that only root can do without a sandbox.
const fn root(name: &'static str, tries: &'static str, held: Held) -> Probe {
    Probe { name, tries, control: Control::Root, unless: None, held, needs: None }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_probe_has_a_name_of_its_own_and_there_are_over_sixty() {
        let names: BTreeSet<_> = all().map(|probe| probe.name).collect();
        assert_eq!(names.len(), all().count());
        assert!(names.len() > 60, "{}", names.len());
    }

    #[test]
    fn every_layer_is_shown_to_matter_alone() {
        for layer in Layer::ALL {
            let shows = |probe: &&Probe| probe.held.layers(true).is_some_and(|held| held == [*layer]);
            assert!(all().any(|probe| shows(&probe)), "no probe is held by `{}` alone", layer.word());
        }
    }
}
