//! Programs that fetch from the web, other than curl.

use super::arguments::Parsed;
use super::kinds::HELP;
use super::requests::{downloaded, inside, name_of, origin, places, save, send, send_file};
use super::schema::{Do, Operands, Opt, Program, Role, Source, attached, flag, program, quiet, value};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

const SHELL: Role = Role::Code(Lang::Shell);

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    program(&["wget", "wget2"]).env(&[("WGETRC", Role::Read)]).options(WGET_OPTIONS).operands(Operands::None).stdout(Source::Nothing).refine(wget),
    program(&["http", "https", "httpie", "xh", "xhs", "ht"])
        .options(&[
            HELP,
            quiet("-j --json -f --form --multipart -p -h --headers -b --body -v --verbose --all -S --stream -d --download -c -q -F"),
            quiet("-I --ignore-stdin --follow --check-status --offline --pretty --curl -m -M"),
            value("-a --auth -A --auth-type --session --session-read-only --proxy --max-redirects --timeout --verify", Role::Inert),
            value("--cert --cert-key --print -P --style -s --response-charset --raw", Role::Inert),
            value("-o --output", Role::Inert),
        ])
        .stdout(Source::Network)
        .refine(httpie),
    program(&["aria2c"])
        .options(&[
            HELP,
            value("-d --dir -o --out", Role::Inert),
            value("-i --input-file --conf-path --load-cookies --torrent-file -T -M --metalink-file", Role::Read),
            value("-l --log --save-cookies --save-session", Role::Write),
            value("--on-download-complete --on-download-start --on-download-stop --on-download-error --on-download-pause", SHELL),
            value("--on-bt-download-complete", SHELL),
            value("-x -s -j -k -m -t -u -U --gid --header --referer --user-agent --max-connection-per-server --split", Role::Inert),
            attached("--allow-overwrite --auto-file-renaming -c --continue --enable-rpc --check-certificate", Do::Nothing),
        ])
        .all(Role::Url)
        .stdout(Source::Nothing)
        .refine(aria),
    program(&["lwp-download"]).operands(Operands::Each(&[Role::Url, Role::Inert])).stdout(Source::Nothing).refine(download_second),
    program(&["lwp-request", "GET", "POST", "HEAD", "lwp-mirror"])
        .options(&[value("-m -b -t -i -c -C -H -p", Role::Inert), quiet("-f -P -a -u -U -s -S -e -E -d -D -x -w")])
        .all(Role::Url)
        .stdout(Source::Network),
    program(&["axel", "lftpget", "ncftpget", "puf", "snarf", "saldl", "fetch", "urlget", "youtube-dl", "yt-dlp", "gallery-dl", "httrack", "you-get"])
        .options(&[
            HELP,
            value("-o --output -O --out -P", Role::Inert),
            value("--exec --netrc-cmd --exec-before-download", SHELL),
            value("--plugin-dirs", Role::Library),
            value("--downloader --external-downloader", Role::Program),
            value("-n -s -H -U -T -f --format -S --proxy --cookies --username --password", Role::Inert),
            value("--config-location --batch-file -a", Role::Read),
            quiet("-q -v -x --extract-audio"),
        ])
        .all(Role::Url)
        .refine(downloader),
    program(&["links", "links2", "elinks", "lynx", "w3m", "www-browser", "browsh"])
        .options(&[
            HELP,
            quiet("-dump --dump -source --source -dump-width -no-home -stdin -force_html -nolist -crawl -g -N"),
            value("-T -o -cols -width -eval -config-dir -cfg -lss -cmd_script", Role::Inert),
            value("-post_data", Role::Inert),
        ])
        .all(Role::Read)
        .stdout(Source::Network)
        .refine(browser),
    program(&["ab", "hey", "wrk", "siege", "vegeta", "oha", "bombardier", "k6", "artillery"])
        .options(&[
            HELP,
            value("-p -u -D --body-file --body", Role::Inert),
            value("-n -c -t -d -H -A -C -T -s -m -x -X -y -Z -e -g -v -w -rate -duration", Role::Inert),
            value("-E", Role::Read),
        ])
        .operands(Operands::None)
        .refine(bench),
    program(&[ "gnome-open", "sensible-browser", "x-www-browser", "firefox", "chromium", "google-chrome"])
        .options(&[attached("--renderer-cmd-prefix --utility-cmd-prefix --gpu-launcher --browser-subprocess-path", Do::Is(SHELL)), quiet("--no-sandbox --headless")])
        .all(Role::Inert),
];

