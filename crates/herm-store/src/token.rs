//! What a client has to know to be let in, made once and kept.

use std::path::Path;

use crate::digest::Digest;
use crate::error::Error;
use crate::{files, identity};

const DIRECTORY: &str = "mcp";

/// The longest that is read.
const LONGEST: u64 = 1024;

/// The token of this name, and the file that holds it, which only its owner can read. It is made where there is none.
///
/// # Errors
///
/// When it can be neither read nor made, or others could read it.
pub fn of(home: &Path, name: &str) -> Result<(String, std::path::PathBuf), Error> {
    files::make_directory(&home.join(DIRECTORY))?;
    let path = home.join(DIRECTORY).join(format!("{}.token", Digest::of(name.as_bytes())));
    if files::read(&path, LONGEST)?.is_none() {
        let token =
            [identity::random()?, identity::random()?, identity::random()?, identity::random()?].concat();
        match files::create(&path, token.as_bytes()) {
            // Of two who are first, one makes it.
            Err(Error::File { source, .. }) if source.kind() == std::io::ErrorKind::AlreadyExists => {}
            made => made?,
        }
    }
    files::must_be_private(&path)?;
    let bytes = files::read(&path, LONGEST)?.unwrap_or_default();
    let token = String::from_utf8(bytes).unwrap_or_default();
    if token.len() < SHORTEST {
        return Err(Error::Corrupt { path, detail: "it holds no token".to_owned() });
    }
    Ok((token, path))
}

/// What can be guessed is none.
const SHORTEST: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_made_once_and_is_nobody_elses() {
        let home = tempfile::tempdir().unwrap();
        let (token, path) = of(home.path(), "a").unwrap();
        assert_eq!(of(home.path(), "a").unwrap(), (token.clone(), path.clone()));
        assert_ne!(of(home.path(), "b").unwrap().0, token);
        assert_eq!(token.len(), 64);
        files::remove(&path).unwrap();
        files::create(&path, b"").unwrap();
        assert!(matches!(of(home.path(), "a"), Err(Error::Corrupt { .. })));
    }
}
