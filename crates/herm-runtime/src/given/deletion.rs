//! What a tool that deletes does to the files that it is given.

use herm::call::Exec;
use herm_shell::Lang;

use super::found::Found;
use super::name::Deletes;

/// The commands that would do the same.
pub(super) fn of(found: &Found) -> Vec<Exec> {
    let Some(deletes) = found.name.deletes() else { return Vec::new() };
    let takes_all = deletes == Deletes::All || found.is_recursive;
    let program = if takes_all { "rm -rf --" } else { "rm --" };
    found.paths.iter().map(|path| Exec::new(&format!("{program} {}", operand(path)), Lang::Shell)).collect()
}

/// A path as a shell reads it where it stands for what a tool may make of it: with its home, and with its patterns.
pub(super) fn operand(path: &str) -> String {
    let trimmed = path.trim();
    let plain = trimmed.strip_prefix("file://").unwrap_or(trimmed);
    let home = ["$HOME", "${HOME}"].iter().find_map(|home| plain.strip_prefix(home));
    let (before, rest) = match (home, plain.strip_prefix('~')) {
        (Some(rest), _) | (None, Some(rest)) => ("~", rest),
        (None, None) => ("", plain),
    };
    format!("{before}{}", if rest.chars().all(is_bare) { rest.to_owned() } else { quoted(rest) })
}

/// The same with everything quoted but its patterns. What stands right behind a tilde is a name, or begins a path.
fn quoted(text: &str) -> String {
    let one = |c: char| match c {
        '\'' => r"\'".to_owned(),
        '\n' => "'\n'".to_owned(),
        c if is_bare(c) => c.to_string(),
        c => format!("\\{c}"),
    };
    text.chars().map(one).collect()
}

fn is_bare(c: char) -> bool {
    c.is_alphanumeric() || "%+,-./:=@_*?[]".contains(c)
}

#[cfg(test)]
mod tests {
    use super::operand;

    #[test]
    fn paths_are_operands_of_their_own() {
        for (path, spelled) in [
            ("/", "/"),
            ("a b;c", r"a\ b\;c"),
            ("~/it's", r"~/it\'s"),
            ("$HOME/x", "~/x"),
            ("file:///home", "/home"),
            ("/home/*", "/home/*"),
            ("$(id)", r"\$\(id\)"),
            ("a\nb", "a'\n'b"),
        ] {
            assert_eq!(operand(path), spelled, "{path}");
        }
    }
}