const WGET_OPTIONS: &[Opt] = &[
    flag("-h --help -V --version", Do::Stop),
    flag("--no-check-certificate", Do::Set(Flags::TLS_OFF)),
    flag("--spider", Do::Nothing),
    value("-O --output-document -P --directory-prefix", Role::Inert),
    value("--post-file --body-file --post-data --body-data --header", Role::Inert),
    value("-i --input-file --config --load-cookies -B --base", Role::Read),
    value("-o --output-file --save-cookies --rejected-log --warc-file --hsts-file", Role::Write),
    value("-a --append-output", Role::Append),
    value("--use-askpass", Role::Program),
    value("-e --execute", Role::Inert),
    value(
        "-t --tries -T --timeout --dns-timeout --connect-timeout --read-timeout -w --wait --waitretry -Q --quota",
        Role::Inert,
    ),
    value(
        "--limit-rate --bind-address --user --password --http-user --http-password --proxy-user --proxy-password",
        Role::Inert,
    ),
    value(
        "--ftp-user --ftp-password -U --user-agent --referer --method --certificate --certificate-type --private-key",
        Role::Inert,
    ),
    value(
        "--private-key-type --ca-certificate --ca-directory --crl-file --secure-protocol --ciphers -l --level -A --accept",
        Role::Inert,
    ),
    value(
        "-R --reject --accept-regex --reject-regex --regex-type -D --domains --exclude-domains --follow-tags",
        Role::Inert,
    ),
    value(
        "--ignore-tags -I --include-directories -X --exclude-directories --cut-dirs --default-page -S --start-pos",
        Role::Inert,
    ),
    value(
        "--max-redirect --progress --restrict-file-names --prefer-family --retry-on-http-error --local-encoding",
        Role::Inert,
    ),
    value(
        "--remote-encoding --report-speed --pinnedpubkey --egd-file --random-file --compression --warc-header",
        Role::Inert,
    ),
    value("--warc-max-size --warc-dedup --warc-tempdir --choose-config --https-only", Role::Inert),
    quiet(
        "-b --background -c --continue -d --debug -E --adjust-extension -F --force-html -H --span-hosts -k --convert-links",
    ),
    quiet(
        "-K --backup-converted -L --relative -m --mirror -N --timestamping -nc --no-clobber -nd --no-directories -nH",
    ),
    quiet(
        "-np --no-parent -nv --no-verbose -p --page-requisites -q --quiet -r --recursive -x --force-directories -v -4 -6",
    ),
    quiet(
        "--no-host-directories --random-wait --no-proxy --no-dns-cache --ask-password --no-cookies --content-disposition",
    ),
    quiet(
        "--trust-server-names --show-progress --server-response --no-cache --no-hsts --auth-no-challenge --xattr --unlink",
    ),
];

fn urls(parsed: &Parsed<'_>) -> Vec<Value> {
    places(parsed.operands.iter().map(|argument| &argument.value))
}

/// wget saves what it fetches under the URL's name, unless told otherwise.
fn wget(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    let urls = urls(parsed);
    super::requests::fetch(&urls, sink);
    for file in parsed.values("--post-file --body-file") {
        send_file(file, &urls, sink);
    }
    for text in parsed.values("--post-data --body-data --header") {
        send(origin(text, &urls), &urls, sink);
    }
    execute_settings(parsed, sink);
    if !parsed.has("--spider") {
        keep(parsed, &urls, "-O --output-document", "-P --directory-prefix", sink);
    }
}

