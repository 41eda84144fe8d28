//! Questions, answers, and what follows from an answer.
//!
//! A yes covers what was asked and nothing that rides along later: a [`Grant`] is an entry of the same language as
//! `command_allowlist`, as narrow as the finding it came from, or the very same action again. A no covers the effect
//! and not its spelling: a [`Denial`] of [`Deed`]s.

mod answer;
mod deed;
mod denial;
mod grant;
mod scope;

pub use answer::Answer;
pub use deed::{Deed, Thing};
pub use denial::Denial;
pub use grant::{Grant, Terms};
pub use scope::{Breadth, Scope};

#[cfg(test)]
pub(crate) mod tests {
    use herm_shell::world::Blind;
    use herm_shell::{Effect, Lang};

    use crate::call::{Call, CallId, Door, Exec, Principal, SessionId};
    use crate::{AbsPath, Action, Engine, Policy, Ruling};

    pub(crate) fn call(command: &str) -> Call {
        Call {
            id: CallId::default(),
            door: Door::CommandLine,
            principal: Principal { name: None, home: AbsPath::new("/home/ann").unwrap() },
            session: SessionId::default(),
            cwd: AbsPath::new("/home/ann/app").unwrap(),
            action: Action::Exec(Exec::new(command, Lang::Shell)),
        }
    }

    pub(super) fn ruling(command: &str) -> Ruling {
        Engine::new(Policy::default()).check(&call(command), &Blind)
    }

    pub(super) fn effects(command: &str) -> Vec<Effect> {
        ruling(command).facts.shell.effects
    }
}
