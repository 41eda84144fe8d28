//! What a pattern of names could match.
//!
//! A tool that is given a path may take it for a pattern. So a path that reads like one counts for the secrets that it could match
//! besides, as a word of a shell does.

use std::path::Path;

use herm_shell::place::{kept_beneath, resolve, takes_hidden, well_known};
use herm_shell::value::{Piece, Value};
use herm_shell::{PathTarget, Places, Provenance};

use crate::aliases::spellings;
use crate::call::Call;
use crate::policy::glob::Glob;

/// The places of secrets that a path could match as a pattern; none where it is no pattern.
pub(crate) fn matched(call: &Call, path: &str) -> Vec<PathTarget> {
    if !path.contains(['*', '?', '[', '{']) {
        return Vec::new();
    }
    let mut found: Vec<PathTarget> = Vec::new();
    for pattern in spellings(call, path).iter().flat_map(|spelling| expanded(spelling)) {
        found.extend(all_below(call, &pattern).map(|target| PathTarget { shown: path.to_owned(), ..target }));
        for target in readings(call, &pattern).into_iter().chain(known_below(call, &pattern)) {
            if target.places.any(SECRET) && !found.iter().any(|known| known.places == target.places) {
                found.push(PathTarget { shown: path.to_owned(), ..target });
            }
        }
    }
    found
}

/// The directory of which a pattern takes all that is below it, or all that is hidden in it, where credentials are kept.
fn all_below(call: &Call, pattern: &str) -> Option<PathTarget> {
    let home = call.principal.home.as_str();
    let parts: Vec<&str> = pattern.split('/').collect();
    let fixed = parts.iter().take_while(|part| !part.contains(['*', '?', '['])).count();
    let (above, open) = parts.split_at_checked(fixed)?;
    let is_any = |part: &&str| part.chars().all(|letter| matches!(letter, '*' | '.' | '?'));
    if !open.iter().all(is_any) || !takes_hidden(&open.join("/")) {
        return None;
    }
    let above = if pattern.starts_with('/') { format!("{}/", above.join("/")) } else { above.join("/") };
    let place = if above.is_empty() { "." } else { above.as_str() };
    let target = resolve(&Value::literal(place), Some(call.cwd.as_str()), home);
    kept_beneath(&target.path, home, Places::CREDENTIAL)?;
    Some(PathTarget { places: target.places | Places::ABOVE_CREDENTIALS, ..target })
}

/// The well-known files below the directory that a pattern goes through, whose name it matches.
fn known_below(call: &Call, pattern: &str) -> Vec<PathTarget> {
    let home = call.principal.home.as_str();
    let Some((above, _)) = pattern.split_once("**") else { return Vec::new() };
    let above = if above.is_empty() { "." } else { above };
    let directory = resolve(&Value::literal(above), Some(call.cwd.as_str()), home).path;
    let name = Glob::path(pattern.rsplit('/').next().unwrap_or(pattern));
    let is_meant = |known: &String| {
        let last = known.rsplit('/').next().unwrap_or(known);
        Path::new(known).starts_with(&directory) && name.matches(last)
    };
    let known = well_known(home).filter(is_meant);
    known.map(|known| resolve(&Value::literal(known), None, home)).collect()
}

/// What is kept from readers.
const SECRET: Places = Places::CREDENTIAL.and(Places::SSH).and(Places::HISTORY).and(Places::MEMORY);

/// The ways in which a pattern can be read: `**/` is any number of directories, and a star may be nothing.
fn readings(call: &Call, pattern: &str) -> Vec<PathTarget> {
    let home = call.principal.home.as_str();
    let here = pattern.replace("**/", "");
    let deep = pattern.rsplit_once("**/").map(|(_, name)| name.to_owned());
    let texts = [(Some(call.cwd.as_str()), Some(here)), (None, deep)];
    let texts = texts.into_iter().filter_map(|(place, text)| Some((place, text?)));
    texts
        .flat_map(|(place, text)| [(place, text.replace('*', "")), (place, text)])
        .map(|(place, text)| resolve(&value(&text), place, home))
        .collect()
}

