//! Files of settings of git that make nobody run code.

use herm::git::Setting;

/// Whether a file of settings has nothing in it but what is known to be harmless, in plain words. Where files are may be said as it is given.
pub(super) fn are_harmless(text: &str, may_be_of: &dyn Fn(&str) -> bool) -> bool {
    are_harmless_among(text, may_be_of, &|_| false)
}

/// The same, where another repository on this machine may be named as it is given, too.
pub(super) fn are_harmless_among(
    text: &str,
    may_be_of: &dyn Fn(&str) -> bool,
    may_be_from: &dyn Fn(&str) -> bool,
) -> bool {
    let mut section = None;
    text.lines().map(str::trim).all(|line| match line.as_bytes().first() {
        None | Some(b'#' | b';') => true,
        Some(b'[') => {
            section = Section::of(line);
            section.is_some()
        }
        Some(_) => section.as_ref().is_some_and(|section: &Section<'_>| {
            section.admits(line, may_be_of) || section.comes_from(line).is_some_and(may_be_from)
        }),
    })
}

/// What is harmless of a file of settings.
pub(super) fn harmless_part(
    text: &str,
    may_be_of: &dyn Fn(&str) -> bool,
    may_be_from: &dyn Fn(&str) -> bool,
) -> String {
    let mut part = String::new();
    for (begin, line) in lines(text) {
        let Some(section) = Section::of(begin) else { continue };
        let is_begin = line == begin;
        if is_begin || section.admits(line, may_be_of) || section.comes_from(line).is_some_and(may_be_from) {
            part.push_str(if is_begin { "" } else { "\t" });
            part.push_str(line);
            part.push('\n');
        }
    }
    part
}

/// Whether settings have nothing in them that was not there before but what is known to be harmless.
pub(super) fn adds_only_harmless(before: &[u8], now: &[u8]) -> bool {
    let (Ok(before), Ok(now)) = (str::from_utf8(before), str::from_utf8(now)) else { return before == now };
    let known: Vec<(&str, &str)> = lines(before).collect();
    let is_harmless = |(section, line): (&str, &str)| match Section::of(section) {
        _ if known.contains(&(section, line)) => true,
        Some(_) if line.is_empty() || line.starts_with(['#', ';']) => true,
        Some(section) => line.starts_with('[') || section.admits(line, &|_| false),
        None => false,
    };
    lines(now).all(is_harmless)
}

/// The lines of a file, each with the one that begins its section.
fn lines(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().map(str::trim).scan("", |section, line| {
        if line.starts_with('[') {
            *section = line;
        }
        Some((*section, line))
    })
}

/// `[name]` or `[name "of something"]`.
#[derive(Debug)]
struct Section<'a> {
    name: &'a str,
    subject: Option<&'a str>,
}

impl<'a> Section<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let inner = line.strip_prefix('[')?.strip_suffix(']')?;
        let (name, subject) = match inner.split_once(' ') {
            None => (inner, None),
            Some((name, subject)) => (name, Some(subject.strip_prefix('"')?.strip_suffix('"')?)),
        };
        // Behind a bracket or a quotation mark that ends it earlier, git reads a setting.
        let is_named =
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let is_whole = subject.is_none_or(|subject| !subject.contains(['"', '\\', ']']));
        (is_named && is_whole).then_some(Self { name, subject })
    }

    fn admits(&self, line: &str, may_be_of: &dyn Fn(&str) -> bool) -> bool {
        let Some((key, value)) = line.split_once('=') else { return false };
        let (key, value) = (key.trim(), value.trim());
        let setting = Setting { section: self.name, subject: self.subject, key };
        let is_place = self.name == "core" && self.subject.is_none() && key == "worktree";
        if is_place {
            is_path(value) && may_be_of(value)
        } else {
            setting.is_harmless(value) || self.is_of_branches_and_worktrees(key, value)
        }
    }

    /// The path of another repository that this one says it is from.
    fn comes_from<'b>(&self, line: &'b str) -> Option<&'b str> {
        let (key, value) = line.split_once('=')?;
        let is_url = self.name == "remote" && matches!(key.trim(), "url" | "pushurl");
        let is_named = self.subject.is_some_and(is_path);
        Some(value.trim()).filter(|value| is_url && is_named && value.starts_with('/') && is_path(value))
    }

    /// What `git branch -u`, `git worktree add` and `git sparse-checkout` write: a dot is the repository that the setting is in, and the settings of worktrees are looked at
    /// whether git reads them or not.
    fn is_of_branches_and_worktrees(&self, key: &str, value: &str) -> bool {
        let is = |name: &str| key.eq_ignore_ascii_case(name);
        let is_switch = matches!(value, "true" | "false");
        match (self.name, self.subject) {
            ("branch", Some(subject)) => {
                let merge = Setting { section: "branch", subject: Some(subject), key: "merge" };
                is("remote") && value == "." && merge.is_harmless("main")
            }
            ("core", None) => is_switch && (is("sparseCheckout") || is("sparseCheckoutCone")),
            ("extensions", None) => is_switch && (is("worktreeConfig") || is("relativeWorktrees")),
            ("index", None) => is_switch && is("sparse"),
            _ => false,
        }
    }
}

