//! What a container may touch of this machine, and what runs in it.

use std::rc::Rc;

use super::arguments::Parsed;
use super::phrases::{after_dashes, emit, operands_from, option, run, shown, values};
use super::schema::{Do, Opt, attached, quiet};
use crate::effect::{Flags, Realm, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

/// The options of `docker run`, `create` and `exec`. All that take a value must be here: the first operand is the image.
pub(super) const OPTIONS: &[Opt] = &[
    values("-a --attach -c --cpu-shares -e --env -h --hostname -l --label -m --memory -p"),
    values("--publish -u --user -v --volume"),
    values("-w --workdir --add-host --annotation --blkio-weight --blkio-weight-device"),
    values("--cap-add --cap-drop --cgroup-parent"),
    values("--cgroupns --cidfile --cpu-period --cpu-quota --cpu-rt-period --cpu-rt-runtime"),
    values("--cpus --cpuset-cpus"),
    values("--cpuset-mems --detach-keys --device --device-cgroup-rule --device-read-bps"),
    values("--device-read-iops"),
    values("--device-write-bps --device-write-iops --dns --dns-option --dns-search"),
    values("--domainname --entrypoint --env-file"),
    values("--expose --gpus --group-add --health-cmd --health-interval --health-retries"),
    values("--health-start-period"),
    values("--health-timeout --ip --ip6 --ipc --isolation --kernel-memory --label-file"),
    values("--link --link-local-ip"),
    values("--log-driver --log-opt --mac-address --memory-reservation --memory-swap"),
    values("--memory-swappiness --mount --name"),
    values("--net --network --net-alias --network-alias --oom-score-adj --pid --pids-limit"),
    values("--platform --pod --pull"),
    values("--restart --runtime --secret --security-opt --shm-size --stop-signal"),
    values("--stop-timeout --storage-opt --sysctl"),
    values("--tmpfs --ulimit --userns --uts --volume-driver --volumes-from --authfile"),
    values("--arch --os --passwd-entry --index"),
    quiet("-d --detach -i --interactive -t --tty -P --publish-all -q --quiet"),
    quiet("--disable-content-trust --init --rm"),
    attached("--privileged", Do::Nothing),
    quiet("--no-healthcheck --oom-kill-disable --read-only --sig-proxy -T --no-deps"),
    quiet("--build --service-ports"),
];

/// Places of this machine that are the machine: who may write there from a container is root here.
const KEYS_TO_THE_HOST: &[&str] = &[
    "/", "/etc", "/root", "/home", "/boot", "/dev", "/proc", "/sys", "/usr", "/bin", "/sbin", "/lib", "/var",
    "/var/lib", "/var/run", "/run", "/Users", "/opt",
];

/// Capabilities with which a container can leave its walls.
const CAPABILITIES: &[&str] = &[
    "ALL",
    "BPF",
    "DAC_READ_SEARCH",
    "MKNOD",
    "SYS_ADMIN",
    "SYS_BOOT",
    "SYS_MODULE",
    "SYS_PTRACE",
    "SYS_RAWIO",
];

const SHELLS: &[&str] = &["ash", "bash", "dash", "fish", "ksh", "sh", "zsh"];

/// `docker run IMAGE COMMAND…`.
pub(super) fn start(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let mounts = mounts(parsed);
    for mount in &mounts {
        mount.report(sink);
    }
    let open = report_rights(parsed, sink);
    let mut command = operands_from(parsed, 1);
    match parsed.value("--entrypoint").filter(|entry| !entry.shown().is_empty()) {
        Some(entry) => command.insert(0, entry.clone()),
        // Options after the image go to the program that the image starts, which is not known.
        None if command.first().is_some_and(|word| word.known_prefix().starts_with('-')) => command.clear(),
        None => {}
    }
    let inside: Vec<(String, String)> =
        mounts.into_iter().map(|mount| (mount.source.shown(), mount.inside)).collect();
    sink.enter(Realm::Container { mounts: Rc::from(inside), open });
    work_in(parsed, sink);
    run(sink, &command);
}

/// Where a project is described when nothing says otherwise.
const PROJECTS: &[&str] = &["compose.yaml", "docker-compose.yml"];

/// `docker compose up`: what the project's file gives its containers of this machine.
pub(super) fn project(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let named: Vec<Value> = parsed.values("-f --file").cloned().collect();
    let files =
        if named.is_empty() { PROJECTS.iter().map(|name| Value::literal(*name)).collect() } else { named };
    for file in files {
        let text = if file.known().as_deref() == Some("-") { sink.stdin() } else { sink.read(&file) };
        let text = text.known_prefix();
        let words = text.split(|mark: char| mark.is_whitespace() || "[]{},\"'".contains(mark));
        for mount in words.filter_map(|word| Mount::short(&Value::literal(word))) {
            mount.report(sink);
        }
        let is_open = |line: &str| {
            let line: String = line.split_whitespace().collect();
            matches!(line.as_str(), "privileged:true" | "pid:host" | "userns_mode:host")
        };
        if text.lines().any(is_open) {
            emit(sink, Verb::Escalate, "container", "", Flags::HOST_ACCESS);
        }
    }
}

/// `docker compose run SERVICE COMMAND…`.
pub(super) fn start_of_project(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    project(parsed, sink);
    start(parsed, sink);
}

fn work_in(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if let Some(directory) = parsed.value("-w --workdir") {
        sink.change_directory(directory);
    }
}

/// `docker exec CONTAINER COMMAND…`.
pub(super) fn execute(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let open = report_rights(parsed, sink);
    sink.enter(Realm::Container { mounts: Rc::from([]), open });
    work_in(parsed, sink);
    run(sink, &operands_from(parsed, 1));
}

/// `lxc exec NAME -- COMMAND…`: whoever may talk to the daemon is root of the container, and nearly of the host.
pub(super) fn system_container(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let command = after_dashes(parsed).unwrap_or_else(|| operands_from(parsed, 1));
    if is_interactive_shell(&command) {
        emit(sink, Verb::Escalate, "container", shown(parsed, 0), Flags::INTERACTIVE | Flags::HOST_ACCESS);
    }
    sink.enter(Realm::Container { mounts: Rc::from([]), open: false });
    run(sink, &command);
}

/// `lxc launch -c security.privileged=true`, `lxc config device add c root disk source=/`.
pub(super) fn system_container_settings(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let opens = |text: &str| {
        text == "security.privileged=true"
            || text.strip_prefix("source=").is_some_and(|path| KEYS_TO_THE_HOST.contains(&path))
    };
    if parsed.all.iter().filter_map(|argument| argument.value.known()).any(|text| opens(&text)) {
        emit(sink, Verb::Escalate, "container", shown(parsed, 0), Flags::HOST_ACCESS);
    }
}

/// `vagrant ssh -c CODE`.
pub(super) fn machine_shell(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(code) = parsed.value("-c --command").cloned() else { return };
    sink.enter(Realm::Remote(Rc::from("virtual machine")));
    sink.code(Lang::Shell, &code);
}

/// `systemd-nspawn -D DIR COMMAND…`: the directory is the root inside.
pub(super) fn nspawn(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let root = parsed.value("-D --directory").map(Value::shown);
    let mounts: Vec<(String, String)> =
        root.into_iter().map(|directory| (directory, "/".to_owned())).collect();
    sink.enter(Realm::Container { mounts: Rc::from(mounts), open: false });
    run(sink, &operands_from(parsed, 0));
}

/// Whether a command is a shell that nothing is given to run.
pub(super) fn is_interactive_shell(command: &[Value]) -> bool {
    let Some((program, arguments)) = command.split_first() else { return false };
    let name = program.known().map(|text| text.rsplit('/').next().unwrap_or_default().to_owned());
    name.is_some_and(|name| SHELLS.contains(&name.as_str()))
        && arguments.iter().all(|argument| {
            matches!(argument.known().as_deref(), Some("-i" | "-l" | "--login" | "-il" | "-li"))
        })
}

/// A directory of this machine that is there inside.
struct Mount {
    source: Value,
    inside: String,
    read_only: bool,
}

impl Mount {
    /// `source:inside:options`.
    fn short(text: &Value) -> Option<Self> {
        let shown = text.shown();
        let mut parts = shown.split(':');
        let (source, inside) = (parts.next()?, parts.next()?);
        let read_only = parts.next().is_some_and(|options| options.split(',').any(|option| option == "ro"));
        is_path(source).then(|| Self { source: start_of(text, source), inside: inside.to_owned(), read_only })
    }

    /// `type=bind,source=…,target=…,readonly`.
    fn long(text: &Value) -> Option<Self> {
        let shown = text.shown();
        let field = |names: &[&str]| {
            shown.split(',').find_map(|pair| {
                pair.split_once('=').filter(|(key, _)| names.contains(key)).map(|(_, value)| value)
            })
        };
        let source = field(&["source", "src"])?;
        let inside = field(&["target", "destination", "dst"])?.to_owned();
        let read_only = shown.split(',').any(|option| matches!(option, "readonly" | "ro" | "readonly=true"));
        is_path(source).then(|| Self { source: Value::literal(source), inside, read_only })
    }

    fn report(&self, sink: &mut dyn Sink) {
        let text = self.source.shown();
        let home = sink.home();
        let path = if text == "~" || text == "$HOME" || text == "${HOME}" {
            home.as_str()
        } else {
            text.trim_end_matches('/')
        };
        let path = if path.is_empty() { "/" } else { path };
        let engine = path.ends_with("docker.sock")
            || path.ends_with("containerd.sock")
            || path.ends_with("podman.sock");
        let host = KEYS_TO_THE_HOST.contains(&path) || path == home;
        if engine || (host && !self.read_only) {
            emit(sink, Verb::Escalate, "mount", path, Flags::HOST_ACCESS);
        } else {
            // What lies there can be read inside; credentials are credentials there, too.
            sink.path(Verb::Read, &self.source, Flags::HOST_ACCESS);
        }
    }
}

/// Names without a slash are volumes of the engine.
fn is_path(source: &str) -> bool {
    source.starts_with(['/', '.', '~', '$'])
}

/// The beginning of a value, with what is unknown in it when it is not plain text.
fn start_of(text: &Value, source: &str) -> Value {
    let known = text.known_prefix();
    if known.len() >= source.len() { Value::literal(source) } else { Value::unknown(source, text.provenance) }
}

fn mounts(parsed: &Parsed<'_>) -> Vec<Mount> {
    let short = parsed.values("-v --volume").filter_map(Mount::short);
    let long = parsed.values("--mount").filter_map(Mount::long);
    short.chain(long).collect()
}

/// Says which rights over this machine the container gets, and whether it can leave its walls with them.
fn report_rights(parsed: &Parsed<'_>, sink: &mut dyn Sink) -> bool {
    let mut open = parsed.has("--privileged") && option(parsed, "--privileged").as_deref() != Some("false");
    open |= ["--pid", "--userns", "--uts", "--cgroupns"]
        .iter()
        .any(|name| option(parsed, name).as_deref() == Some("host"));
    open |= parsed.values("--cap-add").filter_map(Value::known).any(|text| {
        let name = text.to_ascii_uppercase();
        CAPABILITIES.contains(&name.trim_start_matches("CAP_"))
    });
    open |= parsed.values("--device").filter_map(Value::known).any(|text| is_disk(&text));
    if open {
        emit(sink, Verb::Escalate, "container", shown(parsed, 0), Flags::HOST_ACCESS);
    }
    open
}

fn is_disk(device: &str) -> bool {
    ["/dev/sd", "/dev/nvme", "/dev/vd", "/dev/xvd", "/dev/mmcblk", "/dev/mem", "/dev/dm-", "/dev/mapper"]
        .iter()
        .any(|start| device.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mounts_are_read_in_both_spellings() {
        let short = Mount::short(&Value::literal("/:/host:ro")).unwrap();
        assert_eq!(
            (short.source.shown().as_str(), short.inside.as_str(), short.read_only),
            ("/", "/host", true)
        );
        let long = Mount::long(&Value::literal("type=bind,src=/etc,dst=/x")).unwrap();
        assert_eq!(
            (long.source.shown().as_str(), long.inside.as_str(), long.read_only),
            ("/etc", "/x", false)
        );
        assert!(Mount::short(&Value::literal("data:/var/lib/postgresql")).is_none());
    }

    #[test]
    fn interactive_shells_have_nothing_to_run() {
        let words = |text: &str| text.split(' ').map(Value::literal).collect::<Vec<_>>();
        assert!(is_interactive_shell(&words("/bin/sh")));
        assert!(is_interactive_shell(&words("bash -l")));
        assert!(!is_interactive_shell(&words("sh -c ls")));
        assert!(!is_interactive_shell(&words("ls")));
    }
}
