//! What becomes of Hermes' settings.

use std::path::Path;

use herm::environment::{Declared, Passthrough};
use herm::policy::Site;
use herm_adapters::wiring::Item;

use super::{DENY, Fate, Line, each, scalar, texts};

/// The keys under which lists stand.
pub(super) const LISTS: &[&str] = &[DENY, DOMAINS, SHARED, PASSED];

const DOMAINS: &str = "security.website_blocklist.domains";
const SHARED: &str = "security.website_blocklist.shared_files";
const PASSED: &str = "terminal.env_passthrough";

/// What becomes of each setting that matters here.
pub(super) fn lines(theirs: &Item, here: &Item, hermes: &Path) -> Vec<Line> {
    let single = SINGLE.iter().filter_map(|(key, judge)| one(theirs, here, key, *judge));
    let left = LEFT.iter().filter_map(|(key, why)| {
        let found = theirs.find(&path(key)).filter(|item| says_something(item))?;
        let written = scalar(found).unwrap_or_else(|| "…".to_owned());
        Some(Line { key, written, fate: Fate::Left((*why).to_owned()) })
    });
    single
        .chain(hosts(theirs, here))
        .chain(shared(theirs, here, hermes))
        .chain(passed(theirs, here))
        .chain(left)
        .collect()
}

/// What a value means for what holds here: whether it comes over as it is, or why not.
type Judge = fn(&str) -> Fate;

/// Settings with a single value, where herm has the same.
const SINGLE: &[(&str, Judge)] = &[
    ("approvals.mode", |mode| match mode.to_ascii_lowercase().as_str() {
        "off" | "false" => wider("off", "nothing would be asked"),
        "smart" => wider("smart", "a model would answer first; it is the one of `auxiliary.approval`"),
        _ => Fate::Already,
    }),
    ("approvals.timeout", number),
    ("security.redact_secrets", |value| {
        if is_off(value) { wider("false", "tools would show secrets") } else { Fate::Already }
    }),
    ("security.tirith_enabled", |value| if is_on(value) { as_word(value, "true") } else { Fate::Already }),
    (
        "security.tirith_fail_open",
        |value| if is_off(value) { as_word(value, "false") } else { Fate::Already },
    ),
    ("security.tirith_path", |path| match path {
        "tirith" => Fate::Already,
        _ => Fate::Taken,
    }),
    ("security.tirith_timeout", number),
    (
        "security.website_blocklist.enabled",
        |value| {
            if is_on(value) { as_word(value, "true") } else { Fate::Already }
        },
    ),
    ("terminal.timeout", number),
];

/// YAML has several words for each.
fn is_on(value: &str) -> bool {
    ["true", "yes", "on"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

fn is_off(value: &str) -> bool {
    ["false", "no", "off"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

fn as_word(written: &str, word: &str) -> Fate {
    if written == word { Fate::Taken } else { Fate::Translated(vec![word.to_owned()]) }
}

fn wider(becomes: &str, why: &str) -> Fate {
    Fate::Wider { becomes: vec![becomes.to_owned()], why: why.to_owned() }
}

fn number(written: &str) -> Fate {
    let whole = written.split_once('.').map_or(written, |(whole, _)| whole);
    match whole.parse::<u32>() {
        Ok(0) | Err(_) => Fate::Left("it is no number of seconds".to_owned()),
        Ok(_) if whole == written => Fate::Taken,
        Ok(_) => Fate::Translated(vec![whole.to_owned()]),
    }
}

fn one(theirs: &Item, here: &Item, key: &'static str, judge: Judge) -> Option<Line> {
    let written = theirs.find(&path(key)).and_then(scalar)?;
    let fate = match (here.find(&path(key)).and_then(scalar), judge(written.trim())) {
        (Some(held), _) if held == written => Fate::Already,
        (Some(held), _) => Fate::Left(format!("here it is `{held}`")),
        (None, fate) => fate,
    };
    Some(Line { key, written, fate })
}

/// Hosts that nothing may connect to.
fn hosts(theirs: &Item, here: &Item) -> Vec<Line> {
    let held = texts(here, &path(DOMAINS));
    each(theirs, DOMAINS, &path(DOMAINS), |written| {
        let fate = match Site::read(written) {
            Ok(_) => Fate::Taken,
            Err(_) => Fate::Left("it is no host".to_owned()),
        };
        let line = Line { key: DOMAINS, written: written.to_owned(), fate };
        line.unless_there(|site| held.iter().any(|known| known == site))
    })
}

/// Files with more of them, which Hermes looks for in its home.
fn shared(theirs: &Item, here: &Item, hermes: &Path) -> Vec<Line> {
    let held = texts(here, &path(SHARED));
    each(theirs, SHARED, &path(SHARED), |written| {
        let is_whole = written.starts_with(['/', '~']);
        let fate = match hermes.join(written).to_str() {
            _ if is_whole => Fate::Taken,
            Some(file) => Fate::Translated(vec![file.to_owned()]),
            None => Fate::Left("its path is no text".to_owned()),
        };
        let line = Line { key: SHARED, written: written.to_owned(), fate };
        line.unless_there(|file| held.iter().any(|known| known == file))
    })
}

/// Variables that commands get.
fn passed(theirs: &Item, here: &Item) -> Vec<Line> {
    let held = texts(here, &path(PASSED));
    each(theirs, PASSED, &path(PASSED), |written| {
        let declared = Passthrough::default().declare(written, Declared::InConfiguration, false);
        let fate = declared
            .map_or_else(|why| Fate::Left(format!("herm passes it to nobody: {why}")), |_| Fate::Taken);
        let line = Line { key: PASSED, written: written.to_owned(), fate };
        line.unless_there(|name| held.iter().any(|known| known == name))
    })
}

/// What herm has no use for, or has in another way.
const LEFT: &[(&str, &str)] = &[
    ("approvals.cron_mode", "where nobody can be asked, herm refuses"),
    ("hooks.post_tool_call", "the programs run once somebody allows them: copy them, and see `herm hooks`"),
    ("hooks.pre_tool_call", "the programs run once somebody allows them: copy them, and see `herm hooks`"),
    ("security.allow_private_urls", "herm names what is reached in private networks: `egress.endpoints`"),
    ("terminal.backend", "herm runs commands behind its own boundary where there can be one"),
    (
        "terminal.credential_files",
        "they lie in the home of Hermes: copy them to that of herm, and list them there",
    ),
    ("terminal.docker_forward_env", "it is for containers"),
];

fn says_something(item: &Item) -> bool {
    match item {
        Item::Flag(flag) => *flag,
        Item::List(items) => !items.is_empty(),
        Item::Map(pairs) => !pairs.is_empty(),
        Item::Null => false,
        Item::Number(_) | Item::Text(_) => true,
    }
}

fn path(key: &'static str) -> Vec<&'static str> {
    key.split('.').collect()
}

/// A value as the file has it.
pub(super) fn item(value: &str) -> Item {
    match value {
        "true" => Item::Flag(true),
        "false" => Item::Flag(false),
        number if number.bytes().all(|byte| byte.is_ascii_digit()) => Item::Number(number.to_owned()),
        text => Item::Text(text.to_owned()),
    }
}
