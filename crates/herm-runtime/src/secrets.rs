//! What directories that commands see keep of the person's secrets.

use std::path::{Path, PathBuf};

use herm_shell::place::resolve;
use herm_shell::{Places, Value};

use crate::files::{self, Seen};

/// What is called a secret, directly in a directory.
pub(crate) fn in_directory(root: &Path, home: &Path) -> Vec<PathBuf> {
    let home = home.to_string_lossy();
    files::list(root).into_iter().filter(|path| is_called_secret(path, &home)).collect()
}

/// What a directory of tools keeps of them: what is called so, and settings with something in them that looks like one.
///
/// Tools need their settings, so those without a secret stay. Deeper than where tools are known to keep some, nothing is looked for: it
/// would take longer than most commands.
pub(crate) fn in_tools(root: &Path, home: &Path) -> Vec<PathBuf> {
    let home = home.to_string_lossy();
    let deeper = BELOW.iter().map(|below| root.join(below)).filter(|path| files::exists(path));
    let versions = files::list(&root.join(VERSIONS)).into_iter().map(|version| version.join("etc/npmrc"));
    let listed = files::list(root);
    let directly = listed.clone().into_iter().filter(|path| {
        is_called_secret(path, &home) || name(path).is_some_and(|name| is_key(&name)) || is_private_key(path)
    });
    let settings = listed.into_iter().chain(MIXED_BELOW.iter().map(|below| root.join(below)));
    let settings = settings.chain(versions).filter(|path| is_mixed(path) && holds_secret(path));
    directly.chain(deeper).chain(settings).collect()
}

fn is_called_secret(path: &Path, home: &str) -> bool {
    let written = Value::literal(path.to_string_lossy());
    resolve(&written, None, home).places.any(Places::CREDENTIAL)
}

fn name(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_str()?.to_lowercase())
}

/// Whether tools keep nothing but secrets under a name, wherever their directory is.
fn is_key(name: &str) -> bool {
    let bare = name.trim_start_matches('.');
    let is_store = STORES.iter().any(|ending| name.ends_with(ending));
    is_store || bare.starts_with("credentials") || bare.ends_with("_credentials") || KEYS.contains(&name)
}

fn is_private_key(path: &Path) -> bool {
    path.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("pem"))
        && says(path, |text| text.contains("PRIVATE KEY"))
}

fn is_mixed(path: &Path) -> bool {
    name(path).is_some_and(|name| MIXED.contains(&name.as_str()))
}

fn holds_secret(settings: &Path) -> bool {
    says(settings, |text| text.lines().any(tells_secret))
}

/// Whether a file has a text in it of which something is true. What cannot be read is taken to have it.
fn says(path: &Path, is_so: impl FnOnce(&str) -> bool) -> bool {
    match files::read(path) {
        Seen::Absent => false,
        Seen::Bytes(bytes) => is_so(&String::from_utf8_lossy(&bytes)),
        Seen::Hidden => !path.is_dir(),
    }
}

/// Whether a line of settings gives a value to something that is called a secret, or names an address with one in it.
fn tells_secret(line: &str) -> bool {
    let line = line.trim().to_lowercase();
    let is_comment = ["#", ";", "--"].iter().any(|mark| line.starts_with(mark));
    !is_comment && (WORDS.iter().any(|word| gives(&line, word)) || addresses(&line).any(has_secret))
}

/// Whether something whose name has `word` in it is given a value: `token = …`, `"_authToken": …`, `<password>`, `key="password" value=`.
fn gives(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let rest = line.get(at + word.len()..).unwrap_or_default();
        let rest = rest.trim_start_matches(|next: char| next.is_alphanumeric() || "-_.".contains(next));
        let rest = rest.trim_start_matches(|next: char| next.is_whitespace() || "'\"".contains(next));
        rest.starts_with(['=', ':', '>']) || rest.starts_with("value")
    })
}

/// What follows `http://` and `https://` in a line.
fn addresses(line: &str) -> impl Iterator<Item = &str> {
    ["http://", "https://"].into_iter().flat_map(|scheme| line.split(scheme).skip(1))
}

/// Whether an address says who asks, or has a token in its path as Conda's have.
fn has_secret(address: &str) -> bool {
    let end = |next: char| next.is_whitespace() || "'\"<>,".contains(next);
    let whole = address.split(end).next().unwrap_or_default();
    let (host, path) = whole.split_once('/').unwrap_or((whole, ""));
    host.contains('@') || path.starts_with("t/")
}

/// Words in the names of secrets.
const WORDS: &[&str] = &["_auth", "api-key", "api_key", "apikey", "passwd", "password", "secret", "token"];

/// Files that are nothing but secrets.
const KEYS: &[&str] = &[
    ".git-credentials",
    ".netrc",
    ".pypirc",
    "_netrc",
    "auth.json",
    "auth.toml",
    "hex.config",
    "pub-tokens.json",
    "settings-security.xml",
];

/// How stores of keys are called.
const STORES: &[&str] = &[".jks", ".key", ".keystore", ".p12", ".pfx", ".ppk"];

/// Settings that tools need, in which people keep secrets, too.
const MIXED: &[&str] = &[
    ".bunfig.toml",
    ".condarc",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    "bunfig.toml",
    "condarc",
    "config",
    "config.toml",
    "config.yaml",
    "gradle.properties",
    "npmrc",
    "nuget.config",
    "pip.conf",
    "repositories",
    "settings.xml",
];

/// Where such settings are deeper.
const MIXED_BELOW: &[&str] = &["NuGet/NuGet.Config", "NuGet/nuget.config", "conf/settings.xml", "etc/npmrc"];

/// Where a directory of tools keeps a node of each version.
const VERSIONS: &str = "versions/node";

/// Secrets that tools keep deeper: those of sbt, .NET, Stack.
const BELOW: &[&str] = &[
    "0.13/credentials.sbt",
    "1.0/credentials.sbt",
    "corefx/cryptography/x509stores",
    "gpg/secring.asc",
    "upload/credentials.json",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nothing_but_a_secret_is_known_by_its_name() {
        for name in ["credentials", "credentials.toml", ".credentials", "sonatype_credentials", "me.p12"] {
            assert!(is_key(name), "{name}");
        }
        for name in ["git-credential-store", "config.toml", "registry", "cacert.pem", "keytool"] {
            assert!(!is_key(name), "{name}");
        }
    }

    #[test]
    fn settings_with_a_secret_in_them_are_told_from_those_without() {
        for line in [
            "token = \"abc\"",
            "mine = { index = \"https://host.example/\", token = \"abc\" }",
            "//registry.example/:_authToken=abc",
            "<password>abc</password>",
            "<add key=\"ClearTextPassword\" value=\"abc\" />",
            "index = \"https://ann:abc@host.example/index\"",
            "  - https://conda.example/t/ab-cdef/channel",
            "GITHUB_TOKEN = 'abc'",
            "password: abc",
        ] {
            assert!(tells_secret(line), "{line}");
        }
        for line in [
            "-- password:",
            "# token = \"abc\"",
            "replace-with = \"vendored\"",
            "global-credential-providers = [\"cargo:token\"]",
            "index = \"https://host.example/@scope/index\"",
            "url = \"ssh://git@host.example/a\"",
            "rustflags = [\"-C\", \"link-arg=-s\"]",
        ] {
            assert!(!tells_secret(line), "{line}");
        }
    }
}
