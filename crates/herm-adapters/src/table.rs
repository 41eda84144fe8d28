//! What the tools of an agent mean, as a table.

use serde_json::Value;

use crate::event::{Dialect, Use};
use crate::fields::Fields;
use crate::links::links;
use crate::patch;
use crate::typing::{Named, typed};

/// The tools of an agent that have one meaning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tool {
    /// Their names.
    pub(crate) names: &'static [&'static str],
    /// What they do.
    pub(crate) meaning: Meaning,
}

/// What a tool does, by the keys of what it is given. Every key that is there counts: which of two an agent would follow is not
/// known here.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meaning {
    /// Runs the text under the first keys, in the directory under the second.
    Command(Dialect, &'static [&'static str], &'static [&'static str]),
    /// Starts the sub-agent that is named under these keys, or the usual one.
    Delegate(&'static [&'static str]),
    /// Fetches the links under these keys.
    Fetch(&'static [&'static str]),
    /// Fetches what is linked to in the texts under the first keys, and the links under the second.
    Links(&'static [&'static str], &'static [&'static str]),
    /// Looks into the directories under these keys, or into the current one.
    Look(&'static [&'static str]),
    /// Looks at what is under these keys, links or files.
    Media(&'static [&'static str]),
    /// Makes something of what stands under the first keys, looking at what is under the second, links or files, if there is any.
    MediaIf(&'static [&'static str], &'static [&'static str]),
    /// Touches nothing outside the agent.
    Nothing,
    /// Leaves the texts under these keys with the agent, as what a person would have typed: those that begin with `/` name a sheet of
    /// instructions.
    Prompt(&'static [&'static str]),
    /// Applies the patch under these keys.
    Patch(&'static [&'static str]),
    /// Reads the files under these keys.
    Read(&'static [&'static str]),
    /// Searches what is in the files below the directories under these keys, or below the current one. Patterns beside them say
    /// which files.
    Search(&'static [&'static str]),
    /// Shows the sheet of instructions that is named under the first keys, with what is given under the second.
    Skill(&'static [&'static str], &'static [&'static str]),
    /// Types the text under these keys into what already runs: what a shell there would make of it is judged.
    Type(Named, &'static [&'static str]),
    /// Makes something of what stands under the first keys, in the files under the second, if there are any.
    WriteIf(&'static [&'static str], &'static [&'static str]),
    /// Writes the files under these keys.
    Write(&'static [&'static str]),
}

pub(crate) const fn tool(names: &'static [&'static str], meaning: Meaning) -> Tool {
    Tool { names, meaning }
}

/// What a tool of this table would do. A tool that is not in it, or that lacks what it needs, is unknown.
pub(crate) fn uses(table: &[Tool], name: &str, input: &Value) -> Vec<Use> {
    let known = table.iter().find(|tool| tool.names.contains(&name));
    known.and_then(|tool| tool.meaning.uses(input)).unwrap_or_else(|| vec![Use::Unknown])
}

/// The server and the tool in a name such as `mcp__github__create_issue`.
pub(crate) fn mcp(name: &str) -> Option<Use> {
    let (server, tool) = name.strip_prefix("mcp__")?.split_once("__")?;
    Some(Use::Mcp { server: server.to_owned(), tool: tool.to_owned() })
}

