//! Clouds that are emulated on this machine: what clients delete there is nobody's but whoever started the emulator.

use std::borrow::Cow;

use super::arguments::Parsed;
use super::verbs;
use crate::sink::Sink;
use crate::value::Value;

/// Whether what answers `aws` is an emulator.
pub(super) fn answers_aws(parsed: &Parsed<'_>, sink: &dyn Sink) -> bool {
    if let Some(endpoint) = given(parsed, "--endpoint-url") {
        return endpoint.known().is_some_and(|endpoint| is_here(&endpoint));
    }
    let service = parsed.word(0).unwrap_or_default().replace('-', "_").to_ascii_uppercase();
    for name in [format!("AWS_ENDPOINT_URL_{service}"), "AWS_ENDPOINT_URL".to_owned()] {
        if sink.changes_variable(&name) {
            return sink.variable(&name).known().is_some_and(|endpoint| is_here(&endpoint));
        }
    }
    parsed.program == "awslocal" && !sink.changes_variable("LOCALSTACK_HOST")
}

/// gcloud goes where an override of the service's endpoint says.
pub(super) fn gcloud(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let service = parsed.word(0).unwrap_or_default().replace('-', "_").to_ascii_uppercase();
    let endpoint = sink.variable(&format!("CLOUDSDK_API_ENDPOINT_OVERRIDES_{service}"));
    if !endpoint.known().is_some_and(|endpoint| is_here(&endpoint)) {
        verbs::read(parsed, sink);
    }
}

/// az reaches Azurite by its well-known connection.
pub(super) fn az(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let connection = given(parsed, "--connection-string").and_then(|text| text.known().map(Cow::into_owned));
    let emulated = connection.is_some_and(|text| is_azurite(&text));
    if !emulated || parsed.word(0).as_deref() != Some("storage") {
        verbs::read(parsed, sink);
    }
}

/// The last value of a long option, as it stands among the arguments.
fn given(parsed: &Parsed<'_>, option: &str) -> Option<Value> {
    let mut found = None;
    let mut words = parsed.all.iter();
    while let Some(word) = words.next() {
        let text = word.value.known_prefix();
        if text == option {
            found = words.next().map(|next| next.value.clone());
        } else if text.strip_prefix(option).is_some_and(|rest| rest.starts_with('=')) {
            found = Some(super::arguments::tail(&word.value, option.len() + 1));
        }
    }
    found
}

/// `UseDevelopmentStorage=true`, or endpoints that all lie here.
fn is_azurite(connection: &str) -> bool {
    let mut fields = connection.split(';').filter_map(|field| field.split_once('='));
    let mut endpoints = fields.clone().filter(|(name, _)| name.ends_with("Endpoint")).peekable();
    if endpoints.peek().is_some() {
        return endpoints.all(|(_, endpoint)| is_here(endpoint));
    }
    fields.any(|(name, value)| name == "UseDevelopmentStorage" && value == "true")
}

/// Whether an address is one of this machine, and cannot be read as another.
fn is_here(endpoint: &str) -> bool {
    let Some((scheme, rest)) = endpoint.split_once("://") else { return false };
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port),
        Some(_) | None => (authority, ""),
    };
    let is_loopback = host.strip_prefix("127.").is_some_and(|rest| {
        rest.split('.').count() == 3 && rest.split('.').all(|part| part.parse::<u8>().is_ok())
    });
    matches!(scheme, "http" | "https")
        && port.bytes().all(|digit| digit.is_ascii_digit())
        && (is_loopback || matches!(host, "localhost" | "[::1]" | "localhost.localstack.cloud"))
}

#[cfg(test)]
mod tests {
    use super::is_here;

    #[test]
    fn only_addresses_of_this_machine_are_emulators() {
        for endpoint in
            ["http://localhost:4566", "http://127.0.0.1:9000/", "https://[::1]:4566", "http://localhost"]
        {
            assert!(is_here(endpoint), "{endpoint}");
        }
        for endpoint in [
            "http://localhost.evil.example",
            "http://localhost@evil.example",
            "http://localhost:4566@evil.example",
            "http://127.0.0.1.evil.example",
            "https://s3.amazonaws.com",
            "http://10.0.0.1:4566",
            "localhost",
            "",
        ] {
            assert!(!is_here(endpoint), "{endpoint}");
        }
    }
}
