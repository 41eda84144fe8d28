#![expect(clippy::disallowed_methods, reason = "tests make their own files")]

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use herm::edit::Change;

use super::*;
use crate::situation::Situation;
use crate::world::{LocalWorld, Variables};
use herm_shell::world::World as _;

fn place() -> (tempfile::TempDir, PathBuf) {
    let place = tempfile::tempdir().unwrap();
    let path = fs::canonicalize(place.path()).unwrap();
    (place, path)
}

fn follow(path: &Path) -> Result<Held, Unheld> {
    Held::follow(path.to_str().unwrap())
}

fn change(path: &Path, before: Option<&str>, after: Option<&str>) -> Change {
    let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
    Change { path: path.to_str().unwrap().to_owned(), before: bytes(before), after: bytes(after) }
}

fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The same, with a directory of herm's own in which nothing is left.
fn replace(files: &[Held], changes: &[Change]) -> Result<(), swap::Unreplaced> {
    let guard = tempfile::tempdir().unwrap();
    let replaced = super::replace(files, changes, guard.path());
    assert!(!guard.path().join("edits").exists() || names(&guard.path().join("edits")).is_empty());
    replaced
}

#[test]
fn a_file_is_replaced_with_its_mode_its_attributes_and_nothing_left_beside_it() {
    let (_place, path) = place();
    let file = path.join("script.sh");
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o4751)).unwrap();
    let noted = rustix::fs::setxattr(&file, "user.note", b"x", rustix::fs::XattrFlags::empty()).is_ok();
    let held = [follow(&file).unwrap()];
    replace(&held, &[change(&file, Some("old"), Some("new"))]).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    // Nobody keeps the right to become somebody else by being written to.
    assert_eq!(fs::metadata(&file).unwrap().mode() & 0o7777, 0o751);
    if noted {
        let mut value = [0; 8];
        assert_eq!(rustix::fs::getxattr(&file, "user.note", &mut value).unwrap(), 1);
    }
    assert_eq!(names(&path), ["script.sh"]);
}

#[test]
fn a_file_that_is_not_there_is_made_with_its_directories() {
    let (_place, path) = place();
    let (one, two) = (path.join("a/b/one"), path.join("a/b/two"));
    let held = [follow(&one).unwrap(), follow(&two).unwrap()];
    assert_eq!(held[0].path(), one.to_str().unwrap());
    replace(&held, &[change(&one, None, Some("1")), change(&two, None, Some("2"))]).unwrap();
    assert_eq!(
        (fs::read_to_string(&one).unwrap(), fs::read_to_string(&two).unwrap()),
        ("1".into(), "2".into())
    );
    assert_eq!(names(&path.join("a/b")), ["one", "two"]);
}

#[test]
fn all_of_it_happens_or_nothing_does() {
    let (_place, path) = place();
    let [kept, gone, new] = ["kept", "gone", "new/file"].map(|name| path.join(name));
    fs::write(&kept, "kept").unwrap();
    fs::write(&gone, "gone").unwrap();
    let late = path.join("late");
    fs::write(&late, "shown").unwrap();
    let held: Vec<_> = [&kept, &gone, &new, &late].map(|path| follow(path).unwrap()).into();
    // Somebody writes to the last one after it was shown.
    fs::write(&late, "other").unwrap();
    let changes = [
        change(&kept, Some("kept"), Some("changed")),
        change(&gone, Some("gone"), None),
        change(&new, None, Some("new")),
        change(&late, Some("shown"), Some("changed")),
    ];
    let error = replace(&held, &changes).unwrap_err();
    assert!(error.to_string().contains("moved or replaced meanwhile; nothing was changed"), "{error}");
    assert_eq!(fs::read_to_string(&kept).unwrap(), "kept");
    assert_eq!(fs::read_to_string(&gone).unwrap(), "gone");
    assert_eq!(fs::read_to_string(&late).unwrap(), "other");
    assert_eq!(names(&path), ["gone", "kept", "late"]);
    fs::write(&late, "shown").unwrap();
    replace(&held, &changes).unwrap();
    assert_eq!(names(&path), ["kept", "late", "new"]);
    assert_eq!(fs::read_to_string(&late).unwrap(), "changed");
}

#[test]
fn a_file_that_came_meanwhile_is_not_overwritten() {
    let (_place, path) = place();
    let file = path.join("new");
    let held = [follow(&file).unwrap()];
    fs::write(&file, "mine").unwrap();
    assert!(replace(&held, &[change(&file, None, Some("theirs"))]).is_err());
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    assert_eq!(names(&path), ["new"]);
}

