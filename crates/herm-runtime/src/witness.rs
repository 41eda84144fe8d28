//! What a judgement rested on, as a digest.
//!
//! An approval is bound to it: if the text, the directory, what a shell has behind it, a program or a script changes between the question and the
//! run, the digest is another one and the question is asked again.

use std::path::{Path, PathBuf};

use herm::Facts;
use herm::call::{Action, Call};
use herm::edit::Edit;
use herm_shell::analysis::Invocation;
use herm_shell::world::{Script, World};
use herm_shell::{Flags, Lang, Realm, Target};
use herm_store::Digest;

use crate::files;

/// The digest of a call and of everything that was looked at to judge it.
#[must_use]
pub(crate) fn digest(call: &Call, facts: &Facts, world: &dyn World) -> Digest {
    let mut parts = Vec::new();
    let mut add = |part: &str| {
        // Each part begins with its length, so that no two lists of parts read the same.
        parts.extend(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        parts.extend(part.as_bytes());
    };
    let (kind, words) = match &call.action {
        Action::Edit(edit) => (format!("edit {}", content(edit)), [].as_slice()),
        Action::Exec(exec) => (
            format!("exec {:?} {:?} {}", exec.lang, exec.input(), exec.is_adrift()),
            exec.words().unwrap_or_default(),
        ),
        Action::Fetch(_) => ("fetch".to_owned(), [].as_slice()),
        Action::Read(_) => ("read".to_owned(), [].as_slice()),
        Action::Tool(tool) => (format!("tool {:?}", tool.drift()), [].as_slice()),
        Action::Write(_) => ("write".to_owned(), [].as_slice()),
    };
    add(&kind);
    add(call.action.text());
    add(&words.len().to_string());
    for word in words {
        add(word);
    }
    add(if is_script(call) { "a fresh directory" } else { call.cwd.as_str() });
    add(call.principal.home.as_str());
    add(world.before().unwrap_or_default());
    for observation in &facts.shell.observations {
        add(&observation.path);
        match &observation.seen {
            Script::Absent => add("absent"),
            Script::Binary | Script::Hidden => add(&identity(Path::new(&observation.path))),
            Script::Text(text) => add(text),
        }
    }
    // What was found to be of no account may be of some by now: a rule of the repository is another one, or a file was added to it.
    for effect in facts.shell.effects.iter().filter(|effect| effect.flags.any(OF_NO_ACCOUNT)) {
        effect.flags.without(OF_NO_ACCOUNT.complement()).words().for_each(&mut add);
        match &effect.target {
            Target::Path(path) => [&path.path, &path.shown].into_iter().for_each(|text| add(text)),
            Target::Named(_, name) => add(name),
            Target::Code(..) | Target::Environment | Target::Host(_) | Target::None | Target::Process(_) => {}
        }
    }
    let path = world.variable("PATH").unwrap_or_default();
    for run in facts.shell.invocations.iter().filter(|run| run.realm == Realm::Here) {
        add(&run.called);
        add(&program(run, call, &path).map(|program| identity(&program)).unwrap_or_default());
    }
    Digest::of(&parts)
}

/// What makes an effect one of no account, by what was found on the machine and in the receipts of the session.
const OF_NO_ACCOUNT: Flags = Flags::REGENERABLE.and(Flags::ONE_FILE).and(Flags::FRESH);

/// What would become of which files.
fn content(edit: &Edit) -> Digest {
    let digest = |bytes: &Option<Vec<u8>>| bytes.as_ref().map(|bytes| Digest::of(bytes).to_string());
    let change = |path: &str, before, after| format!("{path:?} {:?} {:?}\n", digest(before), digest(after));
    let changes = edit.changes().iter().map(|one| change(&one.path, &one.before, &one.after));
    Digest::of(changes.collect::<String>().as_bytes())
}

/// Whether it is code that runs in a directory of its own.
pub(crate) fn is_script(call: &Call) -> bool {
    matches!(&call.action, Action::Exec(exec) if exec.lang == Lang::Python)
}

fn identity(path: &Path) -> String {
    files::identity(path).unwrap_or_default()
}

/// Whether all that a text itself runs are programs that are there. What is not may be an alias or a function of somebody's shell.
pub(crate) fn are_programs(call: &Call, facts: &Facts, world: &dyn World) -> bool {
    let path = world.variable("PATH").unwrap_or_default();
    let mut own = facts.shell.invocations.iter().filter(|run| run.within.is_none());
    own.all(|run| program(run, call, &path).is_some_and(|program| files::exists(&program)))
}

/// The file that an invocation would run.
fn program(run: &Invocation, call: &Call, path: &str) -> Option<PathBuf> {
    if run.called.contains('/') {
        return Some(Path::new(call.cwd.as_str()).join(&run.called));
    }
    let candidates = path.split(':').filter(|directory| !directory.is_empty());
    candidates.map(|directory| Path::new(directory).join(&run.called)).find(|file| files::exists(file))
}

#[cfg(test)]
mod tests {
    use herm::call::{CallId, Door, Exec, Principal, SessionId};
    use herm::{AbsPath, Engine, Policy};
    use herm_shell::world::Blind;

    use super::*;

    #[test]
    fn what_was_taken_for_regenerable_is_part_of_it() {
        let path = |path| AbsPath::new(path).unwrap();
        let call = Call {
            id: CallId("1".to_owned()),
            door: Door::CommandLine,
            principal: Principal { name: None, home: path("/home/dev") },
            session: SessionId::default(),
            cwd: path("/home/dev/project"),
            action: Action::Exec(Exec::new("rm -rf build", Lang::Shell)),
        };
        let mut facts = Engine::new(Policy::default()).check(&call, &Blind).facts;
        let before = digest(&call, &facts, &Blind);
        assert_eq!(before, digest(&call, &facts, &Blind));
        facts.shell.effects.iter_mut().for_each(|effect| effect.flags |= Flags::REGENERABLE);
        assert_ne!(before, digest(&call, &facts, &Blind));
    }
}
