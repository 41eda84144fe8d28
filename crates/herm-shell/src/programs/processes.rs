//! Programs that look at processes and end them.

use super::arguments::Parsed;
use super::schema::{Do, Operands, Program, Role, Source, Syntax, flag, program, until, value};
use crate::effect::{Flags, ProcessTarget, Target, Verb};
use crate::sink::Sink;
use crate::value::{Provenance, Value};

pub(super) static PROGRAMS: &[Program] = &[
    program(&["kill", "gkill"]).syntax(Syntax::Words).operands(Operands::None).refine(kill),
    program(&["pkill", "killall", "skill"]).syntax(Syntax::Words).operands(Operands::None).refine(by_name),
    program(&["killall5"]).syntax(Syntax::Words).operands(Operands::None).refine(kill_all),
    program(&["xkill", "slay"]).refine(kill_all),
    program(&["fuser"]).syntax(Syntax::Words).operands(Operands::None).refine(fuser),
    program(&["taskkill", "tskill", "taskkill.exe"]).syntax(Syntax::Words).operands(Operands::None).refine(taskkill),
    program(&["pgrep", "pidof", "pidwait"])
        .options(&[
            flag("--help --version", Do::Stop),
            value("-d --delimiter -g --pgroup -G --group -P --parent -s --session -t --terminal -u --euid -U --uid -F --pidfile -o", Role::Inert),
        ])
        .stdout(Source::Unknown),
    program(&["ps", "top", "htop", "btop", "atop", "glances", "pstree", "lsof", "pmap", "pwdx", "ss", "netstat", "jobs", "procs", "iotop", "tasklist"])
        .stdout(Source::Unknown),
    program(&["pidstat"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[value("-p -t -T -U -G -C -u", Role::Inert), until("-e", &[], Role::Argv)])
        .operands(Operands::None),
    program(&["renice"]),
];

/// A signal, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Signal {
    Ends,
    Gentle,
    Kills,
}

impl Signal {
    /// By name with or without SIG, or by number; none for what is no signal.
    fn read(text: &str) -> Option<Self> {
        let name = text.to_ascii_uppercase();
        let name = name.strip_prefix("SIG").unwrap_or(&name);
        match name {
            "9" | "KILL" => Some(Self::Kills),
            "0" | "1" | "HUP" | "10" | "USR1" | "12" | "USR2" | "17" | "CHLD" | "CLD" | "18" | "CONT"
            | "20" | "TSTP" | "23" | "URG" | "28" | "WINCH" | "EXIT" => Some(Self::Gentle),
            "2" | "INT" | "3" | "QUIT" | "4" | "ILL" | "5" | "TRAP" | "6" | "ABRT" | "IOT" | "7" | "BUS"
            | "8" | "FPE" | "11" | "SEGV" | "13" | "PIPE" | "14" | "ALRM" | "15" | "TERM" | "16"
            | "STKFLT" | "19" | "STOP" | "21" | "TTIN" | "22" | "TTOU" | "24" | "XCPU" | "25" | "XFSZ"
            | "26" | "VTALRM" | "27" | "PROF" | "29" | "IO" | "POLL" | "30" | "PWR" | "31" | "SYS" => {
                Some(Self::Ends)
            }
            _ => None,
        }
    }

    fn flags(self) -> Flags {
        match self {
            Self::Ends => Flags::NONE,
            Self::Gentle => Flags::GENTLE,
            Self::Kills => Flags::KILL_SIGNAL,
        }
    }
}

fn send(target: ProcessTarget, flags: Flags, sink: &mut dyn Sink) {
    sink.effect(Verb::Kill, Target::Process(target), flags, Provenance::NONE);
}

/// `kill [-s SIGNAL | -SIGNAL] PID…`: the first word with a dash is a signal, later ones are process groups.
fn kill(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let (mut signal, mut chosen, mut words) = (Signal::Ends, false, parsed.all.iter());
    let mut targets: Vec<&Value> = Vec::new();
    while let Some(argument) = words.next() {
        let text = argument.value.known();
        match text.as_deref() {
            Some("-l" | "-L" | "--list" | "--table" | "--help" | "--version") => return,
            Some("-s" | "-n" | "--signal") => {
                signal =
                    words.next().and_then(|word| Signal::read(&word.value.shown())).unwrap_or(Signal::Ends);
                chosen = true;
            }
            Some("--") => chosen = true,
            Some(word) if !chosen && word.starts_with('-') && word.len() > 1 => {
                chosen = true;
                let name =
                    word.trim_start_matches("--signal=").trim_start_matches("-s").trim_start_matches('-');
                signal = Signal::read(name)
                    .or_else(|| Signal::read(word.trim_start_matches('-')))
                    .unwrap_or(Signal::Ends);
            }
            Some(_) | None => targets.push(&argument.value),
        }
    }
    for target in targets {
        let process = own_server(target, sink).unwrap_or_else(|| process(target));
        stop_service(target, signal.flags(), sink);
        send(process, signal.flags() | parsed.flags, sink);
    }
}

