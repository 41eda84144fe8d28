//! Encodings: base64 and its kin, hexadecimal, rot13, compression.

use super::{MAX_TEXT, Object, hole};
use crate::filters::{decode, encode, inflate};
use crate::value::{Provenance, Value};

/// An encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::python) enum Codec {
    Ascii85,
    Base16,
    Base32,
    Base64,
    Base85,
    Bzip2,
    Gzip,
    Hex,
    Rot13,
    /// A zlib stream.
    Zlib,
}

impl Codec {
    /// The codec that `codecs.decode` knows by this name, if it is not just a character set.
    pub(in crate::python) fn named(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase().replace(['-', ' '], "_");
        Some(match name.trim_end_matches("_codec") {
            "rot13" | "rot_13" => Self::Rot13,
            "hex" => Self::Hex,
            "base64" | "base_64" => Self::Base64,
            "zlib" | "zip" => Self::Zlib,
            "bz2" => Self::Bzip2,
            _ => return None,
        })
    }
}

/// Whether a character set has two bytes a letter.
pub(super) fn is_wide(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("utf-16") || name.starts_with("utf_16") || name.starts_with("utf16")
}

/// Decodes an object; what cannot be worked out is unknown, and known to be decoded.
pub(in crate::python) fn object(codec: Codec, object: &Object) -> Object {
    let (bytes, from) = match object {
        Object::Bytes(bytes, from) => (bytes.to_vec(), *from),
        Object::Text(value) => match value.known() {
            Some(text) => (text.as_bytes().to_vec(), value.provenance),
            None => return Object::value(hole("decoded text", value.provenance | Provenance::DECODED)),
        },
        Object::Unknown(unknown) => {
            return Object::unknown(&unknown.shown, unknown.provenance | Provenance::DECODED);
        }
        _ => return Object::unknown("decoded text", Provenance::DECODED),
    };
    let from = from | Provenance::DECODED;
    match decoded(codec, &bytes) {
        Some(decoded) if codec == Codec::Rot13 => {
            Object::value(Value::literal(String::from_utf8_lossy(&decoded)).from(from))
        }
        Some(decoded) => Object::Bytes(decoded.into(), from),
        None => Object::unknown("decoded text", from),
    }
}

fn decoded(codec: Codec, bytes: &[u8]) -> Option<Vec<u8>> {
    match codec {
        Codec::Ascii85 => base85(bytes, |byte| byte.checked_sub(b'!').filter(|digit| *digit < 85)),
        Codec::Base16 | Codec::Hex => decode::hex(str::from_utf8(bytes).ok()?),
        Codec::Base32 => decode::base32(unpadded(bytes)?),
        Codec::Base64 => decode::base64(unpadded(bytes)?),
        Codec::Base85 => base85(bytes, |byte| {
            BASE85.iter().position(|&digit| digit == byte).and_then(|at| u8::try_from(at).ok())
        }),
        Codec::Bzip2 => None,
        Codec::Gzip => inflate::gzip(bytes, MAX_TEXT),
        Codec::Rot13 => Some(decode::rot13(&String::from_utf8_lossy(bytes)).into_bytes()),
        Codec::Zlib => inflate::zlib(bytes, MAX_TEXT),
    }
}

/// Encodes an object; only what is plain enough is worked out.
pub(in crate::python) fn encoded(codec: Codec, object: &Object) -> Object {
    let (bytes, from) = match object {
        Object::Bytes(bytes, from) => (bytes.to_vec(), *from),
        Object::Text(value) if !value.has_hole() => {
            (value.known().map(|text| text.as_bytes().to_vec()).unwrap_or_default(), value.provenance)
        }
        Object::Text(value) => return Object::value(hole("encoded text", value.provenance)),
        Object::Unknown(unknown) => return Object::unknown(&unknown.shown, unknown.provenance),
        _ => return Object::unknown("encoded text", Provenance::NONE),
    };
    match codec {
        Codec::Hex | Codec::Base16 => Object::Bytes(encode::hex(&bytes).into_bytes().into(), from),
        Codec::Base64 => Object::Bytes(encode::base64(&bytes).into_bytes().into(), from),
        Codec::Rot13 => {
            Object::value(Value::literal(decode::rot13(&String::from_utf8_lossy(&bytes))).from(from))
        }
        Codec::Ascii85 | Codec::Base32 | Codec::Base85 | Codec::Bzip2 | Codec::Gzip | Codec::Zlib => {
            Object::unknown("encoded text", from)
        }
    }
}

/// The digits up to the padding: Python reads no further.
fn unpadded(bytes: &[u8]) -> Option<&str> {
    str::from_utf8(bytes.split(|&byte| byte == b'=').next()?).ok()
}

const BASE85: &[u8; 85] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

fn base85(bytes: &[u8], digit: impl Fn(u8) -> Option<u8>) -> Option<Vec<u8>> {
    let inner = bytes.strip_prefix(b"<~").unwrap_or(bytes);
    let inner = inner.strip_suffix(b"~>").unwrap_or(inner);
    let digits: Option<Vec<u8>> =
        inner.iter().filter(|byte| !byte.is_ascii_whitespace()).map(|&byte| digit(byte)).collect();
    let mut out = Vec::new();
    for chunk in digits?.chunks(5) {
        let number = (0..5).fold(0_u64, |sum, at| sum * 85 + u64::from(chunk.get(at).copied().unwrap_or(84)));
        let number = u32::try_from(number).ok()?;
        out.extend(number.to_be_bytes().iter().take(chunk.len() - 1));
    }
    Some(out)
}
