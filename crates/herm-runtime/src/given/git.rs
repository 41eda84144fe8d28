//! What tools named for git and for code hosts do, as the commands that would do the same.
//!
//! Only what such a tool is told makes the difference between a push and one that rewrites history: a flag that is set, a mode.

use herm::call::Exec;
use herm_adapters::keys::{plain, words_of};
use herm_shell::Lang;
use serde_json::{Map, Value};

use super::deletion::operand;
use super::found::Found;

/// Finds what a tool named for git, or for a code host, does with its fields.
pub(super) fn find(found: &mut Found, fields: &Map<String, Value>) {
    let told = Told(fields);
    let own: Vec<&str> = found.name.own().iter().map(String::as_str).collect();
    let is_git = found.name.words.iter().any(|word| word == "git");
    let command = match own.as_slice() {
        ["git", verb, rest @ ..] => git(verb, rest, &told),
        [verb, rest @ ..] if is_git => git(verb, rest, &told),
        _ => None,
    };
    let command = command.or_else(|| told.repository().and_then(|repository| host(&own, &repository, &told)));
    if let Some(command) = command {
        found.run(Exec::new(&command, Lang::Shell));
    }
}

/// A command of git.
fn git(verb: &str, rest: &[&str], told: &Told<'_>) -> Option<String> {
    // `git_branch_delete`, or `git_branch` with a mode for it.
    let mode = told.word(&["mode", "action", "operation", "type"]);
    let mode = mode.as_deref().or_else(|| rest.first().copied()).unwrap_or_default();
    let is_deleting =
        matches!(mode, "clear" | "delete" | "drop" | "prune" | "remove") || told.is_set("delete");
    let force = told.is_set("force");
    let words: Vec<String> = match verb {
        "branch" if is_deleting => vec![if force { "-D" } else { "-d" }.to_owned(), told.names(&["branch"])],
        "checkout" | "switch" => {
            let files = told.names(&["file", "path"]);
            let files = if files.is_empty() { files } else { format!("-- {files}") };
            told.flags(&["force"]).chain([told.names(&["branch", "ref"]), files]).collect()
        }
        "clean" => {
            let short = [("force", "-f"), ("directories", "-d"), ("ignored", "-x"), ("x", "-x")];
            short.into_iter().filter(|(key, _)| told.is_set(key)).map(|(_, flag)| flag.to_owned()).collect()
        }
        "push" => told
            .flags(&["all", "delete", "force", "force-with-lease", "mirror", "prune", "tags"])
            .chain([told.word(&["remote"]).map_or_else(|| "origin".to_owned(), |remote| operand(&remote))])
            .chain([told.names(&["branch", "ref"])])
            .collect(),
        "reset" => {
            let hard = told.is_set("hard") || mode == "hard";
            hard.then(|| "--hard".to_owned()).into_iter().chain([told.names(&["commit", "ref"])]).collect()
        }
        "restore" => vec![told.names(&["path", "file"])],
        "stash" if is_deleting => vec![if mode == "clear" { "clear" } else { "drop" }.to_owned()],
        "tag" if is_deleting => vec!["-d".to_owned(), told.names(&["tag"])],
        "worktree" if is_deleting => ["remove".to_owned()]
            .into_iter()
            .chain(told.flags(&["force"]))
            .chain([told.names(&["path"])])
            .collect(),
        _ => return None,
    };
    let words = [format!("git {verb}")].into_iter().chain(words).filter(|word| !word.is_empty());
    Some(words.collect::<Vec<_>>().join(" "))
}

/// What is done at a code host, to a repository there.
fn host(own: &[&str], repository: &str, told: &Told<'_>) -> Option<String> {
    let repository = operand(repository);
    let named = |keys: &[&str]| told.names(keys);
    Some(match own {
        ["delete", "branch"] => format!("git push origin --delete {}", named(&["branch", "ref"])),
        ["delete", "file"] => {
            format!("gh api -X DELETE repos/{repository}/contents/{}", named(&["path"]))
        }
        ["delete", "release"] => {
            format!("gh release delete {} -R {repository}", named(&["tag", "release", "id"]))
        }
        ["delete", "repo" | "repository"] => format!("gh repo delete {repository}"),
        ["merge", "pull", "request"] => {
            format!("gh pr merge {} -R {repository}", named(&["pull", "number", "pr"]))
        }
        ["push", "files"] | ["update", "ref"] => {
            let force = if told.is_set("force") { "--force " } else { "" };
            format!("git push {force}origin {}", named(&["branch", "ref"]))
        }
        _ => return None,
    })
}

/// What a tool is told.
struct Told<'a>(&'a Map<String, Value>);

impl Told<'_> {
    /// Whether a flag is set, however its words are joined. What is no plain no counts as a yes.
    fn is_set(&self, flag: &str) -> bool {
        let is_yes = |value: &Value| match value {
            Value::Bool(yes) => *yes,
            Value::String(text) => !matches!(text.to_ascii_lowercase().as_str(), "" | "0" | "false" | "no"),
            Value::Number(number) => number.as_f64() != Some(0.0),
            Value::Array(_) | Value::Object(_) => true,
            Value::Null => false,
        };
        self.0.iter().any(|(key, value)| plain(key) == plain(flag) && is_yes(value))
    }

    /// Those of these flags that are set, as options.
    fn flags<'f>(&'f self, flags: &'f [&'f str]) -> impl Iterator<Item = String> + 'f {
        flags.iter().filter(|flag| self.is_set(flag)).map(|flag| format!("--{flag}"))
    }

    /// The text under one of these keys.
    fn word(&self, keys: &[&str]) -> Option<String> {
        let text = |key: &&str| self.0.iter().find(|(own, _)| plain(own) == **key)?.1.as_str();
        keys.iter().find_map(text).map(str::to_owned)
    }

    /// All texts and numbers under keys in whose names one of these words stands, or `name` and `target` alone, as operands.
    fn names(&self, words: &[&str]) -> String {
        let is_named = |key: &str| {
            let own = words_of(key);
            let is_one =
                |word: &String| words.contains(&word.trim_end_matches('s')) || words.contains(&word.as_str());
            // Where the repository is says nothing of what is done in it.
            let is_place =
                own.iter().any(|word| ["cwd", "repo", "repository", "working"].contains(&word.as_str()));
            !is_place && own.iter().any(is_one) || matches!(key, "name" | "refspec" | "target")
        };
        let fields = self.0.iter().filter(|(key, _)| is_named(key));
        let items = fields.flat_map(|(_, value)| {
            value.as_array().map_or_else(|| std::slice::from_ref(value), Vec::as_slice)
        });
        let texts = items.filter_map(|item| match item {
            Value::String(text) => Some(operand(text)),
            Value::Number(number) => Some(number.to_string()),
            Value::Array(_) | Value::Bool(_) | Value::Null | Value::Object(_) => None,
        });
        texts.collect::<Vec<_>>().join(" ")
    }

    /// The repository at a code host: `owner/name`.
    fn repository(&self) -> Option<String> {
        let name = self.word(&["repo", "repository", "project", "projectid"])?;
        Some(match self.word(&["owner", "org", "organization"]) {
            Some(owner) => format!("{owner}/{name}"),
            None => name,
        })
    }
}
