//! Connections, requests and what is sent with them.

use super::super::interpret::{Arguments, Interpreter, Object};
use crate::effect::{Flags, Verb};
use crate::value::{Provenance, Value};

/// Arguments that carry data out.
const BODIES: &[&str] = &["data", "json", "files", "content", "body", "fields"];

fn tls(arguments: &Arguments) -> Flags {
    let off = arguments.named("verify").is_some_and(|verify| matches!(verify, Object::Bool(false)));
    if off { Flags::TLS_OFF } else { Flags::NONE }
}

fn request(
    interpreter: &mut Interpreter<'_>,
    arguments: &Arguments,
    place: usize,
    body: Option<Object>,
) -> Object {
    let urls = interpreter.argument_choices(arguments, place, "url");
    let others = carried(interpreter, arguments, &urls);
    let (mut verb, mut flags) = (Verb::Connect, Flags::DOWNLOAD);
    let mut data = Provenance::NONE;
    if let Some(body) = body {
        (verb, flags) = (Verb::Send, Flags::UPLOAD);
        // Data that is a dump of the environment is looked at when it is sent.
        interpreter.text_of(&body);
        data = interpreter.provenance(&body);
    }
    if others.has(Provenance::SECRET) {
        (verb, flags, data) = (Verb::Send, Flags::UPLOAD, others);
    }
    let mut response = Object::None;
    for url in urls {
        interpreter.connect(verb, &url, flags | tls(arguments), data);
        response = interpreter.response(url);
    }
    response
}

/// Where what a request carries came from. A token in a header is no leak where the token belongs.
fn carried(interpreter: &mut Interpreter<'_>, arguments: &Arguments, urls: &[Value]) -> Provenance {
    let Some(headers) = arguments.named("headers").cloned() else {
        return interpreter.provenance_of(arguments);
    };
    let others = arguments.all().filter(|argument| **argument != headers);
    let rest = others.fold(Provenance::NONE, |sum, argument| sum | interpreter.provenance(argument));
    let text = interpreter.text_of(&headers);
    rest | crate::programs::requests::origin(&text, urls)
}

fn body_of(arguments: &Arguments) -> Option<Object> {
    BODIES.iter().find_map(|name| arguments.named(name)).cloned().filter(|body| !matches!(body, Object::None))
}

pub(super) fn get(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let body = body_of(arguments);
    request(interpreter, arguments, 0, body)
}

pub(super) fn post(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let body = body_of(arguments).or_else(|| arguments.plain.get(1).cloned());
    request(interpreter, arguments, 0, body)
}

/// `request(method, url, …)`.
pub(super) fn by_method(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let body = body_of(arguments);
    request(interpreter, arguments, 1, body)
}

/// `urlopen(url or request, data)`.
pub(super) fn open_url(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let body = arguments.get(1, "data").cloned().filter(|body| !matches!(body, Object::None));
    if let Some(Object::Thing(id)) = arguments.plain.first()
        && let Some(thing) = interpreter.heap.thing_at(*id).cloned()
        && &*thing.class == "request"
    {
        let prepared = Arguments {
            plain: vec![Object::value(thing.about)],
            named: arguments.named.clone(),
            open: false,
        };
        let body = body.or(Some(thing.content).filter(|content| !matches!(content, Object::None)));
        return request(interpreter, &prepared, 0, body);
    }
    request(interpreter, arguments, 0, body)
}

/// `urllib.request.Request(url, data, headers)`.
pub(super) fn prepare(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let url = interpreter.argument(arguments, 0, "url");
    let mut thing = interpreter.new_thing("request", url);
    thing.content = arguments.get(1, "data").cloned().unwrap_or(Object::None);
    thing.provenance = interpreter.provenance_of(arguments);
    interpreter.heap.thing(thing)
}

