//! Patches between `*** Begin Patch` and `*** End Patch`.

use super::hunk::{Hunk, Sign};
use super::{Amendment, Lines, Unreadable, What};

pub(super) fn read(lines: &mut Lines<'_>) -> Result<Vec<Amendment>, Unreadable> {
    while lines.next_if(|line| line.trim().is_empty().then_some(())).is_some() {}
    lines.next_if(|line| (line.trim() == "*** Begin Patch").then_some(()));
    let mut amendments = Vec::new();
    loop {
        let Some(line) = lines.next() else { return Err(lines.wrong("`*** End Patch` is missing")) };
        if line.trim() == "*** End Patch" {
            return end(lines).map(|()| amendments);
        }
        let named = |head: &str| {
            line.strip_prefix(head).map(|path| path.trim().to_owned()).filter(|path| !path.is_empty())
        };
        let amendment = if let Some(path) = named("*** Add File:") {
            Amendment { path, what: What::Create(added(lines)), to: None }
        } else if let Some(path) = named("*** Delete File:") {
            Amendment { path, what: What::Delete(Vec::new()), to: None }
        } else if let Some(path) = named("*** Update File:") {
            updated(lines, path)?
        } else {
            return Err(lines.wrong("it is neither `*** Add File: …`, `*** Update File: …`, `*** Delete File: …` nor `*** End Patch`"));
        };
        amendments.push(amendment);
    }
}

/// Nothing comes after the end.
fn end(lines: &mut Lines<'_>) -> Result<(), Unreadable> {
    while let Some(line) = lines.next() {
        if !line.trim().is_empty() {
            return Err(lines.wrong("it comes after `*** End Patch`"));
        }
    }
    Ok(())
}

fn added(lines: &mut Lines<'_>) -> String {
    let mut text = String::new();
    while let Some(line) = lines.next_if(|line| line.strip_prefix('+')) {
        text.push_str(line);
        text.push('\n');
    }
    text
}

fn updated(lines: &mut Lines<'_>, path: String) -> Result<Amendment, Unreadable> {
    let to = lines.next_if(|line| line.strip_prefix("*** Move to:").map(|to| to.trim().to_owned()));
    if to.as_ref().is_some_and(String::is_empty) {
        return Err(lines.wrong("it does not say where to"));
    }
    let mut hunks = Vec::new();
    while let Some(hunk) = part(lines)? {
        hunks.push(hunk);
    }
    if hunks.is_empty() && to.is_none() {
        return Err(lines.wrong("it changes nothing in the file"));
    }
    Ok(Amendment { path, what: What::Update(hunks), to })
}

/// One part of a file, if there is another.
fn part(lines: &mut Lines<'_>) -> Result<Option<Hunk>, Unreadable> {
    let mut hunk = Hunk::default();
    let mut is_begun = false;
    while let Some(context) = lines.next_if(|line| line.strip_prefix("@@")) {
        is_begun = true;
        let context = context.strip_prefix(' ').unwrap_or(context);
        if !context.trim().is_empty() {
            hunk.after.push(context.to_owned());
        }
    }
    while let Some(line) = lines.next_if(signed) {
        hunk.lines.push(line);
    }
    if lines.next_if(|line| (line.trim() == "*** End of File").then_some(())).is_some() {
        hunk.is_last = true;
    }
    match (hunk.lines.is_empty(), is_begun) {
        (true, true) => Err(lines.wrong("there is nothing after `@@`")),
        (true, false) => Ok(None),
        (false, _) => Ok(Some(hunk)),
    }
}

/// An empty line is one that stays: the blank before it is lost easily.
fn signed(line: &str) -> Option<(Sign, String)> {
    let mut characters = line.chars();
    let sign = match characters.next() {
        None | Some(' ') => Sign::Both,
        Some('+') => Sign::Came,
        Some('-') => Sign::Went,
        Some(_) => return None,
    };
    Some((sign, characters.as_str().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    fn applied(patch: &str, before: &str) -> Result<String, String> {
        let amendments = read(patch).map_err(|error| error.to_string())?;
        amendments[0].what.apply(before).map_err(|error| error.to_string())
    }

    fn update(body: &str) -> String {
        format!("*** Begin Patch\n*** Update File: f\n{body}\n*** End Patch\n")
    }

    #[test]
    fn every_kind_of_change_is_read() {
        let patch = "*** Begin Patch\n*** Add File: new dir/a.txt\n+one\n+\n*** Delete File: b\n*** Update File: c\n*** Move to: d\n@@ fn x\n \
                     a\n-b\n+c\n*** End Patch";
        let read = read(patch).unwrap();
        assert_eq!(
            read[0],
            Amendment { path: "new dir/a.txt".into(), what: What::Create("one\n\n".into()), to: None }
        );
        assert_eq!(read[1], Amendment { path: "b".into(), what: What::Delete(Vec::new()), to: None });
        assert_eq!((read[2].path.as_str(), read[2].to.as_deref()), ("c", Some("d")));
        assert_eq!(read[2].what.apply("a\nb\nfn x\na\nb\n").unwrap(), "a\nb\nfn x\na\nc\n");
    }

    #[test]
    fn what_fits_twice_or_nowhere_is_not_applied() {
        let patch = update("@@\n-a\n+b");
        assert_eq!(applied(&patch, "x\na\n").unwrap(), "x\nb\n");
        assert!(applied(&patch, "a\na\n").unwrap_err().contains("several places"));
        assert!(applied(&patch, "A\n").unwrap_err().contains("does not fit"));
        assert!(applied(&update("@@ class Z\n-a\n+b"), "a\n").is_err());
        assert_eq!(applied(&update("@@\n-a\n+b\n*** End of File"), "a\na\n").unwrap(), "a\nb\n");
    }

    #[test]
    fn ends_of_lines_stay_as_they_are() {
        assert_eq!(applied(&update("@@\n a\n-b\n+c"), "a\r\nb\r\nd\r\n").unwrap(), "a\r\nc\r\nd\r\n");
        assert_eq!(applied(&update("@@\n a\n-b\n+c"), "a\nb").unwrap(), "a\nc");
        assert_eq!(applied(&update("@@\n a\n-b\n+c").replace('\n', "\r\n"), "a\nb\n").unwrap(), "a\nc\n");
        assert_eq!(applied(&update("@@\n+new"), "").unwrap(), "new\n");
        assert_eq!(applied(&update("@@\n-a\n+b\n@@\n-c\n+d"), "a\nx\r\nc\n").unwrap(), "b\nx\r\nd\n");
    }

    #[test]
    fn what_is_no_patch_is_not_read() {
        let wrong = [
            "",
            "hello",
            "*** Begin Patch\n*** End Patch\n",
            "*** Begin Patch\n*** Add File: a\n+x\n",
            "*** Begin Patch\n*** Update File: a\n*** End Patch\n",
            "*** Begin Patch\n*** Update File: a\n@@\n*** End Patch\n",
            "*** Begin Patch\n*** Rename File: a\n*** End Patch\n",
            "*** Begin Patch\n*** Add File:\n+x\n*** End Patch\n",
            "*** Begin Patch\n*** Add File: a\nx\n*** End Patch\n",
            "*** Begin Patch\n*** Delete File: a\n*** End Patch\nrm -rf x\n",
        ];
        for patch in wrong {
            assert!(read(patch).is_err(), "{patch}");
        }
    }
}
