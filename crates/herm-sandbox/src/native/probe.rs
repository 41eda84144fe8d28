//! Forbidden deeds, tried from inside a boundary.
//!
//! A handful that stand for what each layer is for; those that a boundary was built for are many more, and are tried by its
//! tests. Everything here does no harm where it succeeds.

use std::fs::{DirBuilder, OpenOptions};
use std::io;
use std::net::TcpStream;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixStream};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::mount::{MountFlags, mount};
use rustix::net::{AddressFamily, SocketType, ipproto, socket};
use serde_json::{Value, json};

use crate::sys::deeds::{self, Deed};

/// What stands outside, to be reached for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// A directory beside the workspace, with a file `secret` in it.
    pub beside: PathBuf,
    /// The home directory.
    pub home: PathBuf,
    /// What is the person's or herm's own and may not be seen.
    pub kept: Vec<PathBuf>,
    /// A port of the loopback device that somebody listens at.
    pub port: u16,
    /// A name in the abstract name space that somebody listens at.
    pub socket: String,
    /// The workspace, which has hooks of git.
    pub workspace: PathBuf,
}

/// One deed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// What was tried, as a sentence without an end.
    pub what: String,
    /// What has to come of it.
    pub expected: Expected,
    /// What came of it: why it failed, if it did.
    pub failure: Option<String>,
}

/// What has to come of a deed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// It works.
    Done,
    /// It fails.
    Refused,
}

impl Attempt {
    /// Whether it went as it should.
    #[must_use]
    pub fn is_right(&self) -> bool {
        match self.expected {
            Expected::Done => self.failure.is_none(),
            Expected::Refused => self.failure.is_some(),
        }
    }

    fn to_json(&self) -> Value {
        json!({ "what": self.what, "refused": self.expected == Expected::Refused, "failure": self.failure })
    }

    fn from_json(value: &Value) -> Option<Self> {
        let expected = if value.get("refused")?.as_bool()? { Expected::Refused } else { Expected::Done };
        let failure = value.get("failure")?.as_str().map(str::to_owned);
        Some(Self { what: value.get("what")?.as_str()?.to_owned(), expected, failure })
    }
}

/// Tries everything, and says so on one line: that is how it gets out.
#[must_use]
pub fn report(target: &Target) -> String {
    let attempts: Vec<Value> = tried(target).iter().map(Attempt::to_json).collect();
    format!("{}\n", Value::Array(attempts))
}

/// What was said. Nothing when it is not all there.
#[must_use]
pub fn read(said: &[u8]) -> Option<Vec<Attempt>> {
    let said: Value = serde_json::from_slice(said).ok()?;
    said.as_array()?.iter().map(Attempt::from_json).collect()
}

impl Target {
    /// As it is told to whoever tries.
    #[must_use]
    pub fn to_json(&self) -> String {
        let kept: Vec<_> = self.kept.iter().map(|path| path.to_string_lossy()).collect();
        json!({
            "beside": self.beside.to_string_lossy(),
            "home": self.home.to_string_lossy(),
            "kept": kept,
            "port": self.port,
            "socket": self.socket,
            "workspace": self.workspace.to_string_lossy(),
        })
        .to_string()
    }

    /// What was told.
    #[must_use]
    pub fn from_json(text: &str) -> Option<Self> {
        let told: Value = serde_json::from_str(text).ok()?;
        let path = |name: &str| told.get(name)?.as_str().map(PathBuf::from);
        let kept = told.get("kept")?.as_array()?.iter().map(|path| path.as_str().map(PathBuf::from));
        Some(Self {
            beside: path("beside")?,
            home: path("home")?,
            kept: kept.collect::<Option<_>>()?,
            port: u16::try_from(told.get("port")?.as_u64()?).ok()?,
            socket: told.get("socket")?.as_str()?.to_owned(),
            workspace: path("workspace")?,
        })
    }
}

fn tried(target: &Target) -> Vec<Attempt> {
    let attempt = |(expected, what, deed): &Entry| {
        let failure = deed(target).err().map(|error| error.to_string());
        Attempt { what: (*what).to_owned(), expected: *expected, failure }
    };
    let kept = target.kept.iter().map(|path| Attempt {
        what: format!("read {}", path.display()),
        expected: Expected::Refused,
        failure: look(path).err().map(|error| error.to_string()),
    });
    kept.chain(TABLE.iter().map(attempt)).collect()
}

