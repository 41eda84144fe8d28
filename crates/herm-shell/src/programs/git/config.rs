//! git's settings: which of them are code.

use crate::effect::{Flags, Verb};
use crate::programs::arguments::Parsed;
use crate::programs::kinds::hook;
use crate::programs::phrases::emit;
use crate::sink::Sink;
use crate::value::Value;

/// What the value of a setting is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Setting {
    /// A shell runs it.
    Code,
    /// A shell runs it if it begins with `!`.
    CodeAfterBang,
    /// A program runs if it is an absolute path.
    CodeIfPath,
    /// What is in this directory or file is obeyed.
    Obeyed,
    /// A switch, or a command.
    SwitchOrCode,
}

/// Settings by the first and the last part of their names, in lower case. `*` is any part.
const SETTINGS: &[(&str, &str, Setting)] = &[
    ("alias", "*", Setting::CodeAfterBang),
    ("browser", "cmd", Setting::Code),
    ("core", "alternaterefscommand", Setting::Code),
    ("core", "askpass", Setting::Code),
    ("core", "editor", Setting::Code),
    ("core", "fsmonitor", Setting::SwitchOrCode),
    ("core", "gitproxy", Setting::Code),
    ("core", "hookspath", Setting::Obeyed),
    ("core", "pager", Setting::SwitchOrCode),
    ("core", "sshcommand", Setting::Code),
    ("credential", "helper", Setting::CodeAfterBang),
    ("diff", "command", Setting::Code),
    ("diff", "external", Setting::Code),
    ("diff", "textconv", Setting::Code),
    ("difftool", "cmd", Setting::Code),
    ("filter", "clean", Setting::Code),
    ("filter", "process", Setting::Code),
    ("filter", "smudge", Setting::Code),
    ("gpg", "program", Setting::Code),
    ("guitool", "cmd", Setting::Code),
    ("imap", "tunnel", Setting::Code),
    ("include", "path", Setting::Obeyed),
    ("includeif", "path", Setting::Obeyed),
    ("init", "templatedir", Setting::Obeyed),
    ("interactive", "difffilter", Setting::Code),
    ("man", "cmd", Setting::Code),
    ("merge", "driver", Setting::Code),
    ("mergetool", "cmd", Setting::Code),
    ("pager", "*", Setting::SwitchOrCode),
    ("remote", "receivepack", Setting::Code),
    ("remote", "uploadpack", Setting::Code),
    ("sendemail", "sendmailcmd", Setting::Code),
    ("sendemail", "smtpserver", Setting::CodeIfPath),
    ("sequence", "editor", Setting::Code),
    ("submodule", "update", Setting::CodeAfterBang),
    ("tar", "command", Setting::Code),
    ("trailer", "cmd", Setting::Code),
    ("trailer", "command", Setting::Code),
    ("uploadpack", "packobjectshook", Setting::Code),
];

/// Programs that run what they are given: a lasting setting that names one is worth a question.
const RUNNERS: &[&str] = &[
    "bash", "curl", "dash", "eval", "nc", "node", "perl", "php", "python", "python3", "ruby", "sh", "wget",
    "zsh",
];

/// How many `GIT_CONFIG_KEY_n` variables are looked at.
const VARIABLES: u32 = 16;

/// `git -c key=value`, `git clone --config key=value`, `GIT_CONFIG_KEY_0=…`: settings for one command. They come back.
pub(super) fn given_for_one_command(parsed: &Parsed<'_>, sink: &mut dyn Sink) -> Vec<(String, Value)> {
    let mut settings = set_for_one_command(parsed);
    for (key, value) in &settings {
        obey(key, value, sink);
        if key.eq_ignore_ascii_case("clean.requireforce")
            && parsed.subcommands.first() == Some(&"clean")
            && !parsed.stopped
        {
            emit(sink, Verb::Destroy, "untracked files", "", Flags::IRREVERSIBLE);
        }
    }
    let mut others = Vec::new();
    for pair in parsed.values("--config-env") {
        if let Some((key, Some(name))) =
            split(pair).map(|(key, name)| (key, name.known().map(std::borrow::Cow::into_owned)))
        {
            others.push((key, sink.variable(&name)));
        }
    }
    let handed = sink.variable("GIT_CONFIG_PARAMETERS");
    if handed.known().is_some_and(|text| !text.is_empty()) {
        sink.set_variable("GIT_CONFIG_PARAMETERS", &Value::default());
        for (key, value) in handed.known().iter().flat_map(|text| handed_down(text)) {
            others.push((key, Value::literal(value).from(handed.provenance)));
        }
    }
    for index in 0..VARIABLES {
        let name = format!("GIT_CONFIG_KEY_{index}");
        let key = sink.variable(&name);
        let Some(key) = key.known().filter(|key| !key.is_empty()).map(std::borrow::Cow::into_owned) else {
            break;
        };
        let value = sink.variable(&format!("GIT_CONFIG_VALUE_{index}"));
        // What the setting runs may be git again, and must not find the same setting for ever.
        sink.set_variable(&name, &Value::default());
        others.push((key, value));
    }
    for (key, value) in &others {
        obey(key, value, sink);
    }
    settings.extend(others);
    settings
}

