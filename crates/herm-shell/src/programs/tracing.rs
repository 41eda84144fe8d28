//! Debuggers, tracers and profilers.

use super::arguments::Parsed;
use super::kinds::{HELP, wrapper};
use super::schema::{Do, Operands, Opt, Program, Role, Syntax, attached, flag, program, quiet, until, value};
use crate::effect::{Flags, ProcessTarget, Target, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

const SHELL: Role = Role::Code(Lang::Shell);
const DEBUGGER: Role = Role::Code(Lang::Debugger);

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    wrapper(&["strace"]).options(&[
        HELP,
        quiet("-c -C -d -D -DD -DDD -f -ff -F -h -i -k -n -q -qq -r -t -tt -ttt -T -v -V -w -x -xx -y -yy -z -Z -A"),
        value("-a -b -e -I -O -p -P -s -S -u -U -X --trace --signal --status --attach --string-limit", Role::Inert),
        value("-E --env", Role::Environment),
        // A bar or an exclamation mark before it: a command that gets what would be written.
        value("-o --output", Role::Prefixed(&[("|", SHELL), ("!", SHELL), ("", Role::Write)])),
    ]),
    wrapper(&["ltrace"]).options(&[
        HELP,
        quiet("-b --no-signals -c -C --demangle -f -h -i -L -r -S -t -tt -ttt -T -V"),
        value("-a --align -A -D --debug -e -l --library -n --indent -p -s -u -w --where -x", Role::Inert),
        value("-F --config", Role::Read),
        value("-o --output", Role::Write),
    ]),
    wrapper(&["valgrind"]).options(&[
        HELP,
        attached(
            "--tool --leak-check --show-leak-kinds --track-origins --error-exitcode --trace-children --num-callers -q",
            Do::Nothing,
        ),
        attached("--suppressions", Do::Is(Role::Read)),
        attached("--log-file --xml-file --callgrind-out-file --massif-out-file", Do::Is(Role::Write)),
    ]),
    wrapper(&["rr", "uftrace", "samply", "coz", "py-spy"])
        .subs(&[wrapper(&["record", "run", "live", "collect"]).options(&[
            value("-o --output -d --data -r --rate -n -p --pid -f --format", Role::Inert),
        ])])
        .all(Role::Inert),
    program(&["perf"]).options(&[HELP]).subs(&[
        wrapper(&["record", "stat", "trace", "kmem record", "sched record", "mem record", "lock record", "c2c record"]).options(&[
            quiet("-a --all-cpus -g -B -i -v -q -d -dd -ddd -n -s -R -S -T --all-user --all-kernel --per-thread"),
            attached("--call-graph -z", Do::Nothing),
            value("-e --event -c --count -F --freq -p --pid -t --tid -C --cpu -r --repeat -I -m -G -u -x", Role::Inert),
            value("-o --output", Role::Write),
            value("--pre --post", SHELL),
        ]),
        program(&["script"]).options(&[value("-s --script", Role::Plugin(Lang::Python)), value("-i --input", Role::Read)]),
        program(&["report", "annotate", "diff", "list", "top", "bench", "evlist", "buildid-list"]),
    ]),
    program(&["gdb", "cgdb", "gdb-multiarch", "rust-gdb", "arm-none-eabi-gdb"])
        .syntax(Syntax::SingleDash)
        .options(GDB_OPTIONS)
        .refine(gdb),
    program(&["lldb", "rust-lldb"])
        .options(&[
            HELP,
            quiet("-b --batch -Q --source-quietly -x --no-lldbinit -X --no-use-colors -w --wait-for"),
            value("-o --one-line -O --one-line-before-file -k --one-line-on-crash", DEBUGGER),
            value("-s --source -S --source-before-file -K --source-on-crash", Role::Script(Lang::Debugger)),
            value("-f --file -n --attach-name -p --attach-pid -c --core -l --script-language -a --arch", Role::Inert),
        ])
        .refine(gdb),
    program(&["gdbserver", "lldb-server"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[HELP, quiet("--once --multi --debug"), value("--wrapper", Role::Inert), flag("--attach", Do::Operands(Operands::None))])
        .operands(Operands::Each(&[Role::Inert, Role::Argv]))
        .does(&[super::schema::deed(Verb::Listen, super::schema::Aim::None, Flags::NONE)]),
    program(&["gcore"]).options(&[quiet("-a"), value("-o", Role::Write)]).refine(dump_process),
    program(&["bpftrace"]).options(&[
        HELP,
        quiet("-d -q -v --unsafe --dry-run"),
        value("-c", SHELL),
        value("-e", Role::Code(Lang::Other("bpftrace"))),
        value("-p -B -f -I --include -l", Role::Inert),
        value("-o", Role::Write),
    ])
    .operands(Operands::Each(&[Role::Script(Lang::Other("bpftrace")), Role::Inert])),
    program(&["stap", "systemtap"]).options(&[value("-c", SHELL), value("-e", Role::Code(Lang::Other("systemtap"))), value("-p -x -o", Role::Inert)]),
    program(&["dtrace"]).options(&[value("-c", Role::ArgvText), value("-n", Role::Code(Lang::Other("dtrace"))), value("-s", Role::Read), value("-p -o", Role::Inert)]),
    program(&["crash"]).options(&[quiet("-h --help -v -s")]).env(&[("CRASHPAGER", SHELL), ("PAGER", SHELL)]),
    program(&["frida", "frida-trace", "dlv"])
        .options(&[value("-p --attach-pid", Role::Inert), value("-l --load", Role::Script(Lang::JavaScript)), value("-e --eval", Role::Code(Lang::JavaScript))])
        .subs(&[program(&["attach"]).refine(attach_operand), wrapper(&["exec"])])
        .refine(attach_option),
];

const GDB_OPTIONS: &[Opt] = &[
    flag("-h -help --help -v -version --version", Do::Stop),
    quiet(
        "-nx --nx -n -q -quiet --quiet --silent -batch --batch -batch-silent -nw --nw -tui --tui -w --nh -nh -readnow",
    ),
    value("-ex -eval-command --eval-command --ex -iex -init-eval-command --init-eval-command", DEBUGGER),
    value("-x -command --command -ix -init-command --init-command", Role::Script(Lang::Debugger)),
    value(
        "-p -pid --pid -c -core --core -d -directory --directory -s -symbols --symbols -e -exec --exec -se --se -b -l",
        Role::Inert,
    ),
    value("-cd --cd", Role::Directory),
    value("-i --interpreter -tty --tty --data-directory", Role::Inert),
    // What follows is what would be debugged: it runs when the debugger is told so.
    until("-args --args", &[], Role::Argv),
];

/// A debugger on a running process can make it do anything.
fn gdb(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    let attached = parsed.value("-p -pid --pid --attach-pid").cloned();
    // `gdb PROGRAM PID` attaches, too.
    let second =
        parsed.operand(1).filter(|value| value.known().is_some_and(|word| is_number(&word))).cloned();
    if let Some(process) = attached.or(second) {
        attach(&process, sink);
    }
    if !parsed.has("-b --batch -batch -batch-silent") {
        sink.interact(Lang::Debugger);
    }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn attach(process: &Value, sink: &mut dyn Sink) {
    let number = process.known().and_then(|word| word.parse().ok());
    let target = number.map_or(ProcessTarget::Unknown, ProcessTarget::Number);
    sink.effect(Verb::Load, Target::Process(target), Flags::NONE, Provenance::NONE);
}

fn attach_operand(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if let Some(process) = parsed.operand(0) {
        attach(process, sink);
    }
}

fn attach_option(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.program == "dlv" {
        let words: Vec<_> = parsed.all.iter().map(|word| word.value.clone()).collect();
        let _ = super::debug_ports::listened(&words, sink);
    }
    if let Some(process) = parsed.value("-p --attach-pid") {
        attach(process, sink);
    }
}

/// A core file holds what the process held, secrets included.
fn dump_process(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    attach_operand(parsed, sink);
}
