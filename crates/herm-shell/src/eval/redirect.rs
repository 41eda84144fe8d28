//! Where input comes from and output goes to.

use std::rc::Rc;

use super::machine::{Event, Machine};
use super::paths::Actor;
use super::scope::{Endpoint, Scope};
use super::stream::{free_descriptor, own_descriptor};
use crate::ast::{Descriptor, Redirect, RedirectOperator};
use crate::effect::{Effect, Flags, HostTarget, Realm, Target, Verb};
use crate::scripts::wire;
use crate::span::Span;
use crate::value::{Piece, Provenance, Value};

/// The descriptor of connections that builtins open.
const CONNECTED: u32 = 1012;

/// What a redirection costs besides what it does: its words, and where they lead.
const REDIRECTION: u32 = 4;

/// Where a command's output goes.
#[derive(Debug, Default)]
pub(crate) struct Wiring {
    /// Files that were opened for something else than what the command prints.
    opened: Vec<Destination>,
    /// Where what the command prints goes, if not where it went before.
    printed: Option<Printed>,
    /// The connection that standard output goes to, by its port where that is known.
    network: Option<(Span, Option<u16>)>,
    /// The descriptor from which standard input was taken over.
    input: Option<u32>,
    /// How many effects were known before anything was opened.
    said: usize,
}

#[derive(Debug)]
struct Destination {
    path: Value,
    flags: Flags,
    /// Whether the command's errors land here.
    errors: bool,
    span: Span,
}

#[derive(Debug)]
enum Printed {
    File(Destination),
    Nowhere,
    Stream(u32),
}

