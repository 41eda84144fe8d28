//! What programs that speak HTTP share: where data goes, where answers go, whose tokens are sent.

use crate::effect::{Flags, Verb};
use crate::sink::Sink;
use crate::value::{Piece, Provenance, Value};

/// What came down.
pub(super) fn downloaded() -> Value {
    Value::unknown("the download", Provenance::NETWORK)
}

/// A file takes what came down.
pub(super) fn save(path: &Value, sink: &mut dyn Sink) {
    sink.write(path, &downloaded(), Flags::TRUNCATE | Flags::DOWNLOAD);
}

/// A file, or standard input for `-`, is sent to each of these places.
pub(super) fn send_file(path: &Value, to: &[Value], sink: &mut dyn Sink) {
    let is_input = path.known().is_some_and(|word| matches!(&*word, "-" | "." | "/dev/stdin"));
    let content = if is_input { sink.stdin() } else { sink.read(path) };
    send(content.provenance, to, sink);
}

/// Data of this origin is sent to each of these places.
pub(super) fn send(data: Provenance, to: &[Value], sink: &mut dyn Sink) {
    for place in to {
        sink.connect(Verb::Send, place, Flags::UPLOAD, data);
    }
}

/// `@file` is a file's content, anything else the text itself.
pub(super) fn send_text(text: &Value, to: &[Value], sink: &mut dyn Sink) {
    match super::kinds::strip_prefix(text, "@") {
        Some(path) => send_file(&path, to, sink),
        None => send(origin(text, to), to, sink),
    }
}

/// A form field: `name=@file`, `name=<file` or `name=text`, with `;type=…` after the file.
pub(super) fn send_field(field: &Value, to: &[Value], sink: &mut dyn Sink) {
    let Some((_, content)) = super::kinds::split_once(field, '=') else {
        return send(field.provenance, to, sink);
    };
    for mark in ["@", "<"] {
        if let Some(path) = super::kinds::strip_prefix(&content, mark) {
            return send_file(&before_semicolon(&path), to, sink);
        }
    }
    send(origin(&content, to), to, sink);
}

fn before_semicolon(path: &Value) -> Value {
    path.known()
        .and_then(|text| text.split_once(';').map(|(path, _)| Value::literal(path.trim_matches('"'))))
        .unwrap_or_else(|| path.clone())
}

/// The name that a download gets: the last part of the URL's path.
pub(super) fn name_of(url: &Value) -> Option<Value> {
    let text = url.known()?;
    let text = text.split(['?', '#']).next()?;
    let path = text.split_once("://").map_or(text, |(_, rest)| rest);
    let (_, name) = path.rsplit_once('/')?;
    Some(Value::literal(if name.is_empty() { "index.html" } else { name }))
}

/// A path inside a directory.
pub(super) fn inside(directory: Option<&Value>, name: &Value) -> Value {
    let Some(directory) = directory else { return name.clone() };
    let mut path = directory.clone();
    path.push_str("/");
    path.push(name);
    path
}

/// Fetches from each of these places; a place on this machine is a file that is read.
pub(super) fn fetch(urls: &[Value], sink: &mut dyn Sink) {
    for url in urls {
        match super::kinds::strip_prefix(url, "file://") {
            Some(path) => {
                sink.read(&path);
            }
            None => sink.connect(Verb::Connect, url, Flags::DOWNLOAD, Provenance::NONE),
        }
    }
}

/// The same places, of which only those are secret that carry something which does not belong there.
pub(super) fn places<'a>(urls: impl Iterator<Item = &'a Value>) -> Vec<Value> {
    urls.map(|url| Value { pieces: url.pieces.clone(), provenance: origin(url, std::slice::from_ref(url)) })
        .collect()
}

/// Where a text that is sent came from. A variable that holds a token is no leak where the token belongs.
pub(crate) fn origin(text: &Value, to: &[Value]) -> Provenance {
    if text.pieces.iter().all(is_plain) {
        text.provenance.without(Provenance::SECRET) | foreign_token(text, to)
    } else {
        text.provenance
    }
}

/// Known text, or a variable by its name.
fn is_plain(piece: &Piece) -> bool {
    match piece {
        Piece::Hole(hole) => hole.shown.starts_with('$') && !hole.shown.contains('('),
        Piece::Glob(_) | Piece::Literal(_) => true,
    }
}