#[test]
fn what_is_no_file_is_not_held() {
    let (_place, path) = place();
    symlink("nowhere", path.join("dangling")).unwrap();
    rustix::fs::mknodat(CWD, path.join("pipe"), FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
    let (dangling, pipe) = (path.join("dangling"), path.join("pipe"));
    let strange = ["/dev/zero", "/proc/self/environ", "/proc/1/cmdline", "/", "/etc/"];
    for path in strange.iter().copied().chain([dangling.to_str().unwrap(), pipe.to_str().unwrap()]) {
        assert!(Held::follow(path).is_err(), "{path}");
    }
    assert!(follow(&path.join("missing/../x")).is_err());
}

#[test]
fn a_file_is_judged_by_where_it_is_and_by_what_else_it_is() {
    let (_place, path) = place();
    fs::create_dir(path.join("real")).unwrap();
    fs::write(path.join("real/file"), "").unwrap();
    symlink("real", path.join("link")).unwrap();
    fs::hard_link(path.join("real/file"), path.join("twin")).unwrap();
    let asked = path.join("link/file");
    let files = [follow(&asked).unwrap()];
    let world = LocalWorld { variables: Variables::Unknown };
    let holding = Situation::of(&world).holding(&files);
    // What the path leads to by now is another thing.
    fs::remove_file(path.join("link")).unwrap();
    symlink("/", path.join("link")).unwrap();
    let real = path.join("real/file");
    assert_eq!(holding.resolve(asked.to_str().unwrap()).as_deref(), real.to_str());
    assert!(holding.same_file(real.to_str().unwrap(), path.join("twin").to_str().unwrap()));
    assert!(!holding.same_file(real.to_str().unwrap(), "/etc/passwd"));
}

/// Somebody keeps swapping a directory for a link to where secrets are. Whatever is read is what the kernel's name for it says, and
/// nothing is ever written behind the link.
#[test]
fn a_link_that_is_swapped_in_leads_nowhere() {
    let (_place, path) = place();
    for (name, content) in [("open", "open"), ("secret", "secret")] {
        fs::create_dir(path.join(name)).unwrap();
        fs::write(path.join(name).join("file"), content).unwrap();
    }
    symlink("open", path.join("way")).unwrap();
    let over = AtomicBool::new(false);
    let asked = path.join("way/file");
    let (mut read, mut written) = (0, 0);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut to = ["secret", "open"].iter().cycle();
            while !over.load(Ordering::Relaxed) {
                symlink(to.next().unwrap(), path.join("next")).unwrap();
                fs::rename(path.join("next"), path.join("way")).unwrap();
            }
        });
        for turn in 0..2000 {
            let Ok(held) = follow(&asked) else { continue };
            let is_open = held.path().ends_with("/open/file");
            let content = held.content(100).unwrap().unwrap();
            assert_eq!(content.starts_with(b"open"), is_open, "what is read is what was named");
            read += 1;
            // Only what is open may be written.
            if is_open {
                let after = format!("open {turn}").into_bytes();
                let change = Change { path: String::new(), before: Some(content), after: Some(after) };
                written += u32::from(replace(&[held], &[change]).is_ok());
            }
        }
        over.store(true, Ordering::Relaxed);
    });
    assert!(read > 0 && written > 0);
    assert_eq!(fs::read_to_string(path.join("secret/file")).unwrap(), "secret");
    assert_eq!(names(&path.join("secret")), ["file"]);
    assert_eq!(names(&path.join("open")), ["file"]);
}

/// A list as Linux keeps it: the owner, one other, the group, the most that any of those gets, everybody.
fn access_list() -> Vec<u8> {
    let entries: [(u16, u16, u32); 5] =
        [(1, 7, u32::MAX), (2, 4, 12345), (4, 4, u32::MAX), (0x10, 4, u32::MAX), (0x20, 0, u32::MAX)];
    let entry = |(tag, rights, id): (u16, u16, u32)| {
        [&tag.to_le_bytes()[..], &rights.to_le_bytes()[..], &id.to_le_bytes()[..]].concat()
    };
    2_u32.to_le_bytes().into_iter().chain(entries.into_iter().flat_map(entry)).collect()
}

