//! A stand-in for the model of an agent, on this machine. It speaks what each agent speaks, and wants the tools that it was told to want.
//!
//! What it wants stands in the prompt itself, so that it keeps nothing: it asks for the first call that has no result yet, and says a
//! word when all have one. A request that does not offer the tool, such as one for a title, is answered in words.

mod anthropic;
mod chat;
mod gemini;
mod http;
mod responses;

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

use http::Request;

/// A model that answers until the process ends.
#[derive(Debug)]
pub(crate) struct Model {
    address: SocketAddr,
    heard: Arc<Mutex<Vec<Heard>>>,
}

/// A tool that the model wants.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) tool: &'static str,
    pub(crate) input: Value,
}

/// What a request comes to, whichever way it is said.
#[derive(Clone, Debug, Default)]
struct Heard {
    path: String,
    offered: Vec<String>,
    /// What became of the calls so far, as the agent tells the model.
    results: Vec<String>,
}

/// What is said.
enum Said<'a> {
    /// The call of this number.
    Call(usize, &'a str, &'a Value),
    Words(&'a str),
}

/// One way of speaking with a model.
trait Speech {
    fn offered(&self, body: &Value) -> Vec<String>;
    fn results(&self, body: &Value) -> Vec<String>;
    /// The body of the answer: events of a stream, or one object.
    fn say(&self, body: &Value, said: &Said<'_>) -> String;
}

impl Model {
    pub(crate) fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let model = Self { address: listener.local_addr().unwrap(), heard: Arc::default() };
        let heard = Arc::clone(&model.heard);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let heard = Arc::clone(&heard);
                // Whoever hangs up early has heard enough.
                thread::spawn(move || serve(&stream, &heard));
            }
        });
        model
    }

    /// Where it listens, without a path.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What became of each call, by what the agent told the model last. Forgets everything else.
    pub(crate) fn results(&self) -> Vec<String> {
        let heard = std::mem::take(&mut *self.heard.lock().unwrap());
        heard.into_iter().map(|heard| heard.results).max_by_key(Vec::len).unwrap_or_default()
    }

    /// What it was asked, for whoever looks for a mistake.
    pub(crate) fn told(&self) -> String {
        let heard = self.heard.lock().unwrap();
        let paths: Vec<_> = heard.iter().map(|heard| heard.path.as_str()).collect();
        let offered = heard.iter().map(|heard| &heard.offered).max_by_key(|offered| offered.len());
        let results = heard.iter().map(|heard| &heard.results).max_by_key(|results| results.len());
        format!("asked: {paths:#?}\noffered: {offered:?}\ntold: {results:#?}")
    }
}

/// A prompt that makes the model want these, one after the other.
///
/// In digits, since some agents read signs in a prompt as commands or files.
pub(crate) fn prompt(calls: &[Call]) -> String {
    let calls: Value = calls.iter().map(|call| json!([call.tool, call.input])).collect();
    let digits: Vec<_> = calls.to_string().bytes().map(|byte| format!("{byte:02x}")).collect();
    format!("{MARK}{}", digits.concat())
}

const MARK: &str = "wanted-";

/// The calls that a prompt somewhere in a request asks for.
fn wanted(body: &Value) -> Option<Vec<(String, Value)>> {
    match body {
        Value::String(text) => {
            let digits = text.split_once(MARK)?.1;
            let digits: Vec<u8> = digits.bytes().take_while(u8::is_ascii_hexdigit).collect();
            let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
            let bytes: Vec<u8> = digits.chunks(2).filter_map(byte).collect();
            serde_json::from_slice(&bytes).ok()
        }
        Value::Array(items) => items.iter().find_map(wanted),
        Value::Object(fields) => fields.values().find_map(wanted),
        Value::Bool(_) | Value::Null | Value::Number(_) => None,
    }
}

fn serve(stream: &TcpStream, heard: &Mutex<Vec<Heard>>) -> std::io::Result<()> {
    let mut request = Request::read(stream)?;
    if request.line.contains("streamGenerateContent") {
        request.body["stream"] = json!(true);
    }
    let Some(speech) = speech(&request) else {
        let known = request.line.starts_with("GET") || request.line.starts_with("HEAD");
        heard.lock().unwrap().push(Heard { path: request.line, ..Heard::default() });
        let status = if known { "200 OK" } else { "404 Not Found" };
        return http::answer(stream, status, "application/json", COUNTED);
    };
    let body = &request.body;
    let one =
        Heard { path: request.line.clone(), offered: speech.offered(body), results: speech.results(body) };
    let calls = wanted(body).unwrap_or_default();
    let said = match calls.get(one.results.len()) {
        Some((tool, input)) if one.offered.contains(tool) => Said::Call(one.results.len(), tool, input),
        _ => Said::Words("All is done."),
    };
    let text = speech.say(body, &said);
    heard.lock().unwrap().push(one);
    let kind = if text.starts_with('{') { "application/json" } else { "text/event-stream" };
    http::answer(stream, "200 OK", kind, &text)
}

/// Serves whoever counts tokens or lists models.
const COUNTED: &str = r#"{"input_tokens":1,"totalTokens":1,"data":[],"models":[],"object":"list"}"#;

fn speech(request: &Request) -> Option<&'static dyn Speech> {
    let path = request.line.split_whitespace().nth(1)?;
    let path = path.split('?').next()?;
    if !request.line.starts_with("POST") {
        return None;
    }
    match path {
        _ if path.ends_with("/messages") => Some(&anthropic::Messages),
        _ if path.ends_with("/responses") => Some(&responses::Responses),
        _ if path.ends_with("/chat/completions") => Some(&chat::Completions),
        _ if path.ends_with("enerateContent") => Some(&gemini::Content),
        _ => None,
    }
}

/// The names under a key of the objects in a list.
fn names(list: &Value, name: fn(&Value) -> &Value) -> Vec<String> {
    let items = list.as_array().into_iter().flatten();
    items.filter_map(|item| name(item).as_str().map(ToOwned::to_owned)).collect()
}

/// An event of a stream that has no name.
fn event(data: &Value) -> String {
    format!("data: {data}\n\n")
}

/// An event of a stream that is named as its type.
fn named(data: &Value) -> String {
    format!("event: {}\n{}", data["type"].as_str().unwrap(), event(data))
}
