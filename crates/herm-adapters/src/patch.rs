//! Which files a patch touches.

/// Every path that a patch adds, changes, moves or deletes; nothing when it cannot be told.
///
/// Two ways of writing patches are known: the one between `*** Begin Patch` and `*** End Patch`, and the unified one.
pub(crate) fn paths(patch: &str) -> Option<Vec<String>> {
    let mut paths: Vec<String> = Vec::new();
    for line in patch.split(ends_line) {
        for path in marked(line)?.into_iter().chain(unified(line)) {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
    }
    (!paths.is_empty()).then_some(paths)
}

/// What some reader of patches takes for the end of a line. One too many adds a path, and never hides one.
fn ends_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The names in `*** Add File: a`, wherever on the line it begins and whatever blanks are in it: readers are lenient. Nothing
/// where a line is marked and what it means is not known.
fn marked(line: &str) -> Option<Vec<String>> {
    let Some(head) = line.trim_start().strip_prefix("***") else { return Some(Vec::new()) };
    let named = names(head.trim_start());
    let is_frame = FRAME.iter().any(|frame| head.split_whitespace().eq(frame.split(' ')));
    // What is indented is content as a rule.
    if named.is_some() || !is_frame && line.starts_with("***") { named } else { Some(Vec::new()) }
}

/// Marked lines that name no file.
const FRAME: &[&str] = &["Begin Patch", "End Patch", "End of File"];

/// The names after what is done with them.
fn names(head: &str) -> Option<Vec<String>> {
    let heads =
        [("Add", "File:"), ("Update", "File:"), ("Delete", "File:"), ("Move", "to:"), ("Move", "File:")];
    let (what, rest) = heads.iter().find_map(|(verb, what)| {
        let rest = head.strip_prefix(verb)?;
        Some((*what, rest.trim_start().strip_prefix(what).filter(|_| rest.starts_with(char::is_whitespace))?))
    })?;
    let moved = rest.split_once("->").filter(|_| head.starts_with("Move") && what == "File:");
    let names = moved.map_or_else(|| vec![rest], |(from, to)| vec![from, to]);
    let names: Vec<String> = names.into_iter().map(|name| name.trim().to_owned()).collect();
    names.iter().all(|name| !name.is_empty()).then_some(names)
}

/// The names in the head of a unified patch. The content of hunks begins with a sign or a space, so a line of it that looks
/// like a head adds a path too many, and never hides one.
fn unified(line: &str) -> Vec<String> {
    if let Some(both) = line.strip_prefix("diff --git ") {
        return both.split(' ').filter_map(|name| without_side(name, true)).collect();
    }
    let heads = ["--- ", "+++ ", "rename from ", "rename to ", "copy to "];
    let Some((head, name)) = heads.iter().find_map(|head| Some((*head, line.strip_prefix(head)?))) else {
        return Vec::new();
    };
    let name = name.split('\t').next().unwrap_or_default().trim();
    without_side(name, head.starts_with(['-', '+'])).into_iter().collect()
}

/// `a/src/main.rs` is `src/main.rs`.
fn without_side(name: &str, sided: bool) -> Option<String> {
    let name = name.trim_matches('"');
    let plain = ["a/", "b/"].iter().find_map(|side| name.strip_prefix(side)).filter(|_| sided);
    let name = plain.unwrap_or(name);
    (!name.is_empty() && name != "/dev/null").then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::paths;

    #[test]
    fn every_file_of_a_marked_patch_is_named() {
        let patch = "*** Begin Patch\n*** Add File: new.txt\n+hello\n*** Update File: src/a.rs\n*** Move to: ../b.rs\n@@\n-x\n+y\n\
                     *** Delete File: /etc/passwd\n*** End Patch\n";
        assert_eq!(paths(patch).unwrap(), ["new.txt", "src/a.rs", "../b.rs", "/etc/passwd"]);
    }

    #[test]
    fn every_file_of_a_unified_patch_is_named() {
        let patch = "diff --git a/x b/y\nrename from x\nrename to y\n--- a/one.c\t2026-01-01\n+++ b/one.c\n@@ -1 +1 @@\n-a\n+b\n\
                     --- /dev/null\n+++ b/.ssh/config\n";
        assert_eq!(paths(patch).unwrap(), ["x", "y", "one.c", ".ssh/config"]);
    }

    #[test]
    fn what_names_no_file_cannot_be_told() {
        for patch in ["", "hello", "*** Begin Patch\n*** End Patch", "--- /dev/null"] {
            assert_eq!(paths(patch), None, "{patch}");
        }
    }

    #[test]
    fn blanks_do_not_hide_a_file_and_a_move_names_two() {
        let patch = "***Begin Patch\n***Update File:a\n***  \tAdd \u{a0} File:   b c \n*** Move   File: d -> /etc/e\n\
                     ***\tDelete\tFile:\tf\n*** End Patch";
        assert_eq!(paths(patch).unwrap(), ["a", "b c", "d", "/etc/e", "f"]);
        assert_eq!(paths("*** Update File: a\u{2028}*** Update File: b").unwrap(), ["a", "b"]);
    }

    #[test]
    fn a_marked_line_that_is_not_known_makes_the_patch_unknown() {
        for line in
            ["*** Rename File: x", "*** update file: x", "*** Move File: x ->", "***\u{1f}Add File: x"]
        {
            assert_eq!(paths(&format!("*** Update File: a\n{line}\n")), None, "{line}");
        }
        assert!(paths("*** Update File: a\n ***bold***\n+***bold***\n").is_some());
    }
}