impl Meaning {
    fn uses(self, input: &Value) -> Option<Vec<Use>> {
        // Some models write nothing but the patch.
        if let (Self::Patch(_), Value::String(patch)) = (self, input) {
            return Some(patch::paths(patch)?.into_iter().map(Use::Write).collect());
        }
        let fields = Fields::of(input)?;
        let uses = match self {
            Self::Nothing => return Some(Vec::new()),
            Self::Command(dialect, keys, places) => {
                let places = directories(fields, places)?;
                let texts = keys.iter().filter_map(|key| fields.value(key));
                texts
                    .flat_map(|value| places.iter().map(move |cwd| command(value, dialect, cwd.clone())))
                    .collect::<Option<Vec<_>>>()?
            }
            Self::Delegate(keys) => {
                let named = texts(fields, keys)?;
                let usual = named.is_empty().then(|| USUAL.to_owned());
                named.into_iter().chain(usual).map(Use::Delegate).collect()
            }
            Self::Fetch(keys) => filled(texts(fields, keys)?)?.into_iter().map(Use::Fetch).collect(),
            Self::Links(within, whole) => {
                let linked = texts(fields, within)?.iter().flat_map(|text| links(text)).collect::<Vec<_>>();
                linked.into_iter().chain(texts(fields, whole)?).map(Use::Fetch).collect()
            }
            Self::Look(keys) => looked(texts(fields, keys)?),
            Self::Media(keys) => {
                let named = texts(fields, keys)?;
                return (!named.is_empty()).then(|| named.into_iter().filter_map(looked_at).collect());
            }
            Self::MediaIf(needed, keys) => {
                let is_known = !texts(fields, needed)?.is_empty();
                let named = texts(fields, keys)?;
                return is_known.then(|| named.into_iter().filter_map(looked_at).collect());
            }
            Self::Patch(keys) => {
                let patches = texts(fields, keys)?;
                let named = patches.iter().map(|patch| patch::paths(patch)).collect::<Option<Vec<_>>>()?;
                named.into_iter().flatten().map(Use::Write).collect()
            }
            Self::Prompt(keys) => {
                let prompts = texts(fields, keys)?;
                return (!prompts.is_empty())
                    .then(|| prompts.iter().filter_map(|text| prompted(text)).collect());
            }
            Self::Read(keys) => filled(texts(fields, keys)?)?.into_iter().map(Use::Read).collect(),
            Self::Search(keys) => {
                let (below, patterns) = (texts(fields, keys)?, texts(fields, PATTERNS)?);
                let whole = if patterns.is_empty() { everything(&below) } else { Vec::new() };
                let chosen = chosen(&below, &patterns);
                looked(below).into_iter().chain(whole).chain(chosen).collect()
            }
            Self::Skill(keys, given) => {
                let given = texts(fields, given)?;
                let given = (!given.is_empty()).then(|| given.join(" "));
                let shown = |name: String| Use::Skill { name, given: given.clone() };
                texts(fields, keys)?.into_iter().map(shown).collect()
            }
            Self::Type(named, keys) => return Some(entered(&texts(fields, keys)?, named)),
            Self::WriteIf(needed, keys) => {
                let is_known = !texts(fields, needed)?.is_empty();
                let named = texts(fields, keys)?;
                return is_known.then(|| named.into_iter().map(Use::Write).collect());
            }
            Self::Write(keys) => filled(texts(fields, keys)?)?.into_iter().map(Use::Write).collect(),
        };
        // A known tool without what it works on is not the tool that is known.
        (!uses.is_empty()).then_some(uses)
    }
}

/// The directories that a command may run in, one of them perhaps that of the event. Anything but a text there is not understood.
fn directories(fields: Fields<'_>, keys: &[&str]) -> Option<Vec<Option<String>>> {
    let mut found = Vec::new();
    for value in keys.iter().filter_map(|key| fields.value(key)) {
        let place = Some(value.as_str()?.to_owned()).filter(|place| !place.is_empty());
        if !found.contains(&place) {
            found.push(place);
        }
    }
    if found.is_empty() {
        found.push(None);
    }
    Some(found)
}

/// The same texts, unless one of them is empty: then nobody knows what is meant.
fn filled(texts: Vec<String>) -> Option<Vec<String>> {
    texts.iter().all(|text| !text.trim().is_empty()).then_some(texts)
}

/// The sub-agent that is started where none is named.
const USUAL: &str = "general-purpose";

/// The sheet of instructions that a text names which somebody would type.
fn prompted(text: &str) -> Option<Use> {
    let line = text.trim_start().strip_prefix('/')?;
    let (name, given) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    Some(Use::Skill { name: name.to_owned(), given: Some(given.trim().to_owned()) })
}

/// A text for an interpreter, or the words of a program.
fn command(value: &Value, dialect: Dialect, cwd: Option<String>) -> Option<Use> {
    if let Some(text) = value.as_str() {
        return Some(Use::Command { text: text.to_owned(), dialect, cwd });
    }
    let words = value.as_array()?.iter().map(|word| word.as_str().map(str::to_owned));
    let words = words.collect::<Option<Vec<_>>>().filter(|words| !words.is_empty())?;
    Some(Use::Program { words, cwd })
}

/// A picture or a film that is looked at: behind a link, or in a file. What is handed over whole leads nowhere.
fn looked_at(named: String) -> Option<Use> {
    let scheme = named.trim_start().split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    match scheme.as_deref() {
        Some("data") => None,
        Some("http" | "https") => Some(Use::Fetch(named)),
        Some("file") => named.split_once("://").map(|(_, path)| Use::Read(path.to_owned())),
        Some(_) if named.contains("://") => Some(Use::Fetch(named)),
        Some(_) | None => Some(Use::Read(named)),
    }
}