/// The settings of `-c key=value`, in the order in which they stand.
pub(super) fn set_for_one_command(parsed: &Parsed<'_>) -> Vec<(String, Value)> {
    let given = parsed
        .options
        .iter()
        .filter(|given| given.option.is_some_and(|option| matches!(option.names, "-c" | "-c --config")));
    given.filter_map(|given| split(given.values.first()?)).collect()
}

/// `git config key value`: a setting that stays. What it runs is judged where it is set, as if it ran.
pub(super) fn stored(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let operands = match parsed.word(0).as_deref() {
        Some("set") => 1,
        Some("get" | "list" | "unset" | "edit" | "remove-section" | "rename-section") => return,
        Some(_) | None => 0,
    };
    let (Some(key), Some(value)) = (parsed.word(operands), parsed.operand(operands + 1)) else { return };
    if parsed.has("--unset --unset-all --get --get-all --get-regexp --get-urlmatch") {
        return;
    }
    obey(&key, value, sink);
    super::push::configured(&key, value, sink);
    super::fetch::configured(&key, value, sink);
    super::alias::stored(&key, value, sink);
    let everywhere = parsed.has("--global --system");
    if redirects(&key, value) {
        emit(sink, Verb::Persist, "hook", key.as_str(), Flags::HOOK | Flags::GLOBAL);
    }
    if everywhere && setting(&key).is_some_and(|setting| lasting_danger(setting, value)) {
        emit(sink, Verb::Persist, "hook", key, Flags::HOOK | Flags::GLOBAL);
    }
}

/// `url.BASE.insteadOf URL` where the two are not the same host: what is fetched and pushed goes to somebody else.
fn redirects(key: &str, value: &Value) -> bool {
    let Some(base) = key.strip_prefix("url.").and_then(|rest| rest.rsplit_once('.')) else { return false };
    let instead = base.1.eq_ignore_ascii_case("insteadof") || base.1.eq_ignore_ascii_case("pushinsteadof");
    let replaced = value.known();
    // `gh:` and the like are short names, and no addresses.
    instead && replaced.is_some_and(|replaced| replaced.contains('.') && host(&replaced) != host(base.0))
}

/// The host of an address, however it is written: `https://HOST/`, `git@HOST:`.
fn host(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let rest = rest.rsplit('@').next().unwrap_or(rest);
    rest.split(['/', ':']).next().unwrap_or(rest)
}

/// The settings in `GIT_CONFIG_PARAMETERS`: `'key=value'` or `'key'='value'`, with blanks between them.
fn handed_down(text: &str) -> Vec<(String, String)> {
    let mut settings = Vec::new();
    let mut quoted = text.split('\'').skip(1).step_by(2).peekable();
    let mut between = text.split('\'').skip(2).step_by(2);
    while let Some(first) = quoted.next() {
        let joined = between.next() == Some("=");
        match first.split_once('=') {
            Some((key, value)) if !joined => settings.push((key.to_owned(), value.to_owned())),
            _ if joined => {
                settings.push((first.to_owned(), quoted.next().unwrap_or_default().to_owned()));
                let _ = between.next();
            }
            Some(_) | None => {}
        }
    }
    settings
}

fn split(pair: &Value) -> Option<(String, Value)> {
    let prefix = pair.known_prefix();
    let (key, start) = prefix.split_once('=')?;
    let mut value = Value::literal(start).from(pair.provenance);
    let known =
        pair.pieces.iter().take_while(|piece| matches!(piece, crate::value::Piece::Literal(_))).count();
    value.pieces.extend(pair.pieces.iter().skip(known).cloned());
    Some((key.to_owned(), value))
}

