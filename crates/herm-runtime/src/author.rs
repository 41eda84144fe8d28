//! Who a person is to git.
//!
//! Behind the boundary nobody could commit without a name. The rest of a person's configuration stays outside: it may hold
//! tokens, and names programs to run.

use std::path::Path;

use crate::files::{self, Seen};

/// A configuration for git that says who the person with this home is, and nothing else.
pub(crate) fn of(home: &Path) -> Option<String> {
    let usual = [home.join(".config/git/config"), home.join(".gitconfig")];
    let lines: Vec<String> = usual.iter().flat_map(|path| who(&text(path))).collect();
    (!lines.is_empty()).then(|| format!("[user]\n{}\n", lines.join("\n")))
}

fn text(path: &Path) -> String {
    match files::read(path) {
        Seen::Bytes(bytes) => String::from_utf8(bytes).unwrap_or_default(),
        Seen::Absent | Seen::Hidden => String::new(),
    }
}

/// The lines that say a name or an address, as they are.
fn who(text: &str) -> Vec<String> {
    let mut is_user = false;
    let mut lines = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            is_user = line.eq_ignore_ascii_case("[user]");
        } else if is_user && says_who(line) {
            lines.push(format!("\t{line}"));
        }
    }
    lines
}

fn says_who(line: &str) -> bool {
    let Some((key, value)) = line.split_once('=') else { return false };
    // What goes on in the next line is left out, whole.
    ["email", "name"].iter().any(|known| key.trim().eq_ignore_ascii_case(known)) && !value.ends_with('\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_taken_and_nothing_else() {
        let text = "[credential]\n\thelper = store\n\tname = other\n[User]\n\tname = Ann \"B\"\n  email=ann@example.com\n\
                    \tsigningKey = ABC\n\tname = long \\\n more\n[url \"https://token@host/\"]\n\tinsteadOf = x\n";
        assert_eq!(who(text), ["\tname = Ann \"B\"", "\temail=ann@example.com"]);
        assert_eq!(who("name = nobody\n[user.x]\nname = other\n"), [""; 0]);
    }
}