/// The directories that are looked into; the current one where none is named.
fn looked(named: Vec<String>) -> Vec<Use> {
    let here = named.is_empty().then(|| ".".to_owned());
    named.into_iter().chain(here).map(Use::Read).collect()
}

/// All files below the directories, or below the current one.
fn everything(below: &[String]) -> Vec<Use> {
    let here = below.is_empty().then(|| "./**".to_owned());
    let beneath = below.iter().map(|place| format!("{}/**", place.trim_end_matches('/')));
    beneath.chain(here).map(Use::Read).collect()
}

/// Under which keys searches are told which files to look into.
const PATTERNS: &[&str] =
    &["file_glob", "file_pattern", "glob", "globs", "include", "include_pattern", "includes"];

/// The files that patterns choose below directories, however deep. One that begins at the root may mean that of the machine.
fn chosen(below: &[String], patterns: &[String]) -> Vec<Use> {
    let mut found: Vec<Use> = Vec::new();
    for pattern in patterns.iter().flat_map(|text| alternatives(text)) {
        let anywhere = format!("**/{}", pattern.trim_start_matches('/'));
        let beneath = below.iter().map(|place| format!("{}/{anywhere}", place.trim_end_matches('/')));
        let fixed = pattern.starts_with(['/', '~']).then(|| pattern.clone());
        let adrift = below.is_empty().then(|| anywhere.clone());
        for path in beneath.chain(fixed).chain(adrift) {
            let one = Use::Read(path);
            if !found.contains(&one) {
                found.push(one);
            }
        }
    }
    found
}

