//! What a command does to the world.

use std::rc::Rc;

use crate::bits::bits;
use crate::lang::Lang;
use crate::place::PathTarget;
use crate::span::Span;
use crate::value::Provenance;

/// One thing that happens when the text runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Effect {
    /// What is done.
    pub verb: Verb,
    /// To what.
    pub target: Target,
    /// How.
    pub flags: Flags,
    /// Where: on this machine, or on another.
    pub realm: Realm,
    /// Whether it happens for certain.
    pub certainty: Certainty,
    /// Where the data that is written, sent or executed came from.
    pub provenance: Provenance,
    /// Whether it happens with another user's rights (`sudo`, `doas`, `su`).
    pub privileged: bool,
    /// The program, builtin or library that does it: `rm`, `>`, `shutil`.
    pub by: Rc<str>,
    /// Which invocation of the analysis it belongs to.
    pub invocation: usize,
    /// Where it stands in the text.
    pub span: Span,
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verb {
    /// Changes an account, a group or a password.
    Account,
    /// Changes extended attributes or access lists (`chattr`, `setfacl`).
    ChangeAttributes,
    /// Changes the permission bits.
    ChangeMode,
    /// Changes the owner or group.
    ChangeOwner,
    /// Changes how the system behaves: kernel settings, firewall, mounts, network interfaces, power states.
    Configure,
    /// Opens a connection.
    Connect,
    /// Deletes files.
    Delete,
    /// Destroys what files do not hold: databases, containers, clusters, cloud resources.
    Destroy,
    /// Switches off a guard: this one, a firewall, an audit, a security module.
    Disable,
    /// Loses work that no commit holds.
    Discard,
    /// Gains another user's rights.
    Escalate,
    /// Runs code or a program file whose text was read or could not be read. See [`Effect::provenance`].
    Execute,
    /// Uses up the machine: fork bombs, endless writes.
    Exhaust,
    /// Makes a file system, a partition table or a volume anew; what was there is gone.
    Format,
    /// Installs packages.
    Install,
    /// Sends a signal that ends processes.
    Kill,
    /// Makes a link at the target path.
    Link,
    /// Waits for connections.
    Listen,
    /// Loads code into a kernel or a running process.
    Load,
    /// Logs in or out, or makes or changes tokens and credentials of a service.
    Login,
    /// Mounts or unmounts.
    Mount,
    /// Arranges for code to run later: cron, at, services, startup files.
    Persist,
    /// Shuts down, reboots, halts.
    Power,
    /// Makes something public, or changes what others see: pushes, releases, deployments.
    Publish,
    /// Reads a file, or the environment.
    Read,
    /// Rewrites history that others may hold.
    Rewrite,
    /// Sends data out.
    Send,
    /// Starts, stops, restarts, enables or disables a service. See [`Flags`].
    Service,
    /// Removes packages.
    Uninstall,
    /// Writes a file: creates, overwrites, appends, edits, moves onto.
    Write,
}

/// To what.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// Code in a language; the text when it is known.
    Code(Lang, Option<String>),
    /// The environment variables of this process.
    Environment,
    /// A host, as a name, an address or the host of a URL.
    Host(HostTarget),
    /// A named thing: `Named("database", "prod")`, `Named("branch", "main")`, `Named("service", "sshd")`.
    Named(&'static str, String),
    /// Nothing in particular.
    None,
    /// A file or directory.
    Path(PathTarget),
    /// Processes.
    Process(ProcessTarget),
}

/// A host and how it is reached.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HostTarget {
    /// The host, lower case, when known.
    pub host: Option<String>,
    /// The scheme, lower case, when there is one: `http`, `ssh`, `tcp`.
    pub scheme: Option<String>,
    /// How it reads in the source.
    pub shown: String,
}

/// Which processes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ProcessTarget {
    /// Every process that may be signalled.
    All,
    /// Those whose name or command line matches.
    Matching(String),
    /// One process or group, by number.
    Number(i64),
    /// Cannot be known here.
    Unknown,
}

/// Where an effect happens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Realm {
    /// Inside a container, with the directories of this machine that are mounted there.
    Container {
        /// Pairs of a path on this machine and the path inside.
        mounts: Rc<[(String, String)]>,
        /// Whether the container can leave its walls (`--privileged`, the host's namespaces).
        open: bool,
    },
    /// On this machine.
    #[default]
    Here,
    /// On another machine.
    Remote(Rc<str>),
}

