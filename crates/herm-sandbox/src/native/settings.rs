//! Settings of git that make nobody run code.
//!
//! This reads less than git does, on purpose: one that is written in any unusual way is not taken for harmless, whatever it means.

/// Whether a file of settings has nothing in it but what is known to be harmless, in plain words.
pub(super) fn are_harmless(text: &str) -> bool {
    let mut section = None;
    text.lines().map(str::trim).all(|line| match line.as_bytes().first() {
        None | Some(b'#' | b';') => true,
        Some(b'[') => {
            section = Section::of(line);
            section.is_some()
        }
        Some(_) => section.as_ref().is_some_and(|section| section.admits(line)),
    })
}

/// What a file of settings says where else hooks and settings are, as it is written there: hooks, then settings.
///
/// This takes more than git does: what is named anywhere in it, in whatever section.
pub(super) fn elsewhere(text: &str) -> (Vec<&str>, Vec<&str>) {
    let named = |wanted: &str| text.lines().filter_map(|line| value(line, wanted)).collect();
    (named("hookspath"), named("path"))
}

/// What a line says, if it is about this key. A section may begin on the same line.
fn value<'a>(line: &'a str, wanted: &str) -> Option<&'a str> {
    let (key, value) = line.split_once('=')?;
    let key = key.rsplit(']').next().unwrap_or(key).trim();
    let value = value.trim().trim_matches('"');
    (key.eq_ignore_ascii_case(wanted) && !value.is_empty()).then_some(value)
}

/// `[name]` or `[name "of something"]`.
#[derive(Debug)]
struct Section<'a> {
    name: &'a str,
    has_subject: bool,
}

impl<'a> Section<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let inner = line.strip_prefix('[')?.strip_suffix(']')?;
        let (name, subject) = inner.split_once(' ').map_or((inner, None), |(name, rest)| (name, Some(rest)));
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic());
        let is_subject = |subject: &str| {
            let quoted = subject.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            quoted.is_some_and(|inner| !inner.is_empty() && inner.bytes().all(is_ordinary))
        };
        (is_name && subject.is_none_or(is_subject)).then_some(Self { name, has_subject: subject.is_some() })
    }

    fn admits(&self, line: &str) -> bool {
        let Some((key, value)) = line.split_once('=') else { return false };
        let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
        let name = self.name.to_ascii_lowercase();
        let known = HARMLESS.iter().find(|(section, has_subject, known, _)| {
            *section == name && *has_subject == self.has_subject && *known == key
        });
        known.is_some_and(|(.., is_harmless)| is_harmless(value))
    }
}

/// A section, whether it is about something, a key, and what its values must be.
type Known = (&'static str, bool, &'static str, fn(&str) -> bool);

const HARMLESS: &[Known] = &[
    ("branch", true, "merge", is_word),
    ("branch", true, "rebase", is_word),
    ("branch", true, "remote", is_word),
    ("core", false, "bare", is_word),
    ("core", false, "filemode", is_word),
    ("core", false, "ignorecase", is_word),
    ("core", false, "logallrefupdates", is_word),
    ("core", false, "precomposeunicode", is_word),
    ("core", false, "repositoryformatversion", is_word),
    ("core", false, "symlinks", is_word),
    ("extensions", false, "objectformat", is_word),
    ("init", false, "defaultbranch", is_word),
    ("pull", false, "rebase", is_word),
    ("remote", true, "fetch", is_reference),
    ("remote", true, "url", is_address),
    ("user", false, "email", is_text),
    ("user", false, "name", is_text),
];

/// What stands for itself in a file of settings and in the name of a reference.
fn is_ordinary(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'/' | b'_')
}

/// An option would begin with a dash.
fn is_word(value: &str) -> bool {
    !value.starts_with('-') && value.bytes().all(is_ordinary)
}

fn is_reference(value: &str) -> bool {
    value.bytes().all(|byte| is_ordinary(byte) || matches!(byte, b'+' | b'*' | b':'))
}

fn is_text(value: &str) -> bool {
    value.chars().all(|letter| !letter.is_control() && !matches!(letter, '"' | '\\' | '#' | ';'))
}

/// The address of a server. `ext::` and the like name programs.
fn is_address(value: &str) -> bool {
    let schemes = ["git://", "http://", "https://", "ssh://"];
    let Some(rest) = schemes.iter().find_map(|scheme| value.strip_prefix(scheme)) else { return false };
    let ordinary = |byte| is_ordinary(byte) || matches!(byte, b':' | b'@' | b'~' | b'%' | b'+');
    !rest.starts_with('-') && !rest.contains("@-") && rest.bytes().all(ordinary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_places_are_found_however_they_are_written() {
        let text = "[core]\n\thooksPath = .husky/_\n[include] path = \"../settings\"\n[core]\n\tHOOKSPATH=hooks\n\tpath =\n";
        assert_eq!(elsewhere(text), (vec![".husky/_", "hooks"], vec!["../settings"]));
    }

    #[test]
    fn what_git_writes_by_itself_is_harmless() {
        let text = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n\
            [remote \"origin\"]\n\turl = https://host.example/a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n\
            [branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n[user]\n\tname = A. U. Thor\n";
        assert!(are_harmless(text));
        assert!(are_harmless(""));
    }

    #[test]
    fn what_runs_programs_or_is_written_oddly_is_not() {
        for text in [
            "[core]\n\tfsmonitor = ./run\n",
            "[core]\n\tfsmonitor = true\n",
            "[core]\n\thooksPath = elsewhere\n",
            "[core]\n\tsshCommand = run\n",
            "[core]\n\tworktree = /\n",
            "[core] bare = false\n",
            "[core]\n\tbare\n",
            "[core]\n\tbare = false \\\n",
            "[core]\n\tbare = \"false\"\n",
            "[core \"x\"]\n\tbare = false\n",
            "[core.x]\n\tbare = false\n",
            "bare = false\n",
            "[include]\n\tpath = other\n",
            "[alias]\n\tst = !run\n",
            "[remote]\n\turl = https://host.example/a\n",
            "[remote \"a\"]\n\turl = ext::sh -c run\n",
            "[remote \"a\"]\n\turl = ssh://-oProxyCommand=run/x\n",
            "[remote \"a\"]\n\turl = ssh://me@-oProxyCommand/x\n",
            "[remote \"a\"]\n\turl = /somewhere\n",
            "[remote \"a\"]\n\tuploadpack = run\n",
            "[remote \"a\\\"]\n\turl = https://host.example/a\n",
            "[branch \"main\"]\n\tremote = --upload-pack=run\n",
            "[url \"x\"]\n\tinsteadOf = https\n",
            "\u{feff}[core]\n\tbare = false\n",
        ] {
            assert!(!are_harmless(text), "{text}");
        }
    }
}
