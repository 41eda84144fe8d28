//! curl.

use super::arguments::Parsed;
use super::requests::{
    downloaded, fetch, inside, name_of, origin, places, save, send, send_field, send_file, send_text,
};
use super::schema::{Do, Operands, Opt, Program, Role, Source, attached, flag, program, quiet, value};
use crate::effect::Flags;
use crate::sink::Sink;
use crate::value::Value;

/// The family.
pub(super) static PROGRAMS: &[Program] = &[program(&["curl", "curlie", "curl-impersonate*"])
    .options(OPTIONS)
    .operands(Operands::None)
    .stdout(Source::Network)
    .refine(curl)];

const DATA: &str = "-d --data --data-ascii --data-binary --json --data-urlencode --url-query";

const OPTIONS: &[Opt] = &[
    attached("-h --help", Do::Stop),
    flag("-V --version -M --manual", Do::Stop),
    flag("-k --insecure --proxy-insecure --doh-insecure", Do::Set(Flags::TLS_OFF)),
    value("--url", Role::Inert),
    // What is sent: the refinement looks at `@file` and sends it to every URL.
    value(DATA, Role::Inert),
    value(
        "--data-raw -F --form --form-string -T --upload-file -H --header --proxy-header -A --user-agent",
        Role::Inert,
    ),
    value("-u --user -U --proxy-user --oauth2-bearer -b --cookie -e --referer", Role::Inert),
    // Where the answer goes.
    value("-o --output --output-dir", Role::Inert),
    quiet("-O --remote-name --remote-name-all -J --remote-header-name"),
    // Other files.
    value("-K --config --netrc-file --etag-compare", Role::Read),
    value(
        "-c --cookie-jar -D --dump-header --trace --trace-ascii --stderr --etag-save --hsts --alt-svc --libcurl",
        Role::Write,
    ),
    value("--engine", Role::Library),
    value(
        "--cacert --capath --cert -E --key --crlfile --proxy-cacert --proxy-capath --proxy-cert --proxy-key",
        Role::Inert,
    ),
    value("--unix-socket --abstract-unix-socket", Role::Inert),
    value(
        "-x --proxy --preproxy --socks4 --socks4a --socks5 --socks5-hostname --proxy1.0 --doh-url",
        Role::Host,
    ),
    value("--connect-to --resolve", Role::Inert),
    // Values that change nothing here.
    value(
        "-X --request -m --max-time --connect-timeout -r --range -C --continue-at -w --write-out -y --speed-time",
        Role::Inert,
    ),
    value(
        "-Y --speed-limit -z --time-cond -t --telnet-option -Q --quote -P --ftp-port --ftp-account --ftp-method",
        Role::Inert,
    ),
    value(
        "--ftp-alternative-to-user --ftp-ssl-ccc-mode --retry --retry-delay --retry-max-time --max-redirs",
        Role::Inert,
    ),
    value(
        "--max-filesize --limit-rate --rate --interface --dns-interface --dns-ipv4-addr --dns-ipv6-addr",
        Role::Inert,
    ),
    value(
        "--dns-servers --local-port --keepalive-time --keepalive-cnt --ciphers --tls13-ciphers --tls-max",
        Role::Inert,
    ),
    value(
        "--curves --cert-type --key-type --pass --pinnedpubkey --proto --proto-default --proto-redir",
        Role::Inert,
    ),
    value(
        "--proxy-cert-type --proxy-ciphers --proxy-crlfile --proxy-key-type --proxy-pass --proxy-pinnedpubkey",
        Role::Inert,
    ),
    value(
        "--proxy-service-name --proxy-tls13-ciphers --proxy-tlsauthtype --proxy-tlspassword --proxy-tlsuser",
        Role::Inert,
    ),
    value(
        "--pubkey --random-file --egd-file --request-target --sasl-authzid --service-name --noproxy --login-options",
        Role::Inert,
    ),
    value(
        "--mail-auth --mail-from --mail-rcpt --krb --delegation --expect100-timeout --happy-eyeballs-timeout-ms",
        Role::Inert,
    ),
    value(
        "--hostpubmd5 --hostpubsha256 --haproxy-clientip --create-file-mode --aws-sigv4 --ipfs-gateway",
        Role::Inert,
    ),
    value(
        "--parallel-max --socks5-gssapi-service --tlsauthtype --tlspassword --tlsuser --tftp-blksize",
        Role::Inert,
    ),
    value(
        "--trace-config --variable --vlan-priority --ip-tos --ech --postquote --prequote --out-null",
        Role::Inert,
    ),
    // Flags.
    quiet(
        "-0 -1 -2 -3 -4 -6 -a -f -g -G -i -I -j -l -L -n -N -p -q -R -s -S -v -Z -# -: --next --append --anyauth",
    ),
    quiet(
        "--basic --digest --negotiate --ntlm --ntlm-wb --compressed --compressed-ssh --create-dirs --crlf --fail",
    ),
    quiet(
        "--fail-early --fail-with-body --get --globoff --head --include --http0.9 --http1.0 --http1.1 --http2",
    ),
    quiet(
        "--http2-prior-knowledge --http3 --http3-only --ignore-content-length --ipv4 --ipv6 --junk-session-cookies",
    ),
    quiet(
        "--list-only --location --location-trusted --netrc --netrc-optional --no-alpn --no-buffer --no-clobber",
    ),
    quiet(
        "--no-keepalive --no-progress-meter --no-sessionid --parallel --parallel-immediate --path-as-is --post301",
    ),
    quiet(
        "--post302 --post303 --progress-bar --proxytunnel --raw --remote-time --remove-on-error --retry-all-errors",
    ),
    quiet(
        "--retry-connrefused --show-error --show-headers --silent --ssl --ssl-reqd --sslv2 --sslv3 --styled-output",
    ),
    quiet(
        "--suppress-connect-headers --tcp-fastopen --tcp-nodelay --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3",
    ),
    quiet(
        "--tr-encoding --trace-ids --trace-time --use-ascii --verbose --xattr --ca-native --cert-status --disable",
    ),
    quiet(
        "--disable-eprt --disable-epsv --disallow-username-in-url --false-start --form-escape --ftp-create-dirs",
    ),
    quiet(
        "--ftp-pasv --ftp-pret --ftp-skip-pasv-ip --ftp-ssl-ccc --ftp-ssl-control --metalink --skip-existing",
    ),
];

