//! Which programs read texts.

use std::path::Path;

use herm::AbsPath;

use crate::files;

/// The shell that the judge reads for.
pub(crate) fn shell() -> &'static str {
    usual(&["/bin/bash", "/usr/bin/bash"]).unwrap_or("bash")
}

/// The Python that runs scripts, and how it is called: the person's own where one is named.
///
/// It obeys no variables (`-E`) and runs nothing from the directories of the user (`-s`), since neither was judged with the
/// script. The directory of the script stays where it looks for modules (so it is not `-I`): it is fresh, and holds what
/// the script put there.
pub(crate) fn python(named: Option<&AbsPath>) -> [&str; 3] {
    let program =
        named.map(AbsPath::as_str).or_else(|| usual(&["/usr/bin/python3", "/usr/local/bin/python3"]));
    [program.unwrap_or("python3"), "-E", "-s"]
}

/// The directory of the git that belongs to the system.
pub(crate) fn git() -> Option<&'static Path> {
    usual(&["/usr/bin/git", "/bin/git"]).and_then(|program| Path::new(program).parent())
}

/// Where the system keeps a program. There, whoever set `PATH` has no say.
fn usual(places: &[&'static str]) -> Option<&'static str> {
    places.iter().copied().find(|place| files::exists(Path::new(place)))
}
