//! Programs that make this machine reachable from outside, and servers.

use super::arguments::Parsed;
use super::kinds::HELP;
use super::schema::{
    Aim, Deed, Do, Operands, Program, Role, Syntax, deed, flag, program, quiet, value, value_does,
};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

/// A service of this machine becomes public.
const EXPOSES: &[Deed] = &[deed(Verb::Listen, Aim::None, Flags::GLOBAL)];
const LISTENS: &[Deed] = &[deed(Verb::Listen, Aim::None, Flags::NONE)];

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    program(&["ngrok"])
        .options(&[HELP, value("--authtoken --config --domain --region --log", Role::Inert)])
        .subs(&[
            program(&["http", "tcp", "tls", "start", "tunnel"]).does(EXPOSES),
            program(&["config", "authtoken", "version", "help", "update", "diagnose"]),
        ]),
    program(&["cloudflared"])
        .options(&[HELP, value("--config --loglevel --logfile --credentials-file --origincert", Role::Inert)])
        .subs(&[
            program(&[
                "tunnel list",
                "tunnel info",
                "tunnel login",
                "tunnel create",
                "tunnel token",
                "tunnel ingress",
            ]),
            program(&["tunnel delete", "tunnel cleanup"]).does(&[deed(
                Verb::Destroy,
                Aim::Kind("cloud resource"),
                Flags::NONE,
            )]),
            program(&["tunnel"])
                .options(&[value("--url --hostname --name --hello-world", Role::Inert)])
                .does(EXPOSES),
            program(&["access", "login", "update", "version", "proxy-dns", "tail"]),
        ]),
    program(&[
        "localtunnel",
        "lt",
        "bore",
        "zrok",
        "tunnelto",
        "expose",
        "inlets",
        "pagekite",
        "pagekite.py",
        "playit",
        "telebit",
        "loophole",
        "untun",
    ])
    .options(&[HELP])
    .does(EXPOSES),
    program(&["tailscale"]).subs(&[
        program(&["serve status", "serve reset", "funnel status", "funnel reset"]),
        program(&["serve", "funnel"])
            .options(&[HELP, value("--set-path", Role::Inert), quiet("--bg --yes")])
            .all(Role::Read)
            .does(EXPOSES),
        program(&["file cp"]).operands(Operands::LastIs(Role::SendFile, Role::Inert)),
        program(&["status", "ip", "ping", "netcheck", "version", "whois", "dns", "file get"]),
        program(&["ssh"]).syntax(Syntax::FirstOperandEnds).refine(super::ssh::ssh),
        program(&["up", "set"])
            .options(&[flag("--ssh", Do::Emit(deed(Verb::Listen, Aim::None, Flags::GLOBAL)))])
            .does(&[deed(Verb::Login, Aim::None, Flags::NONE)]),
        program(&["down", "login", "logout"]).does(&[deed(Verb::Login, Aim::None, Flags::NONE)]),
    ]),
    // Serving files to the neighbourhood is everyday work; the effect is recorded all the same.
    program(&[
        "http-server",
        "serve",
        "live-server",
        "simple-http-server",
        "miniserve",
        "dufs",
        "woof",
        "webfsd",
        "thttpd",
        "mini_httpd",
        "darkhttpd",
        "updog",
        "gohttpserver",
        "static-server",
    ])
    .options(&[HELP, value("-p --port -a --address -l --listen -c --config", Role::Inert)])
    .does(LISTENS),
    program(&["nginx", "openresty"])
        .options(&[
            flag("-v -V -h -?", Do::Stop),
            quiet("-t -T -q"),
            value("-c", Role::Script(Lang::Other("nginx"))),
            value("-g", Role::Code(Lang::Other("nginx"))),
            value("-p -s", Role::Inert),
            value("-e", Role::Append),
        ])
        .refine(nginx),
    program(&["apache2", "httpd", "apache2ctl", "apachectl"])
        .options(&[
            quiet("-t -S -M -l -L -V -v -X"),
            // busybox' own takes a port and a directory.
            value_does("-p", Do::Emit(deed(Verb::Listen, Aim::None, Flags::NONE))),
            value("-h", Role::Read),
            value("-C -c", Role::Inert),
            value("-f", Role::Read),
            value("-d -D -e -E -k", Role::Inert),
        ])
        .refine(includes),
    program(&[
        "mosquitto",
        "squid",
        "stunnel",
        "stunnel4",
        "haproxy",
        "lighttpd",
        "caddy",
        "traefik",
        "slapd",
        "named",
        "unbound",
        "vsftpd",
        "proftpd",
        "smbd",
        "rsyncd",
        "tinyproxy",
        "privoxy",
        "3proxy",
        "dante",
        "sockd",
        "microsocks",
    ])
    .options(&[
        HELP,
        flag("-t -v -V -tt", Do::Stop),
        value("-c -f -C --config --config.file", Role::Read),
        value("-p --port -u -d --dir", Role::Inert),
    ]),
    program(&["xinetd", "inetd"]).options(&[value("-f", Role::Read), quiet("-d -dontfork")]),
    program(&[
        "x11vnc",
        "vncserver",
        "Xvnc",
        "tigervncserver",
        "wayvnc",
        "xrdp",
        "anydesk",
        "teamviewer",
        "rustdesk",
    ])
    .options(&[HELP])
    .does(EXPOSES),
];

