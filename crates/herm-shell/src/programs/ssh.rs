//! SSH and its relatives: commands on other machines, copies between them, keys.

use std::rc::Rc;

use super::arguments::Parsed;
use super::kinds::{HELP, joined, operands_from};
use super::schema::{
    Aim, Do, Operands, Opt, Program, Role, Source, Syntax, attached, deed, flag, program, quiet, value,
};
use crate::effect::{Flags, Realm, Target, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

const SHELL: Role = Role::Code(Lang::Shell);

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    program(&["autossh"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[value("-M", Role::Inert)])
        .operands(Operands::None)
        .stdout(Source::Network)
        .refine(autossh),
    program(&["ssh", "slogin", "dbclient", "sshrc"])
        .syntax(Syntax::FirstOperandEnds)
        .options(SSH_OPTIONS)
        .operands(Operands::None)
        .stdout(Source::Network)
        .env(&[("SSH_ASKPASS", Role::Program)])
        .refine(ssh),
    program(&["tsh"]).subs(&[program(&["ssh"])
        .syntax(Syntax::FirstOperandEnds)
        .options(SSH_OPTIONS)
        .operands(Operands::None)
        .stdout(Source::Network)
        .refine(ssh)]),
    program(&["plink", "putty"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[
            quiet("-v -ssh -telnet -rlogin -raw -batch -A -a -t -T -1 -2 -4 -6 -C -N -x -X -agent -noagent"),
            value("-l -P -pw -pwfile -load -L -R -D -i -hostkey -nc -sercfg -m -sessionlog -loghost", Role::Inert),
            value("-proxycmd", SHELL),
        ])
        .operands(Operands::None)
        .refine(ssh),
    program(&["rsh", "rexec", "rlogin"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[quiet("-d -n -K -x"), value("-l -k -p", Role::Inert)])
        .operands(Operands::None)
        .refine(ssh),
    program(&["mosh"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[
            HELP,
            attached("--client --server --ssh", Do::Is(SHELL)),
            attached("--predict --family --bind-server", Do::Nothing),
            value("-p --port", Role::Inert),
            quiet("-4 -6 -a -n --no-init --local --no-ssh-pty"),
        ])
        .operands(Operands::None)
        .refine(ssh),
    program(&["scp", "pscp", "rcp"])
        .options(&[
            quiet("-1 -2 -3 -4 -6 -A -B -C -O -p -q -r -R -s -T -v -batch"),
            value("-c -l -P -D -X -J -pw", Role::Inert),
            value("-i", Role::Inert),
            value("-F", Role::Read),
            value("-S", Role::Program),
            value("-o", SSH_SETTING),
        ])
        .operands(Operands::LastIs(Role::TransferFrom, Role::TransferTo)),
    program(&["sftp", "psftp"])
        .options(&[
            quiet("-1 -2 -4 -6 -a -A -C -f -N -p -q -r -v"),
            value("-B -c -l -P -R -s -X -J", Role::Inert),
            value("-i", Role::Inert),
            value("-b -F", Role::Read),
            value("-S", Role::Program),
            value("-D", Role::ArgvText),
            value("-o", SSH_SETTING),
        ])
        .operands(Operands::LastIs(Role::TransferFrom, Role::TransferTo))
        .refine(super::transfers::batch),
    program(&["sshfs"])
        .options(&[
            HELP,
            quiet("-p -C -1 -d -f -s"),
            value("-F", Role::Read),
            value("-o", Role::Prefixed(&[("ssh_command=", SHELL), ("sftp_server=", Role::Inert), ("ProxyCommand=", SHELL), ("directport=", Role::Inert)])),
        ])
        .operands(Operands::Each(&[Role::Host, Role::Inert]))
        .does(&[deed(Verb::Mount, Aim::Kind("network"), Flags::NONE)]),
    program(&["ssh-keygen"])
        .options(&[
            quiet("-A -B -e -g -H -i -L -l -c -p -q -U -v -y -u -k -Q -h"),
            value("-a -b -C -I -m -M -n -N -O -P -r -S -t -V -W -Y -z -Z -E", Role::Inert),
            value("-f -s -F -R", Role::Inert),
            value("-D -w", Role::Library),
        ])
        .operands(Operands::None)
        .refine(keygen),
    program(&["ssh-add"])
        .options(&[quiet("-c -C -D -d -k -K -L -l -q -v -X -x -A"), value("-E -H -h -S -t -T", Role::Inert), value("-s -e", Role::Library)])
        .all(Role::Inert),
    program(&["ssh-keyscan"]).options(&[quiet("-4 -6 -c -D -H -q -v"), value("-O -p -T -t", Role::Inert), value("-f", Role::Read)]).all(Role::Host).stdout(Source::Network),
    program(&["ssh-copy-id"])
        .options(&[super::schema::flag("-h -? -n --help", super::schema::Do::Stop), quiet("-f -s -x"), value("-p -t", Role::Inert), value("-o", SSH_SETTING), value("-i", Role::Inert)])
        .operands(Operands::None)
        .refine(copy_id),
    program(&["sshd", "dropbear"]).options(&[flag("-t -T -V", Do::Stop), value("-f -h -p -r", Role::Inert), value("-o", Role::Inert), quiet("-D -d -e -i -F -E")])
        .does(&[super::schema::deed(Verb::Listen, super::schema::Aim::None, Flags::NONE)]),
    program(&["pssh", "parallel-ssh", "pdsh", "clush", "dsh", "mssh", "csshx"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[HELP, quiet("-i -v -A -P -b"), value("-h --hosts -H --host -l --user -p --par -t --timeout -o --outdir -e --errdir -O -x -X -w -g -n -u -m -f -c", Role::Inert)])
        .operands(Operands::None)
        .refine(everywhere),
    program(&["sshuttle"]).options(&[HELP, value("-r --remote -x --exclude -l --listen", Role::Inert), value("-e --ssh-cmd", SHELL)]),
    program(&["check_by_ssh"])
        .options(&[value("-H --hostname", Role::Host), value("-C --command -l -i -p -t -w -c -u -n", Role::Inert), value("-o --ssh-option", SSH_SETTING), value("-F", Role::Read)])
        .operands(Operands::None),
    program(&["ssh-import-id", "ssh-import-id-gh"]).options(&[value("-o --output", Role::Write), value("-u -a", Role::Inert)]).refine(import_id),
];

/// Settings that hold shell text; their names are read without case.
const SSH_SETTING: Role = Role::Prefixed(&[
    ("ProxyCommand=", SHELL),
    ("proxycommand=", SHELL),
    ("PROXYCOMMAND=", SHELL),
    ("ProxyCommand ", SHELL),
    ("proxycommand ", SHELL),
    ("LocalCommand=", SHELL),
    ("localcommand=", SHELL),
    ("LocalCommand ", SHELL),
    ("KnownHostsCommand=", Role::ArgvText),
    ("knownhostscommand=", Role::ArgvText),
    ("KnownHostsCommand ", Role::ArgvText),
    ("PKCS11Provider=", Role::Library),
    ("SecurityKeyProvider=", Role::Library),
    ("XAuthLocation=", Role::Program),
]);

const SSH_OPTIONS: &[Opt] = &[
    flag("-V", Do::Stop),
    flag("-G -Q", Do::Nothing),
    quiet("-4 -6 -A -a -C -f -g -K -k -M -N -n -q -s -T -t -tt -v -vv -vvv -X -x -Y -y"),
    value("-B -b -c -D -e -i -J -L -l -m -O -P -p -R -S -W -w", Role::Inert),
    value("-E", Role::Append),
    value("-F", Role::Read),
    value("-I", Role::Library),
    value("-o", SSH_SETTING),
];

/// `ssh [OPTIONS] HOST [WORDS]`: the words are shell text on the other machine; none, and the input is.
pub(super) fn ssh(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(host) = parsed.operand(0).cloned() else { return };
    if parsed.stopped {
        return;
    }
    let input = sink.stdin();
    sink.connect(Verb::Connect, &host, Flags::NONE, input.provenance.without(Provenance::NETWORK));
    if exposes(parsed) {
        sink.effect(Verb::Listen, Target::None, Flags::GLOBAL, Provenance::NONE);
    }
    enter(&host, sink);
    let operands = operands_from(parsed, 1);
    let words = after_options(&operands);
    if !words.is_empty() {
        let output = sink.code(Lang::Shell, &joined(words));
        sink.print(output.from(Provenance::NETWORK));
    } else if !parsed.has("-N -W -O -f -s -nc") && parsed.operands.len() == 1 {
        sink.run(&[Value::literal("sh")], &Value::default());
    }
}

/// `autossh -M PORT …` is `ssh …`, started again when it ends.
fn autossh(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let mut words = parsed.all.iter().map(|argument| argument.value.clone()).peekable();
    let mut argv = vec![Value::literal("ssh")];
    while let Some(word) = words.next() {
        match word.known_prefix().strip_prefix("-M") {
            Some("") => drop(words.next()),
            Some(_) => {}
            None => argv.push(word),
        }
    }
    let output = sink.run(&argv, &Value::default());
    sink.print(output);
}

/// Options may stand behind the host, too.
fn after_options(words: &[Value]) -> &[Value] {
    let mut rest = words;
    while let Some((first, after)) = rest.split_first() {
        let option = first.known_prefix();
        if option == "--" {
            return after;
        }
        if !option.starts_with('-') {
            break;
        }
        let valued = option.len() == 2 && option.ends_with(VALUED);
        rest = if valued { after.get(1..).unwrap_or_default() } else { after };
    }
    rest
}

/// The letters of the options that take a value.
const VALUED: &[char] = &[
    'B', 'b', 'c', 'D', 'E', 'e', 'F', 'I', 'i', 'J', 'L', 'l', 'm', 'O', 'o', 'p', 'Q', 'R', 'S', 'W', 'w',
];

/// `-R` opens a port on the other machine that leads here, for whoever is there; so does a port here that everybody reaches.
fn exposes(parsed: &Parsed<'_>) -> bool {
    let host = parsed.operand(0).map(Value::shown).unwrap_or_default();
    let elsewhere = !is_here(host.rsplit('@').next().unwrap_or(&host));
    let open = |port: &Value| {
        ["0.0.0.0:", "*:", ":", "[::]:"].iter().any(|all| port.known_prefix().starts_with(all))
    };
    parsed.has("-R") && elsewhere
        || parsed.values("-L -D").any(open)
        || parsed.has("-g") && parsed.has("-L -D")
}

fn enter(host: &Value, sink: &mut dyn Sink) {
    let name = host.shown();
    let name = name.rsplit('@').next().unwrap_or(&name);
    if !is_here(name) {
        sink.enter(Realm::Remote(Rc::from(name)));
    }
}

fn is_here(host: &str) -> bool {
    let host = host.strip_prefix("ssh://").unwrap_or(host);
    matches!(host, "localhost" | "::1" | "[::1]" | "0.0.0.0" | "ip6-localhost") || host.starts_with("127.")
}

/// The same command on many machines.
fn everywhere(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words = operands_from(parsed, 0);
    if !words.is_empty() {
        sink.enter(Realm::Remote(Rc::from("many hosts")));
        sink.code(Lang::Shell, &joined(&words));
    }
}

/// `ssh-keygen` reads, writes or edits the file of `-f`, as its other options say.
fn keygen(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(file) = parsed.value("-f").cloned() else { return };
    if parsed.has("-R -H -p") {
        sink.path(Verb::Write, &file, Flags::IN_PLACE);
    } else if parsed.has("-y -e -i") {
        sink.read(&file);
    } else if !parsed.has("-l -B -F -L -Q -r -Y") {
        sink.path(Verb::Write, &file, Flags::NONE);
    }
}

/// `ssh-copy-id -i KEY HOST` puts `KEY.pub` on another machine.
fn copy_id(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    let hosts = operands_from(parsed, 0);
    for host in &hosts {
        sink.connect(Verb::Connect, host, Flags::UPLOAD, Provenance::NONE);
    }
    if let Some(key) = parsed.value("-i") {
        let sent_as_is = key.known_prefix().contains(".pub") || !parsed.has("-f");
        let public = if sent_as_is { Provenance::NONE } else { sink.read(key).provenance };
        super::requests::send(public, &hosts, sink);
    }
    sink.effect(
        Verb::Login,
        Target::Named("account", "authorized_keys".to_owned()),
        Flags::NONE,
        Provenance::NONE,
    );
}

/// Whoever's keys these are may log in afterwards.
fn import_id(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if !parsed.has("-o --output") {
        let mut path = Value::literal(sink.home());
        path.push_str("/.ssh/authorized_keys");
        sink.write(&path, &super::requests::downloaded(), Flags::APPEND);
    }
}
