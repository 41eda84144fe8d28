//! Commands of git that change settings which make nobody run code.

use herm_shell::Realm;
use herm_shell::analysis::Invocation;

use super::{Setting, is_address, is_name, is_reference, is_word};
use crate::facts::Facts;

/// What a command does to the settings of the repository that it stands in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Sets {
    /// Whatever it may be: nobody knows.
    #[default]
    Anything,
    /// It sets what makes nobody run code, and does nothing else.
    Only,
    /// It does more, and sets what makes nobody run code: all of it is git's own doing where the repository has neither hooks nor
    /// settings that have git run something, and knows these remotes. Others would be taken for paths.
    WithGitAlone(Vec<String>),
}

/// What a command does to the settings of the repository that it stands in.
#[must_use]
pub fn sets(facts: &Facts) -> Sets {
    let shell = &facts.shell;
    let shape = &shell.shape;
    let is_known = shell.gaps.is_empty() && shell.notes.is_empty();
    let is_plain =
        shape.pipes + shape.redirects + shape.substitutions == 0 && !shape.background && !shape.compound;
    let runs: Option<Vec<Vec<String>>> = shell.invocations.iter().map(arguments).collect();
    let Some(runs) = runs.filter(|runs| is_known && is_plain && !runs.is_empty()) else {
        return Sets::Anything;
    };
    let are = |test: fn(&[&str]) -> bool| {
        runs.iter().all(|words| test(&words.iter().map(String::as_str).collect::<Vec<_>>()))
    };
    if are(are_settings) {
        Sets::Only
    } else if are(|words| are_settings(words) || is_gits_own(words)) {
        Sets::WithGitAlone(runs.iter().filter_map(|words| remote(words)).collect())
    } else {
        Sets::Anything
    }
}

/// The words after `git`, where it is git and nothing else.
fn arguments(invocation: &Invocation) -> Option<Vec<String>> {
    let Invocation { program, called, arguments, within, hooked, realm, privileged, environment, .. } =
        invocation;
    let is_plain =
        within.is_none() && !hooked && !privileged && environment.is_empty() && *realm == Realm::Here;
    let words = || arguments.iter().map(|word| word.known().map(|word| word.to_string())).collect();
    (is_plain && &**program == "git" && called == "git").then(words).flatten()
}

/// Whether the arguments of git set what makes nobody run code. What runs hooks of the repository is not among them.
fn are_settings(words: &[&str]) -> bool {
    let admits =
        |name: &str, value: &str| Setting::read(name).is_some_and(|setting| setting.is_harmless(value));
    match words {
        ["config", "--add" | "--local" | "--replace-all" | "set", name, value] | ["config", name, value] => {
            admits(name, value)
        }
        ["remote", "add" | "set-url", name, address] => admits(&format!("remote.{name}.url"), address),
        ["branch", "-u" | "--set-upstream-to", rest @ ..] => {
            (1..=2).contains(&rest.len()) && rest.iter().all(|word| is_branch(word))
        }
        ["branch", upstream] => upstream.strip_prefix("--set-upstream-to=").is_some_and(is_branch),
        _ => false,
    }
}

fn is_branch(word: &str) -> bool {
    !word.is_empty() && is_word(word)
}

/// The remote that git is to speak to.
fn remote(words: &[String]) -> Option<String> {
    let (verb, rest) = words.split_first()?;
    let speaks = ["fetch", "push"].contains(&verb.as_str());
    rest.iter().find(|word| speaks && !word.starts_with('-')).cloned()
}

/// Whether git does all of it by itself, in a repository that has it run nothing.
fn is_gits_own(words: &[&str]) -> bool {
    let Some((verb, rest)) = words.split_first() else { return false };
    match *verb {
        "add" => admits(rest, &["-A", "--all", "-u", "--update", "-v"], &[], |_| true),
        "branch" => admits(rest, &["-m", "-q", "-t", "--track"], &[], is_branch),
        "checkout" => admits(rest, &["-q", "-t", "--track"], &["-b"], is_branch),
        // Without a message it would start an editor.
        "commit" => rest.iter().any(|word| MESSAGE.contains(word)) && admits(rest, COMMIT, MESSAGE, |_| true),
        "fetch" => speaks(rest, &["-p", "-q", "--all", "--prune", "--tags"]),
        "push" => speaks(rest, &["-q", "-u", "-v", "--set-upstream", "--tags"]),
        "status" => admits(rest, &["-b", "-s", "--short"], &[], |_| false),
        "submodule" => is_of_submodules(rest),
        "switch" => admits(rest, &["-q", "-t", "--track"], &["-c", "--create"], is_branch),
        _ => false,
    }
}

const COMMIT: &[&str] = &["-a", "-q", "-s", "--all", "--allow-empty", "--quiet", "--signoff"];
const MESSAGE: &[&str] = &["-m", "-am", "-aqm", "-qam", "-qm", "--message"];

