//! What a try did, as a person reads it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use herm_sandbox::changes::{Diff, Edits, Item, ItemSide, Kind, Right, Shape, Summary, safe};
use serde_json::Value;

use super::programs::Started;

/// The most that a person is shown: what does not fit is told in fewer words, and the names of what changed come first.
const ROOM: usize = 128 << 10;

/// How many lines of one diff are shown where not all of them fit.
const SHORT: usize = 40;

/// How much is told of each path.
#[derive(Clone, Copy, Debug)]
enum Detail {
    /// All of its diff.
    Full,
    /// The beginning of its diff.
    Short,
    /// Its name.
    Name,
}

/// What was changed, which programs ran, and whom they tried to reach.
pub(super) fn all(summary: &Summary, programs: Option<&Started>, connections: &[Value]) -> String {
    let ran = programs.map_or_else(|| "What it ran: not seen\n".to_owned(), Started::told);
    let (changes, missing) = changes(summary);
    changes + &ran + &reached(connections) + &apart(&summary.apart) + &rights(summary) + &unseen(missing)
}

/// What taking a run back would lose, from what the run left to what is there now.
pub(super) fn edits(edits: &Edits) -> String {
    let (mut text, missing) = fitting(&edits.items, ROOM);
    let more = edits.more + missing;
    if more > 0 {
        let _ = writeln!(text, "  … and {more} more");
    }
    text
}

/// What must be known about rights, each with the paths that it is about.
fn rights(summary: &Summary) -> String {
    let mut paths: BTreeMap<Right, Vec<&str>> = BTreeMap::new();
    for (path, right) in &summary.rights {
        paths.entry(*right).or_default().push(path);
    }
    let line = |(right, paths): (Right, Vec<&str>)| format!("! {}: {}\n", right.words(), some(&paths));
    paths.into_iter().map(line).collect()
}

/// Some of many names.
pub(super) fn some(names: &[impl AsRef<str>]) -> String {
    let shown: Vec<_> = names.iter().take(MOST).map(|name| format!("`{}`", name.as_ref())).collect();
    let more = match names.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", shown.join(", "))
}

/// Names that were one file, and that would not be one any more.
fn apart(names: &[String]) -> String {
    if names.is_empty() {
        return String::new();
    }
    format!(
        "! names of one file came apart, since what it was tried on could not hold them together: {}; whoever keeps this \
         keeps them apart\n",
        some(names)
    )
}

/// What must be known last before anything is kept.
fn unseen(missing: usize) -> String {
    match missing {
        0 => String::new(),
        1 => "! 1 change is not shown here; whoever keeps the others keeps it too\n".to_owned(),
        many => format!("! {many} changes are not shown here; whoever keeps the others keeps them too\n"),
    }
}

/// A line for each that it tried to reach, and what came of that.
fn reached(connections: &[Value]) -> String {
    if connections.is_empty() {
        return String::new();
    }
    let lines = connections.iter().take(MOST).map(|connection| {
        let text = |key: &str| connection.get(key).and_then(Value::as_str).unwrap_or_default();
        let why = match text("reason") {
            "" => String::new(),
            reason => format!(": {reason}"),
        };
        format!("  {}\n", safe(Path::new(&format!("{} {}{why}", text("to"), text("outcome")))))
    });
    let text = lines.collect::<Vec<_>>().concat();
    let more = connections.len().saturating_sub(MOST);
    let more = if more > 0 { format!("  … and {more} more\n") } else { String::new() };
    format!("Whom it tried to reach:\n{text}{more}")
}

/// How many connections a person is shown.
const MOST: usize = 20;

/// A line for each path that changed, with what became of its text, and what is left out. Says how many paths are missing.
fn changes(summary: &Summary) -> (String, usize) {
    let left_out = left_out(summary, ROOM / 2);
    let (mut text, missing) = fitting(&summary.items, ROOM.saturating_sub(left_out.len()));
    if missing > 0 {
        let _ = writeln!(text, "  … and {missing} more");
    }
    text.push_str(&left_out);
    if summary.items.is_empty() {
        text.push_str("  nothing changed\n");
    }
    (text, missing)
}

