//! Claude Code, which reads its sheets once and shows them from memory.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use herm::AbsPath;
use herm_adapters::{Sheet, Use};

use super::leaf;
use super::search::{self, Search};
use crate::setup::Setup;
use crate::{ancestry, environment, files};

/// Where the settings of a repository are.
const OWN: &str = ".claude";

/// Where those of the machine are.
const MACHINE: &str = "/etc/claude-code/.claude";

/// What it runs when it shows a skill, or the file of a command.
pub(super) fn shown(setup: &Setup, here: &AbsPath, name: &str, given: Option<&str>) -> Vec<Use> {
    let found = Found::of(setup, here, name, &["commands", "skills"]);
    // What is built in has no file, nor does what a server offers, or a directory that only Claude's command line names.
    if found.sheets.is_empty() {
        return vec![Use::Unknown];
    }
    found.each(|sheet| sheet.run_by_claude_code(given))
}

/// What it runs when it starts a sub-agent. Those without a file are built in, or come from its command line.
pub(super) fn started(setup: &Setup, here: &AbsPath, name: &str) -> Vec<Use> {
    let started =
        Found::known(setup, here, name, &["agents"]).each(|sheet| Sheet::started_by_claude_code(sheet.text));
    let shown = started.into_iter().flat_map(|one| {
        if let Use::Skill { name, given } = one {
            shown(setup, here, &name, given.as_deref())
        } else {
            vec![one]
        }
    });
    shown.collect()
}

/// The sheets that a name can mean.
struct Found {
    /// Each with the directory that it was found in.
    sheets: Vec<(PathBuf, PathBuf)>,
    is_whole: bool,
}

impl Found {
    /// Those that are there from the start.
    fn known(setup: &Setup, here: &AbsPath, name: &str, kinds: &[&str]) -> Self {
        let mut search = Search::new();
        let mut found = Self { sheets: Vec::new(), is_whole: true };
        for root in known(setup, here, kinds) {
            found.add(&mut search, &root, name);
        }
        found.is_whole = search.is_whole();
        found
    }

    /// These, and those in directories further down, which have names that say where. A search there may end early where another name
    /// has been found.
    fn of(setup: &Setup, here: &AbsPath, name: &str, kinds: &[&str]) -> Self {
        let name = name.trim().trim_start_matches('/');
        let mut found = Self::known(setup, here, name, kinds);
        let is_settled = !found.sheets.is_empty() && leaf(name) == name;
        let mut search = Search::new();
        for own in search.below(Path::new(here.as_str()), OWN) {
            for root in kinds.iter().map(|kind| own.join(kind)) {
                found.add(&mut search, &root, name);
            }
        }
        found.is_whole &= search.is_whole() || is_settled;
        found.sheets.sort();
        found.sheets.dedup_by(|one, other| one.0 == other.0);
        found
    }

    fn add(&mut self, search: &mut Search, root: &Path, name: &str) {
        let sheets = search.sheets(root, leaf(name));
        self.sheets.extend(sheets.into_iter().map(|sheet| (sheet, root.to_owned())));
    }

