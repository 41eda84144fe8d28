//! Forbidden things, done inside the sandbox.
//!
//! herm runs itself there, so that nothing depends on which programs the machine has. Who stands outside then looks whether
//! anything got out.

use std::ffi::OsString;
use std::fs::DirBuilder;
use std::io;
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::time::Duration;

use herm::environment::Surface;
use herm_sandbox::native::Workspace;
use herm_sandbox::native::probe::{self, Attempt, Expected, Target};
use herm_sandbox::process::{self, Cancel, Ending, Input, Mode, Output, Spec};

use super::tools;
use super::{Group, Row, State};
use crate::confine;
use crate::environment;
use crate::files;
use crate::perform::Circumstances;
use crate::scratch::{self, Scratch};
use crate::setup::Setup;

/// Tries what must fail and what must work, in a workspace made for it.
#[must_use]
pub fn probe(setup: &Setup) -> Vec<Row> {
    let ground = match Ground::new(setup) {
        Ok(ground) => ground,
        Err(error) => return vec![not_tried(&error.to_string())],
    };
    match ground.attempts() {
        Ok(attempts) => {
            let rows = attempts.iter().map(row).chain(ground.aftermath());
            rows.chain(tools::rows(&ground)).collect()
        }
        Err(why) => vec![not_tried(&why)],
    }
}

/// What is said from inside, for what was told there. Nothing when that makes no sense.
#[must_use]
pub fn answer_within(told: &str) -> Option<String> {
    Target::from_json(told).map(|target| probe::report(&target))
}

/// What cannot be tried has not held.
fn not_tried(why: &str) -> Row {
    Row::new(Group::Probe, "sandbox", State::Missing, format!("nothing could be tried: {why}"))
        .advised("see what is missing above")
}

fn row(attempt: &Attempt) -> Row {
    let (right, wrong) = match attempt.expected {
        Expected::Done => ("works", "does not work"),
        Expected::Refused => ("refused", "NOT REFUSED"),
    };
    let state = if attempt.is_right() { State::Holds } else { State::Missing };
    let verdict = if attempt.is_right() { right } else { wrong };
    let detail = match &attempt.failure {
        Some(why) => format!("{}: {why}", attempt.what),
        None => attempt.what.clone(),
    };
    let row = Row::new(Group::Probe, verdict, state, detail);
    if state == State::Holds {
        row
    } else {
        row.advised("do not trust the sandbox here; report it, see SECURITY.md")
    }
}

/// A workspace, and what stands around it.
#[derive(Debug)]
pub(super) struct Ground<'a> {
    setup: &'a Setup,
    // Gone with this.
    _scratch: Scratch,
    server: TcpListener,
    // Listens as long as this lives.
    _named: UnixListener,
    target: Target,
}