/// A line for each path, with what became of its text; less of that where it would be too much. Says how many paths are missing even
/// so.
fn fitting(items: &[Item], room: usize) -> (String, usize) {
    let mut texts = [Detail::Full, Detail::Short].into_iter().map(|detail| written(items, detail));
    let fitting = texts.find(|text| text.len() <= room);
    fitting.map_or_else(|| names(items, room), |text| (text, 0))
}

/// The names of what changed, as many as fit, and how many do not. What can do the most comes first.
fn names(items: &[Item], room: usize) -> (String, usize) {
    let mut items: Vec<_> = items.iter().collect();
    items.sort_by_key(|item| rank(item));
    let mut text = String::new();
    let mut shown = 0;
    for item in &items {
        let told = told(item, Detail::Name);
        if text.len() + told.len() > room {
            break;
        }
        text.push_str(&told);
        shown += 1;
    }
    (text, items.len() - shown)
}

/// How much a change can do. What was something else before comes first, since nobody can make more of that than there was to hide
/// something behind it; then what may be executed, what is new, what is gone.
fn rank(item: &Item) -> u8 {
    let is_program = |side: &ItemSide| side.shape == Shape::File && side.mode & 0o111 != 0;
    match item.kind {
        _ if item.besides.is_some() => 0,
        Kind::Changed | Kind::Retyped | Kind::ModeChanged | Kind::AttributesChanged | Kind::Relinked => 0,
        Kind::Created if item.after.as_ref().is_some_and(is_program) => 1,
        Kind::Created => 2,
        Kind::Deleted => 3,
        Kind::Touched => 4,
    }
}

fn written(items: &[Item], detail: Detail) -> String {
    items.iter().map(|item| told(item, detail)).collect()
}

fn told(item: &Item, detail: Detail) -> String {
    format!("{}\n{}", headline(item), difference(item, detail))
}

/// What is never kept, as far as there is room for it.
fn left_out(summary: &Summary, room: usize) -> String {
    let mut text = String::new();
    for (path, what) in &summary.left_out {
        let line = format!("  ! {path}: {what}, which is never kept\n");
        if text.len() + line.len() > room {
            break;
        }
        text.push_str(&line);
    }
    text
}

fn headline(item: &Item) -> String {
    let size = |side: Option<u64>| side.map(|size| format!(" ({size} bytes)")).unwrap_or_default();
    let before = item.before.as_ref().and_then(|side| side.size);
    let after = item.after.as_ref().and_then(|side| side.size);
    let within = if item.within > 0 { format!(" with {} inside", item.within) } else { String::new() };
    let (mark, rest) = match (item.kind, &item.from) {
        (_, Some(from)) => (">", format!(" from {from}{}", besides(item))),
        (Kind::Created, None) => ("+", size(after) + &leads(item.after.as_ref())),
        (Kind::Deleted, None) => ("-", size(before) + &leads(item.before.as_ref())),
        (Kind::Retyped, None) => ("~", format!(" [{}]{}", retyped(item), leads(item.after.as_ref()))),
        (kind, None) => ("~", format!(" [{}{}]", kind.as_str(), modes(item))),
    };
    format!("  {mark} {}{rest}{within}", item.path)
}

/// What else happened to what was renamed.
fn besides(item: &Item) -> String {
    item.besides.map(|kind| format!(" [{}{}]", kind.as_str(), modes(item))).unwrap_or_default()
}

/// Where a symbolic link leads.
fn leads(side: Option<&ItemSide>) -> String {
    let target = side.and_then(|side| side.target.as_ref());
    target.map(|target| format!(" → {target}")).unwrap_or_default()
}

/// What it was and what it is, where that is something of another kind.
fn retyped(item: &Item) -> String {
    let shape = |side: Option<&ItemSide>| side.map_or("nothing", |side| side.shape.as_str());
    format!("{} {} → {}", Kind::Retyped.as_str(), shape(item.before.as_ref()), shape(item.after.as_ref()))
}

/// The mode before and after, where another one comes with the change.
fn modes(item: &Item) -> String {
    match (&item.before, &item.after) {
        (Some(before), Some(after)) if before.shape == after.shape && before.mode != after.mode => {
            format!(" {:04o} → {:04o}", before.mode, after.mode)
        }
        _ => String::new(),
    }
}

