//! A kernel of the distribution, unpacked and not installed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::output;
use crate::say;

/// A kernel, and where its modules are.
pub(super) struct Kernel {
    pub(super) image: PathBuf,
    place: PathBuf,
}

/// The package that stands for the newest one. It is small, and made for virtual machines.
const NEWEST: &str = "linux-image-cloud-amd64";

/// What the disk needs, what the sandbox uses, and what probes look for.
const WANTED: &[&str] = &[
    "virtio_pci",
    "virtio_blk",
    "crc32c_generic",
    "ext4",
    "unix_diag",
    "overlay",
    "nf_tables",
    "nft_chain_nat",
    "nft_redir",
    "nft_nat",
    "nft_ct",
];

/// Fetches it, unless it is there.
pub(super) fn fetch(place: &Path) -> Result<Kernel, String> {
    let place = place.join("kernel");
    if image(&place).is_none() {
        let package = package()?;
        say(&format!("==> fetching {package}"));
        fs::create_dir_all(&place).map_err(|error| error.to_string())?;
        in_place(&place, "apt-get", &["download", &package])?;
        let is_package = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "deb");
        let found = list(&place).into_iter().find(is_package).ok_or("nothing was downloaded")?;
        let name = found.file_name().unwrap_or_default().to_string_lossy().into_owned();
        in_place(&place, "dpkg-deb", &["-x", &name, "."])?;
    }
    let image = image(&place).ok_or("there is no kernel in the package")?;
    Ok(Kernel { image, place })
}

fn package() -> Result<String, String> {
    let said = output("apt-cache", &["depends", NEWEST])?;
    let depends = said.lines().find_map(|line| line.trim().strip_prefix("Depends: "));
    depends
        .map(str::to_owned)
        .ok_or(format!("`{NEWEST}` is not in the package lists; `apt-get update` fetches them"))
}

fn in_place(place: &Path, program: &str, arguments: &[&str]) -> Result<(), String> {
    match Command::new(program).args(arguments).current_dir(place).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("`{program} {}` failed", arguments.join(" "))),
        Err(error) => Err(format!("cannot run `{program}`: {error}")),
    }
}

fn image(place: &Path) -> Option<PathBuf> {
    let is_image =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"vmlinuz"));
    list(&place.join("boot")).into_iter().find(is_image)
}

fn list(directory: &Path) -> Vec<PathBuf> {
    fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

impl Kernel {
    /// The modules that are wanted and those that they need, each after those. One that is built in is not there.
    pub(super) fn modules(&self) -> Result<Vec<PathBuf>, String> {
        let mut known = BTreeMap::new();
        collect(&self.place.join("lib/modules"), &mut known);
        collect(&self.place.join("usr/lib/modules"), &mut known);
        let mut order = Vec::new();
        WANTED.iter().try_for_each(|name| add(name, &known, &mut order))?;
        Ok(order)
    }
}

fn collect(directory: &Path, known: &mut BTreeMap<String, PathBuf>) {
    for path in list(directory) {
        if path.is_dir() && !path.is_symlink() {
            collect(&path, known);
        } else if path.extension().is_some_and(|kind| kind == "ko") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().replace('-', "_");
            known.insert(name, path);
        }
    }
}

fn add(name: &str, known: &BTreeMap<String, PathBuf>, order: &mut Vec<PathBuf>) -> Result<(), String> {
    let Some(path) = known.get(&name.replace('-', "_")).filter(|path| !order.contains(path)) else {
        return Ok(());
    };
    let bytes = fs::read(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    for needed in needs(&bytes) {
        add(&needed, known, order)?;
    }
    order.push(path.clone());
    Ok(())
}

/// What a module says about itself are texts that end in a nought.
fn needs(module: &[u8]) -> Vec<String> {
    let said = module.split(|byte| *byte == 0).find_map(|text| text.strip_prefix(b"depends="));
    let said = String::from_utf8_lossy(said.unwrap_or_default()).into_owned();
    said.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}
