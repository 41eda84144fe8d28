//! What `git push` changes on the other side, and what reaching a repository runs.

use super::config;
use crate::effect::{Flags, Verb};
use crate::programs::arguments::Parsed;
use crate::programs::phrases::emit;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

/// Branches that are protected by custom.
const PROTECTED: &[&str] = &["main", "master", "trunk", "release", "production", "prod", "stable"];

/// Whether a branch is protected by custom.
pub(in crate::programs) fn is_protected(branch: &str) -> bool {
    PROTECTED.contains(&branch) || branch.starts_with("release/")
}

/// `remote.NAME.push`, `remote.NAME.mirror` as settings that stay: every push from now on does what they say.
pub(super) fn configured(key: &str, value: &Value, sink: &mut dyn Sink) {
    let mut settings = RemoteSettings { refs: Vec::new(), mirrors: false };
    settings.add(key, value);
    if settings.mirrors {
        emit(sink, Verb::Rewrite, "remote branch", "", Flags::FORCE | Flags::ALL);
    }
    for spec in settings.refs.iter().filter(|spec| spec.forced || spec.deletes) {
        spec.report(false, false, sink);
    }
}

/// Says what a push publishes, overwrites and deletes.
pub(super) fn push(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    reach(parsed, sink);
    let settings = RemoteSettings::of(parsed);
    let forced = parsed.has("-f --force") || parsed.has("--mirror") || settings.mirrors;
    if parsed.has("--all --branches --mirror") || settings.mirrors {
        emit(sink, Verb::Publish, "remote branch", "", Flags::ALL);
    }
    if parsed.has("--prune") {
        emit(sink, Verb::Destroy, "remote branch", "", Flags::ALL);
    }
    let given = parsed.operands.iter().skip(1).map(|word| Refspec::read(&word.value));
    // What is configured counts where nothing is given.
    let refs: Vec<Refspec> = if parsed.operands.len() > 1 { given.collect() } else { settings.refs };
    for spec in &refs {
        spec.report(forced, parsed.has("-d --delete"), sink);
    }
    if refs.is_empty() {
        let (verb, flags) = if forced { (Verb::Rewrite, Flags::FORCE) } else { (Verb::Publish, Flags::NONE) };
        emit(sink, verb, "remote branch", "", flags);
    }
}

/// What a repository's address runs (`ext::`) or reaches.
pub(super) fn reach(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for argument in &parsed.operands {
        let start = argument.value.known_prefix();
        if let Some(command) = start.strip_prefix("ext::") {
            let words = external_transport(command);
            sink.run(&words, &Value::default());
        } else if ["http://", "https://", "git://", "ssh://", "ftp://"]
            .iter()
            .any(|scheme| start.starts_with(scheme))
        {
            sink.connect(Verb::Connect, &argument.value, Flags::DOWNLOAD, Provenance::NONE);
        }
    }
}

/// `git clone ADDRESS [DIRECTORY]`: the directory is made, and called as the repository is where none is given.
pub(super) fn clone(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    reach(parsed, sink);
    let named = || {
        let address = parsed.operand(0)?.known()?;
        let last =
            address.trim_end_matches('/').rsplit(['/', ':']).next()?.trim_end_matches(".git").to_owned();
        (!last.is_empty() && !last.starts_with('.')).then(|| Value::literal(last))
    };
    if let Some(directory) = parsed.operand(1).cloned().or_else(named) {
        sink.path(Verb::Write, &directory, Flags::METADATA);
    }
}

/// The words of an `ext::` address: blanks separate them, `% ` is a blank, `%%` a percent sign.
fn external_transport(command: &str) -> Vec<Value> {
    let mut words = vec![String::new()];
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (letter, words.last_mut()) {
            (' ', _) => words.push(String::new()),
            ('%', Some(word)) => word.extend(letters.next().filter(|next| matches!(next, ' ' | '%'))),
            (other, Some(word)) => word.push(other),
            (_, None) => {}
        }
    }
    words.into_iter().filter(|word| !word.is_empty()).map(Value::literal).collect()
}

/// What `-c remote.NAME.…` says of a push.
struct RemoteSettings {
    refs: Vec<Refspec>,
    mirrors: bool,
}

impl RemoteSettings {
    fn of(parsed: &Parsed<'_>) -> Self {
        let mut settings = Self { refs: Vec::new(), mirrors: false };
        for (key, value) in config::set_for_one_command(parsed) {
            settings.add(&key, &value);
        }
        settings
    }

    fn add(&mut self, key: &str, value: &Value) {
        let key = key.to_ascii_lowercase();
        let name = key.strip_prefix("remote.").and_then(|rest| rest.rsplit_once('.'));
        match name.map(|(_, name)| name) {
            Some("push") => self.refs.push(Refspec::read(value)),
            Some("mirror") => {
                let off = ["false", "no", "off", "0"];
                self.mirrors |= value.known().is_none_or(|text| !off.contains(&&*text));
            }
            Some(_) | None => {}
        }
    }
}

/// `+source:destination`.
struct Refspec {
    forced: bool,
    deletes: bool,
    branch: String,
    tag: bool,
}

impl Refspec {
    fn read(word: &Value) -> Self {
        let text = word.shown();
        let (forced, rest) = text.strip_prefix('+').map_or((false, text.as_str()), |rest| (true, rest));
        let (source, destination) = rest.split_once(':').unwrap_or((rest, rest));
        let destination = if destination.is_empty() { source } else { destination };
        let deletes = source.is_empty() && !destination.is_empty();
        let tag = destination.starts_with("refs/tags/");
        let branch = destination.trim_start_matches("refs/heads/").trim_start_matches("refs/tags/");
        Self { forced, deletes, branch: branch.to_owned(), tag }
    }

    fn report(&self, forced: bool, deleted: bool, sink: &mut dyn Sink) {
        let protected = if self.protected() { Flags::PROTECTED_BRANCH } else { Flags::NONE };
        let (verb, flags) = if self.deletes || deleted {
            (Verb::Destroy, protected | Flags::FORCE)
        } else if self.forced || forced {
            (Verb::Rewrite, protected | Flags::FORCE)
        } else {
            let every = if self.branch.contains('*') { Flags::ALL } else { Flags::NONE };
            (Verb::Publish, protected | every)
        };
        let kind = if self.tag && verb == Verb::Destroy { "tag" } else { "remote branch" };
        emit(sink, verb, kind, self.branch.clone(), flags);
    }

    fn protected(&self) -> bool {
        !self.tag && is_protected(&self.branch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refspecs_are_read() {
        let spec = Refspec::read(&Value::literal("+HEAD:refs/heads/main"));
        assert!(spec.forced && spec.protected() && !spec.deletes);
        assert!(Refspec::read(&Value::literal(":feature")).deletes);
        assert!(!Refspec::read(&Value::literal(":")).deletes);
        assert!(!Refspec::read(&Value::literal("mainline")).protected());
        assert!(!Refspec::read(&Value::literal("refs/tags/main")).protected());
    }

    #[test]
    fn external_transports_are_unescaped() {
        let words = external_transport("sh -c touch% /tmp/x%% >&2");
        let texts: Vec<_> = words.iter().map(Value::shown).collect();
        assert_eq!(texts, ["sh", "-c", "touch /tmp/x%", ">&2"]);
    }
}