fn difference(item: &Item, detail: Detail) -> String {
    let most = match detail {
        Detail::Full => usize::MAX,
        Detail::Short => SHORT,
        Detail::Name => 0,
    };
    match &item.diff {
        Some(Diff::Text(hunks)) => {
            let lines = hunks.iter().flat_map(|hunk| {
                let (before, after) = (hunk.before, hunk.after);
                let head = format!("@@ -{},{} +{},{} @@", before.0, before.1, after.0, after.1);
                std::iter::once(head).chain(hunk.lines.iter().map(ToString::to_string))
            });
            let all = lines.clone().count();
            let shown = lines.take(most).fold(String::new(), |text, line| text + "    " + &line + "\n");
            if all > most { format!("{shown}    … {} more lines\n", all - most) } else { shown }
        }
        Some(Diff::Binary) => format!("    not text{}\n", sides(item)),
        Some(Diff::Long) => format!("    too long to be shown{}\n", sides(item)),
        None => unseen_difference(item),
    }
}

/// What can be said where no bytes are compared: where a link led and leads, or that the bytes from before are nowhere any more.
fn unseen_difference(item: &Item) -> String {
    let (Some(before), Some(after), Kind::Changed) = (&item.before, &item.after, item.kind) else {
        return String::new();
    };
    match (&before.target, &after.target) {
        (Some(before), Some(after)) => format!("    led to {before}, leads to {after}\n"),
        _ => format!("    what it was is not to be had any more{}\n", sides(item)),
    }
}

/// What can be said of bytes that are not shown: how many, and their hash where it was needed.
fn sides(item: &Item) -> String {
    let side = |side: &ItemSide| {
        let digest = side.digest.as_ref().map(|digest| format!(", sha256 {digest}")).unwrap_or_default();
        format!("{} bytes{digest}", side.size.unwrap_or(0))
    };
    let sides: Vec<_> = [&item.before, &item.after].into_iter().flatten().map(side).collect();
    format!(": {}", sides.join(" → "))
}

#[cfg(test)]
mod tests {
    use herm_sandbox::changes::Counts;

    use super::*;

    fn item(path: String, kind: Kind, mode: u32) -> Item {
        let side = ItemSide { shape: Shape::File, mode, size: Some(1), digest: None, target: None };
        Item { path, kind, from: None, besides: None, before: None, after: Some(side), within: 0, diff: None }
    }

    #[test]
    fn what_links_lead_to_and_what_else_happened_to_what_was_renamed_is_said() {
        let side = |shape, mode, target: Option<&str>| {
            Some(ItemSide { shape, mode, size: None, digest: None, target: target.map(str::to_owned) })
        };
        let link = || side(Shape::Symlink, 0o777, Some("/etc/shadow"));
        let plain = |kind, before, after| Item { before, after, ..item("x".to_owned(), kind, 0o644) };
        assert_eq!(headline(&plain(Kind::Created, None, link())), "  + x → /etc/shadow");
        assert_eq!(headline(&plain(Kind::Deleted, link(), None)), "  - x → /etc/shadow");
        let retyped = plain(Kind::Retyped, side(Shape::Directory, 0o755, None), link());
        assert_eq!(headline(&retyped), "  ~ x [retyped directory → symlink] → /etc/shadow");
        let (old, new) = (side(Shape::File, 0o644, None), side(Shape::File, 0o777, None));
        let renamed = Item {
            from: Some("y".to_owned()),
            besides: Some(Kind::ModeChanged),
            ..plain(Kind::Created, old, new)
        };
        assert_eq!(headline(&renamed), "  > x from y [mode-changed 0644 → 0777]");
        assert_eq!(headline(&Item { besides: None, ..renamed }), "  > x from y");
    }

    #[test]
    fn where_not_all_fits_what_can_do_the_most_comes_first_and_the_rest_is_counted() {
        let long = "a".repeat(1000);
        let mut items: Vec<_> =
            (0..200).map(|number| item(format!("{long}{number}"), Kind::Created, 0o644)).collect();
        items.push(item("y-changed".to_owned(), Kind::Changed, 0o644));
        items.push(item("z-program".to_owned(), Kind::Created, 0o755));
        let summary = Summary {
            items,
            counts: Counts::default(),
            left_out: Vec::new(),
            apart: Vec::new(),
            rights: Vec::new(),
        };
        let told = all(&summary, None, &[]);
        assert!(told.len() <= ROOM + 256, "{}", told.len());
        let mut lines = told.lines();
        assert!(lines.next().unwrap().contains("y-changed"), "{told}");
        assert!(lines.next().unwrap().contains("z-program"), "{told}");
        let missing = 200 - told.matches(&long).count();
        assert!(missing > 0 && told.contains(&format!("  … and {missing} more\n")), "{missing}");
        assert!(told.ends_with(&format!(
            "! {missing} changes are not shown here; whoever keeps the others keeps them too\n"
        )));
    }

