//! File transfer by command languages, and mail.

use super::arguments::Parsed;
use super::kinds::{HELP, console, hook, operands_from};
use super::requests::{downloaded, send_file};
use super::schema::{Do, Operands, Program, Role, Source, attached, flag, program, quiet, value};
use crate::effect::{Flags, Target, Verb};
use crate::sink::Sink;
use crate::value::{Provenance, Value};

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    program(&["ftp", "pftp", "tnftp", "ncftp", "yafc", "cmdftp"])
        .options(&[quiet("-4 -6 -A -a -d -e -f -g -i -n -p -q -R -v -V"), value("-N -o -P -r -T -u -s -x", Role::Inert)])
        .all(Role::Host)
        .stdout(Source::Network)
        .refine(batch),
    program(&["lftp"])
        .options(&[HELP, value("-c -e", Role::Inert), value("-f --rcfile", Role::Read), value("-p -u", Role::Inert), quiet("-d")])
        .operands(Operands::None)
        .refine(batch),
    program(&["tftp", "atftp"])
        .options(&[
            value("-c", Role::Inert),
            value("-l --local-file", Role::Inert),
            value("-r --remote-file -m -R -b", Role::Inert),
            quiet("-g --get -p --put -4 -6 -v"),
        ])
        .operands(Operands::None)
        .refine(tftp),
    program(&["smbclient", "smbget", "rpcclient"])
        .options(&[
            HELP,
            value("-c --command", Role::Inert),
            value("-U --user -W --workgroup -p --port -m -I -D -d -s -i -n -A -O -t --password", Role::Inert),
            value("-T --tar", Role::Inert),
            value("-L --list -M --message", Role::Host),
            value("-o --outputfile", Role::Write),
            quiet("-N -k -E -g -e -P"),
        ])
        .operands(Operands::None)
        .refine(batch),
    program(&["kermit", "minicom", "runscript", "sx", "sz", "rz", "lrz", "lsz", "cu", "tip", "picocom"]).options(&[
        value("-D --device -b --baudrate -c", Role::Inert),
        value("-S --script", Role::Inert),
        value("-C --capturefile --logfile -g", Role::Write),
        value("--send-cmd --receive-cmd -s -v", Role::Inert),
    ])
    .operands(Operands::None)
    .refine(serial_script),
    program(&["mail", "mailx", "Mail", "bsd-mailx", "s-nail", "nail", "heirloom-mailx"])
        .options(&[
            HELP,
            quiet("-B -d -e -F -H -I -i -N -n -R -t -v -p -~"),
            attached("-E --exec", Do::Is(Role::Inert)),
            value("-s --subject -b -c -r -S -u -T -m -q -M", Role::Inert),
            value("-a -A --attach", Role::Inert),
            value("-f --file", Role::Read),
        ])
        .operands(Operands::None)
        .refine(mail),
    program(&["mutt", "neomutt"])
        .options(&[
            quiet("-n -p -R -v -y -z -Z -x -B -G"),
            value("-a", Role::Inert),
            value("-b -c -s -m -D -d -e", Role::Inert),
            value("-F -i -H -f", Role::Read),
            value("-Q -A", Role::Inert),
        ])
        .operands(Operands::None)
        .refine(mutt),
    program(&["sendmail", "msmtp", "ssmtp", "exim", "exim4", "nullmailer-inject", "esmtp", "mailsend", "sendemail", "sendEmail"])
        .options(&[
            quiet("-i -t -v -bm -bs -oi -n"),
            value("-f -F -o -O -a -u -m -s -xu -xp -cc -bcc", Role::Inert),
            value("-C", Role::Read),
            value("-be", Role::Inert),
        ])
        .operands(Operands::None)
        .refine(mail),
    program(&["swaks"])
        .options(&[
            HELP,
            value("-t --to -f --from -s --server -p --port -h --header -au -ap --auth-user --auth-password -tls", Role::Inert),
            value("--attach -d --data -b --body --attach-body", Role::Inert),
        ])
        .operands(Operands::None)
        .refine(mail),
    program(&["mpack", "biabam", "metasend", "uuenview", "alpine", "pine", "elm"]).options(&[value("-s -d -m -c -I", Role::Inert), value("-F -init", Role::Read)]).refine(mail),
    program(&["lp", "lpr", "lp.cups"])
        .options(&[value("-d -h -n -o -q -t -P -U -i -J -C -T", Role::Inert), quiet("-c -m -s -E -l -r -p")])
        .all(Role::Read)
        .refine(print),
    program(&["croc", "wormhole", "magic-wormhole", "ffsend", "pastebinit", "wgetpaste", "gist-paste", "pastebin", "termbin", "sprunge", "onionshare-cli"])
        .options(&[flag("--help --version -v", Do::Stop), value("-b -i -P -t --code --relay --host", Role::Inert)])
        .subs(&[program(&["receive", "recv", "download"]).all(Role::Inert)])
        .operands(Operands::None)
        .refine(share),
];

/// Commands of a transfer language, from options and from standard input: `get`, `put`, `!cmd`.
pub(super) fn batch(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    let hosts: Vec<Value> = operands_from(parsed, 0).into_iter().take(1).collect();
    if let Some(host) = hosts.first() {
        sink.connect(Verb::Connect, host, Flags::NONE, Provenance::NONE);
    }
    let mut texts: Vec<Value> = parsed.values("-c -e --command").cloned().collect();
    if texts.is_empty() && !parsed.has("-b -f --rcfile") {
        console(sink);
    }
    let files: Vec<Value> = parsed.values("-b -f --rcfile").cloned().collect();
    texts.extend(files.iter().map(|file| sink.read(file)));
    texts.push(sink.stdin());
    for text in texts.iter().filter_map(Value::known) {
        for line in text.split(['\n', ';']) {
            command(line.trim(), &hosts, sink);
        }
    }
}

