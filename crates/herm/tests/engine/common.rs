//! What the tests of the engine share.

use herm::call::{Action, Call, CallId, Door, Exec, Principal, SessionId};
use herm::policy::{Config, Policy, Source, Surroundings};
use herm::{AbsPath, Engine, Ruling};
use herm_shell::Lang;
use herm_shell::world::Blind;

/// A policy from the text of a user's configuration.
pub(crate) fn policy(config: &str) -> Policy {
    let config = Config::read(Source::User, "config.yaml", config).unwrap();
    Policy::compile(vec![config], &surroundings()).unwrap()
}

/// The home that every test has.
pub(crate) fn surroundings() -> Surroundings {
    Surroundings { home: Some(home()), safe_root: None }
}

/// What becomes of a command.
pub(crate) fn check(policy: Policy, text: &str) -> Ruling {
    act(policy, Action::Exec(Exec::new(text, Lang::Shell)))
}

/// What becomes of an action.
pub(crate) fn act(policy: Policy, action: Action) -> Ruling {
    let call = Call {
        id: CallId("1".to_owned()),
        door: Door::CommandLine,
        principal: Principal { name: Some("dev".to_owned()), home: home() },
        session: SessionId::default(),
        cwd: AbsPath::new("/home/dev/project").unwrap(),
        action,
    };
    Engine::new(policy).check(&call, &Blind)
}

fn home() -> AbsPath {
    AbsPath::new("/home/dev").unwrap()
}