/// `-e name=value`: settings as in wgetrc, some of which name files and programs.
fn execute_settings(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for setting in parsed.values("-e --execute") {
        let Some((name, content)) = super::kinds::split_once(setting, '=') else { continue };
        match name.trim().to_ascii_lowercase().replace(['_', '-'], "").as_str() {
            "useaskpass" => sink.path(Verb::Execute, &content, Flags::HOOK),
            "outputdocument" => save(&content, sink),
            "postfile" | "bodyfile" => send_file(&content, &urls(parsed), sink),
            "input" => {
                sink.read(&content);
            }
            _ => {}
        }
    }
}

/// Saves each download: under the given name, or in the given directory under its own.
fn keep(parsed: &Parsed<'_>, urls: &[Value], to: &'static str, into: &'static str, sink: &mut dyn Sink) {
    match parsed.value(to) {
        Some(path) if path.known().is_some_and(|word| matches!(&*word, "-" | "/dev/stdout")) => {
            sink.print(downloaded());
        }
        Some(path) => save(&inside(parsed.value(into), path), sink),
        None => {
            for name in urls.iter().filter_map(name_of) {
                save(&inside(parsed.value(into), &name), sink);
            }
        }
    }
}

fn aria(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if !parsed.stopped {
        keep(parsed, &urls(parsed), "-o --out", "-d --dir", sink);
    }
}

fn downloader(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if !parsed.stopped {
        keep(parsed, &urls(parsed), "-o --output -O --out", "-P", sink);
    }
}

/// `lwp-download URL [PATH]`.
fn download_second(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let path = parsed.operand(1).cloned().or_else(|| parsed.operand(0).and_then(name_of));
    match path {
        Some(path) if path.known().is_some_and(|word| matches!(&*word, "-" | "/dev/stdout")) => {
            sink.print(downloaded());
        }
        Some(path) => save(&path, sink),
        None => {}
    }
}

/// `HTTPie`'s items: `name=text`, `name:=json`, `name@file`, `name=@file`, `Header:text`, after the URL.
fn httpie(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    let is_method = parsed
        .word(0)
        .is_some_and(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase()));
    let at = usize::from(is_method);
    let Some(url) = parsed.operand(at).cloned() else { return };
    let to = places(std::iter::once(&url));
    super::requests::fetch(&to, sink);
    for item in super::kinds::operands_from(parsed, at + 1) {
        send_item(&item, &to, sink);
    }
    let input = sink.stdin();
    if input.provenance.has(Provenance::SECRET) {
        send(input.provenance, &to, sink);
    }
    if let Some(path) = parsed.value("-o --output") {
        save(path, sink);
    }
}

fn send_item(item: &Value, to: &[Value], sink: &mut dyn Sink) {
    let text = item.known_prefix();
    let file = text.find('@').filter(|at| !text.bytes().take(*at).any(|byte| byte == b' ' || byte == b'/'));
    match file.and_then(|_| super::kinds::split_once(item, '@')) {
        Some((_, path)) => send_file(&path, to, sink),
        None => send(origin(item, to), to, sink),
    }
}

/// Text browsers show local files, too.
fn browser(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for setting in parsed.values("-o").filter(|_| parsed.program == "w3m") {
        let helper = super::kinds::split_once(setting, '=').filter(|(name, _)| {
            ["extbrowser", "editor", "mailer"].iter().any(|helper| name.starts_with(helper))
        });
        if let Some((_, command)) = helper {
            super::kinds::load_path(&command, sink);
            super::kinds::hook(&command, Flags::NONE, sink);
        }
    }
    for argument in &parsed.operands {
        if argument.value.known_prefix().contains("://") {
            sink.connect(Verb::Connect, &argument.value, Flags::DOWNLOAD, argument.value.provenance);
        }
    }
}

/// Load generators post a file again and again.
fn bench(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let urls = urls(parsed);
    for file in parsed.values("-p -u -D --body-file") {
        send_file(file, &urls, sink);
    }
}
