//! Unified patches, as `diff -u` and git write them.

use super::hunk::{Hunk, Sign};
use super::{Amendment, Lines, Unreadable, What};

/// What stands between files and means nothing here.
const HEADS: &[&str] = &["diff ", "index ", "similarity index ", "new file mode ", "deleted file mode "];

pub(super) fn read(lines: &mut Lines<'_>) -> Result<Vec<Amendment>, Unreadable> {
    let (mut amendments, mut moved) = (Vec::new(), Moved::default());
    while let Some(line) = lines.next() {
        if let Some(from) = line.strip_prefix("--- ") {
            let (from, to) = (name(lines, from)?, next_name(lines)?);
            let hunks = hunks(lines)?;
            amendments.push(amendment(lines, from, to, hunks, &std::mem::take(&mut moved))?);
        } else if let Some(from) = line.strip_prefix("rename from ") {
            amendments.extend(std::mem::take(&mut moved).alone(lines)?);
            moved.from = Some(path(lines, from)?);
        } else if let Some(to) = line.strip_prefix("rename to ") {
            moved.to = Some(path(lines, to)?);
        } else if line.starts_with("diff ") {
            amendments.extend(std::mem::take(&mut moved).alone(lines)?);
        } else if !line.trim().is_empty() && !HEADS.iter().any(|head| line.starts_with(head)) {
            return Err(lines.wrong("it is no part of a unified patch"));
        }
    }
    amendments.extend(moved.alone(lines)?);
    Ok(amendments)
}

/// A file that is moved.
#[derive(Debug, Default)]
struct Moved {
    from: Option<String>,
    to: Option<String>,
}

impl Moved {
    /// One in which nothing changes, if there is one.
    fn alone(self, lines: &Lines<'_>) -> Result<Option<Amendment>, Unreadable> {
        match (self.from, self.to) {
            (Some(path), Some(to)) => {
                Ok(Some(Amendment { path, what: What::Update(Vec::new()), to: Some(to) }))
            }
            (None, None) => Ok(None),
            (Some(_), None) | (None, Some(_)) => {
                Err(lines.wrong("it says only one of `rename from` and `rename to`"))
            }
        }
    }

    /// Whether nothing is moved.
    const fn is_none(&self) -> bool {
        self.from.is_none() && self.to.is_none()
    }
}

fn amendment(
    lines: &Lines<'_>,
    from: Option<String>,
    to: Option<String>,
    hunks: Vec<Hunk>,
    moved: &Moved,
) -> Result<Amendment, Unreadable> {
    if hunks.is_empty() {
        return Err(lines.wrong("there is no `@@ -… +… @@` after the names"));
    }
    match (from, to) {
        (Some(from), Some(to)) if from == to && moved.is_none() => {
            Ok(Amendment { path: from, what: What::Update(hunks), to: None })
        }
        (Some(from), Some(to)) if moved.from.as_ref() == Some(&from) && moved.to.as_ref() == Some(&to) => {
            Ok(Amendment { path: from, what: What::Update(hunks), to: Some(to) })
        }
        (Some(_), Some(_)) => {
            Err(lines.wrong("its two names are not those of `rename from` and `rename to`"))
        }
        _ if !moved.is_none() => Err(lines.wrong("a file that comes or goes is not moved")),
        (None, Some(path)) => {
            let made = What::Update(hunks).apply("").map_err(|misfit| lines.wrong(misfit.to_string()))?;
            Ok(Amendment { path, what: What::Create(made), to: None })
        }
        // What goes is compared with what is there, like everything else.
        (Some(path), None) => Ok(Amendment { path, what: What::Delete(hunks), to: None }),
        (None, None) => Err(lines.wrong("it names no file")),
    }
}

fn next_name(lines: &mut Lines<'_>) -> Result<Option<String>, Unreadable> {
    match lines.next_if(|line| line.strip_prefix("+++ ")) {
        Some(text) => name(lines, text),
        None => Err(lines.wrong("there is no `+++ …` after it")),
    }
}

/// A name, without its side and without the time after it; nothing where there is no file.
fn name(lines: &Lines<'_>, text: &str) -> Result<Option<String>, Unreadable> {
    let text = text.split('\t').next().unwrap_or_default().trim_end();
    if text == "/dev/null" {
        return Ok(None);
    }
    let plain = ["a/", "b/"].iter().find_map(|side| text.strip_prefix(side));
    path(lines, plain.unwrap_or(text)).map(Some)
}

fn path(lines: &Lines<'_>, text: &str) -> Result<String, Unreadable> {
    if text.starts_with('"') || text.is_empty() {
        return Err(lines.wrong("its name is quoted, or missing"));
    }
    Ok(text.to_owned())
}

fn hunks(lines: &mut Lines<'_>) -> Result<Vec<Hunk>, Unreadable> {
    let mut hunks = Vec::new();
    while let Some(head) = lines.next_if(|line| line.strip_prefix("@@ ")) {
        let Some(head) = Head::read(head) else { return Err(lines.wrong("it is no `@@ -… +… @@`")) };
        hunks.push(head.hunk(lines)?);
    }
    Ok(hunks)
}

/// Which lines a part has, before and after.
#[derive(Debug)]
struct Head {
    at: usize,
    before: usize,
    after: usize,
}

impl Head {
    fn read(text: &str) -> Option<Self> {
        let (sides, _) = text.split_once(" @@")?;
        let (before, after) = sides.split_once(' ')?;
        let (at, before) = range(before.strip_prefix('-')?)?;
        let (_, after) = range(after.strip_prefix('+')?)?;
        // Where there are no lines, the number is that of the line before.
        Some(Self { at: if before == 0 { at } else { at.checked_sub(1)? }, before, after })
    }

