//! The disk of a guest: what the tests need of this machine, and nothing else.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::run::output;
use crate::say;

/// Programs that the tests and the probes call, and that everyday commands are.
const PROGRAMS: &[&str] =
    &["bash", "cat", "env", "grep", "id", "ls", "python3", "setpriv", "sh", "sleep", "true", "unshare"];

/// Directories that there are on every machine.
const DIRECTORIES: &[&str] = &[
    "dev", "etc", "guest", "home", "mnt", "opt", "proc", "root", "run", "srv", "sys", "tmp", "usr/sbin",
    "var/lib", "var/tmp",
];

/// Links that there are on every machine of today.
const LINKS: &[(&str, &str)] =
    &[("bin", "usr/bin"), ("lib", "usr/lib"), ("lib64", "usr/lib64"), ("sbin", "usr/sbin")];

const FILES: &[(&str, &str)] = &[
    ("etc/passwd", "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534:nobody:/:/bin/false\n"),
    ("etc/group", "root:x:0:\nnogroup:x:65534:\n"),
    ("etc/shadow", "root:*:19000:0:99999:7:::\n"),
    ("etc/hosts", "127.0.0.1 localhost\n"),
    ("etc/hostname", "guest\n"),
];

/// Enough for what is on it and what tests write.
const SIZE: &str = "3G";

/// Makes the disk anew, with these programs at their own paths.
pub(super) fn make(place: &Path, own: &[PathBuf], plan: &str) -> Result<PathBuf, String> {
    say("==> making a disk");
    let tree = place.join("tree");
    let failed = |error: std::io::Error| format!("cannot make the disk: {error}");
    if tree.exists() {
        fs::remove_dir_all(&tree).map_err(failed)?;
    }
    for name in DIRECTORIES.iter().chain(&["usr/bin", "usr/lib", "usr/lib64"]) {
        fs::create_dir_all(tree.join(name)).map_err(failed)?;
    }
    for (link, to) in LINKS {
        std::os::unix::fs::symlink(to, tree.join(link)).map_err(failed)?;
    }
    for (name, text) in FILES.iter().chain(&[("guest/plan", plan)]) {
        fs::write(tree.join(name), text).map_err(failed)?;
    }
    mode(&tree.join("etc/shadow"), 0o640).map_err(failed)?;
    for name in ["tmp", "var/tmp"] {
        mode(&tree.join(name), 0o1777).map_err(failed)?;
    }
    fill(&tree, own).map_err(failed)?;
    let image = place.join("disk");
    let (image_text, tree_text) = (image.to_string_lossy(), tree.to_string_lossy());
    let _ = fs::remove_file(&image);
    let root = ["-E", "root_owner=0:0"];
    output(
        "mke2fs",
        &[["-q", "-t", "ext4", "-d", &tree_text].as_slice(), &root, &[&image_text, SIZE]].concat(),
    )?;
    fs::remove_dir_all(&tree).map_err(failed)?;
    Ok(image)
}

fn mode(path: &Path, mode: u32) -> std::io::Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

fn fill(tree: &Path, own: &[PathBuf]) -> std::io::Result<()> {
    let mut wanted: BTreeSet<PathBuf> = own.iter().cloned().collect();
    wanted.extend(PROGRAMS.iter().map(|name| Path::new("/usr/bin").join(name)));
    let library =
        output("/usr/bin/python3", &["-c", "import sysconfig; print(sysconfig.get_path('stdlib'))"]);
    let library = PathBuf::from(library.map_err(std::io::Error::other)?.trim());
    gather(&library, &mut wanted);
    let programs = wanted.iter().filter(|path| is_program(path));
    let shared: BTreeSet<PathBuf> = programs.filter_map(|path| libraries(path).ok()).flatten().collect();
    wanted.extend(shared);
    wanted.iter().try_for_each(|path| put(tree, path))
}

fn is_program(path: &Path) -> bool {
    let mut beginning = [0; 4];
    let read = fs::File::open(path).and_then(|mut file| std::io::Read::read_exact(&mut file, &mut beginning));
    read.is_ok() && beginning == *b"\x7fELF"
}

/// All of a library but its own tests and what it has compiled.
fn gather(directory: &Path, wanted: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() {
            if !["test", "tests", "idlelib", "lib2to3", "ensurepip"].iter().any(|left_out| name == *left_out)
            {
                gather(&path, wanted);
            }
        } else {
            wanted.insert(path);
        }
    }
}

/// Copies what a path leads to. Libraries and programs lie below `/usr`, whatever else leads there.
fn put(tree: &Path, path: &Path) -> std::io::Result<()> {
    let below = path.strip_prefix("/").unwrap_or(path);
    let target = tree.join(below);
    if target.exists() {
        return Ok(());
    }
    if let Some(above) = target.parent() {
        fs::create_dir_all(above)?;
    }
    fs::copy(path, &target).map(drop)
}

/// The libraries that a program needs, as the loader finds them.
pub(super) fn libraries(program: &Path) -> Result<Vec<PathBuf>, String> {
    let said = output("ldd", &[&program.to_string_lossy()])?;
    let path =
        |line: &str| line.split_ascii_whitespace().find(|word| word.starts_with('/')).map(PathBuf::from);
    Ok(said.lines().filter_map(path).collect())
}