/// The pattern as a shell would understand it.
fn value(pattern: &str) -> Value {
    let mut pieces = Vec::new();
    let mut rest = pattern;
    while let Some(at) = rest.find(['*', '?', '[']) {
        let (plain, glob) = rest.split_at(at);
        let length = match glob.find(']') {
            Some(end) if glob.starts_with('[') => end + 1,
            Some(_) | None => 1,
        };
        let (glob, after) = glob.split_at(length);
        if !plain.is_empty() {
            pieces.push(Piece::Literal(plain.to_owned()));
        }
        pieces.push(Piece::Glob(glob.to_owned()));
        rest = after;
    }
    pieces.push(Piece::Literal(rest.to_owned()));
    Value { pieces, provenance: Provenance::NONE }
}

/// The patterns that one with braces stands for. Where there are too many, the braces count as any text.
fn expanded(pattern: &str) -> Vec<String> {
    let mut open = vec![pattern.to_owned()];
    let mut done = Vec::new();
    while let Some(text) = open.pop() {
        match alternatives(&text) {
            Some(all) if open.len() + done.len() + all.len() <= MOST => open.extend(all),
            Some(_) => done.push(text.replace(['{', '}'], "*")),
            None => done.push(text),
        }
    }
    done
}

/// More alternatives than anybody writes.
const MOST: usize = 64;

/// The texts that the innermost braces at the end of a text stand for; nothing where there are none.
fn alternatives(text: &str) -> Option<Vec<String>> {
    let (front, rest) = text.rsplit_once('{')?;
    let (inside, back) = rest.split_once('}')?;
    Some(inside.split(',').map(|one| format!("{front}{one}{back}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AbsPath;
    use crate::call::{Action, CallId, Door, Principal, SessionId};

    fn matches(path: &str) -> bool {
        let call = Call {
            id: CallId::default(),
            door: Door::Hook,
            principal: Principal { name: None, home: AbsPath::new("/home/ann").unwrap() },
            session: SessionId::default(),
            cwd: AbsPath::new("/home/ann/app").unwrap(),
            action: Action::Read(path.to_owned()),
        };
        !matched(&call, path).is_empty()
    }

    #[test]
    fn patterns_that_could_match_secrets_are_known() {
        for path in [
            ".env*",
            ".e?v",
            ".e[n]v",
            "**/.env",
            "**/*.env",
            "**/.aws/credentials",
            "src/**/.aws/cred*",
            "~/.ssh/*",
            "~/.ssh/id_{rsa,dsa}",
            "~/{.aws,x}/credentials",
            "/etc/sha*",
            "**/{a,{b,.env}}",
            "../.netr?",
            "/root/**",
            "/root/**/*",
            "~/**",
            "~/.*/*",
            "../**",
            "/**",
            "../**/*.db",
            "~/**/ledger*",
            "/home/**/*.{db,sqlite}",
            "../**/id_*",
        ] {
            assert!(matches(path), "{path}");
        }
    }

    #[test]
    fn everyday_patterns_are_no_secrets() {
        for path in [
            "src/main.rs",
            "**/*.rs",
            "*.json",
            "src/**/*.{ts,tsx}",
            "app/[id]/page.tsx",
            "**/*",
            "*",
            "./**",
            "../*",
            "~/*",
            "/srv/**",
            "../**/*.md",
            "../**/*.{rs,py}",
            "**/*.db",
            "../lib/**/*.db",
        ] {
            assert!(!matches(path), "{path}");
        }
    }

    #[test]
    fn braces_cannot_be_nested_until_nothing_is_judged() {
        let many = "{a,b}".repeat(40);
        assert!(expanded(&format!("{many}/x")).len() <= MOST + 1);
        assert!(matches(&format!("**/{}.env", "{,}".repeat(40))));
    }
}