impl<'a> Ground<'a> {
    fn new(setup: &'a Setup) -> io::Result<Self> {
        let scratch = Scratch::new(&environment::temporary()?)?;
        let (workspace, beside) = (scratch.path().join("work"), scratch.path().join("beside"));
        for directory in [&workspace, &beside, &workspace.join(".git"), &workspace.join(".git/hooks")] {
            DirBuilder::new().mode(0o755).create(directory)?;
        }
        scratch::write(&beside.join("secret"), "not for those inside\n")?;
        let server = listen()?;
        let name = format!("herm-probe-{}", scratch.path().display());
        let named = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name)?)?;
        let home = PathBuf::from(setup.home.as_str());
        let target = Target {
            beside,
            kept: kept(&home, &setup.guard),
            home,
            port: server.local_addr()?.port(),
            socket: name,
            workspace,
        };
        Ok(Self { setup, _scratch: scratch, server, _named: named, target })
    }

    fn attempts(&self) -> Result<Vec<Attempt>, String> {
        let herm = std::env::current_exe().map_err(|error| error.to_string())?;
        let arguments = ["doctor".into(), "--inside".into(), self.target.to_json().into()];
        let mut spec = self.spec(herm.clone().into(), arguments.to_vec());
        if let Some(confinement) = &mut spec.confinement {
            confinement.view.readable.push(herm);
        }
        let heard = hear(spec)?;
        if heard.ending != Ending::Exited(0) {
            return Err(format!("it ended otherwise than it should: {:?}", heard.ending));
        }
        probe::read(&heard.stdout).ok_or_else(|| "what was said makes no sense".to_owned())
    }

    /// A program in the sandbox, as `herm run` would start it in this workspace.
    pub(super) fn spec(&self, program: OsString, arguments: Vec<OsString>) -> Spec {
        let mut spec = self.open(program, arguments);
        let workspace = Workspace { root: self.target.workspace.clone(), history: None };
        confine::confine(&mut spec, &workspace, &Circumstances::default(), self.setup);
        spec
    }

    /// The same without a sandbox.
    pub(super) fn open(&self, program: OsString, arguments: Vec<OsString>) -> Spec {
        Spec {
            program,
            arguments,
            cwd: self.target.workspace.clone(),
            environment: environment::of_child(Surface::Terminal, &self.setup.passing.variables),
            time: Duration::from_secs(30),
            grace: Duration::from_secs(1),
            input: Input::Empty,
            confinement: None,
        }
    }

    /// Nobody inside is believed: what they left and whom they reached is seen from outside.
    fn aftermath(&self) -> Vec<Row> {
        let reached = self.server.set_nonblocking(true).is_ok() && self.server.accept().is_ok();
        let left =
            files::exists(&self.target.beside.join("left")) || files::exists(Path::new("/usr/herm-probe"));
        let got_out = reached || left || files::exists(&self.target.home.join("herm-probe"));
        let made = self.target.workspace.join("made");
        let is_kept = files::exists(&made) && files::owner(&made) == files::owner(&self.target.workspace);
        let seen = |what: &str, expected, is_done: bool| {
            let failure = (!is_done).then(|| "nothing of it is seen outside".to_owned());
            row(&Attempt { what: what.to_owned(), expected, failure })
        };
        vec![
            seen("leave anything outside the workspace", Expected::Refused, got_out),
            seen("leave files in the workspace that are their owner's", Expected::Done, is_kept),
        ]
    }
}

#[expect(clippy::disallowed_methods, reason = "somebody must be there to be reached for")]
fn listen() -> io::Result<TcpListener> {
    TcpListener::bind(("127.0.0.1", 0))
}

/// herm's own files, and what people keep at home that a command has no business with: what there is, and not much of it.
fn kept(home: &Path, guard: &Path) -> Vec<PathBuf> {
    let own = Some(guard.to_owned()).filter(|guard| !files::list(guard).is_empty());
    let there = PRIVATE.iter().map(|name| home.join(name)).filter(|path| files::exists(path));
    own.into_iter().chain(there.take(2)).collect()
}

/// Not `.gitconfig`: who a person is to git is told inside, in a file of that name.
const PRIVATE: &[&str] =
    &[".ssh", ".aws", ".gnupg", ".netrc", ".bash_history", ".bashrc", ".profile", "Documents"];

/// What a program said, and how it ended.
#[derive(Debug)]
pub(super) struct Heard {
    pub(super) ending: Ending,
    pub(super) stdout: Vec<u8>,
}

pub(super) fn hear(spec: Spec) -> Result<Heard, String> {
    let cancel = Cancel::new().map_err(|error| error.to_string())?;
    let mut ear = Ear(Vec::new());
    let execution =
        process::run(spec, Mode::Captured, &cancel, &mut ear).map_err(|error| error.to_string())?;
    Ok(Heard { ending: execution.ending, stdout: ear.0 })
}

#[derive(Debug)]
struct Ear(Vec<u8>);

/// More than any of them says.
const MOST: usize = 1 << 16;

impl Output for Ear {
    fn stdout(&mut self, bytes: &[u8]) {
        let room = MOST.saturating_sub(self.0.len());
        self.0.extend(bytes.iter().take(room));
    }

    fn stderr(&mut self, _: &[u8]) {}
}
