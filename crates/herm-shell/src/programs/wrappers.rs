//! Programs that run the command in their operands, after changing something about it.

use super::arguments::Parsed;
use super::kinds::{HELP, SHELL_WITHIN, joined, operands_from, run, run_from, wrapper};
use super::rights::after_assignments;
use super::schema::{
    Do, Operands, Opt, Program, Role, Source, Syntax, attached, flag, program, quiet, until, value,
};
use crate::effect::{Flags, Target, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Piece, Provenance, Value};

const SHELL: Role = Role::Code(Lang::Shell);
/// One operand of the wrapper's own, then the command.
const ONE_THEN_COMMAND: Operands = Operands::Each(&[Role::Inert, Role::Argv]);

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    program(&["env", "genv"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[
            HELP,
            quiet("-i --ignore-environment -0 --null -v --debug --list-signal-handling"),
            attached("--block-signal --default-signal --ignore-signal", Do::Nothing),
            value("-u --unset -P -a --argv0", Role::Inert),
            value("-C --chdir -S --split-string", Role::Inert),
        ])
        .refine(env),
    wrapper(&["nohup", "setsid", "catchsegv", "eatmydata"])
        .options(&[HELP, quiet("-c --ctty -f --fork -w --wait")]),
    wrapper(&["proxychains", "proxychains4"]).options(&[HELP, quiet("-q"), value("-f", Role::Inert)]),
    wrapper(&["torify", "torsocks", "tsocks"]).options(&[
        HELP,
        flag("--shell", Do::Emit(SHELL_WITHIN)),
        quiet("-d --debug -q --quiet -i --isolate -v"),
        value("-a --address -u --user -p --pass -P --port", Role::Inert),
    ]),
    wrapper(&["nice"]).options(&[HELP, value("-n --adjustment", Role::Inert), quiet(DIGITS)]),
    wrapper(&["ionice"]).options(&[
        HELP,
        quiet("-t --ignore"),
        value("-c --class -n --classdata", Role::Inert),
        value_stops("-p --pid -P --pgid -u --uid"),
    ]),
    wrapper(&["chrt"])
        .options(&[
            HELP,
            quiet("-a --all-tasks -b --batch -d --deadline -f --fifo -i --idle -o --other -r --rr -R --reset-on-fork -v"),
            flag("-m --max", Do::Stop),
            flag("-p --pid", Do::Operands(Operands::None)),
            value("-T --sched-runtime -P --sched-period -D --sched-deadline", Role::Inert),
        ])
        .operands(ONE_THEN_COMMAND),
    wrapper(&["taskset"])
        .options(&[HELP, quiet("-a --all-tasks -c --cpu-list"), flag("-p --pid", Do::Operands(Operands::None))])
        .operands(ONE_THEN_COMMAND),
    wrapper(&["choom"]).options(&[HELP, value("-n --adjust -p --pid", Role::Inert)]),
    wrapper(&["uclampset"]).options(&[HELP, quiet("-a -R -s"), value("-m -M", Role::Inert), value_stops("-p --pid")]),
    wrapper(&["prlimit"]).options(&[
        HELP,
        value_stops("-p --pid"),
        quiet("--noheadings --raw --verbose"),
        attached("-c --core -d --data -e --nice -f --fsize -i --sigpending -l --memlock -m --rss -n --nofile", Do::Nothing),
        attached("-q --msgqueue -r --rtprio -s --stack -t --cpu -u --nproc -v --as -x --locks -y --rttime", Do::Nothing),
    ]),
    wrapper(&["timeout", "gtimeout"])
        .options(&[
            HELP,
            quiet("-f --foreground -p --preserve-status -v --verbose"),
            value("-k --kill-after -s --signal", Role::Inert),
        ])
        .operands(ONE_THEN_COMMAND),
    wrapper(&["time", "gtime"]).options(&[
        HELP,
        quiet("-p --portability -v --verbose -q --quiet -a --append -l -h"),
        value("-f --format", Role::Inert),
        value("-o --output", Role::Write),
    ]),
    wrapper(&["multitime", "cpulimit"]).options(&[
        HELP,
        quiet("-v -q -k -b --background -f --foreground -z --lazy -i --include-children -m"),
        value("-n -s -I -l --limit -p --pid -e --exe -P --path -c --cpu", Role::Inert),
        value("-o -r", Role::Inert),
    ]),
    wrapper(&["pexec"]).options(&[
        HELP,
        flag("-c --shell-command", Do::Operands(Operands::Each(&[SHELL, Role::Inert]))),
        value("-n --number -r --parameters -e --environment -p --list -z --nice -s --shell -L --log", Role::Inert),
        value("-o --output -u --error", Role::Inert),
        value("-i --input", Role::Read),
        quiet("-a --atomic -R -t -v --verbose"),
    ]),
    wrapper(&["stdbuf", "gstdbuf"]).options(&[HELP, value("-i --input -o --output -e --error", Role::Inert)]),
    wrapper(&["unbuffer"]).options(&[quiet("-p")]),
    wrapper(&["rlwrap"]).options(&[
        HELP,
        attached("-a --always-readline", Do::Nothing),
        quiet("-A -c --complete-filenames -E -h -i --case-insensitive -I -m -M -n -N -o -r --remember -R -t -U -v -W -X"),
        value("-b --break-chars -C --command-name -D --history-no-dupes -e -g --forget-matching -O -p -P -q -S -s -w", Role::Inert),
        value("-f --file -H --history-filename", Role::Read),
        value("-l --logfile", Role::Append),
        value("-z --filter", Role::ArgvText),
    ]),
    wrapper(&["grc"]).options(&[
        HELP,
        quiet("-e --stderr -s --stdout -a --pty"),
        value("-c --config -d", Role::Inert),
        attached("--colour --color", Do::Nothing),
    ]),
    // Linkers, emulators and architecture selectors start the program they are given.
    wrapper(&["ld.so", "ld-linux*", "ld-musl-*", "ld64.so*"]).options(&[
        flag("--list --verify --list-tunables --list-diagnostics --help --version", Do::Stop),
        quiet("--inhibit-cache"),
        value("--library-path --inhibit-rpath --audit --argv0 --glibc-hwcaps-prepend --glibc-hwcaps-mask", Role::Inert),
        value("--preload", Role::Library),
    ]),
    wrapper(&["setarch"])
        .options(&[HELP, quiet(SETARCH_FLAGS), flag("--list", Do::Stop), value("-p --pid", Role::Inert)])
        .refine(setarch)
        .operands(Operands::None),
    wrapper(&["linux32", "linux64", "i386", "x86_64", "uname26"]).options(&[HELP, quiet(SETARCH_FLAGS)]),
    // macOS `arch -x86_64 cmd`; on Linux it prints and takes nothing.
    wrapper(&[
        "qemu-x86_64*", "qemu-aarch64*", "qemu-arm*", "qemu-i386*", "qemu-riscv*", "qemu-mips*", "qemu-ppc*", "qemu-s390x*",
    ])
    .options(&[value("-L -E -U -0 -cpu -g -s -d -D -p -seed -plugin", Role::Inert)]),
    wrapper(&["wine", "wine64", "mono", "box64", "box86", "fex", "fexinterpreter"]),
    wrapper(&["busybox", "toybox"]).options(&[flag("--list --list-full --install --help --long", Do::Stop)]),
    wrapper(&["aa-exec"]).options(&[
        HELP,
        quiet("-d --debug -i --immediate -v --verbose"),
        value("-p --profile -n --namespace", Role::Inert),
    ]),
    wrapper(&["aoss", "padsp", "pasuspender", "cgexec", "numactl", "fakechroot"]).options(&[
        HELP,
        quiet("--all -a --sticky -s -S -H --hardware --show --localalloc -l"),
        value("-g -i --interleave -N --cpunodebind -C --physcpubind -m --membind -p --preferred", Role::Inert),
    ]),
    // Out of a container, onto the machine that it runs on.
    wrapper(&["flatpak-spawn", "distrobox-host-exec", "host-spawn"]).options(&[
        HELP,
        quiet("--host --clear-env --watch-bus --latest-version --no-network --sandbox -Y --yes"),
    ]),
    wrapper(&["distrobox-enter"]).options(&[
        HELP,
        quiet("-e --exec -T --no-tty -v --verbose -nw --no-workdir --clean-path -r --root"),
        value("-n --name -a --additional-flags", Role::Inert),
    ]),
    wrapper(&["fakeroot", "fakeroot-ng"]).options(&[
        HELP,
        quiet("-u --unknown-is-real"),
        value("-l --lib --faked -s -i -b", Role::Inert),
    ]),
    wrapper(&["faketime", "datefudge"]).options(&[HELP, quiet("-m -f"), value("-p --pid", Role::Inert)]).operands(ONE_THEN_COMMAND),
    wrapper(&["xvfb-run"]).options(&[
        HELP,
        quiet("-a --auto-servernum -l --listen-tcp"),
        value("-e --error-file -f --auth-file", Role::Write),
        value("-n --server-num -p --xauth-protocol -s --server-args -w --wait", Role::Inert),
    ]),
    wrapper(&["dbus-run-session", "dbus-launch"]).options(&[
        HELP,
        quiet("--auto-syntax --binary-syntax --close-stderr --exit-with-session --exit-with-x11 --sh-syntax --csh-syntax"),
        value("--dbus-daemon", Role::Program),
        attached("--config-file --autolaunch", Do::Nothing),
    ]),
    wrapper(&["ssh-agent"])
        .options(&[quiet("-c -D -d -s"), flag("-k", Do::Stop), value("-a -E -O -P -t", Role::Inert)])
        .stdout(Source::Settings),
    wrapper(&["flock"])
        .options(&[
            HELP,
            quiet("-e -x --exclusive -F --no-fork -n --nb --nonblock -o --close -s --shared -u --unlock --verbose"),
            value("-E --conflict-exit-code -w --wait --timeout", Role::Inert),
        ])
        .refine(flock)
        .operands(Operands::None),
    wrapper(&["tini", "dumb-init", "catatonit", "s6-svscan", "s6-softlimit", "s6-setsid", "s6-envuidgid", "with-contenv"])
        .options(&[HELP, quiet("-s -g -v -vv -vvv -w -c --single-child --verbose"), value("-p -e -r --rewrite", Role::Inert)]),
    wrapper(&["softlimit", "chpst", "s6-fghack", "pgrphack", "fghack"]).options(&[
        quiet("-P -0 -1 -2 -v"),
        value("-a -c -d -f -l -m -o -p -r -s -t -u -U -b -e -n -L", Role::Inert),
        value("-/", Role::Inert),
        value("-C", Role::Directory),
    ]),
    wrapper(&["envdir", "s6-envdir", "setlock"]).options(&[quiet("-n -N -x -X -f -i -I")]).operands(ONE_THEN_COMMAND),
    wrapper(&["distcc", "ccache", "sccache", "icecc", "cachepot"]).options(&[
        flag("--help --version --show-stats -s -V -h --print-config -p --show-config --zero-stats -z", Do::Stop),
        quiet("-C --clear -c --cleanup"),
        value("-o --set-config -M --max-size -F --max-files", Role::Inert),
    ]),
    program(&["gtester"]).options(&[HELP, quiet("-q -k -l --verbose"), value("-o", Role::Write), value("-m -s -p", Role::Inert)]).all(Role::Program),
    wrapper(&["sshpass"]).options(&[
        quiet("-e -v -h -V"),
        value("-d -P", Role::Inert),
        value("-p", Role::Inert),
        value("-f", Role::Read),
    ]),
    wrapper(&["xdotool"]).options(&[quiet("--sync")]).refine(xdotool).operands(Operands::None),
    program(&["xterm", "uxterm", "rxvt", "urxvt", "st", "konsole", "alacritty", "kitty", "foot", "x-terminal-emulator", "lxterm"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[HELP, until("-e --command", &[], Role::Argv), value("-T --title -g -geometry -fn -fa", Role::Inert), value("-display", Role::Host), value("-l -lf", Role::Write)])
        .refine(terminal),
    program(&["gnome-terminal", "xfce4-terminal", "terminator", "mate-terminal"]).options(&[
        HELP,
        until("-x", &[], Role::Argv),
        value("-e --command", Role::ArgvText),
        value("--title --geometry --profile", Role::Inert),
        value("--working-directory", Role::Directory),
    ])
    .all(Role::Argv),
    wrapper(&["systemd-inhibit"]).options(&[
        HELP,
        flag("--list", Do::Stop),
        attached("--what --who --why --mode", Do::Nothing),
    ]),
    wrapper(&["systemd-cat"]).options(&[
        HELP,
        value("-t --identifier -p --priority --stderr-priority --level-prefix", Role::Inert),
    ]),
    wrapper(&["caffeinate"]).options(&[quiet("-d -i -m -s -u"), value("-t -w", Role::Inert)]),
    wrapper(&["openvt"]).options(&[
        quiet("-f --force -e --exec -s --switch -l --login -u --user -v --verbose -w --wait -a -g -n"),
        value("-c --console", Role::Inert),
    ]),
    wrapper(&["genie"]).options(&[
        HELP,
        quiet("-i --initialize -u --shutdown -r --is-running -b --is-in-bottle"),
        flag("-s --shell -l --login", Do::Emit(super::schema::deed(Verb::Execute, super::schema::Aim::None, Flags::INTERACTIVE.and(Flags::HOOK)))),
        until("-c --command", &[], Role::Argv),
    ]),
    wrapper(&["run-one", "run-this-one", "keep-one-running", "cronic", "chronic", "ifne", "lckdo"])
        .options(&[HELP, quiet("-v -e -n -q -s -x"), value("-w -W", Role::Inert)]),
    wrapper(&["daemonize", "daemon"]).options(&[
        quiet("-a -v -f -r --respawn"),
        value("-c -e -E -l -o -p -u -n --name --pidfile --output --chdir", Role::Inert),
    ]),
    program(&["run-parts"])
        .options(&[
            HELP,
            flag("--test --list", Do::Stop),
            quiet("-v --verbose --report --new-session --reverse --exit-on-error --lsbsysinit --debug"),
            value("--regex", Role::Inert),
            attached("-a --arg -u --umask", Do::Nothing),
        ])
        .refine(run_parts),
    program(&["csvtool"])
        .subs(&[program(&["call"]).operands(Operands::Each(&[SHELL, Role::Read]))])
        .options(&[value("-t -u -z", Role::Inert), value("-o", Role::Write)])
        .operands(Operands::Each(&[Role::Inert, Role::Read]))
        .stdout(Source::Input),
];

const DIGITS: &str = "-0 -1 -2 -3 -4 -5 -6 -7 -8 -9";
const SETARCH_FLAGS: &str = "-B --32bit -F --fdpic-funcptrs -I --short-inode -L --addr-compat-layout -R --addr-no-randomize \
-S --whole-seconds -T --sticky-timeouts -X --read-implies-exec -Z --mmap-page-zero -3 --3gb --4gb -v --verbose --uname-2.6";

/// An option with a value after which the program changes a running process and starts none.
const fn value_stops(names: &'static str) -> Opt {
    super::schema::value_does(names, Do::Operands(Operands::None))
}

/// `env`: variables, a directory, words from `-S`, then the command; alone, it prints the environment.
fn env(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    if let Some(directory) = parsed.value("-C --chdir") {
        sink.change_directory(directory);
    }
    let mut command = after_assignments(parsed, sink);
    if command.first().is_some_and(|word| word.known().is_some_and(|word| word == "-")) {
        command.remove(0);
    }
    match parsed.value("-S --split-string") {
        Some(text) => split_string(text, &command, sink),
        None if command.is_empty() => dump(sink),
        None => run(&command, sink),
    }
}

/// `env -S 'cmd args' more`: the text is split at blanks and quotes, with its own escapes, much as a shell does.
fn split_string(text: &Value, rest: &[Value], sink: &mut dyn Sink) {
    let text = text
        .known()
        .map_or_else(|| text.clone(), |known| Value::literal(blanks(&known)).from(text.provenance));
    let mut words = vec![Value::literal("env"), text];
    words.extend(rest.iter().map(quoted));
    let output = sink.code(Lang::Shell, &joined(&words));
    sink.print(output);
}

/// The escapes of `env -S` for blanks, which a shell does not have: `\_`, `\t`, `\n`; behind `\c` nothing counts.
fn blanks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut letters, mut single) = (text.chars(), false);
    while let Some(letter) = letters.next() {
        if letter == '\'' {
            single = !single;
        }
        if letter != '\\' || single {
            out.push(letter);
            continue;
        }
        match letters.next() {
            Some('_' | 't' | 'n' | 'v' | 'f' | 'r') => out.push(' '),
            Some('c') => break,
            Some(other) => out.extend(['\\', other]),
            None => out.push('\\'),
        }
    }
    out
}

