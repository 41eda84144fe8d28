//! System tools that take a command, a plugin or a file in an option.

use super::arguments::Parsed;
use super::kinds::{HELP, console, hook, load_path, operands_from, run, strip_prefix, wrapper};
use super::schema::{
    Aim, Do, Operands, Program, Role, Source, Syntax, attached, deed, flag, program, quiet, until, value,
};
use super::services::is_power_target;
use crate::effect::{Flags, Target, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

const SHELL: Role = Role::Code(Lang::Shell);

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    program(&["busctl", "dbus-send", "gdbus", "qdbus"])
        .options(&[
            HELP,
            value("--address", Role::Inert),
            value("-M --machine -H --host -d --dest -o --object-path -m --method -t --timeout --json --type", Role::Inert),
            quiet("--user --system --session --print-reply -e -y -j -l -q"),
        ])
        .operands(Operands::None)
        .refine(bus),
    program(&["certbot", "letsencrypt", "acme.sh", "lego", "dehydrated"]).options(&[
        HELP,
        value("--pre-hook --post-hook --deploy-hook --renew-hook --manual-auth-hook --manual-cleanup-hook --run-hook -k --hook --reloadcmd", SHELL),
        value("-d --domains --email -m --logs-dir --work-dir --config-dir --webroot-path -w --server --cert-name", Role::Inert),
        value("-c --config --csr", Role::Read),
        quiet("--manual --standalone --webroot"),
    ])
    .operands(Operands::None),
    program(&["restic", "rustic", "kopia", "duplicity", "bup"])
        .options(&[
            HELP,
            value("--password-command", Role::ArgvText),
            value("-r --repo --repository-file -p --password-file -o --option --cache-dir --tag --host --exclude --key-hint", Role::Inert),
            value("--files-from --exclude-file", Role::Read),
        ])
        .env(&[("RESTIC_PASSWORD_COMMAND", Role::ArgvText)])
        .subs(&[
            program(&["backup", "snapshot create"]).options(&[value("--stdin-from-command", Role::Inert)]).operands(Operands::None).refine(backup),
            program(&["forget", "prune", "key remove", "snapshot delete"])
                .options(&[flag("-n --dry-run", Do::Stop)])
                .does(&[deed(Verb::Destroy, Aim::Kind("volume"), Flags::NONE)]),
            program(&["restore", "snapshot restore"])
                .options(&[value("-t --target", Role::Write), value("-i --include --iinclude --iexclude -H --path", Role::Inert)])
                .operands(Operands::None),
            program(&["snapshots", "ls", "check", "stats", "init", "mount", "diff", "find", "cat"]),
        ]),
    program(&["borg", "borgmatic", "attic"])
        .options(&[HELP, value("--rsh", Role::ArgvText), value("--remote-path --exclude -e --compression -C --upload-ratelimit", Role::Inert), value("--exclude-from --patterns-from --files-from --paths-from-stdin", Role::Read), value("--paths-from-command --content-from-command", SHELL)])
        .env(&[("BORG_RSH", Role::ArgvText), ("BORG_PASSCOMMAND", Role::ArgvText)])
        .operands(Operands::None)
        .subs(&[
            program(&["delete", "prune", "compact"])
                .options(&[flag("-n --dry-run", Do::Stop)])
                .does(&[deed(Verb::Destroy, Aim::Kind("volume"), Flags::NONE)]),
            program(&["export-tar"]).operands(Operands::Each(&[Role::Inert, Role::Write, Role::Inert])),
        ]),
    program(&["bzr", "cvs", "fossil", "darcs", "p4"])
        .options(&[HELP, value("--config-option", Role::Inert), value("--diff-cmd --diff3-cmd --editor-cmd --merge-tool -e", SHELL), value("-m --message -r --revision --username --password -F --file", Role::Inert)])
        .operands(Operands::None)
        .env(&[("CVS_RSH", Role::Program), ("SVN_SSH", SHELL), ("SVN_EDITOR", SHELL)]),
    wrapper(&["msgfilter"]).options(&[
        HELP,
        value("-i --input -D --directory", Role::Read),
        value("-o --output-file", Role::Write),
        quiet("-P --properties-input --stringtable-input --keep-header --force-po --indent --no-location"),
    ]),
    wrapper(&["msgexec"]).options(&[HELP, value("-i --input", Role::Read)]),
    wrapper(&["logsave"]).options(&[quiet("-a -s -v")]).operands(Operands::Each(&[Role::Append, Role::Argv])),
    program(&["plymouth"]).options(&[HELP, attached("--prompt --number-of-tries --dont-pause-progress", Do::Nothing), value("--command", SHELL)]).operands(Operands::None),
    program(&["rpmdb", "rpmverify", "rpmquery", "rpmkeys", "rpmspec", "rpmsign"])
        .options(&[HELP, value("-E --eval", Role::Inert), value("--pipe", SHELL), value("--root -r --dbpath --define -D", Role::Inert), value("--rcfile --macros", Role::Read)])
        .operands(Operands::None)
        .refine(rpm_macros),
    program(&["xdg-user-dir"]).operands(Operands::None).refine(evaluated_name),
    program(&["rsyslogd", "syslog-ng", "syslogd"])
        .options(&[flag("-v -V --help --version", Do::Stop), value("-f --cfgfile", Role::Read), value("-i -M -u -N -o -S", Role::Inert), quiet("-n -d -A -D -w -x -4 -6 -s --syntax-only -F --foreground")])
        .operands(Operands::None)
        .refine(log_actions),
    program(&["ldconfig"]).options(&[HELP, flag("-p --print-cache", Do::Stop), quiet("-v -n -N -X -l -i"), value("-f", Role::Inert), value("-C -r", Role::Inert)]).operands(Operands::Rest(Role::Library)).refine(library_paths),
    program(&["zic"]).options(&[value("-y", Role::Program), value("-d -l -L -p -t -b -r", Role::Inert)]).all(Role::Read),
    program(&["slsh"]).syntax(Syntax::FirstOperandEnds).options(&[value("-e", Role::Code(Lang::Other("slang"))), value("-l", Role::Read)]).operands(Operands::Each(&[Role::Script(Lang::Other("slang")), Role::Inert])),
    program(&["rtorrent", "transmission-cli", "transmission-daemon", "deluge", "qbittorrent-nox"])
        .options(&[value("-o", Role::Inert), value("-f --finish --torrent-done-script", Role::Program), value("-O", Role::Inert)])
        .operands(Operands::None)
        .refine(rtorrent),
    program(&["procmail", "maildrop", "fetchmail", "getmail", "offlineimap", "mbsync"])
        .options(&[value("-m --mda", SHELL), value("-f --fetchmailrc -c", Role::Read), value("-a -d -p -s -k -l", Role::Inert), value("-1", Role::Inert)])
        .all(Role::Read),
    program(&["needrestart", "facter", "ohai", "lynis", "chkrootkit", "rkhunter", "aide", "tripwire"]).options(&[
        HELP,
        value("-c --config -f", Role::Inert),
        attached("--custom-dir --external-dir -d", Do::Nothing),
        quiet("-v -q -r -n -l -p -b"),
    ])
    .env(&[("FACTERLIB", Role::Library)])
    .operands(Operands::None)
    .refine(loads_config),
    program(&["check_ssl_cert"]).options(&[
        value("--grep-bin --curl-bin --openssl --dig-bin --nmap-bin --file-bin --python-bin", Role::Program),
        value("-H --host -p --port -r --rootcert -w -c -f --file", Role::Inert),
    ])
    .operands(Operands::None),
    program(&["check_cups", "check_log", "check_memory", "check_raid", "check_statusfile", "check_http", "check_disk", "check_procs"])
        .options(&[
            attached("--extra-opts", Do::Is(Role::Prefixed(&[("@", Role::Read)]))),
            value("-F --filename", Role::Read),
            value("-O --oldlog", Role::Write),
            value("-H --hostname -w --warning -c --critical -p -t -u -q --query", Role::Inert),
        ])
        .all(Role::Read)
        .stdout(Source::Input),
    program(&["fail2ban-client", "fail2ban-server"]).options(&[HELP, value("-c -s -p --loglevel --logtarget", Role::Inert)]).operands(Operands::None).refine(fail2ban),
    program(&["jtag", "openocd", "urjtag", "avrdude", "esptool.py"]).options(&[HELP, value("-c --command", Role::Inert), value("-f --file", Role::Read), quiet("-i --interactive -n -q")]).operands(Operands::None)
        .refine(jtag),
    program(&["scanmem", "gameconqueror"]).options(&[value("-p --pid", Role::Inert), value("-c --command", Role::Code(Lang::Other("scanmem")))]).operands(Operands::None).refine(scanmem),
    program(&["tdbtool", "ksshell", "msfconsole", "msfvenom", "tasksh", "cpanm"])
        .options(&[HELP, value("-x", Role::Inert), value("-r -c -C -f --file", Role::Read), value("-o --out", Role::Write), value("-p --payload", Role::Inert)])
        .operands(Operands::None)
        .refine(metasploit),
    program(&["asterisk"])
        .options(&[flag("-h -V --help", Do::Stop), value("-x", Role::Inert), value("-C", Role::Read), quiet("-r -R -c -f -F -g -n -v"), value("-U -G -s -L -M -e", Role::Inert)])
        .operands(Operands::None)
        .refine(telephone_console),
    program(&["bconsole"])
        .options(&[flag("-? -t", Do::Stop), value("-c -C -u", Role::Read), value("-D -d -l", Role::Inert), quiet("-n -s")])
        .operands(Operands::None)
        .refine(backup_console),
    program(&["byebug"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[flag("--help --version -h -v", Do::Stop), value("-I -r -R -m --include --require --remote", Role::Inert), quiet("-d -x -q -s -t --debug --no-rc --no-quit --no-stop --trace")])
        .operands(Operands::Each(&[Role::Script(Lang::Ruby), Role::Inert]))
        .refine(started_bare),
    program(&["cpan"])
        .options(&[flag("-h -v -l -L -D -O -a -J", Do::Stop), value("-j -M -I", Role::Inert), quiet("-f -F -g -G -i -m -n -t -T -u -w -x -X -c -C -A")])
        .refine(perl_console),
    program(&["easyrsa"]).options(&[HELP, attached("--vars", Do::Is(Role::Script(Lang::Shell))), attached("--pki --pki-dir --batch --days --subca-len --req-cn", Do::Nothing)]).operands(Operands::None),
    program(&["easy_install"]).options(&[HELP, value("-d --install-dir -s --script-dir -i --index-url -f --find-links -S --site-dirs -b --build-directory", Role::Inert)]).refine(super::installers::setup_script),
    program(&["bee"]).options(&[HELP, value("--root --site", Role::Inert)]).subs(&[
        program(&["eval", "ev", "php-eval", "php"]).operands(Operands::Each(&[Role::Code(Lang::Php), Role::Inert])),
        program(&["php-script", "php-scr", "scr"]).operands(Operands::Each(&[Role::Script(Lang::Php), Role::Inert])),
    ]),
    program(&["ansible-test"])
        .options(&[HELP, value("--python --docker-image --exclude", Role::Inert), attached("--docker --venv --remote", Do::Nothing)])
        .subs(&[program(&["shell"]).does(&[deed(Verb::Execute, Aim::None, Flags::INTERACTIVE.and(Flags::HOOK))])])
        .operands(Operands::None),
    program(&["molecule", "testinfra", "kitchen", "bats", "shellspec", "prove", "tap"])
        .options(&[HELP, value("-e --exec", Role::ArgvText), value("-I -j --jobs -f --filter", Role::Inert)])
        .operands(Operands::None),
    program(&["tox"])
        .options(&[HELP, value("-e -c --conf -p --parallel", Role::Inert), value("-x --override", Role::Prefixed(&[("testenv.commands=", Role::ArgvText), ("testenv.commands_pre=", Role::ArgvText), ("testenv.commands_post=", Role::ArgvText)]))])
        .operands(Operands::None),
    program(&["nox", "pants"])
        .options(&[HELP, value("-e -s --session --sessions -c --conf -f --noxfile -p --python", Role::Inert)])
        .operands(Operands::None),
    program(&["thor", "invoke", "inv", "fab", "duty", "doit"])
        .options(&[HELP, value("-e --execute -p --execute-print -E --execute-continue", Role::Code(Lang::Ruby)), value("-f --rakefile --tasks -r -c -s --session", Role::Inert)])
        .operands(Operands::None),
    program(&["code", "code-insiders", "cursor", "codium", "subl", "atom", "zed", "idea", "pycharm"])
        .options(&[HELP, value("--install-extension", Role::Inert), value("--extensions-dir --user-data-dir", Role::Inert), quiet("--goto -g --wait -w -n --new-window -r --list-extensions")])
        .subs(&[program(&["tunnel", "serve-web"]).does(&[super::schema::deed(Verb::Listen, super::schema::Aim::None, Flags::GLOBAL)])])
        .operands(Operands::None)
        .refine(|parsed, sink| {
            if parsed.subcommands.is_empty() {
                super::editors::opened(parsed, sink);
            }
        }),
    program(&["notify-send", "terminal-notifier", "growlnotify", "write", "mesg", "logger"])
        .options(&[HELP, quiet("-n --nobanner -i -s"), value("-f --file", Role::Read), value("-t -u -p -h -a -c -g --tag --priority", Role::Inert)])
        .operands(Operands::Rest(Role::Inert)),
    program(&["wall"]).options(&[HELP, quiet("-n --nobanner"), value("-t -g", Role::Inert)]).operands(Operands::Rest(Role::Prefixed(&[("/", Role::Inert)]))),
    program(&["last", "lastb", "utmpdump", "lastlog", "who", "w", "users"]).options(&[HELP, value("-f --file", Role::Read), value("-n -t -s -p -u -b", Role::Inert), quiet("-a -d -F -i -R -w -x -H -q -m -r")]).operands(Operands::None).stdout(Source::Input),
    program(&["arp", "arpd", "bridge", "ntpdate", "ntpd", "chronyd", "dmidecode", "lshw", "hwinfo", "inxi", "sysdig", "tic", "infocmp", "terminfo", "clamscan", "clamdscan", "freshclam", "maldet", "yara"])
        .options(&[
            HELP,
            value("-f --file --file-list -b -batch -k -d --database -C --config-file --from-dump", Role::Read),
            value("--dump-bin -l --log", Role::Write),
            value("-i -s -t -A -p --include --exclude", Role::Inert),
            quiet("-v -a -n -r --no-summary -q -u"),
        ])
        .operands(Operands::Rest(Role::Read))
        .stdout(Source::Input),
    program(&["wsl", "wslpath", "wslview", "bash.exe", "wsl.exe"]).syntax(Syntax::FirstOperandEnds).options(&[until("-e --exec", &[], Role::Argv), value("-d --distribution -u --user --cd", Role::Inert)]).all(Role::Argv),
    program(&["mkinitramfs", "arch-audit", "debootstrap", "pacstrap"]).options(&[value("-c -o -d", Role::Inert)]).operands(Operands::None),
];

/// A service that is told to do something does it with rights of its own.
fn bus(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    bus_address(parsed, sink);
    let Some((service, method)) = called(parsed) else { return };
    if ends_machine(&service, &method, parsed) {
        return sink.effect(Verb::Power, Target::None, Flags::NONE, Provenance::NONE);
    }
    let takes_commands = COMMANDED.iter().any(|name| service.starts_with(name));
    let looks = LOOKING.iter().any(|start| method.starts_with(start));
    if takes_commands && !looks {
        let own = parsed.has("--user --session -e");
        let bus = if own { "/run/user/0/bus" } else { "/run/dbus/system_bus_socket" };
        sink.path(Verb::Send, &Value::literal(bus), Flags::NONE);
    }
}

/// Methods of those who look after sessions and units that end what runs on a machine, and how they begin.
const ENDING: &[(&str, &[&str])] = &[
    ("org.freedesktop.ConsoleKit", &["Restart", "Stop"]),
    ("org.freedesktop.login1", &["Halt", "PowerOff", "Reboot", "ScheduleShutdown"]),
    ("org.freedesktop.systemd1", &["Exit", "Halt", "KExec", "PowerOff", "Reboot", "SoftReboot"]),
];

/// Whether a call switches the machine off: by a method that does, or by starting a unit that is there for it.
fn ends_machine(service: &str, method: &str, parsed: &Parsed<'_>) -> bool {
    let ends = ENDING.iter().any(|(name, methods)| {
        service.starts_with(name) && methods.iter().any(|begin| method.starts_with(begin))
    });
    let starts = matches!(method, "StartUnit" | "ReloadOrRestartUnit" | "RestartUnit" | "StartTransientUnit");
    ends || starts && parsed.words().any(|word| is_power_target(word.rsplit(':').next().unwrap_or_default()))
}

/// The service and the method of a call over a bus: `busctl call S O I M`, `qdbus S O I.M`, `dbus-send --dest=S O I.M`,
/// `gdbus call --dest S --object-path O --method I.M`. What is not known is not among those that only look.
fn called(parsed: &Parsed<'_>) -> Option<(String, String)> {
    let operands: Vec<String> = operands_from(parsed, 0).iter().map(Value::shown).collect();
    let operand = |place: usize| operands.get(place).cloned();
    let option = |names| parsed.value(names).map(Value::shown);
    let verb = operands.first().map(String::as_str);
    let (service, method) = match (parsed.program, verb) {
        ("busctl", Some("call")) => (operand(1)?, operand(4)),
        ("busctl", Some("set-property")) => (operand(1)?, None),
        ("dbus-send", _) => (option("--dest")?, operand(1)),
        ("gdbus", Some("call")) => (option("-d --dest")?, option("-m --method")),
        ("qdbus", Some(service)) => (service.to_owned(), Some(operand(2)?)),
        _ => return None,
    };
    let method = method.unwrap_or_default();
    Some((service, method.rsplit('.').next().unwrap_or_default().to_owned()))
}

/// Services that start programs, stop them or change the machine for whoever asks.
const COMMANDED: &[&str] = &[
    "org.fedoraproject.FirewallD1",
    "org.freedesktop.ConsoleKit",
    "org.freedesktop.Flatpak",
    "org.freedesktop.NetworkManager",
    "org.freedesktop.PackageKit",
    "org.freedesktop.UDisks2",
    "org.freedesktop.hostname1",
    "org.freedesktop.login1",
    "org.freedesktop.machine1",
    "org.freedesktop.secrets",
    "org.freedesktop.systemd1",
    "org.freedesktop.timedate1",
    "org.gnome.Shell",
    "org.gnome.Terminal",
    "org.kde.konsole",
    "org.kde.krunner",
    "org.kde.yakuake",
];

/// How methods begin that change nothing.
const LOOKING: &[&str] = &["Can", "Describe", "Get", "Introspect", "Is", "List", "Ping", "Search"];

/// `--address=unixexec:path=/bin/sh,argv1=-c,argv2=CODE` starts a program instead of finding a bus.
fn bus_address(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for address in parsed.values("--address") {
        let Some(text) = address.known() else { continue };
        let Some(settings) = text.strip_prefix("unixexec:") else { continue };
        let argv: Vec<Value> = settings
            .split(',')
            .filter_map(|setting| setting.split_once('='))
            .filter(|(name, _)| *name == "path" || (name.starts_with("argv") && *name != "argv0"))
            .map(|(_, word)| Value::literal(word))
            .collect();
        hooked_run(&argv, sink);
    }
}

/// A program started by another one's setting; a bare shell is said to be one.
fn hooked_run(argv: &[Value], sink: &mut dyn Sink) {
    match argv {
        [] => {}
        [program] => {
            load_path(program, sink);
            hook(program, Flags::NONE, sink);
        }
        [..] => run(argv, sink),
    }
}

/// A backup to a repository elsewhere carries the files with it.
fn backup(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let repository = parsed.value("-r --repo").cloned();
    let remote = repository.filter(|place| {
        let place = place.known_prefix();
        ["rest:", "sftp:", "s3:", "b2:", "azure:", "gs:", "swift:", "rclone:"]
            .iter()
            .any(|scheme| place.starts_with(scheme))
    });
    for path in operands_from(parsed, 0) {
        match &remote {
            Some(place) => {
                super::requests::send_file(&path, std::slice::from_ref(&repository_host(place)), sink);
            }
            None => {
                sink.read(&path);
            }
        }
    }
}

fn repository_host(place: &Value) -> Value {
    ["rest:", "sftp:", "s3:"]
        .iter()
        .find_map(|scheme| strip_prefix(place, scheme))
        .unwrap_or_else(|| place.clone())
}

/// `--eval '%(CODE)'` expands to what the code prints; `%{lua:CODE}` is Lua.
pub(super) fn rpm_macros(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for text in parsed.values("-E --eval -D --define").filter_map(Value::known) {
        for part in text.split("%(").skip(1) {
            let code = part.rsplit_once(')').map_or(part, |(code, _)| code);
            hook(&Value::literal(code), Flags::NONE, sink);
        }
        for part in text.split("%{lua:").skip(1) {
            let code = part.rsplit_once('}').map_or(part, |(code, _)| code);
            sink.code(Lang::Lua, &Value::literal(code));
        }
    }
}

/// The script evaluates its argument inside `${XDG_…_DIR}`: a closing brace ends the name and code follows.
fn evaluated_name(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(name) = parsed.word(0) else { return };
    if let Some((_, code)) = name.split_once('}') {
        hook(&Value::literal(code.trim_start_matches([';', ' '])), Flags::NONE, sink);
    }
}

/// `… ^PROGRAM` hands messages to a program, `binary="PROGRAM"` and `load="FILE"` name what is started or loaded.
fn log_actions(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for file in parsed.values("-f --cfgfile") {
        let text = sink.read(file);
        let Some(text) = text.known() else {
            load_path(file, sink);
            continue;
        };
        for line in text.lines() {
            let program = line.rsplit_once('^').map(|(_, program)| program);
            let quoted = ["binary=\"", "load=\"", "program(\""];
            let named = quoted
                .iter()
                .filter_map(|mark| line.split_once(mark))
                .filter_map(|(_, rest)| rest.split('"').next());
            for program in program.into_iter().chain(named) {
                load_path(&Value::literal(program.trim()), sink);
            }
        }
    }
}

/// A list of library directories from elsewhere makes every program load from there.
fn library_paths(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for list in parsed.values("-f") {
        load_path(list, sink);
        let directories = sink.read(list);
        for line in
            directories.known().iter().flat_map(|text| text.lines()).filter(|line| line.starts_with('/'))
        {
            sink.path(Verb::Execute, &Value::literal(line.trim()), Flags::HOOK);
        }
    }
}

/// `-o execute={…}`, or the same in a settings file that was just written.
fn rtorrent(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let mut settings: Vec<Value> = parsed.values("-o -O").cloned().collect();
    let imports: Vec<Value> =
        settings.iter().filter_map(|setting| strip_prefix(setting, "import=")).collect();
    let own = Value::literal(format!("{}/.rtorrent.rc", sink.home()));
    for file in imports.iter().chain((!parsed.has("-n") && parsed.program == "rtorrent").then_some(&own)) {
        settings.push(sink.read(file));
    }
    for text in settings.iter().filter_map(Value::known) {
        for line in text.lines().filter(|line| line.trim_start().starts_with("execute")) {
            let words = line.split_once('=').map_or("", |(_, words)| words.trim());
            hooked_run(&listed(words.trim_start_matches('{').trim_end_matches('}')), sink);
        }
    }
}

/// Words with commas between, some in quotes.
fn listed(text: &str) -> Vec<Value> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in text.chars() {
        match (letter, words.last_mut()) {
            ('"', _) => quoted = !quoted,
            (',', _) if !quoted => words.push(String::new()),
            (_, Some(word)) => word.push(letter),
            (_, None) => {}
        }
    }
    words.iter().map(|word| Value::literal(word.trim())).collect()
}

