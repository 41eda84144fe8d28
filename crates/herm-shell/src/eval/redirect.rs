//! Where input comes from and output goes to.

use std::rc::Rc;

use super::machine::{Event, Machine};
use super::scope::{Endpoint, Scope};
use crate::ast::{Descriptor, Redirect, RedirectOperator};
use crate::effect::{Flags, HostTarget, Target, Verb};
use crate::span::Span;
use crate::value::{Piece, Provenance, Value};

/// The descriptor of connections that builtins open.
const CONNECTED: u32 = 1012;

/// Where a command's output goes.
#[derive(Debug, Default)]
pub(crate) struct Wiring {
    files: Vec<Destination>,
    /// Whether standard output no longer reaches whoever reads it.
    taken: bool,
    /// Whether standard output goes to a connection.
    network: Option<Span>,
}

#[derive(Debug)]
struct Destination {
    path: Value,
    flags: Flags,
    /// Whether what the command prints lands here (its errors may, too).
    printed: bool,
    span: Span,
}

impl Machine<'_> {
    /// Follows redirections in order: input changes the scope, outputs are kept for [`Self::drain`].
    pub(crate) fn wire(&mut self, redirects: &[Redirect], scope: &mut Scope) -> Wiring {
        let mut wiring = Wiring::default();
        for redirect in redirects {
            if !self.spend(1) {
                break;
            }
            self.follow(redirect, scope, &mut wiring);
        }
        wiring
    }

    fn follow(&mut self, redirect: &Redirect, scope: &mut Scope, wiring: &mut Wiring) {
        let span = scope.origin.map(redirect.span);
        let number = match &redirect.descriptor {
            Some(Descriptor::Number(number)) => Some(*number),
            Some(Descriptor::Named(_)) => Some(10),
            None => None,
        };
        match redirect.operator {
            RedirectOperator::HereDocument => {
                let text = self.text(&redirect.target, scope);
                self.feed(number.unwrap_or(0), text, scope);
            }
            RedirectOperator::HereString => {
                let mut text = self.text(&redirect.target, scope);
                text.push_str("\n");
                self.feed(number.unwrap_or(0), text, scope);
            }
            RedirectOperator::Input => self.open_input(redirect, number.unwrap_or(0), span, scope),
            RedirectOperator::DuplicateInput | RedirectOperator::DuplicateOutput => {
                self.duplicate(redirect, number, span, scope, wiring);
            }
            RedirectOperator::ReadWrite => {
                self.open_input(redirect, number.unwrap_or(0), span, scope);
                self.open_output(redirect, number.unwrap_or(0), Flags::NONE, span, scope, wiring);
            }
            RedirectOperator::Append | RedirectOperator::AppendBoth => {
                self.open_output(redirect, number.unwrap_or(1), Flags::APPEND, span, scope, wiring);
            }
            RedirectOperator::Clobber | RedirectOperator::Output | RedirectOperator::OutputBoth => {
                self.open_output(redirect, number.unwrap_or(1), Flags::TRUNCATE, span, scope, wiring);
            }
        }
    }

    /// Text on a descriptor; other than the first, it can be opened under a path of its own.
    fn feed(&mut self, number: u32, text: Value, scope: &mut Scope) {
        if number == 0 {
            scope.stdin = Some(Rc::new(text));
            return;
        }
        let path = format!("/dev/fd/{number}");
        self.files.write(&path, text);
        Rc::make_mut(&mut scope.descriptors).insert(number, Endpoint::File(Value::literal(path)));
    }

    fn open_input(&mut self, redirect: &Redirect, number: u32, span: Span, scope: &mut Scope) {
        let path = self.single(&redirect.target, scope);
        let content = if let Some(to) = connection(&path) {
            self.connection(to, path.provenance, span, scope);
            Value::unknown(path.shown(), Provenance::NETWORK)
        } else {
            let invocation = self.next_invocation();
            self.read_file(&path, scope, "<", invocation, span)
        };
        if number == 0 {
            scope.stdin = (!is_terminal(&path)).then(|| Rc::new(content));
        } else {
            let endpoint = if connection(&path).is_some() { Endpoint::Network } else { Endpoint::File(path) };
            Rc::make_mut(&mut scope.descriptors).insert(number, endpoint);
        }
    }

    fn open_output(
        &mut self,
        redirect: &Redirect,
        number: u32,
        flags: Flags,
        span: Span,
        scope: &mut Scope,
        wiring: &mut Wiring,
    ) {
        let path = self.single(&redirect.target, scope);
        if let Some(to) = connection(&path) {
            self.connection(to, path.provenance, span, scope);
            to_connection(number, span, scope, wiring);
            return;
        }
        if number > 2 {
            Rc::make_mut(&mut scope.descriptors).insert(number, Endpoint::File(path.clone()));
        }
        let both = matches!(redirect.operator, RedirectOperator::OutputBoth | RedirectOperator::AppendBoth);
        wiring.taken |= number == 1 || both;
        wiring.files.push(Destination { path, flags, printed: number == 1 || both, span });
    }

    fn duplicate(
        &mut self,
        redirect: &Redirect,
        number: Option<u32>,
        span: Span,
        scope: &mut Scope,
        wiring: &mut Wiring,
    ) {
        let input = redirect.operator == RedirectOperator::DuplicateInput;
        let target = self.single(&redirect.target, scope);
        let known = target.known().map(|text| text.trim_end_matches('-').to_owned());
        let Some(from) = known.as_deref().and_then(|text| text.parse::<u32>().ok()) else {
            if !input && number.is_none() && known.as_deref() != Some("") {
                self.open_output(redirect, 1, Flags::TRUNCATE, span, scope, wiring);
                wiring.taken = true;
            }
            return;
        };
        let to = number.unwrap_or(u32::from(!input));
        let endpoint = match from {
            0 if scope.stdin.as_ref().is_some_and(|stdin| stdin.provenance.has(Provenance::NETWORK)) => {
                Some(Endpoint::Network)
            }
            1 if scope.to_network => Some(Endpoint::Network),
            CONNECTED => Some(Endpoint::Network),
            other => scope.descriptors.get(&other).cloned(),
        };
        match (endpoint, to) {
            (Some(Endpoint::Network), 0) => {
                scope.stdin = Some(Rc::new(Value::unknown("the connection", Provenance::NETWORK)));
            }
            (Some(Endpoint::Network), other) => to_connection(other, span, scope, wiring),
            (Some(Endpoint::File(path)), 0) => {
                let invocation = self.next_invocation();
                let content = self.read_file(&path, scope, "<", invocation, span);
                scope.stdin = Some(Rc::new(content));
            }
            (Some(Endpoint::File(path)), other) => {
                wiring.taken |= other == 1;
                wiring.files.push(Destination { path, flags: Flags::NONE, printed: other == 1, span });
            }
            (None, 1) if from == 2 => wiring.taken = true,
            // Where output goes is a terminal, unless something else was said.
            (None, 0) if matches!(from, 1 | 2) => scope.stdin = None,
            (None, _) => {}
        }
    }

    fn connection(&mut self, to: HostTarget, data: Provenance, span: Span, scope: &Scope) {
        let invocation = self.next_invocation();
        let event = Event {
            verb: Verb::Connect,
            target: Target::Host(to),
            flags: Flags::NONE,
            data,
            by: "/dev/tcp",
            invocation,
            span,
        };
        self.effect(scope, event);
    }

    /// A connection that a builtin opened, on the descriptor that `REPLY` names.
    pub(crate) fn connected(&mut self, host: &Value, span: Span, scope: &mut Scope) {
        let to = HostTarget {
            host: host.known().map(|host| host.to_lowercase()),
            scheme: Some("tcp".to_owned()),
            shown: host.shown(),
        };
        self.connection(to, host.provenance, span, scope);
        scope.set("REPLY", Value::literal(CONNECTED.to_string()));
    }

    /// Puts what was printed where it goes; what is left reaches the next command.
    pub(crate) fn drain(&mut self, wiring: &Wiring, scope: &Scope, output: &Value) -> Value {
        let invocation = self.next_invocation().saturating_sub(1);
        for destination in &wiring.files {
            let content =
                if destination.printed { output.clone() } else { Value::unknown("errors", Provenance::NONE) };
            self.write_file(
                &destination.path,
                &content,
                destination.flags,
                scope,
                ">",
                invocation,
                destination.span,
            );
        }
        if let Some(span) = wiring.network {
            let event = Event {
                verb: Verb::Send,
                target: Target::None,
                flags: Flags::UPLOAD,
                data: output.provenance,
                by: "/dev/tcp",
                invocation,
                span,
            };
            self.effect(scope, event);
        }
        if wiring.taken { Value::default() } else { output.clone() }
    }
}

/// Whether whoever sits at the keyboard is what is read.
fn is_terminal(path: &Value) -> bool {
    path.known().is_some_and(|path| path == "/dev/tty")
}

fn to_connection(number: u32, span: Span, scope: &mut Scope, wiring: &mut Wiring) {
    match number {
        0 | 1 => {
            scope.to_network = true;
            wiring.taken = true;
            wiring.network = Some(span);
        }
        2 => {}
        other => {
            Rc::make_mut(&mut scope.descriptors).insert(other, Endpoint::Network);
        }
    }
}

/// The host in `/dev/tcp/host/port`.
fn connection(path: &Value) -> Option<HostTarget> {
    let prefix = match path.pieces.first()? {
        Piece::Literal(text) => text,
        Piece::Glob(_) | Piece::Hole(_) => return None,
    };
    let rest = prefix.strip_prefix("/dev/tcp/").or_else(|| prefix.strip_prefix("/dev/udp/"))?;
    let host = rest.split('/').next().filter(|host| !host.is_empty()).map(str::to_lowercase);
    Some(HostTarget { host, scheme: Some("tcp".to_owned()), shown: path.shown() })
}
