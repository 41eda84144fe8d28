//! Programs that run a command in another root, namespace, sandbox or service.

use super::arguments::Parsed;
use super::kinds::{HELP, operands_from, run, run_from, wrapper};
use super::schema::{Do, Operands, Program, Role, Syntax, attached, flag, program, quiet, value};
use crate::effect::{Flags, Target, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    wrapper(&["chroot"])
        .options(&[HELP, quiet("--skip-chdir"), attached("--userspec --groups", Do::Nothing), value("-u -g -G", Role::Inert)])
        .operands(Operands::None)
        .refine(chroot),
    wrapper(&["arch-chroot", "arch-nspawn", "schroot", "pbuilder", "mock"])
        .options(&[
            HELP,
            flag("-h", Do::Stop),
            quiet("-N -r -q --quiet -b --boot -x --ephemeral -a --as-pid2 -P --pipe -p --preserve-environment"),
            value("-u --user -D --directory -c --chroot -C -M -f -s -i --image --machine --bind --bind-ro", Role::Inert),
            value("--template --setenv -E --console --network-interface", Role::Inert),
        ])
        .operands(Operands::None)
        .refine(chroot),
    wrapper(&["unshare"])
        .options(&[
            HELP,
            quiet("-f --fork -r --map-root-user -c --map-current-user --map-auto --keep-caps"),
            attached("-m --mount -u --uts -i --ipc -n --net -p --pid -U --user -C --cgroup -T --time --mount-proc", Do::Nothing),
            attached("--kill-child --propagation", Do::Nothing),
            value("--map-user --map-users --map-group --map-groups --setgroups -R --root -S --setuid -G --setgid", Role::Inert),
            value("--monotonic --boottime --mount-binfmt", Role::Inert),
            value("-w --wd", Role::Directory),
        ])
        .operands(Operands::None)
        .refine(command_or_shell),
    wrapper(&["nsenter"])
        .options(&[
            HELP,
            quiet("-a --all -F --no-fork -Z --follow-context -e --env --preserve-credentials -c --join-cgroup --keep-caps"),
            attached("-m --mount -u --uts -i --ipc -n --net -p --pid -C --cgroup -U --user -T --time -r --root -w --wd", Do::Nothing),
            value("-t --target -S --setuid -G --setgid -W --wdns -N --net-socket", Role::Inert),
        ])
        .operands(Operands::None)
        .refine(nsenter),
    wrapper(&["bwrap"]).options(&[
        HELP,
        quiet("--unshare-all --share-net --unshare-user --unshare-user-try --unshare-ipc --unshare-pid --unshare-net"),
        quiet("--unshare-uts --unshare-cgroup --unshare-cgroup-try --clearenv --die-with-parent --new-session --as-pid-1"),
        quiet("--disable-userns --assert-userns-disabled"),
        value("--userns --userns2 --pidns --uid --gid --hostname --chdir --unsetenv --lock-file --sync-fd --proc", Role::Inert),
        value("--dev --tmpfs --mqueue --dir --remount-ro --seccomp --add-seccomp-fd --args --exec-label", Role::Inert),
        value("--file-label --block-fd --userns-block-fd --info-fd --json-status-fd --perms --size --cap-add --cap-drop", Role::Inert),
        // Two values each: the words are eaten up to the next option by their number, so that the command is found.
        pair("--bind --bind-try --dev-bind --dev-bind-try --ro-bind --ro-bind-try --symlink --setenv --file --bind-data --ro-bind-data --chmod --overlay-src"),
    ]),
    wrapper(&["firejail"]).options(&[
        HELP,
        flag("--list --tree --top --netstats", Do::Stop),
        quiet("--quiet --noprofile --private --seccomp --nonewprivs --noroot"),
        attached("--join --join-or-start", Do::Nothing),
        attached("--profile --whitelist --blacklist --bind --cpu --env --name --private-bin --rlimit-as", Do::Nothing),
    ]),
    wrapper(&["proot", "proot-distro"]).options(&[
        HELP,
        quiet("-0 --root-id --kill-on-exit --link2symlink"),
        value("-r --rootfs -R -S -b --bind -m --mount -q --qemu -v --verbose -k --kernel-release -i --change-id", Role::Inert),
        value("-w --pwd --cwd", Role::Directory),
    ]),
    program(&["systemd-run"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[
            HELP,
            quiet("-t --pty -P --pipe -q --quiet -G --collect --user --system --scope --wait --no-block -r --remain-after-exit"),
            quiet("--send-sighup --same-dir -d --no-ask-password --expand-environment -S --shell"),
            value("-u --unit -p --property -H --host -M --machine --description --slice --service-type --uid --gid --nice", Role::Inert),
            value("--on-active --on-boot --on-startup --on-unit-active --on-unit-inactive --on-calendar --timer-property", Role::Inert),
            value("--path-property --socket-property", Role::Inert),
            value("-E --setenv", Role::Environment),
            value("--working-directory", Role::Directory),
        ])
        .refine(systemd_run),
    program(&["start-stop-daemon"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[
            HELP,
            quiet("-S --start -K --stop -T --status -H -b --background -m --make-pidfile -o --oknodo -q --quiet -v --verbose"),
            quiet("-t --test -C --no-close --remove-pidfile"),
            value("-p --pidfile -n --name -u --user -g --group -s --signal -R --retry -N --nicelevel -P --procsched", Role::Inert),
            value("-I --iosched -k --umask -r --chroot -c --chuid", Role::Inert),
            value("-d --chdir", Role::Directory),
            value("-O --output", Role::Append),
            value("-x --exec -a --startas", Role::Inert),
        ])
        .refine(start_stop_daemon),
    wrapper(&["minijail0", "nsjail", "isolate", "sandbox-exec", "landrun", "bubblejail"]).options(&[
        HELP,
        quiet("-Mo -q -Q -n"),
        value("-u -g -c -b -P -S -D -f -p --config -C -R -B -T --cwd --user --group --rox --rw --ro --rwx", Role::Inert),
    ]),
    wrapper(&["cdist"]).subs(&[program(&["shell"]).options(&[value("-s --shell", Role::Program)])]).all(Role::Inert),
];

/// An option of bubblewrap with two values.
const fn pair(names: &'static str) -> super::schema::Opt {
    super::schema::Opt { names, takes: super::schema::Takes::Values(2), does: Do::Nothing }
}

/// `chroot ROOT [CMD]`: what is below the new root is still this machine's.
fn chroot(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    // `schroot -c NAME -- CMD…` names the root by an option.
    if parsed.program == "schroot" {
        return run_or_shell(&operands_from(parsed, 0), sink);
    }
    if let Some(root) = parsed.operand(0) {
        let mounts = root.known().map(|root| (root.into_owned(), "/".to_owned())).into_iter().collect();
        sink.effect(
            Verb::Escalate,
            Target::Named("file system", root.shown()),
            Flags::NONE,
            Provenance::NONE,
        );
        if root.known().is_some_and(|root| root != "/") {
            sink.enter(crate::effect::Realm::Container { mounts, open: true });
        }
    }
    run_or_shell(&operands_from(parsed, 1), sink);
}

/// `nsenter -t 1`: the namespaces of the first process are the machine's own.
fn nsenter(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    let target = parsed.value("-t --target").and_then(Value::known);
    let flags = if target.is_some_and(|target| target == "1") { Flags::HOST_ACCESS } else { Flags::NONE };
    sink.effect(Verb::Escalate, Target::Named("process", "namespaces".to_owned()), flags, Provenance::NONE);
    run_or_shell(&operands_from(parsed, 0), sink);
}

fn command_or_shell(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if !parsed.stopped {
        run_or_shell(&operands_from(parsed, 0), sink);
    }
}

fn run_or_shell(command: &[Value], sink: &mut dyn Sink) {
    if command.is_empty() {
        run(&[Value::literal("sh")], sink);
    } else {
        run(command, sink);
    }
}

/// `systemd-run CMD`, `systemd-run -S`; a timer makes it run later.
fn systemd_run(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    if parsed.has("--on-active --on-boot --on-startup --on-unit-active --on-unit-inactive --on-calendar") {
        sink.effect(
            Verb::Persist,
            Target::Named("schedule", "systemd-run".to_owned()),
            Flags::NONE,
            Provenance::NONE,
        );
    }
    if parsed.has("-S --shell") {
        let flags = Flags::INTERACTIVE | Flags::HOOK;
        sink.effect(Verb::Execute, Target::Code(Lang::Shell, None), flags, Provenance::NONE);
    }
    run_from(parsed, 0, sink);
}

/// `start-stop-daemon -S -x PROGRAM -- ARGS`.
fn start_stop_daemon(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped || parsed.has("-t --test") {
        return;
    }
    let program = parsed.value("-a --startas").or_else(|| parsed.value("-x --exec"));
    if parsed.has("-K --stop") {
        let name = parsed.value("-p --pidfile").or_else(|| parsed.value("-n --name")).or(program);
        let name = name.map(Value::shown).unwrap_or_default();
        let name = name.rsplit('/').next().unwrap_or_default().trim_end_matches(".pid");
        super::operands::named(Verb::Service, "service", name, Flags::STOP, sink);
    }
    let Some(program) = program.filter(|_| parsed.has("-S --start")) else { return };
    let mut argv = vec![program.clone()];
    argv.extend(operands_from(parsed, 0));
    run(&argv, sink);
}