/// The patterns in a text, which commas and blanks outside braces may divide. What is left out of a search is not read.
fn alternatives(text: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let divided = text.split(|c: char| {
        match c {
            '{' => depth = depth.saturating_add(1),
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (c == ',' || c.is_whitespace())
    });
    let mut found: Vec<String> = vec![text.trim().to_owned()];
    for pattern in divided.map(str::to_owned) {
        if !found.contains(&pattern) {
            found.push(pattern);
        }
    }
    found.retain(|pattern| !pattern.is_empty() && !pattern.starts_with('!'));
    found
}

/// What comes of keys that are pressed. Typing nothing, to see what there is to read, is nothing.
fn entered(texts: &[String], named: Named) -> Vec<Use> {
    let mut uses = Vec::new();
    for line in texts.iter().map(|text| typed(text, named)) {
        let run = |text| Use::Command { text, dialect: Dialect::Shell, cwd: None };
        uses.extend(line.texts.into_iter().map(run));
        if !line.is_whole && !uses.contains(&Use::Unknown) {
            uses.push(Use::Unknown);
        }
    }
    uses
}

/// The texts under these keys, alone or in lists. Anything else there is not understood.
fn texts(fields: Fields<'_>, keys: &[&str]) -> Option<Vec<String>> {
    let mut found = Vec::new();
    for value in keys.iter().filter_map(|key| fields.value(key)) {
        match value {
            Value::String(text) => found.push(text.clone()),
            Value::Array(items) => {
                for item in items {
                    found.push(item.as_str()?.to_owned());
                }
            }
            Value::Bool(_) | Value::Null | Value::Number(_) | Value::Object(_) => return None,
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const TABLE: &[Tool] = &[
        tool(&["sh"], Meaning::Command(Dialect::Shell, &["command"], &["workdir"])),
        tool(&["read"], Meaning::Read(&["path", "paths"])),
        tool(&["ls"], Meaning::Look(&["path"])),
        tool(&["grep"], Meaning::Search(&["path"])),
        tool(&["patch"], Meaning::Patch(&["patch"])),
        tool(&["type"], Meaning::Type(Named::Letters, &["chars"])),
        tool(&["keys"], Meaning::Type(Named::Keys, &["input"])),
        tool(&["write"], Meaning::Write(&["path"])),
        tool(&["todo"], Meaning::Nothing),
        tool(&["say"], Meaning::WriteIf(&["text"], &["path"])),
        tool(&["draw"], Meaning::MediaIf(&["prompt"], &["like"])),
        tool(&["see"], Meaning::Media(&["url"])),
    ];

    #[test]
    fn every_key_that_is_there_counts() {
        let both = json!({"path": "a", "paths": ["b", "c"]});
        assert_eq!(uses(TABLE, "read", &both), ["a", "b", "c"].map(|path| Use::Read(path.to_owned())));
    }

    #[test]
    fn what_is_not_as_described_is_unknown() {
        let strange = [
            ("other", json!({})),
            ("sh", json!({})),
            ("sh", json!({"command": 7})),
            ("sh", json!({"command": []})),
            ("sh", json!({"command": "rm -rf *", "workdir": ["/"]})),
            ("read", json!({"path": ""})),
            ("write", json!({"path": " "})),
            ("keys", json!({"input": "{up}{enter}"})),
            ("read", json!({})),
            ("read", json!({"path": {"a": 1}})),
            ("read", json!({"path": ["a", 1]})),
            ("ls", json!({"path": 1})),
            ("todo", json!("x")),
        ];
        for (name, input) in strange {
            assert_eq!(uses(TABLE, name, &input), [Use::Unknown], "{name} {input}");
        }
    }

    #[test]
    fn what_a_search_chooses_is_read() {
        let reads = |input: &Value| -> Vec<String> {
            let name = |one: &Use| if let Use::Read(path) = one { path.clone() } else { format!("{one:?}") };
            uses(TABLE, "grep", input).iter().map(name).collect()
        };
        assert_eq!(reads(&json!({"pattern": "x"})), [".", "./**"]);
        assert_eq!(reads(&json!({"pattern": "x", "path": "/root/"})), ["/root/", "/root/**"]);
        assert_eq!(reads(&json!({"glob": ".env*"})), [".", "**/.env*"]);
        assert_eq!(reads(&json!({"path": "/srv/", "include": "/.env"})), ["/srv/", "/srv/**/.env", "/.env"]);
        assert_eq!(
            reads(&json!({"file_glob": "*.{rs,env},!x *.toml"})),
            [".", "**/*.{rs,env},!x *.toml", "**/*.{rs,env}", "**/*.toml"]
        );
        assert_eq!(uses(TABLE, "grep", &json!({"glob": 1})), [Use::Unknown]);
    }

    #[test]
    fn every_directory_that_is_there_counts() {
        const TWO: &[Tool] =
            &[tool(&["sh"], Meaning::Command(Dialect::Shell, &["command"], &["cwd", "dir"]))];
        let run = |cwd: Option<&str>| Use::Command {
            text: "rm -r *".to_owned(),
            dialect: Dialect::Shell,
            cwd: cwd.map(str::to_owned),
        };
        let input = json!({"command": "rm -r *", "cwd": "/a", "dir": "/b"});
        assert_eq!(uses(TWO, "sh", &input), [run(Some("/a")), run(Some("/b"))]);
        assert_eq!(uses(TWO, "sh", &json!({"command": "rm -r *", "dir": null})), [run(None)]);
    }

    #[test]
    fn a_patch_alone_is_one() {
        let patch = json!("*** Begin Patch\n*** Add File: a\n*** End Patch");
        assert_eq!(uses(TABLE, "patch", &patch), [Use::Write("a".to_owned())]);
        assert_eq!(uses(TABLE, "patch", &json!("hello")), [Use::Unknown]);
    }

    #[test]
    fn what_may_be_left_out_is_nothing_and_what_is_there_counts() {
        assert_eq!(uses(TABLE, "say", &json!({"text": "x"})), []);
        assert_eq!(uses(TABLE, "say", &json!({"text": "x", "path": "a"})), [Use::Write("a".to_owned())]);
        assert_eq!(uses(TABLE, "say", &json!({"path": "a"})), [Use::Unknown]);
        let like = json!({"prompt": "x", "like": ["https://a.test/b", "/etc/c", "file:///d", "data:x"]});
        let fetched = Use::Fetch("https://a.test/b".to_owned());
        let read = |path: &str| Use::Read(path.to_owned());
        assert_eq!(uses(TABLE, "draw", &like), [fetched, read("/etc/c"), read("/d")]);
        assert_eq!(uses(TABLE, "see", &json!({})), [Use::Unknown]);
    }

    #[test]
    fn a_directory_that_is_not_named_is_the_current_one() {
        assert_eq!(uses(TABLE, "ls", &json!({})), [Use::Read(".".to_owned())]);
        assert_eq!(uses(TABLE, "type", &json!({"chars": ""})), []);
        assert_eq!(uses(TABLE, "todo", &json!({})), []);
    }
}
