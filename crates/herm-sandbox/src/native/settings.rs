//! Files of settings of git that make nobody run code.

use herm::git::Setting;

/// Whether a file of settings has nothing in it but what is known to be harmless, in plain words. Where files are may be said as it is given.
pub(super) fn are_harmless(text: &str, may_be_of: &dyn Fn(&str) -> bool) -> bool {
    let mut section = None;
    text.lines().map(str::trim).all(|line| match line.as_bytes().first() {
        None | Some(b'#' | b';') => true,
        Some(b'[') => {
            section = Section::of(line);
            section.is_some()
        }
        Some(_) => section.as_ref().is_some_and(|section| section.admits(line, may_be_of)),
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
        match inner.split_once(' ') {
            None => Some(Self { name: inner, subject: None }),
            Some((name, subject)) => {
                Some(Self { name, subject: Some(subject.strip_prefix('"')?.strip_suffix('"')?) })
            }
        }
    }

    fn admits(&self, line: &str, may_be_of: &dyn Fn(&str) -> bool) -> bool {
        let Some((key, value)) = line.split_once('=') else { return false };
        let (key, value) = (key.trim(), value.trim());
        let setting = Setting { section: self.name, subject: self.subject, key };
        let is_place = self.name == "core" && self.subject.is_none() && key == "worktree";
        if is_place { is_path(value) && may_be_of(value) } else { setting.is_harmless(value) }
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
