//! Where programs are looked for.

use std::ffi::{OsStr, OsString};

/// The directories that are named from the root, and the usual ones.
///
/// An empty or a relative one means the directory one works in: whoever can write a file there decides what `ls` is, while
/// the command was judged as `ls`.
pub(super) fn sane(path: &OsStr) -> OsString {
    let Some(path) = path.to_str() else { return USUAL.join(":").into() };
    let named: Vec<&str> = path.split(':').filter(|directory| directory.starts_with('/')).collect();
    let missing = USUAL.iter().copied().filter(|directory| !named.contains(directory));
    named.iter().copied().chain(missing).collect::<Vec<_>>().join(":").into()
}

const USUAL: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_that_move_with_us_go() {
        assert_eq!(sane(OsStr::new(".:/opt/bin::bin:/usr/bin:")), "/opt/bin:/usr/bin:/usr/local/bin:/bin");
    }

    #[test]
    fn the_usual_ones_are_there() {
        assert_eq!(sane(OsStr::new("")), "/usr/local/bin:/usr/bin:/bin");
    }
}