fn curl(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    let urls = urls(parsed);
    fetch(&urls, sink);
    ask_socket(parsed, sink);
    remove(parsed, &urls, sink);
    send_everything(parsed, &urls, sink);
    keep_answers(parsed, &urls, sink);
    configured(parsed, &urls, sink);
}

/// A file of options does what they do on the command line.
fn configured(parsed: &Parsed<'_>, urls: &[Value], sink: &mut dyn Sink) {
    for file in parsed.values("-K --config") {
        let text = match file.known() {
            Some(name) if name == "-" => sink.stdin().known().map(std::borrow::Cow::into_owned),
            Some(_) | None => sink.shown(file),
        };
        let mut argv = vec![Value::literal(parsed.program)];
        for line in text.iter().flat_map(|text| text.lines()).map(str::trim) {
            if sink.spend(1).is_err() {
                return;
            }
            argv.extend(option_line(line).map(Value::literal));
        }
        if argv.len() > 1 {
            argv.extend(urls.iter().cloned());
            let _ = sink.run(&argv, &Value::default());
        }
    }
}

/// An option and its value, `output = "x"` or `-o x`, as words. A file that is named in a file is not followed.
fn option_line(line: &str) -> impl Iterator<Item = String> {
    let end = line.find(|mark: char| mark.is_whitespace() || matches!(mark, '=' | ':')).unwrap_or(line.len());
    let (name, value) = line.split_at_checked(end).unwrap_or((line, ""));
    let is_option =
        !name.is_empty() && !name.starts_with('#') && !matches!(name, "-K" | "--config" | "config");
    let dashed = if name.starts_with('-') { name.to_owned() } else { format!("--{name}") };
    let value = value.trim_start_matches(|mark: char| mark.is_whitespace() || matches!(mark, '=' | ':'));
    let value = value.trim_matches('"').to_owned();
    let words = [Some(dashed), Some(value).filter(|value| !value.is_empty())];
    words.into_iter().flatten().filter(move |_| is_option)
}

