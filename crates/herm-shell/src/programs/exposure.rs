//! Programs that make this machine reachable from outside, and servers.

use super::arguments::Parsed;
use super::kinds::HELP;
use super::schema::{Aim, Deed, Do, Operands, Program, Role, deed, flag, program, quiet, value, value_does};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::sink::Sink;

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
        program(&["serve", "funnel"])
            .options(&[HELP, value("--set-path", Role::Inert), quiet("--bg --yes")])
            .all(Role::Read)
            .does(EXPOSES),
        program(&["file cp"]).operands(Operands::LastIs(Role::SendFile, Role::Inert)),
        program(&["status", "ip", "ping", "netcheck", "version", "whois", "dns", "file get", "ssh"]),
        program(&["up", "down", "login", "logout", "set"]).does(&[deed(Verb::Login, Aim::None, Flags::NONE)]),
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
    program(&["nginx", "openresty"]).options(&[
        flag("-v -V -h -?", Do::Stop),
        quiet("-t -T -q"),
        value("-c", Role::Script(Lang::Other("nginx"))),
        value("-g", Role::Code(Lang::Other("nginx"))),
        value("-p -e -s", Role::Inert),
    ]),
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

/// `-C "Include FILE"`: directives on the command line name files.
fn includes(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
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