/// Where services keep the numbers of their processes.
const OF_SERVICES: &[&str] = &[
    "/etc/",
    "/opt/homebrew/var/",
    "/private/var/run/",
    "/run/",
    "/usr/local/var/",
    "/var/lib/",
    "/var/run/",
    "/var/snap/",
    "/var/spool/",
];

/// The process of a service is ended: the service stops.
fn stop_service(word: &Value, signal: Flags, sink: &mut dyn Sink) {
    let Some(file) = word.source().filter(|_| !signal.has(Flags::GENTLE)) else { return };
    let is_anyones = file.starts_with("/run/user/") || file.starts_with("/var/run/user/");
    if is_anyones || !OF_SERVICES.iter().any(|place| file.starts_with(place)) {
        return;
    }
    let name = file.rsplit('/').next().unwrap_or_default().trim_end_matches(".pid");
    super::operands::named(Verb::Service, "service", name, Flags::STOP, sink);
}

/// The process whose number a file of the project or a temporary one holds: `$(cat server.pid)`.
fn own_server(word: &Value, sink: &mut dyn Sink) -> Option<ProcessTarget> {
    let file = word.source()?;
    let (directory, name) = file.rsplit_once('/')?;
    let below = |place: &str| {
        let rest = directory.strip_prefix(place.trim_end_matches('/'))?;
        (rest.is_empty() || rest.starts_with('/')).then_some(rest)
    };
    let here = sink.directory()?;
    let places = [here.as_str(), "/tmp", "/var/tmp"];
    let is_own = places.into_iter().filter_map(below).any(|rest| !rest.contains("/."));
    let is_systems = ["/run", "/var/run", "/var/lib", "/etc"].into_iter().any(|place| below(place).is_some());
    let is_number = name.split(['.', '-', '_']).any(|part| part.eq_ignore_ascii_case("pid"));
    if !is_own || is_systems || !is_number {
        return None;
    }
    // Where it can be seen, it must hold a number: `-1` would be everyone.
    let held = sink.shown(&Value::literal(&*file)).unwrap_or_default();
    if held.split_whitespace().any(|word| word == "-1") {
        return Some(ProcessTarget::All);
    }
    let is_one = held.split_whitespace().all(|word| word.bytes().all(|digit| digit.is_ascii_digit()));
    is_one.then(|| ProcessTarget::Matching(format!("$(cat {name})")))
}

/// -1 is everyone; a job (`%1`, `$!`) is one's own child.
fn process(word: &Value) -> ProcessTarget {
    match word.known() {
        Some(text) if text == "-1" => ProcessTarget::All,
        Some(text) if text.starts_with('%') => ProcessTarget::Matching(text.into_owned()),
        Some(text) => text.parse().map_or(ProcessTarget::Unknown, ProcessTarget::Number),
        None if word.shown() == "$!" => ProcessTarget::Matching("$!".to_owned()),
        None => ProcessTarget::Unknown,
    }
}

/// The options of pkill and killall that take a value; those that choose by owner reach far.
const VALUED: &[&str] = &[
    "-g",
    "--pgroup",
    "-G",
    "--group",
    "-P",
    "--parent",
    "-t",
    "--terminal",
    "-F",
    "--pidfile",
    "-y",
    "--younger-than",
    "-o",
    "--older-than",
    "-Z",
    "--context",
    "--ns",
    "-q",
    "--queue",
];
const BY_OWNER: &[&str] = &["-u", "--euid", "-U", "--uid", "--user", "-s", "--session"];

