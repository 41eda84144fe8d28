//! The place that a shell lives in.

use std::ffi::{CString, OsString};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::time::Duration;

use rustix::fs::{MemfdFlags, Mode, OFlags, memfd_create};
use rustix::net::sockopt::{Timeout, set_socket_passcred, set_socket_timeout};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::pipe::{PipeFlags, pipe_with};

use super::driver::driver;
use super::waiting::Waiting;
use super::{Error, Spec};
use crate::native::{Gate, Held, Prepared, SetAside, Statistics, Unkept};
use crate::process::supervisor::Supervisor;
use crate::process::wires::{Reader, unblock};
use crate::process::{self, Input, Stream, start};
use crate::sys::spawner::{self, Hello, Spawner, VARIABLES};

/// What starts the processes of a shell, and what holds for them.
#[derive(Debug)]
pub(super) struct Place {
    supervisor: Option<Supervisor>,
    line: OwnedFd,
    held: Held,
    told: Vec<SetAside>,
    unkept: Unkept,
}

/// How long a process may take to begin.
const PATIENCE: Duration = Duration::from_secs(20);

impl Place {
    pub(super) fn open(gate: Option<&mut dyn Gate>, spec: &Spec) -> Result<Self, Error> {
        let (line, theirs) =
            socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        set_socket_passcred(&line, true)?;
        set_socket_timeout(&line, Timeout::Recv, Some(PATIENCE))?;
        let (boundary, held) = spec.confinement.as_ref().map(Prepared::new).transpose()?.unzip();
        let (boundary, hall) = boundary.map(Prepared::with_hall).unzip();
        let supervisor = start::spawner(&program(spec), boundary, make(spec, theirs)?)?;
        if let Some((gate, hall)) = gate.zip(hall.flatten()) {
            gate.open(hall.doors()?)?;
        }
        let (held, told, unkept) = (held.unwrap_or_default(), Vec::new(), Unkept::default());
        Ok(Self { supervisor: Some(supervisor), line, held, told, unkept })
    }

    /// Asks for a process that waits in a directory.
    pub(super) fn ask_for(&self, directory: &Path) -> Result<Waiting, Error> {
        let name = CString::new(directory.as_os_str().as_bytes())
            .map_err(|_| io::Error::from(io::ErrorKind::InvalidFilename))?;
        let (heard, control) = pipe_with(PipeFlags::CLOEXEC)?;
        let (status, said) = pipe_with(PipeFlags::CLOEXEC)?;
        let (out, stdout) = pipe_with(PipeFlags::CLOEXEC)?;
        let (err, stderr) = pipe_with(PipeFlags::CLOEXEC)?;
        let (going, go) = pipe_with(PipeFlags::CLOEXEC)?;
        unblock(&status)?;
        let stdin = rustix::fs::open(c"/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
        let script = memfd_create(c"herm-script", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
        let account = memfd_create(c"herm-account", MemfdFlags::CLOEXEC)?;
        let handed = [&heard, &said, &stdin, &stdout, &stderr, &script, &going, &account].map(AsFd::as_fd);
        spawner::request(&self.line, &name, &handed)?;
        let readers = vec![Reader::new(out, Stream::Stdout)?, Reader::new(err, Stream::Stderr)?];
        Ok(Waiting::new(directory, (control, status), readers, (script.into(), go, account.into())))
    }

    /// Who of a process that was asked for says hello next, by the number it has here.
    pub(super) fn greeting(&self) -> rustix::io::Result<(Hello, rustix::process::Pid)> {
        spawner::greeting(&self.line)
    }

    pub(super) fn line(&self) -> &OwnedFd {
        &self.line
    }

    pub(super) fn is_over(&mut self) -> bool {
        self.supervisor.as_mut().is_none_or(|supervisor| {
            supervisor.listen();
            supervisor.is_gone() || supervisor.main().is_some()
        })
    }

    /// Ends everybody, and says what they have left that was not told yet.
    pub(super) fn end(&mut self) -> Vec<SetAside> {
        drop(self.supervisor.take());
        let found = self.held.set_aside();
        let known = std::mem::replace(&mut self.told, found.clone());
        found.into_iter().filter(|one| !known.contains(one)).collect()
    }

    pub(super) fn held(&self) -> &Held {
        &self.held
    }

    /// What has been made since this was last asked that makes others run code. What is still there is set aside at the end.
    pub(super) fn planted(&mut self) -> Vec<SetAside> {
        let found = self.held.planted();
        let known = std::mem::replace(&mut self.told, found.clone());
        found.into_iter().filter(|one| !known.contains(one)).collect()
    }

    /// What has been written since this was last asked that is gone when the shell ends.
    pub(super) fn unkept(&mut self) -> Unkept {
        let found = self.held.unkept();
        let known = std::mem::replace(&mut self.unkept, found.clone());
        found.since(&known)
    }

    pub(super) fn statistics(&self) -> Option<Statistics> {
        self.held.statistics()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // Whoever wants to hear it has asked.
        let _ = self.end();
    }
}

/// How bash is called.
fn make(spec: &Spec, line: OwnedFd) -> Result<Spawner, Error> {
    let text = |bytes: Vec<u8>| CString::new(bytes).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput));
    let driver = driver();
    let words = ["bash", "--noprofile", "--norc", "-c", &driver, "bash"];
    let words = words.iter().map(|word| text(word.as_bytes().to_vec())).collect::<io::Result<Vec<_>>>()?;
    // Where it is comes with each request.
    let kept = spec.environment.iter().filter(|(name, _)| name != "PWD" && name != "OLDPWD");
    let variables = kept.map(|(name, value)| text(pair(name, value))).collect::<io::Result<Vec<_>>>()?;
    if variables.len() + 2 > VARIABLES {
        return Err(Error::Connection(io::ErrorKind::ArgumentListTooLong.into()));
    }
    Ok(Spawner::new(line, text(spec.program.as_os_str().as_bytes().to_vec())?, words, variables))
}

fn pair(name: &OsString, value: &OsString) -> Vec<u8> {
    let mut pair = name.clone();
    pair.push("=");
    pair.push(value);
    pair.into_vec()
}

/// The same, as what is started once.
fn program(spec: &Spec) -> process::Spec {
    process::Spec {
        program: spec.program.clone().into(),
        arguments: Vec::new(),
        cwd: spec.cwd.clone(),
        environment: Vec::new(),
        time: Duration::MAX,
        grace: Duration::ZERO,
        input: Input::Empty,
        confinement: None,
    }
}