/// `submodule foreach` runs whatever it is given, and so is not among them.
fn is_of_submodules(words: &[&str]) -> bool {
    match words {
        ["add", address, path] => is_address(address) && is_branch(path),
        ["add", address] => is_address(address),
        ["add", "-b" | "--name", name, address, path] => {
            is_branch(name) && is_address(address) && is_branch(path)
        }
        ["init" | "status" | "sync", rest @ ..] => rest.iter().all(|path| is_branch(path)),
        ["update", rest @ ..] => admits(rest, &["--init", "--recursive", "--remote"], &[], is_branch),
        _ => false,
    }
}

/// A remote, and what is sent there. It must have a name: an address would have git speak to somebody whom nobody has set.
fn speaks(words: &[&str], flags: &[&str]) -> bool {
    let remote = words.iter().find(|word| !word.starts_with('-'));
    remote.is_none_or(|remote| is_name(remote)) && admits(words, flags, &[], is_reference)
}

/// Whether there are no options but these, those with a value have one, and operands are as they must be.
fn admits(words: &[&str], flags: &[&str], valued: &[&str], is_operand: fn(&str) -> bool) -> bool {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let is_admitted = if valued.contains(word) {
            words.next().is_some_and(|value| !value.starts_with('-'))
        } else if word.starts_with('-') {
            flags.contains(word)
        } else {
            is_operand(word)
        };
        if !is_admitted {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use herm_shell::world::Blind;

    use super::*;
    use crate::approval::tests::call;
    use crate::gather::gather;

    fn sets(text: &str) -> Sets {
        super::sets(&gather(&call(text), &Blind))
    }

    #[test]
    fn what_git_does_by_itself_is_known() {
        for text in [
            "git push -u origin main",
            "git push --set-upstream origin topic:topic",
            "git add -A && git commit -qm 'first words' && git push -u origin main",
            "git checkout -b topic --track origin/topic",
            "git checkout topic",
            "git switch -c topic",
            "git fetch origin; git switch topic",
            "git branch --track topic origin/topic",
            "git submodule add https://host.example/a/b.git vendor/b",
            "git submodule update --init --recursive",
            "git config user.name A && git push -u origin main",
        ] {
            assert!(
                matches!(sets(text), Sets::WithGitAlone(_)),
                "{text}: {:?}",
                gather(&call(text), &Blind).shell
            );
        }
        let Sets::WithGitAlone(remotes) = sets("git fetch -q up && git push -u origin main") else { return };
        assert_eq!(remotes, ["up", "origin"]);
    }

    #[test]
    fn what_people_set_every_day_is_known() {
        for text in [
            "git config user.name 'A. U. Thor'",
            "git config --local user.email a@host.example && git config commit.gpgsign false",
            "git config set pull.rebase true",
            "git remote add origin https://host.example/a/b.git",
            "git remote add up git@host.example:a/b.git; git branch -u up/main",
            "git remote set-url origin ssh://git@host.example/a/b",
            "git branch --set-upstream-to=origin/main",
            "git branch --set-upstream-to origin/main main",
        ] {
            assert_eq!(sets(text), Sets::Only, "{text}");
        }
    }

    #[test]
    fn whatever_runs_something_or_does_more_is_not() {
        for text in [
            "git config core.hooksPath hooks",
            "git config branch.main.remote ./evil.git",
            "git config branch.main.remote .",
            "git config core.fsmonitor true",
            "git config alias.st '!run'",
            "git config --global user.name A",
            "git config -f other user.name A",
            "git config user.name \"$(id)\"",
            "git config user.name A > .git/config",
            "git config user.name A | cat",
            "git config user.name A & make",
            "git config user.name A; make",
            "git config user.name A && ./git config user.name B",
            "PATH=. git config user.name A",
            "export PATH=.; git config user.name A",
            "GIT_DIR=x git config user.name A",
            "git() { make; }; git config user.name A",
            "alias git=make; git config user.name A",
            "git -c core.pager=run config user.name A",
            "git -C other config user.name A",
            "sudo git config user.name A",
            "env git config user.name A",
            "bash -c 'git config user.name A'",
            "git remote add -f origin https://host.example/a",
            "git remote add origin 'ext::sh -c run'",
            "git remote add origin ../elsewhere",
            "git remote add origin ssh://-oProxyCommand=run/x",
            "git remote add origin me@-oProxyCommand=run:x",
            "git remote add origin host::run@x:y",
            "git remote add --upload-pack=run https://host.example/a",
            "git remote rename a b",
            "git branch -u --exec=run",
            "git branch -D main",
            "git push -u --receive-pack=run origin main",
            "git push -u --exec=run origin main",
            "git push -u ./elsewhere main",
            "git push -u https://host.example/a main",
            "git push -u ext::run main",
            "git push -u origin main; make",
            "git push -u origin main | tee log",
            "git -c core.sshCommand=run push -u origin main",
            "GIT_SSH=run git push -u origin main",
            "git commit -qm x --template=run",
            "git commit",
            "git commit -e -m x",
            "git submodule foreach run",
            "git submodule add ../elsewhere vendor/b",
            "git submodule add --reference x https://host.example/a b",
            "git submodule update --init --checkout=run",
            "git rebase -x run main",
            "git checkout -b topic --recurse-submodules",
            "",
        ] {
            assert_eq!(sets(text), Sets::Anything, "{text}");
        }
    }
}
