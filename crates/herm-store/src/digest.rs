//! Hashes, and the key that vouches for the head of the ledger.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest as _, Sha256};

/// A SHA-256 hash, or a code made with a key; written in hexadecimal.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// What stands where there is nothing before.
    pub const ZERO: Self = Self([0; 32]);

    /// The SHA-256 of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Reads 64 lower-case hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        let pairs = text.as_bytes().chunks_exact(2);
        if text.len() != 64 {
            return None;
        }
        for (byte, pair) in bytes.iter_mut().zip(pairs) {
            let [high, low] = pair else { return None };
            *byte = digit(*high)? << 4 | digit(*low)?;
        }
        Some(Self(bytes))
    }

    /// The bytes themselves.
    #[must_use]
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A key that vouches for bytes, such as the head of the ledger. It never shows itself.
pub struct Key([u8; 32]);

impl Key {
    /// A new one, from the operating system.
    ///
    /// # Errors
    ///
    /// When that has no random numbers.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes))
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The code of these bytes.
    #[must_use]
    pub fn sign(&self, bytes: &[u8]) -> Digest {
        Digest(self.mac(bytes).finalize().into_bytes().into())
    }

    /// Whether the code belongs to these bytes; compared in constant time.
    #[must_use]
    pub fn vouches(&self, bytes: &[u8], code: &Digest) -> bool {
        self.mac(bytes).verify_slice(code.bytes()).is_ok()
    }

    fn mac(&self, bytes: &[u8]) -> Hmac<Sha256> {
        // A key shorter than a block is filled up with zeros.
        let mut block = [0; 64];
        block.iter_mut().zip(self.0).for_each(|(to, from)| *to = from);
        Hmac::<Sha256>::new(&block.into()).chain_update(bytes)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sha_256_of_abc() {
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Digest::of(b"abc").to_string(), known);
        assert_eq!(Digest::parse(known), Some(Digest::of(b"abc")));
    }

    #[test]
    fn nothing_but_64_lower_case_digits_is_read() {
        let known = Digest::of(b"abc").to_string();
        assert_eq!(Digest::parse(&known.to_uppercase()), None);
        assert_eq!(Digest::parse(&format!("{known}00")), None);
        assert_eq!(Digest::parse(&known.replace('b', "é")), None);
        assert_eq!(Digest::parse(""), None);
    }

    /// The expected code was computed with OpenSSL.
    #[test]
    fn a_key_vouches_for_what_it_signed_only() {
        let key = Key::from_bytes(&[7; 32]).unwrap();
        let code = key.sign(b"head");
        assert_eq!(code.to_string(), "341aad7d4ee9a5fd2291eaa50d9f2c1b731c59d4000f623c1e12c4a11d39b6bb");
        assert!(key.vouches(b"head", &code));
        assert!(!key.vouches(b"heap", &code));
        assert!(!Key::from_bytes(&[8; 32]).unwrap().vouches(b"head", &code));
    }

    #[test]
    fn keys_differ_and_do_not_show_themselves() {
        let (one, other) = (Key::random().unwrap(), Key::random().unwrap());
        assert_ne!(one.bytes(), other.bytes());
        assert_eq!(format!("{one:?}"), "Key");
    }
}
