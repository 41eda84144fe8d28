//! Variables that switch off approvals: whatever gives them their value, it is said once they have it.

use super::machine::{Event, Machine};
use super::scope::Scope;
use super::step::Step;
use crate::approvals::{LOOSENING, Switch};
use crate::effect::{Flags, Target, Verb};
use crate::span::Span;
use crate::value::Provenance;

/// How each of the variables stands, and whether programs that are started see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Switches([(Switch, bool); LOOSENING.len()]);

impl Switches {
    pub(super) fn of(scope: &Scope) -> Self {
        Self(LOOSENING.map(|name| {
            let variable = scope.variables.get(name);
            let value = variable.and_then(|variable| variable.values.first());
            (value.map_or(Switch::Off, Switch::of), variable.is_some_and(|variable| variable.exported))
        }))
    }

    /// The variables that loosen more than they did before. One whose value is not known, and that no program sees, loosens nothing.
    fn turned_since(self, before: Self) -> impl Iterator<Item = (&'static str, Switch)> {
        let now = LOOSENING.into_iter().zip(self.0).zip(before.0);
        now.filter(|((_, now), before)| now > before)
            .map(|((name, now), _)| (name, now))
            .filter(|(_, (switch, exported))| {
                *switch == Switch::On || *switch == Switch::Unclear && *exported
            })
            .map(|(name, (switch, _))| (name, switch))
    }
}

impl Machine<'_> {
    /// Says which variables have been turned, unless what ran has said so itself.
    pub(super) fn mind_switches(&mut self, before: Switches, said: usize, scope: &Scope, span: Span) {
        for (name, switch) in Switches::of(scope).turned_since(before) {
            let (target, flags) = loosened(name, switch);
            let recent = self.out.effects.get(said..).unwrap_or_default();
            if recent.iter().any(|effect| effect.verb == Verb::Disable && effect.target == target) {
                continue;
            }
            let invocation = self.record("declare", &[], scope, span);
            let (verb, data, by) = (Verb::Disable, Provenance::NONE, "declare");
            self.effect(scope, Event { verb, target, flags, data, by, invocation, span });
        }
    }
}

impl Step<'_, '_> {
    /// The same for what a program sets for those that it starts.
    pub(super) fn mind_own_switches(&mut self, before: Switches) {
        for (name, switch) in Switches::of(&self.scope).turned_since(before) {
            let (target, flags) = loosened(name, switch);
            self.event(Verb::Disable, target, flags, Provenance::NONE);
        }
    }
}

/// What is switched off. Where it is not known whether anything is, the guard may be weakened by it.
fn loosened(name: &'static str, switch: Switch) -> (Target, Flags) {
    match switch {
        Switch::On => (Target::Named("approvals", name.to_owned()), Flags::FORCE),
        Switch::Off | Switch::Unclear => (Target::Named("guard", name.to_owned()), Flags::NONE),
    }
}