fn setting(key: &str) -> Option<Setting> {
    let key = key.to_ascii_lowercase();
    let (section, rest) = key.split_once('.')?;
    let name = rest.rsplit_once('.').map_or(rest, |(_, name)| name);
    SETTINGS
        .iter()
        .find(|(wanted, last, _)| *wanted == section && (*last == "*" || *last == name))
        .map(|(_, _, setting)| *setting)
}

/// `git send-email --smtp-server=/path/to/program`.
pub(super) fn mail_program(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if let Some(server) = parsed.value("--smtp-server").cloned() {
        obey("sendemail.smtpserver", &server, sink);
    }
}

fn obey(key: &str, value: &Value, sink: &mut dyn Sink) {
    let Some(setting) = setting(key) else { return };
    match setting {
        Setting::Code => run(value, sink),
        Setting::CodeAfterBang => {
            if let Some(code) = after_bang(value) {
                run(&code, sink);
            }
        }
        Setting::CodeIfPath => {
            if value.known_prefix().starts_with('/') {
                run(value, sink);
            }
        }
        Setting::Obeyed => sink.path(Verb::Execute, value, Flags::HOOK),
        Setting::SwitchOrCode => {
            if !is_switch(value) {
                run(value, sink);
            }
        }
    }
}

fn run(code: &Value, sink: &mut dyn Sink) {
    if code.known().is_none_or(|text| !text.trim().is_empty()) {
        hook(code, Flags::NONE, sink);
    }
}

fn after_bang(value: &Value) -> Option<Value> {
    let mut value = value.clone();
    match value.pieces.first_mut() {
        Some(crate::value::Piece::Literal(text)) if text.starts_with('!') => {
            text.remove(0);
            Some(value)
        }
        Some(_) | None => None,
    }
}

fn is_switch(value: &Value) -> bool {
    value.known().is_some_and(|text| {
        matches!(
            text.to_ascii_lowercase().as_str(),
            "" | "true" | "false" | "yes" | "no" | "on" | "off" | "0" | "1"
        )
    })
}

/// Whether a command that will run at every later git command is more than the name of an everyday tool.
fn lasting_danger(setting: Setting, value: &Value) -> bool {
    let Some(text) = value.known() else { return true };
    match setting {
        Setting::CodeAfterBang => text.starts_with('!') && !text.starts_with("!git "),
        Setting::CodeIfPath => {
            text.starts_with("/tmp") || text.starts_with("/var/tmp") || text.starts_with("/dev/shm")
        }
        // Below the project, it is that of each repository.
        Setting::Obeyed => text.starts_with(['/', '~']),
        Setting::Code | Setting::SwitchOrCode => {
            let first = text.split_whitespace().next().unwrap_or_default();
            let name = first.rsplit('/').next().unwrap_or_default();
            RUNNERS.contains(&name)
                || first.starts_with("/tmp/")
                || text.contains([';', '|', '&', '`', '$', '<', '>'])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_run_code_are_known_in_any_case() {
        assert_eq!(setting("core.sshCommand"), Some(Setting::Code));
        assert_eq!(setting("Alias.st"), Some(Setting::CodeAfterBang));
        assert_eq!(setting("filter.lfs.smudge"), Some(Setting::Code));
        assert_eq!(setting("credential.https://x.example.helper"), Some(Setting::CodeAfterBang));
        assert_eq!(setting("user.name"), None);
        assert_eq!(setting("protocol.ext.allow"), None);
    }

    #[test]
    fn everyday_tools_are_no_danger() {
        for text in ["vim", "code --wait", "less -FRX", "delta"] {
            assert!(!lasting_danger(Setting::Code, &Value::literal(text)), "{text}");
        }
        assert!(lasting_danger(Setting::Code, &Value::literal("sh -c evil")));
        assert!(lasting_danger(Setting::CodeAfterBang, &Value::literal("!evil")));
        assert!(!lasting_danger(Setting::CodeAfterBang, &Value::literal("status -s")));
    }

    #[test]
    fn pairs_are_split_at_the_first_equals_sign() {
        let (key, value) = split(&Value::literal("core.pager=a=b")).unwrap();
        assert_eq!((key.as_str(), value.known().as_deref()), ("core.pager", Some("a=b")));
    }
}
