//! What has to be known of an agent to run it.

use std::process::Command;

use crate::model::Call;
use crate::stage::Stage;

/// An agent as the tests know it.
pub(crate) struct Client {
    /// Its name in `xtask/agents.toml`.
    pub(crate) name: &'static str,
    /// Its word for `herm init`.
    pub(crate) word: &'static str,
    /// Writes what leads it to the model.
    pub(crate) settle: fn(&Stage),
    /// Gives its command line what a run without a person takes; all its own questions are answered with yes.
    pub(crate) ask: fn(&Stage, &mut Command, prompt: &str),
    /// Its tool that runs a command.
    pub(crate) shell: fn(command: &str) -> Call,
    /// Its tool that writes a file.
    pub(crate) write: fn(path: &str) -> Call,
    /// Has herm ask where the agent would be left to.
    pub(crate) keep: fn(&Stage),
    /// Has it wait for a hook for five seconds only.
    pub(crate) hurry: fn(&Stage),
    /// What it does when a hook fails.
    pub(crate) failing: Failing,
}

/// What an agent does with a tool whose hook fails.
///
/// Where it runs the tool that is a limit of the agent, which `docs/guides/agents.md` tells. A test fails when it changes.
#[derive(Clone, Copy)]
pub(crate) struct Failing {
    /// It ends with 101, as a program does that panics, and says so.
    pub(crate) crashed: Then,
    /// It prints something else than an answer, and ends well.
    pub(crate) garbled: Then,
    /// A signal ends it.
    pub(crate) killed: Then,
    /// It is not there.
    pub(crate) missing: Then,
    /// It does not answer in time.
    pub(crate) slow: Then,
}

/// What becomes of the tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    Blocked,
    Runs,
}

/// The tests that every agent has to pass, in the module of the agent. `CLIENT` is the agent.
macro_rules! scenarios {
    () => {
        #[test]
        fn what_is_allowed_runs_and_what_is_refused_does_not() {
            let test = concat!(module_path!(), "::what_is_allowed_runs_and_what_is_refused_does_not");
            crate::space::apart(&CLIENT, test, crate::scenarios::guarded);
        }

        #[test]
        fn a_yes_from_elsewhere_lets_it_run() {
            let test = concat!(module_path!(), "::a_yes_from_elsewhere_lets_it_run");
            crate::space::apart(&CLIENT, test, crate::scenarios::approved);
        }

        #[test]
        fn a_hook_that_fails_is_known_to_block_or_not() {
            let test = concat!(module_path!(), "::a_hook_that_fails_is_known_to_block_or_not");
            crate::space::apart(&CLIENT, test, crate::scenarios::failing);
        }
    };
}

pub(crate) use scenarios;

#[cfg(test)]
mod tests {
    use super::{Failing, Then};
    use crate::{claude_code, codex, copilot, gemini, hermes, opencode, pi};

    /// What the guide says of each agent is what the tests demand.
    #[test]
    fn the_guide_tells_what_agents_do_when_herm_does_not_answer() {
        let guide = include_str!("../../../../docs/guides/agents.md");
        let table = guide.split("\n## ").find(|part| part.starts_with("When herm does not answer")).unwrap();
        let clients = [
            &claude_code::CLIENT,
            &codex::CLIENT,
            &copilot::CLIENT,
            &gemini::CLIENT,
            &hermes::CLIENT,
            &opencode::CLIENT,
            &pi::CLIENT,
        ];
        for client in clients {
            let name = herm_runtime::adapters::Agent::of(client.word).unwrap().name();
            let Failing { crashed, killed, missing, slow, garbled } = client.failing;
            let said = [crashed, killed, missing, slow, garbled].map(|then| match then {
                Then::Blocked => "blocked",
                Then::Runs => "**runs**",
            });
            let row = format!("| {name} | {} |", said.join(" | "));
            assert!(table.contains(&row), "{row}");
        }
    }
}