    fn hunk(mut self, lines: &mut Lines<'_>) -> Result<Hunk, Unreadable> {
        let mut hunk = Hunk { at: Some(self.at), ..Hunk::default() };
        while self.before + self.after > 0 {
            let Some(line) = lines.next() else { return Err(lines.wrong("it has fewer lines than it says")) };
            let (sign, text) = match line.split_at_checked(1) {
                None => (Sign::Both, ""),
                Some((" ", text)) => (Sign::Both, text),
                Some(("+", text)) => (Sign::Came, text),
                Some(("-", text)) => (Sign::Went, text),
                Some(("\\", _)) => {
                    unended(&mut hunk);
                    continue;
                }
                Some(_) => return Err(lines.wrong("it begins with neither a blank, `+` nor `-`")),
            };
            let left = |count: usize, counts: bool| if counts { count.checked_sub(1) } else { Some(count) };
            let counted = left(self.before, sign != Sign::Came).zip(left(self.after, sign != Sign::Went));
            let Some(counted) = counted else { return Err(lines.wrong("it has other lines than it says")) };
            (self.before, self.after) = counted;
            hunk.lines.push((sign, text.to_owned()));
        }
        if lines.next_if(|line| line.starts_with('\\').then_some(())).is_some() {
            unended(&mut hunk);
        }
        Ok(hunk)
    }
}

/// The line before has no end. On the old side that says that the new one may have.
fn unended(hunk: &mut Hunk) {
    match hunk.lines.last() {
        Some((Sign::Went, _)) => hunk.ends_line = Some(true),
        Some((Sign::Both | Sign::Came, _)) => hunk.ends_line = Some(false),
        None => {}
    }
}

/// `3,4` is four lines from the third, `3` is one.
fn range(text: &str) -> Option<(usize, usize)> {
    let (first, count) = text.split_once(',').unwrap_or((text, "1"));
    Some((first.parse().ok()?, count.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    const BEFORE: &str = "one\ntwo\nthree\nfour\n";

    fn applied(patch: &str, before: &str) -> Result<String, String> {
        let amendments = read(patch).map_err(|error| error.to_string())?;
        amendments[0].what.apply(before).map_err(|error| error.to_string())
    }

    #[test]
    fn a_change_is_applied_where_it_fits() {
        let patch = |at: usize| {
            format!("--- a/f\t2026-01-01\n+++ b/f\n@@ -{at},3 +{at},3 @@ fn x\n one\n-two\n+2\n three\n")
        };
        assert_eq!(applied(&patch(1), BEFORE).unwrap(), "one\n2\nthree\nfour\n");
        // Numbers that are off do no harm where there is only one place.
        assert_eq!(applied(&patch(7), BEFORE).unwrap(), "one\n2\nthree\nfour\n");
        let twice = BEFORE.repeat(2);
        assert!(applied(&patch(5), &twice).unwrap().starts_with(BEFORE));
        assert!(applied(&patch(3), &twice).unwrap_err().contains("several places"));
        assert!(applied(&patch(1), "one\ntwo\n3\n").is_err());
    }

    #[test]
    fn files_come_and_go_and_move() {
        let patch = "diff --git a/n b/n\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+a\n+--- b\n\
                     --- a/g\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\
                     diff --git a/o b/p\nsimilarity index 100%\nrename from o\nrename to p\n\
                     diff --git a/q b/r\nrename from q\nrename to r\n--- a/q\n+++ b/r\n@@ -1 +1 @@\n-x\n+y\n";
        let read = read(patch).unwrap();
        assert_eq!(
            read[0],
            Amendment { path: "n".into(), what: What::Create("a\n--- b\n".into()), to: None }
        );
        assert_eq!((read[1].path.as_str(), read[1].what.apply("x\n")), ("g", Ok(String::new())));
        assert!(read[1].what.apply("x\ny\n").is_err(), "more would go than was said");
        assert_eq!(read[2], Amendment { path: "o".into(), what: What::Update(vec![]), to: Some("p".into()) });
        assert_eq!((read[3].path.as_str(), read[3].to.as_deref()), ("q", Some("r")));
    }

    #[test]
    fn the_last_line_ends_as_it_is_said_to() {
        let lost = "--- a/f\n+++ b/f\n@@ -4 +4 @@\n-four\n+4\n\\ No newline at end of file\n";
        assert_eq!(applied(lost, BEFORE).unwrap(), "one\ntwo\nthree\n4");
        let won = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n";
        assert_eq!(applied(won, "x").unwrap(), "y\n");
    }

    #[test]
    fn lines_that_were_not_announced_are_not_read() {
        let wrong = [
            "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n one\n",
            "--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n+a\n+b\n",
            "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n+c\n",
            "--- a/f\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n",
            "--- a/f\n@@ -1 +1 @@\n-a\n+b\n",
            "--- a/f\n+++ b/f\n",
            "--- \"a/f\"\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n",
            "--- a/\n+++ b/\n@@ -1 +1 @@\n-a\n+b\n",
            "rename from \nrename to b\n",
            "rename from a\nrename to \n",
            "rename from \"a\"\nrename to b\n",
            "rename from a\ndiff --git a/f b/f\n",
            "rename to b\n",
            "rename from a\nrename to b\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n",
            "rename from a\nrename to b\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+b\n",
            "old mode 100644\nnew mode 100755\n",
            "GIT binary patch\n",
        ];
        for patch in wrong {
            assert!(read(patch).is_err(), "{patch}");
        }
    }
}