/// A path that stands for itself in such a file.
fn is_path(value: &str) -> bool {
    !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-./_".contains(&byte))
}

#[cfg(test)]
mod tests {
    fn are_harmless(text: &str) -> bool {
        super::are_harmless(text, &|_| false)
    }

    #[test]
    fn where_files_are_is_said_plainly_and_only_as_it_may_be() {
        let text = |path: &str| format!("[core]\n\tbare = false\n\tworktree = {path}\n");
        let may_be = |path: &str| super::are_harmless(&text(path), &|path| path.ends_with("sub"));
        assert!(may_be("../../../sub"));
        for path in ["../../../other", "\"../sub", "../a b/sub", "../# sub", ""] {
            assert!(!may_be(path), "{path}");
        }
    }

    #[test]
    fn what_is_harmless_can_be_told_from_the_rest() {
        let url = "[remote \"origin\"]\n\turl = /project/origin\n\turl = /elsewhere\n\turl = https://host.example/a\n";
        for (text, expected) in [
            ("[core]\n  bare = false\n  fsmonitor = run\n", "[core]\n\tbare = false\n"),
            ("[core]\tfsmonitor=./run]\nbare = true\n[core]\nbare = false\n", "[core]\n\tbare = false\n"),
            (
                "[core]\n\tfsmonitor = a\\\n[user]\n\tname = A\n[alias]\n\tst = !run\n",
                "[core]\n[user]\n\tname = A\n[alias]\n",
            ),
            (url, "[remote \"origin\"]\n\turl = /project/origin\n\turl = https://host.example/a\n"),
            ("bare = true\n", ""),
        ] {
            let is_inside = |path: &str| path.starts_with("/project");
            let part = super::harmless_part(text, &|_| false, &is_inside);
            assert_eq!(part, expected, "{text}");
            assert!(super::are_harmless_among(&part, &|_| false, &is_inside), "{text}");
        }
    }

    #[test]
    fn what_is_added_to_settings_must_be_harmless() {
        let before = "[core]\n\tbare = false\n[alias]\n\tst = !run\n";
        let adds =
            |text: &str| super::adds_only_harmless(before.as_bytes(), format!("{before}{text}").as_bytes());
        assert!(adds(""));
        assert!(adds("[branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n"));
        assert!(super::adds_only_harmless(before.as_bytes(), b"[core]\n\tbare = false\n"));
        for text in [
            "[core]\tfsmonitor=./run]\n",
            "\tx = !run\n",
            "[core]\n\tfsmonitor = run\n",
            "[core] fsmonitor = run\n",
            "[a]\\\n[core]\nx=y\n",
        ] {
            assert!(!adds(text), "{text}");
        }
        assert!(!super::adds_only_harmless(b"", b"st = x"));
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
    fn what_it_writes_for_branches_and_worktrees_is_harmless() {
        let text = "[branch \"topic/1\"]\n\tremote = .\n\tmerge = refs/heads/main\n\
            [extensions]\n\tworktreeConfig = true\n\trelativeWorktrees = true\n\
            [core]\n\tsparseCheckout = true\n\tsparseCheckoutCone = true\n[index]\n\tsparse = false\n";
        assert!(are_harmless(text));
        for text in [
            "[branch \"topic\"]\n\tremote = ..\n",
            "[branch \"topic\"]\n\tremote = ./\n",
            "[branch \"topic\"]\n\tremote = ./evil\n",
            "[branch \"a b\"]\n\tremote = .\n",
            "[branch]\n\tremote = .\n",
            "[remote \"a\"]\n\turl = .\n",
            "[extensions]\n\tworktreeConfig = true # run\n",
            "[extensions]\n\tpartialClone = origin\n",
            "[core]\n\tsparseCheckout = run\n",
            "[extensions \"x\"]\n\tworktreeConfig = true\n",
        ] {
            assert!(!are_harmless(text), "{text}");
        }
    }

    #[test]
    fn what_runs_programs_or_is_written_oddly_is_not() {
        for text in [
            "[core]\n\tfsmonitor = ./run\n",
            "[core]\n\tfsmonitor = true\n",
            "[core]\tfsmonitor=./run]\n",
            "[core]fsmonitor=./run]\n",
            "[a \"b\"]\tfsmonitor=\"]\n",
            "[a \"b\"]\n[core]\tfsmonitor=\"./run\"]\n",
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
