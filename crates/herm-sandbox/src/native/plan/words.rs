//! What a boundary was doing when it failed.

use crate::sys::boundary::Stage;
use crate::sys::mounts::Step;

/// What the steps of a boundary are called.
#[derive(Debug)]
pub(crate) struct Words(Vec<String>);

impl Words {
    /// Those of the steps to a view.
    pub(super) fn of<'a>(steps: impl IntoIterator<Item = &'a Step>) -> Self {
        Self(steps.into_iter().map(word).collect())
    }

    /// Adds those of later steps.
    pub(super) fn extend(&mut self, steps: &[Step]) {
        self.0.extend(steps.iter().map(word));
    }

    /// What was being done at a stage.
    pub(crate) fn doing(&self, stage: Stage) -> String {
        match stage {
            Stage::Begin => "make namespaces".to_owned(),
            Stage::Users => "make a namespace of users".to_owned(),
            Stage::Groups => "join its control group".to_owned(),
            Stage::Clocks => "make namespaces of clocks and control groups".to_owned(),
            Stage::Host => "name its machine".to_owned(),
            Stage::Cover | Stage::Enter => "change its root".to_owned(),
            Stage::Split => "start its first process".to_owned(),
            Stage::Identity => "become another user".to_owned(),
            Stage::Directory => "enter the working directory".to_owned(),
            Stage::Limits => "set limits".to_owned(),
            Stage::Rights => "give up its rights".to_owned(),
            Stage::Files => "rule what may be done to files".to_owned(),
            Stage::Calls => "filter system calls".to_owned(),
            Stage::Network => "set up its network".to_owned(),
            Stage::Step(index) => self.0.get(index).cloned().unwrap_or_else(|| "take a step".to_owned()),
        }
    }
}

fn word(step: &Step) -> String {
    let (verb, target) = match step {
        Step::Again { target, .. } | Step::Bind { target, .. } => ("show", target),
        Step::Cover { target, .. } => ("cover", target),
        Step::Directory { target, .. } | Step::File { target } | Step::Link { target, .. } => {
            ("make", target)
        }
        Step::Mount { target, .. } => ("mount", target),
        Step::Overlay { target, .. } => ("lend", target),
        Step::Write { target, .. } => ("write", target),
    };
    format!("{verb} `/{}`", target.to_string_lossy())
}