/// A request to a socket of this machine that does more than look.
fn ask_socket(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let method = parsed.value("-X --request").map(Value::shown);
    let looks = method.is_none_or(|method| ["GET", "HEAD"].contains(&method.to_ascii_uppercase().as_str()));
    let gives = parsed.has("-d --data --data-ascii --data-binary --json --data-urlencode --data-raw")
        || parsed.has("-F --form --form-string -T --upload-file -K --config");
    // Who only looks is worth noting where the guard itself listens.
    let flags = if looks && !gives { crate::effect::Flags::METADATA } else { crate::effect::Flags::NONE };
    if let Some(socket) = parsed.value("--unix-socket --abstract-unix-socket") {
        sink.path(crate::effect::Verb::Send, socket, flags);
    }
}

/// `-X DELETE` removes what the address names; on this machine that is everyday testing, but for a whole search index.
fn remove(parsed: &Parsed<'_>, urls: &[Value], sink: &mut dyn Sink) {
    let method = parsed.value("-X --request").map(Value::shown).unwrap_or_default();
    for url in urls.iter().map(Value::shown) {
        let local = ["localhost", "127.", "0.0.0.0", "[::1]"].iter().any(|host| url.contains(host));
        let search = url.contains(":9200") || url.contains(":7700");
        let all = url.contains("_delete_by_query");
        if all || method.eq_ignore_ascii_case("DELETE") && (!local || search) {
            let kind = if search || all { "index" } else { "cloud resource" };
            super::operands::named(
                crate::effect::Verb::Destroy,
                kind,
                &url,
                crate::effect::Flags::NONE,
                sink,
            );
        }
    }
}

fn urls(parsed: &Parsed<'_>) -> Vec<Value> {
    let operands = parsed.operands.iter().map(|argument| &argument.value);
    places(operands.chain(parsed.values("--url")))
}

fn send_everything(parsed: &Parsed<'_>, urls: &[Value], sink: &mut dyn Sink) {
    for data in parsed.values(DATA) {
        send_text(&file_part(data), urls, sink);
    }
    for field in parsed.values("-F --form") {
        send_field(field, urls, sink);
    }
    for file in parsed.values("-T --upload-file") {
        send_file(file, urls, sink);
    }
    for text in parsed.values("--data-raw --form-string") {
        send(origin(text, urls), urls, sink);
    }
    for text in
        parsed.values("-H --header -u --user --oauth2-bearer -A --user-agent -b --cookie -e --referer")
    {
        let data = origin(text, urls);
        if data.has(crate::value::Provenance::SECRET) || text.known_prefix().starts_with('@') {
            send_text(text, urls, sink);
        }
    }
}

/// `--data-urlencode name@file` means the file as well.
fn file_part(data: &Value) -> Value {
    match super::kinds::split_once(data, '@') {
        Some((name, path))
            if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') =>
        {
            let mut file = Value::literal("@");
            file.push(&path);
            file
        }
        Some(_) | None => data.clone(),
    }
}

fn keep_answers(parsed: &Parsed<'_>, urls: &[Value], sink: &mut dyn Sink) {
    let directory = parsed.value("--output-dir");
    let mut kept = false;
    for path in parsed.values("-o --output") {
        if path.known().is_some_and(|word| word == "-") {
            return;
        }
        save(&inside(directory, path), sink);
        kept = true;
    }
    if parsed.has("-O --remote-name --remote-name-all") {
        for name in urls.iter().filter_map(name_of) {
            save(&inside(directory, &name), sink);
        }
        kept = true;
    }
    sink.print(if kept { Value::default() } else { downloaded() });
}
