//! Ciphers, keys and where secrets are kept.

use super::arguments::Parsed;
use super::kinds::HELP;
use super::schema::{
    Aim, Deed, Do, Operands, Program, Role, Source, Syntax, attached, deed, flag, program, quiet, value,
};
use crate::effect::{Flags, Target, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

const SHELL: Role = Role::Code(Lang::Shell);
/// A secret is shown.
const SHOWS: &[Deed] = &[deed(Verb::Read, Aim::Kind("secret"), Flags::NONE)];

/// A sub-command that shows secrets.
const fn shows(names: &'static [&'static str]) -> Program {
    program(names).does(SHOWS).stdout(Source::Secret)
}

/// Options of `openssl enc` that leave it without a cipher: what it prints can be computed.
const PLAIN_CODING: &[&str] = &["-a", "-A", "-base64", "-d", "-e", "-in"];

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    program(&["openssl"])
        .syntax(Syntax::SingleDash)
        .options(&[
            flag("-help --help", Do::Stop),
            value("-in -inkey -CAfile -CA -CAkey -cert -key -kfile -certfile -config -signkey -sigfile -signature -rand", Role::Read),
            value("-out -keyout -writerand -tracefile -msgfile -keylogfile -sess_out -CAserial", Role::Write),
            value("-engine -provider-path", Role::Library),
            value("-provider", Role::Prefixed(&[("/", Role::Library), ("./", Role::Library), ("../", Role::Library)])),
            value("-pass -passin -passout -k -K -iv -S -md -iter -days -subj -addext -extensions -newkey -inform -outform", Role::Inert),
            value("-set_serial -nameopt -cipher -ciphersuites -servername -starttls -proxy -alpn -verify -port -accept", Role::Inert),
            value("-sigopt -pkeyopt -name -seconds -multi -macopt -mac -hmac -startdate -enddate -purpose -policy", Role::Inert),
        ])
        .subs(&[
            program(&["s_client"]).options(&[value("-connect -host", Role::Host)]).stdin(Role::Send).stdout(Source::Network).refine(s_client),
            program(&["s_server"]).options(&[quiet("-WWW -HTTP -www -quiet -nocert")]).does(&[deed(Verb::Listen, Aim::None, Flags::NONE)]).stdout(Source::Network),
            program(&["enc", "aes-*", "des3", "des-*", "camellia-*", "chacha20", "base64", "bf-*", "rc4"])
                .options(&[quiet("-d -e -a -A -base64 -salt -nosalt -pbkdf2 -p -P -z -none -debug")])
                .stdin(Role::Inert)
                .stdout(Source::Decoded)
                .refine(decipher),
            program(&["engine"]).options(&[quiet("-t -c -tt -v -vv -vvv"), value("-pre -post", Role::Prefixed(&[("SO_PATH:", Role::Library)]))]).all(Role::Inert),
            program(&["rsa", "pkey", "ec", "pkcs8", "pkcs12", "pkcs7", "cms", "smime", "rsautl", "pkeyutl", "x509", "req", "ca", "crl", "dgst", "asn1parse"])
                .stdout(Source::Input)
                .operands(Operands::Rest(Role::Read)),
            program(&["rand", "genrsa", "genpkey", "ecparam", "dhparam", "speed", "version", "ciphers", "list", "prime", "passwd", "verify"]),
        ]),
    program(&["gpg", "gpg2", "gpg1"])
        .options(&[
            flag("-h --help --version --dump-options --list-config", Do::Stop),
            flag("--export-secret-keys --export-secret-subkeys --export-secret-key --export-secret-ssh-key", Do::Emit(deed(Verb::Read, Aim::Kind("secret"), Flags::NONE))),
            flag("-d --decrypt", Do::Operands(Operands::Rest(Role::Read))),
            flag("--delete-secret-keys --delete-secret-key --delete-secret-and-public-key", Do::Emit(deed(Verb::Destroy, Aim::Each("secret"), Flags::IRREVERSIBLE))),
            value("-o --output", Role::Write),
            value("--homedir --options --keyring --secret-keyring --trustdb-name -u --local-user -r --recipient -R", Role::Inert),
            value("--passphrase --passphrase-fd --pinentry-mode --cipher-algo --digest-algo --compress-algo --trust-model", Role::Inert),
            value("--keyserver --recv-keys --recv --search-keys --fetch-keys --status-fd --batch-file -N --set-notation", Role::Inert),
            value("--passphrase-file", Role::Read),
            value("--photo-viewer", SHELL),
            value("--agent-program --dirmngr-program", Role::Program),
            quiet("-a --armor -b -e --encrypt -s --sign -c --symmetric --clearsign --detach-sign --verify --import --batch --yes --no-tty"),
            quiet("-k --list-keys -K --list-secret-keys --export --dearmor --enarmor --gen-key --full-gen-key --quiet -q -v --fingerprint"),
        ])
        .all(Role::Read)
        .stdout(Source::Input)
        .refine(gpg),
    program(&["gpgv", "gpgsm", "gpgconf", "gpg-connect-agent", "gpgtar", "gpg-agent"]).options(&[HELP, value("-o --output", Role::Write), value("-f --file", Role::Read)]),
    program(&["age", "rage"])
        .options(&[HELP, quiet("-d --decrypt -e --encrypt -a --armor -p --passphrase"), value("-o --output", Role::Write), value("-i --identity", Role::Inert), value("-r --recipient -R", Role::Inert)])
        .all(Role::Read)
        .stdout(Source::Input),
    program(&["sops"])
        .options(&[flag("-d --decrypt", Do::Emit(deed(Verb::Read, Aim::First("secret"), Flags::NONE))), value("--output", Role::Write), value("--extract --input-type --output-type --age --kms --pgp --config", Role::Inert)])
        .subs(&[
            shows(&["decrypt"]),
            program(&["exec-env", "exec-file"]).operands(Operands::Each(&[Role::Inert, SHELL])),
        ]),
    program(&["pass", "gopass"]).subs(&[
        shows(&["show", "cat"]),
        program(&["ls", "list", "find", "search", "init", "insert", "generate", "git", "help", "version", "edit", "add", "rm", "cp", "mv"]),
    ])
    .refine(pass),
    program(&["secret-tool"]).subs(&[shows(&["lookup"]), shows(&["search"]), program(&["store", "clear"])]),
    program(&["security"]).subs(&[
        shows(&["dump-keychain", "export"]),
        program(&["find-generic-password", "find-internet-password"])
            .options(&[flag("-w -g", Do::Emit(deed(Verb::Read, Aim::Kind("secret"), Flags::NONE))), value("-a -c -C -D -G -j -l -s", Role::Inert)]),
        program(&["authorizationdb write", "authorizationdb remove"])
            .does(&[deed(Verb::Account, Aim::Kind("account"), Flags::NONE)]),
        program(&["find-identity", "find-certificate", "list-keychains", "default-keychain", "verify-cert", "show-keychain-info"]),
    ]),
    program(&["keyring"]).subs(&[shows(&["get"])]),
    program(&["keyctl"]).subs(&[shows(&["print", "pipe", "read"])]),
    program(&["kwallet-query"]).options(&[value("-r --read-password", Role::Inert)]).does(SHOWS),
    program(&["bw", "bitwarden", "rbw", "bws"]).subs(&[shows(&["get", "export", "list items", "secret get", "secret list"]), super::kinds::wrapper(&["run"]).options(&[value("--project-id --shell", Role::Inert)])]),
    program(&["lpass", "dcli", "keepassxc-cli", "kpcli", "nordpass", "1pass"]).subs(&[shows(&["show", "export", "password", "p", "clip"])]),
    program(&["mimipenguin", "mimipenguin.sh", "lazagne", "laZagne.py", "mimikatz", "pypykatz", "secretsdump.py", "impacket-secretsdump", "firefox_decrypt.py", "truffleproc", "hashdump", "chromepass"]).does(SHOWS).stdout(Source::Secret),
    program(&["john", "hashcat"]).options(&[HELP, value("-o --outfile --pot --session --rules --format -m -a --potfile-path", Role::Inert), attached("--wordlist -w", Do::Nothing)])
        .all(Role::Read)
        .refine(cracked),
    program(&["xclip", "xsel", "pbcopy", "wl-copy", "clip", "clip.exe"])
        .options(&[quiet("-i -in -b --clipboard -p --primary -s"), value("-selection -sel -d -display -t -target -l -loops", Role::Inert), flag("-o -out --output", Do::Nothing)])
        .all(Role::Read),
    program(&["pbpaste", "wl-paste"]).stdout(Source::Secret),
];

