//! The raw interface of code hosts: `gh api`, `glab api`.
//!
//! It reaches everything that the client's own sub-commands reach, and much that they do not. Only reading, and writing what people
//! say to each other, goes by; any other change is said as what it is.

use super::arguments::Parsed;
use super::phrases::emit;
use crate::effect::{Flags, Verb};
use crate::sink::Sink;
use crate::value::Value;

mod graphql;

/// The options that carry parts of the body.
const FIELDS: &str = "-f --raw-field -F --field";
/// The kind of what is changed where nothing closer is known.
const REPOSITORY: &str = "repository";
/// The kind of a branch on the other side.
const BRANCH: &str = "remote branch";

/// How a request changes what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    /// `DELETE`, or one that is only known when it runs.
    Delete,
    /// `GET`, `HEAD`.
    Look,
    /// `PATCH`, `POST`, `PUT`.
    Write,
}

impl Method {
    fn of(parsed: &Parsed<'_>) -> Self {
        let Some(given) = parsed.value("-X --method") else {
            let has_body = parsed.has(FIELDS) || parsed.has("--input");
            return if has_body { Self::Write } else { Self::Look };
        };
        match given.known().map(|method| method.to_ascii_uppercase()).as_deref() {
            Some("GET" | "HEAD" | "OPTIONS") => Self::Look,
            Some("PATCH" | "POST" | "PUT") => Self::Write,
            Some(_) | None => Self::Delete,
        }
    }
}

/// What a request to the host changes there.
pub(super) fn api(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let endpoint = super::phrases::shown(parsed, 0);
    if endpoint.trim_start_matches('/') == "graphql" {
        query(parsed, sink);
    } else {
        match Method::of(parsed) {
            Method::Delete => emit(sink, Verb::Destroy, REPOSITORY, endpoint, Flags::IRREVERSIBLE),
            Method::Look => {}
            Method::Write => written(parsed, &endpoint, sink),
        }
    }
    upload(parsed, sink);
}

/// Files that go along: `-F name=@file`, `--input file`.
fn upload(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let fields = parsed.values("-F --field").filter_map(|field| super::kinds::split_once(field, '@'));
    let files: Vec<Value> = fields.filter(|(name, _)| name.ends_with('=')).map(|(_, file)| file).collect();
    for file in files.iter().chain(parsed.values("--input")).filter(|file| file.shown() != "-") {
        let content = sink.read(file);
        sink.connect(Verb::Send, &Value::literal("api.github.com"), Flags::UPLOAD, content.provenance);
    }
}

fn written(parsed: &Parsed<'_>, endpoint: &str, sink: &mut dyn Sink) {
    let path = endpoint.split(['?', '#']).next().unwrap_or_default();
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    match write_to(&parts) {
        Written::Branch(name) if may_force(parsed) => {
            emit(sink, Verb::Rewrite, BRANCH, name, Flags::FORCE);
        }
        Written::Branch(name) => emit(sink, Verb::Publish, BRANCH, name, protected(name)),
        Written::Content => {
            let name = field(parsed, "branch").unwrap_or_default();
            let flags = if name.is_empty() { Flags::PROTECTED_BRANCH } else { protected(&name) };
            emit(sink, Verb::Publish, BRANCH, name, flags);
        }
        Written::Merge => emit(sink, Verb::Publish, "review", endpoint, Flags::FORCE),
        Written::Other => emit(sink, Verb::Publish, REPOSITORY, endpoint, Flags::METADATA),
        Written::Talk => {}
    }
}

fn protected(branch: &str) -> Flags {
    if super::git::is_protected(branch) { Flags::PROTECTED_BRANCH } else { Flags::NONE }
}

/// What a written address stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written<'p> {
    /// `git/refs/heads/NAME`: where a branch points.
    Branch(&'p str),
    /// `contents/PATH`: a commit without a push.
    Content,
    /// `pulls/7/merge`: whatever protects the branch does not stop an administrator there.
    Merge,
    /// Anything else: settings, rights, keys.
    Other,
    /// What people say to each other, and what their tools report.
    Talk,
}