/// A word as shell text that stands for itself; one that is not known stays as it is.
fn quoted(word: &Value) -> Value {
    word.known()
        .map_or_else(|| word.clone(), |text| Value::literal(format!("'{}'", text.replace('\'', "'\\''"))))
}

fn dump(sink: &mut dyn Sink) {
    sink.effect(Verb::Read, Target::Environment, Flags::ALL, Provenance::SECRET);
    sink.print(Value::unknown("the environment", Provenance::SECRET | Provenance::OUTSIDE));
}

/// `setarch [ARCH] [OPTIONS] [CMD]`: the architecture is optional when an option stands first.
fn setarch(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    let first = parsed.word(0).unwrap_or_default();
    let skipped =
        usize::from(!first.contains('/') && ARCHITECTURES.iter().any(|name| first.starts_with(name)));
    let mut command = operands_from(parsed, skipped);
    while command.first().is_some_and(|word| word.known_prefix().starts_with('-')) {
        command.remove(0);
    }
    if command.is_empty() {
        command.push(Value::literal("sh"));
    }
    run(&command, sink);
}

const ARCHITECTURES: &[&str] = &[
    "aarch64", "alpha", "arm", "i386", "i486", "i586", "i686", "ia64", "linux", "mips", "ppc", "riscv",
    "s390", "sparc", "uname26", "x86_64",
];

