//! Which files a patch touches.

/// Every path that a patch adds, changes, moves or deletes; nothing when it cannot be told.
///
/// Two ways of writing patches are known: the one between `*** Begin Patch` and `*** End Patch`, and the unified one.
pub(crate) fn paths(patch: &str) -> Option<Vec<String>> {
    let mut paths: Vec<String> = Vec::new();
    for line in patch.lines() {
        for path in marked(line).into_iter().chain(unified(line)) {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
    }
    (!paths.is_empty()).then_some(paths)
}

/// `*** Add File: a`, wherever on the line it begins: readers are lenient with what stands before it.
fn marked(line: &str) -> Option<String> {
    let rest = line.trim_start().strip_prefix("*** ")?.trim_start();
    let heads = ["Add File:", "Update File:", "Delete File:", "Move to:", "Move File:"];
    let path = heads.iter().find_map(|head| rest.strip_prefix(head))?.trim();
    (!path.is_empty()).then(|| path.to_owned())
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
}
