//! Replaces files as a whole.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Gid, Uid, fchown};

use super::ground::Ground;
use super::problem::Problem;
use crate::files::{self, Seen};

/// Puts a text in the place of what a file holds, with the same rights and the same owner. The directories that were made for
/// it are told, the outermost first.
pub(super) fn replace(ground: &Ground, text: &str, mode: u32) -> Result<Vec<PathBuf>, Problem> {
    let file = &ground.real;
    let directory = file.parent().unwrap_or(Path::new("/"));
    let new_ones = make(directory, mode).map_err(|error| Problem::Io("make", directory.to_owned(), error))?;
    let fresh = directory.join(format!(".herm-{}.new", std::process::id()));
    let written = fill(&fresh, file, text, mode)
        .map_err(|error| Problem::Io("write", fresh.clone(), error))
        .and_then(|()| same(ground))
        .and_then(|()| rename(&fresh, file).map_err(|error| Problem::Io("replace", file.clone(), error)));
    if written.is_err() {
        discard(&fresh);
        unmake(&new_ones);
    }
    written.map(|()| new_ones)
}

/// Removes a file, and the directories that were made for it as far as they are empty.
pub(super) fn remove(ground: &Ground, directories: &[PathBuf]) -> Result<(), Problem> {
    same(ground)?;
    take_away(&ground.real).map_err(|error| Problem::Io("remove", ground.real.clone(), error))?;
    unmake(directories);
    Ok(())
}

/// Writes a file that herm keeps for itself.
pub(super) fn keep(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let fresh = file.with_extension("new");
    discard(&fresh);
    let mut writer = File::options().create_new(true).write(true).mode(0o600).open(&fresh)?;
    writer.write_all(bytes)?;
    writer.sync_all()?;
    rename(&fresh, file)
}

/// A directory of herm's own, for its owner alone.
pub(super) fn own_directory(directory: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(directory)
}

/// What was looked at is still what is there.
fn same(ground: &Ground) -> Result<(), Problem> {
    let now = match files::read(&ground.real) {
        Seen::Absent => None,
        Seen::Bytes(bytes) => String::from_utf8(bytes).ok(),
        Seen::Hidden => return Err(Problem::NotRegular(ground.real.clone())),
    };
    if now == ground.text { Ok(()) } else { Err(Problem::Changed(ground.real.clone())) }
}

fn fill(fresh: &Path, old: &Path, text: &str, mode: u32) -> io::Result<()> {
    let mut writer = File::options().create_new(true).write(true).mode(0o600).open(fresh)?;
    writer.write_all(text.as_bytes())?;
    if let Some((owner, group)) = files::owner(old).filter(|owner| files::owner(fresh) != Some(*owner)) {
        fchown(&writer, Some(Uid::from_raw(owner)), Some(Gid::from_raw(group)))?;
    }
    // What has to be run is made so that it can be.
    let mode = files::mode(old).map_or(mode, |old| old & 0o7777 | mode & 0o111);
    writer.set_permissions(Permissions::from_mode(mode))?;
    writer.sync_all()
}

/// Makes what is missing of a directory.
fn make(directory: &Path, mode: u32) -> io::Result<Vec<PathBuf>> {
    let missing: Vec<&Path> = directory.ancestors().take_while(|above| !files::exists(above)).collect();
    let mut new_ones = Vec::new();
    // Whoever may read the file may enter.
    let mode = if mode & 0o044 == 0 { 0o700 } else { 0o755 };
    for above in missing.into_iter().rev() {
        if let Err(error) = DirBuilder::new().mode(mode).create(above) {
            unmake(&new_ones);
            return Err(error);
        }
        new_ones.push(above.to_owned());
    }
    Ok(new_ones)
}

/// Takes directories away, the innermost first, as far as they are empty.
pub(super) fn unmake(new_ones: &[PathBuf]) {
    for directory in new_ones.iter().rev() {
        // What somebody has put into one stays, and so does it.
        if fs::remove_dir(directory).is_err() {
            return;
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place where agents' files are written")]
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    to.parent().map_or(Ok(()), |directory| File::open(directory)?.sync_all())
}

#[expect(clippy::disallowed_methods, reason = "the one place where agents' files are written")]
fn take_away(file: &Path) -> io::Result<()> {
    fs::remove_file(file)
}

fn discard(file: &Path) {
    // What is not there need not be removed.
    let _ = take_away(file);
}