/// `urlretrieve(url, path)`.
pub(super) fn retrieve(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let url = interpreter.argument(arguments, 0, "url");
    interpreter.connect(Verb::Connect, &url, Flags::DOWNLOAD, Provenance::NONE);
    if arguments.get(1, "filename").or_else(|| arguments.named("out")).is_some() {
        let path = if arguments.named("out").is_some() {
            interpreter.argument(arguments, 9, "out")
        } else {
            interpreter.argument(arguments, 1, "filename")
        };
        let content = Value::unknown(format!("the content of {}", url.shown()), Provenance::NETWORK);
        interpreter.write(&path, &content, Flags::TRUNCATE);
        return interpreter.heap.tuple(vec![Object::value(path), Object::None]);
    }
    interpreter.response(url)
}

pub(super) fn socket(interpreter: &mut Interpreter<'_>, _: &Arguments) -> Object {
    interpreter.make("socket", Value::literal("a socket"), Provenance::NETWORK)
}

pub(super) fn connect(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let to = interpreter.address(arguments.get(0, "address"));
    interpreter.connect(Verb::Connect, &to, Flags::NONE, Provenance::NONE);
    interpreter.connected = true;
    interpreter.make("socket", to, Provenance::NETWORK)
}

/// `open_connection(host, port)`: a reader and a writer.
pub(super) fn connect_streams(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let address = interpreter.heap.tuple(arguments.plain.iter().take(2).cloned().collect());
    let socket = connect(interpreter, &Arguments::of(vec![address]));
    interpreter.heap.tuple(vec![socket.clone(), socket])
}

/// `start_server(handler, host, port)`.
pub(super) fn serve(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let address = interpreter.heap.tuple(arguments.plain.iter().skip(1).take(2).cloned().collect());
    let to = interpreter.address(Some(&address));
    interpreter.connect(Verb::Listen, &to, Flags::NONE, Provenance::NONE);
    interpreter.connected = true;
    let stream = interpreter.make("socket", to, Provenance::NETWORK);
    match arguments.plain.first() {
        Some(handler) => interpreter.invoke(handler, Arguments::of(vec![stream.clone(), stream])),
        None => Object::None,
    }
}

/// A lookup tells the name's owner what was asked.
pub(super) fn look_up(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let name = interpreter.argument(arguments, 0, "host");
    if name.provenance.is_empty() {
        interpreter.connect(Verb::Connect, &name, Flags::NONE, Provenance::NONE);
    } else {
        let data = name.provenance;
        interpreter.connect(Verb::Send, &name, Flags::UPLOAD, data);
    }
    Object::unknown("an address", Provenance::NETWORK)
}

fn connection(interpreter: &mut Interpreter<'_>, arguments: &Arguments, class: &str) -> Object {
    let to = if arguments.get(0, "host").is_some() {
        interpreter.argument(arguments, 0, "host")
    } else {
        Value::literal("localhost")
    };
    interpreter.connect(Verb::Connect, &to, Flags::NONE, Provenance::NONE);
    interpreter.make(class, to, Provenance::NETWORK)
}

pub(super) fn http(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    connection(interpreter, arguments, "connection")
}

pub(super) fn mail(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    connection(interpreter, arguments, "mail")
}

/// `%20` and the like, as they are meant.
pub(super) fn unquote(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let quoted = arguments.plain.first().cloned().unwrap_or(Object::None);
    let Some(text) = quoted.known_text() else { return interpreter.unknown_from("a text", &quoted) };
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        let byte = after.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(b'%'));
        rest = if byte.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    bytes.extend_from_slice(rest.as_bytes());
    let plain = Value::literal(String::from_utf8_lossy(&bytes));
    let decoded = if plain == Value::literal(text.as_str()) { Provenance::NONE } else { Provenance::DECODED };
    Object::value(plain.from(interpreter.provenance(&quoted) | decoded))
}

/// A way to send files over a connection that is there.
pub(super) fn transfer(interpreter: &mut Interpreter<'_>, _: &Arguments) -> Object {
    interpreter.make("upload", Value::literal("a remote host"), Provenance::NETWORK)
}
