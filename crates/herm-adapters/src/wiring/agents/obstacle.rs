//! What stands in the way of herm's part: a file by which an agent passes it over without a word.

use super::super::item::Item;
use super::Switch;

/// A file in the directory of an agent's settings that may keep the agent from asking herm, though all that herm wrote is in its place.
#[derive(Clone, Copy, Debug)]
pub enum Obstacle {
    /// A list of patterns like git's: what one of them matches is passed over.
    Ignoring {
        /// The list.
        file: &'static str,
        /// The name of herm's file beside it.
        name: &'static str,
    },
    /// It is taken in place of everything that lies beside it.
    Instead(&'static str),
    /// It says so.
    Saying(Switch),
}

impl Obstacle {
    /// Where it lies below the directory of the settings.
    #[must_use]
    pub const fn file(&self) -> &'static str {
        match self {
            Self::Ignoring { file, .. } | Self::Instead(file) => file,
            Self::Saying(switch) => switch.file,
        }
    }

    /// Whether it stands in the way. In doubt it does.
    #[must_use]
    pub fn stands(&self, text: &str) -> bool {
        match self {
            Self::Ignoring { name, .. } => text.lines().any(|line| ignores(line.trim(), name)),
            Self::Instead(_) => true,
            Self::Saying(switch) => switch.is_off(text),
        }
    }
}

/// Whether a line of a list like git's may be about a file of this name. A later line that takes it back is not believed.
fn ignores(line: &str, name: &str) -> bool {
    let is_pattern = !line.is_empty() && !line.starts_with(['#', '!']) && !line.ends_with('/');
    is_pattern && may_match(&line.to_lowercase(), name)
}

/// Whether a list has a pattern that takes a file out: `!pattern` where no `+path` brings it back, or `-path`.
pub(super) fn takes_out(list: &[Item], path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let marked = |mark: char| list.iter().filter_map(move |item| item.as_text()?.strip_prefix(mark));
    let is_back = marked('+').any(|exact| exact.ends_with(path));
    let is_out = marked('!').any(|pattern| may_match(pattern, name));
    is_out && !is_back || marked('-').any(|exact| exact.ends_with(path))
}

/// Whether a pattern may match a name: what stands before its first and behind its last sign must begin and end it.
fn may_match(pattern: &str, name: &str) -> bool {
    const SIGNS: [char; 9] = ['*', '?', '[', ']', '\\', '!', '@', '+', '|'];
    if pattern.contains(['{', '(']) {
        return true;
    }
    let last = pattern.rsplit('/').next().unwrap_or(pattern);
    match (last.find(SIGNS), last.rfind(SIGNS)) {
        (Some(first), Some(end)) => {
            let begins = last.get(..first).is_some_and(|head| name.starts_with(head));
            begins && last.get(end + 1..).is_some_and(|tail| name.ends_with(tail))
        }
        (_, _) => last == name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_that_may_be_about_our_file_stand_in_the_way() {
        let list = Obstacle::Ignoring { file: ".gitignore", name: "herm.ts" };
        for text in
            ["herm.ts\n", "# mine\n/herm.ts", "*", "*.ts", "HERM.*", "h[a-f]rm.ts", "**/herm.ts", "*\n!x"]
        {
            assert!(list.stands(text), "{text:?}");
        }
        for text in ["", "# herm.ts\n", "*.log\n\n", "node_modules/\n", "!herm.ts", "other.ts", "a*.ts"] {
            assert!(!list.stands(text), "{text:?}");
        }
    }

    #[test]
    fn a_list_that_takes_our_file_out_is_known() {
        let is_out = |list: &[&str]| {
            let list: Vec<_> = list.iter().map(|text| Item::text(*text)).collect();
            takes_out(&list, "extensions/herm.ts")
        };
        for list in [
            ["-extensions/herm.ts"].as_slice(),
            &["-./extensions/herm.ts"],
            &["-/home/ann/.pi/agent/extensions/herm.ts"],
            &["!herm*"],
            &["!**"],
            &["!{a,herm}.ts"],
            &["!**/extensions/*.ts"],
            &["+extensions/herm.ts", "-extensions/herm.ts"],
        ] {
            assert!(is_out(list), "{list:?}");
        }
        for list in
            [[].as_slice(), &["./mine.ts"], &["!other*"], &["-herm.ts"], &["!**", "+extensions/herm.ts"]]
        {
            assert!(!is_out(list), "{list:?}");
        }
    }
}