/// `flock FILE COMMAND…`, `flock FILE -c CODE`, `flock NUMBER`.
fn flock(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    let command = operands_from(parsed, 1);
    match command.as_slice() {
        [flag, code, ..] if flag.known().is_some_and(|word| word == "-c" || word == "--command") => {
            run(&[Value::literal("sh"), Value::literal("-c"), code.clone()], sink);
        }
        [] => {}
        [..] => run(&command, sink),
    }
}

/// `kitty @ send-text TEXT` types into a window, `kitty @ launch CMD…` starts something in a new one.
fn remote_control(words: &[Value], sink: &mut dyn Sink) {
    let place = |name: &str| words.iter().position(|word| word.known().as_deref() == Some(name));
    let behind = |place: usize| words.get(place + 1..).unwrap_or_default();
    let begins = |word: &Value| word.known_prefix().starts_with('-');
    if let Some(typed) = place("send-text").map(behind) {
        // What stands right behind an option may be its value, or the text.
        for text in typed.iter().filter(|word| !begins(word)) {
            sink.code(Lang::Shell, text);
        }
    } else if let Some(command) = place("launch").map(behind) {
        let start = command.iter().position(|word| !begins(word)).unwrap_or(command.len());
        run(command.get(start..).unwrap_or_default(), sink);
    }
}

