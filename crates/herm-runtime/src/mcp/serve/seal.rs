//! What a client has to come back with.
//!
//! It passes through the client, so it is believed only if it carries a code that this process alone can make, belongs to the very same call, and is
//! not too old. That it is used once only is seen to by whoever opens it.

use std::io;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use herm_store::{Digest, Key};

/// What vouches for what clients come back with, for as long as this process lives.
#[derive(Debug)]
pub(super) struct Seal(Key);

impl Seal {
    pub(super) fn new() -> io::Result<Self> {
        Key::random().map(Self).map_err(io::Error::other)
    }

    /// A name that cannot be guessed.
    pub(super) fn name() -> io::Result<String> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        Ok(u128::from_be_bytes(bytes).to_string())
    }

    /// What a client has to come back with for this call, within this time.
    pub(super) fn close(&self, name: &str, call: &str, time: Duration) -> String {
        let end = now().saturating_add(time.as_secs());
        let code = self.0.sign(&signed(name, end, call));
        format!("{name}.{end}.{code}")
    }

    /// The name in what a client came back with, if it is to be believed.
    pub(super) fn open(&self, state: &str, call: &str) -> Option<String> {
        let [name, end, code] = state.split('.').collect::<Vec<_>>().try_into().ok()?;
        let code = Digest::parse(code)?;
        let until: u64 = end.parse().ok()?;
        let is_ours = self.0.vouches(&signed(name, until, call), &code);
        (is_ours && now() <= until).then(|| name.to_owned())
    }
}

/// The call is named by its digest, so that nothing in it can be taken for another part.
fn signed(name: &str, end: u64, call: &str) -> Vec<u8> {
    format!("mcp call {name} {end} {}", Digest::of(call.as_bytes())).into_bytes()
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(u64::MAX, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_mins(1);

    #[test]
    fn only_what_was_sealed_for_this_call_is_opened() {
        let seal = Seal::new().unwrap();
        let state = seal.close("7", "call", MINUTE);
        assert_eq!(seal.open(&state, "call").as_deref(), Some("7"));
        assert_eq!(seal.open(&state, "another"), None);
        assert_eq!(Seal::new().unwrap().open(&state, "call"), None);
        for forged in [
            state.replacen('7', "8", 1),
            state.replacen('.', "0.", 2),
            format!("{state}0"),
            format!("{state}.1"),
            String::new(),
            "7".to_owned(),
        ] {
            assert_eq!(seal.open(&forged, "call"), None, "{forged}");
        }
    }

    #[test]
    fn what_is_over_is_not_opened() {
        let seal = Seal::new().unwrap();
        let end = now() - 1;
        let code = seal.0.sign(&signed("7", end, "call"));
        assert_eq!(seal.open(&format!("7.{end}.{code}"), "call"), None);
    }
}
