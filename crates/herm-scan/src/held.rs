//! The secrets that are held in a file of variables.

use crate::secrets::{Writing, is_passphrase, is_password, is_secret, strength};

/// The values in a `.env` file that are secrets: those whose names say so, and those that look like one.
///
/// What can be nothing but a setting is left out, because its value stands in ordinary texts as well: a word, a number, a
/// switch, the address of a host.
#[must_use]
pub fn held_secrets(variables: &str) -> Vec<&str> {
    variables.lines().filter_map(secret).collect()
}

fn secret(line: &str) -> Option<&str> {
    let (name, value) = line.trim().split_once('=')?;
    let name = name.trim().trim_start_matches("export ").trim_end();
    let value = unquoted(value.trim());
    let bytes = value.as_bytes();
    let named =
        strength(name.as_bytes()).is_some() && (is_password(bytes, Writing::Bare) || is_passphrase(bytes));
    let comment = name.starts_with('#');
    (!comment && (named || is_secret(bytes))).then_some(value)
}

/// A value without its quotes; without them, it ends at a comment.
fn unquoted(value: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some((inner, _)) = value.strip_prefix(quote).and_then(|rest| rest.split_once(quote)) {
            return inner;
        }
    }
    value.split_once(" #").map_or(value, |(value, _)| value.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_told_from_settings() {
        let file = "# a comment with TOKEN=q8w7e6r5t4\nexport BOT_TOKEN='a quoted-one' # no\nDB_PASSWORD=letmein\n\
                    OTHER = \"zK9x-vQ2m-Rt7L-w4pB\"\nMODEL=claude-opus\nPORT=3000\nTOKEN_LIMIT=100000\nDEBUG=true\n\
                    API_KEY=zK9xvQ2mRt7L # comment\nBASE_URL=https://example.com\nEMPTY_TOKEN=\nnothing\n";
        assert_eq!(held_secrets(file), ["a quoted-one", "letmein", "zK9x-vQ2m-Rt7L-w4pB", "zK9xvQ2mRt7L"]);
    }
}