    fn each(&self, of: impl Fn(&Sheet<'_>) -> Vec<Use>) -> Vec<Use> {
        let started = ancestry::agent_started();
        let unseen = (!self.is_whole).then_some(Use::Unknown);
        let uses = self.sheets.iter().flat_map(|(file, root)| {
            let text = search::text(file).filter(|_| is_as_read(file, root, started));
            let Some(text) = text else { return vec![Use::Unknown] };
            let directory = file.parent().unwrap_or(root).display().to_string();
            of(&Sheet { text: &text, directory: &directory })
        });
        uses.chain(unseen).collect()
    }
}

/// The directories whose sheets are there from the start: those of the working directory and the ones above it, of the user, of what
/// the user has installed, and of the machine.
fn known(setup: &Setup, here: &AbsPath, kinds: &[&str]) -> Vec<PathBuf> {
    let above = Path::new(here.as_str()).ancestors().map(|directory| directory.join(OWN));
    let named = environment::of_agent("CLAUDE_CONFIG_DIR").map(PathBuf::from);
    let user: Vec<PathBuf> = named.into_iter().chain([Path::new(setup.home.as_str()).join(OWN)]).collect();
    let installed = user.iter().map(|user| user.join("plugins")).collect::<Vec<_>>();
    let settings: Vec<PathBuf> = above.chain(user).chain([MACHINE.into()]).collect();
    let kept = settings.iter().flat_map(|own| kinds.iter().map(|kind| own.join(kind)));
    let mut known: Vec<PathBuf> = kept.chain(installed).filter(|root| files::exists(root)).collect();
    known.sort();
    known.dedup();
    known
}

/// Whether a sheet is as the agent has read it: neither it nor what leads to it has changed since the agent began.
fn is_as_read(file: &Path, root: &Path, started: Option<SystemTime>) -> bool {
    let Some(started) = started else { return false };
    let way = file.ancestors().take_while(|part| part.starts_with(root));
    way.into_iter().all(|part| files::changed(part).is_some_and(|changed| changed < started))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::*;
    use crate::setup::Wishes;

    struct Ground {
        root: tempfile::TempDir,
        setup: Setup,
        here: AbsPath,
    }

    impl Ground {
        fn new() -> Self {
            let root = tempfile::tempdir().unwrap();
            let home = root.path().join("home").display().to_string();
            let guard = Some(root.path().join("guard"));
            let setup = Setup::new(Wishes { home: Some(home), guard, ..Wishes::default() }).unwrap();
            let here = AbsPath::new(&root.path().join("work/app").display().to_string()).unwrap();
            Self { root, setup, here }
        }

        fn file(&self, name: &str, text: &str) -> PathBuf {
            let file = self.root.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, text).unwrap();
            file
        }

        fn found(&self, name: &str) -> Vec<PathBuf> {
            let found = Found::of(&self.setup, &self.here, name, &["commands", "skills"]);
            assert!(found.is_whole);
            found.sheets.into_iter().map(|(file, _)| file).collect()
        }
    }

    #[test]
    fn a_name_means_every_file_that_it_can() {
        let ground = Ground::new();
        let files = [
            "home/.claude/plugins/cache/market/tool/1.0/skills/zap/SKILL.md",
            "home/.claude/skills/zap/SKILL.md",
            "work/.claude/commands/far/zap.md",
            "work/app/.claude/skills/zap/SKILL.md",
            "work/app/deep/down/.claude/skills/zap/skill.md",
        ];
        let mut files: Vec<_> = files.iter().map(|name| ground.file(name, "Hello")).collect();
        files.push(ground.file("work/app/.claude/skills/other/SKILL.md", "---\nname: Zap\n---\n"));
        ground.file("work/app/.claude/skills/zip/SKILL.md", "---\nname: zip\n---\n");
        ground.file("work/app/.claude/settings.json", "{}");
        files.sort();
        for name in ["zap", "/zap", " tool:zap", "deep/down:zap"] {
            assert_eq!(ground.found(name), files, "{name}");
        }
        assert_eq!(ground.found("nothing"), Vec::<PathBuf>::new());
        assert_eq!(shown(&ground.setup, &ground.here, "nothing", None), [Use::Unknown]);
        assert_eq!(started(&ground.setup, &ground.here, "general-purpose"), []);
    }

    #[test]
    fn what_changed_since_the_agent_began_may_not_be_what_it_shows() {
        let ground = Ground::new();
        let file = ground.file("work/app/.claude/skills/zap/SKILL.md", "Hello");
        let root = ground.root.path().join("work/app/.claude/skills");
        let later = SystemTime::now() + Duration::from_mins(1);
        assert!(is_as_read(&file, &root, Some(later)));
        assert!(!is_as_read(&file, &root, Some(SystemTime::UNIX_EPOCH)));
        assert!(!is_as_read(&file, &root, None));
        // What runs these tests began before the file was there.
        assert_eq!(shown(&ground.setup, &ground.here, "zap", None), [Use::Unknown]);
    }
}