type Entry = (Expected, &'static str, fn(&Target) -> io::Result<()>);

const TABLE: &[Entry] = &[
    (Expected::Refused, "read what lies beside the workspace", |target| look(&target.beside.join("secret"))),
    (Expected::Refused, "read /etc/shadow", |_| look(Path::new("/etc/shadow"))),
    (Expected::Refused, "write beside the workspace", |target| make(&target.beside.join("left"))),
    (Expected::Refused, "write to /usr", |_| make(Path::new("/usr/herm-probe"))),
    (Expected::Refused, "add a hook of git", |target| make(&target.workspace.join(".git/hooks/pre-commit"))),
    (Expected::Refused, "change a setting of the kernel", |_| {
        change(Path::new("/proc/sys/kernel/core_pattern"))
    }),
    (Expected::Refused, "reach a server on this machine", |target| connect(target.port)),
    (Expected::Refused, "reach a socket without a file", |target| connect_by_name(&target.socket)),
    (Expected::Refused, "see other processes", |_| see_others()),
    (Expected::Refused, "mount a file system", |target| mount_something(&target.workspace)),
    (Expected::Refused, "make a device", |target| make_device(&target.workspace)),
    (Expected::Refused, "open a raw socket", |_| raw_socket()),
    (Expected::Refused, "begin a namespace of users", |_| Ok(deeds::attempt(Deed::NewUsers)?)),
    (Expected::Refused, "use the kernel's keys", |_| Ok(deeds::attempt(Deed::Keyring)?)),
    (Expected::Refused, "load a program into the kernel", |_| Ok(deeds::attempt(Deed::KernelProgram)?)),
    (Expected::Refused, "hand in requests that no filter sees", |_| {
        Ok(deeds::attempt(Deed::UnseenRequests)?)
    }),
    (Expected::Done, "write to the workspace", |target| make(&target.workspace.join("made"))),
    (Expected::Done, "write to a home and a /tmp of its own", |target| {
        make(&target.home.join("herm-probe")).and_then(|()| make(Path::new("/tmp/herm-probe")))
    }),
    (Expected::Done, "talk to itself over the network", |_| talk_to_itself()),
];

#[expect(clippy::disallowed_methods, reason = "reaching for it is what a probe does")]
fn look(path: &Path) -> io::Result<()> {
    let found = std::fs::metadata(path)?;
    if found.is_dir() { list(path) } else { std::fs::File::open(path).map(drop) }
}

/// An empty directory tells nothing.
#[expect(clippy::disallowed_methods, reason = "reaching for it is what a probe does")]
fn list(directory: &Path) -> io::Result<()> {
    match std::fs::read_dir(directory)?.next() {
        Some(_) => Ok(()),
        None => Err(io::Error::other("nothing is there")),
    }
}

fn make(path: &Path) -> io::Result<()> {
    OpenOptions::new().write(true).create_new(true).open(path).map(drop)
}

fn change(path: &Path) -> io::Result<()> {
    OpenOptions::new().write(true).open(path).map(drop)
}

#[expect(clippy::disallowed_methods, reason = "reaching for it is what a probe does")]
fn connect(port: u16) -> io::Result<()> {
    TcpStream::connect(("127.0.0.1", port)).map(drop)
}

fn connect_by_name(name: &str) -> io::Result<()> {
    UnixStream::connect_addr(&SocketAddr::from_abstract_name(name)?).map(drop)
}

/// Besides itself, a confined program sees the first process of its namespace.
#[expect(clippy::disallowed_methods, reason = "reaching for it is what a probe does")]
fn see_others() -> io::Result<()> {
    let own = std::process::id();
    let number = |entry: std::fs::DirEntry| entry.file_name().to_str()?.parse::<u32>().ok();
    let mut seen = std::fs::read_dir("/proc")?.flatten().filter_map(number);
    match seen.find(|pid| *pid != 1 && *pid != own) {
        Some(_) => Ok(()),
        None => Err(io::Error::other("nobody else is there")),
    }
}

fn mount_something(workspace: &Path) -> io::Result<()> {
    let point = workspace.join("mounted");
    DirBuilder::new().create(&point)?;
    Ok(mount(c"none", &point, c"tmpfs", MountFlags::NOSUID, None)?)
}

fn make_device(workspace: &Path) -> io::Result<()> {
    let null = rustix::fs::makedev(1, 3);
    Ok(mknodat(CWD, workspace.join("device"), FileType::CharacterDevice, Mode::RUSR, null)?)
}

fn raw_socket() -> io::Result<()> {
    Ok(socket(AddressFamily::INET, SocketType::RAW, Some(ipproto::ICMP)).map(drop)?)
}

#[expect(clippy::disallowed_methods, reason = "reaching for it is what a probe does")]
fn talk_to_itself() -> io::Result<()> {
    let own = std::net::TcpListener::bind(("127.0.0.1", 0))?;
    TcpStream::connect(own.local_addr()?).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target() -> Target {
        Target {
            beside: "/beside".into(),
            home: "/home".into(),
            kept: vec!["/home/.profile".into()],
            port: 7,
            socket: "name".to_owned(),
            workspace: "/work".into(),
        }
    }

    #[test]
    fn what_is_told_is_what_is_heard() {
        assert_eq!(Target::from_json(&target().to_json()), Some(target()));
        assert_eq!(Target::from_json("{}"), None);
        let attempts = vec![
            Attempt { what: "a".to_owned(), expected: Expected::Refused, failure: Some("no".to_owned()) },
            Attempt { what: "b".to_owned(), expected: Expected::Done, failure: Some("no".to_owned()) },
        ];
        let said = Value::Array(attempts.iter().map(Attempt::to_json).collect()).to_string();
        assert_eq!(read(said.as_bytes()), Some(attempts.clone()));
        assert_eq!(attempts.iter().map(Attempt::is_right).collect::<Vec<_>>(), [true, false]);
        assert_eq!(read(b"[{}]"), None);
        assert_eq!(read(b""), None);
    }
}