fn write_to<'p>(parts: &[&'p str]) -> Written<'p> {
    let behind = |name: &str| parts.iter().position(|part| *part == name).and_then(|at| parts.get(at + 1..));
    if matches!(parts.last(), Some(&("merge" | "merges" | "merge-upstream"))) {
        return Written::Merge;
    }
    match behind("git").or_else(|| behind("repository")) {
        Some(["refs", "heads", name, ..]) => return Written::Branch(name),
        Some(["refs" | "blobs" | "trees" | "commits" | "tags" | "branches"]) => return Written::Talk,
        Some(["files", ..]) => return Written::Content,
        Some(_) | None => {}
    }
    if behind("contents").is_some() {
        return Written::Content;
    }
    let is_talk =
        parts.iter().any(|part| TALK.contains(part)) && !parts.iter().any(|part| RIGHTS.contains(part));
    if is_talk { Written::Talk } else { Written::Other }
}

/// Parts of addresses at which only words, marks and reports are left.
const TALK: &[&str] = &[
    "check-runs",
    "check-suites",
    "comments",
    "discussions",
    "dispatches",
    "forks",
    "issues",
    "jobs",
    "labels",
    "markdown",
    "merge_requests",
    "milestones",
    "notes",
    "notifications",
    "pipeline",
    "pipelines",
    "pulls",
    "reactions",
    "runs",
    "statuses",
];

/// Parts of addresses behind which stands who may do what, wherever they stand.
const RIGHTS: &[&str] = &[
    "approvals",
    "collaborators",
    "hooks",
    "keys",
    "members",
    "protection",
    "secrets",
    "transfer",
    "variables",
];

/// Whether a branch may be set back: nothing says that it may not.
fn may_force(parsed: &Parsed<'_>) -> bool {
    parsed.has("--input") || field(parsed, "force").is_some_and(|force| force != "false")
}

/// The value of a field of the body, as it reads.
fn field(parsed: &Parsed<'_>, name: &str) -> Option<String> {
    parsed.values(FIELDS).map(Value::shown).find_map(|field| {
        let (key, value) = field.split_once('=')?;
        (key == name).then(|| value.to_owned())
    })
}

/// A request in GraphQL: a query looks, a mutation changes.
fn query(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let given = parsed.values(FIELDS).find_map(|field| {
        super::kinds::split_once(field, '=').filter(|(key, _)| key == "query").map(|(_, value)| value)
    });
    let text = match given {
        Some(value) => match super::kinds::strip_prefix(&value, "@") {
            Some(file) => sink.shown(&file).map_or_else(|| sink.read(&file), Value::literal),
            None => value,
        },
        None => return emit(sink, Verb::Publish, REPOSITORY, "graphql", Flags::METADATA),
    };
    let Some(changes) = graphql::mutations(&text.shown()) else {
        return emit(sink, Verb::Publish, REPOSITORY, "graphql", Flags::METADATA);
    };
    for name in changes.into_iter().filter(|name| !graphql::is_talk(name)) {
        if name.starts_with("delete") {
            emit(sink, Verb::Destroy, REPOSITORY, name, Flags::IRREVERSIBLE);
        } else {
            emit(sink, Verb::Publish, REPOSITORY, name, Flags::METADATA);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str) -> Written<'_> {
        write_to(&path.split('/').collect::<Vec<_>>())
    }

    #[test]
    fn only_talk_is_written_unsaid() {
        for path in [
            "repos/o/r/issues/7/comments",
            "repos/{owner}/{repo}/pulls/7",
            "repos/$R/issues",
            "repos/o/r/statuses/abc",
            "repos/o/r/git/refs",
            "projects/7/merge_requests/3/notes",
        ] {
            assert_eq!(of(path), Written::Talk, "{path}");
        }
        for path in [
            "user/keys",
            "repos/o/r",
            "repos/o/r/branches/main/protection",
            "orgs/o/members/x",
            "$X",
            "repos/o/r/issues/hooks",
        ] {
            assert_eq!(of(path), Written::Other, "{path}");
        }
        assert_eq!(of("repos/o/r/git/refs/heads/main"), Written::Branch("main"));
        assert_eq!(of("repos/o/r/contents/src/x"), Written::Content);
        assert_eq!(of("repos/o/r/pulls/7/merge"), Written::Merge);
    }
}