fn s_client(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let input = sink.stdin().provenance;
    for host in parsed.values("-connect -host") {
        sink.connect(Verb::Send, host, Flags::NONE, input);
    }
}

/// What `-d` prints was hidden; what it hid may be anything.
fn decipher(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let input = match parsed.value("-in") {
        Some(path) => sink.read(path),
        None => sink.stdin(),
    };
    let only_coded = parsed.subcommands.last().is_some_and(|name| *name == "base64")
        || parsed.options.iter().all(|given| PLAIN_CODING.contains(&given.name.as_str()));
    if parsed.has("-out") || only_coded {
        return;
    }
    let decoded = if parsed.has("-d") { Provenance::DECODED } else { Provenance::NONE };
    sink.print(Value::unknown("the result of openssl", input.provenance | decoded));
}

fn gpg(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.has("--export-secret-keys --export-secret-subkeys --export-secret-key --export-secret-ssh-key")
    {
        sink.print(Value::unknown("secret keys", Provenance::SECRET));
    } else if parsed.has("-d --decrypt") && !parsed.has("-o --output") {
        let input = sink.stdin();
        sink.print(Value::unknown("the decrypted text", input.provenance | Provenance::DECODED));
    }
}

/// `pass NAME` shows it.
fn pass(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.subcommands.is_empty() {
        for name in parsed.words().take(1) {
            sink.effect(Verb::Read, Target::Named("secret", name), Flags::NONE, Provenance::SECRET);
            sink.print(Value::unknown("the password", Provenance::SECRET));
        }
    }
}

/// What a cracker finds goes to a file.
fn cracked(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.program == "john" {
        super::operands::named(Verb::Escalate, "passwords", "", Flags::NONE, sink);
    }
    for path in parsed.values("-o --outfile") {
        sink.path(Verb::Write, path, Flags::APPEND);
    }
}