fn command(line: &str, hosts: &[Value], sink: &mut dyn Sink) {
    if let Some(code) = line.strip_prefix('!') {
        return hook(&Value::literal(code.trim()), Flags::NONE, sink);
    }
    let mut words = line.split_ascii_whitespace().filter(|word| !word.starts_with('-'));
    let (verb, first, second) = (words.next().unwrap_or_default(), words.next(), words.next());
    match (verb.to_ascii_lowercase().as_str(), first) {
        ("get" | "recv" | "mget" | "reget" | "pget" | "mirror", Some(remote)) => {
            let local = second.or_else(|| remote.rsplit('/').next()).unwrap_or(remote);
            sink.write(&Value::literal(local), &downloaded(), Flags::TRUNCATE | Flags::DOWNLOAD);
        }
        ("put" | "send" | "mput" | "append" | "reput", Some(local)) => {
            send_file(&Value::literal(local), hosts, sink);
        }
        ("shell" | "exec", Some(_)) => {
            let code = line.split_once(' ').map_or("", |(_, code)| code);
            hook(&Value::literal(code), Flags::NONE, sink);
        }
        _ => {}
    }
}

/// `tftp HOST -c put FILE`, `BusyBox`'s `tftp -p -l FILE HOST`, or commands on standard input.
fn tftp(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let hosts: Vec<Value> = operands_from(parsed, 0).into_iter().take(1).collect();
    if let Some(verb) = parsed.value("-c") {
        let words: Vec<String> = parsed.words().skip(1).collect();
        command(&format!("{} {}", verb.shown(), words.join(" ")), &hosts, sink);
    }
    match parsed.value("-l --local-file") {
        Some(file) if parsed.has("-p --put") => send_file(file, &hosts, sink),
        Some(file) => sink.write(file, &downloaded(), Flags::TRUNCATE | Flags::DOWNLOAD),
        None => batch(parsed, sink),
    }
}

/// Scripts of serial terminals: a line that begins with `!` is shell text.
fn serial_script(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let operand = parsed.operand(0).filter(|_| parsed.program == "runscript");
    let Some(script) = parsed.value("-S --script").or(operand) else { return };
    let text = sink.read(script);
    escapes(&text, sink);
}

/// A message: attachments, the body on standard input, and escapes to a shell.
fn mail(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    let to = Target::Named("message", parsed.words().collect::<Vec<_>>().join(", "));
    let input = sink.stdin();
    let mut data = input.provenance;
    for file in parsed.values("-a -A --attach") {
        data |= sink.read(&file_of(file)).provenance;
    }
    for text in parsed.values("-d --data -b --body --attach-body -s --subject -m") {
        data |= text.provenance;
    }
    if !parsed.operands.is_empty() || parsed.has("-a -A --attach -t --to") {
        sink.effect(Verb::Send, to, Flags::UPLOAD, data);
    }
    for text in parsed.values("-E --exec").chain([&input]) {
        escapes(text, sink);
    }
}

/// `-e 'source "CODE|"'` reads what a command prints, and backticks run one.
fn mutt(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for command in parsed.values("-e").filter_map(Value::known) {
        for code in command.split('`').skip(1).step_by(2) {
            hook(&Value::literal(code), Flags::NONE, sink);
        }
        let source = command.trim_start().strip_prefix("source");
        let piped = source.and_then(|source| source.trim().trim_matches(['"', '\'']).strip_suffix('|'));
        if let Some(code) = piped {
            hook(&Value::literal(code), Flags::NONE, sink);
        }
        if let Some((_, code)) = command.split_once("shell=") {
            let quote = code.chars().next().filter(|c| matches!(c, '"' | '\''));
            let end = quote.unwrap_or(' ');
            let code = code.trim_start_matches(end).split(end).next().unwrap_or_default();
            hook(&Value::literal(code), Flags::NONE, sink);
        }
    }
    mail(parsed, sink);
}

fn file_of(file: &Value) -> Value {
    super::kinds::strip_prefix(file, "@").unwrap_or_else(|| file.clone())
}

/// `!cmd` in a mail reader's commands, `~!cmd` in a body.
fn escapes(text: &Value, sink: &mut dyn Sink) {
    let Some(text) = text.known() else { return };
    for line in text.lines() {
        if let Some(code) = line.strip_prefix("~!").or_else(|| line.strip_prefix('!')) {
            hook(&Value::literal(code.trim()), Flags::NONE, sink);
        }
    }
}

/// A printer on another host gets the file.
fn print(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(host) = parsed.value("-h").cloned() else { return };
    for file in operands_from(parsed, 0) {
        send_file(&file, std::slice::from_ref(&host), sink);
    }
}

/// Files put where others can fetch them.
fn share(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    let mut data = sink.stdin().provenance;
    for file in operands_from(parsed, 0) {
        if file.known().is_none_or(|word| !matches!(&*word, "send" | "upload" | "receive")) {
            data |= sink.read(&file).provenance;
        }
    }
    sink.effect(Verb::Send, Target::Named("message", parsed.program.to_owned()), Flags::UPLOAD, data);
}