/// Whether keys are held together that write no letter and end no line: `ctrl+l`.
fn is_chord(key: &str) -> bool {
    let held = ["ctrl+", "alt+", "super+"].iter().any(|held| key.to_ascii_lowercase().starts_with(held));
    held && !["return", "enter", "+m", "+j", "+v"].iter().any(|end| key.to_ascii_lowercase().ends_with(end))
}

/// `xdotool exec [--sync] cmd…`; the other actions press keys.
fn xdotool(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words: Vec<String> = parsed.words().collect();
    let verb = words.iter().position(|word| matches!(word.as_str(), "key" | "keydown" | "keyup" | "type"));
    let types = |at: usize| {
        let keys = words.get(at + 1..).unwrap_or_default();
        words.get(at).is_some_and(|verb| verb == "type") || !keys.iter().all(|key| is_chord(key))
    };
    if verb.is_some_and(types) {
        super::terminals::typed_into("the window in front", sink);
    }
    if parsed.word(0).as_deref() != Some("exec") {
        return;
    }
    let flags = parsed.words().skip(1).take_while(|word| word.starts_with("--")).count();
    run_from(parsed, 1 + flags, sink);
}

/// `run-parts DIR` runs the programs in a directory.
fn run_parts(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    for argument in &parsed.operands {
        sink.path(Verb::Execute, &argument.value, Flags::HOOK | Flags::ALL);
        for file in sink.made_here(&argument.value) {
            run(&[Value::literal(file)], sink);
        }
        let mut all = argument.value.clone();
        all.push_str("/");
        all.pieces.push(Piece::Glob("*".to_owned()));
        sink.script(Lang::Shell, &all, &[]);
    }
    let shells = parsed
        .value("--regex")
        .and_then(Value::known)
        .is_some_and(|pattern| super::kinds::is_shell(pattern.trim_matches(['^', '$'])));
    if shells {
        sink.effect(
            Verb::Execute,
            Target::Code(Lang::Shell, None),
            Flags::INTERACTIVE | Flags::HOOK,
            Provenance::NONE,
        );
    }
}

/// A terminal without a command runs a shell; one that shows itself on another machine hands it over.
fn terminal(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    super::terminals::emulator(parsed, sink);
    // xterm hands a single word that is no program to a shell.
    if let [code] = parsed.values("-e --command").collect::<Vec<_>>().as_slice()
        && code.known().is_some_and(|text| text.contains(' '))
    {
        sink.code(Lang::Shell, code);
        return;
    }
    if parsed.stopped || parsed.has("-e --command") {
        return;
    }
    if parsed.operand(0).is_some_and(|word| word.known().as_deref() == Some("@")) {
        return remote_control(&operands_from(parsed, 1), sink);
    }
    if !parsed.operands.is_empty() {
        return run_from(parsed, 0, sink);
    }
    let away = parsed.value("-display").is_some_and(|display| !display.known_prefix().starts_with(':'));
    if away {
        super::kinds::serve(&Value::literal("sh"), sink);
    } else {
        run(&[Value::literal("sh")], sink);
    }
}
