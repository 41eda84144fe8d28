//! The judge, asked the way every test asks it.

use herm::call::{Call, CallId, Door, Exec, Principal, SessionId};
use herm::policy::{Isolation, Policy, Surroundings};
use herm::{AbsPath, Action, Engine, Ruling, Stance};
use herm_shell::world::{Blind, Script, Standing, World};
use herm_shell::{Analysis, Lang, Limits, Setting};

/// The working directory of every case.
pub const CWD: &str = "/home/dev/project";
/// The home directory of every case.
pub const HOME: &str = "/home/dev";

/// A machine on which nothing is where the cases look: what can be seen is that it is not there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Empty;

impl World for Empty {
    fn script(&self, _path: &str) -> Script {
        Script::Absent
    }

    fn resolve(&self, _path: &str) -> Option<String> {
        None
    }

    fn standing(&self, _path: &str) -> Option<Standing> {
        Some(Standing::Absent)
    }

    fn mounts(&self, _path: &str) -> Option<Vec<String>> {
        Some(Vec::new())
    }

    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
}

/// The engine with its defaults, on a machine of which nothing can be seen.
#[derive(Debug)]
pub struct Judge {
    engine: Engine,
    home: AbsPath,
    cwd: AbsPath,
}

impl Default for Judge {
    fn default() -> Self {
        Self::new()
    }
}

impl Judge {
    /// The engine with its defaults.
    ///
    /// # Panics
    /// When the defaults are not a valid policy.
    #[must_use]
    pub fn new() -> Self {
        Self::within(None)
    }

    /// The engine with its defaults, for commands that run behind a boundary and share their working directory with the machine.
    ///
    /// # Panics
    /// When the defaults are not a valid policy.
    #[must_use]
    #[expect(clippy::expect_used, reason = "a test that cannot be set up has failed")]
    pub fn confined() -> Self {
        let shared = vec![AbsPath::new(CWD).expect("the directory is absolute")];
        Self::within(Some(Isolation { shared, ..Isolation::default() }))
    }

    #[expect(clippy::expect_used, reason = "a test that cannot be set up has failed")]
    fn within(isolation: Option<Isolation>) -> Self {
        let path = |text| AbsPath::new(text).expect("the directory is absolute");
        let surroundings = Surroundings { home: Some(path(HOME)), safe_root: None };
        let mut policy = Policy::compile(Vec::new(), &surroundings).expect("the defaults are valid");
        policy.isolation = isolation;
        Self { engine: Engine::new(policy), home: path(HOME), cwd: path(CWD) }
    }

    /// The call that a shell command is.
    #[must_use]
    pub fn call(&self, command: &str) -> Call {
        self.script(Lang::Shell, command)
    }

    /// The call that a text in a language is.
    #[must_use]
    pub fn script(&self, lang: Lang, text: &str) -> Call {
        Call {
            id: CallId::default(),
            door: Door::CommandLine,
            principal: Principal { name: Some("dev".to_owned()), home: self.home.clone() },
            session: SessionId::default(),
            cwd: self.cwd.clone(),
            action: Action::Exec(Exec::new(text, lang)),
        }
    }

    /// What becomes of a shell command.
    pub fn check(&self, command: &str) -> Ruling {
        self.judge(&self.call(command))
    }

    /// What becomes of a call.
    pub fn judge(&self, call: &Call) -> Ruling {
        self.judge_in(call, &Blind)
    }

    /// What becomes of a call on a machine of which something can be seen.
    pub fn judge_in(&self, call: &Call, world: &dyn World) -> Ruling {
        self.engine.check(call, world)
    }

    /// The word for what becomes of a shell command.
    #[must_use]
    pub fn decision(&self, command: &str) -> &'static str {
        self.check(command).decision.word()
    }
}

/// The rules that stand in a call's way.
pub fn objections(ruling: &Ruling) -> impl Iterator<Item = &'static str> {
    ruling.findings.iter().filter(|finding| finding.stance != Stance::Note).map(|finding| finding.rule)
}

/// What a shell text would do, on a machine of which nothing can be seen.
#[must_use]
pub fn analyse(text: &str) -> Analysis {
    let setting = Setting {
        cwd: CWD,
        home: HOME,
        user: Some("dev"),
        world: &Blind,
        limits: Limits::default(),
        input: herm_shell::Input::default(),
    };
    herm_shell::analyse(text, Lang::Shell, &setting)
}