/// Configurations in a programming language run when they are read.
fn loads_config(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for file in parsed.values("-c --config") {
        let text = sink.read(file);
        if parsed.program == "needrestart" {
            if text.known().is_none() {
                load_path(file, sink);
            }
            sink.script(Lang::Perl, file, &[]);
        }
    }
    for directory in parsed.values("--custom-dir --external-dir") {
        load_path(directory, sink);
    }
}

/// `fail2ban-client set JAIL action NAME actionban CODE`.
fn fail2ban(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words = operands_from(parsed, 0);
    let at = words.iter().position(|word| {
        word.known().is_some_and(|word| {
            matches!(&*word, "actionban" | "actionunban" | "actionstart" | "actionstop" | "actioncheck")
        })
    });
    if let Some(code) = at.and_then(|at| words.get(at + 1)) {
        hook(code, Flags::NONE, sink);
    }
    for settings in parsed.values("-c") {
        load_path(settings, sink);
    }
}

/// `shell CODE` in a memory scanner's commands.
fn scanmem(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let input = sink.stdin();
    for text in parsed.values("-c --command").chain([&input]).filter_map(Value::known) {
        for code in text.split(['\n', ';']).filter_map(|line| line.trim().strip_prefix("shell ")) {
            hook(&Value::literal(code), Flags::NONE, sink);
        }
    }
    if !parsed.has("-c --command") {
        console(sink);
    }
}