/// Secret, when the text holds a service's token and one of the places is not that service's.
///
/// Sending `$GITHUB_TOKEN` to GitHub is what it is for; sending it anywhere else gives it away. Tokens whose service
/// cannot be told from their name are left alone: calling an API with its key is everyday work.
fn foreign_token(text: &Value, to: &[Value]) -> Provenance {
    let foreign = text.pieces.iter().any(|piece| match piece {
        Piece::Hole(hole) => is_foreign(&hole.shown, to),
        Piece::Glob(_) | Piece::Literal(_) => false,
    });
    if foreign { Provenance::SECRET } else { Provenance::NONE }
}

fn is_foreign(shown: &str, to: &[Value]) -> bool {
    let name = shown.trim_start_matches(['$', '{', '"']).to_ascii_uppercase();
    let Some((_, hosts)) = SERVICES.iter().find(|(prefix, _)| name.starts_with(prefix)) else { return false };
    let is_token = ["TOKEN", "KEY", "SECRET", "PASSWORD", "PAT"].iter().any(|word| name.contains(word));
    is_token && to.iter().any(|place| !belongs(&place.known_prefix(), hosts))
}

fn belongs(place: &str, hosts: &[&str]) -> bool {
    let place = place.to_ascii_lowercase();
    let host = place.split_once("://").map_or(place.as_str(), |(_, rest)| rest);
    let host = host.split(['/', '?', '#']).next().unwrap_or(host);
    let host = host.rsplit('@').next().unwrap_or(host);
    host.is_empty()
        || ["localhost", "127.", "[::1]"].iter().any(|own| host.starts_with(own))
        || hosts.iter().any(|own| host.contains(own))
}

/// The beginnings of token names, and the hosts they are for.
const SERVICES: &[(&str, &[&str])] = &[
    ("ANTHROPIC_", &["anthropic.com"]),
    ("AWS_", &["amazonaws.com", "aws.amazon.com"]),
    ("AZURE_", &["azure.com", "microsoft.com", "microsoftonline.com", "windows.net"]),
    ("CARGO_", &["crates.io"]),
    ("CLOUDFLARE_", &["cloudflare.com"]),
    ("DIGITALOCEAN_", &["digitalocean.com"]),
    ("DISCORD_", &["discord.com", "discordapp.com"]),
    ("DOCKER", &["docker.com", "docker.io"]),
    ("GEMINI_", &["googleapis.com"]),
    ("GH_", &["github.com", "githubusercontent.com", "ghcr.io", "github."]),
    ("GITHUB_", &["github.com", "githubusercontent.com", "ghcr.io", "github."]),
    ("GITLAB_", &["gitlab"]),
    ("GOOGLE_", &["googleapis.com", "google.com"]),
    ("HEROKU_", &["heroku.com"]),
    ("HF_", &["huggingface.co", "hf.co"]),
    ("HUGGING", &["huggingface.co", "hf.co"]),
    ("NPM_", &["npmjs.org", "npmjs.com"]),
    ("OPENAI_", &["openai.com", "openai.azure.com"]),
    ("OPENROUTER_", &["openrouter.ai"]),
    ("PYPI_", &["pypi.org"]),
    ("SENTRY_", &["sentry.io"]),
    ("SLACK_", &["slack.com"]),
    ("STRIPE_", &["stripe.com"]),
    ("TELEGRAM_", &["telegram.org"]),
    ("TWILIO_", &["twilio.com"]),
    ("VERCEL_", &["vercel.com"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn token(name: &str, to: &str) -> bool {
        let text = Value::unknown(name, Provenance::NONE);
        foreign_token(&text, &[Value::literal(to)]) == Provenance::SECRET
    }

    #[test]
    fn a_token_for_its_own_service_is_no_secret() {
        assert!(!token("$GITHUB_TOKEN", "https://api.github.com/user"));
        assert!(!token("${OPENAI_API_KEY}", "http://localhost:4000/v1"));
        assert!(!token("$MY_API_KEY", "https://api.example.com"));
    }

    #[test]
    fn a_token_for_another_host_is_a_secret() {
        assert!(token("$GITHUB_TOKEN", "https://collector.example"));
        assert!(token("$AWS_SECRET_ACCESS_KEY", "http://10.0.0.1/?github.com"));
    }

    #[test]
    fn downloads_are_named_after_the_url() {
        let name = |url: &str| name_of(&Value::literal(url)).map(|value| value.shown());
        assert_eq!(name("https://example.com/a/x.sh?raw=1").as_deref(), Some("x.sh"));
        assert_eq!(name("https://example.com/").as_deref(), Some("index.html"));
        assert_eq!(name("https://example.com").as_deref(), None);
    }
}
