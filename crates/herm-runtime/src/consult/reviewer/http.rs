//! The one request that is made.

use ureq::config::AutoHeaderValue;
use ureq::{Agent, Error};

use super::endpoint::Endpoint;
use crate::consult::quoted;

/// The longest answer that is read; one word in its wrapping takes a few hundred bytes.
const LONGEST: u64 = 64 * 1024;

/// Sends a JSON text and returns what came back. Whatever is not a plain answer in time is an error.
///
/// Redirects are not followed: they would carry the command and the key elsewhere. Proxies from the environment are not
/// used: a repository's settings may have put them there.
pub(super) fn post(endpoint: &Endpoint, body: &str) -> Result<Vec<u8>, String> {
    let agent: Agent = Agent::config_builder()
        .timeout_global(Some(endpoint.time))
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .proxy(None)
        .user_agent(AutoHeaderValue::Provided(std::sync::Arc::new("herm".to_owned())))
        .build()
        .into();
    let mut request = agent.post(&endpoint.url).header("content-type", "application/json");
    if let Some(key) = &endpoint.key {
        request = request.header("authorization", format!("Bearer {}", key.reveal()));
    }
    let mut response = request.send(body).map_err(|error| described(&error))?;
    if response.status() != 200 {
        return Err(format!("the model answers with status {}", response.status().as_u16()));
    }
    response.body_mut().with_config().limit(LONGEST).read_to_vec().map_err(|error| described(&error))
}

fn described(error: &Error) -> String {
    if matches!(error, Error::Timeout(_)) {
        "the model takes too long".to_owned()
    } else if matches!(error, Error::BodyExceedsLimit(_)) {
        "the model says too much".to_owned()
    } else {
        format!("the model cannot be asked: {}", quoted(&error.to_string()))
    }
}