    #[test]
    fn what_would_be_lost_is_bounded_and_the_rest_is_counted() {
        let long = "a".repeat(1000);
        let items = (0..200).map(|number| item(format!("{long}{number}"), Kind::Created, 0o644)).collect();
        let told = edits(&Edits { items, more: 7 });
        assert!(told.len() <= ROOM + 256, "{}", told.len());
        let missing = 200 - told.matches(&long).count();
        assert!(missing > 0 && told.ends_with(&format!("  … and {} more\n", missing + 7)), "{missing}");
    }

    #[test]
    fn where_bytes_are_not_compared_it_is_said_what_is_known() {
        let side = |target: Option<&str>, size, digest: Option<&str>| {
            let (target, digest) = (target.map(str::to_owned), digest.map(str::to_owned));
            Some(ItemSide { shape: Shape::File, mode: 0o644, size, digest, target })
        };
        let mut changed = item("f".to_owned(), Kind::Changed, 0o644);
        (changed.before, changed.after) = (side(None, Some(3), None), side(None, Some(4), Some("cafe")));
        let told = edits(&Edits { items: vec![changed], more: 0 });
        let expected =
            "  ~ f [changed]\n    what it was is not to be had any more: 3 bytes → 4 bytes, sha256 cafe\n";
        assert_eq!(told, expected);
        let mut link = item("l".to_owned(), Kind::Changed, 0o777);
        (link.before, link.after) = (side(Some("a"), None, None), side(Some("b"), None, None));
        let told = edits(&Edits { items: vec![link], more: 0 });
        assert_eq!(told, "  ~ l [changed]\n    led to a, leads to b\n");
    }

    #[test]
    fn names_that_came_apart_are_told_last() {
        let apart = (0..22).map(|number| format!("n{number}")).collect();
        let summary = Summary {
            items: Vec::new(),
            counts: Counts::default(),
            left_out: Vec::new(),
            apart,
            rights: Vec::new(),
        };
        let told = all(&summary, None, &[]);
        let last = told.lines().last().unwrap();
        assert!(
            last.starts_with("! names of one file came apart") && last.contains(": `n0`, `n1`, "),
            "{told}"
        );
        assert!(last.contains("`n19` and 2 more; whoever keeps this keeps them apart"), "{told}");
    }

    #[test]
    fn a_mode_that_comes_with_a_change_is_told() {
        let mut changed = item("f".to_owned(), Kind::Changed, 0o755);
        changed.before = changed.after.clone().map(|side| ItemSide { mode: 0o640, ..side });
        assert_eq!(headline(&changed), "  ~ f [changed 0640 → 0755]");
        changed.before.clone_from(&changed.after);
        assert_eq!(headline(&changed), "  ~ f [changed]");
    }

    #[test]
    fn what_must_be_known_about_rights_is_told_by_kind() {
        let rights = vec![
            ("b".to_owned(), Right::Setuid),
            ("c".to_owned(), Right::AccessListGone),
            ("a".to_owned(), Right::Setuid),
        ];
        let summary = Summary {
            items: Vec::new(),
            counts: Counts::default(),
            left_out: Vec::new(),
            apart: Vec::new(),
            rights,
        };
        let told = all(&summary, None, &[]);
        let end = "! its access list is gone, and its group may do no more than with it: `c`\n! the setuid bit is not kept: `b`, `a`\n";
        assert!(told.ends_with(end), "{told}");
    }

    #[test]
    fn what_fits_is_shown_in_the_order_of_paths() {
        let items =
            vec![item("a".to_owned(), Kind::Created, 0o644), item("b".to_owned(), Kind::Created, 0o755)];
        let summary = Summary {
            items,
            counts: Counts::default(),
            left_out: Vec::new(),
            apart: Vec::new(),
            rights: Vec::new(),
        };
        assert_eq!(all(&summary, None, &[]), "  + a (1 bytes)\n  + b (1 bytes)\nWhat it ran: not seen\n");
    }
}