#[test]
fn a_file_that_is_replaced_lets_in_whom_it_let_in_before() {
    let (_place, path) = place();
    let (plain, listed) = (path.join("plain"), path.join("listed"));
    for file in [&plain, &listed] {
        fs::write(file, "old").unwrap();
        fs::set_permissions(file, Permissions::from_mode(0o640)).unwrap();
    }
    let (list, flags) = (access_list(), rustix::fs::XattrFlags::empty());
    match rustix::fs::setxattr(&path, "system.posix_acl_default", &list, flags) {
        Ok(()) => {}
        // There are no such lists here, so none is inherited.
        Err(Errno::NOTSUP) => return,
        Err(errno) => panic!("{errno}"),
    }
    rustix::fs::setxattr(&listed, "system.posix_acl_access", &list, flags).unwrap();
    fs::write(path.join("fresh"), "").unwrap();
    let list_of = |file: &Path| {
        let mut value = [0; 128];
        rustix::fs::getxattr(file, "system.posix_acl_access", &mut value)
            .map(|length| value[..length].to_vec())
    };
    assert!(list_of(&path.join("fresh")).is_ok(), "what is made there inherits it");
    for file in [&plain, &listed] {
        replace(&[follow(file).unwrap()], &[change(file, Some("old"), Some("new"))]).unwrap();
    }
    assert_eq!(list_of(&plain), Err(Errno::NODATA));
    assert_eq!(fs::metadata(&plain).unwrap().mode() & 0o7777, 0o640);
    assert_eq!(list_of(&listed), Ok(list));
}

#[test]
fn the_other_names_of_a_file_are_not_cut_off() {
    let (_place, path) = place();
    let (one, two) = (path.join("one"), path.join("two"));
    fs::write(&one, "old").unwrap();
    fs::hard_link(&one, &two).unwrap();
    let refused = replace(&[follow(&one).unwrap()], &[change(&one, Some("old"), Some("new"))]).unwrap_err();
    assert!(refused.to_string().contains("other names"), "{refused}");
    assert_eq!(fs::metadata(&one).unwrap().ino(), fs::metadata(&two).unwrap().ino());
    // A name that goes takes nothing from the others.
    replace(&[follow(&one).unwrap()], &[change(&one, Some("old"), None)]).unwrap();
    assert_eq!((names(&path), fs::read_to_string(&two).unwrap()), (vec!["two".to_owned()], "old".to_owned()));
}

#[test]
fn what_is_cut_short_is_put_back_by_the_next_start_or_cleared_away() {
    // Killed before anything is new, before anything has changed places, after each file, when all is in its place.
    for steps in 0..=6 {
        let (_place, path) = place();
        let guard = path.join("guard");
        let work = path.join("work");
        fs::create_dir(&work).unwrap();
        let (kept, deleted, made) = (work.join("changed"), work.join("deleted"), work.join("deep/made"));
        fs::write(&kept, "old").unwrap();
        fs::write(&deleted, "old").unwrap();
        let held = [&kept, &deleted, &made].map(|file| follow(file).unwrap());
        let changes = [
            change(&kept, Some("old"), Some("new")),
            change(&deleted, Some("old"), None),
            change(&made, None, Some("new")),
        ];
        swap::cut_short(&held, &changes, &guard, steps);
        assert_eq!(names(&guard.join("edits")).len(), 1, "{steps}");
        recover(&guard);
        assert_eq!(names(&guard.join("edits")), [""; 0], "{steps}");
        let found = [&kept, &deleted, &made].map(|file| fs::read_to_string(file).ok());
        let text = |text: &str| Some(text.to_owned());
        if steps == 6 {
            assert_eq!(
                (found, names(&work)),
                ([text("new"), None, text("new")], vec!["changed".into(), "deep".into()])
            );
        } else {
            assert_eq!(found, [text("old"), text("old"), None], "{steps}");
            assert_eq!(names(&work), ["changed", "deleted"], "{steps}");
        }
    }
}

#[test]
fn what_another_works_on_is_left_to_it() {
    let (_place, path) = place();
    let entry = journal::Entry {
        path: path.join("x").to_str().unwrap().to_owned(),
        beside: ".herm-y".to_owned(),
        aside: ".herm-z".to_owned(),
        was_there: true,
    };
    fs::write(path.join(".herm-y"), "new").unwrap();
    let journal = journal::Journal::begin(&path.join("guard"), &[entry], &[]).unwrap();
    recover(&path.join("guard"));
    assert!(path.join(".herm-y").exists() && names(&path.join("guard/edits")).len() == 1);
    drop(journal);
    assert_eq!(names(&path.join("guard/edits")), [""; 0]);
}

#[test]
fn a_journal_that_somebody_made_up_removes_nothing() {
    let (_place, path) = place();
    let edits = path.join("guard/edits");
    fs::create_dir_all(&edits).unwrap();
    fs::write(path.join("mine"), "").unwrap();
    let entry = serde_json::json!({
        "path": path.join("guard/x").to_str().unwrap(), "beside": "../mine", "aside": "../mine", "was_there": true,
    });
    fs::write(edits.join("1"), format!("{}\n", serde_json::json!({ "files": [entry], "made": [] }))).unwrap();
    recover(&path.join("guard"));
    assert!(path.join("mine").exists());
    assert_eq!(names(&edits), [""; 0]);
}