fn by_name(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let (mut flags, mut words) = (parsed.flags, parsed.all.iter());
    let mut names: Vec<String> = Vec::new();
    while let Some(argument) = words.next() {
        let word = argument.value.shown();
        let signal = word.strip_prefix("--signal=").or_else(|| word.strip_prefix('-')).and_then(Signal::read);
        if matches!(word.as_str(), "-l" | "--list" | "--help" | "--version" | "-V") {
            return;
        } else if let Some(signal) = signal {
            flags |= signal.flags();
        } else if word == "--signal" || word == "-s" && parsed.program != "pkill" {
            flags |= words
                .next()
                .and_then(|word| Signal::read(&word.value.shown()))
                .map_or(Flags::NONE, Signal::flags);
        } else if BY_OWNER.contains(&word.as_str()) {
            flags |= Flags::ALL;
            names.extend(words.next().map(|owner| format!("user {}", owner.value.shown())));
        } else if word == "-r"
            || word == "--regexp"
            || word == "-v" && parsed.program == "pkill"
            || word == "--inverse"
        {
            flags |= Flags::ALL;
        } else if matches!(word.as_str(), "-F" | "--pidfile") && parsed.program == "pkill" {
            if let Some(file) = words.next() {
                let number = sink.read(&file.value);
                let process = own_server(&number, sink).unwrap_or(ProcessTarget::Unknown);
                stop_service(&number, flags, sink);
                send(process, flags, sink);
            }
        } else if VALUED.contains(&word.as_str()) && parsed.program != "killall" {
            words.next();
        } else if !word.starts_with('-') {
            names.push(word);
        }
    }
    for name in names {
        let broad = matches!(name.as_str(), "." | ".*" | "" | "*" | "^" | "$");
        send(ProcessTarget::Matching(name), if broad { flags | Flags::ALL } else { flags }, sink);
    }
}

fn kill_all(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let signal =
        parsed.words().find_map(|word| word.strip_prefix('-').and_then(Signal::read)).unwrap_or(Signal::Ends);
    if parsed.program == "killall5" {
        send(ProcessTarget::All, signal.flags(), sink);
    } else {
        send(ProcessTarget::Unknown, Flags::KILL_SIGNAL, sink);
    }
}

/// `fuser -k` ends whoever uses a file or a port, with SIGKILL unless told otherwise.
fn fuser(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let bundles: Vec<String> =
        parsed.words().filter(|word| word.starts_with('-') && !word.starts_with("--")).collect();
    let kills = bundles.iter().any(|bundle| bundle.contains('k') && !bundle.starts_with("-K"))
        || parsed.words().any(|word| word == "--kill");
    if kills {
        let signal = bundles
            .iter()
            .find_map(|bundle| Signal::read(bundle.trim_start_matches('-')))
            .unwrap_or(Signal::Kills);
        let used = parsed.words().filter(|word| !word.starts_with('-')).last().unwrap_or_default();
        let by_mount = bundles.iter().any(|bundle| {
            bundle.contains(['m', 'c']) && Signal::read(bundle.trim_start_matches('-')).is_none()
        }) || parsed.words().any(|word| word == "--mount");
        let target =
            if by_mount && !is_removable(&used) { ProcessTarget::All } else { ProcessTarget::Matching(used) };
        send(target, signal.flags(), sink);
    }
}

/// Whether a path is below where media are put in that come and go. Any other one may be on the file system that everything uses:
/// what is no place of a mount stands for the one that it is on.
fn is_removable(path: &str) -> bool {
    let rest =
        ["/mnt/", "/media/", "/run/media/", "/Volumes/"].iter().find_map(|place| path.strip_prefix(place));
    rest.is_some_and(|rest| !rest.trim_matches('/').is_empty() && !rest.contains(".."))
}

fn taskkill(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words: Vec<String> = parsed.words().collect();
    let forced = words.iter().any(|word| word.eq_ignore_ascii_case("/f"));
    let name = words.iter().find(|word| !word.starts_with('/')).cloned().unwrap_or_default();
    send(ProcessTarget::Matching(name), if forced { Flags::KILL_SIGNAL } else { Flags::NONE }, sink);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_in_every_spelling() {
        for kill in ["9", "KILL", "SIGKILL", "kill", "sigkill"] {
            assert_eq!(Signal::read(kill), Some(Signal::Kills), "{kill}");
        }
        assert_eq!(Signal::read("HUP"), Some(Signal::Gentle));
        assert_eq!(Signal::read("15"), Some(Signal::Ends));
        assert_eq!(Signal::read("f"), None);
    }

    #[test]
    fn who_is_meant() {
        assert_eq!(process(&Value::literal("-1")), ProcessTarget::All);
        assert_eq!(process(&Value::literal("1")), ProcessTarget::Number(1));
        assert_eq!(process(&Value::literal("%1")), ProcessTarget::Matching("%1".to_owned()));
        assert_eq!(process(&Value::unknown("$p", Provenance::OUTSIDE)), ProcessTarget::Unknown);
    }
}