/// Whether something happens for certain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Certainty {
    /// Whenever the text runs.
    #[default]
    Always,
    /// On some paths through it.
    May,
}

bits! {
    /// How something is done.
    Flags: u64 {
        /// Everything below, too.
        RECURSIVE = 0, "recursive";
        /// Without asking, or against a protection.
        FORCE = 1, "forced";
        /// What is lost cannot be had back.
        IRREVERSIBLE = 2, "irreversible";
        /// Added at the end of what is there.
        APPEND = 3, "appending";
        /// What was there is emptied.
        TRUNCATE = 4, "emptying";
        /// An existing file is edited in place.
        IN_PLACE = 5, "in place";
        /// Certificates are not checked.
        TLS_OFF = 6, "without certificate checks";
        /// Everyone may write.
        WORLD_WRITABLE = 7, "world-writable";
        /// The setuid or setgid bit, or a capability, is given.
        SETUID = 8, "setuid";
        /// The owner may no longer read it.
        NO_ACCESS = 9, "no access left";
        /// The owner becomes root.
        TO_ROOT = 10, "to root";
        /// Everything of its kind: all containers, all branches, all tables.
        ALL = 11, "everything";
        /// In the background, or detached.
        BACKGROUND = 12, "in the background";
        /// A shell that a person, or whoever holds the other end, can type into.
        INTERACTIVE = 13, "interactive";
        /// The other end of a connection drives it: a reverse or bind shell.
        REMOTE_CONTROL = 14, "remotely controlled";
        /// A service is stopped.
        STOP = 15, "stopped";
        /// A service is disabled or masked.
        DISABLE = 16, "disabled";
        /// A service is restarted or reloaded.
        RESTART = 17, "restarted";
        /// A service is started.
        START = 18, "started";
        /// A service is enabled, so that it starts by itself.
        ENABLE = 19, "enabled";
        /// With the kill signal.
        KILL_SIGNAL = 20, "with SIGKILL";
        /// A signal that ends nothing by itself (0, HUP to one process, USR1).
        GENTLE = 21, "gently";
        /// To a branch that is protected by custom: main, master, release.
        PROTECTED_BRANCH = 22, "to a protected branch";
        /// From a source that is not the usual registry.
        FOREIGN_SOURCE = 23, "from a foreign source";
        /// System-wide or for the whole user, not for a project.
        GLOBAL = 24, "globally";
        /// Under the workspace's version control, so it can be had back.
        TRACKED = 25, "tracked";
        /// A password is given on standard input or the command line.
        PASSWORD = 26, "with a password";
        /// Without a WHERE clause.
        NO_WHERE = 27, "without a condition";
        /// It moves the source away (`mv`).
        MOVE = 28, "moving";
        /// The code was given as an argument or stream rather than a file.
        INLINE = 29, "inline";
        /// An operand chooses the program that runs (`--pager`, `-exec`, a hook).
        HOOK = 30, "through a hook";
        /// Only files of a harmless kind, or with a narrowing filter (`find -name '*.pyc'`).
        NARROWED = 31, "narrowed";
        /// An upload: local data goes out.
        UPLOAD = 32, "uploading";
        /// A download whose content is kept or used.
        DOWNLOAD = 33, "downloading";
        /// Reaches into a privileged container or the host's namespaces.
        HOST_ACCESS = 34, "with access to the host";
        /// Only shows what would happen.
        DRY_RUN = 35, "dry run";
        /// The file is made executable.
        EXECUTABLE = 36, "executable";
        /// The program's name only appears after normalising disguised characters.
        DISGUISED = 37, "disguised";
        /// It touches the metadata of something, not its content.
        METADATA = 38, "metadata";
        /// It gets another name, by a link.
        LINKED = 39, "linked to";
        /// Tools generated what is deleted, and can do so again.
        REGENERABLE = 40, "regenerable";
        /// What it is done to is nobody else's: a temporary directory that the text itself made, what an earlier call of the session made.
        FRESH = 41, "fresh";
        /// It is there again after one more command: a container by its name, whose volumes stay.
        RESTORABLE = 42, "restorable";
        /// What is deleted is one file, whatever the options say of directories.
        ONE_FILE = 43, "one file";
        /// The owner may no longer enter it, if it is a directory.
        NO_SEARCH = 44, "no longer to be entered";
        /// Nothing is left of what was there in any of the files that a pattern, a search or a listing names.
        EMPTIED = 45, "left empty";
    }
}

impl Flags {
    /// The bits as a number, for tables that are written down.
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    /// The set with these bits.
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}