/// `-x CODE`: console commands; what the console does not know goes to a shell.
fn metasploit(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if CONSOLES.contains(&parsed.program) && !parsed.has("-x -f --file -c") {
        console(sink);
    }
    if CONSOLES.contains(&parsed.program) {
        typed("!", sink);
    }
    if parsed.program == "msfvenom" && parsed.has("-p --payload") {
        super::operands::named(Verb::Escalate, "machines", "", Flags::NONE, sink);
    }
    if let ("msfconsole", Some(code)) = (parsed.program, parsed.value("-x")) {
        hook(code, Flags::NONE, sink);
    }
}

const CONSOLES: &[&str] = &["msfconsole", "tasksh", "tdbtool"];

/// `!CODE` is for the shell, both typed and given to `-x`.
fn telephone_console(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(command) = parsed.value("-x") else {
        console(sink);
        return typed("!", sink);
    };
    if let Some(code) = strip_prefix(command, "!") {
        hook(&code, Flags::NONE, sink);
    }
}

/// `@exec CODE` is for the shell.
fn backup_console(_: &Parsed<'_>, sink: &mut dyn Sink) {
    console(sink);
    typed("@exec ", sink);
}

/// `! CODE` is Perl.
fn perl_console(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped || !parsed.operands.is_empty() {
        return;
    }
    if sink.at_terminal() {
        let target = Target::Code(Lang::Perl, None);
        sink.effect(Verb::Execute, target, Flags::INTERACTIVE, Provenance::NONE);
    }
    for code in lines_after("!", sink) {
        sink.hooked_code(Lang::Perl, &Value::literal(code));
    }
}

fn started_bare(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if !parsed.stopped && parsed.operands.is_empty() {
        console(sink);
    }
}

/// What standard input tells a console to hand to the shell.
fn typed(mark: &str, sink: &mut dyn Sink) {
    for code in lines_after(mark, sink) {
        hook(&Value::literal(code.trim_matches('"')), Flags::NONE, sink);
    }
}

/// The lines of standard input that begin with a mark, without it.
pub(super) fn lines_after(mark: &str, sink: &dyn Sink) -> Vec<String> {
    let input = sink.stdin();
    let Some(text) = input.known() else { return Vec::new() };
    let rest = |line: &str| line.trim_start().strip_prefix(mark).map(|rest| rest.trim().to_owned());
    text.lines().filter_map(rest).collect()
}

fn jtag(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.has("-i --interactive") {
        console(sink);
    }
    typed("shell ", sink);
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn commas_in_quotes_part_nothing() {
        let words: Vec<String> =
            listed(r#"/bin/sh, -c, "a, b""#).iter().map(crate::value::Value::shown).collect();
        assert_eq!(words, ["/bin/sh", "-c", "a, b"]);
    }
}
