//! Programs that start another one for a purpose of their own: to measure it, to wait before it, to run it on other machines' time.

use super::arguments::Parsed;
use super::kinds::{HELP, joined, operands_from, run, run_from, wrapper};
use super::phrases::after_dashes;
use super::schema::{
    Do, Operands, Opt, Program, Role, Syntax, Takes, attached, flag, program, quiet, until, value,
};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

const SHELL: Role = Role::Code(Lang::Shell);
/// One operand of the launcher's own, then the command.
const ONE_THEN_COMMAND: Operands = Operands::Each(&[Role::Inert, Role::Argv]);

/// A launcher whose command stands behind `--`; what stands before is its own.
const fn behind_dashes(names: &'static [&'static str]) -> Program {
    program(names).operands(Operands::None).refine(run_behind_dashes)
}

/// A launcher that hands its operands to a shell, as one text.
const fn for_a_shell(names: &'static [&'static str]) -> Program {
    program(names).syntax(Syntax::FirstOperandEnds).operands(Operands::None).refine(run_as_text)
}

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    // A terminal, a graphics card, a sound server or an observer around a program.
    wrapper(&[
        "apulse",
        "ddtrace-run",
        "esy",
        "faketty",
        "gamemoderun",
        "graftcp",
        "mangohud",
        "nocache",
        "nosync",
        "opentelemetry-instrument",
        "optirun",
        "prime-run",
        "primusrun",
        "steam-run",
        "xdg-terminal-exec",
        "xinit",
        "startx",
    ])
    .options(&[HELP, quiet("-v --verbose -q --quiet --dlsym"), value("-b --bridge -c --config", Role::Inert)]),
    program(&["newrelic-admin"]).subs(&[wrapper(&["run-program", "run-python"])]),
    wrapper(&["trickle"]).options(&[quiet("-h -v -V -s"), value("-d -u -w -t -l -n -L -N -P", Role::Inert)]),
    wrapper(&["timelimit"]).options(&[quiet("-p -q -h"), value("-t -T -s -S", Role::Inert)]),
    wrapper(&["runlim"]).options(&[
        HELP,
        quiet("-k --kill -p --propagate -d --debug"),
        attached("--output-file -o --space-limit -s --time-limit -t --real-time-limit -r", Do::Nothing),
    ]),
    wrapper(&["retry"]).options(&[
        HELP,
        quiet("-i --stdin"),
        value("-d --delay -t --times -m --message -u --until -w --while -r --max-retries -n", Role::Inert),
    ]),
    // Locks.
    wrapper(&["with-lock-ex"]).options(&[quiet("-w -q -f -l -t")]).operands(ONE_THEN_COMMAND),
    wrapper(&["withlock"]).options(&[quiet("-w -v -q")]).operands(ONE_THEN_COMMAND),
    wrapper(&["lockrun", "solo"]).options(&[
        quiet("--wait --sleep --verbose --quiet -verbose -silent"),
        attached("--lockfile --maxtime --retries --idempotent -port", Do::Nothing),
    ]),
    // Users, limits and notices of supervised services.
    wrapper(&["envuidgid"]).operands(ONE_THEN_COMMAND),
    wrapper(&["s6-applyuidgid"]).options(&[quiet("-z -U"), value("-u -g -G", Role::Inert)]),
    wrapper(&["s6-notifyoncheck"]).options(&[
        quiet("-d"),
        value("-3 -s -T -t -w -n", Role::Inert),
        value("-c", Role::ArgvText),
    ]),
    wrapper(&["s6-sudo"]).options(&[quiet("-e -v"), value("-p -l -t -T", Role::Inert)]).operands(ONE_THEN_COMMAND),
    wrapper(&["runcon"])
        .options(&[HELP, quiet("-c --compute"), value("-t --type -u --user -r --role -l --range", Role::Inert)])
        .operands(Operands::None)
        .refine(runcon),
    program(&["coreutils"]).syntax(Syntax::Words).operands(Operands::None).refine(coreutils),
    // Waiting for something first.
    behind_dashes(&["wait-for-it", "wait-for-it.sh", "wait-for", "wait-for.sh", "wait4x"]),
    wrapper(&["dockerize"]).options(&[
        quiet("-version -no-overwrite"),
        value("-wait -timeout -template -stdout -stderr -delims -env -env-section -poll", Role::Inert),
        value("-wait-http-header -wait-retry-interval", Role::Inert),
    ]),
    wrapper(&["envconsul"]).options(&[
        flag("-version -h", Do::Stop),
        quiet("-once -pristine -sanitize -upcase -no-prefix"),
        value("-config -consul-addr -prefix -secret -service -vault-addr -vault-token -log-level", Role::Inert),
        value("-exec", SHELL),
    ]),
    behind_dashes(&["onchange", "watch-exec"]),
    program(&["chokidar"]).options(&[HELP, value("-c --command", SHELL), value(CHOKIDAR, Role::Inert)]),
    program(&["when-changed"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[quiet("-r -v -1 -s"), value("-c", SHELL)])
        .operands(ONE_THEN_COMMAND),
    // Profilers and recorders of builds.
    wrapper(&["heaptrack"]).options(&[
        HELP,
        quiet("-d --debug -r --raw -q --quiet"),
        value("-o --output", Role::Write),
        value("-p --pid -a --analyze", Role::Inert),
    ]),
    wrapper(&["kcov"]).options(&[HELP]).operands(ONE_THEN_COMMAND),
    program(&["apitrace"]).subs(&[wrapper(&["trace"]).options(&[value("-a --api -o --output", Role::Inert)])]),
    behind_dashes(&["sysprof-cli", "vtune", "amplxe-cl"]),
    program(&["xctrace"]).subs(&[behind_dashes(&["record"])]),
    program(&["nsys"]).subs(&[wrapper(&["profile", "launch"]).options(&[
        value("-t --trace -s --sample -d --duration -y --delay -w --show-output -f --force-overwrite", Role::Inert),
        value("-c --capture-range --stats -e --env-var -b --backtrace", Role::Inert),
        value("-o --output", Role::Write),
    ])]),
    wrapper(&["ncu", "nv-nsight-cu-cli"]).options(&[
        HELP,
        quiet("-f --force-overwrite"),
        value("-k --kernel-name -c --launch-count -s --launch-skip --set --section --metrics", Role::Inert),
        value("--target-processes -o --export", Role::Inert),
    ]),
    wrapper(&["likwid-perfctr", "likwid-pin", "likwid-mpirun"]).options(&[
        quiet("-f -m -v -h -a -e -q"),
        value("-C -c -g -t -T -d -r -H -O -o -s -S -n -np", Role::Inert),
    ]),
    wrapper(&["bear", "intercept-build", "compiledb", "cov-build"]).options(&[
        HELP,
        quiet("-a --append -v --verbose --force-preload --force-wrapper -n --no-build -f --overwrite"),
        value("-o --output --cdb", Role::Write),
        value("-l --libear --config -c -p --parse -d --build-dir -e --exclude -m --macros --dir", Role::Inert),
    ]),
    wrapper(&["scan-build"]).options(&[
        HELP,
        quiet("-v -V --view -k --keep-going --status-bugs -plist -plist-html -h -internal-stats"),
        attached("--use-cc --use-c++ --use-analyzer --html-title --exclude", Do::Nothing),
        value("-o", Role::Write),
        value("-enable-checker -disable-checker -load-plugin -analyzer-config -maxloop", Role::Inert),
    ]),
    wrapper(&["checkinstall"]).options(&[HELP, quiet("-y --default -D -S -R"), attached(PACKAGE, Do::Nothing)]),
    program(&["ttyrec"]).options(&[quiet("-a -u"), value("-e", SHELL)]).all(Role::Write),
    program(&["termtosvg"])
        .options(&[HELP, value("-c --command", SHELL), value("-g -m -M -t -D", Role::Inert)])
        .all(Role::Write),
    program(&["cronitor"]).subs(&[wrapper(&["exec"]).operands(ONE_THEN_COMMAND)]),
    program(&["sentry-cli"]).subs(&[behind_dashes(&["monitors run", "monitors exec"])]),
    program(&["otel-cli"]).subs(&[wrapper(&["exec"]).options(&[value(SPANS, Role::Inert)])]),
    program(&["buildevents"]).subs(&[behind_dashes(&["cmd"])]),
    // The nodes of a cluster: each has the same files.
    wrapper(&["srun", "salloc"]).options(&[HELP, quiet("-l --label -u --unbuffered -v -Q --exclusive"), SLURM]),
    program(&["sbatch"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[HELP, quiet("-W --wait -v -Q --parsable -H --hold"), SLURM, value("--wrap", SHELL)])
        .operands(Operands::Each(&[Role::Script(Lang::Shell), Role::Inert])),
    wrapper(&["bsub"]).options(&[quiet("-I -Is -Ip -K -r -x"), value("-n -q -o -e -J -W -M -R -P -m -w", Role::Inert)]),
    wrapper(&["mpirun", "mpiexec", "mpiexec.hydra", "orterun", "prterun"]).options(&[
        HELP,
        quiet("-v -q --oversubscribe --allow-run-as-root --tag-output -l --use-hwthread-cpus"),
        value("-n -np --n --np -c -H --host -host -hosts --hostfile -hostfile -f -ppn -x -N", Role::Inert),
        value("-machinefile --machinefile --map-by --bind-to --rank-by --prefix -envlist -genvlist", Role::Inert),
        value("-wdir --wdir", Role::Directory),
        Opt { names: "--mca -mca -genv -env", takes: Takes::Values(2), does: Do::Nothing },
    ]),
    program(&["accelerate"]).subs(&[program(&["launch"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[
            quiet("--multi_gpu --cpu --use_fsdp --use_deepspeed -m --module"),
            value("--config_file --num_processes --num_machines --machine_rank --mixed_precision", Role::Inert),
            value("--main_process_ip --main_process_port --gpu_ids", Role::Inert),
        ])
        .operands(Operands::Each(&[Role::Script(Lang::Python), Role::Inert]))]),
    // These share the home directory and the user's rights: what runs in them runs here.
    program(&["apptainer", "singularity"]).subs(&[wrapper(&["exec"])
        .options(&[
            quiet("--nv --rocm -c --contain -C --containall -e --cleanenv -f --fakeroot -w --writable --no-home"),
            value("-B --bind -H --home -W --workdir --pwd --cwd --env --env-file -S --scratch --overlay", Role::Inert),
        ])
        .operands(ONE_THEN_COMMAND)]),
    program(&["guix"]).subs(&[behind_dashes(&["shell", "environment", "time-machine"])]),
    // Compositors that start one program, and those that start it in a running one.
    wrapper(&["cage"]).options(&[quiet("-d -h -s -v"), value("-m -r", Role::Inert)]),
    behind_dashes(&["weston"]),
    program(&["i3-msg", "swaymsg", "hyprctl"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[HELP, quiet("-q --quiet -r --raw -j -p --pretty"), value("-s --socket -i --instance", Role::Inert)])
        .subs(&[for_a_shell(&["exec", "dispatch exec"]).options(&[quiet("--no-startup-id")])]),
    program(&["ghostty"]).options(&[HELP, until("-e", &[], Role::Argv)]),
    program(&["wezterm"]).subs(&[
        wrapper(&["start", "cli spawn"]).options(&[
            quiet("--always-new-process --new-tab --new-window"),
            value("--class --workspace --position --pane-id --window-id", Role::Inert),
            value("--cwd", Role::Directory),
        ]),
        program(&["cli send-text"])
            .options(&[quiet("--no-paste"), value("--pane-id", Role::Inert)])
            .operands(Operands::None)
            .refine(|parsed, sink| super::terminals::keys(parsed, None, &operands_from(parsed, 0), sink)),
    ]),
    // Versions and secrets.
    program(&["ghcup"]).subs(&[behind_dashes(&["run"])]),
    program(&["carton"]).subs(&[wrapper(&["exec"])]),
    program(&["perlbrew"]).subs(&[wrapper(&["exec"]).options(&[quiet("-q --quiet"), value("--with", Role::Inert)])]),
    program(&["n"]).subs(&[wrapper(&["exec"]).operands(ONE_THEN_COMMAND)]),
    wrapper(&["chruby-exec"]).operands(ONE_THEN_COMMAND),
    wrapper(&["envchain"])
        .options(&[
            flag("-s --set -l --list --unset", Do::Operands(Operands::None)),
            quiet("-p --require-passphrase -n --noecho -v --show-value"),
        ])
        .operands(ONE_THEN_COMMAND),
    wrapper(&["summon"]).options(&[
        HELP,
        quiet("--up -u -V --all-provider-versions"),
        value("-p --provider -e --environment -f --yaml-file -D --ignore -i -I", Role::Inert),
    ]),
    program(&["secrethub", "phase", "dagger", "forego"]).subs(&[wrapper(&["run"]).options(&[
        value("--env --app --path -e -f --env-file --secrets-dir", Role::Inert),
    ])]),
    program(&["vopono"]).subs(&[wrapper(&["exec"]).options(&[
        quiet("-k --keep-alive"),
        value("--provider -c --custom -p --protocol -s --server -u --user", Role::Inert),
        value("--working-directory", Role::Directory),
    ])]),
    // Many repositories at once.
    program(&["repo"]).subs(&[program(&["forall"])
        .options(&[quiet("-p -v -e"), until("-c --command", &[], Role::Inert)])
        .operands(Operands::None)
        .refine(forall)]),
    program(&["meta"]).subs(&[for_a_shell(&["exec"])]),
    program(&["gita"]).subs(&[for_a_shell(&["shell"])]),
    program(&["mr"]).options(&[quiet("-q -v -m"), value("-d -c -j", Role::Inert)]).subs(&[wrapper(&["run"])]),
];

const CHOKIDAR: &str = "-d --debounce -t --throttle -i --ignore --poll-interval";
const PACKAGE: &str = "--pkgname --pkgversion --pkgrelease --install --fstrans --type";
const SPANS: &str = "-n --name -s --service -k --kind -a --attrs --endpoint --timeout --protocol";
const SLURM: Opt = value(
    "-n --ntasks -N --nodes -c --cpus-per-task -p --partition -t --time -J --job-name -o --output -e --error -A --account \
     -w --nodelist -x --exclude -q --qos -G --gpus -C --constraint -D --chdir --mem --gres --mpi --jobid -a --array",
    Role::Inert,
);

fn run_behind_dashes(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if let Some(command) = after_dashes(parsed).filter(|command| !command.is_empty()) {
        run(&command, sink);
    }
}

fn run_as_text(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words = operands_from(parsed, 0);
    if !words.is_empty() {
        let output = sink.code(Lang::Shell, &joined(&words));
        sink.print(output);
    }
}

/// `repo forall [PROJECT…] -c CMD…`: a shell gets all that follows.
fn forall(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words = parsed.all.iter().map(|argument| argument.value.clone());
    let is_option = |word: &Value| matches!(word.known().as_deref(), Some("-c" | "--command"));
    let command: Vec<Value> = words.skip_while(|word| !is_option(word)).skip(1).collect();
    if !command.is_empty() {
        sink.code(Lang::Shell, &joined(&command));
    }
}

/// `runcon CONTEXT CMD…`, unless options give the context piece by piece.
fn runcon(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let in_pieces = parsed.has("-c --compute -t --type -u --user -r --role -l --range");
    run_from(parsed, usize::from(!in_pieces), sink);
}

/// `coreutils --coreutils-prog=rm …` is `rm …`.
fn coreutils(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words = operands_from(parsed, 0);
    let Some((first, rest)) = words.split_first() else { return };
    let named = ["--coreutils-prog=", "--coreutils-prog-shebang="];
    if let Some(name) = named.iter().find_map(|option| super::kinds::strip_prefix(first, option)) {
        let command: Vec<Value> = std::iter::once(name).chain(rest.iter().cloned()).collect();
        run(&command, sink);
    }
}
