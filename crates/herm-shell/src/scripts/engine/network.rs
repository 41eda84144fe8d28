//! Calls that reach other machines.

use super::{HandleKind, Reader, Val};
use crate::effect::{Flags, Verb};
use crate::value::{Provenance, Value};

impl Reader<'_> {
    /// Opens a connection: host and port as arguments, as options, or as one address.
    pub(super) fn connect(&mut self, arguments: &[Val], host: usize, port: usize) -> Val {
        if let Some(port) = named(arguments, &["LocalPort", "Listen"]) {
            return self.listen(&[port], 0);
        }
        let host =
            named(arguments, HOSTS).or_else(|| arguments.get(host).filter(|host| !is_name(host)).cloned());
        let port =
            named(arguments, PORTS).or_else(|| arguments.get(port).cloned()).filter(|port| !is_name(port));
        let mut to = match &host {
            Some(host) => self.text(host),
            None => Value::unknown("host", Provenance::NONE),
        };
        if let Some(port) = port.filter(|port| port.number().is_some() && !to.shown().contains(':')) {
            to.push_str(":");
            to.push(&port.plain());
        }
        self.sink.connect(Verb::Connect, &to, Flags::NONE, Provenance::NONE);
        self.connected(to)
    }

    /// A connection is there: what is read from it comes from outside.
    pub(in crate::scripts) fn connected(&mut self, to: Value) -> Val {
        self.ambient |= Provenance::NETWORK;
        self.socket = Some(to.clone());
        self.wiring.connected(self.sink);
        self.handle(HandleKind::Socket, to, Value::unknown("received", Provenance::NETWORK))
    }

    /// A request that is open: what is written to it goes out. It is no connection that could drive a shell.
    pub(in crate::scripts) fn request_to(&mut self, url: Value) -> Val {
        self.handle(HandleKind::Socket, url, Value::unknown("answer", Provenance::NETWORK))
    }

    pub(super) fn listen(&mut self, arguments: &[Val], port: usize) -> Val {
        let port = arguments.get(port).map(Val::plain).unwrap_or_default();
        self.sink.connect(Verb::Listen, &port, Flags::NONE, Provenance::NONE);
        self.connected(port)
    }

    pub(super) fn fetch(&mut self, arguments: &[Val], url: usize) -> Val {
        let url = match arguments.get(url) {
            Some(options) if options.is_options() => {
                named(arguments, HOSTS).unwrap_or_else(|| Val::name("url"))
            }
            Some(url) => url.clone(),
            None => Val::name("url"),
        };
        let url = self.text(&url);
        let sent = arguments.iter().filter_map(|argument| argument.keyed(BODIES)).fold(
            Provenance::NONE,
            |all, body| {
                let body = self.text(&body);
                all | body.provenance
            },
        );
        if !sent.is_empty() {
            self.sink.connect(Verb::Send, &url, Flags::UPLOAD, sent);
        }
        self.fetch_url(&url)
    }

    pub(super) fn fetch_url(&mut self, url: &Value) -> Val {
        self.sink.connect(Verb::Connect, url, Flags::DOWNLOAD, Provenance::NONE);
        self.ambient |= Provenance::NETWORK;
        Val::unknown(&url.shown(), Provenance::NETWORK)
    }

    /// Data goes to a URL; what comes back is the network's.
    pub(super) fn send(&mut self, arguments: &[Val], url: usize) -> Val {
        let target = self.argument_text(arguments, url);
        let mut data = Provenance::NONE;
        for argument in
            arguments.iter().enumerate().filter(|(index, _)| *index != url).map(|(_, argument)| argument)
        {
            data |= self.text(&argument.clone()).provenance | argument.provenance();
        }
        self.sink.connect(Verb::Send, &target, Flags::UPLOAD, data);
        self.ambient |= Provenance::NETWORK;
        Val::unknown(&target.shown(), Provenance::NETWORK)
    }
}

const HOSTS: &[&str] = &["PeerAddr", "PeerHost", "host", "hostname", "url", "uri"];
const PORTS: &[&str] = &["PeerPort", "port"];
const BODIES: &[&str] = &["body", "data", "content", "headers", "http"];

fn is_name(argument: &Val) -> bool {
    matches!(argument, Val::Function(_)) || argument.is_options()
}

/// An option by one of its names, wherever it stands among the arguments. Perl's `PeerAddr, "x"` counts, too.
fn named(arguments: &[Val], keys: &[&str]) -> Option<Val> {
    let paired = arguments.iter().find_map(|argument| argument.keyed(keys));
    let listed = || {
        let at = arguments
            .iter()
            .position(|argument| matches!(argument, Val::Name(name, _) if keys.contains(&&**name)))?;
        arguments.get(at + 1).cloned()
    };
    paired.or_else(listed)
}
