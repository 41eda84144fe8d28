//! Text that is written to the port of a service: commands, which a client of it would have been given as words.

use super::redis;
use crate::effect::{Flags, Target, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

const HTTP: Lang = Lang::Other("request");
const MEMCACHED: Lang = Lang::Other("memcached");
const REDIS: Lang = Lang::Other("redis");
const ZOOKEEPER: Lang = Lang::Other("zookeeper");

/// What services speak, by the ports where they usually are.
const PORTS: &[(u16, Lang)] = &[
    (2181, ZOOKEEPER),
    (2375, HTTP),
    (2379, HTTP),
    (5984, HTTP),
    (6379, REDIS),
    (6380, REDIS),
    (8500, HTTP),
    (9200, HTTP),
    (11211, MEMCACHED),
    (26379, REDIS),
];

/// Commands that no other service has, by how a line begins that holds one.
const TELLING: &[(&str, Lang)] = &[
    ("config set ", REDIS),
    ("flush_all", MEMCACHED),
    ("flushall", REDIS),
    ("flushdb", REDIS),
    ("replicaof ", REDIS),
    ("slaveof ", REDIS),
];

/// The language in which a service takes what is written to it, by its port, or else by the text itself.
fn language(port: Option<u16>, text: &Value) -> Option<Lang> {
    let begins = text.known_prefix().trim_start().to_ascii_lowercase();
    if text.pieces.is_empty() || begins.is_empty() && !text.has_hole() {
        return None;
    }
    if request_line(&text.known_prefix()).is_some() {
        return Some(HTTP);
    }
    let by_port = port.and_then(|port| PORTS.iter().find(|(number, _)| *number == port));
    let of_array = || begins.starts_with('*').then_some(REDIS);
    let telling = || {
        let of_line = |line: &str| TELLING.iter().find(|(begin, _)| line.trim().starts_with(begin));
        begins.lines().find_map(of_line).map(|(_, lang)| *lang)
    };
    by_port.map(|(_, lang)| *lang).or_else(telling).or_else(of_array)
}

/// What is said to the service at a port, and in which language. A request says at which port it is made.
pub(crate) fn said(port: Option<u16>, text: &Value) -> Option<(Lang, Value)> {
    let lang = language(port, text)?;
    let known = text.known().filter(|text| lang == HTTP && !text.to_ascii_lowercase().contains("\nhost:"));
    let Some((line, rest)) = known.as_deref().and_then(|text| text.split_once('\n')) else {
        return Some((lang, text.clone()));
    };
    let port = port.map_or_else(String::new, |port| format!(":{port}"));
    let whole = format!("{line}\nHost: localhost{port}\r\n{rest}");
    Some((lang, Value::literal(whole).from(text.provenance)))
}

/// The port in `host:port`, or in a word of its own.
pub(crate) fn port(word: &Value) -> Option<u16> {
    word.known()?.rsplit(['/', ':']).next()?.parse().ok()
}

/// Reads what is written in one of these languages; false where it is none.
pub(super) fn read(name: &str, text: &str, sink: &mut dyn Sink) -> bool {
    match name {
        "memcached" => lines(text, sink, |words, sink| {
            if words.first().is_some_and(|word| word == "flush_all") {
                gone("key space", sink);
            }
            if words.first().is_some_and(|word| word == "shutdown") {
                stopped("memcached", sink);
            }
        }),
        "redis" => {
            for words in commands(text) {
                redis::read(&words.iter().map(Value::literal).collect::<Vec<_>>(), sink);
            }
        }
        "request" => request(text, sink),
        "zookeeper" => lines(text, sink, |words, sink| {
            if words.first().is_some_and(|word| word == "kill") {
                stopped("zookeeper", sink);
            }
        }),
        _ => return false,
    }
    true
}

fn lines(text: &str, sink: &mut dyn Sink, each: fn(&[String], &mut dyn Sink)) {
    for line in text.lines() {
        each(&line.split_whitespace().map(str::to_ascii_lowercase).collect::<Vec<_>>(), sink);
    }
}

fn gone(kind: &'static str, sink: &mut dyn Sink) {
    let target = Target::Named(kind, String::new());
    sink.effect(Verb::Destroy, target, Flags::ALL | Flags::IRREVERSIBLE, Provenance::NONE);
}

fn stopped(name: &str, sink: &mut dyn Sink) {
    sink.effect(Verb::Service, Target::Named("service", name.to_owned()), Flags::STOP, Provenance::NONE);
}

/// The commands in a text: a line each, or arrays of texts with their lengths before them (`*1`, `$8`, `FLUSHALL`).
fn commands(text: &str) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = Vec::new();
    let mut awaited = 0_usize;
    for line in text.lines().map(str::trim_end) {
        if let Some(count) = line.strip_prefix('*').and_then(|count| count.parse().ok()) {
            awaited = count;
            all.push(Vec::new());
        } else if awaited == 0 {
            all.push(line.split_whitespace().map(str::to_owned).collect());
        } else if line.strip_prefix('$').is_none_or(|length| length.parse::<usize>().is_err()) {
            awaited -= 1;
            all.last_mut().into_iter().for_each(|words| words.push(line.to_owned()));
        }
    }
    all
}

/// The method and the path of a request.
fn request_line(text: &str) -> Option<(&str, &str)> {
    let mut words = text.lines().next()?.split(' ');
    let (method, path, version) = (words.next()?, words.next()?, words.next()?);
    let is_request = version.starts_with("HTTP/") && !method.is_empty();
    is_request
        .then_some((method, path))
        .filter(|(method, _)| method.bytes().all(|letter| letter.is_ascii_uppercase()))
}

/// A request does what it does if curl makes it.
fn request(text: &str, sink: &mut dyn Sink) {
    let Some((method, path)) = request_line(text) else { return };
    let host = text
        .lines()
        .find_map(|line| line.to_ascii_lowercase().strip_prefix("host:").map(|host| host.trim().to_owned()));
    let host = host.unwrap_or_else(|| "localhost".to_owned());
    let body = text.split_once("\r\n\r\n").or_else(|| text.split_once("\n\n")).map_or("", |(_, body)| body);
    let mut argv: Vec<String> = ["curl", "-s", "-X", method].into_iter().map(str::to_owned).collect();
    if !body.trim().is_empty() {
        argv.extend(["-d".to_owned(), body.to_owned()]);
    }
    argv.push(format!("http://{host}{path}"));
    let argv: Vec<Value> = argv.into_iter().map(Value::literal).collect();
    sink.run(&argv, &Value::default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_and_lines_are_the_same_commands() {
        let words = |text: &str| commands(text).concat().join(" ");
        assert_eq!(words("*3\r\n$6\r\nCONFIG\r\n$3\r\nSET\r\n$3\r\ndir\r\n"), "CONFIG SET dir");
        assert_eq!(words("FLUSHALL\r\nQUIT\r\n"), "FLUSHALL QUIT");
    }

    #[test]
    fn service_is_known_by_its_port_or_by_what_only_it_knows() {
        let text = |text: &str| Value::literal(text);
        assert_eq!(language(Some(6379), &text("PING\r\n")), Some(REDIS));
        assert_eq!(language(Some(8080), &text("GET / HTTP/1.0\r\n\r\n")), Some(HTTP));
        assert_eq!(language(None, &text("flushall\r\n")), Some(REDIS));
        assert_eq!(language(Some(8080), &text("hello\n")), None);
        assert_eq!(language(Some(5432), &text("\n")), None);
        assert_eq!(port(&text("/dev/tcp/127.0.0.1/6379")), Some(6379));
    }
}