impl Machine<'_> {
    /// Follows redirections in order: input changes the scope, outputs are kept for [`Self::drain`].
    pub(crate) fn wire(&mut self, redirects: &[Redirect], scope: &mut Scope) -> Wiring {
        let mut wiring = Wiring { said: self.out.effects.len(), ..Wiring::default() };
        for redirect in redirects {
            if !self.spend(REDIRECTION) {
                break;
            }
            self.follow(redirect, scope, &mut wiring);
        }
        wiring
    }

    /// The same for a simple command, whose standard output `exec` may have moved.
    pub(crate) fn wire_simple(&mut self, redirects: &[Redirect], scope: &mut Scope) -> Wiring {
        let moved = scope.descriptors.get(&1).cloned();
        let mut wiring = self.wire(redirects, scope);
        if wiring.printed.is_none()
            && let Some(endpoint) = moved
        {
            self.print_to(endpoint, Span::default(), scope, &mut wiring);
        }
        wiring
    }

    /// `exec` with redirections alone: they hold from here on.
    pub(crate) fn rewire(&mut self, redirects: &[Redirect], scope: &mut Scope) {
        let before = scope.stream;
        let wiring = self.wire(redirects, scope);
        let inner = scope.stream;
        let _ = self.drain(&wiring, scope, &Value::default());
        scope.stream = before;
        let endpoint = match wiring.printed {
            None => return,
            Some(Printed::File(destination)) => Endpoint::File(destination.path),
            Some(Printed::Nowhere) => Endpoint::Terminal,
            Some(Printed::Stream(stream)) => Endpoint::Stream(stream),
        };
        let descriptors = Rc::make_mut(&mut scope.descriptors);
        for other in descriptors.values_mut().filter(|other| **other == Endpoint::Stream(inner)) {
            *other = endpoint.clone();
        }
        descriptors.insert(1, endpoint);
    }

    fn follow(&mut self, redirect: &Redirect, scope: &mut Scope, wiring: &mut Wiring) {
        let span = scope.origin.map(redirect.span);
        let number = match &redirect.descriptor {
            Some(Descriptor::Number(number)) => Some(*number),
            Some(Descriptor::Named(name)) => {
                let number = free_descriptor(scope);
                self.store(name, Value::literal(number.to_string()), scope);
                Some(number)
            }
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
            RedirectOperator::Input => self.open_input(redirect, number.unwrap_or(0), span, scope, wiring),
            RedirectOperator::DuplicateInput | RedirectOperator::DuplicateOutput => {
                self.duplicate(redirect, number, span, scope, wiring);
            }
            RedirectOperator::ReadWrite => {
                self.open_input(redirect, number.unwrap_or(0), span, scope, wiring);
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
    pub(crate) fn feed(&mut self, number: u32, text: Value, scope: &mut Scope) {
        if number == 0 {
            scope.stdin = Some(Rc::new(text));
        } else {
            self.leave_unread(number, text, scope);
        }
    }

    fn open_input(
        &mut self,
        redirect: &Redirect,
        number: u32,
        span: Span,
        scope: &mut Scope,
        wiring: &mut Wiring,
    ) {
        let path = self.single(&redirect.target, scope);
        if let Some(from) = own_descriptor(&path).filter(|from| scope.descriptors.contains_key(from)) {
            return self.join(from, number, span, scope, wiring);
        }
        let content = if let Some(to) = connection(&path) {
            self.connection(to, path.provenance, span, scope);
            Value::unknown(path.shown(), Provenance::NETWORK)
        } else {
            let actor = Actor { by: "<", invocation: self.next_invocation(), span };
            self.read_file(&path, Flags::NONE, scope, actor)
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
            to_connection(number, wire::port(&path), span, scope, wiring);
            return;
        }
        let both = matches!(redirect.operator, RedirectOperator::OutputBoth | RedirectOperator::AppendBoth);
        if let Some(from) =
            own_descriptor(&path).filter(|from| *from < 3 || scope.descriptors.contains_key(from))
        {
            self.join(from, number, span, scope, wiring);
        } else if number == 1 || both {
            let destination = Destination { path, flags, errors: false, span };
            self.print_into(Printed::File(destination), scope, wiring);
        } else {
            self.open_file(path, number, flags, span, scope, wiring);
        }
        if both {
            let stream = scope.stream;
            Rc::make_mut(&mut scope.descriptors).insert(2, Endpoint::Stream(stream));
        }
    }

    /// A file on another descriptor than standard output. What is written there from now on is added to it.
    fn open_file(
        &mut self,
        path: Value,
        number: u32,
        flags: Flags,
        span: Span,
        scope: &mut Scope,
        wiring: &mut Wiring,
    ) {
        let target = self.target(&path, scope).path;
        if flags.has(Flags::TRUNCATE) {
            self.files.write(&target, Value::default());
        }
        if number > 0 {
            Rc::make_mut(&mut scope.descriptors).insert(number, Endpoint::File(path.clone()));
        }
        wiring.opened.push(Destination { path, flags, errors: number == 2, span });
    }

    /// Sends what is printed elsewhere. Whatever stood there before was opened all the same.
    fn print_into(&mut self, to: Printed, scope: &mut Scope, wiring: &mut Wiring) {
        if let Some(Printed::File(before)) = wiring.printed.replace(to) {
            wiring.opened.push(before);
        }
        self.streams.open(scope);
    }

    fn print_to(&mut self, endpoint: Endpoint, span: Span, scope: &mut Scope, wiring: &mut Wiring) {
        match endpoint {
            Endpoint::File(path) => {
                let destination = Destination { path, flags: Flags::APPEND, errors: false, span };
                self.print_into(Printed::File(destination), scope, wiring);
            }
            Endpoint::Network => to_connection(1, None, span, scope, wiring),
            Endpoint::Stream(stream) if stream == scope.stream => {}
            Endpoint::Stream(stream) => self.print_into(Printed::Stream(stream), scope, wiring),
            Endpoint::Terminal => self.print_into(Printed::Nowhere, scope, wiring),
        }
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
        let to = number.unwrap_or(u32::from(!input));
        match known.as_deref().and_then(|text| text.parse::<u32>().ok()) {
            Some(from) => self.join(from, to, span, scope, wiring),
            None if !input && number.is_none() && known.as_deref() != Some("") => {
                self.open_output(redirect, 1, Flags::TRUNCATE, span, scope, wiring);
                let stream = scope.stream;
                Rc::make_mut(&mut scope.descriptors).insert(2, Endpoint::Stream(stream));
            }
            // A descriptor that is not known may hold anything.
            None if to == 0 && known.as_deref() != Some("") => {
                scope.stdin = Some(Rc::new(Value::unknown(target.shown(), Provenance::OUTSIDE)));
            }
            None => {}
        }
    }

    /// Makes one descriptor the same as another.
    fn join(&mut self, from: u32, to: u32, span: Span, scope: &mut Scope, wiring: &mut Wiring) {
        if from == to {
            return;
        }
        let endpoint = match from {
            0 if scope.stdin.as_ref().is_some_and(|stdin| stdin.provenance.has(Provenance::NETWORK)) => {
                Some(Endpoint::Network)
            }
            1 if scope.to_network => Some(Endpoint::Network),
            CONNECTED => Some(Endpoint::Network),
            1 => Some(scope.descriptors.get(&1).cloned().unwrap_or(Endpoint::Stream(scope.stream))),
            other => scope.descriptors.get(&other).cloned(),
        };
        match (endpoint, to) {
            (Some(Endpoint::Network), 0) => {
                scope.stdin = Some(Rc::new(Value::unknown("the connection", Provenance::NETWORK)));
            }
            (Some(Endpoint::Network), other) => to_connection(other, None, span, scope, wiring),
            (Some(Endpoint::File(path)), 0) => {
                let actor = Actor { by: "<", invocation: self.next_invocation(), span };
                let content = self.read_file(&path, Flags::NONE, scope, actor);
                scope.stdin = Some(Rc::new(content));
                wiring.input = Some(from);
            }
            (None, 0) if from > 2 => {
                let unknown = Value::unknown(format!("descriptor {from}"), Provenance::OUTSIDE);
                scope.stdin = Some(Rc::new(unknown));
            }
            (None, 1) if from == 2 => self.print_to(Endpoint::Terminal, span, scope, wiring),
            // Where output goes is a terminal, unless something else was said.
            (Some(Endpoint::Stream(_) | Endpoint::Terminal) | None, 0) => scope.stdin = None,
            (None, 1) => {}
            (Some(endpoint), 1) => self.print_to(endpoint, span, scope, wiring),
            (Some(endpoint), other) => {
                Rc::make_mut(&mut scope.descriptors).insert(other, endpoint);
            }
            (None, other) if from == 0 => {
                let rest = scope.stdin.as_deref().cloned();
                if let Some(rest) = rest {
                    self.leave_unread(other, rest, scope);
                }
            }
            (None, other) if from == 2 => {
                Rc::make_mut(&mut scope.descriptors).insert(other, Endpoint::Terminal);
            }
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
        for opened in &wiring.opened {
            let target = self.target(&opened.path, scope).path;
            let written = self.files.content(&target).filter(|_| !opened.flags.has(Flags::APPEND));
            let mut content = written.cloned().unwrap_or_default();
            if opened.errors {
                content.push(&Value::unknown("errors", Provenance::NONE));
                content.push_str("\n");
            }
            self.write_to(opened, &content, scope, invocation);
        }
        match &wiring.printed {
            None | Some(Printed::Nowhere) => {}
            Some(Printed::File(destination)) if self.is_emptied(destination, wiring.said, scope) => {
                let flags = destination.flags | Flags::EMPTIED;
                let actor = Actor { by: ">", invocation, span: destination.span };
                self.write_file(&destination.path, output, flags, scope, actor);
            }
            Some(Printed::File(destination)) => self.write_to(destination, output, scope, invocation),
            Some(Printed::Stream(stream)) => self.streams.put(*stream, output.clone()),
        }
        if let Some((span, port)) = wiring.network {
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
            if let Some((lang, text)) = wire::said(port, output) {
                let _ = self.code_at(lang, &text, &mut scope.clone(), invocation, span);
            }
        }
        if wiring.printed.is_some() || wiring.network.is_some() { Value::default() } else { output.clone() }
    }

    /// Whether a file is read by the very command for which it was opened and emptied: `sort f > f`.
    fn is_emptied(&self, to: &Destination, said: usize, scope: &Scope) -> bool {
        if !to.flags.has(Flags::TRUNCATE) || scope.realm != Realm::Here {
            return false;
        }
        let written = self.target(&to.path, scope);
        let is_same = |effect: &Effect| {
            let is_read = effect.verb == Verb::Read && !effect.flags.has(Flags::METADATA);
            let Target::Path(read) = &effect.target else { return false };
            // Two names of which the beginning is known may be of two files: `$f` and `$f.new`.
            is_read && effect.realm == Realm::Here && read.path == written.path && read.shown == written.shown
        };
        self.out.effects.iter().skip(said).any(is_same)
    }

    fn write_to(&mut self, to: &Destination, content: &Value, scope: &Scope, invocation: usize) {
        self.write_file(&to.path, content, to.flags, scope, Actor { by: ">", invocation, span: to.span });
    }

    /// What a command did not read from a descriptor that others read from, too, is left for them.
    pub(crate) fn put_back(&mut self, wiring: &Wiring, scope: &mut Scope) {
        if let (Some(number), Some(rest)) = (wiring.input, &scope.stdin) {
            let rest = rest.as_ref().clone();
            if self.incoming(number, scope).is_some_and(|all| all != rest) {
                self.leave_unread(number, rest, scope);
            }
        }
    }
}

/// Whether whoever sits at the keyboard is what is read.
fn is_terminal(path: &Value) -> bool {
    path.known().is_some_and(|path| path == "/dev/tty")
}

fn to_connection(number: u32, port: Option<u16>, span: Span, scope: &mut Scope, wiring: &mut Wiring) {
    match number {
        0 | 1 => {
            scope.to_network = true;
            wiring.network = Some((span, port));
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