/// Who is served matters little for a project's files; whoever is given the whole machine, or a home, is given its secrets.
pub(super) fn reach(directory: &Value, sink: &dyn Sink) -> Flags {
    let home = sink.home();
    let everything = directory.known().is_some_and(|path| {
        let path = path.trim_end_matches('/');
        matches!(path, "" | "/etc" | "/home" | "/root" | "/Users") || path == home.trim_end_matches('/')
    });
    if everything { Flags::GLOBAL } else { Flags::NONE }
}

/// `-C "Include FILE"`: directives on the command line name files.
fn includes(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    super::services::told_to_end(parsed, sink);
    for directive in parsed.values("-C -c") {
        for name in ["Include ", "IncludeOptional ", "include "] {
            if let Some(path) = super::kinds::strip_prefix(directive, name) {
                sink.read(&path);
            }
        }
        if let Some(module) = super::kinds::strip_prefix(directive, "LoadModule ") {
            let path = super::kinds::split_once(&module, ' ').map_or(module, |(_, path)| path);
            sink.path(Verb::Execute, &path, Flags::HOOK);
        }
    }
}

/// `load_module` loads code, and logs are written where a directive says.
fn nginx(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    super::services::told_to_end(parsed, sink);
    let files: Vec<Value> = parsed.values("-c").cloned().collect();
    let mut texts: Vec<Value> = files.iter().map(|file| sink.read(file)).collect();
    texts.extend(parsed.values("-g").cloned());
    for directive in texts.iter().filter_map(Value::known).flat_map(|text| directives(&text)) {
        let path = Value::literal(directive.path);
        match directive.name.as_str() {
            "load_module" => sink.path(Verb::Execute, &path, Flags::HOOK),
            "error_log" | "access_log" | "pid" | "lock_file" => sink.path(Verb::Write, &path, Flags::APPEND),
            "include" => drop(sink.read(&path)),
            _ => {}
        }
    }
}

/// The name and the first word of a directive.
struct Directive {
    name: String,
    path: String,
}

fn directives(text: &str) -> Vec<Directive> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let parts = lines.flat_map(|line| line.split([';', '{', '}']));
    let pair = |part: &str| {
        let mut words = part.split_whitespace();
        Some(Directive {
            name: words.next()?.to_owned(),
            path: words.next()?.trim_matches(['"', '\'']).to_owned(),
        })
    };
    parts.filter_map(pair).filter(|directive| directive.path.starts_with(['/', '.'])).collect()
}

#[cfg(test)]
mod tests {
    use super::directives;

    #[test]
    fn directives_that_name_files_are_found() {
        let found = directives("# load_module /no;\nuser www;\nhttp { access_log /var/log/a combined; }");
        let found: Vec<_> = found.iter().map(|one| (one.name.as_str(), one.path.as_str())).collect();
        assert_eq!(found, [("access_log", "/var/log/a")]);
    }
}
