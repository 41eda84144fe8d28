//! Values that are secrets, whatever their name is.

use std::ffi::OsStr;

/// Whether a value holds a password in an address, a private key, or what is known for a key by its shape.
///
/// Addresses of databases, package indexes and proxies carry passwords, under names that nobody can list; and a key stays one whatever
/// it is called.
pub(super) fn holds_secret(value: &OsStr) -> bool {
    let value = value.to_string_lossy();
    value.contains("PRIVATE KEY-----") || addresses(&value).any(has_password) || has_shape_of_key(&value)
}

fn has_shape_of_key(value: &str) -> bool {
    value.len() >= KEY_LENGTH && herm_scan::Redactor::new().redact(value) != value
}

/// What follows each `://`.
fn addresses(value: &str) -> impl Iterator<Item = &str> {
    value.split("://").skip(1)
}

/// Whether the part before the host holds a name and a password, or a long word that is a key by itself.
fn has_password(address: &str) -> bool {
    let authority = address.split(['/', '?', '#', ' ', '"', '\'']).next().unwrap_or_default();
    let Some((user, _)) = authority.rsplit_once('@') else { return false };
    match user.split_once(':') {
        Some((_, password)) => !password.is_empty(),
        None => user.len() >= KEY_LENGTH,
    }
}

/// Names of people are shorter than keys.
const KEY_LENGTH: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_in_addresses_are_secrets() {
        for value in [
            "postgres://app:hunter2@db/app",
            "http://user:pw@proxy:3128",
            "https://pypi.org/simple https://bot:pw@index.example.com/simple",
            "https://ghp_0123456789abcdefghij@github.com/a/b",
            "redis://:pw@cache:6379/0",
            "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n",
            "-----BEGIN PRIVATE KEY-----",
            concat!("ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"),
        ] {
            assert!(holds_secret(OsStr::new(value)), "{value}");
        }
    }

    #[test]
    fn addresses_without_one_are_not() {
        for value in [
            "",
            "http://proxy:3128",
            "https://example.com/a@b:c",
            "ssh://git@github.com/a/b",
            "a:b@c",
            "/usr/bin:/bin",
            "https://user@example.com",
            "unix:path=/run/user/1000/bus",
            "rs=0:di=01;34:ln=01;36:mh=00:pi=40;33:so=01;35:do=01;35:bd=40;33;01",
            "/home/ann/.local/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin",
            "/tmp/ssh-XXXXXXabcdef/agent.12345",
            "0b7a8f0c-5d8e-4a53-9f9b-3c0f5a3d7c11",
        ] {
            assert!(!holds_secret(OsStr::new(value)), "{value}");
        }
    }
}
